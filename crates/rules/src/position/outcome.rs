//! How a position stands and how a game ends.

use super::{Move, Position};
use crate::geometry::{Square, SquareSet};
use crate::piece::{Color, Piece};
use crate::variant::Rules;

/// How a position stands by itself, without the game's history.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// The game goes on.
    Ongoing,
    /// The game goes on; the side to move is in check.
    Check,
    /// The side to move is in check and has no legal move: it has lost.
    Checkmate,
    /// The side that has just moved has won by reaching its goal.
    Goal,
    /// The side to move is not in check and has no legal move.
    Stalemate,
    /// Neither side can win: a draw.
    Dead,
}

impl Status {
    /// Whether the side that has just moved has won in every game. Each game defines the result of
    /// stalemate itself ([`Draws::stalemate`](crate::variant::Draws::stalemate)).
    ///
    /// ```
    /// use lozenge_rules::position::Status;
    /// assert!(Status::Checkmate.is_win() && Status::Goal.is_win());
    /// assert!(!Status::Stalemate.is_win());
    /// ```
    #[must_use]
    pub const fn is_win(self) -> bool {
        matches!(self, Self::Checkmate | Self::Goal)
    }
}

impl core::fmt::Display for Status {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Ongoing => "ongoing",
            Self::Check => "check",
            Self::Checkmate => "checkmate",
            Self::Goal => "goal",
            Self::Stalemate => "stalemate",
            Self::Dead => "dead",
        })
    }
}

/// How a finished game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// One side won.
    Win {
        /// The winner.
        winner: Color,
        /// How.
        reason: WinReason,
    },
    /// Neither side won.
    Draw(DrawReason),
}

/// How a game was won on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WinReason {
    /// By checkmate.
    Checkmate,
    /// By reaching a goal.
    Goal,
    /// By stalemate, in games where that decides.
    Stalemate,
}

/// Why a game is drawn on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DrawReason {
    /// The side to move cannot move and is not in check.
    Stalemate,
    /// Neither side can win.
    DeadPosition,
    /// The position occurred as often as ends the game (five times, unless the game says otherwise).
    Repetition,
    /// As many moves without capture or pawn move as end the game (75 by each side, likewise).
    MoveCount,
}

impl core::fmt::Display for Outcome {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Win { winner, reason: WinReason::Checkmate } => write!(f, "{winner} wins by checkmate"),
            Self::Win { winner, reason: WinReason::Goal } => write!(f, "{winner} wins by reaching the goal"),
            Self::Win { winner, reason: WinReason::Stalemate } => write!(f, "{winner} wins by stalemate"),
            Self::Draw(DrawReason::Stalemate) => f.write_str("draw by stalemate"),
            Self::Draw(DrawReason::DeadPosition) => f.write_str("draw by dead position"),
            Self::Draw(DrawReason::Repetition) => f.write_str("draw by repetition"),
            Self::Draw(DrawReason::MoveCount) => f.write_str("draw by move count"),
        }
    }
}

impl<const N: usize> Position<N> {
    /// How the position stands.
    #[must_use]
    pub fn status(&self, rules: &Rules<N>) -> Status {
        self.status_if(rules, || self.has_no_move(rules))
    }

    /// The same, where the legal moves are known.
    #[must_use]
    pub fn status_among(&self, rules: &Rules<N>, legal: &[Move]) -> Status {
        self.status_if(rules, || legal.is_empty())
    }

    fn status_if(&self, rules: &Rules<N>, has_no_move: impl FnOnce() -> bool) -> Status {
        if self.is_won_by_goal(rules) {
            return Status::Goal;
        }
        let check = self.is_check(rules);
        if has_no_move() {
            return if check { Status::Checkmate } else { Status::Stalemate };
        }
        if self.is_dead(rules) {
            Status::Dead
        } else if check {
            Status::Check
        } else {
            Status::Ongoing
        }
    }

    /// Whether the side that has just moved has a piece on its goal.
    #[inline]
    #[must_use]
    pub fn is_won_by_goal(&self, rules: &Rules<N>) -> bool {
        let there = self.enemy() & rules.goals[self.turn.opponent()];
        !there.is_empty() && !self.pieces_on_goal(rules, self.turn.opponent()).is_empty()
    }

    /// A side's pieces that stand on a goal of theirs.
    pub(crate) fn pieces_on_goal(&self, rules: &Rules<N>, color: Color) -> SquareSet<N> {
        (self.pieces(color) & rules.goals[color])
            .into_iter()
            .filter(|&square| {
                self.piece_at(square).is_some_and(|piece| rules.info(piece).goal.contains(square))
            })
            .collect()
    }

    /// Whether a side has only its King, and that King never wins: it has no goal, and it can attack the other King
    /// only from where it is attacked itself. Then no move of it mates, for any play of the other side.
    pub(super) fn has_harmless_king_only(&self, rules: &Rules<N>, color: Color) -> bool {
        if self.pieces(color).len() != 1 {
            return false;
        }
        let [own, other] = [color, color.opponent()].map(|color| Piece::new(color, rules.royal));
        // Slides are as long in both directions; a trail's conditions may hold in one only.
        let lines = |piece: Piece| (rules.info(piece).orthogonal, rules.info(piece).diagonal);
        let is_symmetric = lines(own) == lines(other)
            && [own, other].iter().all(|&piece| rules.info(piece).trail_squares.is_empty())
            && (0..rules.squares).all(|square| {
                let from = Square::new(square as u8);
                rules
                    .leaps(own, from)
                    .capture
                    .into_iter()
                    .all(|to| rules.leaps(other, to).capture.contains(from))
            });
        rules.info(own).goal.is_empty() && is_symmetric
    }

    /// Whether the pieces left are proved unable to win ([`Rules::is_dead`]); any other position goes on.
    #[must_use]
    pub fn is_dead(&self, rules: &Rules<N>) -> bool {
        let occupied = self.occupied();
        occupied.len() <= rules.dead_pieces
            && rules.is_dead(occupied.into_iter().filter_map(|square| self.piece_at(square)))
    }
}
