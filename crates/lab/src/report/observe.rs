//! A game replayed: its events, as numbers that can be added up.

use super::ReportError;
use super::play::PROVED_WIN;
use super::record::GameRecord;
use crate::matches::Ending;
use crate::openings::starts;
use lozenge_rules::geometry::Square;
use lozenge_rules::notation::uci;
use lozenge_rules::position::{AnyPosition, ByColor, Color, Move};
use lozenge_rules::variant::Variant;
use std::sync::Arc;

/// Plies after a change of material before a position counts as quiet.
const QUIET_PLIES: usize = 4;
/// Quiet positions of one game, at most.
const MAX_QUIET: usize = 40;

/// Counts for a kind of piece in a game, both sides together.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct PieceCounts {
    pub(super) moves: u32,
    pub(super) captures: u32,
    pub(super) lost: u32,
    pub(super) promoted_to: u32,
}

/// A game replayed.
#[derive(Debug)]
pub(super) struct Observed {
    pub(super) halves: u8,
    pub(super) plies: usize,
    /// The first move, if the game is of the first start.
    pub(super) first: Option<Move>,
    /// Legal moves of each position in which one was played.
    pub(super) legal: Vec<u16>,
    /// By square: arrivals.
    pub(super) arrivals: Vec<u32>,
    /// By square: legal moves that lead there, in all positions.
    pub(super) reach: Vec<u32>,
    /// The square where it ended.
    pub(super) end: Option<Square>,
    /// By role.
    pub(super) piece_counts: Vec<PieceCounts>,
    /// White's pieces less Black's, by role, in quiet positions, with their numbers of plies.
    pub(super) balances: Vec<Vec<i8>>,
    /// White's scores, in centipawns, after the opening.
    pub(super) scores: Vec<i32>,
    /// Plies of the opening.
    pub(super) opening: usize,
    /// Best and second best score of some positions.
    pub(super) choices: Vec<(i32, i32)>,
}

/// Replays a game.
pub(super) fn observe(variant: &Arc<Variant>, record: &GameRecord) -> Result<Observed, ReportError> {
    let bad = || ReportError::Unplayable { number: record.number, part: record.part.name() };
    let ending = record.ending.ok_or_else(bad)?;
    let (squares, roles) = (variant.shape().len(), variant.roles().len());
    let mut position = starts(variant).get(record.start).cloned().ok_or_else(bad)?;
    let mut found = Observed {
        halves: record.halves,
        plies: record.opening.len() + record.moves.len(),
        first: None,
        legal: Vec::new(),
        arrivals: vec![0; squares],
        reach: vec![0; squares],
        end: None,
        piece_counts: vec![PieceCounts::default(); roles],
        balances: Vec::new(),
        scores: record.scores.clone(),
        opening: record.opening.len(),
        choices: record.choices.iter().map(|&(_, best, second)| (best, second)).collect(),
    };
    let mut material = counts(&position);
    let mut changed = 0;
    let mut last = None;
    for (ply, text) in record.opening.iter().chain(&record.moves).enumerate() {
        let legal = position.legal_moves();
        let played = uci::parse_among(variant, &legal, text).map_err(|_| bad())?;
        if ply == 0 && record.start == 0 {
            found.first = Some(played);
        }
        found.legal.push(u16::try_from(legal.len()).unwrap_or(u16::MAX));
        for candidate in &legal {
            found.reach[candidate.to.index()] += 1;
        }
        found.arrivals[played.to.index()] += 1;
        count_move(&position, played, &mut found.piece_counts);
        position = position.play_unchecked(played);
        last = Some(played);
        let now = counts(&position);
        if now != material {
            (material, changed) = (now, ply);
        } else if ply >= changed + QUIET_PLIES && ply >= record.opening.len() && ply % 2 == 0 {
            found.balances.push(balance(&material));
        }
    }
    // Of a long game every second, third … quiet position.
    let step = found.balances.len().div_ceil(MAX_QUIET).max(1);
    found.balances = found.balances.into_iter().step_by(step).collect();
    found.end = match ending {
        Ending::Checkmate => Some(position.king(position.turn())),
        Ending::Goal => last.map(|played| played.to),
        _ => None,
    };
    Ok(found)
}

