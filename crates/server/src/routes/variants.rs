//! The games that can be played, and their boards.

use super::input::QueryParams;
use super::{AppResult, game_terms};
use crate::auth::Visitor;
use crate::budgets::Operation;
use crate::denial::Denial;
use crate::error::AppError;
use crate::state::AppState;
use crate::studio::{is_digest, tags};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use lozenge_game::convert;
use lozenge_game::time::{DAY_MS, now_ms};
use lozenge_rules::geometry::Square;
use lozenge_rules::library;
use lozenge_rules::library::AnyGame;
use lozenge_rules::position::{GamePosition, Piece};
use lozenge_rules::seat::Seat;
use lozenge_rules::variant::{MultiVariant, Variant};
use lozenge_store::{ContentKind, Sort, VariantListing, VariantRow, read_word};
use lozenge_wire::{
    Board, Color, Diagram, Problem, Publication, VariantDetail, VariantSummary, VariantVersion,
};
use serde::Deserialize;
use std::sync::Arc;
use utoipa::IntoParams;

/// A game of two players that the reader may play, as [`find_any`].
pub(super) async fn find(state: &AppState, reader: Option<&str>, id: &str) -> AppResult<Arc<Variant>> {
    of_two(find_any(state, reader, id).await?)
}

fn of_two(game: AnyGame) -> AppResult<Arc<Variant>> {
    game.two().cloned().ok_or(AppError::NotFound("game of two players with this id"))
}

/// A game that the reader may play: a built-in one, a published one by its id, or a version of one by its digest.
pub(super) async fn find_any(state: &AppState, reader: Option<&str>, id: &str) -> AppResult<AnyGame> {
    let missing = || AppError::NotFound("variant of this id");
    if let Some(game) = state.variants.any_game(id) {
        return Ok(game);
    }
    if is_digest(id) {
        if let Some(game) = state.variants.with_digest(id) {
            return Ok(game);
        }
        let row = state.store.variant_by_digest(id).await?.ok_or_else(missing)?;
        let public_id = row.public_id().ok_or_else(missing)?;
        return Ok(state.variants.any_rules(&state.store, &public_id, id).await?);
    }
    let row = published(state, reader, id).await?;
    let digest = row.digest.as_deref().ok_or_else(missing)?;
    Ok(state.variants.any_rules(&state.store, id, digest).await?)
}

/// The row of a published game that the reader may open.
pub(super) async fn published(state: &AppState, reader: Option<&str>, id: &str) -> AppResult<VariantRow> {
    let missing = AppError::NotFound("variant of this id");
    let Some(slug) = id.strip_prefix('~') else { return Err(missing) };
    let row = state.store.variant_by_slug(slug).await?.filter(|row| row.is_open_to(reader));
    row.ok_or(missing)
}

/// A game of two players that the reader may see, as [`readable_any`].
pub(super) async fn readable(state: &AppState, reader: Option<&str>, id: &str) -> AppResult<Arc<Variant>> {
    of_two(readable_any(state, reader, id).await?)
}

/// A game that the reader may see. Besides those of [`find_any`], it may be one that was checked a short while ago, or rules of
/// older games only, by their digests.
pub(super) async fn readable_any(state: &AppState, reader: Option<&str>, id: &str) -> AppResult<AnyGame> {
    let found = find_any(state, reader, id).await;
    if !(matches!(found, Err(AppError::NotFound(_))) && is_digest(id)) {
        return found;
    }
    if let Some(draft) = state.variants.draft(id) {
        return Ok(draft);
    }
    match state.store.rules(id).await? {
        // Its id may stand for other rules today.
        Some(_) => Ok(state.variants.any_rules(&state.store, id, id).await?),
        None => found,
    }
}

/// Refuses a rated game by rules that a user has made, unless the host allows it.
pub(super) fn check_rated(state: &AppState, variant: &str, rated: bool) -> AppResult<()> {
    if rated && variant.starts_with('~') && !state.config.rated_variants {
        return Err(Denial::RatedByUsers.into());
    }
    Ok(())
}

