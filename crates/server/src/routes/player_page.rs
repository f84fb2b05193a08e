//! A player's page: how their games went, and the games, filtered by a form that works without script.

use super::accounts;
use super::game_list::Filter;
use super::input::QueryParams;
use super::page::{Page, all_summaries, listed};
use crate::auth::Visitor;
use crate::error::AppError;
use crate::state::AppState;
use crate::views::{self, GamesForm, PlayerGames, Viewer};
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Html;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use lozenge_game::time::DAY_MS;
use lozenge_store::PlayerResult;
use lozenge_wire::Color;
use serde::Deserialize;
use url::form_urlencoded::Serializer;

/// Games on a page.
const GAMES_PER_PAGE: i64 = 24;

/// The form's fields as they are sent: empty where nothing was chosen. Values that no form has are ignored.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct GamesQuery {
    variant: String,
    result: String,
    color: String,
    rated: String,
    opponent: String,
    from: String,
    to: String,
    before: Option<i64>,
    before_id: Option<String>,
}

/// Midnight before a day of the form, in Unix milliseconds.
fn midnight(day: &str) -> Option<i64> {
    let zoned = day.parse::<Date>().ok()?.to_zoned(TimeZone::UTC).ok()?;
    Some(zoned.timestamp().as_millisecond())
}

impl GamesQuery {
    fn form(&self) -> GamesForm {
        let known = |value: &str, values: &[&str]| {
            if values.contains(&value) { value.to_owned() } else { String::new() }
        };
        let day = |value: &str| midnight(value).map(|_| value.to_owned()).unwrap_or_default();
        GamesForm {
            variant: self.variant.clone(),
            result: known(&self.result, &["won", "drawn", "lost"]),
            color: known(&self.color, &["white", "black"]),
            rated: known(&self.rated, &["rated", "casual"]),
            opponent: self.opponent.trim().to_owned(),
            from: day(&self.from),
            to: day(&self.to),
        }
    }
}

/// The query for a page of a player's games from a form.
fn filter(form: &GamesForm, player: &str) -> Filter {
    let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    Filter {
        player: Some(player.to_owned()),
        variant: text(&form.variant),
        opponent: text(&form.opponent),
        result: match form.result.as_str() {
            "won" => Some(PlayerResult::Won),
            "drawn" => Some(PlayerResult::Drawn),
            "lost" => Some(PlayerResult::Lost),
            _ => None,
        },
        color: match form.color.as_str() {
            "white" => Some(Color::White),
            "black" => Some(Color::Black),
            _ => None,
        },
        rated: (!form.rated.is_empty()).then(|| form.rated == "rated"),
        since: midnight(&form.from),
        before: midnight(&form.to).map(|day| day + DAY_MS),
        limit: Some(GAMES_PER_PAGE),
        ..Filter::default()
    }
}

/// The address of the same games as PGN.
fn export(form: &GamesForm, player: &str) -> String {
    let mut query = Serializer::new(String::new());
    query.append_pair("player", player);
    for (name, value) in [
        ("variant", form.variant.as_str()),
        ("opponent", &form.opponent),
        ("result", &form.result),
        ("color", &form.color),
    ] {
        if !value.is_empty() {
            query.append_pair(name, value);
        }
    }
    if !form.rated.is_empty() {
        query.append_pair("rated", if form.rated == "rated" { "true" } else { "false" });
    }
    if let Some(since) = midnight(&form.from) {
        query.append_pair("since", &since.to_string());
    }
    if let Some(day) = midnight(&form.to) {
        query.append_pair("before", &(day + DAY_MS).to_string());
    }
    format!("/api/games/export?{}", query.finish())
}

/// The address of the next page.
fn next(form: &GamesForm, player: &str, before: i64, before_id: &str) -> String {
    let mut query = Serializer::new(String::new());
    for (name, value) in [
        ("variant", form.variant.as_str()),
        ("result", &form.result),
        ("color", &form.color),
        ("rated", &form.rated),
        ("opponent", &form.opponent),
        ("from", &form.from),
        ("to", &form.to),
    ] {
        if !value.is_empty() {
            query.append_pair(name, value);
        }
    }
    query.append_pair("before", &before.to_string()).append_pair("before_id", before_id);
    format!("/player/{player}?{}#games-title", query.finish())
}

/// The page of a player.
pub(super) async fn show(
    State(state): State<AppState>,
    visitor: Visitor,
    headers: HeaderMap,
    Path(name): Path<String>,
    QueryParams(query): QueryParams<GamesQuery>,
) -> Page {
    let profile = accounts::profile_of(&state, &name).await?;
    let player = profile.player.name.clone();
    let form = query.form();
    let mut filter = filter(&form, &player);
    if query.before.is_some() {
        (filter.before, filter.before_id) = (query.before, query.before_id);
    }
    let games = match filter.listing(&state, &visitor).await {
        Ok(listing) => listed(&state, listing).await?,
        // There is no player with the opponent's name.
        Err(AppError::NotFound(_)) => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    let last = games.last().filter(|_| games.len() as i64 == GAMES_PER_PAGE);
    let next = last.map(|last| next(&form, &player, last.updated_at, &last.id));
    let list = PlayerGames { export: export(&form, &player), next, form, games };
    let viewer = match visitor.user() {
        Some(user) if user.id == profile.player.id => Viewer::Owner,
        Some(user) if user.name.is_some() => Viewer::User,
        _ => Viewer::Guest,
    };
    let frame = super::page::frame(&visitor, &headers, "src/account/main.tsx");
    Ok(Html(views::player(frame, &profile, &list, viewer, &all_summaries(&state))?))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop where it is")]

    use super::*;

    #[test]
    fn form_is_converted_to_queries_and_links() {
        let query = GamesQuery {
            variant: "diamond".into(),
            result: "won".into(),
            color: "green".into(),
            rated: "casual".into(),
            opponent: " Bob ".into(),
            from: "2026-11-01".into(),
            to: "2026-13-01".into(),
            ..GamesQuery::default()
        };
        let form = query.form();
        assert_eq!((form.color.as_str(), form.to.as_str()), ("", ""));
        assert_eq!(
            export(&form, "Ann"),
            "/api/games/export?player=Ann&variant=diamond&opponent=Bob&result=won&rated=false&since=1793491200000"
        );
        assert_eq!(
            next(&form, "Ann", 5, "x"),
            "/player/Ann?variant=diamond&result=won&rated=casual&opponent=Bob&from=2026-11-01&before=5&before_id=x#games-title"
        );
        let one_day =
            GamesForm { from: "2026-11-01".into(), to: "2026-11-01".into(), ..GamesForm::default() };
        let filter = filter(&one_day, "Ann");
        assert_eq!(filter.before.unwrap() - filter.since.unwrap(), DAY_MS);
    }
}
