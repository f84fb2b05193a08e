//! Pages from templates: their contents, without the sources of the data.

mod analysis;
mod api;
mod gallery;
mod game_text;
mod learn;
mod players;
mod puzzles;
mod rules;
mod share;
mod studies;
mod texts;

pub(crate) use analysis::{analysis, editor};
pub(crate) use api::{Examples, OperationGroup, groups as api_groups};
pub(crate) use gallery::{Community, CommunityData, GalleryForm, StudioData, gallery, studio};
pub(crate) use learn::{LearnGame, coordinates, course, endings, learn};
pub(crate) use players::{GamesForm, PlayerGames, Viewer, clock_text, name, player, players};
pub(crate) use puzzles::{PuzzleGame, PuzzlesPageData, puzzle, puzzles, storm};
pub(crate) use studies::{NewStudyData, StudyForm, StudyPageData, embedded_study, new_study, studies, study};
pub(crate) use texts::Texts;

use crate::assets::{PageFiles, entry};
use crate::studies::id_in;
use askama::Template;
use axum::http::{HeaderMap, header};
use lozenge_explain::Language;
use lozenge_explain::document::{Part, Subject};
use lozenge_rules::library;
use lozenge_rules::seat::Seat;
use lozenge_rules::variant::{MultiVariant, Variant};
use lozenge_wire::{
    Account, Board, Challenges, Game, GameName, GameResult, GameSummary, Player, PlayerKind, Problem, Puzzle,
    Settings, Speed, Statistics, Tally, VariantSummary,
};
use serde::Serialize;
use std::sync::Arc;

/// The frame of every page.
#[derive(Clone, Debug)]
pub(crate) struct PageFrame {
    player: Option<Player>,
    theme: String,
    entry: PageFiles,
    texts: Texts,
    /// The site's address, for the card.
    base: String,
    card: Option<share::ShareCard>,
}

/// The reader's language: that of the settings, or one that the browser accepts.
fn texts_for(settings: &Settings, headers: &HeaderMap) -> Texts {
    let accepts = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    Texts::choose(settings.language.as_deref(), accepts.unwrap_or_default())
}

/// The reader's language, for pages without a frame.
pub(crate) fn language(settings: &Settings, headers: &HeaderMap) -> Language {
    texts_for(settings, headers).of_rules()
}

impl PageFrame {
    /// The frame for a reader, with the module of `web/` that the page needs.
    pub(crate) fn new(player: Option<Player>, settings: Settings, headers: &HeaderMap, module: &str) -> Self {
        let texts = texts_for(&settings, headers);
        Self {
            player,
            theme: settings.theme.or_else(|| cookie_theme(headers)).unwrap_or_else(|| "auto".into()),
            entry: entry(module),
            texts,
            base: String::new(),
            card: None,
        }
    }

