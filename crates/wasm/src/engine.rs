//! The engine: a whole search, or one in slices whose lines are those of the site's API.

use crate::fault;
use crate::host::Options;
use crate::position::Position;
use js_sys::{Error, JSON};
use lozenge_analysis::running;
use lozenge_engine::wdl::Model;
use lozenge_engine::{
    Engine as Search, Handicap, Limits, Portion, Score, Signals, SlicedSearch, bench, skill,
};
use lozenge_rules::position::Played;
use lozenge_wire::analysis::{AnalysisEvent, AnalysisInfo};
use serde::Serialize;
use std::time::Duration;
use wasm_bindgen::prelude::*;

/// The usual length of a slice: a page that waits for it still feels quick.
const SLICE: Duration = Duration::from_millis(30);

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
export interface EngineOptions {
  /** Size of the transposition table in MiB; 16 if left out. */
  hash?: number;
  /** Level from 0, the weakest; without one the engine plays at full strength. */
  level?: number;
}

/** Where a search ends: at the limit that is reached first. */
export interface Limits {
  nodes?: number;
  /** Milliseconds. */
  movetime?: number;
  /** Plies. */
  depth?: number;
  /** How many best lines to find; 1 if left out. */
  multipv?: number;
}

/** A line of play that the engine found. */
export interface Line {
  moves: string[];
  /** Centipawns, for the side to move; `null` where `mate` is given. */
  cp: number | null;
  /** Moves to the win; negative, and 0, to the loss. */
  mate: number | null;
}

/** The result of a search. */
export interface Analysis {
  /** The best move; `null` where the game is over. */
  best: string | null;
  cp: number | null;
  mate: number | null;
  depth: number;
  nodes: number;
  /** The best lines, the best one first. */
  lines: Line[];
}
"#;

/// The engine with its memory.
#[wasm_bindgen]
pub struct Engine {
    search: Search,
    level: Option<u8>,
    running: Option<Running>,
}

/// A search in slices.
struct Running {
    search: SlicedSearch,
    signals: Signals,
    /// None in a game of four.
    model: Option<Model>,
    info: AnalysisInfo,
}

#[derive(Serialize)]
struct Line {
    moves: Vec<String>,
    cp: Option<i32>,
    mate: Option<i64>,
}

#[derive(Serialize)]
struct Analysis {
    best: Option<String>,
    cp: Option<i32>,
    mate: Option<i64>,
    depth: u32,
    nodes: u64,
    lines: Vec<Line>,
}

/// A score in centipawns, or in moves to the end.
fn score(score: Score) -> (Option<i32>, Option<i64>) {
    match score {
        Score::Centipawns(cp) => (Some(cp), None),
        Score::Wins(moves) => (None, Some(i64::from(moves))),
        Score::Loses(moves) => (None, Some(-i64::from(moves))),
    }
}

