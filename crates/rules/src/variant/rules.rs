//! `Rules`: the compiled tables of one game for boards of at most `64 * N` squares. Built once by
//! `compile`, never changed; the generator reads nothing else.

use super::capture_paths::CapturePaths;
use super::def::Stalemate;
use super::fusions::Fusions;
use super::sliders::{Lines, Sliders};
use super::trails::{Occupancy, Trails};
use crate::geometry::{Square, SquareSet};
use crate::piece::{Color, Piece, Role, RoleSet};

/// The tables of one game. Opaque outside this crate: `Position<N>` works on them.
#[derive(Debug)]
pub struct Rules<const N: usize> {
    pub(crate) squares: usize,
    pub(crate) sliders: Sliders<N>,
    /// By piece index.
    pub(crate) pieces: Box<[PieceInfo<N>]>,
    /// By piece index and square.
    pub(crate) leaps: Box<[Leaps<N>]>,
    /// By color and square: from where some leaping piece of that color would capture there.
    pub(crate) leap_attackers: [Box<[SquareSet<N>]>; 2],
    pub(crate) trails: Trails,
    /// How the pieces of these trails capture.
    pub(crate) capture_paths: CapturePaths<N>,
    /// Which pieces fuse and split.
    pub(crate) fusions: Fusions,
    /// By piece index and square: the initial move of two squares, if that is all there is to it.
    pub(crate) strides: Box<[Strides]>,
    /// Whether some piece captures along trails: then more than lines and leaps threaten the King.
    pub(crate) trail_captures: bool,
    /// Whether pieces capture along trails or fuse; the fastest generator supports neither.
    pub(crate) needs_trail_safety: bool,
    /// By color: every square that is a goal of some piece.
    pub(crate) goals: [SquareSet<N>; 2],
    /// By piece index and square: the other roles that the piece may become there.
    pub(crate) choices: Box<[RoleSet]>,
    pub(crate) castlings: Vec<Castling<N>>,
    /// By square: the castling rights that survive a move from or to it.
    pub(crate) rights_kept: Box<[u16]>,
    pub(crate) double_steps: [Vec<DoubleStep>; 2],
    /// By color: the squares that more than one double step crosses.
    pub(crate) shared_crossings: [SquareSet<N>; 2],
    pub(crate) keys: Keys,
    pub(crate) royal: Role,
    /// Material that cannot win, as sorted lists of piece indices, kings included; by number of pieces.
    pub(crate) dead: Vec<Vec<u8>>,
    /// Most pieces in an entry of `dead`.
    pub(crate) dead_pieces: u32,
}

/// The properties of a piece of one color, and the squares where special rules apply to it.
#[derive(Clone, Debug)]
pub(crate) struct PieceInfo<const N: usize> {
    pub(crate) orthogonal: bool,
    pub(crate) diagonal: bool,
    pub(crate) leaps: bool,
    /// From where it has trails.
    pub(crate) trails: SquareSet<N>,
    pub(crate) pawn: bool,
    pub(crate) en_passant: bool,
    /// Where it is promoted.
    pub(crate) promotes: SquareSet<N>,
    /// The promotion squares where it may decline.
    pub(crate) declines: SquareSet<N>,
    /// Where it wins.
    pub(crate) goal: SquareSet<N>,
    /// From where it has a stride.
    pub(crate) strides: SquareSet<N>,
    /// Its starting squares, if it has an initial move.
    pub(crate) initial: SquareSet<N>,
}

/// Where a piece leaps to from one square.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaps<const N: usize> {
    pub(crate) quiet: SquareSet<N>,
    pub(crate) capture: SquareSet<N>,
}

/// One castling, every condition spelled out.
#[derive(Clone, Debug)]
pub(crate) struct Castling<const N: usize> {
    pub(crate) color: Color,
    pub(crate) short: bool,
    pub(crate) king_from: Square,
    pub(crate) king_to: Square,
    pub(crate) rook_from: Square,
    pub(crate) rook_to: Square,
    pub(crate) rook: Piece,
    /// The bit of the right it needs; without one, history does not matter.
    pub(crate) right: Option<u16>,
    pub(crate) empty: SquareSet<N>,
    /// Squares that may not be attacked, besides the one the King ends on.
    pub(crate) safe: SquareSet<N>,
    pub(crate) out_of_check: bool,
}

