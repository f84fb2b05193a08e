//! `lozenge play`: a game against the engine in the terminal.

use crate::CliError;
use clap::Args;

/// `play`.
#[derive(Args, Debug)]
pub struct PlayArgs {
    /// Id of a game, or path of a variant file.
    #[arg(default_value = "diamondring")]
    pub variant: String,
}

/// Plays a game.
///
/// # Errors
/// When the variant is unknown.
pub fn run(args: PlayArgs) -> Result<(), CliError> {
    crate::games::resolve(&args.variant)?;
    Err(CliError::NotYet("play"))
}
