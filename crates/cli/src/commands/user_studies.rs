//! `lozenge studies`: moderation of the studies that users have made, also while the site runs.

use super::database::{self, Database};
use super::user_games::json_lines;
use crate::CliError;
use crate::numbers::whole;
use crate::output;
use clap::{Args, Subcommand};
use jiff::Timestamp;
use lozenge_store::{ListingSanction, ModerationError, Moderator, StudyEntry, StudyReportEntry};

/// `studies …`.
#[derive(Args, Debug)]
pub(crate) struct StudiesArgs {
    #[command(subcommand)]
    command: StudiesCommand,
    #[command(flatten)]
    database: Database,
}

/// The commands. STUDY is the id of a study, as in its address.
#[derive(Subcommand, Debug)]
enum StudiesCommand {
    /// List the studies that others may see, the last changed first.
    List {
        /// Only studies with open reports, also private ones.
        #[arg(long)]
        reported: bool,
        /// Most studies.
        #[arg(long, default_value_t = 50, value_parser = whole::<u32>(1..=u32::MAX))]
        limit: u32,
        /// One JSON object a line instead of a table.
        #[arg(long)]
        json: bool,
    },
    /// Show the open reports of studies.
    Reports {
        /// Most reports, the newest first.
        #[arg(long, default_value_t = 50, value_parser = whole::<u32>(1..=u32::MAX))]
        limit: u32,
        /// One JSON object a line instead of a table.
        #[arg(long)]
        json: bool,
    },
    /// List a study nowhere; everybody who has its address can still open it. Closes its reports.
    Hide {
        /// Id of the study.
        study: String,
    },
    /// Let nobody open a study. Closes its reports.
    Ban {
        /// Id of the study.
        study: String,
    },
    /// Lift a ban, or list a hidden study again.
    Restore {
        /// Id of the study.
        study: String,
    },
    /// Close the reports of a study.
    Close {
        /// Id of the study.
        study: String,
    },
}

/// Lists studies or does something to one. The site may run meanwhile.
pub(crate) fn run(args: &StudiesArgs) -> Result<(), CliError> {
    let lines = database::wait(execute(&args.database.existing()?, &args.command))?;
    lines.iter().try_for_each(output::line)
}

async fn execute(url: &str, command: &StudiesCommand) -> Result<Vec<String>, ModerationError> {
    let mut moderator = Moderator::open(url).await?;
    let now = Timestamp::now().as_millisecond();
    let (study, sanction) = match command {
        StudiesCommand::List { reported, limit, json } => {
            let studies = moderator.studies(*reported, *limit).await?;
            return Ok(if *json { json_lines(&studies) } else { rows(&studies) });
        }
        StudiesCommand::Reports { limit, json } => {
            let reports = moderator.study_reports(*limit).await?;
            return Ok(if *json { json_lines(&reports) } else { report_rows(&reports) });
        }
        StudiesCommand::Close { study } => {
            let entry = moderator.close_study_reports(study, now).await?;
            return Ok(vec![format!("The reports of {} are closed.", entry.id)]);
        }
        StudiesCommand::Hide { study } => (study, ListingSanction::Hide),
        StudiesCommand::Ban { study } => (study, ListingSanction::Ban),
        StudiesCommand::Restore { study } => (study, ListingSanction::Restore),
    };
    let entry = moderator.sanction_study(study, sanction, now).await?;
    Ok(vec![format!("{} ({}) is {}.", entry.id, entry.name, entry.status)])
}

/// A row for each study.
fn rows(studies: &[StudyEntry]) -> Vec<String> {
    if studies.is_empty() {
        return vec!["There are no such studies.".into()];
    }
    let titles =
        ["study", "name", "owner", "changed (UTC)", "seen by", "status", "chapters", "likes", "reports"];
    let row = |study: &StudyEntry| {
        [
            study.id.clone(),
            study.name.clone(),
            format!("{} ({})", study.owner_name.as_deref().unwrap_or("the site"), study.owner),
            output::time(study.updated_at),
            study.visibility.clone(),
            study.status.clone(),
            study.chapters.to_string(),
            study.likes.to_string(),
            study.reports.to_string(),
        ]
    };
    output::table(titles, studies.iter().map(row))
}

/// A row for each report.
fn report_rows(reports: &[StudyReportEntry]) -> Vec<String> {
    if reports.is_empty() {
        return vec!["No report is open.".into()];
    }
    let titles = ["study", "name", "reported (UTC)", "by", "reason"];
    let row = |report: &StudyReportEntry| {
        [
            report.id.clone(),
            report.name.clone(),
            output::time(report.at),
            report.reporter.clone(),
            report.reason.clone(),
        ]
    };
    output::table(titles, reports.iter().map(row))
}
