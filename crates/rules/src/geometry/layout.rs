//! Where each cell is drawn: the one geometry behind the terminal, the pictures and the site.

use super::{Frame, Shape, Square, Vector};

/// A board laid out for one viewer: flat, in two views, from either side.
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
    /// Whether the board is turned by 45 degrees.
    pub diamond: bool,
    /// The viewer's frame: which step goes up the page.
    pub frame: Frame,
}

/// Where one square is drawn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DrawnSquare {
    /// The square.
    pub square: Square,
    /// Its centre: right and down from the top left of the drawing, in cell sides.
    pub center: (f64, f64),
    /// Column on a grid of whole numbers, 0 at the left. In the diamond view neighbors on the page
    /// are two columns apart and rows alternate.
    pub column: u16,
    /// Row on the same grid, 0 at the top.
    pub row: u16,
    /// Whether it is a dark square (a1 is dark).
    pub dark: bool,
}

impl Layout {
    /// Lays out a board. `forward` is White's forward step; in the diamond view it goes up the page
    /// if it is diagonal, otherwise (1,1) does. `flipped` turns everything by 180 degrees.
    ///
    /// ```
    /// use lozenge_rules::geometry::{Vector, layout::Layout};
    /// use lozenge_rules::library;
    /// let game = library::game("diagonal").unwrap();
    /// let layout = Layout::new(game.shape(), true, Vector::new(1, 1), false);
    /// let a1 = &layout.cells[game.shape().named("a1").unwrap().index()];
    /// assert_eq!((a1.column, a1.row), (7, 14), "in the middle of the lowest row");
    /// assert_eq!((layout.columns, layout.rows), (15, 15));
    /// ```
    #[must_use]
    pub fn new(shape: &Shape, diamond: bool, forward: Vector, flipped: bool) -> Self {
        let up = match (diamond, forward.dx * forward.dy != 0) {
            (false, _) => Vector::new(0, 1),
            (true, true) => forward,
            (true, false) => Vector::new(1, 1),
        };
        let frame = Frame::first(if flipped { up.times(-1) } else { up });
        // A unit of the grid is a cell side, or in the diamond view half a cell's diagonal.
        let unit = if diamond { core::f64::consts::FRAC_1_SQRT_2 } else { 1.0 };
        let half = if diamond { core::f64::consts::FRAC_1_SQRT_2 } else { 0.5 };
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
                    center: (f64::from(column) * unit + half, f64::from(row) * unit + half),
                    column,
                    row,
                    dark: (at.file + at.rank).is_multiple_of(2),
                }
            })
            .collect();
        Self {
            cells,
            width: f64::from(right - left) * unit + 2.0 * half,
            height: f64::from(top - bottom) * unit + 2.0 * half,
            columns: (right - left + 1) as u16,
            rows: (top - bottom + 1) as u16,
            diamond,
            frame,
        }
    }

    /// The corners of a cell around its centre, in order.
    #[must_use]
    pub fn corners(&self, cell: &DrawnSquare) -> [(f64, f64); 4] {
        let (x, y) = cell.center;
        if self.diamond {
            let r = core::f64::consts::FRAC_1_SQRT_2;
            [(x, y - r), (x + r, y), (x, y + r), (x - r, y)]
        } else {
            [(x - 0.5, y - 0.5), (x + 0.5, y - 0.5), (x + 0.5, y + 0.5), (x - 0.5, y + 0.5)]
        }
    }
}
