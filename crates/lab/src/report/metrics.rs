//! From games to the report: each number with its interval and a sentence that says what it means.

use super::ReportError;
use super::intervals;
use super::json::{FirstMove, GameReport, HeatMaps, Limits, Number, PieceReport, Series, Unit, Verdict};
use super::observe::{Course, Expectation, Observed, counts, observe};
use super::plan::{self, Part, Plan};
use super::record::GameRecord;
use super::values;
use crate::matches::Ending;
use crate::stats::{Estimate, Interval, Pairs, Points, elo_of};
use lozenge_engine::skill::{FULL_ELO, rating};
use lozenge_engine::wdl::Curve;
use lozenge_engine::{Engine, Values};
use lozenge_rules::notation::{san, uci};
use lozenge_rules::position::{AnyPosition, Move};
use lozenge_rules::variant::Variant;
use std::collections::BTreeMap;
use std::sync::Arc;

/// First moves with fewer games are marked.
const FEW_GAMES: u32 = 30;
/// A first move's score counts as much as so many games of the mean.
const SHRINK: f64 = 20.0;
/// A best move that is better by so much expected score is the only good one.
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
    let expectation = Expectation::fit(&games, usual_slope(variant));
    let courses: Vec<Course> = games.iter().map(|game| Course::of(game, expectation)).collect();
    let mut numbers = Numbers::default();
    results(&mut numbers, plan, &full, "");
    results(&mut numbers, plan, &weak, "-weak");
    endings(&mut numbers, &full);
    lengths(&mut numbers, &games);
    moves(&mut numbers, &games);
    drama(&mut numbers, &courses);
    numbers.add(
        ("board-use", "Board used", Unit::Share),
        intervals::mean(games.iter().map(|game| {
            let entered = game.arrivals.iter().filter(|&&count| count > 0).count();
            entered as f64 / game.arrivals.len() as f64
        })),
        games.len(),
        |share| format!("In a game some piece arrives on {} of the squares.", percent(share.value)),
    );
    sharpness(&mut numbers, &games, expectation);
    for (part, key, name) in [
        (Part::Double, "doubling", "Twice the thinking"),
        (Part::Quadruple, "depth", "Four times the thinking"),
    ] {
        depth(&mut numbers, key, name, &of_part(part).collect::<Vec<_>>());
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
        numbers: numbers.0,
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
fn usual_slope(variant: &Variant) -> f64 {
    let Curve { slope, draw } = Curve::of(variant);
    let middle = |[full, bare]: [f64; 2]| (full + bare) / 2.0;
    let chance = 1.0 / (1.0 + middle(draw).exp());
    4.0 * middle(slope) * chance * (1.0 - chance)
}

#[derive(Default)]
struct Numbers(Vec<Number>);

impl Numbers {
    /// Adds a number with the sentence that says what it means.
    fn add(
        &mut self,
        (key, name, unit): (&str, &str, Unit),
        found: Option<Interval>,
        games: usize,
        meaning: impl FnOnce(Interval) -> String,
    ) -> &mut Number {
        let finite = |value: f64| value.is_finite().then_some(value);
        self.0.push(Number {
            key: key.into(),
            name: name.into(),
            unit,
            value: found.and_then(|found| finite(found.value)),
            low: found.and_then(|found| finite(found.low)),
            high: found.and_then(|found| finite(found.high)),
            games: games as u32,
            meaning: found.map_or_else(|| "No game says anything about it.".into(), meaning),
            verdict: None,
        });
        // Just pushed.
        let last = self.0.len() - 1;
        &mut self.0[last]
    }
}

fn percent(share: f64) -> String {
    // Half a percent is not none.
    let digits = usize::from(share > 0.0 && share < 0.095);
    format!("{:.digits$}%", share * 100.0)
}

fn results(numbers: &mut Numbers, plan: &Plan, games: &[&GameRecord], suffix: &str) {
    let weak = !suffix.is_empty();
    let who =
        if weak { format!("at level {}", plan.level) } else { format!("with {} nodes a move", plan.nodes) };
    let key = |name: &str| format!("{name}{suffix}");
    let found = intervals::score(games.iter().map(|game| game.halves));
    let names = if weak {
        ["White's score, weaker players", "Draws, weaker players"]
    } else {
        ["White's score", "Draws"]
    };
    let number = numbers.add((&key("white-score"), names[0], Unit::Share), found, games.len(), |score| {
        let side = if score.value >= 0.5 { "White" } else { "Black" };
        format!(
            "Of 100 points between equal players {who}, White makes {:.1}: {side} is better off by {:.0} Elo.",
            score.value * 100.0,
            elo_of(score.value).abs().min(2_000.0)
        )
    });
    number.verdict = found.map(Verdict::of_score);
    let drawn = games.iter().filter(|game| game.halves == 1).count();
    let found = intervals::share(drawn as u64, games.len() as u64);
    let number = numbers.add((&key("draws"), names[1], Unit::Share), found, games.len(), |share| {
        format!("{} of the games between equal players {who} are drawn.", percent(share.value))
    });
    number.verdict = found.map(Verdict::of_draws);
}

/// How games end: the word for programs, for people, and what it means.
const ENDINGS: [(Ending, &str, &str); 7] = [
    (Ending::Checkmate, "Checkmate", "end by checkmate"),
    (Ending::Goal, "Goal", "end by reaching a goal"),
    (Ending::Stalemate, "Stalemate", "end because a side cannot move"),
    (Ending::Repetition, "Repetition", "are drawn because a position comes again and again"),
    (Ending::MoveCount, "Move count", "are drawn because nothing was captured for too long"),
    (Ending::DeadPosition, "Dead position", "are drawn because nobody can win any more"),
    (Ending::Length, "Too long", "were broken off as drawn after 2,000 plies"),
];

fn endings(numbers: &mut Numbers, games: &[&GameRecord]) {
    for (ending, name, what) in ENDINGS {
        let count = games.iter().filter(|game| game.ending == Some(ending)).count();
        if count > 0 {
            let key = format!("ending-{}", name.to_lowercase().replace(' ', "-"));
            let found = intervals::share(count as u64, games.len() as u64);
            numbers.add((&key, name, Unit::Share), found, games.len(), |share| {
                format!("{} of the games {what}.", percent(share.value))
            });
        }
    }
}

fn lengths(numbers: &mut Numbers, games: &[Observed]) {
    let lengths = || games.iter().map(|game| game.plies as f64);
    numbers.add(
        ("length", "Length", Unit::Plies),
        intervals::median(lengths().collect()),
        games.len(),
        |median| format!("Half of the games have at most {:.0} moves by each side.", median.value / 2.0),
    );
    numbers.add(
        ("length-mean", "Mean length", Unit::Plies),
        intervals::mean(lengths()),
        games.len(),
        |mean| format!("On average a game has {:.0} moves by each side.", mean.value / 2.0),
    );
}

fn moves(numbers: &mut Numbers, games: &[Observed]) {
    let sums: Vec<(f64, f64)> = games
        .iter()
        .map(|game| (game.legal.iter().map(|&count| f64::from(count)).sum(), game.legal.len() as f64))
        .collect();
    numbers.add(("legal-moves", "Legal moves", Unit::Count), intervals::ratio(&sums), games.len(), |mean| {
        format!("In a position there are {:.0} moves to choose from, on average.", mean.value)
    });
    let size = |game: &Observed| game.legal.iter().map(|&count| f64::from(count.max(1)).log10()).sum::<f64>();
    numbers.add(
        ("tree-size", "Size of the game tree", Unit::Count),
        intervals::mean(games.iter().map(size)),
        games.len(),
        |size| {
            format!(
                "All ways to play a game as long as these are about 10 to the power of {:.0}; orthodox chess is put at 123.",
                size.value
            )
        },
    );
}

fn drama(numbers: &mut Numbers, courses: &[Course]) {
    let count = courses.len();
    numbers.add(
        ("lead-changes", "Lead changes", Unit::Count),
        intervals::mean(courses.iter().map(|course| f64::from(course.changes))),
        count,
        |mean| format!("The lead changes hands {:.1} times a game, as the engine sees it.", mean.value),
    );
    let decided: Vec<f64> = courses.iter().filter_map(|course| course.decided).collect();
    let won = decided.len();
    numbers.add(
        ("decided-at", "Decided at", Unit::Share),
        intervals::mean(decided.into_iter()),
        won,
        |share| {
            format!(
                "Won games are decided after {} of their moves: from there on the winner stays well ahead.",
                percent(share.value)
            )
        },
    );
    numbers.add(
        ("drama", "Drama", Unit::Share),
        intervals::mean(courses.iter().filter_map(|course| course.drama)),
        won,
        |mean| {
            format!(
                "On average the winner's expected score is {:.1} points in a hundred below one half: 0 if winners never stand worse.",
                mean.value * 100.0
            )
        },
    );
}

fn sharpness(numbers: &mut Numbers, games: &[Observed], expectation: Expectation) {
    let sums: Vec<(f64, f64)> = games
        .iter()
        .map(|game| {
            let only =
                |&&(best, second): &&(i32, i32)| expectation.of(best) - expectation.of(second) >= ONLY_GOOD;
            (game.choices.iter().filter(only).count() as f64, game.choices.len() as f64)
        })
        .collect();
    numbers.add(("sharpness", "Sharpness", Unit::Share), intervals::ratio(&sums), games.len(), |share| {
        format!(
            "In {} of the positions one move is better than all others by a tenth of a point or more.",
            percent(share.value)
        )
    });
}

fn depth(numbers: &mut Numbers, key: &str, name: &str, games: &[&GameRecord]) {
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
    let estimate = Estimate::of_pairs(counts);
    let score = estimate.map(Estimate::score);
    numbers.add((key, name, Unit::Elo), estimate.map(Estimate::elo), counts.pairs() as usize, |_| {
        let made = score.map_or(0.0, |score| score.value);
        let more = if key == "depth" { "four times" } else { "twice" };
        format!(
            "With {more} the nodes the engine makes {} of the points: {}.",
            percent(made),
            if made >= 0.6 {
                "thinking longer pays"
            } else {
                "thinking longer hardly pays, at this strength"
            }
        )
    });
}

fn pieces(variant: &Arc<Variant>, games: &[Observed], start: &AnyPosition) -> (Vec<PieceReport>, u32) {
    let derived = Values::derived(variant);
    let mut engine = Engine::new(1);
    let used = engine.values(variant);
    let roles = || variant.roles().iter();
    let pawns = |centipawns: i32| f64::from(centipawns) / 100.0;
    let bare: Vec<f64> = roles().map(|(role, _)| pawns(derived.material(role))).collect();
    let at_start = counts(start);
    let army: Vec<f64> = at_start.iter().map(|count| f64::from(count[0] + count[1]) / 2.0).collect();
    let (fitted, positions) = values::fit(games, &bare, &army);
    let each = |of: fn(&super::observe::Deeds) -> u32, role: usize| {
        games.iter().map(|game| f64::from(of(&game.deeds[role]))).sum::<f64>() / games.len().max(1) as f64
    };
    let pieces = roles().map(|(role, info)| {
        let number = role.index();
        let begun = u32::from(at_start[number][0] as u8) + u32::from(at_start[number][1] as u8);
        let promoted_to = each(|deeds| deeds.promoted_to, number);
        let ever = f64::from(begun) + promoted_to;
        let worth = |value: f64| (!info.royal).then_some(value);
        PieceReport {
            letter: info.letter,
            name: info.name.clone(),
            picture: info.picture.clone(),
            at_start: begun,
            moves: each(|deeds| deeds.moves, number),
            captures: each(|deeds| deeds.captures, number),
            lost: worth(each(|deeds| deeds.lost, number) / ever).filter(|share| share.is_finite()),
            promoted_to,
            derived: worth(bare[number]),
            engine: worth(pawns(used.material(role))),
            fitted: fitted.as_ref().and_then(|values| values[number]),
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
            // The mean counts as so many games with the spread of a game between them.
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
        // Where few games are left the mean says more about those than about the game.
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
