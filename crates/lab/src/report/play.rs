//! The games: openings that are varied and unlike each other, and the engine against itself from there. Every game is a
//! function of the plan and its number, so that reports do not depend on the number of threads.

use super::plan::{self, Part, Plan};
use super::record::GameRecord;
use super::selection::{GameTask, Opening};
use crate::openings::starts;
use crate::rng::Rng;
use lozenge_engine::{Engine, Handicap, Limits, Score, SearchReport, Signals};
use lozenge_rules::notation::uci;
use lozenge_rules::position::{AnyPosition, Color, Game, Move, Outcome};
use lozenge_rules::variant::Variant;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// From here on a score is a proved win, less the number of moves to it.
pub(super) const PROVED_WIN: i32 = 30_000;
/// A win at once.
const WIN: i32 = 32_000;

/// Plays the games of a report.
pub(super) struct GameRunner<'a> {
    variant: Arc<Variant>,
    plan: Plan,
    starts: Vec<AnyPosition>,
    /// The engine's score of each start, as White sees it; searched on demand, since a game may have very many starts.
    start_scores: Vec<OnceLock<i32>>,
    /// Called before each search.
    pause: &'a (dyn Fn() + Sync),
}

/// The two engines of a thread.
pub(super) type Engines = [Engine; 2];

impl<'a> GameRunner<'a> {
    pub(super) fn new(variant: &Arc<Variant>, plan: &Plan, pause: &'a (dyn Fn() + Sync)) -> Self {
        let starts = starts(variant);
        let start_scores = starts.iter().map(|_| OnceLock::new()).collect();
        Self { variant: Arc::clone(variant), plan: plan.clone(), starts, start_scores, pause }
    }

    /// The score of a start, as White sees it.
    fn start_score(&self, number: usize, engine: &mut Engine) -> i32 {
        *self.start_scores[number].get_or_init(|| {
            engine.clear();
            let start = &self.starts[number];
            let limits = Limits { nodes: Some(10 * self.plan.nodes), ..Limits::default() };
            (self.pause)();
            let game = Game::from_position(start.clone());
            for_white(engine.search(&game, &limits, &Signals::default(), &mut |_| {}).score, start.turn())
        })
    }

    /// Plays a game; `None` when `stop` is set.
    pub(super) fn play_task(
        &self,
        task: &GameTask,
        engines: &mut Engines,
        stop: &AtomicBool,
    ) -> Option<GameRecord> {
        let GameTask { part, number, ref opening } = *task;
        let opening = opening.clone().or_else(|| self.opening(number, &mut engines[0]));
        match opening {
            Some(opening) => self.play(part, number, &opening, engines, stop),
            None => Some(GameRecord::without_opening(part, number)),
        }
    }

    pub(super) fn engines() -> Engines {
        [Engine::new(plan::HASH_MIB), Engine::new(plan::HASH_MIB)]
    }

    /// The opening with this number; `None` where no attempt gives one.
    fn opening(&self, number: u32, engine: &mut Engine) -> Option<Opening> {
        let mut rng = Rng::new(self.plan.seed.wrapping_mul(0xD134_2543_DE82_EF95) ^ u64::from(number));
        // Each start as often as the others.
        let start = number as usize % self.starts.len();
        let half_tries = plan::ATTEMPTS / 2;
        (0..plan::ATTEMPTS).find_map(|attempt| {
            // A game that is over soon has short openings.
            let plies = if attempt < half_tries { plan::CHOSEN_PLIES } else { 0 };
            self.attempt(start, plies, engine, &mut rng)
        })
    }

    fn attempt(&self, start: usize, plies: usize, engine: &mut Engine, rng: &mut Rng) -> Option<Opening> {
        let before = self.start_score(start, engine);
        let mut game = Game::from_position(self.starts[start].clone());
        engine.clear();
        for ply in 0..plan::RANDOM_PLIES + plies {
            (self.pause)();
            let played = if ply < plan::RANDOM_PLIES {
                let mut moves = game.position().legal_moves();
                // The order of generated moves is not part of the rules' interface.
                moves.sort();
                *rng.one_of(&moves)?
            } else {
                chosen(&game, engine, rng)?
            };
            game.play(played).ok()?;
            if game.outcome().is_some() || game.claimable_draw().is_some() {
                return None;
            }
        }
        // The position without its history, as always when openings are evaluated.
        let position = Game::from_position(game.position().clone());
        let limits = Limits { nodes: Some(self.plan.nodes.max(2_000)), ..Limits::default() };
        let report = engine.search(&position, &limits, &Signals::default(), &mut |_| {});
        let score = for_white(report.score, game.position().turn());
        let most = plan::MAX_CHANGE + before.abs() / 10;
        ((score - before).abs() <= most).then(|| Opening {
            start,
            moves: game.moves().iter().map(|&m| uci::write(&self.variant, m)).collect(),
        })
    }

