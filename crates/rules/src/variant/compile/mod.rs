//! The only way to a [`Variant`]: validates a [`VariantDef`] as a whole, collecting every fault with its
//! place, and then has the tables built (`tables`). Whether its starting positions are legal is for `library`.

mod board;
mod castlings;
mod dead;
pub(crate) mod multi;
mod roles;
mod shuffle;

use crate::geometry::{Shape, Square};
use crate::piece::{ByColor, Color, MAX_ROLES, Piece, Role, RoleSet};
use crate::setup::Setup;
use crate::setup::fen::{self, FenFault, FenPart};
use crate::variant::Variant;
use crate::variant::area::{Area, AreaFault, Areas};
use crate::variant::def::*;
use crate::variant::document::{At, Documents};
use crate::variant::error::{Fault, FaultKind, VariantError};
use crate::variant::estimate::{self, TooManySteps};
use crate::variant::plan::{CastlingPlan, Moves, Plan, Zone};
use crate::variant::read::{self, KeySet};
use crate::variant::roles::Roles;
use crate::variant::rules::{CastlingInfo, Draws, Limit};
use crate::variant::tables::{self, AnyRules, by_width};
use std::sync::Arc;

/// Most starting positions.
const MAX_STARTS: usize = 64;
/// Most aliases.
const MAX_ALIASES: usize = 32;

/// A game without its starting positions, which are still to be validated, and its faults so far.
pub(crate) struct Compiled {
    pub(crate) variant: Variant,
    pub(crate) starts: Vec<StartDraft>,
    pub(crate) documents: Documents,
    pub(crate) faults: Vec<Fault>,
}

/// A starting position as its file writes it.
pub(crate) struct StartDraft {
    pub(crate) name: String,
    pub(crate) at: At,
    pub(crate) setup: Setup,
}

/// The castlings with a right, for FEN.
fn fen_rights(castlings: &[CastlingPlan], shape: &Shape, royal: Option<Role>) -> Vec<fen::CastlingRight> {
    let of = |castling: &CastlingPlan| {
        let at = |square, role| (shape.coord(square), Piece::new(castling.color, role));
        Some(fen::CastlingRight {
            bit: castling.right?.trailing_zeros() as usize,
            short: castling.short,
            king: at(castling.king.0, royal?),
            rook: at(castling.rook.0, castling.partner),
        })
    };
    castlings.iter().filter_map(of).collect()
}

/// Whether a text can be the name of a game in a tag of PGN.
fn is_name(text: &str) -> bool {
    !text.trim().is_empty() && text.chars().count() <= 80 && !text.contains(['"', '\n'])
}

/// Compiles the text of a variant file.
pub(crate) fn compile(
    source: &str,
    text: &str,
    lookup: &dyn Fn(&str) -> Option<String>,
    keys: KeySet,
) -> Result<Compiled, VariantError> {
    let (def, mut faults) = read::read(source, text, lookup, keys)?;
    if let Some(kind) = def.seats.fault(2) {
        faults.push(def.documents.fault(def.seats.players.at, kind));
        read::sort(&mut faults);
        return Err(VariantError { faults });
    }
    for (at, what) in def.seats.for_four() {
        let kind =
            FaultKind::Value { expected: format!("no {what} in a game of two players"), found: "one".into() };
        faults.push(def.documents.fault(at, kind));
    }
    let rights_known = def.readable.castlings;
    let unreadable_letters = Vec::new();
    let mut compiler = Compiler {
        def: &def,
        faults,
        unreadable_letters,
        rights_known,
        keys,
        max_steps: estimate::MAX_STEPS,
    };
    let compiled = compiler.variant();
    let mut faults = compiler.faults;
    match compiled {
        Some((variant, starts)) => Ok(Compiled { variant, starts, documents: def.documents, faults }),
        None => {
            read::sort(&mut faults);
            Err(VariantError { faults })
        }
    }
}

struct Compiler<'d> {
    def: &'d VariantDef,
    faults: Vec<Fault>,
    /// Texts given as letters of pieces that are not a single capital letter: `+P`.
    unreadable_letters: Vec<String>,
    /// Whether all castling rights could be read. If not, an unknown right in a FEN may be one that could not be read.
    rights_known: bool,
    keys: KeySet,
    /// Most steps of its moves.
    max_steps: u64,
}

