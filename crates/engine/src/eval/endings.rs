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

/// Where King and man stand, by squares, and what that means for the hunted King.
#[derive(Clone, Copy)]
struct Stand<const N: usize> {
    king: usize,
    man: usize,
    /// What the man attacks.
    attacks: SquareSet<N>,
    /// Where the hunted King may stand: not on or next to the other King, and not on the man.
    free: SquareSet<N>,
    /// Where it may not go.
    barred: SquareSet<N>,
}

/// Sets of squares of the hunted King, one for each pair of squares of King and man, and which are not
/// empty: most never are.
struct Lost<const N: usize> {
    count: usize,
    sets: Vec<SquareSet<N>>,
    /// By square of the King: the squares of the man where the set is not empty; and the other way round.
    men: Vec<SquareSet<N>>,
    kings: Vec<SquareSet<N>>,
}

impl<const N: usize> Lost<N> {
    fn new(count: usize) -> Self {
        let none = vec![SquareSet::EMPTY; count];
        Self { count, sets: vec![SquareSet::EMPTY; count * count], men: none.clone(), kings: none }
    }

    fn at(&self, king: usize, man: usize) -> SquareSet<N> {
        self.sets[king * self.count + man]
    }

    fn insert(&mut self, stand: &Stand<N>, hunted: Square) {
        let Stand { king, man, .. } = *stand;
        self.sets[king * self.count + man].insert(hunted);
        self.men[king].insert(Square::new(man as u8));
        self.kings[man].insert(Square::new(king as u8));
    }

    /// From which squares the hunted King, should it stand there, will have lost after one move of the side
    /// that stands so.
    fn next(&self, stand: &Stand<N>, around: SquareSet<N>) -> SquareSet<N> {
        let Stand { king, man, attacks, .. } = *stand;
        let mut all = SquareSet::EMPTY;
        (around & self.kings[man]).into_iter().for_each(|to| all |= self.at(to.index(), man));
        (attacks & self.men[king]).into_iter().for_each(|to| all |= self.at(king, to.index()));
        all
    }

    fn is_empty(&self) -> bool {
        self.men.iter().all(|men| men.is_empty())
    }
}

impl<const N: usize> KingAndMan<'_, N> {
    /// Whether mates exist and can be forced: from enough positions, or from ever more as far as the
    /// analysis goes.
    fn can_mate(&self) -> bool {
        let count = self.values.squares();
        // Most men have no mate at all, which is soon seen: one King stands for those on squares like its own.
        let kings = self.kings_that_differ();
        let mut stands = kings.into_iter().flat_map(|king| (0..count).map(move |man| (king, man)));
        if !stands.any(|(king, man)| king != man && self.has_mate(king, man)) {
            return false;
        }
        let pairs = (0..count).flat_map(|king| (0..count).map(move |man| (king, man)));
        let pairs: Vec<(usize, usize)> = pairs.filter(|(king, man)| king != man).collect();
        // Only what is dear to find out is kept for each pair: the less memory, the faster.
        let attacks: Vec<SquareSet<N>> = pairs.iter().map(|&(king, man)| self.attacks(king, man)).collect();
        let stands =
            || pairs.iter().zip(&attacks).map(|(&(king, man), &attacks)| self.stand(king, man, attacks));
        let mut won = vec![SquareSet::<N>::EMPTY; pairs.len()];
        let mut lost = Lost::new(count);
        let (mut legal, mut wins) = (0u64, 0u64);
        for stand in stands() {
            legal += u64::from(stand.free.without(stand.attacks).len());
            for hunted in stand.attacks & stand.free {
                if self.is_lost(&stand, hunted, SquareSet::EMPTY) {
                    lost.insert(&stand, hunted);
                }
            }
        }
        if lost.is_empty() {
            return false;
        }
        let sweeps = DEEPEST[usize::from(count > SMALL)];
        for sweep in 1..=sweeps {
            let mut changed = false;
            for (stand, won) in stands().zip(&mut won) {
                let winning = lost.next(&stand, self.around[stand.king]);
                let fresh = (winning & stand.free).without(stand.attacks).without(*won);
                if fresh.is_empty() {
                    continue;
                }
                *won |= fresh;
                wins += u64::from(fresh.len());
                if wins * 100 >= legal * ENOUGH {
                    return true;
                }
                let mut tried = SquareSet::<N>::EMPTY;
                fresh.into_iter().for_each(|square| tried |= self.around[square.index()]);
                for hunted in (tried & stand.free).without(lost.at(stand.king, stand.man)) {
                    if self.is_lost(&stand, hunted, *won) {
                        lost.insert(&stand, hunted);
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
        let class = &self.values.class[0];
        (0..class.len()).filter(|&king| !class[..king].contains(&class[king])).collect()
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
    fn has_mate(&self, king: usize, man: usize) -> bool {
        let stand = self.stand(king, man, self.attacks(king, man));
        (stand.attacks & stand.free).into_iter().any(|hunted| self.is_lost(&stand, hunted, SquareSet::EMPTY))
    }

    /// What the man attacks from its square, with only its own King in the way. The hunted King never
    /// is: it stands where it is not attacked, or it flees along the line.
    fn attacks(&self, king: usize, man: usize) -> SquareSet<N> {
        let [king, man] = [king, man].map(|square| Square::new(square as u8));
        self.rules.reach(self.man, man, SquareSet::of(king), SquareSet::EMPTY)
    }

    /// King and man on two different squares, from which the man attacks so.
    fn stand(&self, king: usize, man: usize, attacks: SquareSet<N>) -> Stand<N> {
        let near = self.around[king];
        let here = SquareSet::of(Square::new(king as u8)) | SquareSet::of(Square::new(man as u8));
        let free = SquareSet::first_squares(self.values.squares()).without(here | near);
        Stand { king, man, attacks, free, barred: attacks | near }
    }

    /// Whether the hunted King, on the move, is mated or can only go where it has lost.
    fn is_lost(&self, stand: &Stand<N>, hunted: Square, won: SquareSet<N>) -> bool {
        let ways = self.around[hunted.index()].without(stand.barred);
        // Nowhere to go and no check is stalemate.
        ways.without(won).is_empty() && (stand.attacks.contains(hunted) || !ways.is_empty())
    }
}
