//! The report of a game of four: how the seats do when one engine plays all of them, how long games are, and who goes out first.

use super::run::{MultiEngine, MultiKind, MultiSettings, run};
use super::table::{MultiRecord, SeatResults, last_place, reached};
use crate::matches::MatchError;
use crate::players::Limit;
use crate::report::words::Words;
use crate::stats::{Interval, intervals};
use lozenge_explain::Language;
use lozenge_rules::seat::{BySeat, Seat};
use lozenge_rules::variant::MultiVariant;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

/// The games to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct MultiPlan {
    /// How many; each begins with other random moves.
    pub games: u32,
    /// Nodes for each move.
    pub nodes: u64,
    /// Random plies at the beginning, after which all players are in the game.
    pub plies: u32,
    /// Their random seed.
    pub seed: u64,
}

/// A measured number with its 95% interval; all `None` where nothing was seen of it.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Measured {
    /// The estimate.
    pub value: Option<f64>,
    /// The lower end of its interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
}

impl From<Option<Interval>> for Measured {
    fn from(interval: Option<Interval>) -> Self {
        let of = |part: fn(Interval) -> f64| interval.map(part);
        Self { value: of(|found| found.value), low: of(|found| found.low), high: of(|found| found.high) }
    }
}

/// How a seat did.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SeatReport {
    /// Share of first places; a shared one counts in part. In games of teams, of games won, a draw being half of one.
    pub first: Measured,
    /// Mean place, from 1; players who share places have their mean. In games of teams there are two.
    pub place: Measured,
    /// Share of the games in which a player went out, and this one first.
    pub first_out: Measured,
}

impl SeatReport {
    /// Whether the share of first places differs from that of equal seats: the interval does not contain it.
    #[must_use]
    pub fn is_uneven(&self, is_teams: bool, seats: usize) -> bool {
        let even = if is_teams { 0.5 } else { 1.0 / seats as f64 };
        self.first.low.is_some_and(|low| low > even) || self.first.high.is_some_and(|high| high < even)
    }
}

/// The report of a game of four.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MultiReport {
    /// Id of the game.
    pub game: String,
    /// Its name.
    pub name: String,
    /// Whether two teams play.
    pub teams: bool,
    /// The games played.
    pub plan: MultiPlan,
    /// By the ids of the seats.
    pub seats: BTreeMap<&'static str, SeatReport>,
    /// Median number of moves of all players together.
    pub length: Measured,
    /// Games by how they ended.
    pub endings: BTreeMap<String, u32>,
}

/// The data of a game that the report counts.
struct Counted {
    reached: BySeat<(f64, f64)>,
    first_out: Option<Seat>,
    plies: usize,
}

impl Counted {
    fn of(record: &MultiRecord) -> Self {
        Self {
            reached: BySeat::from_fn(|seat| reached(record.outcome.result, seat)),
            first_out: record.game.position().out().first().copied(),
            plies: record.plies(),
        }
    }
}

/// Plays the games, and measures them. `progress` gets the number of finished games; `interrupted` ends the work, and the report is of
/// the games until then.
///
/// # Errors
/// When a thread fails.
pub fn report(
    variant: &Arc<MultiVariant>,
    plan: MultiPlan,
    threads: usize,
    progress: &mut (dyn FnMut(u32) + Send),
    interrupted: &(dyn Fn() -> bool + Sync),
) -> Result<MultiReport, MatchError> {
    let limit = Limit { nodes: Some(plan.nodes), ..Limit::default() };
    let engine = MultiEngine { name: "this".into(), kind: MultiKind::Own, limit };
    let settings = MultiSettings {
        engines: vec![engine; variant.seats().len() as usize],
        variant: Arc::clone(variant),
        // Each game has an opening of its own.
        games: plan.games,
        plies: plan.plies,
        seed: plan.seed,
        rotates: false,
        margin: std::time::Duration::ZERO,
        max_plies: None,
        concurrency: threads,
    };
    let mut counted = Vec::new();
    let mut add = |record: &MultiRecord, _: &super::Table| {
        counted.push((record.number, Counted::of(record)));
        progress(counted.len() as u32);
        Ok(())
    };
    let table = run(&settings, &mut add, interrupted)?;
    // The order of the threads changes no interval.
    counted.sort_by_key(|(number, _)| *number);
    let games: Vec<Counted> = counted.into_iter().map(|(_, game)| game).collect();
    let with_exit = games.iter().filter(|game| game.first_out.is_some()).count() as u64;
    let last = last_place(variant);
    let seat = |seat: Seat| {
        let out = games.iter().filter(|game| game.first_out == Some(seat)).count() as u64;
        let mut results = SeatResults::default();
        for game in &games {
            results.add(&[game.reached[seat]], last);
        }
        SeatReport {
            first: results.first_share().into(),
            place: results.mean_place().into(),
            first_out: intervals::share(out, with_exit).into(),
        }
    };
    Ok(MultiReport {
        game: variant.id().to_owned(),
        name: variant.name().to_owned(),
        teams: variant.is_teams(),
        plan: MultiPlan { games: games.len() as u32, ..plan },
        seats: variant.seats().iter().map(|found| (found.id(), seat(found))).collect(),
        length: median(games.iter().map(|game| game.plies as f64).collect()),
        endings: table.endings,
    })
}

