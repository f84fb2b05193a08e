//! The commands as people and programs run them: output, exit status, and what is printed on errors.

use crate::programs::{command, fail, game, json, run, succeed, usage_error, with_input};
use assert_cmd::Command;
use std::io::Read;
use std::process::Stdio;

#[test]
fn perft_prints_like_stockfish() {
    assert_eq!(succeed(&["perft", "diamond", "3"]), "\nNodes searched: 608\n");
    assert_eq!(succeed(&["perft", "diagonal", "0", "--divide"]), "\nNodes searched: 1\n");
    assert_eq!(
        succeed(&["perft", "diamond", "2", "--divide"]),
        "c3c4: 8\nd3d4: 8\ne2d4: 8\ne2f4: 8\ne4d4: 8\ne4f4: 8\nf3f4: 8\ng3g4: 8\n\nNodes searched: 64\n"
    );
}

#[test]
fn perft_is_the_same_for_any_number_of_threads() {
    let one = succeed(&["perft", "doublediamond", "3", "--divide"]);
    assert!(one.ends_with("\nNodes searched: 16993\n"));
    for threads in ["2", "3", "500"] {
        assert_eq!(succeed(&["perft", "doublediamond", "3", "--divide", "--threads", threads]), one);
    }
}

#[test]
fn perft_takes_a_position_and_a_file() {
    let fen = "k4/1Q3/2K2/5/5 b - - 0 1";
    assert_eq!(succeed(&["perft", "gardner", "1", "--fen", fen]), "\nNodes searched: 0\n");
    assert_eq!(succeed(&["perft", &game("variants/diamond.toml"), "2"]), "\nNodes searched: 64\n");
}

#[test]
fn moves_are_sorted_and_the_status_follows() {
    assert_eq!(
        succeed(&["moves", "diamond"]),
        "c3c4\nd3d4\ne2d4\ne2f4\ne4d4\ne4f4\nf3f4\ng3g4\nstatus: ongoing\n"
    );
    for (variant, fen, expected) in [
        ("gardner", "k4/1Q3/2K2/5/5 b - - 0 1", "status: checkmate\n"),
        ("gardner", "k4/2Q2/2K2/5/5 b - - 0 1", "status: stalemate\n"),
        ("gardner", "k4/5/2K2/5/5 b - - 0 1", "a5a4\na5b5\nstatus: dead\n"),
        ("gardner", "k3R/5/5/5/K4 b - - 0 1", "a5a4\na5b4\nstatus: check\n"),
        ("diagonal", "7P/k7/8/8/8/8/8/K7 b - - 0 1", "status: goal\n"),
    ] {
        assert_eq!(succeed(&["moves", variant, "--fen", fen]), expected, "{fen}");
    }
}

/// Options stand before or after the FEN, which is one argument or one for each of its fields.
#[test]
fn tables_are_probed_with_options_anywhere() {
    let fen = "****k****/***3***/**5**/*7*/4*4/*7*/**1A3**/***3***/****K**** w - - 0 1";
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    let probe = ["tables", "probe", "diamond"];
    assert_eq!(succeed(&[&probe[..], &["--tables", folder, fen]].concat()), "win 23\n");
    let moves = succeed(&[&probe[..], &[fen, "--moves", "--tables", folder]].concat());
    assert!(moves.starts_with("win 23\n") && moves.lines().any(|line| line == "d3c4 win 23"), "{moves}");
    let fields: Vec<&str> = fen.split(' ').collect();
    assert_eq!(succeed(&[&probe[..], &fields, &["--tables", folder]].concat()), "win 23\n");
}

