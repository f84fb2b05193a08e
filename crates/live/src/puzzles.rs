//! The puzzles that come with the program, files made by `lozenge lab puzzles`: they are read into the database in the
//! background after a start, unless that has been done. Not here: who solves them (`lozenge_server`).

use crate::games::Variants;
use lozenge_game::{PuzzleLine, PuzzleText};
use lozenge_store::{PuzzleRow, Store, StoreError};
use sha2::{Digest as _, Sha256};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

/// Puzzles of one transaction: moves wait for it.
const AT_ONCE: usize = 20;
/// Between two transactions.
const BATCH_DELAY: Duration = Duration::from_millis(20);

/// The solution of a puzzle by the rules that it was made for.
///
/// # Errors
/// If its rules cannot be read, or the puzzle is not one by them.
pub async fn line(store: &Store, variants: &Variants, row: &PuzzleRow) -> Result<PuzzleLine, StoreError> {
    let variant = variants.rules(store, &row.variant, &row.digest).await?;
    let line = PuzzleLine::read(&variant, &row.fen, &row.lead, row.line.split(' '));
    line.ok_or_else(|| StoreError::Content { expected: "a puzzle", found: row.id.clone() })
}

/// Reads files of puzzles. A file that has been read before by the same rules costs nothing.
pub async fn load(store: Store, variants: Variants, files: &[Cow<'static, [u8]>]) {
    for file in files {
        match load_file(&store, &variants, file).await {
            Ok(()) | Err(LoadError::Store(StoreError::Database(sqlx::Error::PoolClosed))) => {}
            Err(error) => tracing::error!(%error, "a file of puzzles was not read"),
        }
    }
}

/// Why a file of puzzles was not read.
#[derive(Debug, thiserror::Error)]
enum LoadError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("expected puzzles as `lozenge lab puzzles` writes them: {0}")]
    Text(#[from] serde_json::Error),
}

async fn load_file(store: &Store, variants: &Variants, bytes: &[u8]) -> Result<(), LoadError> {
    let texts: Vec<PuzzleText> = serde_json::from_slice(bytes)?;
    let mut games: BTreeMap<String, Vec<PuzzleText>> = BTreeMap::new();
    for text in texts {
        games.entry(text.variant.clone()).or_default().push(text);
    }
    for (id, mut texts) in games {
        let Some(variant) = variants.game(&id) else { continue };
        let rules = variants.digest(&variant);
        let file: String = Sha256::new()
            .chain_update(&rules)
            .chain_update(bytes)
            .finalize()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        if store.puzzle_file(&id).await?.as_ref() == Some(&file) {
            continue;
        }
        variants.save(store, &variant).await?;
        let found = texts.len();
        texts.retain(|text| {
            let line = text.line.iter().map(String::as_str);
            PuzzleLine::read(&variant, &text.fen, &text.lead, line).is_some()
        });
        if texts.len() < found {
            tracing::error!(variant = id, illegal = found - texts.len(), "puzzles do not fit their game");
        }
        for some in texts.chunks(AT_ONCE) {
            store.add_puzzles(&rules, &file, some).await?;
            tokio::time::sleep(BATCH_DELAY).await;
        }
        store.finish_puzzle_file(&id, &file).await?;
    }
    Ok(())
}
