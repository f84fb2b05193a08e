//! Moderation of users and networks: written by [`Moderator`], which `lozenge users` uses beside a running server,
//! and read by that server. Not here: what follows from it for sockets and games.

use super::row::from_row;
use super::users::name_digests;
use super::{DatabaseKind, SQLITE, Store, StoreError, install_drivers};
use futures_util::future::BoxFuture;
use ipnet::IpNet;
use lozenge_game::time::{DAY_MS, now_ms};
use lozenge_game::{NameFault, check_name, guest_name, skeleton};
use sqlx::{AnyConnection, Connection as _, Executor as _};
use std::net::IpAddr;

/// Days for which the network of a user is stored.
const NETWORK_DAYS: i64 = 14;

/// A user as the host sees them. Times are Unix milliseconds.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct UserRecord {
    /// The id.
    pub id: String,
    /// The name; none for a guest.
    pub name: Option<String>,
    /// 1 for a bot.
    pub bot: i64,
    /// When the user first came.
    pub created_at: i64,
    /// The day of the last visit.
    pub seen_at: i64,
    /// When the account was closed.
    pub closed_at: Option<i64>,
    /// When the user was banned.
    pub banned_at: Option<i64>,
    /// Until when the user may not chat.
    pub muted_until: Option<i64>,
    /// The network that the user came from last, in the last 14 days.
    pub network: Option<String>,
    /// Whether a second factor is set up (1).
    pub second_factor: i64,
}

from_row!(UserRecord {
    id,
    name,
    bot,
    created_at,
    seen_at,
    closed_at,
    banned_at,
    muted_until,
    network,
    second_factor
});

impl UserRecord {
    /// The name, or the number of a guest.
    #[must_use]
    pub fn label(&self) -> String {
        self.name.clone().unwrap_or_else(|| guest_name(&self.id))
    }
}

/// An action of the host on a game or a study that a user has made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListingSanction {
    /// It is listed nowhere; any user who has its address can open it.
    Hide,
    /// No user can open it. Games that have begun go on.
    Ban,
    /// Undoes both.
    Restore,
}

impl ListingSanction {
    /// The status that follows.
    pub(super) fn status(self) -> &'static str {
        match self {
            Self::Hide => "hidden",
            Self::Ban => "banned",
            Self::Restore => "active",
        }
    }
}

/// An action of the host on a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sanction {
    /// Closed: sign-in is impossible, and the name stays reserved.
    Close,
    /// Undoes [`Self::Close`].
    Reopen,
    /// As [`Self::Close`], for a breach of the rules. Also possible for guests.
    Ban,
    /// Undoes [`Self::Ban`].
    Unban,
    /// The user may not chat until this time.
    Mute {
        /// In Unix milliseconds.
        until: i64,
    },
    /// Undoes [`Self::Mute`].
    Unmute,
    /// Another name.
    Rename {
        /// The name to be.
        name: String,
    },
    /// Switches a second factor off, for a user who has lost it.
    SecondFactorOff,
}

impl Sanction {
    /// The word in the record of what was done.
    fn word(&self) -> &'static str {
        match self {
            Self::Close => "close",
            Self::Reopen => "reopen",
            Self::Ban => "ban",
            Self::Unban => "unban",
            Self::Mute { .. } => "mute",
            Self::Unmute => "unmute",
            Self::Rename { .. } => "rename",
            Self::SecondFactorOff => "second_factor_off",
        }
    }
}

