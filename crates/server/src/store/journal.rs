//! The facts of games on their way to the disk. Whatever arrives while one transaction is being committed goes
//! into the next one together, so that the disk is asked to be sure once for many moves.

use super::erasure::erase_player;
use super::{Kind, StoreError, write_json};
use crate::hub::Fact;
use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyConnection, AnyPool, AssertSqlSafe, Connection as _, Transaction};
use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};

/// New facts of one game, and how the game stands after them.
#[derive(Clone, Debug)]
pub(crate) struct Append {
    /// The game.
    pub(crate) game: String,
    /// Number of the first fact.
    pub(crate) first: u64,
    /// The facts, in order.
    pub(crate) facts: Vec<Fact>,
    /// The game after them.
    pub(crate) summary: Summary,
}

/// What lists of games show, and what has to be found again.
#[derive(Clone, Debug)]
pub(crate) struct Summary {
    /// Who plays, and the game after it, if the facts have changed any of that.
    pub(crate) people: Option<Box<People>>,
    pub(crate) updated_at: i64,
    pub(crate) status: &'static str,
    pub(crate) result: String,
    pub(crate) reason: Option<String>,
    pub(crate) ply: i64,
    pub(crate) fen: String,
    pub(crate) last_move: Option<String>,
    pub(crate) deadline: Option<i64>,
}

/// What seldom changes.
#[derive(Clone, Debug)]
pub(crate) struct People {
    pub(crate) white: Option<String>,
    pub(crate) black: Option<String>,
    pub(crate) white_player: Option<String>,
    pub(crate) black_player: Option<String>,
    pub(crate) next: Option<String>,
}

type Answer = oneshot::Sender<Result<(), StoreError>>;

/// The way to the one task that writes.
#[derive(Clone, Debug)]
pub(super) struct Journal {
    sender: mpsc::Sender<Message>,
}

enum Message {
    Append(Box<Append>, Answer),
    Close(oneshot::Sender<()>),
}

/// Most writes of one transaction.
const BATCH: usize = 512;

/// When moves come so close that as many as this meet in one transaction, the next one waits a moment for more: what a
/// transaction costs is hardly more for thirty moves than for three. Not when there is plenty already.
const BUSY: usize = 4;
const PATIENCE: Duration = Duration::from_millis(3);
const PLENTY: usize = 64;

impl Journal {
    pub(super) fn start(pool: AnyPool, kind: Kind) -> Self {
        let (sender, receiver) = mpsc::channel(4 * BATCH);
        tokio::spawn(write_all(Database { pool, kind, kept: None }, receiver));
        Self { sender }
    }

    /// Returns when the facts are on the disk.
    pub(super) async fn append(&self, append: Append) -> Result<(), StoreError> {
        let (answer, done) = oneshot::channel();
        let message = Message::Append(Box::new(append), answer);
        self.sender.send(message).await.map_err(|_| StoreError::Closed)?;
        done.await.map_err(|_| StoreError::Closed)?
    }

    /// Returns when everything that was asked before is on the disk.
    pub(super) async fn close(&self) {
        let (answer, done) = oneshot::channel();
        if self.sender.send(Message::Close(answer)).await.is_ok() {
            let _ = done.await;
        }
    }
}

/// Where the facts go.
#[derive(Debug)]
struct Database {
    pool: AnyPool,
    kind: Kind,
    /// SQLite's connection of the last write, if that did not fail: what it knows of the file's pages stays true, as
    /// nobody else writes as much. PostgreSQL's knows none, and the pool sees to it that they still answer.
    kept: Option<PoolConnection<Any>>,
}

