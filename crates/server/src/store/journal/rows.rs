//! The statements that write events to SQLite, row by row: it has no statement that changes two tables.

use super::{Append, GameEvent};
use crate::store::{StoreError, write_json};
use sqlx::{Any, AssertSqlSafe, Transaction};
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// Writes appends of different games. The ids of those of another epoch, which one server never meets.
pub(super) async fn write(
    transaction: &mut Transaction<'_, Any>,
    appends: &[&Append],
) -> Result<BTreeSet<String>, StoreError> {
    let mut updated = 0;
    for lot in lots(appends) {
        updated += update_games(transaction, lot).await?;
    }
    let mut fenced = BTreeSet::new();
    if updated < appends.len() as u64 {
        for append in appends {
            let own = sqlx::query("SELECT 1 FROM games WHERE id = $1 AND epoch = $2")
                .bind(append.game.as_str())
                .bind(append.epoch)
                .fetch_optional(&mut **transaction)
                .await?;
            if own.is_none() {
                fenced.insert(append.game.clone());
            }
        }
    }
    let events: Vec<(&str, i64, &GameEvent)> = appends
        .iter()
        .filter(|append| !fenced.contains(&append.game))
        .flat_map(|append| {
            (append.first as i64..).zip(&append.events).map(|(seq, event)| (&*append.game, seq, event))
        })
        .collect();
    for lot in lots(&events) {
        insert_facts(transaction, lot).await?;
    }
    Ok(fenced)
}

/// Rows that one statement writes: few different numbers, so that each statement is prepared once.
const LOTS: [usize; 8] = [256, 64, 32, 16, 8, 4, 2, 1];

fn lots<T>(mut rows: &[T]) -> Vec<&[T]> {
    let mut lots = Vec::new();
    for size in LOTS {
        while let Some((lot, rest)) = rows.split_at_checked(size) {
            lots.push(lot);
            rows = rest;
        }
    }
    lots
}

/// Placeholders of rows. SQLite searches for each number and is faster without them.
fn rows(count: usize, columns: usize) -> String {
    let row = format!("({})", vec!["?"; columns].join(", "));
    vec![row; count].join(", ")
}

/// The statements by number of rows.
type Statements = OnceLock<Vec<String>>;

/// The cached statement for a number of rows.
fn statement(
    written: &'static Statements,
    write: fn(usize) -> String,
    count: usize,
) -> AssertSqlSafe<&'static str> {
    let texts = written.get_or_init(|| LOTS.map(write).to_vec());
    let text = LOTS.iter().position(|&size| size == count).and_then(|number| texts.get(number));
    AssertSqlSafe(text.map_or("", String::as_str))
}

async fn insert_facts(
    transaction: &mut Transaction<'_, Any>,
    events: &[(&str, i64, &GameEvent)],
) -> Result<(), StoreError> {
    static TEXTS: Statements = OnceLock::new();
    let write = |count| format!("INSERT INTO facts (game, seq, fact) VALUES {}", rows(count, 3));
    let mut query = sqlx::query(statement(&TEXTS, write, events.len()));
    for (game, seq, event) in events {
        query = query.bind(*game).bind(*seq).bind(write_json(event));
    }
    query.execute(&mut **transaction).await?;
    Ok(())
}

async fn update_games(
    transaction: &mut Transaction<'_, Any>,
    appends: &[&Append],
) -> Result<u64, StoreError> {
    static TEXTS: Statements = OnceLock::new();
    let write = |count| {
        format!(
            "WITH new (id, epoch, seq, updated_at, status, result, reason, ply, fen, last_move, deadline) AS (VALUES {}) \
             UPDATE games SET seq = new.seq, updated_at = new.updated_at, status = new.status, result = new.result, \
             reason = new.reason, ply = new.ply, fen = new.fen, last_move = new.last_move, deadline = new.deadline \
             FROM new WHERE games.id = new.id AND games.epoch = new.epoch",
            rows(count, 11)
        )
    };
    let mut query = sqlx::query(statement(&TEXTS, write, appends.len()));
    for append in appends {
        let summary = &append.update;
        query = query
            .bind(append.game.as_str())
            .bind(append.epoch)
            .bind(append.last())
            .bind(summary.updated_at)
            .bind(summary.status)
            .bind(summary.result.as_str())
            .bind(summary.reason.as_deref())
            .bind(summary.ply)
            .bind(summary.fen.as_str())
            .bind(summary.last_move.as_deref())
            .bind(summary.deadline);
    }
    Ok(query.execute(&mut **transaction).await?.rows_affected())
}

#[cfg(test)]
mod tests {
    use super::{lots, rows};

    #[test]
    fn rows_are_written_in_few_sizes_and_none_is_left_out() {
        for count in [0, 1, 3, 4, 63, 64, 150, 512] {
            let numbers: Vec<usize> = (0..count).collect();
            let lots = lots(&numbers);
            assert!(lots.iter().all(|lot| super::LOTS.contains(&lot.len())));
            assert_eq!(lots.concat(), numbers);
        }
        assert_eq!(rows(2, 2), "(?, ?), (?, ?)");
    }
}
