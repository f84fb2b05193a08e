//! Prints the geometry of a game and its start position as JSON, for the fixtures of the site's board:
//! `cargo run -p lozenge-picture --example board_json -- diamond [FEN]`.

use std::sync::Arc;

use lozenge_rules::geometry::Vector;
use lozenge_rules::geometry::layout::Layout;
use lozenge_rules::notation::uci;
use lozenge_rules::position::{AnyPosition, Color, MoveKind};
use lozenge_rules::variant::{Variant, View, library};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let id = words.next().ok_or("expected a game")?;
    let variant = library::game(&id).ok_or("no such game")?;
    let position = match words.next() {
        Some(fen) => AnyPosition::from_fen(&variant, &fen)?,
        None => AnyPosition::start(&variant),
    };
    println!("{}", json!({ "board": board(&variant), "state": state(&position) }));
    Ok(())
}

fn round(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

fn pair((x, y): (f64, f64)) -> Value {
    json!([round(x), round(y)])
}

fn board(variant: &Arc<Variant>) -> Value {
    let shape = variant.shape();
    let view = |diamond: bool| view(variant, diamond);
    let squares = shape.squares().map(|square| {
        let at = shape.coord(square);
        json!({ "name": shape.name(square), "file": at.file, "rank": at.rank, "dark": (at.file + at.rank).is_multiple_of(2) })
    });
    let roles = variant.men().iter().map(|(_, info)| {
        let glyph = lozenge_picture::has_glyph(&info.picture).then(|| info.picture.clone());
        json!({ "id": info.letter.to_string(), "name": info.name, "letter": info.letter.to_string(), "glyph": glyph, "royal": info.royal })
    });
    json!({
        "variant": variant.id(),
        "digest": "fixture",
        "name": variant.name(),
        "view": if variant.view() == View::Diamond { "diamond" } else { "square" },
        "files": shape.width(),
        "ranks": shape.height(),
        "wraps": { "files": shape.wrap().files, "ranks": shape.wrap().ranks },
        "squares": squares.collect::<Vec<_>>(),
        "views": { "diamond": view(true), "square": view(false) },
        "roles": roles.collect::<Vec<_>>(),
    })
}

fn view(variant: &Variant, diamond: bool) -> Value {
    let shape = variant.shape();
    let layout = Layout::new(shape, diamond, variant.frames()[0].forward, false);
    let unit = if diamond { core::f64::consts::FRAC_1_SQRT_2 } else { 1.0 };
    let step = |dx, dy| {
        let (right, up) = layout.frame.seen(Vector::new(dx, dy));
        (f64::from(right) * unit, -f64::from(up) * unit)
    };
    let first = &layout.cells[0];
    let corners = layout.corners(first).map(|(x, y)| pair((x - first.center.0, y - first.center.1)));
    json!({
        "width": round(layout.width),
        "height": round(layout.height),
        "corners": corners,
        "centers": layout.cells.iter().map(|place| pair(place.center)).collect::<Vec<_>>(),
        "file": pair(step(1, 0)),
        "rank": pair(step(0, 1)),
        "labels": [],
        "labels_flipped": [],
    })
}

fn state(position: &AnyPosition) -> Value {
    let variant = position.variant();
    let shape = variant.shape();
    let color = |color| if color == Color::White { "white" } else { "black" };
    let men = shape.squares().filter_map(|square| {
        let piece = position.piece_at(square)?;
        let role = variant.men().info(piece.role()).letter.to_string();
        Some(json!({ "square": square.index(), "role": role, "color": color(piece.color()) }))
    });
    let legal = position.legal_moves();
    let mut moves: Vec<String> = legal.iter().map(|&legal| uci::write(variant, legal)).collect();
    moves.sort();
    let castlings = legal.iter().filter_map(|&legal| match legal.kind {
        MoveKind::Castling(number) => {
            let rook = variant.castlings()[usize::from(number)].rook.0;
            Some(json!({ "move": uci::write(variant, legal), "king": legal.from.index(), "rook": rook.index() }))
        }
        _ => None,
    });
    let reach = shape
        .squares()
        .map(|square| position.reach(square).into_iter().map(|target| target.index()).collect::<Vec<_>>());
    json!({
        "fen": position.fen(),
        "turn": color(position.turn()),
        "men": men.collect::<Vec<_>>(),
        "last": [],
        "check": position.is_check().then(|| position.king(position.turn()).index()),
        "moves": moves,
        "castlings": castlings.collect::<Vec<_>>(),
        "reach": reach.collect::<Vec<_>>(),
    })
}
