//! Group commit for the events of games. One task writes; appends that arrive during a commit share the next
//! transaction, so that one sync of the disk serves many moves. A commit whose outcome is unknown is looked up.

mod fenced;
mod pace;
mod rows;

use super::erasure::erase_player;
use super::games::{NewGameRow, insert_game};
use super::write::WriteTurns;
use super::{DatabaseKind, Store, StoreError, write_json};
use lozenge_game::{GameEvent, GameUpdate, SeatColumns};
use pace::Pace;
use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyConnection, AnyPool, Connection as _, Transaction};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::{OwnedMutexGuard, mpsc, oneshot};
use tokio::time::{Instant, sleep, sleep_until, timeout};

/// New events of one game, and its columns after them.
#[derive(Clone, Debug)]
pub struct Append {
    /// The game's row, if the game is new: written in the same transaction as its first events.
    pub new: Option<Box<NewGameRow>>,
    /// The game.
    pub game: String,
    /// Number of the first event.
    pub first: u64,
    /// The events, in order.
    pub events: Vec<GameEvent>,
    /// The columns of the game after them.
    pub update: GameUpdate,
    /// The epoch in which this server owns the game; 0 where there is one server.
    pub epoch: i64,
    /// The request of another server that they came of.
    pub command: Option<String>,
    /// Whether its sender has cancelled it.
    pub cancel_flag: CancelFlag,
}

/// Set once the sender of an append no longer waits for it, and reads the game again before anything else happens in it. An
/// append not yet sent to the database by then is not written.
#[derive(Clone, Debug, Default)]
pub struct CancelFlag(Arc<AtomicBool>);

impl CancelFlag {
    /// Cancels the append.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Why events were not acknowledged.
#[derive(Clone, Debug, thiserror::Error)]
pub enum WriteError {
    /// The database does not have them.
    #[error("not written: {0}")]
    NotWritten(Arc<StoreError>),
    /// The database may have them: the commit failed or got no answer, and looking it up failed, too.
    #[error("unknown whether written: {0}")]
    Unknown(Arc<StoreError>),
    /// The database has other events instead: the game in memory is not the game on the disk.
    #[error("expected the end of game {game} at event {seq}, found other events there")]
    Conflict {
        /// The game.
        game: String,
        /// The expected number of the next event.
        seq: u64,
    },
    /// Another server has the game: the database did not take the events.
    #[error("expected to own game {game} in epoch {epoch}, found another owner")]
    Fenced {
        /// The game.
        game: String,
        /// The epoch in which this server owned it.
        epoch: i64,
    },
}

impl WriteError {
    /// Whether the game in memory may differ from its record, so that it has to be read again.
    pub fn needs_reload(&self) -> bool {
        !matches!(self, Self::NotWritten(_))
    }
}

type Responder<E> = oneshot::Sender<Result<(), E>>;

/// A handle to the writing task.
#[derive(Clone, Debug)]
pub(super) struct Journal {
    sender: mpsc::Sender<Message>,
}

enum Message {
    Append(Box<Append>, Responder<WriteError>),
    Heartbeat(i64, Responder<StoreError>),
    Wait(oneshot::Sender<()>),
    Close(oneshot::Sender<()>),
}

/// Most writes of one transaction.
const MAX_BATCH: usize = 512;

/// Least time between the beginnings of two transactions while several games are played, so that moves share them: one of
/// ten moves costs little more than one of a single move. A player alone does not wait, nor does a full batch.
const COMMIT_DELAY: Duration = Duration::from_millis(10);
const FULL_BATCH: usize = 64;

/// Timeout of a transaction, including its connection.
const TRANSACTION_TIMEOUT: Duration = Duration::from_secs(10);
/// Timeout of retrying a failed batch and looking up its outcome.
const RETRY_TIMEOUT: Duration = Duration::from_secs(4);
const RETRY_DELAY: Duration = Duration::from_millis(100);

impl Journal {
    pub(super) fn start(pool: AnyPool, kind: DatabaseKind, turns: Option<Arc<WriteTurns>>) -> Self {
        let (sender, receiver) = mpsc::channel(4 * MAX_BATCH);
        tokio::spawn(write_all(Writer { pool, kind, turns, kept: None }, receiver));
        Self { sender }
    }