    /// Texts for the scripts, as JSON; empty for English, which they know.
    fn script_texts(&self) -> &'static str {
        if self.texts.code() == "de" { include_str!("../../locales/de/script.json") } else { "" }
    }

    /// The frame of a page that may have a card. `base` is the site's address.
    pub(crate) fn at(mut self, base: String) -> Self {
        self.base = base;
        self
    }

    fn t(&self, key: &str) -> String {
        self.texts.get(key)
    }

    fn count(&self, key: &str, count: &u64) -> String {
        self.texts.with_all(key, [("count", (*count).into())])
    }

    /// Whether the reader has an account.
    fn user(&self) -> Option<&Player> {
        self.player.as_ref().filter(|player| player.kind != PlayerKind::Guest)
    }

    /// The name of a player; guests have a number, and a word in each language.
    fn named(&self, player: &Player) -> String {
        players::name(&self.texts, player)
    }

    fn speed(&self, speed: &Speed) -> String {
        self.t(match speed {
            Speed::Bullet => "bullet",
            Speed::Blitz => "blitz",
            Speed::Rapid => "rapid",
            Speed::Classical => "classical",
            Speed::Correspondence => "correspondence",
            Speed::Unlimited => "unlimited",
        })
    }

    /// Won, drawn and lost games in a line.
    fn tally(&self, tally: &Tally) -> String {
        if tally.games == 0 {
            return "–".into();
        }
        format!("{} / {} / {}", tally.wins, tally.draws, tally.losses)
    }

    /// The length of a game in whole moves, or rounds of four.
    fn moves(&self, kind: &Statistics) -> String {
        format!("{:.0}", kind.average_plies / f64::from(kind.players.unwrap_or(2)))
    }

    /// A board as data for a script, its pieces named in the reader's language.
    fn board(&self, mut board: Board) -> String {
        for role in &mut board.roles {
            if let Some(name) = self.texts.of_rules().piece_name(&role.name) {
                role.name = name;
            }
        }
        data(&board)
    }

    /// A game's `about`, in the reader's language or as in its file.
    fn about(&self, id: &str, original: &str) -> LocalizedText {
        self.localized(self.texts.of_rules().about(id), original)
    }

    /// A game's description in one line: the site's own, or the first sentence of its file.
    fn card(&self, game: &VariantSummary) -> LocalizedText {
        let first = game.about.split_inclusive(". ").next().unwrap_or_default();
        self.localized(self.texts.card(&game.id), first.trim())
    }

    /// The name of a game's start, in the reader's language or as in its file.
    fn array(&self, id: &str, original: &str) -> LocalizedText {
        self.start_name(id, 0, original)
    }

    /// The name of the start with this number.
    fn start_name(&self, id: &str, number: usize, original: &str) -> LocalizedText {
        self.localized(self.texts.of_rules().start_name(id, number), original)
    }

    /// How ambiguities of a game's rules are read.
    fn readings(&self, game: &Variant) -> Vec<LocalizedText> {
        let reading = |(index, original): (usize, &String)| {
            self.localized(self.texts.of_rules().reading(game.id(), index + 1), original)
        };
        game.readings().iter().enumerate().map(reading).collect()
    }

    fn localized(&self, translated: Option<String>, original: &str) -> LocalizedText {
        match translated {
            Some(text) => LocalizedText { text, lang: self.lang() },
            None => LocalizedText { text: original.to_owned(), lang: "en".into() },
        }
    }

    /// Which version of the program this is.
    fn version(&self) -> String {
        self.texts.with("about-version", "version", env!("CARGO_PKG_VERSION"))
    }

    fn lang(&self) -> String {
        self.texts.code()
    }
}

/// The theme that a browser without an account keeps in a cookie.
fn cookie_theme(headers: &HeaderMap) -> Option<String> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let theme = cookies
        .flat_map(|line| line.split(';'))
        .find_map(|cookie| cookie.trim().strip_prefix("lozenge_theme="))?;
    ["light", "dark"].contains(&theme).then(|| theme.to_owned())
}

/// A text and its language.
struct LocalizedText {
    text: String,
    lang: String,
}

/// Data for a script, in a form that cannot end the element it stands in.
fn data<T: serde::Serialize>(value: &T) -> String {
    escaped(serde_json::to_string(value).unwrap_or_else(|_| "null".into()))
}

/// The games as a page's script has them to choose from.
fn game_names(games: &[VariantSummary]) -> Vec<GameName> {
    games.iter().map(|game| GameName { id: game.id.clone(), name: game.name.clone() }).collect()
}

/// JSON as it may stand in a page.
fn escaped(json: String) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

/// The games in the groups of the pages: the five, the family, the others.
fn groups(games: &[VariantSummary]) -> [(&'static str, Vec<&VariantSummary>); 3] {
    let family = |game: &VariantSummary| game.id.starts_with("diamondring-");
    [
        ("five-games", games.iter().filter(|game| game.main).collect()),
        ("family", games.iter().filter(|game| family(game)).collect()),
        ("examples", games.iter().filter(|game| !game.main && !family(game)).collect()),
    ]
}

#[derive(Template)]
#[template(path = "home.html")]
struct HomePage<'a> {
    frame: PageFrame,
    groups: [(&'static str, Vec<&'a VariantSummary>); 3],
    data: String,
    levels: String,
    mine: String,
    daily: Option<&'a Puzzle>,
}

impl HomePage<'_> {
    /// The ways to learn: their names, what they are, and their addresses.
    fn ways(&self) -> [(String, String, &'static str); 6] {
        [
            ("lessons", "/learn"),
            ("puzzles", "/puzzles"),
            ("studies", "/study"),
            ("analysis", "/analysis"),
            ("explorer", "/analysis#explorer"),
            ("review", "/analysis#pgn"),
        ]
        .map(|(key, address)| (self.frame.t(key), self.frame.t(&format!("{key}-card")), address))
    }
}

/// The client's data on the first page, before its script has loaded anything.
#[derive(Debug, Default, serde::Serialize)]
pub(crate) struct UserOverview {
    /// The player.
    pub(crate) player: Option<Player>,
    /// Their games in progress, those first in which it is their turn. Without the pieces on the boards.
    pub(crate) games: Vec<GameSummary>,
    /// Their open challenges.
    pub(crate) challenges: Challenges,
}

