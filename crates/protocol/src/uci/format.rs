//! The lines that the engine writes in UCI: `info`, `bestmove`, `info string variant`.

use super::multi;
use crate::event::SearchResult;
use crate::output::one_line;
use crate::task::Format;
use lozenge_engine::wdl::{Expected, Model};
use lozenge_engine::{Bound, CurrentMove, Info, Score};
use lozenge_rules::geometry::Shape;
use lozenge_rules::position::Played;
use lozenge_rules::position::{AnyPosition, Move, Status};
use lozenge_rules::variant::{MultiVariant, Stalemate, Variant};
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
    /// Converts scores to win, draw and loss; none in games of four.
    pub(crate) model: Option<Model>,
    /// Whether `UCI_ShowWDL` is set.
    pub(crate) show_wdl: bool,
    /// Whether scores are the engine's own, not normalized.
    pub(crate) raw: bool,
}

impl Format for UciFormat {
    fn info(&self, game: &Played, info: &Info) -> Option<String> {
        Some(match info.current {
            None => self.info_line(game, info),
            Some(current) => progress_line(game, info, current),
        })
    }

    fn game_over(&self, game: &Played) -> Option<String> {
        Some(match game {
            Played::Two(game) => game_over(game.position()),
            Played::Four(game) => multi::game_over(game.position()),
        })
    }

    fn result(&self, game: &Played, result: &SearchResult) -> Option<String> {
        Some(best_move(game, result.best, result.ponder))
    }

    fn comment(&self, text: &str) -> String {
        format!("info string {}", one_line(text))
    }
}

impl UciFormat {
    /// The `info` line of an iteration.
    fn info_line(&self, game: &Played, info: &Info) -> String {
        let bound = match info.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        };
        let wdl = match self.model.as_ref().filter(|_| self.show_wdl).map(|model| model.expect(info.score)) {
            Some(Expected { win, draw, loss }) => format!(" wdl {win} {draw} {loss}"),
            None => String::new(),
        };
        let model = self.model.as_ref().filter(|_| !self.raw);
        let printed_score = model.map_or(info.score, |model| model.normalize(info.score));
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
                let _ = write!(line, " {}", game.write(next));
            }
        }
        line
    }
}

/// The `info` line within an iteration.
fn progress_line(game: &Played, info: &Info, current: CurrentMove) -> String {
    format!(
        "info depth {} currmove {} currmovenumber {} nodes {} nps {} hashfull {} tbhits {} time {}",
        info.depth,
        game.write(current.played),
        current.number,
        info.nodes,
        info.nodes_per_second(),
        info.hashfull,
        info.tbhits,
        info.time.as_millis(),
    )
}

/// The `bestmove` line.
pub(crate) fn best_move(game: &Played, best: Option<Move>, ponder: Option<Move>) -> String {
    match (best, ponder) {
        (None, _) => "bestmove (none)".into(),
        (Some(best), None) => format!("bestmove {}", game.write(best)),
        (Some(best), Some(ponder)) => {
            format!("bestmove {} ponder {}", game.write(best), game.write(ponder))
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
pub(crate) fn multi_variant(variant: &MultiVariant) -> String {
    variant_line(variant.id(), variant.shape(), variant.start())
}

/// The same for a game of two.
pub(crate) fn variant(variant: &Variant) -> String {
    let start = variant.starts().get(variant.usual_start()).map_or("", |start| &start.fen);
    variant_line(variant.id(), variant.shape(), start)
}

fn variant_line(id: &str, shape: &Shape, start: &str) -> String {
    let (width, height) = (shape.width(), shape.height());
    format!("info string variant {id} files {width} ranks {height} pocket 0 template fairy startpos {start}")
}
