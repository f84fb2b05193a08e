//! A game as text for other machines, and the search for a move as a job that any of them can do.

use lozenge_engine::{Engine, Handicap, Limits, Score, SearchReport, Signals};
use lozenge_rules::notation::uci;
use lozenge_rules::position::{AnyPosition, Game};
use lozenge_rules::variant::Variant;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

/// A game in text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenGame {
    /// Id of the variant.
    pub variant: String,
    /// Digest of its rules.
    pub digest: String,
    /// Where the game began, as FEN.
    pub fen: String,
    /// Its moves in long algebraic form.
    pub moves: Vec<String>,
}

/// Why a text is not a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameFault {
    /// It does not begin at a position of the variant.
    #[error("expected a position, found `{0}`")]
    Position(String),
    /// A move is not legal.
    #[error("expected a legal move at ply {ply}, found `{found}`")]
    Move {
        /// Its number, from 1.
        ply: usize,
        /// Its text.
        found: String,
    },
}

impl WrittenGame {
    /// A game as text. `digest` is that of its rules.
    #[must_use]
    pub fn new(game: &Game, digest: String) -> Self {
        let variant = game.variant();
        Self {
            variant: variant.id().to_owned(),
            digest,
            fen: game.start().fen(),
            moves: game.moves().iter().map(|&played| uci::write(variant, played)).collect(),
        }
    }

    /// The game.
    ///
    /// # Errors
    /// If it is not a game of this variant.
    pub fn read(&self, variant: &Arc<Variant>) -> Result<Game, GameFault> {
        let start = AnyPosition::from_fen(variant, &self.fen);
        let start = start.map_err(|_| GameFault::Position(self.fen.clone()))?;
        let mut game = Game::from_position(start);
        for (ply, text) in (1..).zip(&self.moves) {
            let fault = || GameFault::Move { ply, found: text.clone() };
            let played = uci::parse(game.position(), text).map_err(|_| fault())?;
            game.play(played).map_err(|_| fault())?;
        }
        Ok(game)
    }
}

/// A search for a move in a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchJob {
    /// The game, in whose last position a move is searched.
    #[serde(flatten)]
    pub game: WrittenGame,
    /// Most nodes.
    pub nodes: Option<u64>,
    /// Deepest iteration, in plies.
    pub depth: Option<u32>,
    /// Longest search, in milliseconds.
    pub time_ms: Option<u64>,
    /// The handicap of a weak player.
    pub handicap: Option<WrittenHandicap>,
}

/// A [`Handicap`] in text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenHandicap {
    nodes: u64,
    blindness: u32,
    miscount: i32,
    seed: u64,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchResult {
    /// The move to play, in long algebraic form.
    pub best: Option<String>,
    /// Its score for the side to move.
    pub score: ScoreText,
    /// Nodes searched.
    pub nodes: u64,
    /// Deepest finished iteration.
    pub depth: u32,
}

/// A [`Score`] in text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScoreText {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Wins in this number of moves.
    Wins(u32),
    /// Loses in this number of moves.
    Loses(u32),
}

impl SearchJob {
    /// The kind of these jobs: moves and hints in games.
    pub const KIND: &str = "move";

    /// The job of searching for a move. `None` for limits that it cannot express: a clock, some moves only, several lines.
    #[must_use]
    pub fn new(game: &Game, digest: String, limits: &Limits) -> Option<Self> {
        let Limits { depth, nodes, movetime, handicap, .. } = *limits;
        let more = limits.clock.is_some() || limits.mate.is_some() || limits.multipv > 1;
        if more || !limits.searchmoves.is_empty() {
            return None;
        }
        let time_ms = movetime.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
        let handicap = handicap.map(|Handicap { nodes, blindness, miscount, seed }| WrittenHandicap {
            nodes,
            blindness,
            miscount,
            seed,
        });
        Some(Self { game: WrittenGame::new(game, digest), nodes, depth, time_ms, handicap })
    }

    /// The limits of the search.
    #[must_use]
    pub fn limits(&self) -> Limits {
        let handicap = self.handicap.map(|WrittenHandicap { nodes, blindness, miscount, seed }| Handicap {
            nodes,
            blindness,
            miscount,
            seed,
        });
        let movetime = self.time_ms.map(Duration::from_millis);
        Limits { depth: self.depth, nodes: self.nodes, movetime, handicap, ..Limits::default() }
    }

    /// Searches until the limits are reached or `signals` stop it.
    ///
    /// # Errors
    /// If it is not a game of this variant.
    pub fn run(
        &self,
        variant: &Arc<Variant>,
        engine: &mut Engine,
        signals: &Signals,
    ) -> Result<SearchResult, GameFault> {
        let game = self.game.read(variant)?;
        let report = engine.search(&game, &self.limits(), signals, &mut |_| {});
        let score = match report.score {
            Score::Centipawns(score) => ScoreText::Centipawns(score),
            Score::Wins(moves) => ScoreText::Wins(moves),
            Score::Loses(moves) => ScoreText::Loses(moves),
        };
        let best = report.best.map(|best| uci::write(variant, best));
        Ok(SearchResult { best, score, nodes: report.nodes, depth: report.depth })
    }
}

impl SearchResult {
    /// The result as of a search here. `None` if its move is not legal in this position.
    #[must_use]
    pub fn report(&self, position: &AnyPosition) -> Option<SearchReport> {
        let best = match &self.best {
            Some(text) => Some(uci::parse(position, text).ok()?),
            None => None,
        };
        let score = match self.score {
            ScoreText::Centipawns(score) => Score::Centipawns(score),
            ScoreText::Wins(moves) => Score::Wins(moves),
            ScoreText::Loses(moves) => Score::Loses(moves),
        };
        Some(SearchReport { best, ponder: None, score, nodes: self.nodes, depth: self.depth })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_rules::library;

    fn game() -> Game {
        let mut game = Game::new(&library::game("gardner").unwrap());
        for text in ["a2a3", "b4a3", "b1a3"] {
            game.play(uci::parse(game.position(), text).unwrap()).unwrap();
        }
        game
    }

    #[test]
    fn another_game_is_refused() {
        let game = game();
        let written = WrittenGame::new(&game, "digest".into());
        assert_eq!(written.read(game.variant()).unwrap().moves(), game.moves());
        let fault = |written: WrittenGame| written.read(game.variant()).unwrap_err();
        assert_eq!(
            fault(WrittenGame { fen: "x".into(), ..written.clone() }),
            GameFault::Position("x".into())
        );
        let moves = vec!["a2a3".into(), "a2a3".into()];
        assert_eq!(fault(WrittenGame { moves, ..written }), GameFault::Move { ply: 2, found: "a2a3".into() });
    }

    #[test]
    fn a_job_is_the_search_of_its_game() {
        let game = game();
        let limits = Limits { nodes: Some(2_000), handicap: Handicap::at_level(3, 5), ..Limits::default() };
        let job = SearchJob::new(&game, "digest".into(), &limits).unwrap();
        let (mut engine, signals) = (Engine::new(1), Signals::default());
        let found = job.run(game.variant(), &mut engine, &signals).unwrap();
        engine.clear();
        let expected = engine.search(&game, &limits, &signals, &mut |_| {});
        let report = found.report(game.position()).unwrap();
        assert_eq!(
            (report.best, report.score, report.nodes),
            (expected.best, expected.score, expected.nodes)
        );
        assert!(found.report(Game::new(game.variant()).position()).is_none(), "another position");
        let several = Limits { multipv: 2, ..limits };
        assert_eq!(SearchJob::new(&game, "digest".into(), &several), None);
    }
}
