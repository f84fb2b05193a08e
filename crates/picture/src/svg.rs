//! The picture as SVG: page, frame, cells, marks, men and labels, in this order from back to front.
//!
//! One path a color for the cells, one definition for every man and side; the same scene gives the same
//! text on every machine. Not here: which scenes are sensible (`check`) and how a man looks (`glyphs`).

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::check::{PictureError, check};
use crate::describe::{describe, push_escaped};
use crate::scene::{Cell, Glyph, Man, Scene, Shade, Side, Theme};
use crate::theme::{Palette, palette};
use crate::{alphabet, glyphs, number};

/// The space around everything drawn, in cell sides.
const MARGIN: f64 = 0.28;
/// How far the frame shows around the board, in cell sides.
const FRAME: f64 = 0.045;
/// How large a cell is when the SVG is shown at its own size, in pixels a cell side.
const PIXELS_PER_CELL: f64 = 48.0;
/// What stays free between a man and the edge of its cell, in cell sides.
const EDGE: f64 = 0.025;
/// The largest and the smallest box of a man, in cell sides.
const MAX_MAN: f64 = 1.0;
const MIN_MAN: f64 = 0.05;
/// How men may be lifted, in cell sides a step.
const LIFT_STEP: f64 = 0.01;
const MAX_LIFT_STEPS: u32 = 12;
/// How opaque the repeated edge of a torus is: its cells, and the men on them.
const GHOST_CELL_OPACITY: &str = ".4";
const GHOST_MAN_OPACITY: &str = ".55";

/// The scene as SVG text.
///
/// A scene that [`check`] refuses gives a small empty picture whose description says why; ask
/// [`check`] first to have the error itself.
pub fn svg(scene: &Scene) -> String {
    try_svg(scene).unwrap_or_else(|error| {
        let mut out = String::from("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1 1\"><desc>");
        push_escaped(&mut out, &error.to_string());
        out.push_str("</desc></svg>\n");
        out
    })
}

/// The scene as SVG text, or why not.
pub(crate) fn try_svg(scene: &Scene) -> Result<String, PictureError> {
    check(scene)?;
    let area = Area::of(scene).ok_or(PictureError::Flat)?;
    let mut drawing = Drawing::new(scene);
    drawing.open(&area);
    drawing.definitions();
    drawing.board(&area);
    drawing.marks();
    drawing.men();
    drawing.labels();
    drawing.out.push_str("</svg>\n");
    Ok(drawing.out)
}

/// The rectangle that is shown, in cell sides.
struct Area {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

impl Area {
    /// The area of all cells and labels with the margin; `None` when the cells have no extent.
    fn of(scene: &Scene) -> Option<Area> {
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

type Point = (f64, f64);

fn bounds(points: impl IntoIterator<Item = Point>) -> Option<(Point, Point)> {
    points.into_iter().fold(None, |known, (x, y)| match known {
        None => Some(((x, y), (x, y))),
        Some(((left, top), (right, bottom))) => {
            Some(((left.min(x), top.min(y)), (right.max(x), bottom.max(y))))
        }
    })
}

struct Drawing<'a> {
    scene: &'a Scene,
    colors: &'static Palette,
    stand: Stand,
    /// What makes ids differ between pictures whose definitions differ, so that several pictures can
    /// stand in one page.
    id_suffix: String,
    out: String,
}

impl<'a> Drawing<'a> {
    fn new(scene: &'a Scene) -> Self {
        let stand = Stand::of(&scene.cells);
        let theme = match scene.theme {
            Theme::Light => 'l',
            Theme::Dark => 'd',
        };
        Drawing {
            scene,
            colors: palette(scene.theme),
            stand,
            id_suffix: format!("{theme}{}", (stand.size * 1000.0).round() as u64),
            out: String::new(),
        }
    }

