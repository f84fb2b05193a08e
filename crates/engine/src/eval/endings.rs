//! Which pieces can mate a bare King on this board. Small retrograde analyses find them when a game is
//! first played, so no game needs a list of its drawish endings.
//!
//! King and one piece against King is solved with sets. For each square of the attacking King and
//! piece there is the set of squares on which the other King is lost, or from which it will be. A
//! whole sweep over all pairs of squares is a few hundred thousand set operations.
//!
//! Two pieces that do not mate alone are judged by value: together they need that of the least piece that mates
//! alone. If no piece mates alone, as on a torus, only two of the strongest mate.

use super::values::Values;
use lozenge_rules::geometry::{Square, SquareSet};
use lozenge_rules::position::{Color, Piece, Role};
use lozenge_rules::variant::Rules;

/// On larger boards the value of the piece decides.
const MAX_SQUARES: usize = 150;
/// On larger boards than this the analysis goes only a few moves deep.
const SMALL_BOARD: usize = 100;
/// Moves deep, on small boards and on large ones. Where mates cannot be forced nothing grows that long.
const MAX_DEPTHS: [usize; 2] = [12, 4];
/// Least share of won positions, in hundredths, with which a piece counts as able to mate.
const MIN_WIN_PERCENT: u64 = 15;

/// Fills in the pieces that mate alone and the lead that wins without pawns. `is_dead` returns whether a King and this
/// piece can never mate.
pub(super) fn find_mating_pieces<const N: usize>(
    values: &mut Values,
    rules: &Rules<N>,
    royal: Role,
    is_dead: impl Fn(Role) -> bool,
) {
    let roles = values.layout.roles;
    let king = Piece::new(Color::White, royal);
    let around: Vec<SquareSet<N>> =
        (values.board()).map(|from| rules.reach(king, from, SquareSet::EMPTY, SquareSet::EMPTY)).collect();
    for role in (0..roles).map(|role| Role::new(role as u8)) {
        let piece = Piece::new(Color::White, role);
        if values.piece(piece).force == 0 {
            continue;
        }
        let mates = if is_dead(role) {
            false
        } else if values.squares() <= MAX_SQUARES && values.piece(piece).quiet_only_number.is_none() {
            KingAndPiece { values, rules, piece, around: &around }.can_mate()
        } else {
            values.piece(piece).force >= 450
        };
        for color in Color::BOTH {
            values.piece_values[Piece::new(color, role).index()].mates = mates;
        }
    }
    let pieces = values.piece_values.iter().filter(|piece| piece.force > 0);
    let least = pieces.filter(|piece| piece.mates).map(|piece| piece.force).min();
    let strongest = values.piece_values.iter().map(|piece| piece.force).max().unwrap_or(0);
    let needed = least.unwrap_or(strongest * 2);
    for first in 0..roles {
        for second in 0..roles {
            let force = |role: usize| {
                values.piece_values[Piece::new(Color::White, Role::new(role as u8)).index()].force
            };
            values.pairs_mate[first * roles + second] = force(first) + force(second) >= needed;
        }
    }
    // A little less: the weaker side's pieces stand in its own King's way, too.
    values.mating_lead = least.map_or(strongest, |force| force * 85 / 100);
}

/// King and piece against King.
struct KingAndPiece<'a, const N: usize> {
    values: &'a Values,
    rules: &'a Rules<N>,
    piece: Piece,
    around: &'a [SquareSet<N>],
}

/// Squares of King and piece, and the squares they leave to the lone King.
#[derive(Clone, Copy)]
struct Placement<const N: usize> {
    king: usize,
    piece: usize,
    /// The squares that the piece attacks.
    attacks: SquareSet<N>,
    /// The squares of the lone King: not on or next to the other King, and not on the piece.
    free: SquareSet<N>,
    /// The squares forbidden to it.
    forbidden: SquareSet<N>,
}

/// Sets of squares of the lone King, one for each pair of squares of King and piece, and which are not
/// empty: most never are.
struct Lost<const N: usize> {
    count: usize,
    sets: Vec<SquareSet<N>>,
    /// By square of the King: the squares of the piece where the set is not empty; and the other way round.
    pieces: Vec<SquareSet<N>>,
    kings: Vec<SquareSet<N>>,
}

impl<const N: usize> Lost<N> {
    fn new(count: usize) -> Self {
        let none = vec![SquareSet::EMPTY; count];
        Self { count, sets: vec![SquareSet::EMPTY; count * count], pieces: none.clone(), kings: none }
    }

    fn at(&self, king: usize, piece: usize) -> SquareSet<N> {
        self.sets[king * self.count + piece]
    }

    fn insert(&mut self, placement: &Placement<N>, lone: Square) {
        let Placement { king, piece, .. } = *placement;
        self.sets[king * self.count + piece].insert(lone);
        self.pieces[king].insert(Square::new(piece as u8));
        self.kings[piece].insert(Square::new(king as u8));
    }

    /// From which squares the lone King, should it stand there, will have lost after one move of the side
    /// that stands so.
    fn next(&self, placement: &Placement<N>, around: SquareSet<N>) -> SquareSet<N> {
        let Placement { king, piece, attacks, .. } = *placement;
        let mut all = SquareSet::EMPTY;
        (around & self.kings[piece]).into_iter().for_each(|to| all |= self.at(to.index(), piece));
        (attacks & self.pieces[king]).into_iter().for_each(|to| all |= self.at(king, to.index()));
        all
    }

