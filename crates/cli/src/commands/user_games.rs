//! `lozenge games`: moderation of the games that users have made, also while the site runs.

use super::database::{self, Database};
use crate::CliError;
use crate::numbers::whole;
use crate::output;
use clap::{Args, Subcommand};
use jiff::Timestamp;
use lozenge_store::{ListingSanction, ModerationError, Moderator, VariantEntry, VariantReportEntry};

/// `games …`.
#[derive(Args, Debug)]
pub(crate) struct GamesArgs {
    #[command(subcommand)]
    command: GamesCommand,
    #[command(flatten)]
    database: Database,
}

/// The commands. GAME is the id of a published game, such as ~lake.
#[derive(Subcommand, Debug)]
enum GamesCommand {
    /// List published games, the latest first.
    List {
        /// Only games with open reports, of themselves or of comments.
        #[arg(long)]
        reported: bool,
        /// Most games.
        #[arg(long, default_value_t = 50, value_parser = whole::<u32>(1..=u32::MAX))]
        limit: u32,
        /// One JSON object a line instead of a table.
        #[arg(long)]
        json: bool,
    },
    /// Show the open reports of games and of comments on them.
    Reports {
        /// Most reports, the newest first.
        #[arg(long, default_value_t = 50, value_parser = whole::<u32>(1..=u32::MAX))]
        limit: u32,
        /// One JSON object a line instead of a table.
        #[arg(long)]
        json: bool,
    },
    /// List a game nowhere; everybody who has its address can still open it. Closes its reports.
    Hide {
        /// Id of the game.
        game: String,
    },
    /// Let nobody open a game; games that have begun go on. Closes its reports.
    Ban {
        /// Id of the game.
        game: String,
    },
    /// Lift a ban, or list a hidden game again.
    Restore {
        /// Id of the game.
        game: String,
    },
    /// Close the reports of a game, and delete a comment.
    Close {
        /// Id of the game.
        game: String,
        /// Id of a comment to delete.
        #[arg(long, value_name = "ID")]
        delete_comment: Option<String>,
    },
}

/// Lists games or does something to one. The site may run meanwhile.
pub(crate) fn run(args: &GamesArgs) -> Result<(), CliError> {
    let lines = database::wait(execute(&args.database.existing()?, &args.command))?;
    lines.iter().try_for_each(output::line)
}

async fn execute(url: &str, command: &GamesCommand) -> Result<Vec<String>, ModerationError> {
    let mut moderator = Moderator::open(url).await?;
    let now = Timestamp::now().as_millisecond();
    let sanction = |game: &String, sanction| (game.clone(), sanction);
    let (game, sanction) = match command {
        GamesCommand::List { reported, limit, json } => {
            let games = moderator.variants(*reported, *limit).await?;
            return Ok(if *json { json_lines(&games) } else { rows(&games) });
        }
        GamesCommand::Reports { limit, json } => {
            let reports = moderator.variant_reports(*limit).await?;
            return Ok(if *json { json_lines(&reports) } else { report_rows(&reports) });
        }
        GamesCommand::Close { game, delete_comment } => {
            let entry = moderator.close_variant_reports(game, now).await?;
            let mut lines = vec![format!("The reports of {} are closed.", entry.id)];
            if let Some(comment) = delete_comment {
                let deleted = moderator.delete_comment(comment).await?;
                lines.push(
                    if deleted { "The comment is deleted." } else { "There is no such comment." }.into(),
                );
            }
            return Ok(lines);
        }
        GamesCommand::Hide { game } => sanction(game, ListingSanction::Hide),
        GamesCommand::Ban { game } => sanction(game, ListingSanction::Ban),
        GamesCommand::Restore { game } => sanction(game, ListingSanction::Restore),
    };
    let entry = moderator.sanction_variant(&game, sanction, now).await?;
    Ok(vec![format!("{} ({}) is {}.", entry.id, entry.name, entry.status)])
}

/// A line of JSON for each entry.
pub(super) fn json_lines<T: serde::Serialize>(entries: &[T]) -> Vec<String> {
    entries.iter().map(|entry| serde_json::json!(entry).to_string()).collect()
}

/// A row for each game.
fn rows(games: &[VariantEntry]) -> Vec<String> {
    if games.is_empty() {
        return vec!["There are no such games.".into()];
    }
    let titles =
        ["game", "name", "owner", "published (UTC)", "seen by", "status", "played", "likes", "reports"];
    let row = |game: &VariantEntry| {
        [
            game.id.clone(),
            game.name.clone(),
            format!("{} ({})", game.owner_name.as_deref().unwrap_or("nobody"), game.owner),
            output::time(game.published_at),
            game.visibility.clone(),
            game.status.clone(),
            game.plays.to_string(),
            game.likes.to_string(),
            game.reports.to_string(),
        ]
    };
    output::table(titles, games.iter().map(row))
}

/// A row for each report.
fn report_rows(reports: &[VariantReportEntry]) -> Vec<String> {
    if reports.is_empty() {
        return vec!["No report is open.".into()];
    }
    let titles = ["game", "reported (UTC)", "by", "comment", "reason", "text of the comment"];
    let row = |report: &VariantReportEntry| {
        [
            report.id.clone(),
            output::time(report.at),
            report.reporter.clone(),
            report.comment.clone(),
            report.reason.clone(),
            report.text.clone().unwrap_or_default(),
        ]
    };
    output::table(titles, reports.iter().map(row))
}
