//! Compares every position of a table with the positions after its moves.

use crate::file::FileError;
use crate::index::Index;
use crate::material::Material;
use crate::solve::{each, judge, stalemate};
use crate::tables::{EXTENSION, Tables, game_folder};
use crate::value::Value;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};
use lozenge_rules::position::{AnyPosition, Position, WidthVisitor};
use lozenge_rules::variant::Rules;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The counts of a check of every position of a class.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Census {
    /// Positions won by the side to move.
    pub wins: u64,
    /// Positions lost by the side to move.
    pub losses: u64,
    /// Drawn positions.
    pub draws: u64,
}

/// Why a table is not right.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// The file of a table is damaged.
    #[error(transparent)]
    File(#[from] FileError),
    /// There is no table of this class, or of one it leads to.
    #[error("expected the table of {0} and those it leads to, found one missing")]
    Missing(String),
    /// A position has another value than its moves give it.
    #[error("expected {expected} in {fen}, as its moves have it, found {found}")]
    Wrong {
        /// The position.
        fen: String,
        /// By its moves.
        expected: Value,
        /// In the table.
        found: Value,
    },
}

impl Tables {
    /// Compares every position of a class with the positions after its moves, and counts them.
    ///
    /// # Errors
    /// The first position that is wrong, or why the class cannot be verified.
    pub fn verify(&self, material: &Material, threads: usize) -> Result<Census, VerifyError> {
        self.verify_each(material, threads, 1)
    }

    /// The same for about this many positions, evenly spread, on one thread.
    ///
    /// # Errors
    /// As for [`Tables::verify`].
    pub fn verify_sample(&self, material: &Material, positions: usize) -> Result<Census, VerifyError> {
        let numbers = self.table(material).map_or(0, |table| table.index.len());
        // Odd, so that all places of the last pieces come.
        self.verify_each(material, 1, (numbers / positions.max(1)) | 1)
    }

    /// Takes the file of a table that another machine has made, after a check of `sample` positions, and puts it into the folder.
    /// A file that is wrong is not kept.
    ///
    /// # Errors
    /// Why it is not taken.
    pub fn take_file(
        &mut self,
        material: &Material,
        bytes: &[u8],
        folder: &Path,
        sample: usize,
    ) -> Result<(), VerifyError> {
        let folder = game_folder(self.variant(), folder);
        let path = folder.join(format!("{}.{EXTENSION}", material.name(self.variant())));
        // Under its name only when it is complete.
        let unfinished = path.with_extension("unfinished");
        let written = std::fs::create_dir_all(&folder)
            .and_then(|()| std::fs::write(&unfinished, bytes))
            .and_then(|()| std::fs::rename(&unfinished, &path));
        written.map_err(|error| FileError { path: path.clone(), fault: error.into() })?;
        let before = self.clone();
        let checked = self.load(&path).map_err(VerifyError::from);
        let checked = checked.and_then(|()| self.verify_sample(material, sample));
        if let Err(error) = checked {
            *self = before;
            // The reason matters more than a file that stays: it is refused or replaced later.
            let _ = std::fs::remove_file(&path);
            return Err(error);
        }
        Ok(())
    }

    fn verify_each(&self, material: &Material, threads: usize, step: usize) -> Result<Census, VerifyError> {
        let Some(table) = self.table(material) else {
            return Err(VerifyError::Missing(material.name(self.variant())));
        };
        AnyPosition::start(self.variant()).visit(Verify {
            tables: self,
            index: &table.index,
            material,
            threads,
            step,
        })
    }
}

struct Verify<'a> {
    tables: &'a Tables,
    index: &'a Index,
    material: &'a Material,
    threads: usize,
    /// The distance between two numbers that are checked.
    step: usize,
}

impl WidthVisitor for Verify<'_> {
    type Output = Result<Census, VerifyError>;

    fn visit<const N: usize>(self, _: &Position<N>, rules: &Rules<N>) -> Self::Output {
        let Self { tables, index, material, threads, step } = self;
        let counts: [AtomicU64; 3] = Default::default();
        let fault: Mutex<Option<VerifyError>> = Mutex::new(None);
        let stalemate = stalemate(tables.variant());
        let missing = || VerifyError::Missing(material.name(tables.variant()));
        each(threads, index.len(), |number| {
            if number % step != 0 {
                return;
            }
            let (placement, turn) = index.at(number);
            // Symmetric positions, too: the table must have the same value for them.
            let Some(position) = Position::from_pieces(rules, &index.placed(&placement), turn) else {
                return;
            };
            let check = || {
                let found = tables.value(&position)?.ok_or_else(missing)?;
                let mut failure = None;
                let expected = judge(rules, &position, stalemate, |_, after| match tables.value(after) {
                    Ok(value) => {
                        failure = failure.take().or_else(|| value.is_none().then(missing));
                        value
                    }
                    Err(error) => {
                        failure = Some(error.into());
                        None
                    }
                });
                if let Some(failure) = failure {
                    return Err(failure);
                }
                if expected != found {
                    let fen = AnyPosition::fen_of(tables.variant(), &position);
                    return Err(VerifyError::Wrong { fen, expected, found });
                }
                let count = match found {
                    Value::Win(_) => 0,
                    Value::Loss(_) => 1,
                    Value::Draw => 2,
                };
                counts[count].fetch_add(1, Relaxed);
                Ok(())
            };
            if let Err(error) = check() {
                fault.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            }
        });
        match fault.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(fault) => Err(fault),
            None => {
                let [wins, losses, draws] = counts.map(AtomicU64::into_inner);
                Ok(Census { wins, losses, draws })
            }
        }
    }
}
