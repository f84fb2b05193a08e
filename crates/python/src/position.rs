//! Positions with their moves, and games of PGN.

use crate::variant::{Variant, named};
use crate::{fault, interruptible};
use lozenge_picture::{BoardView, Theme, any_scene, svg};
use lozenge_protocol::games;
use lozenge_rules::library::AnyGame;
use lozenge_rules::notation::pgn::{MoveNumber, PgnGame, write_game};
use lozenge_rules::notation::record::AnyRecord;
use lozenge_rules::notation::{record, turn};
use lozenge_rules::position::{GamePosition, MultiTurn, Played};
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::ffi::CString;
use std::sync::atomic::{AtomicBool, Ordering};

/// A position and the moves that led to it.
#[pyclass(module = "lozenge")]
pub(crate) struct Position {
    pub(crate) game: Played,
    /// The game as read from PGN, with its tags, comments and variations.
    pub(crate) read: Option<Box<PgnGame>>,
}

/// A game as it may be given: itself, or its id or path.
#[derive(FromPyObject)]
pub(crate) enum AnyVariant {
    #[pyo3(transparent)]
    Game(Variant),
    #[pyo3(transparent)]
    Name(String),
}

impl From<AnyRecord> for Position {
    fn from(AnyRecord { game, tree }: AnyRecord) -> Self {
        Self { game, read: Some(Box::new(tree)) }
    }
}

impl Position {
    fn read(&self, position: &GamePosition, text: &str) -> PyResult<MultiTurn> {
        turn::parse_uci(position, text)
            .or_else(|error| turn::parse_san(position, text).map_err(|_| fault(error)))
    }
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (variant, fen=None))]
    fn new(variant: AnyVariant, fen: Option<&str>) -> PyResult<Self> {
        let rules = match variant {
            AnyVariant::Game(variant) => variant.rules,
            AnyVariant::Name(name) => named(&name)?,
        };
        let start = match fen {
            None => GamePosition::start(&rules),
            Some(fen) => GamePosition::from_fen(&rules, fen).map_err(fault)?,
        };
        Ok(Self { game: Played::from_position(start), read: None })
    }

    #[getter]
    fn variant(&self) -> Variant {
        Variant { rules: self.game.position().variant() }
    }

    #[getter]
    fn turn(&self) -> &'static str {
        self.game.position().turn()
    }

    fn fen(&self) -> String {
        self.game.position().fen()
    }

    fn legal_moves(&self) -> Vec<String> {
        let legal = self.game.legal_moves();
        let mut moves: Vec<String> = legal.into_iter().map(|played| self.game.write(played)).collect();
        moves.sort();
        moves
    }

    fn play(&mut self, r#move: &str) -> PyResult<String> {
        let position = self.game.position();
        let played = self.read(&position, r#move)?;
        self.game.play(played).map_err(fault)?;
        Ok(turn::san(&position, played))
    }

    fn undo(&mut self) -> PyResult<String> {
        let last = self.game.undo().ok_or_else(|| fault("expected a move to take back, found none"))?;
        Ok(turn::uci(&self.game.position(), last))
    }

    fn moves(&self) -> Vec<String> {
        let position = self.game.position();
        self.game.turns_from(0).into_iter().map(|played| turn::uci(&position, played)).collect()
    }

    fn san(&self, r#move: &str) -> PyResult<String> {
        let position = self.game.position();
        let played = turn::parse_uci(&position, r#move).map_err(fault)?;
        Ok(turn::san(&position, played))
    }

    fn uci(&self, r#move: &str) -> PyResult<String> {
        let position = self.game.position();
        let played = turn::parse_san(&position, r#move).map_err(fault)?;
        Ok(turn::uci(&position, played))
    }

    fn status(&self) -> String {
        self.game.position().status_text()
    }

    #[pyo3(signature = (claim=false))]
    fn outcome(&self, claim: bool) -> Option<String> {
        self.game.outcome_text(claim)
    }

    fn is_check(&self) -> bool {
        self.game.position().checked_king().is_some()
    }

    fn piece_at(&self, square: &str) -> PyResult<Option<String>> {
        let position = self.game.position();
        let rules = position.variant();
        let found = rules.shape().named(square);
        let square = found
            .ok_or_else(|| fault(format_args!("expected a square of {}, found `{square}`", rules.name())))?;
        Ok(position.piece_text(square))
    }

    fn perft(&self, py: Python<'_>, depth: u32) -> PyResult<u64> {
        let stopped = AtomicBool::new(false);
        let position = self.game.position();
        let count = interruptible(py, &|| stopped.store(true, Ordering::Relaxed), || {
            position.perft_until(depth, &|| stopped.load(Ordering::Relaxed))
        })?;
        count.ok_or_else(|| fault("interrupted"))
    }

    #[pyo3(signature = (*, theme="light", flipped=false, coordinates=true))]
    fn svg(&self, theme: &str, flipped: bool, coordinates: bool) -> PyResult<String> {
        let theme = match theme {
            "light" => Theme::Light,
            "dark" => Theme::Dark,
            "clear" => Theme::Clear,
            other => return Err(fault(format_args!("expected `light`, `dark` or `clear`, found `{other}`"))),
        };
        let position = self.game.position();
        let last_move = self.game.last_squares();
        let usual = BoardView::of_game(&position.variant());
        let view = BoardView { theme, flipped, coordinates, last_move, ..usual };
        Ok(svg(&any_scene(&position, &view)))
    }

    #[pyo3(signature = (**tags))]
    fn pgn(&self, tags: Option<BTreeMap<String, String>>) -> PyResult<String> {
        let game = &self.game;
        let mut tree = record::tree_of(self.read.as_deref(), game);
        for (name, value) in tags.unwrap_or_default() {
            tree.tags.set(&name, value).map_err(fault)?;
        }
        let mut text = String::new();
        let first = MoveNumber::of_fen(&game.start().fen());
        write_game(&mut text, &tree, first).map_err(fault)?;
        Ok(text)
    }

    fn copy(&self) -> Self {
        Self { game: self.game.clone(), read: self.read.clone() }
    }

    fn __copy__(&self) -> Self {
        self.copy()
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.game.position() == other.game.position()
    }

    fn __str__(&self) -> String {
        self.fen()
    }

    fn __repr__(&self) -> String {
        format!("<lozenge.Position {} {}>", self.game.position().variant().id(), self.fen())
    }
}

/// The games of a PGN at their last positions. Each faulty game is left out and reported.
#[pyfunction]
#[pyo3(signature = (text, variants=Vec::new(), *, on_fault=None))]
pub(crate) fn read_pgn(
    py: Python<'_>,
    text: &str,
    variants: Vec<Variant>,
    on_fault: Option<Bound<'_, PyAny>>,
) -> PyResult<Vec<Position>> {
    let known: Vec<AnyGame> = variants.into_iter().map(|variant| variant.rules).collect();
    let find = |name: &str| games::any_named(name, &known);
    let (found, faults) = record::read_games(text, &find);
    match on_fault {
        Some(report) => faults.iter().try_for_each(|text| report.call1((text,)).map(drop))?,
        None if found.is_empty() && !faults.is_empty() => return Err(fault(faults.join("\n"))),
        None => {
            for text in faults {
                let text = CString::new(text.replace('\0', " "))?;
                PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)?;
            }
        }
    }
    Ok(found.into_iter().map(Position::from).collect())
}
