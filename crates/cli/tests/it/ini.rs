//! `lozenge variants import` and `export`, as people run them.

use assert_cmd::Command;

/// Exit status, standard output, standard error.
fn run(arguments: &[&str], input: &str) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lozenge"));
    let output = command.args(arguments).write_stdin(input).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn sections_are_imported_and_variants_exported() {
    let ini = "[one:chess]\n[two:capablanca]\npieceDrops = true\n";
    let (status, file, error) = run(&["variants", "import", "-", "--name", "two"], ini);
    assert_eq!(
        (status, error.as_str()),
        (0, "<stdin>: not translated: line 3: `pieceDrops`: pieces are never dropped\n")
    );
    let (status, out, error) = run(&["variants", "check", "-"], &file);
    assert_eq!((status, error.as_str()), (0, ""));
    assert!(out.contains("10x8, 80 squares"), "{out}");
    let (status, section, error) = run(&["variants", "export", "-"], &file);
    assert_eq!((status, error.as_str()), (0, ""));
    assert!(section.contains("[two]\nmaxFile = 10\nmaxRank = 8\n"), "{section}");
    assert_eq!(run(&["variants", "import", "-"], &section).0, 0);
    let (status, file, error) = run(&["variants", "import", "-"], "[gardner:chess]\n");
    assert_eq!(
        (status, error.as_str()),
        (0, "<stdin>: `gardner` is a built-in game; this one gets the id `gardner-2`\n")
    );
    assert_eq!(run(&["variants", "check", "-"], &file).0, 0);
    let (status, out, error) = run(&["variants", "export", "diamondring"], "");
    assert_eq!(status, 0);
    assert!(error.contains("diamondring: not translated: `wrap`: "), "{error}");
    assert!(out.starts_with("# Diamond Ring Chess\n[diamondring]\n"), "{out}");
}

#[test]
fn invalid_sections_are_refused_in_one_line() {
    for (arguments, input, part) in [
        (&["variants", "import", "-"][..], "[one:chess]\n[two:chess]\n", "expected a name after --name"),
        (&["variants", "import", "-", "--name", "three"], "[one:chess]\n", "`three`"),
        (&["variants", "import", "-", "--name", "onne"], "[one:chess]\n[two:chess]\n", "did you mean `one`?"),
        (&["variants", "import", "-"], "king = k\n", "<stdin>: line 1: expected `[name]`"),
        (&["variants", "import", "nowhere.ini"], "", "nowhere.ini: "),
        (&["variants", "import", "-"], "[one:chess]\nking = -\n", "a game without one"),
        (&["variants", "export", "nowhere"], "", "nowhere"),
    ] {
        let (status, out, error) = run(arguments, input);
        assert_eq!((status, out.as_str(), error.lines().count()), (1, "", 1), "{error}");
        assert!(error.starts_with("error: ") && error.contains(part), "{error}");
    }
}

#[test]
fn the_engine_loads_the_sections_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.INI");
    let text = "[plain:chess]\ncastling = false\n[My_Drops:chess]\npieceDrops = true\nmustCapture = true\n\
                [gardner:chess]\n[stones]\npawn = p\n[my-drops:chess]\n";
    std::fs::write(&file, text).unwrap();
    let path = file.display();
    let script = format!(
        "setoption name VariantPath value {path}\nsetoption name UCI_Variant value plain\nposition startpos\ngo perft 1\n\
         setoption name UCI_Variant value my-drops\nuci\n"
    );
    let (status, out, _) = run(&["engine"], &script);
    assert_eq!(status, 0);
    for line in [
        "[My_Drops]: `My_Drops` is no id; this one gets the id `my-drops`",
        "[My_Drops]: not translated: line 4: `pieceDrops`: pieces are never dropped; line 5: `mustCapture`: captures are never forced",
        "[gardner]: `gardner` is a built-in game; this one gets the id `gardner-2`",
        "[stones]: line 7: expected a `king`: a game without one cannot be said",
        "[my-drops]: left out: a section above has the id `my-drops`",
    ] {
        assert!(out.contains(&format!("info string {path}: {line}\n")), "{line}\n{out}");
    }
    assert!(
        out.contains("info string variant plain files 8 ranks 8 ") && out.contains("Nodes searched: 20\n"),
        "{out}"
    );
    assert!(out.contains("info string variant my-drops "), "{out}");
    assert!(out.contains(" var plain var my-drops var gardner-2\n"), "{out}");
    let script = format!("xboard\nprotover 2\noption VariantPath={path}\n");
    let (_, out, _) = run(&["engine"], &script);
    assert!(
        out.contains("loaded the game `plain`") && out.contains("`mustCapture`: captures are never forced"),
        "{out}"
    );
    let many: String = (0..300).map(|number| format!("[a{number}:chess]\n")).collect();
    std::fs::write(&file, many).unwrap();
    let (_, out, _) = run(&["engine"], &format!("uci\nsetoption name VariantPath value {path}\n"));
    assert!(out.contains("expected at most 256 sections, found 300"), "{out}");
}
