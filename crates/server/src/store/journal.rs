//! The facts of games on their way to the disk. Whatever arrives while one transaction is being committed goes
//! into the next one together, so that the disk is asked to be sure once for many moves.

use super::{StoreError, write_json};
use crate::hub::Fact;
use sqlx::{Any, AnyPool, Transaction};
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
    pub(crate) white: Option<String>,
    pub(crate) black: Option<String>,
    pub(crate) white_player: Option<String>,
    pub(crate) black_player: Option<String>,
    pub(crate) next: Option<String>,
    pub(crate) updated_at: i64,
    pub(crate) status: &'static str,
    pub(crate) result: String,
    pub(crate) reason: Option<String>,
    pub(crate) ply: i64,
    pub(crate) fen: String,
    pub(crate) last_move: Option<String>,
    pub(crate) deadline: Option<i64>,
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

impl Journal {
    pub(super) fn start(pool: AnyPool) -> Self {
        let (sender, receiver) = mpsc::channel(4 * BATCH);
        tokio::spawn(write_all(pool, receiver));
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

async fn write_all(pool: AnyPool, mut receiver: mpsc::Receiver<Message>) {
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
        write_batch(&pool, appends).await;
        if !closing.is_empty() {
            receiver.close();
            // Whoever waited may have gone.
            closing.into_iter().for_each(|answer| answer.send(()).unwrap_or(()));
        }
    }
}

/// Writes all in one transaction; if that fails, each in one of its own, so that one that cannot be written
/// does not take others with it.
async fn write_batch(pool: &AnyPool, appends: Vec<(Box<Append>, Answer)>) {
    if appends.is_empty() {
        return;
    }
    metrics::histogram!("lozenge_journal_batch").record(appends.len() as f64);
    match write_together(pool, appends.iter().map(|(append, _)| &**append)).await {
        Ok(()) => appends.into_iter().for_each(|(_, answer)| drop(answer.send(Ok(())))),
        Err(error) if appends.len() == 1 => {
            if let Some((_, answer)) = appends.into_iter().next() {
                drop(answer.send(Err(error)));
            }
        }
        Err(_) => {
            for (append, answer) in appends {
                drop(answer.send(write_together(pool, core::iter::once(&*append)).await));
            }
        }
    }
}

async fn write_together(pool: &AnyPool, appends: impl Iterator<Item = &Append>) -> Result<(), StoreError> {
    let mut transaction = pool.begin().await?;
    for append in appends {
        write_one(&mut transaction, append).await?;
    }
    transaction.commit().await?;
    Ok(())
}

async fn write_one(transaction: &mut Transaction<'_, Any>, append: &Append) -> Result<(), StoreError> {
    for (number, fact) in append.facts.iter().enumerate() {
        sqlx::query("INSERT INTO facts (game, seq, fact) VALUES ($1, $2, $3)")
            .bind(append.game.as_str())
            .bind(append.first as i64 + number as i64)
            .bind(write_json(fact))
            .execute(&mut **transaction)
            .await?;
    }
    let summary = &append.summary;
    let last = append.first as i64 + append.facts.len() as i64 - 1;
    sqlx::query(
        "UPDATE games SET seq = $1, white = $2, black = $3, white_player = $4, black_player = $5, next = $6, \
         updated_at = $7, status = $8, result = $9, reason = $10, ply = $11, fen = $12, last_move = $13, \
         deadline = $14 WHERE id = $15",
    )
    .bind(last)
    .bind(summary.white.as_deref())
    .bind(summary.black.as_deref())
    .bind(summary.white_player.as_deref())
    .bind(summary.black_player.as_deref())
    .bind(summary.next.as_deref())
    .bind(summary.updated_at)
    .bind(summary.status)
    .bind(summary.result.as_str())
    .bind(summary.reason.as_deref())
    .bind(summary.ply)
    .bind(summary.fen.as_str())
    .bind(summary.last_move.as_deref())
    .bind(summary.deadline)
    .bind(append.game.as_str())
    .execute(&mut **transaction)
    .await?;
    Ok(())
}
