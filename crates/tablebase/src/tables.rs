//! The tables of one game: files of a folder, or tables in memory, and the values of positions in them.

use crate::file::{BLOCK, Digest, FileError, FileFault, TableFile};
use crate::index::Index;
use crate::material::{MAX_PIECES, Material, MaterialKey};
use crate::value::Value;
use arrayvec::ArrayVec;
use lozenge_rules::geometry::Square;
use lozenge_rules::position::{AnyPosition, Move, Piece, PlacedPiece, Position, RoleSet, WidthVisitor};
use lozenge_rules::variant::{Rules, Variant};
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use sha2::{Digest as _, Sha256};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The ending of the names of tables' files.
pub const EXTENSION: &str = "lzt";

/// Memory for blocks of files, in bytes.
const CACHE_BYTES: u64 = 64 << 20;

/// Bytes of an average block, to size the cache.
const AVERAGE_BLOCK_BYTES: u64 = BLOCK as u64;

/// The tables of a game. A clone has the same tables, and gets no more when this one does.
#[derive(Clone)]
pub struct Tables {
    variant: Arc<Variant>,
    pub(crate) digest: Digest,
    /// By square, where the colors' exchange takes it, in games where both sides move alike.
    exchange: Option<Vec<Square>>,
    classes: HashMap<MaterialKey, Class>,
    most_pieces: usize,
    cache: Arc<BlockCache>,
}

/// A class, as it is, or with colors exchanged.
#[derive(Clone)]
struct Class {
    table: Arc<Table>,
    exchanged: bool,
}

/// The table of one class.
pub(crate) struct Table {
    pub(crate) material: Material,
    key: MaterialKey,
    pub(crate) index: Index,
    values: Values,
}

enum Values {
    Codes(Vec<u16>),
    File(TableFile),
}

/// A description of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableInfo {
    /// Its class.
    pub material: Material,
    /// The longest distance to a win, in half moves.
    pub longest: u16,
    /// Bytes of its file; `None` if it is in memory only.
    pub bytes: Option<u64>,
}

/// Blocks of files, by class and number.
type BlockCache = Cache<(MaterialKey, u32), Arc<[u8]>, BlockWeighter>;

#[derive(Clone)]
struct BlockWeighter;

impl Weighter<(MaterialKey, u32), Arc<[u8]>> for BlockWeighter {
    fn weight(&self, _: &(MaterialKey, u32), block: &Arc<[u8]>) -> u64 {
        block.len() as u64
    }
}

impl core::fmt::Debug for Tables {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Tables")
            .field("game", &self.variant.id())
            .field("classes", &self.classes.len())
            .finish()
    }
}

impl Tables {
    /// No tables yet.
    #[must_use]
    pub fn new(variant: &Arc<Variant>) -> Self {
        let mut digest = Sha256::new();
        for text in variant.texts() {
            digest.update((text.len() as u64).to_le_bytes());
            digest.update(text.as_bytes());
        }
        let all: RoleSet = variant.roles().iter().map(|(role, _)| role).collect();
        Self {
            exchange: variant.color_exchange(all),
            variant: Arc::clone(variant),
            digest: digest.finalize().into(),
            classes: HashMap::new(),
            most_pieces: 0,
            cache: Arc::new(Cache::with_weighter(
                (CACHE_BYTES / AVERAGE_BLOCK_BYTES) as usize,
                CACHE_BYTES,
                BlockWeighter,
            )),
        }
    }

    /// The tables in the game's folder below this one; none if there is no such folder.
    ///
    /// # Errors
    /// The first file that is not a whole table of this version of the game.
    pub fn open(variant: &Arc<Variant>, folder: &Path) -> Result<Self, FileError> {
        let mut tables = Self::new(variant);
        for path in files(&game_folder(variant, folder))? {
            tables.load(&path)?;
        }
        Ok(tables)
    }

