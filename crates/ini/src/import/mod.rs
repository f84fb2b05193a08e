//! From a section to a variant file. Here: the board, the start, the draws, and the file as a whole.

mod castling;
mod first_moves;
mod pieces;
mod zones;

use super::Untranslated;
use super::parse::{IniError, Section, resolve, sections};
use super::region::{self, Cell, Cells, Exchange};
use super::rules::{PieceKind, Rules};
use super::write::{Piece, id_of, role, title};
use lozenge_rules::library;
use lozenge_rules::piece::Color;
use lozenge_rules::variant::Variant;
use std::fmt::Write as _;

/// A game that was translated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Imported {
    /// Its id.
    pub id: String,
    /// The name of its section.
    pub name: String,
    /// The variant file.
    pub text: String,
    /// Everything that the file does not express.
    pub untranslated: Vec<Untranslated>,
}

/// Translates the section `name` of a text, or its only one.
///
/// # Errors
/// When the text is no `variants.ini`, or the game has no board or King of ours.
pub fn import(text: &str, name: Option<&str>) -> Result<Imported, IniError> {
    import_section(&sections(text)?, name)
}

/// Translates the section `name` of some, or the only one.
///
/// # Errors
/// If there is no such section, or the game has no board or King of ours.
pub fn import_section(sections: &[Section], name: Option<&str>) -> Result<Imported, IniError> {
    let (section, chain) = resolve(sections, name)?;
    let mut import = Import::new(&section, Rules::of(&chain))?;
    import.pieces();
    import.exchange()?;
    import.walls();
    import.first_moves();
    import.finish()
}

struct Import<'a> {
    section: &'a Section,
    rules: Rules,
    missing: Vec<Untranslated>,
    files: u8,
    ranks: u8,
    /// How Black's squares follow from White's.
    exchange: Exchange,
    /// The rows of the start, from the last rank: a letter for each square, `.` for an empty one, `*` for a hole.
    rows: Vec<Vec<char>>,
    turn: String,
    rights: String,
    counters: [String; 2],
    pieces: Vec<Piece>,
}

impl<'a> Import<'a> {
    fn new(section: &'a Section, rules: Rules) -> Result<Self, IniError> {
        let impossible = |why: String| IniError::Impossible { line: section.line, why };
        let (files, ranks) = (rules.files, rules.ranks);
        if !(1..=16).contains(&files) || !(1..=16).contains(&ranks) {
            return Err(impossible("expected a board of at most 16 files and 16 ranks".into()));
        }
        let mut import = Self {
            section,
            missing: rules.untranslated(),
            rules,
            files,
            ranks,
            exchange: Exchange::Mirror,
            rows: Vec::new(),
            turn: "w".into(),
            rights: "-".into(),
            counters: ["0".into(), "1".into()],
            pieces: Vec::new(),
        };
        let fen = import.rules.start.clone();
        import.start(&fen).map_err(impossible)?;
        Ok(import)
    }

    fn cannot(&mut self, key: &str, why: impl Into<String>) {
        let line = self.rules.line(key);
        self.missing.push(Untranslated { line, what: key.into(), why: why.into() });
    }

    /// The same for a rule of which both colors have a key.
    fn cannot_by_color(&mut self, key: &str, why: impl Into<String>) {
        let keys = [format!("{key}Black"), format!("{key}White"), key.to_owned()];
        let keys = keys.each_ref().map(String::as_str);
        let what = keys.into_iter().find(|key| self.rules.line(key).is_some()).unwrap_or(key);
        self.cannot(what, why);
    }

    fn start(&mut self, fen: &str) -> Result<(), String> {
        let mut fields = fen.split_whitespace();
        let board = fields.next().unwrap_or_default();
        let board = board.split_once('[').map_or(board, |(board, hand)| {
            if !matches!(hand, "]" | "-]") {
                self.cannot("startFen", "there are no pieces in hand; they are left out");
            }
            board
        });
        for row in board.split('/') {
            let mut cells = Vec::new();
            let mut number = 0usize;
            for letter in row.chars() {
                if let Some(digit) = letter.to_digit(10) {
                    number = (number * 10 + digit as usize).min(99);
                    continue;
                }
                cells.extend(std::iter::repeat_n('.', number));
                number = 0;
                match letter {
                    '*' => cells.push('*'),
                    letter if letter.is_ascii_alphabetic() => cells.push(letter),
                    '~' => {}
                    other => return Err(format!("expected a piece in `startFen`, found `{other}`")),
                }
            }
            cells.extend(std::iter::repeat_n('.', number));
            self.rows.push(cells);
        }
        let is_board = self.rows.len() == usize::from(self.ranks)
            && self.rows.iter().all(|row| row.len() == usize::from(self.files));
        if !is_board {
            return Err(format!(
                "expected a `startFen` of {} files and {} ranks, as `maxFile` and `maxRank` say",
                self.files, self.ranks
            ));
        }
        self.turn = fields.next().unwrap_or("w").into();
        self.rights = fields.next().unwrap_or("-").into();
        let rest: Vec<&str> = fields.skip(1).filter(|field| field.parse::<u32>().is_ok()).collect();
        if let [.., half, full] = rest.as_slice() {
            self.counters = [(*half).into(), if *full == "0" { "1".into() } else { (*full).into() }];
        }
        Ok(())
    }

