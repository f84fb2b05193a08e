//! The board in color: cells as the one geometry lays them out, pieces as letters, the last move and
//! a check. Around a board with joined edges a faint margin shows what comes next to the edge.

use super::style::{Ink, Style};
use lozenge_rules::geometry::Square;
use lozenge_rules::geometry::layout::{Layout, Shade};
use lozenge_rules::notation::drawing;
use lozenge_rules::position::{AnyPosition, Color};
use std::collections::HashMap;

/// Highlights and orientation.
#[derive(Clone, Debug, Default)]
pub(crate) struct BoardOptions {
    /// Turned by 45 degrees.
    pub(crate) diamond: bool,
    /// Black at the bottom.
    pub(crate) flipped: bool,
    /// The squares of the last move.
    pub(crate) last: Vec<Square>,
    /// The square of a King in check.
    pub(crate) check: Option<Square>,
}

/// Letters with ink, line by line.
#[derive(Default)]
pub(crate) struct Picture {
    rows: Vec<Vec<(char, Ink)>>,
}

impl Picture {
    /// Columns of the widest line.
    pub(crate) fn width(&self) -> usize {
        self.rows.iter().map(Vec::len).max().unwrap_or(0)
    }

    fn put(&mut self, column: usize, row: usize, text: &str, ink: Ink) {
        if self.rows.len() <= row {
            self.rows.resize(row + 1, Vec::new());
        }
        for (offset, letter) in text.chars().enumerate() {
            let line = &mut self.rows[row];
            if line.len() <= column + offset {
                line.resize(column + offset + 1, (' ', Ink::PLAIN));
            }
            line[column + offset] = (letter, ink);
        }
    }

    /// The lines, filled up with spaces to the width of the picture.
    pub(crate) fn lines(&self, style: Style) -> Vec<String> {
        let width = self.width();
        let line = |row: &Vec<(char, Ink)>| {
            let mut text = String::new();
            let mut at = 0;
            while at < row.len() {
                let ink = row[at].1;
                let run = row[at..].iter().take_while(|(_, other)| *other == ink).count();
                let letters: String = row[at..at + run].iter().map(|(letter, _)| *letter).collect();
                text += &style.paint(ink, &letters);
                at += run;
            }
            text + &" ".repeat(width - row.len())
        };
        self.rows.iter().map(line).collect()
    }
}

/// Columns of a cell in the square view.
const CELL: usize = 3;

/// Draws a position for a terminal with color.
pub(crate) fn draw(position: &AnyPosition, options: &BoardOptions) -> Picture {
    let variant = position.variant();
    let layout = variant.layout(options.diamond, options.flipped);
    if options.diamond {
        draw_diamond(position, options, &layout)
    } else {
        draw_square(position, options, &layout)
    }
}

/// The sign and the ink of a square.
fn cell(position: &AnyPosition, options: &BoardOptions, layout: &Layout, square: Square) -> (char, Ink) {
    let variant = position.variant();
    let shade = layout.cells.get(square.index()).map_or(Shade::Light, |cell| cell.shade);
    let back = if options.check == Some(square) {
        Ink::CHECK
    } else if options.last.contains(&square) {
        match shade {
            Shade::Light => Ink::LAST_LIGHT,
            Shade::Middle => Ink::LAST_MIDDLE,
            Shade::Dark => Ink::LAST_DARK,
        }
    } else {
        match shade {
            Shade::Light => Ink::LIGHT,
            Shade::Middle => Ink::MIDDLE,
            Shade::Dark => Ink::DARK,
        }
    };
    match position.piece_at(square) {
        None => (' ', back),
        Some(piece) => {
            let letter = variant.roles().letter(piece);
            (letter, if piece.color() == Color::White { back.white() } else { back.black() })
        }
    }
}