    fn open(&mut self, area: &Area) {
        let mut view = String::new();
        for value in [area.left, area.top, area.width, area.height] {
            number::push(&mut view, value);
            view.push(' ');
        }
        let _ = write!(
            self.out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{}\" width=\"{}\" height=\"{}\" role=\"img\">",
            view.trim_end(),
            number::text((area.width * PIXELS_PER_CELL).round()),
            number::text((area.height * PIXELS_PER_CELL).round()),
        );
        if let Some(title) = &self.scene.title {
            self.out.push_str("<title>");
            push_escaped(&mut self.out, title);
            self.out.push_str("</title>");
        }
        self.out.push_str("<desc>");
        push_escaped(&mut self.out, &describe(self.scene));
        self.out.push_str("</desc>\n");
    }

    /// Every man that is used, once a side, and the glow of a check.
    fn definitions(&mut self) {
        let mut used: BTreeMap<String, (&Glyph, Side)> = BTreeMap::new();
        for man in &self.scene.men {
            used.entry(self.man_id(man)).or_insert((&man.glyph, man.side));
        }
        if used.is_empty() && self.scene.check.is_empty() {
            return;
        }
        self.out.push_str("<defs>\n");
        for (id, (glyph, side)) in used {
            let attributes = glyphs::attributes(side, self.stand.size);
            let elements = glyphs::elements(glyph, side);
            let _ = writeln!(self.out, "<g id=\"{id}\" {attributes}>{elements}</g>");
        }
        if !self.scene.check.is_empty() {
            let (suffix, color) = (&self.id_suffix, self.colors.check);
            let _ = writeln!(
                self.out,
                "<radialGradient id=\"check-{suffix}\"><stop offset=\".15\" stop-color=\"{color}\" stop-opacity=\".9\"/>\
                 <stop offset=\".6\" stop-color=\"{color}\" stop-opacity=\".55\"/>\
                 <stop offset=\"1\" stop-color=\"{color}\" stop-opacity=\"0\"/></radialGradient>"
            );
        }
        self.out.push_str("</defs>\n");
    }

    fn man_id(&self, man: &Man) -> String {
        let side = match man.side {
            Side::First => 'w',
            Side::Second => 'b',
        };
        format!("{side}-{}-{}", glyphs::id(&man.glyph), self.id_suffix)
    }

    fn board(&mut self, area: &Area) {
        self.out.push_str("<rect x=\"");
        number::push(&mut self.out, area.left);
        self.out.push_str("\" y=\"");
        number::push(&mut self.out, area.top);
        let page = self.colors.page;
        let _ = writeln!(self.out, "\" width=\"100%\" height=\"100%\" fill=\"{page}\"/>");
        for ghost in [true, false] {
            let cells: Vec<&Cell> = self.scene.cells.iter().filter(|cell| cell.ghost == ghost).collect();
            if cells.is_empty() {
                continue;
            }
            self.out.push_str("<g stroke-linejoin=\"round\"");
            if ghost {
                let _ = write!(self.out, " opacity=\"{GHOST_CELL_OPACITY}\"");
            }
            self.out.push('>');
            // The frame is a wide line around all cells, the inner half of which the cells cover again:
            // that follows every outline, holes and islands too, and leaves no seams between cells.
            let (light, dark, frame) = (self.colors.light, self.colors.dark, self.colors.frame);
            let all = outline(cells.iter().copied());
            let frame_width = number::text(2.0 * FRAME);
            let _ = writeln!(
                self.out,
                "<path fill=\"{light}\" stroke=\"{frame}\" stroke-width=\"{frame_width}\" d=\"{all}\"/>"
            );
            let light_cells = outline(cells.iter().copied().filter(|cell| cell.shade == Shade::Light));
            let _ = writeln!(
                self.out,
                "<path fill=\"{light}\" stroke=\"{light}\" stroke-width=\".01\" d=\"{light_cells}\"/>"
            );
            let dark_cells = outline(cells.iter().copied().filter(|cell| cell.shade == Shade::Dark));
            let _ = writeln!(
                self.out,
                "<path fill=\"{dark}\" stroke=\"{dark}\" stroke-width=\".01\" d=\"{dark_cells}\"/></g>"
            );
        }
    }

