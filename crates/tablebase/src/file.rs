//! The file of a table: a head that names the game, its version and the class, then blocks of codes, each compressed by itself.
//!
//! ```text
//! magic, format   "LozengeTable", u16
//! digest          32 bytes, SHA-256 of the game's texts
//! name            u8 length, bytes: KRvK
//! numbers         u64; bytes of a code u8; longest distance u16; blocks u32
//! blocks          for each: compressed bytes u32, CRC-32 of them u32
//! CRC-32          of all this
//! then the blocks, raw deflate, of BLOCK codes each
//! ```
//!
//! Numbers are little-endian. Codes of numbers without a position repeat the code before them: they are never read.

use crate::value::{ABSENT, Value};
use flate2::{Compress, Compression, Crc, Decompress, FlushCompress, FlushDecompress, Status};
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Codes of a block.
pub(crate) const BLOCK: usize = 1 << 15;

const MAGIC: &[u8; 12] = b"LozengeTable";
const FORMAT: u16 = 1;

/// SHA-256 of the texts of a game.
pub(crate) type Digest = [u8; 32];

/// Why a file of a table is refused.
#[derive(Debug, thiserror::Error)]
#[error("{}: {fault}", path.display())]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// The fault.
    pub fault: FileFault,
}

/// A fault of a table's file.
#[derive(Debug, thiserror::Error)]
pub enum FileFault {
    /// It cannot be read or written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It does not begin as a table does.
    #[error("expected a table of Lozenge, found another file")]
    NoTable,
    /// It was written in another format.
    #[error("expected format {FORMAT}, found format {0}")]
    Format(u16),
    /// It is of another game, or of another version of this one.
    #[error("expected a table of this version of the game, found one of another: generate it again")]
    Digest,
    /// Its head names another class or size.
    #[error("expected the table of {expected}, found another")]
    Class {
        /// The name of the class.
        expected: String,
    },
    /// It is shorter or longer than its head states.
    #[error("expected {expected} bytes, found {found}")]
    Length {
        /// As the head states.
        expected: u64,
        /// As the system reports.
        found: u64,
    },
    /// Its head is damaged.
    #[error("expected an intact head, found a damaged one")]
    Head,
    /// A block is damaged.
    #[error("expected an intact block {0}, found a damaged one")]
    Block(usize),
}

/// The description of a table in its file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TableHeader {
    pub(crate) digest: Digest,
    pub(crate) name: String,
    pub(crate) numbers: u64,
    /// Bytes of a code: 1 or 2.
    pub(crate) width: u8,
    pub(crate) longest: u16,
}

/// An open file.
#[derive(Debug)]
pub(crate) struct TableFile {
    pub(crate) path: PathBuf,
    pub(crate) head: TableHeader,
    file: Mutex<File>,
    /// By block: where it begins, its compressed bytes, and their CRC.
    blocks: Vec<(u64, u32, u32)>,
}

/// Writes a table to a file, which appears under its name only when it is complete.
pub(crate) fn write(path: &Path, digest: Digest, name: &str, codes: &[u16]) -> Result<(), FileError> {
    let failed = |error: io::Error| FileError { path: path.to_owned(), fault: error.into() };
    let present = || codes.iter().copied().filter(|code| *code != ABSENT);
    let width = if present().all(|code| code <= 0xFF) { 1 } else { 2 };
    let longest = present().map(|code| Value::of_code(code).distance().unwrap_or(0)).max();
    let (mut table, mut blocks) = (Vec::new(), Vec::new());
    let mut last = 0;
    for block in codes.chunks(BLOCK) {
        let mut raw = Vec::with_capacity(block.len() * usize::from(width));
        for &code in block {
            last = if code == ABSENT { last } else { code };
            raw.extend_from_slice(&last.to_le_bytes()[..usize::from(width)]);
        }
        let compressed = compress(&raw).map_err(failed)?;
        let mut crc = Crc::new();
        crc.update(&compressed);
        table.extend_from_slice(&(compressed.len() as u32).to_le_bytes());
        table.extend_from_slice(&crc.sum().to_le_bytes());
        blocks.extend_from_slice(&compressed);
    }
    let mut head = Vec::new();
    head.extend_from_slice(MAGIC);
    head.extend_from_slice(&FORMAT.to_le_bytes());
    head.extend_from_slice(&digest);
    head.push(name.len() as u8);
    head.extend_from_slice(name.as_bytes());
    head.extend_from_slice(&(codes.len() as u64).to_le_bytes());
    head.push(width);
    head.extend_from_slice(&longest.unwrap_or(0).to_le_bytes());
    head.extend_from_slice(&(codes.len().div_ceil(BLOCK) as u32).to_le_bytes());
    head.extend_from_slice(&table);
    let mut crc = Crc::new();
    crc.update(&head);
    head.extend_from_slice(&crc.sum().to_le_bytes());
    let unfinished = path.with_extension("unfinished");
    let mut file = File::create(&unfinished).map_err(failed)?;
    let mut write = |bytes: &[u8]| file.write_all(bytes).map_err(failed);
    write(&head)?;
    write(&blocks)?;
    file.sync_all().map_err(failed)?;
    std::fs::rename(&unfinished, path).map_err(failed)
}

