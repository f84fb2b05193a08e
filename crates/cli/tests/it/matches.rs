//! `lozenge match` as people run it: our own engine as a program, files, exit status.

use assert_cmd::Command;
use std::path::Path;

/// Exit status, standard output, standard error.
fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lozenge"));
    command.current_dir(folder).arg("match").args(arguments).timeout(std::time::Duration::from_secs(300));
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn succeed(folder: &Path, arguments: &[&str]) -> String {
    let (status, out, error) = run(folder, arguments);
    assert_eq!(status, 0, "{arguments:?}: {error}");
    out
}

#[test]
fn the_engine_beats_a_random_mover_in_every_game() {
    let folder = tempfile::tempdir().unwrap();
    let out = succeed(
        folder.path(),
        &["this", "random", "--games", "2", "--nodes", "500", "--strict", "--json", "results.json"],
    );
    let results = std::fs::read_to_string(folder.path().join("results.json")).unwrap();
    for id in ["diagonal", "diamondback", "diamond", "doublediamond", "diamondring"] {
        let row = out.lines().find(|line| line.starts_with(&format!("{id} "))).unwrap();
        assert_eq!(row.split_whitespace().collect::<Vec<_>>()[1..5], ["2", "2", "0", "0"], "{row}");
        assert!(results.contains(&format!("\"{id}\": {{")));
    }
    assert!(out.contains("Faults of this: none") && out.contains("Faults of random: none"), "{out}");
}

#[test]
fn match_is_the_same_for_any_concurrency() {
    let folder = tempfile::tempdir().unwrap();
    let match_of = |concurrency| {
        let arguments =
            ["this name=a nodes=300", "this name=b nodes=200", "--games", "4", "--max-plies", "60"];
        succeed(
            folder.path(),
            &[&arguments[..], &["--game", "diamond", "--concurrency", concurrency]].concat(),
        )
    };
    let once = match_of("1");
    assert!(once.starts_with("a (300 nodes) against b (200 nodes)\n"), "{once}");
    assert_eq!(once, match_of("2"));
}

#[test]
fn longer_match_extends_its_record_and_pgn() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let arguments = |games: &'static str| {
        [
            "plain",
            "random",
            "--game",
            "gardner",
            "--nodes",
            "200",
            "--max-plies",
            "30",
            "--record",
            "match.jsonl",
        ]
        .into_iter()
        .chain(["--pgn", "games.pgn", "--games", games])
        .collect::<Vec<_>>()
    };
    succeed(folder.path(), &arguments("2"));
    let first = std::fs::read_to_string(file("match.jsonl")).unwrap();
    assert_eq!(first.lines().count(), 3);
    succeed(folder.path(), &arguments("6"));
    let second = std::fs::read_to_string(file("match.jsonl")).unwrap();
    assert_eq!(second.lines().count(), 7);
    assert!(second.starts_with(&first));
    let games = std::fs::read_to_string(file("games.pgn")).unwrap();
    assert_eq!(games.matches("[Variant \"Gardner Minichess\"]").count(), 6, "{games}");
    for round in ["1.1", "1.2", "2.1", "2.2", "3.1", "3.2"] {
        assert_eq!(games.matches(&format!("[Round \"{round}\"]")).count(), 1);
    }
    let (status, out, error) = run(folder.path(), &[&arguments("6")[..], &["--seed", "2"]].concat());
    assert_eq!((status, out.as_str()), (1, ""));
    assert!(error.contains("match.jsonl: expected the record of this match"), "{error}");
}

#[test]
fn openings_are_written_and_played() {
    let folder = tempfile::tempdir().unwrap();
    let base = ["random name=a", "random name=b", "--nodes", "1", "--games", "4", "--max-plies", "10"];
    let with = |more: &[&str]| succeed(folder.path(), &[&base[..], more].concat());
    let written = with(&["--game", "diamond", "--write-openings", "book.epd"]);
    let book = std::fs::read_to_string(folder.path().join("book.epd")).unwrap();
    assert_eq!(book.lines().count(), 4, "an engine against itself gets an opening for every game");
    assert_eq!(with(&["--game", "diamond", "--openings", "book.epd"]), written);
    with(&["--game", "diamond", "--game", "gardner", "--write-openings", "books"]);
    with(&["--game", "diamond", "--game", "gardner", "--openings", "books"]);
    assert!(folder.path().join("books/gardner.epd").exists());
}

