//! `lozenge pgn`: counts, errors and conversions.

use crate::programs::{fail, run, with_input};

const GAMES: &str = "[Event \"a\"]\n[Variant \"gardner\"]\n\n1. a3 {calm} bxa3 2. bxa3 *\n\n\
                     [Event \"b\"]\n[Variant \"Gardner Minichess\"]\n[FEN \"k4/5/2K2/1Q3/5 w - - 0 1\"]\n\n1. Qb4 *\n\n";

#[test]
fn games_are_counted_and_errors_reported() {
    let (status, out, error) = with_input(&["pgn", "-"], GAMES);
    assert_eq!((status, error.as_str()), (0, ""));
    assert!(
        out.starts_with("games: 2\nplies: 4, longest game 3\nvariants: gardner 2\nresults: * 2\n"),
        "{out}"
    );
    let broken =
        format!("{GAMES}[Variant \"gardner\"]\n\n1. a3\nQh9 *\n\n[Variant \"dance\"]\n\n*\n\n{GAMES}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pgn");
    std::fs::write(&file, broken).unwrap();
    let file = file.to_str().unwrap();
    let (status, out, error) = run(&["pgn", file]);
    assert!(status == 1 && out.starts_with("games: 6\n") && out.ends_with("errors: 2\n"), "{out}");
    let lines: Vec<&str> = error.lines().collect();
    assert!(lines[0].starts_with(&format!("error: {file}: game 3, line 15, column 1: ")), "{error}");
    assert!(
        lines[1].starts_with(&format!("error: {file}: game 4, ")) && lines[1].contains("`dance`"),
        "{error}"
    );
    assert_eq!(lines[2..], ["error: 2 of 6 games are not valid"]);
    let (status, out, _) = run(&["pgn", file, "--json"]);
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((status, &report["valid"], &report["errors"][0]["line"]), (1, &4.into(), &15.into()));
    // A result that the board contradicts.
    let mate = "[Variant \"gardner\"]\n[FEN \"k4/5/2K2/1Q3/5 w - - 0 1\"]\n\n1. Qb4 0-1\n";
    assert_eq!(with_input(&["pgn", "-"], mate).0, 1);
    assert!(fail(&["pgn", "none.pgn"]).starts_with("none.pgn: "));
}

#[test]
fn pgn_errors_are_listed_up_to_a_limit() {
    let broken = "[Variant \"gardner\"]\n[Site X]\n\n1. a3 (1. Qh9) } bxa3 2. Qh9 {open\n\n";
    let (status, out, error) = with_input(&["pgn", "-"], format!("{broken}{GAMES}"));
    assert!(status == 1 && out.starts_with("games: 3\n") && out.ends_with("errors: 1\n"), "{out}");
    let places = ["2, column 7", "4, column 11", "4, column 16", "4, column 26", "4, column 30"];
    let lines: Vec<&str> = error.lines().collect();
    assert_eq!(lines.len(), places.len() + 1, "{error}");
    for (line, place) in lines.iter().zip(places) {
        assert!(line.starts_with(&format!("error: -: game 1, line {place}: ")), "{error}");
    }
    let giant = format!("[Variant \"gardner\"]\n\n1. a3 {}*\n\n", "& ".repeat(150)).repeat(12);
    let (_, out, error) = with_input(&["pgn", "-", "--json"], giant);
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (report["errors"].as_array().map(Vec::len), &report["moreErrors"]),
        (Some(1_000), &800.into())
    );
    let end = ["error: and 800 more", "error: 12 of 12 games are not valid"];
    assert_eq!(error.lines().skip(1_000).collect::<Vec<_>>(), end);
}

#[test]
fn games_are_converted() {
    let convert = |more: &[&str]| {
        let (status, out, error) = with_input(&[&["pgn", "-"], more].concat(), GAMES);
        assert_eq!((status, error.as_str()), (0, ""), "{more:?}");
        out
    };
    let pgn = convert(&["--output", "-"]);
    assert_eq!(pgn.matches("[Variant \"Gardner Minichess\"]").count(), 2);
    assert!(pgn.contains("1. a3 {calm} 1... bxa3 2. bxa3 *") && pgn.contains("[SetUp \"1\"]"), "{pgn}");
    let uci = convert(&["--format", "uci"]);
    assert!(
        uci.starts_with("position fen rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1 moves a2a3 b4a3 b2a3\n"),
        "{uci}"
    );
    assert_eq!(convert(&["--format", "fen"]).lines().count(), 6);
    assert_eq!(convert(&["--ply", "2"]).lines().count(), 1);
    let json: Vec<serde_json::Value> =
        convert(&["--format", "json"]).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((json.len(), &json[0]["moves"][1]["uci"]), (2, &"b4a3".into()));
}
