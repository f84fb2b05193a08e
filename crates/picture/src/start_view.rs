//! The origin of a board with joined edges: the corner of the window that keeps both armies together, as on the
//! site's board (`web/src/board/torus.ts`). Not here: positions, drawing.

use std::collections::HashMap;
use std::f64::consts::TAU;

/// A file and a rank, or a step of files and ranks.
pub(crate) type Offset = (i32, i32);

/// Below this length of the mean vector, pieces are spread around the whole period and have no center.
const MIN_MEAN: f64 = 0.1;
/// How many places beyond the window a camp may reach.
const RING: i32 = 1;

/// Which square is where: the square at the window's corner, and the squares whose place is beyond the window.
#[derive(Debug)]
pub(crate) struct StartView {
    /// Width and height of the board.
    size: Offset,
    origin: Offset,
    shifts: HashMap<Offset, Offset>,
}

impl StartView {
    /// The view of a board of this size. `periods` has the size along joined edges. `armies` are the squares of White's
    /// and Black's pieces at the start of the game.
    pub(crate) fn new(
        size: Offset,
        periods: (Option<i32>, Option<i32>),
        squares: &[Offset],
        armies: [&[Offset]; 2],
    ) -> Self {
        let origin = (
            origin(periods.0, armies.map(|army| army.iter().map(|at| at.0).collect())),
            origin(periods.1, armies.map(|army| army.iter().map(|at| at.1).collect())),
        );
        let mut view = Self { size, origin, shifts: HashMap::new() };
        if let (Some(files), Some(ranks)) = periods {
            view.shifts = view.camp_shifts((files, ranks), squares, armies);
        }
        view
    }

    /// The place of a square: in the window, or beyond it where the window would cut its camp.
    pub(crate) fn place(&self, square: Offset) -> Offset {
        let (file, rank) = self.in_window(square);
        let (dx, dy) = self.shifts.get(&square).copied().unwrap_or_default();
        (file + dx, rank + dy)
    }

    /// The square at a place, if it is not a hole.
    pub(crate) fn square_at(&self, (file, rank): Offset) -> Offset {
        ((file + self.origin.0).rem_euclid(self.size.0), (rank + self.origin.1).rem_euclid(self.size.1))
    }

    /// The square at the corner of the window.
    pub(crate) fn origin(&self) -> Offset {
        self.origin
    }

    /// Whether a camp reaches beyond the window.
    pub(crate) fn has_shifts(&self) -> bool {
        !self.shifts.is_empty()
    }

    fn in_window(&self, (file, rank): Offset) -> Offset {
        ((file - self.origin.0).rem_euclid(self.size.0), (rank - self.origin.1).rem_euclid(self.size.1))
    }

    /// The squares that belong to a camp which the window cuts, each with the step to the rest of its camp.
    fn camp_shifts(
        &self,
        (files, ranks): Offset,
        squares: &[Offset],
        armies: [&[Offset]; 2],
    ) -> HashMap<Offset, Offset> {
        let centers = armies.map(|army| {
            let places: Vec<Offset> = army.iter().map(|&square| self.in_window(square)).collect();
            Some((
                center(places.iter().map(|place| place.0), files)?,
                center(places.iter().map(|place| place.1), ranks)?,
            ))
        });
        let [Some(white), Some(black)] = centers else { return HashMap::new() };
        let shift = |&square: &Offset| {
            let (file, rank) = self.in_window(square);
            let way = |center: (f64, f64)| {
                (shortest(center.0 - f64::from(file), files), shortest(center.1 - f64::from(rank), ranks))
            };
            let distance = |way: (f64, f64)| way.0.abs().max(way.1.abs());
            let nearest = if distance(way(black)) < distance(way(white)) - 1e-6 { black } else { white };
            let to_center = way(nearest);
            let step = (
                (nearest.0 - to_center.0).round() as i32 - file,
                (nearest.1 - to_center.1).round() as i32 - rank,
            );
            let is_visible = |place: i32, size: i32| (-RING..size + RING).contains(&place);
            let stays_visible = is_visible(file + step.0, files) && is_visible(rank + step.1, ranks);
            (step != (0, 0) && stays_visible).then_some((square, step))
        };
        squares.iter().filter_map(shift).collect()
    }
}

/// The corner, along one axis, from which White's pieces are lowest and Black's are highest. Along edges that are not
/// joined it is the board's own.
fn origin(period: Option<i32>, [white, black]: [Vec<i32>; 2]) -> i32 {
    let Some(period) = period else { return 0 };
    let distance = |corner: i32| {
        let sum = |army: &[i32]| army.iter().map(|at| (at - corner).rem_euclid(period)).sum::<i32>();
        sum(&black) - sum(&white)
    };
    // Of equals the first.
    (0..period).rev().max_by_key(|&corner| distance(corner)).unwrap_or(0)
}

/// The circular mean of coordinates; `None` if they are spread around the whole period.
fn center(at: impl ExactSizeIterator<Item = i32>, period: i32) -> Option<f64> {
    let (count, period) = (at.len() as f64, f64::from(period));
    let (x, y) = at.fold((0.0, 0.0), |(x, y), at| {
        let angle = f64::from(at) / period * TAU;
        (x + angle.cos(), y + angle.sin())
    });
    (f64::hypot(x, y) > MIN_MEAN * count).then(|| (y.atan2(x) / TAU * period).rem_euclid(period))
}

/// The shortest step around a period.
fn shortest(step: f64, period: i32) -> f64 {
    let period = f64::from(period);
    if step.abs() * 2.0 <= period { step } else { step - period.copysign(step) }
}
