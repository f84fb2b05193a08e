//! The benchmark: fixed positions, fixed depths, one thread. The number of nodes is a signature of
//! search and evaluation: equal on every machine, changed by every change of behavior.

use crate::{Engine, Limits, Signals};
use lozenge_rules::library;
use lozenge_rules::position::{AnyPosition, Game};
use std::time::Duration;
use web_time::Instant;

/// The result of the benchmark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BenchResult {
    /// Nodes of all positions together: the signature.
    pub nodes: u64,
    /// Time of all searches together.
    pub time: Duration,
}

impl BenchResult {
    /// Nodes searched per second.
    #[must_use]
    pub fn nodes_per_second(&self) -> u64 {
        let micros = self.time.as_micros().max(1);
        (u128::from(self.nodes) * 1_000_000 / micros) as u64
    }
}

/// Size of the transposition table, in MiB: part of the signature.
const HASH_MIB: usize = 16;

/// Games with their depths in plies and their positions: the start, and two from games of the engine
/// against itself.
const POSITIONS: [(&str, u32, [&str; 3]); library::OWN_GAMES] = [
    (
        "diagonal",
        16,
        [
            "3prnnk/4ppqb/5ppb/P5pr/RP5p/BPP5/BQPP4/KNNRP3 w - - 0 1",
            "3p2rk/2P3qb/2P2p1b/3pp2n/R2P1p1p/BP1P4/BQ3P2/K1NR4 w - - 0 13",
            "3p2n1/4r1k1/1q4p1/2R1p3/1P1P1p2/B2PP1p1/1Q2NP1r/K1R5 w - - 2 23",
        ],
    ),
    (
        "diamondback",
        15,
        [
            "3prnqk/4ppbb/5ppn/P3p1pr/RP1P3p/NPP5/BBPP4/KQNRP3 w - - 0 1",
            "3prnqk/R2p1pbb/1P6/7p/1PN2p2/1PP1pP1p/BB1P1P2/KQ6 w - - 0 13",
            "2n3k1/1r3p1b/R1pp1p2/1P4qr/1P1N2p1/3P4/BBP5/KQ4R1 w - - 4 23",
        ],
    ),
    (
        "diamond",
        18,
        [
            "****k****/***anv***/**pprpp**/*3p3*/4*4/*3P3*/**PPRPP**/***ANV***/****K**** w - - 0 1",
            "****k****/***1rv***/**3p1**/*1p2p2*/an2*1p2/*R4P1*/**PN1P1**/***AV1***/****K**** w - - 1 13",
            "****1****/***2k***/**r2p1**/*3n1p1*/3p*1P2/*v1P1P2*/**2V1N**/***RK1***/****1**** w - - 3 23",
        ],
    ),
    (
        "doublediamond",
        14,
        [
            "**2rnbmk/**1pppppq/7pb/1P5pn/RP5pr/NP5p1/BP7/MPPPPP1**/KQBNR2** w KQkq - 0 1",
            "**2r1bmk/**np1ppp1/5qn1b/RP1p3p1/1P3P1p1/4P1P1r/BPN1N4/MP1B3**/KQ2R2** w K - 1 13 d8",
            "**3nb1k/**3pp2/2R2r1m1/1P3p2n/1P1P5/2Q1N2p1/9/1P1P3**/K1BN3** w - - 1 23",
        ],
    ),
    (
        "diamondring",
        12,
        [
            "2PREFWERP2/3PNBBNP3/p3PDDP3p/rp3PP3pr/enp6pne/kbdp4pdbw/fbdp4pdbf/enp6pne/rp3PP3pr/\
             p3PDDP3p/3PNBBNP3/2PREFKERP2 w - - 0 1",
            "2P1EFWERP2/4NBBN2N1/p1P2DDP1P2/np1P1PP3p1/2p6p1e/kbdp4pdbw/f1dp4pdbf/1np6pnr/\
             r1p2PP3p1/p3PDDP2bp/3PN1BKP3/2PR1F1ER3 w - - 0 13",
            "2P1EFWR1P2/3P1EB1P3/p3P3p1ep/rp3PP1Pdp1/k1p9/1bdp4p1bw/fbd1pe2p1bf/2p5Pp1r/\
             1p3PP2dp1/p3PDD1P1Pp/3PFBBN4/2PR2K3R1 w - - 1 23",
        ],
    ),
];

/// The positions: game, depth in plies and FEN.
pub fn positions() -> impl Iterator<Item = (&'static str, u32, &'static str)> {
    POSITIONS.into_iter().flat_map(|(id, depth, fens)| fens.into_iter().map(move |fen| (id, depth, fen)))
}

/// Searches every position, to its own depth or to `depth` plies; `progress` receives each position
/// (game and FEN) and its nodes.
pub fn run(depth: Option<u32>, progress: &mut dyn FnMut(&str, u64)) -> BenchResult {
    searched(|_, default_depth| Some(depth.unwrap_or(default_depth)), &Signals::default(), progress)
}

/// Searches the positions of one game, each `less` plies less deep than in the benchmark.
pub fn run_game(game: &str, less: u32) -> BenchResult {
    let depth = |id: &str, default_depth: u32| (id == game).then(|| default_depth.saturating_sub(less));
    searched(depth, &Signals::default(), &mut |_, _| {})
}

/// As [`run`]; `None` when `signals` stopped it before its end.
pub fn run_until(
    depth: Option<u32>,
    signals: &Signals,
    progress: &mut dyn FnMut(&str, u64),
) -> Option<BenchResult> {
    let result = searched(|_, default_depth| Some(depth.unwrap_or(default_depth)), signals, progress);
    (!signals.is_stopped()).then_some(result)
}

/// Depth of the searches of [`signature`], in plies.
const SIGNATURE_DEPTH: u32 = 7;

/// The identity of search and evaluation, as hexadecimal digits: the nodes of a short benchmark, which takes a fraction of a
/// second. Engines with different signatures play different games.
#[must_use]
pub fn signature() -> String {
    format!("{:x}", run(Some(SIGNATURE_DEPTH), &mut |_, _| {}).nodes)
}

/// The sums of what was searched before `signals` stopped it. `depth` gives the depth for a game and its usual one, and
/// `None` to leave a position out.
fn searched(
    depth: impl Fn(&str, u32) -> Option<u32>,
    signals: &Signals,
    progress: &mut dyn FnMut(&str, u64),
) -> BenchResult {
    let mut result = BenchResult { nodes: 0, time: Duration::ZERO };
    for (id, default_depth, fen) in positions() {
        let Some(depth) = depth(id, default_depth) else { continue };
        let Some(variant) = library::game(id) else { continue };
        let Ok(position) = AnyPosition::from_fen(&variant, fen) else { continue };
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let mut engine = Engine::new(HASH_MIB);
        let begun = Instant::now();
        let game = Game::from_position(position);
        let nodes = engine.search(&game, &limits, signals, &mut |_| {}).nodes;
        if signals.is_stopped() {
            break;
        }
        result.time += begun.elapsed();
        result.nodes += nodes;
        progress(&format!("{id} {fen}"), nodes);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_legal_and_counted_the_same_twice() {
        let mut positions = 0;
        let first = run(Some(5), &mut |_, nodes| {
            assert!(nodes > 0);
            positions += 1;
        });
        assert_eq!(positions, POSITIONS.len() * 3);
        assert_eq!(first.nodes, run(Some(5), &mut |_, _| {}).nodes);
    }
}
