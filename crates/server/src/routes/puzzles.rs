//! Puzzles: the next one at the solver's rating, the puzzle of the day, attempts and hints, votes, and the history.

use super::AppResult;
use super::input::{JsonBody, QueryParams};
use crate::auth::Visitor;
use crate::denial::Denial;
use crate::error::AppError;
use crate::state::AppState;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use lozenge_game::convert;
use lozenge_game::time::{DAY_MS, now_ms};
use lozenge_game::{PuzzleLine, PuzzleProgress, RatedAttempt, vote_weight};
use lozenge_live::puzzles::line;
use lozenge_rules::library;
use lozenge_rules::position::AnyPosition;
use lozenge_rules::variant::Variant;
use lozenge_store::{PuzzleChoice, PuzzleEnd, PuzzleRoundRow, PuzzleRow};
use lozenge_wire::{
    MAX_PUZZLE_MOVES, MoveText, PlayerKind, Problem, Puzzle, PuzzleAttempt, PuzzleHint, PuzzleHintRequest,
    PuzzleRating, PuzzleResult, PuzzleRound, PuzzleStorm, PuzzleStreak, PuzzleTheme, PuzzleVote,
    RatingChange, RatingEntry, Scope, StormPuzzle,
};
use serde::Deserialize;
use std::sync::Arc;
use utoipa::IntoParams;

/// How far a puzzle's rating may be from the solver's, tried in turn.
const RANGES: [f64; 3] = [300.0, 600.0, f64::MAX];
/// Most puzzles of a streak.
const MAX_STREAK: i64 = 100;
/// Most puzzles of a storm: more than any player solves in its time.
const MAX_STORM: i64 = 80;
/// Most rounds of an answer.
const MAX_ROUNDS: i64 = 50;

const NONE: AppError = AppError::NotFound("puzzle of this game and theme");

/// The puzzles to choose from.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct PuzzleQuery {
    /// Id of the rules.
    pub(super) variant: String,
    /// Only puzzles with this theme, such as `fork`.
    pub(super) theme: Option<String>,
}

/// The game of the puzzles.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct PuzzleGameQuery {
    /// Id of the rules.
    pub(super) variant: String,
}

/// The game of the puzzle, optionally.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct DailyQuery {
    /// Id of the rules; without it the game of the day, one of the five in turn.
    variant: Option<String>,
}

/// The part of the history to list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct BeforeQuery {
    /// Only attempts that ended before this moment, in Unix milliseconds.
    before: Option<i64>,
}

/// A game with its rules. Puzzles are of the built-in games.
pub(super) fn game(state: &AppState, id: &str) -> AppResult<Arc<Variant>> {
    state.variants.game(id).ok_or(AppError::NotFound("built-in game of two players with this id"))
}

/// A puzzle near the solver's rating that they have not tried; when there is none left, the one that they tried longest ago.
#[utoipa::path(get, operation_id = "next_puzzle", path = "/api/puzzles/next", tag = "puzzles", params(PuzzleQuery),
    responses((status = 200, body = Puzzle), (status = 404, body = Problem), (status = 422, body = Problem)))]
pub(super) async fn next(
    State(state): State<AppState>,
    visitor: Visitor,
    QueryParams(query): QueryParams<PuzzleQuery>,
) -> AppResult<Json<Puzzle>> {
    let row = choose(&state, &visitor, &query).await?;
    Ok(Json(describe(&state, &visitor, &row).await?))
}

/// The next puzzle for a visitor.
pub(super) async fn choose(state: &AppState, visitor: &Visitor, query: &PuzzleQuery) -> AppResult<PuzzleRow> {
    let variant = game(state, &query.variant)?;
    let solver = visitor.id();
    let rating = state.store.puzzle_rating(solver.unwrap_or_default(), variant.id()).await?.rating;
    let choice = PuzzleChoice { variant: variant.id(), theme: query.theme.as_deref(), solver };
    for range in RANGES {
        if let Some(row) = state.store.untried_puzzle(choice, [rating - range, rating + range]).await? {
            return Ok(row);
        }
    }
    state.store.oldest_tried_puzzle(choice).await?.ok_or(NONE)
}

/// The puzzle of the day, the same for all players. It changes at midnight, UTC.
#[utoipa::path(get, operation_id = "daily_puzzle", path = "/api/puzzles/daily", tag = "puzzles", params(DailyQuery),
    responses((status = 200, body = Puzzle), (status = 404, body = Problem), (status = 422, body = Problem)))]
pub(super) async fn daily(
    State(state): State<AppState>,
    visitor: Visitor,
    QueryParams(DailyQuery { variant }): QueryParams<DailyQuery>,
) -> AppResult<Json<Puzzle>> {
    if let Some(variant) = &variant {
        game(&state, variant)?;
    }
    let row = of_today(&state, variant.as_deref()).await?.ok_or(NONE)?;
    Ok(Json(describe(&state, &visitor, &row).await?))
}

