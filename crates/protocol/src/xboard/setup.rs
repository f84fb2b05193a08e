//! The `setup` and `piece` lines after `variant`, which describe a game to XBoard, and the `highlight` and `choice`
//! lines that show the moves of a piece.

use super::squares;
use lozenge_rules::geometry::{Coord, Frame, Square, Vector};
use lozenge_rules::position::{AnyPosition, Color, Move, RoleSet};
use lozenge_rules::variant::betza::{Atom, Manner};
use lozenge_rules::variant::{CastlingInfo, RoleInfo, Variant};
use std::fmt::Write as _;
use std::sync::Arc;

/// XBoard's piece types in its order, by the names of our pictures, up to the last that we have. The King always comes
/// last.
const PIECE_TYPES: [&str; 26] = [
    "pawn",
    "knight",
    "bishop",
    "rook",
    "queen",
    "ferz",
    "elephant",
    "cardinal",
    "marshall",
    "wazir",
    "man",
    "cannon",
    "nightrider",
    "archbishop",
    "vizier",
    "gryphon",
    "silver",
    "arrow",
    "lance",
    "scout",
    "unicorn",
    "lion",
    "dabbaba",
    "zebra",
    "camel",
    "lapidary",
];

/// Piece types of each color in XBoard 4.9, which recognizes a table of letters by its length.
const PIECE_TYPE_COUNT: usize = 44;

/// The `setup` line and the `piece` lines of a game. There are no `piece` lines if the first and the last rank are
/// joined, because XBoard cannot express such moves.
pub(crate) fn setup_lines(variant: &Arc<Variant>) -> String {
    let shape = variant.shape();
    let start = AnyPosition::start(variant);
    let fen = fen(&start);
    let (width, height) = (shape.width(), shape.height());
    let mut text = format!("setup ({}) {width}x{height}+0_{} {fen}", table(variant), parent(variant));
    if shape.wrap().ranks {
        return text;
    }
    let en_passant = variant.en_passant_roles() != RoleSet::EMPTY;
    for (_, info) in variant.roles().iter() {
        let [white, black] =
            [Color::White, Color::Black].map(|color| moves(variant, info, color, en_passant));
        let letter = info.letter;
        if white == black {
            let _ = write!(text, "\npiece {letter}& {white}");
        } else {
            let _ = write!(text, "\npiece {letter} {white}\npiece {} {black}", letter.to_ascii_lowercase());
        }
    }
    text
}

/// The parent variant for XBoard. When a pawn changes its file without a capture, XBoard removes a piece as in orthodox
/// en passant. In Berolina chess it does so when a pawn goes straight ahead instead.
fn parent(variant: &Variant) -> &'static str {
    let mut straight = false;
    let mut sideways = false;
    for (_, info) in variant.roles().iter().filter(|(_, info)| info.pawn) {
        for atom in info.moves.iter().flat_map(|moves| &moves.atoms).filter(|atom| atom.quiet) {
            for step in atom.steps(variant.frames()[Color::White]) {
                straight |= step.dx == 0;
                sideways |= step.dx != 0;
            }
        }
    }
    if sideways && !straight { "berolina" } else { "fairy" }
}

/// The position as XBoard reads it: without fields of our own.
fn fen(position: &AnyPosition) -> String {
    position.fen().split_whitespace().take(6).collect::<Vec<_>>().join(" ")
}

/// XBoard's table of letters: for each of its piece types the letter, or `.`.
fn table(variant: &Variant) -> String {
    let mut letters = vec!['.'; PIECE_TYPE_COUNT - 1];
    let mut unplaced = Vec::new();
    let mut king = '.';
    for (_, info) in variant.roles().iter() {
        let slot = PIECE_TYPES.iter().position(|&picture| picture == info.picture);
        match slot.filter(|&slot| letters[slot] == '.') {
            _ if info.royal => king = info.letter,
            Some(slot) => letters[slot] = info.letter,
            None => unplaced.push(info.letter),
        }
    }
    for letter in unplaced {
        // Not as a pawn, because XBoard gives pawns rules of its own.
        if let Some(place) = letters.iter_mut().skip(1).find(|place| **place == '.') {
            *place = letter;
        }
    }
    letters.push(king);
    let white: String = letters.into_iter().collect();
    format!("{white}{}", white.to_ascii_lowercase())
}

