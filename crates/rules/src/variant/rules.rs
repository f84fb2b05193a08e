//! `Rules`: the compiled tables of one game for boards of at most `64 * N` squares. Built once by
//! `compile`, never changed; the generator reads nothing else.

use super::capture_paths::CapturePaths;
use super::def::Stalemate;
use super::fusions::Fusions;
use super::sliders::{LineKind, Sliders};
use super::trails::{Occupancy, Trails};
use crate::geometry::{BySquare, Square, SquareSet};
use crate::piece::{ByColor, Color, Piece, Role, RoleSet};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

/// The tables of one game. Opaque outside this crate: `Position<N>` works on them.
#[derive(Debug)]
pub struct Rules<const N: usize> {
    pub(crate) squares: usize,
    pub(crate) sliders: Sliders<N>,
    /// By piece index.
    pub(crate) pieces: Box<[PieceInfo<N>]>,
    /// By color and square: from where some leaping piece of that color would capture there.
    pub(crate) leap_attackers: ByColor<BySquare<SquareSet<N>, N>>,
    pub(crate) trails: Trails,
    /// How the pieces of these trails capture.
    pub(crate) capture_paths: CapturePaths<N>,
    /// Which pieces fuse and split.
    pub(crate) fusions: Fusions,
    /// Whether some piece captures along trails: then more than lines and leaps threaten the King.
    pub(crate) trail_captures: bool,
    /// Whether pieces capture along trails or fuse; the fastest generator supports neither.
    pub(crate) needs_trail_safety: bool,
    /// By color: every square that is a goal of some piece.
    pub(crate) goals: ByColor<SquareSet<N>>,
    pub(crate) castlings: Vec<Castling<N>>,
    /// By square: the castling rights that survive a move from or to it.
    pub(crate) rights_kept: BySquare<u16, N>,
    /// By color, the rights that are lost with the King's first move.
    pub(crate) king_rights: ByColor<u16>,
    pub(crate) double_steps: ByColor<Vec<DoubleStep>>,
    /// By color: the squares that more than one double step crosses.
    pub(crate) shared_crossings: ByColor<SquareSet<N>>,
    pub(crate) keys: ZobristKeys<N>,
    pub(crate) royal: Role,
    /// Material that cannot win, as sorted lists of piece indices, kings included; by number of pieces.
    pub(crate) dead: Vec<Vec<u8>>,
    /// Most pieces in an entry of `dead`.
    pub(crate) dead_pieces: u32,
}

/// The properties of a piece of one color, and the squares where special rules apply to it.
#[derive(Clone, Debug)]
pub(crate) struct PieceInfo<const N: usize> {
    /// By square: where it leaps from there.
    pub(crate) leaps: BySquare<Leaps<N>, N>,
    pub(crate) orthogonal: bool,
    pub(crate) diagonal: bool,
    /// Whether it leaps from any square.
    pub(crate) leaps_at_all: bool,
    /// From where it has trails.
    pub(crate) trail_squares: SquareSet<N>,
    pub(crate) pawn: bool,
    pub(crate) en_passant: bool,
    /// Where it is promoted.
    pub(crate) promotes: SquareSet<N>,
    /// The promotion squares where it may decline.
    pub(crate) declines: SquareSet<N>,
    /// Where it wins.
    pub(crate) goal: SquareSet<N>,
    /// From where it has trails or an initial move of two squares.
    pub(crate) stride_or_trail_squares: SquareSet<N>,
    /// Its starting squares, if it has an initial move.
    pub(crate) initial: SquareSet<N>,
    /// By square: its initial moves of two squares from there, if that is all there is to them.
    pub(crate) strides: BySquare<Strides, N>,
    /// By square: the other roles that it may become there.
    pub(crate) choices: BySquare<RoleSet, N>,
    /// By square: its part in the hash of a position.
    pub(crate) keys: BySquare<u64, N>,
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
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Stride {
    pub(crate) crossed: Square,
    pub(crate) to: Square,
}

/// The initial moves of two squares from one square: one straight ahead, or two to either side.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Strides {
    /// A single one is stored twice: looking at both costs less than counting them.
    both: [Stride; 2],
    any: bool,
}

