//! The lines that the engine writes in XBoard's protocol: features, thinking, results.

use super::squares;
use crate::event::SearchResult;
use crate::games::NORMAL;
use crate::options::{self, Options};
use crate::output::one_line;
use crate::task::Format;
use lozenge_engine::{Bound, Info, Score};
use lozenge_rules::position::Played;
use lozenge_rules::position::{AnyPosition, Color, DrawReason, Outcome, WinReason};
use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// XBoard's scores for a mate: `100000 + moves`, `-100000 - moves`.
const MATE: i64 = 100_000;

/// The lines of a task in XBoard's protocol, and the latest state of a search.
#[derive(Debug, Default)]
pub(crate) struct XboardFormat {
    /// Whether to write thinking lines.
    pub(crate) post: AtomicBool,
    /// While pondering, the expected move: lines begin with it.
    expected: Mutex<Option<String>>,
    latest: Mutex<Latest>,
}

/// The state of a search after its last iteration.
#[derive(Clone, Debug, Default)]
pub(crate) struct Latest {
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    /// The best move so far, as XBoard writes it.
    pub(crate) best: Option<String>,
}

impl XboardFormat {
    /// A format that writes thinking lines or not.
    pub(crate) fn new(post: bool) -> Arc<Self> {
        Arc::new(Self { post: AtomicBool::new(post), ..Self::default() })
    }

    /// The state after the last iteration.
    pub(crate) fn latest(&self) -> Latest {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Sets the expected move; `None` once it has been played.
    pub(crate) fn set_expected(&self, expected: Option<String>) {
        *self.expected.lock().unwrap_or_else(PoisonError::into_inner) = expected;
    }
}

impl Format for XboardFormat {
    fn info(&self, game: &Played, info: &Info) -> Option<String> {
        let Played::Two(game) = game else { return None };
        let (position, variant) = (game.position(), game.variant());
        // Lines of thought have a depth, a score and moves; XBoard asks for the rest with `.`.
        if info.current.is_some() {
            let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
            latest.nodes = info.nodes;
            return None;
        }
        if info.multipv == 1 {
            let best = info.pv.first().map(|&best| squares::write(variant, best));
            let latest = Latest { depth: info.depth, nodes: info.nodes, best };
            *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = latest;
        }
        let expected = self.expected.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.post.load(Ordering::Acquire).then(|| thinking(position, info, expected))
    }

    fn game_over(&self, _: &Played) -> Option<String> {
        None
    }

    fn result(&self, _: &Played, _: &SearchResult) -> Option<String> {
        None
    }

    fn comment(&self, text: &str) -> String {
        comment(text)
    }
}

/// A comment, which XBoard shows only in its log.
pub(crate) fn comment(text: impl std::fmt::Display) -> String {
    format!("# {}", one_line(text))
}

/// `ply score centiseconds nodes seldepth nps tbhits<TAB>pv`.
fn thinking(position: &AnyPosition, info: &Info, expected: Option<String>) -> String {
    let mut line = format!(
        "{} {} {} {} {} {} {}\t",
        info.depth,
        score(info.score),
        info.time.as_millis() / 10,
        info.nodes,
        info.seldepth,
        info.nodes_per_second(),
        info.tbhits,
    );
    let moves = info.pv.iter().map(|&next| squares::write(position.variant(), next));
    line.push_str(&expected.into_iter().chain(moves).collect::<Vec<_>>().join(" "));
    match info.bound {
        Bound::Exact => {}
        Bound::Lower => line.push('!'),
        Bound::Upper => line.push('?'),
    }
    line
}

/// A score in centipawns; a mate or a goal as XBoard writes mates.
pub(crate) fn score(score: Score) -> i64 {
    match score {
        Score::Centipawns(centipawns) => i64::from(centipawns),
        Score::Wins(moves) => MATE + i64::from(moves),
        Score::Loses(moves) => -MATE - i64::from(moves),
    }
}

/// The answer to `.`: `stat01: time nodes ply mvleft mvtot mvname`.
pub(crate) fn status(latest: &Latest, time: Duration, moves: usize) -> String {
    let best = latest.best.as_ref().map_or_else(String::new, |best| format!(" {best}"));
    let (nodes, depth) = (latest.nodes, latest.depth);
    format!("stat01: {} {nodes} {depth} 0 {moves}{best}", time.as_millis() / 10)
}

/// `1-0 {White mates}` and so on.
pub(crate) fn result(outcome: Outcome) -> String {
    match outcome {
        Outcome::Win { winner, reason } => {
            let (result, name) = match winner {
                Color::White => ("1-0", "White"),
                Color::Black => ("0-1", "Black"),
            };
            let how = match reason {
                WinReason::Checkmate => "mates",
                WinReason::Goal => "reaches its goal",
                WinReason::Stalemate => "wins by stalemate",
            };
            format!("{result} {{{name} {how}}}")
        }
        Outcome::Draw(reason) => draw(reason),
    }
}

/// `1/2-1/2 {Draw by repetition}` and so on.
pub(crate) fn draw(reason: DrawReason) -> String {
    let why = match reason {
        DrawReason::Stalemate => "Stalemate",
        DrawReason::DeadPosition => "Draw: neither side can win",
        DrawReason::Repetition => "Draw by repetition",
        DrawReason::MoveCount => "Draw by move count",
    };
    format!("1/2-1/2 {{{why}}}")
}

/// The answer to `protover 2`.
pub(crate) fn features(options: &Options, ids: &[String]) -> String {
    let mut text = format!(
        "feature done=0\n\
         feature myname=\"Lozenge {}\"\n{}\n\
         feature setboard=1 setup=1 usermove=1 ping=1 playother=1 san=0 time=1 draw=1 reuse=1 analyze=1\n\
         feature memory=1 smp=1 exclude=1 highlight=1 debug=1 colors=0 name=0 sigint=0 sigterm=0 nps=0\n",
        env!("CARGO_PKG_VERSION"),
        variants(ids)
    );
    for option in options::features(options) {
        let _ = writeln!(text, "feature option=\"{option}\"");
    }
    text.push_str("feature done=1");
    text
}

/// The games by XBoard's names for them.
pub(crate) fn variants(ids: &[String]) -> String {
    let names = [NORMAL].into_iter().chain(ids.iter().map(String::as_str));
    format!("feature variants=\"{}\"", names.collect::<Vec<_>>().join(","))
}
