//! Limited strength, modeled on people: a weak player searches fewer nodes, overlooks long moves, and
//! misjudges positions. The engine never plays at random: it plays the best move among those that the weak
//! player sees.
//!
//! The root position and a seed determine the overlooked moves, once for a whole search. An overlooked move
//! stays overlooked everywhere in the tree, as with a person who misses that the bishop attacks that square.

use lozenge_rules::geometry::Square;
use lozenge_rules::position::Piece;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

/// The number of the level that plays at full strength; 0 is the weakest.
pub const FULL_LEVEL: u8 = 13;

/// The lowest rating that can be chosen, on the engine's own scale. Level 0 is weaker.
pub const MIN_ELO: u32 = 500;

/// The rating of level 0: about 520 below level 1.
const CHILD_ELO: u32 = 150;

/// The rating of full strength.
pub const FULL_ELO: u32 = 2710;

/// Limits of a weak player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handicap {
    /// Most nodes of a search, on a board where 32 moves can be chosen from on average; more where
    /// there are more, and the other way round.
    pub nodes: u64,
    /// Overlooked moves per thousand moves that are hard to see.
    pub blindness: u32,
    /// How far a judgment may be off, in centipawns.
    pub miscount: i32,
    /// Random seed of the oversights; a new one for each game, so that games differ.
    pub seed: u64,
}

/// Up to this blindness every move that takes back is seen.
const ALWAYS_TAKES_BACK: u32 = 700;

/// The handicap of level 0: nodes, blindness, miscount. It plays as a child does: it sees every other capture that it could make, and
/// seldom what the other side may capture.
const CHILD: (u64, u32, i32) = (1, 2_400, 600);

/// The handicaps of equally spaced ratings from [`MIN_ELO`] to below [`FULL_ELO`]; all but the first are those of the levels from 1.
/// Set by matches between neighbors (`docs/strength.md`).
const SCALE: [(u64, u32, i32); FULL_LEVEL as usize] = [
    (20, 750, 300),
    (38, 662, 248),
    (60, 585, 204),
    (108, 496, 158),
    (202, 398, 119),
    (368, 295, 85),
    (711, 198, 59),
    (1_220, 128, 41),
    (2_060, 78, 30),
    (3_100, 51, 22),
    (4_760, 32, 15),
    (7_480, 16, 10),
    (14_060, 5, 4),
];

/// The rating of a level, on the engine's own scale: from level 1 on they are equally far apart.
///
/// ```
/// use lozenge_engine::skill::{FULL_ELO, FULL_LEVEL, rating};
/// assert_eq!((rating(0), rating(1), rating(FULL_LEVEL)), (150, 670, FULL_ELO));
/// ```
#[must_use]
pub const fn rating(level: u8) -> u32 {
    if level == 0 {
        return CHILD_ELO;
    }
    let level = if level > FULL_LEVEL { FULL_LEVEL } else { level };
    MIN_ELO + (FULL_ELO - MIN_ELO) * level as u32 / FULL_LEVEL as u32
}

impl Handicap {
    /// The handicap of a level, 0..[`FULL_LEVEL`]; none from there on.
    ///
    /// ```
    /// use lozenge_engine::Handicap;
    /// assert!(Handicap::at_level(0, 1).unwrap().nodes < Handicap::at_level(5, 1).unwrap().nodes);
    /// assert_eq!(Handicap::at_level(13, 1), None);
    /// ```
    #[must_use]
    pub fn at_level(level: u8, seed: u64) -> Option<Self> {
        let (nodes, blindness, miscount) = match level {
            0 => CHILD,
            _ => *SCALE.get(usize::from(level))?,
        };
        Some(Self { nodes, blindness, miscount, seed })
    }

    /// Most nodes of a search. `branching` is the average number of legal moves in the game.
    pub(crate) fn nodes(&self, branching: u32) -> u64 {
        (self.nodes * u64::from(branching) / 32).max(1)
    }

    /// The handicap of a rating: between two of the scale, in proportion. None from [`FULL_ELO`] on; lower
    /// ratings than [`MIN_ELO`] play like it.
    #[must_use]
    pub fn at_elo(elo: u32, seed: u64) -> Option<Self> {
        let span = u64::from(FULL_ELO - MIN_ELO);
        let above = u64::from(elo.saturating_sub(MIN_ELO)) * u64::from(FULL_LEVEL);
        let (level, rest) = ((above / span) as usize, above % span);
        let &(nodes, blindness, miscount) = SCALE.get(level)?;
        let &next = SCALE.get(level + 1).unwrap_or(&SCALE[level]);
        let between = |low: u64, high: u64| (low * (span - rest) + high * rest) / span;
        Some(Self {
            nodes: between(nodes, next.0),
            blindness: between(u64::from(blindness), u64::from(next.1)) as u32,
            miscount: between(miscount as u64, next.2 as u64) as i32,
            seed,
        })
    }
}

