//! Games, and the rules that they were played by.

use super::row::from_row;
use super::{Store, StoreError, read_json, write_json};
use lozenge_game::GameEvent;
use lozenge_wire::{Color, MAX_PLAYERS};
use serde::Deserialize;
use sqlx::{Any, Transaction};

/// The rules of a game as texts.
#[derive(Clone, Debug)]
pub struct RulesRow {
    /// The digest of the texts.
    pub digest: String,
    /// The game's id in its file.
    pub variant: String,
    /// The game's name.
    pub name: String,
    /// The game's own text, then those that it extends.
    pub texts: Vec<String>,
}

/// A new game.
#[derive(Clone, Debug)]
pub struct NewGameRow {
    /// The game's id.
    pub id: String,
    /// The digest of the game's rules.
    pub digest: String,
    /// The id of the game's rules.
    pub variant: String,
    /// The FEN of the starting position.
    pub start_fen: String,
    /// The time control as JSON; `None` without a clock.
    pub clock: Option<String>,
    /// The class of the time control, as the wire's word.
    pub speed: String,
    /// Whether the game changes ratings.
    pub rated: bool,
    /// The visibility of the game, as the wire's word.
    pub visibility: String,
    /// The id of the user who made the game.
    pub maker: String,
    /// The id of the game that this one is a rematch of.
    pub previous: Option<String>,
    /// When it was made, in Unix milliseconds.
    pub created_at: i64,
    /// The seeks and challenges that become the game; deleted in the transaction that inserts it.
    pub origins: Vec<GameOrigin>,
    /// When the engine takes free seats of a game of four, as JSON.
    pub fill: Option<String>,
    /// The seats of a game of four for players from the lobby, as JSON; `None` without such seats.
    pub open_seats: Option<String>,
    /// The server that has it, by its incarnation; none where there is one server.
    pub owner: Option<String>,
}

/// A stored seek or challenge that becomes a game, by id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameOrigin {
    /// A seek of the lobby.
    Seek(String),
    /// A challenge to one player.
    Challenge(String),
}

/// A game as it is stored.
#[derive(Clone, Debug)]
pub struct GameRow {
    /// The game's id.
    pub id: String,
    /// The digest of the game's rules.
    pub digest: String,
    /// The id of the game's rules.
    pub variant: String,
    /// The FEN of the starting position.
    pub start_fen: String,
    /// The time control as JSON; `None` without a clock.
    pub clock: Option<String>,
    /// 1 if the game changes ratings, otherwise 0.
    pub rated: i64,
    /// The visibility of the game, as the wire's word.
    pub visibility: String,
    /// The id of the user who made the game.
    pub maker: String,
    /// White's or Red's player as JSON; `None` while the seat is free.
    pub white_player: Option<String>,
    /// Black's or Blue's player as JSON; `None` while the seat is free.
    pub black_player: Option<String>,
    /// Yellow's player as JSON; `None` while the seat is free, and in games of two.
    pub third_player: Option<String>,
    /// Green's player as JSON; `None` while the seat is free, and in games of two.
    pub fourth_player: Option<String>,
    /// When the engine takes free seats of a game of four, as JSON.
    pub fill: Option<String>,
    /// The seats of a game of four for players from the lobby, as JSON; `None` without such seats.
    pub open_seats: Option<String>,
    /// The id of the game that this one is a rematch of.
    pub previous: Option<String>,
    /// When it was made, in Unix milliseconds.
    pub created_at: i64,
    /// When something last happened in it, in Unix milliseconds.
    pub updated_at: i64,
    /// `waiting`, `started` or `finished`.
    pub status: String,
    /// The result as the wire's word; `*` until the game is over.
    pub result: String,
    /// The reason of the result, as the wire's word.
    pub reason: Option<String>,
    /// Half moves played.
    pub ply: i64,
    /// The FEN of the current position.
    pub fen: String,
    /// The last half move in long algebraic notation.
    pub last_move: Option<String>,
    /// The incarnation of the server that owns the game; `None` where there is one server.
    pub owner: Option<String>,
    /// The number of the ownership: it grows with each new owner.
    pub epoch: i64,
}

from_row!(GameRow {
    id,
    digest,
    variant,
    start_fen,
    clock,
    rated,
    visibility,
    maker,
    white_player,
    black_player,
    third_player,
    fourth_player,
    fill,
    open_seats,
    previous,
    created_at,
    updated_at,
    status,
    result,
    reason,
    ply,
    fen,
    last_move,
    owner,
    epoch
});

