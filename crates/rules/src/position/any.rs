//! `AnyPosition`: a position together with its game, for any width of its sets.

use super::{Move, Position, Status};
use crate::geometry::Square;
use crate::piece::{Color, Piece};
use crate::setup::fen::{self, FenError};
use crate::setup::{Setup, SetupError};
use crate::variant::tables::{AnyRules, by_width};
use crate::variant::{Rules, Stalemate, Variant};
use std::sync::Arc;

/// A legal position and the game it belongs to. Cheap to clone.
///
/// ```
/// use lozenge_rules::{position::AnyPosition, library};
/// let game = library::game("diamond").unwrap();
/// let position = AnyPosition::start(&game);
/// assert_eq!(position.legal_moves().len(), 8);
/// assert_eq!(position.perft(3), 608);
/// ```
#[derive(Clone, Debug)]
pub struct AnyPosition {
    variant: Arc<Variant>,
    width: Width,
}

/// A position by the number of words its sets need. Boxed, as games keep all their positions: one of 40 squares takes
/// a third of the room of the widest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Width {
    /// At most 64 squares.
    N1(Box<Position<1>>),
    /// At most 128 squares.
    N2(Box<Position<2>>),
    /// At most 192 squares.
    N3(Box<Position<3>>),
    /// At most 256 squares.
    N4(Box<Position<4>>),
}

macro_rules! widths {
    ($($words:literal => $width:ident),*) => {
        $(impl From<Position<$words>> for Width {
            fn from(position: Position<$words>) -> Self {
                Self::$width(Box::new(position))
            }
        })*
    };
}

widths!(1 => N1, 2 => N2, 3 => N3, 4 => N4);

/// A move that is not legal where it was to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected a legal move, found {0:?}")]
pub struct IllegalMove(pub Move);

/// A fault in the FEN of a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PositionError {
    /// It is not FEN.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// It is not a legal position.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

/// The FEN of a setup that is a legal position of a game, in the form in which positions are written.
pub(crate) fn canonical_fen(variant: &Variant, setup: &Setup) -> Result<String, SetupError> {
    by_width!(&*variant.tables, |rules| {
        let position = Position::from_setup(variant, rules, setup)?;
        Ok(AnyPosition::fen_of(variant, &position))
    })
}

/// Runs the same code with the position, of any width, and its tables.
macro_rules! with {
    ($self:expr, |$position:ident, $rules:ident| $body:expr) => {
        by_width!(&$self.width, &*$self.variant.tables, |$position, $rules| $body)
    };
}

/// Work to be done on a position of any width, with its tables: how callers outside this crate
/// (search, benchmarks) get at the fast form.
pub trait WidthVisitor {
    /// The result of the work.
    type Output;
    /// Does the work.
    fn visit<const N: usize>(self, position: &Position<N>, rules: &Rules<N>) -> Self::Output;
}

impl AnyPosition {
    /// The game's usual starting position.
    ///
    /// # Panics
    /// Never for a compiled [`Variant`]: its starts have been validated.
    ///
    /// ```
    /// use lozenge_rules::{library, position::AnyPosition};
    /// let position = AnyPosition::start(&library::game("diagonal").unwrap());
    /// assert_eq!(position.fen(), "3prnnk/4ppqb/5ppb/P5pr/RP5p/BPP5/BQPP4/KNNRP3 w - - 0 1");
    /// ```
    #[must_use]
    pub fn start(variant: &Arc<Variant>) -> Self {
        Self::start_number(variant, variant.usual_start()).expect("a compiled variant has legal starts")
    }

    /// The starting position with this number, from 0.
    ///
    /// ```
    /// use lozenge_rules::{library, position::AnyPosition};
    /// let game = library::game("chess960").unwrap();
    /// assert!(AnyPosition::start_number(&game, 959).is_some());
    /// assert!(AnyPosition::start_number(&game, 960).is_none());
    /// ```
    #[must_use]
    pub fn start_number(variant: &Arc<Variant>, number: usize) -> Option<Self> {
        let start = variant.starts().get(number)?;
        Self::from_fen(variant, &start.fen).ok()
    }

