//! `lozenge variants …`.

use crate::{CliError, games, output};
use lozenge_protocol::games::LoadError;
use lozenge_rules::variant::{Variant, describe, library};
use std::path::Path;

/// What `new` prints, with places for the id and the name.
const TEMPLATE: &str = include_str!("template.toml");

/// Prints the built-in games, one a line: id, name, size.
pub(crate) fn list() -> Result<(), CliError> {
    let known: Vec<_> = library::ids().filter_map(library::game).collect();
    let width = known.iter().map(|game| game.id().len()).max().unwrap_or(0);
    let lines: Vec<String> =
        known.iter().map(|game| format!("{:width$}  {}", game.id(), size(game))).collect();
    output::line(lines.join("\n"))
}

/// Explains a game.
pub(crate) fn show(variant: &str) -> Result<(), CliError> {
    output::line(describe::describe(&*games::resolve(variant)?).trim_end())
}

/// Says `FILE: ok, …`, or fails with every fault.
pub(crate) fn check(file: &Path) -> Result<(), CliError> {
    let file = file.to_string_lossy();
    let game = games::load(&file).map_err(|error| match error {
        LoadError::Variant(faults) => CliError::Faults(faults),
        error => error.into(),
    })?;
    output::line(format_args!("{file}: ok, {}", size(&game)))
}

/// Prints a commented variant file to begin with.
pub(crate) fn new(id: &str) -> Result<(), CliError> {
    output::line(template(id).trim_end())
}

/// `Diamond Chess (9x9, 40 squares, 6 men)`.
fn size(game: &Variant) -> String {
    format!(
        "{} ({}x{}, {} squares, {} men)",
        game.name(),
        game.shape().width(),
        game.shape().height(),
        game.shape().len(),
        game.men().len()
    )
}

fn template(id: &str) -> String {
    let mut name = id.replace('-', " ");
    if let Some(first) = name.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    TEMPLATE.replace("{id}", id).replace("{name}", &name)
}
