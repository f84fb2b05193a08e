//! `Values`: the numbers of one game for evaluation and search. `derive` computes them from the geometry when
//! the game is first played; `tuned` replaces the weights of tuned games. Integers only, so that they are the
//! same on every machine.

use super::features::{Layout, WeightGroup};
use super::span::Span;
use super::taper::{GRAIN, Taper};
use lozenge_rules::geometry::Square;
use lozenge_rules::position::{ByColor, Color, Piece, Role};

/// The values of one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Values {
    pub(super) squares: usize,
    pub(super) letters: Vec<char>,
    /// By piece index.
    pub(super) piece_values: Vec<PieceValues>,
    pub(super) layout: Layout,
    /// By feature.
    pub(super) weights: Vec<Taper>,
    /// Those that follow from the geometry alone.
    pub(super) derived: Vec<Taper>,
    /// By color and square: its class.
    pub(super) class: ByColor<Vec<u16>>,
    /// By piece index and square.
    pub(super) slots: Vec<Slot>,
    /// By [`PieceValues::pawn_number`] and square.
    pub(super) spans: Vec<Span>,
    /// By [`PieceValues::pawn_number`] and square: where the pawn captures.
    pub(super) pawn_captures: Vec<Vec<Square>>,
    /// By [`PieceValues::quiet_only_number`] and square: where the piece goes but never captures.
    pub(super) quiet_only_moves: Vec<Vec<Square>>,
    /// By square and square.
    pub(super) king_steps: Vec<u8>,
    /// By square: steps that a King is farther from everywhere, on average, than in the middle.
    pub(super) remoteness: Vec<i32>,
    pub(super) farthest: i32,
    pub(super) full_force: i32,
    pub(super) mating_lead: i32,
    /// By role and role: whether a King and these two can mate a King.
    pub(super) pairs_mate: Vec<bool>,
    pub(super) king_has_goal: ByColor<bool>,
    pub(super) pawns_return: bool,
    pub(super) branching: u32,
}

/// Contribution of a piece on a square to the incrementally updated sums.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Slot {
    /// Material and placement.
    pub(crate) value: Taper,
    /// 1 or 2 on one of the two halves that the piece never leaves, else 0.
    pub(crate) half: u8,
}

/// The values of one kind of piece of one color.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct PieceValues {
    /// Centipawns; 0 for the King.
    pub(crate) material: i32,
    /// Centipawns in an exchange: the King is worth more than anything.
    pub(crate) exchange: i32,
    /// The derived material of an officer, a piece that is neither pawn nor King; else 0.
    pub(crate) force: i32,
    /// Whether it is a pawn.
    pub(crate) pawn: bool,
    /// Whether it may become another piece or win by arriving somewhere.
    pub(crate) advancing: bool,
    /// Whether a King and this piece alone can mate a King.
    pub(crate) mates: bool,
    /// Its tier among the pieces by worth; 0 for pawns.
    pub(super) tier: u8,
    /// Centipawns for each square it reaches, in 16ths; 0 for pawns and Kings.
    pub(super) mobility: i32,
    /// Squares it usually reaches, in 16ths.
    pub(crate) average_reach: i32,
    /// Its number among the pawns.
    pub(super) pawn_number: Option<u16>,
    /// Its number among the officers with moves that cannot capture.
    pub(super) quiet_only_number: Option<u16>,
    /// Its goals.
    pub(crate) goals: Vec<Square>,
}

impl Values {
    /// The weights of all features.
    #[must_use]
    pub fn weights(&self) -> &[Taper] {
        &self.weights
    }

    /// The weights as derived from the geometry.
    #[must_use]
    pub fn derived_weights(&self) -> &[Taper] {
        &self.derived
    }

    /// The features by group.
    #[must_use]
    pub fn groups(&self) -> Vec<WeightGroup> {
        self.layout.groups(&self.letters)
    }

    /// Takes other weights, one for each feature; missing ones stay as they are.
    pub fn set_weights(&mut self, mut weights: Vec<Taper>) {
        weights.truncate(self.weights.len());
        weights.extend_from_slice(&self.weights[weights.len()..]);
        self.weights = weights;
        self.spread();
    }

