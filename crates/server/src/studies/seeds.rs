//! The studies that come with the program: PGN made from the engine's own games, kept as public studies of the site itself.

use super::pgn::{self, Import};
use super::{Studies, convert_chapters};
use crate::error::AppError;
use crate::store::NewStudyRow;
use crate::time::now_ms;
use lozenge_rules::library;
use lozenge_rules::variant::Variant;
use sha2::{Digest as _, Sha256};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

impl Studies {
    /// Keeps the studies of these files, each by its id, unless they are there already.
    pub(crate) async fn plant(&self, files: &[(String, Cow<'static, [u8]>)]) {
        for (id, file) in files {
            if let Err(error) = self.plant_one(id, file).await {
                tracing::error!(%error, id, "a study that comes with the program could not be kept");
            }
        }
    }

    async fn plant_one(&self, id: &str, file: &[u8]) -> Result<(), AppError> {
        let digest = Sha256::new().chain_update(env!("CARGO_PKG_VERSION")).chain_update(file).finalize();
        let source: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        if self.store.study_source(id).await?.as_ref() == Some(&source) {
            return Ok(());
        }
        let text = String::from_utf8_lossy(file);
        let import = Import::new(&text);
        let said = |name: &str| import.tag(name).unwrap_or_default().to_owned();
        let row = NewStudyRow {
            id: id.to_owned(),
            owner: String::new(),
            name: said("StudyName"),
            about: said("StudyAbout"),
            tags: said("StudyTags"),
            visibility: "public".into(),
            source,
            now: now_ms(),
        };
        let games: HashMap<_, Arc<Variant>> = library::ids()
            .filter_map(library::game)
            .map(|game| (Some(game.name().to_owned()), game))
            .collect();
        let (chapters, faults) = pgn::read(import, &games, crate::store::MOST_CHAPTERS);
        if let Some(fault) = faults.first() {
            return Err(AppError::Internal(format!("line {}: {}", fault.line, fault.message)));
        }
        let rows = convert_chapters(&self.store, &self.variants, chapters).await?;
        Ok(self.store.renew_study(&row, &rows).await?)
    }
}
