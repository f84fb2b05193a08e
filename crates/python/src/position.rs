//! Positions with their moves, and games of PGN.

use crate::variant::{Variant, named};
use crate::{fault, interruptible};
use lozenge_picture::{BoardView, Theme, scene, svg};
use lozenge_protocol::games;
use lozenge_rules::notation::pgn::{MoveNumber, PgnGame, write_game};
use lozenge_rules::notation::record::Record;
use lozenge_rules::notation::{record, san, uci};
use lozenge_rules::position::{AnyPosition, Color, Game, Move};
use lozenge_rules::variant::Variant as Rules;
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::ffi::CString;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A position and the moves that led to it.
#[pyclass(module = "lozenge")]
pub(crate) struct Position {
    pub(crate) game: Game,
    /// What was written to a game that was read from PGN.
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

impl From<Record> for Position {
    fn from(Record { game, tree }: Record) -> Self {
        Self { game, read: Some(Box::new(tree)) }
    }
}

impl Position {
    fn read(&self, text: &str) -> PyResult<Move> {
        let position = self.game.position();
        uci::parse(position, text).or_else(|error| san::parse(position, text).map_err(|_| fault(error)))
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
            None => AnyPosition::start(&rules),
            Some(fen) => AnyPosition::from_fen(&rules, fen).map_err(fault)?,
        };
        Ok(Self { game: Game::from_position(start), read: None })
    }

    #[getter]
    fn variant(&self) -> Variant {
        Variant { rules: Arc::clone(self.game.variant()) }
    }

    #[getter]
    fn turn(&self) -> &'static str {
        if self.game.position().turn() == Color::White { "white" } else { "black" }
    }

    fn fen(&self) -> String {
        self.game.position().fen()
    }

    fn legal_moves(&self) -> Vec<String> {
        let write = |played: Move| uci::write(self.game.variant(), played);
        let mut moves: Vec<String> = self.game.position().legal_moves().into_iter().map(write).collect();
        moves.sort();
        moves
    }

    fn play(&mut self, r#move: &str) -> PyResult<String> {
        let played = self.read(r#move)?;
        let text = san::write(self.game.position(), played);
        self.game.play(played).map_err(fault)?;
        Ok(text)
    }

    fn undo(&mut self) -> PyResult<String> {
        let last = self.game.undo().ok_or_else(|| fault("expected a move to take back, found none"))?;
        Ok(uci::write(self.game.variant(), last))
    }

    fn moves(&self) -> Vec<String> {
        self.game.moves().iter().map(|&played| uci::write(self.game.variant(), played)).collect()
    }

    fn san(&self, r#move: &str) -> PyResult<String> {
        let played = uci::parse(self.game.position(), r#move).map_err(fault)?;
        Ok(san::write(self.game.position(), played))
    }

    fn uci(&self, r#move: &str) -> PyResult<String> {
        let played = san::parse(self.game.position(), r#move).map_err(fault)?;
        Ok(uci::write(self.game.variant(), played))
    }

    fn status(&self) -> String {
        self.game.position().status().to_string()
    }

    #[pyo3(signature = (claim=false))]
    fn outcome(&self, claim: bool) -> Option<String> {
        let ended = self.game.outcome().map(|outcome| outcome.to_string());
        let claimed = || {
            let reason = self.game.claimable_draw().filter(|_| claim)?;
            Some(lozenge_rules::position::Outcome::Draw(reason).to_string())
        };
        ended.or_else(claimed)
    }

    fn is_check(&self) -> bool {
        self.game.position().is_check()
    }

    fn piece_at(&self, square: &str) -> PyResult<Option<char>> {
        let rules = self.game.variant();
        let found = rules.shape().named(square);
        let square = found
            .ok_or_else(|| fault(format_args!("expected a square of {}, found `{square}`", rules.name())))?;
        Ok(self.game.position().piece_at(square).map(|piece| rules.roles().letter(piece)))
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
        let last_move = self.game.moves().last().map_or_else(Vec::new, |last| vec![last.from, last.to]);
        let view = BoardView { theme, flipped, coordinates, last_move, ..BoardView::of(self.game.variant()) };
        Ok(svg(&scene(self.game.position(), &view)))
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
        format!("<lozenge.Position {} {}>", self.game.variant().id(), self.fen())
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
    let known: Vec<Arc<Rules>> = variants.into_iter().map(|variant| variant.rules).collect();
    let find = |name: &str| games::named(name, &known);
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