#[test]
fn games_of_four_have_moves_places_and_counts() {
    assert_eq!(succeed(&["perft", "diamondring-four", "3"]), "\nNodes searched: 17732\n");
    let divided = succeed(&["perft", "diamondring-teams", "2", "--divide", "--threads", "2"]);
    assert!(divided.starts_with("c1b1: ") && divided.ends_with("\n\nNodes searched: 679\n"), "{divided}");
    assert_eq!(succeed(&["perft", "diamondring-four", "0"]), "\nNodes searched: 1\n");
    assert!(succeed(&["moves", "diamondring-four"]).ends_with("j1k1\nstatus: ongoing\n"));
    let empty = "12/12/12/12/12/12/12/12/12/12";
    for (variant, fen, expected) in [
        ("diamondring-four", "12/rK11 r - - 7 9 r/gby", "status: decided\nplaces: 1 3 2 4\n"),
        ("diamondring-teams", "5gK6/rK10yK r - - 7 9 ryg/b", "status: decided\n"),
        (
            "diamondring-four",
            "12/rK10yK y - - 7 9 ry/gb",
            "l1k1\nl1k2\nl1l2\nstatus: dead\nplaces: 1 3 1 4\n",
        ),
    ] {
        assert_eq!(succeed(&["moves", variant, "--fen", &format!("{empty}/{fen}")]), expected, "{fen}");
    }
    let json =
        json(&["moves", "diamondring-four", "--json", "--fen", &format!("{empty}/12/rK11 r - - 7 9 r/gby")]);
    assert_eq!(json["places"], serde_json::json!([1, 3, 2, 4]));
    let printed = fail(&["moves", "diamondring-four", "--fen", &format!("{empty}/12/rK11 b - - x 9 rbyg/")]);
    assert!(
        printed.contains("halfmove clock") && printed.contains("no `/` while no player is out"),
        "{printed}"
    );
}

#[test]
fn games_of_four_are_refused_where_two_play() {
    let refused = "expected a game of two players, found one of four";
    let file = game("variants/family/diamondring-four.toml");
    assert!(succeed(&["variants", "check", &file]).contains("(12x12, 144 squares, 8 pieces, 4 players)"));
    assert!(succeed(&["variants", "show", &file]).contains("Everyone plays alone"));
    for variant in ["diamondring-four", &file] {
        let printed = fail(&["variants", "export", variant]);
        assert!(printed.ends_with(refused), "{printed}");
        assert!(usage_error(&["lab", "report", variant, "--level", "3"]).contains(refused));
    }
}

#[test]
fn reports_on_games_of_four_are_by_seat() {
    let game = ["lab", "report", "diamondring-teams", "--games", "2", "--nodes", "10", "--threads", "1"];
    let printed = succeed(&game);
    assert!(printed.contains("Games won") && printed.contains("Yellow"), "{printed}");
    let json: serde_json::Value = serde_json::from_str(&succeed(&[&game[..], &["--json"]].concat())).unwrap();
    assert_eq!((&json["teams"], &json["plan"]["games"]), (&true.into(), &2.into()));
    assert!(json["seats"]["green"]["first"]["value"].is_f64(), "{json}");
    assert!(
        usage_error(&[&game[..], &["-o", "x.html"]].concat())
            .contains("ends in `.json` for a game of 4 players")
    );
}

#[test]
fn position_errors_are_printed_on_one_line() {
    let fen = "k3P/5/KK3/5/R4 w - - 0 1";
    let printed = fail(&["moves", "gardner", "--fen", fen]);
    assert!(
        printed.contains("exactly one king of White, found 2; expected no P of White on e5"),
        "{printed}"
    );
    let nowhere = fail(&["moves", "gardner", "--fen", "k5/5/5/5/4K z - - 0 0"]);
    let columns: Vec<_> = nowhere.match_indices("column ").collect();
    assert!(columns.len() == 3 && nowhere.contains("; column 13: expected the side to move"), "{nowhere}");
    assert!(fail(&["perft", "gardner", "1", "--fen", "nonsense"]).starts_with("FEN, column"));
    assert!(fail(&["perft", "gardner", "1", "--fen", "-"]).starts_with("FEN, column"));
    assert!(fail(&["perft", "gardner", "1", "--fen", ""]).starts_with("FEN, column"));
}

