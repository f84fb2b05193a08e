//! Any position of any game, with its legal moves, for analysis boards. Not here: the engine (`analyse`).

use super::input::JsonBody;
use super::{AppResult, variants};
use crate::auth::Visitor;
use crate::error::AppError;
use crate::state::AppState;
use axum::Json;
use axum::extract::State;
use lozenge_game::convert;
use lozenge_rules::notation::{san, uci};
use lozenge_rules::position::{AnyPosition, Game, Move};
use lozenge_rules::variant::Variant;
use lozenge_wire::Problem;
use lozenge_wire::analysis::{
    MAX_PLIES, Position, PositionFault, PositionFaultCode, PositionFaults, PositionRequest,
};
use std::sync::Arc;

/// A game by its start and its moves, in either notation. All moves are played, also where a draw could be claimed.
pub(super) fn play(variant: &Arc<Variant>, fen: Option<&str>, moves: &[String]) -> AppResult<Game> {
    if moves.len() > MAX_PLIES {
        let fault = format!("expected at most {MAX_PLIES} moves, found {}", moves.len());
        return Err(AppError::Invalid(fault));
    }
    let start = match fen {
        None => AnyPosition::start(variant),
        Some(fen) => {
            AnyPosition::from_fen(variant, fen).map_err(|error| AppError::Invalid(error.to_string()))?
        }
    };
    let mut game = Game::from_position(start);
    for (number, text) in (1..).zip(moves) {
        let played = read_move(game.position(), text)
            .map_err(|fault| AppError::Invalid(format!("move {number}: {fault}")))?;
        game.play_unchecked(played);
    }
    Ok(game)
}

/// Reads a legal move in either notation.
fn read_move(position: &AnyPosition, text: &str) -> Result<Move, san::SanError> {
    uci::parse(position, text).or_else(|_| san::parse(position, text))
}

/// A position with its legal moves.
#[utoipa::path(post, operation_id = "show_position", path = "/api/positions", tag = "analysis", request_body = PositionRequest,
    responses((status = 200, body = Position), (status = 404, body = Problem), (status = 422, body = Problem)))]
pub(super) async fn show(
    State(state): State<AppState>,
    visitor: Visitor,
    JsonBody(request): JsonBody<PositionRequest>,
) -> AppResult<Json<Position>> {
    let variant = variants::readable(&state, visitor.id(), &request.variant).await?;
    let game = play(&variant, request.fen.as_deref(), &request.moves)?;
    Ok(Json(convert::analysis_position(&game, request.known as usize)))
}

/// Everything that keeps a text from being a position from which a game can go on.
#[utoipa::path(post, operation_id = "check_position", path = "/api/positions/faults", tag = "analysis", request_body = PositionRequest,
    responses((status = 200, body = PositionFaults), (status = 404, body = Problem), (status = 422, body = Problem)))]
pub(super) async fn faults(
    State(state): State<AppState>,
    visitor: Visitor,
    JsonBody(request): JsonBody<PositionRequest>,
) -> AppResult<Json<PositionFaults>> {
    let variant = variants::readable(&state, visitor.id(), &request.variant).await?;
    let Some(fen) = &request.fen else { return Err(AppError::Unfit("expected a FEN")) };
    let faults = match AnyPosition::from_fen(&variant, fen) {
        Err(error) => convert::position_faults(&variant, &error),
        Ok(position) if Game::from_position(position.clone()).outcome().is_some() => vec![PositionFault {
            code: PositionFaultCode::Over,
            message: "expected a position in which the game is not over".into(),
            squares: Vec::new(),
        }],
        Ok(_) => Vec::new(),
    };
    Ok(Json(PositionFaults { faults }))
}
