//! From a section to a variant file.

mod castling;

use super::keys::{IGNORED, NAMED_PIECES, UNSUPPORTED};
use super::parse::{Entry, IniError, Section, resolve, sections};
use super::region::{self, Cell};
use super::write::{id_of, only_forward, role, title, with_i};
use super::{Untranslated, betza};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// A game that was translated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Imported {
    /// Its id.
    pub id: String,
    /// The variant file.
    pub text: String,
    /// Everything that the file does not say.
    pub untranslated: Vec<Untranslated>,
}

/// Translates the section `name` of a text, or its only one.
///
/// # Errors
/// When the text is no `variants.ini`, or the game has no board or King of ours.
pub fn import(text: &str, name: Option<&str>) -> Result<Imported, IniError> {
    let all = sections(text)?;
    let (section, entries) = resolve(&all, name)?;
    import_section(&section, entries)
}

/// Translates a game that Fairy-Stockfish has built in; `None` where it is not among those known here.
pub(crate) fn import_section(
    section: &Section,
    entries: BTreeMap<String, Entry>,
) -> Result<Imported, IniError> {
    let mut import = Import::new(section, entries)?;
    import.pieces();
    import.pawns();
    import.walls();
    import.finish()
}

pub(super) struct Piece {
    pub(super) key: String,
    pub(super) letter: char,
    pub(super) name: String,
    pub(super) picture: String,
    pub(super) moves: betza::Moves,
    pub(super) royal: bool,
    pub(super) pawn: bool,
    /// The area that its first moves begin from; `None`: wherever a piece of the kind starts.
    pub(super) initial_on: Option<String>,
    pub(super) wall: BTreeSet<Cell>,
}

struct Import<'a> {
    section: &'a Section,
    entries: BTreeMap<String, Entry>,
    used: BTreeSet<String>,
    missing: Vec<Untranslated>,
    files: u8,
    ranks: u8,
    /// The rows of the start, from the last rank: a letter for each square, `.` for an empty one, `*` for a hole.
    rows: Vec<Vec<char>>,
    turn: String,
    rights: String,
    counters: [String; 2],
    pieces: Vec<Piece>,
}

impl<'a> Import<'a> {
    fn new(section: &'a Section, entries: BTreeMap<String, Entry>) -> Result<Self, IniError> {
        let impossible = |why: String| IniError::Impossible { line: section.line, why };
        let mut import = Self {
            section,
            entries,
            used: BTreeSet::new(),
            missing: Vec::new(),
            files: 8,
            ranks: 8,
            rows: Vec::new(),
            turn: "w".into(),
            rights: "-".into(),
            counters: ["0".into(), "1".into()],
            pieces: Vec::new(),
        };
        let size = |text: Option<String>, default: u8| match text {
            None => Some(default),
            Some(text) => text.parse().ok().or_else(|| {
                let letter = text.chars().next().filter(char::is_ascii_alphabetic)?;
                (text.len() == 1).then(|| letter.to_ascii_lowercase() as u8 - b'a' + 1)
            }),
        };
        let bad = || impossible("expected a board of at most 16 files and 16 ranks".into());
        import.files =
            size(import.value("maxFile"), 8).filter(|size| (1..=16).contains(size)).ok_or_else(bad)?;
        import.ranks =
            size(import.value("maxRank"), 8).filter(|size| (1..=16).contains(size)).ok_or_else(bad)?;
        let fen = import
            .value("startFen")
            .unwrap_or_else(|| "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".into());
        import.start(&fen).map_err(impossible)?;
        Ok(import)
    }

    fn value(&mut self, key: &str) -> Option<String> {
        self.used.insert(key.into());
        self.entries.get(key).map(|entry| entry.0.clone())
    }

    fn line(&self, key: &str) -> Option<usize> {
        self.entries.get(key).and_then(|entry| entry.1)
    }

    fn cannot(&mut self, key: &str, why: impl Into<String>) {
        let line = self.line(key);
        self.missing.push(Untranslated { line, what: key.into(), why: why.into() });
    }

    /// A flag; another value than `true` and `false` is named.
    fn flag(&mut self, key: &str, default: bool) -> bool {
        match self.value(key).as_deref() {
            None => default,
            Some("true") => true,
            Some("false") => false,
            Some(_) => {
                self.cannot(key, "expected `true` or `false`");
                default
            }
        }
    }