impl Strides {
    pub(crate) fn new(strides: [Option<Stride>; 2]) -> Self {
        let [first, second] = strides;
        match first.or(second) {
            Some(one) => Self { both: [one, second.unwrap_or(one)], any: true },
            None => Self::default(),
        }
    }

    /// Each of them once.
    pub(crate) fn iter(self) -> impl Iterator<Item = Stride> {
        let [first, second] = self.both;
        let second = (second != first).then_some(second);
        self.any.then_some(first).into_iter().chain(second)
    }

    /// Where they end when `occupied` squares block.
    #[inline]
    fn targets<const N: usize>(self, occupied: SquareSet<N>) -> SquareSet<N> {
        let mut targets = SquareSet::EMPTY;
        for Stride { crossed, to } in self.both {
            targets |= SquareSet::of_if(to, self.any & !occupied.contains(crossed) & !occupied.contains(to));
        }
        targets
    }
}

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
    /// Whether the King can also go to its square by a move of its own or by another castling. Then long algebraic
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
pub(crate) struct ZobristKeys<const N: usize> {
    pub(crate) black_to_move: u64,
    pub(crate) rights: [u64; 16],
    pub(crate) en_passant: BySquare<u64, N>,
    pub(crate) moved: BySquare<u64, N>,
}

impl<const N: usize> ZobristKeys<N> {
    /// The keys, and for each of `pieces` pieces its keys by square.
    pub(crate) fn new(pieces: usize, squares: &[Square]) -> (Self, Vec<BySquare<u64, N>>) {
        let mut random = SplitMix64::seed_from_u64(0x10_2E_9E);
        let mut next = || random.next_u64();
        let (black_to_move, rights) = (next(), core::array::from_fn(|_| next()));
        let mut by_square = || {
            let mut keys = BySquare::filled(0);
            squares.iter().for_each(|&square| keys[square] = next());
            keys
        };
        let (en_passant, moved) = (by_square(), by_square());
        let pieces = (0..pieces).map(|_| by_square()).collect();
        (Self { black_to_move, rights, en_passant, moved }, pieces)
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
        &self.info(piece).leaps[square]
    }

    /// Where a piece could go from a square among these pieces if neither turn nor King mattered: empty
    /// squares it may move to and enemy pieces it may capture. An initial move counts as open on every
    /// starting square of its piece. For evaluation; legal moves come from `Position::generate`.
    #[inline]
    #[must_use]
    pub fn reach(&self, piece: Piece, from: Square, own: SquareSet<N>, enemy: SquareSet<N>) -> SquareSet<N> {
        self.targets(piece, from, own, enemy, SquareSet::EMPTY)
    }

    /// The same where pieces of either color could be captured. Inlined: evaluation asks it of every officer.
    #[inline(always)]
    #[must_use]
    pub fn reach_of_any(&self, piece: Piece, from: Square, occupied: SquareSet<N>) -> SquareSet<N> {
        let info = self.info(piece);
        let mut targets = SquareSet::EMPTY;
        if info.orthogonal {
            targets |= self.sliders.attacks(from, LineKind::Orthogonal, occupied);
        }
        if info.diagonal {
            targets |= self.sliders.attacks(from, LineKind::Diagonal, occupied);
        }
        if info.leaps_at_all {
            let leaps = &info.leaps[from];
            targets |= leaps.quiet.without(occupied) | (leaps.capture & occupied);
        }
        if info.stride_or_trail_squares.contains(from) {
            let occupancy = Occupancy { occupied, enemy: occupied };
            targets |= self.stride_and_trail_targets(piece, from, occupancy, SquareSet::EMPTY);
        }
        targets
    }

