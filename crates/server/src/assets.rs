//! The files embedded in the program: the built files of `web/`, and which of them a page loads, books of engine games,
//! studies, puzzles and reports.
//! The names of the built files carry a digest, so browsers may keep them for ever.

use rust_embed::RustEmbed;
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// The output of Vite.
#[derive(RustEmbed)]
#[folder = "$LOZENGE_WEB"]
struct Web;

/// The books of engine games that come with the program.
#[derive(RustEmbed)]
#[folder = "books"]
struct Books;

/// The books of engine games that come with the program, for the opening explorer.
#[must_use]
pub fn books() -> Arc<[Cow<'static, [u8]>]> {
    Books::iter().filter_map(|name| Some(Books::get(&name)?.data)).collect()
}

/// The studies that come with the program.
#[derive(RustEmbed)]
#[folder = "studies"]
struct FirstStudies;

/// The studies that come with the program, by id: PGN with a game for each chapter.
#[must_use]
pub fn studies() -> Arc<[(String, Cow<'static, [u8]>)]> {
    let file = |name: Cow<'static, str>| {
        let id = name.strip_suffix(".pgn")?.to_owned();
        Some((id, FirstStudies::get(&name)?.data))
    };
    FirstStudies::iter().filter_map(file).collect()
}

/// The puzzles that come with the program.
#[derive(RustEmbed)]
#[folder = "puzzles"]
struct Puzzles;

/// The puzzles that come with the program, a file for each game.
#[must_use]
pub fn puzzles() -> Arc<[Cow<'static, [u8]>]> {
    Puzzles::iter().filter_map(|name| Some(Puzzles::get(&name)?.data)).collect()
}

/// The balance reports of built-in games, as `lozenge lab report` has written them, compressed.
#[derive(RustEmbed)]
#[folder = "$LOZENGE_REPORTS"]
struct Reports;

/// The balance reports that come with the program: the names of the files (`chess.json`) and their gzipped content.
#[must_use]
pub fn reports() -> Arc<[(String, Cow<'static, [u8]>)]> {
    let file = |name: Cow<'static, str>| {
        let file = name.strip_suffix(".gz")?.to_owned();
        Some((file, Reports::get(&name)?.data))
    };
    Reports::iter().filter_map(file).collect()
}

/// An entry of Vite's manifest.
#[derive(Clone, Debug, Deserialize)]
struct Built {
    file: String,
    #[serde(default)]
    css: Vec<String>,
    #[serde(default)]
    imports: Vec<String>,
}

/// The files that a page loads for an entry of `web/`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PageFiles {
    /// Modules, the entry's own first.
    pub(crate) scripts: Vec<String>,
    /// Modules that they import, to be fetched at once.
    pub(crate) preloads: Vec<String>,
    /// Style sheets.
    pub(crate) styles: Vec<String>,
    /// Fonts that every page uses, to be fetched at once.
    pub(crate) fonts: Vec<String>,
}

/// The fonts of text and headings. A page loads the monospaced one where it needs it.
const PRELOADED_FONTS: [&str; 2] = ["fonts/hanken-grotesk.woff2", "fonts/brygada-1918-semibold.woff2"];

/// A built file. A debug build reads it from the folder that `LOZENGE_WEB_DIR` names, if set.
pub(crate) fn built(name: &str) -> Option<rust_embed::EmbeddedFile> {
    #[cfg(debug_assertions)]
    if let Some(folder) = std::env::var_os("LOZENGE_WEB_DIR") {
        let safe = !name.split('/').any(|part| part == "..");
        return safe.then(|| read(&std::path::Path::new(&folder).join(name))).flatten();
    }
    Web::get(name)
}

#[cfg(debug_assertions)]
fn read(path: &std::path::Path) -> Option<rust_embed::EmbeddedFile> {
    rust_embed::utils::read_file_from_fs(path).ok()
}

/// The files for an entry such as `src/game/main.tsx`; none if the pages were not built in.
pub(crate) fn entry(name: &str) -> PageFiles {
    static MANIFEST: OnceLock<HashMap<String, Built>> = OnceLock::new();
    let mut entry = PageFiles::default();
    let fresh = cfg!(debug_assertions).then(manifest);
    let manifest = fresh.as_ref().unwrap_or_else(|| MANIFEST.get_or_init(manifest));
    collect(manifest, name, true, &mut entry);
    let fonts = PRELOADED_FONTS.iter().filter_map(|font| manifest.get(*font));
    entry.fonts = fonts.map(|font| format!("/{}", font.file)).collect();
    entry
}

fn manifest() -> HashMap<String, Built> {
    let file = built(".vite/manifest.json");
    file.and_then(|file| serde_json::from_slice(&file.data).ok()).unwrap_or_default()
}

fn collect(manifest: &HashMap<String, Built>, name: &str, own: bool, entry: &mut PageFiles) {
    let Some(built) = manifest.get(name) else { return };
    let path = format!("/{}", built.file);
    let list = if own { &mut entry.scripts } else { &mut entry.preloads };
    if list.contains(&path) {
        return;
    }
    list.push(path);
    for import in &built.imports {
        collect(manifest, import, false, entry);
    }
    for style in built.css.iter().map(|style| format!("/{style}")) {
        if !entry.styles.contains(&style) {
            entry.styles.push(style);
        }
    }
}
