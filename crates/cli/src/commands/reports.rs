//! `lozenge reports`: the lines of chat that players and spectators have reported, and the actions of the host on
//! them.

use super::database::{self, Database};
use super::users;
use crate::CliError;
use crate::numbers::whole;
use crate::output;
use clap::{Args, Subcommand};
use jiff::Timestamp;
use lozenge_store::{ChatReport, ModerationError, Moderator, Sanction, Store};

/// `reports`.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct ReportsArgs {
    #[command(subcommand)]
    command: Option<ReportsCommand>,
    #[command(flatten)]
    list: ListArgs,
}

/// The filter of the list.
#[derive(Args, Debug)]
struct ListArgs {
    /// Only reports of the last DAYS days.
    #[arg(long, value_name = "DAYS", value_parser = whole::<u16>(1..=u16::MAX))]
    days: Option<u16>,
    /// Most reports, the newest first.
    #[arg(long, default_value_t = 50, value_parser = whole::<u32>(1..=u32::MAX))]
    limit: u32,
    /// Also reports that were closed.
    #[arg(long)]
    all: bool,
    /// One JSON object a line instead of a table.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

/// An action on a report.
#[derive(Subcommand, Debug)]
enum ReportsCommand {
    /// Close all reports of a line, and sanction its author.
    Close(CloseArgs),
}

/// `reports close`.
#[derive(Args, Debug)]
struct CloseArgs {
    /// Id of a report, as the list has it.
    report: String,
    /// Mute its author.
    #[arg(long)]
    mute: bool,
    /// Days until the mute ends; for good if left out.
    #[arg(long, requires = "mute", value_parser = whole::<u16>(1..=u16::MAX))]
    days: Option<u16>,
    /// Close the account of its author.
    #[arg(long, conflicts_with = "ban")]
    close_account: bool,
    /// Ban its author.
    #[arg(long)]
    ban: bool,
}

/// Prints the reports, or closes one. The site may run meanwhile.
pub(crate) fn run(args: &ReportsArgs) -> Result<(), CliError> {
    match &args.command {
        None => list(&args.list),
        Some(ReportsCommand::Close(close_args)) => {
            let url = args.list.database.existing()?;
            let lines = database::wait(close(&url, close_args))?;
            lines.iter().try_for_each(output::line)
        }
    }
}

fn list(args: &ListArgs) -> Result<(), CliError> {
    let database = args.database.existing()?;
    let since =
        args.days.map_or(0, |days| Timestamp::now().as_millisecond() - i64::from(days) * output::DAY_MS);
    let reports = database::wait(Store::reports(&database, since, args.limit, args.all))?;
    if args.json {
        return reports.iter().try_for_each(|report| output::line(serde_json::json!(report)));
    }
    if reports.is_empty() {
        return output::line(if args.all {
            "No line of chat has been reported."
        } else {
            "No report is open."
        });
    }
    rows(&reports).iter().try_for_each(output::line)
}

async fn close(url: &str, args: &CloseArgs) -> Result<Vec<String>, ModerationError> {
    let mut moderator = Moderator::open(url).await?;
    let author = moderator.close_report(&args.report).await?;
    let mut lines = vec!["The reports of this line are closed.".to_owned()];
    let wanted = [
        args.mute.then(|| Sanction::Mute { until: users::mute_until(args.days) }),
        args.close_account.then_some(Sanction::Close),
        args.ban.then_some(Sanction::Ban),
    ];
    let mut sanctions = wanted.into_iter().flatten().peekable();
    match author {
        Some(author) => {
            for sanction in sanctions {
                lines.push(users::describe(&moderator.sanction(&author, &sanction).await?));
            }
        }
        None if sanctions.peek().is_some() => {
            lines.push("Its author has deleted the account: there is no user to sanction.".to_owned());
        }
        None => {}
    }
    Ok(lines)
}

/// A row for each report.
fn rows(reports: &[ChatReport]) -> Vec<String> {
    let titles = ["report", "reported (UTC)", "game", "room", "by", "author", "line"];
    let person = |name: &str, id: &str| format!("{name} ({id})");
    let row = |report: &ChatReport| {
        let closed = if report.closed_at.is_some() { " (closed)" } else { "" };
        [
            format!("{}{closed}", report.id),
            output::time(report.at),
            report.game.clone(),
            report.room.clone(),
            person(&report.reporter_name, &report.reporter),
            person(&report.author_name, &report.author),
            report.line.clone(),
        ]
    };
    output::table(titles, reports.iter().map(row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_lines_are_not_cut() {
        let report = |by: &str, line: &str| ChatReport {
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
            closed_at: None,
        };
        let lines = rows(&[report("Ann", "an ugly line"), report("Annegret", "a longer, uglier line")]);
        assert_eq!(
            lines[1],
            "r       2026-09-21 14:13  8sKq2LmNpQrS  players  Ann (u1)       Bob (u2)  an ugly line"
        );
        let at = |line: &str, what: &str| line.find(what).unwrap_or_else(|| panic!("no {what} in {line}"));
        assert_eq!(at(&lines[0], "author"), at(&lines[2], "Bob"));
        assert!(lines[2].ends_with("  a longer, uglier line"));
    }
}
