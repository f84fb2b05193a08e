//! The results as text: the table of games, what it proves, and what went wrong.

use lozenge_lab::matches::{Faults, GameTable, MatchSettings, Table};
use lozenge_lab::stats::{Estimate, Interval, Model, Verdict};
use std::fmt::Write as _;

/// The whole report.
pub(super) fn report(settings: &MatchSettings, table: &Table) -> String {
    let mut text = String::new();
    let [first, second] = [&settings.engines[0], &settings.engines[1]];
    let _ = writeln!(text, "{} ({}) against {} ({})\n", first.name, first.limit, second.name, second.limit);
    let width = table.games.keys().map(String::len).max().unwrap_or(0).max(5);
    let _ = writeln!(
        text,
        "{:width$}  games   wins  draws losses   score  {:>22}  pairs 0 ½ 1 1½ 2",
        "game", "Elo"
    );
    for (id, game) in &table.games {
        let _ = writeln!(text, "{}", row(id, width, game));
    }
    if table.games.len() != 1 {
        let _ = writeln!(text, "{}", row("all", width, &table.total));
    }
    text.push('\n');
    if let Some(estimate) = table.total.estimate() {
        let _ = writeln!(text, "{}", strength(estimate));
    }
    if let Some(line) = test(settings, table) {
        let _ = writeln!(text, "{line}");
    }
    let _ = writeln!(text, "Ends: {}", endings(&table.total));
    for (engine, faults) in settings.engines.iter().zip(table.total.faults) {
        let _ = writeln!(text, "Faults of {}: {}", engine.name, failures(faults));
    }
    text.truncate(text.trim_end().len());
    text
}

/// One line for people who wait.
pub(super) fn short(settings: &MatchSettings, table: &Table) -> String {
    let score = table.total.score;
    let mut text = format!("+{} ={} -{}", score.wins, score.draws, score.losses);
    if let Some(estimate) = table.total.estimate() {
        let _ = write!(text, "  Elo {}", interval(estimate.elo()));
    }
    if let Some(sprt) = settings.sprt {
        let _ = write!(text, "  LLR {:.2}", sprt.llr(table.total.pairs));
    }
    let faults: u64 = table.total.faults.iter().map(|faults| faults.total()).sum();
    if faults > 0 {
        let _ = write!(text, "  faults {faults}");
    }
    text
}

fn row(name: &str, width: usize, game: &GameTable) -> String {
    let score = game.score;
    let share = if score.games() == 0 { 0.0 } else { 100.0 * score.points() / score.games() as f64 };
    let elo = game.estimate().map_or_else(|| "-".into(), |estimate| interval(estimate.elo()));
    let pairs: Vec<String> = game.pairs.0.iter().map(u64::to_string).collect();
    format!(
        "{name:width$} {:6} {:6} {:6} {:6}  {share:5.1}%  {elo:>22}  {}",
        score.games(),
        score.wins,
        score.draws,
        score.losses,
        pairs.join(" ")
    )
}

fn strength(estimate: Estimate) -> String {
    format!(
        "Elo {} (95%), normalized Elo {}, chance of being stronger {:.1}%",
        interval(estimate.elo()),
        interval(estimate.normalized_elo()),
        100.0 * estimate.superiority()
    )
}

/// `+35.1 ± 12.0`; where an end is infinite, the finite one: `+255.2, at least +77`.
fn interval(interval: Interval) -> String {
    let Interval { value, low, high } = interval;
    let known = match (low.is_finite(), high.is_finite()) {
        (true, true) => return format!("{value:+.1} ± {:.1}", interval.error()),
        (true, false) => format!("at least {low:+.0}"),
        (false, true) => format!("at most {high:+.0}"),
        (false, false) => "unknown".into(),
    };
    if value.is_finite() { format!("{value:+.1}, {known}") } else { known }
}

fn test(settings: &MatchSettings, table: &Table) -> Option<String> {
    let sprt = settings.sprt?;
    let (low, high) = sprt.bounds();
    let (elo0, elo1) = sprt.hypotheses();
    let unit = match sprt.model() {
        Model::Logistic => "Elo",
        Model::Normalized => "normalized Elo",
    };
    let verdict = match sprt.verdict(table.total.pairs) {
        Verdict::Open => "undecided".into(),
        Verdict::H0 => format!("H0 accepted: {elo0} is likelier than {elo1}"),
        Verdict::H1 => format!("H1 accepted: {elo1} is likelier than {elo0}"),
    };
    let llr = sprt.llr(table.total.pairs);
    Some(format!("SPRT [{elo0}, {elo1}] {unit}: LLR {llr:.2} ({low:.2}, {high:.2}), {verdict}"))
}

fn endings(table: &GameTable) -> String {
    let mut ends: Vec<_> = table.endings.iter().collect();
    ends.sort_by_key(|&(words, count)| (std::cmp::Reverse(*count), *words));
    let ends: Vec<String> = ends.into_iter().map(|(words, count)| format!("{words} {count}")).collect();
    let games = table.score.games().max(1);
    format!("{}; {} plies a game", ends.join(", "), table.plies / games)
}

fn failures(faults: Faults) -> String {
    let counted = [
        (faults.crashes, "crash", "crashes"),
        (faults.hangs, "hang", "hangs"),
        (faults.illegal_moves, "illegal move", "illegal moves"),
        (faults.time_losses, "time loss", "time losses"),
    ];
    let printed: Vec<String> = counted
        .into_iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, one, many)| format!("{count} {}", if count == 1 { one } else { many }))
        .collect();
    if printed.is_empty() { "none".into() } else { printed.join(", ") }
}
