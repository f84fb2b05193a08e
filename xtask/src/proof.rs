//! `cargo xtask proof`: the checks that take too long for every change. They are deep perft of every game, by the generator
//! and by the slow reference walker; two published perft numbers of chess; the puzzles; and a long review that is killed.

use crate::ci::Steps;
use crate::process::{Failure, Outcome, cargo, program, root, run as run_command};
use crate::smoke::{self, check_output, released};
use crate::values;
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

/// `proof`.
#[derive(Args)]
pub(crate) struct Options {
    /// Counts of `testdata/perft/` up to this many nodes.
    #[arg(long, default_value_t = 400_000_000)]
    perft_nodes: u64,
    /// Counts of `testdata/perft/` up to this many nodes, by the slow reference walker.
    #[arg(long, default_value_t = 50_000)]
    walker_nodes: u64,
    /// A `variants.ini` of which every section that is imported without loss is compared with Fairy-Stockfish, too.
    #[arg(long, value_name = "FILE")]
    ini: Option<PathBuf>,
    /// Begin with the step of this name, after a failure that is mended.
    #[arg(long, value_name = "STEP")]
    from: Option<String>,
}

/// Position 2 of the Chess Programming Wiki's perft results.
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Games of the review that is killed, and nodes for each of their positions.
const REVIEWED: usize = 1_000;
const REVIEW_NODES: &str = "50";

/// Reviews games of a book that ships, kills the command again and again, and compares the result with that of an
/// uninterrupted review.
fn interrupted_review() -> Outcome {
    let lozenge = released("lozenge")?;
    let folder = root().join("target/tmp/review");
    let failed = |error: std::io::Error| Failure::new(format!("{}: {error}", folder.display()));
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(failed)?;
    }
    std::fs::create_dir_all(&folder).map_err(failed)?;
    let book = root().join("crates/server/books/diamondring.book");
    let mut command = program(&lozenge);
    command.arg("pgn").arg(book).args(["--limit", &REVIEWED.to_string(), "--output"]);
    run_command(command.arg(folder.join("games.pgn")))?;
    let review = |output: &str| {
        let mut command = program(&lozenge);
        command.current_dir(&folder).args(["analyse", "games.pgn", "--nodes", REVIEW_NODES, "--hash", "1"]);
        command.args(["--output", output]);
        command
    };
    let kept = || std::fs::read(folder.join("killed.json.partial")).map_or(0, |text| lines(&text));
    let mut kills = 0;
    for part in 1..=4 {
        let mut child = review("killed.json").spawn().map_err(failed)?;
        while kept() < part * REVIEWED / 5 && child.try_wait().map_err(failed)?.is_none() {
            std::thread::sleep(Duration::from_millis(20));
        }
        // The process may have ended by itself.
        kills += usize::from(child.try_wait().map_err(failed)?.is_none() && child.kill().is_ok());
        child.wait().map_err(failed)?;
    }
    println!("killed {kills} times, with {} of {REVIEWED} games done the last time", kept());
    run_command(&mut review("killed.json"))?;
    run_command(&mut review("whole.json"))?;
    let [killed, whole] = ["killed.json", "whole.json"].map(|name| std::fs::read(folder.join(name)));
    if kills == 4 && killed.map_err(failed)? == whole.map_err(failed)? {
        Ok(())
    } else {
        Err(Failure::new("expected four kills and the same review with and without them, found other"))
    }
}

fn lines(text: &[u8]) -> usize {
    text.iter().filter(|&&byte| byte == b'\n').count()
}

/// Runs the proofs.
pub(crate) fn run(options: &Options) -> Outcome {
    let mut steps = Steps::between(options.from.clone(), None);
    steps.run("perft of testdata", || {
        let mut command = cargo(&["test", "--release", "-p", "lozenge-rules", "--test", "it", "perft::"]);
        run_command(command.env("LOZENGE_PERFT_NODES", options.perft_nodes.to_string()))
    })?;
    steps.run("perft of testdata by the walker", || {
        let mut command =
            cargo(&["test", "--release", "-p", "lozenge-reference", "--test", "it", "perft_files::"]);
        run_command(command.env("LOZENGE_WALKER_NODES", options.walker_nodes.to_string()))
    })?;
    steps.run("random games and placements beside the walker", || {
        let mut command = cargo(&["test", "--release", "-p", "lozenge-rules", "--test", "it", "walker::"]);
        run_command(command.env("LOZENGE_WALKS", "16"))
    })?;
    steps.run("games of variants.ini, twenty of each", || {
        let mut command = cargo(&["test", "--release", "-p", "lozenge-ini", "--test", "it", "pyffish::"]);
        if let Some(path) = &options.ini {
            let path = std::path::absolute(path)
                .map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
            command.env("LOZENGE_INI", path);
        }
        run_command(command.env("LOZENGE_WALKS", "20"))
    })?;
    steps.run("won endings, 50 positions of each, at each upper level", || {
        let mut command = cargo(&["test", "--release", "-p", "lozenge-engine", "--test", "it", "endings::"]);
        run_command(command.env("LOZENGE_ENDINGS", "50"))
    })?;
    steps.run("openings of the books that ship, 30 games of each", || {
        let mut command = cargo(&["test", "--release", "-p", "lozenge-lab", "--test", "it", "books::"]);
        run_command(command.env("LOZENGE_BOOKS", "30"))
    })?;
    steps.run("values of chess from its games", values::check)?;
    steps.run("orthodox chess", || {
        run_command(&mut cargo(&["build", "--release", "-p", "lozenge", "--bins"]))?;
        let lozenge = released("lozenge")?;
        check_output(program(&lozenge).args(["perft", "chess", "6"]), "", &["Nodes searched: 119060324"])?;
        check_output(
            program(&lozenge).args(["perft", "chess", "4", "--fen", KIWIPETE]),
            "",
            &["Nodes searched: 4085603"],
        )
    })?;
    steps.run("puzzles", || smoke::puzzles(true))?;
    steps.run("a review of 1,000 games, killed and resumed", interrupted_review)?;
    steps.finish();
    Ok(())
}
