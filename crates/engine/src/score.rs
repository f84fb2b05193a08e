//! Scores: as callers see them, and as plain numbers inside the search.

/// The score of a position, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Wins (by mate or goal) in this number of moves; at least 1.
    Wins(u32),
    /// Loses in this number of moves; 0 when it has already lost.
    Loses(u32),
}

/// Whether a score is exact or only a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The score itself.
    Exact,
    /// At least the score.
    Lower,
    /// At most the score.
    Upper,
}

/// Deepest ply from the root that the search visits.
pub(crate) const MAX_PLY: usize = 128;

/// A win at the root itself; a win after `n` plies is worth `n` less.
pub(crate) const WIN: i32 = 32_000;

/// Beyond every score.
pub(crate) const INFINITE: i32 = 32_100;

/// Scores at least as large (or as small, negated) are proved wins (losses).
pub(crate) const DECIDED: i32 = WIN - 2 * MAX_PLY as i32;

/// Largest score that evaluation may give.
pub(crate) const EVALUATION_LIMIT: i32 = 30_000;

/// A draw.
pub(crate) const DRAW: i32 = 0;

/// The side to move has lost, `ply` plies from the root.
pub(crate) const fn lost_at(ply: usize) -> i32 {
    ply as i32 - WIN
}

/// The side to move has won, `ply` plies from the root.
pub(crate) const fn won_at(ply: usize) -> i32 {
    WIN - ply as i32
}

/// Whether a score is a proved win or loss.
pub(crate) const fn is_decided(score: i32) -> bool {
    score.abs() >= DECIDED
}

/// From distance to the root to distance to the node, as the transposition table keeps it.
pub(crate) const fn to_node(score: i32, ply: usize) -> i32 {
    if score >= DECIDED {
        score + ply as i32
    } else if score <= -DECIDED {
        score - ply as i32
    } else {
        score
    }
}

/// The inverse of [`to_node`].
pub(crate) const fn to_root(score: i32, ply: usize) -> i32 {
    if score >= DECIDED {
        score - ply as i32
    } else if score <= -DECIDED {
        score + ply as i32
    } else {
        score
    }
}

impl Score {
    /// The score as callers see it; plies become moves, rounded up.
    pub(crate) fn from_number(number: i32) -> Self {
        let moves = |plies: i32| (plies.max(0) as u32).div_ceil(2);
        if number >= DECIDED {
            Self::Wins(moves(WIN - number).max(1))
        } else if number <= -DECIDED {
            Self::Loses(moves(WIN + number))
        } else {
            Self::Centipawns(number)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_become_moves() {
        assert_eq!(Score::from_number(won_at(1)), Score::Wins(1));
        assert_eq!(Score::from_number(won_at(3)), Score::Wins(2));
        assert_eq!(Score::from_number(lost_at(0)), Score::Loses(0));
        assert_eq!(Score::from_number(lost_at(2)), Score::Loses(1));
        assert_eq!(Score::from_number(-35), Score::Centipawns(-35));
    }

    #[test]
    fn distance_survives_the_table() {
        for score in [won_at(9), lost_at(9), 17, -EVALUATION_LIMIT] {
            assert_eq!(to_root(to_node(score, 4), 4), score);
        }
    }
}
