//! Areas: sets of squares as a variant file names them, seen from White; Black's follow by symmetry.
//!
//! ```text
//! area = item { " " item }
//! item = a4            a square
//!      | c9..i9        a straight run, both ends included
//!      | file-a        all squares of a file; rank-2 of a rank
//!      | camp          a region of the table [regions]
//!      | enemy:camp    the opponent's region of that name
//! ```

use crate::geometry::{Coord, Shape, Square, Symmetry, Vector};
use crate::piece::ByColor;
use std::collections::{BTreeMap, BTreeSet};

/// A set of squares, read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Area {
    /// As the file writes it.
    pub text: String,
    /// The items that the text names, in its order.
    pub items: Vec<AreaItem>,
    /// White's squares and Black's.
    pub squares: ByColor<Vec<Square>>,
}

/// Squares that a file names by one word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AreaItem {
    /// One square.
    Square(Square),
    /// A straight run, from end to end.
    Run(Vec<Square>),
    /// All squares of the file with this letter.
    File(String),
    /// All squares of the rank with this number.
    Rank(String),
    /// A region of the table `[regions]`.
    Region {
        /// Its name.
        name: String,
        /// Whether it is the opponent's.
        enemy: bool,
    },
}

/// Named regions and the board they lie on.
pub(crate) struct Areas<'v> {
    pub(crate) shape: &'v Shape,
    pub(crate) symmetry: Symmetry,
    pub(crate) symmetry_readable: bool,
    /// The symmetries that lay White's squares onto those of its opponents.
    pub(crate) enemies: Vec<Symmetry>,
    /// With more than two players, those of Black's opponents; `None` is White itself.
    pub(crate) second_enemies: Option<Vec<Option<Symmetry>>>,
    pub(crate) regions: BTreeMap<String, Vec<Square>>,
    /// Whether there can be no others.
    pub(crate) regions_known: bool,
    /// The regions of which not all squares could be read.
    pub(crate) incomplete: BTreeSet<String>,
}

/// A fault in an area: its byte offset, the expected text and the text found.
pub(crate) struct AreaFault {
    pub(crate) at: usize,
    pub(crate) expected: &'static str,
    pub(crate) found: String,
}

