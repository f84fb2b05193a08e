//! Sets of squares: `*8 d4 a*` in the file, a list of names in ours.

use std::collections::BTreeSet;

/// A square as file and rank, from 0.
pub(crate) type Cell = (u8, u8);

/// Squares; those beyond a game's board do not count.
pub(crate) type Cells = BTreeSet<Cell>;

/// Files and ranks of the largest board.
const MAX_SIDE: u8 = 16;

/// All squares of the largest board.
pub(crate) fn everywhere() -> Cells {
    (0..MAX_SIDE).flat_map(|rank| (0..MAX_SIDE).map(move |file| (file, rank))).collect()
}

/// Reads a set of squares, which ends at a `-`; `None` if a word is not a set of squares.
pub(crate) fn read(text: &str) -> Option<Cells> {
    let mut cells = Cells::new();
    for word in text.split_whitespace().take_while(|word| *word != "-") {
        let mut letters = word.chars();
        let file = match letters.next()? {
            '*' => None,
            letter if letter.is_ascii_alphabetic() => Some(letter.to_ascii_lowercase() as u8 - b'a'),
            _ => return None,
        };
        let rank = match letters.as_str() {
            "*" if file.is_some() => None,
            number => Some(number.parse::<u8>().ok()?.checked_sub(1)?),
        };
        let wanted = |&(f, r): &Cell| file.is_none_or(|file| file == f) && rank.is_none_or(|rank| rank == r);
        cells.extend(everywhere().into_iter().filter(wanted));
    }
    Some(cells)
}

/// As an area of a variant file: whole ranks by their names, other squares one by one.
pub(crate) fn area(cells: &BTreeSet<Cell>, is_square: &dyn Fn(Cell) -> bool, files: u8, ranks: u8) -> String {
    let mut words = Vec::new();
    for rank in 0..ranks {
        let of_rank: Vec<Cell> =
            (0..files).map(|file| (file, rank)).filter(|&cell| is_square(cell)).collect();
        let inside: Vec<Cell> = of_rank.iter().copied().filter(|cell| cells.contains(cell)).collect();
        if !inside.is_empty() && inside.len() == of_rank.len() {
            words.push(format!("rank-{}", rank + 1));
        } else {
            words.extend(inside.into_iter().map(name));
        }
    }
    words.join(" ")
}

/// The name of a square.
pub(crate) fn name((file, rank): Cell) -> String {
    format!("{}{}", char::from(b'a' + file), rank + 1)
}

/// How a board is laid onto itself to exchange the two sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exchange {
    /// Rank by rank.
    Mirror,
    /// By 180 degrees.
    Turn,
}

impl Exchange {
    /// Its name in a variant file.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Mirror => "mirror-ranks",
            Self::Turn => "turn",
        }
    }

    /// Where a square goes.
    pub(crate) const fn cell(self, (file, rank): Cell, files: u8, ranks: u8) -> Cell {
        match self {
            Self::Mirror => (file, ranks - 1 - rank),
            Self::Turn => (files - 1 - file, ranks - 1 - rank),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_are_read_and_written() {
        let all = |_: Cell| true;
        let round = |text: &str| area(&read(text).unwrap(), &all, 8, 8);
        assert_eq!(round("*8"), "rank-8");
        assert_eq!(round("d4 e4 d5 e5"), "d4 e4 d5 e5");
        assert_eq!(round("a* *1"), "rank-1 a2 a3 a4 a5 a6 a7 a8");
        assert_eq!(round("i1 a9"), "");
        assert_eq!(round("a1 - a2"), "a1");
        assert_eq!((read("d"), read("**")), (None, None));
        assert_eq!(Exchange::Mirror.cell((0, 7), 8, 8), (0, 0));
        assert_eq!(Exchange::Turn.cell((0, 7), 8, 8), (7, 0));
    }
}
