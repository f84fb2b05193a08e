//! `AnyMultiPosition`: a position of four together with its game, for any width of its sets.

use super::{MultiPosition, MultiStatus};
use crate::geometry::Square;
use crate::position::{IllegalMove, Move};
use crate::seat::{BySeat, OwnedPiece, Seat, SeatSet};
use crate::setup::fen::FenError;
use crate::setup::multi::{self, MultiSetup, MultiSetupError};
use crate::variant::multi::AnyMultiRules;
use crate::variant::{MultiRules, MultiVariant};
use std::sync::Arc;

/// A legal position of four and the game it belongs to. Cheap to clone.
///
/// ```
/// use lozenge_rules::{library, position::AnyMultiPosition};
/// let game = library::multi_game("diamondring-four").unwrap();
/// let position = AnyMultiPosition::start(&game);
/// assert_eq!(position.legal_moves().len(), 26);
/// assert_eq!(position.perft(3), 17_732);
/// ```
#[derive(Clone, Debug)]
pub struct AnyMultiPosition {
    variant: Arc<MultiVariant>,
    width: MultiWidth,
}

/// A position by the number of words its sets need.
#[derive(Clone, PartialEq, Eq, Debug)]
enum MultiWidth {
    N1(Box<MultiPosition<1>>),
    N2(Box<MultiPosition<2>>),
    N3(Box<MultiPosition<3>>),
    N4(Box<MultiPosition<4>>),
}

/// Work on the fast form of a position of four, with the width as a constant.
pub trait MultiWidthVisitor {
    /// The result of the work.
    type Output;
    /// Does the work.
    fn visit<const N: usize>(self, position: &MultiPosition<N>, rules: &MultiRules<N>) -> Self::Output;
}

/// A fault in the FEN of a game of four.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MultiPositionError {
    /// It is not FEN.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// It is not a legal position.
    #[error(transparent)]
    Setup(#[from] MultiSetupError),
}

/// Runs the same code with the position, of any width, and its tables.
macro_rules! with {
    ($self:expr, |$position:ident, $rules:ident| $body:expr) => {
        match (&$self.width, &$self.variant.rules) {
            (MultiWidth::N1($position), AnyMultiRules::N1($rules)) => $body,
            (MultiWidth::N2($position), AnyMultiRules::N2($rules)) => $body,
            (MultiWidth::N3($position), AnyMultiRules::N3($rules)) => $body,
            (MultiWidth::N4($position), AnyMultiRules::N4($rules)) => $body,
            _ => unreachable!("a position is made with the tables of its own game"),
        }
    };
}

/// The position after `$body`, a position of the same width.
macro_rules! next {
    ($self:expr, |$position:ident, $rules:ident| $body:expr) => {
        match (&$self.width, &$self.variant.rules) {
            (MultiWidth::N1($position), AnyMultiRules::N1($rules)) => MultiWidth::N1(Box::new($body)),
            (MultiWidth::N2($position), AnyMultiRules::N2($rules)) => MultiWidth::N2(Box::new($body)),
            (MultiWidth::N3($position), AnyMultiRules::N3($rules)) => MultiWidth::N3(Box::new($body)),
            (MultiWidth::N4($position), AnyMultiRules::N4($rules)) => MultiWidth::N4(Box::new($body)),
            _ => unreachable!("a position is made with the tables of its own game"),
        }
    };
}

/// The FEN of a setup that is a legal start of a game, in the form in which positions are written.
pub(crate) fn canonical_multi_fen(
    variant: &MultiVariant,
    setup: &MultiSetup,
) -> Result<String, MultiSetupError> {
    let setup = match &variant.rules {
        AnyMultiRules::N1(rules) => MultiPosition::from_start(variant, rules, setup)?.setup(variant),
        AnyMultiRules::N2(rules) => MultiPosition::from_start(variant, rules, setup)?.setup(variant),
        AnyMultiRules::N3(rules) => MultiPosition::from_start(variant, rules, setup)?.setup(variant),
        AnyMultiRules::N4(rules) => MultiPosition::from_start(variant, rules, setup)?.setup(variant),
    };
    Ok(multi::write(variant.fen_context(), &setup))
}