/// Finished games of a player that have all this in common.
#[derive(Clone, Debug)]
pub struct PlayedRow {
    /// The id of the games' rules.
    pub variant: String,
    /// The class of their time control, as the wire's word.
    pub speed: String,
    /// How many play them.
    pub players: i64,
    /// The player's seat by the order of the turns, from 0.
    pub seat: i64,
    /// Their result, as the wire's word.
    pub result: String,
    /// How many games.
    pub games: i64,
    /// How many half moves in all of them.
    pub plies: i64,
}

from_row!(PlayedRow { variant, speed, players, seat, result, games, plies });

/// How a game ended for one of its players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlayerResult {
    /// The player won.
    Won,
    /// The game was drawn.
    Drawn,
    /// The player lost.
    Lost,
}

/// Which games to list, newest change first.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// Only games of this player.
    pub player: Option<String>,
    /// Only games with this status.
    pub status: Option<&'static str>,
    /// Only games of this variant.
    pub variant: Option<String>,
    /// Only games of the player against this one.
    pub opponent: Option<String>,
    /// Only games in which the player had this color.
    pub color: Option<Color>,
    /// Only games that ended so for the player.
    pub result: Option<PlayerResult>,
    /// Only rated games, or only casual ones.
    pub rated: Option<bool>,
    /// Only games that last changed at this moment or later, in Unix milliseconds.
    pub since: Option<i64>,
    /// Also private games.
    pub private: bool,
    /// Only what comes after the game with this last change and id: several may have changed in the same moment.
    pub before: Option<(i64, String)>,
    /// Of games without a clock, which may be left for ever, only those that have changed since this moment.
    pub alive_since: Option<i64>,
    /// Most games.
    pub limit: i64,
}

pub(super) const COLUMNS: &str = "id, digest, variant, start_fen, clock, rated, visibility, maker, \
    white_player, black_player, third_player, fourth_player, fill, open_seats, previous, created_at, updated_at, status, result, reason, ply, fen, last_move, owner, epoch";