    /// Plays a game of a part from an opening; `None` when `stop` is set.
    fn play(
        &self,
        part: Part,
        number: u32,
        opening: &Opening,
        engines: &mut Engines,
        stop: &AtomicBool,
    ) -> Option<GameRecord> {
        let mut record = GameRecord {
            start: opening.start,
            opening: opening.moves.clone(),
            ..GameRecord::without_opening(part, number)
        };
        let mut game = self.begin(opening)?;
        engines.iter_mut().for_each(Engine::clear);
        let handicap =
            (part == Part::Weak).then(|| Handicap::at_level(self.plan.level, u64::from(number))).flatten();
        loop {
            let ended = game.outcome().map(|outcome| (outcome.into(), half_points(outcome)));
            let ended = ended.or_else(|| game.claimable_draw().map(|reason| (reason.into(), 1)));
            let too_long = game.moves().len() >= plan::MAX_PLIES;
            if let Some((ending, halves)) = ended.or(too_long.then_some((crate::matches::Ending::Length, 1)))
            {
                (record.ending, record.halves) = (Some(ending), halves);
                return Some(record);
            }
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            (self.pause)();
            let turn = game.position().turn();
            // Both sides share the engine where they are equal, and its memory.
            let uneven = matches!(part, Part::Double | Part::Quadruple);
            let stronger = (turn == Color::White) == number.is_multiple_of(2);
            let seat = usize::from(uneven && !stronger);
            let mut limits =
                Limits { nodes: Some(self.plan.nodes_of(part)[seat]), handicap, ..Limits::default() };
            let ply = record.moves.len();
            let looks = part == Part::Full && ply.is_multiple_of(plan::SHARP_EVERY);
            if looks {
                limits.multipv = 2;
                limits.nodes = Some(2 * self.plan.nodes);
            }
            let (report, lines) = search(&mut engines[seat], &game, &limits);
            let best = report.best?;
            if let (true, [first, second]) = (looks, lines.as_slice())
                && first.0 != second.0
            {
                record.choices.push((ply, first.1, second.1));
            }
            record.scores.push(for_white(report.score, turn));
            record.moves.push(uci::write(&self.variant, best));
            game.play_unchecked(best);
        }
    }

    fn begin(&self, opening: &Opening) -> Option<Game> {
        let mut game = Game::from_position(self.starts.get(opening.start)?.clone());
        for text in &opening.moves {
            let played = uci::parse(game.position(), text).ok()?;
            game.play_unchecked(played);
        }
        Some(game)
    }

    /// All moves of the first start with their scores, as the mover sees them.
    pub(super) fn first_moves(&self, engine: &mut Engine) -> Vec<(Move, i32)> {
        let game = Game::from_position(self.starts[0].clone());
        let mut moves = game.position().legal_moves();
        moves.sort();
        let nodes = Some(self.plan.nodes.saturating_mul(5));
        let rated = moves.into_iter().map(|played| {
            (self.pause)();
            engine.clear();
            let limits = Limits { nodes, searchmoves: vec![played], ..Limits::default() };
            (played, number(search(engine, &game, &limits).0.score))
        });
        rated.collect()
    }

    pub(super) fn start(&self, number: usize) -> &AnyPosition {
        &self.starts[number]
    }
}

/// A search with the first move and score of each of its lines.
fn search(engine: &mut Engine, game: &Game, limits: &Limits) -> (SearchReport, Vec<(Move, i32)>) {
    let mut lines: Vec<(Move, i32)> = Vec::new();
    let report = engine.search(game, limits, &Signals::default(), &mut |info| {
        let Some(&first) = info.pv.first() else { return };
        let line = (first, number(info.score));
        let at = info.multipv.wrapping_sub(1);
        let Some(&known) = lines.get(at) else { return lines.push(line) };
        // Of an iteration that did not end, the move may still stand on another line from the iteration before.
        if let Some(other) = lines.iter().position(|other| other.0 == first) {
            lines[other] = known;
        }
        lines[at] = line;
    });
    (report, lines)
}

/// A move drawn by lot, the better the likelier.
fn chosen(game: &Game, engine: &mut Engine, rng: &mut Rng) -> Option<Move> {
    let limits = Limits { nodes: Some(plan::CHOICE_NODES), multipv: plan::CHOICE_LINES, ..Limits::default() };
    let (report, lines) = search(engine, game, &limits);
    let best = lines.iter().map(|line| line.1).max()?;
    let weights: Vec<f64> =
        lines.iter().map(|line| (f64::from(line.1 - best) / plan::TEMPERATURE).exp()).collect();
    let mut drawn = rng.below(1 << 30) as f64 / f64::from(1 << 30) * weights.iter().sum::<f64>();
    for (line, weight) in lines.iter().zip(&weights) {
        drawn -= weight;
        if drawn <= 0.0 {
            return Some(line.0);
        }
    }
    report.best
}

/// A score as a number: a win in `n` moves is [`WIN`] less `n`.
fn number(score: Score) -> i32 {
    match score {
        Score::Centipawns(score) => score.clamp(1 - PROVED_WIN, PROVED_WIN - 1),
        Score::Wins(moves) => WIN - moves.min(1_000) as i32,
        Score::Loses(moves) => moves.min(1_000) as i32 - WIN,
    }
}

fn for_white(score: Score, turn: Color) -> i32 {
    if turn == Color::White { number(score) } else { -number(score) }
}

fn half_points(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Win { winner: Color::White, .. } => 2,
        Outcome::Win { .. } => 0,
        Outcome::Draw(_) => 1,
    }
}
