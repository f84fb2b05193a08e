//! What sliders reach: rays from every square, and the tables that answer "which squares does a rook
//! see under this occupation" without walking. Right on every surface: edges, holes, rings.
//!
//! Two back ends, chosen when the game is loaded. *Tables*: for each square and axis the occupation
//! of the axis is gathered into an index (PEXT) of a table of sets; the order of the gathered bits
//! does not matter, so rings need no special case. *Walk*: step along the rays until something is in
//! the way; for processors without PEXT and for boards whose tables would be too large.

use crate::geometry::{Shape, Square, SquareSet, Vector, rays::ray};

/// Tables larger than this are not built; the back end walks instead.
const TABLE_LIMIT_BYTES: usize = 40 << 20;

/// The longest gathered index, in bits.
const MAX_INDEX_BITS: u32 = 12;

/// Rays and slider attacks of one board.
#[derive(Debug)]
pub(crate) struct Sliders<const N: usize> {
    /// By square: everything an orthogonal slider could ever see, then a diagonal one.
    reach: Box<[[SquareSet<N>; 2]]>,
    /// By square: everything on the axis (both rays): vertical, horizontal, rising, falling.
    axis_reach: Box<[[SquareSet<N>; 4]]>,
    /// All rays end to end; `ray_ends[square * 8 + direction]` is where each one ends.
    ray_squares: Box<[Square]>,
    ray_ends: Box<[u32]>,
    tables: Option<Tables<N>>,
}

#[derive(Debug)]
struct Tables<const N: usize> {
    heads: Box<[[Head<N>; 4]]>,
    sets: Box<[SquareSet<N>]>,
}

/// Where the table of one square and axis is, and which squares make its index.
#[derive(Clone, Copy, Debug)]
struct Head<const N: usize> {
    relevant: SquareSet<N>,
    shifts: [u8; N],
    base: u32,
}

/// Orthogonal or diagonal: the index into `reach`, and half the index of the first axis.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lines {
    Orthogonal,
    Diagonal,
}

impl<const N: usize> Sliders<N> {
    pub(crate) fn new(shape: &Shape) -> Self {
        let (mut ray_squares, mut ray_ends) = (Vec::new(), Vec::new());
        for square in shape.squares() {
            for step in Vector::EIGHT {
                ray_squares.extend(ray(shape, square, step));
                ray_ends.push(ray_squares.len() as u32);
            }
        }
        let mut sliders = Self {
            reach: Box::default(),
            axis_reach: Box::default(),
            ray_squares: ray_squares.into(),
            ray_ends: ray_ends.into(),
            tables: None,
        };
        let empty = SquareSet::EMPTY;
        sliders.axis_reach = shape
            .squares()
            .map(|square| core::array::from_fn(|axis| sliders.walk_axis(square, axis, empty)))
            .collect();
        sliders.reach =
            sliders.axis_reach.iter().map(|axes| [axes[0] | axes[1], axes[2] | axes[3]]).collect();
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
    pub(crate) fn reach(&self, square: Square, lines: Lines) -> SquareSet<N> {
        self.reach[square.index()][lines as usize]
    }

    /// Both rays of an axis: 0 vertical, 1 horizontal, 2 rising, 3 falling.
    #[inline]
    pub(crate) fn axis_reach(&self, square: Square, axis: usize) -> SquareSet<N> {
        self.axis_reach[square.index()][axis]
    }

    /// What a slider on `square` sees when `occupied` squares block: empty squares and the first man
    /// on each ray, of whatever color.
    #[inline]
    pub(crate) fn attacks(&self, square: Square, lines: Lines, occupied: SquareSet<N>) -> SquareSet<N> {
        let axis = lines as usize * 2;
        match &self.tables {
            Some(tables) => {
                let heads = &tables.heads[square.index()];
                tables.look_up(&heads[axis], occupied) | tables.look_up(&heads[axis + 1], occupied)
            }
            None => self.walk_axis(square, axis, occupied) | self.walk_axis(square, axis + 1, occupied),
        }
    }

    fn walk_axis(&self, square: Square, axis: usize, occupied: SquareSet<N>) -> SquareSet<N> {
        let direction = direction_of_axis(axis);
        let mut seen = SquareSet::EMPTY;
        for direction in [direction, direction + 2] {
            for &next in self.ray(square, direction) {
                seen.insert(next);
                if occupied.contains(next) {
                    break;
                }
            }
        }
        seen
    }

    /// Memory of the tables, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let tables =
            self.tables.as_ref().map_or(0, |tables| size_of_val(&*tables.sets) + size_of_val(&*tables.heads));
        tables
            + size_of_val(&*self.reach)
            + size_of_val(&*self.axis_reach)
            + size_of_val(&*self.ray_squares)
            + size_of_val(&*self.ray_ends)
    }
}

