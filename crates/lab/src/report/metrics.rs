//! From games to the report: each number with its interval and a sentence that explains it.

use super::ReportError;
use super::json::{
    Assessment, FirstMove, GameReport, HeatMaps, Limits, Number, PieceIntervals, PieceReport, Series, Unit,
};
use super::observe::{Course, Expectation, Observed, PieceCounts, counts, observe};
use super::plan::{self, Part, Plan};
use super::record::GameRecord;
use super::values;
use super::words::Words;
use crate::matches::Ending;
use crate::stats::intervals;
use crate::stats::{Estimate, Interval, Pairs, Points};
use lozenge_engine::skill::{FULL_ELO, rating};
use lozenge_engine::wdl::Curve;
use lozenge_engine::{Engine, Values};
use lozenge_explain::Language;
use lozenge_rules::notation::{san, uci};
use lozenge_rules::position::{AnyPosition, Move};
use lozenge_rules::variant::Variant;
use std::collections::BTreeMap;
use std::sync::Arc;

/// First moves with fewer games are marked.
const FEW_GAMES: u32 = 30;
/// Number of games with the mean score that are added to a first move's own, so that few games give no
/// extreme score.
const SHRINK: f64 = 20.0;
/// The interval of a mean over no games.
const NOTHING: Interval = Interval { value: 0.0, low: 0.0, high: 0.0 };
/// Least lead of the best move, in expected score, with which it is the only good one.
const ONLY_GOOD: f64 = 0.1;

/// Measures the games of a plan.
pub(super) fn report(
    variant: &Arc<Variant>,
    plan: &Plan,
    records: &[GameRecord],
    first_moves: &[(Move, i32)],
    start: &AnyPosition,
) -> Result<GameReport, ReportError> {
    let of_part = |part: Part| records.iter().filter(move |record| record.part == part);
    let games: Vec<Observed> =
        of_part(Part::Full).map(|record| observe(variant, record)).collect::<Result<_, _>>()?;
    let weak: Vec<&GameRecord> = of_part(Part::Weak).collect();
    let full: Vec<&GameRecord> = of_part(Part::Full).collect();
    let expectation = Expectation::fit(&games, default_slope(variant));
    let courses: Vec<Course> = games.iter().map(|game| Course::of(game, expectation)).collect();
    let mut numbers = Numbers { plan, found: Vec::new() };
    results(&mut numbers, &full, "");
    results(&mut numbers, &weak, "-weak");
    endings(&mut numbers, &full);
    lengths(&mut numbers, &games);
    moves(&mut numbers, &games);
    drama(&mut numbers, &courses);
    numbers.add(
        ("board-use", Unit::Share),
        intervals::mean(games.iter().map(|game| {
            let entered = game.arrivals.iter().filter(|&&count| count > 0).count();
            entered as f64 / game.arrivals.len() as f64
        })),
        games.len(),
    );
    sharpness(&mut numbers, &games, expectation);
    for (part, key) in [(Part::Double, "doubling"), (Part::Quadruple, "depth")] {
        depth(&mut numbers, key, &of_part(part).collect::<Vec<_>>());
    }
    let (pieces, positions) = pieces(variant, &games, start);
    let counted = |part: Part| of_part(part).count() as u32;
    let last = full.iter().map(|record| record.number).max().unwrap_or(0);
    Ok(GameReport {
        game: variant.id().into(),
        name: variant.name().into(),
        rules: format!("{:016x}", crate::tuning::fingerprint(variant)),
        program: env!("CARGO_PKG_VERSION").into(),
        squares: variant.shape().len() as u32,
        plan: plan.clone(),
        games: Part::ALL.map(counted),
        numbers: numbers.found,
        pieces,
        first_moves: first(variant, start, &games, first_moves, expectation),
        heat_maps: heat_maps(&games),
        series: series(&games, &courses),
        limits: Limits {
            ratings: [rating(plan.level), FULL_ELO],
            repeated: last + 1 - counted(Part::Full),
            slope: expectation.slope,
            positions,
            opening_plies: [plan::RANDOM_PLIES as u32, plan::CHOSEN_PLIES as u32],
        },
    })
}