    fn is_square(&self, cell: Cell) -> bool {
        self.at(cell) != '*'
    }

    fn at(&self, (file, rank): Cell) -> char {
        self.rows[usize::from(self.ranks - 1 - rank)][usize::from(file)]
    }

    /// The squares of the board.
    fn squares(&self) -> Cells {
        let cells = (0..self.ranks).flat_map(|rank| (0..self.files).map(move |file| (file, rank)));
        cells.filter(|&cell| self.is_square(cell)).collect()
    }

    /// Those of some squares that the board has.
    fn on_board(&self, cells: &Cells) -> Cells {
        self.squares().intersection(cells).copied().collect()
    }

    /// The squares on the other side of the board.
    fn image(&self, cells: &Cells) -> Cells {
        cells.iter().map(|&cell| self.exchange.cell(cell, self.files, self.ranks)).collect()
    }

    /// The squares where pieces of a kind and color stand at first.
    fn starts(&self, kind: PieceKind, color: Color) -> Cells {
        let Some(placed) = self.rules.pieces.get(&kind) else { return Cells::new() };
        let letter = match color {
            Color::White => placed.letter,
            Color::Black => placed.letter.to_ascii_lowercase(),
        };
        self.squares().into_iter().filter(|&cell| self.at(cell) == letter).collect()
    }

    fn area(&self, cells: &Cells) -> String {
        region::area(cells, &|cell| self.is_square(cell), self.files, self.ranks)
    }

    fn finish(mut self) -> Result<Imported, IniError> {
        if !self.pieces.iter().any(|piece| piece.kind == PieceKind::KING) {
            let (line, why) = match self.missing.iter().find(|missing| missing.what == "king") {
                Some(king) => (king.line, format!("`king`: {}", king.why)),
                None => {
                    (self.rules.line("king"), "expected a `king`: a game without one cannot be said".into())
                }
            };
            return Err(IniError::Impossible { line: line.unwrap_or(self.section.line), why });
        }
        let zones = self.zones();
        let (castlings, rights) = self.castlings();
        let wanted = id_of(&self.section.name);
        let is_free = |id: &String| library::game(id).is_none();
        let id = std::iter::once(wanted.clone())
            .chain((2..).map(|number| format!("{wanted}-{number}")))
            .find(is_free);
        let id = id.unwrap_or_else(|| wanted.clone());
        let mut out = format!("id = \"{id}\"\nname = \"{}\"\n", title(&self.section.name));
        let _ = write!(out, "\n[board]\nsquares = \"\"\"\n");
        for row in &self.rows {
            let row: String = row.iter().map(|&cell| if cell == '*' { '*' } else { '.' }).collect();
            let _ = writeln!(out, "{row}");
        }
        out.push_str("\"\"\"\n");
        match self.rules.joined {
            [true, true] => out.push_str("wrap = \"both\"\n"),
            [true, false] => out.push_str("wrap = \"files\"\n"),
            _ => {}
        }
        if self.exchange != Exchange::Mirror {
            let _ = writeln!(out, "symmetry = \"{}\"", self.exchange.name());
        }
        for piece in &self.pieces {
            out.push_str(&role(piece, &self.area(&piece.wall)));
        }
        let _ = write!(out, "\n[start]\nfen = \"{}\"\n", self.fen(&rights));
        out.push_str(&zones);
        out.push_str(&castlings);
        let (repetition, moves) = (self.rules.repetition.min(10_000), self.rules.moves.min(10_000));
        let _ = write!(
            out,
            "\n[draws]\nrepetition = [{repetition}, 0]\nmoves = [{moves}, 0]\nstalemate = \"{}\"\n",
            self.rules.stalemate
        );
        if self.missing.is_empty()
            && let Err(error) = Variant::parse(&id, &out, &|_| None)
        {
            let line = self.rules.line("startFen").unwrap_or(self.section.line);
            let fault = error.faults.first().map_or_else(String::new, |fault| fault.kind.to_string());
            return Err(IniError::Impossible {
                line,
                why: format!("the game that results is refused: {fault}"),
            });
        }
        self.missing.sort_by_key(|missing| missing.line.unwrap_or(0));
        self.missing.dedup();
        Ok(Imported { id, name: self.section.name.clone(), text: out, untranslated: self.missing })
    }

    fn fen(&self, rights: &str) -> String {
        let row = |row: &Vec<char>| {
            let mut text = String::new();
            for run in row.chunk_by(|one, other| *one == '.' && *other == '.') {
                match run {
                    ['.', ..] => text.push_str(&run.len().to_string()),
                    pieces => text.extend(pieces),
                }
            }
            text
        };
        let rows: Vec<String> = self.rows.iter().map(row).collect();
        format!("{} {} {rights} - {} {}", rows.join("/"), self.turn, self.counters[0], self.counters[1])
    }
}