/// The puzzle of the day, if there are puzzles: that of a game, or of the game of the day.
pub(super) async fn of_today(state: &AppState, variant: Option<&str>) -> AppResult<Option<PuzzleRow>> {
    let day = now_ms() / DAY_MS;
    if let Some(variant) = variant {
        return Ok(state.store.daily_puzzle(variant, day).await?);
    }
    let counts = state.store.puzzle_counts().await?;
    let games: Vec<&str> = library::ids()
        .take(library::OWN_GAMES)
        .filter(|id| counts.iter().any(|(variant, _)| variant == id))
        .collect();
    if games.is_empty() {
        return Ok(None);
    }
    let number = usize::try_from(day).unwrap_or_default() % games.len();
    Ok(state.store.daily_puzzle(games[number], day).await?)
}

/// The puzzle of the day for a visitor, if there are puzzles.
pub(super) async fn daily_for(state: &AppState, visitor: &Visitor) -> AppResult<Option<Puzzle>> {
    match of_today(state, None).await? {
        Some(row) => Ok(Some(describe(state, visitor, &row).await?)),
        None => Ok(None),
    }
}

/// Puzzles for a streak: to be solved in turn until one is failed, the easiest first.
#[utoipa::path(get, operation_id = "puzzle_streak", path = "/api/puzzles/streak", tag = "puzzles", params(PuzzleGameQuery),
    responses((status = 200, body = PuzzleStreak), (status = 404, body = Problem), (status = 422, body = Problem)))]
pub(super) async fn streak(
    State(state): State<AppState>,
    QueryParams(PuzzleGameQuery { variant }): QueryParams<PuzzleGameQuery>,
) -> AppResult<Json<PuzzleStreak>> {
    Ok(Json(streak_of(&state, &variant).await?))
}

/// A streak of a game.
pub(super) async fn streak_of(state: &AppState, variant: &str) -> AppResult<PuzzleStreak> {
    let ladder = state.store.puzzle_ladder(game(state, variant)?.id(), MAX_STREAK).await?;
    let puzzles: Vec<String> = ladder.into_iter().map(|row| row.id).collect();
    if puzzles.is_empty() { Err(NONE) } else { Ok(PuzzleStreak { puzzles }) }
}

/// Puzzles to solve as many as possible of within three minutes, the easiest first, with their solutions: nothing is rated.
#[utoipa::path(get, operation_id = "puzzle_storm", path = "/api/puzzles/storm", tag = "puzzles", params(PuzzleGameQuery),
    responses((status = 200, body = PuzzleStorm), (status = 404, body = Problem), (status = 422, body = Problem)))]
pub(super) async fn storm(
    State(state): State<AppState>,
    QueryParams(PuzzleGameQuery { variant }): QueryParams<PuzzleGameQuery>,
) -> AppResult<Json<PuzzleStorm>> {
    let variant = game(&state, &variant)?;
    let digest = state.variants.digest(&variant);
    let rows = state.store.puzzle_ladder(variant.id(), MAX_STORM).await?.into_iter();
    let puzzles: Vec<StormPuzzle> = rows
        .filter(|row| row.digest == digest)
        .map(|row| StormPuzzle {
            line: row.line.split(' ').map(str::to_owned).collect(),
            id: row.id,
            fen: row.fen,
            lead: row.lead,
            rating: row.rating.round() as i32,
        })
        .collect();
    if puzzles.is_empty() { Err(NONE) } else { Ok(Json(PuzzleStorm { puzzles })) }
}

/// The themes of a game's puzzles, the most frequent first.
#[utoipa::path(get, operation_id = "puzzle_themes", path = "/api/puzzles/themes", tag = "puzzles", params(PuzzleGameQuery),
    responses((status = 200, body = Vec<PuzzleTheme>), (status = 404, body = Problem), (status = 422, body = Problem)))]
pub(super) async fn themes(
    State(state): State<AppState>,
    QueryParams(PuzzleGameQuery { variant }): QueryParams<PuzzleGameQuery>,
) -> AppResult<Json<Vec<PuzzleTheme>>> {
    Ok(Json(themes_of(&state, game(&state, &variant)?.id()).await?))
}

/// The themes of a game.
pub(super) async fn themes_of(state: &AppState, variant: &str) -> AppResult<Vec<PuzzleTheme>> {
    let counts = state.store.puzzle_theme_counts(variant).await?.into_iter();
    Ok(counts.map(|(theme, puzzles)| PuzzleTheme { theme, puzzles: puzzles as u32 }).collect())
}

