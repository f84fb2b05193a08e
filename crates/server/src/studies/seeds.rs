//! The studies that come with the program: PGN made from the engine's own games, stored as public studies of the site.

use super::pgn::{self, Import, ReadChapter};
use super::{Studies, StudyError, convert_chapters};
use lozenge_explain::Language;
use lozenge_game::time::now_ms;
use lozenge_rules::library::{self, AnyGame};
use lozenge_store::NewStudyRow;
use sha2::{Digest as _, Sha256};
use std::borrow::Cow;
use std::collections::HashMap;

/// The id of a study that comes with the program in a language, by its id in English.
pub(crate) fn id_in(english: &str, language: Language) -> String {
    match language {
        Language::English => english.to_owned(),
        other => format!("{english}-{}", other.code()),
    }
}

/// The ids in the other languages of a study that comes with the program.
pub(crate) fn translations(id: &str, language: Language) -> impl Iterator<Item = (Language, String)> {
    let ending = format!("-{}", language.code());
    let english = id.strip_suffix(&ending).unwrap_or(id);
    let others = Language::ALL.into_iter().filter(move |other| *other != language);
    others.map(move |other| (other, id_in(english, other)))
}

impl Studies {
    /// Keeps the studies of these files, each by its id, unless they are there already.
    pub(crate) async fn seed(&self, files: &[(String, Cow<'static, [u8]>)]) {
        for (id, file) in files {
            if let Err(error) = self.seed_one(id, file).await {
                tracing::error!(%error, id, "a study that comes with the program could not be kept");
            }
        }
    }

    async fn seed_one(&self, id: &str, file: &[u8]) -> Result<(), StudyError> {
        let digest = Sha256::new().chain_update(env!("CARGO_PKG_VERSION")).chain_update(file).finalize();
        let source: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        if self.store.study_source(id).await?.as_ref() == Some(&source) {
            return Ok(());
        }
        let text = String::from_utf8_lossy(file);
        let import = Import::new(&text);
        let tag = |name: &str| import.tag(name).unwrap_or_default().to_owned();
        let row = NewStudyRow {
            id: id.to_owned(),
            owner: String::new(),
            name: tag("StudyName"),
            about: tag("StudyAbout"),
            tags: tag("StudyTags"),
            language: tag("StudyLanguage"),
            visibility: "public".into(),
            source,
            now: now_ms(),
        };
        let chapters = chapters(import).map_err(StudyError::File)?;
        let mut rows = convert_chapters(&self.store, &self.variants, chapters).await?;
        // Links to a chapter stay, and lead to the same one in other languages.
        for (number, row) in (1..=rows.len()).zip(&mut rows) {
            row.id = number.to_string();
        }
        let Err(error) = self.store.renew_study(&row, &rows).await else {
            self.announce(id);
            return Ok(());
        };
        // Another server that begins now may have stored it first, or the answer was lost.
        match self.store.study_source(id).await {
            Ok(Some(source)) if source == row.source => Ok(()),
            _ => Err(error.into()),
        }
    }
}

/// The chapters of a file; or its first fault.
fn chapters(import: Import) -> Result<Vec<ReadChapter>, String> {
    let games: HashMap<_, AnyGame> = library::ids()
        .chain(library::multi_ids())
        .filter_map(library::any_game)
        .map(|game| (Some(game.name().to_owned()), game))
        .collect();
    let (chapters, faults) = pgn::read(import, &games, lozenge_store::MAX_CHAPTERS);
    match faults.first() {
        Some(fault) => Err(format!("line {}: {}", fault.line, fault.message)),
        None => Ok(chapters),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop where it is")]

    use super::*;
    use serde_json::Value;
    use std::collections::BTreeMap;

    /// Texts by the figures in them, which no translation changes; everything else as it is.
    fn sketch(value: Value) -> Value {
        const TEXTS: [&str; 3] = ["before", "comments", "value"];
        let figures = |text: &Value| {
            let kept = |c: &char| c.is_ascii_digit() || "+−".contains(*c);
            text.as_str().map(|text| text.chars().filter(kept).collect::<String>())
        };
        match value {
            Value::Object(fields) => fields
                .into_iter()
                .map(|(key, value)| {
                    let value = match value {
                        Value::String(_) if TEXTS.contains(&key.as_str()) => figures(&value).into(),
                        Value::Array(texts) if TEXTS.contains(&key.as_str()) => {
                            texts.iter().map(figures).collect()
                        }
                        value => sketch(value),
                    };
                    (key, value)
                })
                .collect(),
            Value::Array(items) => items.into_iter().map(sketch).collect(),
            value => value,
        }
    }

    #[test]
    fn studies_have_the_same_chapters_moves_and_notes_in_every_language() {
        let files: BTreeMap<String, String> = crate::assets::studies()
            .iter()
            .map(|(id, file)| (id.clone(), String::from_utf8(file.to_vec()).unwrap()))
            .collect();
        let mut games = 0;
        for (id, file) in &files {
            let import = Import::new(file);
            let language = Language::from_code(import.tag("StudyLanguage").unwrap()).unwrap();
            let about = import.tag("StudyAbout").unwrap().to_owned();
            let read: Vec<_> = chapters(import)
                .unwrap_or_else(|fault| panic!("{id}: {fault}"))
                .iter()
                .map(|ReadChapter { variant, moves, .. }| {
                    let start = moves.tree().node(0).position.fen();
                    (variant.id().to_owned(), start, serde_json::to_value(moves.snapshot()).unwrap())
                })
                .collect();
            for (language, other) in translations(id, language) {
                let import = Import::new(&files[&other]);
                assert_eq!(import.tag("StudyLanguage"), Some(language.code()), "{other}");
                assert_ne!(import.tag("StudyAbout"), Some(about.as_str()), "{other}");
                let others = chapters(import).unwrap_or_else(|fault| panic!("{other}: {fault}"));
                assert_eq!(others.len(), read.len(), "{other}");
                for ((variant, start, moves), chapter) in read.iter().zip(&others) {
                    let at = format!("{other}: {}", chapter.name);
                    assert_eq!(chapter.variant.id(), variant, "{at}");
                    assert_eq!(chapter.moves.tree().node(0).position.fen(), *start, "{at}");
                    let found = serde_json::to_value(chapter.moves.snapshot()).unwrap();
                    assert_ne!(found, *moves, "{at} is not translated");
                    assert_eq!(sketch(found), sketch(moves.clone()), "{at}");
                }
            }
            games += usize::from(language == Language::English);
        }
        assert_eq!((games, files.len()), (library::OWN_GAMES, library::OWN_GAMES * Language::ALL.len()));
    }
}