#[test]
fn an_unknown_variant_names_the_nearest() {
    assert_eq!(fail(&["moves", "dimond"]), "unknown variant `dimond`: did you mean `diamond`?");
    assert!(fail(&["moves", "backgammon"]).contains("expected one of diagonal, diamondback, diamond,"));
    assert!(fail(&["variants", "show", "diagnal"]).contains("`diagonal`"));
    assert!(fail(&["moves", "diamondring-fuor"]).contains("`diamondring-four`"));
    assert!(fail(&["moves", "backgammon"]).contains("diamondring-teams"));
    assert!(fail(&["play", "diagnal"]).contains("`diagonal`"));
    assert!(fail(&["render", "diagnal", "-o", "x.svg"]).contains("`diagonal`"));
    assert!(fail(&["moves", "dia\nmond"]).contains("`diamond`"));
    assert!(
        fail(&["moves", "back\u{1b}gam\r\nmon"]).starts_with(r"unknown variant `back\u{1b}gam\r\nmon`: ")
    );
    assert!(fail(&["moves", ""]).contains("unknown variant ``"));
}

#[test]
fn usage_errors_exit_with_2_and_failures_with_1() {
    for arguments in [
        &["perft"][..],
        &["perft", "diamond"],
        &["perft", "diamond", "deep"],
        &["perft", "diamond", "-1"],
        &["perft", "diamond", "1000"],
        &["perft", "diamond", "1", "--threads", "0"],
        &["perft", "diamond", "1", "--quickly"],
        &["moves"],
        &["variants"],
        &["variants", "new", "My Game"],
        &["bench", "--depth", "0"],
        &["dance"],
        &["render", "diamond"],
    ] {
        assert!(
            usage_error(arguments).contains("Usage:") || usage_error(arguments).contains("--help"),
            "{arguments:?}"
        );
    }
    for (arguments, expected) in [
        (&["match", "plain", "random"][..], "expected a limit"),
        (&["match", "plain", "random", "--nodes", "10", "--sprt", "5", "0"], "--sprt"),
        (&["match", "plain", "random", "--nodes", "10", "--game", "diamond", "--game", "diamond"], "twice"),
        (&["play", "diamondback", "--start", "4"], "from 0 to 3"),
        (&["render", "diamond", "-o", "x.gif"], "`.svg` or `.png`"),
        (&["render", "diamond", "-o", "x"], "`.svg` or `.png`"),
        (&["render", "diamond", "-o", "x.svg", "--last-move", "e9"], "two squares"),
    ] {
        assert!(usage_error(arguments).contains(expected), "{arguments:?}");
    }
    assert!(succeed(&["--help"]).contains("perft"));
    assert!(succeed(&["perft", "--help"]).contains("--divide"));
    assert_eq!(succeed(&["--version"]), concat!("lozenge ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn variants_are_listed_and_explained() {
    let list = succeed(&["variants", "list"]);
    let ids: Vec<&str> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(ids[..5], ["diagonal", "diamondback", "diamond", "doublediamond", "diamondring"]);
    for id in ids {
        assert!(succeed(&["variants", "show", id]).contains("squares"), "{id}");
    }
}

#[test]
fn template_is_a_valid_variant() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("my-game.toml");
    std::fs::write(&file, succeed(&["variants", "new", "my-game"])).unwrap();
    let file = file.to_str().unwrap();
    let expected = format!("{file}: ok, My game (6x6, 36 squares, 5 pieces)\n");
    assert_eq!(succeed(&["variants", "check", file]), expected);
    assert!(succeed(&["variants", "new"]).contains("id = \"mygame\""));
    assert!(succeed(&["moves", file]).ends_with("status: ongoing\n"));
}

#[test]
fn every_fault_is_reported_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ten.toml");
    let text = succeed(&["variants", "new", "ten"])
        .replace("id = \"ten\" ", "id = \"Ten!\" ")
        .replace("symmetry = \"mirror-ranks\"", "symmetry = \"none\"")
        .replace("pawn = true ", "pawn = \"yes\" ")
        .replace("moves = \"R\"", "moves = \"R!\"")
        .replace("moves = \"N\"", "moves = 5")
        .replace("author = \"\"", "auhtor = \"\"")
        .replace("source = \"\"", "source = 1")
        .replace("pieces = \"P\"", "pieces = \"X\"")
        .replace("on = \"rank-6\"", "on = \"rank-9\"")
        .replace("to = \"RBN\"", "to = \"Q\"")
        .replace("dead = [\"K v K\"]", "dead = [\"K v Z\"]");
    std::fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    let (status, out, error) = run(&["variants", "check", file]);
    assert_eq!((status, out.as_str()), (1, ""));
    let faults: Vec<&str> = error.lines().collect();
    assert!(faults.len() >= 10, "{error}");
    for fault in &faults {
        let place = fault.strip_prefix(file).and_then(|rest| rest.strip_prefix(':')).unwrap();
        let mut numbers = place.split(':').map(|part| part.trim().parse::<u32>());
        assert!(numbers.next().unwrap().is_ok() && numbers.next().unwrap().is_ok(), "{fault}");
        assert!(fault.contains("expected"), "{fault}");
    }
    // Other commands print the first fault and the number of further ones.
    let printed = fail(&["moves", file]);
    assert!(printed.starts_with(faults[0]) && printed.ends_with("more faults)"), "{printed}");
}