    fn marks(&mut self) {
        let cells = &self.scene.cells;
        let color = self.colors.last_move;
        if !self.scene.last_move.is_empty() {
            let tinted = outline(self.scene.last_move.iter().map(|&index| &cells[index]));
            let _ = writeln!(self.out, "<path fill=\"{color}\" fill-opacity=\".62\" d=\"{tinted}\"/>");
        }
        for &index in &self.scene.check {
            let glow = outline([&cells[index]]);
            let suffix = &self.id_suffix;
            let _ = writeln!(self.out, "<path fill=\"url(#check-{suffix})\" d=\"{glow}\"/>");
        }
        let color = self.colors.dot;
        for &index in &self.scene.dots {
            let taken = self.scene.men.iter().any(|man| man.cell == index);
            let (x, y) = cells[index].center;
            let _ = write!(self.out, "<circle cx=\"{}\" cy=\"{}\"", number::text(x), number::text(y));
            let _ = if taken {
                writeln!(
                    self.out,
                    " r=\".435\" fill=\"none\" stroke=\"{color}\" stroke-width=\".075\" opacity=\".7\"/>"
                )
            } else {
                writeln!(self.out, " r=\".15\" fill=\"{color}\" opacity=\".7\"/>")
            };
        }
    }

    fn men(&mut self) {
        for ghost in [true, false] {
            let men: Vec<&Man> = self.scene.men.iter().filter(|man| man.ghost == ghost).collect();
            if men.is_empty() {
                continue;
            }
            if ghost {
                let _ = writeln!(self.out, "<g opacity=\"{GHOST_MAN_OPACITY}\">");
            }
            for man in men {
                let (x, y) = self.scene.cells[man.cell].center;
                let y = y - self.stand.lift;
                let id = self.man_id(man);
                let _ = writeln!(
                    self.out,
                    "<use href=\"#{id}\" x=\"{}\" y=\"{}\"/>",
                    number::text(x),
                    number::text(y)
                );
            }
            if ghost {
                self.out.push_str("</g>\n");
            }
        }
    }

    fn labels(&mut self) {
        if self.scene.labels.is_empty() {
            return;
        }
        let color = self.colors.text;
        let _ = writeln!(
            self.out,
            "<g fill=\"none\" stroke=\"{color}\" stroke-linecap=\"round\" stroke-linejoin=\"round\">"
        );
        for same_size in self.scene.labels.chunk_by(|one, next| one.size == next.size) {
            let stroke = number::text((same_size[0].size * alphabet::STROKE).max(0.001));
            let _ = write!(self.out, "<path stroke-width=\"{stroke}\" d=\"");
            for label in same_size {
                alphabet::push_path(&mut self.out, &label.text, label.at, label.size);
            }
            self.out.push_str("\"/>\n");
        }
        self.out.push_str("</g>\n");
    }
}

/// The polygons of the cells as SVG path data.
fn outline<'a>(cells: impl IntoIterator<Item = &'a Cell>) -> String {
    let mut path = String::new();
    for cell in cells {
        for (index, &corner) in cell.corners.iter().enumerate() {
            path.push(if index == 0 { 'M' } else { 'L' });
            number::push_pair(&mut path, corner);
        }
        path.push('Z');
    }
    path
}

/// How the men of a picture stand in their cells, in cell sides.
#[derive(Clone, Copy)]
struct Stand {
    /// The size of the box of a man.
    size: f64,
    /// How far above the center of the cell the middle of the box is.
    lift: f64,
}

impl Stand {
    /// As large as the tightest cell lets an upright man be: a base plate is wide, so in a cell that narrows
    /// downward a man that stands a little higher may be larger.
    fn of(cells: &[Cell]) -> Stand {
        let lifts = (0..=MAX_LIFT_STEPS).map(|step| f64::from(step) * LIFT_STEP);
        let stands = lifts.map(|lift| {
            let room = cells.iter().filter_map(|cell| room(cell, lift)).fold(MAX_MAN, f64::min);
            Stand { size: room.max(MIN_MAN), lift }
        });
        // The lowest of equals, so that men stand in the middle where there is room.
        let start = Stand { size: 0.0, lift: 0.0 };
        stands.fold(start, |best, next| if next.size > best.size + 1e-9 { next } else { best })
    }
}

/// How large a man's box may be in this cell with this lift; `None` for a cell without area.
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
