//! The rules that a chain of sections adds up to, as Fairy-Stockfish reads them: each section changes the rules of the one
//! above it. Sets of pieces are sets of kinds, so that a piece that gets another letter stays in them. Not here: what a
//! variant file can express of them (`import`).

use super::Untranslated;
use super::keys::{CUSTOM_PIECES, NAMED_PIECES, NEVER, UNSUPPORTED};
use super::parse::Section;
use super::region::{self, Cells};
use lozenge_rules::piece::{ByColor, Color};
use std::collections::{BTreeMap, BTreeSet};

/// A kind of piece, in Fairy-Stockfish's order: the named ones, the custom ones, the King.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct PieceKind(usize);

/// Kinds of pieces.
pub(crate) type PieceKinds = BTreeSet<PieceKind>;

impl PieceKind {
    pub(crate) const PAWN: Self = Self(0);
    const ROOK: Self = Self(3);
    pub(crate) const KING: Self = Self(NAMED_PIECES.len() + CUSTOM_PIECES);

    fn all() -> impl Iterator<Item = Self> {
        (0..=Self::KING.0).map(Self)
    }

    /// The key that gives it a letter.
    pub(crate) fn key(self) -> String {
        match NAMED_PIECES.get(self.0) {
            Some(named) => named.0.to_owned(),
            None if self == Self::KING => "king".to_owned(),
            None => format!("customPiece{}", self.0 - NAMED_PIECES.len() + 1),
        }
    }

    /// Betza, name and picture of a piece whose moves Fairy-Stockfish knows; `None` for a custom one.
    pub(crate) fn known(self) -> Option<(&'static str, &'static str, &'static str)> {
        match NAMED_PIECES.get(self.0) {
            Some(&(_, betza, name, picture)) => Some((betza, name, picture)),
            None => (self == Self::KING).then_some(("K", "King", "king")),
        }
    }

    fn is_custom(self) -> bool {
        self.known().is_none()
    }
}

/// A piece of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Placed {
    /// Its letter, as a capital.
    pub(crate) letter: char,
    /// The moves after its letter; only a custom piece and the King have such.
    pub(crate) moves: Option<String>,
}

/// A key that is not translated: its value and line.
type Other = (String, Option<usize>);

/// The rules of a section with everything that it inherits. Pairs are White's and Black's.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub(crate) files: u8,
    pub(crate) ranks: u8,
    /// Whether the first file is joined to the last, and the first rank to the last.
    pub(crate) joined: [bool; 2],
    pub(crate) start: String,
    pub(crate) pieces: BTreeMap<PieceKind, Placed>,
    /// The squares that a piece may enter; empty: all.
    pub(crate) mobility: BTreeMap<PieceKind, ByColor<Cells>>,
    pub(crate) promoting: ByColor<PieceKinds>,
    pub(crate) promoted_to: ByColor<PieceKinds>,
    pub(crate) promotion_region: ByColor<Cells>,
    pub(crate) promotion_is_mandatory: bool,
    pub(crate) double_step: bool,
    pub(crate) double_step_region: ByColor<Cells>,
    /// Kinds other than the pawn that capture en passant.
    pub(crate) en_passant: ByColor<PieceKinds>,
    pub(crate) en_passant_region: ByColor<Cells>,
    pub(crate) castling: bool,
    /// Where the King ends, on its right and on its left.
    pub(crate) castling_to: [u8; 2],
    /// Where the search for a rook begins, on the right and on the left; the last file may lie beyond the board.
    pub(crate) castling_rook_files: [u8; 2],
    pub(crate) castling_rank: u8,
    pub(crate) castling_king: ByColor<Option<PieceKind>>,
    pub(crate) castling_rooks: ByColor<PieceKinds>,
    pub(crate) counted: ByColor<PieceKinds>,
    pub(crate) moves: u32,
    pub(crate) repetition: u32,
    pub(crate) stalemate: String,
    /// The kind that wins in the flag region; `None`: every kind.
    pub(crate) flag_piece: ByColor<Option<PieceKind>>,
    pub(crate) flag_region: ByColor<Cells>,
    others: BTreeMap<String, Other>,
    lines: BTreeMap<String, Option<usize>>,
    faults: BTreeMap<String, Untranslated>,
}

