//! For programs, in the manner of lichess's Board and Bot API: one stream of what concerns a player, one of each game,
//! and moves by address. `board` and `bot` are twins: the first is for people's accounts, the second for bots'.

use super::input::JsonOrForm;
use super::lines::{self, KEEP_ALIVE, LineStream};
use super::{AppResult, games, play};
use crate::auth::{CredentialGuard, Visitor};
use crate::error::AppError;
use crate::limits::OpenStream;
use crate::state::AppState;
use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;
use lozenge_live::challenges::{ChallengeEvent, Change};
use lozenge_live::games::{Lifecycle, PlayerAction};
use lozenge_wire::{Action, ChatText, Event, GameId, GameState, PlayerEvent, Problem, Scope};
use std::collections::HashSet;
use tokio::sync::broadcast::error::RecvError;

fn kind(visitor: &Visitor, kind: &str) -> AppResult<()> {
    match kind {
        "board" => visitor.may(Scope::Play),
        "bot" => visitor.may(Scope::Bot),
        _ => Err(AppError::NotFound("page")),
    }
}

/// Events for the client: `{"type":"gameStart","game":{"id":…}}` for each game of theirs in progress,
/// `gameFinish` when it ends; `{"type":"challenge","challenge":…}` for each open challenge that they have sent or received, then
/// `challengeAccepted` (with the `game`), `challengeDeclined` or `challengeCanceled`; an empty line every ten seconds.
#[utoipa::path(get, operation_id = "program_stream_events", path = "/api/stream/event", tag = "programs",
    responses((status = 200, body = PlayerEvent, content_type = "application/x-ndjson"), (status = 401, body = Problem)))]
pub(super) async fn events(
    State(state): State<AppState>,
    open: OpenStream,
    mut guard: CredentialGuard,
    visitor: Visitor,
) -> AppResult<Response> {
    visitor.may(Scope::Play)?;
    let me = visitor.user().ok_or(AppError::SignIn)?.id.clone();
    let (lines, answer) = lines::stream(&state, open);
    tokio::spawn(async move { follow(&state, &me, &visitor, &mut guard, &lines).await });
    Ok(answer)
}

/// Until the client disconnects or loses access.
async fn follow(
    state: &AppState,
    me: &str,
    visitor: &Visitor,
    guard: &mut CredentialGuard,
    lines: &LineStream,
) -> Option<()> {
    // Subscribed before the first query, so that nothing falls between the two.
    let mut lifecycle = state.games.lifecycle();
    let mut challenges = state.challenges.subscribe();
    let mut known = HashSet::new();
    let mut text = changed_games(state, me, &mut known).await? + &open_challenges(state, me).await? + "\n";
    let mut quiet = tokio::time::interval(KEEP_ALIVE);
    loop {
        if !text.is_empty() {
            lines.send(core::mem::take(&mut text)).await?;
            quiet.reset();
        }
        tokio::select! {
            () = guard.revoked(state, visitor) => return None,
            () = lines.closed() => return None,
            _ = quiet.tick() => text.push('\n'),
            message = lifecycle.recv() => match message {
                Ok(lifecycle) if *lifecycle.player == *me => text = lifecycle_line(&lifecycle, &mut known),
                Ok(_) => {}
                Err(RecvError::Lagged(_)) => text = changed_games(state, me, &mut known).await?,
                Err(RecvError::Closed) => return None,
            },
            event = challenges.recv() => match event {
                Ok(event) if event.concerns(me) => text = challenge_line(&event),
                Ok(_) => {}
                Err(RecvError::Lagged(_)) => text = open_challenges(state, me).await?,
                Err(RecvError::Closed) => return None,
            },
        }
    }
}

/// A line for each open challenge.
async fn open_challenges(state: &AppState, me: &str) -> Option<String> {
    let open = super::challenges::open(state, me).await.ok()?;
    let all = open.received.into_iter().chain(open.sent);
    Some(
        all.map(|challenge| {
            challenge_line(&ChallengeEvent {
                challenge: challenge.into(),
                change: Change::Sent,
                remote: false,
            })
        })
        .collect(),
    )
}

/// The line for something that has happened to a challenge.
fn challenge_line(ChallengeEvent { challenge, change, .. }: &ChallengeEvent) -> String {
    let challenge = (**challenge).clone();
    line(&match change {
        Change::Sent => PlayerEvent::Challenge { challenge },
        Change::Accepted { game } => PlayerEvent::ChallengeAccepted { challenge, game: game_id(game) },
        Change::Declined => PlayerEvent::ChallengeDeclined { challenge },
        Change::Canceled => PlayerEvent::ChallengeCanceled { challenge },
    })
}

/// A line for each game that has begun or ended since what is known.
async fn changed_games(state: &AppState, me: &str, known: &mut HashSet<String>) -> Option<String> {
    let now: HashSet<String> = state.store.ongoing_games(me).await.ok()?.into_iter().collect();
    let begun = now.difference(known).map(|id| start_line(id));
    let ended = known.difference(&now).map(|id| finish_line(id));
    let text = begun.chain(ended).collect();
    *known = now;
    Some(text)
}