/// A handicap in one search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HandicapState {
    handicap: Handicap,
    salt: u64,
}

/// Traits of a move that make it easy or hard to see.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveTraits {
    pub(crate) piece: Piece,
    pub(crate) from: Square,
    pub(crate) to: Square,
    /// King's steps from start to end.
    pub(crate) distance: i32,
    pub(crate) capture: bool,
    /// Whether it takes back where the last move ended.
    pub(crate) recapture: bool,
}

impl HandicapState {
    /// The state for a search from the position with this key.
    pub(crate) fn new(handicap: Handicap, root_key: u64) -> Self {
        Self { handicap, salt: mix(handicap.seed ^ root_key.rotate_left(17)) }
    }

    /// Salt of the table keys of this search: entries of other searches would reveal overlooked moves.
    pub(crate) fn salt(&self) -> u64 {
        self.salt
    }

    /// Whether the move is overlooked, `ply` plies from the root. All but the weakest see every move that takes back; long
    /// moves are harder to see than short ones, quiet ones than captures, later ones than those on
    /// the board.
    pub(crate) fn overlooks(&self, traits: MoveTraits, ply: usize) -> bool {
        let easy = if traits.recapture { ALWAYS_TAKES_BACK } else { 0 };
        let blindness = self.handicap.blindness.saturating_sub(easy);
        if blindness == 0 {
            return false;
        }
        let far = 50 + 12 * traits.distance.clamp(1, 5) as u32;
        let kind = if traits.capture { 70 } else { 100 };
        let deep = [45, 80, 100][ply.min(2)];
        let chance = blindness * far / 100 * kind / 100 * deep / 100;
        let squares = (u64::from(traits.from.number()) << 8) | u64::from(traits.to.number());
        let drawn = mix(self.salt ^ (squares << 16) ^ traits.piece.index() as u64) % 1000;
        drawn < u64::from(chance)
    }

    /// How far a judgment is off, in centipawns: mostly little, at times as much as the handicap
    /// allows (the sum of two draws); the same for the same position.
    pub(crate) fn error(&self, key: u64) -> i32 {
        let drawn = mix(self.salt ^ key);
        let most = self.handicap.miscount;
        let one = ((drawn & 0xFFFF) as i32 * most) >> 16;
        let other = ((drawn >> 16 & 0xFFFF) as i32 * most) >> 16;
        one - other
    }
}

/// A hash of a number: the first random number from it.
fn mix(number: u64) -> u64 {
    SplitMix64::seed_from_u64(number).next_u64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stronger_levels_have_smaller_handicaps() {
        for pair in SCALE.windows(2) {
            assert!(pair[0].0 < pair[1].0 && pair[0].1 >= pair[1].1 && pair[0].2 >= pair[1].2, "{pair:?}");
        }
    }

    #[test]
    fn ratings_lie_between_the_levels() {
        assert_eq!(Handicap::at_elo(0, 3), Handicap::at_elo(MIN_ELO, 3));
        assert_eq!(Handicap::at_elo(FULL_ELO, 3), None);
        assert!(rating(0) < MIN_ELO, "level 0 is below the scale");
        for level in 1..=FULL_LEVEL {
            assert_eq!(Handicap::at_elo(rating(level), 3), Handicap::at_level(level, 3), "{level}");
        }
        let mut last = 0;
        for elo in (MIN_ELO..FULL_ELO).step_by(10) {
            let nodes = Handicap::at_elo(elo, 3).unwrap().nodes;
            assert!(nodes >= last, "{elo}");
            last = nodes;
        }
    }

    #[test]
    fn errors_stay_within_the_handicap_and_cancel_out() {
        let handicap_state =
            HandicapState::new(Handicap { nodes: 1, blindness: 0, miscount: 100, seed: 1 }, 2);
        let errors: Vec<i32> = (0..10_000).map(|key| handicap_state.error(mix(key))).collect();
        assert!(errors.iter().all(|error| (-100..=100).contains(error)));
        assert!(errors.iter().sum::<i32>().abs() < 10_000 * 3);
    }
}
