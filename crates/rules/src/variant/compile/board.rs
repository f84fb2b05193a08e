//! Validates the board: its drawing, the players' frames, regions, edges.

use super::Compiler;
use crate::geometry::shape::MAX_SIDE;
use crate::geometry::{Coord, Frame, Shape, Square, Symmetry, Vector};
use crate::piece::{ByColor, Color};
use crate::variant::area::Areas;
use crate::variant::def::{AreaDef, Located, Text};
use crate::variant::document::At;
use std::collections::{BTreeMap, BTreeSet};

impl Compiler<'_> {
    pub(super) fn shape(&mut self) -> Option<Shape> {
        let rows = &self.def.board.rows;
        let at = self.def.board.symmetry.at;
        let Some(first) = rows.first() else {
            self.fault(at, "a board drawn with `.` for squares and `*` for holes", "no rows");
            return None;
        };
        let (width, height) = (first.value.chars().count(), rows.len());
        let before = self.faults.len();
        for row in rows {
            if row.value.chars().count() != width {
                self.fault(
                    row.at,
                    format!("{width} cells as in the first row"),
                    row.value.chars().count().to_string(),
                );
            }
            if let Some((offset, letter)) =
                row.value.char_indices().find(|(_, letter)| !matches!(letter, '.' | '*'))
            {
                let at = At { byte: row.at.byte + offset, ..row.at };
                self.fault(at, "`.` for a square or `*` for a hole", format!("`{letter}`"));
            }
        }
        let most = usize::from(MAX_SIDE);
        if width > most || height > most {
            self.fault(
                first.at,
                format!("a board of at most {most}x{most} cells"),
                format!("{width}x{height}"),
            );
        }
        if self.faults.len() > before {
            return None;
        }
        let cells: Vec<&[u8]> = rows.iter().rev().map(|row| row.value.as_bytes()).collect();
        let is_square = |at: Coord| cells[usize::from(at.rank)][usize::from(at.file)] == b'.';
        let shape = Shape::new(width as u8, height as u8, self.def.board.wrap, is_square);
        if shape.len() < 2 {
            self.fault(first.at, "a board of at least two squares", shape.len().to_string());
            return None;
        }
        Some(shape)
    }

    pub(super) fn frames(&mut self, shape: &Shape) -> Option<ByColor<Frame>> {
        let board = &self.def.board;
        let symmetry = board.symmetry.value;
        let fits = symmetry.fits(shape);
        if !fits && board.symmetry_readable {
            self.fault(
                board.symmetry.at,
                "a symmetry that lays every square onto a square",
                symmetry_mismatch(shape, symmetry),
            );
        }
        let steps = board.forward.each_ref().map(|forward| self.forward(forward));
        let [Some(forward), Some(found)] = steps.into_array() else { return None };
        let white = Frame::first(forward);
        let black = Frame::second(white, symmetry);
        if !board.symmetry_readable {
            // The symmetry of the file is unreadable, so Black's side is not checked.
            return Some(ByColor::new(white, black));
        }
        if fits && black.forward != found {
            let of = |Vector { dx, dy }: Vector| format!("[{dx}, {dy}]");
            let (name, due) = (symmetry.name(), of(black.forward));
            self.fault(
                board.forward[Color::Black].at,
                format!("{due} as Black's forward: White's {} under the symmetry `{name}`", of(forward)),
                of(found),
            );
            return None;
        }
        fits.then_some(ByColor::new(white, black))
    }

    /// A player's forward, one step long.
    fn forward(&mut self, forward: &Located<(i64, i64)>) -> Option<Vector> {
        let (dx, dy) = forward.value;
        let step = Vector::EIGHT.into_iter().find(|v| (i64::from(v.dx), i64::from(v.dy)) == (dx, dy));
        if step.is_none() {
            let expected = "one step to a neighbor, such as [0, 1] or [1, 1]";
            self.fault(forward.at, expected, format!("[{dx}, {dy}]"));
        }
        step
    }

    pub(super) fn areas<'s>(&mut self, shape: &'s Shape) -> Areas<'s> {
        let mut areas = Areas {
            shape,
            symmetry: self.def.board.symmetry.value,
            symmetry_readable: self.def.board.symmetry_readable,
            enemies: self.def.board.enemies.clone(),
            second_enemies: self.def.board.second_enemies.clone(),
            regions: BTreeMap::new(),
            regions_known: self.def.readable.regions,
            incomplete: BTreeSet::new(),
        };
        for (name, region) in &self.def.regions {
            let plain = |c: char| c.is_ascii_lowercase() || c == '-' || c == '_';
            if name.value.is_empty() || !name.value.chars().all(plain) || shape.named(&name.value).is_some() {
                self.wrong(name, "a name in small letters that is not a square");
            }
            let before = self.faults.len();
            let (squares, incomplete) = match region {
                AreaDef::Unreadable => (Vec::new(), true),
                AreaDef::Listed(text) => (self.white(&areas, text), areas.is_incomplete(&text.value)),
                AreaDef::Around { around, within } => {
                    let from = self.white(&areas, around);
                    let within = self.small(within, 0, 64) as u16;
                    let distances = areas.distances(&from);
                    let near = shape.squares().filter(|square| distances[square.index()] <= within);
                    (near.collect(), areas.is_incomplete(&around.value))
                }
            };
            if incomplete || self.faults.len() > before {
                areas.incomplete.insert(name.value.clone());
            }
            areas.regions.insert(name.value.clone(), squares);
        }
        areas
    }

    fn white(&mut self, areas: &Areas<'_>, text: &Text) -> Vec<Square> {
        let [white, _] = self.area(areas, text).squares.into_array();
        white
    }

    /// The squares, by color, where there is no square in a direction of the player's frame.
    pub(super) fn edge(
        &mut self,
        shape: &Shape,
        frames: ByColor<Frame>,
        text: &Text,
    ) -> Option<ByColor<Vec<Square>>> {
        let direction = match text.value.as_str() {
            "f" => (0, 1),
            "b" => (0, -1),
            "l" => (-1, 0),
            "r" => (1, 0),
            "fl" => (-1, 1),
            "fr" => (1, 1),
            "bl" => (-1, -1),
            "br" => (1, -1),
            _ => {
                self.wrong(text, "a direction: f b l r fl fr bl br");
                return None;
            }
        };
        Some(frames.map(|frame| {
            let seen = |v: &Vector| {
                let (right, forward) = frame.relative(*v);
                (right.signum(), forward.signum())
            };
            let step = Vector::EIGHT.into_iter().find(|v| seen(v) == direction).unwrap_or(frame.forward);
            shape.squares().filter(|&square| shape.step(square, step).is_none()).collect()
        }))
    }
}

/// The symmetry in the file's words, and why it does not fit.
fn symmetry_mismatch(shape: &Shape, symmetry: Symmetry) -> String {
    let (name, width, height) = (symmetry.name(), shape.width(), shape.height());
    if symmetry.needs_square_box() && width != height {
        return format!("`{name}`, which needs as many files as ranks, on {width}x{height} cells");
    }
    let lost = shape.squares().find(|&square| symmetry.square(shape, square).is_none());
    let lost =
        lost.map_or_else(String::new, |square| format!(", which lays {} onto a hole", shape.coord(square)));
    format!("`{name}`{lost}")
}
