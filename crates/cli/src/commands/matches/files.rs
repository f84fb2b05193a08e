//! The files of a match: openings, games as PGN, results as JSON.

use super::{MatchFailure, args::MatchArgs};
use lozenge_lab::matches::{self, GameRecord, OpeningSource, PgnHeader, Settings};
use lozenge_lab::openings;
use lozenge_rules::notation::pgn::{self, MoveNumber};
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
pub(super) fn read_openings(path: &Path, variants: &[Arc<Variant>]) -> Result<OpeningSource, MatchFailure> {
    let mut lists = Vec::new();
    for variant in variants {
        let path = place(path, variant, variants.len());
        let text = fs::read_to_string(&path).map_err(fault(&path))?;
        let list = openings::read(variant, &text).map_err(|error| MatchFailure::File {
            path: path.display().to_string(),
            what: error.to_string(),
        })?;
        lists.push(list);
    }
    Ok(OpeningSource::Lists(lists))
}

/// Makes the openings of the match and writes them.
pub(super) fn write_openings(path: &Path, settings: &mut Settings) -> Result<(), MatchFailure> {
    if settings.variants.len() > 1 {
        fs::create_dir_all(path).map_err(fault(path))?;
    }
    let mut lists = Vec::new();
    for (variant, openings) in settings.variants.iter().zip(&mut matches::openings(settings)) {
        let list: Vec<_> = (0..settings.pairs).map(|pair| openings.number(pair as usize)).collect();
        let path = place(path, variant, settings.variants.len());
        fs::write(&path, openings::write(&list)).map_err(fault(&path))?;
        lists.push(list);
    }
    // What was written is played, so that a match from the file is the same one.
    settings.openings = OpeningSource::Lists(lists);
    Ok(())
}

fn place(path: &Path, variant: &Variant, games: usize) -> PathBuf {
    if games == 1 && !path.is_dir() { path.to_owned() } else { path.join(format!("{}.epd", variant.id())) }
}

/// Where games are written as PGN.
pub(super) struct Pgn {
    file: File,
    header: PgnHeader,
}

impl Pgn {
    /// The file of `--pgn`. With a record it is written anew, with the games known; without one, games are
    /// added to those that are there.
    pub(super) fn open(
        args: &MatchArgs,
        settings: &Settings,
        known: &[GameRecord],
    ) -> Result<Option<Self>, MatchFailure> {
        let Some(path) = &args.pgn else { return Ok(None) };
        let anew = args.record.is_some();
        let file = File::options().write(true).create(true).truncate(anew).append(!anew).open(path);
        let [first, second] = &settings.engines;
        let event = format!("{} against {}", first.name, second.name);
        let mut pgn =
            Self { file: file.map_err(fault(path))?, header: PgnHeader { event, site: "?".into() } };
        for record in known {
            pgn.add(settings, record).map_err(fault(path))?;
        }
        Ok(Some(pgn))
    }

    /// Writes a game.
    pub(super) fn add(&mut self, settings: &Settings, record: &GameRecord) -> io::Result<()> {
        let tree = matches::tree(settings, &self.header, record);
        let tree = tree.ok_or_else(|| io::Error::other("a game that the rules do not know"))?;
        let mut text = String::new();
        pgn::write_game(&mut text, &tree, MoveNumber::of_tags(&tree.tags)).map_err(io::Error::other)?;
        self.file.write_all(text.as_bytes())
    }
}
