//! `lozenge jobs`: the site's jobs for the engine, for the host.

use super::database::{self, Database};
use crate::CliError;
use crate::output;
use clap::Args;
use lozenge_queue::{Class, DeadJob, JobState};
use lozenge_store::Store;
use serde_json::json;

/// `jobs`.
#[derive(Args, Debug)]
pub(crate) struct JobsArgs {
    /// JSON instead of tables
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

/// Lists how many jobs are in each state, and those that were set aside. The site may run meanwhile.
pub(crate) fn run(args: &JobsArgs) -> Result<(), CliError> {
    let (counts, dead) = database::wait(Store::list_jobs(&args.database.existing()?))?;
    if args.json {
        let counts: Vec<_> = counts
            .iter()
            .map(|(state, class, jobs)| json!({"state": state.word(), "class": class.word(), "jobs": jobs}))
            .collect();
        return output::line(json!({"counts": counts, "dead": dead}));
    }
    if counts.is_empty() {
        return output::line("There are no jobs.");
    }
    let row = |(state, class, jobs): (JobState, Class, i64)| {
        [state.word().to_owned(), class.word().to_owned(), jobs.to_string()]
    };
    output::table(["state", "class", "jobs"], counts.into_iter().map(row))
        .iter()
        .try_for_each(output::line)?;
    if dead.is_empty() {
        return output::line("No job was set aside.");
    }
    output::line("Set aside after too many tries, the latest first:")?;
    let row = |DeadJob { id, kind, worker, reason, at }| [output::time(at), id, kind, worker, reason];
    output::table(["at (UTC)", "id", "kind", "last worker", "reason"], dead.into_iter().map(row))
        .iter()
        .try_for_each(output::line)
}
