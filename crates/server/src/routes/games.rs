//! Games: lists, new ones, one as it stands, as PGN, FEN and picture.

use super::game_terms::{check_may_rate, check_rated_terms, engine_player, start_position, with_rating};
use super::input::{JsonBody, QueryParams};
use super::{AppResult, games_of_four, origin, variants};
use crate::auth::Visitor;
use crate::error::AppError;
use crate::state::AppState;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::IntoResponse;
use lozenge_game::convert;
use lozenge_game::time::now_ms;
use lozenge_game::{GameConfig, GameMachine, check_clock, seats, speed, with_guest_number};
use lozenge_live::games::{GameHandle, draw_start};
use lozenge_rules::geometry::{Coord, Shape};
use lozenge_rules::library::AnyGame;
use lozenge_rules::position::{GamePosition, Played};
use lozenge_store::GameRow;
use lozenge_wire::{Color, Game, GameSummary, NewGame, Opponent, Player, Problem, Scope, Side, Status};
use rand::RngExt as _;
use serde::Deserialize;
use utoipa::IntoParams;

/// A game in a list, from its row.
pub(super) async fn line(state: &AppState, row: &GameRow) -> AppResult<GameSummary> {
    let damaged = |what: &str| AppError::Internal(format!("game {}: {what}", row.id));
    let variant = state.variants.any_rules(&state.store, &row.variant, &row.digest).await?;
    let position = GamePosition::from_fen(&variant, &row.fen).map_err(|error| damaged(&error.to_string()))?;
    let player = |text: &Option<String>| {
        let player = text.as_ref().and_then(|text| serde_json::from_str::<Player>(text).ok());
        player.map(with_guest_number)
    };
    let clock = row.clock.as_ref().and_then(|text| serde_json::from_str(text).ok());
    let word = |text: &str| serde_json::Value::String(text.to_owned());
    Ok(GameSummary {
        id: row.id.clone(),
        variant: row.variant.clone(),
        variant_name: variant.name().into(),
        digest: row.digest.clone(),
        rated: row.rated != 0,
        speed: speed(clock),
        clock,
        white: variant.two().and_then(|_| player(&row.white_player)),
        black: variant.two().and_then(|_| player(&row.black_player)),
        seats: variant.four().map_or_else(Vec::new, |game| {
            let columns = [&row.white_player, &row.black_player, &row.third_player, &row.fourth_player];
            let waits = row.open_seats.as_deref().filter(|_| row.status == "waiting");
            let open: Option<Vec<Color>> = waits.and_then(|text| serde_json::from_str(text).ok());
            let players = columns.into_iter().take(game.seats().len() as usize).map(player);
            seats(game.is_teams(), players.collect(), &open.unwrap_or_default())
        }),
        created_at: row.created_at,
        updated_at: row.updated_at,
        ply: row.ply as u32,
        fen: row.fen.clone(),
        last: row.last_move.as_deref().map_or_else(Vec::new, |text| last_squares(variant.shape(), text)),
        turn: convert::turn_color(&position),
        status: match row.status.as_str() {
            "waiting" => Status::Waiting,
            "started" => Status::Started,
            _ => Status::Finished,
        },
        result: serde_json::from_value(word(&row.result)).unwrap_or_default(),
        reason: row.reason.as_deref().and_then(|text| serde_json::from_value(word(text)).ok()),
    })
}

/// The squares at the beginning of a move's text.
fn last_squares(shape: &Shape, text: &str) -> Vec<u16> {
    let Some((from, rest)) = Coord::read(text) else { return Vec::new() };
    let to = Coord::read(rest).map(|(to, _)| to);
    let squares = [Some(from), to].into_iter().flatten().filter_map(|at| shape.at(at));
    squares.map(|square| square.index() as u16).collect()
}

/// Creates a game: against the engine, or with an invitation link.
#[utoipa::path(post, operation_id = "make_game", path = "/api/games", tag = "games", request_body = NewGame,
    responses((status = 201, body = Game), (status = 404, body = Problem), (status = 422, body = Problem)))]
