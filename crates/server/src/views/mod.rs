//! Pages from templates: what is on them, without where it comes from.

use crate::account::Visitor;
use crate::routes::Entry;
use askama::Template;
use lozenge_rules::variant::Variant;
use lozenge_wire::{Board, Game, Player, Problem, VariantSummary};

/// What is around every page.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    player: Option<Player>,
    theme: String,
    entry: Entry,
}

impl Frame {
    /// The frame for whoever asks, with the module of `web/` that the page needs.
    pub(crate) fn new(visitor: &Visitor, module: &str) -> Self {
        let theme = visitor.settings().theme.unwrap_or_else(|| "auto".into());
        Self { player: visitor.player(), theme, entry: crate::routes::entry(module) }
    }

    fn plain() -> Self {
        Self { player: None, theme: "auto".into(), entry: crate::routes::entry("src/common/plain.ts") }
    }
}

/// Data for a script, in a form that cannot end the element it stands in.
fn data<T: serde::Serialize>(value: &T) -> String {
    let text = serde_json::to_string(value).unwrap_or_else(|_| "null".into());
    text.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

#[derive(Template)]
#[template(path = "home.html")]
struct HomePage<'a> {
    frame: Frame,
    games: &'a [VariantSummary],
    data: String,
}

/// The first page.
pub(crate) fn home(frame: Frame, games: &[VariantSummary]) -> askama::Result<String> {
    HomePage { frame, games, data: data(&games) }.render()
}

#[derive(Template)]
#[template(path = "rules.html")]
struct RulesPage<'a> {
    frame: Frame,
    games: &'a [VariantSummary],
}

/// The games there are.
pub(crate) fn rules(frame: Frame, games: &[VariantSummary]) -> askama::Result<String> {
    RulesPage { frame, games }.render()
}

#[derive(Template)]
#[template(path = "rules_of.html")]
struct RulesOfPage<'a> {
    frame: Frame,
    variant: &'a Variant,
    board: String,
}

/// One game explained.
pub(crate) fn rules_of(frame: Frame, variant: &Variant, board: &Board) -> askama::Result<String> {
    RulesOfPage { frame, variant, board: data(board) }.render()
}

#[derive(Template)]
#[template(path = "game.html")]
struct GamePage<'a> {
    frame: Frame,
    game: &'a Game,
    board: String,
    data: String,
}

/// A game.
pub(crate) fn game(frame: Frame, game: &Game, board: &Board) -> askama::Result<String> {
    GamePage { frame, game, board: data(board), data: data(game) }.render()
}

#[derive(Template)]
#[template(path = "fault.html")]
struct FaultPage<'a> {
    frame: Frame,
    problem: &'a Problem,
}

/// Something that is not there, or went wrong.
pub(crate) fn fault(problem: &Problem) -> askama::Result<String> {
    FaultPage { frame: Frame::plain(), problem }.render()
}
