//! The pages of puzzles.

use super::{PageFrame, data};
use askama::Template;
use lozenge_rules::variant::Variant;
use lozenge_wire::{Board, Puzzle, PuzzleRating, PuzzleRound, PuzzleStart, PuzzleTheme};
use std::collections::BTreeMap;
use url::form_urlencoded::byte_serialize;

/// A game that has puzzles.
#[derive(Clone, Debug)]
pub(crate) struct PuzzleGame {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) puzzles: u64,
}

/// The data of the overview.
#[derive(Clone, Debug)]
pub(crate) struct PuzzlesPageData {
    pub(crate) games: Vec<PuzzleGame>,
    /// The game whose themes are listed.
    pub(crate) chosen: Option<String>,
    pub(crate) themes: Vec<PuzzleTheme>,
    pub(crate) daily: Option<Puzzle>,
    /// The reader's.
    pub(crate) ratings: Vec<PuzzleRating>,
    /// The reader's latest attempts.
    pub(crate) rounds: Vec<PuzzleRound>,
}

#[derive(Template)]
#[template(path = "puzzles.html")]
struct PuzzlesPage<'a> {
    frame: PageFrame,
    page: &'a PuzzlesPageData,
}

impl PuzzlesPage<'_> {
    fn is_chosen(&self, game: &PuzzleGame) -> bool {
        self.page.chosen.as_ref() == Some(&game.id)
    }

    fn name_of<'s>(&'s self, variant: &'s str) -> &'s str {
        self.page.games.iter().find(|game| game.id == variant).map_or(variant, |game| &game.name)
    }
}

/// The overview of puzzles.
pub(crate) fn puzzles(frame: PageFrame, page: &PuzzlesPageData) -> askama::Result<String> {
    PuzzlesPage { frame, page }.render()
}

#[derive(Template)]
#[template(path = "puzzle.html")]
struct PuzzlePage<'a> {
    frame: PageFrame,
    start: &'a PuzzleStart,
    board: String,
    data: String,
    themes: String,
}

/// A puzzle; `themes` are those of its game.
pub(crate) fn puzzle(
    frame: PageFrame,
    start: &PuzzleStart,
    themes: &[PuzzleTheme],
    board: Board,
) -> askama::Result<String> {
    let board = frame.board(board);
    let names: BTreeMap<&str, String> =
        themes.iter().map(|known| (known.theme.as_str(), frame.theme_name(&known.theme))).collect();
    PuzzlePage {
        start,
        board,
        data: data(start),
        themes: data(&names),
        frame: frame.with_puzzle_card(&start.puzzle),
    }
    .render()
}

#[derive(Template)]
#[template(path = "storm.html")]
struct StormPage<'a> {
    frame: PageFrame,
    variant: &'a Variant,
    board: String,
}

/// The page on which the puzzles of a game are solved against the clock.
pub(crate) fn storm(frame: PageFrame, variant: &Variant, board: Board) -> askama::Result<String> {
    let board = frame.board(board);
    let (title, lead) = (frame.t("puzzle-storm"), frame.t("puzzle-storm-hint"));
    let path = format!("/puzzles/storm?variant={}", variant.id());
    let frame = frame.with_page_card(&format!("{title} · {}", variant.name()), &lead, &path, variant.id());
    StormPage { frame, variant, board }.render()
}

/// Whether Black is to move.
fn is_black(puzzle: &Puzzle) -> bool {
    puzzle.start_fen.split(' ').nth(1) == Some("b")
}

/// The query of a picture of a puzzle, which shows it from the solver's side, as its page does.
pub(super) fn picture_query(puzzle: &Puzzle) -> String {
    let fen: String = byte_serialize(puzzle.start_fen.as_bytes()).collect();
    format!("fen={fen}{}", if is_black(puzzle) { "&flipped=true" } else { "" })
}

impl PageFrame {
    /// The name of a theme, in the reader's language if it has one there.
    fn theme_name(&self, theme: &str) -> String {
        self.texts.find(&format!("theme-{theme}")).unwrap_or_else(|| theme.to_owned())
    }

    /// The explanation of a theme; empty if it has none.
    fn theme_hint(&self, theme: &str) -> String {
        self.texts.find(&format!("theme-{theme}-hint")).unwrap_or_default()
    }

    /// The address of the picture of a puzzle.
    pub(super) fn puzzle_picture(&self, puzzle: &Puzzle) -> String {
        format!("/api/variants/{}/picture.svg?{}", puzzle.variant, picture_query(puzzle))
    }

    /// Which side is to move.
    pub(super) fn to_move(&self, puzzle: &Puzzle) -> String {
        self.t(if is_black(puzzle) { "black-to-move" } else { "white-to-move" })
    }
}