async fn write_all(mut database: Database, mut receiver: mpsc::Receiver<Message>) {
    let mut messages = Vec::with_capacity(BATCH);
    while receiver.recv_many(&mut messages, BATCH).await > 0 {
        let mut appends = Vec::with_capacity(messages.len());
        let mut closing = Vec::new();
        for message in messages.drain(..) {
            match message {
                Message::Append(append, answer) => appends.push((append, answer)),
                Message::Close(answer) => closing.push(answer),
            }
        }
        let busy = appends.len() >= BUSY;
        write_batch(&mut database, appends).await;
        if !closing.is_empty() {
            receiver.close();
            // Whoever waited may have gone.
            closing.into_iter().for_each(|answer| answer.send(()).unwrap_or(()));
        } else if busy && receiver.len() < PLENTY {
            tokio::time::sleep(PATIENCE).await;
        }
    }
}

/// Writes all in one transaction; if that fails, each in one of its own, so that one that cannot be written
/// does not take others with it.
async fn write_batch(database: &mut Database, appends: Vec<(Box<Append>, Answer)>) {
    if appends.is_empty() {
        return;
    }
    metrics::histogram!("lozenge_journal_batch").record(appends.len() as f64);
    let all: Vec<&Append> = appends.iter().map(|(append, _)| &**append).collect();
    match database.write(&all).await {
        Ok(()) => appends.into_iter().for_each(|(_, answer)| drop(answer.send(Ok(())))),
        Err(error) if appends.len() == 1 => {
            if let Some((_, answer)) = appends.into_iter().next() {
                drop(answer.send(Err(error)));
            }
        }
        Err(_) => {
            for (append, answer) in appends {
                drop(answer.send(database.write(&[&append]).await));
            }
        }
    }
}

impl Database {
    /// Writes all or nothing.
    async fn write(&mut self, appends: &[&Append]) -> Result<(), StoreError> {
        let mut connection = match self.kept.take() {
            Some(connection) => connection,
            None => self.pool.acquire().await?,
        };
        write_together(&mut connection, self.kind, appends).await?;
        self.kept = (self.kind == Kind::Sqlite).then_some(connection);
        Ok(())
    }
}

