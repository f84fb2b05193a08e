//! Leaderboards: the highest ratings by game and speed, those of few games after the settled ones. Bots have their own.

use super::AppResult;
use super::input::QueryParams;
use super::variants;
use crate::state::AppState;
use axum::Json;
use axum::extract::State;
use lozenge_game::PROVISIONAL;
use lozenge_game::time::{DAY_MS, now_ms};
use lozenge_store::LeaderFilter;
use lozenge_wire::{Leader, Leaderboard, Problem, Speed};
use serde::Deserialize;
use utoipa::IntoParams;

/// Most players of a leaderboard.
const MAX_LEADERS: i64 = 50;
/// Most players of each where all leaderboards are shown together.
const LEADERS_OF_EACH: i64 = 5;
/// A player whose last rated game of the kind is older than this has left the leaderboard.
const ACTIVE_MS: i64 = 60 * DAY_MS;

/// The leaderboard to show.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct LeaderboardQuery {
    /// Id of the rules.
    variant: String,
    /// The class of clock.
    speed: Speed,
    /// Bots instead of people.
    #[serde(default)]
    bots: bool,
}

/// Players with a rated game that ended within 60 days. A rating is settled if its deviation is at most 110.
fn active_players(bots: bool, limit: i64) -> LeaderFilter {
    LeaderFilter { bots, settled: PROVISIONAL, active_since: now_ms() - ACTIVE_MS, limit }
}

/// The 50 best players of one game and speed whose last rated game ended within 60 days: by settled ratings, whose deviation
/// is at most 110, and then by provisional ones.
#[utoipa::path(get, operation_id = "leaderboard", path = "/api/leaderboard", tag = "players", params(LeaderboardQuery),
    responses((status = 200, body = Leaderboard), (status = 404, body = Problem)))]
pub(super) async fn show(
    State(state): State<AppState>,
    QueryParams(LeaderboardQuery { variant, speed, bots }): QueryParams<LeaderboardQuery>,
) -> AppResult<Json<Leaderboard>> {
    Ok(Json(of(&state, &variant, speed, bots).await?))
}

/// The leaderboard of one game and speed.
pub(super) async fn of(state: &AppState, variant: &str, speed: Speed, bots: bool) -> AppResult<Leaderboard> {
    let variant_name = variants::find_any(state, None, variant).await?.name().into();
    let rows = state.store.leaders(Some((variant, speed)), active_players(bots, MAX_LEADERS)).await?;
    let leaders = rows.into_iter().map(|(_, _, leader)| leader).collect();
    Ok(Leaderboard { variant: variant.into(), variant_name, speed, leaders })
}

/// The best few people of each game and speed, in the order of the games; nothing of a kind without a rating.
pub(super) async fn all(state: &AppState) -> AppResult<Vec<Leaderboard>> {
    let mut boards: Vec<Leaderboard> = Vec::new();
    for (variant, speed, leader) in state.store.leaders(None, active_players(false, LEADERS_OF_EACH)).await? {
        add(state, &mut boards, variant, speed, leader);
    }
    let games = state.variants.all();
    // Games of four come last.
    let order =
        |board: &Leaderboard| games.iter().position(|game| game.id() == board.variant).unwrap_or(games.len());
    boards.sort_by_cached_key(|board| (order(board), board.variant.clone(), board.speed as u8));
    Ok(boards)
}

fn add(state: &AppState, boards: &mut Vec<Leaderboard>, variant: String, speed: Speed, leader: Leader) {
    match boards.last_mut() {
        Some(board) if board.variant == variant && board.speed == speed => board.leaders.push(leader),
        _ => {
            // A game that is not here any more has no leaderboard.
            let Some(game) = state.variants.any_game(&variant) else { return };
            let variant_name = game.name().into();
            boards.push(Leaderboard { variant, variant_name, speed, leaders: vec![leader] });
        }
    }
}
