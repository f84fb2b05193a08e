//! Capture paths: every way in which a piece can capture along a trail, by where it stands and where it
//! captures. Each is a pattern that one test of the board's occupation decides:
//!
//! ```text
//! |way & (occupied ^ flipped)| = pieces
//! ```
//!
//! `way` holds the squares between. For a slide, straight or bent, no piece may stand on it; for a hop
//! one piece, anywhere. Where a piece must stand on one certain square, that square is flipped. A move of
//! the other side leaves one square and arrives on one, so it changes the count by one at most each time.
//! That is why the King's safety is a matter of counting (`position::trail_safety`).

use super::trails::{Hop, Pass, Trails};
use crate::geometry::{Square, SquareSet};
use crate::piece::{ByColor, Color, Piece};

/// Most capture paths a game may have, all pieces and squares together: about 40 MiB.
pub(crate) const MAX_CAPTURE_PATHS: usize = 1 << 20;

/// One way of capturing from a square on another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CapturePath<const N: usize> {
    /// The squares between.
    pub(crate) way: SquareSet<N>,
    /// How many pieces must be there, flipped squares counting the other way round.
    pub(crate) pieces: u8,
    /// Only while the piece stands unmoved on a starting square of its kind.
    pub(crate) initial: bool,
    /// Which of the sets in [`Capture paths::flips`] are the squares where a piece must stand; 0 for none.
    pub(crate) flip: u16,
}

/// All capture paths of a game.
#[derive(Debug)]
pub(crate) struct CapturePaths<const N: usize> {
    squares: usize,
    /// By piece index: its table, if it captures along trails. Both colors share one where they can.
    tables: Box<[Option<u8>]>,
    /// By table, captured square and square of departure: where the list ends.
    ends: Box<[u32]>,
    list: Box<[CapturePath<N>]>,
    flips: Vec<SquareSet<N>>,
    /// By color and square: from where some piece of that color might capture there.
    attackers: ByColor<Box<[SquareSet<N>]>>,
}

impl<const N: usize> CapturePaths<N> {
    /// Reads the capture paths off the trails; `None` if there are too many.
    pub(crate) fn new(trails: &Trails, pieces: &[Piece], squares: usize) -> Option<Self> {
        let mut all = Self {
            squares,
            tables: Box::default(),
            ends: Box::default(),
            list: Box::default(),
            flips: vec![SquareSet::EMPTY],
            attackers: ByColor::from_fn(|_| vec![SquareSet::EMPTY; squares].into()),
        };
        let (mut ends, mut list): (Vec<u32>, Vec<CapturePath<N>>) = (Vec::new(), Vec::new());
        let mut tables = vec![None; pieces.len()];
        for &piece in pieces {
            let cells = all.of_piece(trails, piece)?;
            if cells.is_empty() {
                continue;
            }
            let table = Self::table(cells, squares);
            let twin = Piece::new(piece.color().opponent(), piece.role());
            let same = tables[twin.index()].filter(|&twin: &u8| {
                let row = usize::from(twin) * squares * squares;
                let first = if row == 0 { 0 } else { ends[row - 1] };
                let rows = &ends[row..row + squares * squares];
                table.0.iter().zip(rows).all(|(own, other)| own + first == *other)
                    && table.1[..] == list[first as usize..rows[rows.len() - 1] as usize]
            });
            tables[piece.index()] = same.or_else(|| {
                let number = (ends.len() / (squares * squares)) as u8;
                let before = list.len() as u32;
                ends.extend(table.0.iter().map(|end| end + before));
                list.extend(table.1);
                Some(number)
            });
            if list.len() > MAX_CAPTURE_PATHS || all.flips.len() > usize::from(u16::MAX) {
                return None;
            }
        }
        (all.tables, all.ends, all.list) = (tables.into(), ends.into(), list.into());
        Some(all)
    }

