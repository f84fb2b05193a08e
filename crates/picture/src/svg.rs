//! The picture as SVG: page, frame, cells, marks, pieces and labels, in this order from back to front.
//!
//! One path a color for the cells, one definition for every piece and side; the same scene gives the same
//! text on every machine. Not here: which scenes are sensible (`check`) and the drawing of a piece
//! (`glyphs`).

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::check::{PictureError, check};
use crate::layout::{Area, PieceBox, Point};
use crate::scene::Shade;
use crate::scene::{Cell, Glyph, PlacedPiece, Scene};
use crate::theme::{Palette, THUMBNAIL, ink, palette};
use crate::theme::{Side, Theme};
use crate::xml::{self, push_escaped};
use crate::{alphabet, glyphs};

/// How far the frame shows around the board, in cell sides.
const FRAME: f64 = 0.045;
/// The same in a thumbnail, which is a tenth of the size.
const THUMBNAIL_FRAME: f64 = 0.1;
/// How large a cell is when the SVG is shown at its own size, in pixels a cell side.
const PIXELS_PER_CELL: f64 = 48.0;
/// The size of the border of a check, as a part of its cell.
const CHECK_BORDER: f64 = 0.92;
/// How opaque the repeated edge of a torus is: its cells, and the pieces on them.
const GHOST_CELL_OPACITY: &str = ".4";
const GHOST_PIECE_OPACITY: &str = ".55";

/// The scene as SVG text.
///
/// A scene that [`check`] refuses gives a small empty picture whose description has the reason.
/// Call [`check`] first to get the error itself.
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
    drawing.pieces();
    drawing.labels();
    drawing.out.push_str("</svg>\n");
    Ok(drawing.out)
}

struct Drawing<'a> {
    scene: &'a Scene,
    colors: &'static Palette,
    piece_box: PieceBox,
    /// Prefix of ids, which depends on the definitions, so that several pictures can
    /// stand in one page.
    id_suffix: String,
    out: String,
}

impl<'a> Drawing<'a> {
    fn new(scene: &'a Scene) -> Self {
        let piece_box = PieceBox::of(&scene.cells);
        let theme = match scene.theme {
            Theme::Light => 'l',
            Theme::Dark => 'd',
            Theme::Clear => 'c',
        };
        Drawing {
            scene,
            colors: if scene.color_cells.is_empty() { palette(scene.theme) } else { &THUMBNAIL },
            piece_box,
            id_suffix: format!("{theme}{}", (piece_box.size * 1000.0).round() as u64),
            out: String::new(),
        }
    }