impl Rules {
    /// The rules of a chain of sections, the one that inherits from no other first. The flag tells whether a section is part
    /// of the text; the others are those of games that Fairy-Stockfish has built in.
    pub(crate) fn of(chain: &[(Section, bool)]) -> Self {
        let mut rules = Self::template();
        for (section, own) in chain {
            rules.apply(section, *own);
        }
        rules
    }

    /// Chess without pieces, with which every section begins that has no parent.
    fn template() -> Self {
        let set = |kinds: &[PieceKind]| ByColor::from_fn(|_| kinds.iter().copied().collect::<PieceKinds>());
        let rank = |rank: u8| (0..16).map(|file| (file, rank - 1)).collect::<Cells>();
        Self {
            files: 8,
            ranks: 8,
            joined: [false; 2],
            start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".into(),
            pieces: BTreeMap::new(),
            mobility: BTreeMap::new(),
            promoting: set(&[PieceKind::PAWN]),
            promoted_to: set(&[]),
            promotion_region: ByColor::new(rank(8), rank(1)),
            promotion_is_mandatory: true,
            double_step: true,
            double_step_region: ByColor::new(rank(2), rank(7)),
            en_passant: set(&[PieceKind::PAWN]),
            en_passant_region: ByColor::from_fn(|_| region::everywhere()),
            castling: true,
            castling_to: [6, 2],
            castling_rook_files: [u8::MAX, 0],
            castling_rank: 1,
            castling_king: ByColor::filled(Some(PieceKind::KING)),
            castling_rooks: set(&[PieceKind::ROOK]),
            counted: set(&[PieceKind::PAWN]),
            moves: 50,
            repetition: 3,
            stalemate: "draw".into(),
            flag_piece: ByColor::filled(None),
            flag_region: ByColor::default(),
            others: BTreeMap::new(),
            lines: BTreeMap::new(),
            faults: BTreeMap::new(),
        }
    }

    /// The line of a key; `None` where no section of the text has it.
    pub(crate) fn line(&self, key: &str) -> Option<usize> {
        self.lines.get(key).copied().flatten()
    }

    /// The kind that has a letter now.
    pub(crate) fn kind(&self, letter: char) -> Option<PieceKind> {
        let letter = letter.to_ascii_uppercase();
        self.pieces.iter().find(|(_, piece)| piece.letter == letter).map(|(kind, _)| *kind)
    }

    /// Values that could not be read, and keys that a variant file cannot express, unless they change nothing.
    pub(crate) fn untranslated(&self) -> Vec<Untranslated> {
        let mut found: Vec<Untranslated> = self.faults.values().cloned().collect();
        for (key, (value, line)) in &self.others {
            let known = UNSUPPORTED.iter().find(|known| known.key == key);
            let why = match known {
                Some(known) if known.needs == NEVER || value.trim_end() == known.neutral => continue,
                Some(known) => match known.needs.first() {
                    Some(switch) if known.needs.iter().all(|key| self.is_neutral(key)) => match line {
                        Some(_) => format!("changes nothing without `{switch}`"),
                        None => continue,
                    },
                    _ => known.why.to_owned(),
                },
                None => "no key of Fairy-Stockfish's that Lozenge knows".to_owned(),
            };
            found.push(Untranslated { line: *line, what: key.clone(), why });
        }
        found
    }

    fn is_neutral(&self, key: &str) -> bool {
        let neutral = UNSUPPORTED.iter().find(|known| known.key == key).map(|known| known.neutral);
        self.others.get(key).is_none_or(|(value, _)| Some(value.trim_end()) == neutral)
    }