#[test]
fn unplayable_match_is_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    // Status 2 means wrong usage, status 1 another failure.
    for (arguments, status, expected) in [
        (&["this", "random"][..], 2, "expected a limit: --nodes, --movetime, --tc or --depth"),
        (
            &["this", "random", "--nodes", "1", "--games", "3"],
            2,
            "--games: expected an even number, two games from every opening, found 3",
        ),
        (&["/no/such/engine", "random", "--nodes", "1"], 1, "cannot start /no/such/engine"),
        (&["this colour=red", "random", "--nodes", "1"], 2, "found `colour`"),
        (&["this 'name=x", "random", "--nodes", "1"], 2, "expected closed quotation marks"),
        (&["random option.Hash=1", "this", "--nodes", "1"], 2, "built in"),
        (&["this history=maybe", "random", "--nodes", "1"], 2, "history=fen"),
        (&["this", "random", "--nodes", "1", "--game", "dimond"], 1, "did you mean `diamond`"),
        (
            &["this", "random", "--nodes", "1", "--sprt", "5", "0"],
            2,
            "expected finite bounds with elo0 < elo1",
        ),
        (&["this", "random", "--nodes", "1", "--openings", "none.epd", "--game", "diamond"], 1, "none.epd: "),
        (
            &["this", "random", "--nodes", "1", "--game", "diamond", "--game", "diamond"],
            2,
            "found diamond twice",
        ),
    ] {
        let (ended, out, error) = run(folder.path(), arguments);
        assert_eq!((ended, out.as_str()), (status, ""), "{arguments:?}");
        assert!(error.contains(expected) && error.lines().count() == 1, "{arguments:?}: {error}");
    }
    for arguments in [
        &["this"][..],
        &["this", "random", "--nodes", "1", "--games", "3"],
        &["this", "random", "--tc", "x"],
        &["this", "random", "--nodes", "0"],
        &["this", "random", "--nodes", "1", "--win", "5"],
    ] {
        assert_eq!(run(folder.path(), arguments).0, 2, "{arguments:?}");
    }
}

/// `cat` echoes its input and never sends `uciok`.
#[cfg(unix)]
#[test]
fn patience_bounds_the_start_of_an_engine() {
    let folder = tempfile::tempdir().unwrap();
    let begun = std::time::Instant::now();
    let (status, _, error) = run(folder.path(), &["cat", "random", "--nodes", "1", "--patience", "1"]);
    assert!(status == 1 && error.contains("no uciok"), "{error}");
    assert!(begun.elapsed() < std::time::Duration::from_secs(20), "{:?}", begun.elapsed());
}

#[test]
fn faults_fail_a_strict_match() {
    let folder = tempfile::tempdir().unwrap();
    // With the wrong variant name the engine does not understand its positions.
    let wrong = "this variant.gardner=chess";
    let arguments = [wrong, "random", "--game", "gardner", "--games", "2", "--nodes", "50"];
    let out = succeed(folder.path(), &arguments);
    assert!(out.contains("Faults of this: 2 illegal moves"), "{out}");
    let (status, _, error) = run(folder.path(), &[&arguments[..], &["--strict"]].concat());
    assert_eq!(status, 1);
    assert_eq!(error, "error: 2 games ended by a fault of an engine\n");
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_finished_games() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("match.jsonl");
    let arguments =
        ["match", "this", "random", "--game", "gardner", "--games", "100000", "--nodes", "100", "--record"];
    let child = std::process::Command::new(env!("CARGO_BIN_EXE_lozenge"))
        .args(arguments)
        .arg(&record)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let lines = || std::fs::read_to_string(&record).map_or(0, |text| text.matches('\n').count());
    while lines() < 3 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let printed = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{printed}");
    assert!(
        printed.ends_with("match.jsonl\n") && printed.contains("interrupted; the same command goes on from"),
        "{printed}"
    );
    let games = lines() - 1;
    let table = String::from_utf8(output.stdout).unwrap();
    let row = table.lines().find(|line| line.starts_with("gardner ")).unwrap();
    assert_eq!(row.split_whitespace().nth(1), Some(games.to_string().as_str()), "{table}");
    assert!(table.contains("Faults of this: none"), "Ctrl-C is no fault of an engine: {table}");
}

#[test]
fn openings_come_from_pgn_and_results_go_to_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    let engines = ["plain", "random", "--nodes", "50", "--game", "gardner", "--max-plies", "12"];
    let with = |more: &[&str]| run(folder.path(), &[&engines[..], more].concat());
    assert_eq!(with(&["--games", "4", "--pgn", "games.pgn"]).0, 0);
    let (status, out, error) = with(&["--games", "4", "--openings", "games.pgn", "--plies", "2", "--json"]);
    assert_eq!(status, 0, "{error}");
    let results: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(results["total"]["games"], 4);
    assert!(error.contains("plain (50 nodes) against random"), "{error}");
    let (status, _, error) = with(&["--record", "-"]);
    assert!(status == 2 && error.contains("--record: expected a file"), "{error}");
}

