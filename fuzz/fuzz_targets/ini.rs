//! `variants.ini`: every section of every text gives a variant file or an error, in bounded time. Each rule that is not translated
//! names a line of the text. A game that compiles has moves and can be exported as one section.
#![no_main]
use libfuzzer_sys::fuzz_target;
use lozenge_rules::position::AnyPosition;
use lozenge_rules::variant::Variant;

/// Sections that are imported: each may compile a game of 256 squares.
const SECTIONS: usize = 8;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let Ok(sections) = lozenge_ini::sections(&text) else { return };
    for section in sections.iter().take(SECTIONS) {
        let Ok(imported) = lozenge_ini::import_section(&sections, Some(&section.name)) else { continue };
        let lines = text.lines().count();
        assert!(
            imported
                .untranslated
                .iter()
                .all(|missing| missing.line.is_none_or(|line| (1..=lines).contains(&line)))
        );
        // The translated rest of a section may be an invalid game, for example with a side in check that is not to move.
        let Ok(variant) = Variant::parse("fuzz", &imported.text, &|_| None) else { continue };
        AnyPosition::start(&variant).assert_consistent();
        let exported = lozenge_ini::export(&variant);
        let again = lozenge_ini::sections(&exported.text).expect("an export has sections");
        assert_eq!(again.len(), 1);
    }
});