#[wasm_bindgen]
impl Engine {
    /// An engine, by default with a transposition table of 16 MiB and at full strength.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "EngineOptions | undefined | null")] options: JsValue,
    ) -> Result<Engine, Error> {
        let options = Options::new(options, &["hash", "level"])?;
        let last = skill::FULL_LEVEL;
        let level = match options.number("level")? {
            None => None,
            Some(level) => match u8::try_from(level).ok().filter(|&level| level <= last) {
                Some(level) => Some(level),
                None => return Err(fault(format_args!("expected a level from 0 to {last}, found {level}"))),
            },
        };
        let hash = options.number("hash")?.unwrap_or(16).max(1);
        let mut search = Search::new(1);
        search.set_hash(usize::try_from(hash).unwrap_or(usize::MAX)).map_err(fault)?;
        Ok(Self { search, level, running: None })
    }

    /// Searches until a limit is reached: nodes, milliseconds or plies. One of them must be given.
    #[wasm_bindgen(unchecked_return_type = "Analysis")]
    pub fn analyse(
        &mut self,
        position: &Position,
        #[wasm_bindgen(unchecked_param_type = "Limits")] limits: JsValue,
    ) -> Result<JsValue, Error> {
        let game = &position.game;
        let limits = self.limits(limits, game)?;
        if limits.nodes.is_none() && limits.movetime.is_none() && limits.depth.is_none() {
            return Err(fault("expected a limit: nodes, movetime or depth"));
        }
        let mut lines: Vec<Line> = Vec::new();
        let report = self.search.search_played(game, &limits, &Signals::default(), &mut |info| {
            let (cp, mate) = score(info.score);
            let moves = info.pv.iter().map(|&played| game.write(played)).collect();
            let line = Line { moves, cp, mate };
            match lines.get_mut(info.multipv.wrapping_sub(1)) {
                Some(known) => *known = line,
                None => lines.push(line),
            }
        });
        let (cp, mate) = score(report.score);
        let best = report.best.map(|best| game.write(best));
        let found = Analysis { best, cp, mate, depth: report.depth, nodes: report.nodes, lines };
        JSON::parse(&serde_json::to_string(&found).map_err(fault)?).map_err(|_| fault("expected JSON"))
    }

    /// Begins a search that `step` carries on; without limits until `stop`. A search before it ends.
    pub fn start(
        &mut self,
        position: &Position,
        #[wasm_bindgen(unchecked_param_type = "Limits | undefined | null")] limits: JsValue,
    ) -> Result<(), Error> {
        let game = position.game.clone();
        let limits = self.limits(limits, &game)?;
        let model = running::model(&mut self.search, &game.position());
        let search = SlicedSearch::new(game, limits);
        self.running =
            Some(Running { search, signals: Signals::default(), model, info: AnalysisInfo::default() });
        Ok(())
    }

    /// Whether a search has begun and not ended.
    #[wasm_bindgen(getter, js_name = isSearching)]
    pub fn is_searching(&self) -> bool {
        self.running.is_some()
    }

    /// Searches further for a time in milliseconds, 30 if left out. Returns what is new as a line of JSON, in the form of the
    /// site's `POST /api/analyse`: `{"type":"info",…}`, and `{"type":"done",…}` when the search has ended; nothing new is the
    /// empty text.
    pub fn step(&mut self, milliseconds: Option<f64>) -> String {
        let default_seconds = SLICE.as_secs_f64();
        let seconds = milliseconds.map_or(default_seconds, |milliseconds| milliseconds / 1_000.0);
        let time = Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(SLICE);
        self.advance(Portion::Time(time))
    }

    /// As `step`, for a number of nodes.
    #[wasm_bindgen(js_name = stepNodes)]
    pub fn step_nodes(&mut self, nodes: f64) -> String {
        self.advance(Portion::Nodes(nodes as u64))
    }

    /// Ends the search, and returns its result as a line of JSON; the empty text when there is none.
    pub fn stop(&mut self) -> String {
        if let Some(running) = &self.running {
            running.signals.stop();
        }
        self.advance(Portion::Nodes(0))
    }

    /// Clears the memory of earlier searches, and ends the search.
    pub fn clear(&mut self) {
        self.running = None;
        self.search.clear();
    }
}

impl Engine {
    fn limits(&self, options: JsValue, game: &Played) -> Result<Limits, Error> {
        let options = Options::new(options, &["nodes", "movetime", "depth", "multipv"])?;
        let number = |name: &str| options.number(name);
        Ok(Limits {
            nodes: number("nodes")?,
            depth: number("depth")?.map(|depth| u32::try_from(depth).unwrap_or(u32::MAX)),
            movetime: number("movetime")?.map(Duration::from_millis),
            multipv: number("multipv")?.map_or(1, |lines| usize::try_from(lines).unwrap_or(usize::MAX)),
            // Each position has its own oversights, the same every time.
            handicap: self.level.and_then(|level| Handicap::at_level(level, game.position().key())),
            ..Limits::default()
        })
    }

    /// Searches a portion further.
    fn advance(&mut self, portion: Portion) -> String {
        let Some(Running { search, signals, model, info }) = &mut self.running else { return String::new() };
        let position = search.position();
        let (mut is_new, mut ended) = (false, position.legal_moves().is_empty());
        if !ended {
            let report = self.search.search_slice(search, portion, signals, &mut |found| {
                running::count(info, found.nodes, found.time);
                running::take(info, &position, model.as_ref(), found);
                is_new = true;
            });
            if let Some(report) = report {
                running::count(info, report.nodes, search.elapsed());
                ended = true;
            }
        }
        let event = match (ended, is_new) {
            (true, _) => AnalysisEvent::Done(info.clone()),
            (false, true) => AnalysisEvent::Info(info.clone()),
            (false, false) => return String::new(),
        };
        if ended {
            self.running = None;
        }
        serde_json::to_string(&event).unwrap_or_default() + "\n"
    }
}

/// The benchmark of the engine: its nodes are the same on every machine. With `game` only the positions of that game, each
/// `less` plies less deep.
#[wasm_bindgen(js_name = bench)]
pub fn run_bench(game: Option<String>, less: Option<u32>) -> BenchResult {
    let result = match game {
        None => bench::run(None, &mut |_, _| {}),
        Some(game) => bench::run_game(&game, less.unwrap_or(0)),
    };
    BenchResult { nodes: result.nodes as f64, nodes_per_second: result.nodes_per_second() as f64 }
}

/// The result of the benchmark.
#[wasm_bindgen]
pub struct BenchResult {
    /// Nodes of all searches: the signature.
    #[wasm_bindgen(readonly)]
    pub nodes: f64,
    /// Nodes searched per second.
    #[wasm_bindgen(readonly, js_name = nodesPerSecond)]
    pub nodes_per_second: f64,
}
