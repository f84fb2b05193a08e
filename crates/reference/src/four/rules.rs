//! Differences between the games: players, friends, distances from the camp, promotion. And the array of Diamond Ring.

use super::{FLAT, Seat};
use crate::board::{Shape, Square, is_one_of, sq};

/// One of the games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FourRules {
    /// `diamondring-four`: everyone for themselves.
    Free,
    /// `diamondring-teams`: Red and Yellow against Blue and Green.
    Teams,
    /// `fourplayerchess`: orthodox armies with castling and double steps.
    Chess,
    /// `threearmies`: three players.
    Three,
}

/// The array as the law draws it: capitals in the lower half are Red's, in the upper half Yellow's, small letters on the
/// left Blue's, on the right Green's.
const ARRAY: &str = "2PREKWERP2/3PNBBNP3/p3PDDP3p/rp3PP3pr/enp6pne/kbdp4pdbw/wbdp4pdbk/enp6pne/rp3PP3pr/p3PDDP3p/3PNBBNP3/2PREWKERP2";

impl FourRules {
    /// All games.
    pub const ALL: [FourRules; 4] = [FourRules::Free, FourRules::Teams, FourRules::Chess, FourRules::Three];

    /// The game with this id.
    #[must_use]
    pub fn by_id(id: &str) -> Option<FourRules> {
        FourRules::ALL.into_iter().find(|rules| rules.id() == id)
    }

    /// The id of the game.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            FourRules::Free => "diamondring-four",
            FourRules::Teams => "diamondring-teams",
            FourRules::Chess => "fourplayerchess",
            FourRules::Three => "threearmies",
        }
    }

    /// The board.
    pub(super) fn shape(self) -> &'static Shape {
        self.army().map_or(&FLAT, |(shape, _)| shape)
    }

    /// The players, in the order of their turns.
    pub(super) fn seats(self) -> &'static [Seat] {
        if self == FourRules::Three { &Seat::ALL[..3] } else { &Seat::ALL }
    }

    /// The letters of the pieces.
    pub(super) fn letters(self) -> &'static str {
        if self.army().is_some() { "KQRBNP" } else { "KWEDNRBP" }
    }

    /// The pieces that a pawn may become.
    pub(super) fn promotions(self) -> &'static str {
        if self.army().is_some() { "QRBN" } else { "RBNEDW" }
    }

    /// The position from which the game starts.
    #[must_use]
    pub fn start_fen(self) -> String {
        if let Some((_, start)) = self.army() {
            return start.to_owned();
        }
        let mut rows = Vec::new();
        for (row, text) in ARRAY.split('/').enumerate() {
            let mut written = String::new();
            let mut file = 0;
            for character in text.chars() {
                if let Some(empty) = character.to_digit(10) {
                    file += empty;
                    written.push(character);
                    continue;
                }
                let owner = match (character.is_ascii_uppercase(), row < 6, file < 6) {
                    (true, true, _) => Seat::Yellow,
                    (true, false, _) => Seat::Red,
                    (false, _, true) => Seat::Blue,
                    (false, _, false) => Seat::Green,
                };
                written.push(owner.letter());
                written.push(character.to_ascii_uppercase());
                file += 1;
            }
            rows.push(written);
        }
        format!("{} r - - 0 1 rbyg", rows.join("/"))
    }

    /// Whether two different players are partners.
    pub(super) fn are_partners(self, one: Seat, other: Seat) -> bool {
        self == FourRules::Teams && one.opposite() == other
    }

    /// Whether two players are neither the same nor partners.
    pub(super) fn are_hostile(self, one: Seat, other: Seat) -> bool {
        one != other && !self.are_partners(one, other)
    }

    /// How far a square lies from the camp of a player, 0 inside it. Squares beyond the edge count, too: a pawn looks
    /// for its capture among them.
    ///
    /// In `diamondring-four` the camp lies around one's own two centre squares and nothing wraps; in `diamondring-teams`
    /// it lies around those of both partners and the distances are those of the torus.
    pub(super) fn distance(self, seat: Seat, square: Square) -> i32 {
        let mut distances = Vec::new();
        for centre in own_centre(seat) {
            distances.push((square.file - centre.file).abs() + (square.rank - centre.rank).abs());
        }
        if self == FourRules::Teams {
            distances.clear();
            for centre in [own_centre(seat), own_centre(seat.opposite())].concat() {
                distances.push(around(square.file, centre.file) + around(square.rank, centre.rank));
            }
        }
        let nearest = distances.into_iter().min().unwrap_or(0);
        (nearest - 3).max(0)
    }

    /// Whether a pawn of this player is promoted on the square.
    pub(super) fn promotes(self, seat: Seat, square: Square) -> bool {
        if self.army().is_some() {
            return self.orthodox_promotes(seat, square);
        }
        let foreign_centre = Seat::ALL
            .into_iter()
            .any(|other| self.are_hostile(seat, other) && own_centre(other).contains(&square));
        let far_corners = match seat {
            Seat::Red => "a12 l12",
            Seat::Blue => "l1 l12",
            Seat::Yellow => "a1 l1",
            Seat::Green => "a1 a12",
        };
        foreign_centre || (self == FourRules::Free && is_one_of(square, far_corners))
    }
}

/// The two squares in the middle of a player's edge.
fn own_centre(seat: Seat) -> [Square; 2] {
    match seat {
        Seat::Red => [sq("f1"), sq("g1")],
        Seat::Blue => [sq("a6"), sq("a7")],
        Seat::Yellow => [sq("f12"), sq("g12")],
        Seat::Green => [sq("l6"), sq("l7")],
    }
}

/// The steps from one coordinate to another the shorter way round a circle of twelve.
fn around(from: i32, to: i32) -> i32 {
    let forward = (to - from).rem_euclid(12);
    forward.min(12 - forward)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of the inventor's page, from rank 12 down, the camp's blanks being 0.
    const PAGE: [&str; 12] = [
        "210......012",
        "3210....0123",
        "43210..01234",
        "543210012345",
        "654321123456",
        "765432234567",
        "765432234567",
        "654321123456",
        "543210012345",
        "43210..01234",
        "3210....0123",
        "210......012",
    ];

    #[test]
    fn the_distances_of_the_teams_are_those_of_the_page() {
        for (row, rank) in PAGE.iter().zip((0..12).rev()) {
            for (written, file) in row.chars().zip(0..) {
                let expected = written.to_digit(10).unwrap_or(0) as i32;
                for seat in [Seat::Red, Seat::Yellow] {
                    assert_eq!(FourRules::Teams.distance(seat, Square { file, rank }), expected);
                }
                let turned = Square { file: rank, rank: file };
                for seat in [Seat::Blue, Seat::Green] {
                    assert_eq!(FourRules::Teams.distance(seat, turned), expected);
                }
            }
        }
    }

    #[test]
    fn alone_one_has_half_a_camp_and_the_whole_board_before_it() {
        let distance = |name| FourRules::Free.distance(Seat::Red, sq(name));
        assert_eq!(
            ["f1", "c1", "b1", "f4", "f5", "a12", "l12", "f12"].map(distance),
            [0, 0, 1, 0, 1, 13, 13, 8]
        );
    }
}
