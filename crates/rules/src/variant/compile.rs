//! The only way to a [`Variant`]: judges a [`VariantDef`] as a whole, collecting every fault with its
//! place, and then has the tables built (`tables`).

use super::area::{AreaFault, Areas};
use super::betza::{self, Atom};
use super::def::*;
use super::document::At;
use super::error::{Fault, FaultKind, VariantError};
use super::men::{Men, RoleInfo};
use super::read;
use super::rules::{Draws, Limit};
use super::tables;
use super::{Start, Variant};
use crate::geometry::shape::MAX_SIDE;
use crate::geometry::{Coord, Frame, Shape, Square, Vector};
use crate::notation::fen;
use crate::position::{AnyPosition, Color, Role, RoleSet, Setup};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Most castlings a game may have: their rights are bits of sixteen.
const MAX_CASTLINGS: usize = 16;
/// Most starting positions.
const MAX_STARTS: usize = 64;
/// Most groups of moves of one man.
const MAX_GROUPS: usize = 32;

/// Everything about a game that the tables are built from, judged, in board squares.
pub(crate) struct Plan {
    pub(crate) shape: Shape,
    pub(crate) frames: [Frame; 2],
    pub(crate) men: Men,
    pub(crate) royal: Role,
    pub(crate) en_passant: RoleSet,
    /// By role.
    pub(crate) moves: Vec<Vec<Moves>>,
    /// By color and square, when the game has a camp.
    pub(crate) distance: Option<[Vec<u16>; 2]>,
    pub(crate) promotions: Vec<Zone>,
    pub(crate) goals: Vec<Zone>,
    pub(crate) castlings: Vec<CastlingPlan>,
    pub(crate) right_letters: Vec<char>,
    pub(crate) starts: Vec<Setup>,
    pub(crate) draws: Draws,
    /// Kings included: piece indices, sorted.
    pub(crate) dead: Vec<Vec<u8>>,
}

/// Some moves of a man and from which squares they apply, by color.
pub(crate) struct Moves {
    pub(crate) at: At,
    pub(crate) atoms: Vec<Atom>,
    pub(crate) from: Option<[Vec<Square>; 2]>,
    pub(crate) gain: Option<Gain>,
}

/// Men, the squares where something happens to them, by color, and what they may become there.
pub(crate) struct Zone {
    pub(crate) men: RoleSet,
    pub(crate) squares: [Vec<Square>; 2],
    pub(crate) to: RoleSet,
}

/// A castling, in squares.
pub(crate) struct CastlingPlan {
    pub(crate) color: Color,
    pub(crate) short: bool,
    pub(crate) king: (Square, Square),
    pub(crate) rook: (Square, Square),
    pub(crate) man: Role,
    pub(crate) right: Option<u16>,
    pub(crate) empty: Vec<Square>,
    pub(crate) safe: Vec<Square>,
    pub(crate) out_of_check: bool,
}

/// Compiles the text of a variant file.
pub(crate) fn compile(
    source: &str,
    text: &str,
    lookup: &dyn Fn(&str) -> Option<String>,
) -> Result<Arc<Variant>, VariantError> {
    let (def, faults) = read::read(source, text, lookup)?;
    let mut compiler = Compiler { def: &def, faults };
    let variant = compiler.variant();
    let mut faults = compiler.faults;
    match variant {
        Some(variant) if faults.is_empty() => Ok(variant),
        _ => {
            read::sort(&mut faults);
            Err(VariantError { faults })
        }
    }
}

struct Compiler<'d> {
    def: &'d VariantDef,
    faults: Vec<Fault>,
}

