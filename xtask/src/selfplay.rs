//! Our engine against itself, built with assertions, on a fast clock: no assertion, illegal move or time loss.

use crate::failure::Outcome;
use crate::room::{cargo, program, run};
use crate::smoke::built;

/// Games of each of the five games.
const GAMES: &str = "20";
/// Seconds and increment. However much there is at the beginning, a long game ends up living on the increment.
const CLOCK: &str = "0.2+0.005";
/// Milliseconds that are forgiven: to the machine, not to the engine. Two cores with eighteen tasks have been
/// seen to let one wait for 300 ms; an engine that forgets its clock takes longer.
const MARGIN: &str = "1000";

/// Plays; the build of the tests, with its assertions, is the one whose engine plays.
pub(crate) fn play() -> Outcome {
    run(&mut cargo(&["build", "--profile", "test", "--package", "lozenge"]))?;
    let lozenge = built("debug", "lozenge")?;
    // Each game keeps one core busy: its engines think in turn.
    let cores = std::thread::available_parallelism().map_or(1, usize::from).to_string();
    run(program(&lozenge).args([
        "match",
        "this",
        "this",
        "--games",
        GAMES,
        "--tc",
        CLOCK,
        "--margin",
        MARGIN,
        "--concurrency",
        &cores,
        "--strict",
    ]))
}