/// Why a host's command changes nothing.
#[derive(Debug, thiserror::Error)]
pub enum ModerationError {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is no such user.
    #[error("expected the name or id of a user, found `{0}`")]
    NoUser(String),
    /// There is no such report.
    #[error("expected the id of a report, found `{0}`")]
    NoReport(String),
    /// There is no such game.
    #[error("expected the id of a game that a user has published, such as ~lake, found `{0}`")]
    NoVariant(String),
    /// There is no such study.
    #[error("expected the id of a study, as in its address, found `{0}`")]
    NoStudy(String),
    /// A guest has no account to close or name to change.
    #[error("expected an account, found a guest; guests can be banned and muted")]
    Guest,
    /// The name is taken.
    #[error("expected a name that is free, found `{0}`, which is taken")]
    Taken(String),
    /// The name is malformed or reserved.
    #[error(transparent)]
    Name(#[from] NameFault),
    /// No network is known of the user.
    #[error("no network of this user is known: it is kept for {NETWORK_DAYS} days")]
    NoNetwork,
    /// The network was not banned.
    #[error("expected a banned network, found {0}, which is not banned")]
    NotBanned(IpNet),
}

impl From<sqlx::Error> for ModerationError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error.into())
    }
}

const RECORD: &str = "SELECT id, name, bot, created_at, seen_at, closed_at, banned_at, muted_until, network, \
    CASE WHEN totp IS NULL THEN 0 ELSE 1 END AS second_factor FROM users";

/// A network as it is stored for an address: the address of IPv4, the network of 64 bits of IPv6.
pub(crate) fn network(address: IpAddr) -> IpNet {
    let net = IpNet::from(address);
    if address.is_ipv6() { IpNet::new(address, 64).map_or(net, |net| net.trunc()) } else { net }
}

/// The host's access to a database, also while a server runs on it. The server carries out commands within seconds.
#[derive(Debug)]
pub struct Moderator {
    /// The connection that all commands use.
    pub(super) connection: AnyConnection,
}

