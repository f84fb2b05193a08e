//! The same games in Fairy-Stockfish: random walks of 160 plies, in which both must have the same legal moves all the way.
//! The games are those built into Fairy-Stockfish (`src/parents.ini`), those of `tests/games.ini`, and our own games exported.
//!
//! `LOZENGE_PYTHON` names a Python that must have `pyffish`. By default the tests use `python3`; if it has no pyffish, they
//! print a message and test nothing (in CI they fail). Perft would be no proof: differences show 17 to 41 plies deep.

use lozenge_ini::{export, import, parents, sections};
use lozenge_rules::library;
use lozenge_rules::notation::uci;
use lozenge_rules::position::{AnyPosition, Game, Status};
use lozenge_rules::variant::Variant;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;

const GAMES: &str = include_str!("../games.ini");
const PLIES: usize = 160;

struct Pyffish {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Pyffish {
    /// `None` where pyffish is missing and not required.
    fn start(config: &str) -> Option<Self> {
        let configured = std::env::var_os("LOZENGE_PYTHON");
        let python = configured.clone().unwrap_or_else(|| "python3".into());
        let quiet = |command: &mut Command| command.stdout(Stdio::null()).stderr(Stdio::null()).status();
        let has_library =
            quiet(Command::new(&python).args(["-c", "import pyffish"])).is_ok_and(|status| status.success());
        if !has_library {
            let required = configured.is_some() || std::env::var_os("CI").is_some();
            assert!(!required, "expected {} to have the library pyffish", python.display());
            // Bypasses the test harness, which captures the output of a passing test.
            let skipped = "left out: games compared with pyffish, which `python3` does not have\n";
            std::io::stderr().write_all(skipped.as_bytes()).unwrap();
            return None;
        }
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/walk.py");
        let mut child = Command::new(&python)
            .arg(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        writeln!(input, "{}", config.replace('\\', "").replace('\n', "\\n")).unwrap();
        Some(Self { child, input, output })
    }

    fn request(&mut self, variant: &str, fen: Option<&str>, moves: &[String]) -> Value {
        writeln!(self.input, "{}", json!({ "variant": variant, "fen": fen, "moves": moves })).unwrap();
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("pyffish ended at {variant} {moves:?}"))
    }
}

impl Drop for Pyffish {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Compares random games; the error is the first difference.
fn compare(pyffish: &mut Pyffish, name: &str, variant: &Arc<Variant>) -> Result<usize, String> {
    let mut compared = 0;
    // One walk for every change; `cargo xtask proof` takes eight.
    let walks = std::env::var("LOZENGE_WALKS").ok().and_then(|text| text.parse().ok()).unwrap_or(1u64);
    for seed in 1..=walks {
        let mut random = SplitMix64::seed_from_u64(seed);
        let mut game = Game::from_position(AnyPosition::start(variant));
        let mut moves: Vec<String> = Vec::new();
        for _ in 0..PLIES {
            let position = game.position();
            let legal = position.legal_moves();
            let ours: BTreeSet<String> = legal.iter().map(|&played| uci::write(variant, played)).collect();
            if matches!(position.status(), Status::Goal | Status::Dead)
                || game.outcome().is_some() && !ours.is_empty()
            {
                break;
            }
            let answer = pyffish.request(name, None, &moves);
            let theirs: BTreeSet<String> = answer["moves"]
                .as_array()
                .ok_or_else(|| format!("{name}: {answer}"))?
                .iter()
                .map(|played| played.as_str().unwrap().to_owned())
                .collect();
            if ours != theirs {
                return Err(format!(
                    "{name} after {} plies, {}\n  only ours: {:?}\n  only theirs: {:?}\n  {}",
                    moves.len(),
                    position.fen(),
                    ours.difference(&theirs).collect::<Vec<_>>(),
                    theirs.difference(&ours).collect::<Vec<_>>(),
                    moves.join(" ")
                ));
            }
            compared += 1;
            if legal.is_empty() {
                break;
            }
            let mut sorted: Vec<&String> = ours.iter().collect();
            sorted.sort();
            let text = sorted[random.next_u64() as usize % sorted.len()].clone();
            game.play(uci::parse(game.position(), &text).unwrap()).unwrap();
            moves.push(text);
        }
    }
    Ok(compared)
}

fn compiled(text: &str) -> Result<Arc<Variant>, String> {
    Variant::parse("imported", text, &|_| None).map_err(|error| format!("{error}\n{text}"))
}

#[test]
fn imported_games_have_the_same_moves() {
    let Some(mut pyffish) = Pyffish::start(GAMES) else { return };
    let mut faults = Vec::new();
    let mut same = 0;
    let built_in = parents()
        .into_iter()
        .filter(|name| name != "normal")
        .map(|name| (name.clone(), format!("[{name}-here:{name}]\n")));
    let own = sections(GAMES).unwrap().into_iter().map(|section| (section.name, GAMES.to_owned()));
    for (name, text) in built_in.chain(own) {
        let section_name = if text == GAMES { name.clone() } else { format!("{name}-here") };
        let found = import(&text, Some(&section_name)).map_err(|error| format!("{name}: {error}")).and_then(
            |imported| {
                if !imported.untranslated.is_empty() {
                    let named: Vec<String> = imported.untranslated.iter().map(ToString::to_string).collect();
                    return Err(format!("{name}: not all of it: {}", named.join("; ")));
                }
                compare(&mut pyffish, &name, &compiled(&imported.text)?)
            },
        );
        match found {
            Ok(_) => same += 1,
            Err(fault) => faults.push(fault),
        }
    }
    assert!(faults.is_empty(), "{same} games agree, these do not:\n{}", faults.join("\n"));
    assert!(same >= 50, "only {same} games were compared");
}

#[test]
fn exported_games_have_the_same_moves() {
    let ids = ["chess", "capablanca", "gardner", "losalamos"];
    let exported: Vec<String> = ids
        .iter()
        .map(|id| {
            let found = export(&library::game(id).unwrap());
            assert!(found.untranslated.is_empty(), "{id}: {:?}", found.untranslated);
            found.text.replace(&format!("[{id}]"), &format!("[{id}-exported]"))
        })
        .collect();
    let Some(mut pyffish) = Pyffish::start(&exported.join("\n")) else { return };
    for (id, text) in ids.iter().zip(&exported) {
        let name = format!("{id}-exported");
        compare(&mut pyffish, &name, &library::game(id).unwrap()).unwrap();
        // And back: we read our own export.
        let again = import(text, None).unwrap();
        assert!(again.untranslated.is_empty(), "{:?}", again.untranslated);
        compare(&mut pyffish, &name, &compiled(&again.text).unwrap()).unwrap();
    }
}
