//! `lozenge studies`: moderation of the studies that users have made, also while the site runs.

use super::content::{self, ContentCommand, ListArgs};
use super::database::Database;
use crate::CliError;
use clap::{Args, Subcommand};
use lozenge_store::{ContentKind, ListingSanction};

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
        #[command(flatten)]
        list: ListArgs,
    },
    /// Show the open reports of studies, the newest first.
    Reports(ListArgs),
    /// Remove a study from all lists; anyone who has its address can still open it. Closes its reports.
    Hide {
        /// Id of the study.
        study: String,
    },
    /// Deny everyone access to a study. Closes its reports.
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
    let sanction = |id, sanction| ContentCommand::Sanction { id, sanction };
    let command = match &args.command {
        &StudiesCommand::List { reported, list } => ContentCommand::List { reported, list },
        &StudiesCommand::Reports(list) => ContentCommand::Reports(list),
        StudiesCommand::Close { study } => ContentCommand::Close { id: study, delete_comment: None },
        StudiesCommand::Hide { study } => sanction(study, ListingSanction::Hide),
        StudiesCommand::Ban { study } => sanction(study, ListingSanction::Ban),
        StudiesCommand::Restore { study } => sanction(study, ListingSanction::Restore),
    };
    content::run(&args.database, ContentKind::Study, &command)
}