    /// Applies a section, in the order in which Fairy-Stockfish asks for the keys.
    fn apply(&mut self, section: &Section, own: bool) {
        let mut keys = Keys::new(section, own);
        keys.number("maxRank", &mut self.ranks);
        keys.file("maxFile", &mut self.files, 1);
        for kind in PieceKind::all() {
            self.place(kind, &mut keys);
        }
        let ranks = self.ranks;
        let mut from = 0u8;
        if keys.number("promotionRank", &mut from) {
            let rows = |keep: &dyn Fn(u8) -> bool| {
                region::everywhere().into_iter().filter(|cell| keep(cell.1)).collect::<Cells>()
            };
            self.promotion_region = ByColor::new(
                rows(&|rank| rank + 1 >= from),
                rows(&|rank| u32::from(rank) + u32::from(from) <= ranks.into()),
            );
        }
        keys.cells("whiteFlag", &mut self.flag_region[Color::White]);
        keys.cells("blackFlag", &mut self.flag_region[Color::Black]);
        let pieces = self.pieces.clone();
        keys.kinds("castlingRookPiece", &pieces, &mut self.castling_rooks);
        for set in [&mut self.promoting, &mut self.en_passant, &mut self.counted] {
            keys.kinds("pawnTypes", &pieces, set);
        }
        keys.text("startFen", &mut self.start);
        keys.cells_by_color("promotionRegion", &mut self.promotion_region, false);
        keys.kinds_by_color("promotionPawnTypes", &pieces, &mut self.promoting);
        keys.kinds_by_color("promotionPieceTypes", &pieces, &mut self.promoted_to);
        keys.flag("mandatoryPawnPromotion", &mut self.promotion_is_mandatory);
        keys.flag("doubleStep", &mut self.double_step);
        keys.cells_by_color("doubleStepRegion", &mut self.double_step_region, false);
        keys.cells_by_color("enPassantRegion", &mut self.en_passant_region, true);
        keys.kinds_by_color("enPassantTypes", &pieces, &mut self.en_passant);
        keys.flag("castling", &mut self.castling);
        keys.file("castlingKingsideFile", &mut self.castling_to[0], 0);
        keys.file("castlingQueensideFile", &mut self.castling_to[1], 0);
        keys.number("castlingRank", &mut self.castling_rank);
        keys.file("castlingRookKingsideFile", &mut self.castling_rook_files[0], 0);
        keys.file("castlingRookQueensideFile", &mut self.castling_rook_files[1], 0);
        keys.kind_by_color("castlingKingPiece", &pieces, &mut self.castling_king);
        keys.kinds_by_color("castlingRookPieces", &pieces, &mut self.castling_rooks);
        keys.kinds_by_color("nMoveRuleTypes", &pieces, &mut self.counted);
        keys.number("nMoveRule", &mut self.moves);
        keys.number("nFoldRule", &mut self.repetition);
        keys.value("stalemateValue", &mut self.stalemate);
        keys.kind_by_color("flagPiece", &pieces, &mut self.flag_piece);
        keys.cells_by_color("flagRegion", &mut self.flag_region, true);
        let mut cylinder = self.joined[0] && !self.joined[1];
        let mut torus = self.joined[0] && self.joined[1];
        keys.flag("cylindrical", &mut cylinder);
        keys.flag("toroidal", &mut torus);
        self.joined = [cylinder || torus, torus];
        self.finish_section(keys);
    }

    /// The King's letter, or a piece's, and the squares it may enter.
    fn place(&mut self, kind: PieceKind, keys: &mut Keys) {
        let key = kind.key();
        if let Some(value) = keys.take(&key) {
            match value.chars().next().filter(char::is_ascii_alphabetic) {
                Some(letter) => {
                    let letter = letter.to_ascii_uppercase();
                    // A letter belongs to one kind: the one that had it is taken out of the game, even if it is this one.
                    if let Some(former) = self.kind(letter) {
                        self.remove(former);
                    }
                    // The rest behind the letter and the sign after it.
                    let moves = (value.len() > 1).then(|| value.chars().skip(2).collect::<String>());
                    let moves = match (kind.is_custom(), moves) {
                        (true, moves) => Some(moves.unwrap_or_default()),
                        (false, moves) => moves.filter(|_| kind == PieceKind::KING),
                    };
                    if kind.is_custom() && moves.as_ref().is_some_and(|moves| moves.contains('e')) {
                        self.en_passant.iter_mut().for_each(|kinds| {
                            kinds.insert(kind);
                        });
                    }
                    self.pieces.insert(kind, Placed { letter, moves });
                }
                None => {
                    if !value.starts_with('-') {
                        keys.fault(&key, format!("expected a letter or `-`, found `{value}`"));
                    }
                    self.remove(kind);
                }
            }
        }
        let mut letters = key.chars();
        let first = letters.next().map_or(' ', |letter| letter.to_ascii_uppercase());
        let name = format!("{first}{}", letters.as_str());
        for color in Color::BOTH {
            let mut cells = Cells::new();
            if keys.cells(&format!("mobilityRegion{color}{name}"), &mut cells) {
                self.mobility.entry(kind).or_default()[color] = cells;
            }
        }
    }

    fn remove(&mut self, kind: PieceKind) {
        self.pieces.remove(&kind);
        self.promoted_to.iter_mut().for_each(|kinds| {
            kinds.remove(&kind);
        });
    }

