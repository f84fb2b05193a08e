//! Slider attacks: rays from every square, and the tables that answer "which squares does a rook
//! see under this occupation" without walking. Right on every surface: edges, holes, rings.
//!
//! Three back ends, chosen when the game is loaded. For each square and axis the occupation of the
//! axis is gathered into an index (PEXT). The order of the gathered bits does not matter, so rings
//! need no special case. *Direct*: the index leads to the set. *Classed*: it leads to a number, shared
//! by all squares with the same pattern, and that to the set. On a ring of twelve files 24 KiB of
//! numbers and 1 MiB of sets do the work of 27 MiB. *Walk*: step along the rays until something is in
//! the way; for processors without PEXT and for lines too long to index.

use crate::geometry::{BySquare, Shape, Square, SquareSet, Vector};
use std::collections::{BTreeMap, BTreeSet};

/// Direct tables of at most this size are built; larger ones are classed.
const DIRECT_LIMIT_BYTES: usize = 256 << 10;

/// The longest gathered index, in bits.
const MAX_INDEX_BITS: u32 = 12;

/// Rays and slider attacks of one board.
#[derive(Debug)]
pub(crate) struct Sliders<const N: usize> {
    /// By square: everything an orthogonal slider could ever see, then a diagonal one.
    reach: BySquare<[SquareSet<N>; 2], N>,
    /// By square: everything on the axis (both rays): vertical, horizontal, rising, falling.
    axis_reach: BySquare<[SquareSet<N>; 4], N>,
    /// All rays end to end; `ray_ends[square * 8 + direction]` is where each one ends.
    ray_squares: Box<[Square]>,
    ray_ends: Box<[u32]>,
    tables: Tables<N>,
}

#[derive(Debug)]
enum Tables<const N: usize> {
    Walk,
    Direct { heads: Box<BySquare<[SliderHead<N>; 4], N>>, sets: Box<[SquareSet<N>]> },
    Classed { heads: Box<BySquare<[SliderHead<N>; 4], N>>, classes: Box<[u8]>, sets: Box<[SquareSet<N>]> },
}

/// Where the tables of one square and axis are, and which squares make the index.
#[derive(Clone, Copy, Debug)]
struct SliderHead<const N: usize> {
    relevant: SquareSet<N>,
    shifts: [u8; N],
    /// Where its sets begin.
    sets: u32,
    /// Where its classes begin, in classed tables.
    classes: u32,
}

/// Orthogonal or diagonal: the index into `reach`, and half the index of the first axis.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum LineKind {
    Orthogonal,
    Diagonal,
}

impl<const N: usize> Sliders<N> {
    pub(crate) fn new(shape: &Shape) -> Self {
        let (mut ray_squares, mut ray_ends) = (Vec::new(), Vec::new());
        for square in shape.squares() {
            for step in Vector::EIGHT {
                ray_squares.extend(shape.ray(square, step));
                ray_ends.push(ray_squares.len() as u32);
            }
        }
        let mut sliders = Self {
            reach: BySquare::filled([SquareSet::EMPTY; 2]),
            axis_reach: BySquare::filled([SquareSet::EMPTY; 4]),
            ray_squares: ray_squares.into(),
            ray_ends: ray_ends.into(),
            tables: Tables::Walk,
        };
        for square in shape.squares() {
            let axes = core::array::from_fn(|axis| sliders.walk_axis(square, axis, SquareSet::EMPTY));
            sliders.axis_reach[square] = axes;
            sliders.reach[square] = [axes[0] | axes[1], axes[2] | axes[3]];
        }
        if cfg!(target_feature = "bmi2") {
            sliders.tables = Tables::new(shape, &sliders);
        }
        sliders
    }

    /// The squares from `square` in direction `direction` of [`Vector::EIGHT`], nearest first.
    #[inline]
    pub(crate) fn ray(&self, square: Square, direction: usize) -> &[Square] {
        let which = square.index() * 8 + direction;
        let start = if which == 0 { 0 } else { self.ray_ends[which - 1] };
        &self.ray_squares[start as usize..self.ray_ends[which] as usize]
    }

    /// Everything a slider on these lines could see from `square` on an empty board.
    #[inline]
    pub(crate) fn reach(&self, square: Square, lines: LineKind) -> SquareSet<N> {
        self.reach[square][lines as usize]
    }

    /// Both rays of an axis: 0 vertical, 1 horizontal, 2 rising, 3 falling.
    #[inline]
    pub(crate) fn axis_reach(&self, square: Square, axis: usize) -> SquareSet<N> {
        self.axis_reach[square][axis]
    }

