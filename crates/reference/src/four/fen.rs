//! Positions of four players as text, there and back.

use super::walker::Offer;
use super::{Board, FourRules, FourWalker, Piece, Seat};
use crate::board::Square;

/// Everything that is wrong with a FEN, a sentence each; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FenFaults(pub Vec<String>);

impl std::fmt::Display for FenFaults {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.join("; "))
    }
}

impl std::error::Error for FenFaults {}

impl From<&str> for FenFaults {
    fn from(fault: &str) -> FenFaults {
        FenFaults(vec![fault.into()])
    }
}

impl FourWalker {
    /// Reads a position and resolves it: a mover without a legal move is mated or passes.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn from_fen(rules: FourRules, fen: &str) -> Result<FourWalker, FenFaults> {
        let fields: Vec<&str> = fen.split_whitespace().collect();
        let [placed, mover, rights, en_passant, clock, number, players] = fields[..] else {
            return Err(FenFaults(vec![format!("a FEN of four players has 7 fields, not {}", fields.len())]));
        };
        let mut faults = Vec::new();
        let board = placement(rules, placed, &mut faults);
        let mover = one_letter(mover).and_then(|letter| player(rules, letter));
        if mover.is_none() {
            faults.push("the mover is `r`, `b`, `y` or `g`".into());
        }
        let rights = read_rights(rules, rights, &mut faults);
        let offers = read_offers(rules, en_passant, &mut faults);
        let halfmove_clock = counter("halfmove clock", clock, 0..=65_535, &mut faults);
        let move_number = counter("move number", number, 1..=1_000_000, &mut faults);
        let out = players_out(rules, players, &mut faults);
        let (Some(board), Some(mover), Some(out)) = (board, mover, out) else {
            return Err(FenFaults(faults));
        };
        let mut walker = FourWalker {
            rules,
            board,
            mover,
            rights,
            offers,
            halfmove_clock,
            move_number,
            out,
            stalemate: false,
        };
        walker.judge(&mut faults);
        if !faults.is_empty() {
            return Err(FenFaults(faults));
        }
        walker.resolve();
        Ok(walker)
    }

    /// Adds the faults of a readable text that is not a legal position.
    fn judge(&self, faults: &mut Vec<String>) {
        let (mover, rules) = (self.mover, self.rules);
        if !self.is_living(mover) {
            faults.push(format!("{} is out and cannot be on the turn", mover.name()));
        }
        for seat in self.living() {
            let kings = self.board.kings(seat).len();
            if kings != 1 {
                faults.push(format!("{} has {kings} kings, not one", seat.name()));
            }
        }
        for (square, piece) in self.board.pieces() {
            let at = square.name();
            match piece.owner {
                Some(owner) if !self.is_living(owner) => {
                    faults.push(format!("{} is out and has a piece on {at}", owner.name()));
                }
                Some(owner) if piece.letter == 'P' && rules.promotes(owner, square) => {
                    faults.push(format!("a pawn of {} is promoted on {at}", owner.name()));
                }
                None if piece.letter == 'K' => faults.push(format!("the king on {at} is dead")),
                _ => {}
            }
        }
        for castling in rules.castlings() {
            let piece = |letter| Some(Piece { owner: Some(castling.seat), letter });
            let stands = self.board.get(castling.king.0) == piece('K')
                && self.board.get(castling.rook.0) == piece('R');
            if self.rights.contains(&(castling.seat, castling.letter)) && !stands {
                faults.push(format!("{} cannot castle: `{}`", castling.seat.name(), castling.letter));
            }
        }
        for Offer { seat, crossed, pawn } in &self.offers {
            let stepped = rules
                .shape()
                .squares()
                .into_iter()
                .any(|from| rules.double_step(*seat, from) == Some((*crossed, *pawn)));
            let stands = self.board.get(*pawn) == Some(Piece { owner: Some(*seat), letter: 'P' });
            if !stepped || !stands || *seat == mover || !self.is_living(*seat) {
                faults.push(format!("{} has not crossed {}", seat.name(), crossed.name()));
            }
        }
        let living = self.living();
        for (number, one) in living.iter().enumerate() {
            for other in living[number + 1..].iter().filter(|other| rules.are_hostile(*one, **other)) {
                if self.kings_touch(*one, *other) {
                    faults.push(format!(
                        "the kings of {} and {} stand side by side",
                        one.name(),
                        other.name()
                    ));
                }
            }
        }
        if rules == FourRules::Teams {
            let before = mover.before();
            if self.is_living(before) && self.is_attacked(before) {
                faults.push(format!("{} has just moved and is in check", before.name()));
            }
            if self.out.len() > 1 {
                faults.push("in teams the first player who goes out ends the game".into());
            }
        }
    }

    fn kings_touch(&self, one: Seat, other: Seat) -> bool {
        let others = self.board.kings(other);
        self.board.kings(one).iter().any(|one| {
            others.iter().any(|other| (one.file - other.file).abs().max((one.rank - other.rank).abs()) == 1)
        })
    }

    /// The position as text.
    #[must_use]
    pub fn fen(&self) -> String {
        let letters = |seats: &[Seat]| seats.iter().map(|seat| seat.letter()).collect::<String>();
        let mut players = letters(&self.living());
        if !self.out.is_empty() {
            players = format!("{players}/{}", letters(&self.out));
        }
        let (board, mover) = (written(&self.board), self.mover.letter());
        let or_none = |text: String| if text.is_empty() { "-".to_owned() } else { text };
        let ordered = self.rules.castlings().iter().map(|castling| (castling.seat, castling.letter));
        let held = ordered.filter(|right| self.rights.contains(right));
        let rights = or_none(held.map(|(seat, letter)| format!("{}{letter}", seat.letter())).collect());
        let mut offers = self.offers.clone();
        offers.sort_by_key(|offer| offer.seat);
        let offer =
            |offer: &Offer| format!("{}{}{}", offer.seat.letter(), offer.crossed.name(), offer.pawn.name());
        let offers = or_none(offers.iter().map(offer).collect::<Vec<_>>().join(","));
        format!("{board} {mover} {rights} {offers} {} {} {players}", self.halfmove_clock, self.move_number)
    }
}

