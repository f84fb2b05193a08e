//! Drills: endings that White can win and has to win, against the best defense. Not here: the tables (`endgames`), the page.

use lozenge_rules::geometry::Square;
use lozenge_rules::position::{AnyPosition, Color};
use lozenge_rules::variant::Variant;
use lozenge_tablebase::{FileError, Material, Tables, Value};
use rand::seq::IndexedRandom as _;

/// The classes of three pieces whose win takes skill, with the half moves of the longest one: made of the tables of all
/// built-in games that can have them. Those of Diamond Ring Chess are all drawn, as on a torus no piece drives a King to an edge.
const THREE_PIECES: &[(&str, &[(&str, u16)])] = &[
    ("diagonal", &[("KQvK", 20), ("KRvK", 32), ("KPvK", 54)]),
    ("diamond", &[("KVvK", 18), ("KAvK", 26), ("KPvK", 52)]),
    ("diamondback", &[("KQvK", 18), ("KRvK", 26), ("KBvK", 29), ("KPvK", 40), ("KNvK", 68)]),
    ("doublediamond", &[("KQvK", 22), ("KMvK", 24), ("KRvK", 36), ("KPvK", 45)]),
];

/// Shortest longest win of a class that takes skill, in half moves.
const MIN_LONGEST: u16 = 12;

/// Most classes of a game.
const MAX_CLASSES: usize = 60;

/// Random positions that are looked at for one drill. Up to a tenth of them fit.
const MAX_TRIES: usize = 400;

/// A class of endings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Drill {
    /// Its name, such as `KRvK`.
    pub(crate) class: String,
    /// The half moves of its longest win.
    pub(crate) longest: u16,
}

/// A won position of a class, with White to move, and the half moves of its win.
pub(crate) type Drawn = (AnyPosition, u16);

/// The classes that need no files.
fn three_pieces(variant: &Variant) -> impl Iterator<Item = Drill> {
    let game = THREE_PIECES.iter().find(|(id, _)| *id == variant.id());
    let classes = game.map(|(_, classes)| *classes).unwrap_or_default();
    classes.iter().map(|(class, longest)| Drill { class: (*class).to_owned(), longest: *longest })
}

/// Whether a game has drills without files.
pub(crate) fn has_drills(variant: &Variant) -> bool {
    three_pieces(variant).next().is_some()
}

/// The drills of a game: those that need no files, and the classes of files in which White has more pieces.
pub(crate) fn list(tables: &Tables) -> Vec<Drill> {
    let variant = tables.variant();
    let mut drills: Vec<Drill> = three_pieces(variant).collect();
    for info in tables.list() {
        let class = info.material.name(variant);
        let [white, black] = Color::BOTH.map(|color| info.material.of(color).len());
        let is_new = drills.iter().all(|drill| drill.class != class);
        if white > black && info.bytes.is_some() && info.longest >= MIN_LONGEST && is_new {
            drills.push(Drill { class, longest: info.longest });
        }
    }
    drills.sort_by_key(|drill| (drill.class.len(), drill.longest));
    drills.truncate(MAX_CLASSES);
    drills
}

/// A random position of a class that White wins, but not with every move, and not within a third of the longest win. If none is
/// found, the longest win that was found; `None` if no position was won, or the table is missing.
///
/// # Errors
/// When the file of the table is damaged.
pub(crate) fn draw(tables: &Tables, material: &Material, longest: u16) -> Result<Option<Drawn>, FileError> {
    let mut longest_found: Option<Drawn> = None;
    let squares: Vec<Square> = tables.variant().shape().squares().collect();
    for _ in 0..MAX_TRIES {
        let chosen: Vec<Square> = squares.sample(&mut rand::rng(), material.pieces()).copied().collect();
        let Some(position) = material.place(tables.variant(), Color::White, &chosen) else { continue };
        let Some(Value::Win(distance)) = tables.probe(&position)? else { continue };
        if longest_found.as_ref().is_some_and(|(_, found)| *found >= distance) {
            continue;
        }
        let moves = tables.moves(&position)?.unwrap_or_default();
        if moves.iter().all(|(_, value)| matches!(value, Value::Win(_))) {
            continue;
        }
        if distance * 3 >= longest {
            return Ok(Some((position, distance)));
        }
        longest_found = Some((position, distance));
    }
    Ok(longest_found)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop where it is")]

    use super::*;
    use lozenge_rules::library;
    use lozenge_tablebase::Resources;

    const RESOURCES: Resources = Resources { threads: 1, memory: 64 << 20 };

    fn tables_of(id: &str) -> Tables {
        let mut tables = Tables::new(&library::game(id).unwrap());
        for material in tables.classes(3).unwrap() {
            tables.generate(&material, None, RESOURCES, &mut |_| true).unwrap();
        }
        tables
    }

    #[test]
    fn classes_are_those_of_the_tables() {
        // The tables of the larger boards take seconds.
        for id in ["diagonal", "diamond"] {
            let tables = tables_of(id);
            let hard = tables.list().into_iter().filter(|info| info.longest >= MIN_LONGEST);
            let mut found: Vec<Drill> = hard
                .map(|info| Drill { class: info.material.name(tables.variant()), longest: info.longest })
                .filter(|drill| drill.class != "KvK")
                .collect();
            found.sort_by_key(|drill| drill.longest);
            assert_eq!(found, list(&tables), "{id}");
        }
    }

    #[test]
    fn positions_are_won_and_not_by_every_move() {
        for id in ["diagonal", "diamond"] {
            let tables = tables_of(id);
            for drill in list(&tables) {
                let material = Material::parse(tables.variant(), &drill.class).unwrap();
                let mut fens = std::collections::BTreeSet::new();
                for _ in 0..20 {
                    let (position, distance) = draw(&tables, &material, drill.longest).unwrap().unwrap();
                    assert_eq!(tables.probe(&position).unwrap(), Some(Value::Win(distance)));
                    assert_eq!(position.turn(), Color::White);
                    let moves = tables.moves(&position).unwrap().unwrap();
                    assert!(moves.iter().any(|(_, value)| !matches!(value, Value::Win(_))), "{drill:?}");
                    fens.insert(position.fen());
                }
                assert!(fens.len() > 15, "{id}: {drill:?}");
            }
        }
    }
}
