//! The lobby: wishes for games, and what becomes of them.

use super::input::Sent;
use super::lines::{self, KEEP_ALIVE};
use super::{Answer, games, variants};
use crate::account::{self, Visitor, Watch};
use crate::app::AppState;
use crate::error::AppError;
use crate::hub::{Terms, check_clock, draw_start, speed};
use crate::limits::OpenStream;
use crate::lobby::{News, Open};
use crate::time::now_ms;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use lozenge_wire::{LobbyEvent, NewSeek, Player, PlayerKind, Problem, Scope, Seek, Side, Sought, Visibility};
use rand::RngExt as _;
use tokio::sync::broadcast::error::RecvError;

/// The open wishes, newest first.
#[utoipa::path(get, operation_id = "list_seeks", path = "/api/seeks", tag = "lobby", responses((status = 200, body = Vec<Seek>)))]
pub(super) async fn list(State(state): State<AppState>, visitor: Visitor) -> Json<Vec<Seek>> {
    Json(state.lobby.list(visitor.user().map(|user| user.id.as_str())))
}

/// Wishes for a game: it begins at once if somebody wishes the same. A wish for a game by correspondence stands for two
/// weeks; another ends soon after its maker has stopped listening to the stream, or in ten minutes.
#[utoipa::path(post, operation_id = "make_seek", path = "/api/seeks", tag = "lobby", request_body = NewSeek,
    responses((status = 201, body = Sought), (status = 404, body = Problem), (status = 409, body = Problem),
        (status = 422, body = Problem)))]
pub(super) async fn seek(
    State(state): State<AppState>,
    mut visitor: Visitor,
    Sent(wanted): Sent<NewSeek>,
) -> Answer<impl IntoResponse> {
    visitor.may(Scope::Play)?;
    let variant = variants::find(&state, &wanted.variant)?;
    if let Some(clock) = wanted.clock {
        check_clock(clock).map_err(AppError::Invalid)?;
    }
    if let (Some(least), Some(most)) = (wanted.rating_min, wanted.rating_max)
        && least > most
    {
        return Err(AppError::Invalid(format!(
            "expected a lowest rating that is not above the highest, found {least} and {most}"
        )));
    }
    let me = visitor.ensure(&state).await?;
    if wanted.rated && (me.kind == PlayerKind::Guest || wanted.clock.is_none()) {
        return Err(AppError::Forbidden("expected an account and a clock for a rated game"));
    }
    state.lobby.has_room(&me.id)?;
    let me = games::with_rating(&state, me, &wanted.variant, speed(wanted.clock)).await?;
    let open = Open {
        seek: Seek {
            id: crate::ids::other(),
            player: me.clone(),
            variant: wanted.variant.clone(),
            variant_name: variant.name().into(),
            clock: wanted.clock,
            speed: speed(wanted.clock),
            side: wanted.side,
            rated: wanted.rated,
            yours: true,
            created_at: now_ms(),
        },
        rating_min: wanted.rating_min,
        rating_max: wanted.rating_max,
    };
    // On the disk before anybody can take it.
    if open.is_kept()
        && let Err(error) = state.store.keep_seek(&open).await
    {
        is_there(&state, &me).await?;
        return Err(error.into());
    }
    let met = state.lobby.meet_or_add(open.clone());
    if !matches!(met, Ok(None))
        && open.is_kept()
        && let Err(error) = state.store.drop_seek(&open.seek.id).await
    {
        met.ok().flatten().into_iter().for_each(|other| state.lobby.add(other));
        return Err(error.into());
    }
    let sought = match met? {
        Some(other) => Sought { seek: None, game: Some(begin(&state, &other, me, wanted.side).await?) },
        None => {
            let there = is_there(&state, &me).await;
            if matches!(there, Err(AppError::SignIn)) {
                state.lobby.clear(&me.id, false);
            }
            there?;
            Sought { seek: Some(open.seek), game: None }
        }
    };
    Ok((StatusCode::CREATED, Json(sought)))
}

/// Refuses somebody whose account was deleted while the request was on its way.
async fn is_there(state: &AppState, player: &Player) -> Answer<()> {
    state.store.user(&player.id).await?.map(|_| ()).ok_or(AppError::SignIn)
}

/// Withdraws one's own wish.
#[utoipa::path(delete, operation_id = "withdraw_seek", path = "/api/seeks/{id}", tag = "lobby", params(("id" = String, Path)),
    responses((status = 204), (status = 404, body = Problem)))]
