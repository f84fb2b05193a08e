//! Faults of variant files: each where its cause stands and with the reason, and none that only follows from another.
#![allow(clippy::unwrap_used, reason = "a test may stop where it is")]

use lozenge_rules::variant::{Variant, library};

/// A built-in file with one place changed, and the faults it must give: what stands where each is placed, and what
/// is wrong.
fn check(id: &str, found: &str, changed: &str, expected: &[(&str, &str)]) {
    let text = library::text(id).unwrap();
    assert!(text.contains(found), "{id} has no {found}");
    let text = text.replacen(found, changed, 1);
    let Err(error) = Variant::parse("f", &text, &library::text) else { panic!("{changed} is allowed") };
    let said = error.to_string();
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), expected.len(), "{changed}: {lines:#?}");
    for ((fault, line), (at, message)) in error.faults.iter().zip(lines).zip(expected) {
        let place = &fault.place;
        assert_eq!(line, format!("{place}: {message}"), "{changed}");
        let there: String = text
            .lines()
            .nth(place.line as usize - 1)
            .unwrap()
            .chars()
            .skip(place.column as usize - 1)
            .collect();
        assert!(there.starts_with(at), "{changed}: expected the place of {at}, found that of {there}");
    }
}

#[test]
fn lists_are_told_their_length() {
    let two = "expected two whole numbers";
    for (list, found) in
        [("[0, 1, 0]", "a list of 3 values"), ("[1]", "a list of 1 value"), ("[]", "an empty list")]
    {
        let message = format!("{two}, [files, ranks], found {found}");
        check("chess", "white = [0, 1]", &format!("white = {list}"), &[(list, &message)]);
    }
    let text = "expected a whole number, found the text `1`";
    check("chess", "white = [0, 1]", "white = [0, \"1\"]", &[("1\"]", text)]);
    check(
        "chess",
        "[draws]",
        "[draws]\nmoves = [50, 75, 100]\nrepetition = 3",
        &[
            ("[50", &format!("{two}, [claim, end]; 0 for never, found a list of 3 values")),
            ("3", &format!("{two}, [claim, end]; 0 for never, found the number 3")),
        ],
    );
}

#[test]
fn numbers_in_moves_are_quoted_whole() {
    let message = "in the moves `W300`: expected a range from 0 to 255, found `300`";
    check("chess", "moves = \"R\"", "moves = \"W300\"", &[("300\"", message)]);
}
