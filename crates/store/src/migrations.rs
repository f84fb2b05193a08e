//! The migrations of this program, embedded: `0001_beginning.sql` and so on.

use rust_embed::RustEmbed;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{AssertSqlSafe, SqlSafeStr as _};
use std::borrow::Cow;
use std::sync::LazyLock;

#[derive(RustEmbed)]
#[folder = "migrations"]
struct Files;

/// The migrations of this program, and no others.
pub(super) static MIGRATIONS: LazyLock<Migrator> = LazyLock::new(|| Migrator::with_migrations(all()));

/// The same, in a database that may have later ones: while servers are replaced one by one, an older one starts on the
/// PostgreSQL schema of a newer.
pub(super) static MIGRATIONS_AMONG_OTHERS: LazyLock<Migrator> = LazyLock::new(|| {
    let mut migrator = Migrator::with_migrations(all());
    migrator.set_ignore_missing(true);
    migrator
});

fn all() -> Vec<Migration> {
    Files::iter().filter_map(|name| read(&name)).collect()
}

/// A migration: the number in its name, what it is for, and its text. `None` for another file.
fn read(name: &str) -> Option<Migration> {
    let (number, purpose) = name.strip_suffix(".sql")?.split_once('_')?;
    let text = String::from_utf8(Files::get(name)?.data.into_owned()).ok()?;
    let (version, purpose) = (number.parse().ok()?, Cow::Owned(purpose.replace('_', " ")));
    Some(Migration::new(version, purpose, MigrationType::Simple, AssertSqlSafe(text).into_sql_str(), false))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Store, StudyRow, install_drivers};
    use lozenge_game::GameEvent;
    use sha2::{Digest as _, Sha256};
    use sqlx::{AnyPool, FromRow};
    use std::fmt::Write as _;
    use tempfile::TempDir;

    /// The migrations of the program at commit c220464b: the last one, their number, and a digest of their texts, which databases
    /// have.
    const EARLIER: (i64, usize, &str) = (51, 28, "9d647b35d941c6076dae2be8017d4c44");

    /// Rows of that program, in the tables that later migrations change.
    const ROWS: [&str; 18] = [
        "INSERT INTO users (id, name, name_key, created_at, seen_at) VALUES ('ann', 'Ann', 'ann', 1, 2), ('bob', 'Bob', 'bob', 1, 2)",
        "INSERT INTO rules (digest, variant, name, texts) VALUES ('r', 'chess', 'Chess', '[]')",
        "INSERT INTO games (id, digest, variant, start_fen, speed, rated, visibility, maker, white, black, created_at, updated_at, \
         seq, status, result, ply, fen, last_move) VALUES ('g', 'r', 'chess', 'start', 'blitz', 1, 'public', 'ann', 'ann', 'bob', \
         3, 4, 2, 'started', '*', 1, 'now', 'e2e4')",
        r#"INSERT INTO facts (game, seq, fact) VALUES ('g', 1, '{"fact":"moved","uci":"e2e4","at":4,"left_ms":9}')"#,
        r#"INSERT INTO facts (game, seq, fact) VALUES ('g', 2, '{"fact":"draw_offered","by":"white"}')"#,
        "INSERT INTO studies (id, owner, name, about, tags, visibility, words, variants, likes, seq, created_at, updated_at) \
         VALUES ('s', 'ann', 'Forks', '', '[]', 'public', 'forks', 'chess', 1, 7, 1, 5)",
        "INSERT INTO study_members (study, member, writes, at) VALUES ('s', 'bob', 1, 2)",
        "INSERT INTO study_likes (study, owner, at) VALUES ('s', 'bob', 3)",
        "INSERT INTO study_chapters (study, id, place, name, variant, digest, fen, tree, size, seq) \
         VALUES ('s', 'c', 0, 'One', 'chess', 'r', 'start', '{\"tree\":1}', 10, 5)",
        "INSERT INTO study_edits (study, seq, chapter, client, number, author, edit, at) \
         VALUES ('s', 6, 'c', 1, 1, 'ann', 'abc', 4), ('s', 7, 'c', 1, 2, 'bob', 'de', 5)",
        "INSERT INTO imports (id, owner, variant, digest, pgn, created_at) \
         VALUES ('i', 'ann', 'chess', 'r', '1. e4', 1), ('j', 'gone', 'chess', 'r', '1. d4', 1)",
        "INSERT INTO reviews (game, digest, engine, nodes, data, asked_by, at) VALUES ('g', 'r', 'e', 9, '{}', 'ann', 1), \
         ('i', 'r', 'e', 9, NULL, 'ann', 1), ('j', 'r', 'e', 9, '{}', 'gone', 1)",
        "INSERT INTO puzzles (id, variant, digest, fen, lead, line, source, rating, deviation, volatility, plays, votes, file, retired) \
         VALUES ('p', 'chess', 'r', 'start', '', '[]', '{}', 1500, 90, 0.06, 3, 2, 'f', 0)",
        "INSERT INTO puzzle_rounds (owner, puzzle, hinted, won, at, rating_before, rating, vote) \
         VALUES ('ann', 'p', 0, 1, 5, 1500, 1510, 1)",
        "INSERT INTO variants (id, owner, owner_since, slug, file_id, name, name_key, author, summary, tags, visibility, status, source, \
         version, digest, likes, created_at, updated_at, published_at) VALUES ('v', 'bob', 1, 'lake', 'lake', 'Lake', 'lake', 'Bob', '', \
         '', 'public', 'active', 'text', 1, 'r', 1, 1, 2, 2)",
        "INSERT INTO variant_likes (variant, owner, at) VALUES ('v', 'ann', 4)",
        "INSERT INTO variant_reports (variant, comment, reporter, reason, at) VALUES ('v', '', 'ann', 'why', 4)",
        "INSERT INTO study_reports (study, reporter, reason, at) VALUES ('s', 'bob', 'why', 4)",
    ];

    #[test]
    fn every_file_is_a_migration() {
        let numbers: Vec<i64> = MIGRATIONS.iter().map(|migration| migration.version).collect();
        assert_eq!(numbers.len(), Files::iter().count());
        assert!(numbers.is_sorted_by(|before, after| before < after), "{numbers:?}");
    }

    fn earlier() -> Vec<Migration> {
        let mut earlier: Vec<Migration> =
            all().into_iter().filter(|migration| migration.version <= EARLIER.0).collect();
        earlier.sort_by_key(|migration| migration.version);
        earlier
    }

    #[test]
    fn migrations_of_earlier_programs_stay() {
        let mut hash = Sha256::new();
        earlier().iter().for_each(|migration| hash.update(migration.sql.as_str()));
        let mut digest = String::new();
        hash.finalize()
            .iter()
            .take(16)
            .for_each(|byte| write!(digest, "{byte:02x}").expect("a string grows"));
        assert_eq!((earlier().len(), digest.as_str()), (EARLIER.1, EARLIER.2));
    }

    async fn rows<T>(store: &Store, sql: &'static str) -> Vec<T>
    where
        T: for<'r> FromRow<'r, sqlx::any::AnyRow> + Send + Unpin,
    {
        sqlx::query_as(sql).fetch_all(&store.pool).await.expect(sql)
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_database_of_an_earlier_program_keeps_its_rows() {
        install_drivers();
        let folder = TempDir::new().expect("a folder");
        let url = Store::sqlite_url(folder.path());
        let pool = AnyPool::connect(&format!("{url}?mode=rwc")).await.expect("a database");
        Migrator::with_migrations(earlier()).run(&pool).await.expect("the earlier migrations");
        for sql in ROWS {
            sqlx::query(sql).execute(&pool).await.expect(sql);
        }
        pool.close().await;

        let store = Store::open(&url).await.expect("the database of an earlier program");
        let (row, events) = store.game("g").await.expect("the row of a game").expect("a game");
        assert_eq!((row.ply, row.last_move.as_deref(), row.third_player), (1, Some("e2e4"), None));
        assert!(matches!(
            &events[..],
            [GameEvent::Moved { at: 4, left_ms: Some(9), .. }, GameEvent::DrawOffered { .. }]
        ));

        let StudyRow { name, likes, seq, language, .. } =
            store.study("s").await.expect("a row").expect("a study");
        assert_eq!((name.as_str(), likes, seq, language.as_str()), ("Forks", 1, 7, ""));
        let (_, edits) = store.chapter("s", "c").await.expect("a row").expect("a chapter");
        let edits: Vec<_> =
            edits.iter().map(|edit| (edit.seq, edit.author.as_str(), edit.edit.as_str())).collect();
        assert_eq!(edits, [(6, "ann", "abc"), (7, "bob", "de")]);
        let size: Vec<(i64,)> = rows(&store, "SELECT size FROM study_chapters").await;
        assert_eq!(size, [(r#"{"tree":1}"#.len() as i64 + 3 + 128 + 2 + 128,)]);

        // The import of a deleted account goes with its review. Finished reviews named players.
        let left: Vec<(String,)> = rows(&store, "SELECT game FROM reviews ORDER BY game").await;
        assert_eq!(left, [("g".into(),), ("i".into(),)]);
        let named: Vec<(String,)> = rows(&store, "SELECT game FROM named_reviews ORDER BY game").await;
        assert_eq!(named, [("g".into(),), ("j".into(),)]);
        let imports: Vec<(String,)> = rows(&store, "SELECT id FROM imports").await;
        assert_eq!(imports, [("i".into(),)]);

        let votes: Vec<(i64, i64)> = rows(&store, "SELECT vote, vote_weight FROM puzzle_rounds").await;
        let puzzles: Vec<(i64, i64, Option<i64>)> =
            rows(&store, "SELECT votes, standing, removed_at FROM puzzles").await;
        assert_eq!((votes, puzzles), (vec![(1, 0)], vec![(2, 0, None)]));
        store.fill_skeletons().await.expect("the names");
        assert!(store.has_user_like("Ann").await.expect("the names"));
        let open: Vec<(i64,)> = rows(
            &store,
            "SELECT COUNT(*) FROM study_reports WHERE closed_at IS NULL UNION ALL SELECT likes FROM variants",
        )
        .await;
        assert_eq!(open, [(1,), (1,)]);
        store.close().await;
        Store::open(&url).await.expect("the database again").close().await;
    }
}
