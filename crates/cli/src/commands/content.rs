//! Moderation of what users have made, also while the site runs: `lozenge games` and `lozenge studies`. Not here: their other
//! arguments.

use super::database::{self, Database};
use crate::CliError;
use crate::numbers::whole;
use crate::output;
use clap::Args;
use jiff::Timestamp;
use lozenge_store::{
    ContentDetails, ContentEntry, ContentKind, ContentReport, ListingSanction, ModerationError, Moderator,
    ReportSubject,
};

/// How to list content or reports.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct ListArgs {
    /// Most rows.
    #[arg(long, default_value_t = 50, value_parser = whole::<u32>(1..=u32::MAX))]
    limit: u32,
    /// One JSON object a line instead of a table.
    #[arg(long)]
    json: bool,
}

/// A command of the host.
#[derive(Debug)]
pub(super) enum ContentCommand<'a> {
    /// List what there is, or only what has open reports.
    List { reported: bool, list: ListArgs },
    /// List the open reports.
    Reports(ListArgs),
    /// Hide, ban or restore it.
    Sanction { id: &'a str, sanction: ListingSanction },
    /// Close its reports, and delete a comment.
    Close { id: &'a str, delete_comment: Option<&'a str> },
}

/// Lists content of one kind or does something to one. The site may run meanwhile.
pub(super) fn run(
    database: &Database,
    kind: ContentKind,
    command: &ContentCommand<'_>,
) -> Result<(), CliError> {
    let lines = database::wait(execute(&database.existing()?, kind, command))?;
    lines.iter().try_for_each(output::line)
}

async fn execute(
    url: &str,
    kind: ContentKind,
    command: &ContentCommand<'_>,
) -> Result<Vec<String>, ModerationError> {
    let mut moderator = Moderator::open(url).await?;
    let now = Timestamp::now().as_millisecond();
    match *command {
        ContentCommand::List { reported, list: ListArgs { limit, json } } => {
            let entries = moderator.content(kind, reported, limit).await?;
            Ok(if json { json_lines(&entries) } else { rows(kind, &entries) })
        }
        ContentCommand::Reports(ListArgs { limit, json }) => {
            let reports = moderator.content_reports(kind, limit).await?;
            Ok(if json { json_lines(&reports) } else { report_rows(kind, &reports) })
        }
        ContentCommand::Sanction { id, sanction } => {
            let entry = moderator.sanction_content(kind, id, sanction, now).await?;
            Ok(vec![format!("{} ({}) is {}.", entry.id, entry.name, entry.status)])
        }
        ContentCommand::Close { id, delete_comment } => {
            let entry = moderator.close_content_reports(kind, id, now).await?;
            let mut lines = vec![format!("The reports of {} are closed.", entry.id)];
            if let Some(comment) = delete_comment {
                let deleted = moderator.delete_comment(comment).await?;
                lines.push(
                    if deleted { "The comment is deleted." } else { "There is no such comment." }.into(),
                );
            }
            Ok(lines)
        }
    }
}

/// A line of JSON for each entry.
fn json_lines<T: serde::Serialize>(entries: &[T]) -> Vec<String> {
    entries.iter().map(|entry| serde_json::json!(entry).to_string()).collect()
}

/// A row for each entry.
fn rows(kind: ContentKind, entries: &[ContentEntry]) -> Vec<String> {
    let (one, all, changed, size, no_owner) = match kind {
        ContentKind::Study => ("study", "studies", "changed (UTC)", "chapters", "the site"),
        ContentKind::Variant => ("game", "games", "published (UTC)", "played", "deleted user"),
    };
    if entries.is_empty() {
        return vec![format!("There are no such {all}.")];
    }
    let titles = [one, "name", "owner", changed, "seen by", "status", size, "likes", "reports"];
    let row = |entry: &ContentEntry| {
        let (at, size) = match entry.details {
            ContentDetails::Study { chapters, updated_at } => (updated_at, chapters),
            ContentDetails::Variant { plays, published_at, .. } => (published_at, plays),
        };
        [
            entry.id.clone(),
            entry.name.clone(),
            format!("{} ({})", entry.owner_name.as_deref().unwrap_or(no_owner), entry.owner),
            output::time(at),
            entry.visibility.clone(),
            entry.status.clone(),
            size.to_string(),
            entry.likes.to_string(),
            entry.reports.to_string(),
        ]
    };
    output::table(titles, entries.iter().map(row))
}

/// A row for each report.
fn report_rows(kind: ContentKind, reports: &[ContentReport]) -> Vec<String> {
    if reports.is_empty() {
        return vec!["No report is open.".into()];
    }
    match kind {
        ContentKind::Study => {
            let titles = ["study", "name", "reported (UTC)", "by", "reason"];
            output::table(titles, reports.iter().map(study_report))
        }
        ContentKind::Variant => {
            let titles = ["game", "reported (UTC)", "by", "comment", "reason", "text of the comment"];
            output::table(titles, reports.iter().map(game_report))
        }
    }
}

fn study_report(report: &ContentReport) -> [String; 5] {
    let name = match &report.subject {
        ReportSubject::Study { name } => name.clone(),
        ReportSubject::Variant { .. } => String::new(),
    };
    [report.id.clone(), name, output::time(report.at), report.reporter.clone(), report.reason.clone()]
}

fn game_report(report: &ContentReport) -> [String; 6] {
    let (comment, text) = match &report.subject {
        ReportSubject::Study { .. } => Default::default(),
        ReportSubject::Variant { comment, text, .. } => (comment.clone(), text.clone().unwrap_or_default()),
    };
    [
        report.id.clone(),
        output::time(report.at),
        report.reporter.clone(),
        comment,
        report.reason.clone(),
        text,
    ]
}
