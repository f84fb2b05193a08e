//! Sizes: the part of the plane that a picture shows, and how its pieces stand in their cells.
//!
//! Not here: any text of the SVG.

use crate::scene::{Cell, Scene};
use crate::{alphabet, glyphs};

/// The space around everything drawn, in cell sides.
const MARGIN: f64 = 0.28;
/// The margin between a piece and the edge of its cell, in cell sides.
const EDGE: f64 = 0.015;
/// The largest and the smallest box of a piece, in cell sides.
const MAX_PIECE: f64 = 1.0;
const MIN_PIECE: f64 = 0.05;
/// How pieces may be lifted, in cell sides a step.
const LIFT_STEP: f64 = 0.01;
const MAX_LIFT_STEPS: u32 = 12;
/// A place or a step, in cell sides.
pub(crate) type Point = (f64, f64);

/// The rectangle that is shown, in cell sides.
pub(crate) struct Area {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Area {
    /// The area of all cells and labels with the margin; `None` when the cells have no extent.
    pub(crate) fn of(scene: &Scene) -> Option<Area> {
        let corners = scene.cells.iter().flat_map(|cell| cell.corners.iter().copied());
        let board = bounds(corners)?;
        let extent = (board.1.0 - board.0.0).min(board.1.1 - board.0.1);
        if extent < 0.01 {
            return None;
        }
        let labels = scene.labels.iter().flat_map(|label| {
            let (half_width, half_height) =
                (alphabet::width(&label.text, label.size) / 2.0, label.size * 0.5);
            let (x, y) = label.at;
            [(x - half_width, y - half_height), (x + half_width, y + half_height)]
        });
        let ((left, top), (right, bottom)) = bounds([board.0, board.1].into_iter().chain(labels))?;
        Some(Area {
            left: left - MARGIN,
            top: top - MARGIN,
            width: right - left + 2.0 * MARGIN,
            height: bottom - top + 2.0 * MARGIN,
        })
    }
}

fn bounds(points: impl IntoIterator<Item = Point>) -> Option<(Point, Point)> {
    points.into_iter().fold(None, |known, (x, y)| match known {
        None => Some(((x, y), (x, y))),
        Some(((left, top), (right, bottom))) => {
            Some(((left.min(x), top.min(y)), (right.max(x), bottom.max(y))))
        }
    })
}

/// Size and offset of the pieces of a picture, in cell sides.
#[derive(Clone, Copy)]
pub(crate) struct PieceBox {
    /// The size of the box of a piece.
    pub(crate) size: f64,
    /// How far above the center of the cell the middle of the box is.
    pub(crate) lift: f64,
}

impl PieceBox {
    /// As large as the tightest cell lets an upright piece be. A base plate is wide, so in a cell that narrows
    /// downward a piece that stands a little higher may be larger.
    pub(crate) fn of(cells: &[Cell]) -> PieceBox {
        let lifts = (0..=MAX_LIFT_STEPS).map(|step| f64::from(step) * LIFT_STEP);
        let boxes = lifts.map(|lift| {
            let room = cells.iter().filter_map(|cell| room(cell, lift)).fold(MAX_PIECE, f64::min);
            PieceBox { size: room.max(MIN_PIECE), lift }
        });
        // The lowest of equals, so that pieces stand in the middle where there is room.
        let start = PieceBox { size: 0.0, lift: 0.0 };
        boxes.fold(start, |best, next| if next.size > best.size + 1e-9 { next } else { best })
    }
}

/// How large a piece's box may be in this cell with this lift; `None` for a cell without area.
fn room(cell: &Cell, lift: f64) -> Option<f64> {
    let corners = &cell.corners;
    let next = corners.iter().cycle().skip(1);
    let sizes = corners.iter().zip(next).filter_map(|(from, to)| {
        let along = (to.0 - from.0, to.1 - from.1);
        let length = along.0.hypot(along.1);
        let mut normal = (along.1 / length, -along.0 / length);
        let mut distance = (from.0 - cell.center.0) * normal.0 + (from.1 - cell.center.1) * normal.1;
        if distance < 0.0 {
            (normal, distance) = ((-normal.0, -normal.1), -distance);
        }
        let lifted = distance - EDGE + lift * normal.1;
        let reach = glyphs::HULL.iter().map(|(x, y)| x * normal.0 + y * normal.1).fold(0.0, f64::max);
        (length > 1e-6 && distance > 1e-6).then_some(lifted / reach)
    });
    sizes.fold(None, |least: Option<f64>, size| Some(least.map_or(size, |known| known.min(size))))
}