impl Store {
    /// Keeps the texts of a game's rules.
    pub async fn keep_rules(&self, rules: &RulesRow) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO rules (digest, variant, name, texts) VALUES ($1, $2, $3, $4) ON CONFLICT (digest) DO NOTHING",
        )
        .bind(rules.digest.as_str())
        .bind(rules.variant.as_str())
        .bind(rules.name.as_str())
        .bind(write_json(&rules.texts))
        .execute(&mut *self.writer().await?)
        .await?;
        Ok(())
    }

    /// The texts of rules.
    pub async fn rules(&self, digest: &str) -> Result<Option<RulesRow>, StoreError> {
        let row: Option<(String, String, String)> =
            sqlx::query_as("SELECT variant, name, texts FROM rules WHERE digest = $1")
                .bind(digest)
                .fetch_optional(&self.pool)
                .await?;
        row.map(|(variant, name, texts)| {
            let texts = read_json("the texts of rules", &texts)?;
            Ok(RulesRow { digest: digest.into(), variant, name, texts })
        })
        .transpose()
    }

    /// A game and what happened in it.
    pub async fn game(&self, id: &str) -> Result<Option<(GameRow, Vec<GameEvent>)>, StoreError> {
        let Some(row) = self.game_row(id).await? else { return Ok(None) };
        let events: Vec<(String,)> = sqlx::query_as("SELECT fact FROM facts WHERE game = $1 ORDER BY seq")
            .bind(id)
            .fetch_all(&self.pool)
            .await?;
        let events =
            events.iter().map(|(event,)| read_json("an event of a game", event)).collect::<Result<_, _>>()?;
        Ok(Some((row, events)))
    }

    /// A game's row alone.
    pub async fn game_row(&self, id: &str) -> Result<Option<GameRow>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM games WHERE id = $1");
        Ok(sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(id).fetch_optional(&self.pool).await?)
    }

    /// Ids of the games that are not over and have a clock, or free seats that the engine will take.
    pub async fn games_by_the_clock(&self) -> Result<Vec<String>, StoreError> {
        let rows: Vec<(String,)> = sqlx::query_as(
            "SELECT id FROM games WHERE (status = 'started' AND deadline IS NOT NULL) \
             OR (status = 'waiting' AND fill IS NOT NULL)",
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows.into_iter().map(|(id,)| id).collect())
    }

    /// Ids of the games against the engine that go on, in which not both have moved, and nothing since a moment.
    pub async fn unbegun_engine_games(&self, before: i64, most: i64) -> Result<Vec<String>, StoreError> {
        let sql = format!(
            "SELECT id FROM games WHERE status = 'started' AND updated_at < $1 AND ply < {PLAYERS} \
             AND 'engine' IN (white, black, third, fourth) ORDER BY updated_at LIMIT $2"
        );
        let rows: Vec<(String,)> =
            sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(before).bind(most).fetch_all(&self.pool).await?;
        Ok(rows.into_iter().map(|(id,)| id).collect())
    }

    /// Ids of all games that a player plays at this moment.
    pub async fn ongoing_games(&self, player: &str) -> Result<Vec<String>, StoreError> {
        let rows: Vec<(String,)> = sqlx::query_as(
            "SELECT id FROM games WHERE (white = $1 OR black = $1 OR third = $1 OR fourth = $1) AND status = 'started'",
        )
        .bind(player)
        .fetch_all(&self.pool)
        .await?;
        Ok(rows.into_iter().map(|(id,)| id).collect())
    }

    /// The games of four that wait for players in the lobby, newest first: those by correspondence and the others, each made since
    /// a moment (Unix milliseconds).
    pub async fn open_games(
        &self,
        [by_correspondence, others]: [i64; 2],
        limit: i64,
    ) -> Result<Vec<GameRow>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM games WHERE open_seats IS NOT NULL AND status = 'waiting' AND created_at > $1 \
             AND (created_at > $2 OR speed = 'correspondence') ORDER BY created_at DESC, id LIMIT $3"
        );
        Ok(sqlx::query_as(sqlx::AssertSqlSafe(sql))
            .bind(by_correspondence)
            .bind(others)
            .bind(limit)
            .fetch_all(&self.pool)
            .await?)
    }

    /// Games for a list.
    pub async fn games(&self, listing: &Listing) -> Result<Vec<GameRow>, StoreError> {
        // The text has only the conditions that are needed, so that each query uses its index: that of finished games, of
        // which there are many, or that of the status.
        let mut conditions = String::from(
            "updated_at <= $1 AND (updated_at < $1 OR id < $2) AND (updated_at >= $3 OR clock IS NOT NULL) \
             AND updated_at >= $5",
        );
        let mut words: Vec<&str> = Vec::new();
        let mut number = |word| {
            words.push(word);
            5 + words.len()
        };
        if let Some(player) = &listing.player {
            let player = number(player);
            let opponent = listing.opponent.as_deref().map(&mut number);
            conditions += &sides(listing, player, opponent);
        }
        if let Some(rated) = listing.rated {
            conditions += if rated { " AND rated = 1" } else { " AND rated = 0" };
        }
        if let Some(variant) = &listing.variant {
            conditions += &format!(" AND variant = ${}", number(variant));
        }
        if !listing.private {
            conditions += " AND visibility = 'public'";
        }
        let part = |status: &str| {
            format!(
                "SELECT * FROM (SELECT {COLUMNS} FROM games WHERE {status} AND {conditions} \
                 ORDER BY updated_at DESC, id DESC LIMIT $4) AS part"
            )
        };
        let sql = match listing.status {
            // Aborted games have no result.
            Some("finished") => part("status = 'finished' AND result <> '*'"),
            Some(status) => part(&format!("status = ${}", number(status))),
            None => [part("status = 'finished' AND result <> '*'"), part("status IN ('waiting', 'started')")]
                .join(" UNION ALL "),
        };
        let sql = format!("SELECT * FROM ({sql}) AS listed ORDER BY updated_at DESC, id DESC LIMIT $4");
        let (before, before_id) = listing.before.clone().unwrap_or((i64::MAX, String::new()));
        let query = sqlx::query_as(sqlx::AssertSqlSafe(sql))
            .bind(before)
            .bind(before_id)
            .bind(listing.alive_since.unwrap_or(i64::MIN))
            .bind(listing.limit)
            .bind(listing.since.unwrap_or(i64::MIN));
        let query = words.into_iter().fold(query, |query, word| query.bind(word.to_owned()));
        let rows = query.fetch_all(&self.pool).await?;
        Ok(rows)
    }

    /// The finished games of a player, counted by game, speed, seat and result in one pass over each seat's index.
    pub async fn played(&self, player: &str) -> Result<Vec<PlayedRow>, StoreError> {
        let on_seat = |(seat, column): (usize, &str)| {
            format!(
                "SELECT variant, speed, {PLAYERS} AS players, \
                 {seat} AS seat, result, ply FROM games \
                 WHERE {column} = $1 AND status = 'finished' AND result <> '*'"
            )
        };
        let all = SEATS.into_iter().enumerate().map(on_seat).collect::<Vec<_>>().join(" UNION ALL ");
        let sql = format!(
            "SELECT variant, speed, CAST(players AS BIGINT) AS players, CAST(seat AS BIGINT) AS seat, result, \
             COUNT(*) AS games, CAST(SUM(ply) AS BIGINT) AS plies FROM ({all}) AS played \
             GROUP BY variant, speed, players, seat, result"
        );
        Ok(sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(player).fetch_all(&self.pool).await?)
    }

    /// Ids of all games that a player has part in, aborted ones too, the latest first.
    pub async fn games_of(&self, player: &str) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT id FROM games WHERE white = $1 OR black = $1 OR third = $1 OR fourth = $1 \
                   ORDER BY updated_at DESC, id DESC";
        let rows: Vec<(String,)> = sqlx::query_as(sql).bind(player).fetch_all(&self.pool).await?;
        Ok(rows.into_iter().map(|(id,)| id).collect())
    }
}