async fn write_together(
    connection: &mut AnyConnection,
    kind: Kind,
    appends: &[&Append],
) -> Result<(), StoreError> {
    let mut transaction = connection.begin().await?;
    let facts: Vec<(&str, i64, &Fact)> = appends
        .iter()
        .flat_map(|append| {
            (append.first as i64..).zip(&append.facts).map(|(seq, fact)| (&*append.game, seq, fact))
        })
        .collect();
    for lot in lots(&facts) {
        insert_facts(&mut transaction, kind, lot).await?;
    }
    // A game that comes twice is as it was last.
    let summaries: BTreeMap<&str, &Append> = appends.iter().map(|append| (&*append.game, *append)).collect();
    let summaries: Vec<&Append> = summaries.into_values().collect();
    for lot in lots(&summaries) {
        update_games(&mut transaction, kind, lot).await?;
    }
    for append in appends {
        for fact in &append.facts {
            if let Fact::Forgotten { color } = fact {
                erase_player(&mut transaction, &append.game, *color).await?;
            }
        }
        if let Some(people) = &append.summary.people {
            update_people(&mut transaction, &append.game, people).await?;
        }
    }
    transaction.commit().await?;
    Ok(())
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

/// So many rows of so many parameters each. PostgreSQL wants them numbered, `($1, $2), ($3, $4)`, and their types said
/// once; SQLite looks each number up among all of them, and is quicker with `(?, ?), (?, ?)`.
fn rows(kind: Kind, count: usize, types: &[&str]) -> String {
    let row = |row: usize| {
        let parameter = |(column, of): (usize, &&str)| {
            let number = row * types.len() + column + 1;
            match kind {
                Kind::Sqlite => "?".into(),
                Kind::Postgres if row == 0 => format!("CAST(${number} AS {of})"),
                Kind::Postgres => format!("${number}"),
            }
        };
        format!("({})", types.iter().enumerate().map(parameter).collect::<Vec<_>>().join(", "))
    };
    (0..count).map(row).collect::<Vec<_>>().join(", ")
}

type Statement = AssertSqlSafe<&'static str>;

/// The statements for lots of each size, for one kind of database and for the other.
type Statements = [OnceLock<Vec<String>>; 2];

/// The statement for a lot, written once.
fn statement(
    written: &'static Statements,
    write: fn(Kind, usize) -> String,
    kind: Kind,
    count: usize,
) -> Statement {
    let texts = written[kind as usize].get_or_init(|| LOTS.map(|size| write(kind, size)).to_vec());
    let text = LOTS.iter().position(|&size| size == count).and_then(|number| texts.get(number));
    AssertSqlSafe(text.map_or("", String::as_str))
}

async fn insert_facts(
    transaction: &mut Transaction<'_, Any>,
    kind: Kind,
    facts: &[(&str, i64, &Fact)],
) -> Result<(), StoreError> {
    static TEXTS: Statements = [const { OnceLock::new() }; 2];
    let write = |kind, count| {
        format!(
            "INSERT INTO facts (game, seq, fact) VALUES {}",
            rows(kind, count, &["TEXT", "BIGINT", "TEXT"])
        )
    };
    let mut query = sqlx::query(statement(&TEXTS, write, kind, facts.len()));
    for (game, seq, fact) in facts {
        query = query.bind(*game).bind(*seq).bind(write_json(fact));
    }
    query.execute(&mut **transaction).await?;
    Ok(())
}

async fn update_games(
    transaction: &mut Transaction<'_, Any>,
    kind: Kind,
    appends: &[&Append],
) -> Result<(), StoreError> {
    static TEXTS: Statements = [const { OnceLock::new() }; 2];
    const TYPES: [&str; 10] =
        ["TEXT", "BIGINT", "BIGINT", "TEXT", "TEXT", "TEXT", "BIGINT", "TEXT", "TEXT", "BIGINT"];
    let write = |kind, count| {
        format!(
            "WITH new (id, seq, updated_at, status, result, reason, ply, fen, last_move, deadline) AS (VALUES {}) \
             UPDATE games SET seq = new.seq, updated_at = new.updated_at, status = new.status, result = new.result, \
             reason = new.reason, ply = new.ply, fen = new.fen, last_move = new.last_move, deadline = new.deadline \
             FROM new WHERE games.id = new.id",
            rows(kind, count, &TYPES)
        )
    };
    let mut query = sqlx::query(statement(&TEXTS, write, kind, appends.len()));
    for append in appends {
        let summary = &append.summary;
        query = query
            .bind(append.game.as_str())
            .bind(append.first as i64 + append.facts.len() as i64 - 1)
            .bind(summary.updated_at)
            .bind(summary.status)
            .bind(summary.result.as_str())
            .bind(summary.reason.as_deref())
            .bind(summary.ply)
            .bind(summary.fen.as_str())
            .bind(summary.last_move.as_deref())
            .bind(summary.deadline);
    }
    query.execute(&mut **transaction).await?;
    Ok(())
}

async fn update_people(
    transaction: &mut Transaction<'_, Any>,
    game: &str,
    people: &People,
) -> Result<(), StoreError> {
    sqlx::query(
        "UPDATE games SET white = $1, black = $2, white_player = $3, black_player = $4, next = $5 WHERE id = $6",
    )
    .bind(people.white.as_deref())
    .bind(people.black.as_deref())
    .bind(people.white_player.as_deref())
    .bind(people.black_player.as_deref())
    .bind(people.next.as_deref())
    .bind(game)
    .execute(&mut **transaction)
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Kind, lots, rows};

    #[test]
    fn rows_are_written_in_few_sizes_and_none_is_left_out() {
        for count in [0, 1, 3, 4, 63, 64, 150, 512] {
            let numbers: Vec<usize> = (0..count).collect();
            let lots = lots(&numbers);
            assert!(lots.iter().all(|lot| super::LOTS.contains(&lot.len())));
            assert_eq!(lots.concat(), numbers);
        }
        let types = ["TEXT", "BIGINT"];
        assert_eq!(rows(Kind::Postgres, 2, &types), "(CAST($1 AS TEXT), CAST($2 AS BIGINT)), ($3, $4)");
        assert_eq!(rows(Kind::Sqlite, 2, &types), "(?, ?), (?, ?)");
    }
}