/// The player of a letter.
fn player(rules: FourRules, letter: char) -> Option<Seat> {
    Seat::of_letter(letter).filter(|seat| rules.seats().contains(seat))
}

/// The third field: pairs of a player's letter and that of a castling.
fn read_rights(rules: FourRules, field: &str, faults: &mut Vec<String>) -> Vec<(Seat, char)> {
    let mut rights = Vec::new();
    if rules.castlings().is_empty() && field != "-" {
        faults.push(format!("there is no castling rights in this game: `-`, not `{field}`"));
        return rights;
    }
    let letters: Vec<char> = if field == "-" { Vec::new() } else { field.chars().collect() };
    for pair in letters.chunks(2) {
        let known = match pair {
            [seat, letter] => rules
                .castlings()
                .iter()
                .map(|castling| (castling.seat, castling.letter))
                .find(|right| right.0.letter() == *seat && right.1 == *letter),
            _ => None,
        };
        match known {
            Some(right) if !rights.contains(&right) => rights.push(right),
            _ => faults.push(format!("castling rights are pairs of letters, each once, not `{field}`")),
        }
    }
    rights
}

/// The fourth field: for each player whose pawn has made a double step, the square it crossed and its own.
fn read_offers(rules: FourRules, field: &str, faults: &mut Vec<String>) -> Vec<Offer> {
    let mut offers: Vec<Offer> = Vec::new();
    if rules.castlings().is_empty() && field != "-" {
        faults.push(format!("there is no en passant in this game: `-`, not `{field}`"));
        return offers;
    }
    for text in field.split(',').filter(|_| field != "-") {
        match read_offer(rules, text) {
            Some(offer) if offers.iter().all(|other| other.seat != offer.seat) => offers.push(offer),
            _ => {
                faults.push(format!("en passant is a player and two squares, each player once, not `{text}`"))
            }
        }
    }
    offers
}

fn read_offer(rules: FourRules, text: &str) -> Option<Offer> {
    let seat = player(rules, text.chars().next()?)?;
    let squares = text.get(1..)?;
    // The second square begins with the second letter.
    let second = squares.char_indices().skip(1).find(|(_, c)| c.is_ascii_lowercase())?.0;
    let (crossed, pawn) = squares.split_at(second);
    let shape = rules.shape();
    Some(Offer { seat, crossed: shape.parse(crossed).ok()?, pawn: shape.parse(pawn).ok()? })
}

/// The only character of a text.
fn one_letter(text: &str) -> Option<char> {
    let mut characters = text.chars();
    characters.next().filter(|_| characters.next().is_none())
}

fn counter(name: &str, field: &str, range: std::ops::RangeInclusive<u32>, faults: &mut Vec<String>) -> u32 {
    let plain = field.chars().all(|c| c.is_ascii_digit());
    field.parse().ok().filter(|number| plain && range.contains(number)).unwrap_or_else(|| {
        faults.push(format!(
            "the {name} is a number from {} to {}, not `{field}`",
            range.start(),
            range.end()
        ));
        *range.start()
    })
}