    /// Finishes a section: settles the double step, and stores the faults and the keys that have no use.
    fn finish_section(&mut self, keys: Keys) {
        if !self.double_step {
            self.double_step_region = ByColor::default();
        }
        self.double_step = !self.double_step_region.iter().all(BTreeSet::is_empty);
        for (key, (value, line)) in keys.entries {
            self.lines.insert(key.clone(), line);
            if keys.taken.contains(&key) {
                self.faults.remove(&key);
            } else {
                self.others.insert(key, (value, line));
            }
        }
        self.faults.extend(keys.faults.into_iter().map(|fault| (fault.what.clone(), fault)));
    }
}

/// The keys of one section while they are read.
struct Keys {
    entries: BTreeMap<String, Other>,
    taken: BTreeSet<String>,
    faults: Vec<Untranslated>,
}

impl Keys {
    /// Of a key that is there twice the later one counts; one without a value does not.
    fn new(section: &Section, own: bool) -> Self {
        let entries = section.entries.iter().filter(|(_, value, _)| !value.is_empty());
        let entries =
            entries.map(|(key, value, line)| (key.clone(), (value.clone(), own.then_some(*line)))).collect();
        Self { entries, taken: BTreeSet::new(), faults: Vec::new() }
    }

    fn take(&mut self, key: &str) -> Option<String> {
        self.taken.insert(key.to_owned());
        self.entries.get(key).map(|entry| entry.0.clone())
    }

    fn fault(&mut self, key: &str, why: String) {
        let line = self.entries.get(key).and_then(|entry| entry.1);
        self.faults.push(Untranslated { line, what: key.to_owned(), why });
    }

    fn text(&mut self, key: &str, target: &mut String) {
        if let Some(value) = self.take(key) {
            *target = value;
        }
    }

    /// Text after `true` makes it false there.
    fn flag(&mut self, key: &str, target: &mut bool) {
        let Some(value) = self.take(key) else { return };
        *target = value == "true";
        if !matches!(value.as_str(), "true" | "false") {
            self.fault(key, format!("expected `true` or `false`, found `{value}`, which is false"));
        }
    }

    /// Whether the key is there and could be read.
    fn number<N: std::str::FromStr>(&mut self, key: &str, target: &mut N) -> bool {
        let Some(value) = self.take(key) else { return false };
        let digits: String = value.chars().take_while(char::is_ascii_digit).collect();
        match digits.parse() {
            Ok(number) => {
                *target = number;
                true
            }
            Err(_) => {
                self.fault(key, format!("expected a number, found `{value}`"));
                false
            }
        }
    }

    /// A file by its letter or its number; `first` is what file a becomes.
    fn file(&mut self, key: &str, target: &mut u8, first: u8) {
        let Some(value) = self.take(key) else { return };
        let digits: String = value.chars().take_while(char::is_ascii_digit).collect();
        let letter = value.chars().next().filter(char::is_ascii_lowercase).map(|letter| letter as u8 - b'a');
        match digits.parse::<u8>().ok().and_then(|number| number.checked_sub(1)).or(letter) {
            Some(file) => *target = file.saturating_add(first),
            None => self.fault(key, format!("expected a file, found `{value}`")),
        }
    }

    fn value(&mut self, key: &str, target: &mut String) {
        let Some(value) = self.take(key) else { return };
        if matches!(value.as_str(), "win" | "loss" | "draw") {
            *target = value;
        } else {
            self.fault(key, format!("expected `draw`, `loss` or `win`, found `{value}`"));
        }
    }

    /// Whether the key is there.
    fn cells(&mut self, key: &str, target: &mut Cells) -> bool {
        let Some(value) = self.take(key) else { return false };
        match region::read(&value) {
            Some(cells) => *target = cells,
            None => self.fault(key, format!("expected squares such as `*8 d4`, found `{value}`")),
        }
        true
    }

    /// `key` for both colors where there is such a key, then `keyWhite` and `keyBlack`.
    fn cells_by_color(&mut self, key: &str, target: &mut ByColor<Cells>, has_common: bool) {
        for (color, cells) in Color::BOTH.into_iter().zip(target) {
            if has_common {
                self.cells(key, cells);
            }
            self.cells(&format!("{key}{color}"), cells);
        }
    }

