//! A game being played: a start, moves, undo, and the outcomes that need history.

use super::{AnyPosition, DrawReason, IllegalMove, Move, Outcome, Status, WinReason};
use crate::piece::Color;
use crate::variant::{Limit, Stalemate, Variant};
use std::sync::Arc;

/// Plies from one stored position to the next.
const SPACING: usize = 16;

/// A line of play from a position, with every position so far, so that undo is exact and repetition is counted. Long
/// games are small: each sixteenth position is stored, the others are replayed on demand.
#[derive(Clone, Debug)]
pub struct Game {
    /// Each [`SPACING`]th position, the start first.
    checkpoints: Vec<AnyPosition>,
    /// The position now.
    position: AnyPosition,
    /// The keys of all positions: one more than moves.
    keys: Vec<u64>,
    moves: Vec<Move>,
}

impl Game {
    /// A game from the variant's first starting position.
    ///
    /// ```
    /// use lozenge_rules::{library, position::Game};
    /// let game = Game::new(&library::game("chess").unwrap());
    /// assert_eq!(game.moves().len(), 0);
    /// ```
    #[must_use]
    pub fn new(variant: &Arc<Variant>) -> Self {
        Self::from_position(AnyPosition::start(variant))
    }

    /// A game that begins with this position.
    ///
    /// ```
    /// use lozenge_rules::{library, position::{AnyPosition, Game, Outcome, DrawReason}};
    /// let chess = library::game("chess").unwrap();
    /// let bare_kings = AnyPosition::from_fen(&chess, "4k3/8/8/8/8/8/8/4K3 w - - 0 1").unwrap();
    /// assert_eq!(Game::from_position(bare_kings).outcome(), Some(Outcome::Draw(DrawReason::DeadPosition)));
    /// ```
    #[must_use]
    pub fn from_position(start: AnyPosition) -> Self {
        Self { keys: vec![start.key()], position: start.clone(), checkpoints: vec![start], moves: Vec::new() }
    }

    /// The rules.
    #[must_use]
    pub fn variant(&self) -> &Arc<Variant> {
        self.position.variant()
    }

    /// The position the game began with.
    #[must_use]
    pub fn start(&self) -> &AnyPosition {
        &self.checkpoints[0]
    }

    /// The position now.
    #[must_use]
    pub fn position(&self) -> &AnyPosition {
        &self.position
    }