fn draw_square(position: &AnyPosition, options: &BoardOptions, layout: &Layout) -> Picture {
    let shape = position.variant().shape();
    let (columns, rows) = (usize::from(layout.columns), usize::from(layout.rows));
    let squares: HashMap<(usize, usize), Square> =
        layout.cells.iter().map(|cell| ((cell.column.into(), cell.row.into()), cell.square)).collect();
    let wrap = shape.wrap();
    let (beside, above) = (usize::from(wrap.files), usize::from(wrap.ranks));
    let left = shape.height().to_string().len() + 2;
    let mut picture = Picture::default();
    for row in 0..rows + 2 * above {
        for column in 0..columns + 2 * beside {
            // On a board with joined edges the margin shows what is beyond the edge.
            let on_board =
                (above..above + rows).contains(&row) && (beside..beside + columns).contains(&column);
            let at = ((column + columns - beside) % columns, (row + rows - above) % rows);
            let Some(&square) = squares.get(&at) else { continue };
            let (letter, ink) = cell(position, options, layout, square);
            let ink = if on_board { ink } else { ink.ghost() };
            picture.put(left + column * CELL, row, &format!(" {letter} "), ink);
        }
    }
    for label in drawing::labels(shape, layout) {
        if label.column < 0 {
            let text = format!("{:>width$}", label.text, width = left - 1);
            picture.put(0, usize::try_from(label.row).unwrap_or(0) + above, &text, Ink::FAINT);
        } else {
            let column = usize::try_from(label.column).unwrap_or(0) + beside;
            picture.put(left + column * CELL + 1, rows + 2 * above, &label.text, Ink::FAINT);
        }
    }
    picture
}

/// Every cell is three columns wide and has a tip above and below, half a line high:
///
/// ```text
///     ▄
///    ┌K┐▄
///     ▀┌Q┐
/// ```
fn draw_diamond(position: &AnyPosition, options: &BoardOptions, layout: &Layout) -> Picture {
    const LEFT: usize = 4;
    let mut picture = Picture::default();
    let mut tips: HashMap<(usize, usize), [Option<u8>; 2]> = HashMap::new();
    for drawn in &layout.cells {
        let (letter, ink) = cell(position, options, layout, drawn.square);
        let (column, row) = (LEFT + usize::from(drawn.column) * 2, usize::from(drawn.row) + 1);
        picture.put(column - 1, row, &format!(" {letter} "), ink);
        tips.entry((column, row - 1)).or_default()[1] = ink.ground();
        tips.entry((column, row + 1)).or_default()[0] = ink.ground();
    }
    for ((column, row), [upper, lower]) in tips {
        let (sign, ink) = match (upper, lower) {
            (Some(_), _) => ("▀", Ink::two(upper, lower)),
            _ => ("▄", Ink::two(lower, None)),
        };
        picture.put(column, row, sign, ink);
    }
    for label in drawing::labels(position.variant().shape(), layout) {
        let column = (LEFT as i32 + i32::from(label.column) * 2).max(0) as usize;
        picture.put(column, usize::try_from(label.row + 1).unwrap_or(0), &label.text, Ink::FAINT);
    }
    picture
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_rules::library;

    fn lines(id: &str, diamond: bool) -> Vec<String> {
        let position = AnyPosition::start(&library::game(id).unwrap());
        draw(&position, &BoardOptions { diamond, ..BoardOptions::default() }).lines(Style::plain())
    }

    #[test]
    fn boards_are_drawn_in_their_own_shape() {
        let diagonal = lines("diagonal", true);
        assert_eq!(diagonal[1].trim(), "▄ k ▄");
        assert_eq!(diagonal[15].split_whitespace().collect::<Vec<_>>(), ["2", "▀", "K", "▀", "b"]);
        let ring = lines("diamondring", false);
        assert_eq!(ring.len(), 15);
        // Above rank 12 stands rank 1 again.
        assert_eq!(ring[0].split_whitespace().collect::<String>(), "PREFKERP");
    }

    #[test]
    fn every_game_fits_a_terminal() {
        for id in library::ids() {
            for diamond in [false, true] {
                let lines = lines(id, diamond);
                assert!(lines.iter().all(|line| line.chars().count() <= 56), "{id}");
                let game = library::game(id).unwrap();
                if game.shape().wrap() == lozenge_rules::geometry::Wrap::default()
                    && game.shape().width() < 10
                {
                    assert!(lines.len() <= 20, "{id}: {}", lines.len());
                }
            }
        }
    }
}