    /// The squares that a slider on `square` sees when `occupied` squares block: empty squares and the first
    /// piece on each ray, of either color.
    #[inline(always)]
    pub(crate) fn attacks(&self, square: Square, lines: LineKind, occupied: SquareSet<N>) -> SquareSet<N> {
        let axis = lines as usize * 2;
        match &self.tables {
            Tables::Direct { heads, sets } => {
                let heads = &heads[square];
                let look_up = |head: &SliderHead<N>| sets[head.sets as usize + head.index(occupied)];
                look_up(&heads[axis]) | look_up(&heads[axis + 1])
            }
            Tables::Classed { heads, classes, sets } => {
                let heads = &heads[square];
                let look_up = |head: &SliderHead<N>| {
                    let class = classes[head.classes as usize + head.index(occupied)];
                    sets[head.sets as usize + usize::from(class)]
                };
                look_up(&heads[axis]) | look_up(&heads[axis + 1])
            }
            Tables::Walk => {
                self.walk_axis(square, axis, occupied) | self.walk_axis(square, axis + 1, occupied)
            }
        }
    }

    fn walk_axis(&self, square: Square, axis: usize, occupied: SquareSet<N>) -> SquareSet<N> {
        let direction = direction_of_axis(axis);
        let mut seen = SquareSet::EMPTY;
        for direction in [direction, direction + 2] {
            for &next in self.ray(square, direction) {
                seen |= SquareSet::of(next);
                if occupied.contains(next) {
                    break;
                }
            }
        }
        seen
    }

    /// Memory of the tables, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let tables = match &self.tables {
            Tables::Walk => 0,
            Tables::Direct { heads, sets } => size_of_val::<BySquare<_, N>>(heads) + size_of_val(&**sets),
            Tables::Classed { heads, classes, sets } => {
                size_of_val::<BySquare<_, N>>(heads) + size_of_val(&**classes) + size_of_val(&**sets)
            }
        };
        tables + size_of_val(&*self.ray_squares) + size_of_val(&*self.ray_ends)
    }
}

/// The first of the two opposite directions of an axis; the other has an index higher by two.
const fn direction_of_axis(axis: usize) -> usize {
    (axis / 2) * 4 + axis % 2
}

/// How the bits of an index block the two rays of an axis, and how long the rays are.
type Blocking = ([Vec<u8>; 2], [usize; 2]);

/// One axis through a square. The squares seen along it depend only on how far each of its two rays is open.
struct Axis<const N: usize> {
    head: SliderHead<N>,
    /// For each bit of the index, how many squares each ray sees when a piece stands there.
    open: [Vec<u8>; 2],
    /// For each ray, the sets of its first 0, 1, 2, … squares.
    prefixes: [Vec<SquareSet<N>>; 2],
}

impl<const N: usize> Axis<N> {
    /// The last square of an open ray never changes the result, so it is not part of the index. It
    /// is part where the opposite ray passes it too (a ring): there it can block that one.
    fn new(sliders: &Sliders<N>, square: Square, axis: usize) -> Self {
        let direction = direction_of_axis(axis);
        let rays = [sliders.ray(square, direction), sliders.ray(square, direction + 2)];
        let inner = |ray: &[Square]| ray[..ray.len().saturating_sub(1)].iter().copied().collect();
        let relevant: SquareSet<N> = rays.iter().fold(SquareSet::EMPTY, |all, ray| all | inner(ray));
        let mut shifts = [0; N];
        let mut bits = 0;
        for (word, shift) in shifts.iter_mut().enumerate() {
            *shift = bits as u8;
            bits += relevant.0[word].count_ones();
        }
        let open = rays.map(|ray| {
            let blocked_at =
                |square| ray.iter().position(|&passed| passed == square).map_or(ray.len(), |at| at + 1);
            relevant.into_iter().map(|square| blocked_at(square) as u8).collect()
        });
        let prefixes = rays.map(|ray| {
            let mut seen = SquareSet::EMPTY;
            let longer = ray.iter().map(move |&square| {
                seen.insert(square);
                seen
            });
            core::iter::once(SquareSet::EMPTY).chain(longer).collect()
        });
        Self { head: SliderHead { relevant, shifts, ..SliderHead::EMPTY }, open, prefixes }
    }

    /// For every index in order, how many squares each ray sees: the nearest of its blockers.
    fn patterns(&self) -> Vec<[u8; 2]> {
        let mut patterns =
            vec![[0, 1].map(|ray| (self.prefixes[ray].len() - 1) as u8); 1 << self.open[0].len()];
        for index in 1..patterns.len() {
            let (lowest, rest) = (index.trailing_zeros() as usize, index & (index - 1));
            patterns[index] = [0, 1].map(|ray| patterns[rest][ray].min(self.open[ray][lowest]));
        }
        patterns
    }

