//! What our dependencies may be: `deny.toml`, judged by our own short check everywhere and by cargo-deny
//! where it is installed.

use crate::failure::Outcome;
use crate::licenses;
use crate::room::{cargo, has_subcommand, run};

/// Judges what needs no network; the list of known faults only when asked, because it is fetched.
pub(crate) fn check(advisories: bool) -> Outcome {
    licenses::check()?;
    if has_subcommand("deny") {
        run(&mut cargo(&["deny", "check", "bans", "licenses", "sources"]))?;
    } else {
        println!(
            "SKIPPED: cargo-deny is not installed (cargo install --locked cargo-deny); the licenses and origins above were checked"
        );
    }
    if advisories {
        run(&mut cargo(&["deny", "check", "advisories"]))?;
    }
    Ok(())
}
