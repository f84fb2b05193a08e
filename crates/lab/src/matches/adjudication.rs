//! Games that the arbiter ends before the rules do: because both engines agree, or because they are long.

use lozenge_engine::Score;
use lozenge_rules::position::{ByColor, Color};
use serde::{Deserialize, Serialize};

/// When the arbiter ends a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Adjudication {
    /// When both engines see one side winning.
    pub win: Option<WinRule>,
    /// When both engines see nothing in it.
    pub draw: Option<DrawRule>,
    /// Plies after which the game is a draw.
    pub max_plies: Option<u32>,
}

/// Won when both engines have seen the same side ahead by `centipawns` for `moves` moves each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WinRule {
    /// Least lead.
    pub centipawns: u32,
    /// Moves of each side in a row.
    pub moves: u32,
}

/// Drawn when, after full move `after`, both engines have seen at most `centipawns` for `moves` moves each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DrawRule {
    /// Number of full moves before the rule applies.
    pub after: u32,
    /// Moves of each side in a row.
    pub moves: u32,
    /// Greatest lead.
    pub centipawns: u32,
}

/// How long the engines have agreed, in plies.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Agreement {
    /// Consecutive plies with White ahead, with Black ahead, and level.
    ahead: ByColor<u32>,
    level: u32,
}

/// Why the arbiter ends a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Decision {
    Win(Color),
    Draw,
    TooLong,
}

/// A score that is larger than any in centipawns.
const DECIDED: i64 = 1_000_000;

impl Agreement {
    /// Updates the counts with the score of the side that has just moved; `plies` have been played, and its move had the
    /// number `move_number`.
    pub(crate) fn update(
        &mut self,
        rules: &Adjudication,
        mover: Color,
        score: Option<Score>,
        move_number: u32,
        plies: u32,
    ) -> Option<Decision> {
        let white = score.map(|score| {
            let own = match score {
                Score::Centipawns(centipawns) => i64::from(centipawns),
                Score::Wins(_) => DECIDED,
                Score::Loses(_) => -DECIDED,
            };
            if mover == Color::White { own } else { -own }
        });
        if let Some(rule) = rules.win {
            for color in Color::BOTH {
                let lead = white.map(|lead| if color == Color::White { lead } else { -lead });
                let ahead = lead.is_some_and(|lead| lead >= i64::from(rule.centipawns));
                let count = &mut self.ahead[color];
                *count = if ahead { *count + 1 } else { 0 };
                if *count >= rule.moves.saturating_mul(2) {
                    return Some(Decision::Win(color));
                }
            }
        }
        if let Some(rule) = rules.draw {
            let level = white.is_some_and(|lead| lead.abs() <= i64::from(rule.centipawns));
            self.level = if level && move_number > rule.after { self.level + 1 } else { 0 };
            if self.level >= rule.moves.saturating_mul(2) {
                return Some(Decision::Draw);
            }
        }
        rules.max_plies.is_some_and(|most| plies >= most).then_some(Decision::TooLong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules() -> Adjudication {
        Adjudication {
            win: Some(WinRule { centipawns: 500, moves: 2 }),
            draw: Some(DrawRule { after: 10, moves: 2, centipawns: 8 }),
            max_plies: Some(100),
        }
    }

    /// The ply at which a row of scores, White's first, ends the game.
    fn ended(first_move: u32, scores: &[i32]) -> Option<(usize, Decision)> {
        let mut agreement = Agreement::default();
        (0..).zip(scores).find_map(|(ply, &score)| {
            let mover = if ply % 2 == 0 { Color::White } else { Color::Black };
            let score = Some(Score::Centipawns(score));
            let number = first_move + ply / 2;
            agreement.update(&rules(), mover, score, number, ply + 1).map(|decision| (ply as usize, decision))
        })
    }

    #[test]
    fn adjudication_needs_both_scores_for_several_moves() {
        assert_eq!(ended(1, &[600, -500, 700, -900]), Some((3, Decision::Win(Color::White))));
        assert_eq!(ended(1, &[600, -500, 700, -499, 700]), None);
        assert_eq!(ended(1, &[-600, 800, -600, 800]), Some((3, Decision::Win(Color::Black))));
        assert_eq!(ended(1, &[600, 600, 600, 600, 600, 600]), None);
        assert_eq!(ended(1, &[0, 0, 0, 0, 0, 0]), None);
        assert_eq!(ended(11, &[8, -8, 0, 3]), Some((3, Decision::Draw)));
        assert_eq!(ended(10, &[0, 0, 0, 0, 0, 0]), Some((5, Decision::Draw)));
        assert_eq!(ended(11, &[8, -8, 9, 3, 0]), None);
    }

    #[test]
    fn games_end_at_the_length_limit() {
        let mut agreement = Agreement::default();
        assert_eq!(agreement.update(&rules(), Color::White, None, 50, 99), None);
        assert_eq!(agreement.update(&rules(), Color::Black, None, 50, 100), Some(Decision::TooLong));
    }
}
