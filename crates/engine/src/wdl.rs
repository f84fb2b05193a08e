//! From scores to results: how often a position with this score is won, drawn and lost.
//!
//! The chance to win is a logistic function of the score, `1 / (1 + exp(draw - slope * score))`. The chance to lose is
//! the same function of the score as the other side sees it; the rest is the chance of a draw. `slope` is the worth of
//! a score, and `draw` how rarely a level game is won. Both go in a straight line from their value with all pieces on
//! the board to that with bare Kings. That is ordered logistic regression (McCullagh 1980), which has one best fit;
//! the idea that it depends on the pieces left is Stockfish's.
//!
//! The numbers are fitted to games of the engine against itself, by `lozenge lab wdl`, and are data beside
//! the games (`variants/tuned/wdl.toml`). A game without numbers of its own, or with other rules than they
//! were made for, has those of all games together.

use crate::Score;
use crate::eval::fingerprint;
use lozenge_rules::position::AnyPosition;
use lozenge_rules::variant::Variant;

/// The rarest wins of level games that scores are normalized by; on the scale of the logistic function.
pub const MIN_DRAW: f64 = 0.5;

/// The share of pieces below which the line is not continued. The games have few positions there, and by a longer line a
/// Queen would hardly win (Stockfish clamps its material, too).
pub const MIN_SHARE: f64 = 0.2;

/// Numbers for positions in which a side cannot win, most often with a King alone. The evaluation has scaled the score down
/// to a few centipawns if the other side cannot mate; otherwise a lead wins.
const BARE_KING: Model = Model { slope: 4.0, draw: 4.0, can_win: [true; 2] };

/// The fitted numbers.
const DATA: &str = include_str!("../../../variants/tuned/wdl.toml");

/// How results depend on score and pieces, in one game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Curve {
    /// The value of 100 centipawns, on the scale of the logistic function: with all pieces on the board, and
    /// with bare Kings.
    pub slope: [f64; 2],
    /// How rarely a level game is won, on the same scale.
    pub draw: [f64; 2],
}

/// The model for positions with the same number of pieces.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Model {
    slope: f64,
    draw: f64,
    /// Whether the side to move can win, and whether the other side can.
    can_win: [bool; 2],
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

impl Curve {
    /// The curve of a game.
    ///
    /// ```
    /// use lozenge_engine::{Score, wdl::{Curve, Expected}};
    /// use lozenge_rules::{position::AnyPosition, library};
    /// let diamond = library::game("diamond").unwrap();
    /// let model = Curve::of(&diamond).model(&AnyPosition::start(&diamond));
    /// let level = model.expect(Score::Centipawns(0));
    /// assert_eq!(level.win, level.loss);
    /// assert_eq!(model.expect(Score::Wins(3)), Expected { win: 1000, draw: 0, loss: 0 });
    /// ```
    #[must_use]
    pub fn of(variant: &Variant) -> Self {
        // Invalid data are ignored; tests check that the data are valid.
        read(DATA, Some(variant)).or_else(|| read(DATA, None)).unwrap_or(Self::PLAIN)
    }

    /// For data that cannot be read.
    const PLAIN: Self = Self { slope: [1.0; 2], draw: [1.0; 2] };

    /// The model for a position of the game.
    #[must_use]
    pub fn model(&self, position: &AnyPosition) -> Model {
        let turn = position.turn();
        let can_win = [turn, turn.opponent()].map(|color| !position.has_insufficient_material(color));
        if can_win == [true; 2] { self.at(share_of_pieces(position)) } else { Model { can_win, ..BARE_KING } }
    }

    /// The model where this share of the pieces is left, from 0 to 1.
    #[must_use]
    pub fn at(&self, share: f64) -> Model {
        let mix = |[full, bare]: [f64; 2]| bare + (full - bare) * share;
        // Wins are monotonic in the score, and wins and losses together at most 1.
        Model { slope: mix(self.slope).max(0.01), draw: mix(self.draw).max(0.01), can_win: [true; 2] }
    }
}

/// Which share of the pieces a game begins with is left, Kings apart: from [`MIN_SHARE`] to 1.
#[must_use]
pub fn share_of_pieces(position: &AnyPosition) -> f64 {
    let begun = count_pieces(&AnyPosition::start(position.variant())).max(3) - 2;
    let left = count_pieces(position).max(2) - 2;
    (left as f64 / begun as f64).clamp(MIN_SHARE, 1.0)
}

