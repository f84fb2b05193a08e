//! Lines of chat.

use super::{Store, StoreError, read_json, write_json};
use lozenge_wire::{Event, Room};

/// A line as it is kept.
#[derive(Clone, Debug)]
pub(crate) struct ChatRow {
    pub(crate) game: String,
    pub(crate) at: i64,
    pub(crate) room: Room,
    pub(crate) author: String,
    pub(crate) author_name: String,
    pub(crate) line: String,
}

impl Store {
    /// Keeps a line.
    pub(crate) async fn keep_chat(&self, line: &ChatRow) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO chat (game, at, number, room, author, author_name, line) VALUES ($1, $2, \
             (SELECT COUNT(*) FROM chat WHERE game = $1), $3, $4, $5, $6)",
        )
        .bind(line.game.as_str())
        .bind(line.at)
        .bind(write_json(&line.room))
        .bind(line.author.as_str())
        .bind(line.author_name.as_str())
        .bind(line.line.as_str())
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// What was said in a game, in order.
    pub(crate) async fn chat(&self, game: &str) -> Result<Vec<Event>, StoreError> {
        let rows: Vec<(i64, String, String, String)> =
            sqlx::query_as("SELECT at, room, author_name, line FROM chat WHERE game = $1 ORDER BY number")
                .bind(game)
                .fetch_all(&self.pool)
                .await?;
        rows.into_iter()
            .map(|(at, room, from, text)| {
                Ok(Event::Chat { room: read_json("a room", &room)?, from, text, at })
            })
            .collect()
    }
}