impl AnyMultiPosition {
    /// The game's starting position.
    ///
    /// # Panics
    /// Never for a compiled [`MultiVariant`]: its start has been validated.
    ///
    /// ```
    /// use lozenge_rules::{library, position::AnyMultiPosition};
    /// let game = library::multi_game("fourplayerchess").unwrap();
    /// assert_eq!(AnyMultiPosition::start(&game).perft(2), 395);
    /// ```
    #[must_use]
    pub fn start(variant: &Arc<MultiVariant>) -> Self {
        Self::from_fen(variant, variant.start()).expect("a compiled variant has a legal start")
    }

    /// Reads, validates and resolves a FEN: a player to move who has no legal move is mated or passes.
    ///
    /// # Errors
    /// When the text is not FEN, or all reasons why it is not a position of the game.
    ///
    /// ```
    /// use lozenge_rules::{library, position::AnyMultiPosition};
    /// let game = library::multi_game("diamondring-teams").unwrap();
    /// let error = AnyMultiPosition::from_fen(&game, "12/12/12/12/12/12/12/12/12/12/12/12 r - - 0 1 rbyg");
    /// assert!(error.unwrap_err().to_string().starts_with("expected exactly one king of Red, found 0; "));
    /// ```
    pub fn from_fen(variant: &Arc<MultiVariant>, fen: &str) -> Result<Self, MultiPositionError> {
        let setup = multi::parse(variant.fen_context(), fen)?;
        let width = match &variant.rules {
            AnyMultiRules::N1(rules) => {
                MultiWidth::N1(Box::new(MultiPosition::from_setup(variant, rules, &setup)?))
            }
            AnyMultiRules::N2(rules) => {
                MultiWidth::N2(Box::new(MultiPosition::from_setup(variant, rules, &setup)?))
            }
            AnyMultiRules::N3(rules) => {
                MultiWidth::N3(Box::new(MultiPosition::from_setup(variant, rules, &setup)?))
            }
            AnyMultiRules::N4(rules) => {
                MultiWidth::N4(Box::new(MultiPosition::from_setup(variant, rules, &setup)?))
            }
        };
        Ok(Self { variant: Arc::clone(variant), width })
    }

    /// The game.
    #[must_use]
    pub fn variant(&self) -> &Arc<MultiVariant> {
        &self.variant
    }

    /// The position as FEN.
    ///
    /// ```
    /// use lozenge_rules::{library, position::AnyMultiPosition};
    /// let start = AnyMultiPosition::start(&library::multi_game("diamondring-four").unwrap());
    /// assert!(start.fen().ends_with(" r - - 0 1 rbyg"));
    /// assert_eq!(start.fen(), start.variant().start());
    /// ```
    #[must_use]
    pub fn fen(&self) -> String {
        let setup = with!(self, |position, _rules| position.setup(&self.variant));
        multi::write(self.variant.fen_context(), &setup)
    }

    /// The player to move.
    ///
    /// ```
    /// use lozenge_rules::{library, position::AnyMultiPosition, seat::Seat};
    /// let game = library::multi_game("diamondring-four").unwrap();
    /// assert_eq!(AnyMultiPosition::start(&game).turn(), Seat::Red);
    /// ```
    #[must_use]
    pub fn turn(&self) -> Seat {
        with!(self, |position, _rules| position.turn())
    }

    /// The players who are living.
    ///
    /// ```
    /// use lozenge_rules::{library, position::AnyMultiPosition, seat::Seat};
    /// let start = AnyMultiPosition::start(&library::multi_game("diamondring-four").unwrap());
    /// let without_red = start.play_exit().unwrap();
    /// assert!(without_red.living().iter().eq([Seat::Blue, Seat::Yellow, Seat::Green]));
    /// ```
    #[must_use]
    pub fn living(&self) -> SeatSet {
        with!(self, |position, _rules| position.living())
    }

    /// The players who are out, the first one first.
    ///
    /// ```
    /// use lozenge_rules::{library, position::AnyMultiPosition, seat::Seat};
    /// let start = AnyMultiPosition::start(&library::multi_game("diamondring-four").unwrap());
    /// assert_eq!(start.play_exit().unwrap().out(), [Seat::Red]);
    /// ```
    #[must_use]
    pub fn out(&self) -> Vec<Seat> {
        with!(self, |position, _rules| position.out().to_vec())
    }

    /// Number of the round, from 1.
    #[must_use]
    pub fn fullmove_number(&self) -> u32 {
        with!(self, |position, _rules| position.fullmove_number())
    }

