//! The answer to `eval`: the board and what the evaluation makes of it, term by term.

use crate::board;
use lozenge_engine::{Engine, Explanation, FULL_PHASE, FULL_SCALE, Taper, TermWorth};
use lozenge_rules::position::{AnyPosition, Color};
use std::fmt::Write as _;

/// The board, the terms of the evaluation, and `Final evaluation: X (white side)`, in pawns.
pub(crate) fn evaluation(engine: &mut Engine, position: &AnyPosition) -> String {
    let drawn = board::draw(position);
    if position.legal_moves().is_empty() {
        return format!("\n{drawn}\n\nFinal evaluation: none ({})", position.status());
    }
    let explained = engine.explain(position);
    let score = f64::from(explained.score) / 100.0;
    format!("\n{drawn}\n\n{}\nFinal evaluation: {score:+.2} (white side)", table(&explained))
}

/// Each term for White, for Black and White's advantage, in the middle game (`MG`) and the end game
/// (`EG`); what the two come to with the men that are left is the last column.
fn table(explained: &Explanation) -> String {
    let rule = format!("+{}+{}+{}+{}+{}+\n", "-".repeat(18), DOUBLE, DOUBLE, DOUBLE, "-".repeat(9));
    let mut text = rule.clone();
    let _ =
        writeln!(text, "| {:<16} | {:^15} | {:^15} | {:^15} | {:>7} |", "", "White", "Black", "Total", "");
    let pair = format!("{:>7} {:>7}", "MG", "EG");
    let _ = writeln!(text, "| {:<16} | {pair} | {pair} | {pair} | {:>7} |", "Term", "Now");
    text.push_str(&rule);
    let mut sum = (Taper::ZERO, 0);
    for worth in explained.terms.iter().filter(|worth| counts(worth)) {
        let [white, black] = worth.worth;
        let total = white - black;
        let now = worth.mixed[Color::White.index()] - worth.mixed[Color::Black.index()];
        sum = (sum.0 + total, sum.1 + now);
        let name = worth.term.name();
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

/// Whether there is anything to say about a term.
fn counts(worth: &TermWorth) -> bool {
    worth.worth.iter().any(|&side| side != Taper::ZERO)
}

fn both(worth: Taper) -> String {
    format!("{} {}", pawns(worth.middle), pawns(worth.end))
}

/// `  +1.25`: sixteenths of a centipawn as pawns, seven characters wide.
fn pawns(sixteenths: i32) -> String {
    format!("{:>+7.2}", Explanation::centipawns(sixteenths) / 100.0)
}