impl Areas<'_> {
    /// Reads an area: collects the faults and returns the readable items.
    pub(crate) fn parse(&self, text: &str, faults: &mut Vec<AreaFault>) -> Area {
        let mut squares = Vec::new();
        // Black's squares that are not the image of White's.
        let mut of_black = Vec::new();
        let mut items = Vec::new();
        for word in text.split_ascii_whitespace() {
            match self.item(word) {
                Ok((item, more)) => {
                    of_black.extend(match self.second_enemy_region(&item) {
                        Some(squares) => squares,
                        None => self.mirrored(&more),
                    });
                    items.push(item);
                    squares.extend(more);
                }
                Err(_) if self.may_be_region(word) => {}
                Err(expected) => faults.push(AreaFault {
                    at: word.as_ptr() as usize - text.as_ptr() as usize,
                    expected,
                    found: format!("`{word}`"),
                }),
            }
        }
        squares.sort_unstable();
        squares.dedup();
        let black = match self.second_enemies {
            None => self.mirrored(&squares),
            Some(_) => {
                of_black.sort_unstable();
                of_black.dedup();
                of_black
            }
        };
        Area { text: text.to_owned(), items, squares: ByColor::new(squares, black) }
    }

    /// With more than two players, the regions of this name of all of Black's opponents.
    fn second_enemy_region(&self, item: &AreaItem) -> Option<Vec<Square>> {
        let (AreaItem::Region { name, enemy: true }, Some(enemies)) = (item, &self.second_enemies) else {
            return None;
        };
        let squares = self.regions.get(name)?;
        let of = |symmetry: &Option<Symmetry>| match symmetry {
            Some(symmetry) => self.laid(squares, *symmetry),
            None => squares.clone(),
        };
        Some(enemies.iter().flat_map(of).collect())
    }

    /// Whether an area has squares of a region that could not be read.
    pub(crate) fn is_incomplete(&self, text: &str) -> bool {
        text.split_ascii_whitespace().any(|item| match item.strip_prefix("enemy:") {
            _ if self.may_be_region(item) => true,
            Some(name) => !self.symmetry_readable || self.incomplete.contains(name),
            None => self.incomplete.contains(item),
        })
    }

    /// Whether an item may name a region that could not be read.
    fn may_be_region(&self, item: &str) -> bool {
        let name = item.strip_prefix("enemy:").unwrap_or(item);
        let letters = |c: char| c.is_ascii_lowercase() || c == '-' || c == '_';
        !self.regions_known
            && !self.regions.contains_key(name)
            && !name.starts_with("file-")
            && name.chars().all(letters)
    }

    /// The same area as Black sees it.
    pub(crate) fn mirrored(&self, squares: &[Square]) -> Vec<Square> {
        self.laid(squares, self.symmetry)
    }

    fn laid(&self, squares: &[Square], symmetry: Symmetry) -> Vec<Square> {
        squares.iter().filter_map(|&square| symmetry.square(self.shape, square)).collect()
    }

    /// Distance in files plus ranks, the short way round, from each square to the nearest of `from`.
    pub(crate) fn distances(&self, from: &[Square]) -> Vec<u16> {
        let gap = |a: u8, b: u8, side: u8, joined: bool| {
            let straight = a.abs_diff(b);
            u16::from(if joined { straight.min(side - straight) } else { straight })
        };
        let (shape, wrap) = (self.shape, self.shape.wrap());
        let to = |a: Coord, b: Coord| {
            gap(a.file, b.file, shape.width(), wrap.files) + gap(a.rank, b.rank, shape.height(), wrap.ranks)
        };
        (shape.squares())
            .map(|square| {
                from.iter().map(|&start| to(shape.coord(square), shape.coord(start))).min().unwrap_or(0)
            })
            .collect()
    }

    /// The item that a word names, and its squares as White sees them.
    fn item(&self, word: &str) -> Result<(AreaItem, Vec<Square>), &'static str> {
        let region = |name: &str, enemy| AreaItem::Region { name: name.to_owned(), enemy };
        if let Some(name) = word.strip_prefix("enemy:") {
            let squares = self.regions.get(name).ok_or("the name of a region of the table [regions]")?;
            let of = |symmetry: &Symmetry| self.laid(squares, *symmetry);
            return Ok((region(name, true), self.enemies.iter().flat_map(of).collect()));
        }
        if let Some(squares) = self.regions.get(word) {
            return Ok((region(word, false), squares.clone()));
        }
        let line = |matches: &dyn Fn(Coord) -> bool| {
            self.shape.squares().filter(|&square| matches(self.shape.coord(square))).collect::<Vec<_>>()
        };
        if let Some(file) = word.strip_prefix("file-") {
            let squares = line(&|at| char::from(b'a' + at.file).to_string() == file);
            return Ok((
                AreaItem::File(file.to_owned()),
                non_empty(squares, "a file of the board, `file-a`")?,
            ));
        }
        if let Some(rank) = word.strip_prefix("rank-") {
            let squares = line(&|at| (at.rank + 1).to_string() == rank);
            return Ok((
                AreaItem::Rank(rank.to_owned()),
                non_empty(squares, "a rank of the board, `rank-2`")?,
            ));
        }
        const EXPECTED: &str =
            "a square, a run `c9..i9`, `file-a`, `rank-2`, the name of a region, or `enemy:` and one";
        match word.split_once("..") {
            None => {
                let square = self.shape.named(word).ok_or(EXPECTED)?;
                Ok((AreaItem::Square(square), vec![square]))
            }
            Some((from, to)) => {
                let from = self.shape.named(from).ok_or(EXPECTED)?;
                let to = self.shape.named(to).ok_or(EXPECTED)?;
                let run =
                    self.run(from, to).ok_or("two squares on one straight line without holes between")?;
                Ok((AreaItem::Run(run.clone()), run))
            }
        }
    }

    fn run(&self, from: Square, to: Square) -> Option<Vec<Square>> {
        if from == to {
            return Some(vec![from]);
        }
        Vector::EIGHT.iter().find_map(|&step| {
            let ray = self.shape.ray(from, step);
            let end = ray.iter().position(|&square| square == to)?;
            Some(core::iter::once(from).chain(ray[..=end].iter().copied()).collect())
        })
    }
}

fn non_empty(squares: Vec<Square>, expected: &'static str) -> Result<Vec<Square>, &'static str> {
    if squares.is_empty() { Err(expected) } else { Ok(squares) }
}
