//! Puzzles: those that come with the program, which of them a player gets, first attempts, and the ratings of both.

use super::row::from_row;
use super::{Store, StoreError};
use lozenge_game::{PuzzleText, RatedAttempt, new_rating, puzzle_rating};
use lozenge_wire::{RatingEntry, Speed};
use sqlx::{Any, AssertSqlSafe, Transaction};

/// Deviation of a puzzle whose rating was guessed from its solution.
const GUESSED: f64 = 250.0;
/// The least time that a person needs for each move of a solution, and for coming to the puzzle.
const MIN_MOVE_MS: i64 = 1_000;

/// A puzzle as it is stored.
#[derive(Clone, Debug)]
pub struct PuzzleRow {
    /// The puzzle's id.
    pub id: String,
    /// The id of its game.
    pub variant: String,
    /// The digest of the game's rules.
    pub digest: String,
    /// The FEN before the opponent's move.
    pub fen: String,
    /// The opponent's move that leads to the position to solve.
    pub lead: String,
    /// The moves of the solution with spaces between.
    pub line: String,
    /// The origin of the position.
    pub source: String,
    /// Its rating.
    pub rating: f64,
    /// Rated first attempts.
    pub plays: i64,
    /// Votes for it less those against it.
    pub votes: i64,
}

from_row!(PuzzleRow { id, variant, digest, fen, lead, line, source, rating, plays, votes });

const COLUMNS: &str = "id, variant, digest, fen, lead, line, source, rating, plays, votes";

/// A first attempt that has ended.
#[derive(Clone, Debug, serde::Serialize)]
pub struct PuzzleRoundRow {
    /// The puzzle's id.
    pub puzzle: String,
    /// The id of its game.
    pub variant: String,
    /// 1 if it was solved, otherwise 0.
    pub won: i64,
    /// When the attempt ended, in Unix milliseconds.
    pub at: i64,
    /// The player's rating before it; `None` if the attempt was not rated.
    pub rating_before: Option<f64>,
    /// The player's rating after it; `None` if the attempt was not rated.
    pub rating: Option<f64>,
    /// The player's vote: 1, 0 or -1.
    pub(crate) vote: i64,
}

from_row!(PuzzleRoundRow { puzzle, variant, won, at, rating_before, rating, vote });

/// Which puzzles are wanted.
#[derive(Clone, Copy, Debug)]
pub struct PuzzleChoice<'a> {
    /// The id of the game.
    pub variant: &'a str,
    /// The theme; `None` for any.
    pub theme: Option<&'a str>,
    /// The player who is to solve it.
    pub solver: Option<&'a str>,
}

/// An end of a first attempt.
#[derive(Clone, Copy, Debug)]
pub struct PuzzleEnd<'a> {
    /// The id of the solver.
    pub owner: &'a str,
    /// The result, and the theme by which the puzzle was chosen.
    pub attempt: RatedAttempt<'a>,
    /// Whether ratings may change.
    pub rated: bool,
    /// When it ended, in Unix milliseconds.
    pub at: i64,
}

/// A rating as a row: rating, deviation, volatility, and how often it has changed.
type Rating = (f64, f64, f64, i64);

impl Store {
    /// The digest of the file of puzzles that has been read to its end for a game.
    pub async fn puzzle_file(&self, variant: &str) -> Result<Option<String>, StoreError> {
        let row: Option<(String,)> = sqlx::query_as("SELECT digest FROM puzzle_files WHERE variant = $1")
            .bind(variant)
            .fetch_optional(&self.pool)
            .await?;
        Ok(row.map(|(digest,)| digest))
    }

