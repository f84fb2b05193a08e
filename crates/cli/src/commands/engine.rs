//! `lozenge engine`: the protocol on standard input and output.

use crate::{CliError, games};
use lozenge_protocol::games::Games;
use std::io::{self, BufReader};

/// Talks until `quit`, the end of the input, or until nobody listens.
pub(crate) fn run() -> Result<(), CliError> {
    let known = Games::new(Box::new(games::load));
    lozenge_protocol::serve(BufReader::new(io::stdin()), io::stdout(), known);
    Ok(())
}
