//! Writes the sprite of all pieces, and of the given compounds:
//! `cargo run -p lozenge-picture --example sprite -- rook+ferz`.

use std::io::Write as _;

fn main() -> std::io::Result<()> {
    let compounds: Vec<String> = std::env::args().skip(1).collect();
    let all = lozenge_picture::glyph_names().iter().copied();
    let sprite = lozenge_picture::sprite_of(
        lozenge_picture::PieceSet::Classic,
        all.chain(compounds.iter().map(String::as_str)),
    );
    std::io::stdout().write_all(sprite.as_bytes())
}
