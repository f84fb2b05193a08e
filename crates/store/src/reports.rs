//! Reports of lines of chat: stored for the host, who reads them with `lozenge reports`.

use super::row::from_row;
use super::{ChatRow, Store, StoreError, install_drivers};
use sqlx::Connection as _;

/// Most stored reports of one line: more would tell the host nothing new.
const MAX_OF_ONE_LINE: i64 = 10;

/// A report of a line of chat. Times are Unix milliseconds.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ChatReport {
    /// Its id.
    pub id: String,
    /// Id of the game.
    pub game: String,
    /// Number of the line in the game.
    pub number: i64,
    /// The room of the line: `players` or `spectators`.
    pub room: String,
    /// Id of the reporter.
    pub reporter: String,
    /// Name of the reporter.
    pub reporter_name: String,
    /// Id of the author.
    pub author: String,
    /// Name of the author.
    pub author_name: String,
    /// The text.
    pub line: String,
    /// Its time.
    pub said_at: i64,
    /// When it was reported.
    pub at: i64,
    /// When the host closed it.
    pub closed_at: Option<i64>,
}

from_row!(ChatReport {
    id,
    game,
    number,
    room,
    reporter,
    reporter_name,
    author,
    author_name,
    line,
    said_at,
    at,
    closed_at
});

const COLUMNS: &str =
    "id, game, number, room, reporter, reporter_name, author, author_name, line, said_at, at, closed_at";

impl Store {
    /// Stores a report of a line. Returns whether it is a new one: the same person's second one of a line is not.
    pub async fn keep_report(
        &self,
        line: &ChatRow,
        number: i64,
        reporter: &lozenge_wire::Player,
        now: i64,
    ) -> Result<bool, StoreError> {
        let done = sqlx::query(
            "INSERT INTO reports (id, game, number, room, reporter, reporter_name, author, author_name, line, said_at, at) \
             SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11 \
             WHERE (SELECT COUNT(*) FROM reports WHERE game = $2 AND number = $3) < $12 \
             ON CONFLICT (game, number, reporter) DO NOTHING",
        )
        .bind(lozenge_game::ids::other())
        .bind(line.game.as_str())
        .bind(number)
        .bind(super::word(&line.room))
        .bind(reporter.id.as_str())
        .bind(reporter.name.as_str())
        .bind(line.author.as_str())
        .bind(line.author_name.as_str())
        .bind(line.line.as_str())
        .bind(line.at)
        .bind(now)
        .bind(MAX_OF_ONE_LINE)
        .execute(&mut *self.writer().await?)
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// The reports by a user.
    pub async fn reports_by(&self, reporter: &str) -> Result<Vec<ChatReport>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM reports WHERE reporter = $1 ORDER BY at");
        Ok(sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(reporter).fetch_all(&self.pool).await?)
    }

    /// The last reports in a database, newest first: the open ones, or also those that were closed. Changes nothing, and
    /// works while a server writes to it.
    ///
    /// # Errors
    /// If the database cannot be read, or no server of this version has brought it up to date yet.
    pub async fn reports(
        url: &str,
        since: i64,
        most: u32,
        closed: bool,
    ) -> Result<Vec<ChatReport>, StoreError> {
        super::kind(url)?;
        install_drivers();
        let mut connection = sqlx::AnyConnection::connect(url).await?;
        let sql = format!(
            "SELECT {COLUMNS} FROM reports WHERE at >= $1 AND (closed_at IS NULL OR $3 = 1) \
             ORDER BY at DESC, id LIMIT $2"
        );
        let found = sqlx::query_as(sqlx::AssertSqlSafe(sql))
            .bind(since)
            .bind(i64::from(most))
            .bind(i64::from(closed))
            .fetch_all(&mut connection)
            .await?;
        connection.close().await?;
        Ok(found)
    }
}