impl Moderator {
    /// Opens a database that a server of this version has brought up to date.
    ///
    /// # Errors
    /// If it cannot be reached.
    pub fn open(url: &str) -> BoxFuture<'_, Result<Self, StoreError>> {
        // Boxed, so that its code is compiled here and not in each crate that waits for it.
        Box::pin(Self::open_now(url))
    }

    async fn open_now(url: &str) -> Result<Self, StoreError> {
        let kind = super::kind(url)?;
        install_drivers();
        let mut connection = AnyConnection::connect(url).await?;
        if kind == DatabaseKind::Sqlite {
            connection.execute(SQLITE).await?;
        }
        Ok(Self { connection })
    }

    /// A user by name or id.
    ///
    /// # Errors
    /// If there is no such user.
    pub async fn user(&mut self, name: &str) -> Result<UserRecord, ModerationError> {
        let sql = format!("{RECORD} WHERE name_key = $1 OR id = $2");
        let found = sqlx::query_as(sqlx::AssertSqlSafe(sql))
            .bind(name.to_lowercase())
            .bind(name)
            .fetch_optional(&mut self.connection)
            .await?;
        found.ok_or_else(|| ModerationError::NoUser(name.to_owned()))
    }

    /// Users, the latest visitors first: all accounts, or all users whose last network lies in `within`; only those with
    /// a sanction if `sanctioned`.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn users(
        &mut self,
        within: Option<IpNet>,
        sanctioned: bool,
        most: u32,
    ) -> Result<Vec<UserRecord>, StoreError> {
        let sql = format!(
            "{RECORD} WHERE (name IS NOT NULL OR $1 = 1 OR banned_at IS NOT NULL OR muted_until IS NOT NULL) \
             AND ($1 = 0 OR network_at IS NOT NULL) \
             AND ($2 = 0 OR closed_at IS NOT NULL OR banned_at IS NOT NULL OR muted_until > $3) \
             ORDER BY seen_at DESC, id LIMIT $4"
        );
        // Networks are compared here, since the two databases have no common type for them.
        let limit = if within.is_some() { i64::from(u32::MAX) } else { i64::from(most) };
        let mut found: Vec<UserRecord> = sqlx::query_as(sqlx::AssertSqlSafe(sql))
            .bind(i64::from(within.is_some()))
            .bind(i64::from(sanctioned))
            .bind(now_ms())
            .bind(limit)
            .fetch_all(&mut self.connection)
            .await?;
        if let Some(within) = within {
            let inside = |user: &UserRecord| {
                let network = user.network.as_ref().and_then(|text| text.parse::<IpNet>().ok());
                network.is_some_and(|network| within.contains(&network) || network.contains(&within))
            };
            found.retain(inside);
            found.truncate(most as usize);
        }
        Ok(found)
    }

    /// Does something to a user. The user as they are then.
    ///
    /// # Errors
    /// If there is no such user, or it cannot be done to a guest.
    pub async fn sanction(&mut self, name: &str, sanction: &Sanction) -> Result<UserRecord, ModerationError> {
        let user = self.user(name).await?;
        let for_guests =
            matches!(sanction, Sanction::Ban | Sanction::Unban | Sanction::Mute { .. } | Sanction::Unmute);
        if user.name.is_none() && !for_guests {
            return Err(ModerationError::Guest);
        }
        let mut transaction = self.connection.begin().await?;
        match sanction {
            Sanction::Close => {
                change(&mut transaction, "closed_at = $1, epoch = epoch + 1", now_ms(), &user.id).await?
            }
            Sanction::Reopen => change(&mut transaction, "closed_at = NULLIF($1, 0)", 0, &user.id).await?,
            Sanction::Ban => {
                change(&mut transaction, "banned_at = $1, epoch = epoch + 1", now_ms(), &user.id).await?
            }
            Sanction::Unban => change(&mut transaction, "banned_at = NULLIF($1, 0)", 0, &user.id).await?,
            Sanction::Mute { until } => {
                change(&mut transaction, "muted_until = $1", *until, &user.id).await?
            }
            Sanction::Unmute => change(&mut transaction, "muted_until = NULLIF($1, 0)", 0, &user.id).await?,
            Sanction::Rename { name } => {
                check_name(name)?;
                let [key, looks] = name_digests(name);
                let named = sqlx::query(
                    "UPDATE users SET name = $1, name_key = $2, name_skeleton = $3 WHERE id = $4 AND NOT EXISTS \
                     (SELECT 1 FROM users WHERE (name_key = $2 OR name_skeleton = $3) AND id <> $4) AND NOT EXISTS \
                     (SELECT 1 FROM reserved_names WHERE (digest = $5 OR digest = $6) AND COALESCE(owner, '') <> $4)",
                )
                .bind(name.as_str())
                .bind(name.to_lowercase())
                .bind(skeleton(name))
                .bind(user.id.as_str())
                .bind(key)
                .bind(looks)
                .execute(&mut *transaction)
                .await?;
                if named.rows_affected() == 0 {
                    return Err(ModerationError::Taken(name.clone()));
                }
                reserve(&mut transaction, &user, name).await?;
                for statement in [
                    "UPDATE chat SET author_name = $1 WHERE author = $2",
                    "UPDATE reports SET author_name = $1 WHERE author = $2",
                    "UPDATE reports SET reporter_name = $1 WHERE reporter = $2",
                    "UPDATE variant_comments SET author_name = $1 WHERE author = $2",
                ] {
                    sqlx::query(statement)
                        .bind(name.as_str())
                        .bind(user.id.as_str())
                        .execute(&mut *transaction)
                        .await?;
                }
            }
            Sanction::SecondFactorOff => {
                change(&mut transaction, "totp = NULL, totp_pending = NULL, totp_step = $1", 0, &user.id)
                    .await?;
                sqlx::query("DELETE FROM backup_codes WHERE owner = $1")
                    .bind(user.id.as_str())
                    .execute(&mut *transaction)
                    .await?;
            }
        }
        note(&mut transaction, sanction.word(), &user.id).await?;
        transaction.commit().await?;
        self.user(&user.id).await
    }

    /// Gives an account a new recovery code, for an owner who has lost password and code.
    ///
    /// # Errors
    /// If there is no such account.
    pub async fn new_recovery_code(&mut self, name: &str) -> Result<String, ModerationError> {
        let user = self.user(name).await?;
        if user.name.is_none() {
            return Err(ModerationError::Guest);
        }
        let code = lozenge_game::ids::recovery();
        let mut transaction = self.connection.begin().await?;
        sqlx::query("UPDATE users SET recovery = $1 WHERE id = $2")
            .bind(super::secret_digest(&lozenge_game::ids::normalized(&code)))
            .bind(user.id.as_str())
            .execute(&mut *transaction)
            .await?;
        note(&mut transaction, "recovery_code", &user.id).await?;
        transaction.commit().await?;
        Ok(code)
    }

    /// Bans a network: from it nothing can be changed any more, nor sockets opened.
    ///
    /// # Errors
    /// If the database returns an error.
    pub async fn ban_network(&mut self, network: IpNet) -> Result<(), StoreError> {
        let network = network.trunc().to_string();
        let mut transaction = self.connection.begin().await?;
        sqlx::query(
            "INSERT INTO banned_networks (network, banned_at) VALUES ($1, $2) ON CONFLICT (network) DO NOTHING",
        )
        .bind(network.as_str())
        .bind(now_ms())
        .execute(&mut *transaction)
        .await?;
        note(&mut transaction, BAN_NETWORK, &network).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Bans the network that a user came from last.
    ///
    /// # Errors
    /// If none is known.
    pub async fn ban_network_of(&mut self, name: &str) -> Result<IpNet, ModerationError> {
        let network = self.user(name).await?.network.and_then(|text| text.parse::<IpNet>().ok());
        let network = network.ok_or(ModerationError::NoNetwork)?;
        self.ban_network(network).await?;
        Ok(network)
    }

    /// Lifts the ban of a network.
    ///
    /// # Errors
    /// If it was not banned.
    pub async fn unban_network(&mut self, network: IpNet) -> Result<(), ModerationError> {
        let text = network.trunc().to_string();
        let mut transaction = self.connection.begin().await?;
        let done = sqlx::query("DELETE FROM banned_networks WHERE network = $1")
            .bind(text.as_str())
            .execute(&mut *transaction)
            .await?;
        if done.rows_affected() == 0 {
            return Err(ModerationError::NotBanned(network));
        }
        note(&mut transaction, UNBAN_NETWORK, &text).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// The banned networks.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn banned_networks(&mut self) -> Result<Vec<String>, StoreError> {
        let rows: Vec<(String,)> = sqlx::query_as("SELECT network FROM banned_networks ORDER BY network")
            .fetch_all(&mut self.connection)
            .await?;
        Ok(rows.into_iter().map(|(network,)| network).collect())
    }

    /// Closes all reports of the line that a report is about. Id of the user who wrote it; `None` if there is no such
    /// user any more.
    ///
    /// # Errors
    /// If there is no such report.
    pub async fn close_report(&mut self, id: &str) -> Result<Option<String>, ModerationError> {
        let row: Option<(String, i64, Option<String>)> = sqlx::query_as(
            "SELECT game, number, users.id FROM reports LEFT JOIN users ON users.id = author WHERE reports.id = $1",
        )
        .bind(id)
        .fetch_optional(&mut self.connection)
        .await?;
        let (game, number, author) = row.ok_or_else(|| ModerationError::NoReport(id.to_owned()))?;
        sqlx::query(
            "UPDATE reports SET closed_at = $1 WHERE game = $2 AND number = $3 AND closed_at IS NULL",
        )
        .bind(now_ms())
        .bind(game)
        .bind(number)
        .execute(&mut self.connection)
        .await?;
        Ok(author)
    }
}