    /// Adds puzzles of a file for rules with this digest; ratings of those that are here stay. One transaction.
    pub async fn add_puzzles(
        &self,
        digest: &str,
        file: &str,
        puzzles: &[PuzzleText],
    ) -> Result<(), StoreError> {
        let mut writer = self.writer().await?;
        let mut transaction = writer.begin().await?;
        let volatility = new_rating("", Speed::Unlimited).volatility;
        for puzzle in puzzles {
            let id = puzzle.id();
            sqlx::query(
                "INSERT INTO puzzles (id, variant, digest, fen, lead, line, source, rating, deviation, volatility, \
                 plays, votes, file, retired) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0, 0, $11, 0) \
                 ON CONFLICT (id) DO UPDATE SET digest = excluded.digest, source = excluded.source, \
                 file = excluded.file, retired = 0",
            )
            .bind(id.as_str())
            .bind(puzzle.variant.as_str())
            .bind(digest)
            .bind(puzzle.fen.as_str())
            .bind(puzzle.lead.as_str())
            .bind(puzzle.line.join(" "))
            .bind(puzzle.source.as_str())
            .bind(puzzle.rating)
            .bind(GUESSED)
            .bind(volatility)
            .bind(file)
            .execute(&mut *transaction)
            .await?;
            sqlx::query("DELETE FROM puzzle_themes WHERE puzzle = $1")
                .bind(id.as_str())
                .execute(&mut *transaction)
                .await?;
            for theme in &puzzle.themes {
                sqlx::query(
                    "INSERT INTO puzzle_themes (puzzle, theme) VALUES ($1, $2) ON CONFLICT (puzzle, theme) DO NOTHING",
                )
                .bind(id.as_str())
                .bind(theme.as_str())
                .execute(&mut *transaction)
                .await?;
            }
        }
        transaction.commit().await?;
        Ok(())
    }

    /// Retires the puzzles of a game that a file does not list: they can be viewed, but are no longer chosen.
    pub async fn finish_puzzle_file(&self, variant: &str, file: &str) -> Result<(), StoreError> {
        let mut writer = self.writer().await?;
        let mut transaction = writer.begin().await?;
        sqlx::query("UPDATE puzzles SET retired = 1 WHERE variant = $1 AND file <> $2")
            .bind(variant)
            .bind(file)
            .execute(&mut *transaction)
            .await?;
        sqlx::query(
            "INSERT INTO puzzle_files (variant, digest) VALUES ($1, $2) \
             ON CONFLICT (variant) DO UPDATE SET digest = excluded.digest",
        )
        .bind(variant)
        .bind(file)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// A puzzle.
    pub async fn puzzle(&self, id: &str) -> Result<Option<PuzzleRow>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM puzzles WHERE id = $1");
        Ok(sqlx::query_as(AssertSqlSafe(sql)).bind(id).fetch_optional(&self.pool).await?)
    }

    /// The themes of a puzzle.
    pub async fn puzzle_themes(&self, id: &str) -> Result<Vec<String>, StoreError> {
        let rows: Vec<(String,)> =
            sqlx::query_as("SELECT theme FROM puzzle_themes WHERE puzzle = $1 ORDER BY theme")
                .bind(id)
                .fetch_all(&self.pool)
                .await?;
        Ok(rows.into_iter().map(|(theme,)| theme).collect())
    }

    /// The games with puzzles, and how many of each.
    pub async fn puzzle_counts(&self) -> Result<Vec<(String, i64)>, StoreError> {
        Ok(sqlx::query_as(
            "SELECT variant, COUNT(*) FROM puzzles WHERE retired = 0 GROUP BY variant ORDER BY variant",
        )
        .fetch_all(&self.pool)
        .await?)
    }

    /// Whether there are puzzles of a game.
    pub async fn has_puzzles(&self, variant: &str) -> Result<bool, StoreError> {
        let row: Option<(i64,)> =
            sqlx::query_as("SELECT retired FROM puzzles WHERE variant = $1 AND retired = 0 LIMIT 1")
                .bind(variant)
                .fetch_optional(&self.pool)
                .await?;
        Ok(row.is_some())
    }

    /// The themes of a game's puzzles, the most frequent first, and how many puzzles have each.
    pub async fn puzzle_theme_counts(&self, variant: &str) -> Result<Vec<(String, i64)>, StoreError> {
        Ok(sqlx::query_as(
            "SELECT theme, COUNT(*) FROM puzzle_themes JOIN puzzles ON puzzles.id = puzzle_themes.puzzle \
             WHERE variant = $1 AND retired = 0 GROUP BY theme ORDER BY COUNT(*) DESC, theme",
        )
        .bind(variant)
        .fetch_all(&self.pool)
        .await?)
    }

