//! From scores to results: how often a position with this score is won, drawn and lost.
//!
//! The chance to win is a logistic function of the score, `1 / (1 + exp((even - score) / spread))`; the
//! chance to lose is the same function of the score as the other side sees it; what is left is drawn.
//! `even` (the score that wins every second game) and `spread` (how much the result still depends on
//! luck) go in a straight line from their value with all men on the board to that with bare Kings. The
//! form is the one that Stockfish uses for its `wdl`; the numbers are a first guess, to be fitted to games
//! of the engine against itself.

use crate::Score;
use lozenge_rules::position::AnyPosition;

/// What wins every second game, in centipawns, with all men on the board.
const EVEN_FULL: f64 = 180.0;
/// The same when few men are left.
const EVEN_BARE: f64 = 120.0;
/// How flat the curve is, in centipawns, with all men on the board.
const SPREAD_FULL: f64 = 90.0;
/// The same when few men are left.
const SPREAD_BARE: f64 = 60.0;

/// The model for positions with so many men.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Model {
    even: f64,
    spread: f64,
}

/// Expected results for the side to move, in thousandths; together 1000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Expected {
    /// Games won.
    pub win: u32,
    /// Games drawn.
    pub draw: u32,
    /// Games lost.
    pub loss: u32,
}

impl Model {
    /// The model for a position: by how many of the game's men are left.
    ///
    /// ```
    /// use lozenge_engine::{Score, wdl::{Expected, Model}};
    /// use lozenge_rules::{position::AnyPosition, variant::library};
    /// let start = AnyPosition::start(&library::game("diamond").unwrap());
    /// let level = Model::of(&start).expect(Score::Centipawns(0));
    /// assert_eq!(level.win, level.loss);
    /// let won = Model::of(&start).expect(Score::Wins(3));
    /// assert_eq!(won, Expected { win: 1000, draw: 0, loss: 0 });
    /// ```
    #[must_use]
    pub fn of(position: &AnyPosition) -> Self {
        let start = AnyPosition::start(position.variant());
        let full = (men(&start).max(3) - 2) as f64;
        let left = (men(position).max(2) - 2) as f64;
        let share = (left / full).min(1.0);
        Self {
            even: EVEN_BARE + (EVEN_FULL - EVEN_BARE) * share,
            spread: SPREAD_BARE + (SPREAD_FULL - SPREAD_BARE) * share,
        }
    }

    /// What to expect from a score.
    #[must_use]
    pub fn expect(&self, score: Score) -> Expected {
        match score {
            Score::Wins(_) => Expected { win: 1000, draw: 0, loss: 0 },
            Score::Loses(_) => Expected { win: 0, draw: 0, loss: 1000 },
            Score::Centipawns(centipawns) => {
                let (win, loss) = (self.wins(centipawns), self.wins(-centipawns));
                Expected { win, draw: 1000u32.saturating_sub(win + loss), loss }
            }
        }
    }

    /// Thousandths of the games that are won with this score.
    fn wins(&self, centipawns: i32) -> u32 {
        let chance = 1.0 / (1.0 + ((self.even - f64::from(centipawns)) / self.spread).exp());
        // Rounded down, so that wins and losses are never more than all games.
        (chance * 1000.0) as u32
    }
}

fn men(position: &AnyPosition) -> usize {
    position.variant().shape().squares().filter(|&square| position.piece_at(square).is_some()).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_rules::variant::library;

    #[test]
    fn more_is_never_less_and_all_games_are_counted() {
        for id in library::ids() {
            let game = library::game(id).unwrap();
            let model = Model::of(&AnyPosition::start(&game));
            let mut before = 0;
            for centipawns in (-4000..=4000).step_by(10) {
                let expected = model.expect(Score::Centipawns(centipawns));
                assert_eq!(expected.win + expected.draw + expected.loss, 1000, "{id} {centipawns}");
                assert!(expected.win >= before, "{id} {centipawns}");
                before = expected.win;
                let other = model.expect(Score::Centipawns(-centipawns));
                assert_eq!((expected.win, expected.loss), (other.loss, other.win));
            }
            assert!(before > 990);
        }
    }
}
