//! Which scenes can be drawn, and the faults of the others. Not here: any drawing.

use crate::scene::{Cell, Scene};

/// The most cells that one picture may have (a 16x16 torus with its whole edge repeated has 2,304).
pub const MAX_CELLS: usize = 4096;
/// The most pieces, and the most indices in each list of marks.
const MAX_ENTRIES: usize = 2 * MAX_CELLS;
/// The most corners of a cell.
const MAX_CORNERS: usize = 32;
/// The most characters in all labels together, and in the title.
const MAX_CHARACTERS: usize = 16_384;
/// The greatest coordinate, in cell sides either way from the origin.
const MAX_COORDINATE: f64 = 1000.0;
/// The greatest em of a label, in cell sides.
const MAX_LABEL_SIZE: f64 = 16.0;
/// The widest PNG, in pixels.
pub const MAX_PNG_WIDTH: u32 = 8192;
/// The largest PNG, in pixels of its whole area (64 MiB while it is drawn).
pub const MAX_PNG_PIXELS: u64 = 1 << 24;

/// Why a picture cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// There is no cell to draw.
    #[error("the scene has no cells")]
    NoCells,
    /// A list is longer than a picture may be.
    #[error("the scene has {count} {what}, more than {limit}")]
    TooMany {
        /// The kind of object.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many there may be.
        limit: usize,
    },
    /// A cell has too few or too many corners.
    #[error("cell {cell} has {count} corners, not 3 to {limit}")]
    Corners {
        /// The index of the cell.
        cell: usize,
        /// How many corners it has.
        count: usize,
        /// How many it may have.
        limit: usize,
    },
    /// A coordinate is not a number or too far out.
    #[error("{what} {index} lies at {value}, not within {limit} cell sides of the origin")]
    Coordinate {
        /// `"cell"` or `"label"`.
        what: &'static str,
        /// The index of the cell or label.
        index: usize,
        /// The coordinate.
        value: f64,
        /// The greatest coordinate.
        limit: f64,
    },
    /// The size of a label is not a number, not positive or too great.
    #[error("label {index} has size {value}, not above 0 and at most {limit}")]
    LabelSize {
        /// The index of the label.
        index: usize,
        /// The size.
        value: f64,
        /// The greatest size.
        limit: f64,
    },
    /// A piece or mark names a cell that is not there.
    #[error("{what} {index} is on cell {cell}, but there are only {cells} cells")]
    UnknownCell {
        /// `"piece"`, `"color cell"`, `"last move"`, `"check"` or `"dot"`.
        what: &'static str,
        /// The index of the piece or mark in its list.
        index: usize,
        /// The index of the cell that is missing.
        cell: usize,
        /// How many cells there are.
        cells: usize,
    },
    /// All cells lie on one line.
    #[error("the cells have no area")]
    Flat,
    /// The wanted PNG is empty or too wide.
    #[error("a picture {width} pixels wide cannot be made, only 1 to {limit}")]
    Width {
        /// The wanted width in pixels.
        width: u32,
        /// The greatest width in pixels.
        limit: u32,
    },
    /// The wanted PNG has too large an area.
    #[error("a picture of {width} x {height} pixels is larger than {limit} pixels in all")]
    Area {
        /// The wanted width in pixels.
        width: u32,
        /// The height in pixels that follows.
        height: u64,
        /// The greatest area in pixels.
        limit: u64,
    },
    /// The drawing could not be turned into pixels.
    #[error("the picture could not be rendered: {0}")]
    Render(String),
}

/// Checks whether a scene can be drawn.
///
/// # Errors
/// The first fault found: nothing to draw, too much of something, a coordinate or size out of range,
/// or a piece or mark on a missing cell.
pub fn check(scene: &Scene) -> Result<(), PictureError> {
    if scene.cells.is_empty() {
        return Err(PictureError::NoCells);
    }
    check_counts(scene)?;
    for (index, cell) in scene.cells.iter().enumerate() {
        check_cell(index, cell)?;
    }
    for (index, label) in scene.labels.iter().enumerate() {
        check_point("label", index, label.at)?;
        let size_is_sensible = label.size > 0.0 && label.size <= MAX_LABEL_SIZE;
        if !size_is_sensible {
            return Err(PictureError::LabelSize { index, value: label.size, limit: MAX_LABEL_SIZE });
        }
    }
    check_indices("piece", scene, scene.pieces.iter().map(|piece| piece.cell))?;
    check_indices("color cell", scene, scene.color_cells.iter().map(|(cell, _)| *cell))?;
    check_indices("last move", scene, scene.last_move.iter().copied())?;
    check_indices("check", scene, scene.check.iter().copied())?;
    check_indices("dot", scene, scene.dots.iter().copied())
}

fn check_counts(scene: &Scene) -> Result<(), PictureError> {
    let label_characters = scene.labels.iter().map(|label| label.text.chars().count()).sum();
    let title_characters = scene.title.as_deref().map_or(0, |title| title.chars().count());
    let counts = [
        ("cells", scene.cells.len(), MAX_CELLS),
        ("pieces", scene.pieces.len(), MAX_ENTRIES),
        ("squares of color_cells", scene.color_cells.len(), MAX_ENTRIES),
        ("labels", scene.labels.len(), MAX_ENTRIES),
        ("marks of the last move", scene.last_move.len(), MAX_ENTRIES),
        ("marks of check", scene.check.len(), MAX_ENTRIES),
        ("dots", scene.dots.len(), MAX_ENTRIES),
        ("characters in labels", label_characters, MAX_CHARACTERS),
        ("characters in the title", title_characters, MAX_CHARACTERS),
    ];
    match counts.into_iter().find(|(_, count, limit)| count > limit) {
        Some((what, count, limit)) => Err(PictureError::TooMany { what, count, limit }),
        None => Ok(()),
    }
}

fn check_cell(index: usize, cell: &Cell) -> Result<(), PictureError> {
    let count = cell.corners.len();
    if !(3..=MAX_CORNERS).contains(&count) {
        return Err(PictureError::Corners { cell: index, count, limit: MAX_CORNERS });
    }
    check_point("cell", index, cell.center)?;
    cell.corners.iter().try_for_each(|&corner| check_point("cell", index, corner))
}

fn check_point(what: &'static str, index: usize, (x, y): (f64, f64)) -> Result<(), PictureError> {
    match [x, y].into_iter().find(|value| value.is_nan() || value.abs() > MAX_COORDINATE) {
        Some(value) => Err(PictureError::Coordinate { what, index, value, limit: MAX_COORDINATE }),
        None => Ok(()),
    }
}

fn check_indices(
    what: &'static str,
    scene: &Scene,
    indices: impl Iterator<Item = usize>,
) -> Result<(), PictureError> {
    let cells = scene.cells.len();
    match indices.enumerate().find(|&(_, cell)| cell >= cells) {
        Some((index, cell)) => Err(PictureError::UnknownCell { what, index, cell, cells }),
        None => Ok(()),
    }
}