    /// The capture paths of a piece, each with its cell (captured square, square of departure), sorted, once;
    /// `None` if there are too many.
    fn of_piece(&mut self, trails: &Trails, piece: Piece) -> Option<Vec<(usize, CapturePath<N>)>> {
        let mut cells: Vec<(usize, CapturePath<N>)> = Vec::new();
        for from in (0..self.squares as u16).map(|number| Square::new(number as u8)) {
            for trail in trails.of(piece.index() * self.squares + from.index()) {
                if !trail.capture {
                    continue;
                }
                // The nodes above the present one: where their subtrees end, and the pattern so far.
                let mut above: Vec<(usize, SquareSet<N>, SquareSet<N>)> = Vec::new();
                for (at, node) in trails.nodes(trail).iter().enumerate() {
                    while above.last().is_some_and(|&(end, ..)| end <= at) {
                        above.pop();
                    }
                    let (way, flipped) = match above.last() {
                        Some(&(_, way, flipped)) => (way, flipped),
                        None => (SquareSet::EMPTY, SquareSet::EMPTY),
                    };
                    let (pieces, flipped_here) = match trail.hop {
                        Hop::No => (Some(0), flipped),
                        Hop::One => ((at > 0).then_some(1), flipped),
                        Hop::Behind => {
                            let before = at.checked_sub(1).map(|before| trails.nodes(trail)[before].square);
                            (before.map(|_| 0), before.map_or(SquareSet::EMPTY, SquareSet::of))
                        }
                    };
                    if let Some(pieces) = pieces.filter(|_| node.stop) {
                        let flip = self.flip(flipped_here);
                        let path = CapturePath { way, pieces, initial: trail.initial, flip };
                        cells.push((node.square.index() * self.squares + from.index(), path));
                        self.attackers[piece.color()][node.square.index()].insert(from);
                    }
                    let here = SquareSet::of(node.square);
                    let passed = if node.pass == Pass::ANY { way } else { way | here };
                    let flipped = if node.pass == Pass::OCCUPIED { flipped | here } else { flipped };
                    above.push((at + usize::from(node.size), passed, flipped));
                }
                if cells.len() > 2 * MAX_CAPTURE_PATHS {
                    return None;
                }
            }
        }
        cells.sort_unstable_by_key(|&(cell, CapturePath { way, pieces, initial, flip })| {
            (cell, pieces, initial, flip, way.0)
        });
        cells.dedup();
        Some(cells)
    }

    fn flip(&mut self, flipped: SquareSet<N>) -> u16 {
        if flipped.is_empty() {
            return 0;
        }
        let known = self.flips.iter().rposition(|&known| known == flipped);
        let at = known.unwrap_or_else(|| {
            self.flips.push(flipped);
            self.flips.len() - 1
        });
        at.min(usize::from(u16::MAX)) as u16
    }

    fn table(cells: Vec<(usize, CapturePath<N>)>, squares: usize) -> (Vec<u32>, Vec<CapturePath<N>>) {
        let mut ends = vec![0; squares * squares];
        for &(cell, _) in &cells {
            ends[cell] += 1;
        }
        let mut total = 0;
        for end in &mut ends {
            total += *end;
            *end = total;
        }
        (ends, cells.into_iter().map(|(_, path)| path).collect())
    }

    /// From where some piece of a color might capture on a square along a trail.
    #[inline]
    pub(crate) fn attackers(&self, color: Color, target: Square) -> SquareSet<N> {
        self.attackers[color][target.index()]
    }

    /// How a piece on `from` might capture on `target`.
    #[inline]
    pub(crate) fn of(&self, piece: Piece, from: Square, target: Square) -> &[CapturePath<N>] {
        let Some(table) = self.tables[piece.index()] else { return &[] };
        let at = (usize::from(table) * self.squares + target.index()) * self.squares + from.index();
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.list[start as usize..self.ends[at] as usize]
    }

    /// The squares of an capture path where a piece must stand.
    #[inline]
    pub(crate) fn flipped(&self, path: &CapturePath<N>) -> SquareSet<N> {
        self.flips[usize::from(path.flip)]
    }

    /// Memory, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.ends)
            + size_of_val(&*self.list)
            + size_of_val(&*self.flips)
            + self.attackers.iter().map(|table| size_of_val(&**table)).sum::<usize>()
    }
}

impl<const N: usize> CapturePath<N> {
    /// How far the count of pieces on the way is from what a capture needs: 0 when it can be made.
    #[inline]
    pub(crate) fn missing(&self, occupied: SquareSet<N>, flipped: SquareSet<N>) -> i32 {
        i32::from(self.pieces) - ((occupied ^ flipped) & self.way).len() as i32
    }
}
