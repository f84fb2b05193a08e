//! Makes tables: every class after those that its captures and promotions lead to. Finished tables are files at once, so that work
//! that was interrupted goes on where it was.

use crate::file::{self, FileError};
use crate::index::Index;
use crate::material::{MAX_PIECES, Material, classes};
use crate::solve::{Children, Solver, Unsolved};
use crate::tables::{EXTENSION, Tables, game_folder};
use crate::value::Value;
use lozenge_rules::piece::Color;
use lozenge_rules::position::{AnyPosition, Position, WidthVisitor};
use lozenge_rules::variant::{Rules, Variant};
use std::collections::BTreeSet;
use std::path::Path;

/// Bytes that eight numbers need while their class is solved: a code of two bytes each, and three marks.
const BYTES_OF_EIGHT_NUMBERS: usize = 8 * 2 + 3;

/// Most pieces of a class that is made as soon as it is needed; that takes some seconds.
const MAX_PIECES_AT_ONCE: usize = 3;

/// The tables that every installation has: built-in games and the most pieces of their classes, in the order in which
/// they are made. All files together have six MB.
pub const INSTALLED: [(&str, usize); 6] = [
    ("diamond", 3),
    ("diagonal", 3),
    ("diamondback", 3),
    ("doublediamond", 3),
    ("diamondring", 3),
    ("diamond", 4),
];

/// With what tables are made.
#[derive(Clone, Copy, Debug)]
pub struct Resources {
    /// Threads.
    pub threads: usize,
    /// The most memory for the class being solved, in bytes.
    pub memory: usize,
}

/// How far the work on a class is.
#[derive(Clone, Copy, Debug)]
pub struct GenerateProgress<'a> {
    /// The class.
    pub material: &'a Material,
    /// Half moves done.
    pub distance: u16,
}

/// Why a table was not made.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// Its file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// More pieces than tables are made for.
    #[error("expected at most {MAX_PIECES} pieces, found {0}")]
    Pieces(usize),
    /// The game has pieces that fuse and split: its classes have no order.
    #[error("expected a game without fusions, for which there are tables, found {0}")]
    Fusions(String),
    /// Pieces of the game become each other.
    #[error("expected classes that captures and promotions do not lead back to, found {0}")]
    Circle(String),
    /// Pieces of both sides may capture en passant.
    #[error("expected a class without en passant, found {0}")]
    EnPassant(String),
    /// The class needs more memory.
    #[error("expected {name} to need at most {allowed} bytes, found {needed}")]
    Memory {
        /// The class.
        name: String,
        /// The most bytes allowed.
        allowed: usize,
        /// The bytes it needs.
        needed: usize,
    },
    /// Its positions are too many to be numbered.
    #[error("expected a class with fewer positions, found {0}")]
    TooLarge(String),
    /// Its wins take too long.
    #[error("expected wins of at most {max} half moves, found longer ones in {0}", max = crate::value::MAX_DISTANCE)]
    TooLong(String),
    /// A table of a smaller class cannot be read.
    #[error("expected the tables that {name} leads to, found one that cannot be read: {error}")]
    Child {
        /// The class being made.
        name: String,
        /// The file, and what is wrong with it.
        error: FileError,
    },
    /// A table of a smaller class is missing.
    #[error("expected the tables that {0} leads to, found one missing")]
    Missing(String),
    /// It was stopped.
    #[error("stopped")]
    Stopped,
}

impl Tables {
    /// The classes of at most `pieces` pieces that tables can be made for, smaller ones first.
    ///
    /// # Errors
    /// When the game can have no tables, or `pieces` is too great.
    pub fn classes(&self, pieces: usize) -> Result<Vec<Material>, GenerateError> {
        self.check_game()?;
        if pieces > MAX_PIECES {
            return Err(GenerateError::Pieces(pieces));
        }
        let mut all = classes(self.variant(), pieces, !self.colors_are_alike());
        all.retain(|material| !has_en_passant(self.variant(), material));
        Ok(all)
    }