/// The median. Fewer than six values have no interval: with a chance of more than 5%, it is smaller than all of them, or greater.
fn median(values: Vec<f64>) -> Measured {
    let has_ends = values.len() >= 6;
    let found = Measured::from(intervals::median(values));
    if has_ends { found } else { Measured { low: None, high: None, ..found } }
}

impl MultiReport {
    /// The report in lines, for the terminal.
    #[must_use]
    pub fn summary(&self, language: Language) -> String {
        let w = Words(language);
        let MultiPlan { games, nodes, .. } = self.plan;
        let (games, nodes) = (w.grouped(games.into()), w.grouped(nodes));
        let mut lines = vec![format!(
            "{}: {}",
            self.name,
            w.message("games-played", &[("games", &games), ("nodes", &nodes)])
        )];
        let columns = if self.teams { ["seat-won", "seat-out"] } else { ["seat-first", "seat-out"] };
        let mut head = format!("{:8}", "");
        for column in columns {
            let _ = write!(head, "  {:>26}", w.get(column));
        }
        if !self.teams {
            let _ = write!(head, "  {:>20}", w.get("seat-place"));
        }
        lines.push(head);
        for seat in Seat::ALL {
            let Some(found) = self.seats.get(seat.id()) else { continue };
            let mut line = format!("{:8}", w.get(&format!("seat-{}", seat.id())));
            for number in [found.first, found.first_out] {
                let _ = write!(line, "  {:>26}", number.written(w, |value| w.share(value, 1)));
            }
            if !self.teams {
                let _ = write!(line, "  {:>20}", found.place.written(w, |value| w.decimal(value, 2)));
            }
            lines.push(line);
        }
        let uneven: Vec<String> = Seat::ALL
            .into_iter()
            .filter(|seat| {
                let found = self.seats.get(seat.id());
                found.is_some_and(|found| found.is_uneven(self.teams, self.seats.len()))
            })
            .map(|seat| w.get(&format!("seat-{}", seat.id())))
            .collect();
        lines.push(match uneven.is_empty() {
            true => w.get("seats-even"),
            false => w.message("seats-uneven", &[("seats", &uneven.join(", "))]),
        });
        let length = self.length.written(w, |value| w.decimal(value, 0));
        let ends: Vec<String> = self.endings.iter().map(|(end, count)| format!("{end} {count}")).collect();
        lines.push(w.message("length-of-four", &[("length", &length), ("ends", &ends.join(", "))]));
        lines.join("\n")
    }
}

impl Measured {
    /// The value, and its interval in parentheses.
    fn written(self, w: Words, number: impl Fn(f64) -> String) -> String {
        let Some(value) = self.value else { return "–".into() };
        let (Some(low), Some(high)) = (self.low, self.high) else { return number(value) };
        let between = w.message("between", &[("low", &number(low)), ("high", &number(high))]);
        format!("{} ({between})", number(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_rules::library;

    fn measured(id: &str, threads: usize) -> MultiReport {
        let variant = library::multi_game(id).unwrap();
        let plan = MultiPlan { games: 4, nodes: 20, plies: 8, seed: 5 };
        report(&variant, plan, threads, &mut |_| {}, &|| false).unwrap()
    }

    #[test]
    fn first_places_add_up() {
        for (id, firsts, places) in [("diamondring-four", 1.0, 10.0), ("diamondring-teams", 2.0, 6.0)] {
            let report = measured(id, 1);
            let sum = |of: fn(&SeatReport) -> Measured| {
                report.seats.values().filter_map(|seat| of(seat).value).sum::<f64>()
            };
            assert!((sum(|seat| seat.first) - firsts).abs() < 1e-9, "{report:?}");
            assert!((sum(|seat| seat.place) - places).abs() < 1e-9, "{report:?}");
            for language in [Language::English, Language::German] {
                let text = report.summary(language);
                assert!(text.lines().count() == 8 && !text.contains("seat-"), "{text}");
            }
            assert!(report.length.value.unwrap() > 8.0 && report.endings.values().sum::<u32>() == 4);
        }
    }

    /// A seat that never came first in a few games may still do so often.
    #[test]
    fn few_games_have_wide_intervals() {
        let report = measured("diamondring-four", 2);
        let ends = |found: Measured| [found.low.unwrap(), found.high.unwrap()];
        for seat in report.seats.values() {
            let [low, high] = ends(seat.first);
            assert!(high - low > 0.4 && (low > 0.0 || high > 0.4), "{report:?}");
            let [low, high] = ends(seat.place);
            assert!(high - low > 0.9 && low >= 1.0 && high <= 4.0, "{report:?}");
            assert!(!seat.is_uneven(false, 4), "{report:?}");
        }
        assert_eq!((report.length.low, report.length.high), (None, None));
        let text = report.summary(Language::English);
        assert!(!text.contains("0.0% to 0.0%") && !text.contains('–'), "{text}");
    }

    #[test]
    fn threads_do_not_change_the_report() {
        assert_eq!(measured("diamondring-teams", 1), measured("diamondring-teams", 3));
    }
}