/// The first of the two opposite directions of an axis; the other is two places on.
const fn direction_of_axis(axis: usize) -> usize {
    (axis / 2) * 4 + axis % 2
}

impl<const N: usize> Tables<N> {
    fn new(shape: &Shape, sliders: &Sliders<N>) -> Option<Self> {
        let mut heads: Vec<[Head<N>; 4]> = Vec::new();
        let mut total = 0usize;
        for square in shape.squares() {
            let mut axes = [Head { relevant: SquareSet::EMPTY, shifts: [0; N], base: 0 }; 4];
            for (axis, head) in axes.iter_mut().enumerate() {
                *head = Head::new(sliders, square, axis, total as u32);
                let bits = head.relevant.len();
                if bits > MAX_INDEX_BITS {
                    return None;
                }
                total += 1 << bits;
                if total * size_of::<SquareSet<N>>() > TABLE_LIMIT_BYTES {
                    return None;
                }
            }
            heads.push(axes);
        }
        let mut sets = vec![SquareSet::EMPTY; total];
        for square in shape.squares() {
            for (axis, head) in heads[square.index()].iter().enumerate() {
                head.fill(&mut sets, |occupied| sliders.walk_axis(square, axis, occupied));
            }
        }
        Some(Self { heads: heads.into(), sets: sets.into() })
    }

    #[inline]
    fn look_up(&self, head: &Head<N>, occupied: SquareSet<N>) -> SquareSet<N> {
        self.sets[head.base as usize + head.index(occupied)]
    }
}

impl<const N: usize> Head<N> {
    /// The last square of an open ray never changes what is seen, so it is not part of the index;
    /// unless the opposite ray passes it too (a ring), where it can block that one.
    fn new(sliders: &Sliders<N>, square: Square, axis: usize, base: u32) -> Self {
        let direction = direction_of_axis(axis);
        let mut relevant = SquareSet::EMPTY;
        for direction in [direction, direction + 2] {
            if let Some((_, inner)) = sliders.ray(square, direction).split_last() {
                relevant |= inner.iter().copied().collect();
            }
        }
        let mut shifts = [0; N];
        let mut bits = 0;
        for (word, shift) in shifts.iter_mut().enumerate() {
            *shift = bits as u8;
            bits += relevant.0[word].count_ones();
        }
        Self { relevant, shifts, base }
    }

    #[inline]
    fn index(&self, occupied: SquareSet<N>) -> usize {
        let mut index = 0;
        for word in 0..N {
            index |= gather(occupied.0[word], self.relevant.0[word]) << self.shifts[word];
        }
        index as usize
    }

    /// Writes this head's part of the table: every subset of the relevant squares in turn.
    fn fill(&self, sets: &mut [SquareSet<N>], seen: impl Fn(SquareSet<N>) -> SquareSet<N>) {
        let squares: Vec<Square> = self.relevant.into_iter().collect();
        for index in 0..1usize << squares.len() {
            let occupied = squares
                .iter()
                .enumerate()
                .filter(|(bit, _)| index >> bit & 1 != 0)
                .map(|(_, &s)| s)
                .collect();
            debug_assert_eq!(self.index(occupied), index);
            sets[self.base as usize + index] = seen(occupied);
        }
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
