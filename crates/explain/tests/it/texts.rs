//! Every text of every built-in game in every language, word for word, without the drawings: `testdata/described/`.

use lozenge_explain::{Language, document};
use lozenge_rules::library;
use std::fmt::Write as _;

/// Every text of every built-in game on a line of its own.
fn all_texts(language: Language) -> String {
    let mut all = String::new();
    for id in library::ids() {
        let _ = writeln!(all, "# {id}");
        let document = document(&library::game(id).expect(id)).map(|text| language.text(id, text));
        for text in document.texts() {
            let _ = writeln!(all, "{}", text.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }
    all
}

#[test]
fn explanations_match_the_stored_texts() {
    for (language, expected) in [
        (Language::English, include_str!("../../../../testdata/described/en.txt")),
        (Language::German, include_str!("../../../../testdata/described/de.txt")),
    ] {
        let texts = all_texts(language);
        if texts != expected {
            let now = std::env::temp_dir().join(format!("lozenge-described-{}.txt", language.code()));
            std::fs::write(&now, &texts).expect("a file of the texts now");
            let other = texts.lines().zip(expected.lines()).find(|(found, expected)| found != expected);
            panic!("{other:#?}\nAll texts now: {}", now.display());
        }
    }
}