/// Inserts a new game and deletes its origins; its seats are filled by events in the same transaction.
pub(super) async fn insert_game(
    transaction: &mut Transaction<'_, Any>,
    game: &NewGameRow,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO games (id, digest, variant, start_fen, clock, speed, rated, visibility, maker, previous, \
         created_at, updated_at, seq, status, result, ply, fen, owner, fill, open_seats) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, 0, 'waiting', '*', 0, $4, $12, $13, $14)",
    )
    .bind(game.id.as_str())
    .bind(game.digest.as_str())
    .bind(game.variant.as_str())
    .bind(game.start_fen.as_str())
    .bind(game.clock.as_deref())
    .bind(game.speed.as_str())
    .bind(i64::from(game.rated))
    .bind(game.visibility.as_str())
    .bind(game.maker.as_str())
    .bind(game.previous.as_deref())
    .bind(game.created_at)
    .bind(game.owner.as_deref())
    .bind(game.fill.as_deref())
    .bind(game.open_seats.as_deref())
    .execute(&mut **transaction)
    .await?;
    for origin in &game.origins {
        let (statement, id) = match origin {
            GameOrigin::Seek(id) => ("DELETE FROM seeks WHERE id = $1", id),
            GameOrigin::Challenge(id) => ("DELETE FROM challenges WHERE id = $1", id),
        };
        let deleted = sqlx::query(statement).bind(id.as_str()).execute(&mut **transaction).await?;
        // Of several who accept it at once only one gets a game.
        if deleted.rows_affected() == 0 {
            return Err(StoreError::OriginGone);
        }
    }
    Ok(())
}

/// The columns of the players, by the order of the turns.
pub(super) const SEATS: [&str; MAX_PLAYERS] = ["white", "black", "third", "fourth"];

/// How many play a game that has begun, in SQL.
pub(super) const PLAYERS: &str =
    "CASE WHEN games.third IS NULL THEN 2 WHEN games.fourth IS NULL THEN 3 ELSE 4 END";

/// The condition on the seats of a listed player's games; the parameters of the player and the opponent by number.
fn sides(listing: &Listing, player: usize, opponent: Option<usize>) -> String {
    let seat = |place: usize| {
        let own = SEATS[place];
        let others = SEATS.into_iter().filter(|other| *other != own);
        let against = opponent.map_or_else(String::new, |number| {
            let any: Vec<String> = others.map(|other| format!("{other} = ${number}")).collect();
            format!(" AND ({})", any.join(" OR "))
        });
        let (won, lost) = if place.is_multiple_of(2) { ("1-0", "0-1") } else { ("0-1", "1-0") };
        // The first of three or four places, in a result such as `3-1-4-2`; a shared one is a draw. A draw of two has a slash.
        let first = format!("result LIKE '{}1%' AND result LIKE '_-_-_%'", "_-".repeat(place));
        let alone = "LENGTH(result) - LENGTH(REPLACE(result, '1', '')) = 1";
        let result = match listing.result {
            None => String::new(),
            Some(PlayerResult::Won) => {
                format!(" AND (result = '{won}' OR ({first} AND {alone}))")
            }
            Some(PlayerResult::Lost) => {
                format!(" AND (result = '{lost}' OR (result LIKE '_-_-_%' AND NOT ({first})))")
            }
            Some(PlayerResult::Drawn) => {
                format!(" AND (result = '1/2-1/2' OR ({first} AND NOT {alone}))")
            }
        };
        format!("({own} = ${player}{against}{result})")
    };
    match listing.color {
        Some(color @ (Color::White | Color::Black)) => {
            format!(" AND {} AND third IS NULL", seat(color.index()))
        }
        Some(color) => format!(" AND {} AND third IS NOT NULL", seat(color.index())),
        None => format!(" AND ({})", [0, 1, 2, 3].map(seat).join(" OR ")),
    }
}
