//! Scripts, styles and pictures that are embedded in the program. Their names carry a digest, so a browser may keep
//! them for ever.

use crate::app::AppState;
use crate::error::AppError;
use axum::Router;
use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use lozenge_picture::PieceSet;
use lozenge_rules::variant::library;
use rust_embed::RustEmbed;
use serde::Deserialize;
use std::collections::HashMap;
use std::sync::OnceLock;

/// What Vite has built.
#[derive(RustEmbed)]
#[folder = "$LOZENGE_WEB"]
struct Web;

/// An entry of Vite's manifest.
#[derive(Clone, Debug, Deserialize)]
struct Built {
    file: String,
    #[serde(default)]
    css: Vec<String>,
    #[serde(default)]
    imports: Vec<String>,
}

/// What a page has to load for an entry of `web/`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Entry {
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

pub(super) fn router() -> Router<AppState> {
    Router::new()
        .route("/assets/{*path}", get(asset))
        .route("/men.svg", get(men))
        .route("/medallions.svg", get(medallions))
        .route("/favicon.svg", get(favicon))
        .route("/service-worker.js", get(service_worker))
        .route("/robots.txt", get(|| async { "User-agent: *\nDisallow: /api/\n" }))
}

/// A built file. While the pages are being worked on, a debug build takes them from the folder that
/// `LOZENGE_WEB_DIR` names, as they are at the moment.
fn built(name: &str) -> Option<rust_embed::EmbeddedFile> {
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

async fn asset(Path(path): Path<String>) -> Result<Response, AppError> {
    let name = format!("assets/{path}");
    let file = built(&name).ok_or(AppError::NotFound("file"))?;
    let kind = file.metadata.mimetype().to_owned();
    let headers =
        [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "public, max-age=31536000, immutable".into())];
    Ok((headers, file.data.into_owned()).into_response())
}

/// All drawn pieces in both colors, as symbols.
async fn men() -> impl IntoResponse {
    static SPRITE: OnceLock<String> = OnceLock::new();
    sprite(&SPRITE, PieceSet::Classic)
}

/// The same pieces as medallions.
async fn medallions() -> impl IntoResponse {
    static SPRITE: OnceLock<String> = OnceLock::new();
    sprite(&SPRITE, PieceSet::Medallion)
}

fn sprite(drawn: &'static OnceLock<String>, set: PieceSet) -> impl IntoResponse {
    let sprite = drawn.get_or_init(|| {
        // Every drawing, and the compounds of the games that are built in.
        let games: Vec<_> = library::ids().filter_map(library::game).collect();
        let used = games.iter().flat_map(|game| game.roles().iter().map(|(_, info)| info.picture.as_str()));
        lozenge_picture::sprite_of(set, lozenge_picture::glyph_names().iter().copied().chain(used))
    });
    let headers = [(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, "public, max-age=86400")];
    (headers, sprite.as_str())
}

async fn favicon() -> impl IntoResponse {
    let picture = include_str!("../../assets/favicon.svg");
    ([(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, "public, max-age=86400")], picture)
}

/// Shows push messages while no page is open.
async fn service_worker() -> impl IntoResponse {
    let script = include_str!("../../assets/service-worker.js");
    ([(header::CONTENT_TYPE, "text/javascript"), (header::CACHE_CONTROL, "no-cache")], script)
}

/// What a page has to load for an entry such as `src/game/main.tsx`; nothing if the site was not built in.
pub(crate) fn entry(name: &str) -> Entry {
    static MANIFEST: OnceLock<HashMap<String, Built>> = OnceLock::new();
    let mut entry = Entry::default();
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

fn collect(manifest: &HashMap<String, Built>, name: &str, own: bool, entry: &mut Entry) {
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