    fn is_empty(&self) -> bool {
        self.pieces.iter().all(|pieces| pieces.is_empty())
    }
}

impl<const N: usize> KingAndPiece<'_, N> {
    /// Whether mates exist and can be forced: from enough positions, or from ever more as far as the
    /// analysis goes.
    fn can_mate(&self) -> bool {
        let count = self.values.squares();
        // Most pieces have no mate at all, which is soon seen: one King stands for those on squares like its own.
        let kings = self.kings_that_differ();
        let mut placements = kings.into_iter().flat_map(|king| (0..count).map(move |piece| (king, piece)));
        if !placements.any(|(king, piece)| king != piece && self.has_mate(king, piece)) {
            return false;
        }
        let pairs = (0..count).flat_map(|king| (0..count).map(move |piece| (king, piece)));
        let pairs: Vec<(usize, usize)> = pairs.filter(|(king, piece)| king != piece).collect();
        // Keep only expensive results for each pair: less memory is faster.
        let attacks: Vec<SquareSet<N>> =
            pairs.iter().map(|&(king, piece)| self.attacks(king, piece)).collect();
        let placements = || {
            pairs.iter().zip(&attacks).map(|(&(king, piece), &attacks)| self.placement(king, piece, attacks))
        };
        let mut won = vec![SquareSet::<N>::EMPTY; pairs.len()];
        let mut lost = Lost::new(count);
        let (mut legal, mut wins) = (0u64, 0u64);
        for placement in placements() {
            legal += u64::from(placement.free.without(placement.attacks).len());
            for lone in placement.attacks & placement.free {
                if self.is_lost(&placement, lone, SquareSet::EMPTY) {
                    lost.insert(&placement, lone);
                }
            }
        }
        if lost.is_empty() {
            return false;
        }
        let sweeps = MAX_DEPTHS[usize::from(count > SMALL_BOARD)];
        for sweep in 1..=sweeps {
            let mut changed = false;
            for (placement, won) in placements().zip(&mut won) {
                let winning = lost.next(&placement, self.around[placement.king]);
                let fresh = (winning & placement.free).without(placement.attacks).without(*won);
                if fresh.is_empty() {
                    continue;
                }
                *won |= fresh;
                wins += u64::from(fresh.len());
                if wins * 100 >= legal * MIN_WIN_PERCENT {
                    return true;
                }
                let mut tried = SquareSet::<N>::EMPTY;
                fresh.into_iter().for_each(|square| tried |= self.around[square.index()]);
                for lone in (tried & placement.free).without(lost.at(placement.king, placement.piece)) {
                    if self.is_lost(&placement, lone, *won) {
                        lost.insert(&placement, lone);
                        changed = true;
                    }
                }
                // It grew as far as the analysis goes.
                if changed && sweep == sweeps {
                    return true;
                }
            }
            if !changed {
                return false;
            }
        }
        true
    }

    /// One square of the King of each kind: squares that the symmetries of the game exchange are alike.
    fn kings_that_differ(&self) -> Vec<usize> {
        if self.is_everywhere_alike() {
            return vec![0];
        }
        let class = &self.values.class[Color::White];
        (0..class.len()).filter(|&king| !class[..king].contains(&class[king])).collect()
    }

    /// Whether all squares have as many neighbors and the piece reaches as many squares from all: a torus.
    /// There one square for the King stands for all.
    fn is_everywhere_alike(&self) -> bool {
        let reach = |square| self.rules.reach(self.piece, square, SquareSet::EMPTY, SquareSet::EMPTY).len();
        let mut counts = self.values.board().map(|square| (self.around[square.index()].len(), reach(square)));
        let first = counts.next();
        counts.all(|other| Some(other) == first)
    }

    /// Whether the other King is mated somewhere while King and piece stand so.
    fn has_mate(&self, king: usize, piece: usize) -> bool {
        let placement = self.placement(king, piece, self.attacks(king, piece));
        (placement.attacks & placement.free)
            .into_iter()
            .any(|lone| self.is_lost(&placement, lone, SquareSet::EMPTY))
    }

    /// The squares that the piece attacks, with only its own King in the way. The lone King never
    /// is: it stands where it is not attacked, or it flees along the line.
    fn attacks(&self, king: usize, piece: usize) -> SquareSet<N> {
        let [king, piece] = [king, piece].map(|square| Square::new(square as u8));
        self.rules.reach(self.piece, piece, SquareSet::of(king), SquareSet::EMPTY)
    }

    /// King and piece on two different squares, from which the piece attacks so.
    fn placement(&self, king: usize, piece: usize, attacks: SquareSet<N>) -> Placement<N> {
        let near = self.around[king];
        let here = SquareSet::of(Square::new(king as u8)) | SquareSet::of(Square::new(piece as u8));
        let free = SquareSet::first_squares(self.values.squares()).without(here | near);
        Placement { king, piece, attacks, free, forbidden: attacks | near }
    }

    /// Whether the lone King, on the move, is mated or can only go where it has lost.
    fn is_lost(&self, placement: &Placement<N>, lone: Square, won: SquareSet<N>) -> bool {
        let move_maps = self.around[lone.index()].without(placement.forbidden);
        // Nowhere to go and no check is stalemate.
        move_maps.without(won).is_empty() && (placement.attacks.contains(lone) || !move_maps.is_empty())
    }
}
