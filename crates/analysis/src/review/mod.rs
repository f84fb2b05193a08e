//! Game review: which moves of a game were mistakes, what was better, and how accurately both sides played.
//!
//! [`evaluate`] searches the positions of a game; [`review`] judges its moves by them. Both are pure: which games, on how many
//! threads and where the results go is the caller's business. The formulas are those of lichess (`accuracy`), with one
//! difference: chances come from the engine's own win-draw-loss model for the game, not from one curve over centipawns. A pawn
//! is worth five times as much in one of our games as in another.
//!
//! ```
//! use lozenge_engine::{Engine, Signals};
//! use lozenge_analysis::review::{evaluate, review};
//! use lozenge_rules::{notation::uci, position::Game, library};
//!
//! let mut game = Game::new(&library::game("gardner").unwrap());
//! for text in ["a2a3", "b4a3", "b1a3"] {
//!     game.play(uci::parse(game.position(), text).unwrap()).unwrap();
//! }
//! let evaluations = evaluate(&mut Engine::new(1), &game, 500, &Signals::default()).unwrap();
//! let reviewed = review(&game, &evaluations);
//! assert_eq!(reviewed.moves.len(), 3);
//! assert_eq!(reviewed.moves[2].san, "Nxa3");
//! ```

mod accuracy;
mod evaluation;
mod job;

pub use evaluation::{Evaluation, evaluate, evaluate_position, evaluate_with};
pub use job::{ReviewFault, ReviewJob};

use crate::running::white_score;
use accuracy::{game_accuracy, move_accuracy};
use lozenge_engine::Score;
use lozenge_rules::notation::{san, uci};
use lozenge_rules::position::{AnyPosition, Color, Game, Move, Outcome, Status};
use lozenge_wire::GameResult;
use lozenge_wire::review::{
    Accuracy, BestMove, Evaluation as WhiteEvaluation, GameReview, Judgment, MissedWin, MoveReview,
};

/// Loss of expected score, from 0 to 1, that makes a move an inaccuracy, a mistake, a blunder.
pub const THRESHOLDS: [(f64, Judgment); 3] =
    [(0.15, Judgment::Blunder), (0.10, Judgment::Mistake), (0.05, Judgment::Inaccuracy)];

/// Longest line that is shown for a better move, in plies.
const LINE: usize = 10;

/// Judges the moves of a game. `evaluations` are those of its positions, the start first.
///
/// # Panics
/// If there is not one evaluation for each position.
#[must_use]
pub fn review(game: &Game, evaluations: &[Evaluation]) -> GameReview {
    assert_eq!(evaluations.len(), game.moves().len() + 1, "one evaluation for each position");
    let positions: Vec<AnyPosition> = game.positions().collect();
    let steps = positions.windows(2).zip(evaluations.windows(2)).zip(game.moves());
    let moves: Vec<MoveReview> = (1..)
        .zip(steps)
        .map(|(ply, ((positions, evaluations), &played))| {
            let ([before, after], [was, is]) = (positions, evaluations) else {
                unreachable!("windows of two")
            };
            move_review(ply, before, after, was, is, played)
        })
        .collect();
    let first = game.start().turn();
    let expected: Vec<f64> = positions
        .iter()
        .zip(evaluations)
        .map(|(position, value)| white(position.turn(), value.expected))
        .collect();
    let accuracy = |color| game_accuracy(&expected, first, color).map(|value| round(value, 1));
    GameReview {
        variant: game.variant().id().to_owned(),
        white: "?".into(),
        black: "?".into(),
        result: result(game),
        fen: game.start().fen(),
        accuracy: Accuracy { white: accuracy(Color::White), black: accuracy(Color::Black) },
        start: white_evaluation(first, &evaluations[0]),
        moves,
    }
}

fn move_review(
    ply: usize,
    before: &AnyPosition,
    after: &AnyPosition,
    was: &Evaluation,
    is: &Evaluation,
    played: Move,
) -> MoveReview {
    // The engine's own choice is never judged a mistake, even if a deeper search of the next position disagrees.
    let loss = if was.best() == Some(played) { 0.0 } else { was.expected - (1.0 - is.expected) };
    let best = was.best().map(|best| BestMove {
        uci: uci::write(before.variant(), best),
        san: san::write(before, best),
        score: white_score(before.turn(), was.score),
        line: line(before, &was.line),
    });
    let missed_win = matches!(was.score, Score::Wins(_)) && !matches!(is.score, Score::Loses(_));
    MoveReview {
        ply,
        uci: uci::write(before.variant(), played),
        san: san::write(before, played),
        evaluation: white_evaluation(after.turn(), is),
        best,
        judgment: judge(loss),
        missed_win: if missed_win { win_kind(before, &was.line) } else { None },
    }
}

