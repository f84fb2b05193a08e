//! The statement that writes events to PostgreSQL: it updates the games that this server owns, by their epochs, and inserts
//! the events of those alone. A server that has lost a game writes nothing, however late its statement comes.

use super::Append;
use crate::{StoreError, write_json};
use serde::Serialize;
use sqlx::AnyConnection;
use std::collections::BTreeSet;

/// All rows travel as one parameter, so that the statement is prepared once for every number of them. Of such rows PostgreSQL
/// expects a hundred and would read the whole table of games; the condition, which always holds, has it expect few, and
/// look each up by its id. A take-over that is
/// faster changes the epoch, and the update, which waits for it, then finds no row.
const STATEMENT: &str = "WITH new AS (SELECT * FROM jsonb_to_recordset(CAST($1 AS JSONB)) AS new (id TEXT, epoch BIGINT, \
     first BIGINT, seq BIGINT, updated_at BIGINT, status TEXT, result TEXT, reason TEXT, ply BIGINT, fen TEXT, \
     last_move TEXT, deadline BIGINT, command TEXT, facts JSONB) \
     WHERE jsonb_typeof(new.facts) = 'array'), \
     own AS (UPDATE games SET seq = new.seq, updated_at = new.updated_at, status = new.status, result = new.result, \
     reason = new.reason, ply = new.ply, fen = new.fen, last_move = new.last_move, deadline = new.deadline \
     FROM new WHERE games.id = new.id AND games.epoch = new.epoch RETURNING games.id), \
     written AS (INSERT INTO facts (game, seq, fact, command) SELECT new.id, new.first + fact.number - 1, fact.text, \
     CASE WHEN fact.number = 1 THEN new.command END FROM own JOIN new ON new.id = own.id \
     CROSS JOIN LATERAL jsonb_array_elements_text(new.facts) WITH ORDINALITY AS fact (text, number)) \
     SELECT id FROM own";

/// The rows of an append.
#[derive(Serialize)]
struct Row<'a> {
    id: &'a str,
    epoch: i64,
    first: u64,
    seq: i64,
    updated_at: i64,
    status: &'a str,
    result: String,
    reason: Option<&'a str>,
    ply: i64,
    fen: &'a str,
    last_move: Option<&'a str>,
    deadline: Option<i64>,
    command: Option<&'a str>,
    facts: Vec<String>,
}

impl<'a> From<&'a Append> for Row<'a> {
    fn from(append: &'a Append) -> Self {
        let update = &append.update;
        Self {
            id: &append.game,
            epoch: append.epoch,
            first: append.first,
            seq: append.last(),
            updated_at: update.updated_at,
            status: update.status,
            result: update.result.to_string(),
            reason: update.reason.as_deref(),
            ply: update.ply,
            fen: &update.fen,
            last_move: update.last_move.as_deref(),
            deadline: update.deadline,
            command: append.command.as_deref(),
            facts: append.events.iter().map(write_json).collect(),
        }
    }
}

/// Writes appends of different games. Returns the ids of those that this server does not own (any more), of which nothing
/// was written.
pub(super) async fn write(
    connection: &mut AnyConnection,
    appends: &[&Append],
) -> Result<BTreeSet<String>, StoreError> {
    let rows: Vec<Row<'_>> = appends.iter().map(|&append| Row::from(append)).collect();
    let own: Vec<(String,)> = sqlx::query_as(STATEMENT).bind(write_json(&rows)).fetch_all(connection).await?;
    let mut fenced: BTreeSet<String> = BTreeSet::new();
    if own.len() < appends.len() {
        fenced = appends.iter().map(|append| append.game.clone()).collect();
        own.iter().for_each(|(id,)| {
            fenced.remove(id);
        });
    }
    Ok(fenced)
}
