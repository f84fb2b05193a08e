//! A game of four players: what depends on more than its last position. Repetition, the count of moves, agreement, and a
//! time-out against bare kings.

use super::{FourRules, FourWalker, Seat};

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// One player or one team is left.
    Decided,
    /// No player can move, or the mover cannot and the turn passes to no other.
    Stalemate,
    /// Bare kings, or in teams a time-out against bare kings.
    Dead,
    /// Fifty moves by each living player without a capture, a pawn move or an exit.
    Moves,
    /// The same position for the third time.
    Repetition,
    /// All the living have agreed.
    Agreement,
}

/// A game from its first position on.
#[derive(Clone, Debug)]
pub struct FourGame {
    /// The positions so far, the first one included; never empty.
    positions: Vec<FourWalker>,
    /// An end that no position shows.
    ended: Option<End>,
}

impl FourGame {
    /// A game that starts from this position.
    #[must_use]
    pub fn new(start: FourWalker) -> FourGame {
        FourGame { positions: vec![start], ended: None }
    }

    /// The position now.
    #[must_use]
    pub fn position(&self) -> &FourWalker {
        &self.positions[self.positions.len() - 1]
    }

    /// Plays a move, or `R` or `T`. Nothing is played that is not legal, or after the end.
    #[must_use]
    pub fn play(&mut self, text: &str) -> bool {
        if self.end().is_some() {
            return false;
        }
        let now = self.position();
        let opponents: Vec<Seat> = now
            .rules
            .seats()
            .iter()
            .copied()
            .filter(|other| now.rules.are_hostile(now.mover, *other))
            .collect();
        if text == "T" && now.rules == FourRules::Teams && now.kings_are_bare(&opponents) {
            self.ended = Some(End::Dead);
            return true;
        }
        let Some(next) = now.play(text) else { return false };
        self.positions.push(next);
        true
    }

    /// All the living agree on a draw.
    pub fn agree(&mut self) {
        if self.end().is_none() {
            self.ended = Some(End::Agreement);
        }
    }

    /// Why the game is over, if it is.
    #[must_use]
    pub fn end(&self) -> Option<End> {
        let now = self.position();
        match now.status() {
            "decided" => return Some(End::Decided),
            "stalemate" => return Some(End::Stalemate),
            "dead" => return Some(End::Dead),
            _ => {}
        }
        if self.ended.is_some() {
            return self.ended;
        }
        if now.halfmove_clock >= 50 * now.living().len() as u32 {
            return Some(End::Moves);
        }
        let same = |other: &&FourWalker| {
            other.board.pieces == now.board.pieces
                && other.mover == now.mover
                && other.living() == now.living()
                && other.rights == now.rights
                && other.offers == now.offers
        };
        (self.positions.iter().filter(same).count() >= 3).then_some(End::Repetition)
    }

    /// The result as PGN writes it: `*`, the places, or in teams `1-0`, `0-1` or `1/2-1/2` with Red's team first.
    #[must_use]
    pub fn result(&self) -> String {
        let (now, end) = (self.position(), self.end());
        match (end, now.rules) {
            (None, _) => "*".into(),
            (Some(_), FourRules::Free | FourRules::Chess | FourRules::Three) => {
                let taken = now.ranked().into_iter().filter(|place| *place > 0);
                taken.map(|place| place.to_string()).collect::<Vec<_>>().join("-")
            }
            (Some(End::Decided), FourRules::Teams) => {
                let red_lost = now.out.iter().any(|seat| [Seat::Red, Seat::Yellow].contains(seat));
                if red_lost { "0-1".into() } else { "1-0".into() }
            }
            (Some(_), FourRules::Teams) => "1/2-1/2".into(),
        }
    }
}
