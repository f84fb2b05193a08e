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

    #[test]
    fn every_file_is_a_migration() {
        let numbers: Vec<i64> = MIGRATIONS.iter().map(|migration| migration.version).collect();
        assert_eq!(numbers.len(), Files::iter().count());
        assert!(numbers.is_sorted_by(|before, after| before < after), "{numbers:?}");
    }
}
