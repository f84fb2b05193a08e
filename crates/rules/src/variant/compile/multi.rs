//! Compiles a game of four. Its file is compiled as a game of two once for each other seat, with that seat in Black's place:
//! White's tables are then Red's, and Black's are those of the seat.

use super::Compiler;
use crate::geometry::{Coord, Shape, Symmetry, Vector};
use crate::piece::{Color, Letters};
use crate::seat::{BySeat, SEATS, Seat, SeatSet};
use crate::setup::multi::{self, MultiSetup};
use crate::variant::Variant;
use crate::variant::betza;
use crate::variant::def::{Located, VariantDef};
use crate::variant::document::{At, Documents};
use crate::variant::error::{Fault, FaultKind, VariantError};
use crate::variant::multi::{AnyMultiRules, MultiVariant};
use crate::variant::read::{self, Keys};

/// A game of four without its starting position, which is still to be validated.
pub(crate) struct CompiledMulti {
    pub(crate) variant: MultiVariant,
    pub(crate) start: MultiSetup,
    /// The place of the starting position in the file.
    pub(crate) start_at: At,
    pub(crate) documents: Documents,
}

/// Compiles the text of a variant file with `players = 4`.
pub(crate) fn compile(
    source: &str,
    text: &str,
    lookup: &dyn Fn(&str) -> Option<String>,
) -> Result<CompiledMulti, VariantError> {
    let (def, faults) = read::read(source, text, lookup, Keys::Current)?;
    let mut checker = Checker { def: &def, faults };
    let compiled = checker.variant();
    let mut faults = checker.faults;
    match compiled.filter(|_| faults.is_empty()) {
        Some((variant, start, start_at)) => {
            Ok(CompiledMulti { variant, start, start_at, documents: def.documents })
        }
        None => {
            read::sort(&mut faults);
            Err(VariantError { faults })
        }
    }
}

struct Checker<'d> {
    def: &'d VariantDef,
    faults: Vec<Fault>,
}

