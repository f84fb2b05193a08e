//! Which modules of a crate may use which, as `ARCHITECTURE.md` draws it: in each list, a module uses only those before it.

use crate::process::{Failure, Outcome, none_of, root};
use std::path::Path;

/// A folder of modules, and their order. A new module must be added here first.
const LAYERS: &[(&str, &[&str])] = &[
    (
        "crates/rules/src",
        &["one_line", "geometry", "piece", "seat", "setup", "variant", "position", "notation", "library"],
    ),
    (
        "crates/rules/src/geometry",
        &["square", "by_square", "set", "vector", "shape", "symmetry", "frame", "layout"],
    ),
    (
        "crates/rules/src/variant",
        &[
            "betza",
            "area",
            "builtin",
            "error",
            "document",
            "def",
            "reader",
            "seats",
            "read",
            "roles",
            "fusions",
            "sliders",
            "trails",
            "capture_paths",
            "rules",
            "trail_builder",
            "plan",
            "tables",
            "estimate",
            "multi",
            "compile",
            "reach",
            "automorphisms",
            "any",
        ],
    ),
    (
        "crates/rules/src/position",
        &[
            "moves",
            "play",
            "attacks",
            "checks",
            "safety",
            "trail_safety",
            "movegen",
            "fusing",
            "outcome",
            "perft",
            "validate",
            "placement",
            "any",
            "game",
            "multi",
            "played",
        ],
    ),
    ("crates/rules/src/notation", &["drawing", "uci", "san", "book", "pgn", "turn", "record"]),
    (
        "crates/explain/src",
        &[
            "document", "motion", "text", "names", "moves", "diagram", "board", "pieces", "rules", "multi",
            "language", "plain",
        ],
    ),
    (
        "crates/lessons/src",
        &[
            "learner", "text", "level", "random", "sandbox", "solver", "board", "pieces", "captures",
            "walls", "oddities", "check", "winning", "players", "traps", "attempt",
        ],
    ),
    (
        "crates/tablebase/src",
        &["value", "material", "index", "file", "solve", "tables", "generate", "verify", "shared"],
    ),
    (
        "crates/engine/src",
        &[
            "memory",
            "score",
            "report",
            "limits",
            "time",
            "tunables",
            "skill",
            "transposition",
            "eval",
            "wdl",
            "ordering",
            "search",
            "multi",
            "engine",
            "bench",
        ],
    ),
    (
        "crates/engine/src/eval",
        &[
            "taper",
            "advance",
            "span",
            "board_sets",
            "features",
            "values",
            "fingerprint",
            "material",
            "square_classes",
            "endings",
            "scale",
            "trace",
            "survey",
            "pawns",
            "cache",
            "terms",
            "derive",
            "tuned",
            "explain",
        ],
    ),
    (
        "crates/engine/src/search",
        &[
            "abdada",
            "shared_iteration",
            "context",
            "progress",
            "path",
            "handicap",
            "accumulator",
            "node_state",
            "tablebase",
            "pruning",
            "node",
            "prune_node",
            "extension",
            "quiescence",
            "moves",
            "root_state",
            "slice",
            "root",
            "threads",
        ],
    ),
    (
        "crates/protocol/src",
        &[
            "lines",
            "output",
            "client",
            "games",
            "perft",
            "diagnostics",
            "options",
            "event",
            "task",
            "session",
            "uci",
            "xboard",
            "conversation",
        ],
    ),
    ("crates/queue/src", &["job", "rows", "nats", "work", "live"]),
    ("crates/queue/src/nats", &["call", "client", "files", "host", "remote"]),
    (
        "crates/cli/src",
        &["error", "numbers", "interrupt", "output", "games", "play", "commands", "args", "bin"],
    ),
    ("crates/cli/src/play", &["style", "board", "command", "input", "screen", "session", "multi"]),
    ("crates/game/src", &["time", "ids", "text", "network", "convert", "domain"]),
    (
        "crates/live/src",
        &[
            "closing",
            "cluster",
            "games",
            "lobby",
            "challenges",
            "showcase",
            "puzzles",
            "jobs",
            "reviews",
            "laboratory",
        ],
    ),
    (
        "crates/server/src",
        &[
            "forwarded",
            "telemetry",
            "denial",
            "fair_queue",
            "places",
            "keyed_limiter",
            "budgets",
            "limits",
            "heavy",
            "drills",
            "endgames",
            "pictures",
            "studies",
            "studio",
            "assets",
            "views",
            "account",
            "error",
            "prebuilt",
            "push",
            "state",
            "peers",
            "auth",
            "routes",
            "connections",
            "housekeeping",
            "app",
        ],
    ),
];

/// Fails with every use that goes the wrong way.
pub(crate) fn check() -> Outcome {
    let mut faults = Vec::new();
    for (folder, order) in LAYERS {
        let mut files = Vec::new();
        crate::sources::collect(&root().join(folder), &mut files)?;
        files.sort();
        for name in order.iter().filter(|name| !is_module(&root().join(folder), name)) {
            faults.push(format!("{folder}: {name} is in the list, but there is no such module"));
        }
        for file in files {
            let text = std::fs::read_to_string(&file)
                .map_err(|error| Failure::new(format!("{}: {error}", file.display())))?;
            let path = file.strip_prefix(root().join(folder)).unwrap_or(&file);
            faults.extend(faults_of(folder, order, &modules_of(path), &text));
        }
    }
    println!("{} folders", LAYERS.len());
    none_of("uses of modules in the wrong direction (xtask/src/layers.rs has the order)", &faults)
}

/// Whether a folder has a module of this name.
fn is_module(folder: &Path, name: &str) -> bool {
    folder.join(name).is_dir() || folder.join(name).with_extension("rs").is_file()
}

