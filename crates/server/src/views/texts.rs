//! The pages' texts in the reader's language (Fluent, `locales/`).

use fluent_templates::fluent_bundle::FluentValue;
use fluent_templates::{LanguageIdentifier, Loader, static_loader};
use std::borrow::Cow;
use std::collections::HashMap;

static_loader! {
    static LOCALES = {
        locales: "./locales",
        fallback_language: "en",
        customise: |bundle| bundle.set_use_isolating(false),
    };
}

/// The languages there are, with their own names.
pub(crate) const LANGUAGES: [(&str, &str); 2] = [("en", "English"), ("de", "Deutsch")];

/// The months in English and in German.
const MONTHS: [(&str, &str); 12] = [
    ("January", "Januar"),
    ("February", "Februar"),
    ("March", "März"),
    ("April", "April"),
    ("May", "Mai"),
    ("June", "Juni"),
    ("July", "Juli"),
    ("August", "August"),
    ("September", "September"),
    ("October", "Oktober"),
    ("November", "November"),
    ("December", "Dezember"),
];

/// The texts in one language.
#[derive(Clone, Debug)]
pub(crate) struct Texts {
    language: LanguageIdentifier,
}

impl Texts {
    /// By a setting, or by what the browser accepts, or English.
    pub(crate) fn choose(setting: Option<&str>, accepts: &str) -> Self {
        let known = |tag: &str| {
            let tag = tag.split('-').next().unwrap_or_default().to_lowercase();
            LANGUAGES.iter().map(|(code, _)| *code).find(|code| *code == tag)
        };
        let code = setting.and_then(known).or_else(|| accepted(accepts).find_map(known)).unwrap_or("en");
        Self { language: code.parse().unwrap_or_default() }
    }

    /// The language's code.
    pub(crate) fn code(&self) -> String {
        self.language.to_string()
    }

    /// A text.
    pub(crate) fn get(&self, key: &str) -> String {
        LOCALES.lookup(&self.language, key)
    }

    /// A text that there may not be.
    pub(crate) fn find(&self, key: &str) -> Option<String> {
        LOCALES.try_lookup(&self.language, key)
    }

    /// The name of a man, where it bears the usual name of its kind and the language has another: whoever makes a game
    /// may call a king what they like.
    pub(crate) fn man(&self, id: &str, name: &str) -> Option<String> {
        let key = format!("piece-{id}");
        let usual = Self::choose(Some("en"), "").find(&key)?;
        (usual == name).then(|| self.find(&key)).flatten()
    }

    /// What a game says of itself, where the language has it: its `about`, or one of its readings, from 1.
    pub(crate) fn of_game(&self, id: &str, reading: Option<usize>) -> Option<String> {
        self.find(&match reading {
            None => format!("game-{id}"),
            Some(number) => format!("reading-{id}-{number}"),
        })
    }

    /// What a game is, in a line for its card.
    pub(crate) fn card(&self, id: &str) -> Option<String> {
        self.find(&format!("card-{id}"))
    }

    /// What distinguishes a starting position of a game, by its number, where the language has it.
    pub(crate) fn of_start(&self, id: &str, number: usize) -> Option<String> {
        self.find(&format!("start-{id}-{number}"))
    }

    /// A text of a game's file with the dates in it (`25 January 2007`) as the language writes them.
    pub(crate) fn dated(&self, text: &str) -> String {
        if self.code() != "de" {
            return text.to_owned();
        }
        let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        for at in 1..words.len() {
            let Some((_, month)) = MONTHS.iter().find(|(english, _)| *english == words[at]) else { continue };
            if matches!(words[at - 1].parse(), Ok(1..=31)) {
                words[at] = (*month).into();
                words[at - 1].push('.');
            }
        }
        words.join(" ")
    }

    /// A text with something in it.
    pub(crate) fn with(&self, key: &str, name: &'static str, value: impl ToString) -> String {
        self.with_all(key, [(name, value.to_string().into())])
    }

    /// A text with several things in it.
    pub(crate) fn with_all<const N: usize>(
        &self,
        key: &str,
        arguments: [(&'static str, FluentValue<'static>); N],
    ) -> String {
        let arguments = HashMap::from(arguments.map(|(name, value)| (Cow::Borrowed(name), value)));
        LOCALES.lookup_with_args(&self.language, key, &arguments)
    }
}

/// The languages that an `Accept-Language` names, dearest first (RFC 9110, 12.4.2 and 12.5.4). Ours, since the crate for
/// it sorts numbers that need not be any, which can end in a panic.
fn accepted(header: &str) -> impl Iterator<Item = &str> {
    let mut ranges: Vec<(f32, &str)> = header.split(',').filter_map(weighed).collect();
    ranges.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    ranges.into_iter().map(|(_, tag)| tag)
}

