//! The pages. They read well without script; the modules of `web/` add the rich parts.

use super::erased::get;
use super::input::QueryParams;
use super::page::{CachedPage, Page, PageError, all_summaries, frame, listed, shared_frame};
use super::{
    challenges, gallery, games, lab, leaderboards, origin, player_page, puzzles, replay, security, variants,
};
use crate::auth::Visitor;
use crate::error::AppError;
use crate::state::AppState;
use crate::studio::is_digest;
use crate::views::{self, Examples};
use axum::Router;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::{Html, IntoResponse, Redirect, Response};
use lozenge_game::is_well_formed;
use lozenge_game::time::now_ms;
use lozenge_live::games::level_ratings;
use lozenge_rules::library::AnyGame;
use lozenge_store::{Listing, UserRow};
use lozenge_wire::{Color, GameSummary, Player, PlayerKind, Speed, VariantSummary};
use serde::Deserialize;

pub(super) fn router() -> Router<AppState> {
    Router::new()
        .route("/", get(home))
        .route("/rules", get(rules))
        .route("/rules/{id}", get(rules_of))
        .route("/variants", get(gallery::show))
        .route("/variants/{id}", get(rules_of))
        .route("/variants/{id}/report", get(lab::page))
        .route("/studio", get(gallery::studio))
        .route("/studio/{id}", get(gallery::open_draft))
        .route("/game/{id}", get(game))
        .route("/live", get(live))
        .route("/player/{name}", get(player_page::show))
        .route("/players", get(players))
        // A form that is sent without its script gives nothing away, and changes nothing: the page comes again.
        .route("/login", get(login).post(login))
        .route("/register", get(register).post(register))
        .route("/recover", get(recover).post(recover))
        .route("/reset", get(reset).post(reset))
        .route("/confirm-email", get(confirm_email).post(confirm_email))
        .route("/account", get(account))
        .route("/api", get(api))
        .route("/about", get(about))
}

/// Which game the form for a new game begins with.
#[derive(Debug, Default, Deserialize)]
struct HomeQuery {
    #[serde(alias = "game")]
    variant: Option<String>,
}

async fn home(
    State(state): State<AppState>,
    visitor: Visitor,
    headers: HeaderMap,
    chosen: Result<Query<HomeQuery>, QueryRejection>,
) -> Page {
    let frame = shared_frame(&state, &visitor, &headers, "src/home/main.tsx")?;
    let mine = mine(&state, &visitor).await?;
    let mut games = all_summaries(&state);
    // Of the games that users have made only the one that is asked for.
    let chosen = chosen.ok().and_then(|Query(chosen)| chosen.variant);
    if let Some(id) = chosen.filter(|id| state.variants.any_game(id).is_none())
        && let Ok(game) = variants::find_any(&state, visitor.id(), &id).await
    {
        games.push(VariantSummary { id, ..variants::summary_of(&game) });
    }
    let daily = puzzles::daily_for(&state, &visitor).await?;
    Ok(Html(views::home(frame, &games, &level_ratings(), &mine, daily.as_ref())?))
}

/// Most games of one's own on the first page.
const MAX_OF_MINE: usize = 12;

/// The client's own part of the first page.
async fn mine(state: &AppState, visitor: &Visitor) -> Result<views::UserOverview, AppError> {
    let Some(player) = visitor.player() else { return Ok(views::UserOverview::default()) };
    let listing = Listing {
        player: Some(player.id.clone()),
        status: Some("started"),
        private: true,
        limit: 100,
        ..Listing::default()
    };
    let mut games = listed(state, listing).await?;
    let waits = |game: &GameSummary| {
        let side = match game.seats.get(game.turn.index()) {
            Some(seat) => &seat.player,
            None if game.turn == Color::White => &game.white,
            None => &game.black,
        };
        side.as_ref().is_none_or(|turn| turn.id != player.id)
    };
    games.sort_by_key(waits);
    games.truncate(MAX_OF_MINE);
    let challenges = challenges::open(state, &player.id).await?;
    Ok(views::UserOverview { player: Some(player), games, challenges })
}

/// Which leaderboard to show at length.
#[derive(Debug, Deserialize)]
struct PlayersQuery {
    variant: Option<String>,
    speed: Option<Speed>,
    /// The beginning of a name to search for.
    name: Option<String>,
}

/// Most players that a search finds.
const MAX_FOUND: i64 = 30;

async fn players(
    State(state): State<AppState>,
    visitor: Visitor,
    headers: HeaderMap,
    QueryParams(query): QueryParams<PlayersQuery>,
) -> Page {
    let frame = frame(&visitor, &headers, "src/common/plain.ts");
    let (mut boards, mut chosen) = (Vec::new(), None);
    let name = query.name.as_deref().map(str::trim).filter(|name| !name.is_empty());
    let found = match name {
        Some(name) if is_well_formed(name) || name.chars().count() == 1 => {
            state.store.users_with_prefix(name, MAX_FOUND).await?
        }
        _ => Vec::new(),
    };
    let found: Vec<Player> = found.iter().map(UserRow::player).collect();
    match query {
        PlayersQuery { variant: Some(ref variant), speed, .. } => {
            let speed = speed.unwrap_or(Speed::Blitz);
            let people = leaderboards::of(&state, variant, speed, false).await?;
            chosen = Some((people, leaderboards::of(&state, variant, speed, true).await?));
        }
        _ => boards = leaderboards::all(&state).await?,
    }
    Ok(Html(views::players(frame, &all_summaries(&state), &boards, chosen.as_ref(), (name, &found))?))
}