/// An initial move to an empty square across an empty one, by far the most common trail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stride {
    pub(crate) crossed: Square,
    pub(crate) to: Square,
}

/// The initial moves of two squares from one square: one straight ahead, or two to either side.
pub(crate) type Strides = [Option<Stride>; 2];

/// The properties of a castling that notation depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CastlingInfo {
    /// The side that castles.
    pub color: Color,
    /// Written `O-O` rather than `O-O-O`.
    pub short: bool,
    /// From where to where the King goes.
    pub king: (Square, Square),
    /// From where to where the rook goes.
    pub rook: (Square, Square),
    /// Whether the King can also go to its square by a move of its own or by another castling: then long algebraic
    /// notation writes the King's square and the rook's, as in Chess960 (`e1h1`).
    pub by_rook: bool,
    /// Whether the King may castle when in check, or cross no square that must be safe.
    pub under_attack: bool,
}

impl CastlingInfo {
    /// The two squares that long algebraic notation writes.
    #[must_use]
    pub const fn written(&self) -> (Square, Square) {
        (self.king.0, if self.by_rook { self.rook.0 } else { self.king.1 })
    }
}

/// A pawn's first move of two squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct DoubleStep {
    pub(crate) from: Square,
    pub(crate) crossed: Square,
    pub(crate) to: Square,
}

/// When a game ends without mate, stalemate or goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Draws {
    /// Occurrences of a position after which a draw may be claimed, and after which the game ends;
    /// 0 for never.
    pub repetition: Limit,
    /// Moves by each side without capture or pawn move, likewise.
    pub moves: Limit,
    /// The result of stalemate.
    pub stalemate: Stalemate,
}

/// A count that allows a claim, and one that ends the game; 0 for never.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limit {
    /// From here on a draw may be claimed.
    pub claim: u32,
    /// Here the game ends.
    pub end: u32,
}

/// Random numbers for the hash of a position, the same in every run and on every machine.
#[derive(Debug)]
pub(crate) struct Keys {
    /// By piece index and square.
    pub(crate) pieces: Box<[u64]>,
    pub(crate) black_to_move: u64,
    pub(crate) rights: [u64; 16],
    pub(crate) en_passant: Box<[u64]>,
    pub(crate) moved: Box<[u64]>,
}

impl Keys {
    pub(crate) fn new(pieces: usize, squares: usize) -> Self {
        let mut state = 0x10_2E_9E_u64;
        let mut next = || {
            // splitmix64 (Steele, Lea and Flood, 2014).
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            z ^ (z >> 31)
        };
        Self {
            black_to_move: next(),
            rights: core::array::from_fn(|_| next()),
            en_passant: (0..squares).map(|_| next()).collect(),
            moved: (0..squares).map(|_| next()).collect(),
            pieces: (0..pieces * squares).map(|_| next()).collect(),
        }
    }
}

impl<const N: usize> Rules<N> {
    /// The index of a piece on a square in the tables by piece and square.
    #[inline]
    pub(crate) fn slot(&self, piece: Piece, square: Square) -> usize {
        piece.index() * self.squares + square.index()
    }

    #[inline]
    pub(crate) fn info(&self, piece: Piece) -> &PieceInfo<N> {
        &self.pieces[piece.index()]
    }

    #[inline]
    pub(crate) fn leaps(&self, piece: Piece, square: Square) -> &Leaps<N> {
        &self.leaps[self.slot(piece, square)]
    }

    /// Where a piece could go from a square among these pieces if neither turn nor King mattered: empty
    /// squares it may move to and enemy pieces it may capture. An initial move counts as open on every
    /// starting square of its piece. For evaluation; legal moves come from `Position::generate`.
    #[inline]
    #[must_use]
    pub fn reach(&self, piece: Piece, from: Square, own: SquareSet<N>, enemy: SquareSet<N>) -> SquareSet<N> {
        self.targets(piece, from, own, enemy, SquareSet::EMPTY)
    }

