//! The pages of the lessons.

use super::{LocalizedText, PageFrame};
use askama::Template;
use lozenge_rules::variant::Variant;
use lozenge_wire::{Board, VariantSummary};

/// A game that can be learned.
#[derive(Clone, Debug)]
pub(crate) struct LearnGame {
    pub(crate) summary: VariantSummary,
    /// The digest of its rules, by which browsers keep progress.
    pub(crate) digest: String,
    /// Levels of its course.
    pub(crate) levels: u32,
    /// The levels that the reader has solved by their account, and the stars of these.
    pub(crate) solved: (u32, u32),
}

/// Seconds that a level takes.
const LEVEL_SECONDS: u32 = 15;

/// Moves by each player after which half of the engine's games against itself are over: by `docs/reports`, and without a
/// report by 24 games with 100 nodes for each move; of `diamondring-four` by the 200 games of `docs/strength.md`.
const GAME_MOVES: &[(&str, u32)] = &[
    ("brilliant", 37),
    ("cannonlake", 89),
    ("capablanca", 42),
    ("chess", 66),
    ("chess960", 51),
    ("cylinder", 49),
    ("diagonal", 67),
    ("diamond", 56),
    ("diamondback", 57),
    ("diamondring", 161),
    ("diamondring-flat", 119),
    ("diamondring-four", 75),
    ("diamondring-fusion", 70),
    ("diamondring-gryphon", 75),
    ("diamondring-mitregi", 82),
    ("diamondring-scout", 72),
    ("diamondring-teams", 50),
    ("diamondring-wildeurasian", 148),
    ("diamondring-wolf", 71),
    ("doublediamond", 63),
    ("fourplayerchess", 124),
    ("fusionchess", 49),
    ("gardner", 21),
    ("gryphoncylinder", 66),
    ("legan", 49),
    ("losalamos", 28),
    ("threearmies", 63),
];

#[derive(Template)]
#[template(path = "learn.html")]
struct LearnPage<'a> {
    frame: PageFrame,
    groups: Vec<(String, Vec<&'a LearnGame>)>,
}

/// The games that can be learned.
pub(crate) fn learn(frame: PageFrame, games: &[LearnGame]) -> askama::Result<String> {
    let summaries: Vec<VariantSummary> = games.iter().map(|game| game.summary.clone()).collect();
    let find = |summary: &VariantSummary| games.iter().find(|game| game.summary.id == summary.id);
    let groups = super::groups(&summaries)
        .into_iter()
        .map(|(title, group)| (frame.t(title), group.into_iter().filter_map(find).collect()))
        .collect();
    LearnPage { groups, frame: frame.with_learn_card() }.render()
}

#[derive(Template)]
#[template(path = "course.html")]
struct CoursePage<'a> {
    frame: PageFrame,
    variant: &'a Variant,
    address: &'a str,
    board: String,
    /// Headings and sentences of the opening; of a game that a user has made there is its `about` instead.
    opening: Vec<(String, String)>,
    has_drills: bool,
    has_puzzles: bool,
}

/// The course of a game that stands at an address.
pub(crate) fn course(
    frame: PageFrame,
    variant: &Variant,
    address: &str,
    mut board: Board,
    (has_drills, has_puzzles): (bool, bool),
) -> askama::Result<String> {
    address.clone_into(&mut board.variant);
    let board = frame.board(board);
    let about = frame.about(variant.id(), variant.about()).text;
    let frame = frame.with_course_card(variant.name(), &about, address);
    let opening = frame.opening(variant.id());
    CoursePage { frame, variant, address, board, opening, has_drills, has_puzzles }.render()
}

#[derive(Template)]
#[template(path = "endings.html")]
struct EndingsPage<'a> {
    frame: PageFrame,
    variant: &'a Variant,
    board: String,
}

/// The endings of a built-in game that are to be won.
pub(crate) fn endings(frame: PageFrame, variant: &Variant, board: Board) -> askama::Result<String> {
    let board = frame.board(board);
    let (title, lead) = (frame.page_title("endings-of", variant.name()), frame.t("endings-lead"));
    let path = format!("/learn/{}/endings", variant.id());
    let frame = frame.with_page_card(&title, &lead, &path, variant.id());
    EndingsPage { frame, variant, board }.render()
}

#[derive(Template)]
#[template(path = "coordinates.html")]
struct CoordinatesPage<'a> {
    frame: PageFrame,
    variant: &'a Variant,
    address: &'a str,
    board: String,
}