#[test]
fn unreadable_variant_files_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("binary.toml"), b"id = \"\xff\xfe\0\"").unwrap();
    std::fs::write(path("large.toml"), vec![b'#'; 300 << 10]).unwrap();
    std::fs::write(path("empty.toml"), b"").unwrap();
    for command in [&["variants", "check"][..], &["moves"], &["variants", "show"]] {
        let printed = |file: &str| fail(&[command, &[file]].concat());
        assert!(printed(&path("missing.toml")).starts_with(&path("missing.toml")));
        assert!(printed(&path("")).contains("expected a file, found a folder"));
        assert!(
            printed(&path("binary.toml")).contains("expected UTF-8 text, found something else at byte 7")
        );
        assert!(printed(&path("large.toml")).contains("expected at most 262144 bytes, found 307200"));
    }
    assert!(fail(&["moves", &path("empty.toml")]).contains("more faults)"));
    if cfg!(target_os = "linux") {
        assert!(fail(&["moves", "/dev/zero"]).contains("expected a file, found a device or pipe"));
    }
}

#[test]
fn a_game_extends_built_in_ones_and_its_neighbors() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let write = |name: &str, text: &str| std::fs::write(path(name), text).unwrap();
    write("base.toml", "extends = \"diamond\"\nid = \"base\"\nname = \"Base\"\n");
    write("leaf.toml", "extends = \"base\"\nid = \"leaf\"\nname = \"Leaf\"\n");
    write("out.toml", "extends = \"../base\"\nid = \"out\"\nname = \"Out\"\n");
    assert_eq!(succeed(&["perft", &path("leaf.toml"), "2"]), "\nNodes searched: 64\n");
    let (status, _, printed) = run(&["variants", "check", &path("out.toml")]);
    assert_eq!(status, 1);
    assert!(
        printed.contains("out.toml:1:12: expected the id of a built-in game, or of a file `../base.toml`"),
        "{printed}"
    );
    // Faults are reported in the file itself, even if the cause is in a game that it extends.
    write("circle.toml", "extends = \"circle\"\nid = \"circle\"\nname = \"Circle\"\n");
    let (_, _, printed) = run(&["variants", "check", &path("circle.toml")]);
    assert!(printed.contains("circle.toml:1:12: expected a game that does not extend this one"), "{printed}");
    write("kingless.toml", "extends = \"diamond\"\nid = \"kingless\"\n[roles]\nK = false\n");
    let (_, _, printed) = run(&["variants", "check", &path("kingless.toml")]);
    assert!(
        printed.contains("kingless.toml:1:12: ") && printed.contains("(inherited from diamond.toml:"),
        "{printed}"
    );
    // A file without `/` and `.` in its name, in the folder where the program runs.
    std::fs::copy(path("leaf.toml"), path("leaf")).unwrap();
    let ran = command(&["perft", "leaf", "2"]).current_dir(folder.path()).output().unwrap();
    assert_eq!(ran.stdout, b"\nNodes searched: 64\n");
}