    /// Reads and validates a FEN.
    ///
    /// # Errors
    /// When the text is not FEN, or all reasons why it is not a position of the game.
    ///
    /// ```
    /// use lozenge_rules::{library, position::AnyPosition};
    /// let game = library::game("chess").unwrap();
    /// assert!(AnyPosition::from_fen(&game, "8/8/8/8/8/8/8/8 w - - 0 1").is_err(), "a board without Kings");
    /// ```
    pub fn from_fen(variant: &Arc<Variant>, fen: &str) -> Result<Self, PositionError> {
        let setup = fen::parse(variant.fen_context(), fen)?;
        Ok(Self::from_setup(variant, &setup)?)
    }

    /// Validates a setup.
    ///
    /// # Errors
    /// All reasons why it is not a position of the game.
    ///
    /// ```
    /// use lozenge_rules::geometry::Coord;
    /// use lozenge_rules::position::{AnyPosition, Cell};
    /// use lozenge_rules::library;
    /// let game = library::game("chess").unwrap();
    /// let mut setup = AnyPosition::start(&game).setup();
    /// setup.set(Coord { file: 4, rank: 7 }, Cell::Empty);
    /// let error = AnyPosition::from_setup(&game, &setup).unwrap_err();
    /// assert!(error.to_string().contains("expected exactly one king of Black, found 0"));
    /// ```
    pub fn from_setup(variant: &Arc<Variant>, setup: &Setup) -> Result<Self, SetupError> {
        let width =
            by_width!(&*variant.tables, |rules| Width::from(Position::from_setup(variant, rules, setup)?));
        Ok(Self { variant: Arc::clone(variant), width })
    }

    /// The position as FEN of this game, for any width: for positions made on the game's own tables.
    #[must_use]
    pub fn fen_of<const N: usize>(variant: &Variant, position: &Position<N>) -> String {
        fen::write(variant.fen_context(), &position.setup(variant.shape()))
    }

    /// The game.
    ///
    /// ```
    /// use lozenge_rules::{library, position::AnyPosition};
    /// let position = AnyPosition::start(&library::game("chess").unwrap());
    /// assert_eq!(position.variant().id(), "chess");
    /// ```
    #[must_use]
    pub fn variant(&self) -> &Arc<Variant> {
        &self.variant
    }

    /// The position as a setup.
    ///
    /// ```
    /// use lozenge_rules::{library, position::AnyPosition};
    /// let position = AnyPosition::start(&library::game("diamond").unwrap());
    /// let setup = position.setup();
    /// // The box of the board, with the cells that are holes.
    /// assert_eq!((setup.width, setup.cells.len()), (9, 81));
    /// assert_eq!(AnyPosition::from_setup(position.variant(), &setup), Ok(position));
    /// ```
    #[must_use]
    pub fn setup(&self) -> Setup {
        with!(self, |position, _rules| position.setup(self.variant.shape()))
    }

    /// The position as FEN, six fields or seven.
    ///
    /// ```
    /// use lozenge_rules::{library, position::AnyPosition};
    /// let position = AnyPosition::start(&library::game("diamond").unwrap());
    /// assert!(position.fen().starts_with("****k****/***anv***/"));
    /// ```
    #[must_use]
    pub fn fen(&self) -> String {
        fen::write(self.variant.fen_context(), &self.setup())
    }

    /// The side to move.
    ///
    /// ```
    /// use lozenge_rules::{library, position::{AnyPosition, Color}};
    /// let position = AnyPosition::start(&library::game("diamondring").unwrap());
    /// assert_eq!(position.turn(), Color::White);
    /// ```
    #[must_use]
    pub fn turn(&self) -> Color {
        with!(self, |position, _rules| position.turn())
    }

