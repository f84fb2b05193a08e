//! `lozenge lab`: from a game to data to weights, as people run it.

use assert_cmd::Command;

/// Exit status, standard output, standard error.
fn run(arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lozenge"));
    let output = command.args(arguments).timeout(std::time::Duration::from_secs(120)).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn weights_are_tuned_from_self_play() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (data, weights) = (path("data"), path("weights.toml"));
    let settings = ["--games", "12", "--nodes", "60", "--plies", "4", "--output", &data];
    let play = |game: &str| run(&[&["lab", "data", "--game", game][..], &settings].concat());
    let (status, out, error) = play("gardner");
    assert_eq!((status, error.as_str()), (0, ""));
    assert!(out.ends_with("12 of 12 games\n"), "{out}");
    let (status, out, error) = run(&["lab", "show", &data]);
    assert_eq!((status, error.as_str()), (0, ""));
    assert!(out.starts_with("# lozenge games game=gardner ") && out.contains("\ngames       12: "), "{out}");
    let (status, out, _) = run(&["lab", "show", &data, "--positions"]);
    assert_eq!((status, out.lines().next().map(|line| line.split(';').count())), (0, Some(3)), "{out}");
    let tune = |game: &str| {
        run(&["lab", "tune", "--game", game, "--data", &data, "--epochs", "2", "--output", &weights])
    };
    let (status, out, error) = tune("gardner");
    assert_eq!((status, error.as_str()), (0, ""));
    assert!(out.contains("loss after:"), "{out}");
    assert!(std::fs::read_to_string(&weights).unwrap().contains("[weights]"));
    // Data of one game are not taken for another.
    for (status, out, error) in [play("diamond"), tune("diamond")] {
        assert_eq!((status, out.as_str()), (1, ""));
        assert!(error.contains("expected `# lozenge games game=diamond"), "{error}");
        assert_eq!(error.lines().count(), 1);
    }
}

#[test]
fn search_is_tuned_by_games() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("search.json").to_str().unwrap().to_owned();
    let spsa = ["lab", "spsa", "--game", "gardner", "--nodes", "40", "--iterations", "3", "--output", &file];
    let (status, out, error) = run(&[&spsa[..], &["--tunable", "futility"]].concat());
    assert_eq!((status, error.as_str()), (0, ""));
    assert!(out.contains("| futility | 110 | ") && out.contains("\n3 pairs, points "), "{out}");
    assert!(std::fs::read_to_string(&file).unwrap().contains("\"iteration\": 3"));
    // Another run does not overwrite it, and unknown numbers are named.
    for (name, expected) in [("delta", "expected `[{"), ("fulity", "found `fulity`")] {
        let (status, out, error) = run(&[&spsa[..], &["--tunable", name]].concat());
        assert_eq!((status, out.as_str()), (1, ""));
        assert!(error.contains(expected) && error.lines().count() == 1, "{error}");
    }
}

#[test]
fn wdl_model_is_fitted_to_match_records() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (record, model) = (path("record"), path("wdl.toml"));
    let engines = ["match", "this", "this name=Other", "--game", "gardner", "--record", &record];
    let (status, _, error) =
        run(&[&engines[..], &["--games", "12", "--nodes", "60", "--max-plies", "60"]].concat());
    assert_eq!(status, 0, "{error}");
    let (status, out, error) = run(&["lab", "wdl", "--record", &record, "--output", &model]);
    assert_eq!((status, error.as_str()), (0, ""));
    assert!(out.contains("| gardner | 12 |") && out.contains("| all | 12 |"), "{out}");
    let text = std::fs::read_to_string(&model).unwrap();
    assert!(text.contains("[games.gardner]\nrules = "), "{text}");
    let (status, out, error) = run(&["lab", "reliability", "--record", &record]);
    assert_eq!((status, error.as_str()), (0, ""));
    assert!(
        out.starts_with("gardner, 12 games:\n\n| expected, % | opening | middlegame | endgame |\n"),
        "{out}"
    );
    assert_eq!(out.lines().filter(|line| line.contains(" to ")).count(), 10, "{out}");
    // A file that is not a match record is refused.
    let (status, out, error) = run(&["lab", "wdl", "--record", &model, "--output", &path("other")]);
    assert_eq!((status, out.as_str(), error.lines().count()), (1, "", 1));
    assert!(error.contains("expected the record of a match"), "{error}");
}

#[test]
fn report_is_written_as_html_and_json() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("report.html").to_str().unwrap().to_owned();
    let plan = ["lab", "report", "gardner", "--games", "4", "--nodes", "40", "--threads", "1"];
    let (status, out, error) = run(&[&plan[..], &["--output", &page]].concat());
    assert_eq!((status, error.as_str()), (0, ""));
    assert!(out.starts_with("Gardner Minichess: 4 games, 40 nodes a move\nWhite's score "), "{out}");
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(html.starts_with("<!doctype html>") && html.contains("Gardner Minichess"));
    assert!(!std::fs::exists(format!("{page}.partial")).unwrap());
    let (status, json, _) = run(&[&plan[..], &["--json"]].concat());
    assert_eq!(status, 0);
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(report["games"][0], 4);
    assert_eq!(report["numbers"][0]["key"], "white-score");
    // Whether the report can be written is found out before the games.
    std::fs::create_dir(folder.path().join("folder.html")).unwrap();
    for name in ["folder.html", "none/report.json"] {
        let path = folder.path().join(name).to_str().unwrap().to_owned();
        let (status, _, error) = run(&[&plan[..], &["--output", &page, "--output", &path]].concat());
        assert!(status == 1 && error.contains(name), "{error}");
        assert!(!folder.path().join("report.html.partial").exists());
    }
    let (status, _, error) = run(&[&plan[..], &["--output", "report.txt"]].concat());
    assert_eq!(status, 2);
    assert!(error.contains("expected a file that ends in `.html` or `.json`"), "{error}");
    let (status, ..) = run(&[&plan[..], &["--resume"]].concat());
    assert_eq!(status, 2, "nothing to go on with");
}
