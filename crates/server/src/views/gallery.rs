//! The gallery of games that users have made, and the studio in which they are made.

use super::{PageFrame, data};
use askama::Template;
use lozenge_rules::library;
use lozenge_wire::{GameName, GameSummary, Measurement, VariantDraft, VariantSummary, VariantVisibility};
use serde::Serialize;
use std::sync::LazyLock;

/// The search form of the gallery.
#[derive(Clone, Debug, Default)]
pub(crate) struct GalleryForm {
    /// Words to search for.
    pub(crate) words: String,
    /// A tag that the games must have; empty for any game.
    pub(crate) tag: String,
    /// How they are sorted: `new`, `played`, `liked`.
    pub(crate) sort: &'static str,
    /// Where the next page begins, if there is one, as the query of its address.
    pub(crate) next: Option<String>,
}

/// The tags that the form offers.
const TAGS: [&str; 13] = [
    "8x8",
    "10x8",
    "10x10",
    "12x12",
    "diamond",
    "holes",
    "torus",
    "cylinder",
    "goal",
    "fusion",
    "three-players",
    "four-players",
    "teams",
];

/// The pieces of the built-in games, by which games can be found: tags and English names.
static PIECES: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    let games: Vec<_> = library::ids().filter_map(library::game).collect();
    let roles = games.iter().flat_map(|game| game.roles().iter());
    let mut pieces: Vec<_> = roles.map(|(_, info)| (info.id.to_string(), info.name.clone())).collect();
    pieces.sort();
    pieces.dedup();
    pieces
});

#[derive(Template)]
#[template(path = "gallery.html")]
struct GalleryPage<'a> {
    frame: PageFrame,
    games: &'a [VariantSummary],
    form: GalleryForm,
}

impl GalleryPage<'_> {
    /// The tags with their names, and whether each is chosen.
    fn tags(&self) -> Vec<(String, String, bool)> {
        let named =
            |tag: &str| self.frame.texts.find(&format!("tag-{tag}")).unwrap_or_else(|| tag.to_owned());
        let mut tags: Vec<_> =
            TAGS.iter().map(|tag| ((*tag).to_owned(), named(tag), *tag == self.form.tag)).collect();
        let is_piece = PIECES.iter().any(|(tag, _)| *tag == self.form.tag);
        if !self.form.tag.is_empty() && !is_piece && !TAGS.contains(&self.form.tag.as_str()) {
            tags.push((self.form.tag.clone(), self.form.tag.clone(), true));
        }
        tags
    }

    /// The pieces by which games can be found, in the order of their names, and whether each is chosen.
    fn pieces(&self) -> Vec<(&'static str, String, bool)> {
        let named =
            |name: &str| self.frame.texts.of_rules().piece_name(name).unwrap_or_else(|| name.to_owned());
        let mut pieces: Vec<_> =
            PIECES.iter().map(|(tag, name)| (tag.as_str(), named(name), *tag == self.form.tag)).collect();
        pieces.sort_by(|a, b| a.1.cmp(&b.1));
        pieces
    }

    fn sorts(&self) -> [(&'static str, String, bool); 3] {
        ["new", "played", "liked"]
            .map(|sort| (sort, self.frame.t(&format!("sort-{sort}")), sort == self.form.sort))
    }
}

/// Public games of users.
pub(crate) fn gallery(
    frame: PageFrame,
    games: &[VariantSummary],
    form: GalleryForm,
) -> askama::Result<String> {
    GalleryPage { frame, games, form }.render()
}

/// The initial data of the studio's script.
#[derive(Debug, Serialize)]
pub(crate) struct StudioData {
    /// Whether the reader has an account, whose drafts the server keeps.
    pub(crate) account: bool,
    /// One's own games.
    pub(crate) drafts: Vec<VariantDraft>,
    /// The draft to open.
    pub(crate) open: Option<VariantDraft>,
    /// The file of the game that a new draft begins from, if it is a user's.
    pub(crate) source: Option<String>,
    /// The games that are built in.
    pub(crate) games: Vec<GameName>,
    /// Games of users that can be extended.
    pub(crate) published: Vec<GameName>,
    /// A file to begin with.
    pub(crate) template: String,
    /// The names of the drawings of pieces.
    pub(crate) pictures: Vec<&'static str>,
    /// When public games are listed here, in a sentence.
    pub(crate) listed_after: String,
}

impl PageFrame {
    /// A sentence on when public games of users are listed: `days` after their owner's account was made, and once `games`
    /// games have been finished.
    pub(crate) fn listed_after(&self, days: u32, games: u32) -> String {
        let numbers = [("days", days), ("games", games)];
        self.texts.with_all("listed-after", numbers.map(|(name, number)| (name, u64::from(number).into())))
    }
}

#[derive(Template)]
#[template(path = "studio.html")]
struct StudioPage {
    frame: PageFrame,
    data: String,
}

/// The studio.
pub(crate) fn studio(frame: PageFrame, studio: &StudioData) -> askama::Result<String> {
    StudioPage { frame, data: data(studio) }.render()
}

/// The data of the page of a game that a user has made, besides the rules.
#[derive(Debug)]
pub(crate) struct Community {
    /// The game as in lists.
    pub(crate) game: VariantSummary,
    /// The initial data of the page's script.
    pub(crate) data: String,
    /// Owner, likes and plays in a line.
    pub(crate) line: String,
    /// Whether it is hidden from the lists, and why.
    pub(crate) note: Option<String>,
    /// The last games of it.
    pub(crate) games: Vec<GameSummary>,
}

/// The initial data of the script of a game's page.
#[derive(Debug, Serialize)]
pub(crate) struct CommunityData<'a> {
    pub(crate) id: &'a str,
    pub(crate) liked: bool,
    pub(crate) likes: u32,
    /// Whether the reader has an account.
    pub(crate) account: bool,
    /// The draft in the studio, if the game is the reader's own.
    pub(crate) draft: Option<String>,
    /// Identity of the rules that the page explains.
    pub(crate) digest: String,
    /// Whether the engine can measure the game: those of two players.
    pub(crate) measurable: bool,
    /// The measurement of the rules that is in the queue, or else the latest.
    pub(crate) measurement: Option<Measurement>,
}

impl Community {
    /// For a reader.
    pub(crate) fn new(
        frame: &PageFrame,
        game: VariantSummary,
        community: &CommunityData<'_>,
        games: Vec<GameSummary>,
    ) -> Self {
        let note = game.publication.as_ref().and_then(|publication| match publication.visibility {
            VariantVisibility::Private => Some(frame.t("only-yours")),
            VariantVisibility::Unlisted => Some(frame.t("only-by-link")),
            VariantVisibility::Public => None,
        });
        Self { line: frame.made_by(&game), data: data(community), note, game, games }
    }
}

impl PageFrame {
    /// The address of a game's page.
    pub(super) fn page_of(&self, game: &VariantSummary) -> String {
        let room = if game.publication.is_some() { "variants" } else { "rules" };
        format!("/{room}/{}", game.id)
    }

    /// A game's owner, plays and likes, in a line; empty for built-in games.
    pub(super) fn made_by(&self, game: &VariantSummary) -> String {
        let Some(publication) = &game.publication else { return String::new() };
        let owner =
            publication.owner.as_ref().map(|owner| self.texts.with("made-by", "name", owner.as_str()));
        let games = (publication.plays > 0).then(|| self.count("games-played", &publication.plays.into()));
        let likes = (publication.likes > 0).then(|| self.count("likes", &publication.likes.into()));
        [owner, games, likes].into_iter().flatten().collect::<Vec<_>>().join(" · ")
    }
}
