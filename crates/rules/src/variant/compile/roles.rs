//! Validates the pieces: their letters and names, their moves, and which of them fuse.

use super::Compiler;
use crate::geometry::Frame;
use crate::piece::{ByColor, Role, RoleSet};
use crate::variant::area::{Area, Areas};
use crate::variant::betza::{self, Atom, Manner};
use crate::variant::def::{FusionDef, Gain, MovesDef, RoleDef, Text};
use crate::variant::document::At;
use crate::variant::error::FaultKind;
use crate::variant::fusions::Fusion;
use crate::variant::plan::{Moves, Zone};
use crate::variant::roles::{Condition, Edge, MoveGroup, RoleInfo, Roles};

/// Most groups of moves of one piece.
const MAX_GROUPS: usize = 32;

/// Stands for an invalid letter; no text can name it.
const NO_LETTER: char = '\0';

impl Compiler<'_> {
    pub(super) fn roles(&mut self) -> Roles {
        let roles = (self.def.roles.iter())
            .map(|role| {
                let mut letters = role.letter.value.chars();
                let letter = match (letters.next(), letters.next()) {
                    (Some(letter @ 'A'..='Z'), None) => letter,
                    _ => {
                        self.wrong(&role.letter, "a capital letter A-Z as the piece's letter");
                        self.unreadable_letters.push(role.letter.value.clone());
                        NO_LETTER
                    }
                };
                if role.name.value.trim().is_empty() || role.name.value.len() > 40 {
                    self.wrong(&role.name, "a name of 1 to 40 letters");
                }
                self.unique_name(role);
                RoleInfo {
                    letter,
                    name: role.name.value.clone(),
                    id: role.name.value.to_lowercase().replace(' ', "-").into(),
                    picture: role.picture.clone(),
                    royal: role.royal,
                    pawn: role.pawn,
                    wall: None,
                    moves: Vec::new(),
                }
            })
            .collect();
        Roles::new(roles)
    }

    /// Readers of texts could not distinguish two pieces of one name.
    fn unique_name(&mut self, role: &RoleDef) {
        let earlier = self.def.roles.iter().take_while(|other| other.letter.at != role.letter.at);
        let name = |role: &RoleDef| role.name.value.trim().to_lowercase();
        if let Some(other) = earlier.filter(|_| role.is_readable).find(|other| name(other) == name(role)) {
            let found = format!("`{}`, the name of `{}`", role.name.value, other.letter.value);
            self.fault(role.name.at, "a name that no other piece has", found);
        }
    }

    pub(super) fn royal(&mut self, roles: &Roles) -> Option<Role> {
        let royals: Vec<&RoleDef> = self.def.roles.iter().filter(|role| role.royal).collect();
        match royals[..] {
            [_] => roles.royal(),
            // It may be one that could not be read.
            [] if !self.def.readable.kings => None,
            [] => {
                self.fault(self.def.at, "one piece with `royal = true`", "none");
                None
            }
            [_, second, ..] => {
                let letter = second.letter.value.clone();
                self.fault(second.letter.at, "one piece with `royal = true`", format!("`{letter}` too"));
                None
            }
        }
    }

    /// The groups of moves of a piece; `free` is from the game's table of distances, if it has one.
    pub(super) fn moves(
        &mut self,
        areas: &Areas<'_>,
        frames: ByColor<Frame>,
        free: Option<u16>,
        role: &RoleDef,
        wall: Option<&Area>,
    ) -> Vec<Moves> {
        let groups: Vec<&MovesDef> = role.moves.iter().flatten().collect();
        self.too_many(role.letter.at, "groups of moves", MAX_GROUPS, groups.len());
        let mut all = Vec::new();
        if role.moves.as_ref().is_some_and(Vec::is_empty) && role.is_readable {
            self.fault(role.letter.at, "at least one group of moves", "none");
        }
        for moves in groups.into_iter().take(MAX_GROUPS) {
            if moves.betza.value.is_empty() {
                self.fault(moves.betza.at, "moves in Betza notation such as `K` or `mfWcfF`", "none");
            }
            let atoms = match betza::parse(&moves.betza.value) {
                Ok(atoms) => atoms,
                Err(error) => {
                    let at = At { byte: moves.betza.at.byte + error.at, ..moves.betza.at };
                    let kind = FaultKind::Betza { text: moves.betza.value.clone(), error };
                    self.faults.push(self.def.documents.fault(at, kind));
                    continue;
                }
            };
            let on = moves.on.as_ref().map(|on| self.area(areas, on));
            let edge = moves.edge.as_ref().and_then(|edge| self.edge(areas.shape, frames, edge));
            let from =
                match (on.as_ref().map(|on| on.squares.clone()), edge) {
                    (Some(on), Some(edge)) => {
                        let both = on.zip(edge);
                        Some(both.map(|(on, edge)| {
                            on.into_iter().filter(|square| edge.contains(square)).collect()
                        }))
                    }
                    (on, edge) => on.or(edge),
                };
            self.gain(moves, &atoms, free.is_some());
            let free = match &moves.free {
                Some(own) => self.small(own, 0, 64) as u16,
                None => free.unwrap_or(0),
            };
            let group =
                MoveGroup { betza: moves.betza.value.clone(), atoms, condition: condition(moves, on) };
            let wall = wall.map(|wall| wall.squares.clone());
            all.push(Moves { at: moves.betza.at, group, from, wall, free });
        }
        all
    }

    /// Whether the moves can be judged by the distance they gain.
    fn gain(&mut self, moves: &MovesDef, atoms: &[Atom], has_distance: bool) {
        if moves.gain.is_some() && !has_distance && self.def.readable.distance {
            self.fault(moves.betza.at, "a table [distance] for moves that gain distance", "none");
        }
        if let (Some(free), None) = (&moves.free, moves.gain) {
            self.fault(free.at, "`free` beside a `gain`, which it is for", "no `gain`");
        }
        let leap = |atom: &Atom| {
            atom.range == Some(1) && atom.then.is_empty() && atom.manner == Manner::Free && !atom.initial
        };
        let compares = match moves.gain {
            Some(Gain::Most) => "most-gain",
            Some(Gain::Level) => "level",
            Some(Gain::Any) | None => return,
        };
        if !atoms.iter().all(leap) {
            self.fault(
                moves.betza.at,
                format!("single steps or leaps with `{compares}`"),
                format!("`{}`", moves.betza.value),
            );
        }
    }

    /// Which pieces fuse. A compound without moves of its own is given those of its parts.
    pub(super) fn fusions(&mut self, roles: &mut Roles, moves: &mut [Vec<Moves>]) -> Vec<Fusion> {
        let mut fusions: Vec<Fusion> = Vec::new();
        let mut defs = Vec::new();
        for def in &self.def.fusions {
            if let Some(fusion) = self.fusion(roles, moves, def, &fusions) {
                fusions.push(fusion);
                defs.push(def);
            }
        }
        for (fusion, def) in fusions.iter().zip(defs) {
            if fusions.iter().any(|other| other.parts.contains(&fusion.into)) {
                self.wrong(&def.into, "a compound that is no part of another");
            }
        }
        for fusion in &fusions {
            let own = (self.def.roles.get(fusion.into.index())).is_some_and(|role| role.moves.is_some());
            if !own {
                let parts = fusion.parts.map(Role::index);
                moves[fusion.into.index()] = parts.iter().flat_map(|&part| moves[part].clone()).collect();
                roles.roles[fusion.into.index()].moves =
                    parts.iter().flat_map(|&part| roles.roles[part].moves.clone()).collect();
            }
        }
        fusions
    }

    fn fusion(
        &mut self,
        roles: &Roles,
        moves: &[Vec<Moves>],
        def: &FusionDef,
        known: &[Fusion],
    ) -> Option<Fusion> {
        let single = |text: &str| text.chars().next().filter(|_| text.len() == 1);
        let Some(into) = single(&def.into.value).and_then(|letter| roles.role(letter)) else {
            if !def.into.value.chars().any(|letter| self.may_be_unreadable(letter)) {
                self.wrong(&def.into, "the letter of a piece of this game, the compound");
            }
            return None;
        };
        let parts: Option<Vec<Role>> = def.parts.value.chars().map(|letter| roles.role(letter)).collect();
        let Some([one, other]) = parts.as_deref() else {
            let unknown = |letter: &char| roles.role(*letter).is_none();
            let mut unknown = def.parts.value.chars().filter(unknown);
            if parts.is_some() || !unknown.any(|letter| self.may_be_unreadable(letter)) {
                self.wrong(&def.parts, "the letters of two pieces of this game, the parts");
            }
            return None;
        };
        let fusion = Fusion { parts: [*one, *other], into };
        let plain = |role: Role| {
            let info = roles.info(role);
            let initial =
                moves[role.index()].iter().any(|moves| moves.group.atoms.iter().any(|atom| atom.initial));
            let en_passant = self.def.roles.get(role.index()).is_some_and(|role| role.en_passant.value);
            !info.royal && !info.pawn && !initial && !en_passant
        };
        if ![*one, *other, into].into_iter().all(plain) {
            self.wrong(
                &def.parts,
                "pieces that are neither king nor pawn, without first moves or en passant",
            );
            return None;
        }
        let pair =
            |other: &Fusion| other.parts == fusion.parts || other.parts == [fusion.parts[1], fusion.parts[0]];
        if known.iter().any(pair) {
            self.wrong(&def.parts, "each pair of pieces once");
            return None;
        }
        Some(fusion)
    }

    /// A piece that is promoted or wins where it arrives cannot fuse there or come apart.
    pub(super) fn fusions_without_zones(&mut self, fusions: &[Fusion], promotions: &[Zone], goals: &[Zone]) {
        let zones = promotions.iter().chain(goals);
        let promoted: RoleSet = zones.flat_map(|zone| zone.roles.iter()).collect();
        for def in &self.def.fusions {
            let fusion = fusions
                .iter()
                .find(|fusion| def.into.value == self.def.roles[fusion.into.index()].letter.value);
            let clash = fusion.is_some_and(|fusion| {
                promoted.contains(fusion.into) || fusion.parts.iter().any(|&part| promoted.contains(part))
            });
            if clash {
                self.wrong(&def.parts, "pieces that are not promoted and have no goal");
            }
        }
    }
}

/// When a group of moves applies. That the direction of the edge is one is checked elsewhere.
fn condition(moves: &MovesDef, on: Option<Area>) -> Condition {
    let edge = |edge: &Text| match edge.value.as_str() {
        "f" => Edge::Ahead,
        "b" => Edge::Behind,
        "l" => Edge::Left,
        "r" => Edge::Right,
        "fl" => Edge::AheadLeft,
        "fr" => Edge::AheadRight,
        "bl" => Edge::BehindLeft,
        _ => Edge::BehindRight,
    };
    Condition { on, edge: moves.edge.as_ref().map(edge), gain: moves.gain, center: moves.free.is_some() }
}