    fn open(&mut self, area: &Area) {
        let mut view = String::new();
        for value in [area.left, area.top, area.width, area.height] {
            xml::push_number(&mut view, value);
            view.push(' ');
        }
        let _ = write!(
            self.out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{}\" width=\"{}\" height=\"{}\" role=\"img\">",
            view.trim_end(),
            xml::number((area.width * PIXELS_PER_CELL).round()),
            xml::number((area.height * PIXELS_PER_CELL).round()),
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

    /// Every piece that is used, once a side, and the glow of a check.
    fn definitions(&mut self) {
        let mut used: BTreeMap<String, (&Glyph, Side)> = BTreeMap::new();
        for piece in &self.scene.pieces {
            used.entry(self.piece_id(piece)).or_insert((&piece.glyph, piece.side));
        }
        if used.is_empty() && self.scene.check.is_empty() {
            return;
        }
        self.out.push_str("<defs>\n");
        for (id, (glyph, side)) in used {
            let attributes = glyphs::attributes(side, self.piece_box.size);
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

    fn piece_id(&self, piece: &PlacedPiece) -> String {
        let side = match piece.side {
            Side::First => "w",
            Side::Second => "b",
            Side::Red => "red",
            Side::Blue => "blue",
            Side::Yellow => "yellow",
            Side::Green => "green",
            Side::Dead => "dead",
        };
        format!("{side}-{}-{}", glyphs::id(&piece.glyph), self.id_suffix)
    }

    fn board(&mut self, area: &Area) {
        // A little larger than the view, so that no rounding leaves an edge without the page's color.
        let (left, top) = (xml::number(area.left - 1.0), xml::number(area.top - 1.0));
        let (width, height) = (xml::number(area.width + 2.0), xml::number(area.height + 2.0));
        let page = self.colors.page;
        let _ = writeln!(
            self.out,
            "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"{page}\"/>"
        );
        for ghost in [true, false] {
            self.cells(ghost);
        }
        for side in Side::ALL {
            let cells = self.scene.color_cells.iter().filter(|(_, of)| *of == side);
            let path = outline(cells.map(|(index, _)| &self.scene.cells[*index]));
            if !path.is_empty() {
                let fill = ink(side).fill;
                let _ = writeln!(
                    self.out,
                    "<path fill=\"{fill}\" stroke=\"{fill}\" stroke-width=\".02\" d=\"{path}\"/>"
                );
            }
        }
    }

    /// The cells with the frame around them.
    ///
    /// The frame is a wide line around all cells, and the cells cover its inner half again. It
    /// follows every outline, of holes and islands too, and leaves no seams between cells.
    fn cells(&mut self, ghost: bool) {
        let shaded = |shade| {
            let cells = self.scene.cells.iter().filter(|cell| cell.ghost == ghost && cell.shade == shade);
            outline(cells)
        };
        let colors = [
            (self.colors.light, Shade::Light),
            (self.colors.middle, Shade::Middle),
            (self.colors.dark, Shade::Dark),
        ];
        let paths: Vec<(&str, String, String)> = colors
            .into_iter()
            .map(|(color, shade)| (color, shaded(shade)))
            .filter(|(_, path)| !path.is_empty())
            .map(|(color, path)| (color, format!("cells-{:08x}", fingerprint(&path)), path))
            .collect();
        if paths.is_empty() {
            return;
        }
        let opacity = if ghost { format!(" opacity=\"{GHOST_CELL_OPACITY}\"") } else { String::new() };
        let frame = if self.scene.color_cells.is_empty() { FRAME } else { THUMBNAIL_FRAME };
        let (below, frame, width) = (self.colors.light, self.colors.frame, xml::number(2.0 * frame));
        let _ = writeln!(
            self.out,
            "<g stroke-linejoin=\"round\"{opacity}><g fill=\"{below}\" stroke=\"{frame}\" stroke-width=\"{width}\">"
        );
        for (_, id, path) in &paths {
            let _ = writeln!(self.out, "<path id=\"{id}\" d=\"{path}\"/>");
        }
        self.out.push_str("</g>");
        for (color, id, _) in &paths {
            let _ = write!(
                self.out,
                "<use href=\"#{id}\" fill=\"{color}\" stroke=\"{color}\" stroke-width=\".01\"/>"
            );
        }
        self.out.push_str("</g>\n");
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
            // The glow's red can look like a shadow, so the cell also gets a border, which is a shape.
            let border = outline([&shrunk(&cells[index], CHECK_BORDER)]);
            let color = self.colors.check;
            let _ = writeln!(
                self.out,
                "<path fill=\"none\" stroke=\"{color}\" stroke-width=\".05\" stroke-linejoin=\"round\" d=\"{border}\"/>"
            );
        }
        let color = self.colors.dot;
        for &index in &self.scene.dots {
            let taken = self.scene.pieces.iter().any(|piece| piece.cell == index);
            let (x, y) = cells[index].center;
            let _ = write!(self.out, "<circle cx=\"{}\" cy=\"{}\"", xml::number(x), xml::number(y));
            let _ = if taken {
                writeln!(
                    self.out,
                    " r=\".435\" fill=\"none\" stroke=\"{color}\" stroke-width=\".075\" opacity=\".8\"/>"
                )
            } else {
                writeln!(self.out, " r=\".15\" fill=\"{color}\" opacity=\".8\"/>")
            };
        }
    }

    fn pieces(&mut self) {
        for ghost in [true, false] {
            let pieces: Vec<&PlacedPiece> =
                self.scene.pieces.iter().filter(|piece| piece.ghost == ghost).collect();
            if pieces.is_empty() {
                continue;
            }
            if ghost {
                let _ = writeln!(self.out, "<g opacity=\"{GHOST_PIECE_OPACITY}\">");
            }
            for piece in pieces {
                let (x, y) = self.scene.cells[piece.cell].center;
                let y = y - self.piece_box.lift;
                let id = self.piece_id(piece);
                let _ = writeln!(
                    self.out,
                    "<use href=\"#{id}\" x=\"{}\" y=\"{}\"/>",
                    xml::number(x),
                    xml::number(y)
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
            let stroke = xml::number((same_size[0].size * alphabet::STROKE).max(0.001));
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
        // Steps between rounded corners, so that roundings do not add up.
        let corners: Vec<Point> = cell.corners.iter().map(|&(x, y)| (rounded(x), rounded(y))).collect();
        let Some(&first) = corners.first() else { continue };
        path.push('M');
        xml::push_pair(&mut path, first);
        for pair in corners.windows(2) {
            let step = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
            if step.1.abs() < 1e-6 {
                path.push('h');
                xml::push_number(&mut path, step.0);
            } else if step.0.abs() < 1e-6 {
                path.push('v');
                xml::push_number(&mut path, step.1);
            } else {
                path.push('l');
                xml::push_pair(&mut path, step);
            }
        }
        path.push('z');
    }
    path
}

/// The cell drawn together around its center.
fn shrunk(cell: &Cell, part: f64) -> Cell {
    let (x, y) = cell.center;
    let corners = cell.corners.iter().map(|corner| (x + (corner.0 - x) * part, y + (corner.1 - y) * part));
    Cell { corners: corners.collect(), ..cell.clone() }
}

/// The value as it is written, to thousandths.
fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

/// The picture in words, for people who cannot see it: how large the board is and which pieces each side has, in order of first appearance.
/// Ghosts are not counted: they are the same pieces seen twice.
pub(crate) fn describe(scene: &Scene) -> String {
    let cells = scene.cells.iter().filter(|cell| !cell.ghost).count();
    let mut text = format!("A board of {}.", counted(cells, "cell"));
    for side in Side::ALL {
        let (name, pieces) = (side.name(), pieces_of(scene, side));
        if !pieces.is_empty() {
            let list: Vec<String> = pieces.iter().map(|(name, count)| counted(*count, name)).collect();
            text.push_str(&format!(" {name}: {}.", list.join(", ")));
        }
    }
    text
}

fn pieces_of(scene: &Scene, side: Side) -> Vec<(String, usize)> {
    let mut pieces: Vec<(String, usize)> = Vec::new();
    for piece in scene.pieces.iter().filter(|piece| piece.side == side && !piece.ghost) {
        let name = match &piece.glyph {
            Glyph::Named(name) => name.clone(),
            Glyph::Letter(letter) | Glyph::Drawn(_, letter) => letter.to_string(),
        };
        match pieces.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => pieces.push((name, 1)),
        }
    }
    pieces
}

fn counted(count: usize, name: &str) -> String {
    if count == 1 { format!("1 {name}") } else { format!("{count} {name}s") }
}

/// A number that differs for different texts (FNV-1a): equal ids mean equal content, so that several
/// pictures can stand in one page.
fn fingerprint(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
