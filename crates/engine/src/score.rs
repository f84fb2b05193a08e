//! Scores as the outside sees them.

/// What a search thinks of a position, from the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Wins (by mate or goal) in so many moves; at least 1.
    Wins(u32),
    /// Loses in so many moves; 0 when it has already lost.
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
