//! The pages. They read well without script; the modules of `web/` add the rich parts.

use super::erased::get;
use super::input::QueryParams;
use super::{
    accounts, challenges, gallery, games, lab, leaderboards, origin, player_page, puzzles, replay, variants,
};
use crate::auth::Visitor;
use crate::error::AppError;
use crate::state::AppState;
use crate::studio::is_digest;
use crate::views::{self, Examples, Frame};
use axum::Router;
use axum::extract::rejection::QueryRejection;
use axum::extract::{FromRequestParts as _, Path, Query, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Redirect, Response};
use lozenge_explain::Language;
use lozenge_game::is_well_formed;
use lozenge_game::time::now_ms;
use lozenge_live::games::level_ratings;
use lozenge_rules::library::AnyGame;
use lozenge_store::{Listing, UserRow};
use lozenge_wire::{Color, GameSummary, Player, PlayerKind, Problem, Speed, VariantSummary};
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

/// A fault of a page, until it is known who reads it: [`show_faults`] makes the page.
pub(super) struct PageError(AppError);

impl<E: Into<AppError>> From<E> for PageError {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        let problem = self.0.problem();
        if let AppError::Internal(fault) = &self.0 {
            tracing::error!(fault, "a page failed");
        }
        let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = status.into_response();
        response.extensions_mut().insert(problem);
        response
    }
}

/// Makes the pages of faults.
pub(crate) async fn show_faults(State(state): State<AppState>, request: Request, next: Next) -> Response {
    if request.uri().path().starts_with("/api/") {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    let mut page_parts = parts.clone();
    let mut response = next.run(Request::from_parts(parts, body)).await;
    let handler_problem = response.extensions_mut().remove::<Problem>();
    // Errors of the router itself carry no `Problem` yet. Failed health checks do not either, and stay as they are.
    let plain_problem =
        || crate::error::plain_error_problem(&response).filter(|problem| problem.status < 500);
    let Some(problem) = handler_problem.or_else(plain_problem) else { return response };
    // If that fails, too, the page is for no particular user.
    let visitor = Visitor::from_request_parts(&mut page_parts, &state).await.ok();
    let (player, settings) =
        visitor.map_or_else(Default::default, |visitor| (visitor.player(), visitor.settings()));
    let frame = Frame::new(player, settings, &page_parts.headers, "src/common/plain.ts");
    let page = views::fault(frame, &problem).unwrap_or(problem.detail);
    let (status, allow) = (response.status(), response.headers_mut().remove(header::ALLOW));
    let allow = allow.map(|allow| [(header::ALLOW, allow)]);
    (status, allow, Html(page)).into_response()
}

pub(super) type Page = Result<Html<String>, PageError>;
/// A page that is cached.
type CachedPage = Result<Response, PageError>;

impl From<askama::Error> for AppError {
    fn from(error: askama::Error) -> Self {
        Self::Internal(error.to_string())
    }
}

pub(super) fn summaries(state: &AppState) -> Vec<VariantSummary> {
    state.variants.all().iter().map(|game| variants::summary(game)).collect()
}

/// The built-in games for any number of players; those of four last.
fn all_summaries(state: &AppState) -> Vec<VariantSummary> {
    let mut games = summaries(state);
    games.extend(state.variants.games_of_four().iter().map(|game| variants::summary_of_four(game)));
    games
}

/// The frame for the sender of a request, with the module of `web/` that the page needs.
pub(super) fn frame(visitor: &Visitor, headers: &HeaderMap, module: &str) -> Frame {
    Frame::new(visitor.player(), visitor.settings(), headers, module)
}

/// The same for a page whose link may be shared.
pub(super) fn shared_frame(
    state: &AppState,
    visitor: &Visitor,
    headers: &HeaderMap,
    module: &str,
) -> Result<Frame, AppError> {
    Ok(frame(visitor, headers, module).at(origin::base_address(state, headers)?))
}

/// The reader's language.
pub(super) fn language(visitor: &Visitor, headers: &HeaderMap) -> Language {
    views::language(&visitor.settings(), headers)
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
        && let Ok(variant) = variants::find(&state, visitor.id(), &id).await
    {
        games.push(VariantSummary { id, ..variants::summary(&variant) });
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
    if let Some(AnyGame::Four(game)) = state.variants.any_game(&id) {
        let parts = format!("rules of {id} {frame:?}");
        if let Some(page) = state.pages.known(&parts) {
            return Ok(page.answer(&headers));
        }
        let board = variants::board_of(&state, &game).await?;
        return Ok(state.pages.get(&parts, || views::rules_of_four(frame, &game, board))?.answer(&headers));
    }
    let variant = variants::readable(&state, visitor.id(), &id).await?;
    let community = gallery::community(&state, &visitor, &frame, &variant).await?;
    // A draft bears its digest as its id.
    let playable = !is_digest(variant.id());
    let report = lab::is_known(&state, &variant).await?;
    let puzzles = state.store.has_puzzles(&id).await?;
    let digest = state.variants.digest(&variant);
    let offers = views::RulesOffers { playable, for_two: true, report, puzzles };
    let parts = format!("rules of {id} {digest} {offers:?} {community:?} {frame:?}");
    if let Some(page) = state.pages.known(&parts) {
        return Ok(page.answer(&headers));
    }
    let board = variants::board_of(&state, &variant).await?;
    let array = variants::array(&variant);
    let make = || views::rules_of(frame, &variant, (&id, offers), board, array, community);
    Ok(state.pages.get(&parts, make)?.answer(&headers))
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

pub(super) async fn listed(state: &AppState, listing: Listing) -> Result<Vec<GameSummary>, AppError> {
    let mut games = Vec::new();
    for row in state.store.games(&listing).await? {
        match games::line(state, &row).await {
            Ok(game) => games.push(game),
            Err(error) => tracing::error!(%error, game = row.id, "a game could not be listed"),
        }
    }
    Ok(games)
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
    let account = accounts::describe(&state, &visitor).await?;
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

/// There is nothing at this address: JSON for programs, a page for people.
pub(super) async fn not_found(request: Request) -> Response {
    let accepts =
        request.headers().get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let error = AppError::NotFound("page");
    if request.uri().path().starts_with("/api/") || !accepts.contains("text/html") {
        return error.into_response();
    }
    PageError(error).into_response()
}
