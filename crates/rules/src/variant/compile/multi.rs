//! Compiles a game of three or four. Its file is compiled as a game of two once for each other seat, with that seat in Black's
//! place: White's tables are then Red's, and Black's are those of the seat.

use super::Compiler;
use super::castlings::MAX_CASTLINGS;
use crate::geometry::{Coord, Shape, Symmetry, Vector};
use crate::piece::Color;
use crate::seat::{BySeat, SEATS, Seat, SeatSet};
use crate::setup::multi::{self, MultiSetup};
use crate::variant::Variant;
use crate::variant::def::{AreaDef, Located, RoleDef, VariantDef};
use crate::variant::document::{At, Documents};
use crate::variant::error::{Fault, FaultKind, VariantError};
use crate::variant::estimate::MAX_STEPS;
use crate::variant::multi::{AnyMultiRules, MultiVariant};
use crate::variant::read::{self, KeySet};

/// A game of three or four without its starting position, which is still to be validated.
pub(crate) struct CompiledMulti {
    pub(crate) variant: MultiVariant,
    pub(crate) start: MultiSetup,
    /// The place of the starting position in the file.
    pub(crate) start_at: At,
    pub(crate) documents: Documents,
}

/// Compiles the text of a variant file with `players = 3` or `players = 4`.
pub(crate) fn compile(
    source: &str,
    text: &str,
    lookup: &dyn Fn(&str) -> Option<String>,
    keys: KeySet,
) -> Result<CompiledMulti, VariantError> {
    let (def, faults) = read::read(source, text, lookup, keys)?;
    let players = usize::try_from(def.seats.players.value).unwrap_or_default();
    let mut checker = Checker { def: &def, faults, players, seats: SeatSet::of_players(players), keys };
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

fn is_capital(text: &str) -> bool {
    matches!(text.as_bytes(), [b'A'..=b'Z'])
}

struct Checker<'d> {
    def: &'d VariantDef,
    faults: Vec<Fault>,
    players: usize,
    seats: SeatSet,
    keys: KeySet,
}

