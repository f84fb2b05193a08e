//! Where each cell is drawn: the one geometry behind the terminal, the pictures and the site.

use super::{Frame, Shape, Square, Vector};
use core::f64::consts::FRAC_1_SQRT_2;

/// How a board is held when people play on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// Files and ranks run along the page.
    Square,
    /// Turned by 45 degrees: White's corner at the bottom.
    Diamond,
    /// The same with hexagons for cells: each touches those along its file, its rank and the diagonal up the page.
    Hexagon,
}

/// The colors of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shade {
    /// The lighter cells.
    Light,
    /// Cells between the two, on boards of hexagons.
    Middle,
    /// The darker cells.
    Dark,
}

impl View {
    /// Whether files and ranks run obliquely over the page.
    #[must_use]
    pub const fn is_turned(self) -> bool {
        matches!(self, Self::Diamond | Self::Hexagon)
    }

    /// From a cell to its neighbor along a file or rank, right and up the page. In the square view these are two neighbors. Hexagons
    /// have the area of a square.
    #[must_use]
    pub const fn unit(self) -> (f64, f64) {
        match self {
            Self::Square => (1.0, 1.0),
            Self::Diamond => (FRAC_1_SQRT_2, FRAC_1_SQRT_2),
            Self::Hexagon => (0.930_605, 0.537_285),
        }
    }

    /// Half of the width and height of a cell.
    #[must_use]
    pub const fn half(self) -> (f64, f64) {
        match self {
            Self::Square => (0.5, 0.5),
            Self::Diamond => self.unit(),
            Self::Hexagon => (self.unit().0 / 1.5, self.unit().1),
        }
    }
}

/// A board laid out for one viewer: flat, in one view, from either side.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The squares in their order, each with its place.
    pub cells: Vec<DrawnSquare>,
    /// Width of the drawing, in cell sides.
    pub width: f64,
    /// Height of the drawing, in cell sides.
    pub height: f64,
    /// Columns of the grid of [`DrawnSquare::column`].
    pub columns: u16,
    /// Rows of the grid of [`DrawnSquare::row`].
    pub rows: u16,
    /// How the board is held.
    pub view: View,
    /// The viewer's frame: which step goes up the page.
    pub frame: Frame,
}

/// Where one square is drawn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DrawnSquare {
    /// The square.
    pub square: Square,
    /// Its center: right and down from the top left of the drawing, in cell sides.
    pub center: (f64, f64),
    /// Column on a grid of whole numbers, 0 at the left. In a turned view neighbors on the page
    /// are two columns apart and rows alternate.
    pub column: u16,
    /// Row on the same grid, 0 at the top.
    pub row: u16,
    /// Its color (a1 is dark).
    pub shade: Shade,
}

impl Layout {
    /// Lays out a board. `forward` is White's forward step; in a turned view it goes up the page
    /// if it is diagonal, otherwise (1,1) does. `flipped` turns everything by 180 degrees.
    ///
    /// ```
    /// use lozenge_rules::geometry::{Vector, layout::{Layout, View}};
    /// use lozenge_rules::library;
    /// let game = library::game("diagonal").unwrap();
    /// let layout = Layout::new(game.shape(), View::Diamond, Vector::new(1, 1), false);
    /// let a1 = &layout.cells[game.shape().named("a1").unwrap().index()];
    /// assert_eq!((a1.column, a1.row), (7, 14), "in the middle of the lowest row");
    /// assert_eq!((layout.columns, layout.rows), (15, 15));
    /// ```
    #[must_use]
    pub fn new(shape: &Shape, view: View, forward: Vector, flipped: bool) -> Self {
        let up = match (view.is_turned(), forward.dx * forward.dy != 0) {
            (false, _) => Vector::new(0, 1),
            (true, true) => forward,
            (true, false) => Vector::new(1, 1),
        };
        let frame = Frame::first(if flipped { up.times(-1) } else { up });
        let (unit, half) = (view.unit(), view.half());
        let seen: Vec<(Square, (i32, i32))> = (shape.squares())
            .map(|square| {
                let at = shape.coord(square);
                (square, frame.relative(Vector::new(at.file as i8, at.rank as i8)))
            })
            .collect();
        let least = |pick: fn(&(i32, i32)) -> i32| seen.iter().map(|(_, at)| pick(at)).min().unwrap_or(0);
        let most = |pick: fn(&(i32, i32)) -> i32| seen.iter().map(|(_, at)| pick(at)).max().unwrap_or(0);
        let (left, right) = (least(|at| at.0), most(|at| at.0));
        let (bottom, top) = (least(|at| at.1), most(|at| at.1));
        let cells = seen
            .iter()
            .map(|&(square, (x, y))| {
                let (column, row) = ((x - left) as u16, (top - y) as u16);
                let at = shape.coord(square);
                DrawnSquare {
                    square,
                    center: (f64::from(column) * unit.0 + half.0, f64::from(row) * unit.1 + half.1),
                    column,
                    row,
                    shade: shade(view, frame, at.file.into(), at.rank.into()),
                }
            })
            .collect();
        Self {
            cells,
            width: f64::from(right - left) * unit.0 + 2.0 * half.0,
            height: f64::from(top - bottom) * unit.1 + 2.0 * half.1,
            columns: (right - left + 1) as u16,
            rows: (top - bottom + 1) as u16,
            view,
            frame,
        }
    }

    /// The color of the cell at a file and rank, also of one beyond the edge of the board. Hexagons that touch differ.
    #[must_use]
    pub fn shade(&self, file: i32, rank: i32) -> Shade {
        shade(self.view, self.frame, file, rank)
    }

    /// A step of the board on the page: right and down, in cell sides.
    #[must_use]
    pub fn step(&self, step: Vector) -> (f64, f64) {
        let (right, up) = self.frame.relative(step);
        let unit = self.view.unit();
        (f64::from(right) * unit.0, -f64::from(up) * unit.1)
    }

    /// The corners of each cell around its center, in order.
    #[must_use]
    pub fn corners(&self) -> Vec<(f64, f64)> {
        let (x, y) = self.view.half();
        match self.view {
            View::Square => vec![(-x, -y), (x, -y), (x, y), (-x, y)],
            View::Diamond => vec![(0.0, -y), (x, 0.0), (0.0, y), (-x, 0.0)],
            View::Hexagon => {
                vec![(-x, 0.0), (-x / 2.0, -y), (x / 2.0, -y), (x, 0.0), (x / 2.0, y), (-x / 2.0, y)]
            }
        }
    }
}

fn shade(view: View, frame: Frame, file: i32, rank: i32) -> Shade {
    if view == View::Hexagon {
        let up = frame.forward;
        let third = (file + i32::from(up.dx * up.dy) * rank).rem_euclid(3);
        [Shade::Dark, Shade::Light, Shade::Middle][third as usize]
    } else if (file + rank).rem_euclid(2) == 0 {
        Shade::Dark
    } else {
        Shade::Light
    }
}
