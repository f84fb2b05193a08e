//! UCI in a game of four: moves with `R` and `T`, clocks by seat.

use super::command::Go;
use lozenge_engine::Clock;
use lozenge_rules::notation::uci;
use lozenge_rules::position::{
    AnyMultiPosition, Move, MultiGame, MultiPositionError, MultiStatus, MultiTurn,
};
use lozenge_rules::seat::Seat;
use lozenge_rules::variant::MultiVariant;
use std::sync::Arc;

/// Why the position of a game of four was refused.
#[derive(Debug, thiserror::Error)]
pub(super) enum MultiFault {
    #[error("position: {0}")]
    Fen(#[from] MultiPositionError),
    #[error("position: move {number}: {error}")]
    Move { number: usize, error: uci::UciError },
    #[error("position: move {number}: expected no `{turn}` after the end of the game")]
    Over { number: usize, turn: char },
}

/// The letter that stands for a resignation or a time-out among moves.
pub(super) fn letter(turn: MultiTurn) -> Option<char> {
    match turn {
        MultiTurn::Move(_) => None,
        MultiTurn::Resignation => Some('R'),
        MultiTurn::TimeOut => Some('T'),
    }
}

/// The game after moves from a position, or from the start.
pub(super) fn game(
    variant: &Arc<MultiVariant>,
    fen: Option<&str>,
    moves: &[&str],
) -> Result<MultiGame, MultiFault> {
    let start = match fen {
        None => AnyMultiPosition::start(variant),
        Some(fen) => AnyMultiPosition::from_fen(variant, fen)?,
    };
    let mut game = MultiGame::from_position(start);
    for (number, text) in (1..).zip(moves) {
        let exits = [MultiTurn::Resignation, MultiTurn::TimeOut];
        let exit =
            exits.into_iter().find(|&exit| letter(exit).is_some_and(|letter| *text == letter.to_string()));
        match exit {
            Some(turn) => {
                let done = if turn == MultiTurn::TimeOut { game.time_out() } else { game.resign() };
                if !done {
                    return Err(MultiFault::Over { number, turn: letter(turn).unwrap_or_default() });
                }
            }
            None => {
                let fault = |error| MultiFault::Move { number, error };
                let next = read_move(game.position(), text).map_err(fault)?;
                game.play(next).map_err(|_| fault(uci::UciError::Over((*text).into())))?;
            }
        }
    }
    Ok(game)
}

/// Reads a legal move; a promotion letter may also be a capital.
pub(super) fn read_move(position: &AnyMultiPosition, text: &str) -> Result<Move, uci::UciError> {
    uci::parse_multi(position, text)
        .or_else(|error| uci::parse_multi(position, &text.to_ascii_lowercase()).or(Err(error)))
}

/// The clock of the player to move. Without one, while another player has one, no time is left.
pub(super) fn clock(go: &Go<'_>, turn: Seat) -> Option<Clock> {
    go.seat_time.iter().any(Option::is_some).then(|| Clock {
        remaining: go.seat_time[turn].unwrap_or_default(),
        increment: go.seat_increment[turn],
        moves_to_go: go.moves_to_go,
    })
}

/// The `info` line of a position in which the game is over.
pub(crate) fn game_over(position: &AnyMultiPosition) -> String {
    // The turn has gone on from who was mated last: in a game of teams perhaps to the partner.
    let is_lost = position.status() == MultiStatus::Decided
        && position.variant().is_teams()
        && !position.living().contains(position.turn().next().next());
    format!("info depth 0 score {}", if is_lost { "mate 0" } else { "cp 0" })
}