    /// The letters of a list of pieces, as capitals; `-` is none.
    fn letters(&mut self, key: &str, default: &str) -> String {
        let text = self.value(key).unwrap_or_else(|| default.into());
        text.chars().filter(char::is_ascii_alphabetic).map(|letter| letter.to_ascii_uppercase()).collect()
    }

    fn start(&mut self, fen: &str) -> Result<(), String> {
        let mut fields = fen.split_whitespace();
        let board = fields.next().unwrap_or_default();
        let board = board.split_once('[').map_or(board, |(board, hand)| {
            if hand != "]" {
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

    fn is_square(&self, (file, rank): Cell) -> bool {
        self.at((file, rank)) != '*'
    }

    fn at(&self, (file, rank): Cell) -> char {
        self.rows[usize::from(self.ranks - 1 - rank)][usize::from(file)]
    }

    fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let (files, ranks) = (self.files, self.ranks);
        (0..ranks).flat_map(move |rank| (0..files).map(move |file| (file, rank)))
    }

    fn area(&self, cells: &BTreeSet<Cell>) -> String {
        region::area(cells, &|cell| self.is_square(cell), self.files, self.ranks)
    }

    /// White's region of a key that also has `White` and `Black`, if Black's is its image.
    fn region(&mut self, key: &str, default: [&str; 2]) -> BTreeSet<Cell> {
        let both = self.value(key);
        let [white, black] =
            ["White", "Black"].map(|color| self.value(&format!("{key}{color}")).or_else(|| both.clone()));
        let (files, ranks) = (self.files, self.ranks);
        let mut read = |text: Option<String>| match text {
            None => None,
            Some(text) => {
                let found = region::read(&text, files, ranks);
                if found.is_none() {
                    self.cannot(key, format!("expected squares such as `*8 d4`, found `{text}`"));
                }
                found
            }
        };
        let [own, other] = [(white, default[0]), (black, default[1])].map(|(text, default)| {
            read(Some(text.unwrap_or_else(|| default.to_owned()))).unwrap_or_default()
        });
        if region::mirrored(&own, ranks) != other {
            let key = format!("{key}Black");
            self.cannot(&key, "Black's squares must be the image of White's; White's are taken for both");
        }
        own
    }

    fn pieces(&mut self) {
        let mut found: Vec<Piece> = Vec::new();
        let custom_keys: Vec<String> = (1..=25).map(|number| format!("customPiece{number}")).collect();
        let named =
            NAMED_PIECES.iter().map(|&(key, betza, name, picture)| (key.to_owned(), betza, name, picture));
        let own = custom_keys.into_iter().map(|key| (key, "", "", ""));
        let king = std::iter::once(("king".to_owned(), "K", "King", "king"));
        for (key, moves, name, picture) in named.chain(own).chain(king) {
            let Some(value) = self.value(&key) else { continue };
            let (letters, own_moves) = match value.split_once(':') {
                Some((letters, moves)) => (letters.trim(), Some(moves.trim())),
                None => (value.as_str(), None),
            };
            let Some(letter) = letters.chars().next().filter(char::is_ascii_alphabetic) else { continue };
            let text = own_moves.unwrap_or(moves);
            let letter = letter.to_ascii_uppercase();
            match betza::read(text) {
                Err(why) => self.cannot(&key, why),
                Ok(moves) => {
                    // A later piece of one letter takes it, as in Fairy-Stockfish.
                    found.retain(|piece| piece.letter != letter);
                    found.push(Piece {
                        royal: key == "king",
                        name: if name.is_empty() { format!("Piece {letter}") } else { name.into() },
                        picture: picture.into(),
                        letter,
                        moves,
                        key,
                        pawn: false,
                        initial_on: None,
                        wall: BTreeSet::new(),
                    });
                }
            }
        }
        self.pieces = found;
        for letter in
            self.rows.iter().flatten().copied().filter(char::is_ascii_alphabetic).collect::<BTreeSet<_>>()
        {
            let letter = letter.to_ascii_uppercase();
            if !self.pieces.iter().any(|piece| piece.letter == letter) {
                self.cannot("startFen", format!("no piece has the letter `{letter}`"));
            }
        }
    }

    /// First moves, en passant and the count of moves.
    fn pawns(&mut self) {
        let counted = self.letters("nMoveRuleTypes", "");
        let counted_by_color: String =
            ["White", "Black"].map(|color| self.letters(&format!("nMoveRuleTypes{color}"), "")).concat();
        let pawn = self.pieces.iter().find(|piece| piece.key == "pawn").map(|piece| piece.letter);
        let counted = match (counted.is_empty(), counted_by_color.is_empty()) {
            (true, true) => pawn.into_iter().collect(),
            _ => counted + &counted_by_color,
        };
        // Which pieces these are is their own affair in ours: every piece has its Betza.
        for key in ["pawnTypes", "enPassantTypes", "enPassantTypesWhite", "enPassantTypesBlack"] {
            let _ = self.value(key);
        }
        let steps = self.flag("doubleStep", true);
        let region = if steps { self.region("doubleStepRegion", ["*2", "*7"]) } else { BTreeSet::new() };
        let only_whole = self.value("enPassantRegion").or_else(|| self.value("enPassantRegionWhite"));
        let no_en_passant = only_whole.as_deref() == Some("-");
        if only_whole.is_some() && !no_en_passant {
            self.cannot(
                "enPassantRegion",
                "a piece captures en passant wherever a first move has gone over a square",
            );
        }
        let mut pieces = std::mem::take(&mut self.pieces);
        for piece in &mut pieces {
            piece.pawn = counted.contains(piece.letter);
            if !steps && piece.key == "pawn" {
                piece.moves.initial.clear();
            }
            if no_en_passant {
                piece.moves.en_passant = false;
            }
            if piece.moves.initial.is_empty() {
                piece.moves.en_passant = false;
                continue;
            }
            // White's, and Black's as White would see them.
            let own = |cell: &Cell| self.at(*cell) == piece.letter;
            let white: BTreeSet<Cell> = self.cells().filter(own).collect();
            let own = |cell: &Cell| self.at(*cell) == piece.letter.to_ascii_lowercase();
            let black = region::mirrored(&self.cells().filter(own).collect(), self.ranks);
            let starts: BTreeSet<Cell> = white.union(&black).copied().collect();
            let inside: BTreeSet<Cell> =
                region.iter().copied().filter(|&cell| self.is_square(cell)).collect();
            let unmoved: BTreeSet<Cell> = inside.intersection(&starts).copied().collect();
            // Whether a piece that has moved can come to stand in the region: from behind, or from anywhere if it does not only
            // go forward.
            let forward = only_forward(&piece.moves.always);
            let late = [&white, &black].into_iter().any(|starts| {
                let lowest = starts.iter().map(|cell| cell.1).min();
                inside.difference(starts).any(|cell| lowest.is_some_and(|low| !forward || cell.1 > low))
            });
            let late = late || (!forward && !inside.is_empty());
            if late {
                // Every time it stands there: not a first move, so nothing is captured en passant.
                piece.initial_on = Some(self.area(&inside));
                if piece.moves.en_passant {
                    piece.moves.en_passant = false;
                    let line = self.line(&piece.key);
                    self.missing.push(Untranslated {
                        line,
                        what: piece.key.clone(),
                        why: "it may go two squares more than once, so it is not captured en passant".into(),
                    });
                }
            } else if unmoved.is_empty() {
                piece.moves.initial.clear();
                piece.moves.en_passant = false;
            } else {
                piece.initial_on = (unmoved != starts).then(|| self.area(&unmoved));
                piece.moves.initial = with_i(&piece.moves.initial);
            }
        }
        self.pieces = pieces;
    }

    /// `mobilityRegion…` of each piece: the rest of the board is a wall to it.
    fn walls(&mut self) {
        let mut pieces = std::mem::take(&mut self.pieces);
        for piece in &mut pieces {
            let mut name: Vec<char> = piece.key.chars().collect();
            name[0] = name[0].to_ascii_uppercase();
            let name: String = name.into_iter().collect();
            let keys = ["White", "Black"].map(|color| format!("mobilityRegion{color}{name}"));
            let texts = keys.each_ref().map(|key| self.value(key));
            let [Some(white), black] = texts else {
                if texts[1].is_some() {
                    self.cannot(&keys[1], "Black's squares must be the image of White's; left out");
                }
                continue;
            };
            let read = |text: &str| region::read(text, self.files, self.ranks);
            match (read(&white), black.as_deref().and_then(read)) {
                (Some(own), Some(other)) if region::mirrored(&own, self.ranks) == other => {
                    piece.wall =
                        self.cells().filter(|cell| self.is_square(*cell) && !own.contains(cell)).collect();
                }
                _ => self.cannot(&keys[0], "Black's squares must be the image of White's; left out"),
            }
        }
        self.pieces = pieces;
    }

    fn finish(mut self) -> Result<Imported, IniError> {
        let impossible = |why: &str| IniError::Impossible { line: self.section.line, why: why.into() };
        if !self.pieces.iter().any(|piece| piece.royal) {
            return Err(match self.missing.iter().find(|missing| missing.what == "king") {
                Some(king) => IniError::Impossible {
                    line: king.line.unwrap_or(self.section.line),
                    why: format!("`king`: {}", king.why),
                },
                None => impossible("expected a `king`: a game without one cannot be said"),
            });
        }
        let promotions = self.promotions();
        let goals = self.goals();
        let castlings = self.castlings();
        let draws = self.draws();
        let id = id_of(&self.section.name);
        let mut out = format!("id = \"{id}\"\nname = \"{}\"\n", title(&self.section.name));
        let _ = write!(out, "\n[board]\nsquares = \"\"\"\n");
        for row in &self.rows {
            let row: String = row.iter().map(|&cell| if cell == '*' { '*' } else { '.' }).collect();
            let _ = writeln!(out, "{row}");
        }
        out.push_str("\"\"\"\n");
        for piece in &self.pieces {
            out.push_str(&role(piece, &self.area(&piece.wall)));
        }
        let _ = write!(out, "\n[start]\nfen = \"{}\"\n", self.fen(&castlings.1));
        out.push_str(&promotions);
        out.push_str(&goals);
        out.push_str(&castlings.0);
        out.push_str(&draws);
        self.name_unused_keys();
        self.missing.sort_by_key(|missing| missing.line.unwrap_or(0));
        self.missing.dedup();
        Ok(Imported { id, text: out, untranslated: self.missing })
    }

    fn promotions(&mut self) -> String {
        let sorted = |text: &str| text.chars().collect::<BTreeSet<char>>();
        let pawn: String =
            self.pieces.iter().filter(|piece| piece.key == "pawn").map(|piece| piece.letter).collect();
        let promoted = self.letters("promotionPawnTypes", &pawn);
        let by_color =
            ["White", "Black"].map(|color| self.letters(&format!("promotionPawnTypes{color}"), &promoted));
        let promoted_to = self.letters("promotionPieceTypes", "QRBN");
        let promoted_to_by_color = ["White", "Black"]
            .map(|color| self.letters(&format!("promotionPieceTypes{color}"), &promoted_to));
        let promotes = !sorted(&by_color[0]).is_empty() && !promoted_to.is_empty();
        let region = if promotes { self.region("promotionRegion", ["*8", "*1"]) } else { BTreeSet::new() };
        let mandatory = self.flag("mandatoryPawnPromotion", true);
        if sorted(&by_color[0]) != sorted(&by_color[1]) {
            self.cannot("promotionPawnTypesBlack", "both sides promote the same pieces; White's are taken");
        }
        if sorted(&promoted_to_by_color[0]) != sorted(&promoted_to_by_color[1]) {
            self.cannot(
                "promotionPieceTypesBlack",
                "both sides promote to the same pieces; White's are taken",
            );
        }
        let known = |letter: &char| self.pieces.iter().any(|piece| piece.letter == *letter && !piece.royal);
        let promoted: String = sorted(&by_color[0]).into_iter().filter(known).collect();
        let to: String = promoted_to_by_color[0].chars().filter(known).collect();
        let inside: BTreeSet<Cell> = region.into_iter().filter(|&cell| self.is_square(cell)).collect();
        let area = self.area(&inside);
        // A piece does not arise on its wall.
        let wall_of =
            |letter: &char| self.pieces.iter().find(|piece| piece.letter == *letter).map(|piece| &piece.wall);
        let partly = to.chars().filter(|letter| {
            wall_of(letter).is_some_and(|wall| !wall.is_disjoint(&inside) && !wall.is_superset(&inside))
        });
        let partly: String = partly.collect();
        let to: String = to
            .chars()
            .filter(|letter| wall_of(letter).is_none_or(|wall| !wall.is_superset(&inside)))
            .collect();
        if !partly.is_empty() {
            self.cannot("promotionPieceTypes", format!("`{partly}` may be chosen on its wall, too"));
        }
        self.no_capture_on_promotion(&inside);
        if to.is_empty() || area.is_empty() {
            return String::new();
        }
        let mut out = String::new();
        for letter in promoted.chars() {
            let own = if mandatory || to.contains(letter) { String::new() } else { letter.to_string() };
            let mut to: Vec<char> = to.chars().collect();
            to.dedup();
            let to: String = to.into_iter().collect();
            let _ =
                write!(out, "\n[[promotion]]\npieces = \"{letter}\"\non = \"{area}\"\nto = \"{to}{own}\"\n");
        }
        out
    }

    /// En passant captures that would promote cannot be expressed.
    fn no_capture_on_promotion(&mut self, region: &BTreeSet<Cell>) {
        let other = region::mirrored(region, self.ranks);
        let crossing: Vec<String> = (self.pieces.iter())
            .filter(|piece| piece.moves.en_passant)
            .filter(|piece| {
                let starts = self.cells().filter(|&cell| self.at(cell) == piece.letter);
                starts.into_iter().any(|(file, rank)| other.contains(&(file, rank + 1)))
            })
            .map(|piece| piece.key.clone())
            .collect();
        for key in crossing {
            self.cannot(&key, "a first move crosses a promotion square, so it is not captured en passant");
            self.pieces
                .iter_mut()
                .filter(|piece| piece.key == key)
                .for_each(|piece| piece.moves.en_passant = false);
        }
    }

    fn goals(&mut self) -> String {
        let both = self.value("flagPiece");
        let [white, black] =
            ["White", "Black"].map(|color| self.value(&format!("flagPiece{color}")).or_else(|| both.clone()));
        let Some(letters) = white else { return String::new() };
        if black.as_deref() != Some(letters.as_str()) {
            self.cannot("flagPieceBlack", "the same pieces of both sides win; White's are taken");
        }
        let letters: String = if letters == "*" {
            self.pieces.iter().map(|piece| piece.letter).collect()
        } else {
            letters
                .chars()
                .filter(char::is_ascii_alphabetic)
                .map(|letter| letter.to_ascii_uppercase())
                .collect()
        };
        let region = self.region("flagRegion", ["", ""]);
        let inside: BTreeSet<Cell> = region.into_iter().filter(|&cell| self.is_square(cell)).collect();
        let area = self.area(&inside);
        if letters.is_empty() || area.is_empty() {
            return String::new();
        }
        format!("\n[[goal]]\npieces = \"{letters}\"\non = \"{area}\"\n")
    }

    fn draws(&mut self) -> String {
        let mut number = |key: &str, default: u32| match self.value(key).map(|text| text.parse()) {
            None => default,
            Some(Ok(number)) => number,
            Some(Err(_)) => {
                self.cannot(key, "expected a number");
                default
            }
        };
        let (fold, moves) = (number("nFoldRule", 3), number("nMoveRule", 50));
        let stalemate = match self.value("stalemateValue").as_deref() {
            None | Some("draw") => "draw",
            Some("loss") => "loss",
            Some("win") => "win",
            Some(_) => {
                self.cannot("stalemateValue", "expected `draw`, `loss` or `win`");
                "draw"
            }
        };
        for (key, default) in [("checkmateValue", "loss"), ("nFoldValue", "draw"), ("checking", "true")] {
            if self.value(key).is_some_and(|value| value != default) {
                self.cannot(key, "checkmate loses, repetition draws, and check must be met");
            }
        }
        format!("\n[draws]\nrepetition = [{fold}, 0]\nmoves = [{moves}, 0]\nstalemate = \"{stalemate}\"\n")
    }

    /// Names the keys that were not used, except those that do not change the rules.
    fn name_unused_keys(&mut self) {
        let keys: Vec<String> =
            self.entries.keys().filter(|key| !self.used.contains(*key)).cloned().collect();
        for key in keys {
            let value = self.entries[&key].0.clone();
            if IGNORED.contains(&key.as_str()) || matches!(value.as_str(), "false" | "-" | "none" | "0") {
                continue;
            }
            let known = UNSUPPORTED.iter().find(|(name, _)| *name == key);
            self.cannot(&key, known.map_or("the format has nothing like it", |(_, why)| why));
        }
    }

    fn fen(&self, rights: &str) -> String {
        let rows: Vec<String> = self
            .rows
            .iter()
            .map(|row| {
                let mut text = String::new();
                let mut empty = 0;
                for &cell in row {
                    if cell == '.' {
                        empty += 1;
                        continue;
                    }
                    if empty > 0 {
                        text.push_str(&empty.to_string());
                        empty = 0;
                    }
                    text.push(cell);
                }
                if empty > 0 {
                    text.push_str(&empty.to_string());
                }
                text
            })
            .collect();
        format!("{} {} {rights} - {} {}", rows.join("/"), self.turn, self.counters[0], self.counters[1])
    }
}
