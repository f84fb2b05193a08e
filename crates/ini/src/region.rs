//! Sets of squares: `*8 d4 a*` in the file, a list of names in ours.

use std::collections::BTreeSet;

/// A square as file and rank, from 0.
pub(crate) type Cell = (u8, u8);

/// Reads a set of squares of a board; `None` if a word is not a set of squares. Squares beyond the board do not count.
pub(crate) fn read(text: &str, files: u8, ranks: u8) -> Option<BTreeSet<Cell>> {
    let mut cells = BTreeSet::new();
    for word in text.split_whitespace() {
        let mut letters = word.chars();
        let file = match letters.next()? {
            '*' => None,
            letter if letter.is_ascii_alphabetic() => Some(letter.to_ascii_lowercase() as u8 - b'a'),
            _ => return None,
        };
        let rank = match letters.as_str() {
            "*" => None,
            number => Some(number.parse::<u8>().ok()?.checked_sub(1)?),
        };
        for (f, r) in (0..files).flat_map(|f| (0..ranks).map(move |r| (f, r))) {
            if file.is_none_or(|file| file == f) && rank.is_none_or(|rank| rank == r) {
                cells.insert((f, r));
            }
        }
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

/// The squares as Black sees them, on a board that is mirrored from rank to rank.
pub(crate) fn mirrored(cells: &BTreeSet<Cell>, ranks: u8) -> BTreeSet<Cell> {
    cells.iter().map(|&(file, rank)| (file, ranks - 1 - rank)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_are_read_and_written() {
        let all = |_: Cell| true;
        let round = |text: &str| area(&read(text, 8, 8).unwrap(), &all, 8, 8);
        assert_eq!(round("*8"), "rank-8");
        assert_eq!(round("d4 e4 d5 e5"), "d4 e4 d5 e5");
        assert_eq!(round("a* *1"), "rank-1 a2 a3 a4 a5 a6 a7 a8");
        assert_eq!(round("i1 a9"), "");
        assert_eq!(read("d", 8, 8), None);
        assert_eq!(read("**", 2, 2).unwrap().len(), 4);
        assert_eq!(area(&mirrored(&read("*8 *7", 8, 8).unwrap(), 8), &all, 8, 8), "rank-1 rank-2");
    }
}
