//! Which of our crates may use which, as `ARCHITECTURE.md` draws it. Read from `cargo metadata`.

use crate::process::{Failure, Outcome, cargo, none_of, read};
use serde_json::Value;

/// A crate and those of ours it may use. A new crate must be added here first.
const ALLOWED: &[(&str, &[&str])] = &[
    ("lozenge-rules", &[]),
    ("lozenge-reference", &[]),
    ("lozenge-explain", &["lozenge-rules"]),
    ("lozenge-picture", &["lozenge-rules"]),
    ("lozenge-ini", &["lozenge-rules"]),
    ("lozenge-lessons", &["lozenge-rules", "lozenge-explain"]),
    ("lozenge-wire", &[]),
    ("lozenge-queue", &[]),
    ("lozenge-tablebase", &["lozenge-rules"]),
    ("lozenge-engine", &["lozenge-rules", "lozenge-tablebase"]),
    ("lozenge-protocol", &["lozenge-rules", "lozenge-tablebase", "lozenge-engine"]),
    (
        "lozenge-lab",
        &[
            "lozenge-rules",
            "lozenge-tablebase",
            "lozenge-explain",
            "lozenge-picture",
            "lozenge-engine",
            "lozenge-protocol",
        ],
    ),
    ("lozenge-worker", &["lozenge-rules", "lozenge-tablebase", "lozenge-engine"]),
    (
        "lozenge-analysis",
        &["lozenge-rules", "lozenge-tablebase", "lozenge-lessons", "lozenge-engine", "lozenge-wire"],
    ),
    (
        "lozenge-game",
        &[
            "lozenge-rules",
            "lozenge-explain",
            "lozenge-lessons",
            "lozenge-picture",
            "lozenge-wire",
            "lozenge-engine",
            "lozenge-analysis",
        ],
    ),
    ("lozenge-store", &["lozenge-wire", "lozenge-queue", "lozenge-lab", "lozenge-game"]),
    (
        "lozenge-live",
        &[
            "lozenge-rules",
            "lozenge-wire",
            "lozenge-lab",
            "lozenge-worker",
            "lozenge-queue",
            "lozenge-analysis",
            "lozenge-game",
            "lozenge-store",
        ],
    ),
    (
        "lozenge-server",
        &[
            "lozenge-rules",
            "lozenge-tablebase",
            "lozenge-explain",
            "lozenge-lessons",
            "lozenge-picture",
            "lozenge-wire",
            "lozenge-lab",
            "lozenge-worker",
            "lozenge-analysis",
            "lozenge-game",
            "lozenge-store",
            "lozenge-live",
        ],
    ),
    (
        "lozenge",
        &[
            "lozenge-rules",
            "lozenge-explain",
            "lozenge-lessons",
            "lozenge-ini",
            "lozenge-picture",
            "lozenge-wire",
            "lozenge-tablebase",
            "lozenge-engine",
            "lozenge-protocol",
            "lozenge-lab",
            "lozenge-worker",
            "lozenge-queue",
            "lozenge-analysis",
            "lozenge-game",
            "lozenge-store",
            "lozenge-live",
            "lozenge-server",
        ],
    ),
    (
        "lozenge-python",
        &["lozenge-rules", "lozenge-picture", "lozenge-ini", "lozenge-engine", "lozenge-protocol"],
    ),
    (
        "lozenge-wasm",
        &[
            "lozenge-rules",
            "lozenge-picture",
            "lozenge-ini",
            "lozenge-wire",
            "lozenge-engine",
            "lozenge-protocol",
            "lozenge-analysis",
        ],
    ),
    ("xtask", &[]),
];

/// The slow walker: compared with, never built on, and dependent on nothing at all.
const REFERENCE: &str = "lozenge-reference";

/// Fails with every dependency that goes the wrong way.
pub(crate) fn check() -> Outcome {
    let text = read(&mut cargo(&["metadata", "--format-version", "1", "--no-deps"]))?;
    let metadata: Value =
        serde_json::from_str(&text).map_err(|error| Failure::new(format!("cargo metadata: {error}")))?;
    let packages = list(&metadata["packages"]);
    let mut faults = Vec::new();
    for package in packages {
        faults.extend(faults_of(package));
    }
    println!("{} crates", packages.len());
    none_of("dependencies in the wrong direction (xtask/src/directions.rs has the list)", &faults)
}

fn faults_of(package: &Value) -> Vec<String> {
    let name = text(&package["name"]);
    let Some((_, allowed)) = ALLOWED.iter().find(|(known, _)| *known == name) else {
        return vec![format!("{name} is not in the list yet")];
    };
    let mut faults = Vec::new();
    for dependency in list(&package["dependencies"]) {
        let used = text(&dependency["name"]);
        let dev = text(&dependency["kind"]) == "dev";
        let is_own = ALLOWED.iter().any(|(known, _)| *known == used) || used.starts_with("lozenge-");
        if name == REFERENCE {
            faults.push(format!("{name} uses {used}: it must use nothing"));
        } else if used == REFERENCE {
            if !dev {
                faults.push(format!("{name} uses {used} outside its tests"));
            }
        } else if is_own && !allowed.contains(&used) {
            faults.push(format!("{name} uses {used}{}", if dev { " in its tests" } else { "" }));
        }
    }
    faults
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn faults(name: &str, used: &str, kind: Option<&str>) -> Vec<String> {
        faults_of(&json!({ "name": name, "dependencies": [{ "name": used, "kind": kind }] }))
    }

    #[test]
    fn allowed_dependencies_pass() {
        assert!(faults("lozenge-engine", "lozenge-rules", None).is_empty());
        assert!(faults("lozenge-rules", "arrayvec", None).is_empty());
        assert!(faults("lozenge-rules", "lozenge-reference", Some("dev")).is_empty());
    }

    #[test]
    fn forbidden_dependencies_are_reported() {
        assert_eq!(faults("lozenge-rules", "lozenge-engine", None), ["lozenge-rules uses lozenge-engine"]);
        assert_eq!(faults("lozenge-server", "lozenge", None), ["lozenge-server uses lozenge"]);
        assert_eq!(
            faults("lozenge-engine", "lozenge-protocol", Some("dev")),
            ["lozenge-engine uses lozenge-protocol in its tests"]
        );
        assert_eq!(
            faults("lozenge-engine", "lozenge-reference", None),
            ["lozenge-engine uses lozenge-reference outside its tests"]
        );
        assert_eq!(
            faults("lozenge-reference", "arrayvec", Some("dev")),
            ["lozenge-reference uses arrayvec: it must use nothing"]
        );
        assert_eq!(faults("lozenge-new", "clap", None), ["lozenge-new is not in the list yet"]);
    }
}