impl Compiler<'_> {
    pub(super) fn fault(&mut self, at: At, expected: impl Into<String>, found: impl Into<String>) {
        let kind = FaultKind::Value { expected: expected.into(), found: found.into() };
        self.faults.push(self.def.documents.fault(at, kind));
    }

    fn wrong(&mut self, text: &Text, expected: impl Into<String>) {
        self.fault(text.at, expected, format!("`{}`", text.value));
    }

    fn too_many(&mut self, at: At, what: &'static str, limit: usize, found: usize) {
        if found > limit {
            self.faults.push(self.def.documents.fault(at, FaultKind::TooLarge { what, limit, found }));
        }
    }

    fn variant(&mut self) -> Option<Arc<Variant>> {
        let def = self.def;
        let id_letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if def.id.value.is_empty() || def.id.value.len() > 40 || !def.id.value.chars().all(id_letters) {
            self.wrong(&def.id, "1 to 40 small letters, digits and `-`");
        }
        if def.name.value.trim().is_empty()
            || def.name.value.len() > 80
            || def.name.value.contains(['"', '\n'])
        {
            self.wrong(&def.name, "a name of at most 80 letters on one line, without quotes");
        }
        let plan = self.plan()?;
        if !self.faults.is_empty() {
            return None;
        }
        let tables =
            tables::build(&plan).map_err(|(at, expected, found)| self.fault(at, expected, found)).ok()?;
        let mut variant = Variant {
            id: def.id.value.clone(),
            name: def.name.value.clone(),
            author: def.author.clone(),
            year: def.year,
            source: def.source.clone(),
            about: def.about.trim().to_owned(),
            readings: def.readings.clone(),
            view: def.board.view,
            symmetry: def.board.symmetry.value,
            starts: Vec::new(),
            rights: plan.right_letters.clone(),
            texts: def.documents.texts().to_vec(),
            shape: plan.shape,
            frames: plan.frames,
            men: plan.men,
            promotions: plan
                .promotions
                .iter()
                .map(|zone| (zone.men, zone.squares.clone(), zone.to))
                .collect(),
            goals: plan.goals.iter().map(|zone| (zone.men, zone.squares.clone())).collect(),
            dead: def.draws.dead.iter().map(|text| text.value.clone()).collect(),
            draws: plan.draws,
            castlings: tables.castlings(),
            distances: plan.distance,
            tables: Arc::new(tables),
        };
        let judge = Arc::new(variant.clone_without_starts());
        for (start, setup) in def.starts.iter().zip(&plan.starts) {
            match AnyPosition::from_setup(&judge, setup) {
                Ok(position) => {
                    variant.starts.push(Start { name: start.name.clone(), fen: position.fen() });
                }
                Err(error) => {
                    for fault in error.faults {
                        self.faults.push(def.documents.fault(start.fen.at, FaultKind::Start(fault)));
                    }
                }
            }
        }
        Some(Arc::new(variant))
    }

    fn plan(&mut self) -> Option<Plan> {
        let def = self.def;
        let shape = self.shape()?;
        let frames = self.frames(&shape)?;
        let areas = self.areas(&shape);
        let distance = def.distance.as_ref().map(|distance| {
            let white = self.area(&areas, &distance.from);
            let free = self.small(&distance.free, 0, 64) as u16;
            [white.clone(), areas.mirrored(&white)]
                .map(|from| areas.distances(&from).into_iter().map(|d| d.saturating_sub(free)).collect())
        });
        let men = self.men();
        let moves: Vec<Vec<Moves>> =
            (def.roles.iter()).map(|role| self.moves(&areas, frames, distance.is_some(), role)).collect();
        let royal = self.royal(&men);
        let promotions: Vec<Zone> = (def.promotions.iter())
            .map(|promotion| Zone {
                men: self.letters(&men, &promotion.men),
                squares: self.area_both(&areas, &promotion.on),
                to: self.promotion_choices(&men, promotion),
            })
            .collect();
        let goals: Vec<Zone> = (def.goals.iter())
            .map(|goal| Zone {
                men: self.letters(&men, &goal.men),
                squares: self.area_both(&areas, &goal.on),
                to: RoleSet::EMPTY,
            })
            .collect();
        let (castlings, right_letters) = self.castlings(&shape, &men);
        let starts = self.starts(&shape, &men, &right_letters);
        let dead = self.dead(&men, royal);
        let en_passant = (def.roles.iter().zip(0..))
            .filter(|(role, _)| role.en_passant.value)
            .map(|(_, number)| Role::new(number))
            .collect();
        let draws = self.draws();
        drop(areas);
        Some(Plan {
            frames,
            royal: royal?,
            en_passant,
            moves,
            distance,
            promotions,
            goals,
            castlings,
            right_letters,
            starts,
            draws,
            dead,
            men,
            shape,
        })
    }

    fn shape(&mut self) -> Option<Shape> {
        let rows = &self.def.board.rows;
        let at = self.def.board.symmetry.at;
        let Some(first) = rows.first() else {
            self.fault(at, "a board drawn with `.` for squares and `*` for holes", "no rows");
            return None;
        };
        let (width, height) = (first.value.chars().count(), rows.len());
        let before = self.faults.len();
        for row in rows {
            if row.value.chars().count() != width {
                self.fault(
                    row.at,
                    format!("{width} cells as in the first row"),
                    row.value.chars().count().to_string(),
                );
            }
            if let Some((offset, letter)) =
                row.value.char_indices().find(|(_, letter)| !matches!(letter, '.' | '*'))
            {
                let at = At { byte: row.at.byte + offset, ..row.at };
                self.fault(at, "`.` for a square or `*` for a hole", format!("`{letter}`"));
            }
        }
        let most = usize::from(MAX_SIDE);
        if width > most || height > most {
            self.fault(
                first.at,
                format!("a board of at most {most}x{most} cells"),
                format!("{width}x{height}"),
            );
        }
        if self.faults.len() > before {
            return None;
        }
        let cells: Vec<&[u8]> = rows.iter().rev().map(|row| row.value.as_bytes()).collect();
        let is_square = |at: Coord| cells[usize::from(at.rank)][usize::from(at.file)] == b'.';
        let shape = Shape::new(width as u8, height as u8, self.def.board.wrap, is_square);
        if shape.len() < 2 {
            self.fault(first.at, "a board of at least two squares", shape.len().to_string());
            return None;
        }
        Some(shape)
    }

    fn frames(&mut self, shape: &Shape) -> Option<[Frame; 2]> {
        let board = &self.def.board;
        let symmetry = board.symmetry.value;
        if !symmetry.fits(shape) {
            self.fault(
                board.symmetry.at,
                "a symmetry that lays every square onto a square (mirror-rising and mirror-falling need as many files as ranks)",
                format!("{symmetry:?}"),
            );
            return None;
        }
        let mut steps = [Vector::new(0, 1); 2];
        for (forward, step) in board.forward.iter().zip(&mut steps) {
            let found = Vector::EIGHT.iter().find(|v| (i64::from(v.dx), i64::from(v.dy)) == forward.value);
            match found {
                Some(&found) => *step = found,
                None => {
                    let (dx, dy) = forward.value;
                    self.fault(
                        forward.at,
                        "one step to a neighbour, such as [0, 1] or [1, 1]",
                        format!("[{dx}, {dy}]"),
                    );
                    return None;
                }
            }
        }
        let white = Frame::first(steps[0]);
        let black = Frame::second(white, symmetry);
        if black.forward != steps[1] {
            let Vector { dx, dy } = black.forward;
            self.fault(
                board.forward[1].at,
                format!("[{dx}, {dy}], White's forward under the symmetry {symmetry:?}"),
                format!("[{}, {}]", steps[1].dx, steps[1].dy),
            );
            return None;
        }
        Some([white, black])
    }

    fn areas<'s>(&mut self, shape: &'s Shape) -> Areas<'s> {
        let mut areas = Areas { shape, symmetry: self.def.board.symmetry.value, regions: BTreeMap::new() };
        for (name, region) in &self.def.regions {
            let plain = |c: char| c.is_ascii_lowercase() || c == '-' || c == '_';
            if name.value.is_empty() || !name.value.chars().all(plain) || shape.named(&name.value).is_some() {
                self.wrong(name, "a name in small letters that is not a square");
            }
            let squares = match region {
                AreaDef::Listed(text) => self.area(&areas, text),
                AreaDef::Around { around, within } => {
                    let from = self.area(&areas, around);
                    let within = self.small(within, 0, 64) as u16;
                    let distances = areas.distances(&from);
                    shape.squares().filter(|square| distances[square.index()] <= within).collect()
                }
            };
            areas.regions.insert(name.value.clone(), squares);
        }
        areas
    }

    fn area(&mut self, areas: &Areas<'_>, text: &Text) -> Vec<Square> {
        let mut faults: Vec<AreaFault> = Vec::new();
        let squares = areas.parse(&text.value, &mut faults);
        if squares.is_empty() && faults.is_empty() {
            self.fault(text.at, "at least one square", "none");
        }
        for AreaFault { at, expected, found } in faults {
            self.fault(At { byte: text.at.byte + at, ..text.at }, expected, found);
        }
        squares
    }

    fn area_both(&mut self, areas: &Areas<'_>, text: &Text) -> [Vec<Square>; 2] {
        let white = self.area(areas, text);
        let black = areas.mirrored(&white);
        [white, black]
    }

    fn small(&mut self, number: &Located<i64>, least: i64, most: i64) -> i64 {
        if !(least..=most).contains(&number.value) {
            self.fault(number.at, format!("a number from {least} to {most}"), number.value.to_string());
        }
        number.value.clamp(least, most)
    }

    fn men(&mut self) -> Men {
        let roles = (self.def.roles.iter())
            .map(|role| {
                let mut letters = role.letter.value.chars();
                let letter = match (letters.next(), letters.next()) {
                    (Some(letter @ 'A'..='Z'), None) => letter,
                    _ => {
                        self.wrong(&role.letter, "a capital letter A-Z as the man's letter");
                        '?'
                    }
                };
                if role.name.value.trim().is_empty() || role.name.value.len() > 40 {
                    self.wrong(&role.name, "a name of 1 to 40 letters");
                }
                RoleInfo {
                    letter,
                    name: role.name.value.clone(),
                    picture: role.picture.clone(),
                    royal: role.royal,
                    pawn: role.pawn,
                    moves: role
                        .moves
                        .iter()
                        .map(|moves| (moves.betza.value.clone(), condition(moves)))
                        .collect(),
                }
            })
            .collect();
        Men { roles }
    }

    fn royal(&mut self, men: &Men) -> Option<Role> {
        let royals: Vec<&RoleDef> = self.def.roles.iter().filter(|role| role.royal).collect();
        match royals[..] {
            [_] => men.royal(),
            [] => {
                self.fault(self.def.at, "one man with `royal = true`", "none");
                None
            }
            [_, second, ..] => {
                let letter = second.letter.value.clone();
                self.fault(second.letter.at, "one man with `royal = true`", format!("`{letter}` too"));
                None
            }
        }
    }

    fn moves(
        &mut self,
        areas: &Areas<'_>,
        frames: [Frame; 2],
        has_distance: bool,
        role: &RoleDef,
    ) -> Vec<Moves> {
        self.too_many(role.letter.at, "groups of moves", MAX_GROUPS, role.moves.len());
        let mut all = Vec::new();
        for moves in role.moves.iter().take(MAX_GROUPS) {
            let atoms = match betza::parse(&moves.betza.value) {
                Ok(atoms) => atoms,
                Err(error) => {
                    let at = At { byte: moves.betza.at.byte + error.at, ..moves.betza.at };
                    let kind = FaultKind::Betza { text: moves.betza.value.clone(), error };
                    self.faults.push(self.def.documents.fault(at, kind));
                    continue;
                }
            };
            let on = moves.on.as_ref().map(|on| self.area_both(areas, on));
            let edge = moves.edge.as_ref().and_then(|edge| self.edge(areas.shape, frames, edge));
            let from = match (on, edge) {
                (Some(on), Some(edge)) => {
                    let mut both = on.into_iter().zip(edge).map(|(on, edge)| {
                        on.into_iter().filter(|square| edge.contains(square)).collect::<Vec<_>>()
                    });
                    Some([both.next().unwrap_or_default(), both.next().unwrap_or_default()])
                }
                (on, edge) => on.or(edge),
            };
            if moves.gain.is_some() && !has_distance {
                self.fault(moves.betza.at, "a table [distance] for moves that gain distance", "none");
            }
            if moves.gain == Some(Gain::Most) && atoms.iter().any(|atom| atom.range != Some(1)) {
                self.fault(
                    moves.betza.at,
                    "single steps or leaps with `most-gain`",
                    format!("`{}`", moves.betza.value),
                );
            }
            all.push(Moves { at: moves.betza.at, atoms, from, gain: moves.gain });
        }
        all
    }

    /// The squares, by color, where there is no square in a direction of the player's frame.
    fn edge(&mut self, shape: &Shape, frames: [Frame; 2], text: &Text) -> Option<[Vec<Square>; 2]> {
        let wanted = match text.value.as_str() {
            "f" => (0, 1),
            "b" => (0, -1),
            "l" => (-1, 0),
            "r" => (1, 0),
            "fl" => (-1, 1),
            "fr" => (1, 1),
            "bl" => (-1, -1),
            "br" => (1, -1),
            _ => {
                self.wrong(text, "a direction: f b l r fl fr bl br");
                return None;
            }
        };
        Some(frames.map(|frame| {
            let seen = |v: &Vector| {
                let (right, forward) = frame.seen(*v);
                (right.signum(), forward.signum())
            };
            let step = Vector::EIGHT.into_iter().find(|v| seen(v) == wanted).unwrap_or(frame.forward);
            shape.squares().filter(|&square| shape.step(square, step).is_none()).collect()
        }))
    }

    fn letters(&mut self, men: &Men, text: &Text) -> RoleSet {
        let mut roles = RoleSet::EMPTY;
        for (offset, letter) in text.value.char_indices() {
            match men.role(letter).filter(|&role| !roles.contains(role)) {
                Some(role) => roles.insert(role),
                None => {
                    let at = At { byte: text.at.byte + offset, ..text.at };
                    self.fault(at, "letters of this game's men, each once", format!("`{letter}`"));
                }
            }
        }
        if text.value.is_empty() {
            self.fault(text.at, "letters of this game's men", "none");
        }
        roles
    }

    fn promotion_choices(&mut self, men: &Men, promotion: &PromotionDef) -> RoleSet {
        let to = self.letters(men, &promotion.to);
        if men.royal().is_some_and(|royal| to.contains(royal)) {
            self.wrong(&promotion.to, "men other than the king to become");
        }
        to
    }

    fn castlings(&mut self, shape: &Shape, men: &Men) -> (Vec<CastlingPlan>, Vec<char>) {
        let defs = &self.def.castlings;
        self.too_many(defs.first().map_or(self.def.at, |c| c.at), "castlings", MAX_CASTLINGS, defs.len());
        let mut letters = Vec::new();
        let plans = (defs.iter().take(MAX_CASTLINGS))
            .filter_map(|castling| self.castling(shape, men, castling, &mut letters))
            .collect();
        (plans, letters)
    }

    fn castling(
        &mut self,
        shape: &Shape,
        men: &Men,
        def: &CastlingDef,
        letters: &mut Vec<char>,
    ) -> Option<CastlingPlan> {
        let color = match def.color.value.as_str() {
            "white" => Some(Color::White),
            "black" => Some(Color::Black),
            _ => {
                self.wrong(&def.color, "`white` or `black`");
                None
            }
        };
        if !matches!(def.name.value.as_str(), "short" | "long") {
            self.wrong(&def.name, "`short` or `long`");
        }
        let king = self.pair_of_squares(shape, &def.king);
        let rook = self.pair_of_squares(shape, &def.rook);
        let man = match def.man.value.chars().next().and_then(|letter| men.role(letter)) {
            Some(role) if def.man.value.len() == 1 && !men.info(role).royal => Some(role),
            _ => {
                self.wrong(&def.man, "the letter of the man that the king castles with");
                None
            }
        };
        let right = match &def.right {
            None => None,
            Some(text) => {
                let mut right = text.value.chars();
                match (right.next(), right.next(), color) {
                    (Some(letter), None, Some(color))
                        if letter.is_ascii_alphabetic()
                            && letter.is_ascii_uppercase() == (color == Color::White)
                            && !letters.contains(&letter) =>
                    {
                        letters.push(letter);
                    }
                    _ => self
                        .wrong(text, "one letter for this right alone, capital for White, small for Black"),
                }
                Some(1 << (letters.len().max(1) - 1))
            }
        };
        let (color, king, rook, man) = (color?, king?, rook?, man?);
        let line = |from: Square, to: Square| straight_between(shape, from, to);
        let Some(king_path) = line(king.0, king.1).or(def.through_check.then(Vec::new)) else {
            self.wrong(&def.king, "a king's path along a straight line (or `through_check = true`)");
            return None;
        };
        let mut empty = line(king.0, rook.0).unwrap_or_default();
        empty.extend(line(rook.0, rook.1).unwrap_or_default());
        empty.extend(&king_path);
        empty.extend([king.1, rook.1]);
        empty.retain(|&square| square != king.0 && square != rook.0);
        let safe = if def.through_check { Vec::new() } else { king_path };
        let short = def.name.value == "short";
        let out_of_check = def.out_of_check;
        Some(CastlingPlan { color, short, king, rook, man, right, empty, safe, out_of_check })
    }

    fn pair_of_squares(&mut self, shape: &Shape, text: &Text) -> Option<(Square, Square)> {
        let squares =
            text.value.split_once('-').and_then(|(from, to)| Some((shape.named(from)?, shape.named(to)?)));
        if squares.is_none() {
            self.wrong(text, "two squares of the board, `e1-g1`");
        }
        squares
    }

    fn starts(&mut self, shape: &Shape, men: &Men, rights: &[char]) -> Vec<Setup> {
        let defs = &self.def.starts;
        self.too_many(
            defs.first().map_or(self.def.at, |s| s.fen.at),
            "starting positions",
            MAX_STARTS,
            defs.len(),
        );
        let mut setups = Vec::new();
        for start in defs.iter().take(MAX_STARTS) {
            match fen::parse(fen::Context { shape, men, rights }, &start.fen.value) {
                Ok(setup) => setups.push(setup),
                Err(error) => {
                    let at = At { byte: start.fen.at.byte + error.column - 1, ..start.fen.at };
                    self.fault(at, error.expected, error.found);
                }
            }
        }
        setups
    }

    fn draws(&mut self) -> Draws {
        let draws = &self.def.draws;
        let mut limit = |[claim, end]: &[Located<i64>; 2]| {
            let (claim_value, end_value) = (self.small(claim, 0, 10_000), self.small(end, 0, 10_000));
            if end_value != 0 && end_value < claim_value {
                self.fault(end.at, "an end not before the claim", end_value.to_string());
            }
            Limit { claim: claim_value as u32, end: end_value as u32 }
        };
        let (repetition, moves) = (limit(&draws.repetition), limit(&draws.moves));
        Draws { repetition, moves, stalemate: draws.stalemate }
    }

    /// Dead material such as `KN v K`, for both colors, as sorted piece indices.
    fn dead(&mut self, men: &Men, royal: Option<Role>) -> Vec<Vec<u8>> {
        let mut dead = Vec::new();
        for text in &self.def.draws.dead {
            let sides: Vec<Vec<Role>> = (text.value.split(" v "))
                .filter_map(|side| side.chars().map(|letter| men.role(letter)).collect())
                .collect();
            let one_king = |side: &Vec<Role>| side.iter().filter(|&&role| Some(role) == royal).count() == 1;
            match &sides[..] {
                [first, second] if one_king(first) && one_king(second) && first.len() + second.len() <= 6 => {
                    for (white, black) in [(first, second), (second, first)] {
                        let side = |color: Color, roles: &Vec<Role>| {
                            roles
                                .iter()
                                .map(move |&role| crate::position::Piece::new(color, role).index() as u8)
                                .collect::<Vec<_>>()
                        };
                        let mut material = [side(Color::White, white), side(Color::Black, black)].concat();
                        material.sort_unstable();
                        if !dead.contains(&material) {
                            dead.push(material);
                        }
                    }
                }
                _ => self.wrong(text, "material such as `KN v K`: one king a side, at most six men"),
            }
        }
        dead
    }
}

