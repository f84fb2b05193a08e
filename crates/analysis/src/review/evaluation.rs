//! The engine's evaluation of each position of a game.

use lozenge_engine::{Engine, Limits, Score, Signals};
use lozenge_rules::position::{Game, Move, Outcome};

/// The engine's evaluation of a position, for the side to move.
#[derive(Clone, PartialEq, Debug)]
pub struct Evaluation {
    /// The score, normalized: 100 centipawns win half of the games.
    pub score: Score,
    /// The expected score by the engine's win-draw-loss model, from 0 to 1.
    pub expected: f64,
    /// The principal variation; empty when the game is over.
    pub line: Vec<Move>,
    /// Deepest finished iteration.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
}

impl Evaluation {
    /// The best move.
    #[must_use]
    pub fn best(&self) -> Option<Move> {
        self.line.first().copied()
    }

    /// A position in which the game is over.
    fn over(score: Score, expected: f64) -> Self {
        Self { score, expected, line: Vec::new(), depth: 0, nodes: 0 }
    }
}

/// Evaluates all positions of a game, the start first, with `nodes` nodes each. `None` when `signals` stopped it.
///
/// The search goes backwards through the game, so that the hash table knows what came of each move. It is cleared first: the
/// same game with the same nodes has the same evaluations.
pub fn evaluate(engine: &mut Engine, game: &Game, nodes: u64, signals: &Signals) -> Option<Vec<Evaluation>> {
    evaluate_with(engine, game, nodes, signals, &mut |_| {})
}

/// As [`evaluate`]; `progress` receives the number of positions done after each.
pub fn evaluate_with(
    engine: &mut Engine,
    game: &Game,
    nodes: u64,
    signals: &Signals,
    progress: &mut dyn FnMut(usize),
) -> Option<Vec<Evaluation>> {
    engine.clear();
    let mut evaluations = Vec::with_capacity(game.moves().len() + 1);
    let mut before = game.clone();
    loop {
        evaluations.push(evaluate_position(engine, &before, nodes, signals));
        if signals.is_stopped() {
            return None;
        }
        progress(evaluations.len());
        if before.undo().is_none() {
            break;
        }
    }
    evaluations.reverse();
    Some(evaluations)
}

/// Evaluates the position at the end of a game with a search of `nodes` nodes.
pub fn evaluate_position(engine: &mut Engine, game: &Game, nodes: u64, signals: &Signals) -> Evaluation {
    let turn = game.position().turn();
    match game.outcome() {
        Some(Outcome::Win { winner, .. }) if winner == turn => return Evaluation::over(Score::Wins(0), 1.0),
        Some(Outcome::Win { .. }) => return Evaluation::over(Score::Loses(0), 0.0),
        Some(Outcome::Draw(_)) => return Evaluation::over(Score::Centipawns(0), 0.5),
        None => {}
    }
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let mut line = Vec::new();
    let report = engine.search(game, &limits, signals, &mut |info| {
        if info.multipv <= 1 {
            line.clone_from(&info.pv);
        }
    });
    // The last line may be of an iteration that did not finish.
    if line.first().copied() != report.best {
        line = report.best.into_iter().chain(report.ponder).collect();
    }
    let model = engine.chances(game.position());
    let (score, expected) = (model.normalize(report.score), model.expected_score(report.score));
    Evaluation { score, expected, line, depth: report.depth, nodes: report.nodes }
}