    /// Makes the table of a class, and those of all classes it leads to, as far as they are missing. Each is written to
    /// `folder`, if there is one. `progress` is called once for each half move; the work stops when it returns false.
    ///
    /// # Errors
    /// Why a table cannot be made.
    pub fn generate(
        &mut self,
        material: &Material,
        folder: Option<&Path>,
        resources: Resources,
        progress: &mut dyn FnMut(GenerateProgress<'_>) -> bool,
    ) -> Result<(), GenerateError> {
        for material in self.missing(core::slice::from_ref(material))? {
            self.make(&material, folder, resources, progress)?;
        }
        Ok(())
    }

    /// The classes that a class leads to by one capture or promotion, as their tables are named.
    #[must_use]
    pub fn leads_to(&self, material: &Material) -> Vec<Material> {
        let children = material.children(self.variant());
        let classes: BTreeSet<Material> = children.iter().map(|child| self.class_of(child)).collect();
        classes.into_iter().collect()
    }

    /// The classes without a table that [`Tables::generate`] would make for these classes, each after those it leads to.
    ///
    /// # Errors
    /// Why a table cannot be made.
    pub fn missing(&self, classes: &[Material]) -> Result<Vec<Material>, GenerateError> {
        self.check_game()?;
        let mut missing = Vec::new();
        for material in classes {
            self.collect_missing(&self.class_of(material), &mut Vec::new(), &mut missing)?;
        }
        Ok(missing)
    }

    /// Makes the table that a position needs, in memory, if it is missing and has at most three pieces.
    ///
    /// # Errors
    /// As for [`Tables::generate`].
    pub fn complete(&mut self, position: &AnyPosition, resources: Resources) -> Result<(), GenerateError> {
        let material = Material::of_position(position);
        if material.pieces() > MAX_PIECES_AT_ONCE || self.has(&material) {
            return Ok(());
        }
        self.generate(&material, None, resources, &mut |_| true)
    }

    fn check_game(&self) -> Result<(), GenerateError> {
        let variant = self.variant();
        if variant.fusions().is_empty() {
            Ok(())
        } else {
            Err(GenerateError::Fusions(variant.id().to_owned()))
        }
    }

    /// The classes that a class leads to and that have no table, and the class itself, each after those it leads to.
    fn collect_missing(
        &self,
        material: &Material,
        above: &mut Vec<Material>,
        missing: &mut Vec<Material>,
    ) -> Result<(), GenerateError> {
        if self.has(material) || missing.contains(material) {
            return Ok(());
        }
        let name = || material.name(self.variant());
        if material.pieces() > MAX_PIECES {
            return Err(GenerateError::Pieces(material.pieces()));
        }
        if above.contains(material) {
            return Err(GenerateError::Circle(name()));
        }
        if has_en_passant(self.variant(), material) {
            return Err(GenerateError::EnPassant(name()));
        }
        above.push(material.clone());
        for child in material.children(self.variant()) {
            self.collect_missing(&self.class_of(&child), above, missing)?;
        }
        above.pop();
        missing.push(material.clone());
        Ok(())
    }

    fn make(
        &mut self,
        material: &Material,
        folder: Option<&Path>,
        resources: Resources,
        progress: &mut dyn FnMut(GenerateProgress<'_>) -> bool,
    ) -> Result<(), GenerateError> {
        let name = material.name(self.variant());
        let index = self.index(material).ok_or_else(|| GenerateError::TooLarge(name.clone()))?;
        let needed = index.len() / 8 * BYTES_OF_EIGHT_NUMBERS;
        if needed > resources.memory {
            return Err(GenerateError::Memory { name, allowed: resources.memory, needed });
        }
        let mut report = |distance| progress(GenerateProgress { material, distance });
        let solve = Solve { tables: self, index: &index, threads: resources.threads, progress: &mut report };
        let codes = AnyPosition::start(self.variant()).visit(solve).map_err(|unsolved| match unsolved {
            Unsolved::Stopped => GenerateError::Stopped,
            Unsolved::TooLong => GenerateError::TooLong(name.clone()),
            Unsolved::Child(error) => GenerateError::Child { name: name.clone(), error },
            Unsolved::Missing => GenerateError::Missing(name.clone()),
        })?;
        let Some(folder) = folder else {
            self.add(material.clone(), index, codes);
            return Ok(());
        };
        let folder = game_folder(self.variant(), folder);
        let path = folder.join(format!("{name}.{EXTENSION}"));
        std::fs::create_dir_all(&folder).map_err(|error| FileError { path: folder, fault: error.into() })?;
        file::write(&path, self.digest, &name, &codes)?;
        Ok(self.load(&path)?)
    }
}

/// Whether pieces of both sides may capture each other en passant.
fn has_en_passant(variant: &Variant, material: &Material) -> bool {
    let roles = variant.en_passant_roles();
    Color::BOTH.into_iter().all(|color| material.of(color).iter().any(|role| roles.contains(*role)))
}

struct Solve<'a> {
    tables: &'a Tables,
    index: &'a Index,
    threads: usize,
    progress: &'a mut dyn FnMut(u16) -> bool,
}

impl WidthVisitor for Solve<'_> {
    type Output = Result<Vec<u16>, Unsolved>;

    fn visit<const N: usize>(self, _: &Position<N>, rules: &Rules<N>) -> Self::Output {
        let Self { tables, index, threads, progress } = self;
        Solver::new(tables.variant(), rules, index, tables, threads).solve(progress)
    }
}

impl Children for Tables {
    fn value<const N: usize>(&self, position: &Position<N>) -> Result<Option<Value>, FileError> {
        Self::value(self, position)
    }
}