/// Counts a move.
fn count_move(position: &AnyPosition, played: Move, piece_counts: &mut [PieceCounts]) {
    let Some(mover) = position.piece_at(played.from) else { return };
    let own = &mut piece_counts[mover.role().index()];
    own.moves += 1;
    if let Some(taken) = position.captured(played) {
        own.captures += 1;
        piece_counts[taken.role().index()].lost += 1;
    }
    if let Some(role) = played.promotion() {
        piece_counts[role.index()].promoted_to += 1;
    }
}

/// The pieces of both sides, by role.
pub(super) fn counts(position: &AnyPosition) -> Vec<ByColor<i8>> {
    let variant = position.variant();
    let mut counts = vec![ByColor::default(); variant.roles().len()];
    for piece in variant.shape().squares().filter_map(|square| position.piece_at(square)) {
        counts[piece.role().index()][piece.color()] += 1;
    }
    counts
}

fn balance(counts: &[ByColor<i8>]) -> Vec<i8> {
    counts.iter().map(|count| count[Color::White] - count[Color::Black]).collect()
}

/// From a score to White's expected score: a logistic function with this slope for each pawn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Expectation {
    pub(super) slope: f64,
}

impl Expectation {
    /// White's expected score.
    pub(super) fn of(self, score: i32) -> f64 {
        if score.abs() >= PROVED_WIN {
            return if score > 0 { 1.0 } else { 0.0 };
        }
        1.0 / (1.0 + (-self.slope * f64::from(score) / 100.0).exp())
    }

    /// The slope that fits the games best; few games stay near `default_slope`.
    pub(super) fn fit(games: &[Observed], default_slope: f64) -> Self {
        let default_slope = default_slope.max(0.05);
        let mut slope = default_slope;
        // Newton's method for one number; a game counts once, however long it is.
        for _ in 0..20 {
            let spread = default_slope / 2.0;
            let (mut first, mut second) = ((default_slope - slope) / spread.powi(2), 1.0 / spread.powi(2));
            for game in games {
                let result = f64::from(game.halves) / 2.0;
                let weight = 1.0 / game.scores.len().max(1) as f64;
                for &score in game.scores.iter().filter(|score| score.abs() < 1_500) {
                    let x = f64::from(score) / 100.0;
                    let p = 1.0 / (1.0 + (-slope * x).exp());
                    first += weight * x * (result - p);
                    second += weight * x * x * p * (1.0 - p);
                }
            }
            slope = (slope + first / second).clamp(0.05, 10.0);
        }
        Self { slope }
    }
}

/// How a game went, by White's expected score at each of its plies.
#[derive(Debug)]
pub(super) struct Course {
    /// How often the lead changed hands.
    pub(super) changes: u32,
    /// The share of the game after which the winner stayed well ahead; only of won games.
    pub(super) decided: Option<f64>,
    /// How far the winner was behind, on average; only of won games.
    pub(super) drama: Option<f64>,
    /// By twentieths of the game: distance of the expected score from one half.
    pub(super) lead: [f64; 20],
}

/// Expected scores no farther than this from one half are no lead.
const DEAD_BAND: f64 = 0.05;
/// The expected score of a winner who is well ahead.
const AHEAD: f64 = 0.75;

impl Course {
    pub(super) fn of(game: &Observed, expectation: Expectation) -> Self {
        let white: Vec<f64> = game.scores.iter().map(|&score| expectation.of(score)).collect();
        let mut leader = 0;
        let mut changes = 0;
        for &expected in &white {
            let now = if expected > 0.5 + DEAD_BAND {
                1
            } else if expected < 0.5 - DEAD_BAND {
                -1
            } else {
                continue;
            };
            changes += u32::from(leader == -now);
            leader = now;
        }
        let winner: Option<Vec<f64>> = match game.halves {
            0 => Some(white.iter().map(|expected| 1.0 - expected).collect()),
            2 => Some(white.clone()),
            _ => None,
        };
        let mut lead = [0.0; 20];
        for (twentieth, lead) in lead.iter_mut().enumerate() {
            let at = (twentieth as f64 + 0.5) / 20.0 * white.len() as f64;
            *lead = white.get(at as usize).map_or(0.0, |expected| (expected - 0.5).abs());
        }
        Self {
            changes,
            decided: winner.as_ref().map(|own| {
                let after = own.iter().rposition(|&expected| expected < AHEAD).map_or(0, |at| at + 1);
                (game.opening + after) as f64 / game.plies.max(1) as f64
            }),
            drama: winner.as_ref().map(|own| {
                own.iter().map(|expected| (0.5 - expected).max(0.0)).sum::<f64>() / own.len().max(1) as f64
            }),
            lead,
        }
    }
}
