//! A reviewed game as PGN: the evaluation after each move, a glyph for each bad one, and the better line as a variation.

use super::Reviewed;
use crate::commands::pgn;
use lozenge_rules::notation::pgn::{Comment, Eval, PgnCommand, PgnLine, PgnNode, Variation};
use lozenge_wire::review::{Judgment, MoveReview, ReviewScore};

/// The game with the review in it.
pub(super) fn pgn(game: &Reviewed) -> String {
    let mut record = game.record.clone();
    // A fixed text is a valid tag.
    let _ = record.tree.tags.set("Annotator", format!("Lozenge {}", env!("CARGO_PKG_VERSION")));
    for (node, review) in record.tree.line.nodes.iter_mut().zip(&game.review.moves) {
        annotate(node, review);
    }
    pgn::write(&record.tree, &record.game.into())
}

fn annotate(node: &mut PgnNode, review: &MoveReview) {
    for comment in &mut node.comments_after {
        *comment = without_eval(comment);
    }
    node.comments_after.retain(|comment| !comment.is_empty());
    let mut comment = Comment::default();
    comment.push(&PgnCommand::Eval { score: eval(review.evaluation.score), depth: None });
    node.comments_after.insert(0, comment);
    let Some(judgment) = review.judgment else { return };
    // 1 to 6 are the glyphs for moves; one by a person stays.
    if !node.nags.iter().any(|nag| (1..=6).contains(nag)) {
        node.nags.insert(0, nag(judgment));
    }
    let Some(best) = &review.best else { return };
    let texts = if best.line.is_empty() { std::slice::from_ref(&best.san) } else { &best.line[..] };
    let line = PgnLine { nodes: texts.iter().map(PgnNode::new).collect(), ..PgnLine::default() };
    node.variations.push(Variation { line, ..Variation::default() });
}

/// The comment without an evaluation that it has already.
fn without_eval(comment: &Comment) -> Comment {
    let mut text = comment.text().to_owned();
    while let Some(start) = text.find("[%eval") {
        let Some(length) = text[start..].find(']') else { break };
        text.replace_range(start..=start + length, "");
    }
    Comment::new(text.trim())
}

const fn nag(judgment: Judgment) -> u8 {
    match judgment {
        Judgment::Inaccuracy => 6,
        Judgment::Mistake => 2,
        Judgment::Blunder => 4,
    }
}

const fn eval(score: ReviewScore) -> Eval {
    match score {
        ReviewScore::Cp(centipawns) => Eval::Centipawns(centipawns),
        ReviewScore::Mate(moves) => Eval::Mate(moves),
    }
}