    /// The same as [`reach`](Self::reach); `moved` are starting squares whose pieces have moved.
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
            targets |= self.sliders.attacks(from, LineKind::Orthogonal, occupied);
        }
        if info.diagonal {
            targets |= self.sliders.attacks(from, LineKind::Diagonal, occupied);
        }
        let leaps = self.leaps(piece, from);
        targets = targets.without(own) | leaps.quiet.without(occupied) | (leaps.capture & enemy);
        if info.stride_or_trail_squares.contains(from) {
            targets |= self.stride_and_trail_targets(piece, from, Occupancy { occupied, enemy }, moved);
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
        for (slides, lines) in [(info.orthogonal, LineKind::Orthogonal), (info.diagonal, LineKind::Diagonal)]
        {
            if slides && self.sliders.reach(from, lines).meets(victims) {
                captures |= self.sliders.attacks(from, lines, occupied);
            }
        }
        if info.trail_squares.contains(from) {
            captures |= self.trail_targets(piece, from, Occupancy { occupied, enemy: victims }, moved);
        }
        captures & victims
    }

    /// Where the piece's initial moves of two squares end, if the way is free and it has not moved, and where
    /// its trails may end.
    #[inline]
    pub(crate) fn stride_and_trail_targets(
        &self,
        piece: Piece,
        from: Square,
        occupancy: Occupancy<N>,
        moved: SquareSet<N>,
    ) -> SquareSet<N> {
        let info = self.info(piece);
        let mut targets = SquareSet::EMPTY;
        if !moved.contains(from) {
            targets = info.strides[from].targets(occupancy.occupied);
        }
        if info.trail_squares.contains(from) {
            targets |= self.trail_targets(piece, from, occupancy, moved);
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
    #[must_use]
    pub fn may_ever_reach(&self, piece: Piece, from: Square, to: Square) -> bool {
        self.ever_reached(piece, from).contains(to)
    }

    /// The squares to which a piece goes from a square in some position, castling apart.
    pub(crate) fn ever_reached(&self, piece: Piece, from: Square) -> SquareSet<N> {
        let (info, leaps) = (self.info(piece), self.leaps(piece, from));
        let mut reached = leaps.quiet | leaps.capture;
        if info.orthogonal {
            reached |= self.sliders.reach(from, LineKind::Orthogonal);
        }
        if info.diagonal {
            reached |= self.sliders.reach(from, LineKind::Diagonal);
        }
        info.strides[from].iter().for_each(|stride| reached.insert(stride.to));
        let trails = self.trails.of(self.slot(piece, from)).iter();
        let stops = trails.flat_map(|trail| self.trails.nodes(trail)).filter(|node| node.stop);
        stops.for_each(|node| reached.insert(node.square));
        reached
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
        self.double_steps[color].iter().filter(move |step| step.crossed == crossed)
    }

    /// The starting squares of a piece with an initial move.
    #[must_use]
    pub fn initial_squares(&self, piece: Piece) -> SquareSet<N> {
        self.info(piece).initial
    }

    /// Whether a piece may stand here: not where it would have been promoted.
    #[must_use]
    pub fn may_stand(&self, piece: Piece, square: Square) -> bool {
        let info = self.info(piece);
        !(info.pawn && info.promotes.without(info.declines).contains(square))
    }

    /// Whether these pieces, Kings included, are proved unable to win: the game's list of dead material. The list holds only
    /// what has been proved (`docs/dead-positions.md`).
    #[must_use]
    pub fn is_dead(&self, pieces: impl IntoIterator<Item = Piece>) -> bool {
        let mut material: Vec<u8> = pieces.into_iter().map(|piece| piece.index() as u8).collect();
        material.sort_unstable();
        self.dead.contains(&material)
    }

    /// Memory of all tables, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.sliders.bytes()
            + self.trails.bytes()
            + self.capture_paths.bytes()
            + size_of_val(self)
            + size_of_val(&*self.pieces)
    }
}