#[test]
fn bench_prints_its_signature() {
    let out = succeed(&["bench", "--depth", "1"]);
    let line = |start: &str| out.lines().find_map(|line| line.strip_prefix(start)).map(str::parse::<u64>);
    assert!(line("Nodes searched: ").unwrap().unwrap() > 0);
    assert!(line("Nodes/second: ").unwrap().is_ok());
}

#[test]
fn engine_speaks_uci_under_both_names() {
    let script = "uci\nsetoption name UCI_Variant value diamond\ngo perft 2\ngo depth 1\nquit\n";
    let mut program = Command::new(env!("CARGO_BIN_EXE_lozenge-engine"));
    for program in [&mut command(&["engine"]), &mut program] {
        let output = program.write_stdin(script).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(0));
        assert!(text.contains("\nuciok\n") && text.contains("\n\nNodes searched: 64\n"), "{text}");
        assert!(text.lines().last().unwrap().starts_with("bestmove "), "{text}");
    }
}

#[test]
fn engine_exits_at_end_of_input() {
    let output = command(&["engine"]).write_stdin("isready").output().unwrap();
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), &b"readyok\n"[..]));
}

#[test]
fn the_engine_loads_a_file_with_its_neighbors() {
    let folder = tempfile::tempdir().unwrap();
    let leaf = folder.path().join("a leaf.toml");
    std::fs::write(
        folder.path().join("base.toml"),
        "extends = \"diamond\"\nid = \"base\"\nname = \"Base\"\n",
    )
    .unwrap();
    std::fs::write(&leaf, "extends = \"base\"\nid = \"leaf\"\nname = \"Leaf\"\n").unwrap();
    let script = format!(
        "setoption name VariantPath value {}\nsetoption name UCI_Variant value leaf\n",
        leaf.display()
    );
    let output = command(&["engine"]).write_stdin(script).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("info string variant leaf files 9 ranks 9 "), "{text}");
}