async fn rules(State(state): State<AppState>, visitor: Visitor, headers: HeaderMap) -> CachedPage {
    let frame = frame(&visitor, &headers, "src/common/plain.ts");
    let parts = format!("rules {frame:?}");
    let page = state.pages.get(&parts, || views::rules(frame, &all_summaries(&state)))?;
    Ok(page.answer(&headers))
}

/// One game explained.
pub(super) async fn rules_of(
    State(state): State<AppState>,
    visitor: Visitor,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> CachedPage {
    if state.store.is_banned(&id).await? {
        return Err(AppError::NotFound("variant of this id").into());
    }
    let frame = shared_frame(&state, &visitor, &headers, "src/rules/main.tsx")?;
    let game = variants::readable_any(&state, visitor.id(), &id).await?;
    let community = gallery::community(&state, &visitor, &frame, &game).await?;
    // A draft bears its digest as its id.
    let playable = !is_digest(game.id());
    let (report, puzzles) = match &game {
        AnyGame::Two(variant) => (lab::is_known(&state, variant).await?, state.store.has_puzzles(&id).await?),
        AnyGame::Four(_) => (false, false),
    };
    let digest = state.variants.any_digest(&game);
    let offers = views::RulesOffers { playable, for_two: game.two().is_some(), report, puzzles };
    let parts = format!("rules of {id} {digest} {offers:?} {community:?} {frame:?}");
    if let Some(page) = state.pages.known(&parts) {
        return Ok(page.answer(&headers));
    }
    let board = variants::board_of(&state, game.clone()).await?;
    let page = match &game {
        AnyGame::Two(variant) => {
            let array = variants::array(variant);
            let make = || views::rules_of(frame, variant, (&id, offers), board, array, community);
            state.pages.get(&parts, make)?
        }
        AnyGame::Four(game) => {
            let make = || views::rules_of_four(frame, game, (&id, offers), board, community);
            state.pages.get(&parts, make)?
        }
    };
    Ok(page.answer(&headers))
}

async fn game(
    State(state): State<AppState>,
    visitor: Visitor,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Page {
    let live = games::readable(&state, &visitor, &id).await?;
    let (game, variant) = {
        let inner = live.lock().await;
        let side = games::side(&visitor, &inner.machine);
        let game = inner.machine.to_wire(side, now_ms(), inner.presence());
        (game, inner.machine.record.variant())
    };
    let array = variant.two().and_then(|variant| {
        let start = variant.starts().get(variant.usual_start());
        start.filter(|start| start.fen == game.start_fen).and_then(|_| variants::array(variant))
    });
    let board = variants::board_of(&state, variant.clone()).await?;
    let puzzles = state.store.has_puzzles(variant.id()).await?;
    let frame = shared_frame(&state, &visitor, &headers, "src/game/main.tsx")?;
    Ok(Html(views::game(frame, &game, board, array, puzzles)?))
}

async fn live(State(state): State<AppState>, visitor: Visitor, headers: HeaderMap) -> Page {
    let games = state.showcase.list(&state.games).await;
    let replay = if games.is_empty() { replay::choose(&state).await? } else { None };
    Ok(Html(views::live(frame(&visitor, &headers, "src/live/main.tsx"), &games, replay.as_ref())?))
}

async fn login(visitor: Visitor, headers: HeaderMap) -> Page {
    Ok(Html(views::sign(frame(&visitor, &headers, "src/account/main.tsx"), false)?))
}

async fn register(visitor: Visitor, headers: HeaderMap) -> Page {
    Ok(Html(views::sign(frame(&visitor, &headers, "src/account/main.tsx"), true)?))
}

async fn recover(State(state): State<AppState>, visitor: Visitor, headers: HeaderMap) -> Page {
    let frame = frame(&visitor, &headers, "src/account/main.tsx");
    Ok(Html(views::recover(frame, "recover", state.config.mail.is_some())?))
}

async fn reset(visitor: Visitor, headers: HeaderMap) -> Page {
    Ok(Html(views::recover(frame(&visitor, &headers, "src/account/main.tsx"), "reset", true)?))
}

async fn confirm_email(visitor: Visitor, headers: HeaderMap) -> Page {
    Ok(Html(views::recover(frame(&visitor, &headers, "src/account/main.tsx"), "confirm-email", true)?))
}

async fn account(
    State(state): State<AppState>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, PageError> {
    if visitor.user().is_none_or(|user| user.name.is_none()) {
        return Ok(Redirect::to("/login").into_response());
    }
    let account = security::describe(&state, &visitor).await?;
    let frame = frame(&visitor, &headers, "src/account/main.tsx");
    Ok(Html(views::account(frame, &account).map_err(AppError::from)?).into_response())
}

async fn api(State(state): State<AppState>, visitor: Visitor, headers: HeaderMap) -> CachedPage {
    // Examples that work here name a game and a player that there are.
    let latest = listed(&state, Listing { limit: 1, ..Listing::default() }).await?.pop();
    let named = |player: &Option<Player>| {
        player.as_ref().filter(|player| player.kind == PlayerKind::User).map(|player| player.name.clone())
    };
    let examples = Examples {
        base: origin::base_address(&state, &headers)?,
        player: latest.as_ref().and_then(|game| named(&game.white).or_else(|| named(&game.black))),
        game: latest.map(|game| game.id),
    };
    let frame = frame(&visitor, &headers, "src/api/main.ts");
    let parts = format!("api {examples:?} {frame:?}");
    let page = state.pages.get(&parts, || views::api(frame, super::operations(), examples))?;
    Ok(page.answer(&headers))
}

async fn about(visitor: Visitor, headers: HeaderMap) -> Page {
    Ok(Html(views::about(frame(&visitor, &headers, "src/common/plain.ts"))?))
}
