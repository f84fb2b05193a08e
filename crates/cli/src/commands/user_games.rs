//! `lozenge games`: moderation of the games that users have made, also while the site runs.

use super::content::{self, ContentCommand, ListArgs};
use super::database::Database;
use crate::CliError;
use clap::{Args, Subcommand};
use lozenge_store::{ContentKind, ListingSanction};

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
        #[command(flatten)]
        list: ListArgs,
    },
    /// Show the open reports of games and of comments on them, the newest first.
    Reports(ListArgs),
    /// Remove a game from all lists; anyone who has its address can still open it. Closes its reports.
    Hide {
        /// Id of the game.
        game: String,
    },
    /// Deny everyone access to a game; games that have begun go on. Closes its reports.
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
    let sanction = |id, sanction| ContentCommand::Sanction { id, sanction };
    let command = match &args.command {
        &GamesCommand::List { reported, list } => ContentCommand::List { reported, list },
        &GamesCommand::Reports(list) => ContentCommand::Reports(list),
        GamesCommand::Close { game, delete_comment } => {
            ContentCommand::Close { id: game, delete_comment: delete_comment.as_deref() }
        }
        GamesCommand::Hide { game } => sanction(game, ListingSanction::Hide),
        GamesCommand::Ban { game } => sanction(game, ListingSanction::Ban),
        GamesCommand::Restore { game } => sanction(game, ListingSanction::Restore),
    };
    content::run(&args.database, ContentKind::Variant, &command)
}
