//! The pages' texts in the reader's language (Fluent, `locales/`).

use fluent_templates::fluent_bundle::FluentValue;
use fluent_templates::{LanguageIdentifier, Loader, static_loader};
use lozenge_explain::Language;
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

    /// The same language for the rules of games.
    pub(crate) fn of_rules(&self) -> Language {
        Language::from_code(&self.code()).unwrap_or_default()
    }

    /// A game's description in one line, for its card.
    pub(crate) fn card(&self, id: &str) -> Option<String> {
        self.find(&format!("card-{id}"))
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

/// The languages that an `Accept-Language` names, preferred first (RFC 9110, 12.4.2 and 12.5.4). Our own, because
/// the crate for it sorts weights that may be NaN, which can panic.
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

    /// Whether a text has placeholders.
    fn german_with_places(key: &str) -> bool {
        include_str!("../../locales/de/site.ftl").lines().any(|line| {
            line.split_once(" = ").is_some_and(|(other, text)| other == key && text.contains('{'))
        })
    }

    #[test]
    fn both_languages_have_the_same_keys() {
        let english = keys(include_str!("../../locales/en/site.ftl"));
        let german = keys(include_str!("../../locales/de/site.ftl"));
        assert_eq!(english, german);
        for key in english.into_iter().filter(|key| !german_with_places(key)) {
            assert!(!Texts::choose(Some("de"), "").get(key).contains("Unknown"), "{key}");
        }
    }

    #[test]
    fn every_built_in_game_has_a_card_text() {
        for id in lozenge_rules::library::ids() {
            for language in ["en", "de"] {
                let line = Texts::choose(Some(language), "").card(id).unwrap_or_default();
                assert!((1..=50).contains(&line.chars().count()), "{language} {id}: {line}");
            }
        }
    }

    #[test]
    fn language_setting_overrides_the_browser() {
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