impl Compiler<'_> {
    pub(super) fn fault(&mut self, at: At, expected: impl Into<String>, found: impl Into<String>) {
        let kind = FaultKind::Value { expected: expected.into(), found: found.into() };
        self.faults.push(self.def.documents.fault(at, kind));
    }

    fn wrong(&mut self, text: &Text, expected: impl Into<String>) {
        self.fault(text.at, expected, format!("`{}`", text.value));
    }

    /// Whether a letter that no piece has may be that of a piece whose letter could not be read.
    fn may_be_unreadable(&self, letter: char) -> bool {
        let has_letter = |text: &String| text.chars().any(|c| c.is_ascii_alphabetic());
        !self.def.readable.letters
            || self.unreadable_letters.iter().any(|text| {
                !has_letter(text) || text.chars().any(|other| other.eq_ignore_ascii_case(&letter))
            })
    }

    fn too_many(&mut self, at: At, what: &'static str, limit: usize, found: usize) {
        if found > limit {
            self.faults.push(self.def.documents.fault(at, FaultKind::TooLarge { what, limit, found }));
        }
    }

    fn variant(&mut self) -> Option<(Variant, Vec<StartDraft>)> {
        let def = self.def;
        let id_letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if def.id.value.is_empty() || def.id.value.len() > 40 || !def.id.value.chars().all(id_letters) {
            self.wrong(&def.id, "1 to 40 small letters, digits and `-`");
        }
        if !is_name(&def.name.value) {
            self.wrong(&def.name, "a name of at most 80 characters on one line, without quotes");
        }
        if let Some(excess) = def.aliases.get(MAX_ALIASES) {
            self.fault(excess.at, format!("at most {MAX_ALIASES} names"), def.aliases.len().to_string());
        }
        for alias in &def.aliases {
            if !is_name(&alias.value) {
                self.wrong(alias, "a name of at most 80 characters on one line, without quotes");
            }
        }
        let plan = self.plan()?;
        if !self.faults.is_empty() {
            return None;
        }
        // A stored game has been accepted once, perhaps with another bound, and is read for ever.
        let steps = match estimate::check(&plan, self.max_steps) {
            Ok(steps) => Some(steps),
            Err(_) if self.keys == KeySet::Legacy => None,
            Err(TooManySteps { at, expected, found }) => {
                self.fault(at, expected, found);
                return None;
            }
        };
        let tables =
            tables::build(&plan).map_err(|(at, expected, found)| self.fault(at, expected, found)).ok()?;
        debug_assert!(
            steps.is_none_or(|steps| by_width!(&tables, |rules| rules.trails.nodes.len()) as u64 <= steps),
            "the estimate is a bound"
        );
        let variant = Variant {
            id: def.id.value.clone(),
            name: def.name.value.clone(),
            aliases: def.aliases.iter().map(|alias| alias.value.clone()).collect(),
            author: def.author.clone(),
            year: def.year,
            source: def.source.clone(),
            about: def.about.trim().to_owned(),
            readings: def.readings.clone(),
            view: def.board.view,
            symmetry: def.board.symmetry.value,
            starts: Vec::new(),
            shuffled: plan.shuffled,
            rights: plan.right_letters.clone(),
            fen_rights: plan.fen_rights.clone(),
            texts: def.documents.texts().to_vec(),
            shape: plan.shape,
            frames: plan.frames,
            roles: plan.roles,
            fusions: plan.fusions,
            promotions: plan
                .promotions
                .iter()
                .map(|zone| (zone.roles, zone.squares.clone(), zone.to))
                .collect(),
            goals: plan.goals.iter().map(|zone| (zone.roles, zone.squares.clone())).collect(),
            dead: def.draws.dead.iter().map(|text| text.value.clone()).collect(),
            draws: plan.draws,
            castlings: tables.castlings(),
            distances: plan.distance.map(|both| {
                both.map(|steps| steps.into_iter().map(|steps| steps.saturating_sub(plan.free)).collect())
            }),
            tables: Arc::new(tables),
        };
        for (number, castling) in variant.castlings.iter().enumerate() {
            let written = castling.written();
            let same = |other: &CastlingInfo| other.color == castling.color && other.written() == written;
            if variant.castlings[..number].iter().any(same) {
                let name = |square| variant.shape.name(square);
                let found = format!("`{}{}` twice", name(written.0), name(written.1));
                let at = def.castlings.get(number).map_or(def.at, |castling| castling.king.at);
                self.fault(at, "castlings that are written differently", found);
            }
        }
        let draft = |(number, setup): (usize, Setup)| {
            // A rule makes all starts from the first one.
            let shuffled = plan.shuffled.is_some();
            let start = def.starts.get(if shuffled { 0 } else { number })?;
            let name = if shuffled { String::new() } else { start.name.clone() };
            Some(StartDraft { name, at: start.fen.at, setup })
        };
        let starts = plan.starts.into_iter().enumerate().filter_map(draft).collect();
        Some((variant, starts))
    }

    fn plan(&mut self) -> Option<Plan> {
        let def = self.def;
        let shape = self.shape()?;
        let frames = self.frames(&shape)?;
        let areas = self.areas(&shape);
        let free = def.distance.as_ref().map_or(0, |distance| self.small(&distance.free, 0, 64) as u16);
        let distance = def
            .distance
            .as_ref()
            .map(|distance| self.area(&areas, &distance.from).squares.map(|from| areas.distances(&from)));
        let mut roles = self.roles();
        if roles.len() > MAX_ROLES {
            // Some of their letters are invalid, which is a fault already.
            return None;
        }
        let mut moves: Vec<Vec<Moves>> = Vec::new();
        for (role, info) in def.roles.iter().zip(&mut roles.roles) {
            info.wall = role.wall.as_ref().map(|wall| self.area(&areas, wall));
            let free = distance.is_some().then_some(free);
            moves.push(self.moves(&areas, frames, free, role, info.wall.as_ref()));
            info.moves = moves.last().into_iter().flatten().map(|moves| moves.group.clone()).collect();
        }
        let fusions = self.fusions(&mut roles, &mut moves);
        let royal = self.royal(&roles);
        let promotions: Vec<Zone> = (def.promotions.iter())
            .map(|promotion| Zone {
                roles: self.letters(&roles, &promotion.pieces),
                squares: self.zone_squares(&areas, &promotion.on, promotion.color.as_ref()),
                to: self.promotion_choices(&roles, promotion),
            })
            .collect();
        let goals: Vec<Zone> = (def.goals.iter())
            .map(|goal| Zone {
                roles: self.letters(&roles, &goal.pieces),
                squares: self.zone_squares(&areas, &goal.on, goal.color.as_ref()),
                to: RoleSet::EMPTY,
            })
            .collect();
        self.goals_without_promotion(&promotions, &goals);
        self.fusions_without_zones(&fusions, &promotions, &goals);
        let shuffle = self.shuffle(&areas, &shape, &roles);
        let (castlings, right_letters) = match (&shuffle, royal) {
            (Some(shuffle), Some(royal)) if def.castlings.is_empty() => shuffle.castlings(royal, &shape),
            _ => self.castlings(&shape, &roles),
        };
        let fen_rights = fen_rights(&castlings, &shape, royal);
        let context = fen::Context {
            shape: &shape,
            letters: roles.letters(),
            rights: &right_letters,
            castlings: &fen_rights,
            by_file: shuffle.is_some(),
        };
        let mut starts = self.starts(context);
        let mut shuffled = None;
        if let (Some(shuffle), Some(template)) = (&shuffle, starts.first().cloned()) {
            let made = |number| shuffle.setup(&template, number, &shape, &fen_rights);
            starts = (0..shuffle.count).map(made).collect();
            shuffled = starts.iter().position(|start| *start == template);
            if let (None, Some(start)) = (shuffled, def.starts.first()) {
                self.wrong(&start.fen, "a position that the shuffle makes");
            }
        }
        let dead = self.dead(&roles, royal);
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
            fusions,
            distance,
            free,
            promotions,
            goals,
            castlings,
            right_letters,
            starts,
            shuffled,
            fen_rights,
            draws,
            dead,
            roles,
            shape,
        })
    }

    fn area(&mut self, areas: &Areas<'_>, text: &Text) -> Area {
        let mut faults: Vec<AreaFault> = Vec::new();
        let area = areas.parse(&text.value, &mut faults);
        if area.squares[Color::White].is_empty() && faults.is_empty() && !areas.is_incomplete(&text.value) {
            self.fault(text.at, "at least one square", "none");
        }
        for AreaFault { at, expected, found } in faults {
            self.fault(At { byte: text.at.byte + at, ..text.at }, expected, found);
        }
        area
    }

    /// The squares of a promotion or goal by color, which may be for one side alone.
    fn zone_squares(&mut self, areas: &Areas<'_>, on: &Text, color: Option<&Text>) -> ByColor<Vec<Square>> {
        let mut squares = self.area(areas, on).squares;
        match color.map(|color| color.value.as_str()) {
            None => {}
            Some("white") => squares[Color::Black].clear(),
            Some("black") => squares[Color::White].clear(),
            Some(_) => color.into_iter().for_each(|color| self.wrong(color, "`white` or `black`")),
        }
        squares
    }

    fn small(&mut self, number: &Located<i64>, least: i64, most: i64) -> i64 {
        if !(least..=most).contains(&number.value) {
            self.fault(number.at, format!("a number from {least} to {most}"), number.value.to_string());
        }
        number.value.clamp(least, most)
    }

    fn letters(&mut self, roles: &Roles, text: &Text) -> RoleSet {
        let mut set = RoleSet::EMPTY;
        for (offset, letter) in text.value.char_indices() {
            match roles.role(letter) {
                Some(role) if !set.contains(role) => set.insert(role),
                None if self.may_be_unreadable(letter) => {}
                _ => {
                    let at = At { byte: text.at.byte + offset, ..text.at };
                    self.fault(at, "letters of this game's pieces, each once", format!("`{letter}`"));
                }
            }
        }
        if text.value.is_empty() {
            self.fault(text.at, "letters of this game's pieces", "none");
        }
        set
    }

    fn promotion_choices(&mut self, roles: &Roles, promotion: &PromotionDef) -> RoleSet {
        let to = self.letters(roles, &promotion.to);
        if roles.royal().is_some_and(|royal| to.contains(royal)) {
            self.wrong(&promotion.to, "pieces other than the king to become");
        }
        to
    }

    /// A piece that must be promoted where it wins would lose its win.
    fn goals_without_promotion(&mut self, promotions: &[Zone], goals: &[Zone]) {
        for (goal, def) in goals.iter().zip(&self.def.goals) {
            let clash = promotions.iter().any(|zone| {
                zone.roles.iter().any(|role| goal.roles.contains(role))
                    && (zone.squares.iter().zip(&goal.squares))
                        .any(|(zone, goal)| zone.iter().any(|square| goal.contains(square)))
            });
            if clash {
                self.wrong(&def.on, "goals where the same pieces are not promoted");
            }
        }
    }

    fn starts(&mut self, context: fen::Context<'_>) -> Vec<Setup> {
        let defs = &self.def.starts;
        self.too_many(
            defs.first().map_or(self.def.at, |s| s.fen.at),
            "starting positions",
            MAX_STARTS,
            defs.len(),
        );
        let mut setups = Vec::new();
        for start in defs.iter().take(MAX_STARTS) {
            match fen::parse(context, &start.fen.value) {
                Ok(setup) => setups.push(setup),
                Err(error) => {
                    for fault in error.faults {
                        if self.follows(&fault) {
                            continue;
                        }
                        let before: usize =
                            start.fen.value.chars().take(fault.column - 1).map(char::len_utf8).sum();
                        let at = At { byte: start.fen.at.byte + before, ..start.fen.at };
                        self.fault(at, fault.expected, fault.found);
                    }
                }
            }
        }
        setups
    }

    /// Whether a fault in a FEN may only follow from one elsewhere in the file.
    fn follows(&self, fault: &FenFault) -> bool {
        match fault.part {
            FenPart::Piece(letter) => self.may_be_unreadable(letter),
            FenPart::Rights => !self.rights_known,
            _ => false,
        }
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
}
