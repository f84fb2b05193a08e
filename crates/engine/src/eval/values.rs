//! `Values`: what the men and squares of one game are worth, derived from its geometry when the
//! game is first played. Whole numbers only, so that they are the same on every machine.

use super::advance::{self, Ways};
use super::material::{self, Reach};
use lozenge_rules::geometry::{Square, SquareSet};
use lozenge_rules::position::{AnyPosition, Color, Piece, Position, Role, WidthVisitor};
use lozenge_rules::variant::{Rules, Variant};
use std::sync::Arc;

/// Centipawns that reaching a goal is worth to the hope of reaching it.
const GOAL: i32 = 1_500;

/// What capturing the King would be worth in an exchange: more than anything.
pub(crate) const KING: i32 = 20_000;

/// The values of one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Values {
    squares: usize,
    /// By piece index.
    men: Vec<ManValue>,
    /// By piece index and square: material and hope, in centipawns.
    placement: Vec<i32>,
    /// By square and square.
    king_steps: Vec<u8>,
    /// By square: steps that a King is farther from everywhere, on average, than in the middle.
    remoteness: Vec<i32>,
    farthest: i32,
    full_force: i32,
    king_has_goal: [bool; 2],
    pawns_return: bool,
    branching: u32,
}

/// The values of one kind of man of one color.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct ManValue {
    /// Centipawns; 0 for the King.
    pub(crate) material: i32,
    /// Centipawns in an exchange: the King is worth more than anything.
    pub(crate) exchange: i32,
    /// The material of an officer, a man that is neither pawn nor King; else 0.
    pub(crate) force: i32,
    /// Whether it is a pawn.
    pub(crate) pawn: bool,
    /// Centipawns for each square it reaches, in 16ths; 0 for pawns and Kings.
    pub(crate) mobility: i32,
    /// Squares it usually reaches, in 16ths.
    pub(crate) usual_reach: i32,
    /// Where it wins.
    pub(crate) goals: Vec<Square>,
}

impl ManValue {
    /// A man that only ever comes to a part of the board, in hundredths, is worth less: a tenth
    /// when it is bound to one color.
    fn bind(&mut self, freedom: i32) {
        self.material = self.material * (80 + freedom / 5) / 100;
        self.exchange = self.material;
        self.force = self.material;
    }
}

impl Values {
    /// Derives the values of a game. A few milliseconds, also for the largest boards.
    #[must_use]
    pub fn new(variant: &Arc<Variant>) -> Self {
        AnyPosition::start(variant).visit(Derive { variant })
    }

    /// What a man is worth, in centipawns; 0 for the King.
    #[must_use]
    pub fn material(&self, role: Role) -> i32 {
        self.man(Piece::new(Color::White, role)).material
    }

    /// How many moves a side has on average, roughly; at least 1.
    #[must_use]
    pub fn branching(&self) -> u32 {
        self.branching
    }

    #[inline]
    pub(crate) fn man(&self, piece: Piece) -> &ManValue {
        &self.men[piece.index()]
    }

    /// Material and hope of a man on a square, in centipawns.
    #[inline]
    pub(crate) fn placement(&self, piece: Piece, square: Square) -> i32 {
        self.placement[piece.index() * self.squares + square.index()]
    }

    /// All men, in the order of their indices.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = Piece> + use<> {
        pieces(self.men.len() / 2)
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
        self.king_has_goal[color.index()]
    }

    /// Whether some pawn can come back to a square it left, so that its moves can repeat positions.
    #[inline]
    pub(crate) fn pawns_return(&self) -> bool {
        self.pawns_return
    }
}

fn pieces(roles: usize) -> impl Iterator<Item = Piece> + use<> {
    (0..roles).flat_map(|role| Color::BOTH.map(|color| Piece::new(color, Role::new(role as u8))))
}

/// Derives values on the fast form of the start position.
struct Derive<'v> {
    variant: &'v Variant,
}

