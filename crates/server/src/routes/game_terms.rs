//! Valid terms of a new game: its first position, its players with their ratings, and when it may be rated. Not here: making it
//! (`games`, `games_of_four`, `lobby`, `challenges`).

use super::AppResult;
use crate::denial::Denial;
use crate::error::AppError;
use crate::state::AppState;
use lozenge_rules::position::{AnyMultiPosition, AnyPosition, Game, MultiGame};
use lozenge_rules::variant::{MultiVariant, Variant};
use lozenge_wire::{NewGame, NewSeat, Opponent, Player, PlayerKind, Speed};
use std::sync::Arc;

/// A player with the rating for a game and speed.
pub(super) async fn with_rating(
    state: &AppState,
    player: Player,
    variant: &str,
    speed: Speed,
) -> AppResult<Player> {
    Ok(lozenge_live::games::with_rating(&state.store, player, variant, speed).await?)
}

/// The engine as a player.
pub(super) fn engine_player(level: u8) -> AppResult<Player> {
    if !(1..=8).contains(&level) {
        return Err(AppError::Invalid(format!("expected a level of 1 to 8, found {level}")));
    }
    Ok(lozenge_live::games::engine_player(level))
}

/// A position that a game may begin from: a FEN's, one of the game's own by number, or its first.
pub(super) fn start_position(
    variant: &Arc<Variant>,
    fen: Option<&str>,
    start: Option<u32>,
) -> AppResult<AnyPosition> {
    match (fen, start) {
        (Some(_), Some(_)) => {
            Err(AppError::Invalid("expected a FEN or the number of a start, found both".into()))
        }
        (Some(fen), None) => {
            let position =
                AnyPosition::from_fen(variant, fen).map_err(|error| AppError::Invalid(error.to_string()))?;
            let record = Game::from_position(position.clone());
            if record.outcome().is_some() {
                return Err(AppError::Invalid("expected a position in which the game is not over".into()));
            }
            Ok(position)
        }
        (None, Some(number)) => {
            let last = variant.starts().len().saturating_sub(1);
            AnyPosition::start_number(variant, number as usize)
                .ok_or_else(|| AppError::Invalid(format!("expected a start of 0 to {last}, found {number}")))
        }
        (None, None) => Ok(AnyPosition::start(variant)),
    }
}

/// A position to begin from, in which the game is not over: a FEN's, or the game's own.
pub(super) fn start_position_of_four(
    game: &Arc<MultiVariant>,
    fen: Option<&str>,
) -> AppResult<AnyMultiPosition> {
    let Some(fen) = fen else { return Ok(AnyMultiPosition::start(game)) };
    let position =
        AnyMultiPosition::from_fen(game, fen).map_err(|error| AppError::Invalid(error.to_string()))?;
    if MultiGame::from_position(position.clone()).outcome().is_some() {
        return Err(AppError::Invalid("expected a position in which the game is not over".into()));
    }
    Ok(position)
}

/// Refuses a rated game against the engine, or that the engine fills up, without a clock, or from another position.
pub(super) fn check_rated_terms(request: &NewGame) -> Result<(), Denial> {
    let has_engine = matches!(request.opponent, Some(Opponent::Engine { .. }))
        || request.fill.is_some()
        || request.seats.iter().any(|seat| matches!(seat, NewSeat::Engine { .. }));
    let is_refused = request.rated && (has_engine || request.fen.is_some() || request.clock.is_none());
    if is_refused { Err(Denial::RatedTerms) } else { Ok(()) }
}

/// Refuses guests, who have no rating.
pub(super) fn check_may_rate(player: &Player) -> Result<(), Denial> {
    if player.kind == PlayerKind::Guest { Err(Denial::RatedNeedsAccount) } else { Ok(()) }
}
