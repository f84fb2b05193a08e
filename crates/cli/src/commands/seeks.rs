//! `lozenge seeks`: the open correspondence seeks, for the host.

use super::database::{self, Database};
use crate::CliError;
use crate::output;
use clap::{Args, Subcommand};
use lozenge_store::{SeekEntry, SeekFilter, Store};

/// `seeks …`.
#[derive(Subcommand, Debug)]
pub(crate) enum SeeksCommand {
    /// List the open seeks by correspondence, newest first. Live ones end with their makers' connections.
    List(ListArgs),
    /// Delete open seeks by correspondence. A server that runs meanwhile takes them down within seconds.
    Clear(ClearArgs),
}

/// `seeks list`.
#[derive(Args, Debug)]
pub(crate) struct ListArgs {
    /// One JSON object a line instead of a table.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

/// `seeks clear`.
#[derive(Args, Debug)]
pub(crate) struct ClearArgs {
    #[command(flatten)]
    selection: SeekSelection,
    #[command(flatten)]
    database: Database,
}

/// Which seeks to delete.
#[derive(Args, Debug)]
#[group(required = true, multiple = false)]
struct SeekSelection {
    /// All seeks.
    #[arg(long)]
    all: bool,
    /// The seeks of guests.
    #[arg(long)]
    guests: bool,
    /// The seeks of a player, by name or id.
    #[arg(long, value_name = "PLAYER")]
    player: Option<String>,
    /// One seek.
    #[arg(long, value_name = "ID")]
    id: Option<String>,
}

impl SeekSelection {
    fn filter(&self) -> SeekFilter {
        if self.all {
            SeekFilter::All
        } else if self.guests {
            SeekFilter::Guests
        } else if let Some(id) = &self.id {
            SeekFilter::Id(id.clone())
        } else {
            // clap requires one of the four; no player has an empty name.
            SeekFilter::Player(self.player.clone().unwrap_or_default())
        }
    }
}

/// Lists or deletes seeks. The site may run meanwhile.
pub(crate) fn run(command: &SeeksCommand) -> Result<(), CliError> {
    match command {
        SeeksCommand::List(args) => {
            let seeks = database::wait(Store::list_seeks(&args.database.existing()?))?;
            if args.json {
                return seeks.iter().try_for_each(|seek| output::line(serde_json::json!(seek)));
            }
            if seeks.is_empty() {
                return output::line("There are no open seeks by correspondence.");
            }
            let titles = ["id", "made (UTC)", "days", "rated", "game", "player"];
            output::table(titles, seeks.iter().map(row)).iter().try_for_each(output::line)
        }
        SeeksCommand::Clear(ClearArgs { selection, database }) => {
            let filter = selection.filter();
            let cleared = database::wait(Store::clear_seeks(&database.existing()?, &filter))?;
            output::line(format!("Deleted {cleared} {}.", if cleared == 1 { "seek" } else { "seeks" }))
        }
    }
}

fn row(seek: &SeekEntry) -> [String; 6] {
    [
        seek.id.clone(),
        output::time(seek.created_at),
        seek.days.to_string(),
        if seek.rated { "yes" } else { "no" }.into(),
        seek.variant.clone(),
        format!("{} ({})", seek.name.as_deref().unwrap_or("Guest"), seek.owner),
    ]
}
