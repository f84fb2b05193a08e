//! Pawn structure, cached in a pawn hash table (wiki): in a search the same pawns occur again and again.

use super::features::PAWN_TRAITS;
use super::{BoardSets, Values};
use lozenge_rules::geometry::SquareSet;
use lozenge_rules::position::{ByColor, Color, Position};

/// Entries of a memory; a power of two.
const ENTRIES: usize = 1 << 10;

/// The pawns of both sides, by color.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pawns<const N: usize> {
    /// Their squares.
    pub(super) standing: ByColor<SquareSet<N>>,
    /// The squares they attack.
    pub(super) attacked: ByColor<SquareSet<N>>,
    /// Those that no enemy pawn can stop.
    pub(super) passed: ByColor<SquareSet<N>>,
    /// How many have each trait of [`PAWN`](super::features::PAWN).
    pub(super) traits: ByColor<[u8; PAWN_TRAITS]>,
}

impl<const N: usize> Pawns<N> {
    /// No pawns.
    const NONE: Self = Self {
        standing: ByColor::filled(SquareSet::EMPTY),
        attacked: ByColor::filled(SquareSet::EMPTY),
        passed: ByColor::filled(SquareSet::EMPTY),
        traits: ByColor::filled([0; PAWN_TRAITS]),
    };

    /// The pawns of a position.
    pub(crate) fn new(position: &Position<N>, values: &Values, board_sets: &BoardSets<N>) -> Self {
        let pawn = |square| board_sets.pawn_at(position, values, square);
        let mut pawns = Self::NONE;
        for color in Color::BOTH {
            for square in position.pieces(color) {
                if let Some(pawn) = pawn(square) {
                    pawns.standing[color].insert(square);
                    pawns.attacked[color] |= pawn.captures;
                }
            }
        }
        for color in Color::BOTH {
            let (own, enemies) = (pawns.standing[color], pawns.standing[color.opponent()]);
            for square in own {
                let Some(pawn) = pawn(square) else { continue };
                if pawn.is_passed(enemies) {
                    pawns.passed[color].insert(square);
                }
                let others = own.without(SquareSet::of(square));
                let traits = [pawns.attacked[color].contains(square), pawn.path.meets(others)];
                for (count, has) in pawns.traits[color].iter_mut().zip(traits) {
                    *count += u8::from(has);
                }
            }
        }
        pawns
    }
}

/// The pawn hash table.
#[derive(Debug)]
pub(crate) struct PawnHashTable<const N: usize>(Vec<(u64, Pawns<N>)>);

impl<const N: usize> PawnHashTable<N> {
    /// A table with the position without pawns alone, whose key is 0.
    pub(crate) fn new() -> Self {
        Self(vec![(0, Pawns::NONE); ENTRIES])
    }

    /// The pawns of a position, where `key` identifies the pawns and their squares.
    #[inline]
    pub(crate) fn get(
        &mut self,
        key: u64,
        position: &Position<N>,
        values: &Values,
        board_sets: &BoardSets<N>,
    ) -> &Pawns<N> {
        let (known, pawns) = &mut self.0[key as usize % ENTRIES];
        if *known != key {
            (*known, *pawns) = (key, Pawns::new(position, values, board_sets));
        }
        pawns
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_rules::library;
    use lozenge_rules::position::{AnyPosition, WidthVisitor};
    use lozenge_rules::variant::Rules;

    /// Probes a table that other positions have filled.
    struct Probe<'v>(&'v Values);

    impl WidthVisitor for Probe<'_> {
        type Output = ();
        fn visit<const N: usize>(self, position: &Position<N>, rules: &Rules<N>) {
            let board_sets = BoardSets::new(self.0, rules);
            let fresh = Pawns::new(position, self.0, &board_sets);
            let mut table = PawnHashTable::new();
            assert_eq!(table.0[0], (0, Pawns::NONE));
            for key in [5, 5 + ENTRIES as u64, 5] {
                assert_eq!(*table.get(key, position, self.0, &board_sets), fresh);
            }
            assert!(!fresh.standing[Color::White].is_empty() && !fresh.attacked[Color::Black].is_empty());
        }
    }

    #[test]
    fn cached_pawns_equal_fresh_ones() {
        for id in library::ids() {
            let variant = library::game(id).unwrap();
            AnyPosition::start(&variant).visit(Probe(&Values::new(&variant)));
        }
    }
}