/// The board of a game. Valuing the pieces of one that is not built in can take a while: live games do not wait for it.
pub(super) async fn board_of(state: &AppState, game: impl Into<AnyGame>) -> AppResult<Board> {
    let game = game.into();
    if state.variants.any_game(game.id()).is_some() {
        return Ok(convert::any_board(&game));
    }
    let work = tokio::task::spawn_blocking(move || convert::any_board(&game));
    work.await.map_err(|error| AppError::Internal(error.to_string()))
}

/// A game for any number of players in lists.
pub(crate) fn summary_of(game: &AnyGame) -> VariantSummary {
    match game {
        AnyGame::Two(variant) => summary(variant),
        AnyGame::Four(game) => summary_of_four(game),
    }
}

/// A game of three or four in lists.
fn summary_of_four(game: &MultiVariant) -> VariantSummary {
    VariantSummary {
        id: game.id().into(),
        name: game.name().into(),
        author: game.author().into(),
        year: game.year(),
        about: game.about().trim().replace('\n', " "),
        players: Some(game.seats().len() as u8),
        squares: game.shape().len() as u32,
        starts: 1,
        start_names: Vec::new(),
        array: None,
        view: convert::usual_view(game.pair(Seat::Red).0),
        main: false,
        publication: None,
    }
}

/// A game in lists.
pub(crate) fn summary(variant: &Variant) -> VariantSummary {
    VariantSummary {
        id: variant.id().into(),
        name: variant.name().into(),
        author: variant.author().into(),
        year: variant.year(),
        about: variant.about().trim().replace('\n', " "),
        players: None,
        squares: variant.shape().len() as u32,
        starts: variant.starts().len() as u32,
        start_names: start_names(variant),
        array: array(variant),
        view: convert::usual_view(variant),
        main: library::ids().take(library::OWN_GAMES).any(|id| id == variant.id()),
        publication: None,
    }
}

/// The names of the starting positions, if there are several and each has a name.
fn start_names(variant: &Variant) -> Vec<String> {
    let starts = variant.starts();
    if starts.len() < 2 || starts.iter().any(|start| start.name.is_empty()) {
        return Vec::new();
    }
    starts.iter().map(|start| start.name.clone()).collect()
}

/// The name of a game's only starting position, if it has one.
pub(crate) fn array(variant: &Variant) -> Option<String> {
    match variant.starts() {
        [only] if !only.name.is_empty() => Some(only.name.clone()),
        _ => None,
    }
}

/// Most games of one page of the list, and those of a page of the gallery.
const PAGE: u32 = 100;
const GALLERY_PAGE: u32 = 24;

/// The games to list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct VariantQuery {
    /// Part of the name, the inventor or the owner.
    q: Option<String>,
    /// A feature of the game: the size of its board (`10x10`), `holes`, `torus`, `cylinder`, `goal`, `castling`, `fusion`,
    /// `three-players`, `four-players`, `teams`, or a piece (`archbishop`).
    tag: Option<String>,
    /// Order of the games of users, the greatest first: `new`, `played` or `liked`.
    #[serde(default)]
    #[param(inline)]
    sort: SortBy,
    /// Where the last page ended: the value of `Lozenge-After` in its answer. The games that are built in stand on the
    /// first page.
    after: Option<String>,
    /// Most games of users.
    limit: Option<u32>,
    /// `false`: only games of users.
    built_in: Option<bool>,
}

/// The order of games.
#[derive(Clone, Copy, Debug, Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum SortBy {
    #[default]
    New,
    Played,
    Liked,
}

impl From<SortBy> for Sort {
    fn from(by: SortBy) -> Self {
        match by {
            SortBy::New => Self::New,
            SortBy::Played => Self::Played,
            SortBy::Liked => Self::Liked,
        }
    }
}

impl VariantQuery {
    /// Leaves the built-in games out.
    pub(super) fn only_of_users(&mut self) {
        self.built_in = Some(false);
        self.limit = Some(GALLERY_PAGE);
    }

