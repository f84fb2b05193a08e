//! The servers that share a database of PostgreSQL: their leases, and which of them has which game. All times here are those
//! of the database's clock. Not here: what a server does with its games (`games`).

use super::{Store, StoreError, read_json};
use lozenge_game::GameEvent;
use std::collections::HashMap;

/// A server that has begun.
#[derive(Clone, Debug)]
pub struct NodeRow {
    /// Its name until it loses its lease or starts again: then it is another.
    pub incarnation: String,
    /// Its name in the settings.
    pub id: String,
    /// The address at which it can be reached, for people and proxies.
    pub address: String,
}

/// A server that has died.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadNode {
    /// The name that it had until its death.
    pub incarnation: String,
    /// How long ago it last renewed its lease, in milliseconds.
    pub seen_ago_ms: i64,
}

/// How far a game is, and who has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameHead {
    /// Number of its last event.
    pub seq: u64,
    /// The number of the ownership: it grows with each new owner.
    pub epoch: i64,
    /// The server that has it, if that one is alive.
    pub owner: Option<String>,
    /// How long ago a dead owner last renewed its lease, in milliseconds.
    pub died_ago_ms: Option<i64>,
}

/// Unix milliseconds by the database's clock.
macro_rules! now {
    () => {
        "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)"
    };
}

/// Games with a live clock that go on, or with free seats that the engine will take: one server has to watch the time.
macro_rules! clocked {
    () => {
        "((status = 'started' AND deadline IS NOT NULL AND speed <> 'correspondence') OR (status = 'waiting' AND fill IS NOT NULL))"
    };
}

/// The condition that the server of a parameter is alive.
macro_rules! is_alive {
    ($node:literal) => {
        concat!("EXISTS (SELECT 1 FROM nodes WHERE incarnation = ", $node, " AND dead = 0)")
    };
}

impl Store {
    /// The newest migration that this program knows.
    pub(crate) fn schema() -> i64 {
        super::migrations::MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or(0)
    }

