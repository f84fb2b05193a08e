//! Forced mates in one to four moves (`testdata/mates.txt`). The engine finds each when it searches at most two plies deeper than
//! a search that tries every move. `LOZENGE_MATES` makes the file again; its value is the number
//! of mates of each length from games of each variant.

use crate::common::*;
use lozenge_engine::{Engine, Score, Signals};
use lozenge_rules::library;
use lozenge_rules::notation::uci;
use lozenge_rules::position::{AnyPosition, Game, Move, Status};
use lozenge_rules::variant::Variant;
use std::collections::HashMap;
use std::fmt::{Display, Formatter};
use std::sync::Arc;

/// The mates: variant, moves and FEN.
const FILE: &str = "../../testdata/mates.txt";
/// A rook sacrifice and a quiet mate by a pawn (Morphy).
const FIRST: &str = "chess 2 kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
/// Every n-th mate among the puzzles is taken.
const PUZZLE_STEP: usize = 8;
/// Most games of each variant that are looked through.
const MAX_GAMES: u64 = 400;
/// Most moves of a mate.
const MAX_MOVES: u32 = 4;
/// Positions that a proof may visit.
const PROOF_NODES: u64 = 1_000_000;
/// Nodes of a move in the games that are looked through for mates: few, so that the players overlook them.
const PLAYING_NODES: u64 = 150;
/// On average every n-th move is random, so that mates occur with any material.
const RANDOM_MOVES: usize = 8;
/// Longest game, in plies.
const MAX_PLIES: usize = 200;

/// A position and the least number of moves in which the side to move wins by force.
#[derive(Clone, Debug)]
struct Mate {
    variant: Arc<Variant>,
    moves: u32,
    position: AnyPosition,
}

impl Display for Mate {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} {} {}", self.variant.id(), self.moves, self.position.fen())
    }
}

impl Mate {
    fn of(position: &AnyPosition) -> Option<Self> {
        let moves = shortest(position)?;
        Some(Self { variant: Arc::clone(position.variant()), moves, position: position.clone() })
    }

    fn read(line: &str) -> Self {
        let mut words = line.splitn(3, ' ');
        let mut next = || words.next().unwrap();
        let variant = library::game(next()).unwrap();
        let moves = next().parse().unwrap();
        let position = AnyPosition::from_fen(&variant, next()).unwrap();
        Self { variant, moves, position }
    }
}

/// The shortest forced win of the side to move, in moves, if it has at most [`MAX_MOVES`] and its proof at most [`PROOF_NODES`].
fn shortest(position: &AnyPosition) -> Option<u32> {
    let mut solver = Solver { nodes: PROOF_NODES, known: HashMap::new() };
    for moves in 1..=MAX_MOVES {
        if solver.wins(position, moves)? {
            return Some(moves);
        }
    }
    None
}

/// A full-width search for wins within a number of moves.
struct Solver {
    /// Nodes left.
    nodes: u64,
    /// Results by position and moves.
    known: HashMap<(u64, u32), bool>,
}

impl Solver {
    /// Whether the side to move wins by force in at most `moves` moves; `None` where that takes too many nodes.
    fn wins(&mut self, position: &AnyPosition, moves: u32) -> Option<bool> {
        if let Some(&known) = self.known.get(&(position.key(), moves)) {
            return Some(known);
        }
        let mut children = Vec::new();
        for played in position.legal_moves() {
            self.nodes = self.nodes.checked_sub(1)?;
            let after = position.play_unchecked(played);
            let replies = after.legal_moves();
            match after.status_among(&replies) {
                Status::Checkmate | Status::Goal => {
                    self.known.insert((position.key(), moves), true);
                    return Some(true);
                }
                Status::Ongoing | Status::Check if moves > 1 => children.push((after, replies)),
                _ => {}
            }
        }
        // Checks and moves that leave few replies first: proofs are short there.
        children.sort_by_key(|(after, replies)| (!after.is_check(), replies.len()));
        let mut won = false;
        let mut refutation: Option<Move> = None;
        for (after, mut replies) in children {
            // The reply that refuted the last move comes first.
            if let Some(at) = replies.iter().position(|&reply| Some(reply) == refutation) {
                replies.swap(0, at);
            }
            refutation = None;
            for reply in replies {
                if !self.wins(&after.play_unchecked(reply), moves - 1)? {
                    refutation = Some(reply);
                    break;
                }
            }
            won = refutation.is_none();
            if won {
                break;
            }
        }
        self.known.insert((position.key(), moves), won);
        Some(won)
    }
}

