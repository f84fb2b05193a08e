//! The lines that the engine writes in UCI: `info`, `bestmove`, `info string variant`.

use crate::event::SearchResult;
use crate::output::one_line;
use crate::task::Format;
use lozenge_engine::wdl::{Expected, Model};
use lozenge_engine::{Bound, CurrentMove, Info, Score};
use lozenge_rules::notation::uci;
use lozenge_rules::position::{AnyPosition, Move, Status};
use lozenge_rules::variant::{Stalemate, Variant};
use std::fmt::Write as _;

/// `cp 13`, `mate 3`, `mate -2`: a mate or a goal is counted in moves, negative for the loser.
pub(crate) fn score(score: Score) -> String {
    match score {
        Score::Centipawns(centipawns) => format!("cp {centipawns}"),
        Score::Wins(moves) => format!("mate {moves}"),
        Score::Loses(0) => "mate 0".into(),
        Score::Loses(moves) => format!("mate -{moves}"),
    }
}

/// The lines of a task in UCI.
#[derive(Debug)]
pub(crate) struct UciFormat {
    /// Converts scores to win, draw and loss.
    pub(crate) model: Model,
    /// Whether `UCI_ShowWDL` is set.
    pub(crate) show_wdl: bool,
    /// Whether scores are the engine's own, not normalized.
    pub(crate) raw: bool,
}

impl Format for UciFormat {
    fn info(&self, position: &AnyPosition, info: &Info) -> Option<String> {
        Some(match info.current {
            None => self.info_line(position.variant(), info),
            Some(current) => progress_line(position.variant(), info, current),
        })
    }

    fn game_over(&self, position: &AnyPosition) -> Option<String> {
        Some(game_over(position))
    }

    fn result(&self, position: &AnyPosition, result: &SearchResult) -> Option<String> {
        Some(best_move(position.variant(), result.best, result.ponder))
    }

    fn comment(&self, text: &str) -> String {
        format!("info string {}", one_line(text))
    }
}

impl UciFormat {
    /// The `info` line of an iteration.
    fn info_line(&self, variant: &Variant, info: &Info) -> String {
        let bound = match info.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        };
        let Expected { win, draw, loss } = self.model.expect(info.score);
        let wdl = if self.show_wdl { format!(" wdl {win} {draw} {loss}") } else { String::new() };
        let printed_score = if self.raw { info.score } else { self.model.normalize(info.score) };
        let mut line = format!(
            "info depth {} seldepth {} multipv {} score {}{bound}{wdl} nodes {} nps {} hashfull {} tbhits {} time {}",
            info.depth,
            info.seldepth,
            info.multipv,
            score(printed_score),
            info.nodes,
            info.nodes_per_second(),
            info.hashfull,
            info.tbhits,
            info.time.as_millis(),
        );
        if !info.pv.is_empty() {
            line.push_str(" pv");
            for &next in &info.pv {
                let _ = write!(line, " {}", uci::write(variant, next));
            }
        }
        line
    }
}

/// The `info` line within an iteration.
fn progress_line(variant: &Variant, info: &Info, current: CurrentMove) -> String {
    format!(
        "info depth {} currmove {} currmovenumber {} nodes {} nps {} hashfull {} tbhits {} time {}",
        info.depth,
        uci::write(variant, current.played),
        current.number,
        info.nodes,
        info.nodes_per_second(),
        info.hashfull,
        info.tbhits,
        info.time.as_millis(),
    )
}

/// The `bestmove` line.
pub(crate) fn best_move(variant: &Variant, best: Option<Move>, ponder: Option<Move>) -> String {
    match (best, ponder) {
        (None, _) => "bestmove (none)".into(),
        (Some(best), None) => format!("bestmove {}", uci::write(variant, best)),
        (Some(best), Some(ponder)) => {
            format!("bestmove {} ponder {}", uci::write(variant, best), uci::write(variant, ponder))
        }
    }
}

/// The `info` line of a position in which the game is over: lost by mate or goal, or drawn.
pub(crate) fn game_over(position: &AnyPosition) -> String {
    let lost = match position.status() {
        Status::Checkmate | Status::Goal => true,
        Status::Stalemate => position.variant().draws().stalemate == Stalemate::Loss,
        Status::Ongoing | Status::Check | Status::Dead => false,
    };
    // UCI has no score for a game already won, as where stalemate wins for the side that cannot move.
    format!("info depth 0 score {}", if lost { "mate 0" } else { "cp 0" })
}

/// The line that GUIs made for Fairy-Stockfish read after a change of variant.
pub(crate) fn variant(variant: &Variant) -> String {
    format!(
        "info string variant {} files {} ranks {} pocket 0 template fairy startpos {}",
        variant.id(),
        variant.shape().width(),
        variant.shape().height(),
        variant.starts().get(variant.usual_start()).map_or("", |start| &start.fen)
    )
}