    /// Plies since the last capture, pawn move or exit of a player.
    #[must_use]
    pub fn halfmove_clock(&self) -> u16 {
        with!(self, |position, _rules| position.halfmove_clock())
    }

    /// Whether the players who are hostile to the one to move have only their Kings.
    pub(super) fn has_harmless_enemies(&self) -> bool {
        with!(self, |position, rules| position.has_bare_kings(position.enemies(rules, position.turn())))
    }

    /// Whether this is the same position of the same game, clocks apart.
    pub(super) fn is_repetition(&self, other: &Self) -> bool {
        match (&self.width, &other.width) {
            (MultiWidth::N1(one), MultiWidth::N1(other)) => one.is_repetition(other),
            (MultiWidth::N2(one), MultiWidth::N2(other)) => one.is_repetition(other),
            (MultiWidth::N3(one), MultiWidth::N3(other)) => one.is_repetition(other),
            (MultiWidth::N4(one), MultiWidth::N4(other)) => one.is_repetition(other),
            _ => false,
        }
    }

    /// The places of the players if the game ends now, as if everyone played alone.
    pub(super) fn ranking(&self) -> BySeat<u8> {
        with!(self, |position, rules| position.ranking(rules))
    }

    /// All legal moves, in no particular order.
    ///
    /// ```
    /// use lozenge_rules::{library, position::AnyMultiPosition};
    /// let start = AnyMultiPosition::start(&library::multi_game("fourplayerchess").unwrap());
    /// assert_eq!(start.legal_moves().len(), 20);
    /// ```
    #[must_use]
    pub fn legal_moves(&self) -> Vec<Move> {
        with!(self, |position, rules| position.legal_moves(rules))
    }

    /// The resolved position after a legal move.
    ///
    /// # Errors
    /// When the move is not legal here.
    ///
    /// ```
    /// use lozenge_rules::{library, position::AnyMultiPosition, seat::Seat};
    /// let start = AnyMultiPosition::start(&library::multi_game("diamondring-four").unwrap());
    /// let first = start.legal_moves()[0];
    /// let after = start.play(first).unwrap();
    /// assert_eq!(after.turn(), Seat::Blue);
    /// assert!(after.play(first).is_err(), "Blue has no piece there");
    /// ```
    pub fn play(&self, played: Move) -> Result<Self, IllegalMove> {
        if !self.legal_moves().contains(&played) {
            return Err(IllegalMove(played));
        }
        Ok(self.play_unchecked(played))
    }

    /// The resolved position after a move that is known to be legal here.
    #[must_use]
    pub fn play_unchecked(&self, played: Move) -> Self {
        let width = next!(self, |position, rules| position.play(rules, played));
        Self { variant: Arc::clone(&self.variant), width }
    }

    /// The resolved position after the player to move has resigned or run out of time; `None` when the game is over.
    ///
    /// ```
    /// use lozenge_rules::{library, position::AnyMultiPosition};
    /// let game = library::multi_game("diamondring-four").unwrap();
    /// let after = AnyMultiPosition::start(&game).play_exit().unwrap();
    /// assert!(after.fen().ends_with(" b - - 0 1 byg/r"));
    /// ```
    #[must_use]
    pub fn play_exit(&self) -> Option<Self> {
        let width = next!(self, |position, rules| position.play_exit(rules)?);
        Some(Self { variant: Arc::clone(&self.variant), width })
    }

    /// Whether the player to move is in check.
    #[must_use]
    pub fn is_check(&self) -> bool {
        with!(self, |position, rules| position.is_attacked(rules, position.turn()))
    }

    /// The square of a living player's King.
    ///
    /// ```
    /// use lozenge_rules::{library, position::AnyMultiPosition, seat::Seat};
    /// let start = AnyMultiPosition::start(&library::multi_game("diamondring-four").unwrap());
    /// assert!(start.king(Seat::Red).is_some());
    /// assert_eq!(start.play_exit().unwrap().king(Seat::Red), None, "the King leaves the board");
    /// ```
    #[must_use]
    pub fn king(&self, seat: Seat) -> Option<Square> {
        with!(self, |position, _rules| position.king(seat))
    }

