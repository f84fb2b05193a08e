//! Answers to `d`, `eval` and `bench`, the same in both protocols.

use lozenge_engine::bench::BenchResult;
use lozenge_engine::{Engine, Explanation, FULL_PHASE, FULL_SCALE, Taper, TermValue};
use lozenge_rules::geometry::{Coord, Shape, Square};
use lozenge_rules::position::{AnyMultiPosition, AnyPosition, Color};
use lozenge_rules::seat::OwnedPiece;
use std::fmt::Write as _;

/// The board, rank 1 at the bottom: the letters of the pieces, `*` for holes. A `*` after the number of
/// the lowest rank means that White is to move, after the highest that Black is.
///
/// ```
/// use lozenge_rules::{position::AnyPosition, library};
/// let start = AnyPosition::start(&library::game("gardner").unwrap());
/// let board = lozenge_protocol::diagnostics::draw_board(&start);
/// assert!(board.starts_with(" +---+---+---+---+---+\n | r | n | b | q | k |5\n"));
/// assert!(board.ends_with(" | R | N | B | Q | K |1 *\n +---+---+---+---+---+\n   a   b   c   d   e"));
/// ```
#[must_use]
pub fn draw_board(position: &AnyPosition) -> String {
    let variant = position.variant();
    let marked = match position.turn() {
        Color::White => 0,
        Color::Black => variant.shape().height() - 1,
    };
    grid(variant.shape(), 1, Some(marked), |square| {
        position.piece_at(square).map_or_else(String::new, |piece| variant.roles().letter(piece).to_string())
    })
}

/// The cells of a board, each as wide as `letters`, with `*` for holes and after the number of the marked rank.
fn grid(shape: &Shape, letters: usize, marked: Option<u8>, cell: impl Fn(Square) -> String) -> String {
    let (width, height) = (shape.width(), shape.height());
    let rule = format!(" +{}", format!("{}+", "-".repeat(letters + 2)).repeat(usize::from(width)));
    let mut text = format!("{rule}\n");
    for rank in (0..height).rev() {
        text.push_str(" |");
        for file in 0..width {
            let cell = shape.at(Coord { file, rank }).map_or_else(|| "*".to_owned(), &cell);
            let _ = write!(text, " {cell:>letters$} |");
        }
        let _ = write!(text, "{}{}\n{rule}\n", rank + 1, if marked == Some(rank) { " *" } else { "" });
    }
    text.push_str("   ");
    let names: Vec<String> = (b'a'..b'a' + width).map(|name| char::from(name).to_string()).collect();
    text + &names.join(&" ".repeat(letters + 2))
}

/// The answer to `d`: the board and the lines `Fen: `, `Key: ` and `Checkers: `.
pub(crate) fn describe(position: &AnyPosition) -> String {
    let shape = position.variant().shape();
    let checkers: Vec<String> = position.checkers().into_iter().map(|square| shape.name(square)).collect();
    format!(
        "{}\n\nFen: {}\nKey: {:016X}\nCheckers: {}",
        draw_board(position),
        position.fen(),
        position.key(),
        checkers.join(" ")
    )
}

/// The answer to `eval`: the board, the terms of the evaluation, and `Final evaluation: X (white side)`, in pawns.
pub(crate) fn evaluation(engine: &mut Engine, position: &AnyPosition) -> String {
    let drawn = draw_board(position);
    if position.legal_moves().is_empty() {
        return format!("\n{drawn}\n\nFinal evaluation: none ({})", position.status());
    }
    let explained = engine.explain(position);
    let score = f64::from(explained.score) / 100.0;
    format!("\n{drawn}\n\n{}\nFinal evaluation: {score:+.2} (white side)", table(&explained))
}