/// The line for a game that has begun or ended, unless it has been sent.
fn lifecycle_line(lifecycle: &Lifecycle, known: &mut HashSet<String>) -> String {
    let id = &*lifecycle.game;
    match lifecycle.started {
        true if known.insert(id.to_owned()) => start_line(id),
        false if known.remove(id) => finish_line(id),
        _ => String::new(),
    }
}

fn start_line(id: &str) -> String {
    line(&PlayerEvent::GameStart { game: game_id(id) })
}

fn finish_line(id: &str) -> String {
    line(&PlayerEvent::GameFinish { game: game_id(id) })
}

fn game_id(id: &str) -> GameId {
    GameId { id: id.into(), game_id: id.into() }
}

/// An event as a line. Its keys are sorted, as they have always been for programs: a `Value` does that.
fn line(event: &PlayerEvent) -> String {
    format!("{}\n", serde_json::json!(event))
}

/// A game for a program, an event a line: the whole game, then every change with the full position and the legal moves. A game of
/// four has `seats`, and in each state `seats.list`; `turn` is the color to move.
#[utoipa::path(get, operation_id = "program_stream_game", path = "/api/{kind}/game/stream/{id}", tag = "programs",
    params(("kind" = String, Path, description = "`board` or `bot`"), ("id" = String, Path)),
    responses((status = 200, body = Event, content_type = "application/x-ndjson"), (status = 404, body = Problem)))]
pub(super) async fn game(
    State(state): State<AppState>,
    open: OpenStream,
    guard: CredentialGuard,
    visitor: Visitor,
    Path((account, id)): Path<(String, String)>,
) -> AppResult<Response> {
    kind(&visitor, &account)?;
    play::stream(State(state), open, guard, visitor, Path(id)).await
}

/// Plays a move.
#[utoipa::path(post, operation_id = "program_play", path = "/api/{kind}/game/{id}/move/{uci}", tag = "programs",
    params(("kind" = String, Path, description = "`board` or `bot`"), ("id" = String, Path), ("uci" = String, Path)),
    responses((status = 200, body = GameState), (status = 409, body = Problem), (status = 422, body = Problem)))]
pub(super) async fn play(
    State(state): State<AppState>,
    visitor: Visitor,
    Path((account, id, uci)): Path<(String, String, String)>,
) -> AppResult<Json<GameState>> {
    kind(&visitor, &account)?;
    let live = games::readable(&state, &visitor, &id).await?;
    let ply = live.lock().await.machine.played.len() as u32;
    play::request(&state, &visitor, &id, Action::Move { played: uci, ply }.into()).await
}

/// Says something in a game, as JSON or as a form.
#[utoipa::path(post, path = "/api/{kind}/game/{id}/chat", tag = "programs",
    params(("kind" = String, Path, description = "`board` or `bot`"), ("id" = String, Path)),
    request_body(content((ChatText = "application/json"), (ChatText = "application/x-www-form-urlencoded"))),
    responses((status = 200, body = GameState), (status = 403, body = Problem), (status = 404, body = Problem),
        (status = 422, body = Problem)))]
pub(super) async fn chat(
    State(state): State<AppState>,
    visitor: Visitor,
    Path((account, id)): Path<(String, String)>,
    JsonOrForm(ChatText { room, text }): JsonOrForm<ChatText>,
) -> AppResult<Json<GameState>> {
    kind(&visitor, &account)?;
    play::request(&state, &visitor, &id, Action::Chat { room, text }.into()).await
}

/// Anything else: `abort`, `resign`, `draw/yes`, `draw/no`, `takeback/yes`, `takeback/no`, `claim-victory`, `claim-draw`.
/// In a game of four `resign` waits for the own turn, and the others go on.
#[utoipa::path(post, operation_id = "program_act", path = "/api/{kind}/game/{id}/{*what}", tag = "programs",
    params(("kind" = String, Path, description = "`board` or `bot`"), ("id" = String, Path), ("what" = String, Path)),
    responses((status = 200, body = GameState), (status = 404, body = Problem), (status = 409, body = Problem)))]
pub(super) async fn act(
    State(state): State<AppState>,
    visitor: Visitor,
    Path((account, id, what)): Path<(String, String, String)>,
) -> AppResult<Json<GameState>> {
    kind(&visitor, &account)?;
    let action = match what.as_str() {
        "abort" => Action::Abort.into(),
        "resign" => Action::Resign.into(),
        "draw/yes" => Action::Draw.into(),
        "draw/no" => Action::DeclineDraw.into(),
        "takeback/yes" => Action::Takeback.into(),
        "takeback/no" => Action::DeclineTakeback.into(),
        "claim-victory" => PlayerAction::ClaimVictory,
        "claim-draw" => PlayerAction::ClaimDraw,
        _ => return Err(AppError::NotFound("action")),
    };
    play::request(&state, &visitor, &id, action).await
}
