//! Boards as plain text: no color, no size, any viewer. The coordinates stand along the lower edges.
//!
//! ```text
//!  square view        diamond view
//!  2  · k                 k
//!  1  K ·               ·   ·
//!                     2   K   b
//!     a b               1   a
//! ```

use crate::geometry::layout::{DrawnSquare, Layout};
use crate::geometry::{Shape, Square, Vector};
use crate::position::AnyPosition;
use crate::variant::Variant;

/// The character for an empty square.
pub const EMPTY: char = '·';

/// Draws a position as its game holds the board: capitals are White.
///
/// ```
/// use lozenge_rules::{notation::drawing, position::AnyPosition, library};
/// let chess = AnyPosition::start(&library::game("gardner").unwrap());
/// assert_eq!(drawing::position(&chess, false), "\
/// 5  r n b q k
/// 4  p p p p p
/// 3  · · · · ·
/// 2  P P P P P
/// 1  R N B Q K
///
///    a b c d e
/// ");
/// ```
#[must_use]
pub fn position(position: &AnyPosition, flipped: bool) -> String {
    let variant = position.variant();
    board(variant, variant.view().is_turned(), flipped, |square| {
        position.piece_at(square).map_or(EMPTY, |piece| variant.roles().letter(piece))
    })
}

/// Draws a board with one sign a square; `diamond` selects the view, and `flipped` turns it.
///
/// ```
/// use lozenge_rules::{library, notation::drawing};
/// let game = library::game("losalamos").unwrap();
/// let is_dark = |square| {
///     let at = game.shape().coord(square);
///     (at.file + at.rank).is_multiple_of(2)
/// };
/// let text = drawing::board(&game, false, false, |square| if is_dark(square) { '#' } else { '.' });
/// assert!(text.starts_with("6  . # . # . #\n5  # . # . # .\n"));
/// ```
#[must_use]
pub fn board(variant: &Variant, diamond: bool, flipped: bool, sign: impl Fn(Square) -> char) -> String {
    let shape = variant.shape();
    let layout = variant.layout(diamond, flipped);
    let mut canvas = Canvas::default();
    let digits = shape.height().to_string().len();
    let left = if diamond { 4 } else { digits as i32 + 2 };
    for cell in &layout.cells {
        canvas.put(
            left + i32::from(cell.column) * 2,
            i32::from(cell.row) + 1,
            &sign(cell.square).to_string(),
        );
    }
    for label in labels(shape, &layout) {
        let x = left + i32::from(label.column) * 2;
        let row = i32::from(label.row) + 1;
        if !diamond && label.column < 0 {
            canvas.put(0, row, &format!("{:>digits$}", label.text));
        } else {
            canvas.put(x, row, &label.text);
        }
    }
    canvas.text()
}

/// The name of a file or rank and its place on the grid of a [`Layout`]. It may lie one or two
/// places outside the grid on any side: in the square view files stand two rows below the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// File letter or rank number.
    pub text: String,
    /// Column on the layout's grid.
    pub column: i16,
    /// Row on the layout's grid.
    pub row: i16,
}

/// The coordinates along the lower edges of a board. In the square view ranks are at the left and
/// files at the bottom; in the diamond view each line's name is below its lower end.
#[must_use]
pub fn labels(shape: &Shape, layout: &Layout) -> Vec<Label> {
    let mut labels: Vec<Label> = Vec::new();
    let mut ends: Vec<(Label, i16)> = Vec::new();
    let up = layout.frame.forward;
    for cell in &layout.cells {
        let at = shape.coord(cell.square);
        let (file, rank) = (char::from(b'a' + at.file).to_string(), (at.rank + 1).to_string());
        if layout.view.is_turned() {
            // A line of the board rises to the left or to the right; its name stands below its end.
            let is_file_rising_right = towards(layout, Vector::new(0, up.dy.signum())) > 0;
            let (rising_right, rising_left) = if is_file_rising_right { (file, rank) } else { (rank, file) };
            for (text, side) in [(rising_right, -1), (rising_left, 1)] {
                let (column, row) = (cell.column as i16 + side, cell.row as i16 + 1);
                let lower = |other: &&mut (Label, i16)| other.0.text == text && other.1 == side;
                match ends.iter_mut().find(lower) {
                    Some((label, _)) if label.row < row => *label = Label { text, column, row },
                    Some(_) => {}
                    None => ends.push((Label { text, column, row }, side)),
                }
            }
        } else {
            let flat = [
                Label { text: file, column: cell.column as i16, row: layout.rows as i16 + 1 },
                Label { text: rank, column: -1, row: cell.row as i16 },
            ];
            for label in flat {
                if !labels.contains(&label) {
                    labels.push(label);
                }
            }
        }
    }
    labels.extend(ends.into_iter().map(|(label, _)| label));
    labels
}

/// How far right a vector goes on the page.
fn towards(layout: &Layout, vector: Vector) -> i32 {
    layout.frame.relative(vector).0
}

/// The position of a square on the page.
#[must_use]
pub fn place(layout: &Layout, square: Square) -> Option<&DrawnSquare> {
    layout.cells.get(square.index())
}

/// Letters at places, then lines of text.
#[derive(Clone, Default, Debug)]
pub struct Canvas {
    rows: Vec<Vec<char>>,
}

impl Canvas {
    /// Writes over what is there. Places left of or above the canvas are dropped.
    pub fn put(&mut self, column: i32, row: i32, text: &str) {
        let (Ok(row), Ok(column)) = (usize::try_from(row), usize::try_from(column)) else { return };
        if self.rows.len() <= row {
            self.rows.resize(row + 1, Vec::new());
        }
        let line = &mut self.rows[row];
        for (offset, letter) in text.chars().enumerate() {
            if line.len() <= column + offset {
                line.resize(column + offset + 1, ' ');
            }
            line[column + offset] = letter;
        }
    }

    /// The lines, without spaces at their ends and without empty lines before the first.
    ///
    /// ```
    /// use lozenge_rules::notation::drawing::Canvas;
    /// let mut canvas = Canvas::default();
    /// canvas.put(2, 1, "K");
    /// canvas.put(0, 2, "ab");
    /// assert_eq!(canvas.lines(), ["  K", "ab"]);
    /// ```
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let lines = self.rows.iter().map(|row| row.iter().collect::<String>().trim_end().to_owned());
        lines.skip_while(String::is_empty).collect()
    }

    fn text(&self) -> String {
        self.lines().join("\n") + "\n"
    }
}
