//! Files of tables: written, read again, and refused when something is wrong with them.

use crate::{RESOURCES, probe};
use lozenge_rules::library;
use lozenge_rules::variant::Variant;
use lozenge_tablebase::{FileFault, GenerateError, Material, Tables, Value};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const FEN: &str = "4k3/8/8/8/8/8/8/4K2R w - - 0 1";

/// A folder with the table of a class of chess; and its file.
fn folder(class: &str) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let game = library::game("chess").unwrap();
    let mut tables = Tables::new(&game);
    let material = Material::parse(&game, class).unwrap();
    tables.generate(&material, Some(folder.path()), RESOURCES, &mut |_| true).unwrap();
    let file = folder.path().join("chess").join(format!("{class}.lzt"));
    assert!(file.exists());
    (folder, file)
}

fn open(folder: &Path) -> Result<Tables, lozenge_tablebase::FileError> {
    Tables::open(&library::game("chess").unwrap(), folder)
}

#[test]
fn a_table_read_again_has_the_same_values() {
    let (folder, _) = folder("KRvK");
    let read = open(folder.path()).unwrap();
    let made = crate::tables("chess", &["KRvK"]);
    assert_eq!(read.list().len(), 2);
    let material = Material::parse(read.variant(), "KRvK").unwrap();
    assert_eq!(read.verify(&material, 1).unwrap(), made.verify(&material, 1).unwrap());
    assert_eq!(probe(&read, FEN), probe(&made, FEN));
    assert!(matches!(probe(&read, FEN), Some(Value::Win(_))));
    let info = read.list().pop().unwrap();
    assert_eq!((info.material, info.longest), (material, 32));
    assert!(info.bytes.unwrap() < 30_000, "{:?}", info.bytes);
}

#[test]
fn a_cut_file_is_refused_by_name() {
    let (folder, file) = folder("KRvK");
    let bytes = fs::read(&file).unwrap();
    for length in [0, 5, 13, 40, 60, bytes.len() / 2, bytes.len() - 1] {
        fs::write(&file, &bytes[..length]).unwrap();
        let error = open(folder.path()).unwrap_err();
        assert_eq!(error.path, file, "{length}");
        assert!(error.to_string().contains("KRvK.lzt: expected"), "{error}");
    }
    fs::write(&file, [&bytes[..], b"x"].concat()).unwrap();
    assert!(matches!(open(folder.path()).unwrap_err().fault, FileFault::Length { .. }));
}

#[test]
fn a_damaged_file_is_refused() {
    let (folder, file) = folder("KRvK");
    let bytes = fs::read(&file).unwrap();
    let material = Material::parse(&library::game("chess").unwrap(), "KRvK").unwrap();
    for at in (0..bytes.len()).step_by(bytes.len() / 7).chain([0, 13, 30, 48, 60, bytes.len() - 1]) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        fs::write(&file, &damaged).unwrap();
        let refused = match open(folder.path()) {
            Err(error) => error.path == file,
            Ok(tables) => tables.verify(&material, 1).is_err(),
        };
        assert!(refused, "byte {at}");
    }
}

#[test]
fn a_table_of_another_version_of_the_game_is_refused() {
    let (folder, file) = folder("KRvK");
    let game = library::game("chess").unwrap();
    let text = game.texts()[0].replace("moves = \"Q\"", "moves = \"QN\"");
    assert_ne!(text, game.texts()[0]);
    let other = Variant::parse("chess.toml", &text, &library::text).unwrap();
    let error = Tables::open(&other, folder.path()).unwrap_err();
    assert!(matches!(error.fault, FileFault::Digest), "{error}");
    // A file under the name of another class is not that class.
    fs::rename(&file, file.with_file_name("KQvK.lzt")).unwrap();
    assert!(matches!(open(folder.path()).unwrap_err().fault, FileFault::Class { .. }));
}

#[test]
fn interrupted_work_goes_on_where_it_was() {
    let folder = TempDir::new().unwrap();
    let game = library::game("chess").unwrap();
    let material = Material::parse(&game, "KPvK").unwrap();
    let mut left = 30;
    let mut stop_soon = |_: lozenge_tablebase::GenerateProgress<'_>| {
        left -= 1;
        left > 0
    };
    let stopped = Tables::new(&game).generate(&material, Some(folder.path()), RESOURCES, &mut stop_soon);
    assert!(matches!(stopped, Err(GenerateError::Stopped)), "{stopped:?}");
    let mut tables = open(folder.path()).unwrap();
    let finished: Vec<Material> = tables.list().into_iter().map(|info| info.material).collect();
    assert!(!finished.is_empty() && !finished.contains(&material));
    let mut made = Vec::new();
    let mut record = |progress: lozenge_tablebase::GenerateProgress<'_>| {
        made.push(progress.material.clone());
        true
    };
    tables.generate(&material, Some(folder.path()), RESOURCES, &mut record).unwrap();
    assert!(made.contains(&material) && finished.iter().all(|material| !made.contains(material)));
    assert!(open(folder.path()).unwrap().has(&material));
}

#[test]
fn a_class_that_needs_too_much_memory_is_refused() {
    let game = library::game("chess").unwrap();
    let material = Material::parse(&game, "KRvK").unwrap();
    let resources = lozenge_tablebase::Resources { threads: 1, memory: 1_000 };
    let refused = Tables::new(&game).generate(&material, None, resources, &mut |_| true);
    assert!(matches!(refused, Err(GenerateError::Memory { allowed: 1_000, .. })), "{refused:?}");
}

#[test]
fn games_and_classes_without_tables_are_named() {
    let fusion = library::game("diamondring-fusion").unwrap();
    assert!(matches!(Tables::new(&fusion).classes(3), Err(GenerateError::Fusions(_))));
    let chess = library::game("chess").unwrap();
    let material = Material::parse(&chess, "KPvKP").unwrap();
    let refused = crate::generate(&mut Tables::new(&chess), &material);
    assert!(matches!(refused, Err(GenerateError::EnPassant(_))), "{refused:?}");
    assert!(Material::parse(&chess, "KXvK").is_none());
}