impl Checker<'_> {
    fn fault(&mut self, at: At, expected: impl Into<String>, found: impl Into<String>) {
        let kind = FaultKind::Value { expected: expected.into(), found: found.into() };
        self.faults.push(self.def.documents.fault(at, kind));
    }

    fn variant(&mut self) -> Option<(MultiVariant, MultiSetup, At)> {
        let def = self.def;
        if let Some(kind) = def.seats.fault(SEATS as i64) {
            self.faults.push(def.documents.fault(def.seats.players.at, kind));
            return None;
        }
        self.only_supported_mechanisms();
        let is_teams = self.teams()?;
        let hostile = BySeat::from_fn(|seat| {
            let is_hostile = |other: &Seat| *other != seat && !(is_teams && *other == seat.next().next());
            Seat::ALL.into_iter().filter(is_hostile).collect::<SeatSet>()
        });
        let symmetries = self.symmetries()?;
        let of = |seat: Seat| symmetries[seat.index() - 1].value;
        let enemies: Vec<Symmetry> = hostile[Seat::Red].iter().map(of).collect();
        let [blue, yellow, green] = symmetries.each_ref().map(|symmetry| self.pair(symmetry, &enemies));
        let pairs = [blue?, yellow?, green?];
        let rules = AnyMultiRules::new(&pairs, hostile, is_teams)?;
        let base = &pairs[0];
        let product = |at: Coord| {
            let (width, height) = (base.shape.width(), base.shape.height());
            let [blue, yellow, green] = symmetries.each_ref().map(|symmetry| symmetry.value);
            blue.coord(yellow.coord(at, width, height), width, height) == green.coord(at, width, height)
        };
        if !base.shape.squares().all(|square| product(base.shape.coord(square))) {
            let expected = "three symmetries of which each two, one after the other, are the third";
            self.fault(def.seats.at.unwrap_or(def.at), expected, "others");
        }
        let (start, start_at) = self.start(&base.shape, base.roles.letters())?;
        Some((MultiVariant::new(pairs, rules), start, start_at))
    }

    /// The game with Red in White's place and another seat in Black's.
    fn pair(&mut self, symmetry: &Located<Symmetry>, enemies: &[Symmetry]) -> Option<Variant> {
        let mut def = self.def.clone();
        def.board.symmetry = symmetry.clone();
        def.board.symmetry_readable = true;
        def.board.enemies = enemies.to_vec();
        let forward = def.board.forward[Color::White].value;
        let step = (i8::try_from(forward.0), i8::try_from(forward.1));
        if let (Ok(dx @ -1..=1), Ok(dy @ -1..=1)) = step {
            let turned = symmetry.value.vector(Vector::new(dx, dy));
            def.board.forward[Color::Black].value = (turned.dx.into(), turned.dy.into());
        }
        // They are written for four players.
        def.starts.clear();
        let mut compiler = Compiler {
            def: &def,
            faults: Vec::new(),
            unreadable_letters: Vec::new(),
            rights_known: true,
            keys: Keys::Current,
        };
        let variant = compiler.variant();
        self.faults.append(&mut compiler.faults);
        variant.map(|(variant, _)| variant)
    }

    /// Refuses what has no meaning yet for more than two players.
    fn only_supported_mechanisms(&mut self) {
        let def = self.def;
        let mut refuse = |at: At, what: &str| {
            self.fault(at, format!("no {what} in a game of four players"), "one");
        };
        def.castlings.iter().for_each(|castling| refuse(castling.at, "castling"));
        def.goals.iter().for_each(|goal| refuse(goal.on.at, "goal"));
        def.fusions.iter().for_each(|fusion| refuse(fusion.into.at, "fusion"));
        def.shuffle.iter().for_each(|shuffle| refuse(shuffle.on.at, "shuffle"));
        def.draws
            .dead
            .iter()
            .for_each(|dead| refuse(dead.at, "dead material (bare kings are always a draw)"));
        (def.promotions.iter().filter_map(|promotion| promotion.color.as_ref()))
            .for_each(|color| refuse(color.at, "promotion for one color"));
        for role in &def.roles {
            if role.en_passant.value {
                refuse(role.en_passant.at, "en passant");
            }
            for moves in role.moves.iter().flatten() {
                let atoms = betza::parse(&moves.betza.value).unwrap_or_default();
                if atoms.iter().any(|atom| atom.initial) {
                    refuse(moves.betza.at, "initial move");
                }
            }
        }
    }

    /// Whether the game is one of two teams, of players who sit opposite each other.
    fn teams(&mut self) -> Option<bool> {
        let teams = &self.def.seats.teams;
        let Some(first) = teams.first() else { return Some(false) };
        let mut found: Vec<SeatSet> = Vec::new();
        for team in teams {
            let seats = team
                .value
                .split_ascii_whitespace()
                .map(|id| Seat::ALL.into_iter().find(|seat| seat.id() == id));
            found.extend(seats.collect::<Option<SeatSet>>());
        }
        let opposite = [[Seat::Red, Seat::Yellow], [Seat::Blue, Seat::Green]].map(SeatSet::from_iter);
        let fits = found.len() == 2 && teams.len() == 2 && opposite.iter().all(|team| found.contains(team));
        if !fits {
            let all: Vec<String> = teams.iter().map(|team| format!("`{}`", team.value)).collect();
            self.fault(first.at, "the teams \"red yellow\" and \"blue green\"", all.join(", "));
        }
        fits.then_some(true)
    }

    /// How Blue's, Yellow's and Green's sides follow from Red's.
    fn symmetries(&mut self) -> Option<[Located<Symmetry>; 3]> {
        let def = self.def;
        let of = |seat: Seat| {
            let mut found = def.seats.symmetries.iter().filter(|(known, _)| *known == seat);
            found.next().map(|(_, symmetry)| symmetry.clone())
        };
        let seats = [Seat::Blue, Seat::Yellow, Seat::Green];
        let [Some(blue), Some(yellow), Some(green)] = seats.map(of) else {
            // An unknown symmetry has been reported.
            let is_unreported = self.faults.is_empty();
            let at = self.def.seats.at.unwrap_or(self.def.seats.players.at);
            for seat in seats.into_iter().filter(|&seat| is_unreported && of(seat).is_none()) {
                let what = "the symmetry that lays Red's side onto this one, in the table `seats`";
                self.faults.push(self.def.documents.fault(at, FaultKind::Missing { key: seat.id(), what }));
            }
            return None;
        };
        Some([blue, yellow, green])
    }

    fn start(&mut self, shape: &Shape, letters: &Letters) -> Option<(MultiSetup, At)> {
        let [start] = &self.def.starts[..] else {
            let at = self.def.starts.get(1).map_or(self.def.at, |start| start.fen.at);
            self.fault(
                at,
                "one starting position in a game of four players",
                self.def.starts.len().to_string(),
            );
            return None;
        };
        match multi::parse(shape, letters, &start.fen.value) {
            Ok(setup) => Some((setup, start.fen.at)),
            Err(error) => {
                for fault in error.faults {
                    let before: usize =
                        start.fen.value.chars().take(fault.column - 1).map(char::len_utf8).sum();
                    let at = At { byte: start.fen.at.byte + before, ..start.fen.at };
                    self.fault(at, fault.expected, fault.found);
                }
                None
            }
        }
    }
}