    /// Returns when the events are on the disk.
    pub(super) async fn append(&self, append: Append) -> Result<(), WriteError> {
        let closed = || WriteError::NotWritten(Arc::new(StoreError::Closed));
        let (answer, done) = oneshot::channel();
        let message = Message::Append(Box::new(append), answer);
        self.sender.send(message).await.map_err(|_| closed())?;
        // A writer that ends with the process has not answered what it may have written.
        done.await.map_err(|_| WriteError::Unknown(Arc::new(StoreError::Closed)))?
    }

    /// Stores the time, on the connection of the moves.
    pub(super) async fn heartbeat(&self, now: i64) -> Result<(), StoreError> {
        let (answer, done) = oneshot::channel();
        self.sender.send(Message::Heartbeat(now, answer)).await.map_err(|_| StoreError::Closed)?;
        done.await.map_err(|_| StoreError::Closed)?
    }

    /// Returns when no earlier append will be written any more, so that later reads stay true.
    pub(super) async fn wait_for_writes(&self) {
        let (answer, done) = oneshot::channel();
        if self.sender.send(Message::Wait(answer)).await.is_ok() {
            let _ = done.await;
        }
    }

    /// Returns when all earlier appends are on the disk.
    pub(super) async fn close(&self) {
        let (answer, done) = oneshot::channel();
        if self.sender.send(Message::Close(answer)).await.is_ok() {
            let _ = done.await;
        }
    }
}

async fn write_all(mut writer: Writer, mut receiver: mpsc::Receiver<Message>) {
    let mut messages = Vec::with_capacity(MAX_BATCH);
    let mut pace = Pace::default();
    while receiver.recv_many(&mut messages, MAX_BATCH).await > 0 {
        let mut appends = Vec::with_capacity(messages.len());
        let (mut heartbeats, mut waiting, mut closing) = (Vec::new(), Vec::new(), Vec::new());
        for message in messages.drain(..) {
            match message {
                Message::Append(append, answer) => appends.push((append, answer)),
                Message::Heartbeat(now, answer) => heartbeats.push((now, answer)),
                Message::Wait(answer) => waiting.push(answer),
                Message::Close(answer) => closing.push(answer),
            }
        }
        let begun = Instant::now();
        appends.iter().for_each(|(append, _)| pace.note(&append.game, begun));
        writer.write_batch(appends).await;
        // Fails if the caller has gone, here and below.
        for answer in waiting {
            let _ = answer.send(());
        }
        for (now, answer) in heartbeats {
            let _ = answer.send(writer.heartbeat(now).await);
        }
        if !closing.is_empty() {
            receiver.close();
            closing.into_iter().for_each(|answer| answer.send(()).unwrap_or(()));
        } else if receiver.len() < FULL_BATCH && pace.is_shared(begun) {
            sleep_until(begun + COMMIT_DELAY).await;
        }
    }
}

/// The state of the writing task.
#[derive(Debug)]
struct Writer {
    pool: AnyPool,
    kind: DatabaseKind,
    turns: Option<Arc<WriteTurns>>,
    /// SQLite's connection of the last write, if that did not fail: its page cache stays valid, as other
    /// connections hardly write. For PostgreSQL the pool checks its connections.
    kept: Option<PoolConnection<Any>>,
}

/// A transaction that was not acknowledged.
#[derive(Debug)]
struct Failure {
    error: Arc<StoreError>,
    /// Whether `COMMIT` had been sent: the transaction may be in the database.
    committing: bool,
}

impl Failure {
    fn new(error: impl Into<StoreError>) -> Self {
        Self { error: Arc::new(error.into()), committing: false }
    }

