//! Every game here is the same for both sides. Exchange the colors, and mirror or turn the board as the
//! game's start position does: each position of `testdata/perft` must have as many moves as before.

use std::path::Path;

use lozenge_reference::{Variant, Walker};

/// Where a square goes when the sides are exchanged, on a board of `n` files and `m` ranks, from zero.
fn image(id: &str, (file, rank): (usize, usize), (n, m): (usize, usize)) -> (usize, usize) {
    match id {
        "diagonal" | "diamondback" | "legan" => (n - 1 - file, m - 1 - rank),
        "doublediamond" => (n - 1 - rank, m - 1 - file),
        ring if ring.starts_with("diamondring") => (rank, file),
        _ => (file, m - 1 - rank),
    }
}

/// The rows of a placement, from the bottom, with a point for every empty square.
fn grid(placement: &str) -> Vec<Vec<char>> {
    let mut rows = Vec::new();
    for row in placement.rsplit('/') {
        let mut cells = Vec::new();
        let mut number = 0;
        for c in row.chars().chain(['\n']) {
            if let Some(digit) = c.to_digit(10) {
                number = number * 10 + digit as usize;
                continue;
            }
            cells.extend(std::iter::repeat_n('.', number));
            number = 0;
            cells.push(c);
        }
        cells.pop();
        rows.push(cells);
    }
    rows
}

fn exchanged(piece: char) -> char {
    if piece.is_ascii_uppercase() { piece.to_ascii_lowercase() } else { piece.to_ascii_uppercase() }
}

/// The position with the sides exchanged.
fn exchanged_fen(id: &str, fen: &str) -> String {
    let fields: Vec<&str> = fen.split(' ').collect();
    let old = grid(fields[0]);
    let size = (old[0].len(), old.len());
    let mut new = old.clone();
    for (rank, row) in old.iter().enumerate() {
        for (file, piece) in row.iter().enumerate() {
            let (to_file, to_rank) = image(id, (file, rank), size);
            new[to_rank][to_file] = exchanged(*piece);
        }
    }
    let rows: Vec<String> = new
        .iter()
        .rev()
        .map(|row| row.iter().map(|c| if *c == '.' { "1".into() } else { c.to_string() }).collect())
        .collect();
    // Runs of single ones would be read as one number, so they are counted here.
    let placement: Vec<String> = rows.iter().map(|row| count_runs(row)).collect();
    let name = |square: &str| {
        let file = square.as_bytes()[0] - b'a';
        let rank: usize = square[1..].parse().expect("a rank");
        let (file, rank) = image(id, (file.into(), rank - 1), size);
        format!("{}{}", char::from(b'a' + file as u8), rank + 1)
    };
    let rights: String = fields[2].chars().map(|c| right(id, c)).collect();
    let side = if fields[1] == "w" { "b" } else { "w" };
    let target = if fields[3] == "-" { "-".to_string() } else { name(fields[3]) };
    let mut fen = format!("{} {side} {rights} {target} {} {}", placement.join("/"), fields[4], fields[5]);
    if let Some(moved) = fields.get(6) {
        let names: Vec<String> = moved.split(',').map(name).collect();
        fen = format!("{fen} {}", names.join(","));
    }
    fen
}

fn count_runs(row: &str) -> String {
    let mut written = String::new();
    let mut run = 0;
    for c in row.chars().chain(['\n']) {
        if c == '1' {
            run += 1;
            continue;
        }
        if run > 0 {
            written.push_str(&run.to_string());
            run = 0;
        }
        written.push(c);
    }
    written.trim_end().to_string()
}

/// The castling that takes the place of another: in Double Diamond the one along the rank becomes the one
/// along the file.
fn right(id: &str, right: char) -> char {
    match (id, right) {
        ("doublediamond", 'K') => 'q',
        ("doublediamond", 'Q') => 'k',
        ("doublediamond", 'k') => 'Q',
        ("doublediamond", 'q') => 'K',
        _ => exchanged(right),
    }
}

#[test]
fn both_sides_have_the_same_moves() {
    for id in Variant::ids() {
        let game = Variant::by_id(id).expect("a known game");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../testdata/perft/{id}.perft"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        for fen in text.lines().filter_map(|line| line.strip_prefix("fen ")) {
            let walker = Walker::from_fen(&game, fen).expect("a readable position");
            let mirrored = exchanged_fen(id, fen);
            let other = Walker::from_fen(&game, &mirrored).expect("a readable position");
            let depth = if walker.perft(1) <= 40 { 2 } else { 1 };
            assert_eq!(walker.perft(depth), other.perft(depth), "{id}: {fen} and {mirrored}");
            assert_eq!(walker.status(), other.status(), "{id}: {fen} and {mirrored}");
        }
    }
}