/// The squares strictly between two squares on a straight line that does not cross a joined edge.
fn straight_between(shape: &Shape, from: Square, to: Square) -> Option<Vec<Square>> {
    let (a, b) = (shape.coord(from), shape.coord(to));
    let (dx, dy) = (b.file as i8 - a.file as i8, b.rank as i8 - a.rank as i8);
    let length = dx.abs().max(dy.abs());
    if length == 0 || (dx != 0 && dy != 0 && dx.abs() != dy.abs()) {
        return None;
    }
    let step = Vector::new(dx.signum(), dy.signum());
    (1..length).map(|times| shape.step(from, step.times(times))).collect()
}

/// The condition of a group of moves, in words.
fn condition(moves: &MovesDef) -> String {
    let mut parts = Vec::new();
    if let Some(on) = &moves.on {
        parts.push(format!("from {}", on.value));
    }
    if let Some(edge) = &moves.edge {
        let direction = match edge.value.as_str() {
            "f" => "straight ahead",
            "b" => "straight behind",
            "l" => "to the left",
            "r" => "to the right",
            "fl" => "ahead to the left",
            "fr" => "ahead to the right",
            "bl" => "behind to the left",
            _ => "behind to the right",
        };
        parts.push(format!("where there is no square {direction}"));
    }
    match moves.gain {
        Some(Gain::Any) => parts.push("only farther from the own camp".into()),
        Some(Gain::Most) => {
            parts.push("only to the square farthest from the own camp, if that is farther".into())
        }
        None => {}
    }
    parts.join(", ")
}