    /// Whether a row of the transaction exists already.
    fn is_duplicate(&self) -> bool {
        match &*self.error {
            StoreError::Database(sqlx::Error::Database(error)) => error.is_unique_violation(),
            _ => false,
        }
    }
}

impl Writer {
    /// Writes all in one transaction; if that fails, each in one of its own, so that one failure does not
    /// affect the others.
    async fn write_batch(&mut self, mut appends: Vec<(Box<Append>, Responder<WriteError>)>) {
        for (append, answer) in appends.extract_if(.., |(append, _)| append.cancel_flag.is_set()) {
            drop(answer.send(Err(append.not_sent())));
        }
        if appends.is_empty() {
            return;
        }
        metrics::histogram!("lozenge_journal_batch").record(appends.len() as f64);
        let all: Vec<&Append> = appends.iter().map(|(append, _)| &**append).collect();
        let begun = Instant::now();
        let attempted = self.attempt(&all).await;
        metrics::histogram!("lozenge_journal_seconds").record(begun.elapsed().as_secs_f64());
        let failure = match attempted {
            Ok(fenced) => {
                for (append, answer) in appends {
                    let is_fenced = fenced.contains(&append.game);
                    drop(answer.send(if is_fenced { Err(append.fenced()) } else { Ok(()) }));
                }
                return;
            }
            Err(failure) => failure,
        };
        metrics::counter!("lozenge_journal_failures").increment(1);
        tracing::warn!(error = %failure.error, committing = failure.committing, "a transaction failed");
        let deadline = Instant::now() + RETRY_TIMEOUT;
        let alone = appends.len() == 1;
        for (append, answer) in appends {
            let result = self.settle(&append, &failure, alone, deadline).await;
            drop(answer.send(result));
        }
    }

    /// Looks up one append of a failed batch, and writes it if it is missing. Retries temporary failures until the
    /// deadline.
    async fn settle(
        &mut self,
        append: &Append,
        failure: &Failure,
        alone: bool,
        deadline: Instant,
    ) -> Result<(), WriteError> {
        let (mut in_doubt, mut error) = (failure.committing, Arc::clone(&failure.error));
        // Do not retry a definite failure.
        let mut retry = !alone || self.may_pass(failure);
        let mut look_up = in_doubt || failure.is_duplicate();
        loop {
            if append.cancel_flag.is_set() {
                return Err(WriteError::Unknown(error));
            }
            // A file answers at once; a server that does not answer is not queried for each game of the batch.
            let late = Instant::now() >= deadline;
            if look_up && !(late && self.kind == DatabaseKind::Postgres) {
                match self.lookup(append).await {
                    Ok(Recorded::Same) => return Ok(()),
                    Ok(Recorded::Other) => return Err(append.conflict()),
                    // With SQLite nothing else is under way; a backend of PostgreSQL may still be committing, but an
                    // insert of the same row waits for it.
                    Ok(Recorded::Nothing) => in_doubt &= self.kind == DatabaseKind::Postgres,
                    Err(failed) => (in_doubt, error) = (true, Arc::new(failed)),
                }
            }
            if late || !(retry || in_doubt) {
                break;
            }
            match self.attempt(&[append]).await {
                Ok(fenced) if fenced.is_empty() => return Ok(()),
                Ok(_) => return Err(append.fenced()),
                Err(again) => {
                    in_doubt |= again.committing;
                    look_up = in_doubt || again.is_duplicate();
                    retry = self.may_pass(&again);
                    error = again.error;
                }
            }
            if retry || in_doubt {
                sleep(RETRY_DELAY).await;
            }
        }
        Err(if in_doubt { WriteError::Unknown(error) } else { WriteError::NotWritten(error) })
    }

    /// Whether the same transaction could succeed in a moment, on another connection.
    fn may_pass(&self, failure: &Failure) -> bool {
        match &*failure.error {
            StoreError::Database(sqlx::Error::Database(_)) => false,
            StoreError::Database(_) => self.kind == DatabaseKind::Postgres,
            _ => false,
        }
    }

    /// Writes all appends or none, except those of games that other servers have: their ids.
    async fn attempt(&mut self, appends: &[&Append]) -> Result<BTreeSet<String>, Failure> {
        let kind = self.kind;
        let mut connection = self.connection().await?;
        let committing = AtomicBool::new(false);
        let _turn = turn(&self.turns).await;
        let result = in_time(kind, write_together(&mut connection, kind, appends, &committing)).await;
        let committing = committing.into_inner();
        self.give_back(connection, result.is_ok());
        result.map_err(|error| {
            let failure = Failure { error: Arc::new(error), committing };
            // The answer that a row exists is definite.
            Failure { committing: committing && !failure.is_duplicate(), ..failure }
        })
    }

