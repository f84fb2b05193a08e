//! The material value of a piece, measured by its moves on this board.
//!
//! The board is filled at random, but in the same way every time, with pieces on three squares in ten.
//! Then the squares that the piece reaches are counted, from everywhere. That measures steppers,
//! sliders, hoppers and bent riders alike, with edges, holes and joined edges. The count becomes
//! centipawns by the formula of H. G. Muller for leapers, `N (30 + 5/8 N)`, in which the moves of a
//! piece help each other. Captures count twice as much as other moves.

use lozenge_rules::geometry::{Square, SquareSet};
use lozenge_rules::position::Piece;
use lozenge_rules::variant::Rules;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

/// Pieces of each color on a sampled board, in 256ths of the squares.
const DENSITY: u64 = 34;

/// Most squares looked at by all pieces in all samples together.
const MAX_WORK: usize = 60_000;

/// Average reach of a piece over all squares and samples.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Reach {
    /// Squares reached, in 256ths, captures twice as heavy, as if every square were free for it.
    pub(super) weighted: i64,
    /// Squares reached as they stood, in 16ths.
    pub(super) plain: i64,
}

/// Measures all pieces.
pub(super) fn measure<const N: usize>(rules: &Rules<N>, pieces: &[Piece], squares: &[Square]) -> Vec<Reach> {
    let samples = (MAX_WORK / (pieces.len() * squares.len()).max(1)).clamp(2, 64);
    let mut quiet = vec![0i64; pieces.len()];
    let mut captures = vec![0i64; pieces.len()];
    let mut random = SplitMix64::seed_from_u64(0x10_2E_9E);
    let (mut empty, mut taken) = (0i64, 0i64);
    for _ in 0..samples {
        let mut colors = [SquareSet::<N>::EMPTY; 2];
        for &square in squares {
            let number = random.next_u64() >> 56;
            if number < 2 * DENSITY {
                colors[usize::from(number < DENSITY)].insert(square);
            }
        }
        let occupied = (colors[0] | colors[1]).len();
        empty += squares.len() as i64 - i64::from(occupied);
        taken += i64::from(colors[0].len());
        for (index, &piece) in pieces.iter().enumerate() {
            for &from in squares {
                let here = SquareSet::of(from);
                let (own, enemy) = (colors[1].without(here), colors[0].without(here));
                let reach = rules.reach(piece, from, own, enemy);
                captures[index] += i64::from((reach & enemy).len());
                quiet[index] += i64::from(reach.without(enemy).len());
            }
        }
    }
    let (total, visits) = ((samples * squares.len()) as i64, (samples * squares.len()) as i64);
    (0..pieces.len())
        .map(|index| {
            // Per square of the board, as if all of it were empty, or all enemy pieces.
            let free = quiet[index] * 256 * total / (visits * empty).max(1);
            let full = captures[index] * 256 * total / (visits * taken).max(1);
            Reach {
                weighted: (free + 2 * full) / 3,
                plain: (quiet[index] + captures[index]) * 16 / visits.max(1),
            }
        })
        .collect()
}

/// The value in centipawns of a piece with this reach.
pub(super) fn value(reach: Reach) -> i32 {
    // 1.83 N (30 + 5/8 N): the factor makes the Knight of orthodox chess 320.
    let number = reach.weighted;
    let inner = 30 * 256 + number * 5 / 8;
    (number * inner / 256 * 183 / 100 / 256) as i32
}
