//! The pages of the analysis board and the editor.

use super::{PageFrame, data, game_names};
use askama::Template;
use lozenge_wire::analysis::{AnalysisStart, EditorStart};
use lozenge_wire::{Board, VariantSummary};

#[derive(Template)]
#[template(path = "analysis.html")]
struct AnalysisPage<'a> {
    frame: PageFrame,
    start: &'a AnalysisStart,
    board: String,
    data: String,
    variants: String,
}

/// An analysis board.
pub(crate) fn analysis(
    frame: PageFrame,
    variants: &[VariantSummary],
    start: &AnalysisStart,
    board: Board,
) -> askama::Result<String> {
    let board = frame.board(board);
    let variants = game_names(variants);
    AnalysisPage { frame, start, board, data: data(start), variants: data(&variants) }.render()
}

#[derive(Template)]
#[template(path = "editor.html")]
struct EditorPage<'a> {
    frame: PageFrame,
    start: &'a EditorStart,
    board: String,
    data: String,
    variants: String,
}

/// A board to set a position up on.
pub(crate) fn editor(
    frame: PageFrame,
    variants: &[VariantSummary],
    start: &EditorStart,
    board: Board,
) -> askama::Result<String> {
    let board = frame.board(board);
    let variants = game_names(variants);
    EditorPage { frame, start, board, data: data(start), variants: data(&variants) }.render()
}