    /// As [`Tables::open`], but leaves out the files that are refused, and returns why.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn open_whole(variant: &Arc<Variant>, folder: &Path) -> Result<(Self, Vec<FileError>), FileError> {
        let mut tables = Self::new(variant);
        let files = files(&game_folder(variant, folder))?;
        let refused = files.into_iter().filter_map(|path| tables.load(&path).err()).collect();
        Ok((tables, refused))
    }

    /// Adds the table of a file.
    pub(crate) fn load(&mut self, path: &Path) -> Result<(), FileError> {
        let fail = |fault| FileError { path: path.to_owned(), fault };
        let file = TableFile::open(path)?;
        if file.head.digest != self.digest {
            return Err(fail(FileFault::Digest));
        }
        let expected = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let material = Material::parse(&self.variant, &file.head.name)
            .filter(|material| material.name(&self.variant) == expected && file.head.name == expected);
        let Some(material) = material else { return Err(fail(FileFault::Class { expected })) };
        match self.index(&material) {
            Some(index) if index.len() as u64 == file.head.numbers => {
                self.insert(material, index, Values::File(file));
                Ok(())
            }
            _ => Err(fail(FileFault::Class { expected })),
        }
    }

    /// Adds a table that has just been made.
    pub(crate) fn add(&mut self, material: Material, index: Index, codes: Vec<u16>) {
        self.insert(material, index, Values::Codes(codes));
    }

    fn insert(&mut self, material: Material, index: Index, values: Values) {
        let Some(key) = self.key(&material) else { return };
        self.most_pieces = self.most_pieces.max(material.pieces());
        let exchanged = self.exchange.as_ref().and_then(|_| self.key(&material.exchanged()));
        let table = Arc::new(Table { material, key, index, values });
        if let Some(exchanged) = exchanged {
            self.classes.insert(exchanged, Class { table: Arc::clone(&table), exchanged: true });
        }
        self.classes.insert(key, Class { table, exchanged: false });
    }

    /// Adds the tables of another set of the same game that are missing here, or in memory only.
    pub(crate) fn extend(&mut self, other: &Self) {
        for (key, class) in &other.classes {
            let is_file = |class: &Class| matches!(class.table.values, Values::File(_));
            if self.classes.get(key).is_none_or(|own| !is_file(own) && is_file(class)) {
                self.classes.insert(*key, class.clone());
            }
        }
        self.most_pieces = self.most_pieces.max(other.most_pieces);
    }

    fn key(&self, material: &Material) -> Option<MaterialKey> {
        MaterialKey::of(&mut material.list(self.variant.roles().royal()?))
    }

    /// How the positions of a class are numbered; `None` if there are too many.
    pub(crate) fn index(&self, material: &Material) -> Option<Index> {
        struct Make<'a>(&'a Variant, &'a Material);
        impl WidthVisitor for Make<'_> {
            type Output = Option<Index>;
            fn visit<const N: usize>(self, _: &Position<N>, rules: &Rules<N>) -> Option<Index> {
                Index::new(self.0, rules, self.1).ok()
            }
        }
        (material.pieces() <= MAX_PIECES)
            .then(|| AnyPosition::start(&self.variant).visit(Make(&self.variant, material)))
            .flatten()
    }

    /// The game.
    #[must_use]
    pub fn variant(&self) -> &Arc<Variant> {
        &self.variant
    }

    /// Whether both sides move alike, so that one table serves for both colors.
    #[must_use]
    pub fn colors_are_alike(&self) -> bool {
        self.exchange.is_some()
    }

    /// The class whose table covers this one: itself, or the one with colors exchanged.
    #[must_use]
    pub fn class_of(&self, material: &Material) -> Material {
        if self.exchange.is_some() && !material.is_white_first() {
            material.exchanged()
        } else {
            material.clone()
        }
    }

    /// Whether there is a table for this class.
    #[must_use]
    pub fn has(&self, material: &Material) -> bool {
        self.key(material).is_some_and(|key| self.classes.contains_key(&key))
    }

    /// The most pieces of a position that some table covers; 0 without tables.
    #[must_use]
    pub fn most_pieces(&self) -> usize {
        self.most_pieces
    }

    /// The tables, in the order of their classes.
    #[must_use]
    pub fn list(&self) -> Vec<TableInfo> {
        let tables = self.classes.values().filter(|class| !class.exchanged).map(|class| class.table.info());
        let mut list: Vec<TableInfo> = tables.collect();
        list.sort_by_key(|info| (info.material.pieces(), info.material.clone()));
        list
    }

    pub(crate) fn table(&self, material: &Material) -> Option<&Arc<Table>> {
        Some(&self.classes.get(&self.key(material)?)?.table)
    }

    /// The value of a position for the side to move; `None` if no table covers it.
    ///
    /// # Errors
    /// When the file of its table is damaged.
    pub fn probe(&self, position: &AnyPosition) -> Result<Option<Value>, FileError> {
        struct Probe<'a>(&'a Tables);
        impl WidthVisitor for Probe<'_> {
            type Output = Result<Option<Value>, FileError>;
            fn visit<const N: usize>(self, position: &Position<N>, _: &Rules<N>) -> Self::Output {
                self.0.value(position)
            }
        }
        position.visit(Probe(self))
    }

    /// The legal moves of a position with their values for the side that plays them, the best first; `None` if no table
    /// covers the position or a move.
    ///
    /// # Errors
    /// When the file of a table is damaged.
    pub fn moves(&self, position: &AnyPosition) -> Result<Option<Vec<(Move, Value)>>, FileError> {
        let mut moves = Vec::new();
        for legal in position.legal_moves() {
            let Some(value) = self.probe(&position.play_unchecked(legal))? else { return Ok(None) };
            moves.push((legal, value.before_move()));
        }
        moves.sort_by_key(|(legal, value)| (core::cmp::Reverse(value.rank()), *legal));
        Ok(Some(moves))
    }

    /// As [`Tables::probe`], for the fast form of a position.
    ///
    /// # Errors
    /// As for [`Tables::probe`].
    pub fn value<const N: usize>(&self, position: &Position<N>) -> Result<Option<Value>, FileError> {
        if position.occupied().len() as usize > self.most_pieces || position.rights() != 0 {
            return Ok(None);
        }
        let mut placed: ArrayVec<PlacedPiece, MAX_PIECES> = position.placed_pieces().collect();
        let mut pieces: ArrayVec<Piece, MAX_PIECES> = placed.iter().map(|placed| placed.piece).collect();
        let class = MaterialKey::of(&mut pieces).and_then(|key| self.classes.get(&key));
        let Some(Class { table, exchanged }) = class else { return Ok(None) };
        let mut turn = position.turn();
        if let Some(exchange) = self.exchange.as_ref().filter(|_| *exchanged) {
            turn = turn.opponent();
            for PlacedPiece { piece, square, .. } in &mut placed {
                *piece = Piece::new(piece.color().opponent(), piece.role());
                *square = exchange[square.index()];
            }
        }
        let Some(placement) = table.index.placement(placed.into_iter()) else { return Ok(None) };
        let code = self.code(table, table.index.number(&placement, turn))?;
        Ok(Some(Value::of_code(code)))
    }

    /// The code of a number in a table.
    fn code(&self, table: &Table, number: usize) -> Result<u16, FileError> {
        let file = match &table.values {
            Values::Codes(codes) => return Ok(codes[number]),
            Values::File(file) => file,
        };
        let (block, at) = (number / BLOCK, number % BLOCK);
        let key = (table.key, block as u32);
        let bytes = match self.cache.get(&key) {
            Some(bytes) => bytes,
            None => {
                let bytes: Arc<[u8]> = file.block(block)?.into();
                self.cache.insert(key, Arc::clone(&bytes));
                bytes
            }
        };
        Ok(if file.head.width == 1 {
            bytes[at].into()
        } else {
            u16::from_le_bytes([bytes[at * 2], bytes[at * 2 + 1]])
        })
    }
}

impl Table {
    fn info(&self) -> TableInfo {
        let longest = |codes: &[u16]| {
            let present = codes.iter().filter(|code| **code != crate::value::ABSENT);
            present.filter_map(|code| Value::of_code(*code).distance()).max().unwrap_or(0)
        };
        match &self.values {
            Values::Codes(codes) => {
                TableInfo { material: self.material.clone(), longest: longest(codes), bytes: None }
            }
            Values::File(file) => TableInfo {
                material: self.material.clone(),
                longest: file.head.longest,
                bytes: Some(file.bytes()),
            },
        }
    }
}

/// The folder of a game's tables.
pub(crate) fn game_folder(variant: &Variant, folder: &Path) -> PathBuf {
    folder.join(variant.id())
}

/// The files of tables in a folder, in the order of their names.
fn files(folder: &Path) -> Result<Vec<PathBuf>, FileError> {
    let failed = |error: std::io::Error| FileError { path: folder.to_owned(), fault: error.into() };
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed(error)),
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == EXTENSION) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