    /// The words, the tag and the order, as a form has them.
    pub(super) fn form(&self) -> (String, String, &'static str) {
        let sort = match self.sort {
            SortBy::New => "new",
            SortBy::Played => "played",
            SortBy::Liked => "liked",
        };
        (self.q.clone().unwrap_or_default(), self.tag.clone().unwrap_or_default(), sort)
    }

    fn matches(&self, game: &VariantSummary, tags: &[String]) -> bool {
        let words = self.q.as_ref().map(|words| words.trim().to_lowercase());
        let found = |words: &String| {
            game.name.to_lowercase().contains(words) || game.author.to_lowercase().contains(words)
        };
        let tag = self.tag.as_ref().filter(|tag| !tag.trim().is_empty());
        words.as_ref().is_none_or(found) && tag.is_none_or(|tag| tags.contains(tag))
    }

    fn listing(&self, state: &AppState, reader: Option<&str>) -> AppResult<VariantListing> {
        let after = match self.after.as_deref().map(|after| after.split_once('.')) {
            None => None,
            Some(Some((value, id))) if value.parse::<i64>().is_ok() => {
                Some((value.parse().unwrap_or_default(), id.to_owned()))
            }
            Some(_) => return Err(AppError::Invalid("expected the end of another page in `after`".into())),
        };
        let text = |text: &Option<String>| {
            text.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
        };
        let threshold = state.config.listing;
        Ok(VariantListing {
            words: text(&self.q),
            tag: text(&self.tag),
            sort: self.sort.into(),
            after,
            owner_before: now_ms() - i64::from(threshold.days) * DAY_MS,
            least_plays: i64::from(threshold.games),
            reader: reader.unwrap_or_default().to_owned(),
            limit: i64::from(self.limit.unwrap_or(PAGE).clamp(1, PAGE)),
        })
    }
}

/// A published game in lists.
pub(super) fn row_summary(row: &VariantRow) -> AppResult<VariantSummary> {
    let damaged = || AppError::Internal(format!("the summary of the game {}", row.id));
    let summary: VariantSummary = serde_json::from_str(&row.summary).map_err(|_| damaged())?;
    let publication = Publication {
        owner: row.owner_name.clone(),
        version: row.version as u32,
        visibility: read_word("a visibility", &row.visibility)?,
        tags: row.tags.split_whitespace().map(str::to_owned).collect(),
        likes: row.likes as u32,
        plays: row.plays as u32,
        published_at: row.published_at,
    };
    Ok(VariantSummary { id: row.public_id().ok_or_else(damaged)?, publication: Some(publication), ..summary })
}

/// The games that can be played here: those that are built in, then the public games of users, a page at a time.
#[utoipa::path(get, operation_id = "list_variants", path = "/api/variants", tag = "variants", params(VariantQuery),
    responses((status = 200, body = Vec<VariantSummary>, headers(("Lozenge-After" = Option<String>, description = "Where the next page begins, if there is one"))),
        (status = 422, body = Problem)))]
pub(super) async fn list(
    State(state): State<AppState>,
    visitor: Visitor,
    QueryParams(query): QueryParams<VariantQuery>,
) -> AppResult<Response> {
    let (games, after) = page(&state, visitor.id(), &query).await?;
    let mut response = Json(games).into_response();
    if let Some(after) = after.and_then(|after| HeaderValue::from_str(&after).ok()) {
        response.headers_mut().insert("lozenge-after", after);
    }
    Ok(response)
}

/// A page of games, and where the next one begins.
pub(super) async fn page(
    state: &AppState,
    reader: Option<&str>,
    query: &VariantQuery,
) -> AppResult<(Vec<VariantSummary>, Option<String>)> {
    let listing = query.listing(state, reader)?;
    let mut games = Vec::new();
    if query.after.is_none() && query.built_in != Some(false) {
        let built_in = state.variants.all_games().into_iter().map(|game| (summary_of(&game), tags(&game)));
        games.extend(built_in.filter(|(game, tags)| query.matches(game, tags)).map(|(game, _)| game));
    }
    let rows = state.store.public_variants(&listing).await?;
    let last = rows.last().filter(|_| rows.len() as i64 == listing.limit);
    let after = last.map(|row| format!("{}.{}", listing.sort.value(row), row.id));
    for row in &rows {
        games.push(row_summary(row)?);
    }
    Ok((games, after))
}

