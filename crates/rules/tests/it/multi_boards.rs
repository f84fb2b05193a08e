//! Boards of games of three and four filled at random, as FEN.

use crate::walker::Random;
use lozenge_reference::four::FourRules;

/// A FEN with one King of each living player and other pieces, few or many, mostly near each other.
pub(crate) fn random_fen(rules: FourRules, dice: &mut Random) -> String {
    let (length, cut, seats, roles) = match rules {
        FourRules::Free | FourRules::Teams => (12, 0, "rbyg", "PPPWEDNRB"),
        FourRules::Chess => (14, 3, "rbyg", "PPPPPNRBQ"),
        FourRules::Three => (12, 3, "rby", "PPPPPNRBQ"),
    };
    let is_hole =
        |file: usize, rank: usize| [file, rank].into_iter().all(|at| at < cut || at >= length - cut);
    let mut cells: Vec<Vec<Option<String>>> = vec![vec![None; length]; length];
    let out: Vec<char> = match dice.below(4) {
        0 => vec!['b'],
        1 if seats.len() == 4 => vec!['g', 'r'],
        _ => Vec::new(),
    };
    let living: String = seats.chars().filter(|seat| !out.contains(seat)).collect();
    // A corner of the board, so that pieces meet.
    let side = 4 + cut + dice.below(9).min(length - cut - 4);
    let (file, rank) = ((length - side) * dice.below(2), (length - side) * dice.below(2));
    let any_square = |dice: &mut Random| loop {
        let (file, rank) = (file + dice.below(side), rank + dice.below(side));
        // Rarely a hole, which is a fault.
        if !is_hole(file, rank) || dice.below(300) == 0 {
            return (file, rank);
        }
    };
    for seat in living.chars() {
        let (file, rank) = any_square(dice);
        cells[rank][file] = Some(format!("{seat}K"));
    }
    let pieces = dice.below(side * side / 2);
    for _ in 0..pieces {
        let owner = match dice.below(6) {
            0 if !out.is_empty() => 'd',
            _ => living.chars().nth(dice.below(living.len())).unwrap_or('r'),
        };
        let role = roles.as_bytes()[dice.below(9)] as char;
        let (file, rank) = any_square(dice);
        let cell = &mut cells[rank][file];
        if cell.is_none() {
            *cell = Some(format!("{owner}{role}"));
        }
    }
    for (rank, row) in cells.iter_mut().enumerate() {
        for (_, cell) in row.iter_mut().enumerate().filter(|(file, _)| is_hole(*file, rank)) {
            cell.get_or_insert("*".into());
        }
    }
    let rows = cells.iter().rev().map(|row| {
        let (mut text, mut empty) = (String::new(), 0);
        for cell in row {
            match cell {
                None => empty += 1,
                Some(piece) => {
                    text += &if empty > 0 { empty.to_string() } else { String::new() };
                    text += piece;
                    empty = 0;
                }
            }
        }
        if empty > 0 { text + &empty.to_string() } else { text }
    });
    let rows: Vec<String> = rows.collect();
    let mover = living.chars().nth(dice.below(living.len())).unwrap_or('r');
    let players = if out.is_empty() { living } else { format!("{living}/{}", String::from_iter(&out)) };
    format!("{} {mover} - - {} {} {players}", rows.join("/"), dice.below(90), 1 + dice.below(60))
}

/// A FEN of Four-Player Chess with Kings and rooks at home, double steps that have just been made, and pawns that may answer them.
pub(crate) fn random_chess_fen(dice: &mut Random) -> String {
    // Red's: the others are turned.
    let turned = |quarters: usize, (file, rank): (usize, usize)| {
        (0..quarters).fold((file, rank), |(file, rank), _| (rank, 13 - file))
    };
    let mut cells: Vec<Vec<Option<String>>> = vec![vec![None; 14]; 14];
    let is_hole = |file: usize, rank: usize| [file, rank].into_iter().all(|at| !(3..11).contains(&at));
    let mut put = |(file, rank): (usize, usize), piece: String| {
        if !is_hole(file, rank) && cells[rank][file].is_none() {
            cells[rank][file] = Some(piece);
        }
    };
    let mover = dice.below(4);
    let (mut rights, mut offers) = (String::new(), Vec::new());
    for (number, seat) in ['r', 'b', 'y', 'g'].into_iter().enumerate() {
        put(turned(number, (7, 0)), format!("{seat}K"));
        for (rook, right) in [(10, 'K'), (3, 'Q')] {
            if dice.below(3) > 0 {
                put(turned(number, (rook, 0)), format!("{seat}R"));
                if dice.below(4) > 0 {
                    rights += &format!("{seat}{right}");
                }
            }
        }
        for _ in 0..dice.below(3) {
            put(turned(number, (3 + dice.below(8), 1)), format!("{seat}P"));
        }
        if dice.below(3) > 0 {
            let file = 3 + dice.below(8);
            let square =
                |(file, rank): (usize, usize)| format!("{}{}", (b'a' + file as u8) as char, rank + 1);
            let (crossed, pawn) = (turned(number, (file, 2)), turned(number, (file, 3)));
            put(pawn, format!("{seat}P"));
            if number != mover || dice.below(20) == 0 {
                offers.push(format!("{seat}{}{}", square(crossed), square(pawn)));
            }
            for _ in 0..dice.below(4) {
                let near = (file + 2 * dice.below(2) - 1, 1 + 2 * dice.below(2));
                let other = ['r', 'b', 'y', 'g'][dice.below(4)];
                put(turned(number, near), format!("{other}P"));
            }
            if dice.below(5) == 0 {
                let other = ['r', 'b', 'y', 'g', 'd'][dice.below(5)];
                put(crossed, format!("{other}N"));
            }
        }
    }
    for _ in 0..dice.below(8) {
        let role = ['N', 'B', 'R', 'Q'][dice.below(4)];
        put((dice.below(14), dice.below(14)), format!("{}{role}", ['r', 'b', 'y', 'g'][dice.below(4)]));
    }
    let row = |(rank, row): (usize, &Vec<Option<String>>)| {
        let cell = |(file, cell): (usize, &Option<String>)| match cell {
            None if is_hole(file, rank) => "*".to_owned(),
            None => ".".to_owned(),
            Some(piece) => piece.clone(),
        };
        let cells: Vec<String> = row.iter().enumerate().map(cell).collect();
        let runs = cells.chunk_by(|one, other| one == "." && other == ".");
        runs.map(|run| if run[0] == "." { run.len().to_string() } else { run.concat() }).collect::<String>()
    };
    let rows: Vec<String> = cells.iter().enumerate().map(row).rev().collect();
    let or_none = |text: String| if text.is_empty() { "-".to_owned() } else { text };
    let (rights, offers) = (or_none(rights), or_none(offers.join(",")));
    let (rows, mover) = (rows.join("/"), ['r', 'b', 'y', 'g'][mover]);
    format!("{rows} {mover} {rights} {offers} {} {} rbyg", dice.below(90), 1 + dice.below(60))
}