#[test]
fn closed_output_pipe_ends_the_command_quietly() {
    for arguments in [
        &["perft", "diamondring", "2", "--divide"][..],
        &["moves", "diamond"],
        &["variants", "list"],
        &["variants", "new"],
        &["bench", "--depth", "1"],
        &["engine"],
    ] {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_lozenge"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The reader is gone before the first line is written.
        drop(child.stdout.take());
        let input = child.stdin.take();
        if let Some(mut input) = input.as_ref() {
            let _ = std::io::Write::write_all(&mut input, b"uci\nisready\n");
        }
        let status = child.wait().unwrap();
        drop(input);
        let mut printed = String::new();
        child.stderr.take().unwrap().read_to_string(&mut printed).unwrap();
        assert_eq!((status.code(), printed.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

/// The folder is named as it was given, and no file that only the program knows of.
#[test]
fn missing_output_folder_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let named = |path: &str| folder.path().join(path).to_str().unwrap().to_owned();
    let printed = |path: &str| fail(&["render", "diamond", "-o", &named(path)]).replace(&named(""), "");
    let missing = printed("none/x.svg");
    assert!(missing.starts_with("none: ") && !missing.contains(".tmp"), "{missing}");
    std::fs::write(named("file"), "").unwrap();
    let inside = printed("file/x.svg");
    assert!(inside.starts_with("file/x.svg: ") && !inside.contains(".tmp"), "{inside}");
}

#[test]
fn a_full_disk_is_a_failure() {
    if let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_lozenge"));
        let output = command.args(["moves", "diamond"]).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(String::from_utf8(output.stderr).unwrap().starts_with("error: standard output: "));
        // The device is written to and not replaced by a picture.
        assert!(
            fail(&["render", "diamond", "--format", "svg", "-o", "/dev/full"]).starts_with("/dev/full: ")
        );
        assert!(!std::fs::metadata("/dev/full").unwrap().is_file());
    }
}

#[test]
fn a_picture_goes_to_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    let render = |arguments: &[&str]| {
        let all = [&["render", "diamond", "-o", "-"], arguments].concat();
        command(&all).current_dir(folder.path()).output().unwrap().stdout
    };
    assert!(render(&[]).starts_with(b"<svg"));
    assert!(render(&["--format", "png"]).starts_with(b"\x89PNG"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "no file named `-`");
    // Of four players, Green is out.
    let fen = "bK11/12/12/12/12/6yK5/12/12/12/12/12/4dR2rK4 r - - 0 1 rby/g";
    let four = succeed(&["render", "diamondring-four", "--fen", fen, "--last-move", "h2h1", "-o", "-"]);
    for army in [" Red: ", " Blue: ", " Yellow: ", " Dead: "] {
        assert!(four.contains(army), "{army} in {four}");
    }
}

#[test]
fn variant_files_are_read_from_standard_input() {
    let template = succeed(&["variants", "new", "piped"]);
    let (status, out, _) = with_input(&["variants", "check", "-"], template.as_str());
    assert_eq!((status, out.as_str()), (0, "-: ok, Piped (6x6, 36 squares, 5 pieces)\n"));
    let broken = template.replace("symmetry = \"mirror-ranks\"", "symmetry = \"none\"");
    let (status, _, error) = with_input(&["variants", "check", "-"], broken);
    assert!(status == 1 && error.starts_with("<stdin>:"), "{error}");
    let (status, out, _) = with_input(&["perft", "-", "1"], template.as_str());
    assert!(status == 0 && out.starts_with("\nNodes searched: "), "{out}");
    let (status, _, error) = with_input(&["moves", "-"], vec![b'#'; 300 << 10]);
    assert!(status == 1 && error.contains("<stdin>: expected at most 262144 bytes"), "{error}");
}

#[test]
fn several_variant_files_are_checked_at_once() {
    let [diamond, chess] = ["variants/diamond.toml", "variants/examples/chess.toml"].map(game);
    assert_eq!(succeed(&["variants", "check", &diamond, &chess]).lines().count(), 2);
    let missing = game("variants/missing.toml");
    let (status, out, error) = run(&["variants", "check", &diamond, &missing, &chess]);
    assert_eq!((status, out.lines().count(), error.lines().count()), (1, 2, 1), "{error}");
    assert!(error.starts_with(&missing), "{error}");
}

#[test]
fn duplicate_variant_id_is_a_fault() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.toml");
    std::fs::write(&file, succeed(&["variants", "new", "mine"]).replace("id = \"mine\"", "id = \"diamond\""))
        .unwrap();
    let file = file.to_str().unwrap();
    let (status, out, error) = run(&["variants", "check", file]);
    assert_eq!((status, out.as_str()), (1, ""));
    let text = std::fs::read_to_string(file).unwrap();
    let line = text.lines().position(|line| line.starts_with("id = ")).unwrap() + 1;
    assert_eq!(
        error,
        format!("{file}:{line}:6: expected an id of its own, found `diamond`, which is a built-in game\n")
    );
    // The engine prints the same.
    let script = format!("setoption name VariantPath value {file}\n");
    let (_, out, _) = with_input(&["engine"], script);
    assert!(out.contains("expected an id of its own, found `diamond`"), "{out}");
    assert!(usage_error(&["variants", "new", "chess"]).contains("which is a built-in game"));
    // The built-in file itself is fine.
    succeed(&["variants", "check", &game("variants/diamond.toml")]);
}

#[test]
fn number_errors_name_the_expected_value() {
    for arguments in [
        &["perft", "diamond", "deep"][..],
        &["perft", "diamond", "2", "--threads", "many"],
        &["play", "diamond", "--start", "x"],
        &["moves", "diamondback", "--start", "x"],
        &["match", "plain", "random", "--nodes", "x"],
        &["match", "plain", "random", "--nodes", "9", "--seed", "x"],
        &["match", "plain", "random", "--nodes", "9", "--games", "x"],
        &["lab", "data", "--game", "diamond", "--games", "x", "--output", "y"],
        &["users", "list", "--limit", "x"],
        &["reports", "--limit", "x"],
        &["render", "diamond", "-o", "x.svg", "--size", "x"],
    ] {
        let error = usage_error(arguments);
        assert!(error.contains("expected a") && !error.contains("invalid digit"), "{error}");
    }
}

#[test]
fn messages_count_one_rank_and_one_start() {
    let one_rank = fail(&["moves", "gardner", "--fen", "k4 w - - 0 1"]);
    assert!(one_rank.contains("expected 5 ranks, found 1 rank"), "{one_rank}");
    assert!(!one_rank.contains("1 ranks"), "{one_rank}");
    let folder = tempfile::tempdir().unwrap();
    let flat = folder.path().join("flat.toml");
    let game = "id = \"flat\"\nname = \"Flat\"\nstart = \"kK/.. w - - 0 1\"\n[board]\nsquares = \"\"\"\n....\n\"\"\"\n\
                [roles.K]\nname = \"King\"\nroyal = true\nmoves = \"K\"\n";
    std::fs::write(&flat, game).unwrap();
    let (_, _, faults) = run(&["variants", "check", flat.to_str().unwrap()]);
    assert!(faults.contains("expected 1 rank, found 2 ranks"), "{faults}");
    let no_start = usage_error(&["moves", "chess", "--start", "2"]);
    assert!(no_start.contains("expected 0, the only starting position, found 2"), "{no_start}");
}

#[test]
fn every_command_about_a_position_takes_a_start() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("x.svg");
    let starts: Vec<String> = (0..4)
        .map(|number| succeed(&["moves", "diamondback", "--start", &number.to_string(), "--json"]))
        .collect();
    assert_eq!(starts.iter().collect::<std::collections::HashSet<_>>().len(), 4);
    for command in [
        &["moves", "diamondback"][..],
        &["perft", "diamondback", "1"],
        &["render", "diamondback", "-o", picture.to_str().unwrap()],
    ] {
        succeed(&[command, &["--start", "3"]].concat());
        assert!(usage_error(&[command, &["--start", "4"]].concat()).contains("from 0 to 3, found 4"));
        assert!(
            usage_error(&[command, &["--start", "0", "--fen", "x"]].concat()).contains("cannot be used with")
        );
    }
}

