//! The keys of a variant file about its players: how many there are, their teams, and for each seat but Red's the symmetry that
//! lays Red's side onto its own.

use super::def::{Located, SeatsDef};
use super::document::{At, TomlTable};
use super::error::FaultKind;
use super::reader::TableReader;
use crate::geometry::Symmetry;
use crate::seat::{SEATS, Seat};

impl TableReader<'_> {
    /// The players of a file; two if it names no number. `None` if it is not known for how many players the rest is written.
    pub(super) fn seats(&mut self, table: &TomlTable, at: At) -> Option<SeatsDef> {
        let players = match table.get("players") {
            Some((_, node)) => self.integer_node(node)?,
            None => Located { at, value: 2 },
        };
        let teams = self.texts(table, "teams", "a list of teams, such as [\"red yellow\", \"blue green\"]");
        let mut symmetries = Vec::new();
        let mut seats_at = None;
        if let Some((at, seats)) = self.table(table, "seats") {
            seats_at = Some(at);
            self.only(seats, &["blue", "yellow", "green"]);
            for seat in [Seat::Blue, Seat::Yellow, Seat::Green] {
                let found = self.word(seats, seat.id(), &Symmetry::NAMED);
                symmetries.extend(found.map(|symmetry| (seat, symmetry)));
            }
        }
        Some(SeatsDef { players, teams, symmetries, at: seats_at })
    }
}

impl SeatsDef {
    /// The fault of a file whose number of players is not the one expected, or that no game has.
    pub(super) fn fault(&self, expected: i64) -> Option<FaultKind> {
        let found = self.players.value;
        if !(2..=SEATS as i64).contains(&found) {
            let (expected, found) = ("2, 3 or 4 players".to_owned(), found.to_string());
            return Some(FaultKind::Value { expected, found });
        }
        (found != expected).then_some(FaultKind::Players { expected, found })
    }

    /// The keys that only games of four have.
    pub(super) fn for_four(&self) -> impl Iterator<Item = (At, &'static str)> {
        let team = self.teams.first().map(|team| (team.at, "team"));
        team.into_iter().chain(self.at.map(|at| (at, "table `seats`")))
    }
}
