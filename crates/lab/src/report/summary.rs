//! The numbers of a report in lines, for the terminal.

use super::json::{Assessment, GameReport, Number};
use super::words::Words;
use lozenge_explain::Language;

/// The numbers with their intervals, a line each.
#[must_use]
pub fn summary(report: &GameReport, language: Language) -> String {
    let w = Words(language);
    let games = [("games", w.grouped(u64::from(report.games[0]))), ("nodes", w.grouped(report.plan.nodes))];
    let games = w.message("games-played", &games.each_ref().map(|(name, text)| (*name, text.as_str())));
    let names: Vec<String> = report.numbers.iter().map(|number| w.name(&number.key)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let line = |(number, name): (&Number, &String)| {
        let verdict = number
            .verdict
            .filter(|verdict| *verdict != Assessment::NotKnown)
            .map_or_else(String::new, |verdict| format!("  {}", w.get(&format!("word-{}", verdict.key()))));
        let value = w.in_unit(number.unit, number.value);
        let [low, high] = [number.low, number.high].map(|end| w.in_unit(number.unit, end));
        let range = match (number.low, number.high) {
            (None, None) => String::new(),
            (_, None) => w.message("at-least", &[("number", &low)]),
            (None, _) => w.message("at-most", &[("number", &high)]),
            _ => w.message("between", &[("low", &low), ("high", &high)]),
        };
        format!("{name:width$} {value:>8}  {range}{verdict}").trim_end().to_owned()
    };
    let lines = report.numbers.iter().zip(&names).map(line);
    std::iter::once(format!("{}: {games}", report.name)).chain(lines).collect::<Vec<_>>().join("\n")
}
