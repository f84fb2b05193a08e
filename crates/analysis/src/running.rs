//! A search while it runs, in the wire's words: the lines of the engine as they are found, scores as White sees them, with four
//! players as the player to move does. Not
//! here: the search, and to whom its lines are sent.

use lozenge_engine::wdl::{Expected, Model};
use lozenge_engine::{Bound, Engine, Info, Score};
use lozenge_rules::notation::turn;
use lozenge_rules::position::{AnyPosition, Color, Game, GamePosition, Move, MultiTurn, SetupError};
use lozenge_wire::analysis::{AnalysisInfo, AnalysisLine};
use lozenge_wire::review::ReviewScore;
use std::time::Duration;

/// Why the threat of the side not to move cannot be searched.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ThreatError {
    /// The side to move is in check.
    #[error("expected a position without check to look for the threat in")]
    Check,
    /// The position is invalid with the other side to move.
    #[error(transparent)]
    Position(#[from] SetupError),
}

/// The game in which it is the other side's turn: its threat.
///
/// # Errors
/// When the side to move is in check, or the position is not valid with the other side to move.
pub fn threat(game: &Game) -> Result<Game, ThreatError> {
    let position = game.position();
    if position.is_check() {
        return Err(ThreatError::Check);
    }
    let mut setup = position.setup();
    setup.turn = setup.turn.opponent();
    (setup.en_passant, setup.en_passant_pawn) = (None, None);
    let turned = AnyPosition::from_setup(position.variant(), &setup)?;
    Ok(Game::from_position(turned))
}

/// Sets how much was searched.
pub fn count(info: &mut AnalysisInfo, nodes: u64, time: Duration) {
    info.nodes = nodes;
    info.time_ms = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    info.nps = (nodes * 1_000).checked_div(info.time_ms).unwrap_or(0);
}

/// Adds a report of the engine on a position to `info`, all but its counts. Lines of an iteration that was finished before stay.
pub fn take(info: &mut AnalysisInfo, position: &GamePosition, model: Option<&Model>, found: &Info) {
    info.hashfull = found.hashfull;
    info.current = found.current.map(|current| turn::san(position, MultiTurn::Move(current.played)));
    let index = found.multipv - 1;
    let known = info.lines.get(index).map_or(0, |line| line.depth);
    if found.current.is_some() || found.bound != Bound::Exact || found.depth < known {
        return;
    }
    let line = line(position, model, found.depth, found.score, &found.pv);
    match info.lines.get_mut(index) {
        Some(known) => *known = line,
        None => info.lines.push(line),
    }
    if index == 0 {
        (info.depth, info.seldepth) = (found.depth, found.seldepth);
    }
}

/// The model of a position's scores: none in a game of four.
#[must_use]
pub fn model(engine: &mut Engine, position: &GamePosition) -> Option<Model> {
    position.two().map(|position| engine.chances(position))
}

/// A line of the engine from a position; its score is that of the side to move.
fn line(
    start: &GamePosition,
    model: Option<&Model>,
    depth: u32,
    score: Score,
    moves: &[Move],
) -> AnalysisLine {
    let (score, wdl) = match (start, model) {
        (GamePosition::Two(start), Some(model)) => {
            let Expected { win, draw, loss } = model.expect(score);
            let wdl = if start.turn() == Color::White { [win, draw, loss] } else { [loss, draw, win] };
            (white_score(start.turn(), model.normalize(score)), Some(wdl))
        }
        // As the player to move sees it.
        _ => (white_score(Color::White, score), None),
    };
    let (mut pv, mut sans) = (Vec::new(), Vec::new());
    let mut here = start.clone();
    for &played in moves {
        let played = MultiTurn::Move(played);
        pv.push(turn::uci(&here, played));
        sans.push(turn::san(&here, played));
        here = here.play_unchecked(played);
    }
    AnalysisLine { depth, score, wdl, pv, san: sans }
}

/// A score of the side to move as White sees it.
pub(crate) fn white_score(turn: Color, score: Score) -> ReviewScore {
    let sign = if turn == Color::White { 1 } else { -1 };
    let moves = |moves: u32| i32::try_from(moves).unwrap_or(i32::MAX);
    match score {
        Score::Centipawns(centipawns) => ReviewScore::Cp(sign * centipawns),
        Score::Wins(to_go) => ReviewScore::Mate(sign * moves(to_go)),
        Score::Loses(to_go) => ReviewScore::Mate(-sign * moves(to_go)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_engine::{Limits, Signals};
    use lozenge_rules::library;

    fn game(id: &str, fen: &str) -> Game {
        Game::from_position(AnyPosition::from_fen(&library::game(id).unwrap(), fen).unwrap())
    }

    #[test]
    fn lines_are_those_of_the_last_iteration_and_scores_are_whites() {
        // Black's pawn on b2 goes to a1 and wins.
        let game = game("diagonal", "7k/8/8/3K4/8/8/1p6/8 b - - 0 1");
        let mut engine = Engine::new(1);
        let position = game.position().clone().into();
        let model = model(&mut engine, &position);
        let mut info = AnalysisInfo::default();
        let limits = Limits { depth: Some(3), multipv: 2, ..Limits::default() };
        engine.search(&game, &limits, &Signals::default(), &mut |found| {
            take(&mut info, &position, model.as_ref(), found);
        });
        count(&mut info, 3_000, Duration::from_millis(10));
        assert_eq!((info.nodes, info.time_ms, info.nps), (3_000, 10, 300_000));
        assert_eq!((info.lines.len(), info.depth), (2, 3));
        assert_eq!((info.lines[0].score, info.lines[0].wdl), (ReviewScore::Mate(-1), Some([0, 0, 1_000])));
        assert_eq!(info.lines[0].pv.len(), info.lines[0].san.len());
    }

    #[test]
    fn a_threat_is_the_other_sides_move_unless_there_is_check() {
        let quiet = game("chess", "4k3/8/8/8/8/8/4R3/4K2R b - - 0 1");
        assert!(matches!(threat(&quiet), Err(ThreatError::Check)));
        let start = Game::new(&library::game("chess").unwrap());
        assert_eq!(threat(&start).unwrap().position().turn(), Color::Black);
    }
}