fn count_pieces(position: &AnyPosition) -> usize {
    position.variant().shape().squares().filter(|&square| position.piece_at(square).is_some()).count()
}

/// The curve of a game, or of all games together, in a text as `lozenge lab wdl` writes it; `None` when it
/// is not there or is for other rules.
#[must_use]
pub fn read(text: &str, variant: Option<&Variant>) -> Option<Curve> {
    let table: toml::Table = text.parse().ok()?;
    let part = match variant {
        None => table.get("all")?,
        Some(variant) => {
            let part = table.get("games")?.get(variant.id())?;
            let rules = part.get("rules")?.as_str()?;
            (rules == format!("{:016x}", fingerprint(variant))).then_some(part)?
        }
    };
    let pair = |name: &str| -> Option<[f64; 2]> {
        let numbers: Option<Vec<f64>> =
            part.get(name)?.as_array()?.iter().map(toml::Value::as_float).collect();
        numbers?.try_into().ok()
    };
    Some(Curve { slope: pair("slope")?, draw: pair("draw")? })
}

impl Model {
    /// The expected result of a score.
    #[must_use]
    pub fn expect(&self, score: Score) -> Expected {
        match score {
            Score::Wins(_) => Expected { win: 1000, draw: 0, loss: 0 },
            Score::Loses(_) => Expected { win: 0, draw: 0, loss: 1000 },
            Score::Centipawns(centipawns) => {
                // Rounded down, so that wins and losses are never more than all games.
                let [win, loss] = self.chances(centipawns).map(|chance| (chance * 1000.0) as u32);
                Expected { win, draw: 1000u32.saturating_sub(win + loss), loss }
            }
        }
    }

    /// The expected score, from 0 to 1: a win counts one, a draw a half.
    #[must_use]
    pub fn expected_score(&self, score: Score) -> f64 {
        match score {
            // Wins + (1 - wins - losses) / 2.
            Score::Centipawns(centipawns) => {
                let [win, loss] = self.chances(centipawns);
                (1.0 + win - loss) / 2.0
            }
            Score::Wins(_) => 1.0,
            Score::Loses(_) => 0.0,
        }
    }

    /// The score on a scale on which 100 centipawns win half of the games in every variant.
    ///
    /// Where draws are so rare that a level position already wins nearly half of them, the scale is that of a
    /// game with [`MIN_DRAW`].
    ///
    /// ```
    /// use lozenge_engine::{Score, wdl::Curve};
    /// use lozenge_rules::{position::AnyPosition, library};
    /// let diamond = library::game("diamond").unwrap();
    /// let model = Curve::of(&diamond).model(&AnyPosition::start(&diamond));
    /// assert_eq!(model.normalize(Score::Centipawns(70)), Score::Centipawns(100));
    /// assert_eq!(model.expect(Score::Centipawns(70)).win, 500);
    /// ```
    #[must_use]
    pub fn normalize(&self, score: Score) -> Score {
        let Score::Centipawns(centipawns) = score else { return score };
        let scale = self.slope / self.draw.max(MIN_DRAW);
        Score::Centipawns((f64::from(centipawns) * scale).round() as i32)
    }

