//! `lozenge analyse` as people run it: JSON, annotated PGN, the page, and resuming after an interruption.

use assert_cmd::Command;
use serde_json::Value;
use std::path::Path;

const GAMES: &str = "[White \"Ann </script>\"]\n[Black \"Bob\"]\n[Variant \"diagonal\"]\n\
                     [FEN \"8/6P1/8/8/3k4/8/1p6/7K w - - 0 1\"]\n\n1. Kh2 {calm [%eval 0.10]} a1 0-1\n\n\
                     [White \"Cid\"]\n[Black \"Dan\"]\n[Variant \"gardner\"]\n\n1. a3 bxa3 2. Nxa3 *\n";

fn analyse(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    std::fs::write(folder.join("games.pgn"), GAMES).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_lozenge"));
    command
        .current_dir(folder)
        .args(["analyse", "games.pgn", "--nodes", "300", "--hash", "1"])
        .args(arguments);
    let output = command.timeout(std::time::Duration::from_secs(120)).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    let (status, out, error) = analyse(folder, &[arguments, &["--json"]].concat());
    assert_eq!((status, error.as_str()), (0, ""));
    serde_json::from_str(&out).unwrap()
}

#[test]
fn review_json_has_the_documented_fields() {
    let folder = tempfile::tempdir().unwrap();
    let review = json(folder.path(), &[]);
    let game = &review["games"][0];
    assert_eq!(
        (&game["variant"], &game["white"], &game["result"]),
        (&"diagonal".into(), &"Ann </script>".into(), &"0-1".into())
    );
    let first = &game["moves"][0];
    assert_eq!((&first["ply"], &first["uci"], &first["san"]), (&1.into(), &"h1h2".into(), &"Kh2".into()));
    assert_eq!((&first["judgment"], &first["missedWin"]), (&"blunder".into(), &"goal".into()));
    assert_eq!((&first["best"]["uci"], &first["best"]["score"]["mate"]), (&"g7h8".into(), &1.into()));
    assert!(first["winProbability"].is_f64() && first["score"]["mate"] == -1, "{first}");
    assert_eq!(game["moves"][1]["judgment"], Value::Null);
    assert!(game["accuracy"]["white"].as_f64().unwrap() < 100.0);
    assert_eq!(review["games"][1]["moves"].as_array().unwrap().len(), 3);
    // The same on any number of threads.
    assert_eq!(json(folder.path(), &["--threads", "1"]), review);
}

#[test]
fn reviews_are_written_as_html_pgn_and_json() {
    let folder = tempfile::tempdir().unwrap();
    let written = |name: &str| {
        assert_eq!(analyse(folder.path(), &["--output", name]).0, 0);
        assert!(!folder.path().join(format!("{name}.partial")).exists(), "the journal is done");
        std::fs::read_to_string(folder.path().join(name)).unwrap()
    };
    let page = written("report.html");
    assert!(page.contains("id=\"king-white\"") && page.contains("\"missedWin\":\"goal\""));
    assert_eq!(page.matches("</script>").count(), 1, "a name cannot end the script");
    assert!(
        !page.contains("http://")
            || page.matches("http://").count() == page.matches("http://www.w3.org/").count()
    );
    let pgn = written("annotated.pgn");
    assert!(pgn.contains("Kh2 $4 {[%eval ") && pgn.contains("{calm} (1. h8#)"), "{pgn}");
    assert_eq!(pgn.matches("[Annotator \"Lozenge").count(), 2);
    assert!(written("review.json").starts_with("{\n  \"games\""));
    let (status, _, error) = analyse(folder.path(), &["--output", "report.txt"]);
    assert!(status == 2 && error.contains("`.html`, `.json` or `.pgn`"), "{error}");
    // Without an output: a summary.
    let (_, out, _) = analyse(folder.path(), &[]);
    assert!(out.starts_with("Ann </script> - Bob 0-1 (diagonal)\n  White: accuracy "), "{out}");
}

