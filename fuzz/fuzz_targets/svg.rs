//! Pictures of pieces that users draw: no panic; what comes out can be read and drawn, and has nothing but paths in it.
#![no_main]
use libfuzzer_sys::fuzz_target;
use lozenge_picture::{Drawing, PieceSet, clean, sprite_with};

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(cleaned) = clean(text) else { return };
    let drawing = Drawing::read("a", &cleaned.svg).expect("a cleaned picture can be read");
    let sprite = sprite_with(PieceSet::Classic, ["a"], &std::iter::once(drawing).collect());
    assert_eq!(sprite.matches("<symbol ").count(), 2);
    for word in ["<script", "href", "url(", "<image", "<text", "&"] {
        assert!(!sprite.contains(word), "{word}: {sprite}");
    }
});