/// The moves of a color's piece as XBoard reads them: directions before modes, upward (White) or downward
/// (Black) being forward.
fn moves(variant: &Variant, info: &RoleInfo, color: Color, en_passant: bool) -> String {
    let frame = variant.frames()[color];
    let mut groups: Vec<Group> = Vec::new();
    for atom in info.moves.iter().flat_map(|moves| &moves.atoms) {
        let group = Group::of(atom, frame, color, info.pawn && en_passant, variant.shape().wrap().files);
        groups.extend(group.filter(|group| !groups.contains(group)));
    }
    let mut text = String::new();
    while !groups.is_empty() {
        let group = groups.remove(0);
        // A rook's and a bishop's moves together are a queen's, a wazir's and a ferz's a king's.
        let partner = groups.iter().position(|other| group.joined(other).is_some());
        let joined = partner.and_then(|other| group.joined(&groups.remove(other)));
        text.push_str(&joined.unwrap_or_else(|| group.text()));
    }
    if info.royal {
        text.push_str(&castlings(variant, color));
    }
    text
}

/// Moves of one leap with the same modifiers.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Group {
    letter: char,
    leap: (u8, u8),
    range: Option<u8>,
    initial: bool,
    /// Empty: all.
    directions: String,
    modes: String,
}

impl Group {
    /// `None` for leaps that XBoard has no letter for.
    fn of(atom: &Atom, frame: Frame, color: Color, en_passant: bool, cylindrical: bool) -> Option<Self> {
        let letter = match atom.leap {
            (1, 0) => 'W',
            (1, 1) => 'F',
            (2, 0) => 'D',
            (2, 1) => 'N',
            (2, 2) => 'A',
            (3, 0) => 'H',
            (3, 1) => 'C',
            (3, 2) => 'Z',
            (3, 3) => 'G',
            _ => return None,
        };
        let steps: Vec<Vector> = atom.steps(frame).into_iter().map(|step| step.times(sign(color))).collect();
        let (m, n) = atom.leap;
        let all = if n == 0 || n == m { 4 } else { 8 };
        let directions = if steps.len() == all { String::new() } else { directions(&steps) };
        let mut modes = String::new();
        match (atom.quiet, atom.capture) {
            (true, false) => modes.push('m'),
            (false, true) => modes.push('c'),
            _ => {}
        }
        if en_passant && atom.capture && !atom.quiet {
            modes.push('e');
        }
        match atom.manner {
            Manner::HopOne => modes.push('p'),
            Manner::HopBehind => modes.push('g'),
            _ => {}
        }
        if cylindrical {
            modes.push('o');
        }
        match atom.manner {
            Manner::Lame => modes.push('n'),
            Manner::Jump => modes.push('j'),
            _ => {}
        }
        Some(Self { letter, leap: atom.leap, range: atom.range, initial: atom.initial, directions, modes })
    }

    fn prefix(&self) -> String {
        format!("{}{}{}", if self.initial { "i" } else { "" }, self.directions, self.modes)
    }

    fn text(&self) -> String {
        let range = match (self.letter, self.range) {
            ('W', None) => "R".into(),
            ('F', None) => "B".into(),
            (letter, None) => format!("{letter}0"),
            (letter, Some(1)) => letter.to_string(),
            (letter, Some(range)) => format!("{letter}{range}"),
        };
        format!("{}{range}", self.prefix())
    }

    /// Both groups as one, if there is a letter for them together.
    fn joined(&self, other: &Self) -> Option<String> {
        let adjacent = matches!((self.leap, other.leap), ((1, 0), (1, 1)) | ((1, 1), (1, 0)));
        let all = self.directions.is_empty() && other.directions.is_empty();
        if !adjacent || !all || self.range != other.range || self.prefix() != other.prefix() {
            return None;
        }
        match self.range {
            None => Some(format!("{}Q", self.prefix())),
            Some(1) => Some(format!("{}K", self.prefix())),
            Some(_) => None,
        }
    }
}

