//! Reviewed games as one page of HTML that needs nothing else: board, graph and moves. The script in `report.html` shows
//! one position at a time; the pieces' drawings are in the page once.

use super::Reviewed;
use lozenge_picture::{BoardView, Glyph, PieceSet, Side, sprite_of, symbol_id};
use lozenge_rules::position::AnyPosition;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

const PAGE: &str = include_str!("report.html");

/// The page of these games.
pub(super) fn html(games: &[Reviewed]) -> String {
    let mut names = BTreeSet::new();
    let mut boards = BTreeMap::new();
    let mut data = Vec::new();
    for game in games {
        let variant = game.record.game.variant();
        boards.entry(variant.id().to_owned()).or_insert_with(|| board(game.record.game.start()));
        let positions: Vec<Value> =
            game.record.game.positions().map(|position| pieces(&position, &mut names)).collect();
        data.push(json!({
            "name": variant.name(),
            "date": game.record.tree.tags.get("Date"),
            "event": game.record.tree.tags.get("Event"),
            "review": game.review,
            "positions": positions,
        }));
    }
    let sprite = sprite_of(PieceSet::Classic, names.iter().map(String::as_str));
    let data = json!({ "boards": boards, "games": data }).to_string();
    // Escape `</script>` in the data.
    PAGE.replace("<!--SPRITE-->", &sprite).replace("/*DATA*/null", &data.replace('<', "\\u003c"))
}

fn view(position: &AnyPosition) -> BoardView {
    BoardView { ghosts: false, ..BoardView::of(position.variant()) }
}

/// The empty board as SVG, and the middle of each square.
fn board(position: &AnyPosition) -> Value {
    let mut scene = lozenge_picture::scene(position, &view(position));
    let centers: Vec<[f64; 2]> = scene.cells.iter().map(|cell| [cell.center.0, cell.center.1]).collect();
    scene.pieces.clear();
    scene.check.clear();
    scene.title = Some(position.variant().name().to_owned());
    json!({ "svg": lozenge_picture::svg(&scene), "centers": centers })
}

/// The pieces of a position: square and symbol, or square, letter and color where there is no drawing.
fn pieces(position: &AnyPosition, names: &mut BTreeSet<String>) -> Value {
    let scene = lozenge_picture::scene(position, &view(position));
    let entry = |piece: &lozenge_picture::PlacedPiece| match &piece.glyph {
        Glyph::Named(name) if lozenge_picture::has_glyph(name) => {
            names.insert(name.clone());
            json!([piece.cell, symbol_id(name, piece.side)])
        }
        Glyph::Named(name) => letter(piece, name.chars().next().unwrap_or('?').to_ascii_uppercase()),
        Glyph::Letter(symbol) | Glyph::Drawn(_, symbol) => letter(piece, *symbol),
    };
    scene.pieces.iter().map(entry).collect()
}

fn letter(piece: &lozenge_picture::PlacedPiece, symbol: char) -> Value {
    json!([piece.cell, symbol.to_string(), piece.side == Side::First])
}
