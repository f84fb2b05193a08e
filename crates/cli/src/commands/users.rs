//! `lozenge users`: administration of accounts, guests and networks, also while the site runs.

use super::database::{self, Database};
use crate::CliError;
use crate::numbers::whole;
use crate::output;
use clap::{Args, Subcommand};
use ipnet::IpNet;
use jiff::Timestamp;
use lozenge_store::{ModerationError, Moderator, Sanction, UserRecord};
use std::net::IpAddr;

/// `users …`.
#[derive(Args, Debug)]
pub(crate) struct UsersArgs {
    #[command(subcommand)]
    command: UsersCommand,
    #[command(flatten)]
    database: Database,
}

/// A command. NAME is the name of an account, or the id of an account or guest.
#[derive(Subcommand, Debug)]
enum UsersCommand {
    /// List accounts, those first who came last.
    List {
        /// Only users, guests too, whose last network lies in this one, such as 203.0.113.0/24.
        #[arg(long, value_name = "NETWORK", value_parser = network)]
        address: Option<IpNet>,
        /// Only users who are closed, banned or muted, and the banned networks.
        #[arg(long)]
        sanctioned: bool,
        /// Most users.
        #[arg(long, default_value_t = 50, value_parser = whole::<u32>(1..=u32::MAX))]
        limit: u32,
        /// One JSON object a line instead of a table.
        #[arg(long)]
        json: bool,
    },
    /// Show one user as JSON.
    Show {
        /// Name or id.
        name: String,
    },
    /// Close an account: all sessions end, sign-in is blocked, the name stays reserved.
    Close {
        /// Name or id.
        name: String,
    },
    /// Open a closed account again.
    Reopen {
        /// Name or id.
        name: String,
    },
    /// Ban a user, a network, or both: NAME, --address NETWORK, or NAME --with-address.
    Ban {
        /// Name or id.
        #[arg(required_unless_present = "address")]
        name: Option<String>,
        /// A network, such as 203.0.113.7 or 2001:db8:1::/64: from it nothing can be changed or played any more.
        #[arg(long, value_name = "NETWORK", value_parser = network)]
        address: Option<IpNet>,
        /// Also the network that the user came from last.
        #[arg(long, requires = "name")]
        with_address: bool,
    },
    /// Lift a ban.
    Unban {
        /// Name or id.
        #[arg(required_unless_present = "address")]
        name: Option<String>,
        /// A banned network.
        #[arg(long, value_name = "NETWORK", value_parser = network)]
        address: Option<IpNet>,
    },
    /// Mute a user: no chat, everything else goes on.
    Mute {
        /// Name or id.
        name: String,
        /// Days until the mute ends; for good if left out.
        #[arg(long, value_parser = whole::<u16>(1..=u16::MAX))]
        days: Option<u16>,
    },
    /// Let a muted user chat again.
    Unmute {
        /// Name or id.
        name: String,
    },
    /// Give an account another name, in its games, too.
    Rename {
        /// Name or id.
        old: String,
        /// The name to be.
        new: String,
    },
    /// Print a new recovery code for an account whose owner has lost password and code.
    RecoveryCode {
        /// Name or id.
        name: String,
    },
    /// Switch off the second factor of an account whose owner has lost app and backup codes.
    SecondFactorOff {
        /// Name or id.
        name: String,
    },
}

/// A network, or one address as a network.
fn network(text: &str) -> Result<IpNet, String> {
    text.parse::<IpNet>()
        .or_else(|_| text.parse::<IpAddr>().map(IpNet::from))
        .map_err(|_| format!("expected an address or a network such as 203.0.113.0/24, found `{text}`"))
}

/// The end of a permanent mute, in Unix milliseconds.
const PERMANENT: i64 = 253_370_764_800_000;

/// When a mute of this number of days ends.
pub(super) fn mute_until(days: Option<u16>) -> i64 {
    days.map_or(PERMANENT, |days| Timestamp::now().as_millisecond() + i64::from(days) * output::DAY_MS)
}

/// Runs the command.
pub(crate) fn run(args: UsersArgs) -> Result<(), CliError> {
    let url = args.database.existing()?;
    let lines = database::wait(async { execute(&url, args.command).await })?;
    lines.iter().try_for_each(output::line)
}