/// The path of the module that a file defines, below the folder: `a/b.rs` and `a/b/mod.rs` are `a::b`.
fn modules_of(path: &Path) -> Vec<String> {
    let path = path.with_extension("");
    let names = path.iter().map(|name| name.to_string_lossy().into_owned());
    names.filter(|name| !["mod", "lib", "main"].contains(&name.as_str())).collect()
}

fn faults_of(folder: &str, order: &[&str], file: &[String], text: &str) -> Vec<String> {
    let Some(own) = file.first() else { return Vec::new() };
    if file.iter().any(|name| name == "tests" || name.ends_with("_tests")) {
        return Vec::new();
    }
    let Some(place) = order.iter().position(|name| name == own) else {
        return vec![format!("{folder}: {own} is not in the list yet")];
    };
    // The folder's own path in its crate: `eval` in `crates/engine/src/eval`.
    let above: Vec<&str> = folder
        .split_once("/src")
        .map_or("", |(_, path)| path)
        .split('/')
        .filter(|name| !name.is_empty())
        .collect();
    let mut faults = Vec::new();
    for (number, used) in uses(text) {
        let module = match used.supers {
            None => used.path.strip_prefix(above.as_slice()).and_then(|path| path.first().copied()),
            Some(supers) if supers == file.len() => used.path.first().copied(),
            Some(_) => None,
        };
        let later = module.and_then(|module| order.iter().position(|name| *name == module));
        if later.is_some_and(|later| later > place) {
            let module = module.unwrap_or_default();
            faults.push(format!("{folder}/{}:{number}: {own} uses {module}", file.join("/")));
        }
    }
    faults
}

/// A path in the code that begins with `crate` or `super`.
#[derive(Debug, PartialEq, Eq)]
struct Use<'a> {
    /// How many modules up; `None` from the crate's root.
    supers: Option<usize>,
    path: Vec<&'a str>,
}

/// The paths outside of comments and of the tests at a file's end, with their lines.
fn uses(text: &str) -> Vec<(usize, Use<'_>)> {
    let code = text.find("#[cfg(test)]\nmod tests {").map_or(text, |end| &text[..end]);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) =
        ["crate::", "super::"].iter().filter_map(|word| Some(at + code[at..].find(word)?)).min()
    {
        at = start + "crate::".len();
        let line_start = code[..start].rfind('\n').map_or(0, |end| end + 1);
        let in_name = code[..start].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
        if code[line_start..start].contains("//") || in_name {
            continue;
        }
        let mut supers = code[start..].starts_with("super").then_some(1);
        while let (Some(count), true) = (supers, code[at..].starts_with("super::")) {
            supers = Some(count + 1);
            at += "super::".len();
        }
        let number = code[..start].matches('\n').count() + 1;
        let (prefix, rest) = split_path(&code[at..]);
        match rest.strip_prefix('{') {
            None => found.push((number, Use { supers, path: prefix })),
            Some(group) => {
                for item in items(group) {
                    let path = prefix.iter().copied().chain(split_path(item.trim()).0).collect();
                    found.push((number, Use { supers, path }));
                }
            }
        }
    }
    found
}

/// The names of a path at the beginning of a text, and what comes after them.
fn split_path(mut text: &str) -> (Vec<&str>, &str) {
    let mut names = Vec::new();
    loop {
        let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
        if end == 0 {
            return (names, text);
        }
        names.push(&text[..end]);
        match text[end..].strip_prefix("::") {
            Some(rest) => text = rest,
            None => return (names, &text[end..]),
        }
    }
}

/// The items of a group, up to its closing brace.
fn items(group: &str) -> Vec<&str> {
    let (mut items, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                items.push(&group[start..at]);
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                items.push(&group[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_modules_keep_their_order() {
        super::check().unwrap();
    }

    const ORDER: &[&str] = &["domain", "store", "routes"];

    fn check(file: &str, text: &str) -> Vec<String> {
        faults_of("crates/a/src", ORDER, &modules_of(Path::new(file)), text)
    }

    #[test]
    fn uses_of_earlier_modules_pass() {
        assert!(check("routes/a.rs", "use crate::{domain::X, store};\nuse super::b;").is_empty());
        assert!(check("domain/mod.rs", "/// [`x`](crate::store::x)\nfn f() {}").is_empty());
        assert!(check("domain.rs", "#[cfg(test)]\nmod tests {\n    use crate::store;\n}").is_empty());
        assert!(check("domain/play_tests.rs", "use crate::store;").is_empty());
        assert!(check("lib.rs", "pub use crate::routes::x;").is_empty());
    }

    #[test]
    fn uses_of_later_modules_are_named_with_their_line() {
        let faults = check("domain/a.rs", "//! A.\n\nuse crate::{ids, store::{X, Y}};\n");
        assert_eq!(faults, ["crates/a/src/domain/a:3: domain uses store"]);
        assert_eq!(check("store/mod.rs", "use super::routes;").len(), 1);
        assert_eq!(check("store/b/c.rs", "fn f() { super::super::super::routes::f() }").len(), 1);
        assert_eq!(
            check("store/b.rs", "fn f() { super::routes::f() }").len(),
            0,
            "its own module of that name"
        );
        assert_eq!(check("other.rs", ""), ["crates/a/src: other is not in the list yet"]);
    }

    #[test]
    fn a_folder_inside_a_crate_has_its_own_order() {
        let check = |text| {
            faults_of("crates/a/src/eval", &["values", "tuned"], &modules_of(Path::new("values.rs")), text)
        };
        assert_eq!(check("use super::tuned;").len(), 1);
        assert_eq!(check("use crate::eval::tuned::X;").len(), 1);
        assert!(check("use crate::tuned;").is_empty());
    }
}