/// The slope that the engine's own model has at a level score, for games too few to fit one.
fn default_slope(variant: &Variant) -> f64 {
    let Curve { slope, draw } = Curve::of(variant);
    let middle = |[full, bare]: [f64; 2]| (full + bare) / 2.0;
    let chance = 1.0 / (1.0 + middle(draw).exp());
    4.0 * middle(slope) * chance * (1.0 - chance)
}

/// The numbers of a report so far.
struct Numbers<'p> {
    plan: &'p Plan,
    found: Vec<Number>,
}

impl Numbers<'_> {
    /// Adds a number, with its name and its meaning in English.
    fn add(&mut self, (key, unit): (&str, Unit), found: Option<Interval>, games: usize) -> &mut Number {
        let finite = |value: f64| value.is_finite().then_some(value);
        let words = Words(Language::English);
        let mut number = Number {
            key: key.into(),
            name: words.name(key),
            unit,
            value: found.and_then(|found| finite(found.value)),
            low: found.and_then(|found| finite(found.low)),
            high: found.and_then(|found| finite(found.high)),
            games: games as u32,
            meaning: String::new(),
            verdict: None,
        };
        number.meaning = words.meaning(&number, self.plan);
        self.found.push(number);
        // Just pushed.
        let last = self.found.len() - 1;
        &mut self.found[last]
    }
}

fn results(numbers: &mut Numbers<'_>, games: &[&GameRecord], suffix: &str) {
    let key = |name: &str| format!("{name}{suffix}");
    let found = intervals::score(games.iter().map(|game| game.halves));
    let number = numbers.add((&key("white-score"), Unit::Share), found, games.len());
    number.verdict = found.map(Assessment::of_score);
    let drawn = games.iter().filter(|game| game.halves == 1).count();
    let found = intervals::share(drawn as u64, games.len() as u64);
    let number = numbers.add((&key("draws"), Unit::Share), found, games.len());
    number.verdict = found.map(Assessment::of_draws);
}

/// How games end.
const ENDINGS: [(Ending, &str); 7] = [
    (Ending::Checkmate, "ending-checkmate"),
    (Ending::Goal, "ending-goal"),
    (Ending::Stalemate, "ending-stalemate"),
    (Ending::Repetition, "ending-repetition"),
    (Ending::MoveCount, "ending-move-count"),
    (Ending::DeadPosition, "ending-dead-position"),
    (Ending::Length, "ending-too-long"),
];

fn endings(numbers: &mut Numbers<'_>, games: &[&GameRecord]) {
    for (ending, key) in ENDINGS {
        let count = games.iter().filter(|game| game.ending == Some(ending)).count();
        if count > 0 {
            let found = intervals::share(count as u64, games.len() as u64);
            numbers.add((key, Unit::Share), found, games.len());
        }
    }
}

fn lengths(numbers: &mut Numbers<'_>, games: &[Observed]) {
    let lengths = || games.iter().map(|game| game.plies as f64);
    numbers.add(("length", Unit::Plies), intervals::median(lengths().collect()), games.len());
    numbers.add(("length-mean", Unit::Plies), intervals::mean(lengths()), games.len());
}

fn moves(numbers: &mut Numbers<'_>, games: &[Observed]) {
    let sums: Vec<(f64, f64)> = games
        .iter()
        .map(|game| (game.legal.iter().map(|&count| f64::from(count)).sum(), game.legal.len() as f64))
        .collect();
    numbers.add(("legal-moves", Unit::Count), intervals::ratio(&sums), games.len());
    let size = |game: &Observed| game.legal.iter().map(|&count| f64::from(count.max(1)).log10()).sum::<f64>();
    numbers.add(("tree-size", Unit::Count), intervals::mean(games.iter().map(size)), games.len());
}