pub(super) async fn withdraw(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Answer<StatusCode> {
    visitor.may(Scope::Play)?;
    let me = visitor.user().ok_or(AppError::SignIn)?.id.clone();
    let wish = state.lobby.take(&id, |wish| wish.seek.player.id == me);
    forget(&state, &wish.ok_or(AppError::NotFound("wish of yours"))?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Accepts somebody's wish: the game begins.
#[utoipa::path(post, operation_id = "accept_seek", path = "/api/seeks/{id}/accept", tag = "lobby", params(("id" = String, Path)),
    responses((status = 200, body = Sought), (status = 403, body = Problem), (status = 404, body = Problem)))]
pub(super) async fn accept(
    State(state): State<AppState>,
    mut visitor: Visitor,
    Path(id): Path<String>,
) -> Answer<Json<Sought>> {
    visitor.may(Scope::Play)?;
    let me = visitor.ensure(&state).await?;
    let wish = state.lobby.list(None).into_iter().find(|seek| seek.id == id);
    let wish = wish.ok_or(AppError::NotFound("open wish"))?;
    if wish.rated && me.kind == PlayerKind::Guest {
        return Err(AppError::Forbidden("expected an account for a rated game"));
    }
    let me = games::with_rating(&state, me, &wish.variant, wish.speed).await?;
    let rating = me.rating.unwrap_or(1500);
    let may = |open: &Open| {
        open.seek.player.id != me.id
            && open.rating_min.is_none_or(|least| rating >= least)
            && open.rating_max.is_none_or(|most| rating <= most)
    };
    let open =
        state.lobby.take(&id, may).ok_or(AppError::Forbidden("expected somebody whom the wish is for"))?;
    let game = begin(&state, &open, me.clone(), Side::Random).await?;
    Ok(Json(Sought { seek: None, game: Some(game) }))
}

/// Forgets a wish that has been taken out of the lobby; it goes back there if that is not possible.
async fn forget(state: &AppState, wish: &Open) -> Answer<()> {
    if !wish.is_kept() {
        return Ok(());
    }
    match state.store.drop_seek(&wish.seek.id).await {
        Ok(true) => Ok(()),
        Ok(false) => Err(AppError::NotFound("open wish")),
        Err(error) => {
            state.lobby.add(wish.clone());
            Err(error.into())
        }
    }
}

/// Begins the game that a wish has led to. The wish is forgotten first: if the server dies in between, there is neither
/// the wish nor the game, and never two games of one wish.
async fn begin(state: &AppState, wish: &Open, other: Player, other_side: Side) -> Answer<String> {
    forget(state, wish).await?;
    let seek = &wish.seek;
    let variant = variants::find(state, &seek.variant)?;
    let seeker_white = match (seek.side, other_side) {
        (Side::White, _) | (_, Side::Black) => true,
        (Side::Black, _) | (_, Side::White) => false,
        _ => rand::rng().random(),
    };
    // The wish may be old: its maker plays under today's name and rating.
    let seeker = state.store.user(&seek.player.id).await?.ok_or(AppError::NotFound("open wish"))?;
    let seeker = games::with_rating(state, account::player(&seeker), &seek.variant, seek.speed).await?;
    let seats = if seeker_white { [Some(seeker), Some(other)] } else { [Some(other), Some(seeker)] };
    let terms = Terms {
        id: crate::ids::game(),
        digest: state.variants.digest(&variant),
        clock: seek.clock,
        speed: seek.speed,
        rated: seek.rated,
        visibility: Visibility::Public,
        maker: seek.player.id.clone(),
        previous: None,
        created_at: now_ms(),
    };
    let game = terms.id.clone();
    state.hub.make(terms, draw_start(&variant), seats).await?;
    state.lobby.tell(News::Game { player: seek.player.id.clone(), game: game.clone() });
    Ok(game)
}

/// The wishes as they come and go, one message a line, and the game once one's own wish has led to one.
#[utoipa::path(get, operation_id = "stream_seeks", path = "/api/seeks/stream", tag = "lobby",
    responses((status = 200, body = LobbyEvent, content_type = "application/x-ndjson")))]
pub(super) async fn stream(
    State(state): State<AppState>,
    open: OpenStream,
    mut watch: Watch,
    visitor: Visitor,
) -> Response {
    let (lines, answer) = lines::stream(open);
    let me = visitor.user().map(|user| user.id.clone());
    tokio::spawn(async move {
        let mut listener = state.lobby.listen(me.as_deref());
        let mut event = Some(LobbyEvent::Seeks { seeks: state.lobby.list(me.as_deref()) });
        loop {
            let line = event.as_ref().and_then(|event| serde_json::to_string(event).ok()).unwrap_or_default();
            if lines.send(line + "\n").await.is_none() {
                return;
            }
            event = loop {
                let heard = tokio::select! {
                    () = watch.ended(&state, &visitor) => return,
                    () = lines.closed() => return,
                    heard = tokio::time::timeout(KEEP_ALIVE, listener.news.recv()) => heard,
                };
                match heard {
                    Err(_) => break None,
                    Ok(Err(RecvError::Closed)) => return,
                    Ok(Ok(News::Game { player, game })) if Some(&player) == me.as_ref() => {
                        break Some(LobbyEvent::Game { game });
                    }
                    Ok(Ok(News::Game { .. })) => {}
                    Ok(Ok(News::Changed) | Err(RecvError::Lagged(_))) => {
                        break Some(LobbyEvent::Seeks { seeks: state.lobby.list(me.as_deref()) });
                    }
                }
            };
        }
    });
    answer
}