    fn seen(&self, [first, second]: [u8; 2]) -> SquareSet<N> {
        self.prefixes[0][usize::from(first)] | self.prefixes[1][usize::from(second)]
    }
}

impl<const N: usize> Tables<N> {
    fn new(shape: &Shape, sliders: &Sliders<N>) -> Self {
        let axes: Vec<[Axis<N>; 4]> = shape
            .squares()
            .map(|square| core::array::from_fn(|axis| Axis::new(sliders, square, axis)))
            .collect();
        let bits = |axis: &Axis<N>| axis.head.relevant.len();
        if axes.iter().flatten().any(|axis| bits(axis) > MAX_INDEX_BITS) {
            return Self::Walk;
        }
        let sets: usize = axes.iter().flatten().map(|axis| 1 << bits(axis)).sum();
        if sets * size_of::<SquareSet<N>>() <= DIRECT_LIMIT_BYTES {
            Self::direct(axes)
        } else {
            Self::classed(axes)
        }
    }

    fn direct(mut axes: Vec<[Axis<N>; 4]>) -> Self {
        let mut sets = Vec::new();
        for axis in axes.iter_mut().flatten() {
            axis.head.sets = sets.len() as u32;
            sets.extend(axis.patterns().into_iter().map(|pattern| axis.seen(pattern)));
        }
        Self::Direct { heads: heads(&axes), sets: sets.into() }
    }

    fn classed(mut axes: Vec<[Axis<N>; 4]>) -> Self {
        let (mut classes, mut sets) = (Vec::new(), Vec::new());
        // Squares whose rays are blocked in the same way share their classes: the start of the
        // classes, and the pattern of each class.
        let mut known: BTreeMap<Blocking, (u32, Vec<[u8; 2]>)> = BTreeMap::new();
        for axis in axes.iter_mut().flatten() {
            let lengths = [0, 1].map(|ray| axis.prefixes[ray].len());
            let (start, patterns) = known.entry((axis.open.clone(), lengths)).or_insert_with(|| {
                let start = classes.len() as u32;
                let all = axis.patterns();
                let distinct: Vec<[u8; 2]> =
                    all.iter().copied().collect::<BTreeSet<_>>().into_iter().collect();
                // At most 12 bits: no more than 13 * 13 patterns, which fit a byte.
                classes.extend(
                    all.iter().map(|pattern| distinct.partition_point(|other| other < pattern) as u8),
                );
                (start, distinct)
            });
            axis.head.classes = *start;
            axis.head.sets = sets.len() as u32;
            sets.extend(patterns.iter().map(|&pattern| axis.seen(pattern)));
        }
        Self::Classed { heads: heads(&axes), classes: classes.into(), sets: sets.into() }
    }
}

/// The heads of these axes, given in the order of their squares.
fn heads<const N: usize>(axes: &[[Axis<N>; 4]]) -> Box<BySquare<[SliderHead<N>; 4], N>> {
    let mut heads = Box::new(BySquare::filled([SliderHead::EMPTY; 4]));
    for (number, axes) in axes.iter().enumerate() {
        heads[Square::new(number as u8)] = axes.each_ref().map(|axis| axis.head);
    }
    heads
}

impl<const N: usize> SliderHead<N> {
    const EMPTY: Self = Self { relevant: SquareSet::EMPTY, shifts: [0; N], sets: 0, classes: 0 };

    #[inline]
    fn index(&self, occupied: SquareSet<N>) -> usize {
        let mut index = 0;
        for word in 0..N {
            index |= gather(occupied.0[word], self.relevant.0[word]) << self.shifts[word];
        }
        index as usize
    }
}

/// The bits of `word` under `mask`, moved together at the low end (PEXT).
#[inline]
fn gather(word: u64, mask: u64) -> u64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    {
        // SAFETY: compiled only when the target is known to have BMI2, which is all that PEXT needs.
        #[allow(unsafe_code, reason = "PEXT has no safe form outside functions marked with its feature")]
        unsafe {
            core::arch::x86_64::_pext_u64(word, mask)
        }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    {
        let (mut gathered, mut left, mut bit) = (0, mask, 0);
        while left != 0 {
            gathered |= u64::from(word & left & left.wrapping_neg() != 0) << bit;
            bit += 1;
            left &= left - 1;
        }
        gathered
    }
}
