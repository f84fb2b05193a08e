//! The files of a match: openings, games as PGN, results as JSON.

use super::{MatchFailure, args::MatchArgs};
use crate::{CliError, output};
use lozenge_lab::matches::{self, GameRecord, MatchSettings, OpeningSource, PgnHeader};
use lozenge_lab::multi::{self, MultiRecord, MultiSettings};
use lozenge_lab::openings;
use lozenge_rules::notation::pgn::{self, MoveNumber, PgnGame};
use lozenge_rules::variant::Variant;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An error with the name of its file.
pub(super) fn fault(path: &Path) -> impl Fn(io::Error) -> MatchFailure + '_ {
    |error| MatchFailure::File { path: path.display().to_string(), what: error.to_string() }
}

/// The openings of each game, from a file, or from a folder with a file for each game.
pub(super) fn read_openings(
    path: &Path,
    variants: &[Arc<Variant>],
    plies: Option<u32>,
) -> Result<OpeningSource, MatchFailure> {
    // One file may have the games of all variants, as PGN.
    let shared = output::is_standard(path) || path.is_file();
    let text = if shared { read(path)? } else { String::new() };
    let mut lists = Vec::new();
    for variant in variants {
        let (path, text) = if shared {
            (path.to_owned(), text.clone())
        } else {
            let path = place(path, variant, variants.len());
            let text = read(&path)?;
            (path, text)
        };
        let list = openings::read(variant, &text, plies).map_err(|error| MatchFailure::File {
            path: path.display().to_string(),
            what: error.to_string(),
        })?;
        lists.push(list);
    }
    Ok(OpeningSource::Lists(lists))
}

fn read(path: &Path) -> Result<String, MatchFailure> {
    let text =
        if output::is_standard(path) { io::read_to_string(io::stdin()) } else { fs::read_to_string(path) };
    text.map_err(fault(path))
}

/// Makes the openings of the match and writes them.
pub(super) fn write_openings(path: &Path, settings: &mut MatchSettings) -> Result<(), CliError> {
    if settings.variants.len() > 1 && !output::is_standard(path) {
        fs::create_dir_all(path).map_err(fault(path))?;
    }
    let mut lists = Vec::new();
    for (variant, openings) in settings.variants.iter().zip(&mut matches::openings(settings)) {
        let list: Vec<_> = (0..settings.opening_count()).map(|number| openings.number(number)).collect();
        let path = place(path, variant, settings.variants.len());
        output::file(&path, openings::write(&list).as_bytes())?;
        lists.push(list);
    }
    // Play the openings as written, so that a match from the file is the same match.
    settings.openings = OpeningSource::Lists(lists);
    Ok(())
}

fn place(path: &Path, variant: &Variant, games: usize) -> PathBuf {
    if output::is_standard(path) || games == 1 && !path.is_dir() {
        path.to_owned()
    } else {
        path.join(format!("{}.epd", variant.id()))
    }
}

/// The PGN output.
pub(super) struct Pgn {
    file: Box<dyn Write + Send>,
    path: PathBuf,
    header: PgnHeader,
}

impl Pgn {
    /// The file of `--pgn`. With a record it is rewritten, with the games known; without one, games are
    /// added to those that are there.
    pub(super) fn open(
        args: &MatchArgs,
        settings: &MatchSettings,
        known: &[GameRecord],
    ) -> Result<Option<Self>, MatchFailure> {
        let [first, second] = &settings.engines;
        let event = format!("{} against {}", first.name, second.name);
        let Some(mut pgn) = Self::create(args, event)? else { return Ok(None) };
        for record in known {
            pgn.add(settings, record).map_err(fault(&pgn.path))?;
        }
        Ok(Some(pgn))
    }

    /// The file of `--pgn` of a match in a game of four.
    pub(super) fn open_multi(
        args: &MatchArgs,
        settings: &MultiSettings,
    ) -> Result<Option<Self>, MatchFailure> {
        let names: Vec<&str> = settings.engines.iter().map(|engine| &*engine.name).collect();
        Self::create(args, names.join(" against "))
    }

    fn create(args: &MatchArgs, event: String) -> Result<Option<Self>, MatchFailure> {
        let Some(path) = &args.pgn else { return Ok(None) };
        let anew = args.record.is_some();
        let file: Box<dyn Write + Send> = if output::is_standard(path) {
            Box::new(io::stdout())
        } else {
            let options = File::options().write(true).create(true).truncate(anew).append(!anew).open(path);
            Box::new(options.map_err(fault(path))?)
        };
        Ok(Some(Self { file, path: path.clone(), header: PgnHeader { event, site: "?".into() } }))
    }

    /// Writes a game.
    pub(super) fn add(&mut self, settings: &MatchSettings, record: &GameRecord) -> io::Result<()> {
        let tree = matches::tree(settings, &self.header, record);
        self.write(&tree.ok_or_else(|| io::Error::other("a game that the rules do not know"))?)
    }

    /// Writes a game of four.
    pub(super) fn add_multi(&mut self, settings: &MultiSettings, record: &MultiRecord) -> io::Result<()> {
        let tree = multi::tree(settings, &self.header, record);
        self.write(&tree)
    }

    fn write(&mut self, tree: &PgnGame) -> io::Result<()> {
        let mut text = String::new();
        pgn::write_game(&mut text, tree, MoveNumber::of_tags(&tree.tags)).map_err(io::Error::other)?;
        self.file.write_all(text.as_bytes())
    }
}