const BAN_NETWORK: &str = "ban_network";
const UNBAN_NETWORK: &str = "unban_network";

/// Sets columns of a user; `$1` is the value.
async fn change(
    connection: &mut AnyConnection,
    columns: &'static str,
    value: i64,
    id: &str,
) -> Result<(), StoreError> {
    let sql = format!("UPDATE users SET {columns} WHERE id = $2");
    sqlx::query(sqlx::AssertSqlSafe(sql)).bind(value).bind(id).execute(connection).await?;
    Ok(())
}

/// Reserves the name that a user had before this one, so that no other user can take it and pass for them.
async fn reserve(connection: &mut AnyConnection, user: &UserRecord, name: &str) -> Result<(), StoreError> {
    let Some(before) = &user.name else { return Ok(()) };
    let kept = name_digests(name);
    let reserve = "INSERT INTO reserved_names (digest, reserved_at, owner) VALUES ($1, $2, $3) \
        ON CONFLICT (digest) DO NOTHING";
    for digest in name_digests(before).into_iter().filter(|digest| !kept.contains(digest)) {
        sqlx::query(reserve)
            .bind(digest)
            .bind(now_ms())
            .bind(user.id.as_str())
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

/// Records what was done, for the server to carry out and for the host to read again.
async fn note(connection: &mut AnyConnection, action: &str, subject: &str) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO moderation (number, at, action, subject) \
         VALUES ((SELECT COALESCE(MAX(number), 0) + 1 FROM moderation), $1, $2, $3)",
    )
    .bind(now_ms())
    .bind(action)
    .bind(subject)
    .execute(connection)
    .await?;
    Ok(())
}