/// The seventh field: the living in the order of the seats, and after `/` those who are out.
fn players_out(rules: FourRules, field: &str, faults: &mut Vec<String>) -> Option<Vec<Seat>> {
    let (living, out) = match field.split_once('/') {
        None => (field, None),
        Some((living, out)) => (living, Some(out)),
    };
    let mut seats: Vec<Seat> = Vec::new();
    for letter in living.chars().chain(out.unwrap_or_default().chars()) {
        match player(rules, letter) {
            Some(seat) if !seats.contains(&seat) => seats.push(seat),
            Some(_) => faults.push(format!("`{letter}` stands twice among the players `{field}`")),
            None => faults.push(format!("`{letter}` is no player in `{field}`")),
        }
    }
    for seat in rules.seats() {
        if !seats.contains(seat) {
            faults.push(format!("`{}` is missing among the players `{field}`", seat.letter()));
        }
    }
    if out == Some("") {
        faults.push(format!("there is no `/` among the players while nobody is out: `{field}`"));
    }
    let of = |text: &str| text.chars().filter_map(Seat::of_letter).collect::<Vec<Seat>>();
    if !of(living).is_sorted() {
        faults.push(format!("the living are written in the order `rbyg`, not `{living}`"));
    }
    (seats.len() == rules.seats().len()).then(|| of(out.unwrap_or_default()))
}

/// The first field: ranks from the top, `/` between, two letters a piece.
fn placement(rules: FourRules, field: &str, faults: &mut Vec<String>) -> Option<Board> {
    let rows: Vec<&str> = field.split('/').collect();
    let ranks = rules.shape().ranks;
    if rows.len() != ranks as usize {
        faults.push(format!("the board has {ranks} ranks, the placement {}", rows.len()));
        return None;
    }
    let mut board = Board::empty(rules.shape());
    let mut is_whole = true;
    for (number, row) in rows.iter().enumerate() {
        let rank = ranks - 1 - number as i32;
        if let Err(fault) = read_row(rules, &mut board, rank, row) {
            faults.push(format!("rank {}: {fault}", rank + 1));
            is_whole = false;
        }
    }
    is_whole.then_some(board)
}

fn read_row(rules: FourRules, board: &mut Board, rank: i32, row: &str) -> Result<(), String> {
    let (shape, files) = (rules.shape(), rules.shape().files);
    let mut file = 0;
    let mut characters = row.chars().peekable();
    while let Some(character) = characters.next() {
        if character.is_ascii_digit() {
            let mut run = character.to_string();
            while let Some(digit) = characters.next_if(char::is_ascii_digit) {
                run.push(digit);
            }
            let count: i32 = run.parse().map_err(|_| format!("`{run}` squares are too many"))?;
            let is_square = |file| shape.contains(Square { file, rank });
            if count < 1
                || run.starts_with('0')
                || count > files - file
                || !(file..file + count).all(is_square)
            {
                return Err(format!("a run of {run} empty squares does not fit"));
            }
            file += count;
            continue;
        }
        if character == '*' {
            if file >= files || shape.contains(Square { file, rank }) {
                return Err("expected a hole only where the board has one".into());
            }
            file += 1;
            continue;
        }
        let owner = match (character, player(rules, character)) {
            ('d', _) => None,
            (_, Some(seat)) => Some(seat),
            _ => return Err(format!("`{character}` is no player")),
        };
        let letter = characters.next().filter(|letter| rules.letters().contains(*letter));
        let letter = letter.ok_or_else(|| format!("no piece follows `{character}`"))?;
        let square = Square { file, rank };
        if !shape.contains(square) {
            return Err("a piece beside the board".into());
        }
        board.set(square, Some(Piece { owner, letter }));
        file += 1;
    }
    if file == files { Ok(()) } else { Err(format!("{file} squares, not {files}")) }
}

fn written(board: &Board) -> String {
    let mut rows = Vec::new();
    for rank in (0..board.shape.ranks).rev() {
        let mut row = String::new();
        let mut empty = 0;
        for file in 0..board.shape.files {
            let square = Square { file, rank };
            let piece = board.get(square);
            if piece.is_none() && board.shape.contains(square) {
                empty += 1;
                continue;
            }
            if empty > 0 {
                row.push_str(&empty.to_string());
                empty = 0;
            }
            let Some(piece) = piece else {
                row.push('*');
                continue;
            };
            row.push(piece.owner.map_or('d', Seat::letter));
            row.push(piece.letter);
        }
        if empty > 0 {
            row.push_str(&empty.to_string());
        }
        rows.push(row);
    }
    rows.join("/")
}