    /// Adds a server with a lease.
    pub async fn add_node(&self, node: &NodeRow, lease_ms: i64) -> Result<(), StoreError> {
        sqlx::query(concat!(
            "INSERT INTO nodes (incarnation, id, address, version, schema, seen_at, until, nats_ok) VALUES ($1, $2, $3, \
             $4, $5, ", now!(), ", ", now!(), " + $6, 0)"
        ))
        .bind(node.incarnation.as_str())
        .bind(node.id.as_str())
        .bind(node.address.as_str())
        .bind(env!("CARGO_PKG_VERSION"))
        .bind(Self::schema())
        .bind(lease_ms)
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Renews the lease of a server. The time by the database's clock; `None` if the server has been declared dead.
    pub async fn renew_node(
        &self,
        incarnation: &str,
        lease_ms: i64,
        nats_ok: bool,
    ) -> Result<Option<i64>, StoreError> {
        let row: Option<(i64,)> = sqlx::query_as(concat!(
            "UPDATE nodes SET seen_at = ",
            now!(),
            ", until = ",
            now!(),
            " + $2, nats_ok = $3 \
             WHERE incarnation = $1 AND dead = 0 RETURNING seen_at"
        ))
        .bind(incarnation)
        .bind(lease_ms)
        .bind(i64::from(nats_ok))
        .fetch_optional(&self.pool)
        .await?;
        Ok(row.map(|(now,)| now))
    }

    /// The time by the database's clock, in Unix milliseconds.
    pub async fn database_now(&self) -> Result<i64, StoreError> {
        let (now,): (i64,) = sqlx::query_as(concat!("SELECT ", now!())).fetch_one(&self.pool).await?;
        Ok(now)
    }

    /// When the lease of a server with a name in the settings ends, and how much later that is; `None` if none such lives.
    pub async fn lease_of(&self, id: &str) -> Result<Option<(i64, i64)>, StoreError> {
        Ok(sqlx::query_as(concat!(
            "SELECT until, until - ",
            now!(),
            " FROM nodes WHERE id = $1 AND dead = 0 AND until >= ",
            now!(),
            " ORDER BY until DESC LIMIT 1"
        ))
        .bind(id)
        .fetch_optional(&self.pool)
        .await?)
    }

    /// Records that a session or token of a user was revoked, or that a network was banned (no user).
    pub async fn record_revocation(&self, user: Option<&str>) -> Result<(), StoreError> {
        sqlx::query(concat!("INSERT INTO revocations (subject, at) VALUES ($1, ", now!(), ")"))
            .bind(user.unwrap_or_default())
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// The users of the revocations since a moment; `None` among them is a banned network.
    pub async fn revocations_since(&self, since: i64) -> Result<Vec<Option<String>>, StoreError> {
        let rows: Vec<(String,)> = sqlx::query_as("SELECT DISTINCT subject FROM revocations WHERE at >= $1")
            .bind(since)
            .fetch_all(&self.pool)
            .await?;
        Ok(rows.into_iter().map(|(user,)| Some(user).filter(|user| !user.is_empty())).collect())
    }

    /// Deletes the revocations before a moment.
    pub async fn drop_old_revocations(&self, before: i64) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM revocations WHERE at < $1").bind(before).execute(&self.pool).await?;
        Ok(())
    }

    /// Declares a server dead that gives its games away: they are taken over at once.
    pub async fn retire_node(&self, incarnation: &str) -> Result<(), StoreError> {
        sqlx::query(concat!(
            "UPDATE nodes SET dead = 1, seen_at = ",
            now!(),
            ", until = ",
            now!(),
            " WHERE incarnation = $1 AND dead = 0"
        ))
        .bind(incarnation)
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Declares servers dead whose leases have expired, if that of this one has not, and returns their names in the
    /// settings. A database that stood still may carry the statement out before any server could renew its lease.
    pub async fn mark_dead_nodes(&self, incarnation: &str) -> Result<Vec<String>, StoreError> {
        let rows: Vec<(String,)> = sqlx::query_as(concat!(
            "UPDATE nodes SET dead = 1 WHERE dead = 0 AND until < ",
            now!(),
            " AND EXISTS (SELECT 1 FROM nodes AS mine WHERE mine.incarnation = $1 AND mine.dead = 0 AND mine.until >= ",
            now!(),
            ") RETURNING id"
        ))
        .bind(incarnation)
        .fetch_all(&self.pool)
        .await?;
        Ok(rows.into_iter().map(|(id,)| id).collect())
    }

    /// The dead servers that may still be named as owners of games.
    pub async fn dead_nodes(&self) -> Result<Vec<DeadNode>, StoreError> {
        let rows: Vec<(String, i64)> =
            sqlx::query_as(concat!("SELECT incarnation, ", now!(), " - seen_at FROM nodes WHERE dead = 1"))
                .fetch_all(&self.pool)
                .await?;
        Ok(rows.into_iter().map(|(incarnation, seen_ago_ms)| DeadNode { incarnation, seen_ago_ms }).collect())
    }

    /// Whether a server is the first of those that live: it does what one of them has to do.
    pub async fn is_first_node(&self, incarnation: &str) -> Result<bool, StoreError> {
        let first: (Option<String>,) =
            sqlx::query_as("SELECT MIN(incarnation) FROM nodes WHERE dead = 0").fetch_one(&self.pool).await?;
        Ok(first.0.as_deref() == Some(incarnation))
    }

    /// How many servers live beside one, and how many of them reach NATS.
    pub async fn other_nodes(&self, incarnation: &str) -> Result<(i64, i64), StoreError> {
        Ok(sqlx::query_as(
            "SELECT COUNT(*), COUNT(CASE WHEN nats_ok = 1 THEN 1 END) FROM nodes WHERE dead = 0 AND incarnation <> $1",
        )
        .bind(incarnation)
        .fetch_one(&self.pool)
        .await?)
    }

    /// Takes games of a dead server over whose clocks run: some at a time, so that all servers that live get a part.
    pub async fn take_over(
        &self,
        dead: &str,
        new: &str,
        most: i64,
    ) -> Result<Vec<(String, i64)>, StoreError> {
        Ok(sqlx::query_as(concat!(
            "UPDATE games SET owner = $2, epoch = epoch + 1 WHERE id IN (SELECT id FROM games WHERE owner = $1 AND ",
            clocked!(), " LIMIT $3 FOR UPDATE SKIP LOCKED) AND ", is_alive!("$2"), " RETURNING id, epoch"
        ))
        .bind(dead)
        .bind(new)
        .bind(most)
        .fetch_all(&self.pool)
        .await?)
    }

    /// Takes games over whose clocks run and which no server has.
    pub async fn take_unowned(&self, new: &str, most: i64) -> Result<Vec<(String, i64)>, StoreError> {
        Ok(sqlx::query_as(concat!(
            "UPDATE games SET owner = $1, epoch = epoch + 1 WHERE id IN (SELECT id FROM games WHERE owner IS NULL AND ",
            clocked!(), " LIMIT $2 FOR UPDATE SKIP LOCKED) AND ", is_alive!("$1"), " RETURNING id, epoch"
        ))
        .bind(new)
        .bind(most)
        .fetch_all(&self.pool)
        .await?)
    }

    /// The games of a server whose clocks run, and their epochs.
    pub async fn clocked_games_of(&self, node: &str) -> Result<Vec<(String, i64)>, StoreError> {
        Ok(sqlx::query_as(concat!("SELECT id, epoch FROM games WHERE owner = $1 AND ", clocked!()))
            .bind(node)
            .fetch_all(&self.pool)
            .await?)
    }

    /// How many games with a running clock no living server has.
    pub async fn unowned_clocked(&self) -> Result<i64, StoreError> {
        let (count,): (i64,) = sqlx::query_as(concat!(
            "SELECT COUNT(*) FROM games WHERE ",
            clocked!(),
            " AND NOT EXISTS (SELECT 1 FROM nodes \
             WHERE incarnation = games.owner AND dead = 0)"
        ))
        .fetch_one(&self.pool)
        .await?;
        Ok(count)
    }

    /// Correspondence games whose time is over and which no living server has.
    pub async fn overdue_games(&self, now: i64, most: i64) -> Result<Vec<String>, StoreError> {
        let rows: Vec<(String,)> = sqlx::query_as(
            "SELECT id FROM games WHERE status = 'started' AND speed = 'correspondence' AND deadline <= $1 AND NOT EXISTS \
             (SELECT 1 FROM nodes WHERE incarnation = games.owner AND dead = 0) LIMIT $2",
        )
        .bind(now)
        .bind(most)
        .fetch_all(&self.pool)
        .await?;
        Ok(rows.into_iter().map(|(id,)| id).collect())
    }

    /// Frees some games of a dead server whose clocks do not run; returns how many. The next server to use one owns it.
    pub async fn free_games(&self, dead: &str, most: i64) -> Result<u64, StoreError> {
        let freed = sqlx::query(concat!(
            "UPDATE games SET owner = NULL, epoch = epoch + 1 WHERE id IN (SELECT id FROM games WHERE owner = $1 \
             AND NOT (", clocked!(), ") LIMIT $2 FOR UPDATE SKIP LOCKED)"
        ))
        .bind(dead)
        .bind(most)
        .execute(&self.pool)
        .await?;
        Ok(freed.rows_affected())
    }

    /// Deletes a dead server that no game names any more.
    pub async fn forget_node(&self, dead: &str) -> Result<(), StoreError> {
        sqlx::query(
            "DELETE FROM nodes WHERE incarnation = $1 AND dead = 1 AND NOT EXISTS (SELECT 1 FROM games WHERE owner = $1)",
        )
        .bind(dead)
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Takes a game that no living server has, if it still is as it was seen. The new epoch; `None` if another was faster.
    pub async fn claim_game(&self, id: &str, new: &str, epoch: i64) -> Result<Option<i64>, StoreError> {
        let row: Option<(i64,)> = sqlx::query_as(concat!(
            "UPDATE games SET owner = $2, epoch = epoch + 1 WHERE id = $1 AND epoch = $3 AND ",
            is_alive!("$2"),
            " AND (owner IS NULL OR owner = $2 OR NOT EXISTS (SELECT 1 FROM nodes AS others \
             WHERE others.incarnation = games.owner AND others.dead = 0)) RETURNING epoch"
        ))
        .bind(id)
        .bind(new)
        .bind(epoch)
        .fetch_optional(&self.pool)
        .await?;
        Ok(row.map(|(epoch,)| epoch))
    }

    /// Frees a game that its owner does not keep in memory.
    pub async fn free_game(&self, id: &str, owner: &str, epoch: i64) -> Result<(), StoreError> {
        sqlx::query("UPDATE games SET owner = NULL WHERE id = $1 AND owner = $2 AND epoch = $3")
            .bind(id)
            .bind(owner)
            .bind(epoch)
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// Takes everything from the servers that shared the database before: this one is alone from now on.
    pub async fn disown_games(&self) -> Result<(), StoreError> {
        let mut writer = self.writer().await?;
        sqlx::query("UPDATE nodes SET dead = 1 WHERE dead = 0").execute(&mut *writer).await?;
        sqlx::query("UPDATE games SET owner = NULL, epoch = epoch + 1 WHERE owner IS NOT NULL")
            .execute(&mut *writer)
            .await?;
        sqlx::query("DELETE FROM seeks WHERE live_until IS NOT NULL").execute(&mut *writer).await?;
        Ok(())
    }

    /// How far games are, and who has them, by id.
    pub async fn game_heads(&self, ids: &[String]) -> Result<HashMap<String, GameHead>, StoreError> {
        type Row = (String, i64, i64, Option<String>, i64, Option<i64>);
        let rows: Vec<Row> = sqlx::query_as(concat!(
            "SELECT games.id, games.seq, games.epoch, games.owner, CAST(COALESCE(nodes.dead, 1) AS BIGINT), ",
            now!(),
            " - nodes.seen_at FROM games LEFT JOIN nodes ON nodes.incarnation = games.owner \
             WHERE games.id IN (SELECT jsonb_array_elements_text(CAST($1 AS JSONB)))"
        ))
        .bind(super::write_json(&ids))
        .fetch_all(&self.pool)
        .await?;
        let head = |(id, seq, epoch, owner, dead, ago): Row| {
            let owner = owner.filter(|_| dead == 0);
            let died_ago_ms = ago.filter(|_| dead == 1);
            (id, GameHead { seq: seq.unsigned_abs(), epoch, owner, died_ago_ms })
        };
        Ok(rows.into_iter().map(head).collect())
    }

    /// The events of a game after one.
    pub async fn events_after(&self, id: &str, seq: u64) -> Result<Vec<GameEvent>, StoreError> {
        let events: Vec<(String,)> =
            sqlx::query_as("SELECT fact FROM facts WHERE game = $1 AND seq > $2 ORDER BY seq")
                .bind(id)
                .bind(seq as i64)
                .fetch_all(&self.pool)
                .await?;
        events.iter().map(|(event,)| read_json("an event of a game", event)).collect()
    }

    /// Whether a request of another server has been carried out in a game.
    pub async fn has_command(&self, id: &str, command: &str) -> Result<bool, StoreError> {
        let found = sqlx::query("SELECT 1 FROM facts WHERE game = $1 AND command = $2")
            .bind(id)
            .bind(command)
            .fetch_optional(&self.pool)
            .await?;
        Ok(found.is_some())
    }

    /// Whether a player has written a line of chat in a game since a moment.
    pub async fn has_line(
        &self,
        game: &str,
        author: &str,
        line: &str,
        since: i64,
    ) -> Result<bool, StoreError> {
        let found =
            sqlx::query("SELECT 1 FROM chat WHERE game = $1 AND author = $2 AND line = $3 AND at >= $4")
                .bind(game)
                .bind(author)
                .bind(line)
                .bind(since)
                .fetch_optional(&self.pool)
                .await?;
        Ok(found.is_some())
    }
}