/// The judgment of a move that loses `loss` of the expected score; `None` if it is good enough.
#[must_use]
pub fn judge(loss: f64) -> Option<Judgment> {
    THRESHOLDS.into_iter().find(|(least, _)| loss >= *least).map(|(_, judgment)| judgment)
}

/// The accuracy of a move that loses `loss` of the expected score, from 0 to 100.
#[must_use]
pub fn accuracy_of_loss(loss: f64) -> f64 {
    move_accuracy(100.0 * loss)
}

fn line(start: &AnyPosition, moves: &[Move]) -> Vec<String> {
    let mut position = start.clone();
    let mut texts = Vec::new();
    for &next in moves.iter().take(LINE) {
        texts.push(san::write(&position, next));
        position = position.play_unchecked(next);
    }
    texts
}

/// How a winning line ends, if it is long enough to show it.
fn win_kind(start: &AnyPosition, moves: &[Move]) -> Option<MissedWin> {
    let end = moves.iter().fold(start.clone(), |position, &next| position.play_unchecked(next));
    match end.status() {
        Status::Goal => Some(MissedWin::Goal),
        Status::Checkmate => Some(MissedWin::Mate),
        _ => None,
    }
}

fn result(game: &Game) -> GameResult {
    match game.outcome() {
        None => GameResult::Unknown,
        Some(Outcome::Draw(_)) => GameResult::Draw,
        Some(Outcome::Win { winner: Color::White, .. }) => GameResult::WhiteWins,
        Some(Outcome::Win { winner: Color::Black, .. }) => GameResult::BlackWins,
    }
}

/// An expected score of the side to move as White's.
fn white(turn: Color, expected: f64) -> f64 {
    if turn == Color::White { expected } else { 1.0 - expected }
}

fn white_evaluation(turn: Color, evaluation: &Evaluation) -> WhiteEvaluation {
    WhiteEvaluation {
        score: white_score(turn, evaluation.score),
        win_probability: round(white(turn, evaluation.expected), 4),
    }
}

