//! The lobby: seeks, and the games that they become.

use super::input::JsonBody;
use super::lines::{self, KEEP_ALIVE};
use super::{AppResult, game_terms, variants};
use crate::auth::{CredentialGuard, Visitor};
use crate::denial::Denial;
use crate::error::AppError;
use crate::limits::OpenStream;
use crate::state::AppState;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use lozenge_game::OpenSeek;
use lozenge_game::time::now_ms;
use lozenge_game::{GameConfig, check_clock, speed};
use lozenge_live::games::draw_start;
use lozenge_live::lobby::SeekOutcome;
use lozenge_store::GameOrigin;
use lozenge_wire::{
    Clock, LobbyEvent, NewSeek, OpenGame, Player, Problem, Scope, Seek, SeekReply, Side, Visibility,
};
use rand::RngExt as _;

/// Most tries to find a match when other servers are faster.
const MAX_TRIES: usize = 3;

/// The open seeks, newest first.
#[utoipa::path(get, operation_id = "list_seeks", path = "/api/seeks", tag = "lobby", responses((status = 200, body = Vec<Seek>)))]
pub(super) async fn list(State(state): State<AppState>, visitor: Visitor) -> Json<Vec<Seek>> {
    Json(state.lobby.list(visitor.user().map(|user| user.id.as_str())))
}

/// The games of four that wait for players, newest first. Joining one without `seat` takes a seat that is open to any player.
#[utoipa::path(get, operation_id = "list_open_games", path = "/api/games/open", tag = "lobby",
    responses((status = 200, body = Vec<OpenGame>)))]
pub(super) async fn open_games(State(state): State<AppState>) -> Json<Vec<OpenGame>> {
    Json(state.lobby.open_games())
}

/// Seeks a game: it begins at once if another seek matches. A seek by correspondence stands for two weeks while
/// its maker visits the site; a live one ends soon after its maker has stopped listening to the stream, or in ten minutes.
#[utoipa::path(post, operation_id = "make_seek", path = "/api/seeks", tag = "lobby", request_body = NewSeek,
    responses((status = 201, body = SeekReply), (status = 404, body = Problem), (status = 409, body = Problem),
        (status = 422, body = Problem)))]
pub(super) async fn seek(
    State(state): State<AppState>,
    mut visitor: Visitor,
    JsonBody(request): JsonBody<NewSeek>,
) -> AppResult<impl IntoResponse> {
    visitor.may(Scope::Play)?;
    let variant = variants::find(&state, visitor.id(), &request.variant).await?;
    variants::check_rated(&state, variant.id(), request.rated)?;
    if let Some(clock) = request.clock {
        check_clock(clock).map_err(AppError::Invalid)?;
    }
    if let (Some(least), Some(most)) = (request.rating_min, request.rating_max)
        && least > most
    {
        return Err(AppError::Invalid(format!(
            "expected a lowest rating that is not above the highest, found {least} and {most}"
        )));
    }
    let me = visitor.ensure(&state).await?;
    if request.rated {
        game_terms::check_may_rate(&me)?;
        if request.clock.is_none() {
            return Err(Denial::RatedTerms.into());
        }
    }
    let kept = matches!(request.clock, Some(Clock::Correspondence { .. }));
    state.lobby.has_room(&me.id, visitor.network(), kept)?;
    let me = game_terms::with_rating(&state, me, variant.id(), speed(request.clock)).await?;
    let open = OpenSeek {
        seek: Seek {
            id: lozenge_game::ids::other(),
            player: me.clone(),
            variant: request.variant.clone(),
            variant_name: variant.name().into(),
            clock: request.clock,
            speed: speed(request.clock),
            side: request.side,
            rated: request.rated,
            rating_min: request.rating_min,
            rating_max: request.rating_max,
            yours: true,
            created_at: now_ms(),
        },
        network: visitor.network(),
    };
    // Stored before any player can take it.
    if open.is_stored()
        && let Err(error) = state.store.keep_seek(&open.seek).await
    {
        check_account_exists(&state, &me).await?;
        return Err(error.into());
    }
    let sought = match_or_open(&state, &open, &me, request.side).await;
    if sought.is_err() && !matches!(sought, Err(AppError::SignIn)) {
        withdraw_unplaced(&state, &open).await;
    }
    Ok((StatusCode::CREATED, Json(sought?)))
}