#[test]
fn commands_print_json() {
    let moves = json(&["moves", "diagonal", "--json", "--fen", "8/6P1/8/8/3k4/8/8/K7 w - - 0 1"]);
    let arrive = serde_json::json!({ "uci": "g7h8", "san": "h8#" });
    assert!(moves["moves"].as_array().unwrap().contains(&arrive), "{moves}");
    assert_eq!((&moves["variant"], &moves["status"]), (&"diagonal".into(), &"ongoing".into()));
    let perft = json(&["perft", "diamond", "2", "--divide", "--json"]);
    assert_eq!((&perft["nodes"], &perft["divide"]["c3c4"]), (&64.into(), &8.into()));
    assert!(json(&["perft", "diamond", "2", "--json"]).get("divide").is_none());
    let list = json(&["variants", "list", "--json"]);
    assert_eq!((&list[0]["id"], &list[2]["squares"]), (&"diagonal".into(), &40.into()));
    let show = json(&["variants", "show", "diamond", "--json"]);
    assert!(show["text"].as_str().unwrap().contains("squares") && show["starts"][0].is_string(), "{show}");
    let good_file = game("variants/diamond.toml");
    let bad_file = game("testdata/protocol/games/broken.toml");
    assert_eq!(json(&["variants", "check", &good_file, "--json"])[0]["valid"], true);
    let (status, out, error) = run(&["variants", "check", "--json", &good_file, &bad_file]);
    assert_eq!((status, error.lines().count()), (1, 1), "{error}");
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    let fault = &report[1]["faults"][0];
    assert!(
        report[1]["valid"] == false && fault["line"].is_u64() && fault["message"].is_string(),
        "{report}"
    );
}

#[test]
fn completions_and_man_pages_are_generated() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(succeed(&["completions", shell]).contains("lozenge"), "{shell}");
    }
    assert!(usage_error(&["completions", "cobol"]).contains("bash"));
    assert!(succeed(&["man"]).contains(".SH SYNOPSIS"));
    assert!(succeed(&["man", "variants", "check"]).contains("standard input"));
    assert!(usage_error(&["man", "dance"]).contains("found `dance`"));
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man1");
    succeed(&["man", "--output", pages.to_str().unwrap()]);
    assert!(pages.join("lozenge-perft.1").exists());
}
