//! Which men can mate a bare King on this board: small retrograde analyses, made when a game is first
//! played, so that no game needs a list of its drawish endings.
//!
//! King and one man against King is solved with sets: for each place of the King and the man that
//! attack, the set of squares on which the other King is lost, or from which it will be. A whole sweep
//! over all pairs of squares is a few hundred thousand set operations.
//!
//! Two men that do not mate alone are judged by their worth: together they need that of the least man that
//! does. Where nobody mates alone, as on a torus, only two of the strongest do.

use super::values::Values;
use lozenge_rules::geometry::{Square, SquareSet};
use lozenge_rules::position::{Color, Piece, Role};
use lozenge_rules::variant::Rules;

/// Larger boards are judged by what the man is worth.
const MOST_SQUARES: usize = 150;
/// On larger boards than this the analysis goes only a few moves deep.
const SMALL: usize = 100;
/// Moves deep, on small boards and on large ones. Where mates cannot be forced nothing grows that long.
const DEEPEST: [usize; 2] = [12, 4];
/// A man that wins from so many of the positions, in hundredths, can mate.
const ENOUGH: u64 = 15;

/// Fills in which men mate alone, and what lead wins without pawns.
pub(super) fn judge<const N: usize>(values: &mut Values, rules: &Rules<N>, royal: Role) {
    let roles = values.layout.roles;
    let king = Piece::new(Color::White, royal);
    let around: Vec<SquareSet<N>> =
        (values.board()).map(|from| rules.reach(king, from, SquareSet::EMPTY, SquareSet::EMPTY)).collect();
    for role in (0..roles).map(|role| Role::new(role as u8)) {
        let man = Piece::new(Color::White, role);
        if values.man(man).force == 0 {
            continue;
        }
        let mates = if values.squares() <= MOST_SQUARES && values.man(man).shy_number.is_none() {
            KingAndMan { values, rules, man, around: &around }.can_mate()
        } else {
            values.man(man).force >= 450
        };
        for color in Color::BOTH {
            values.men[Piece::new(color, role).index()].mates = mates;
        }
    }
    let men = values.men.iter().filter(|man| man.force > 0);
    let least = men.filter(|man| man.mates).map(|man| man.force).min();
    let strongest = values.men.iter().map(|man| man.force).max().unwrap_or(0);
    let needed = least.unwrap_or(strongest * 2);
    for first in 0..roles {
        for second in 0..roles {
            let force =
                |role: usize| values.men[Piece::new(Color::White, Role::new(role as u8)).index()].force;
            values.pairs_mate[first * roles + second] = force(first) + force(second) >= needed;
        }
    }
    // A little less: the weaker side's men stand in its own King's way, too.
    values.mating_lead = least.map_or(strongest, |force| force * 85 / 100);
}

/// King and man against King.
struct KingAndMan<'a, const N: usize> {
    values: &'a Values,
    rules: &'a Rules<N>,
    man: Piece,
    around: &'a [SquareSet<N>],
}

impl<const N: usize> KingAndMan<'_, N> {
    /// Whether mates exist and can be forced: from enough positions, or from ever more as far as the
    /// analysis goes.
    fn can_mate(&self) -> bool {
        let count = self.values.squares();
        let pairs = count * count;
        if self.is_everywhere_alike() && !(0..count).any(|pair| self.has_mate(pair)) {
            return false;
        }
        let mut won = vec![SquareSet::<N>::EMPTY; pairs];
        let mut lost = vec![SquareSet::<N>::EMPTY; pairs];
        let attacks: Vec<SquareSet<N>> = (0..pairs).map(|pair| self.attacks(pair)).collect();
        let (mut legal, mut wins) = (0u64, 0u64);
        for pair in 0..pairs {
            legal += u64::from(self.free(pair).without(attacks[pair]).len());
            for hunted in attacks[pair] & self.free(pair) {
                if self.is_lost(pair, hunted, attacks[pair], SquareSet::EMPTY) {
                    lost[pair].insert(hunted);
                }
            }
        }
        if lost.iter().all(|lost| lost.is_empty()) {
            return false;
        }
        for _ in 0..DEEPEST[usize::from(count > SMALL)] {
            let mut changed = false;
            for pair in 0..pairs {
                let (king, man) = (pair / count, pair % count);
                if king == man {
                    continue;
                }
                let next_king = self.around[king].into_iter().map(|to| to.index() * count + man);
                let next_man = attacks[pair].into_iter().map(|to| king * count + to.index());
                let mut winning = SquareSet::EMPTY;
                next_king.chain(next_man).for_each(|next| winning |= lost[next]);
                let fresh = (winning & self.free(pair)).without(attacks[pair]).without(won[pair]);
                if fresh.is_empty() {
                    continue;
                }
                won[pair] |= fresh;
                wins += u64::from(fresh.len());
                let mut tried = SquareSet::<N>::EMPTY;
                fresh.into_iter().for_each(|square| tried |= self.around[square.index()]);
                for hunted in (tried & self.free(pair)).without(lost[pair]) {
                    if self.is_lost(pair, hunted, attacks[pair], won[pair]) {
                        lost[pair].insert(hunted);
                        changed = true;
                    }
                }
            }
            let enough = wins * 100 >= legal * ENOUGH;
            if !changed || enough {
                return enough;
            }
        }
        true
    }

    /// Whether all squares have as many neighbors and the man reaches as many squares from all: a torus.
    /// There one square for the King stands for all.
    fn is_everywhere_alike(&self) -> bool {
        let reach = |square| self.rules.reach(self.man, square, SquareSet::EMPTY, SquareSet::EMPTY).len();
        let mut counts = self.values.board().map(|square| (self.around[square.index()].len(), reach(square)));
        let first = counts.next();
        counts.all(|other| Some(other) == first)
    }

    /// Whether the other King is mated somewhere while King and man stand so.
    fn has_mate(&self, pair: usize) -> bool {
        let attacks = self.attacks(pair);
        (attacks & self.free(pair))
            .into_iter()
            .any(|hunted| self.is_lost(pair, hunted, attacks, SquareSet::EMPTY))
    }

    /// What the man attacks from its square, with only its own King in the way. The hunted King never
    /// is: it stands where it is not attacked, or it flees along the line.
    fn attacks(&self, pair: usize) -> SquareSet<N> {
        let count = self.values.squares();
        let (king, man) = (Square::new((pair / count) as u8), Square::new((pair % count) as u8));
        if king == man {
            return SquareSet::EMPTY;
        }
        self.rules.reach(self.man, man, SquareSet::of(king), SquareSet::EMPTY)
    }

    /// Where the hunted King may stand: not on or next to the other King, and not on the man.
    fn free(&self, pair: usize) -> SquareSet<N> {
        let count = self.values.squares();
        let (king, man) = (pair / count, pair % count);
        if king == man {
            return SquareSet::EMPTY;
        }
        let here = SquareSet::of(Square::new(king as u8)) | SquareSet::of(Square::new(man as u8));
        SquareSet::first_squares(count).without(here | self.around[king])
    }

    /// Whether the hunted King, on the move, is mated or can only go where it has lost.
    fn is_lost(&self, pair: usize, hunted: Square, attacks: SquareSet<N>, won: SquareSet<N>) -> bool {
        let king = pair / self.values.squares();
        let barred = attacks | self.around[king];
        let ways = self.around[hunted.index()].without(barred);
        let check = attacks.contains(hunted);
        // Nowhere to go and no check is stalemate.
        ways.without(won).is_empty() && (check || !ways.is_empty())
    }
}