    /// A random puzzle with a rating within bounds that the solver has not tried.
    pub async fn untried_puzzle(
        &self,
        choice: PuzzleChoice<'_>,
        [least, most]: [f64; 2],
    ) -> Result<Option<PuzzleRow>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM puzzles WHERE variant = $1 AND retired = 0 AND {} AND NOT EXISTS \
             (SELECT 1 FROM puzzle_rounds WHERE puzzle = puzzles.id AND owner = $3 AND won IS NOT NULL) \
             AND rating BETWEEN $4 AND $5 AND removed_at IS NULL ORDER BY random() LIMIT 1",
            with_theme(choice.theme)
        );
        Ok(sqlx::query_as(AssertSqlSafe(sql))
            .bind(choice.variant)
            .bind(choice.theme.unwrap_or_default())
            .bind(choice.solver.unwrap_or_default())
            .bind(least)
            .bind(most)
            .fetch_optional(&self.pool)
            .await?)
    }

    /// The puzzle that the solver has tried longest ago.
    pub async fn oldest_tried_puzzle(
        &self,
        choice: PuzzleChoice<'_>,
    ) -> Result<Option<PuzzleRow>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM puzzles WHERE variant = $1 AND retired = 0 AND {} ORDER BY \
             (SELECT at FROM puzzle_rounds WHERE puzzle = puzzles.id AND owner = $3), id LIMIT 1",
            with_theme(choice.theme)
        );
        Ok(sqlx::query_as(AssertSqlSafe(sql))
            .bind(choice.variant)
            .bind(choice.theme.unwrap_or_default())
            .bind(choice.solver.unwrap_or_default())
            .fetch_optional(&self.pool)
            .await?)
    }

    /// At most `most` random puzzles of a game, the easiest first.
    pub async fn puzzle_ladder(&self, variant: &str, most: i64) -> Result<Vec<PuzzleRow>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM (SELECT {COLUMNS} FROM puzzles WHERE variant = $1 AND retired = 0 AND removed_at IS NULL \
             ORDER BY random() LIMIT $2) AS chosen ORDER BY rating, id"
        );
        let query = sqlx::query_as(AssertSqlSafe(sql)).bind(variant).bind(most);
        Ok(query.fetch_all(&self.pool).await?)
    }

    /// The puzzle of a day (in days since 1970): chosen at the first request, from those that were chosen least often.
    pub async fn daily_puzzle(&self, variant: &str, day: i64) -> Result<Option<PuzzleRow>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM puzzles WHERE id = (SELECT puzzle FROM puzzle_days WHERE variant = $1 AND day = $2)"
        );
        let chosen = async || {
            let query = sqlx::query_as(AssertSqlSafe(sql.clone())).bind(variant).bind(day);
            query.fetch_optional(&self.pool).await
        };
        if let Some(row) = chosen().await? {
            return Ok(Some(row));
        }
        sqlx::query(
            "INSERT INTO puzzle_days (variant, day, puzzle) \
             SELECT $1, $2, id FROM puzzles WHERE variant = $3 AND retired = 0 AND removed_at IS NULL ORDER BY \
             (SELECT COUNT(*) FROM puzzle_days AS days WHERE days.puzzle = puzzles.id), standing DESC, random() LIMIT 1 \
             ON CONFLICT (variant, day) DO NOTHING",
        )
        .bind(variant)
        .bind(day)
        .bind(variant)
        .execute(&mut *self.writer().await?)
        .await?;
        Ok(chosen().await?)
    }

    /// A player's rating in the puzzles of a game, or a beginner's.
    pub async fn puzzle_rating(&self, owner: &str, variant: &str) -> Result<RatingEntry, StoreError> {
        let row: Option<Rating> = sqlx::query_as(
            "SELECT rating, deviation, volatility, plays FROM puzzle_ratings WHERE owner = $1 AND variant = $2",
        )
        .bind(owner)
        .bind(variant)
        .fetch_optional(&self.pool)
        .await?;
        let new = || new_rating(variant, Speed::Unlimited);
        Ok(row.map_or_else(new, |row| puzzle_rating(variant, row)))
    }

    /// A player's ratings in puzzles, the game with the most rated puzzles first.
    pub async fn puzzle_ratings(&self, owner: &str) -> Result<Vec<RatingEntry>, StoreError> {
        let rows: Vec<(String, f64, f64, f64, i64)> = sqlx::query_as(
            "SELECT variant, rating, deviation, volatility, plays FROM puzzle_ratings WHERE owner = $1 \
             ORDER BY plays DESC, variant",
        )
        .bind(owner)
        .fetch_all(&self.pool)
        .await?;
        let entry = |(variant, rating, deviation, volatility, plays): (String, _, _, _, _)| {
            puzzle_rating(&variant, (rating, deviation, volatility, plays))
        };
        Ok(rows.into_iter().map(entry).collect())
    }

    /// Notes that a player has taken a hint; it does not count after the end of the first attempt.
    pub async fn take_puzzle_hint(&self, owner: &str, puzzle: &str, at: i64) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO puzzle_rounds (owner, puzzle, hinted, at, vote) VALUES ($1, $2, 1, $3, 0) \
             ON CONFLICT (owner, puzzle) DO NOTHING",
        )
        .bind(owner)
        .bind(puzzle)
        .bind(at)
        .execute(&mut *self.writer().await?)
        .await?;
        Ok(())
    }

    /// Ends a player's first attempt at a puzzle, and changes both ratings if it is rated. A puzzle that was solved with a
    /// hint changes none, nor does an attempt faster than a person's; another attempt changes nothing. Returns the solver's
    /// ratings before and after, if they changed.
    pub async fn end_puzzle(
        &self,
        puzzle: &PuzzleRow,
        end: PuzzleEnd<'_>,
    ) -> Result<Option<(f64, f64)>, StoreError> {
        let mut writer = self.writer().await?;
        let mut transaction = writer.begin().await?;
        let hinted: Option<(i64,)> = sqlx::query_as(
            "INSERT INTO puzzle_rounds (owner, puzzle, hinted, won, at, vote) VALUES ($1, $2, 0, $3, $4, 0) \
             ON CONFLICT (owner, puzzle) DO UPDATE SET won = excluded.won, at = excluded.at \
             WHERE puzzle_rounds.won IS NULL RETURNING hinted",
        )
        .bind(end.owner)
        .bind(puzzle.id.as_str())
        .bind(i64::from(end.attempt.won))
        .bind(end.at)
        .fetch_optional(&mut *transaction)
        .await?;
        let Some((hinted,)) = hinted else { return Ok(None) };
        let is_hinted = end.attempt.won && hinted == 1;
        let change = if end.rated && !is_hinted && !is_hasty(&mut transaction, puzzle, end).await? {
            Some(change_ratings(&mut transaction, puzzle, end).await?)
        } else {
            None
        };
        transaction.commit().await?;
        Ok(change)
    }

    /// How a player's first attempt at a puzzle ended; `None` before its end.
    pub async fn puzzle_outcome(&self, owner: &str, puzzle: &str) -> Result<Option<bool>, StoreError> {
        let row: Option<(Option<i64>,)> =
            sqlx::query_as("SELECT won FROM puzzle_rounds WHERE owner = $1 AND puzzle = $2")
                .bind(owner)
                .bind(puzzle)
                .fetch_optional(&self.pool)
                .await?;
        Ok(row.and_then(|(won,)| won).map(|won| won == 1))
    }

    /// A player's first attempts that ended before a moment (Unix milliseconds), the latest first.
    pub async fn puzzle_rounds(
        &self,
        owner: &str,
        before: i64,
        most: i64,
    ) -> Result<Vec<PuzzleRoundRow>, StoreError> {
        Ok(sqlx::query_as(
            "SELECT puzzle_rounds.puzzle, puzzles.variant, won, at, rating_before, puzzle_rounds.rating, vote \
             FROM puzzle_rounds JOIN puzzles ON puzzles.id = puzzle_rounds.puzzle \
             WHERE owner = $1 AND won IS NOT NULL AND at < $2 ORDER BY at DESC, puzzle LIMIT $3",
        )
        .bind(owner)
        .bind(before)
        .bind(most)
        .fetch_all(&self.pool)
        .await?)
    }
}