#[test]
fn interrupted_review_resumes_from_its_journal() {
    let folder = tempfile::tempdir().unwrap();
    // The output cannot be written, so the journal stays.
    std::fs::create_dir(folder.path().join("review.json")).unwrap();
    assert_eq!(analyse(folder.path(), &["--output", "review.json"]).0, 1);
    std::fs::remove_dir(folder.path().join("review.json")).unwrap();
    let journal = folder.path().join("review.json.partial");
    let text = std::fs::read_to_string(&journal).unwrap();
    assert_eq!(text.lines().count(), 3);
    // Mark a review that is done, as of a game of the same moves by others, and tear the last line, as an interruption does.
    let marked = text.replace("\"h1h2\"", "\"kept\"").replace("Ann ", "Eve ").replace("Cid", "Eve");
    let torn = &marked[..marked.trim_end().rfind('\n').unwrap() + 20];
    std::fs::write(&journal, torn).unwrap();
    assert_eq!(analyse(folder.path(), &["--output", "review.json"]).0, 0);
    let review: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path().join("review.json")).unwrap()).unwrap();
    let uci = |game: usize| review["games"][game]["moves"][0]["uci"].as_str().unwrap().to_owned();
    assert!(uci(0) == "kept" || text.lines().nth(1).unwrap().contains("gardner"), "{}", uci(0));
    assert_eq!(review["games"].as_array().unwrap().len(), 2);
    assert_eq!([&review["games"][0]["white"], &review["games"][1]["white"]], ["Ann </script>", "Cid"]);
    // A journal made with other settings is not mixed in.
    std::fs::write(&journal, text.replace("\"nodes\":300", "\"nodes\":301")).unwrap();
    let (status, _, error) = analyse(folder.path(), &["--output", "review.json"]);
    assert!(status == 1 && error.contains("delete it to begin anew"), "{error}");
}

/// Eight games of a book that ships, as PGN.
fn book_games(folder: &Path) {
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/../server/books/diamondring.book");
    let mut command = Command::new(env!("CARGO_BIN_EXE_lozenge"));
    let output = command
        .current_dir(folder)
        .args(["pgn", book, "--limit", "8", "--output", "games.pgn"])
        .output()
        .unwrap();
    assert!(output.status.success());
    assert!(String::from_utf8(output.stdout).unwrap().starts_with("games: 8\n"));
}

#[test]
fn killed_review_resumes_with_the_same_result() {
    let folder = tempfile::tempdir().unwrap();
    book_games(folder.path());
    let review = |output: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_lozenge"));
        command.current_dir(folder.path()).args(["analyse", "games.pgn", "--hash", "1", "--threads", "1"]);
        command.args(["--nodes", "200", "--output", output]).stderr(std::process::Stdio::null());
        command
    };
    let journal = folder.path().join("killed.json.partial");
    let done = || std::fs::read_to_string(&journal).map_or(0, |text| text.lines().count().saturating_sub(1));
    for target in [1, 3] {
        let mut child = review("killed.json").spawn().unwrap();
        while done() < target && child.try_wait().unwrap().is_none() {
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!folder.path().join("killed.json").exists(), "killed before its end");
    }
    assert!((3..8).contains(&done()), "{}", done());
    for output in ["killed.json", "whole.json"] {
        assert!(review(output).stdout(std::process::Stdio::null()).status().unwrap().success());
    }
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("killed.json"), read("whole.json"));
    let reviews: Value = serde_json::from_str(&read("whole.json")).unwrap();
    assert_eq!(reviews["games"].as_array().map(Vec::len), Some(8));
}

#[test]
fn games_of_more_players_are_refused_by_their_number() {
    let folder = tempfile::tempdir().unwrap();
    let text = "[Variant \"threearmies\"]\n\n1. R *\n\n[Variant \"diamond\"]\n\n*\n";
    let mut command = Command::new(env!("CARGO_BIN_EXE_lozenge"));
    command.current_dir(folder.path()).args(["analyse", "-", "--nodes", "10"]).write_stdin(text);
    let output = command.output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    let expected = "game 1, line 1, column 1: expected a game of two players, found one of three";
    assert!(output.status.code() == Some(1) && error.contains(expected), "{error}");
    assert!(error.contains("1 of 2 games is not valid"), "{error}");
}