/// Each term for White, for Black and White's advantage, in the middle game (`MG`) and the end game
/// (`EG`). The last column interpolates between the two by the pieces that are left.
fn table(explained: &Explanation) -> String {
    let rule = format!("+{}+{}+{}+{}+{}+\n", "-".repeat(18), DOUBLE, DOUBLE, DOUBLE, "-".repeat(9));
    let mut text = rule.clone();
    let _ =
        writeln!(text, "| {:<16} | {:^15} | {:^15} | {:^15} | {:>7} |", "", "White", "Black", "Total", "");
    let pair = format!("{:>7} {:>7}", "MG", "EG");
    let _ = writeln!(text, "| {:<16} | {pair} | {pair} | {pair} | {:>7} |", "Term", "Now");
    text.push_str(&rule);
    let mut sum = (Taper::ZERO, 0);
    for value in explained.terms.iter().filter(|value| counts(value)) {
        let [white, black] = value.value.into_array();
        let total = white - black;
        let now = value.mixed[Color::White] - value.mixed[Color::Black];
        sum = (sum.0 + total, sum.1 + now);
        let name = value.term.name();
        let _ = writeln!(
            text,
            "| {name:<16} | {} | {} | {} | {} |",
            both(white),
            both(black),
            both(total),
            pawns(now)
        );
    }
    text.push_str(&rule);
    let blank = " ".repeat(15);
    let _ = writeln!(text, "| {:<16} | {blank} | {blank} | {} | {} |", "Sum", both(sum.0), pawns(sum.1));
    text.push_str(&rule);
    let percent = |part: i32, whole: i32| part * 100 / whole;
    let _ = writeln!(text, "\nMiddle game: {} %", percent(explained.phase, FULL_PHASE));
    if explained.scale < FULL_SCALE {
        let counted = percent(explained.scale, FULL_SCALE);
        let _ = writeln!(text, "Hard to win with what is left: {counted} % of the sum counts");
    }
    text
}

const DOUBLE: &str = "-----------------";

/// Whether a term has a value for either side.
fn counts(value: &TermValue) -> bool {
    value.value.iter().any(|&side| side != Taper::ZERO)
}

fn both(value: Taper) -> String {
    format!("{} {}", pawns(value.middle()), pawns(value.end()))
}

/// `  +1.25`: sixteenths of a centipawn as pawns, seven characters wide.
fn pawns(sixteenths: i32) -> String {
    format!("{:>+7.2}", Explanation::centipawns(sixteenths) / 100.0)
}

/// The answer to `bench`: `Nodes searched: N` (the signature, equal on every machine) and `Nodes/second: N`.
#[must_use]
pub fn bench_text(result: &BenchResult) -> String {
    format!("Nodes searched: {}\nNodes/second: {}", result.nodes, result.nodes_per_second())
}

/// The board with two letters a piece, rank 1 at the bottom, and the lines `Fen: ` and `Key: `.
pub(crate) fn multi_describe(position: &AnyMultiPosition) -> String {
    format!("{}\n\nFen: {}\nKey: {:016X}", draw_multi_board(position, &[]), position.fen(), position.key())
}

/// The board, what each player has, and `Final evaluation: X (S side)` in pawns.
pub(crate) fn multi_evaluation(engine: &mut Engine, position: &AnyMultiPosition) -> String {
    let (worth, score) = engine.evaluate_multi(position);
    let mut text = format!("\n{}\n\n", draw_multi_board(position, &[]));
    for seat in position.living().iter() {
        let _ = writeln!(text, "{:<6} {:+.2}", seat.to_string(), f64::from(worth[seat]) / 100.0);
    }
    let side = position.turn().to_string().to_lowercase();
    let _ = write!(text, "\nFinal evaluation: {:+.2} ({side} side)", f64::from(score) / 100.0);
    text
}

/// The board of a game of three or four: each piece after its owner's letter, and `**` on those of some squares that are empty.
#[must_use]
pub fn draw_multi_board(position: &AnyMultiPosition, stars: &[Square]) -> String {
    let roles = position.variant().roles();
    let board = grid(position.variant().shape(), 2, None, |square| {
        let written =
            |piece: OwnedPiece| format!("{}{}", piece.owner_letter(), roles.info(piece.role).letter);
        let empty = || if stars.contains(&square) { "**".into() } else { String::new() };
        position.piece_at(square).map_or_else(empty, written)
    });
    format!("{board}   {} to move", position.turn())
}
