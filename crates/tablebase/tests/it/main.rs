//! Tests of endgame tables: values known from elsewhere, every position against its moves, and files.
#![allow(clippy::unwrap_used, reason = "a failing test may panic")]

mod files;
mod values;

use lozenge_rules::library;
use lozenge_rules::position::AnyPosition;
use lozenge_tablebase::{GenerateError, Material, Resources, Tables, Value};

pub(crate) const RESOURCES: Resources = Resources { threads: 2, memory: 1 << 30 };

/// The tables of these classes and of all they lead to, in memory.
pub(crate) fn tables(game: &str, classes: &[&str]) -> Tables {
    let game = library::game(game).unwrap();
    let mut tables = Tables::new(&game);
    for class in classes {
        let material = Material::parse(&game, class).unwrap();
        generate(&mut tables, &material).unwrap();
    }
    tables
}

pub(crate) fn generate(tables: &mut Tables, material: &Material) -> Result<(), GenerateError> {
    tables.generate(material, None, RESOURCES, &mut |_| true)
}

/// The value of a position.
pub(crate) fn probe(tables: &Tables, fen: &str) -> Option<Value> {
    tables.probe(&AnyPosition::from_fen(tables.variant(), fen).unwrap()).unwrap()
}
