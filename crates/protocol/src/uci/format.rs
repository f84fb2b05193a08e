//! The lines of the engine: `info`, `bestmove`, `info string variant`.

use crate::output::one_line;
use crate::work::{Found, Voice};
use lozenge_engine::wdl::{Expected, Model};
use lozenge_engine::{Bound, Info, Score};
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

/// The lines of a search in UCI.
#[derive(Debug)]
pub(crate) struct Speech {
    /// How scores become results, where `wdl` is asked for.
    pub(crate) wdl: Option<Model>,
}

impl Voice for Speech {
    fn thinking(&self, position: &AnyPosition, info: &Info) -> Option<String> {
        Some(self.info(position.variant(), info))
    }

    fn finished(&self, position: &AnyPosition) -> Option<String> {
        Some(finished(position))
    }

    fn found(&self, position: &AnyPosition, found: &Found) -> Option<String> {
        Some(best_move(position.variant(), found.best, found.ponder))
    }

    fn remark(&self, text: &str) -> String {
        format!("info string {}", one_line(text))
    }
}

impl Speech {
    /// The `info` line of an iteration.
    fn info(&self, variant: &Variant, info: &Info) -> String {
        let bound = match info.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        };
        let wdl = self.wdl.map_or_else(String::new, |model| {
            let Expected { win, draw, loss } = model.expect(info.score);
            format!(" wdl {win} {draw} {loss}")
        });
        let mut line = format!(
            "info depth {} seldepth {} multipv {} score {}{bound}{wdl} nodes {} nps {} hashfull {} tbhits 0 time {}",
            info.depth,
            info.seldepth,
            info.multipv,
            score(info.score),
            info.nodes,
            nodes_per_second(info),
            info.hashfull,
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

/// Nodes per second so far.
pub(crate) fn nodes_per_second(info: &Info) -> u128 {
    // A first iteration may take less than the clock can see.
    let nanos = if info.time.as_micros() == 0 { 1_000_000 } else { info.time.as_nanos() };
    u128::from(info.nodes) * 1_000_000_000 / nanos
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
pub(crate) fn finished(position: &AnyPosition) -> String {
    let lost = match position.status() {
        Status::Checkmate | Status::Goal => true,
        Status::Stalemate => position.variant().draws().stalemate == Stalemate::Loss,
        Status::Ongoing | Status::Check | Status::Dead => false,
    };
    // Where stalemate wins for the side that cannot move there is nothing better to say than `cp 0`.
    format!("info depth 0 score {}", if lost { "mate 0" } else { "cp 0" })
}

/// What GUIs made for Fairy-Stockfish read after a change of variant.
pub(crate) fn variant(variant: &Variant) -> String {
    format!(
        "info string variant {} files {} ranks {} pocket 0 template fairy startpos {}",
        variant.id(),
        variant.shape().width(),
        variant.shape().height(),
        variant.starts().first().map_or("", |start| &start.fen)
    )
}
