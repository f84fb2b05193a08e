//! `lozenge match` in a game of four: two engines or four that change seats, and a table of places.

use super::{MatchArgs, MatchFailure, engine, files};
use crate::error::CliError;
use crate::interrupt::is_interrupted;
use crate::output;
use lozenge_lab::matches::{EngineKind, EngineSettings};
use lozenge_lab::multi::{self, MultiEngine, MultiKind, MultiSettings, SeatResults, Table};
use lozenge_lab::players::Limit;
use lozenge_lab::stats::Interval;
use lozenge_rules::library;
use lozenge_rules::variant::{MultiVariant, NotForTwo};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::sync::Arc;
use std::time::Duration;

/// Random plies before a game where none are given: two for each player.
const PLIES: u32 = 8;

/// Plays the match and prints its results.
pub(super) fn run(args: &MatchArgs, variant: Arc<MultiVariant>) -> Result<(), CliError> {
    refuse_options_of_two(args, &variant)?;
    let settings = settings(args, variant)?;
    let mut bar = output::Progress::new(u64::from(settings.games));
    let mut pgn = files::Pgn::open_multi(args, &settings)?;
    let mut report = |record: &multi::MultiRecord, table: &Table| {
        if let Some(pgn) = &mut pgn {
            pgn.add_multi(&settings, record)?;
        }
        bar.show(u64::from(table.games), || short(&settings, table));
        Ok(())
    };
    let table = multi::run(&settings, &mut report, &is_interrupted).map_err(MatchFailure::from)?;
    bar.end();
    if [&args.json, &args.pgn].into_iter().flatten().any(|path| output::is_standard(path)) {
        let _ = writeln!(io::stderr(), "{}", written(&settings, &table));
    } else {
        output::line(written(&settings, &table))?;
    }
    if let Some(path) = &args.json {
        let text = format!("{:#}\n", summary(&settings, &table));
        output::file(path, text.as_bytes())?;
    }
    if is_interrupted() {
        return Err(MatchFailure::Interrupted(String::new()).into());
    }
    let faults: u32 = table.faults.iter().sum();
    if args.strict && faults > 0 {
        return Err(MatchFailure::Faults(faults.into()).into());
    }
    Ok(())
}

/// Options that have no meaning yet in games of four.
fn refuse_options_of_two(args: &MatchArgs, variant: &MultiVariant) -> Result<(), MatchFailure> {
    let given = [
        ("--sprt", args.sprt.is_some()),
        ("--win", args.win.is_some()),
        ("--draw", args.draw.is_some()),
        ("--tables", args.tables.is_some()),
        ("--openings", args.openings.is_some()),
        ("--write-openings", args.write_openings.is_some()),
        ("--record", args.record.is_some()),
        #[cfg(feature = "nats")]
        ("--nats", args.nats.as_deref().is_some_and(|nats| !nats.is_empty())),
    ];
    match given.into_iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => Err(MatchFailure::OnlyForTwo(option, NotForTwo(variant.seats().len() as u8))),
        None => Ok(()),
    }
}

fn settings(args: &MatchArgs, variant: Arc<MultiVariant>) -> Result<MultiSettings, MatchFailure> {
    let limit = Limit { nodes: args.nodes, depth: args.depth, movetime: args.movetime, clock: args.tc };
    let files: Vec<String> =
        args.game.iter().filter(|game| library::any_game(game).is_none()).cloned().collect();
    let timeout = Duration::from_secs(u64::from(args.patience));
    let texts: Vec<&String> = [&args.first, &args.second].into_iter().chain(&args.others).collect();
    let seats = variant.seats().len();
    if texts.len() != 2 && texts.len() != seats as usize {
        return Err(MatchFailure::EnginesOfFour { seats, found: texts.len() });
    }
    let mut engines = Vec::new();
    for text in texts {
        let EngineSettings { name, kind, limit } = engine::read(text, &limit, args.seed, &files, timeout)?;
        let kind = match kind {
            EngineKind::Uci(program) => MultiKind::Uci(program),
            EngineKind::Random(seed) => MultiKind::Random(seed),
            EngineKind::Greedy(seed) => MultiKind::Greedy(seed),
            EngineKind::Plain => {
                let what =
                    format!("expected `this`, `greedy`, `random` or a program in a game of {seats} players");
                return Err(MatchFailure::Engine { engine: text.clone(), what });
            }
        };
        engines.push(MultiEngine { name, kind, limit });
    }
    // Engines with the same name get numbers.
    let names: Vec<String> = engines.iter().map(|engine| engine.name.clone()).collect();
    for (number, engine) in engines.iter_mut().enumerate() {
        if names.iter().filter(|name| **name == engine.name).count() > 1 {
            engine.name = format!("{} {}", engine.name, number + 1);
        }
    }
    Ok(MultiSettings {
        engines,
        variant,
        games: args.games,
        rotates: true,
        plies: args.plies.unwrap_or(PLIES),
        seed: args.seed,
        margin: args.margin,
        max_plies: args.max_plies,
        concurrency: usize::from(args.concurrency),
    })
}

