//! The statements that write events to SQLite. It has none that changes two tables, but one text can have several: the
//! whole transaction is one message to the thread that writes, and one back.

use super::{Append, GameEvent};
use crate::{StoreError, write_json};
use futures_util::TryStreamExt as _;
use sqlx::{AnyConnection, AssertSqlSafe, Either, Executor as _};
use std::collections::BTreeSet;

/// Writes appends of different games, in a transaction of their own or in one that is open. Returns the ids of those of
/// another epoch, of which nothing was written; a single server never has any.
pub(super) async fn write(
    connection: &mut AnyConnection,
    appends: &[&Append],
    transaction: bool,
) -> Result<BTreeSet<String>, StoreError> {
    let events: Vec<(&Append, i64, &GameEvent)> = appends
        .iter()
        .flat_map(|append| {
            (append.first as i64..).zip(&append.events).map(|(seq, event)| (*append, seq, event))
        })
        .collect();
    let ended = appends.iter().any(|append| append.changes_status());
    let (games, facts) = (padded(appends.len()), padded(events.len()));
    let mut query = sqlx::query(AssertSqlSafe(text(games, facts, ended, transaction)));
    for append in appends {
        let update = &append.update;
        query = query
            .bind(append.game.as_str())
            .bind(append.epoch)
            .bind(append.last())
            .bind(update.updated_at)
            .bind(update.ply)
            .bind(update.fen.as_str())
            .bind(update.last_move.as_deref())
            .bind(update.deadline);
        if ended {
            query = query.bind(update.status).bind(update.result.to_string()).bind(update.reason.as_deref());
        }
    }
    for _ in appends.len() * columns(ended)..games * columns(ended) {
        query = query.bind(None::<i64>);
    }
    for (append, seq, event) in &events {
        query = query.bind(append.game.as_str()).bind(append.epoch).bind(*seq).bind(write_json(event));
    }
    let mut results = connection.fetch_many(query);
    let mut written = Vec::with_capacity(4);
    while let Some(result) = results.try_next().await? {
        if let Either::Left(result) = result {
            written.push(result.rows_affected());
        }
    }
    drop(results);
    let inserted = written.get(if transaction { 2 } else { 1 }).copied().unwrap_or_default();
    if inserted == events.len() as u64 {
        return Ok(BTreeSet::new());
    }
    let mut fenced = BTreeSet::new();
    for append in appends {
        let own = sqlx::query("SELECT 1 FROM games WHERE id = $1 AND epoch = $2")
            .bind(append.game.as_str())
            .bind(append.epoch)
            .fetch_optional(&mut *connection)
            .await?;
        if own.is_none() {
            fenced.insert(append.game.clone());
        }
    }
    let own = events.iter().filter(|(append, ..)| !fenced.contains(&append.game)).count();
    if inserted != own as u64 {
        let found = format!("{inserted} of {own}");
        return Err(StoreError::Content { expected: "the events of all games that were written", found });
    }
    Ok(fenced)
}

/// Columns of the update: most moves do not change the last three, which are in an index or in the condition of one.
const fn columns(ended: bool) -> usize {
    if ended { 11 } else { 8 }
}

/// The next of few numbers of rows, so that each text is prepared once: powers of two, and halfway between them. Rows
/// that are left over are not bound, and belong to no game.
fn padded(rows: usize) -> usize {
    let above = rows.max(1).next_power_of_two();
    let halfway = above / 4 * 3;
    if (1..=halfway).contains(&rows) { halfway } else { above }
}

/// The text for these numbers of rows. SQLite searches for placeholders with numbers, and is faster without. `OR FAIL`
/// spares it a copy of each page: the whole transaction is rolled back if one row cannot be written.
fn text(games: usize, facts: usize, ended: bool, transaction: bool) -> String {
    let (begin, commit) = if transaction { ("BEGIN IMMEDIATE; ", "; COMMIT") } else { ("", "") };
    let (columns_of_end, set_end) = if ended {
        (", status, result, reason", ", status = new.status, result = new.result, reason = new.reason")
    } else {
        ("", "")
    };
    format!(
        "{begin}WITH new (id, epoch, seq, updated_at, ply, fen, last_move, deadline{columns_of_end}) AS (VALUES {}) \
         UPDATE OR FAIL games SET seq = new.seq, updated_at = new.updated_at, ply = new.ply, fen = new.fen, \
         last_move = new.last_move, deadline = new.deadline{set_end} \
         FROM new WHERE games.id = new.id AND games.epoch = new.epoch; \
         WITH new (game, epoch, seq, fact) AS (VALUES {}) \
         INSERT INTO facts (game, seq, fact) SELECT new.game, new.seq, new.fact \
         FROM new CROSS JOIN games WHERE games.id = new.game AND games.epoch = new.epoch{commit}",
        placeholders(games, columns(ended)),
        placeholders(facts, 4),
    )
}

/// Placeholders of rows.
fn placeholders(rows: usize, columns: usize) -> String {
    let row = format!("({}?)", "?, ".repeat(columns - 1));
    format!("{}{row}", format!("{row}, ").repeat(rows - 1))
}

#[cfg(test)]
mod tests {
    use super::{padded, placeholders};

    #[test]
    fn batch_sizes_are_padded_to_few_sizes() {
        let all: Vec<usize> = (1..=512).map(padded).collect();
        assert_eq!(all[..9], [1, 2, 3, 4, 6, 6, 8, 8, 12]);
        assert!(all.iter().enumerate().all(|(index, &rows)| rows > index && rows <= 2 * (index + 1)));
        assert!(all.iter().collect::<std::collections::BTreeSet<_>>().len() < 20);
        assert_eq!(placeholders(2, 2), "(?, ?), (?, ?)");
    }
}