/// The page that trains the names of the squares, of a game that stands at an address.
pub(crate) fn coordinates(
    frame: PageFrame,
    variant: &Variant,
    address: &str,
    mut board: Board,
) -> askama::Result<String> {
    address.clone_into(&mut board.variant);
    let board = frame.board(board);
    let (title, lead) = (frame.page_title("coordinates-of", variant.name()), frame.t("coordinates-lead"));
    let frame = frame.with_page_card(&title, &lead, &format!("/learn/{address}/coordinates"), address);
    CoordinatesPage { frame, variant, address, board }.render()
}

impl CoursePage<'_> {
    /// The address of the game's rules.
    fn rules(&self) -> String {
        let room = if self.address.starts_with('~') { "variants" } else { "rules" };
        format!("/{room}/{}", self.address)
    }

    fn about(&self) -> LocalizedText {
        self.frame.about(self.variant.id(), self.variant.about())
    }
}

impl PageFrame {
    /// The number of a course's levels, and how long it takes.
    fn course_size(&self, game: &LearnGame) -> String {
        let minutes = (game.levels * LEVEL_SECONDS).div_ceil(60);
        let numbers = [("levels", game.levels), ("minutes", minutes)];
        self.texts.with_all("learn-size", numbers.map(|(name, number)| (name, u64::from(number).into())))
    }

    /// Headings and sentences: the ways to win, the news for a chess player, and the length of a game.
    fn opening(&self, id: &str) -> Vec<(String, String)> {
        let sentence = |kind: &str| self.texts.find(&format!("{kind}-{id}"));
        let length = GAME_MOVES.iter().find(|(game, _)| *game == id);
        let (Some(wins), Some(new), Some((_, moves))) = (sentence("wins"), sentence("new"), length) else {
            return Vec::new();
        };
        let length = self.texts.with_all("learn-length", [("moves", u64::from(*moves).into())]);
        let headings = ["learn-wins", "learn-new", "learn-takes"].map(|key| self.t(key));
        headings.into_iter().zip([wins, new, length]).collect()
    }

    /// A title with the name of a game in it.
    fn page_title(&self, key: &str, name: &str) -> String {
        self.texts.with(key, "name", name)
    }

    /// The title of a game's course.
    pub(super) fn course_title(&self, name: &str) -> String {
        self.texts.with("learn-game", "name", name)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop where it is")]

    use super::*;
    use axum::http::{HeaderMap, HeaderValue, header};
    use lozenge_rules::library;
    use lozenge_wire::Settings;

    #[test]
    fn every_built_in_game_has_an_opening_of_three_sentences_in_both_languages() {
        for language in ["en", "de"] {
            let headers =
                HeaderMap::from_iter([(header::ACCEPT_LANGUAGE, HeaderValue::from_static(language))]);
            let frame = PageFrame::new(None, Settings::default(), &headers, "src/learn/main.tsx");
            for id in library::ids().chain(library::multi_ids()) {
                let opening = frame.opening(id);
                assert_eq!(opening.len(), 3, "{language} {id}");
                for (heading, text) in opening {
                    assert!(text.ends_with('.') && !heading.contains("Unknown"), "{language} {id}: {text}");
                }
            }
        }
    }

    #[test]
    fn card_of_the_longest_game_names_its_length() {
        let longest = GAME_MOVES.iter().max_by_key(|(_, moves)| *moves).unwrap();
        assert_eq!(longest.0, "diamondring");
        for language in ["en", "de"] {
            let headers =
                HeaderMap::from_iter([(header::ACCEPT_LANGUAGE, HeaderValue::from_static(language))]);
            let frame = PageFrame::new(None, Settings::default(), &headers, "src/learn/main.tsx");
            let card = frame.texts.card(longest.0).unwrap();
            assert!(card.contains(&longest.1.to_string()), "{language}: {card}");
        }
    }

    #[test]
    fn lengths_of_games_are_those_of_their_reports() {
        for (id, moves) in GAME_MOVES {
            let path = format!("{}/../../docs/reports/{id}.json", env!("CARGO_MANIFEST_DIR"));
            let Ok(report) = std::fs::read_to_string(&path) else { continue };
            let report: serde_json::Value = serde_json::from_str(&report).unwrap();
            let numbers = report["numbers"].as_array().unwrap();
            let length = numbers.iter().find(|number| number["key"] == "length").unwrap();
            let plies = length["value"].as_f64().unwrap();
            assert_eq!((plies / 2.0).ceil() as u32, *moves, "{id}");
        }
    }
}