/// Something that the host has done and the server has not carried out yet.
#[derive(Clone, Debug)]
pub struct Order {
    /// Its number, which grows.
    pub number: i64,
    /// The action of the host, as a word of the table `moderation`.
    pub action: String,
    /// Id of a user, or a network.
    pub subject: String,
}

from_row!(Order { number, action, subject });

impl Order {
    /// Whether it is about a network.
    pub fn is_of_network(&self) -> bool {
        matches!(self.action.as_str(), BAN_NETWORK | UNBAN_NETWORK)
    }
}

impl Store {
    /// The host's actions since the last query, in order.
    pub async fn orders(&self) -> Result<Vec<Order>, StoreError> {
        Ok(sqlx::query_as("SELECT number, action, subject FROM moderation WHERE handled = 0 ORDER BY number")
            .fetch_all(&self.pool)
            .await?)
    }

    /// An order has been carried out.
    pub async fn carried_out(&self, number: i64) -> Result<(), StoreError> {
        sqlx::query("UPDATE moderation SET handled = 1 WHERE number = $1")
            .bind(number)
            .execute(&mut *self.writer().await?)
            .await?;
        Ok(())
    }

    /// The banned networks.
    pub async fn banned_networks(&self) -> Result<Vec<IpNet>, StoreError> {
        let rows: Vec<(String,)> =
            sqlx::query_as("SELECT network FROM banned_networks").fetch_all(&self.pool).await?;
        rows.into_iter()
            .map(|(text,)| {
                text.parse().map_err(|_| StoreError::Content { expected: "a network", found: text })
            })
            .collect()
    }

    /// Remembers the network that a user comes from.
    pub async fn record_address(&self, id: &str, address: IpAddr, now: i64) -> Result<(), StoreError> {
        sqlx::query("UPDATE users SET network = $1, network_at = $2 WHERE id = $3")
            .bind(network(address).to_string())
            .bind(now)
            .bind(id)
            .execute(&mut *self.writer().await?)
            .await?;
        Ok(())
    }

    /// The network that a user came from last.
    pub async fn network_of(&self, id: &str) -> Result<Option<String>, StoreError> {
        let row: Option<(Option<String>,)> = sqlx::query_as("SELECT network FROM users WHERE id = $1")
            .bind(id)
            .fetch_optional(&self.pool)
            .await?;
        Ok(row.and_then(|(network,)| network))
    }

    /// Forgets the networks of users that are older than 14 days.
    pub async fn drop_old_networks(&self, now: i64) -> Result<(), StoreError> {
        sqlx::query("UPDATE users SET network = NULL, network_at = NULL WHERE network_at < $1")
            .bind(now - NETWORK_DAYS * DAY_MS)
            .execute(&mut *self.writer().await?)
            .await?;
        Ok(())
    }
}
