//! Fairness of puzzles: votes, which remove a puzzle slowly and only if settled players agree, and solutions that were seen
//! while no rating was at stake.

use super::{Store, StoreError, secret_digest};
use lozenge_game::Network;
use lozenge_game::time::DAY_MS;

/// A puzzle with a lower standing is to be removed: five whole votes against it.
const MIN_STANDING: i64 = -500;
/// Of each game at most one puzzle in this many is removed in a day, but one in any case.
const REMOVAL_SHARE: i64 = 100;

impl Store {
    /// Votes for a puzzle (1) or against it (-1), in place of an earlier vote. It counts, by its weight, if the player's
    /// attempt was rated. Whether the player's first attempt has ended; without that nothing changes.
    pub async fn vote_puzzle(
        &self,
        owner: &str,
        puzzle: &str,
        vote: i64,
        weight: i64,
    ) -> Result<bool, StoreError> {
        let mut writer = self.writer().await?;
        let mut transaction = writer.begin().await?;
        // The first statement writes: SQLite refuses a transaction that reads first and is overtaken.
        sqlx::query(
            "UPDATE puzzles SET votes = votes + $1 - solved.vote, \
             standing = standing + $1 * $2 - solved.vote * solved.vote_weight FROM puzzle_rounds AS solved \
             WHERE puzzles.id = $3 AND solved.puzzle = puzzles.id AND solved.owner = $4 AND solved.rating IS NOT NULL",
        )
        .bind(vote)
        .bind(weight)
        .bind(puzzle)
        .bind(owner)
        .execute(&mut *transaction)
        .await?;
        let voted = sqlx::query(
            "UPDATE puzzle_rounds SET vote = $1, vote_weight = $2 WHERE owner = $3 AND puzzle = $4 AND won IS NOT NULL",
        )
        .bind(vote)
        .bind(weight)
        .bind(owner)
        .bind(puzzle)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(voted.rows_affected() == 1)
    }

    /// Removes the puzzles that are disliked most, of each game no more than its share in a day, and returns those that
    /// are not disliked any more.
    pub async fn remove_disliked_puzzles(&self, now: i64) -> Result<(), StoreError> {
        sqlx::query("UPDATE puzzles SET removed_at = NULL WHERE removed_at IS NOT NULL AND standing >= $1")
            .bind(MIN_STANDING)
            .execute(&mut *self.writer().await?)
            .await?;
        let games: Vec<(String,)> = sqlx::query_as(
            "SELECT DISTINCT variant FROM puzzles WHERE retired = 0 AND removed_at IS NULL AND standing < $1",
        )
        .bind(MIN_STANDING)
        .fetch_all(&self.pool)
        .await?;
        for (variant,) in games {
            let (all, removed): (i64, i64) = sqlx::query_as(
                "SELECT COUNT(*), COUNT(CASE WHEN removed_at > $1 THEN 1 END) FROM puzzles \
                 WHERE variant = $2 AND retired = 0",
            )
            .bind(now - DAY_MS)
            .bind(variant.as_str())
            .fetch_one(&self.pool)
            .await?;
            sqlx::query(
                "UPDATE puzzles SET removed_at = $1 WHERE id IN (SELECT id FROM puzzles WHERE variant = $2 \
                 AND retired = 0 AND removed_at IS NULL AND standing < $3 ORDER BY standing, id LIMIT $4)",
            )
            .bind(now)
            .bind(variant)
            .bind(MIN_STANDING)
            .bind(((all / REMOVAL_SHARE).max(1) - removed).max(0))
            .execute(&mut *self.writer().await?)
            .await?;
        }
        Ok(())
    }

    /// Notes that a network was shown the solution of a puzzle, or a part of it, while no rating was at stake.
    pub async fn note_seen_solution(
        &self,
        network: Option<Network>,
        puzzle: &str,
        now: i64,
    ) -> Result<(), StoreError> {
        let Some(network) = network else { return Ok(()) };
        sqlx::query(
            "INSERT INTO seen_solutions (network, puzzle, at) VALUES ($1, $2, $3) \
             ON CONFLICT (network, puzzle) DO UPDATE SET at = excluded.at",
        )
        .bind(secret_digest(&network.to_string()))
        .bind(puzzle)
        .bind(now)
        .execute(&mut *self.writer().await?)
        .await?;
        Ok(())
    }

    /// Whether a network was shown the solution of a puzzle so within the last day.
    pub async fn has_seen_solution(
        &self,
        network: Option<Network>,
        puzzle: &str,
        now: i64,
    ) -> Result<bool, StoreError> {
        let Some(network) = network else { return Ok(false) };
        let row: Option<(i64,)> =
            sqlx::query_as("SELECT at FROM seen_solutions WHERE network = $1 AND puzzle = $2 AND at > $3")
                .bind(secret_digest(&network.to_string()))
                .bind(puzzle)
                .bind(now - DAY_MS)
                .fetch_optional(&self.pool)
                .await?;
        Ok(row.is_some())
    }