/// Makes a game of a seek and one that matches it; without one, opens the seek.
async fn match_or_open(state: &AppState, open: &OpenSeek, me: &Player, side: Side) -> AppResult<SeekReply> {
    for tries_left in (0..MAX_TRIES).rev() {
        match state.lobby.submit(open.clone()).await? {
            SeekOutcome::Matched(other) => {
                match begin(state, other, stored_origin(open), me.clone(), side).await {
                    // Another server has made a game of it meanwhile: there may be another match.
                    Err(AppError::NotFound(_)) if tries_left > 0 && state.lobby.is_shared() => {}
                    game => return Ok(SeekReply { seek: None, game: Some(game?) }),
                }
            }
            SeekOutcome::Added { evicted } => {
                if let Some(evicted) = evicted.filter(OpenSeek::is_stored)
                    && let Err(error) = state.store.drop_seek(&evicted.seek.id).await
                {
                    tracing::warn!(%error, "a seek that made room could not be deleted");
                }
                let account = check_account_exists(state, me).await;
                if matches!(account, Err(AppError::SignIn)) {
                    state.lobby.clear(&me.id, false);
                }
                account?;
                return Ok(SeekReply { seek: Some(open.seek.clone()), game: None });
            }
        }
    }
    Err(AppError::NotFound("open seek"))
}

/// Deletes a seek that is in the store and not in the lobby.
async fn withdraw_unplaced(state: &AppState, open: &OpenSeek) {
    if open.is_stored()
        && let Err(error) = state.store.drop_seek(&open.seek.id).await
    {
        tracing::warn!(%error, "a seek that got no place could not be deleted");
    }
}

/// The stored seek to delete when it becomes a game; `None` if the seek is only in memory.
fn stored_origin(open: &OpenSeek) -> Option<GameOrigin> {
    open.is_stored().then(|| GameOrigin::Seek(open.seek.id.clone()))
}

/// Refuses a client whose account was deleted during the request.
async fn check_account_exists(state: &AppState, player: &Player) -> AppResult<()> {
    state.store.user(&player.id).await?.map(|_| ()).ok_or(AppError::SignIn)
}

/// Withdraws one's own seek.
#[utoipa::path(delete, operation_id = "withdraw_seek", path = "/api/seeks/{id}", tag = "lobby", params(("id" = String, Path)),
    responses((status = 204), (status = 404, body = Problem)))]
