//! Positions as text. A FEN is rejected only if the walker cannot represent it; whether the position makes sense is
//! not checked here.

use std::collections::BTreeSet;

use crate::board::{Board, Color, Piece, Shape, Square};
use crate::movement::MoveKind;
use crate::variant::{Rules, Variant};
use crate::walker::Walker;

impl Walker {
    /// Reads a position: placement, side to move, castling rights, en passant target; then halfmove clock and
    /// move number, which may both be missing. In Double Diamond the pawns that have moved onto starting
    /// squares may follow.
    pub fn from_fen(game: &Variant, fen: &str) -> Result<Walker, String> {
        let rules = game.rules;
        let fields: Vec<&str> = fen.split_whitespace().collect();
        if ![4, 6, 7].contains(&fields.len()) {
            return Err(format!("a FEN has 4, 6 or 7 fields, not {}", fields.len()));
        }
        let walker = Walker {
            rules,
            board: placement(rules, fields[0])?,
            to_move: side(fields[1])?,
            rights: rights(rules, fields[2])?,
            en_passant: en_passant(rules, fields[3])?,
            moved_pawns: BTreeSet::new(),
            halfmove_clock: number(fields.get(4).unwrap_or(&"0"))?,
            move_number: number(fields.get(5).unwrap_or(&"1"))?,
        };
        let walker = match fields.get(6) {
            Some(list) => Walker { moved_pawns: moved_pawns(&walker, list)?, ..walker },
            None => walker,
        };
        for (color, name) in [(Color::White, "White"), (Color::Black, "Black")] {
            let king = Piece { color, letter: 'K' };
            let kings = walker.board.pieces().iter().filter(|(_, piece)| *piece == king).count();
            if kings != 1 {
                return Err(format!("{name} has {kings} kings, not one"));
            }
        }
        if !walker.attackers_of_king(walker.to_move.enemy()).is_empty() {
            return Err("the side that is not to move is in check".into());
        }
        Ok(walker)
    }

    /// The position as text: six fields always, the seventh only when it is not empty. The en passant target is
    /// written if a capture there is legal.
    pub fn fen(&self) -> String {
        let side = match self.to_move {
            Color::White => "w",
            Color::Black => "b",
        };
        let rights: String = self.rights.iter().collect();
        let can_capture = self.legal().iter().any(|mv| matches!(mv.kind, MoveKind::EnPassant { .. }));
        let mut fen = format!(
            "{} {side} {} {} {} {}",
            written_placement(&self.board),
            if rights.is_empty() { "-" } else { &rights },
            self.en_passant.filter(|_| can_capture).map_or("-".to_string(), Square::name),
            self.halfmove_clock,
            self.move_number
        );
        if !self.moved_pawns.is_empty() {
            let names: Vec<String> = self.moved_pawns.iter().map(|square| square.name()).collect();
            fen.push(' ');
            fen.push_str(&names.join(","));
        }
        fen
    }
}

/// The first field: ranks from the top, `/` between.
fn placement(rules: &dyn Rules, field: &str) -> Result<Board, String> {
    let shape = rules.shape();
    let mut board = Board::empty(shape);
    let rows: Vec<&str> = field.split('/').collect();
    if rows.len() != shape.ranks as usize {
        return Err(format!("the board has {} ranks, the placement {}", shape.ranks, rows.len()));
    }
    for (number, row) in rows.iter().enumerate() {
        let rank = shape.ranks - 1 - number as i32;
        let mut file = 0;
        for token in tokens(row) {
            file += read_token(rules, &mut board, Square { file, rank }, &token)?;
        }
        if file != shape.files {
            return Err(format!("rank {} has {file} places, not {}", rank + 1, shape.files));
        }
    }
    Ok(board)
}

/// Cuts a row into letters, stars and runs of digits; a run such as `12` is one number.
fn tokens(row: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut in_number = false;
    for character in row.chars() {
        match tokens.last_mut() {
            Some(last) if in_number && character.is_ascii_digit() => last.push(character),
            _ => tokens.push(character.to_string()),
        }
        in_number = character.is_ascii_digit();
    }
    tokens
}