    /// All positions, the start first: one more than moves.
    ///
    /// ```
    /// use lozenge_rules::{library, notation::uci, position::Game};
    /// let mut game = Game::new(&library::game("chess").unwrap());
    /// for text in ["e2e4", "e7e5", "g1f3"] {
    ///     game.play(uci::parse(game.position(), text).unwrap()).unwrap();
    /// }
    /// let legal: Vec<usize> = game.positions().map(|position| position.legal_moves().len()).collect();
    /// assert_eq!(legal, [20, 20, 29, 29]);
    /// ```
    pub fn positions(&self) -> impl Iterator<Item = AnyPosition> + '_ {
        let played = self.moves.iter().scan(self.start().clone(), |position, &played| {
            *position = position.play_unchecked(played);
            Some(position.clone())
        });
        std::iter::once(self.start().clone()).chain(played)
    }

    /// The position after this number of plies; `None` if the game has fewer.
    ///
    /// ```
    /// use lozenge_rules::{library, notation::uci, position::Game};
    /// let mut game = Game::new(&library::game("chess").unwrap());
    /// let e4 = uci::parse(game.position(), "e2e4").unwrap();
    /// game.play(e4).unwrap();
    /// assert_eq!(game.position_at(0).unwrap().fen(), game.start().fen());
    /// assert!(game.position_at(2).is_none());
    /// ```
    #[must_use]
    pub fn position_at(&self, ply: usize) -> Option<AnyPosition> {
        let since = self.moves.get(..ply)?;
        let checkpoint = ply / SPACING;
        let play = |position: AnyPosition, &played: &Move| position.play_unchecked(played);
        Some(since[checkpoint * SPACING..].iter().fold(self.checkpoints[checkpoint].clone(), play))
    }

    /// The keys of all positions, the start's first: one more than moves.
    ///
    /// ```
    /// use lozenge_rules::{library, notation::uci, position::Game};
    /// let mut game = Game::new(&library::game("chess").unwrap());
    /// for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
    ///     game.play(uci::parse(game.position(), text).unwrap()).unwrap();
    /// }
    /// assert_eq!(game.keys().len(), 5);
    /// assert_eq!(game.keys()[0], game.keys()[4], "the first position again");
    /// ```
    #[must_use]
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// The moves so far.
    ///
    /// ```
    /// use lozenge_rules::{library, notation::uci, position::Game};
    /// let mut game = Game::new(&library::game("chess").unwrap());
    /// for text in ["e2e4", "c7c5"] {
    ///     game.play(uci::parse(game.position(), text).unwrap()).unwrap();
    /// }
    /// let write = |&played: &_| uci::write(game.variant(), played);
    /// assert!(game.moves().iter().map(write).eq(["e2e4", "c7c5"]));
    /// ```
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Plays a legal move, also where a draw could be claimed; not after the game has ended by mate,
    /// stalemate or goal, where no move is legal.
    ///
    /// # Errors
    /// When the move is not legal; the game is as before.
    ///
    /// ```
    /// use lozenge_rules::{library, notation::uci, position::Game};
    /// let mut game = Game::new(&library::game("chess").unwrap());
    /// let e4 = uci::parse(game.position(), "e2e4").unwrap();
    /// game.play(e4).unwrap();
    /// assert!(game.play(e4).is_err(), "it is Black's turn");
    /// ```
    pub fn play(&mut self, played: Move) -> Result<(), IllegalMove> {
        let next = self.position().play(played)?;
        self.push(played, next);
        Ok(())
    }

    /// Plays a move that is known to be legal here, for example one just found among the legal ones.
    pub fn play_unchecked(&mut self, played: Move) {
        let next = self.position().play_unchecked(played);
        self.push(played, next);
    }

    /// Adds a legal move and the position after it, where both are known.
    ///
    /// ```
    /// use lozenge_rules::{library, notation::san, position::Game};
    /// let mut game = Game::new(&library::game("chess").unwrap());
    /// let e4 = san::parse(game.position(), "e4").unwrap();
    /// let next = game.position().play(e4).unwrap();
    /// game.push(e4, next.clone());
    /// assert_eq!(game.position(), &next);
    /// ```
    pub fn push(&mut self, played: Move, next: AnyPosition) {
        self.keys.push(next.key());
        self.moves.push(played);
        if self.moves.len().is_multiple_of(SPACING) {
            self.checkpoints.push(next.clone());
        }
        self.position = next;
    }

    /// Takes the last move back and returns it; `None` at the start.
    ///
    /// ```
    /// use lozenge_rules::{library, notation::uci, position::Game};
    /// let mut game = Game::new(&library::game("chess").unwrap());
    /// let start = game.position().fen();
    /// let e4 = uci::parse(game.position(), "e2e4").unwrap();
    /// game.play(e4).unwrap();
    /// assert_eq!(game.undo(), Some(e4));
    /// assert_eq!(game.position().fen(), start);
    /// ```
    pub fn undo(&mut self) -> Option<Move> {
        let before = self.moves.len().checked_sub(1)?;
        self.position = self.position_at(before)?;
        self.checkpoints.truncate(before / SPACING + 1);
        self.keys.pop();
        self.moves.pop()
    }

    /// How often the position has occurred, now included: at least 1.
    ///
    /// ```
    /// use lozenge_rules::{library, notation::uci, position::Game};
    /// let mut game = Game::new(&library::game("chess").unwrap());
    /// for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
    ///     game.play(uci::parse(game.position(), text).unwrap()).unwrap();
    /// }
    /// assert_eq!(game.occurrences(), 2);
    /// ```
    #[must_use]
    pub fn occurrences(&self) -> u32 {
        1 + self.occurrences_before(self.moves.len(), &self.position)
    }

    /// How often a position has occurred among the first `plies` positions.
    fn occurrences_before(&self, plies: usize, now: &AnyPosition) -> u32 {
        // Keys first, then the setups themselves: a draw is never declared on a hash collision.
        let key = now.key();
        let same =
            |(ply, _): (usize, &u64)| self.position_at(ply).is_some_and(|then| is_repetition(&then, now));
        let alike = self.keys[..plies].iter().enumerate().filter(|&(_, &then)| then == key);
        alike.filter(|&found| same(found)).count() as u32
    }

    /// How the game has ended, if it has: mate, stalemate, goal, dead position, or a count that ends
    /// the game by itself. A draw that could only be claimed is not an outcome.
    ///
    /// ```
    /// use lozenge_rules::{library, notation::uci, position::{Color, Game, Outcome, WinReason}};
    /// let mut game = Game::new(&library::game("chess").unwrap());
    /// for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
    ///     game.play(uci::parse(game.position(), text).unwrap()).unwrap();
    /// }
    /// let mate = Outcome::Win { winner: Color::Black, reason: WinReason::Checkmate };
    /// assert_eq!(game.outcome(), Some(mate));
    /// ```
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome_of(self.position(), self.position().status(), || self.occurrences())
    }

    /// How the game would have ended with this position, which follows by a legal move from the one now, and its status.
    ///
    /// ```
    /// use lozenge_rules::{library, notation::san, position::{AnyPosition, Color, Game, Outcome, WinReason}};
    /// let chess = library::game("chess").unwrap();
    /// let start = AnyPosition::from_fen(&chess, "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1").unwrap();
    /// let game = Game::from_position(start);
    /// let next = game.position().play(san::parse(game.position(), "Re8").unwrap()).unwrap();
    /// let mate = Outcome::Win { winner: Color::White, reason: WinReason::Checkmate };
    /// assert_eq!(game.outcome_after(&next, next.status()), Some(mate));
    /// assert_eq!(game.outcome(), None, "the move is not played");
    /// ```
    #[must_use]
    pub fn outcome_after(&self, next: &AnyPosition, status: Status) -> Option<Outcome> {
        self.outcome_of(next, status, || 1 + self.occurrences_before(self.keys.len(), next))
    }

    fn outcome_of(
        &self,
        position: &AnyPosition,
        status: Status,
        occurrences: impl FnOnce() -> u32,
    ) -> Option<Outcome> {
        let mover = position.turn().opponent();
        match status {
            Status::Checkmate => return Some(Outcome::Win { winner: mover, reason: WinReason::Checkmate }),
            Status::Goal => return Some(Outcome::Win { winner: mover, reason: WinReason::Goal }),
            Status::Stalemate => return Some(self.stalemate(mover)),
            Status::Dead => return Some(Outcome::Draw(DrawReason::DeadPosition)),
            Status::Ongoing | Status::Check => {}
        }
        let draws = self.variant().draws();
        if reached(draws.repetition.end, occurrences()) {
            return Some(Outcome::Draw(DrawReason::Repetition));
        }
        reached(draws.moves.end, moves_without_progress(position))
            .then_some(Outcome::Draw(DrawReason::MoveCount))
    }

    /// Why the side to move could claim a draw now, if it can.
    ///
    /// ```
    /// use lozenge_rules::{library, notation::uci, position::{DrawReason, Game}};
    /// let mut game = Game::new(&library::game("chess").unwrap());
    /// for text in ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(2) {
    ///     game.play(uci::parse(game.position(), text).unwrap()).unwrap();
    /// }
    /// assert_eq!(game.claimable_draw(), Some(DrawReason::Repetition));
    /// ```
    #[must_use]
    pub fn claimable_draw(&self) -> Option<DrawReason> {
        let draws = self.variant().draws();
        let Limit { claim, .. } = draws.repetition;
        if reached(claim, self.occurrences()) {
            return Some(DrawReason::Repetition);
        }
        reached(draws.moves.claim, moves_without_progress(self.position())).then_some(DrawReason::MoveCount)
    }

    fn stalemate(&self, mover: Color) -> Outcome {
        let winner = match self.variant().draws().stalemate {
            Stalemate::Draw => return Outcome::Draw(DrawReason::Stalemate),
            Stalemate::Loss => mover,
            Stalemate::Win => mover.opponent(),
        };
        Outcome::Win { winner, reason: WinReason::Stalemate }
    }
}

/// Full moves (one by each side) since the last capture or pawn move.
fn moves_without_progress(position: &AnyPosition) -> u32 {
    u32::from(position.halfmove_clock()) / 2
}

const fn reached(limit: u32, count: u32) -> bool {
    limit != 0 && count >= limit
}

/// Equal but for the clocks.
fn is_repetition(a: &AnyPosition, b: &AnyPosition) -> bool {
    let (mut a, mut b) = (a.setup(), b.setup());
    for setup in [&mut a, &mut b] {
        setup.halfmove_clock = 0;
        setup.fullmove_number = 1;
    }
    a == b
}
