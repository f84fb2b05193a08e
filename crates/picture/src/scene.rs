//! The content of a picture: cells, pieces, labels and marks, as plain data.
//!
//! Not here: any check of these values (`check`) or any drawing (`svg`). All lengths are in cell sides
//! (one cell side = 1.0); x grows to the right and y grows DOWN, as on a screen.

use crate::drawing::Drawing;
use crate::theme::{Side, Theme};
pub use lozenge_rules::geometry::layout::Shade;

/// Everything that one picture shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The cells of the board, in any order; the other fields name a cell by its index here.
    pub cells: Vec<Cell>,
    /// The pieces, each on a cell. They stand upright on turned cells, too.
    pub pieces: Vec<PlacedPiece>,
    /// Cells filled with the color of a side: pieces in a picture that is too small to draw them.
    pub color_cells: Vec<(usize, Side)>,
    /// Texts beside or on the board, such as coordinates.
    pub labels: Vec<Label>,
    /// Indices of the cells that the last move left and reached (tinted).
    pub last_move: Vec<usize>,
    /// Indices of the cells whose piece is in check (a red glow and border).
    pub check: Vec<usize>,
    /// Indices of the cells that the chosen piece may go to: a dot, or a ring where a piece stands.
    pub dots: Vec<usize>,
    /// The name of the picture for people who cannot see it; it is not drawn.
    pub title: Option<String>,
    /// The colors of the page around the board.
    pub theme: Theme,
}

impl Scene {
    /// A scene with nothing in it, to fill in.
    pub fn empty(theme: Theme) -> Self {
        Scene {
            cells: Vec::new(),
            pieces: Vec::new(),
            color_cells: Vec::new(),
            labels: Vec::new(),
            last_move: Vec::new(),
            check: Vec::new(),
            dots: Vec::new(),
            title: None,
            theme,
        }
    }
}

/// One cell of the board.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The center of its cell, in cell sides.
    pub center: (f64, f64),
    /// The corners of the polygon in order around it, in cell sides.
    pub corners: Vec<(f64, f64)>,
    /// Which of the board's colors it has.
    pub shade: Shade,
    /// Whether it is the repeated edge of a torus, drawn faded.
    pub ghost: bool,
}

/// One piece on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedPiece {
    /// The index of its cell in [`Scene::cells`].
    pub cell: usize,
    /// Its glyph.
    pub glyph: Glyph,
    /// Its color.
    pub side: Side,
    /// Whether it is the repeated piece of a torus's edge, drawn faded.
    pub ghost: bool,
}

/// The drawing of a piece.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Glyph {
    /// A piece of our own set by its name, such as `"king"` (see [`glyph_names`](crate::glyph_names)), or two
    /// of them in one cell, such as `"rook+ferz"`. An unknown name is drawn as a lettered disc with the
    /// name's first letter, as a capital; [`has_glyph`](crate::has_glyph) checks it.
    Named(String),
    /// A disc with this letter, as it is.
    Letter(char),
    /// A picture that a user has drawn, of the piece with this letter.
    Drawn(Drawing, char),
}

/// A line of text. Characters outside printable ASCII are drawn as a small box.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// The middle of the text, at half the height of its capitals, in cell sides.
    pub at: (f64, f64),
    /// The text.
    pub text: String,
    /// The em in cell sides; capitals are 0.7 of it high.
    pub size: f64,
}