/// The first page. `levels` are the ratings of the engine's levels, the first level first, `daily` is the puzzle of the day.
pub(crate) fn home(
    frame: PageFrame,
    games: &[VariantSummary],
    levels: &[u32],
    mine: &UserOverview,
    daily: Option<&Puzzle>,
) -> askama::Result<String> {
    let summary = |game: &VariantSummary| {
        let array = game.array.as_deref().map(|name| frame.array(&game.id, name).text);
        let name = |(number, name): (usize, &String)| frame.start_name(&game.id, number, name).text;
        let start_names = game.start_names.iter().enumerate().map(name).collect();
        VariantSummary { array, start_names, ..game.clone() }
    };
    let summaries: Vec<_> = games.iter().map(summary).collect();
    HomePage {
        groups: groups(games),
        data: data(&summaries),
        levels: data(&levels),
        mine: data(mine),
        daily,
        frame: frame.with_home_card(),
    }
    .render()
}

#[derive(Template)]
#[template(path = "rules.html")]
struct RulesPage<'a> {
    frame: PageFrame,
    groups: [(&'static str, Vec<&'a VariantSummary>); 3],
}

/// The games there are.
pub(crate) fn rules(frame: PageFrame, games: &[VariantSummary]) -> askama::Result<String> {
    RulesPage { frame, groups: groups(games) }.render()
}

/// Links from the rules page of a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RulesOffers {
    /// Whether the game can be played: a draft cannot.
    pub(crate) playable: bool,
    /// Whether two play it: then there may be puzzles.
    pub(crate) for_two: bool,
    /// Whether there is a balance report.
    pub(crate) report: bool,
    /// Whether there are puzzles.
    pub(crate) puzzles: bool,
}

#[derive(Template)]
#[template(path = "rules_of.html")]
struct RulesOfPage<'a> {
    frame: PageFrame,
    variant: &'a Variant,
    rules: rules::RulesText,
    board: String,
    array: Option<LocalizedText>,
    /// The id by which the page was requested.
    address: &'a str,
    offers: RulesOffers,
    community: Option<Community>,
}

impl RulesOfPage<'_> {
    /// Id of the study that comes with the game, if there is one.
    fn first_study(&self) -> Option<String> {
        let own = library::ids().take(library::OWN_GAMES).any(|id| id == self.variant.id());
        own.then(|| id_in(&format!("{}-first", self.variant.id()), self.frame.texts.of_rules()))
    }
}

/// The address of the page of a game's rules.
fn rules_path(address: &str) -> String {
    format!("/{}/{address}", if address.starts_with('~') { "variants" } else { "rules" })
}

/// A game of three or four explained.
pub(crate) fn rules_of_four(
    frame: PageFrame,
    game: &MultiVariant,
    (address, offers): (&str, RulesOffers),
    mut board: Board,
    community: Option<Community>,
) -> askama::Result<String> {
    address.clone_into(&mut board.variant);
    let (variant, _) = game.pair(Seat::Red);
    let rules = rules::RulesText::of_four(&frame, game);
    let about = frame.about(game.id(), game.about()).text;
    let path = rules_path(address);
    let board = frame.board(board);
    let frame = frame.with_rules_card(game.name(), &about, &path, address);
    let array = None;
    RulesOfPage { frame, variant, rules, board, array, address, offers, community }.render()
}

/// One game explained, which stands at an address: its id, or the digest of a version. `community` is for one that a
/// user has made.
pub(crate) fn rules_of(
    frame: PageFrame,
    variant: &Arc<Variant>,
    (address, offers): (&str, RulesOffers),
    mut board: Board,
    array: Option<String>,
    community: Option<Community>,
) -> askama::Result<String> {
    address.clone_into(&mut board.variant);
    let board = frame.board(board);
    let array = array.map(|name| frame.array(variant.id(), &name));
    let rules = rules::RulesText::new(&frame, variant);
    let about = frame.about(variant.id(), variant.about()).text;
    let path = rules_path(address);
    let frame = frame.with_rules_card(variant.name(), &about, &path, address);
    RulesOfPage { frame, variant, rules, board, array, address, offers, community }.render()
}

#[derive(Template)]
#[template(path = "game.html")]
struct GamePage<'a> {
    frame: PageFrame,
    game: &'a Game,
    board: String,
    data: String,
    array: Option<LocalizedText>,
    puzzles: bool,
}