impl Checker<'_> {
    fn fault(&mut self, at: At, expected: impl Into<String>, found: impl Into<String>) {
        let kind = FaultKind::Value { expected: expected.into(), found: found.into() };
        self.faults.push(self.def.documents.fault(at, kind));
    }

    fn variant(&mut self) -> Option<(MultiVariant, MultiSetup, At)> {
        let def = self.def;
        if !(3..=SEATS).contains(&self.players) {
            self.faults.extend(
                def.seats.fault(SEATS as i64).map(|kind| def.documents.fault(def.seats.players.at, kind)),
            );
            return None;
        }
        self.only_supported_mechanisms();
        let is_teams = self.teams()?;
        let hostile = BySeat::from_fn(|seat| {
            let is_hostile = |other: &Seat| *other != seat && !(is_teams && *other == seat.next().next());
            self.seats.iter().filter(is_hostile).collect::<SeatSet>()
        });
        let symmetries = self.symmetries()?;
        // How Red's side is laid onto that of a seat; `None` is Red's own.
        let laid = |seat: Seat| seat.index().checked_sub(1).map(|number| symmetries[number].value);
        let enemies = |seat: Seat| hostile[seat].iter().map(laid).collect::<Vec<_>>();
        let pairs: Vec<Option<Variant>> = self
            .seats
            .iter()
            .zip(&symmetries)
            .map(|(before, symmetry)| {
                let seat = before.next();
                self.pair(seat, symmetry, [enemies(Seat::Red), enemies(seat)])
            })
            .collect();
        let pairs = pairs.into_iter().collect::<Option<Vec<_>>>()?;
        let rules = AnyMultiRules::new(&pairs, hostile, is_teams)?;
        let variant = MultiVariant::new(pairs, rules);
        self.fitting_symmetries(variant.shape(), &symmetries);
        self.first_moves_without_return(&variant);
        let (start, start_at) = self.start(&variant)?;
        Some((variant, start, start_at))
    }

    /// Four sides lie alike to each other; three are only different.
    fn fitting_symmetries(&mut self, shape: &Shape, symmetries: &[Located<Symmetry>]) {
        let (width, height) = (shape.width(), shape.height());
        let (fits, expected, found) = match symmetries {
            [blue, yellow, green] => {
                let product = |at: Coord| {
                    blue.value.coord(yellow.value.coord(at, width, height), width, height)
                        == green.value.coord(at, width, height)
                };
                let all = shape.squares().all(|square| product(shape.coord(square)));
                (all, "three symmetries of which each two, one after the other, are the third", "others")
            }
            others => {
                let is_repeated =
                    |number: usize| others[..number].iter().any(|other| other.value == others[number].value);
                let fits = !(0..others.len()).any(is_repeated);
                (fits, "a symmetry of its own for each seat", "the same one twice")
            }
        };
        if !fits {
            self.fault(self.def.seats.at.unwrap_or(self.def.at), expected, found);
        }
    }

    /// Where White's and Black's pieces stand at first in the game of Red and another player, as FEN; `None` if the text is not FEN
    /// of this board and these pieces, which is reported elsewhere.
    fn start_of_two(&self, seat: Seat, fen: &str) -> Option<String> {
        let rows = &self.def.board.rows;
        let width = rows.first()?.value.chars().count();
        let mut ranks = Vec::new();
        for rank in fen.split_ascii_whitespace().next()?.split('/') {
            let mut cells: Vec<char> = Vec::new();
            let mut letters = rank.chars().peekable();
            while let Some(letter) = letters.next() {
                match letter {
                    '*' => cells.push('*'),
                    '0'..='9' => {
                        let mut run = letter as usize - '0' as usize;
                        while let Some(digit) = letters.next_if(char::is_ascii_digit) {
                            run = (run * 10 + digit as usize - '0' as usize).min(width + 1);
                        }
                        cells.extend(core::iter::repeat_n('1', run));
                    }
                    owner => {
                        let role = letters.next()?;
                        let is_known = |known: &RoleDef| known.letter.value.chars().eq([role]);
                        self.def.roles.iter().find(|known| is_known(known))?;
                        cells.push(match Seat::of_letter(owner) {
                            Some(Seat::Red) => role,
                            Some(other) if other == seat => role.to_ascii_lowercase(),
                            _ => '1',
                        });
                    }
                }
            }
            if cells.len() != width {
                return None;
            }
            let runs = cells.chunk_by(|one, other| *one == '1' && *other == '1');
            ranks.push(
                runs.map(|run| if run[0] == '1' { run.len().to_string() } else { run[0].to_string() })
                    .collect::<String>(),
            );
        }
        (ranks.len() == rows.len()).then(|| format!("{} w - - 0 1", ranks.join("/")))
    }

    /// The game with Red in White's place and another seat in Black's.
    fn pair(
        &mut self,
        seat: Seat,
        symmetry: &Located<Symmetry>,
        [enemies, second_enemies]: [Vec<Option<Symmetry>>; 2],
    ) -> Option<Variant> {
        let mut def = self.def.clone();
        def.board.symmetry = symmetry.clone();
        def.board.symmetry_readable = true;
        def.board.enemies = enemies.into_iter().flatten().collect();
        def.board.second_enemies = Some(second_enemies);
        let forward = def.board.forward[Color::White].value;
        let step = (i8::try_from(forward.0), i8::try_from(forward.1));
        if let (Ok(dx @ -1..=1), Ok(dy @ -1..=1)) = step {
            let turned = symmetry.value.vector(Vector::new(dx, dy));
            def.board.forward[Color::Black].value = (turned.dx.into(), turned.dy.into());
        }
        // They are written for all players. Only where pieces with first moves begin is read of them.
        for start in &mut def.starts {
            start.fen.value = self.start_of_two(seat, &start.fen.value).unwrap_or_default();
        }
        def.starts.retain(|start| !start.fen.value.is_empty());
        def.castlings.retain_mut(|castling| {
            let is_first = castling.color.value == Seat::Red.id();
            let is_own = is_first || castling.color.value == seat.id();
            castling.color.value = if is_first { "white" } else { "black" }.into();
            for right in castling.right.iter_mut().filter(|_| !is_first) {
                right.value = right.value.to_ascii_lowercase();
            }
            is_own
        });
        let mut compiler = Compiler {
            def: &def,
            faults: Vec::new(),
            unreadable_letters: Vec::new(),
            rights_known: true,
            keys: self.keys,
            // All games of two together have as many steps as one.
            max_steps: MAX_STEPS / (self.players as u64 - 1),
        };
        let variant = compiler.variant();
        self.faults.append(&mut compiler.faults);
        variant.map(|(variant, _)| variant)
    }

    /// Refuses what has no meaning yet for more than two players.
    fn only_supported_mechanisms(&mut self) {
        let def = self.def;
        let players = if self.players == SEATS { "four" } else { "three" };
        let mut refuse = |at: At, what: &str| {
            self.fault(at, format!("no {what} in a game of {players} players"), "one");
        };
        // A region is laid onto each seat from Red's, whose opponents sit elsewhere.
        let names_enemies = |area: &AreaDef| match area {
            AreaDef::Listed(text) | AreaDef::Around { around: text, .. } => text.value.contains("enemy:"),
            AreaDef::Unreadable => false,
        };
        (def.regions.iter().filter(|(_, area)| players == "three" && names_enemies(area)))
            .for_each(|(name, _)| refuse(name.at, "`enemy:` inside a region"));
        def.goals.iter().for_each(|goal| refuse(goal.on.at, "goal"));
        def.fusions.iter().for_each(|fusion| refuse(fusion.into.at, "fusion"));
        def.shuffle.iter().for_each(|shuffle| refuse(shuffle.on.at, "shuffle"));
        def.draws
            .dead
            .iter()
            .for_each(|dead| refuse(dead.at, "dead material (bare kings are always a draw)"));
        (def.promotions.iter().filter_map(|promotion| promotion.color.as_ref()))
            .for_each(|color| refuse(color.at, "promotion for one color"));
        for castling in &def.castlings {
            if !self.seats.iter().any(|seat| seat.id() == castling.color.value) {
                let seats: Vec<String> = self.seats.iter().map(|seat| format!("`{}`", seat.id())).collect();
                let found = format!("`{}`", castling.color.value);
                self.fault(castling.color.at, seats.join(" or "), found);
            }
            for right in castling.right.iter().filter(|right| !is_capital(&right.value)) {
                self.fault(right.at, "one capital letter for this right", format!("`{}`", right.value));
            }
        }
        if def.castlings.len() > MAX_CASTLINGS {
            let kind =
                FaultKind::TooLarge { what: "castlings", limit: MAX_CASTLINGS, found: def.castlings.len() };
            self.faults.push(def.documents.fault(def.castlings[0].at, kind));
        }
    }

    /// Which pieces have moved is not recorded, so a piece with a first move must never come back to where it has one.
    fn first_moves_without_return(&mut self, variant: &MultiVariant) {
        let def = self.def;
        for (role, info) in variant.roles().iter() {
            if let Some(seat) = self.seats.iter().find(|&seat| variant.may_return(seat, role)) {
                let at = def.roles.get(role.index()).map_or(def.at, |role| role.letter.at);
                let expected = "first moves only of pieces that cannot come back to where they have them";
                self.fault(at, expected, format!("`{}` of {seat}, which can", info.letter));
            }
        }
    }

    /// Whether the game is one of two teams, of players who sit opposite each other.
    fn teams(&mut self) -> Option<bool> {
        let teams = &self.def.seats.teams;
        let Some(first) = teams.first() else { return Some(false) };
        if self.players != SEATS {
            self.fault(first.at, "no teams in a game of three players", format!("`{}`", first.value));
            return None;
        }
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

    /// How the sides of Blue, Yellow and perhaps Green follow from Red's.
    fn symmetries(&mut self) -> Option<Vec<Located<Symmetry>>> {
        let def = self.def;
        let of = |seat: Seat| {
            let mut found = def.seats.symmetries.iter().filter(|(known, _)| *known == seat);
            found.next().map(|(_, symmetry)| symmetry.clone())
        };
        let seats: Vec<Seat> = self.seats.iter().filter(|seat| *seat != Seat::Red).collect();
        // An unknown symmetry has been reported.
        let is_unreported = self.faults.is_empty();
        let at = self.def.seats.at.unwrap_or(self.def.seats.players.at);
        for &seat in seats.iter().filter(|&&seat| is_unreported && of(seat).is_none()) {
            let what = "the symmetry that lays Red's side onto this one, in the table `seats`";
            self.faults.push(self.def.documents.fault(at, FaultKind::Missing { key: seat.id(), what }));
        }
        let superfluous = def.seats.symmetries.iter().find(|(seat, _)| !self.seats.contains(*seat));
        if let Some((seat, symmetry)) = superfluous {
            self.fault(symmetry.at, format!("no seat for {seat} in a game of three players"), "one");
        }
        seats.into_iter().map(of).collect()
    }

    fn start(&mut self, variant: &MultiVariant) -> Option<(MultiSetup, At)> {
        let [start] = &self.def.starts[..] else {
            let at = self.def.starts.get(1).map_or(self.def.at, |start| start.fen.at);
            self.fault(
                at,
                "one starting position in a game of more than two players",
                self.def.starts.len().to_string(),
            );
            return None;
        };
        match multi::parse(variant.fen_context(), &start.fen.value) {
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
