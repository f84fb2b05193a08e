//! Any position of any game, with its legal moves, for analysis boards. Not here: the engine (`analyse`).

use super::input::JsonBody;
use super::{AppResult, variants};
use crate::auth::Visitor;
use crate::error::AppError;
use crate::state::AppState;
use axum::Json;
use axum::extract::State;
use lozenge_game::convert;
use lozenge_rules::library::AnyGame;
use lozenge_rules::notation::san::SanError;
use lozenge_rules::notation::turn;
use lozenge_rules::position::{GamePosition, MultiTurn, Played};
use lozenge_wire::Problem;
use lozenge_wire::analysis::{
    MAX_PLIES, Position, PositionFault, PositionFaultCode, PositionFaults, PositionRequest,
};

/// A game by its start and its moves, in either notation. All moves are played, also where a draw could be claimed.
pub(super) fn play(variant: &AnyGame, fen: Option<&str>, moves: &[String]) -> AppResult<Played> {
    if moves.len() > MAX_PLIES {
        let fault = format!("expected at most {MAX_PLIES} moves, found {}", moves.len());
        return Err(AppError::Invalid(fault));
    }
    let start = match fen {
        None => GamePosition::start(variant),
        Some(fen) => {
            GamePosition::from_fen(variant, fen).map_err(|error| AppError::Invalid(error.to_string()))?
        }
    };
    let mut game = Played::from_position(start);
    for (number, text) in (1..).zip(moves) {
        let played = read_turn(&game.position(), text)
            .map_err(|fault| AppError::Invalid(format!("move {number}: {fault}")))?;
        if !game.play_unchecked(played) {
            return Err(AppError::Invalid(format!(
                "move {number}: expected no move after the end, found `{text}`"
            )));
        }
    }
    Ok(game)
}

/// Reads a legal turn in either notation.
fn read_turn(position: &GamePosition, text: &str) -> Result<MultiTurn, SanError> {
    turn::parse_uci(position, text).or_else(|_| turn::parse_san(position, text))
}

/// A position with its legal moves.
#[utoipa::path(post, operation_id = "show_position", path = "/api/positions", tag = "analysis", request_body = PositionRequest,
    responses((status = 200, body = Position), (status = 404, body = Problem), (status = 422, body = Problem)))]
pub(super) async fn show(
    State(state): State<AppState>,
    visitor: Visitor,
    JsonBody(request): JsonBody<PositionRequest>,
) -> AppResult<Json<Position>> {
    let variant = variants::readable_any(&state, visitor.id(), &request.variant).await?;
    let game = play(&variant, request.fen.as_deref(), &request.moves)?;
    Ok(Json(convert::analysis_position(&game, request.known as usize)))
}

/// Whether a game that begins with this position is over.
fn is_over(position: GamePosition) -> bool {
    match Played::from_position(position) {
        Played::Two(game) => game.outcome().is_some(),
        Played::Four(game) => game.outcome().is_some(),
    }
}

/// Everything that keeps a text from being a position from which a game can go on.
#[utoipa::path(post, operation_id = "check_position", path = "/api/positions/faults", tag = "analysis", request_body = PositionRequest,
    responses((status = 200, body = PositionFaults), (status = 404, body = Problem), (status = 422, body = Problem)))]
pub(super) async fn faults(
    State(state): State<AppState>,
    visitor: Visitor,
    JsonBody(request): JsonBody<PositionRequest>,
) -> AppResult<Json<PositionFaults>> {
    let variant = variants::readable_any(&state, visitor.id(), &request.variant).await?;
    let Some(fen) = &request.fen else { return Err(AppError::Unfit("expected a FEN")) };
    let faults = match GamePosition::from_fen(&variant, fen) {
        Err(error) => convert::position_faults(&variant, &error),
        Ok(position) if is_over(position.clone()) => vec![PositionFault {
            code: PositionFaultCode::Over,
            message: "expected a position in which the game is not over".into(),
            squares: Vec::new(),
        }],
        Ok(_) => Vec::new(),
    };
    Ok(Json(PositionFaults { faults }))
}
