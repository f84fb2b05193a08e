//! The evaluation of each position of a game: by the engine, or by endgame tables where they have its value.

use lozenge_engine::{Engine, Limits, Score, Signals};
use lozenge_rules::position::{AnyPosition, Game, Move, Outcome};
use lozenge_tablebase::{Tables, Value};

/// Longest line from tables, in plies.
const TABLE_LINE: usize = 32;

/// The evaluation of a position, for the side to move.
#[derive(Clone, PartialEq, Debug)]
pub struct Evaluation {
    /// The score, normalized: 100 centipawns win half of the games.
    pub score: Score,
    /// The expected score by the engine's win-draw-loss model, from 0 to 1.
    pub expected: f64,
    /// The principal variation; empty when the game is over.
    pub line: Vec<Move>,
    /// Deepest finished iteration; 0 where nothing was searched.
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

    /// The value of a position in tables, which count neither moves nor repetitions; `None` if they do not cover it. A damaged file
    /// counts as missing.
    fn of_tables(tables: &Tables, position: &AnyPosition) -> Option<Self> {
        let (score, expected) = match tables.probe(position).ok()?? {
            Value::Win(distance) => (Score::Wins(u32::from(distance).div_ceil(2)), 1.0),
            Value::Loss(distance) => (Score::Loses(u32::from(distance).div_ceil(2)), 0.0),
            Value::Draw => (Score::Centipawns(0), 0.5),
        };
        let (mut line, mut position) = (Vec::new(), position.clone());
        while line.len() < TABLE_LINE
            && let Ok(Some(moves)) = tables.moves(&position)
            && let Some((best, _)) = moves.first()
        {
            line.push(*best);
            position = position.play_unchecked(*best);
        }
        Some(Self { line, ..Self::over(score, expected) })
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

/// Evaluates the position at the end of a game: by the engine's endgame tables if they cover it, otherwise with a search of `nodes`
/// nodes.
pub fn evaluate_position(engine: &mut Engine, game: &Game, nodes: u64, signals: &Signals) -> Evaluation {
    let turn = game.position().turn();
    match game.outcome() {
        Some(Outcome::Win { winner, .. }) if winner == turn => return Evaluation::over(Score::Wins(0), 1.0),
        Some(Outcome::Win { .. }) => return Evaluation::over(Score::Loses(0), 0.0),
        Some(Outcome::Draw(_)) => return Evaluation::over(Score::Centipawns(0), 0.5),
        None => {}
    }
    let tables = engine.tables_of(game.variant());
    if let Some(evaluation) = tables.and_then(|tables| Evaluation::of_tables(&tables, game.position())) {
        return evaluation;
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