async fn execute(url: &str, command: UsersCommand) -> Result<Vec<String>, ModerationError> {
    let mut moderator = Moderator::open(url).await?;
    let (name, sanction) = match command {
        UsersCommand::List { address, sanctioned, limit, json } => {
            let users = moderator.users(address, sanctioned, limit).await?;
            let networks = if sanctioned { moderator.banned_networks().await? } else { Vec::new() };
            return Ok(list(&users, &networks, json));
        }
        UsersCommand::Show { name } => {
            let user = moderator.user(&name).await?;
            return Ok(vec![serde_json::json!(user).to_string()]);
        }
        UsersCommand::Ban { name, address, with_address } => {
            let mut done = Vec::new();
            if let Some(network) = address {
                moderator.ban_network(network).await?;
                done.push(format!("{network} is banned"));
            }
            if let Some(name) = name {
                // The network first: report an unknown one before anything changes.
                if with_address {
                    let network = moderator.ban_network_of(&name).await?;
                    done.push(format!("{network} is banned"));
                }
                done.push(describe(&moderator.sanction(&name, &Sanction::Ban).await?));
            }
            return Ok(done);
        }
        UsersCommand::Unban { name, address } => {
            let mut done = Vec::new();
            if let Some(network) = address {
                moderator.unban_network(network).await?;
                done.push(format!("{network} is not banned any more"));
            }
            if let Some(name) = name {
                done.push(describe(&moderator.sanction(&name, &Sanction::Unban).await?));
            }
            return Ok(done);
        }
        UsersCommand::RecoveryCode { name } => return Ok(vec![moderator.new_recovery_code(&name).await?]),
        UsersCommand::Close { name } => (name, Sanction::Close),
        UsersCommand::Reopen { name } => (name, Sanction::Reopen),
        UsersCommand::Mute { name, days } => (name, Sanction::Mute { until: mute_until(days) }),
        UsersCommand::Unmute { name } => (name, Sanction::Unmute),
        UsersCommand::Rename { old, new } => (old, Sanction::Rename { name: new }),
        UsersCommand::SecondFactorOff { name } => (name, Sanction::SecondFactorOff),
    };
    Ok(vec![describe(&moderator.sanction(&name, &sanction).await?)])
}

/// A user and their sanctions in a line.
pub(super) fn describe(user: &UserRecord) -> String {
    format!("{} ({}): {}", user.label(), user.id, state(user))
}

/// The sanctions of a user.
fn state(user: &UserRecord) -> String {
    let now = Timestamp::now().as_millisecond();
    let mut words = Vec::new();
    if user.closed_at.is_some() {
        words.push("closed".to_owned());
    }
    if user.banned_at.is_some() {
        words.push("banned".to_owned());
    }
    match user.muted_until {
        Some(PERMANENT..) => words.push("muted".to_owned()),
        Some(until) if until > now => words.push(format!("muted until {}", output::time(until))),
        _ => {}
    }
    if words.is_empty() { "open".to_owned() } else { words.join(", ") }
}

fn list(users: &[UserRecord], networks: &[String], json: bool) -> Vec<String> {
    if json {
        let networks = networks.iter().map(|network| serde_json::json!({"banned_network": network}));
        let all = users.iter().map(|user| serde_json::json!(user)).chain(networks);
        return all.map(|value| value.to_string()).collect();
    }
    let row = |user: &UserRecord| {
        [
            user.label(),
            user.id.clone(),
            output::time(user.created_at),
            output::time(user.seen_at),
            user.network.clone().unwrap_or_else(|| "-".into()),
            state(user),
        ]
    };
    let titles = ["name", "id", "since (UTC)", "last day (UTC)", "network", "state"];
    let mut lines = output::table(titles, users.iter().map(row));
    lines.extend(networks.iter().map(|network| format!("{network} is banned")));
    if users.is_empty() {
        lines.remove(0);
        lines.push("No such user.".into());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_address_is_accepted_as_a_network() {
        assert_eq!(network("203.0.113.7").map(|net| net.to_string()), Ok("203.0.113.7/32".into()));
        assert_eq!(network("2001:db8::/32").map(|net| net.to_string()), Ok("2001:db8::/32".into()));
        assert!(network("chess.example").is_err());
    }

    #[test]
    fn all_sanctions_are_named() {
        let open = UserRecord {
            id: "u1".into(),
            name: Some("Ann".into()),
            bot: 0,
            created_at: 0,
            seen_at: 0,
            closed_at: None,
            banned_at: None,
            muted_until: Some(1),
            network: None,
            second_factor: 0,
        };
        assert_eq!(describe(&open), "Ann (u1): open");
        let muted = UserRecord { closed_at: Some(1), muted_until: Some(mute_until(None)), ..open };
        assert_eq!(describe(&muted), "Ann (u1): closed, muted");
        assert_eq!(list(&[], &[], false), ["No such user."]);
    }
}