/// Puts the contents of a token on the board, and returns the number of cells it takes up.
fn read_token(rules: &dyn Rules, board: &mut Board, at: Square, token: &str) -> Result<i32, String> {
    let shape = board.shape();
    if let Ok(count) = token.parse::<i32>() {
        if count == 0 || count > shape.files - at.file {
            return Err(format!("a run of {token} empty squares does not fit at {}", at.name()));
        }
        for file in at.file..at.file + count {
            must_be_square(shape, Square { file, rank: at.rank })?;
        }
        return Ok(count);
    }
    if at.file >= shape.files {
        return Err(format!("rank {} is too long", at.rank + 1));
    }
    if token == "*" {
        if shape.contains(at) {
            return Err(format!("{} is a square, not a hole", at.name()));
        }
        return Ok(1);
    }
    must_be_square(shape, at)?;
    let written = token.chars().next().unwrap_or('?');
    let letter = written.to_ascii_uppercase();
    if !rules.letters().contains(letter) {
        return Err(format!("`{token}` is no piece of this game"));
    }
    let color = if written.is_ascii_uppercase() { Color::White } else { Color::Black };
    board.set(at, Some(Piece { color, letter }));
    Ok(1)
}

fn must_be_square(shape: &Shape, at: Square) -> Result<(), String> {
    if shape.contains(at) { Ok(()) } else { Err(format!("{} is a hole, not a square", at.name())) }
}

fn side(field: &str) -> Result<Color, String> {
    match field {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => Err(format!("the side to move is `w` or `b`, not `{field}`")),
    }
}

/// The rights, put into the order in which the game lists them.
fn rights(rules: &dyn Rules, field: &str) -> Result<Vec<char>, String> {
    if field == "-" {
        return Ok(Vec::new());
    }
    let known: Vec<char> = rules.castlings().iter().map(|castling| castling.right).collect();
    for (at, right) in field.char_indices() {
        if !known.contains(&right) || field[..at].contains(right) {
            return Err(format!("`{field}` are no castling rights of this game"));
        }
    }
    Ok(known.into_iter().filter(|right| field.contains(*right)).collect())
}

fn en_passant(rules: &dyn Rules, field: &str) -> Result<Option<Square>, String> {
    if field == "-" {
        return Ok(None);
    }
    if !rules.has_en_passant() {
        return Err("this game has no en passant".into());
    }
    rules.shape().parse(field).map(Some)
}

fn number(field: &str) -> Result<u32, String> {
    let plain = field.chars().all(|c| c.is_ascii_digit());
    let number = field.parse().ok().filter(|_| plain);
    number.ok_or_else(|| format!("`{field}` is not a number"))
}

/// Each square of the list must hold a pawn, and be a starting square of that pawn's color.
fn moved_pawns(walker: &Walker, list: &str) -> Result<BTreeSet<Square>, String> {
    let mut squares = BTreeSet::new();
    for name in list.split(',') {
        let square = walker.board.shape().parse(name)?;
        let piece = walker.board.get(square).filter(|piece| piece.letter == 'P');
        if !piece.is_some_and(|piece| walker.rules.is_remembered_pawn_square(piece.color, square)) {
            return Err(format!("no pawn on {name} could have lost its double step there"));
        }
        squares.insert(square);
    }
    Ok(squares)
}

fn written_placement(board: &Board) -> String {
    let shape = board.shape();
    let mut rows = Vec::new();
    for rank in (0..shape.ranks).rev() {
        let mut row = String::new();
        let mut empty = 0;
        for file in 0..shape.files {
            let square = Square { file, rank };
            let written = match board.get(square) {
                None if shape.contains(square) => {
                    empty += 1;
                    continue;
                }
                None => '*',
                Some(Piece { color: Color::White, letter }) => letter,
                Some(Piece { color: Color::Black, letter }) => letter.to_ascii_lowercase(),
            };
            if empty > 0 {
                row.push_str(&empty.to_string());
                empty = 0;
            }
            row.push(written);
        }
        if empty > 0 {
            row.push_str(&empty.to_string());
        }
        rows.push(row);
    }
    rows.join("/")
}