/// A game. `array` is what its start is called, if it has a name; `puzzles` is whether there are puzzles of its rules.
pub(crate) fn game(
    frame: PageFrame,
    game: &Game,
    board: Board,
    array: Option<String>,
    puzzles: bool,
) -> askama::Result<String> {
    let board = frame.board(board);
    let array = array.map(|name| frame.array(&game.variant, &name));
    GamePage { frame: frame.with_game_card(game), game, board, data: data(game), array, puzzles }.render()
}

#[derive(Template)]
#[template(path = "report.html")]
struct ReportPage<'a> {
    frame: PageFrame,
    title: &'a str,
    /// Address and name of the game.
    back: (&'a str, &'a str),
    article: &'a str,
    style: &'static str,
}

/// A report on the balance of a game, whose `article` is HTML.
pub(crate) fn report(
    frame: PageFrame,
    title: &str,
    back: (&str, &str),
    article: &str,
) -> askama::Result<String> {
    ReportPage { frame, title, back, article, style: lozenge_lab::report::STYLE }.render()
}

#[derive(Template)]
#[template(path = "live.html")]
struct LivePage<'a> {
    frame: PageFrame,
    games: &'a [GameSummary],
    data: String,
    replay: String,
}

/// A game that is played again.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Replay {
    /// Its id; a demonstration has none.
    pub(crate) id: Option<String>,
    pub(crate) variant: String,
    pub(crate) variant_name: String,
    pub(crate) white: String,
    pub(crate) black: String,
    pub(crate) result: String,
    /// The FEN of its start.
    pub(crate) start: String,
    pub(crate) steps: Vec<ReplayStep>,
}

/// A position of a replay.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ReplayStep {
    pub(crate) fen: String,
    /// Numbers of the squares that the move left and reached.
    pub(crate) last: Vec<u16>,
}

/// Games being played; without any, one to replay.
pub(crate) fn live(
    frame: PageFrame,
    games: &[GameSummary],
    replay: Option<&Replay>,
) -> askama::Result<String> {
    LivePage { frame, games, data: data(&games), replay: data(&replay) }.render()
}

#[derive(Template)]
#[template(path = "sign.html")]
struct SignPage {
    frame: PageFrame,
    /// Whether the account is to be made.
    new: bool,
}

#[derive(Template)]
#[template(path = "recover.html")]
struct RecoverPage {
    frame: PageFrame,
    kind: &'static str,
    title: &'static str,
    mail: bool,
}

/// A lost password: by the recovery code (`recover`), by a link (`reset`); or a link that confirms an address
/// (`confirm-email`). `mail` is true if the site can send links.
pub(crate) fn recover(frame: PageFrame, kind: &'static str, mail: bool) -> askama::Result<String> {
    RecoverPage { frame, kind, title: kind, mail }.render()
}

/// Signing in, or making an account.
pub(crate) fn sign(frame: PageFrame, new: bool) -> askama::Result<String> {
    SignPage { frame, new }.render()
}

#[derive(Template)]
#[template(path = "account.html")]
struct AccountPage {
    frame: PageFrame,
    data: String,
}

/// One's own account.
pub(crate) fn account(frame: PageFrame, account: &Account) -> askama::Result<String> {
    AccountPage { frame, data: data(account) }.render()
}

#[derive(Template)]
#[template(path = "api.html")]
struct ApiPage {
    frame: PageFrame,
    groups: &'static [OperationGroup],
    examples: Examples,
}

/// The API for programs.
pub(crate) fn api(
    frame: PageFrame,
    groups: &'static [OperationGroup],
    examples: Examples,
) -> askama::Result<String> {
    ApiPage { frame, groups, examples }.render()
}

#[derive(Template)]
#[template(path = "about.html")]
struct AboutPage {
    frame: PageFrame,
}

/// The kind of page.
pub(crate) fn about(frame: PageFrame) -> askama::Result<String> {
    AboutPage { frame }.render()
}

#[derive(Template)]
#[template(path = "fault.html")]
struct FaultPage {
    frame: PageFrame,
    title: String,
    detail: String,
}

/// An error, in the reader's language as far as it has words for this one.
pub(crate) fn fault(frame: PageFrame, problem: &Problem) -> askama::Result<String> {
    let key = format!("fault-{}", problem.code.replace('_', "-"));
    let title = frame.texts.find(&key).unwrap_or_else(|| problem.title.clone());
    let detail = frame.texts.find(&format!("{key}-text")).unwrap_or_else(|| problem.detail.clone());
    FaultPage { frame, title, detail }.render()
}
