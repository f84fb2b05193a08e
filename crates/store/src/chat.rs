//! Lines of chat.

use super::{Store, StoreError, read_json, write_json};
use lozenge_wire::{Color, Event, Room};
use serde::Serialize;

/// A line as it is stored.
#[derive(Clone, Debug)]
pub struct ChatRow {
    /// The game's id.
    pub game: String,
    /// When it was written, in Unix milliseconds.
    pub at: i64,
    /// The room that it was written in: of the players or of the spectators.
    pub room: Room,
    /// The author's id.
    pub author: String,
    /// The author's name at that time.
    pub author_name: String,
    /// The text.
    pub line: String,
}

/// A line of chat, for its author.
#[derive(Clone, Debug, Serialize)]
pub struct ChatLine {
    game: String,
    at: i64,
    room: Room,
    line: String,
}

impl Store {
    /// Keeps a line. Its number in the game, from 0.
    pub async fn save_chat(&self, line: &ChatRow) -> Result<i64, StoreError> {
        let (number,): (i64,) = sqlx::query_as(
            "INSERT INTO chat (game, at, number, room, author, author_name, line) VALUES ($1, $2, \
             (SELECT COUNT(*) FROM chat WHERE game = $1), $3, $4, $5, $6) RETURNING number",
        )
        .bind(line.game.as_str())
        .bind(line.at)
        .bind(write_json(&line.room))
        .bind(line.author.as_str())
        .bind(line.author_name.as_str())
        .bind(line.line.as_str())
        .fetch_one(&mut *self.writer().await?)
        .await?;
        Ok(number)
    }

    /// The chat of a game, in order; `side_of` returns the sides of its players.
    pub async fn chat(
        &self,
        game: &str,
        side_of: impl Fn(&str) -> Option<Color>,
    ) -> Result<Vec<Event>, StoreError> {
        let rows: Vec<(i64, i64, String, String, String, String)> = sqlx::query_as(
            "SELECT number, at, room, author, author_name, line FROM chat WHERE game = $1 ORDER BY number",
        )
        .bind(game)
        .fetch_all(&self.pool)
        .await?;
        rows.into_iter()
            .map(|(number, at, room, author, from, text)| {
                let (room, side) = (read_json("a room", &room)?, side_of(&author));
                Ok(Event::Chat { number, room, from, side, text, at })
            })
            .collect()
    }

    /// Ids of the games with chat by a user.
    pub async fn games_with_lines_of(&self, author: &str) -> Result<Vec<String>, StoreError> {
        let rows: Vec<(String,)> = sqlx::query_as("SELECT DISTINCT game FROM chat WHERE author = $1")
            .bind(author)
            .fetch_all(&self.pool)
            .await?;
        Ok(rows.into_iter().map(|(id,)| id).collect())
    }

    /// The chat of a user, oldest first.
    pub async fn chat_lines_by(&self, author: &str) -> Result<Vec<ChatLine>, StoreError> {
        let rows: Vec<(String, i64, String, String)> = sqlx::query_as(
            "SELECT game, at, room, line FROM chat WHERE author = $1 ORDER BY at, game, number",
        )
        .bind(author)
        .fetch_all(&self.pool)
        .await?;
        rows.into_iter()
            .map(|(game, at, room, line)| Ok(ChatLine { game, at, room: read_json("a room", &room)?, line }))
            .collect()
    }

    /// One line of a game.
    pub async fn chat_line(&self, game: &str, number: i64) -> Result<Option<ChatRow>, StoreError> {
        let row: Option<(i64, String, String, String, String)> = sqlx::query_as(
            "SELECT at, room, author, author_name, line FROM chat WHERE game = $1 AND number = $2",
        )
        .bind(game)
        .bind(number)
        .fetch_optional(&self.pool)
        .await?;
        row.map(|(at, room, author, author_name, line)| {
            let room = read_json("a room", &room)?;
            Ok(ChatRow { game: game.into(), at, room, author, author_name, line })
        })
        .transpose()
    }
}
