//! Pages about players: a player's page with their games, and the leaderboards.

use super::{PageFrame, Texts, data, game_names};
use askama::Template;
use lozenge_game::PROVISIONAL;
use lozenge_wire::{Clock, GameSummary, Leaderboard, Player, PlayerKind, Profile, Speed, VariantSummary};

/// The name of a player; guests have a number, and a word in each language.
pub(crate) fn name(texts: &Texts, player: &Player) -> String {
    match player.name.strip_prefix("Guest") {
        Some("") if player.kind == PlayerKind::Guest => texts.get("guest"),
        Some(number) if player.kind == PlayerKind::Guest => {
            texts.with("guest-number", "number", number.trim_start())
        }
        _ => player.name.clone(),
    }
}

/// A clock in a few signs: `5+3`, `3 days`, `Unlimited`.
pub(crate) fn clock_text(texts: &Texts, clock: Option<Clock>) -> String {
    match clock {
        None => texts.get("unlimited"),
        Some(Clock::Correspondence { days }) => texts.with_all("days", [("count", days.into())]),
        Some(Clock::Live { initial_s, increment_s }) => {
            format!("{}+{increment_s}", minutes_text(initial_s))
        }
    }
}

/// Seconds as minutes with at most two decimals, as the scripts write them (`testdata/clocks.txt`).
fn minutes_text(seconds: u32) -> String {
    let hundredths = (seconds * 100 + 30) / 60;
    let text = format!("{}.{:02}", hundredths / 100, hundredths % 100);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The filter form above a player's games, as submitted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct GamesForm {
    pub(crate) variant: String,
    pub(crate) result: String,
    pub(crate) color: String,
    pub(crate) rated: String,
    pub(crate) opponent: String,
    pub(crate) from: String,
    pub(crate) to: String,
}

/// The games on a player's page.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlayerGames {
    pub(crate) form: GamesForm,
    pub(crate) games: Vec<GameSummary>,
    /// Address of all of them as PGN.
    pub(crate) export: String,
    /// Address of the next page.
    pub(crate) next: Option<String>,
}

/// How the viewer stands to the player of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Viewer {
    /// Has no account.
    Guest,
    /// Is the player.
    Owner,
    /// Is another player.
    User,
}

#[derive(Template)]
#[template(path = "player.html")]
struct PlayerPage<'a> {
    frame: PageFrame,
    profile: &'a Profile,
    /// Ids and names of the games that the player has played.
    played: Vec<(&'a str, &'a str)>,
    list: &'a PlayerGames,
    viewer: Viewer,
    data: String,
    /// For the challenge: ids and names of the games, the five first.
    games: String,
}

impl PlayerPage<'_> {
    /// Whether the form asks for anything.
    fn is_filtered(&self) -> bool {
        self.list.form != GamesForm::default()
    }

    /// The choices of a field: value, text, whether it is chosen.
    fn choices(&self, chosen: &str, values: &[&'static str]) -> Vec<(&'static str, String, bool)> {
        let text = |value: &str| self.frame.t(&format!("games-{value}"));
        values.iter().map(|value| (*value, text(value), *value == chosen)).collect()
    }
}

/// A player.
pub(crate) fn player(
    frame: PageFrame,
    profile: &Profile,
    list: &PlayerGames,
    viewer: Viewer,
    games: &[VariantSummary],
) -> askama::Result<String> {
    let mut played: Vec<_> =
        profile.statistics.iter().map(|kind| (kind.variant.as_str(), kind.variant_name.as_str())).collect();
    played.sort_unstable_by_key(|(_, name)| *name);
    played.dedup();
    let games = game_names(games);
    PlayerPage { frame, profile, played, list, viewer, data: data(profile), games: data(&games) }.render()
}

/// All speeds that are rated.
const SPEEDS: [Speed; 5] =
    [Speed::Bullet, Speed::Blitz, Speed::Rapid, Speed::Classical, Speed::Correspondence];

#[derive(Template)]
#[template(path = "players.html")]
struct PlayersPage<'a> {
    frame: PageFrame,
    games: &'a [VariantSummary],
    boards: &'a [Leaderboard],
    /// One leaderboard at length, and that of the bots.
    chosen: Option<&'a (Leaderboard, Leaderboard)>,
    /// The beginning of a name that was searched for, and the players with such a name.
    search: (Option<&'a str>, &'a [Player]),
}

impl PlayersPage<'_> {
    /// The speeds: value, name, whether it is chosen.
    fn speeds(&self) -> Vec<(String, String, bool)> {
        let chosen = self.chosen.map_or(Speed::Blitz, |(people, _)| people.speed);
        SPEEDS
            .iter()
            .map(|speed| (lozenge_game::convert::word(speed), self.frame.speed(speed), *speed == chosen))
            .collect()
    }

    fn is_chosen(&self, game: &VariantSummary) -> bool {
        self.chosen.is_some_and(|(people, _)| people.variant == game.id)
    }

    fn word(&self, speed: &Speed) -> String {
        lozenge_game::convert::word(speed)
    }
}

/// The leaderboards: one of people and one of bots at length if one was chosen, else the best of each. `search` is the
/// beginning of a name, and the players that have such a name.
pub(crate) fn players(
    frame: PageFrame,
    games: &[VariantSummary],
    boards: &[Leaderboard],
    chosen: Option<&(Leaderboard, Leaderboard)>,
    search: (Option<&str>, &[Player]),
) -> askama::Result<String> {
    PlayersPage { frame, games, boards, chosen, search }.render()
}

impl PageFrame {
    /// The rating of a player, `?` behind an uncertain one.
    fn rating(&self, player: &Player) -> String {
        let mark = if player.provisional { "?" } else { "" };
        player.rating.map_or_else(String::new, |rating| format!("{rating}{mark}"))
    }

    /// A rating, `?` behind one of few games.
    pub(super) fn rating_text(&self, rating: &f64, deviation: &f64) -> String {
        let mark = if *deviation > PROVISIONAL { "?" } else { "" };
        format!("{}{mark}", rating.round())
    }

    /// Whether a player is a bot.
    fn is_bot(&self, player: &Player) -> bool {
        player.kind == PlayerKind::Bot
    }
}

#[cfg(test)]
mod tests {
    use super::minutes_text;

    #[test]
    fn clocks_have_one_text_on_pages_and_in_scripts() {
        let table = include_str!("../../../../testdata/clocks.txt");
        let rows = table.lines().filter(|line| !line.starts_with('#'));
        for (seconds, text) in rows.filter_map(|line| line.split_once(' ')) {
            assert_eq!(minutes_text(seconds.parse().expect("a number")), text, "{seconds} s");
        }
    }
}