/// One game with its file, by its id or the digest of its rules; also rules that only older games were played by.
#[utoipa::path(get, operation_id = "show_variant", path = "/api/variants/{id}", tag = "variants", params(("id" = String, Path)),
    responses((status = 200, body = VariantDetail), (status = 404, body = Problem)))]
pub(super) async fn show(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> AppResult<Json<VariantDetail>> {
    let reader = visitor.id();
    let game = readable_any(&state, reader, &id).await?;
    let row = match published(&state, reader, game.id()).await {
        Ok(row) => Some(row),
        Err(AppError::NotFound(_)) => None,
        Err(error) => return Err(error),
    };
    let mut detail = VariantDetail {
        summary: summary_of(&game),
        digest: state.variants.any_digest(&game),
        source: game.texts().first().cloned().unwrap_or_default(),
        parents: game.texts().iter().skip(1).cloned().collect(),
        versions: Vec::new(),
        liked: false,
        draft: None,
    };
    if let Some(row) = row {
        detail.summary.publication = row_summary(&row)?.publication;
        let versions = state.store.versions(&row.id).await?.into_iter();
        detail.versions = versions
            .map(|row| VariantVersion { number: row.number as u32, digest: row.digest, at: row.at })
            .collect();
        if let Some(reader) = reader {
            detail.liked = state.store.likes(ContentKind::Variant, &row.id, reader).await?;
            detail.draft = (row.owner == reader).then_some(row.id);
        }
    }
    Ok(Json(detail))
}

/// The board of a game, as it is drawn.
#[utoipa::path(get, operation_id = "show_board", path = "/api/variants/{id}/board", tag = "variants", params(("id" = String, Path)),
    responses((status = 200, body = Board), (status = 404, body = Problem)))]
pub(super) async fn board(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> AppResult<Json<Board>> {
    let game = readable_any(&state, visitor.id(), &id).await?;
    Ok(Json(board_of(&state, game).await?))
}

/// The starting position.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct PictureQuery {
    /// Number of one of the game's own starts, from 0.
    start: Option<u32>,
    /// Another position in which the game is not over.
    fen: Option<String>,
    /// Squares in the colors of their side instead of pieces: for pictures of less than about 100 pixels.
    #[serde(default)]
    thumbnail: bool,
    /// From Black's side.
    #[serde(default)]
    flipped: bool,
}

/// The start of a game as SVG: its usual one, another of its own by number, or a position that a game can begin from.
#[utoipa::path(get, operation_id = "picture_start", path = "/api/variants/{id}/picture.svg", tag = "variants", params(("id" = String, Path), PictureQuery),
    responses((status = 200, body = String, content_type = "image/svg+xml"), (status = 404, body = Problem),
        (status = 422, body = Problem)))]
pub(super) async fn picture(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
    QueryParams(PictureQuery { start, fen, thumbnail, flipped }): QueryParams<PictureQuery>,
) -> AppResult<impl IntoResponse> {
    let plain = |variant: &Variant, drawings| lozenge_picture::BoardView {
        coordinates: false,
        theme: lozenge_picture::Theme::Clear,
        thumbnail,
        flipped,
        drawings,
        ..lozenge_picture::BoardView::of(variant)
    };
    let game = readable_any(&state, visitor.id(), &id).await?;
    let drawings = state.drawings.of_game(&game).await?;
    let scene = match &game {
        AnyGame::Two(variant) => {
            let position = game_terms::start_position(variant, fen.as_deref(), start)?;
            lozenge_picture::scene(&position, &plain(variant, drawings))
        }
        AnyGame::Four(game) => {
            let position = game_terms::start_position_of_four(game, fen.as_deref())?;
            lozenge_picture::multi_scene(&position, &plain(game.pair(Seat::Red).0, drawings))
        }
    };
    let picture = lozenge_picture::svg(&scene);
    // A new version changes what an id of a published game stands for.
    let kept = if id.starts_with('~') { "private, no-cache" } else { "public, max-age=3600" };
    Ok(([(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, kept)], picture))
}

