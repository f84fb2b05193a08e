//! FEN: from text to [`Setup`] and back. Whether the setup is a position is for validation.
//!
//! Grammar (`rules.md`): ranks from the top with `/` between; capitals White; a run of digits that
//! many empty squares; `*` a hole; then side, castling rights, en passant target, and optionally the
//! halfmove clock and fullmove number, and after them the starting squares whose men have moved.

use crate::geometry::{Coord, Shape};
use crate::position::{Cell, Color, MAX_FULLMOVE, Setup};
use crate::variant::Men;

/// What FEN needs to know of a game.
#[derive(Clone, Copy, Debug)]
pub struct Context<'v> {
    /// The board.
    pub shape: &'v Shape,
    /// The letters of the men.
    pub men: &'v Men,
    /// The letters of the castling rights, in the order of the bits of [`Setup::rights`].
    pub rights: &'v [char],
}

/// What is wrong with a text as FEN, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("FEN, column {column}: expected {expected}, found {found}")]
pub struct FenError {
    /// Column in characters, from 1.
    pub column: usize,
    /// What could stand there.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

/// Longest FEN, in bytes: far more than a full board of 256 squares needs.
pub const MAX_FEN: usize = 2048;

/// Reads a FEN.
///
/// # Errors
/// The first place where the text is not FEN for a board of this game's size and letters.
pub fn parse(context: Context<'_>, text: &str) -> Result<Setup, FenError> {
    if text.len() > MAX_FEN {
        return Err(error(text, MAX_FEN, format!("at most {MAX_FEN} bytes"), format!("{}", text.len())));
    }
    let fields: Vec<(usize, &str)> = text
        .split_ascii_whitespace()
        .map(|field| (field.as_ptr() as usize - text.as_ptr() as usize, field))
        .collect();
    if !matches!(fields.len(), 4 | 6 | 7) {
        let found = format!("{} fields", fields.len());
        return Err(error(text, text.len(), "4, 6 or 7 fields".into(), found));
    }
    let cells = placement(context, text, fields[0])?;
    let turn = match fields[1].1 {
        "w" => Color::White,
        "b" => Color::Black,
        other => {
            return Err(error(
                text,
                fields[1].0,
                "the side to move, `w` or `b`".into(),
                format!("`{other}`"),
            ));
        }
    };
    let number = |index: usize, name: &str, least: u32, most: u32| match fields.get(index) {
        None => Ok(least),
        Some(&(at, field)) => {
            let digits = field.bytes().all(|byte| byte.is_ascii_digit());
            field.parse().ok().filter(|number| digits && (least..=most).contains(number)).ok_or_else(|| {
                error(text, at, format!("the {name}, a number from {least} to {most}"), format!("`{field}`"))
            })
        }
    };
    Ok(Setup {
        cells,
        width: context.shape.width(),
        turn,
        rights: rights(context, text, fields[2])?,
        en_passant: match fields[3] {
            (_, "-") => None,
            field => Some(coord(text, field, "the en passant target, a square or `-`")?),
        },
        halfmove_clock: number(4, "halfmove clock", 0, u32::from(u16::MAX))? as u16,
        fullmove_number: number(5, "fullmove number", 1, MAX_FULLMOVE)?,
        moved: match fields.get(6) {
            None => Vec::new(),
            Some(&field) => moved(text, field)?,
        },
    })
}

fn error(text: &str, byte: usize, expected: String, found: String) -> FenError {
    let before = text.get(..byte.min(text.len())).unwrap_or(text);
    FenError { column: before.chars().count() + 1, expected, found }
}

/// The cells, rank 1 first, from text that begins with the top rank.
fn placement(context: Context<'_>, text: &str, (start, field): (usize, &str)) -> Result<Vec<Cell>, FenError> {
    let (width, height) = (usize::from(context.shape.width()), usize::from(context.shape.height()));
    let ranks: Vec<&str> = field.split('/').collect();
    if ranks.len() != height {
        return Err(error(text, start, format!("{height} ranks"), format!("{} ranks", ranks.len())));
    }
    let mut cells = vec![Cell::Empty; width * height];
    let mut at = start;
    for (from_top, rank) in ranks.iter().enumerate() {
        let row = &mut cells[(height - 1 - from_top) * width..][..width];
        let mut file = 0;
        let mut letters = rank.char_indices().peekable();
        while let Some((offset, letter)) = letters.next() {
            let cell = match letter {
                '*' => Some(Cell::Hole),
                '1'..='9' => {
                    let mut run = letter as usize - '0' as usize;
                    while let Some((_, digit)) = letters.next_if(|(_, next)| next.is_ascii_digit()) {
                        run = (run * 10 + (digit as usize - '0' as usize)).min(1000);
                    }
                    file += run;
                    None
                }
                _ => match context.men.piece(letter) {
                    Some(piece) => Some(Cell::Man(piece)),
                    None => {
                        let letters: String = context.men.iter().map(|(_, info)| info.letter).collect();
                        let expected = format!("a man ({letters}), a number of empty squares, `*` or `/`");
                        return Err(error(text, at + offset, expected, format!("`{letter}`")));
                    }
                },
            };
            if let Some(cell) = cell {
                if let Some(place) = row.get_mut(file) {
                    *place = cell;
                }
                file += 1;
            }
            if file > width {
                return Err(error(text, at + offset, format!("{width} cells in a rank"), "more".into()));
            }
        }
        if file < width {
            return Err(error(text, at + rank.len(), format!("{width} cells in a rank"), format!("{file}")));
        }
        at += rank.len() + 1;
    }
    // A run of digits may lie across holes of the board: such cells are squares in this text, and
    // validation will say so.
    Ok(cells)
}

fn rights(context: Context<'_>, text: &str, (start, field): (usize, &str)) -> Result<u16, FenError> {
    if field == "-" {
        return Ok(0);
    }
    let mut rights = 0;
    for (offset, letter) in field.char_indices() {
        let bit =
            context.rights.iter().position(|&right| right == letter).filter(|bit| rights >> bit & 1 == 0);
        let Some(bit) = bit else {
            let expected = match context.rights {
                [] => "no castling rights, `-`".into(),
                letters => {
                    format!("castling rights from {}, each once, or `-`", letters.iter().collect::<String>())
                }
            };
            return Err(error(text, start + offset, expected, format!("`{letter}`")));
        };
        rights |= 1 << bit;
    }
    Ok(rights)
}

fn coord(text: &str, (start, field): (usize, &str), expected: &str) -> Result<Coord, FenError> {
    match Coord::read(field) {
        Some((coord, "")) => Ok(coord),
        _ => Err(error(text, start, expected.into(), format!("`{field}`"))),
    }
}

fn moved(text: &str, (start, field): (usize, &str)) -> Result<Vec<Coord>, FenError> {
    let mut at = start;
    let mut moved = Vec::new();
    for name in field.split(',') {
        let square = coord(text, (at, name), "squares with `,` between")?;
        if moved.contains(&square) {
            return Err(error(text, at, "each square once".into(), format!("`{name}` again")));
        }
        moved.push(square);
        at += name.len() + 1;
    }
    Ok(moved)
}

/// Writes a FEN with all six fields, and the seventh where there is something to say.
#[must_use]
pub fn write(context: Context<'_>, setup: &Setup) -> String {
    let width = usize::from(setup.width.max(1));
    let mut text = String::new();
    for (number, row) in setup.cells.chunks(width).rev().enumerate() {
        if number > 0 {
            text.push('/');
        }
        let mut run = 0;
        for cell in row {
            if *cell == Cell::Empty {
                run += 1;
                continue;
            }
            flush(&mut text, &mut run);
            text.push(match cell {
                Cell::Man(piece) => context.men.letter(*piece),
                _ => '*',
            });
        }
        flush(&mut text, &mut run);
    }
    let rights: String = (context.rights.iter().enumerate())
        .filter(|(bit, _)| setup.rights >> bit & 1 != 0)
        .map(|(_, letter)| letter)
        .collect();
    let rights = if rights.is_empty() { "-" } else { &rights };
    let target = setup.en_passant.map_or_else(|| "-".into(), |target| target.to_string());
    text += &format!(
        " {} {rights} {target} {} {}",
        setup.turn.letter(),
        setup.halfmove_clock,
        setup.fullmove_number
    );
    if !setup.moved.is_empty() {
        let mut moved = setup.moved.clone();
        moved.sort_unstable();
        let names: Vec<String> = moved.iter().map(ToString::to_string).collect();
        text += &format!(" {}", names.join(","));
    }
    text
}

fn flush(text: &mut String, run: &mut usize) {
    if *run > 0 {
        text.push_str(&run.to_string());
        *run = 0;
    }
}