    /// The same; `moved` are starting squares whose pieces have moved.
    #[inline]
    pub(crate) fn targets(
        &self,
        piece: Piece,
        from: Square,
        own: SquareSet<N>,
        enemy: SquareSet<N>,
        moved: SquareSet<N>,
    ) -> SquareSet<N> {
        let info = self.info(piece);
        let occupied = own | enemy;
        let mut targets = SquareSet::EMPTY;
        if info.orthogonal {
            targets |= self.sliders.attacks(from, Lines::Orthogonal, occupied);
        }
        if info.diagonal {
            targets |= self.sliders.attacks(from, Lines::Diagonal, occupied);
        }
        let leaps = self.leaps(piece, from);
        targets = targets.without(own) | leaps.quiet.without(occupied) | (leaps.capture & enemy);
        if info.strides.contains(from) {
            targets |= self.stride_target(piece, from, occupied, moved);
        }
        if info.trails.contains(from) {
            targets |= self.trail_targets(piece, from, Occupancy { occupied, enemy }, moved);
        }
        targets
    }

    /// Where a piece could capture pieces that stand on `victims`, other pieces standing on `others`.
    #[inline]
    pub(crate) fn captures(
        &self,
        piece: Piece,
        from: Square,
        others: SquareSet<N>,
        victims: SquareSet<N>,
        moved: SquareSet<N>,
    ) -> SquareSet<N> {
        let info = self.info(piece);
        let occupied = others | victims;
        let mut captures = self.leaps(piece, from).capture;
        for (slides, lines) in [(info.orthogonal, Lines::Orthogonal), (info.diagonal, Lines::Diagonal)] {
            if slides && self.sliders.reach(from, lines).meets(victims) {
                captures |= self.sliders.attacks(from, lines, occupied);
            }
        }
        if info.trails.contains(from) {
            captures |= self.trail_targets(piece, from, Occupancy { occupied, enemy: victims }, moved);
        }
        captures & victims
    }

    /// Where the piece's initial moves of two squares end, if the way is free and it has not moved.
    #[inline]
    pub(crate) fn stride_target(
        &self,
        piece: Piece,
        from: Square,
        occupied: SquareSet<N>,
        moved: SquareSet<N>,
    ) -> SquareSet<N> {
        let mut targets = SquareSet::EMPTY;
        if !moved.contains(from) {
            for stride in self.strides[self.slot(piece, from)].iter().flatten() {
                let free = !occupied.contains(stride.crossed) && !occupied.contains(stride.to);
                targets.insert_if(stride.to, free);
            }
        }
        targets
    }

    /// Where the piece's trails may end.
    #[inline(never)]
    pub(crate) fn trail_targets(
        &self,
        piece: Piece,
        from: Square,
        occupancy: Occupancy<N>,
        moved: SquareSet<N>,
    ) -> SquareSet<N> {
        let mut targets = SquareSet::EMPTY;
        for trail in self.trails.of(self.slot(piece, from)) {
            if !trail.initial || self.may_start(piece, from, moved) {
                targets |= self.trails.targets(trail, occupancy);
            }
        }
        targets
    }

    /// Whether there may be a position in which a piece goes from one square to another, castling apart.
    pub(crate) fn may_ever_reach(&self, piece: Piece, from: Square, to: Square) -> bool {
        let (info, leaps) = (self.info(piece), self.leaps(piece, from));
        let on_line = |slides: bool, lines| slides && self.sliders.reach(from, lines).contains(to);
        let trails = self.trails.of(self.slot(piece, from));
        on_line(info.orthogonal, Lines::Orthogonal)
            || on_line(info.diagonal, Lines::Diagonal)
            || (leaps.quiet | leaps.capture).contains(to)
            || self.strides[self.slot(piece, from)].iter().flatten().any(|stride| stride.to == to)
            || trails
                .iter()
                .any(|trail| self.trails.nodes(trail).iter().any(|node| node.stop && node.square == to))
    }

    /// Whether an initial move is still open to the piece on its square.
    #[inline]
    pub(crate) fn may_start(&self, piece: Piece, from: Square, moved: SquareSet<N>) -> bool {
        self.info(piece).initial.contains(from) && !moved.contains(from)
    }

    /// The double steps that cross a square: from either side where pawns step diagonally.
    pub(crate) fn double_steps_across(
        &self,
        color: Color,
        crossed: Square,
    ) -> impl Iterator<Item = &DoubleStep> {
        self.double_steps[color.index()].iter().filter(move |step| step.crossed == crossed)
    }

    /// Memory of all tables, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.sliders.bytes()
            + self.trails.bytes()
            + self.capture_paths.bytes()
            + size_of_val(&*self.leaps)
            + self.leap_attackers.iter().map(|table| size_of_val(&**table)).sum::<usize>()
            + size_of_val(&*self.choices)
            + size_of_val(&*self.keys.pieces)
    }
}