pub(super) async fn make(
    State(state): State<AppState>,
    mut visitor: Visitor,
    JsonBody(request): JsonBody<NewGame>,
) -> AppResult<impl IntoResponse> {
    visitor.may(Scope::Play)?;
    let variant = match variants::find_any(&state, visitor.id(), &request.variant).await? {
        AnyGame::Two(variant) => variant,
        AnyGame::Four(game) => {
            let game = games_of_four::make(&state, visitor, &request, &game).await?;
            return Ok((axum::http::StatusCode::CREATED, Json(game)));
        }
    };
    let Some(opponent) = request.opponent.filter(|_| request.seats.is_empty() && request.fill.is_none())
    else {
        return Err(AppError::Invalid(
            "expected `opponent`, and neither `seats` nor `fill`, in a game of two".into(),
        ));
    };
    variants::check_rated(&state, variant.id(), request.rated)?;
    let start = match (request.fen.as_deref(), request.start) {
        (None, None) => draw_start(&variant),
        (fen, number) => start_position(&variant, fen, number)?,
    };
    if let Some(clock) = request.clock {
        check_clock(clock).map_err(AppError::Invalid)?;
    }
    check_rated_terms(&request)?;
    let me = visitor.ensure(&state).await?;
    if request.rated {
        check_may_rate(&me)?;
    }
    let me = with_rating(&state, me, variant.id(), speed(request.clock)).await?;
    let other = match opponent {
        Opponent::Engine { level } => Some(engine_player(level)?),
        Opponent::Link {} => None,
    };
    let mine = match request.side {
        Side::White => Color::White,
        Side::Black => Color::Black,
        Side::Random if rand::rng().random() => Color::White,
        Side::Random => Color::Black,
    };
    let mut seats = vec![Some(me.clone()), other];
    seats.rotate_right(mine.index());
    let config = GameConfig {
        id: lozenge_game::ids::game(),
        digest: state.variants.digest(&variant),
        clock: request.clock,
        speed: speed(request.clock),
        rated: request.rated,
        visibility: request.visibility,
        maker: me.id,
        previous: None,
        fill: None,
        open_seats: Vec::new(),
        created_at: now_ms(),
    };
    if matches!(opponent, Opponent::Engine { .. }) {
        state.games.admit_engine_game(&config.id, &config.maker, visitor.network(), now_ms())?;
    }
    let maker = config.maker.clone();
    let live = state.games.create(config, start, seats).await?;
    state.games.note_request(&live, &maker, visitor.network()).await;
    let inner = live.lock().await;
    let game = inner.machine.to_wire(Some(mine), now_ms(), inner.presence());
    Ok((axum::http::StatusCode::CREATED, Json(game)))
}

/// A game that the client may read.
pub(super) async fn readable(state: &AppState, visitor: &Visitor, id: &str) -> AppResult<GameHandle> {
    let live = state.games.game(id).await?.ok_or(AppError::NotFound("game of this id"))?;
    let hidden = live.lock().await.machine.is_hidden_from(visitor.user().map(|user| user.id.as_str()));
    if !hidden && visitor.may(Scope::Read).is_err() {
        visitor.may(Scope::Play)?;
    }
    // A private game does not show that it is there.
    if hidden { Err(AppError::NotFound("game of this id")) } else { Ok(live) }
}

/// The moves of a game of two players.
pub(super) fn of_two(machine: &GameMachine) -> AppResult<&lozenge_rules::position::Game> {
    for_two(machine.record.played())
}

/// The same of any record.
pub(super) fn for_two(game: &Played) -> AppResult<&lozenge_rules::position::Game> {
    game.for_two().map_err(|error| AppError::Invalid(error.to_string()))
}

/// The client's side.
pub(super) fn side(visitor: &Visitor, machine: &GameMachine) -> Option<Color> {
    visitor.user().and_then(|user| machine.side_of(&user.id))
}

/// A game with all its moves.
#[utoipa::path(get, operation_id = "show_game", path = "/api/games/{id}", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = Game), (status = 404, body = Problem)))]
pub(super) async fn show(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> AppResult<Json<Game>> {
    let live = readable(&state, &visitor, &id).await?;
    if let Some(user) = visitor.user() {
        state.games.note_request(&live, &user.id, visitor.network()).await;
    }
    let inner = live.lock().await;
    let mine = side(&visitor, &inner.machine);
    Ok(Json(inner.machine.to_wire(mine, now_ms(), inner.presence())))
}

/// Which seat to take.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct JoinQuery {
    /// Its color; if left out, the first free one, those for anyone before the others.
    seat: Option<Color>,
}