    /// Recomputes all numbers that depend on the weights.
    pub(super) fn spread(&mut self) {
        for piece in self.pieces() {
            let role = piece.role().index();
            let material = self.weights[self.layout.material(role)];
            let mut sum = 0;
            for square in 0..self.squares {
                let class = usize::from(self.class[piece.color()][square]);
                let total = material + self.weights[self.layout.square(role, class)];
                self.slots[piece.index() * self.squares + square].value = total;
                sum += i64::from(total.middle()) + i64::from(total.end());
            }
            let value = &mut self.piece_values[piece.index()];
            if value.material > 0 {
                // Pawns on average squares include bonuses for advancing, so count them as bare pieces.
                let mean = (sum / (2 * self.squares.max(1) as i64)) as i32;
                let bare = (material.middle() + material.end()) / 2;
                let total = if value.pawn { bare } else { mean };
                value.material = (total / GRAIN).max(10);
                value.exchange = value.material;
            }
        }
    }

    /// The feature for which an officer counts that reaches `squares` squares.
    #[inline]
    pub(super) fn mobility_feature(&self, piece: Piece, squares: u32) -> usize {
        self.layout.mobility(piece.role().index(), (squares as usize).min(self.layout.reaches - 1))
    }

    /// Its weight.
    #[inline]
    pub(crate) fn mobility(&self, piece: Piece, squares: u32) -> Taper {
        self.weights[self.mobility_feature(piece, squares)]
    }

    /// Material value of a piece, in centipawns; 0 for the King.
    #[must_use]
    pub fn material(&self, role: Role) -> i32 {
        self.piece(Piece::new(Color::White, role)).material
    }

    /// How many moves a side has on average, roughly; at least 1.
    #[must_use]
    pub fn branching(&self) -> u32 {
        self.branching
    }

    /// Whether a King and one piece of this role can mate a King, as far as is known. Retrograde
    /// analysis decides it on boards where that is quick, else the material value of the piece.
    #[must_use]
    pub fn mates_alone(&self, role: Role) -> bool {
        self.piece(Piece::new(Color::White, role)).mates
    }

    /// Whether a King and two pieces of these roles can mate a King, as far as is known.
    #[must_use]
    pub fn pair_mates(&self, first: Role, second: Role) -> bool {
        self.pairs_mate[first.index() * self.layout.roles + second.index()]
    }

    #[inline]
    pub(crate) fn piece(&self, piece: Piece) -> &PieceValues {
        &self.piece_values[piece.index()]
    }

    /// Contribution of a piece on a square to the sums.
    #[inline]
    pub(crate) fn slot(&self, piece: Piece, square: Square) -> &Slot {
        &self.slots[piece.index() * self.squares + square.index()]
    }

    /// The features that a piece's material and square count for.
    pub(super) fn placement_features(&self, piece: Piece, square: Square) -> [usize; 2] {
        let class = usize::from(self.class[piece.color()][square.index()]);
        let role = piece.role().index();
        [self.layout.material(role), self.layout.square(role, class)]
    }

    /// All pieces, in the order of their indices.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = Piece> + use<> {
        pieces(self.piece_values.len() / 2)
    }

    /// Number of squares.
    pub(crate) fn squares(&self) -> usize {
        self.squares
    }

    /// All squares.
    pub(crate) fn board(&self) -> impl Iterator<Item = Square> + use<> {
        (0..self.squares).map(|number| Square::new(number as u8))
    }

    /// The squares one King's step away.
    pub(crate) fn king_steps_from(&self, square: Square) -> impl Iterator<Item = Square> {
        self.board().filter(move |&to| self.king_steps(square, to) == 1)
    }

    /// Steps of a King between two squares, at most [`farthest`](Self::farthest).
    #[inline]
    pub(crate) fn king_steps(&self, from: Square, to: Square) -> i32 {
        i32::from(self.king_steps[from.index() * self.squares + to.index()]).min(self.farthest)
    }

    /// The longest way of a King, in steps.
    #[inline]
    pub(crate) fn farthest(&self) -> i32 {
        self.farthest
    }

    /// How far from the middle a square is, in King's steps; everywhere 0 on a torus.
    #[inline]
    pub(crate) fn remoteness(&self, square: Square) -> i32 {
        self.remoteness[square.index()]
    }

    /// Material of one side's officers at the start, in centipawns.
    #[inline]
    pub(crate) fn full_force(&self) -> i32 {
        self.full_force
    }

    /// Whether a side's King wins by reaching a square.
    #[inline]
    pub(crate) fn king_has_goal(&self, color: Color) -> bool {
        self.king_has_goal[color]
    }

    /// Whether some pawn can come back to a square it left, so that its moves can repeat positions.
    #[inline]
    pub(crate) fn pawns_return(&self) -> bool {
        self.pawns_return
    }
}

/// The pieces of the first `roles` roles, in the order of their indices.
pub(super) fn pieces(roles: usize) -> impl Iterator<Item = Piece> + use<> {
    (0..roles).flat_map(|role| Color::BOTH.map(|color| Piece::new(color, Role::new(role as u8))))
}