    /// The squares of the living players' pieces, each with where its piece could go on its owner's turn, whether or not the King
    /// is safe then.
    #[must_use]
    pub fn reach(&self) -> Vec<(Square, Vec<Square>)> {
        let mut reach = Vec::new();
        for seat in self.living().iter() {
            with!(self, |position, rules| position.for_each_reach(rules, seat, |from, _, to| {
                reach.push((from, to.into_iter().collect()));
            }));
        }
        reach
    }

    /// How the position stands.
    ///
    /// ```
    /// use lozenge_rules::{library, position::{AnyMultiPosition, MultiStatus}};
    /// let start = AnyMultiPosition::start(&library::multi_game("diamondring-teams").unwrap());
    /// assert_eq!(start.status(), MultiStatus::Ongoing);
    /// // The first player who goes out loses for the team.
    /// assert_eq!(start.play_exit().unwrap().status(), MultiStatus::Decided);
    /// ```
    #[must_use]
    pub fn status(&self) -> MultiStatus {
        with!(self, |position, rules| position.status(rules))
    }

    /// The places of the players, where everyone plays alone and the game is over; 0 for an empty seat.
    ///
    /// ```
    /// use lozenge_rules::{library, position::AnyMultiPosition, seat::BySeat};
    /// let mut position = AnyMultiPosition::start(&library::multi_game("diamondring-four").unwrap());
    /// assert_eq!(position.places(), None, "the game is not over");
    /// for _ in 0..3 {
    ///     position = position.play_exit().unwrap();
    /// }
    /// assert_eq!(position.places(), Some(BySeat::new([4, 3, 2, 1])));
    /// ```
    #[must_use]
    pub fn places(&self) -> Option<BySeat<u8>> {
        let is_ranked = !self.variant.is_teams() && self.status().is_over();
        is_ranked.then(|| self.ranking())
    }

    /// The number of sequences of `depth` legal moves.
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        with!(self, |position, rules| position.perft(rules, depth))
    }

    /// As [`perft`](Self::perft); `None` if `stop`, which is called at every node above the leaves, returned true.
    #[must_use]
    pub fn perft_until(&self, depth: u32, stop: &dyn Fn() -> bool) -> Option<u64> {
        with!(self, |position, rules| position.perft_until(rules, depth, stop))
    }

    /// The piece on a square.
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<OwnedPiece> {
        with!(self, |position, _rules| position.piece_at(square))
    }

    /// The pieces that a legal move captures: two by some captures en passant.
    #[must_use]
    pub fn captured(&self, played: Move) -> Vec<OwnedPiece> {
        with!(self, |position, rules| position.captured(rules, played).collect())
    }

    /// [`perft`](Self::perft) by first move; `depth >= 1`.
    ///
    /// ```
    /// use lozenge_rules::{library, position::AnyMultiPosition};
    /// let start = AnyMultiPosition::start(&library::multi_game("diamondring-four").unwrap());
    /// let counts = start.divide(2);
    /// assert_eq!(counts.len(), 26);
    /// assert_eq!(counts.iter().map(|(_, nodes)| nodes).sum::<u64>(), start.perft(2));
    /// ```
    #[must_use]
    pub fn divide(&self, depth: u32) -> Vec<(Move, u64)> {
        with!(self, |position, rules| position.divide(rules, depth))
    }

    /// The Zobrist key: the same for positions that count as repetitions of each other, and hardly ever for others.
    ///
    /// ```
    /// use lozenge_rules::{library, position::AnyMultiPosition};
    /// let game = library::multi_game("diamondring-four").unwrap();
    /// let start = AnyMultiPosition::start(&game);
    /// assert_eq!(AnyMultiPosition::from_fen(&game, &start.fen()).unwrap().key(), start.key());
    /// ```
    #[must_use]
    pub fn key(&self) -> u64 {
        with!(self, |position, _rules| position.key())
    }

    /// Runs a visitor with the fast form of the position and its tables.
    pub fn visit<V: MultiWidthVisitor>(&self, visitor: V) -> V::Output {
        with!(self, |position, rules| visitor.visit(position, rules))
    }

    /// Compares the sets of pieces with the board.
    ///
    /// # Panics
    /// When something differs: a mistake in this crate. For tests and fuzzing.
    pub fn assert_consistent(&self) {
        with!(self, |position, rules| position.assert_consistent(rules));
    }
}

impl PartialEq for AnyMultiPosition {
    /// Same game and same position, clocks included.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.variant, &other.variant) && self.width == other.width
    }
}

impl Eq for AnyMultiPosition {}