    /// The piece on a square of this board.
    ///
    /// ```
    /// use lozenge_rules::{library, position::AnyPosition};
    /// let position = AnyPosition::start(&library::game("chess").unwrap());
    /// let shape = position.variant().shape();
    /// assert!(position.piece_at(shape.named("e1").unwrap()).is_some());
    /// assert!(position.piece_at(shape.named("e4").unwrap()).is_none());
    /// ```
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        with!(self, |position, _rules| position.piece_at(square))
    }

    /// The piece that a legal move of this position captures, also en passant.
    ///
    /// ```
    /// use lozenge_rules::{library, position::AnyPosition};
    /// let chess = library::game("chess").unwrap();
    /// let position = AnyPosition::from_fen(&chess, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1").unwrap();
    /// let en_passant = position.legal_moves().into_iter().find(|&played| position.is_capture(played)).unwrap();
    /// assert_eq!(position.captured(en_passant), position.piece_at(chess.shape().named("d5").unwrap()));
    /// ```
    #[must_use]
    pub fn captured(&self, played: Move) -> Option<Piece> {
        with!(self, |position, _rules| position.captured(played))
    }

    /// Whether a legal move of this position captures, also en passant.
    ///
    /// ```
    /// use lozenge_rules::{library, notation::uci, position::AnyPosition};
    /// let chess = library::game("chess").unwrap();
    /// let position = AnyPosition::from_fen(&chess, "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1").unwrap();
    /// assert!(position.is_capture(uci::parse(&position, "e4d5").unwrap()));
    /// assert!(!position.is_capture(uci::parse(&position, "e4e5").unwrap()));
    /// ```
    #[must_use]
    pub fn is_capture(&self, played: Move) -> bool {
        with!(self, |position, _rules| position.is_capture(played))
    }

    /// Where a side's King stands.
    ///
    /// ```
    /// use lozenge_rules::{library, position::{AnyPosition, Color}};
    /// let position = AnyPosition::start(&library::game("chess").unwrap());
    /// assert_eq!(position.variant().shape().name(position.king(Color::Black)), "e8");
    /// ```
    #[must_use]
    pub fn king(&self, color: Color) -> Square {
        with!(self, |position, _rules| position.king(color))
    }

    /// Number of the move, from 1.
    ///
    /// ```
    /// use lozenge_rules::{library, notation::uci, position::AnyPosition};
    /// let start = AnyPosition::start(&library::game("chess").unwrap());
    /// let after = start.play(uci::parse(&start, "e2e4").unwrap()).unwrap();
    /// let reply = after.play(uci::parse(&after, "e7e5").unwrap()).unwrap();
    /// assert_eq!([&start, &after, &reply].map(AnyPosition::fullmove_number), [1, 1, 2]);
    /// ```
    #[must_use]
    pub fn fullmove_number(&self) -> u32 {
        with!(self, |position, _rules| position.fullmove_number())
    }

    /// Plies since the last capture or pawn move.
    ///
    /// ```
    /// use lozenge_rules::{library, notation::uci, position::AnyPosition};
    /// let start = AnyPosition::start(&library::game("chess").unwrap());
    /// let knight = start.play(uci::parse(&start, "g1f3").unwrap()).unwrap();
    /// let pawn = start.play(uci::parse(&start, "e2e4").unwrap()).unwrap();
    /// assert_eq!((knight.halfmove_clock(), pawn.halfmove_clock()), (1, 0));
    /// ```
    #[must_use]
    pub fn halfmove_clock(&self) -> u16 {
        with!(self, |position, _rules| position.halfmove_clock())
    }

    /// Hash: equal for positions that count as repetitions of each other.
    ///
    /// ```
    /// use lozenge_rules::{library, position::AnyPosition};
    /// let chess = library::game("chess").unwrap();
    /// let at = |fen| AnyPosition::from_fen(&chess, fen).unwrap().key();
    /// assert_eq!(at("7k/8/8/8/8/8/8/KR6 w - - 0 1"), at("7k/8/8/8/8/8/8/KR6 w - - 9 40"));
    /// assert_ne!(at("7k/8/8/8/8/8/8/KR6 w - - 0 1"), at("7k/8/8/8/8/8/8/KR6 b - - 0 1"));
    /// ```
    #[must_use]
    pub fn key(&self) -> u64 {
        with!(self, |position, _rules| position.key())
    }

    /// All legal moves, in no particular order.
    ///
    /// ```
    /// use lozenge_rules::{library, position::AnyPosition};
    /// let position = AnyPosition::start(&library::game("chess").unwrap());
    /// assert_eq!(position.legal_moves().len(), 20);
    /// ```
    #[must_use]
    pub fn legal_moves(&self) -> Vec<Move> {
        with!(self, |position, rules| position.legal_moves(rules))
    }

    /// Whether the move is one of the legal ones.
    ///
    /// ```
    /// use lozenge_rules::{library, position::AnyPosition};
    /// let position = AnyPosition::start(&library::game("chess").unwrap());
    /// let first = position.legal_moves()[0];
    /// assert!(position.is_legal(first));
    /// ```
    #[must_use]
    pub fn is_legal(&self, candidate: Move) -> bool {
        self.legal_moves().contains(&candidate)
    }

    /// The position after a legal move.
    ///
    /// # Errors
    /// When the move is not legal here.
    ///
    /// ```
    /// use lozenge_rules::{library, position::AnyPosition};
    /// let position = AnyPosition::start(&library::game("chess").unwrap());
    /// let after = position.play(position.legal_moves()[0]).unwrap();
    /// assert_ne!(after.key(), position.key());
    /// ```
    pub fn play(&self, played: Move) -> Result<Self, IllegalMove> {
        if !self.is_legal(played) {
            return Err(IllegalMove(played));
        }
        Ok(self.play_unchecked(played))
    }

    /// The position after a move that is known to be legal here, for example one just generated.
    ///
    /// ```
    /// use lozenge_rules::{library, position::AnyPosition};
    /// let start = AnyPosition::start(&library::game("diamondback").unwrap());
    /// let replies = |first| start.play_unchecked(first).perft(1);
    /// assert_eq!(start.legal_moves().into_iter().map(replies).sum::<u64>(), start.perft(2));
    /// ```
    #[must_use]
    pub fn play_unchecked(&self, played: Move) -> Self {
        let width = with!(self, |position, rules| Width::from(position.play(rules, played)));
        Self { variant: Arc::clone(&self.variant), width }
    }

    /// Whether the side to move is in check.
    ///
    /// ```
    /// use lozenge_rules::{library, position::AnyPosition};
    /// let game = library::game("chess").unwrap();
    /// let position = AnyPosition::from_fen(&game, "4k3/8/8/8/8/8/8/4RK2 b - - 0 1").unwrap();
    /// assert!(position.is_check() && position.checkers().len() == 1);
    /// ```
    #[must_use]
    pub fn is_check(&self) -> bool {
        with!(self, |position, rules| position.is_check(rules))
    }

    /// The squares of the pieces that give check.
    ///
    /// ```
    /// use lozenge_rules::{library, position::AnyPosition};
    /// let chess = library::game("chess").unwrap();
    /// let position = AnyPosition::from_fen(&chess, "4k3/8/3N4/8/8/8/8/K3R3 b - - 0 1").unwrap();
    /// let [e1, d6] = ["e1", "d6"].map(|name| chess.shape().named(name).unwrap());
    /// assert_eq!(position.checkers(), [e1, d6], "a double check");
    /// ```
    #[must_use]
    pub fn checkers(&self) -> Vec<Square> {
        with!(self, |position, rules| position.checkers(rules).into_iter().collect())
    }

    /// How the position stands.
    ///
    /// ```
    /// use lozenge_rules::{library, position::{AnyPosition, Status}};
    /// let game = library::game("chess").unwrap();
    /// let position = AnyPosition::from_fen(&game, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").unwrap();
    /// assert_eq!(position.status(), Status::Stalemate);
    /// ```
    #[must_use]
    pub fn status(&self) -> Status {
        with!(self, |position, rules| position.status(rules))
    }

    /// How the position stands, where its legal moves are known.
    ///
    /// ```
    /// use lozenge_rules::{library, position::{AnyPosition, Status}};
    /// let game = library::game("diagonal").unwrap();
    /// let position = AnyPosition::from_fen(&game, "7P/8/8/8/3k4/8/8/K7 b - - 0 1").unwrap();
    /// let legal = position.legal_moves();
    /// assert_eq!(position.status_among(&legal), Status::Goal, "the pawn has reached the far corner");
    /// ```
    #[must_use]
    pub fn status_among(&self, legal: &[Move]) -> Status {
        with!(self, |position, rules| position.status_among(rules, legal))
    }

    /// Whether it is proved that no sequence of legal moves wins for this side, regardless of the other side's
    /// pieces: then the other side's time running out is a draw. True for a bare King that has no goal, where
    /// stalemate is a draw.
    ///
    /// ```
    /// use lozenge_rules::{library, position::{AnyPosition, Color}};
    /// let game = library::game("diagonal").unwrap();
    /// let position = AnyPosition::from_fen(&game, "7k/8/8/8/8/8/8/KQ6 w - - 0 1").unwrap();
    /// assert!(position.has_insufficient_material(Color::Black));
    /// assert!(!position.has_insufficient_material(Color::White));
    /// ```
    #[must_use]
    pub fn has_insufficient_material(&self, color: Color) -> bool {
        self.variant.draws().stalemate == Stalemate::Draw
            && with!(self, |position, rules| {
                position.is_dead(rules) || position.has_harmless_king_only(rules, color)
            })
    }

    /// The number of sequences of `depth` legal moves.
    ///
    /// ```
    /// use lozenge_rules::{library, position::AnyPosition};
    /// let position = AnyPosition::start(&library::game("chess").unwrap());
    /// assert_eq!(position.perft(3), 8_902);
    /// ```
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        with!(self, |position, rules| position.perft(rules, depth))
    }

    /// The same, or `None` as soon as `stop` returns `true`.
    ///
    /// ```
    /// use lozenge_rules::{library, position::AnyPosition};
    /// let start = AnyPosition::start(&library::game("chess").unwrap());
    /// assert_eq!(start.perft_until(3, &|| false), Some(8_902));
    /// assert_eq!(start.perft_until(3, &|| true), None);
    /// ```
    #[must_use]
    pub fn perft_until(&self, depth: u32, stop: &dyn Fn() -> bool) -> Option<u64> {
        with!(self, |position, rules| position.perft_until(rules, depth, stop))
    }

    /// [`perft`](Self::perft) by first move; `depth >= 1`.
    ///
    /// ```
    /// use lozenge_rules::{library, position::AnyPosition};
    /// let position = AnyPosition::start(&library::game("chess").unwrap());
    /// let nodes: u64 = position.divide(3).iter().map(|(_, nodes)| nodes).sum();
    /// assert_eq!(nodes, 8_902);
    /// ```
    #[must_use]
    pub fn divide(&self, depth: u32) -> Vec<(Move, u64)> {
        with!(self, |position, rules| position.divide(rules, depth))
    }

    /// Where the piece on `square` could go if neither turn nor King mattered: for explaining moves.
    ///
    /// ```
    /// use lozenge_rules::{library, position::AnyPosition};
    /// let position = AnyPosition::start(&library::game("chess").unwrap());
    /// let b1 = position.variant().shape().named("b1").unwrap();
    /// assert_eq!(position.reach(b1).len(), 2);
    /// ```
    #[must_use]
    pub fn reach(&self, square: Square) -> Vec<Square> {
        with!(self, |position, rules| match position.piece_at(square) {
            Some(piece) => position.targets(rules, piece, square).into_iter().collect(),
            None => Vec::new(),
        })
    }

    /// Recomputes everything that is updated move by move and compares.
    ///
    /// # Panics
    /// When something differs: a mistake in this crate. For tests and fuzzing.
    pub fn assert_consistent(&self) {
        with!(self, |position, rules| position.assert_consistent(rules));
    }

    /// Does work on the fast form of the position.
    pub fn visit<V: WidthVisitor>(&self, visitor: V) -> V::Output {
        with!(self, |position, rules| visitor.visit(position, rules))
    }
}

impl PartialEq for AnyPosition {
    /// Same game and same position, clocks included.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.variant, &other.variant) && self.width == other.width
    }
}

impl Eq for AnyPosition {}
