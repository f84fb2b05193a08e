//! The lines of the engine: features, thinking, results.

use super::setup::NORMAL;
use super::squares;
use crate::options::{self, Options};
use crate::output::one_line;
use crate::uci::format::nodes_per_second;
use crate::work::{Found, Voice};
use lozenge_engine::{Bound, Info, Score};
use lozenge_rules::position::{AnyPosition, Color, DrawReason, Outcome, WinReason};
use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// What XBoard adds for a mate: `100000 + moves`, `-100000 - moves`.
const MATE: i64 = 100_000;

/// What can be heard of a search, and whether it is to be said.
#[derive(Debug, Default)]
pub(crate) struct Speech {
    /// Whether thinking is shown.
    pub(crate) aloud: AtomicBool,
    /// While pondering, the move that is expected: lines begin with it.
    expected: Mutex<Option<String>>,
    latest: Mutex<Latest>,
}

/// Where a search stands.
#[derive(Clone, Debug, Default)]
pub(crate) struct Latest {
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    /// The best move so far, as XBoard writes it.
    pub(crate) best: Option<String>,
}

impl Speech {
    /// Where the search stands.
    pub(crate) fn latest(&self) -> Latest {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether lines begin with a move that is expected; none any more once it has been played.
    pub(crate) fn expect(&self, expected: Option<String>) {
        *self.expected.lock().unwrap_or_else(PoisonError::into_inner) = expected;
    }
}

impl Voice for Speech {
    fn thinking(&self, position: &AnyPosition, info: &Info) -> Option<String> {
        let variant = position.variant();
        if info.multipv == 1 {
            let best = info.pv.first().map(|&best| squares::write(variant, best));
            let latest = Latest { depth: info.depth, nodes: info.nodes, best };
            *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = latest;
        }
        let expected = self.expected.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.aloud.load(Ordering::Acquire).then(|| thinking(position, info, expected))
    }

    fn finished(&self, _: &AnyPosition) -> Option<String> {
        None
    }

    fn found(&self, _: &AnyPosition, _: &Found) -> Option<String> {
        None
    }

    fn remark(&self, text: &str) -> String {
        remark(text)
    }
}

/// A line for people who read along.
pub(crate) fn remark(text: impl std::fmt::Display) -> String {
    format!("# {}", one_line(text))
}

/// `ply score centiseconds nodes seldepth nps tbhits<TAB>pv`.
fn thinking(position: &AnyPosition, info: &Info, expected: Option<String>) -> String {
    let mut line = format!(
        "{} {} {} {} {} {} 0\t",
        info.depth,
        score(info.score),
        info.time.as_millis() / 10,
        info.nodes,
        info.seldepth,
        nodes_per_second(info),
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

/// Centipawns, or a mate (or goal) in XBoard's way.
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
        DrawReason::DeadPosition => "Draw: nobody can win any more",
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

/// The games, by the names that XBoard calls them by.
pub(crate) fn variants(ids: &[String]) -> String {
    let names = [NORMAL.0].into_iter().chain(ids.iter().map(String::as_str));
    format!("feature variants=\"{}\"", names.collect::<Vec<_>>().join(","))
}

/// A voice for a search whose thinking is shown or not.
pub(crate) fn speech(aloud: bool) -> Arc<Speech> {
    Arc::new(Speech { aloud: AtomicBool::new(aloud), ..Speech::default() })
}