impl WidthVisitor for Derive<'_> {
    type Output = Values;

    fn visit<const N: usize>(self, start: &Position<N>, rules: &Rules<N>) -> Values {
        let squares: Vec<Square> = self.variant.shape().squares().collect();
        let pieces: Vec<Piece> = pieces(self.variant.men().len()).collect();
        let reach = material::measure(rules, &pieces, &squares);
        let mut men: Vec<ManValue> =
            pieces.iter().map(|&piece| self.man_value(piece, average(&reach, piece))).collect();
        for officer in pieces.iter().filter(|piece| piece.color() == Color::White) {
            if men[officer.index()].force > 0 {
                let freedom = advance::freedom(&ways(rules, *officer, &squares));
                for color in Color::BOTH {
                    men[Piece::new(color, officer.role()).index()].bind(freedom);
                }
            }
        }
        let mut placement = Vec::with_capacity(pieces.len() * squares.len());
        let mut pawns_return = false;
        for &piece in &pieces {
            let man = &men[piece.index()];
            let prize = self.prize(piece, &men, squares.len());
            let hopes = prize.iter().any(|&prize| prize > 0);
            if !hopes && !man.pawn {
                placement.extend(squares.iter().map(|_| man.material));
                continue;
            }
            let ways = ways(rules, piece, &squares);
            pawns_return |= man.pawn && advance::can_return(&ways);
            placement.extend(advance::hope(&ways, &prize).iter().map(|hope| man.material + hope));
        }
        let royal = self.variant.men().royal().unwrap_or(Role::new(0));
        let king = ways(rules, Piece::new(Color::White, royal), &squares);
        let king_steps = advance::steps(&king.quiet);
        let reached = king_steps.iter().filter(|&&steps| steps != u8::MAX);
        let farthest = reached.max().map_or(1, |&steps| i32::from(steps));
        let men_at_start = start.occupied().into_iter().filter_map(|square| start.piece_at(square));
        let men_at_start: Vec<Piece> = men_at_start.collect();
        let total = |of: fn(&ManValue) -> i32| -> i32 {
            men_at_start.iter().map(|piece| of(&men[piece.index()])).sum()
        };
        let (full_force, branching) = (total(|man| man.force) / 2, total(|man| man.usual_reach) / 32);
        for piece in &pieces {
            men[piece.index()].goals.sort_unstable();
        }
        Values {
            squares: squares.len(),
            king_has_goal: Color::BOTH.map(|color| !men[Piece::new(color, royal).index()].goals.is_empty()),
            men,
            placement,
            remoteness: remoteness(&king_steps, squares.len(), farthest),
            king_steps,
            farthest,
            full_force,
            pawns_return,
            branching: branching.max(1) as u32,
        }
    }
}

impl Derive<'_> {
    fn man_value(&self, piece: Piece, reach: Reach) -> ManValue {
        let info = self.variant.men().info(piece.role());
        let material = if info.royal { 0 } else { material::worth(reach).max(10) };
        let officer = !info.royal && !info.pawn;
        let goals = self.variant.goals().iter().filter(|(men, _)| men.contains(piece.role()));
        ManValue {
            material,
            exchange: if info.royal { KING } else { material },
            force: if officer { material } else { 0 },
            pawn: info.pawn,
            // Men of short reach gain more by each square.
            mobility: if officer { (16 * 16 * 30 / (reach.plain + 32)).max(1) as i32 } else { 0 },
            usual_reach: reach.plain as i32,
            goals: goals.flat_map(|(_, squares)| squares[piece.color().index()].iter().copied()).collect(),
        }
    }

    /// By square: what the man gains by arriving there.
    fn prize(&self, piece: Piece, men: &[ManValue], squares: usize) -> Vec<i32> {
        let color = piece.color();
        let mut prize = vec![0; squares];
        let own = men[piece.index()].material;
        for (roles, places, choices) in self.variant.promotions() {
            if !roles.contains(piece.role()) {
                continue;
            }
            let best = choices.iter().map(|role| men[Piece::new(color, role).index()].material).max();
            for square in &places[color.index()] {
                let here = &mut prize[square.index()];
                *here = (*here).max(best.unwrap_or(0) - own).max(1);
            }
        }
        for square in &men[piece.index()].goals {
            prize[square.index()] = GOAL;
        }
        prize
    }
}

/// Both colors of a role are worth the same: the average of what they reach.
fn average(reach: &[Reach], piece: Piece) -> Reach {
    let [white, black] = Color::BOTH.map(|color| reach[Piece::new(color, piece.role()).index()]);
    Reach { weighted: (white.weighted + black.weighted) / 2, plain: (white.plain + black.plain) / 2 }
}

/// The ways of a man on an empty board, and among enemies.
fn ways<const N: usize>(rules: &Rules<N>, piece: Piece, squares: &[Square]) -> Ways {
    let board: SquareSet<N> = squares.iter().copied().collect();
    let list = |set: SquareSet<N>| set.into_iter().collect::<Vec<_>>();
    let (quiet, captures) = squares
        .iter()
        .map(|&from| {
            let enemies = board.without(SquareSet::of(from));
            (
                list(rules.reach(piece, from, SquareSet::EMPTY, SquareSet::EMPTY)),
                list(rules.reach(piece, from, SquareSet::EMPTY, enemies)),
            )
        })
        .unzip();
    Ways { quiet, captures }
}

/// How much farther from everywhere each square is than the most central one, in steps, doubled.
fn remoteness(king_steps: &[u8], squares: usize, farthest: i32) -> Vec<i32> {
    let sums: Vec<i32> = king_steps
        .chunks(squares.max(1))
        .map(|row| row.iter().map(|&steps| i32::from(steps).min(farthest)).sum())
        .collect();
    let least = sums.iter().copied().min().unwrap_or(0);
    sums.iter().map(|sum| (sum - least) * 2 / squares.max(1) as i32).collect()
}
