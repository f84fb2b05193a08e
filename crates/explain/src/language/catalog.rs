//! Messages of Fluent in every language: those of this crate, and those of crates with messages of their own.

use super::Language;
use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource};
use unic_langid::LanguageIdentifier;

/// The messages of one language.
type Messages = FluentBundle<FluentResource>;

/// The messages of all languages.
pub struct Catalog([Messages; 2]);

impl std::fmt::Debug for Catalog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Catalog").finish_non_exhaustive()
    }
}

impl Catalog {
    /// Reads the sources of each language, in the order of [`Language::ALL`]. A message that cannot be parsed is left out.
    #[must_use]
    pub fn new(sources: [&[&str]; 2]) -> Self {
        Self(Language::ALL.map(|language| load(language, sources[language as usize])))
    }

    /// A message with texts in it; its key in braces if the message is missing.
    ///
    /// ```
    /// use lozenge_explain::{Catalog, Language};
    /// let catalog = Catalog::new([&["games = { $count } games"], &["games = { $count } Partien"]]);
    /// assert_eq!(catalog.message(Language::German, "games", &[("count", "1.000")]), "1.000 Partien");
    /// assert_eq!(catalog.message(Language::German, "plies", &[]), "{plies}");
    /// ```
    #[must_use]
    pub fn message(&self, language: Language, key: &str, texts: &[(&str, &str)]) -> String {
        let arguments = texts.iter().map(|&(name, text)| (name, text)).collect::<FluentArgs<'_>>();
        self.format(language, key, Some(&arguments)).unwrap_or_else(|| format!("{{{key}}}"))
    }

    /// Whether there is a message with this key.
    #[must_use]
    pub fn has(&self, language: Language, key: &str) -> bool {
        self.0[language as usize].has_message(key)
    }

    /// A message, if the language has it.
    pub(super) fn format(
        &self,
        language: Language,
        key: &str,
        arguments: Option<&FluentArgs<'_>>,
    ) -> Option<String> {
        let messages = &self.0[language as usize];
        let pattern = messages.get_message(key)?.value()?;
        // Parts that cannot be formatted appear as `{…}`.
        let mut errors = Vec::new();
        Some(messages.format_pattern(pattern, arguments, &mut errors).into_owned())
    }
}

fn load(language: Language, sources: &[&str]) -> Messages {
    let identifier: LanguageIdentifier = language.code().parse().unwrap_or_default();
    let mut messages = FluentBundle::new_concurrent(vec![identifier]);
    messages.set_use_isolating(false);
    // Without NUMBER, or with a message that cannot be parsed, texts have `{…}` in them, which the tests find.
    let _ = messages.add_builtins();
    for source in sources {
        let resource = FluentResource::try_new((*source).to_owned()).unwrap_or_else(|(resource, _)| resource);
        messages.add_resource_overriding(resource);
    }
    messages
}