    /// The chances to win and to lose with this score, from 0 to 1.
    #[must_use]
    pub fn chances(&self, centipawns: i32) -> [f64; 2] {
        let chance =
            |centipawns: i32| 1.0 / (1.0 + (self.draw - self.slope * f64::from(centipawns) / 100.0).exp());
        let [can_win, can_lose] = self.can_win;
        [if can_win { chance(centipawns) } else { 0.0 }, if can_lose { chance(-centipawns) } else { 0.0 }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_rules::library;
    use lozenge_rules::position::Color;

    #[test]
    fn win_probability_is_monotonic_in_every_game() {
        for id in library::ids() {
            let curve = Curve::of(&library::game(id).unwrap());
            assert_ne!(curve, Curve::PLAIN, "{id}");
            for share in [0.0, 0.1, 0.5, 1.0] {
                let model = curve.at(share);
                let mut before = model.expect(Score::Centipawns(-31_000));
                for centipawns in (-31_000..=31_000).step_by(10) {
                    let expected = model.expect(Score::Centipawns(centipawns));
                    assert_eq!(expected.win + expected.draw + expected.loss, 1000, "{id} {centipawns}");
                    let rises = expected.win >= before.win && expected.loss <= before.loss;
                    assert!(rises, "{id} {share} {centipawns}");
                    before = expected;
                    let other = model.expect(Score::Centipawns(-centipawns));
                    assert_eq!((expected.win, expected.loss), (other.loss, other.win));
                }
                assert!(before.win > 990, "{id} {share}");
            }
        }
    }

    #[test]
    fn documented_thresholds_are_those_of_the_curves() {
        let manual = include_str!("../../../docs/analysis.md");
        for loss in [0.05, 0.10, 0.15] {
            let mut row = format!("| {loss:.2} |");
            for id in ["diamond", "diagonal", "diamondback", "diamondring"] {
                let variant = library::game(id).unwrap();
                let model = Curve::of(&variant).model(&AnyPosition::start(&variant));
                let loses = |&lost: &i32| model.expected_score(Score::Centipawns(-lost)) <= 0.5 - loss;
                row.push_str(&format!(" {} |", (1..).find(loses).unwrap()));
            }
            assert!(manual.contains(&row), "the manual should have {row}");
        }
    }

    #[test]
    fn a_known_win_is_one_and_a_bare_king_never_wins() {
        for (id, fen) in [
            ("chess", "7k/8/8/8/8/8/8/KQ6 w - - 0 1"),
            ("chess", "7k/8/8/8/8/8/8/KR6 b - - 0 1"),
            ("diagonal", "7k/8/8/8/8/8/8/KQ6 w - - 0 1"),
            ("diamond", "****k****/***3***/**5**/*7*/4*4/*7*/**5**/***1A1***/****K**** w - - 0 1"),
            ("doublediamond", "**6k/**7/9/9/9/9/9/7**/K6** w - - 0 1"),
            ("doublediamond", "**6k/**7/9/9/Q8/9/9/7**/K6** b - - 0 1"),
            ("chess", "7k/8/8/8/8/8/8/KN6 w - - 0 1"),
            ("diamondring", "11k/12/12/12/12/12/12/12/12/1K10/1R10/12 w - - 0 1"),
        ] {
            let variant = library::game(id).unwrap();
            let position = AnyPosition::from_fen(&variant, fen).unwrap();
            let mut engine = crate::Engine::new(1);
            let Score::Centipawns(score) = engine.evaluate(&position) else {
                panic!("{fen}: no mate is counted")
            };
            let white = if position.turn() == Color::White { score } else { -score };
            let expected = engine.chances(&position).expect(Score::Centipawns(score));
            let (wins, losses) = match position.turn() {
                Color::White => (expected.win, expected.loss),
                Color::Black => (expected.loss, expected.win),
            };
            assert_eq!(losses, 0, "{fen}: {expected:?}");
            let is_won = fen.contains(['Q', 'A']) || (id == "chess" && fen.contains('R'));
            assert!(if is_won { wins > 990 } else { wins < 100 }, "{fen}: {white} {expected:?}");
        }
    }

    #[test]
    fn a_queen_more_is_a_likely_win_in_every_phase() {
        for id in ["diagonal", "diamondback", "diamond", "doublediamond"] {
            let curve = Curve::of(&library::game(id).unwrap());
            for share in [MIN_SHARE, 0.5, 1.0] {
                let expected = curve.at(share).expect(Score::Centipawns(1_000));
                assert!(expected.win > 600, "{id} {share} {expected:?}");
            }
        }
    }

    #[test]
    fn the_five_games_have_curves_of_their_own() {
        let all = read(DATA, None).unwrap();
        for id in ["diagonal", "diamondback", "diamond", "doublediamond", "diamondring"] {
            let variant = library::game(id).unwrap();
            assert_ne!(read(DATA, Some(&variant)), None, "{id}");
            assert_ne!(Curve::of(&variant), all, "{id}");
        }
        // Another game, also one of the same name with other rules.
        let chess = library::game("chess").unwrap();
        assert_eq!(Curve::of(&chess), all);
        let text = library::text("diamond").unwrap().replace("moves = \"N\"", "moves = \"NW\"");
        let changed = Variant::parse("diamond", &text, &|_| None).unwrap();
        assert_eq!(Curve::of(&changed), all);
    }

    #[test]
    fn pieces_are_counted_without_kings() {
        let chess = library::game("chess").unwrap();
        let share = |fen: &str| share_of_pieces(&AnyPosition::from_fen(&chess, fen).unwrap());
        assert_eq!(share_of_pieces(&AnyPosition::start(&chess)), 1.0);
        assert_eq!(share("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), MIN_SHARE);
        assert_eq!(share("4k3/pppppp2/8/8/8/8/PPP5/4K3 w - - 0 1"), 0.3);
    }
}