/// Takes a free seat of a game.
#[utoipa::path(post, operation_id = "join_game", path = "/api/games/{id}/join", tag = "games", params(("id" = String, Path), JoinQuery),
    responses((status = 200, body = Game), (status = 404, body = Problem), (status = 409, body = Problem)))]
pub(super) async fn join(
    State(state): State<AppState>,
    mut visitor: Visitor,
    Path(id): Path<String>,
    QueryParams(query): QueryParams<JoinQuery>,
) -> AppResult<Json<Game>> {
    visitor.may(Scope::Play)?;
    let live = readable(&state, &visitor, &id).await?;
    let me = visitor.ensure(&state).await?;
    let (rated, variant, speed) = {
        let inner = live.lock().await;
        let machine = &inner.machine;
        (machine.config.rated, machine.record.variant_id().to_owned(), machine.config.speed)
    };
    if rated {
        check_may_rate(&me)?;
    }
    let me = with_rating(&state, me, &variant, speed).await?;
    let id = me.id.clone();
    state.games.join(&live, me, query.seat).await?;
    state.games.note_request(&live, &id, visitor.network()).await;
    let inner = live.lock().await;
    Ok(Json(inner.machine.to_wire(side(&visitor, &inner.machine), now_ms(), inner.presence())))
}

/// A game as PGN.
#[utoipa::path(get, operation_id = "game_pgn", path = "/api/games/{id}/pgn", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = String, content_type = "application/x-chess-pgn"), (status = 404, body = Problem)))]
pub(super) async fn pgn(
    State(state): State<AppState>,
    visitor: Visitor,
    headers: axum::http::HeaderMap,
    Path(id): Path<String>,
) -> AppResult<impl IntoResponse> {
    let live = readable(&state, &visitor, &id).await?;
    let site = page_address(&state, &headers, &id)?;
    let seq = live.lock().await.machine.seq;
    let write = async {
        let text = live.lock().await.machine.pgn(&site).map(Into::into);
        text.ok_or_else(|| AppError::Internal("a game could not be written".into()))
    };
    let text = state.pictures.pgn(visitor.client(), site.clone(), seq, write).await?;
    let name = format!("attachment; filename=\"lozenge-{id}.pgn\"");
    Ok((
        [(header::CONTENT_TYPE, "application/x-chess-pgn".to_owned()), (header::CONTENT_DISPOSITION, name)],
        text,
    ))
}

/// The position of a game.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct PlyQuery {
    /// Half moves played before it; the last position if left out.
    ply: Option<usize>,
}

/// A position of a game, with the digest of its rules and the squares of the last move.
struct PositionAt {
    rules: String,
    position: GamePosition,
    last: Vec<u16>,
}

async fn position_at(
    state: &AppState,
    visitor: &Visitor,
    id: &str,
    query: &PlyQuery,
) -> AppResult<PositionAt> {
    let live = readable(state, visitor, id).await?;
    let inner = live.lock().await;
    let machine = &inner.machine;
    let plies = machine.played.len();
    let ply = query.ply.unwrap_or(plies);
    let position = machine
        .record
        .position_at(ply)
        .ok_or_else(|| AppError::Invalid(format!("expected a ply of 0 to {plies}, found {ply}")))?;
    let last = ply.checked_sub(1).map_or_else(Vec::new, |ply| machine.record.last(ply));
    Ok(PositionAt { rules: machine.config.digest.clone(), position, last })
}

/// A position of a game as FEN.
#[utoipa::path(get, operation_id = "game_fen", path = "/api/games/{id}/fen", tag = "games", params(("id" = String, Path), PlyQuery),
    responses((status = 200, body = String), (status = 404, body = Problem)))]