    /// Forgets what networks have seen more than a day ago.
    pub async fn drop_old_seen_solutions(&self, now: i64) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM seen_solutions WHERE at <= $1")
            .bind(now - DAY_MS)
            .execute(&mut *self.writer().await?)
            .await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop where it is")]

    use crate::Store;
    use lozenge_game::Network;
    use lozenge_game::time::DAY_MS;
    use std::net::IpAddr;

    /// A game with 300 puzzles, each solved by six players; whether their attempts were rated.
    async fn solved_puzzles(rated: bool) -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&Store::sqlite_url(folder.path())).await.unwrap();
        let rating = if rated { "1500.0" } else { "NULL" };
        for statement in [
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) \
             INSERT INTO puzzles (id, variant, digest, fen, lead, line, source, rating, deviation, volatility, plays, \
             votes, file, retired) SELECT 'p' || i, 'chess', '', '', '', '', '', 1500, 90, 0.06, 0, 0, '', 0 FROM n",
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6) \
             INSERT INTO users (id, created_at, seen_at) SELECT 'u' || i, 0, 0 FROM n",
            &format!(
                "INSERT INTO puzzle_rounds (owner, puzzle, hinted, won, at, rating, vote) \
                 SELECT users.id, puzzles.id, 0, 1, 0, {rating}, 0 FROM users, puzzles"
            ),
        ] {
            sqlx::query(sqlx::AssertSqlSafe(statement)).execute(&store.pool).await.unwrap();
        }
        (folder, store)
    }

    async fn vote_all_down(store: &Store, weight: i64) {
        for puzzle in 1..=300 {
            for user in 1..=6 {
                let (user, puzzle) = (format!("u{user}"), format!("p{puzzle}"));
                assert!(store.vote_puzzle(&user, &puzzle, -1, weight).await.unwrap());
            }
        }
    }

    async fn removed(store: &Store) -> i64 {
        let sql = "SELECT COUNT(*) FROM puzzles WHERE removed_at IS NOT NULL";
        sqlx::query_as::<_, (i64,)>(sql).fetch_one(&store.pool).await.unwrap().0
    }

    #[tokio::test]
    async fn votes_remove_one_puzzle_in_a_hundred_a_day() {
        let (_folder, store) = solved_puzzles(true).await;
        vote_all_down(&store, 100).await;
        assert_eq!(store.puzzle("p7").await.unwrap().unwrap().votes, -6);
        let now = 100 * DAY_MS;
        for (at, expected) in [(now, 3), (now + 1, 3), (now + DAY_MS / 2, 3), (now + DAY_MS, 6)] {
            store.remove_disliked_puzzles(at).await.unwrap();
            assert_eq!(removed(&store).await, expected, "{at}");
        }
        // Two of the six change their minds about all of them.
        for puzzle in 1..=300 {
            for user in ["u1", "u2"] {
                store.vote_puzzle(user, &format!("p{puzzle}"), 1, 100).await.unwrap();
            }
        }
        store.remove_disliked_puzzles(now + 2 * DAY_MS).await.unwrap();
        assert_eq!(removed(&store).await, 0);
    }

    #[tokio::test]
    async fn votes_of_new_accounts_and_of_unrated_solvers_remove_nothing() {
        for (rated, weight, votes) in [(true, 0, -6), (true, 60, -6), (false, 100, 0)] {
            let (_folder, store) = solved_puzzles(rated).await;
            vote_all_down(&store, weight).await;
            store.remove_disliked_puzzles(DAY_MS).await.unwrap();
            assert_eq!(removed(&store).await, 0, "{rated} {weight}");
            assert_eq!(store.puzzle("p7").await.unwrap().unwrap().votes, votes, "{rated} {weight}");
        }
    }

    #[tokio::test]
    async fn seen_solutions_are_remembered_for_a_day() {
        let (_folder, store) = solved_puzzles(true).await;
        let at = |address: [u8; 4]| Some(Network::from(IpAddr::from(address)));
        let seen = async |network, now| store.has_seen_solution(network, "p1", now).await.unwrap();
        store.note_seen_solution(at([192, 0, 2, 7]), "p1", DAY_MS).await.unwrap();
        store.note_seen_solution(None, "p1", DAY_MS).await.unwrap();
        assert!(seen(at([192, 0, 2, 7]), 2 * DAY_MS - 1).await);
        assert!(!seen(at([192, 0, 2, 7]), 2 * DAY_MS).await);
        assert!(!seen(at([192, 0, 2, 8]), DAY_MS).await && !seen(None, DAY_MS).await);
        store.drop_old_seen_solutions(2 * DAY_MS).await.unwrap();
        assert!(!seen(at([192, 0, 2, 7]), DAY_MS).await);
    }
}