    async fn heartbeat(&mut self, now: i64) -> Result<(), StoreError> {
        let kind = self.kind;
        let mut connection = self
            .connection()
            .await
            .map_err(|failure| Arc::into_inner(failure.error).unwrap_or(StoreError::Closed))?;
        let beat = sqlx::query(
            "INSERT INTO heartbeat (one, at) VALUES (1, $1) ON CONFLICT (one) DO UPDATE SET at = excluded.at",
        );
        let _turn = turn(&self.turns).await;
        let result = in_time(kind, async { Ok(beat.bind(now).execute(&mut *connection).await?) }).await;
        self.give_back(connection, result.is_ok());
        result.map(drop)
    }

    /// The stored events at the numbers of these.
    async fn lookup(&mut self, append: &Append) -> Result<Recorded, StoreError> {
        let events = sqlx::query_as("SELECT fact FROM facts WHERE game = $1 AND seq >= $2 ORDER BY seq")
            .bind(append.game.as_str())
            .bind(append.first as i64);
        let found: Vec<(String,)> =
            in_time(self.kind, async { Ok(events.fetch_all(&self.pool).await?) }).await?;
        Ok(match found.len() {
            0 => Recorded::Nothing,
            _ if found.iter().map(|(event,)| event.as_str()).eq(append.events.iter().map(write_json)) => {
                Recorded::Same
            }
            _ => Recorded::Other,
        })
    }

    /// The connection of the last write, or another.
    async fn connection(&mut self) -> Result<PoolConnection<Any>, Failure> {
        match self.kept.take() {
            Some(connection) => Ok(connection),
            None => self.pool.acquire().await.map_err(Failure::new),
        }
    }

    /// Closes a connection on which a write failed, since its transaction state is unknown; an open transaction is rolled back.
    fn give_back(&mut self, mut connection: PoolConnection<Any>, good: bool) {
        if !good {
            connection.close_on_drop();
        } else if self.kind == DatabaseKind::Sqlite {
            self.kept = Some(connection);
        }
    }
}

/// The right to write to an SQLite file.
async fn turn(turns: &Option<Arc<WriteTurns>>) -> Option<OwnedMutexGuard<()>> {
    match turns {
        Some(turns) => Some(turns.journal().await),
        None => None,
    }
}

/// Waits for a query. SQLite has no timeout, because its commit would continue; a PostgreSQL server that does not answer
/// in time is queried again on a new connection.
async fn in_time<T>(
    kind: DatabaseKind,
    query: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    match kind {
        DatabaseKind::Sqlite => query.await,
        DatabaseKind::Postgres => timeout(TRANSACTION_TIMEOUT, query)
            .await
            .unwrap_or_else(|_| Err(sqlx::Error::Io(std::io::ErrorKind::TimedOut.into()).into())),
    }
}

impl Store {
    /// Returns when the events are on the disk.
    pub async fn append(&self, append: Append) -> Result<(), WriteError> {
        self.journal.append(append).await
    }

    /// Returns when nothing will be written any more of what was appended before.
    pub async fn wait_for_writes(&self) {
        self.journal.wait_for_writes().await;
    }
}

impl Append {
    fn conflict(&self) -> WriteError {
        WriteError::Conflict { game: self.game.clone(), seq: self.first }
    }

    fn not_sent(&self) -> WriteError {
        WriteError::NotWritten(Arc::new(StoreError::LeaseOver))
    }

    fn fenced(&self) -> WriteError {
        WriteError::Fenced { game: self.game.clone(), epoch: self.epoch }
    }

    /// Number of the last event.
    fn last(&self) -> i64 {
        self.first as i64 + self.events.len() as i64 - 1
    }

    /// Whether the game begins or ends.
    fn changes_status(&self) -> bool {
        let begins_or_ends =
            |event: &GameEvent| matches!(event, GameEvent::Joined { .. } | GameEvent::Finished { .. });
        self.events.iter().any(begins_or_ends)
    }