/// The factor that makes a vector relative to a color: XBoard turns Black's moves by 180 degrees.
const fn sign(color: Color) -> i8 {
    match color {
        Color::White => 1,
        Color::Black => -1,
    }
}

/// Some of a leap's steps as letters.
fn directions(steps: &[Vector]) -> String {
    let mut letters: Vec<String> = steps
        .iter()
        .map(|step| {
            let vertical = if step.dy > 0 { "f" } else { "b" };
            let sideways = if step.dx > 0 { "r" } else { "l" };
            match (step.dx.unsigned_abs(), step.dy.unsigned_abs()) {
                (0, _) => vertical.to_owned(),
                (_, 0) => sideways.to_owned(),
                // An oblique leap: the side to which it goes farther comes last.
                (dx, dy) if dy > dx => format!("{sideways}{vertical}"),
                _ => format!("{vertical}{sideways}"),
            }
        })
        .collect();
    letters.sort();
    // `f` alone is what `fl` and `fr` are together.
    if let [one, two] = &letters[..] {
        let (first, second) = (one.get(..1), two.get(..1));
        if one.len() == 2 && two.len() == 2 && first == second && steps[0].dx.abs() == steps[0].dy.abs() {
            return first.unwrap_or_default().to_owned();
        }
    }
    letters.concat()
}

