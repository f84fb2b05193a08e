//! The record of a game: its row, its events and its rules, which together are the game. Not here: games in memory.

use super::GameError;
use lozenge_game::{GameConfig, GameEvent, GameMachine, speed};
use lozenge_rules::library::AnyGame;
use lozenge_rules::position::GamePosition;
use lozenge_store::GameRow;
use lozenge_wire::{Clock, Color, Fill, Visibility};

/// A game as the database has it.
#[derive(Clone, Debug)]
pub struct GameRecord {
    pub(super) row: GameRow,
    pub(super) events: Vec<GameEvent>,
    pub(super) variant: AnyGame,
}

impl GameRecord {
    /// Replays the game. A long one takes some milliseconds.
    ///
    /// # Errors
    /// If the events are not those of a game.
    pub fn replay(&self) -> Result<GameMachine, GameError> {
        let Self { row, events, variant } = self;
        let damaged = |fault: String| GameError::Damaged { id: row.id.clone(), fault };
        let start =
            GamePosition::from_fen(variant, &row.start_fen).map_err(|error| damaged(error.to_string()))?;
        let clock: Option<Clock> = match &row.clock {
            Some(text) => Some(serde_json::from_str(text).map_err(|e| damaged(e.to_string()))?),
            None => None,
        };
        let fill: Option<Fill> = match &row.fill {
            Some(text) => Some(serde_json::from_str(text).map_err(|e| damaged(e.to_string()))?),
            None => None,
        };
        let open_seats: Vec<Color> = match &row.open_seats {
            Some(text) => serde_json::from_str(text).map_err(|e| damaged(e.to_string()))?,
            None => Vec::new(),
        };
        let config = GameConfig {
            id: row.id.clone(),
            digest: row.digest.clone(),
            clock,
            speed: speed(clock),
            rated: row.rated != 0,
            visibility: if row.visibility == "private" { Visibility::Private } else { Visibility::Public },
            maker: row.maker.clone(),
            previous: row.previous.clone(),
            fill,
            open_seats,
            created_at: row.created_at,
        };
        let mut machine = GameMachine::new(config, start);
        for event in events {
            machine.apply(event).map_err(|e| damaged(e.to_string()))?;
        }
        Ok(machine)
    }
}
