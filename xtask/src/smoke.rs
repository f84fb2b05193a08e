//! Smoke tests of the programs: a few commands with known output, all variant files, and self-play.

use crate::process::{Failure, Outcome, cargo, program, read, root, run};
use serde_json::Value;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Self-play: games of each variant.
const GAMES: &str = "20";
/// Self-play: seconds and increment. In a long game only the increment counts.
const TIME_CONTROL: &str = "0.2+0.005";
/// Self-play: time losses tolerated, in milliseconds. On two cores with eighteen tasks delays of 300 ms were measured.
const MARGIN: &str = "1000";

/// Every file of `variants/` and `variants/examples/` passes `lozenge variants check`.
pub(crate) fn variant_files() -> Outcome {
    let lozenge = released("lozenge")?;
    let mut checked = 0;
    for folder in ["variants", "variants/family", "variants/examples"] {
        let Ok(entries) = std::fs::read_dir(root().join(folder)) else { continue };
        let mut files: Vec<PathBuf> = entries
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
            .collect();
        files.sort();
        for file in files {
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            run(program(&lozenge).args(["variants", "check", &format!("{folder}/{name}")]))?;
            checked += 1;
        }
    }
    if checked == 0 {
        return Err(Failure::new("no variant file was found"));
    }
    Ok(())
}

/// Perft, the benchmark and a first word of UCI.
pub(crate) fn programs() -> Outcome {
    let lozenge = released("lozenge")?;
    check_output(program(&lozenge).args(["perft", "chess", "3"]), "", &["Nodes searched: 8902"])?;
    check_output(program(&lozenge).arg("bench"), "", &["Nodes searched: ", "Nodes/second: "])?;
    let commands = "uci\nisready\nquit\n";
    check_output(
        program(&lozenge).arg("engine"),
        commands,
        &["option name UCI_Variant ", "uciok", "readyok"],
    )?;
    check_output(&mut program(released("lozenge-engine")?), commands, &["uciok", "readyok"])
}

/// The puzzles that ship: all with many nodes, or some of each game with few. The table of the check is of another size than
/// the one that they were found with, so it sees other positions.
pub(crate) fn puzzles(all: bool) -> Outcome {
    let mut files: Vec<PathBuf> = std::fs::read_dir(root().join("crates/server/puzzles"))
        .map_err(|error| Failure::new(format!("crates/server/puzzles: {error}")))?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .collect();
    files.sort();
    let mut command = program(&released("lozenge")?);
    command.args(["lab", "check-puzzles", "--nodes", "1000000"]).args(files);
    if !all {
        command.args(["--sample", "4"]);
    }
    run(&mut command)
}

/// Whether the program, given this input, ends well and begins lines of its output so.
pub(crate) fn check_output(command: &mut Command, input: &str, expected: &[&str]) -> Outcome {
    let name = format!("{command:?}");
    let fault = |what: String| Failure::new(format!("{name}: {what}"));
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| fault(error.to_string()))?;
    if let Some(mut stdin) = child.stdin.take() {
        // A program that has ended already will be judged by what it printed.
        let _ = stdin.write_all(input.as_bytes());
    }
    let output = child.wait_with_output().map_err(|error| fault(error.to_string()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    for line in text.lines().filter(|line| expected.iter().any(|start| line.starts_with(start))) {
        println!("{line}");
    }
    if !output.status.success() {
        return Err(fault(output.status.to_string()));
    }
    for start in expected {
        if !text.lines().any(|line| line.starts_with(start)) {
            return Err(fault(format!("no line begins `{start}`; it said:\n{text}")));
        }
    }
    Ok(())
}

/// A program of the release build.
pub(crate) fn released(name: &str) -> Result<PathBuf, Failure> {
    built("release", name)
}

/// A program or an example as the tests have it. `cargo build` would compile many libraries again: tests need more of their
/// features.
pub(crate) fn tested(name: &str) -> Result<PathBuf, Failure> {
    run(&mut cargo(&["test", "--workspace", "--no-run", "--quiet"]))?;
    built("debug", name)
}

/// A program of the build in this folder of the target directory.
pub(crate) fn built(folder: &str, name: &str) -> Result<PathBuf, Failure> {
    let text = read(&mut cargo(&["metadata", "--format-version", "1", "--no-deps"]))?;
    let metadata: Value =
        serde_json::from_str(&text).map_err(|error| Failure::new(format!("cargo metadata: {error}")))?;
    let target = metadata["target_directory"].as_str().unwrap_or("target");
    Ok(PathBuf::from(target).join(folder).join(format!("{name}{}", std::env::consts::EXE_SUFFIX)))
}

/// The engine plays itself on a fast clock, built with assertions: no assertion fails, no move is illegal, no game is
/// lost on time.
pub(crate) fn self_play() -> Outcome {
    let lozenge = tested("lozenge")?;
    // Each game uses one core, because its engines think in turn.
    let cores = std::thread::available_parallelism().map_or(1, usize::from).to_string();
    run(program(&lozenge).args([
        "match",
        "this",
        "this",
        "--games",
        GAMES,
        "--tc",
        TIME_CONTROL,
        "--margin",
        MARGIN,
        "--concurrency",
        &cores,
        "--strict",
    ]))
}