/// One line for people who wait.
fn short(settings: &MultiSettings, table: &Table) -> String {
    let share = |(number, engine): (usize, &MultiEngine)| {
        let share = table.totals[number].first_share();
        let share = share.map_or_else(|| "–".into(), |share| format!("{:.0} %", 100.0 * share.value));
        format!("{} {share}", engine.name)
    };
    let shares: Vec<String> = settings.engines.iter().enumerate().map(share).collect();
    format!("first: {}", shares.join(", "))
}

/// The table of places.
fn written(settings: &MultiSettings, table: &Table) -> String {
    let width = settings.engines.iter().map(|engine| engine.name.chars().count()).max().unwrap_or(0).max(6);
    let mut text = format!("{}, {} games\n\n", settings.variant.name(), table.games);
    let _ = writeln!(text, "{:width$}  seat     games  {:>23}  place", "engine", "first place");
    for (number, engine) in settings.engines.iter().enumerate() {
        for seat in settings.variant.seats().iter() {
            let results = table.engines[number][seat];
            if results.games > 0 {
                let _ = writeln!(text, "{}", row(&engine.name, width, &seat.to_string(), results));
            }
        }
        let _ = writeln!(text, "{}", row(&engine.name, width, "all", table.totals[number]));
    }
    let plies = table.plies / u64::from(table.games.max(1));
    let ends: Vec<String> = table.endings.iter().map(|(end, count)| format!("{end} {count}")).collect();
    let _ = writeln!(text, "\nPlies a game: {plies}. Ends: {}", ends.join(", "));
    for (engine, faults) in settings.engines.iter().zip(&table.faults).filter(|(_, faults)| **faults > 0) {
        let _ = writeln!(text, "Faults of {}: {faults}", engine.name);
    }
    text.truncate(text.trim_end().len());
    text
}

fn row(name: &str, width: usize, seat: &str, results: SeatResults) -> String {
    let part = |found: Option<Interval>, factor: f64, decimals: usize, unit: &str| {
        let number = |value: f64| format!("{:.decimals$}", factor * value);
        found.map_or_else(
            || "–".into(),
            |found| {
                format!("{}{unit} ({} to {})", number(found.value), number(found.low), number(found.high))
            },
        )
    };
    let share = part(results.first_share(), 100.0, 1, " %");
    let place = part(results.mean_place(), 1.0, 2, "");
    format!("{name:width$}  {seat:<6} {:7}  {share:>23}  {place}", results.games)
}

/// The results as data for other programs.
fn summary(settings: &MultiSettings, table: &Table) -> Value {
    let of = |results: SeatResults| {
        let [share, place] = [results.first_share(), results.mean_place()];
        let value = |found: Option<Interval>| found.map(|found| found.value);
        let interval = |found: Option<Interval>| found.map(|found| [found.low, found.high]);
        json!({
            "games": results.games,
            "first_share": value(share),
            "first_share_interval": interval(share),
            "mean_place": value(place),
            "mean_place_interval": interval(place),
        })
    };
    let engine = |(number, engine): (usize, &MultiEngine)| {
        let seats: serde_json::Map<String, Value> = settings
            .variant
            .seats()
            .iter()
            .map(|seat| (seat.id().to_owned(), of(table.engines[number][seat])))
            .collect();
        json!({
            "name": engine.name,
            "limit": engine.limit.to_string(),
            "seats": seats,
            "total": of(table.totals[number]),
            "faults": table.faults[number],
        })
    };
    json!({
        "game": settings.variant.id(),
        "games": table.games,
        "plies": table.plies,
        "endings": table.endings,
        "engines": settings.engines.iter().enumerate().map(engine).collect::<Vec<_>>(),
    })
}