/// The castlings in XBoard's notation. One that XBoard cannot express is given as a move of the King alone, so that
/// XBoard at least accepts it.
fn castlings(variant: &Variant, color: Color) -> String {
    let shape = variant.shape();
    let mut words = Vec::new();
    // XBoard's notation has the castlings of one start.
    for castling in variant.usual_castlings().iter().filter(|castling| castling.color == color) {
        let [king, target] = [castling.king.0, castling.king.1].map(|square| shape.coord(square));
        let step = Vector::new(
            (target.file as i8 - king.file as i8) * sign(color),
            (target.rank as i8 - king.rank as i8) * sign(color),
        );
        let side = directions(&[step]);
        let squares = step.dx.unsigned_abs().max(step.dy.unsigned_abs());
        let word = match squares {
            _ if is_orthodox(variant, castling) => format!("{side}O{squares}"),
            1 => continue,
            2 => format!("i{side}mD"),
            3 => format!("i{side}mH"),
            _ => continue,
        };
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words.sort();
    words.concat().replace("lO2rO2", "O2")
}

/// Whether XBoard moves the rook as well: it castles along the rank, with the outermost piece, which ends beside the
/// King.
fn is_orthodox(variant: &Variant, castling: &CastlingInfo) -> bool {
    let shape = variant.shape();
    let [king, target] = [castling.king.0, castling.king.1].map(|square| shape.coord(square));
    let [rook, beside] = [castling.rook.0, castling.rook.1].map(|square| shape.coord(square));
    let toward = if target.file > king.file { 1 } else { -1 };
    let at_the_end = rook.file == if toward > 0 { shape.width() - 1 } else { 0 };
    let level = [target, rook, beside].iter().all(|coord| coord.rank == king.rank);
    level && at_the_end && i16::from(beside.file) == i16::from(target.file) - toward
}

/// Whether XBoard shows the correct board after this move. After some castlings it leaves the rook in its place.
pub(crate) fn is_supported(variant: &Variant, next: Move) -> bool {
    let castling = next.castling().and_then(|number| variant.castlings().get(usize::from(number)));
    castling.is_none_or(|castling| is_orthodox(variant, castling))
}

/// The destinations of the piece on `from`, as XBoard's `highlight` shows them: yellow, red for a
/// capture, magenta for a promotion with a choice.
pub(crate) fn highlight(position: &AnyPosition, from: Square) -> String {
    let shape = position.variant().shape();
    let moves = position.legal_moves();
    let color = |square: Square| {
        let mut there = moves.iter().filter(|next| next.from == from && next.to == square);
        let first = there.next()?;
        Some(if first.is_promotion() {
            'M'
        } else if first.is_en_passant() || position.piece_at(square).is_some() {
            'R'
        } else {
            'Y'
        })
    };
    let mut text = String::from("highlight ");
    for rank in (0..shape.height()).rev() {
        let mut empty = 0;
        for file in 0..shape.width() {
            match shape.at(Coord { file, rank }).and_then(color) {
                None => empty += 1,
                Some(letter) => {
                    if empty > 0 {
                        let _ = write!(text, "{empty}");
                        empty = 0;
                    }
                    text.push(letter);
                }
            }
        }
        if empty > 0 {
            let _ = write!(text, "{empty}");
        }
        if rank > 0 {
            text.push('/');
        }
    }
    text
}

/// The promotions of a pawn between two squares, as XBoard's `choice` offers them.
pub(crate) fn choice(position: &AnyPosition, from: Square, to: Square) -> Option<String> {
    let roles = position.variant().roles();
    let mut letters: Vec<char> = position
        .legal_moves()
        .into_iter()
        .filter(|next| next.from == from && next.to == to)
        .filter_map(|next| next.promotion().map(|role| roles.info(role).letter))
        .collect();
    // The strongest first: XBoard proposes it.
    const STRONGEST: &str = "QMVARCBN";
    letters.sort_by_key(|&letter| (STRONGEST.find(letter).unwrap_or(usize::MAX), letter));
    (!letters.is_empty()).then(|| format!("choice {}", letters.into_iter().collect::<String>()))
}

/// The square with this name of XBoard's.
pub(crate) fn square(variant: &Variant, name: &str) -> Option<Square> {
    variant.shape().named(&squares::from_xboard(variant, name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_rules::library;

    fn lines(id: &str) -> Vec<String> {
        setup_lines(&library::game(id).unwrap()).lines().map(str::to_owned).collect()
    }

    #[test]
    fn moves_are_written_as_xboard_reads_them() {
        let piece = |id: &str, start: &str| {
            let start = format!("piece {start} ");
            lines(id).into_iter().filter(|line| line.starts_with(&start)).collect::<Vec<_>>()
        };
        assert_eq!(piece("diagonal", "P&"), ["piece P& frmFfrcW"]);
        assert_eq!(piece("diagonal", "N&"), ["piece N& C"]);
        assert_eq!(piece("diagonal", "Q&"), ["piece Q& Q"]);
        assert_eq!(piece("diamond", "P&"), ["piece P& fmWfcFlrmW"]);
        assert_eq!(piece("diamond", "A&"), ["piece A& BK"]);
        assert_eq!(piece("doublediamond", "P&"), ["piece P& frmFfrceWifrmnA"]);
        assert_eq!(piece("doublediamond", "K&"), ["piece K& KifmDirmD"]);
        assert_eq!(piece("diamondback", "K&"), ["piece K& KifmDifmHirmDirmH"]);
        assert_eq!(piece("chess", "P&"), ["piece P& fmWfceFifmnD"]);
        assert_eq!(piece("chess", "K&"), ["piece K& KO2"]);
        assert_eq!(piece("cylinder", "B&"), ["piece B& oB"]);
        assert!(piece("diamondring", "P&").is_empty());
    }

    #[test]
    fn piece_table_has_every_letter_once() {
        for id in library::ids() {
            let game = library::game(id).unwrap();
            let table = table(&game);
            assert_eq!(table.len(), 2 * PIECE_TYPE_COUNT);
            for (_, info) in game.roles().iter() {
                assert_eq!(table.matches(info.letter).count(), 1, "{id} {}", info.letter);
            }
        }
    }

    #[test]
    fn highlight_distinguishes_captures_and_promotions() {
        let game = library::game("diagonal").unwrap();
        let position = AnyPosition::from_fen(&game, "k4r2/6P1/8/8/8/8/8/K7 w - - 0 1").unwrap();
        let square = |name: &str| game.shape().named(name).unwrap();
        assert_eq!(highlight(&position, square("g7")), "highlight 7Y/8/8/8/8/8/8/8");
        let position = AnyPosition::from_fen(&game, "k7/4P3/8/8/8/8/8/K7 w - - 0 1").unwrap();
        assert_eq!(highlight(&position, square("e7")), "highlight 5M2/8/8/8/8/8/8/8");
        assert_eq!(choice(&position, square("e7"), square("f8")), Some("choice RBN".into()));
        assert_eq!(choice(&position, square("a1"), square("a2")), None);
    }
}