pub(super) async fn withdraw(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> AppResult<StatusCode> {
    visitor.may(Scope::Play)?;
    let me = visitor.user().ok_or(AppError::SignIn)?.id.clone();
    let open = state.lobby.take_one(&id, |open| open.seek.player.id == me).await?;
    delete(&state, &open.ok_or(AppError::NotFound("seek of yours"))?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Accepts a seek: the game begins.
#[utoipa::path(post, operation_id = "accept_seek", path = "/api/seeks/{id}/accept", tag = "lobby", params(("id" = String, Path)),
    responses((status = 200, body = SeekReply), (status = 403, body = Problem), (status = 404, body = Problem)))]
pub(super) async fn accept(
    State(state): State<AppState>,
    mut visitor: Visitor,
    Path(id): Path<String>,
) -> AppResult<Json<SeekReply>> {
    visitor.may(Scope::Play)?;
    let me = visitor.ensure(&state).await?;
    let found = state.lobby.get(&id).ok_or(AppError::NotFound("open seek"))?;
    let seek = &found.seek;
    if seek.rated {
        game_terms::check_may_rate(&me)?;
    }
    if seek.player.id == me.id {
        return Err(Denial::OwnSeek.into());
    }
    let me = game_terms::with_rating(&state, me, &seek.variant, seek.speed).await?;
    if !found.accepts(&me) {
        return Err(AppError::RatingOutOfRange);
    }
    let open = state.lobby.take_one(&id, |_| true).await?.ok_or(AppError::NotFound("open seek"))?;
    let game = begin(&state, open, None, me.clone(), Side::Random).await?;
    Ok(Json(SeekReply { seek: None, game: Some(game) }))
}

/// Deletes a seek that has been taken out of the lobby; it goes back there if that is not possible.
async fn delete(state: &AppState, open: &OpenSeek) -> AppResult<()> {
    if !open.is_stored() {
        return Ok(());
    }
    match state.store.drop_seek(&open.seek.id).await {
        Ok(true) => {
            state.lobby.announce_seeks();
            Ok(())
        }
        Ok(false) => Err(AppError::NotFound("open seek")),
        Err(error) => {
            state.lobby.add(open.clone());
            Err(error.into())
        }
    }
}

/// Begins the game that a seek, taken out of the lobby, has become; with it what was stored of the seek, and of the `other`
/// one that it has met, is deleted. If there is no game, the seek is open again.
async fn begin(
    state: &AppState,
    open: OpenSeek,
    met: Option<GameOrigin>,
    other: Player,
    other_side: Side,
) -> AppResult<String> {
    let origins = stored_origin(&open).into_iter().chain(met).collect();
    let game = create(state, &open.seek, origins, other, other_side).await;
    match &game {
        Ok(game) => state.lobby.send_game(&open.seek.player.id, game),
        Err(AppError::NotFound(_)) => {}
        Err(_) => state.lobby.put_back(open).await,
    }
    game
}

async fn create(
    state: &AppState,
    seek: &Seek,
    origins: Vec<GameOrigin>,
    other: Player,
    other_side: Side,
) -> AppResult<String> {
    let variant = variants::find(state, Some(&seek.player.id), &seek.variant).await?;
    let seeker_white = match (seek.side, other_side) {
        (Side::White, _) | (_, Side::Black) => true,
        (Side::Black, _) | (_, Side::White) => false,
        _ => rand::rng().random(),
    };
    // The seek may be old: its maker plays under today's name and rating.
    let seeker = state.store.user(&seek.player.id).await?.ok_or(AppError::NotFound("open seek"))?;
    let seeker = game_terms::with_rating(state, seeker.player(), variant.id(), seek.speed).await?;
    let seats = if seeker_white { [Some(seeker), Some(other)] } else { [Some(other), Some(seeker)] };
    let config = GameConfig {
        id: lozenge_game::ids::game(),
        digest: state.variants.digest(&variant),
        clock: seek.clock,
        speed: seek.speed,
        rated: seek.rated,
        visibility: Visibility::Public,
        maker: seek.player.id.clone(),
        previous: None,
        fill: None,
        open_seats: Vec::new(),
        created_at: now_ms(),
    };
    let game = config.id.clone();
    state.games.create_from(origins, config, draw_start(&variant), seats).await?;
    Ok(game)
}

/// The lobby as it changes, one message a line: first all open seeks, then added and removed seeks, and the game once the
/// client's own seek has become one. Changes within a fifth of a second come together; an empty line every ten seconds.
#[utoipa::path(get, operation_id = "stream_seeks", path = "/api/seeks/stream", tag = "lobby",
    responses((status = 200, body = LobbyEvent, content_type = "application/x-ndjson")))]
pub(super) async fn stream(
    State(state): State<AppState>,
    open: OpenStream,
    mut guard: CredentialGuard,
    visitor: Visitor,
) -> Response {
    let (lines, answer) = lines::stream(&state, open);
    tokio::spawn(async move {
        let me = visitor.user().map(|user| user.id.as_str());
        let (mut listener, mut line) = state.lobby.listen(me);
        loop {
            if lines.send(line.to_string()).await.is_none() {
                return;
            }
            let next = tokio::select! {
                () = guard.revoked(&state, &visitor) => return,
                () = lines.closed() => return,
                next = tokio::time::timeout(KEEP_ALIVE, listener.next()) => next,
            };
            line = match next {
                Err(_) => "\n".into(),
                Ok(Some(text)) => text,
                Ok(None) => return,
            };
        }
    });
    answer
}
