//! The endgame table of one class as a job that any machine can do. The files travel beside the job, by their digests.

use lozenge_rules::variant::Variant;
use lozenge_tablebase::{GenerateError, Material, Resources, Tables};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A class to be solved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableJob {
    /// The id of the game.
    pub variant: String,
    /// The digest of its rules.
    pub digest: String,
    /// The class, such as `KRvK`.
    pub class: String,
    /// The classes that it leads to, with the digests of their files.
    pub children: Vec<(String, String)>,
    /// The most memory, in bytes.
    pub memory: usize,
}

/// The result: a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableRecord {
    /// The class.
    pub class: String,
    /// The digest of the file.
    pub file: String,
}

/// Why a table is not made.
#[derive(Debug, thiserror::Error)]
pub enum TableFault {
    /// The game has no such class.
    #[error("expected a class of the game, found `{0}`")]
    Class(String),
    /// Its file, or one that it leads to, cannot be read.
    #[error(transparent)]
    File(#[from] lozenge_tablebase::FileError),
    /// It cannot be made.
    #[error(transparent)]
    Generate(#[from] GenerateError),
    /// Its file cannot be read.
    #[error("the file of a table: {0}")]
    Io(#[from] std::io::Error),
}

impl TableJob {
    /// The kind of these jobs.
    pub const KIND: &str = "table";

    /// The file of a class of the game in a folder of tables.
    #[must_use]
    pub fn file(&self, class: &str, folder: &Path) -> PathBuf {
        folder.join(&self.variant).join(format!("{class}.{}", lozenge_tablebase::EXTENSION))
    }

    /// Makes the file in a folder that has those it leads to, on one thread, and returns its content. `progress` is called with the
    /// half moves done; the work stops when it returns false.
    ///
    /// # Errors
    /// Why it is not made.
    pub fn make(
        &self,
        variant: &Arc<Variant>,
        folder: &Path,
        progress: &mut dyn FnMut(u16) -> bool,
    ) -> Result<Vec<u8>, TableFault> {
        let mut tables = Tables::open(variant, folder)?;
        let material =
            Material::parse(variant, &self.class).ok_or_else(|| TableFault::Class(self.class.clone()))?;
        let resources = Resources { threads: 1, memory: self.memory };
        let mut report = |made: lozenge_tablebase::GenerateProgress<'_>| progress(made.distance);
        tables.generate(&material, Some(folder), resources, &mut report)?;
        Ok(std::fs::read(self.file(&self.class, folder))?)
    }
}
