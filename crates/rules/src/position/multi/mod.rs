//! Positions of games of three and four. [`MultiPosition`] is the fast one, which works on the tables of its game ([`MultiRules`]);
//! [`AnyMultiPosition`] knows its game and hides the width.
//!
//! A position is resolved: a player who is mated is out and one who must pass has passed, so that the player to move has a legal
//! move or the game is over.

mod any;
mod game;
mod moves;
mod status;
mod turn;
mod validate;

pub(crate) use any::canonical_multi_fen;
pub use any::{AnyMultiPosition, MultiPositionError, MultiWidthVisitor};
pub use game::{MultiEnd, MultiGame, MultiOutcome, MultiResult, MultiTurn};
pub use status::MultiStatus;

use crate::geometry::{BySquare, Square, SquareSet};
use crate::position::{Move, MoveKind};
use crate::seat::{BySeat, OwnedPiece, SEATS, Seat, SeatSet};
use crate::variant::MultiRules;

/// A legal position of a game of three or four on at most `64 * N` squares. Plain data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MultiPosition<const N: usize> {
    /// The pieces of the living players.
    pieces: BySeat<SquareSet<N>>,
    dead: SquareSet<N>,
    /// Pieces that slide along files and ranks, dead ones included; and along diagonals.
    sliders: [SquareSet<N>; 2],
    board: BySquare<Option<OwnedPiece>, N>,
    /// The Kings of the living players; square 0 for the others.
    kings: BySeat<Square>,
    turn: Seat,
    living: SeatSet,
    /// Those who are out, in that order; Red behind them.
    out: [Seat; SEATS],
    /// How many are out.
    out_count: u8,
    /// Castling rights, a bit for each right of the game.
    rights: u16,
    /// The double steps since each player's last turn that can still be answered.
    offers: BySeat<Option<Offer>>,
    halfmove_clock: u16,
    fullmove_number: u32,
    /// That of pieces, rights and offers.
    key: u64,
}

/// A piece that has made a double step and can be captured en passant until its player's next turn, by every hostile player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Offer {
    crossed: Square,
    pawn: Square,
}

/// How far the keys of pieces are turned: by owner, since two seats may have the same table, and for dead pieces.
const KEY_TURNS: BySeat<u32> = BySeat::new([0, 0, 11, 23]);
const DEAD_KEY_TURNS: u32 = 37;

impl<const N: usize> MultiPosition<N> {
    /// The player to move.
    #[inline]
    #[must_use]
    pub const fn turn(&self) -> Seat {
        self.turn
    }

    /// The players who are living.
    #[inline]
    #[must_use]
    pub const fn living(&self) -> SeatSet {
        self.living
    }

    /// The players who are out, in that order.
    #[must_use]
    pub fn out(&self) -> &[Seat] {
        self.out.get(..usize::from(self.out_count)).unwrap_or_default()
    }

    /// The piece on a square.
    #[inline]
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<OwnedPiece> {
        self.board[square]
    }

    /// The squares of a living player's pieces.
    #[inline]
    #[must_use]
    pub fn pieces(&self, seat: Seat) -> SquareSet<N> {
        self.pieces[seat]
    }

    /// The squares of the pieces whose players have gone out.
    #[inline]
    #[must_use]
    pub const fn dead(&self) -> SquareSet<N> {
        self.dead
    }

    /// All squares with a piece.
    #[inline]
    #[must_use]
    pub fn occupied(&self) -> SquareSet<N> {
        self.pieces.iter().fold(self.dead, |all, pieces| all | *pieces)
    }

    /// A player's King.
    #[inline]
    #[must_use]
    pub fn king(&self, seat: Seat) -> Option<Square> {
        self.living.contains(seat).then(|| self.kings[seat])
    }