/// The condition that a puzzle has the theme `$2`. Without a theme the parameter has to occur all the same.
fn with_theme(theme: Option<&str>) -> &'static str {
    match theme {
        Some(_) => "EXISTS (SELECT 1 FROM puzzle_themes WHERE puzzle = puzzles.id AND theme = $2)",
        None => "$2 = ''",
    }
}

/// Whether an attempt ended sooner after the player's last one than a person takes for the moves.
async fn is_hasty(
    transaction: &mut Transaction<'_, Any>,
    puzzle: &PuzzleRow,
    end: PuzzleEnd<'_>,
) -> Result<bool, StoreError> {
    let (last,): (Option<i64>,) = sqlx::query_as(
        "SELECT MAX(at) FROM puzzle_rounds WHERE owner = $1 AND puzzle <> $2 AND won IS NOT NULL",
    )
    .bind(end.owner)
    .bind(puzzle.id.as_str())
    .fetch_one(&mut **transaction)
    .await?;
    let own_moves = puzzle.line.split(' ').count().div_ceil(2) as i64;
    Ok(last.is_some_and(|last| end.at - last < (1 + own_moves) * MIN_MOVE_MS))
}

/// Changes the ratings of a puzzle and its solver. Returns the solver's before and after.
async fn change_ratings(
    transaction: &mut Transaction<'_, Any>,
    puzzle: &PuzzleRow,
    end: PuzzleEnd<'_>,
) -> Result<(f64, f64), StoreError> {
    let (id, variant) = (puzzle.id.as_str(), puzzle.variant.as_str());
    // Both rows are written first, so that no other transaction changes them meanwhile.
    let of_puzzle: Rating = sqlx::query_as(
        "UPDATE puzzles SET plays = plays + 1 WHERE id = $1 RETURNING rating, deviation, volatility, plays",
    )
    .bind(id)
    .fetch_one(&mut **transaction)
    .await?;
    let start = new_rating(variant, Speed::Unlimited);
    let of_solver: Rating = sqlx::query_as(
        "INSERT INTO puzzle_ratings (owner, variant, rating, deviation, volatility, plays) \
         VALUES ($1, $2, $3, $4, $5, 0) ON CONFLICT (owner, variant) DO UPDATE SET plays = puzzle_ratings.plays \
         RETURNING rating, deviation, volatility, plays",
    )
    .bind(end.owner)
    .bind(variant)
    .bind(start.rating)
    .bind(start.deviation)
    .bind(start.volatility)
    .fetch_one(&mut **transaction)
    .await?;
    let old = puzzle_rating(variant, of_solver);
    let [new, puzzle_new] = end.attempt.rate(&old, &puzzle_rating(variant, of_puzzle));
    sqlx::query("UPDATE puzzles SET rating = $1, deviation = $2, volatility = $3 WHERE id = $4")
        .bind(puzzle_new.rating)
        .bind(puzzle_new.deviation)
        .bind(puzzle_new.volatility)
        .bind(id)
        .execute(&mut **transaction)
        .await?;
    sqlx::query(
        "UPDATE puzzle_ratings SET rating = $1, deviation = $2, volatility = $3, plays = plays + 1 \
         WHERE owner = $4 AND variant = $5",
    )
    .bind(new.rating)
    .bind(new.deviation)
    .bind(new.volatility)
    .bind(end.owner)
    .bind(variant)
    .execute(&mut **transaction)
    .await?;
    sqlx::query("UPDATE puzzle_rounds SET rating_before = $1, rating = $2 WHERE owner = $3 AND puzzle = $4")
        .bind(old.rating)
        .bind(new.rating)
        .bind(end.owner)
        .bind(id)
        .execute(&mut **transaction)
        .await?;
    Ok((old.rating, new.rating))
}