/// Refuses help for a game to players of a live game of the same rules against a person until it is over.
pub(super) async fn refuse_live(state: &AppState, visitor: &Visitor, variant: &str) -> AppResult<()> {
    match visitor.user() {
        Some(user) if state.store.plays_live(&user.id, variant).await? => Err(AppError::OwnGame),
        _ => Ok(()),
    }
}

/// The position of a PNG.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct PngQuery {
    /// A position in which the game is not over, instead of the usual start.
    fen: Option<String>,
    /// From Black's side.
    #[serde(default)]
    flipped: bool,
}

/// The start of a game, or a position that a game can begin from, as PNG, 800 pixels wide.
#[utoipa::path(get, operation_id = "picture_start_png", path = "/api/variants/{id}/picture.png", tag = "variants", params(("id" = String, Path), PngQuery),
    responses((status = 200, body = Vec<u8>, content_type = "image/png"), (status = 404, body = Problem),
        (status = 422, body = Problem)))]
pub(super) async fn picture_png(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
    QueryParams(PngQuery { fen, flipped }): QueryParams<PngQuery>,
) -> AppResult<impl IntoResponse> {
    let game = readable_any(&state, visitor.id(), &id).await?;
    let position: GamePosition = match &game {
        AnyGame::Two(variant) => game_terms::start_position(variant, fen.as_deref(), None)?.into(),
        AnyGame::Four(game) => game_terms::start_position_of_four(game, fen.as_deref())?.into(),
    };
    if fen.is_some() {
        state.budgets.charge_network(Operation::Picture, visitor.client())?;
    }
    let (rules, drawings) = (state.variants.any_digest(&game), state.drawings.of_game(&game).await?);
    let png = state.pictures.png(visitor.client(), rules, position, drawings, Vec::new(), flipped).await?;
    Ok(([(header::CONTENT_TYPE, "image/png")], png))
}

/// A piece and its square.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct PieceQuery {
    /// Id of its role.
    role: String,
    /// Number of its square.
    square: u16,
    /// Its color.
    color: Color,
}

/// The moves of a piece that stands alone on a square.
#[utoipa::path(get, operation_id = "show_diagram", path = "/api/variants/{id}/diagram", tag = "variants", params(("id" = String, Path), PieceQuery),
    responses((status = 200, body = Diagram), (status = 404, body = Problem), (status = 422, body = Problem)))]
pub(super) async fn diagram(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
    QueryParams(piece): QueryParams<PieceQuery>,
) -> AppResult<Json<Diagram>> {
    let game = readable_any(&state, visitor.id(), &id).await?;
    // A seat of four has its moves in a game of two.
    let (variant, color) = match &game {
        AnyGame::Two(variant) => (&**variant, convert::rules_color(piece.color)),
        AnyGame::Four(game) => game.pair(convert::seat_of(piece.color).unwrap_or(Seat::Red)),
    };
    let role = variant.roles().iter().find(|(_, info)| *info.id == *piece.role);
    let (role, _) = role.ok_or_else(|| {
        let ids: Vec<&str> = variant.roles().iter().map(|(_, info)| &*info.id).collect();
        AppError::Invalid(format!("expected one of {}, found {}", ids.join(", "), piece.role))
    })?;
    let squares: Vec<_> = variant.shape().squares().collect();
    let from = squares.get(usize::from(piece.square)).ok_or_else(|| {
        AppError::Invalid(format!("expected a square of 0 to {}, found {}", squares.len() - 1, piece.square))
    })?;
    let reach = variant.reach(Piece::new(color, role), *from);
    let numbers = |squares: Vec<Square>| squares.into_iter().map(|square| square.index() as u16).collect();
    Ok(Json(Diagram {
        quiet: numbers(reach.quiet),
        capture: numbers(reach.capture),
        first: numbers(reach.first),
        over: numbers(reach.over),
    }))
}
