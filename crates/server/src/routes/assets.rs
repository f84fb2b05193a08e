//! Serves embedded scripts, styles and pictures.

use super::erased::get;
use crate::assets::built;
use crate::error::AppError;
use crate::prebuilt::{Prebuilt, accepts};
use crate::state::AppState;
use axum::Router;
use axum::body::Bytes;
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use lozenge_picture::PieceSet;
use lozenge_rules::library;
use std::borrow::Cow;
use std::sync::OnceLock;

pub(super) fn router() -> Router<AppState> {
    Router::new()
        .route("/assets/{*path}", get(asset))
        .route("/pieces.svg", get(pieces))
        .route("/medallions.svg", get(medallions))
        .route("/favicon.svg", get(favicon))
        .route("/icon-192.png", get(|| async { icon(include_bytes!("../../assets/icon-192.png")) }))
        .route("/icon-512.png", get(|| async { icon(include_bytes!("../../assets/icon-512.png")) }))
        .route("/manifest.webmanifest", get(manifest))
        .route("/service-worker.js", get(service_worker))
        .route("/robots.txt", get(|| async { "User-agent: *\nDisallow: /api/\n" }))
}

async fn asset(Path(path): Path<String>, request: HeaderMap) -> Result<Response, AppError> {
    let name = format!("assets/{path}");
    let file = built(&name).ok_or(AppError::NotFound("file"))?;
    let kind = file.metadata.mimetype().to_owned();
    let mut headers = vec![
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable".into()),
        (header::VARY, "accept-encoding".into()),
    ];
    let compressed = [("br", "br"), ("gzip", "gz")].into_iter().find_map(|(coding, ending)| {
        let is_accepted = accepts(&request, coding);
        built(&format!("{name}.{ending}")).filter(|_| is_accepted).map(|file| (coding, file))
    });
    if let Some((coding, _)) = &compressed {
        headers.push((header::CONTENT_ENCODING, (*coding).into()));
    }
    let data: Bytes = match compressed.map_or(file, |(_, file)| file).data {
        Cow::Borrowed(data) => Bytes::from_static(data),
        Cow::Owned(data) => data.into(),
    };
    let mut response = data.into_response();
    for (name, value) in headers {
        if let Ok(value) = HeaderValue::from_str(&value) {
            response.headers_mut().insert(name, value);
        }
    }
    Ok(response)
}

/// All drawn pieces in both colors, as symbols.
async fn pieces(request: HeaderMap) -> Response {
    static SPRITE: OnceLock<Prebuilt> = OnceLock::new();
    sprite(&request, &SPRITE, PieceSet::Classic)
}

/// The same pieces as medallions.
async fn medallions(request: HeaderMap) -> Response {
    static SPRITE: OnceLock<Prebuilt> = OnceLock::new();
    sprite(&request, &SPRITE, PieceSet::Medallion)
}

fn sprite(request: &HeaderMap, drawn: &OnceLock<Prebuilt>, set: PieceSet) -> Response {
    let sprite = drawn.get_or_init(|| {
        // Every drawing, and the compounds of the games that are built in.
        let games: Vec<_> = library::ids().filter_map(library::game).collect();
        let used = games.iter().flat_map(|game| game.roles().iter().map(|(_, info)| info.picture.as_str()));
        let names = lozenge_picture::glyph_names().iter().copied().chain(used);
        Prebuilt::new("image/svg+xml", lozenge_picture::sprite_of(set, names))
    });
    ([(header::CACHE_CONTROL, "public, max-age=86400")], sprite.answer(request)).into_response()
}

async fn favicon() -> impl IntoResponse {
    let picture = include_str!("../../assets/favicon.svg");
    ([(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, "public, max-age=86400")], picture)
}

/// An icon for the home screen, with room around it for masks of any shape.
fn icon(picture: &'static [u8]) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "image/png"), (header::CACHE_CONTROL, "public, max-age=86400")], picture)
}

/// Lets browsers install the site.
async fn manifest() -> impl IntoResponse {
    let manifest = include_str!("../../assets/manifest.webmanifest");
    let headers = [
        (header::CONTENT_TYPE, "application/manifest+json"),
        (header::CACHE_CONTROL, "public, max-age=86400"),
    ];
    (headers, manifest)
}

/// Shows push messages while no page is open.
async fn service_worker() -> impl IntoResponse {
    let script = include_str!("../../assets/service-worker.js");
    ([(header::CONTENT_TYPE, "text/javascript"), (header::CACHE_CONTROL, "no-cache")], script)
}