/// A range of languages with its weight; none where it is not wanted at all, or cannot be read.
fn weighed(range: &str) -> Option<(f32, &str)> {
    let (tag, weight) = range.split_once(';').unwrap_or((range, "q=1"));
    let weight: f32 = weight.trim().strip_prefix(['q', 'Q'])?.strip_prefix('=')?.parse().ok()?;
    (0.001..=1.0).contains(&weight).then_some((weight, tag.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> Vec<&str> {
        text.lines().filter_map(|line| line.split_once(" = ")).map(|(key, _)| key).collect()
    }

    /// Whether a text has places for something else.
    fn german_with_places(key: &str) -> bool {
        include_str!("../../locales/de/site.ftl").lines().any(|line| {
            line.split_once(" = ").is_some_and(|(other, text)| other == key && text.contains('{'))
        })
    }

    #[test]
    fn both_languages_say_the_same_things() {
        let english = keys(include_str!("../../locales/en/site.ftl"));
        let german = keys(include_str!("../../locales/de/site.ftl"));
        assert_eq!(english, german);
        for key in english.into_iter().filter(|key| !german_with_places(key)) {
            assert!(!Texts::choose(Some("de"), "").get(key).contains("Unknown"), "{key}");
        }
    }

    #[test]
    fn men_are_named_in_the_language_unless_the_game_names_them_otherwise() {
        let german = Texts::choose(Some("de"), "");
        assert_eq!(german.man("bishop", "Bishop").as_deref(), Some("Läufer"));
        assert_eq!(german.man("king", "Emperor"), None);
        assert_eq!(german.man("dabbaba", "Dabbaba"), None);
        assert_eq!(Texts::choose(Some("en"), "").man("king", "King").as_deref(), Some("King"));
    }

    /// The five games are all translated; of others what is translated is whole, and of games that there are.
    #[test]
    fn games_speak_german() {
        let german = Texts::choose(Some("de"), "");
        let translated: Vec<&str> = keys(include_str!("../../locales/de/games.ftl"))
            .into_iter()
            .filter_map(|key| key.strip_prefix("game-"))
            .collect();
        for id in ["diagonal", "diamondback", "diamond", "doublediamond", "diamondring"] {
            assert!(translated.contains(&id), "{id}");
        }
        for id in translated {
            let game = lozenge_rules::variant::library::game(id).expect(id);
            let readings = (1..).take_while(|&number| german.of_game(id, Some(number)).is_some()).count();
            assert_eq!(readings, game.readings().len(), "{id}");
        }
    }

    #[test]
    fn every_game_that_is_built_in_has_a_short_line_for_its_card() {
        for id in lozenge_rules::variant::library::ids() {
            for language in ["en", "de"] {
                let line = Texts::choose(Some(language), "").card(id).unwrap_or_default();
                assert!((1..=50).contains(&line.chars().count()), "{language} {id}: {line}");
            }
        }
    }

    #[test]
    fn dates_are_written_as_the_language_does() {
        let published = "The Chess Variant Pages, 25 January 2007";
        assert_eq!(
            Texts::choose(Some("de"), "").dated(published),
            "The Chess Variant Pages, 25. Januar 2007"
        );
        assert_eq!(Texts::choose(Some("en"), "").dated(published), published);
        assert_eq!(Texts::choose(Some("de"), "").dated("In May and out"), "In May and out");
    }

    #[test]
    fn the_setting_comes_before_the_browser() {
        assert_eq!(Texts::choose(Some("de"), "en").code(), "de");
        assert_eq!(Texts::choose(None, "fr-FR, de-DE;q=0.8, en;q=0.5").code(), "de");
        assert_eq!(Texts::choose(Some("xx"), "").code(), "en");
        for (accepts, code) in [
            ("en;q=0.5, de", "de"),
            ("de;q=0.5,en;q=0.9", "en"),
            ("fr, de ; q=0.3, *;q=0.1", "de"),
            ("de;q=0, en;q=0.1", "en"),
            ("de;q=nan, en;q=0.1", "en"),
            ("de;q=, de;x, ;q=1,,", "en"),
            ("DE-at;Q=1.000", "de"),
        ] {
            assert_eq!(Texts::choose(None, accepts).code(), code, "{accepts}");
        }
        let german = Texts::choose(None, "de");
        assert_eq!(german.with_all("games-played", [("count", 3.into())]), "3 Partien");
        assert_eq!(german.with_all("games-played", [("count", 1.into())]), "1 Partie");
    }
}
