//! The engine, and the results of its searches.

use crate::position::Position;
use crate::{fault, interruptible};
use lozenge_engine::{Engine as Search, Handicap, Limits, Score, Signals};
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The engine with its memory.
#[pyclass(frozen, module = "lozenge")]
pub(crate) struct Engine {
    search: Mutex<Search>,
    level: Option<u8>,
}

/// A line of play.
#[pyclass(frozen, get_all, module = "lozenge")]
#[derive(Clone)]
pub(crate) struct Line {
    moves: Vec<String>,
    cp: Option<i32>,
    mate: Option<i64>,
}

/// The result of a search.
#[pyclass(frozen, get_all, module = "lozenge")]
#[derive(Clone)]
pub(crate) struct Analysis {
    best: Option<String>,
    cp: Option<i32>,
    mate: Option<i64>,
    depth: u32,
    nodes: u64,
    lines: Vec<Line>,
}

#[pymethods]
impl Analysis {
    fn __repr__(&self) -> String {
        let score = match (self.cp, self.mate) {
            (Some(cp), _) => format!("cp={cp}"),
            (None, mate) => format!("mate={}", mate.unwrap_or(0)),
        };
        let best = self.best.as_deref().unwrap_or("None");
        format!("<lozenge.Analysis best={best} {score} depth={} nodes={}>", self.depth, self.nodes)
    }
}

/// A score in centipawns, or in moves to the end.
fn score(score: Score) -> (Option<i32>, Option<i64>) {
    match score {
        Score::Centipawns(cp) => (Some(cp), None),
        Score::Wins(moves) => (None, Some(i64::from(moves))),
        Score::Loses(moves) => (None, Some(-i64::from(moves))),
    }
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (*, hash=16, threads=1, level=None))]
    fn new(hash: usize, threads: usize, level: Option<u8>) -> PyResult<Self> {
        let last = lozenge_engine::skill::FULL_LEVEL;
        if let Some(level) = level.filter(|&level| level > last) {
            return Err(fault(format_args!("expected a level from 0 to {last}, found {level}")));
        }
        if !(1..=Search::MAX_THREADS).contains(&threads) {
            return Err(fault(format_args!(
                "expected 1 to {} threads, found {threads}",
                Search::MAX_THREADS
            )));
        }
        let mut search = Search::new(1);
        search.set_hash(hash.max(1)).map_err(fault)?;
        search.set_threads(threads);
        Ok(Self { search: Mutex::new(search), level })
    }

    #[pyo3(signature = (position, *, nodes=None, movetime=None, depth=None, multipv=1))]
    fn analyse(
        &self,
        py: Python<'_>,
        position: &Position,
        nodes: Option<u64>,
        movetime: Option<u64>,
        depth: Option<u32>,
        multipv: usize,
    ) -> PyResult<Analysis> {
        if nodes.is_none() && movetime.is_none() && depth.is_none() {
            return Err(fault("expected a limit: nodes, movetime or depth"));
        }
        let game = position.game.clone();
        let limits = Limits {
            nodes,
            depth,
            movetime: movetime.map(Duration::from_millis),
            multipv,
            // Each position has its own oversights, the same every time.
            handicap: self.level.and_then(|level| Handicap::at_level(level, game.position().key())),
            ..Limits::default()
        };
        let signals = Signals::default();
        let mut lines: Vec<Line> = Vec::new();
        let report = interruptible(py, &|| signals.stop(), || {
            let mut search = self.search.lock().unwrap_or_else(PoisonError::into_inner);
            search.search_played(&game, &limits, &signals, &mut |info| {
                let (cp, mate) = score(info.score);
                let moves = info.pv.iter().map(|&played| game.write(played)).collect();
                let line = Line { moves, cp, mate };
                match lines.get_mut(info.multipv.wrapping_sub(1)) {
                    Some(known) => *known = line,
                    None => lines.push(line),
                }
            })
        })?;
        let (cp, mate) = score(report.score);
        Ok(Analysis {
            best: report.best.map(|best| game.write(best)),
            cp,
            mate,
            depth: report.depth,
            nodes: report.nodes,
            lines,
        })
    }

    fn clear(&self, py: Python<'_>) {
        py.detach(|| self.search.lock().unwrap_or_else(PoisonError::into_inner).clear());
    }
}
