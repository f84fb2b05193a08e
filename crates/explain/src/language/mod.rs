//! Languages: the messages of `locales/`, with names and dates. The content is decided elsewhere, as a [`Text`]; the
//! words of a language are in its messages and nowhere in the code.

mod catalog;
mod moves;
mod phrases;

pub use catalog::Catalog;

use crate::text::Text;
use fluent_bundle::{FluentArgs, FluentValue};
use phrases::Phrases;
use std::sync::LazyLock;

/// A language that games can be explained in.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Language {
    /// The language of the variant files.
    #[default]
    English,
    /// German.
    German,
}

/// An argument of a message, and its name.
type Argument = (&'static str, FluentValue<'static>);

const SOURCES: [&[&str]; 2] = [
    &[include_str!("../../locales/en/rules.ftl"), include_str!("../../locales/en/names.ftl")],
    &[
        include_str!("../../locales/de/rules.ftl"),
        include_str!("../../locales/de/names.ftl"),
        include_str!("../../locales/de/games.ftl"),
    ],
];

static MESSAGES: LazyLock<Catalog> = LazyLock::new(|| Catalog::new(SOURCES));

impl Language {
    /// All languages.
    pub const ALL: [Self; 2] = [Self::English, Self::German];

    /// Its code by ISO 639: `en`, `de`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
        }
    }

    /// The language with this code.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.code() == code)
    }

    /// A text in this language; `game` is the id of its game, some of whose own words are translated.
    ///
    /// ```
    /// use lozenge_explain::{Language, text::Text};
    /// assert_eq!(Language::English.text("chess", &Text::NoCastling), "There is no castling.");
    /// assert_eq!(Language::German.text("chess", &Text::NoCastling), "Es gibt keine Rochade.");
    /// ```
    #[must_use]
    pub fn text(self, game: &str, text: &Text) -> String {
        Phrases { language: self, game }.text(text)
    }

    /// The name of a piece, if its game gives it the usual name of its kind and the language has one for that kind.
    ///
    /// ```
    /// use lozenge_explain::Language;
    /// assert_eq!(Language::German.piece_name("Bishop").as_deref(), Some("Läufer"));
    /// assert_eq!(Language::German.piece_name("Emperor"), None);
    /// ```
    #[must_use]
    pub fn piece_name(self, name: &str) -> Option<String> {
        let key = format!("piece-{}", name.to_lowercase().replace(' ', "-"));
        (Self::English.find(&key)? == name).then(|| self.find(&key)).flatten()
    }

    /// A translation of the description of a built-in game.
    #[must_use]
    pub fn about(self, game: &str) -> Option<String> {
        self.find(&format!("game-{game}"))
    }

    /// A translation of a reading of a built-in game, by its number from 1.
    #[must_use]
    pub fn reading(self, game: &str, number: usize) -> Option<String> {
        self.find(&format!("reading-{game}-{number}"))
    }

    /// A translation of the name of a start of a built-in game, by its number from 0.
    #[must_use]
    pub fn start_name(self, game: &str, number: usize) -> Option<String> {
        self.find(&format!("start-{game}-{number}"))
    }

    /// An English text with its dates (`25 January 2007`) as this language writes them.
    ///
    /// ```
    /// use lozenge_explain::Language;
    /// assert_eq!(Language::German.dated("Seen on 25 January 2007"), "Seen on 25. Januar 2007");
    /// assert_eq!(Language::German.dated("In May and out"), "In May and out");
    /// ```
    #[must_use]
    pub fn dated(self, text: &str) -> String {
        let month = |word: &str| {
            (1..=12).map(|number| format!("month-{number}")).find(|key| Self::English.plain(key) == word)
        };
        let mut words: Vec<String> = Vec::new();
        for word in text.split(' ') {
            let day = words.last().filter(|day| matches!(day.parse(), Ok(1..=31))).cloned();
            match day.zip(month(word)) {
                Some((day, month)) => {
                    words.pop();
                    words.push(
                        self.message("date", [("day", day.into()), ("month", self.plain(&month).into())]),
                    );
                }
                None => words.push(word.to_owned()),
            }
        }
        words.join(" ")
    }

    /// A message, if the language has it.
    fn find(self, key: &str) -> Option<String> {
        self.format(key, None)
    }

    /// A message without arguments.
    fn plain(self, key: &str) -> String {
        self.format(key, None).unwrap_or_else(|| format!("{{{key}}}"))
    }

    /// A message with arguments.
    fn message<const N: usize>(self, key: &str, arguments: [Argument; N]) -> String {
        self.format(key, Some(&FluentArgs::from_iter(arguments))).unwrap_or_else(|| format!("{{{key}}}"))
    }

    fn format(self, key: &str, arguments: Option<&FluentArgs<'_>>) -> Option<String> {
        MESSAGES.format(self, key, arguments)
    }
}

#[cfg(test)]
mod tests;
