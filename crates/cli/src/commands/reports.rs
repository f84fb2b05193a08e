//! `lozenge reports`: the lines of chat that players and spectators have reported, for whoever runs the site.

use super::database::{self, Database};
use crate::CliError;
use crate::output;
use clap::Args;
use jiff::Timestamp;
use lozenge_server::{Report, Store};

/// `reports`.
#[derive(Args, Debug)]
pub(crate) struct ReportsArgs {
    /// Only reports of the last so many days.
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u16).range(1..))]
    days: Option<u16>,
    /// Most reports, the newest first.
    #[arg(long, default_value_t = 50)]
    limit: u32,
    /// One JSON object a line instead of a table.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Prints the reports. Nothing is changed, and the site may run meanwhile.
pub(crate) fn run(args: &ReportsArgs) -> Result<(), CliError> {
    let database = args.database.existing()?;
    let since = args.days.map_or(0, |days| Timestamp::now().as_millisecond() - i64::from(days) * DAY_MS);
    let reports = database::wait(Store::reports(&database, since, args.limit))?;
    if args.json {
        return reports.iter().try_for_each(|report| output::line(serde_json::json!(report)));
    }
    if reports.is_empty() {
        return output::line("No line of chat has been reported.");
    }
    table(&reports).iter().try_for_each(output::line)
}

/// A row for each report under a row of titles, every column as wide as it has to be.
fn table(reports: &[Report]) -> Vec<String> {
    let titles = ["reported (UTC)", "game", "room", "by", "said by", "line"].map(str::to_owned);
    let person = |name: &str, id: &str| format!("{name} ({id})");
    let rows: Vec<[String; 6]> = std::iter::once(titles)
        .chain(reports.iter().map(|report| {
            [
                time(report.at),
                report.game.clone(),
                report.room.clone(),
                person(&report.reporter_name, &report.reporter),
                person(&report.author_name, &report.author),
                report.line.clone(),
            ]
        }))
        .collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..5).map(width).collect();
    let line = |row: &[String; 6]| {
        let cells: String =
            row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}  ")).collect();
        cells + &row[5]
    };
    rows.iter().map(line).collect()
}

fn time(ms: i64) -> String {
    Timestamp::from_millisecond(ms)
        .map(|at| at.to_zoned(jiff::tz::TimeZone::UTC).strftime("%Y-%m-%d %H:%M").to_string())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_under_each_other_and_the_line_is_whole() {
        let report = |by: &str, line: &str| Report {
            id: "r".into(),
            game: "8sKq2LmNpQrS".into(),
            number: 3,
            room: "players".into(),
            reporter: "u1".into(),
            reporter_name: by.into(),
            author: "u2".into(),
            author_name: "Bob".into(),
            line: line.into(),
            said_at: 0,
            at: 1_790_000_000_000,
        };
        let lines = table(&[report("Ann", "an ugly line"), report("Annegret", "a longer, uglier line")]);
        assert_eq!(
            lines[1],
            "2026-09-21 14:13  8sKq2LmNpQrS  players  Ann (u1)       Bob (u2)  an ugly line"
        );
        let at = |line: &str, what: &str| line.find(what).unwrap_or_else(|| panic!("no {what} in {line}"));
        assert_eq!(at(&lines[0], "said by"), at(&lines[2], "Bob"));
        assert!(lines[2].ends_with("  a longer, uglier line"));
    }
}