/// The first mate of each length in a game of careless players, if `is_wanted`.
fn mates_of_game(
    engine: &mut Engine,
    variant: &Arc<Variant>,
    seed: u64,
    is_wanted: &mut dyn FnMut(u32) -> bool,
) -> Vec<Mate> {
    let mut random = Random::new(seed);
    let mut game = Game::new(variant);
    let mut found: Vec<Mate> = Vec::new();
    engine.clear();
    while game.outcome().is_none() && game.moves().len() < MAX_PLIES {
        if let Some(mate) = Mate::of(game.position())
            && !found.iter().any(|other| other.moves == mate.moves)
            && is_wanted(mate.moves)
        {
            found.push(mate);
        }
        let legal = game.position().legal_moves();
        let played = if game.moves().len() < 6 || random.below(RANDOM_MOVES) == 0 {
            legal[random.below(legal.len())]
        } else {
            engine.search(&game, &nodes(PLAYING_NODES), &Signals::default(), &mut |_| {}).best.unwrap()
        };
        game.play(played).unwrap();
    }
    found
}

/// The mates of the puzzles that ship, one in [`PUZZLE_STEP`], and `count` of each length from games of each variant.
fn collect(count: usize) -> Vec<Mate> {
    let mut mates = vec![Mate::read(FIRST)];
    let mut engine = Engine::new(4);
    for variant in own_games().chain([library::game("chess").unwrap()]) {
        let file = format!("../server/puzzles/{}.json", variant.id());
        let puzzles = std::fs::read_to_string(file).unwrap_or_default();
        let puzzles = puzzles.lines().filter(|line| line.contains("\"mate\"")).step_by(PUZZLE_STEP);
        mates.extend(puzzles.filter_map(|puzzle| {
            let text = |key: &str| puzzle.split(&format!("\"{key}\":\"")).nth(1)?.split('"').next();
            let before = AnyPosition::from_fen(&variant, text("fen")?).unwrap();
            Mate::of(&before.play_unchecked(uci::parse(&before, text("lead")?).unwrap()))
        }));
        let mut counts = [0; MAX_MOVES as usize];
        for seed in 1..=MAX_GAMES {
            mates.extend(mates_of_game(&mut engine, &variant, seed, &mut |moves| {
                let known = &mut counts[moves as usize - 1];
                *known += 1;
                *known <= count
            }));
            if counts.iter().all(|&known| known >= count) {
                break;
            }
        }
    }
    mates
}

#[test]
fn short_mates_are_found_early() {
    if let Ok(count) = std::env::var("LOZENGE_MATES") {
        let lines: String = collect(count.parse().unwrap()).iter().map(|mate| format!("{mate}\n")).collect();
        std::fs::write(FILE, lines).unwrap();
    }
    let text = std::fs::read_to_string(FILE).unwrap();
    let mut engine = Engine::new(4);
    for line in text.lines() {
        let Mate { moves, position, .. } = Mate::read(line);
        engine.clear();
        let limits = depth(2 * moves - 1 + 2);
        let report = engine.search(&Game::from_position(position), &limits, &Signals::default(), &mut |_| {});
        assert_eq!(report.score, Score::Wins(moves), "{line}");
    }
    assert!(text.lines().count() > 100);
}

#[test]
fn stored_mates_are_the_shortest() {
    for line in std::fs::read_to_string(FILE).unwrap().lines() {
        let mate = Mate::read(line);
        assert_eq!(shortest(&mate.position), Some(mate.moves), "{line}");
    }
}
