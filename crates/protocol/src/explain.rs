//! The answer to `eval`: the board and what the evaluation makes of it.

use crate::board;
use lozenge_engine::{Engine, Score};
use lozenge_rules::position::{AnyPosition, Color};

/// One line of the table: what it counts, and for whom how much, in centipawns.
struct Term {
    name: &'static str,
    /// White's and Black's, where the term is counted for each side.
    sides: Option<[i32; 2]>,
    /// White's advantage.
    total: i32,
}

/// The board, the terms of the evaluation, and `Final evaluation: X (white side)`, in pawns.
pub(crate) fn evaluation(engine: &mut Engine, position: &AnyPosition) -> String {
    let drawn = board::draw(position);
    if position.legal_moves().is_empty() {
        return format!("\n{drawn}\n\nFinal evaluation: none ({})", position.status());
    }
    let sign = if position.turn() == Color::White { 1 } else { -1 };
    let Score::Centipawns(centipawns) = engine.evaluate(position) else {
        return format!("\n{drawn}\n\nFinal evaluation: decided");
    };
    let material = material(engine, position);
    let total = sign * centipawns;
    let terms = [
        Term { name: "Material", sides: Some(material), total: material[0] - material[1] },
        Term { name: "Everything else", sides: None, total: total - (material[0] - material[1]) },
    ];
    format!("\n{drawn}\n\n{}\nFinal evaluation: {} (white side)", table(&terms), pawns(total))
}

/// What each side's men are worth, without regard to where they stand.
fn material(engine: &mut Engine, position: &AnyPosition) -> [i32; 2] {
    let variant = position.variant();
    let values = engine.values(variant);
    let mut sums = [0; 2];
    for square in variant.shape().squares() {
        if let Some(piece) = position.piece_at(square) {
            sums[piece.color().index()] += values.material(piece.role());
        }
    }
    sums
}

fn table(terms: &[Term]) -> String {
    let rule = "+-----------------------+----------+----------+----------+\n";
    let mut text =
        format!("{rule}| {:<21} | {:>8} | {:>8} | {:>8} |\n{rule}", "Term", "White", "Black", "Total");
    for Term { name, sides, total } in terms {
        let [white, black] = sides.map_or_else(|| ["", ""].map(String::from), |sides| sides.map(pawns));
        text.push_str(&format!("| {name:<21} | {white:>8} | {black:>8} | {:>8} |\n", pawns(*total)));
    }
    text.push_str(rule);
    text
}

/// `+1.25`: hundredths of a pawn as pawns.
fn pawns(centipawns: i32) -> String {
    format!("{:+.2}", f64::from(centipawns) / 100.0)
}
