//! Serves embedded scripts, styles and pictures.

use super::erased::get;
use crate::assets::built;
use crate::error::AppError;
use crate::state::AppState;
use axum::Router;
use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use lozenge_picture::PieceSet;
use lozenge_rules::library;
use std::sync::OnceLock;

pub(super) fn router() -> Router<AppState> {
    Router::new()
        .route("/assets/{*path}", get(asset))
        .route("/men.svg", get(men))
        .route("/medallions.svg", get(medallions))
        .route("/favicon.svg", get(favicon))
        .route("/service-worker.js", get(service_worker))
        .route("/robots.txt", get(|| async { "User-agent: *\nDisallow: /api/\n" }))
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
