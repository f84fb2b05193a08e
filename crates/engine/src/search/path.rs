//! The path to the node: keys of all positions since the last irreversible move, in the game before
//! the root and on the search path. They are for detecting repetition.

use crate::eval::Values;
use lozenge_rules::position::{AnyPosition, Game, Position, RoleSet, WidthVisitor};
use lozenge_rules::variant::Rules;

/// Keys of the positions of a game that can still be repeated, the newest last.
pub(super) fn keys_of(game: &Game, values: &Values) -> Vec<u64> {
    let now = game.position();
    let compounds: RoleSet = game.variant().fusions().iter().map(|fusion| fusion.into).collect();
    let parts = |position: &AnyPosition| position.visit(CountParts { compounds });
    let here = parts(now);
    let window = if values.pawns_return() { usize::MAX } else { usize::from(now.halfmove_clock()) };
    let positions = game.positions().skip(game.moves().len().saturating_sub(window));
    // A position with more pieces cannot recur: drop the keys before the last such position.
    let mut keys = Vec::new();
    for position in positions {
        if parts(&position) == here {
            keys.push(position.key());
        } else {
            keys.clear();
        }
    }
    keys
}

/// Counts the pieces on the board, a compound as two: it comes apart again.
struct CountParts {
    compounds: RoleSet,
}

impl WidthVisitor for CountParts {
    type Output = u32;
    fn visit<const N: usize>(self, position: &Position<N>, _: &Rules<N>) -> u32 {
        let occupied = position.occupied();
        // In most games nothing fuses, and pieces need not be looked at one by one.
        if self.compounds.is_empty() {
            return occupied.len();
        }
        let pieces = occupied.into_iter().filter_map(|square| position.piece_at(square));
        pieces.map(|piece| 1 + u32::from(self.compounds.contains(piece.role()))).sum()
    }
}

/// One position on the way.
#[derive(Clone, Copy, Debug)]
struct PathEntry {
    key: u64,
    /// How many positions just before it could be repeated by it or after it.
    back: u32,
}

/// The positions from the game and the search, the newest last.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    entries: Vec<PathEntry>,
    root: usize,
}

impl Path {
    /// The positions of a game that the newest, the root, may repeat, oldest first, root included.
    pub(super) fn new(keys: impl Iterator<Item = u64>) -> Self {
        let entries: Vec<PathEntry> =
            keys.enumerate().map(|(back, key)| PathEntry { key, back: back as u32 }).collect();
        let root = entries.len().saturating_sub(1);
        Self { entries, root }
    }

    /// Enters the position with this key; `reversible` means that earlier positions can recur.
    #[inline]
    pub(super) fn enter(&mut self, key: u64, reversible: bool) {
        let back = match self.entries.last() {
            Some(entry) if reversible => entry.back + 1,
            _ => 0,
        };
        self.entries.push(PathEntry { key, back });
    }

    /// The last move is taken back.
    #[inline]
    pub(super) fn leave(&mut self) {
        self.entries.pop();
    }

    /// Whether the newest position counts as drawn by repetition. It was on the search path below
    /// the root already, or it has occurred `claim` times (0 for never), those in the game
    /// included.
    pub(super) fn is_repeated(&self, claim: u32) -> bool {
        let Some((last, before)) = self.entries.split_last() else { return false };
        if last.back < 4 || claim == 0 {
            return false;
        }
        let mut occurrences = 1;
        for distance in (4..=last.back as usize).step_by(2) {
            let Some(index) = before.len().checked_sub(distance) else { break };
            if before[index].key == last.key {
                occurrences += 1;
                if index > self.root || occurrences >= claim {
                    return true;
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_rules::library;
    use lozenge_rules::notation::uci;

    /// The keys after moves from a position, and how many positions there have been.
    fn keys_after(id: &str, fen: &str, moves: &str) -> (Vec<u64>, usize) {
        let variant = library::game(id).unwrap();
        let mut game = Game::from_position(AnyPosition::from_fen(&variant, fen).unwrap());
        for text in moves.split_whitespace() {
            game.play(uci::parse(game.position(), text).unwrap()).unwrap();
        }
        (keys_of(&game, &Values::derived(&variant)), game.keys().len())
    }

    #[test]
    fn captures_are_irreversible_and_fusions_are_not() {
        let (keys, all) =
            keys_after("chess", "7k/8/8/8/8/p7/R7/K7 w - - 0 1", "a2b2 h8g8 b2b3 g8h8 b3a3 h8g8");
        assert_eq!((keys.len(), all), (2, 7));
        let (keys, all) = keys_after(
            "fusionchess",
            "7k/8/8/8/1N6/8/R7/K7 w - - 0 1",
            "b4a2 h8g8 a2b4n g8h8 b4a2 h8g8 a2b4n",
        );
        assert_eq!((keys.len(), all), (8, 8));
        assert_eq!((keys[0], keys[1], keys[3]), (keys[4], keys[5], keys[7]), "together and apart again");
    }

    #[test]
    fn repetition_counts_twice_below_root_or_thrice_with_game() {
        let mut path = Path::new([1, 2, 3, 4, 1].into_iter());
        assert!(!path.is_repeated(3));
        assert!(path.is_repeated(2));
        for key in [2, 3, 4] {
            path.enter(key, true);
            assert!(!path.is_repeated(3));
        }
        path.enter(1, true);
        assert!(path.is_repeated(3), "third time, with the game");
        path.leave();
        path.enter(9, false);
        for key in [5, 6, 7] {
            path.enter(key, true);
        }
        path.enter(9, true);
        assert!(path.is_repeated(3), "second time, below the root");
        assert!(!path.is_repeated(0));
    }
}