    /// The kinds of a list of letters, which ends at the first letter of no piece.
    fn read_kinds(&mut self, key: &str, pieces: &BTreeMap<PieceKind, Placed>) -> Option<Vec<PieceKind>> {
        let value = self.take(key)?;
        let mut found = Vec::new();
        for letter in value.chars().filter(|letter| !letter.is_whitespace()) {
            let upper = letter.to_ascii_uppercase();
            match pieces.iter().find(|(_, piece)| piece.letter == upper) {
                Some((kind, _)) => found.push(*kind),
                None if letter == '-' => break,
                None => {
                    self.fault(
                        key,
                        format!("expected letters of pieces or `-`, found `{letter}`, where the list ends"),
                    );
                    break;
                }
            }
        }
        Some(found)
    }

    fn kinds(&mut self, key: &str, pieces: &BTreeMap<PieceKind, Placed>, target: &mut ByColor<PieceKinds>) {
        if let Some(kinds) = self.read_kinds(key, pieces) {
            *target = ByColor::from_fn(|_| kinds.iter().copied().collect());
        }
    }

    fn kinds_by_color(
        &mut self,
        key: &str,
        pieces: &BTreeMap<PieceKind, Placed>,
        target: &mut ByColor<PieceKinds>,
    ) {
        self.kinds(key, pieces, target);
        for (color, kinds) in Color::BOTH.into_iter().zip(target) {
            if let Some(found) = self.read_kinds(&format!("{key}{color}"), pieces) {
                *kinds = found.into_iter().collect();
            }
        }
    }

    /// The last kind of a list. `*` and `-` mean no kind.
    fn kind_by_color(
        &mut self,
        key: &str,
        pieces: &BTreeMap<PieceKind, Placed>,
        target: &mut ByColor<Option<PieceKind>>,
    ) {
        for (color, kind) in Color::BOTH.into_iter().zip(target) {
            for key in [key.to_owned(), format!("{key}{color}")] {
                if self.entries.get(&key).is_some_and(|entry| entry.0.trim_end() == "*") {
                    self.take(&key);
                    *kind = None;
                } else if let Some(found) = self.read_kinds(&key, pieces) {
                    *kind = found.last().copied();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::{resolve, sections};

    fn rules(text: &str) -> Rules {
        let all = sections(text).unwrap();
        let (_, chain) = resolve(&all, all.last().map(|section| section.name.as_str())).unwrap();
        Rules::of(&chain)
    }

    fn letters(rules: &Rules, kinds: &PieceKinds) -> String {
        kinds.iter().filter_map(|kind| rules.pieces.get(kind)).map(|piece| piece.letter).collect()
    }

    #[test]
    fn sets_of_pieces_keep_kinds_whatever_their_letters() {
        let game = rules("[x:janus]\narchbishop = a\n");
        assert_eq!(letters(&game, &game.promoted_to[Color::White]), "NBRQA");
        // A piece that is named again leaves the pieces to promote to, as one without a letter does.
        let game = rules("[x:chess]\nqueen = q\nrook = -\n");
        assert_eq!(letters(&game, &game.promoted_to[Color::Black]), "NB");
        // A letter has one piece.
        let game = rules("[x:chess]\ncustomPiece1 = p:mfW\n");
        assert_eq!(game.kind('p').map(PieceKind::key).as_deref(), Some("customPiece1"));
    }

    #[test]
    fn pawn_types_set_three_lists_that_their_own_keys_change() {
        let game = rules("[x:chess]\ncustomPiece1 = s:fW\npawnTypes = s\nnMoveRuleTypes = p\n");
        let list = |kinds: &ByColor<PieceKinds>| letters(&game, &kinds[Color::White]);
        assert_eq!([list(&game.promoting), list(&game.en_passant), list(&game.counted)], ["S", "S", "P"]);
    }

    #[test]
    fn first_moves_once_forbidden_stay_so_without_a_region() {
        assert!(!rules("[x:raazuvaa]\ndoubleStep = true\n").double_step);
        assert!(rules("[x:raazuvaa]\ndoubleStep = true\ndoubleStepRegionWhite = *2\n").double_step);
    }

    #[test]
    fn keys_of_parents_count_until_they_are_changed() {
        let game = rules("[a:chess]\npieceDrops = true\ncheckCounting = true\n[b:a]\npieceDrops = false\n");
        let named: Vec<String> = game.untranslated().into_iter().map(|missing| missing.what).collect();
        assert_eq!(named, ["checkCounting"]);
    }
}