/// The puzzles that the reader has tried, the latest first, at most 50.
#[utoipa::path(get, operation_id = "puzzle_history", path = "/api/puzzles/history", tag = "puzzles", params(BeforeQuery),
    responses((status = 200, body = Vec<PuzzleRound>), (status = 401, body = Problem), (status = 422, body = Problem)))]
pub(super) async fn history(
    State(state): State<AppState>,
    visitor: Visitor,
    QueryParams(BeforeQuery { before }): QueryParams<BeforeQuery>,
) -> AppResult<Json<Vec<PuzzleRound>>> {
    visitor.may(Scope::Play)?;
    let me = visitor.id().ok_or(AppError::SignIn)?;
    Ok(Json(rounds_of(&state, me, before.unwrap_or(i64::MAX)).await?))
}

/// A player's latest first attempts before a moment (Unix milliseconds).
pub(super) async fn rounds_of(state: &AppState, owner: &str, before: i64) -> AppResult<Vec<PuzzleRound>> {
    let round = |row: PuzzleRoundRow| PuzzleRound {
        puzzle: row.puzzle,
        variant: row.variant,
        solved: row.won == 1,
        at: row.at,
        rating: row.rating_before.zip(row.rating).map(change),
    };
    Ok(state.store.puzzle_rounds(owner, before, MAX_ROUNDS).await?.into_iter().map(round).collect())
}

/// A player's ratings in puzzles, the game with the most rated puzzles first.
pub(super) async fn ratings_of(state: &AppState, owner: &str) -> AppResult<Vec<PuzzleRating>> {
    let entries = state.store.puzzle_ratings(owner).await?;
    Ok(entries.into_iter().map(|entry| rating(state, entry)).collect())
}

/// A rating in puzzles, with the name of the game.
pub(super) fn rating(state: &AppState, entry: RatingEntry) -> PuzzleRating {
    let RatingEntry { variant, rating, deviation, games: plays, .. } = entry;
    let variant_name =
        state.variants.game(&variant).map_or_else(|| variant.clone(), |game| game.name().to_owned());
    PuzzleRating { variant, variant_name, rating, deviation, plays }
}

fn change((before, after): (f64, f64)) -> RatingChange {
    RatingChange { before: before.round() as i32, after: after.round() as i32 }
}

/// A puzzle.
#[utoipa::path(get, operation_id = "show_puzzle", path = "/api/puzzles/{id}", tag = "puzzles", params(("id" = String, Path)),
    responses((status = 200, body = Puzzle), (status = 404, body = Problem)))]
pub(super) async fn show(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> AppResult<Json<Puzzle>> {
    let row = find(&state, &id).await?;
    Ok(Json(describe(&state, &visitor, &row).await?))
}

/// The puzzle with an id.
pub(super) async fn find(state: &AppState, id: &str) -> AppResult<PuzzleRow> {
    state.store.puzzle(id).await?.ok_or(AppError::NotFound("puzzle of this id"))
}

/// A puzzle as a visitor gets it.
pub(super) async fn describe(state: &AppState, visitor: &Visitor, row: &PuzzleRow) -> AppResult<Puzzle> {
    let start = line(&state.store, &state.variants, row).await?.start;
    let variant = start.variant();
    let solved = match visitor.id() {
        Some(me) => state.store.puzzle_outcome(me, &row.id).await?,
        None => None,
    };
    Ok(Puzzle {
        id: row.id.clone(),
        variant: match state.variants.game(&row.variant) {
            Some(game) if state.variants.digest(&game) == row.digest => row.variant.clone(),
            _ => row.digest.clone(),
        },
        variant_name: variant.name().into(),
        fen: row.fen.clone(),
        lead: row.lead.clone(),
        start_fen: start.fen(),
        moves: legal(&start),
        rating: row.rating.round() as i32,
        plays: row.plays.unsigned_abs(),
        votes: row.votes,
        solved,
    })
}

fn legal(position: &AnyPosition) -> Vec<MoveText> {
    convert::moves(position, &position.legal_moves())
}

/// The solution of a puzzle, for an attempt of this number of moves.
async fn solution(
    state: &AppState,
    visitor: &Visitor,
    row: &PuzzleRow,
    moves: &[String],
) -> AppResult<PuzzleLine> {
    visitor.may(Scope::Play)?;
    if moves.len() > MAX_PUZZLE_MOVES {
        let fault = format!("expected at most {MAX_PUZZLE_MOVES} moves, found {}", moves.len());
        return Err(AppError::Invalid(fault));
    }
    Ok(line(&state.store, &state.variants, row).await?)
}

/// Compares moves with the solution. While they are right and the puzzle goes on, the answer is the opponent's reply. The
/// first attempt that ends changes the ratings of puzzle and solver, if the solver has an account, took the time of a person,
/// and no guest at the same address was shown the solution within a day.
#[utoipa::path(post, operation_id = "attempt_puzzle", path = "/api/puzzles/{id}/attempt", tag = "puzzles",
    params(("id" = String, Path)), request_body = PuzzleAttempt,
    responses((status = 200, body = PuzzleResult), (status = 404, body = Problem), (status = 422, body = Problem)))]