fn round(value: f64, digits: i32) -> f64 {
    let unit = 10_f64.powi(digits);
    (value * unit).round() / unit
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_rules::library;
    use lozenge_tablebase::Value;
    use lozenge_wire::review::ReviewScore;

    fn game(id: &str, fen: &str, moves: &[&str]) -> Game {
        let start = AnyPosition::from_fen(&library::game(id).unwrap(), fen).unwrap();
        let mut game = Game::from_position(start);
        for text in moves {
            game.play(uci::parse(game.position(), text).unwrap()).unwrap();
        }
        game
    }

    fn value(game: &Game, ply: usize, expected: f64, score: Score, line: &[&str]) -> Evaluation {
        let mut position = game.position_at(ply).unwrap();
        let mut moves = Vec::new();
        for text in line {
            let next = uci::parse(&position, text).unwrap();
            position = position.play(next).unwrap();
            moves.push(next);
        }
        Evaluation { score, expected, line: moves, depth: 1, nodes: 1 }
    }

    #[test]
    fn moves_are_classified_by_loss_of_expected_score() {
        for (loss, expected) in [
            (-0.2, None),
            (0.049, None),
            (0.05, Some(Judgment::Inaccuracy)),
            (0.10, Some(Judgment::Mistake)),
            (0.15, Some(Judgment::Blunder)),
            (1.0, Some(Judgment::Blunder)),
        ] {
            assert_eq!(judge(loss), expected, "{loss}");
        }
    }

    /// White could reach the goal at once, and walks away from it; then Black plays the engine's choice.
    #[test]
    fn a_missed_goal_is_a_blunder_and_the_best_move_is_never_blamed() {
        let game = game("diagonal", "8/6P1/8/8/3k4/8/8/K7 w - - 0 1", &["a1a2", "d4e5"]);
        let cp = Score::Centipawns;
        let reviewed = review(
            &game,
            &[
                value(&game, 0, 1.0, Score::Wins(1), &["g7h8"]),
                value(&game, 1, 0.5, cp(0), &["d4e5"]),
                value(&game, 2, 0.9, cp(300), &[]),
            ],
        );
        let [blunder, reply] = &reviewed.moves[..] else { panic!("two moves") };
        assert_eq!((blunder.judgment, blunder.missed_win), (Some(Judgment::Blunder), Some(MissedWin::Goal)));
        let best = blunder.best.as_ref().unwrap();
        assert_eq!(
            (best.uci.as_str(), best.score, &best.line[..]),
            ("g7h8", ReviewScore::Mate(1), &["h8#".into()][..])
        );
        assert_eq!(blunder.evaluation.win_probability, 0.5);
        assert_eq!((reply.judgment, reply.evaluation.score), (None, ReviewScore::Cp(300)));
        assert_eq!(reply.evaluation.win_probability, 0.9);
    }

    #[test]
    fn scores_are_those_of_white() {
        let game = game("gardner", "k4/5/2K2/1Q3/5 w - - 0 1", &["b2b4"]);
        let mut engine = lozenge_engine::Engine::new(1);
        let evaluations = evaluate(&mut engine, &game, 200, &lozenge_engine::Signals::default()).unwrap();
        let reviewed = review(&game, &evaluations);
        assert_eq!(reviewed.start.score, ReviewScore::Mate(1));
        assert_eq!(
            reviewed.moves[0].evaluation,
            WhiteEvaluation { score: ReviewScore::Mate(0), win_probability: 1.0 }
        );
        assert_eq!((reviewed.result, reviewed.accuracy.black), (GameResult::WhiteWins, None));
        assert_eq!(reviewed.accuracy.white, Some(100.0));
    }

    /// KAvK of Diamond Chess: the longest way to a win is a win, and a move that lets the win go is a blunder.
    #[test]
    fn positions_in_tables_are_judged_by_them() {
        let variant = library::game("diamond").unwrap();
        let mut tables = lozenge_tablebase::Tables::new(&variant);
        let class = lozenge_tablebase::Material::parse(&variant, "KAvK").unwrap();
        let resources = lozenge_tablebase::Resources { threads: 1, memory: 1 << 28 };
        tables.generate(&class, None, resources, &mut |_| true).unwrap();
        // The piece may step beside the King of Black, who then captures it.
        let fen = "****1****/***3***/**5**/*7*/4*k3/*2A4*/**5**/***3***/****K**** w - - 0 1";
        let start = AnyPosition::from_fen(&variant, fen).unwrap();
        let moves = tables.moves(&start).unwrap().unwrap();
        let mut wins = moves.iter().filter(|(_, value)| matches!(value, Value::Win(_)));
        let (slowest, Value::Win(distance)) = *wins.next_back().unwrap() else { panic!("a win") };
        let (_, Value::Win(fastest)) = moves[0] else { panic!("a win") };
        assert!(distance > fastest, "{distance} {fastest}");
        let (lost, _) = *moves.iter().find(|(_, value)| *value == Value::Draw).unwrap();
        let mut engine = lozenge_engine::Engine::new(1);
        engine.set_tables(Some(std::sync::Arc::new(tables)));
        for (played, expected) in [(slowest, None), (lost, Some(Judgment::Blunder))] {
            let mut game = Game::from_position(start.clone());
            game.play(played).unwrap();
            let evaluations = evaluate(&mut engine, &game, 100, &lozenge_engine::Signals::default()).unwrap();
            assert_eq!(evaluations.iter().map(|evaluation| evaluation.nodes).sum::<u64>(), 0);
            assert_eq!(evaluations[0].line.len(), usize::from(fastest));
            let reviewed = review(&game, &evaluations);
            let judged = &reviewed.moves[0];
            assert_eq!(judged.judgment, expected, "{}", judged.san);
            assert_eq!(reviewed.start.score, ReviewScore::Mate(i32::from(fastest.div_ceil(2))));
            let missed = expected.map(|_| MissedWin::Mate);
            assert_eq!(judged.missed_win, missed);
        }
    }

    #[test]
    fn the_same_game_is_reviewed_the_same_way() {
        let game = game("diamond", &AnyPosition::start(&library::game("diamond").unwrap()).fen(), &["e2d4"]);
        let mut engine = lozenge_engine::Engine::new(1);
        let mut once = || evaluate(&mut engine, &game, 1_000, &lozenge_engine::Signals::default()).unwrap();
        let first = once();
        assert_eq!(first, once());
    }
}
