//! `lozenge completions` and `lozenge man`: help generated from the definition of the command line.

use crate::{CliError, output};
use clap::Command;
use clap_complete::Shell;
use std::path::Path;

/// Prints a completion script for a shell.
pub(crate) fn completions(mut root: Command, shell: Shell) -> Result<(), CliError> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut root, "lozenge", &mut script);
    output::file(Path::new("-"), &script)
}

/// Prints the manual page of a command, or writes the pages of all commands to a folder.
pub(crate) fn man(mut root: Command, words: &[String], folder: Option<&Path>) -> Result<(), CliError> {
    root.build();
    if let Some(folder) = folder {
        let fault = |error| CliError::Write { what: folder.display().to_string(), error };
        std::fs::create_dir_all(folder).map_err(fault)?;
        return clap_mangen::generate_to(root, folder).map_err(fault);
    }
    let mut command = &root;
    for word in words {
        let found = command.find_subcommand(word);
        command = found.ok_or_else(|| CliError::UnknownCommand(words.join(" ")))?;
    }
    output::file(Path::new("-"), &page(command)?)
}

fn page(command: &Command) -> Result<Vec<u8>, CliError> {
    let mut page = Vec::new();
    let rendered = clap_mangen::Man::new(command.clone()).render(&mut page);
    rendered.map_err(|error| CliError::Write { what: "the manual page".into(), error })?;
    Ok(page)
}