fn drama(numbers: &mut Numbers<'_>, courses: &[Course]) {
    let changes = intervals::mean(courses.iter().map(|course| f64::from(course.changes)));
    numbers.add(("lead-changes", Unit::Count), changes, courses.len());
    let decided: Vec<f64> = courses.iter().filter_map(|course| course.decided).collect();
    let won = decided.len();
    numbers.add(("decided-at", Unit::Share), intervals::mean(decided.into_iter()), won);
    let drama = intervals::mean(courses.iter().filter_map(|course| course.drama));
    numbers.add(("drama", Unit::Share), drama, won);
}

fn sharpness(numbers: &mut Numbers<'_>, games: &[Observed], expectation: Expectation) {
    let sums: Vec<(f64, f64)> = games
        .iter()
        .map(|game| {
            let only =
                |&&(best, second): &&(i32, i32)| expectation.of(best) - expectation.of(second) >= ONLY_GOOD;
            (game.choices.iter().filter(only).count() as f64, game.choices.len() as f64)
        })
        .collect();
    numbers.add(("sharpness", Unit::Share), intervals::ratio(&sums), games.len());
}

fn depth(numbers: &mut Numbers<'_>, key: &str, games: &[&GameRecord]) {
    let mut pairs: BTreeMap<u32, [Option<Points>; 2]> = BTreeMap::new();
    for game in games {
        let white = match game.halves {
            0 => Points::Loss,
            1 => Points::Draw,
            _ => Points::Win,
        };
        let swapped = game.number % 2 == 1;
        let points = if swapped { white.reversed() } else { white };
        pairs.entry(game.number / 2).or_default()[usize::from(swapped)] = Some(points);
    }
    let mut counts = Pairs::default();
    for pair in pairs.into_values() {
        if let [Some(first), Some(second)] = pair {
            counts.add(first, second);
        }
    }
    let elo = Estimate::of_pairs(counts).map(Estimate::elo);
    numbers.add((key, Unit::Elo), elo, counts.pairs() as usize);
}

fn pieces(variant: &Arc<Variant>, games: &[Observed], start: &AnyPosition) -> (Vec<PieceReport>, u32) {
    let derived = Values::derived(variant);
    let mut engine = Engine::new(1);
    let used = engine.values(variant);
    let roles = || variant.roles().iter();
    let pawns = |centipawns: i32| f64::from(centipawns) / 100.0;
    let bare: Vec<f64> = roles().map(|(role, _)| pawns(derived.material(role))).collect();
    let at_start = counts(start);
    let army: Vec<f64> = at_start.iter().map(|count| f64::from(count.iter().sum::<i8>()) / 2.0).collect();
    let (fitted, positions) = values::fit(games, &bare, &army);
    let of_games = |of: fn(&PieceCounts) -> u32, role: usize| {
        games.iter().map(move |game| f64::from(of(&game.piece_counts[role])))
    };
    let each = |of: fn(&PieceCounts) -> u32, role| intervals::mean(of_games(of, role)).unwrap_or(NOTHING);
    let pieces = roles().map(|(role, info)| {
        let number = role.index();
        let begun: u32 = at_start[number].iter().map(|&count| u32::from(count as u8)).sum();
        let moves = each(|counts| counts.moves, number);
        let captures = each(|counts| counts.captures, number);
        let promoted_to = each(|counts| counts.promoted_to, number);
        let totals =
            of_games(|counts| counts.promoted_to, number).map(|promoted| f64::from(begun) + promoted);
        let lost: Vec<(f64, f64)> = of_games(|counts| counts.lost, number).zip(totals).collect();
        let lost = intervals::ratio(&lost).filter(|_| !info.royal);
        let worth = |value: f64| (!info.royal).then_some(value);
        let ends = |found: Interval| [found.low, found.high];
        PieceReport {
            letter: info.letter,
            name: info.name.clone(),
            picture: info.picture.clone(),
            at_start: begun,
            moves: moves.value,
            captures: captures.value,
            lost: lost.map(|lost| lost.value),
            promoted_to: promoted_to.value,
            derived: worth(bare[number]),
            engine: worth(pawns(used.material(role))),
            fitted: fitted.as_ref().and_then(|values| values[number]),
            intervals: Some(PieceIntervals {
                moves: ends(moves),
                captures: ends(captures),
                lost: lost.map(ends),
                promoted_to: ends(promoted_to),
            }),
        }
    });
    (pieces.collect(), positions)
}

