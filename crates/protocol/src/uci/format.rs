//! The lines of the engine: `info`, `bestmove`, `info string variant`.

use lozenge_engine::{Bound, Info, Report, Score};
use lozenge_rules::notation::uci;
use lozenge_rules::position::{AnyPosition, Color, Move, Status};
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

/// The `info` line of an iteration. There is no `wdl` yet: no model says how scores become results.
pub(crate) fn info(variant: &Variant, info: &Info) -> String {
    let bound = match info.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    let per_second = u128::from(info.nodes) * 1_000_000_000 / info.time.as_nanos().max(1);
    // A first iteration takes less than the clock can see.
    let per_second = if info.time.as_micros() == 0 { u128::from(info.nodes) * 1000 } else { per_second };
    let mut line = format!(
        "info depth {} seldepth {} multipv {} score {}{bound} nodes {} nps {per_second} hashfull {} tbhits 0 time {}",
        info.depth,
        info.seldepth,
        info.multipv,
        score(info.score),
        info.nodes,
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

/// The `info` line of a position without legal moves: lost by mate or goal, or drawn.
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

/// The answer to `eval`: a score as White sees it, in pawns.
pub(crate) fn evaluation(position: &AnyPosition, report: &Report) -> String {
    let sign = if position.turn() == Color::White { 1 } else { -1 };
    let value = match report.score {
        Score::Centipawns(centipawns) => format!("{:+.2}", f64::from(sign * centipawns) / 100.0),
        Score::Wins(moves) => format!("mate {}", i64::from(sign) * i64::from(moves)),
        Score::Loses(moves) => format!("mate {}", -i64::from(sign) * i64::from(moves)),
    };
    format!("Final evaluation: {value} (white side)")
}