pub(super) async fn fen(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
    QueryParams(query): QueryParams<PlyQuery>,
) -> AppResult<String> {
    let PositionAt { position, .. } = position_at(&state, &visitor, &id, &query).await?;
    Ok(position.fen() + "\n")
}

/// The position, and the side of the premoves.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct ReachQuery {
    /// Half moves played before it; the last position if left out.
    ply: Option<usize>,
    /// The side whose possible premoves are included.
    premoves: Option<Color>,
}

/// By square, the destinations of the piece there if it were its turn.
#[utoipa::path(get, operation_id = "game_reach", path = "/api/games/{id}/reach", tag = "games", params(("id" = String, Path), ReachQuery),
    responses((status = 200, body = Vec<Vec<u16>>), (status = 404, body = Problem)))]
pub(super) async fn reach(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
    QueryParams(query): QueryParams<ReachQuery>,
) -> AppResult<Json<Vec<Vec<u16>>>> {
    let PositionAt { position, .. } =
        position_at(&state, &visitor, &id, &PlyQuery { ply: query.ply }).await?;
    Ok(Json(match (&position, query.premoves) {
        (GamePosition::Two(position), None) => convert::reach(position),
        (GamePosition::Two(position), Some(side)) => convert::premove_reach(position, side),
        (GamePosition::Four(position), _) => convert::multi_reach(position),
    }))
}

/// The position, and the style of its picture.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct PictureQuery {
    /// Half moves played before it; the last position if left out.
    ply: Option<usize>,
    /// Without coordinates and repeated edges, for small pictures.
    #[serde(default)]
    plain: bool,
}

/// A position of a game as SVG.
#[utoipa::path(get, operation_id = "game_picture_svg", path = "/api/games/{id}/picture.svg", tag = "games", params(("id" = String, Path), PictureQuery),
    responses((status = 200, body = String, content_type = "image/svg+xml"), (status = 404, body = Problem)))]
pub(super) async fn picture_svg(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
    QueryParams(query): QueryParams<PictureQuery>,
) -> AppResult<impl IntoResponse> {
    let PositionAt { rules, position, last } =
        position_at(&state, &visitor, &id, &PlyQuery { ply: query.ply }).await?;
    let drawings = state.drawings.of_game(&position.variant()).await?;
    let svg = state.pictures.svg(visitor.client(), rules, position, drawings, last, query.plain).await?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], svg))
}

/// A position of a game as PNG, 800 pixels wide.
#[utoipa::path(get, operation_id = "game_picture_png", path = "/api/games/{id}/picture.png", tag = "games", params(("id" = String, Path), PlyQuery),
    responses((status = 200, body = Vec<u8>, content_type = "image/png"), (status = 404, body = Problem)))]
pub(super) async fn picture_png(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
    QueryParams(query): QueryParams<PlyQuery>,
) -> AppResult<impl IntoResponse> {
    let PositionAt { rules, position, last } = position_at(&state, &visitor, &id, &query).await?;
    let drawings = state.drawings.of_game(&position.variant()).await?;
    let png = state.pictures.png(visitor.client(), rules, position, drawings, last, false).await?;
    Ok(([(header::CONTENT_TYPE, "image/png")], png))
}

/// The address of a game's page as a QR code, to be shown to a phone.
#[utoipa::path(get, operation_id = "game_qr", path = "/api/games/{id}/qr.svg", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = String, content_type = "image/svg+xml"), (status = 404, body = Problem)))]
pub(super) async fn qr(
    State(state): State<AppState>,
    visitor: Visitor,
    headers: axum::http::HeaderMap,
    Path(id): Path<String>,
) -> AppResult<impl IntoResponse> {
    readable(&state, &visitor, &id).await?;
    let code = qrcode::QrCode::new(page_address(&state, &headers, &id)?)
        .map_err(|error| AppError::Internal(error.to_string()))?;
    let picture = code.render::<qrcode::render::svg::Color<'_>>().min_dimensions(220, 220).build();
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], picture))
}

/// The address of a game's page as browsers see it.
pub(super) fn page_address(state: &AppState, headers: &axum::http::HeaderMap, id: &str) -> AppResult<String> {
    Ok(format!("{}/game/{id}", origin::base_address(state, headers)?))
}