fn first(
    variant: &Variant,
    start: &AnyPosition,
    games: &[Observed],
    moves: &[(Move, i32)],
    expectation: Expectation,
) -> Vec<FirstMove> {
    let total: f64 = games.iter().map(|game| f64::from(game.halves) / 2.0).sum();
    let mean = if games.is_empty() { 0.5 } else { total / games.len() as f64 };
    let white = start.turn() == lozenge_rules::position::Color::White;
    let mut found: Vec<FirstMove> = moves
        .iter()
        .map(|&(played, score)| {
            let own: Vec<f64> = (games.iter())
                .filter(|game| game.first == Some(played))
                .map(|game| f64::from(game.halves) / 2.0)
                .collect();
            let n = own.len() as f64;
            // The mean counts as `SHRINK` games with the spread of a game between them.
            let value = (own.iter().sum::<f64>() + SHRINK * mean) / (n + SHRINK);
            let spread = own.iter().map(|result| (result - value).powi(2)).sum::<f64>() + SHRINK * 0.17;
            let half = 1.96 * (spread / (n + SHRINK) / (n + SHRINK)).sqrt();
            FirstMove {
                uci: uci::write(variant, played),
                san: san::write(start, played),
                expected: expectation.of(if white { score } else { -score }),
                games: own.len() as u32,
                score: [value, (value - half).max(0.0), (value + half).min(1.0)],
                few: (own.len() as u32) < FEW_GAMES,
            }
        })
        .collect();
    found.sort_by(|a, b| {
        let order = b.expected.total_cmp(&a.expected);
        if white { order } else { order.reverse() }
    });
    found
}

fn heat_maps(games: &[Observed]) -> HeatMaps {
    let squares = games.first().map_or(0, |game| game.arrivals.len());
    let positions: f64 = games.iter().map(|game| game.legal.len() as f64).sum();
    let won = games.iter().filter(|game| game.end.is_some()).count().max(1) as f64;
    let sum = |of: &dyn Fn(&Observed, usize) -> f64, by: f64| {
        (0..squares)
            .map(|square| games.iter().map(|game| of(game, square)).sum::<f64>() / by.max(1.0))
            .collect()
    };
    HeatMaps {
        arrivals: sum(&|game, square| f64::from(game.arrivals[square]), games.len() as f64),
        mobility: sum(&|game, square| f64::from(game.reach[square]), positions),
        endings: sum(
            &|game, square| f64::from(u8::from(game.end.is_some_and(|end| end.index() == square))),
            won,
        ),
    }
}

fn series(games: &[Observed], courses: &[Course]) -> Series {
    let longest = games.iter().map(|game| game.legal.len()).max().unwrap_or(0);
    let mut legal_moves = Vec::new();
    for ply in 0..longest {
        let mut counts: Vec<u16> = games.iter().filter_map(|game| game.legal.get(ply).copied()).collect();
        // Where few games are left the mean describes those rather than the variant.
        if counts.len() * 10 < games.len() || counts.is_empty() {
            break;
        }
        counts.sort_unstable();
        let sum: f64 = counts.iter().map(|&count| f64::from(count)).sum();
        let at = |quarter: usize| f64::from(counts[(counts.len() - 1) * quarter / 4]);
        legal_moves.push([sum / counts.len() as f64, at(1), at(3)]);
    }
    let lead = (0..20)
        .map(|twentieth| {
            courses.iter().map(|course| course.lead[twentieth]).sum::<f64>() / courses.len().max(1) as f64
        })
        .collect();
    Series { lengths: games.iter().map(|game| game.plies as u32).collect(), legal_moves, lead }
}