    /// The Zobrist key: the same for positions that count as repetitions of each other, and hardly ever for others.
    #[inline]
    #[must_use]
    pub const fn key(&self) -> u64 {
        // Odd, so that no two products are the same.
        self.key ^ (self.turn.index() as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    /// Plies since the last capture, pawn move or exit of a player.
    #[must_use]
    pub const fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// Number of the move, from 1.
    #[must_use]
    pub const fn fullmove_number(&self) -> u32 {
        self.fullmove_number
    }

    /// Whether a position counts as a repetition of this one: the same pieces of the same players, and the same one to move.
    #[must_use]
    pub fn is_repetition(&self, other: &Self) -> bool {
        let clocks = (other.halfmove_clock, other.fullmove_number);
        let like = Self { halfmove_clock: clocks.0, fullmove_number: clocks.1, out: other.out, ..*self };
        like == *other
    }

    /// The living players who are hostile to this one.
    #[inline]
    #[must_use]
    pub fn enemies(&self, rules: &MultiRules<N>, seat: Seat) -> SeatSet {
        rules.hostile[seat].intersection(self.living)
    }

    /// Changes the double step of a player that can be answered.
    fn set_offer(&mut self, rules: &MultiRules<N>, seat: Seat, offer: Option<Offer>) {
        let turns = 5 + 9 * seat.index() as u32;
        for Offer { crossed, pawn } in [self.offers[seat], offer].into_iter().flatten() {
            let keys = &rules.of(Seat::Red).0.keys.en_passant;
            self.key ^= keys[crossed].rotate_left(turns) ^ keys[pawn].rotate_left(turns + 1);
        }
        self.offers[seat] = offer;
    }

    /// Takes castling rights away.
    fn drop_rights(&mut self, rules: &MultiRules<N>, dropped: u16) {
        let keys = &rules.of(Seat::Red).0.keys.rights;
        for (bit, key) in keys.iter().enumerate() {
            if self.rights & dropped & (1 << bit) != 0 {
                self.key ^= key;
            }
        }
        self.rights &= !dropped;
    }

    /// The pieces that a player captures en passant on a square.
    fn offered(&self, rules: &MultiRules<N>, seat: Seat, crossed: Square) -> SquareSet<N> {
        let enemies = self.enemies(rules, seat).iter().filter_map(|enemy| self.offers[enemy]);
        enemies.filter(|offer| offer.crossed == crossed).map(|offer| offer.pawn).collect()
    }

    /// The pieces that a legal move captures.
    pub fn captured(&self, rules: &MultiRules<N>, played: Move) -> impl Iterator<Item = OwnedPiece> {
        let there = if played.is_castling() { None } else { self.piece_at(played.to) };
        let in_passing = self.taken_in_passing(rules, played);
        there.into_iter().chain(in_passing.into_iter().filter_map(|square| self.piece_at(square)))
    }

    /// The squares other than its own from which a move of the player to move captures.
    fn taken_in_passing(&self, rules: &MultiRules<N>, Move { from, to, kind }: Move) -> SquareSet<N> {
        let Some(piece) = self.piece_at(from) else { return SquareSet::EMPTY };
        let (tables, known) = rules.piece(self.turn, piece.role);
        let may_take = match kind {
            MoveKind::EnPassant => true,
            MoveKind::Promotion(_) => {
                tables.info(known).en_passant && tables.leaps(known, from).capture.contains(to)
            }
            _ => false,
        };
        if may_take { self.offered(rules, self.turn, to) } else { SquareSet::EMPTY }
    }

    /// Puts a piece on an empty square.
    fn put(&mut self, rules: &MultiRules<N>, piece: OwnedPiece, square: Square) {
        // Of which color a piece is does not change whether it slides.
        let (tables, known) = rules.piece(piece.owner.unwrap_or(Seat::Red), piece.role);
        let info = tables.info(known);
        self.key ^= key(rules, piece, square);
        self.board[square] = Some(piece);
        match piece.owner {
            Some(seat) => self.pieces[seat].insert(square),
            None => self.dead.insert(square),
        }
        for (sliders, slides) in self.sliders.iter_mut().zip([info.orthogonal, info.diagonal]) {
            sliders.insert_if(square, slides);
        }
    }

    /// Empties a square.
    fn lift(&mut self, rules: &MultiRules<N>, square: Square) {
        let Some(piece) = self.piece_at(square) else { return };
        self.key ^= key(rules, piece, square);
        self.board[square] = None;
        self.dead.remove(square);
        Seat::ALL.into_iter().for_each(|seat| self.pieces[seat].remove(square));
        self.sliders.iter_mut().for_each(|sliders| sliders.remove(square));
    }
}

/// The key of a piece on a square.
fn key<const N: usize>(rules: &MultiRules<N>, piece: OwnedPiece, square: Square) -> u64 {
    let (tables, known) = rules.piece(piece.owner.unwrap_or(Seat::Red), piece.role);
    tables.info(known).keys[square].rotate_left(piece.owner.map_or(DEAD_KEY_TURNS, |seat| KEY_TURNS[seat]))
}