impl TableFile {
    /// Opens a file and checks its head and its length.
    pub(crate) fn open(path: &Path) -> Result<Self, FileError> {
        Self::read(path).map_err(|fault| FileError { path: path.to_owned(), fault })
    }

    fn read(path: &Path) -> Result<Self, FileFault> {
        let mut file = File::open(path)?;
        let found = file.metadata()?.len();
        let mut head = HeadReader { file: &mut file, crc: Crc::new(), read: 0, found };
        let magic: [u8; 12] = head.bytes().map_err(|_| FileFault::NoTable)?;
        if magic != *MAGIC {
            return Err(FileFault::NoTable);
        }
        let format = u16::from_le_bytes(head.bytes()?);
        if format != FORMAT {
            return Err(FileFault::Format(format));
        }
        let digest = head.bytes()?;
        let [length] = head.bytes()?;
        let name = String::from_utf8(head.vec(length.into())?).map_err(|_| FileFault::Head)?;
        let numbers = u64::from_le_bytes(head.bytes()?);
        let [width] = head.bytes()?;
        let longest = u16::from_le_bytes(head.bytes()?);
        let count = u32::from_le_bytes(head.bytes()?);
        if !matches!(width, 1 | 2) || numbers.div_ceil(BLOCK as u64) != u64::from(count) {
            return Err(FileFault::Head);
        }
        let table = head.vec(u64::from(count) * 8)?;
        let sum = head.crc.sum();
        if u32::from_le_bytes(head.bytes()?) != sum {
            return Err(FileFault::Head);
        }
        let mut end = head.read;
        let mut blocks = Vec::with_capacity(count as usize);
        for (entry, _) in table.as_chunks::<8>().0.iter().zip(0..count) {
            let [a, b, c, d, e, f, g, h] = *entry;
            let (length, crc) = (u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h]));
            blocks.push((end, length, crc));
            end += u64::from(length);
        }
        if end != found {
            return Err(FileFault::Length { expected: end, found });
        }
        let head = TableHeader { digest, name, numbers, width, longest };
        Ok(Self { path: path.to_owned(), head, file: Mutex::new(file), blocks })
    }

    /// How many bytes the file has.
    pub(crate) fn bytes(&self) -> u64 {
        self.blocks.last().map_or(0, |(start, length, _)| start + u64::from(*length))
    }

    /// The codes of a block, `head.width` bytes each.
    pub(crate) fn block(&self, number: usize) -> Result<Box<[u8]>, FileError> {
        self.read_block(number).map_err(|fault| FileError { path: self.path.clone(), fault })
    }

    fn read_block(&self, number: usize) -> Result<Box<[u8]>, FileFault> {
        let &(start, length, sum) = self.blocks.get(number).ok_or(FileFault::Block(number))?;
        let mut compressed = vec![0; length as usize];
        {
            let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            file.seek(SeekFrom::Start(start))?;
            file.read_exact(&mut compressed)?;
        }
        let mut crc = Crc::new();
        crc.update(&compressed);
        if crc.sum() != sum {
            return Err(FileFault::Block(number));
        }
        let rest = self.head.numbers - (number * BLOCK) as u64;
        let codes = rest.min(BLOCK as u64) as usize;
        let mut raw = vec![0; codes * usize::from(self.head.width)];
        let mut inflate = Decompress::new(false);
        let status = inflate.decompress(&compressed, &mut raw, FlushDecompress::Finish);
        match status {
            Ok(Status::StreamEnd) if inflate.total_out() == raw.len() as u64 => Ok(raw.into()),
            _ => Err(FileFault::Block(number)),
        }
    }
}

fn compress(raw: &[u8]) -> io::Result<Vec<u8>> {
    let mut deflate = Compress::new(Compression::best(), false);
    // Deflate adds at most some bytes to each 32 KiB that it cannot compress.
    let mut compressed = Vec::with_capacity(raw.len() + raw.len() / 100 + 256);
    match deflate.compress_vec(raw, &mut compressed, FlushCompress::Finish)? {
        Status::StreamEnd => Ok(compressed),
        _ => Err(io::Error::other("deflate made more of a block than it may")),
    }
}

/// Reads a head and its checksum.
struct HeadReader<'a> {
    file: &'a mut File,
    crc: Crc,
    read: u64,
    found: u64,
}

impl HeadReader<'_> {
    fn bytes<const COUNT: usize>(&mut self) -> Result<[u8; COUNT], FileFault> {
        let mut bytes = [0; COUNT];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    fn vec(&mut self, count: u64) -> Result<Vec<u8>, FileFault> {
        // No more than the file has.
        self.check(count)?;
        let mut bytes = vec![0; count as usize];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    fn check(&self, count: u64) -> Result<(), FileFault> {
        let expected = self.read + count;
        if expected > self.found {
            return Err(FileFault::Length { expected, found: self.found });
        }
        Ok(())
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), FileFault> {
        self.check(bytes.len() as u64)?;
        self.file.read_exact(bytes)?;
        self.crc.update(bytes);
        self.read += bytes.len() as u64;
        Ok(())
    }
}
