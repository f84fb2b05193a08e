//! The command line: its arguments and help.

use crate::commands::analyse::AnalyseArgs;
use crate::commands::database::{BackupArgs, RestoreArgs};
use crate::commands::learn::LearnArgs;
use crate::commands::matches::MatchArgs;
use crate::commands::pgn::PgnArgs;
use crate::commands::position::{MovesArgs, PerftArgs};
use crate::commands::render::RenderArgs;
use crate::commands::reports::ReportsArgs;
use crate::commands::serve::ServeArgs;
use crate::commands::user_games::GamesArgs;
use crate::commands::user_studies::StudiesArgs;
use crate::commands::users::UsersArgs;
#[cfg(feature = "nats")]
use crate::commands::worker::WorkerArgs;
use crate::games;
use crate::numbers::whole;
use crate::play::PlayArgs;
use clap::{Parser, Subcommand};
use clap_complete::Shell;
use lozenge_rules::library;
use std::path::PathBuf;

/// Chess on diamond boards: exact rules, engine and laboratory.
#[derive(Parser, Debug)]
#[command(
    name = "lozenge",
    version,
    after_help = "VARIANT is an id (`lozenge variants list`) or the path of a variant file. `-` stands for standard \
input or output where a file is read or written. Without a command: `lozenge serve`."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// The default command.
#[derive(Parser, Debug)]
pub(crate) struct Serve {
    #[command(flatten)]
    pub(crate) args: ServeArgs,
}

/// A command.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Start the site, to play in the browser (the default command).
    Serve(Box<ServeArgs>),
    /// Copy the site's SQLite database to another file, even while the site runs.
    Backup(BackupArgs),
    /// Check a backup and replace the site's SQLite database by it, while the site does not run.
    Restore(RestoreArgs),
    /// List and close reports of chat.
    Reports(ReportsArgs),
    /// Close, ban, mute and rename users, even while the site runs.
    Users(UsersArgs),
    /// List, hide and ban the games that users have made, also while the site runs.
    Games(GamesArgs),
    /// List, hide and ban the studies that users have made, also while the site runs.
    Studies(StudiesArgs),
    /// List or delete the open seeks by correspondence.
    #[command(subcommand)]
    Seeks(crate::commands::seeks::SeeksCommand),
    /// List the site's jobs for the engine: how many wait, and which were set aside after too many tries.
    Jobs(crate::commands::jobs::JobsArgs),
    /// Count the leaf nodes of the move tree (perft).
    Perft(PerftArgs),
    /// List the legal moves and the status of the position.
    Moves(MovesArgs),
    /// Learn a game by short lessons in the terminal.
    Learn(LearnArgs),
    /// List, explain, check and create games.
    #[command(subcommand)]
    Variants(VariantsCommand),
    /// Speak UCI or XBoard on standard input and output, for GUIs.
    Engine,
    /// Search fixed positions and print a signature and the speed.
    Bench {
        /// Deepest iteration, in plies.
        #[arg(long, value_parser = whole::<u32>(1..=100))]
        depth: Option<u32>,
    },
    /// Play a game against the engine in the terminal.
    Play(PlayArgs),
    /// Play engines against each other and estimate the difference in strength.
    Match(Box<MatchArgs>),
    /// Draw a position as a picture.
    Render(RenderArgs),
    /// Check, count and convert games in PGN, and extract their positions.
    Pgn(PgnArgs),
    /// Review games: evaluation graph, best moves, mistakes.
    Analyse(AnalyseArgs),
    /// Generate data by self-play and tune the evaluation.
    #[command(subcommand)]
    Lab(crate::commands::lab::LabCommand),
    /// Make, probe and verify endgame tables.
    #[command(subcommand)]
    Tables(crate::commands::tables::TablesCommand),
    /// Do jobs of sites, matches and the laboratory on this machine: moves, reviews, reports, data and games of matches.
    #[cfg(feature = "nats")]
    Worker(WorkerArgs),
    /// Print a script that completes commands and options in a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Print a manual page, or write all of them to a folder.
    Man {
        /// The command to explain; `lozenge` itself when left out.
        #[arg(value_name = "COMMAND")]
        command: Vec<String>,
        /// Folder for the pages of all commands.
        #[arg(short, long, value_name = "FOLDER", conflicts_with = "command")]
        output: Option<PathBuf>,
    },
}

/// `variants …`.
#[derive(Subcommand, Debug)]
pub(crate) enum VariantsCommand {
    /// List the built-in games.
    List {
        /// JSON instead of text.
        #[arg(long)]
        json: bool,
    },
    /// Explain a game.
    Show {
        /// Id of a game, or path of a variant file (`-`: standard input).
        variant: String,
        /// JSON instead of text.
        #[arg(long)]
        json: bool,
    },
    /// Check variant files: every error with line and column.
    Check {
        /// The files; `-` is standard input.
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// JSON instead of text.
        #[arg(long)]
        json: bool,
    },
    /// Make a variant file of a game in Fairy-Stockfish's `variants.ini`, as far as possible.
    Import {
        /// The file; `-` is standard input.
        file: PathBuf,
        /// The section, where there are several.
        #[arg(long)]
        name: Option<String>,
    },
    /// Print a game as a section of Fairy-Stockfish's `variants.ini`, as far as possible.
    Export {
        /// Id of a game, or path of a variant file (`-`: standard input).
        variant: String,
    },
    /// Print a commented variant file to begin with.
    New {
        /// Id of the new game.
        #[arg(default_value = "mygame", value_parser = id)]
        id: String,
    },
}

/// An id for a new game: well-formed and not yet taken.
fn id(text: &str) -> Result<String, String> {
    let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if library::game(text).is_some() {
        return Err(games::taken(text));
    }
    if (1..=40).contains(&text.len()) && text.chars().all(letters) {
        return Ok(text.into());
    }
    Err("expected 1 to 40 small letters, digits and `-`".into())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop where it is")]

    use super::*;
    use std::fs;
    use std::path::Path;

    /// The commands of `lozenge` in the blocks of Markdown marked `sh`, without what the shell does with their output.
    fn commands(text: &str) -> Vec<Vec<String>> {
        let mut found = Vec::new();
        let mut is_shell = false;
        let joined = text.replace("\\\n", " ");
        for line in joined.lines() {
            if line.starts_with("```") {
                is_shell = line == "```sh";
            } else if is_shell && line.starts_with("lozenge ") && !line.contains("$(") {
                let words = shlex::split(line).unwrap();
                found.push(
                    words.into_iter().take_while(|word| !["|", ">", "&&"].contains(&&**word)).collect(),
                );
            }
        }
        found
    }

    fn markdown(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                markdown(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }

    /// Every command of the documents has options that exist, with values of their form.
    #[test]
    fn documented_commands_are_understood() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut files = vec![root.join("README.md"), root.join("CONTRIBUTING.md")];
        markdown(&root.join("docs"), &mut files);
        let mut count = 0;
        for file in files {
            for words in commands(&fs::read_to_string(&file).unwrap()) {
                // What stands for a number or for more of the same.
                let words = words.iter().filter(|word| *word != "…");
                let words = words.map(|word| if word == "N" { "2" } else { word });
                let parsed = Arguments::try_parse_from(words.clone());
                let text = words.collect::<Vec<_>>().join(" ");
                assert!(parsed.is_ok(), "{}: {text}: {}", file.display(), parsed.unwrap_err());
                count += 1;
            }
        }
        assert!(count > 50, "{count} commands");
    }
}