pub(super) async fn attempt(
    State(state): State<AppState>,
    mut visitor: Visitor,
    Path(id): Path<String>,
    JsonBody(PuzzleAttempt { moves, theme, rated }): JsonBody<PuzzleAttempt>,
) -> AppResult<Json<PuzzleResult>> {
    let row = find(&state, &id).await?;
    let won = match solution(&state, &visitor, &row, &moves).await?.attempt(&moves) {
        PuzzleProgress::GoesOn(reply, position) => {
            return Ok(Json(PuzzleResult {
                right: true,
                solved: false,
                reply: Some(convert::text(&position, reply)),
                moves: legal(&position),
                solution: None,
                themes: Vec::new(),
                source: None,
                rating: None,
            }));
        }
        PuzzleProgress::Solved => true,
        PuzzleProgress::Failed => false,
    };
    let me = visitor.ensure(&state).await?;
    let now = now_ms();
    // Guests and bots are made too easily for their attempts to rate a puzzle. Users at a guest's address may have seen
    // the solution there.
    let rated = rated
        && me.kind == PlayerKind::User
        && !state.store.has_seen_solution(visitor.network(), &row.id, now).await?;
    let attempt = RatedAttempt { won, theme: theme.as_deref() };
    let changed = state.store.end_puzzle(&row, PuzzleEnd { owner: &me.id, attempt, rated, at: now }).await?;
    if !rated {
        state.store.note_seen_solution(visitor.network(), &row.id, now).await?;
    }
    Ok(Json(PuzzleResult {
        right: won,
        solved: won,
        reply: None,
        moves: Vec::new(),
        solution: Some(row.line.split(' ').map(str::to_owned).collect()),
        themes: state.store.puzzle_themes(&row.id).await?,
        source: Some(row.source),
        rating: changed.map(change),
    }))
}

/// The piece that moves next. A puzzle that is solved with a hint changes no ratings.
#[utoipa::path(post, operation_id = "puzzle_hint", path = "/api/puzzles/{id}/hint", tag = "puzzles",
    params(("id" = String, Path)), request_body = PuzzleHintRequest,
    responses((status = 200, body = PuzzleHint), (status = 404, body = Problem), (status = 422, body = Problem)))]
pub(super) async fn hint(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
    JsonBody(PuzzleHintRequest { moves }): JsonBody<PuzzleHintRequest>,
) -> AppResult<Json<PuzzleHint>> {
    let row = find(&state, &id).await?;
    let line = solution(&state, &visitor, &row, &moves).await?;
    if !moves.is_empty() && !matches!(line.attempt(&moves), PuzzleProgress::GoesOn(..)) {
        return Err(AppError::Unfit("expected moves after which the puzzle goes on"));
    }
    let square =
        line.hint(moves.len()).ok_or(AppError::Unfit("expected moves after which the puzzle goes on"))?;
    if let Some(me) = visitor.id() {
        state.store.take_puzzle_hint(me, &row.id, now_ms()).await?;
    }
    if visitor.user().is_none_or(|user| user.name.is_none()) {
        state.store.note_seen_solution(visitor.network(), &row.id, now_ms()).await?;
    }
    Ok(Json(PuzzleHint { square: square.index() as u16 }))
}

/// Votes for or against a puzzle that the client has tried, in place of an earlier vote. Votes count if the attempt was rated,
/// by the age of the account. The puzzles that are liked least are chosen no more, one in a hundred a day at most.
#[utoipa::path(post, operation_id = "vote_puzzle", path = "/api/puzzles/{id}/vote", tag = "puzzles",
    params(("id" = String, Path)), request_body = PuzzleVote,
    responses((status = 204), (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem)))]
pub(super) async fn vote(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
    JsonBody(PuzzleVote { up }): JsonBody<PuzzleVote>,
) -> AppResult<StatusCode> {
    visitor.may(Scope::Play)?;
    let me = visitor.user().filter(|user| user.name.is_some()).ok_or(AppError::SignIn)?;
    let row = find(&state, &id).await?;
    let weight = vote_weight(now_ms() - me.created_at);
    if state.store.vote_puzzle(&me.id, &row.id, if up { 1 } else { -1 }, weight).await? {
        return Ok(StatusCode::NO_CONTENT);
    }
    Err(Denial::PuzzleNotTried.into())
}