#[test]
fn self_play_gives_each_game_its_own_opening() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["plain", "plain name=other", "--nodes", "20", "--game", "gardner", "--games", "4"];
    let (status, _, error) = run(folder.path(), &[&arguments[..], &["--pgn", "games.pgn"]].concat());
    assert!(status == 0 && error.contains("each game has an opening of its own"), "{error}");
    let games = std::fs::read_to_string(folder.path().join("games.pgn")).unwrap();
    let fens: std::collections::HashSet<_> = games.lines().filter(|line| line.starts_with("[FEN ")).collect();
    assert_eq!(fens.len(), 4);
}

/// Seats rotate, so in four games the engine has each seat once; its opponents have the others.
#[test]
fn games_of_four_have_places_by_engine_and_seat() {
    let folder = tempfile::tempdir().unwrap();
    for id in ["diamondring-four", "diamondring-teams"] {
        let common = ["this", "greedy", "--game", id, "--games", "4", "--nodes", "300", "--strict"];
        let out = succeed(folder.path(), &common);
        assert_eq!(out, succeed(folder.path(), &[&common[..], &["--concurrency", "2"]].concat()), "{id}");
        let json = succeed(folder.path(), &[&common[..], &["--json"]].concat());
        let results: serde_json::Value = serde_json::from_str(&json).unwrap();
        let [this, greedy] = [&results["engines"][0], &results["engines"][1]];
        assert_eq!(this["total"]["first_share"], 1.0, "{id}: {out}");
        // Four games won say that it comes first in about half of all games, or in more.
        let low = this["total"]["first_share_interval"][0].as_f64().unwrap();
        assert!((0.4..0.6).contains(&low) && out.contains("100.0 % (51.0 to 100.0)"), "{id}: {out}");
        assert!(!out.contains(" (1.00 to 1.00)"), "{id}: {out}");
        let (own, others) = if id == "diamondring-teams" { (8, 8) } else { (4, 12) };
        assert_eq!(
            (&this["total"]["games"], &greedy["total"]["games"]),
            (&own.into(), &others.into()),
            "{id}"
        );
        for seat in ["red", "blue", "yellow", "green"] {
            assert_eq!(this["seats"][seat]["games"], own / 4, "{id} {seat}");
        }
    }
    let four = ["this", "random", "greedy", "this option.Skill\\ Level=0", "--game", "diamondring-four"];
    let out = succeed(
        folder.path(),
        &[&four[..], &["--games", "4", "--nodes", "100", "--max-plies", "40"]].concat(),
    );
    assert!(out.contains("this 1") && out.contains("this 4") && out.contains("agreement 4"), "{out}");
}

/// The games of four of a match are PGN that `lozenge pgn` reads, one of three players among them.
#[test]
fn games_of_four_are_written_as_pgn() {
    let folder = tempfile::tempdir().unwrap();
    let three = concat!(env!("CARGO_MANIFEST_DIR"), "/../../variants/examples/threearmies.toml");
    for game in ["diamondring-four", "diamondring-teams", three] {
        let common =
            ["random", "greedy", "--game", game, "--games", "4", "--nodes", "10", "--pgn", "games.pgn"];
        succeed(folder.path(), &[&common[..], &["--max-plies", "60"]].concat());
    }
    let text = std::fs::read_to_string(folder.path().join("games.pgn")).unwrap();
    assert!(text.contains("[Red \"random\"]") && text.contains("[Round \"4\"]"), "{text}");
    assert!(text.contains("[Event \"random against greedy\"]") && !text.contains("[White "), "{text}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_lozenge"));
    command.current_dir(folder.path()).args(["pgn", "games.pgn", "--game", three, "--warnings"]);
    let output = command.output().unwrap();
    let [out, error] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(output.status.success() && error.is_empty(), "{out}{error}");
    assert!(out.starts_with("games: 12\n") && out.contains("diamondring-teams 4"), "{out}");
}

#[test]
fn matches_of_four_refuse_what_they_cannot_do() {
    let folder = tempfile::tempdir().unwrap();
    let four = ["--game", "diamondring-four", "--nodes", "10"];
    for (arguments, expected) in [
        (
            &["this", "greedy", "--sprt", "0", "5"][..],
            "--sprt: expected a game of two players, found one of four",
        ),
        (&["this", "greedy", "random"], "expected two engines or 4 in a game of 4 players, found 3"),
        (&["this", "plain"], "engine `plain`: expected `this`, `greedy`, `random` or a program"),
        (
            &["this", "greedy", "--game", "diamond"],
            "expected one game in a match of more than two players, found 2",
        ),
    ] {
        let (status, _, error) = run(folder.path(), &[arguments, &four[..]].concat());
        assert_eq!(status, 2, "{arguments:?}: {error}");
        assert!(error.contains(expected), "{arguments:?}: {error}");
    }
    let (status, _, error) =
        run(folder.path(), &["this", "random", "random", "--game", "diamond", "--nodes", "10"]);
    assert_eq!(status, 2, "{error}");
    assert!(error.contains("expected two engines in games of two players, found 3"), "{error}");
}