    /// Whether it is all written by the statements for events.
    fn is_plain(&self) -> bool {
        let erases = |event: &GameEvent| matches!(event, GameEvent::Forgotten { .. });
        self.new.is_none() && self.update.seats.is_none() && !self.events.iter().any(erases)
    }
}

/// The state of an append in the database.
enum Recorded {
    /// These events, and none after them.
    Same,
    /// None of them.
    Nothing,
    /// Other events.
    Other,
}

/// Writes all appends, except those of games that other servers have: the ids of these.
async fn write_together(
    connection: &mut AnyConnection,
    kind: DatabaseKind,
    appends: &[&Append],
    committing: &AtomicBool,
) -> Result<BTreeSet<String>, StoreError> {
    let rounds = rounds(appends);
    if let [round] = &rounds[..]
        && appends.iter().all(|append| append.is_plain())
    {
        // The transaction is one message to the database: one way there and back, and nothing stays open in between.
        committing.store(true, Ordering::Relaxed);
        return match kind {
            DatabaseKind::Sqlite => rows::write(connection, round, true).await,
            DatabaseKind::Postgres => fenced::write(connection, round).await,
        };
    }
    // Fails where a transaction is open: SQLite's `IMMEDIATE` is also refused by another writer here and not in between.
    let mut transaction = connection
        .begin_with(match kind {
            DatabaseKind::Sqlite => "BEGIN IMMEDIATE",
            DatabaseKind::Postgres => "BEGIN",
        })
        .await?;
    for game in appends.iter().filter_map(|append| append.new.as_deref()) {
        insert_game(&mut transaction, game).await?;
    }
    let mut fenced = BTreeSet::new();
    for round in &rounds {
        match kind {
            DatabaseKind::Sqlite => fenced.extend(rows::write(&mut transaction, round, false).await?),
            DatabaseKind::Postgres => fenced.extend(fenced::write(&mut transaction, round).await?),
        }
    }
    for append in appends.iter().filter(|append| !fenced.contains(&append.game)) {
        for event in &append.events {
            if let GameEvent::Forgotten { color } = event {
                erase_player(&mut transaction, &append.game, *color).await?;
            }
        }
        if let Some(people) = &append.update.seats {
            update_people(&mut transaction, &append.game, people).await?;
        }
    }
    committing.store(true, Ordering::Relaxed);
    transaction.commit().await?;
    Ok(fenced)
}

/// The appends in their order, those of one game in different rounds.
fn rounds<'a>(appends: &[&'a Append]) -> Vec<Vec<&'a Append>> {
    let mut rounds: Vec<Vec<&Append>> = Vec::new();
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for &append in appends {
        let time = times.entry(&append.game).or_default();
        match rounds.get_mut(*time) {
            Some(round) => round.push(append),
            None => rounds.push(vec![append]),
        }
        *time += 1;
    }
    rounds
}

async fn update_people(
    transaction: &mut Transaction<'_, Any>,
    game: &str,
    people: &SeatColumns,
) -> Result<(), StoreError> {
    let query = sqlx::query(
        "UPDATE games SET white = $1, black = $2, third = $3, fourth = $4, white_player = $5, black_player = $6, \
         third_player = $7, fourth_player = $8, next = $9 WHERE id = $10",
    );
    let columns = people.ids.iter().chain(&people.players);
    let query = columns.fold(query, |query, column| query.bind(column.as_deref()));
    query.bind(people.next.as_deref()).bind(game).execute(&mut **transaction).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn cancelled_append_is_not_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let url = crate::Store::sqlite_url(folder.path());
        let store = crate::Store::open(&url).await.expect("a database");
        let append = |cancel_flag: &CancelFlag| Append {
            new: None,
            game: "game".into(),
            first: 1,
            events: vec![GameEvent::DrawDeclined],
            update: GameUpdate {
                seats: None,
                updated_at: 0,
                status: "started",
                result: lozenge_wire::GameResult::Unknown,
                reason: None,
                ply: 0,
                fen: String::new(),
                last_move: None,
                deadline: None,
            },
            epoch: 1,
            command: None,
            cancel_flag: cancel_flag.clone(),
        };
        let cancel_flag = CancelFlag::default();
        let sent = store.append(append(&cancel_flag)).await;
        assert!(matches!(sent, Err(WriteError::Fenced { .. })), "the database was asked: {sent:?}");
        cancel_flag.cancel();
        let not_sent = store.append(append(&cancel_flag)).await;
        assert!(matches!(not_sent, Err(WriteError::NotWritten(_))), "{not_sent:?}");
    }
}
