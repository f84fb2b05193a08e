//! Backup and restore: as `docs/hosting.md` has them, step by step, and over damage.

use crate::common::{Server, browser, get, post};
use serde_json::json;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

fn lozenge(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lozenge")).args(arguments).current_dir(folder).output().unwrap()
}

fn error(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The commands of the page's block after a marker.
fn block(marker: &str) -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/hosting.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, rest) = page.split_once(&format!("<!-- {marker} -->")).expect(marker);
    let (_, rest) = rest.split_once("```sh\n").unwrap();
    rest.split_once("```").unwrap().0.to_owned()
}

/// Carries commands out in a folder where `lozenge` is found.
fn run_commands(folder: &Path, commands: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_lozenge")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let output =
        Command::new("sh").args(["-euc", commands]).env("PATH", path).current_dir(folder).output().unwrap();
    let printed =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{commands}\n{printed}");
    printed
}

fn create_game(server: &Server) -> String {
    let body = json!({"variant": "diamond", "opponent": {"kind": "link"}, "side": "white"});
    let game = post(&browser(), &server.url("/api/games"), &body).unwrap();
    game["id"].as_str().unwrap().to_owned()
}

fn has_game(server: &Server, game: &str) -> bool {
    get(&browser(), &server.url(&format!("/api/games/{game}")))["id"] == json!(game)
}

#[test]
fn restore_by_root_keeps_the_owner() {
    use std::os::unix::fs::{MetadataExt as _, chown};
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("lozenge-data");
    Server::start(&data).terminate();
    let backup = folder.path().join("backup.sqlite");
    assert!(lozenge(folder.path(), &["backup", backup.to_str().unwrap()]).status.success());
    let file = data.join("lozenge.sqlite");
    // Only root can give files away.
    if chown(&file, Some(12_345), Some(12_346))
        .and_then(|()| chown(&data, Some(23_456), Some(23_457)))
        .is_err()
    {
        return;
    }
    let owner = || file.metadata().map(|file| (file.uid(), file.gid())).unwrap();
    let restored = lozenge(folder.path(), &["restore", backup.to_str().unwrap()]);
    assert!(restored.status.success(), "{restored:?}");
    assert_eq!(owner(), (12_345, 12_346));
    // On another machine there is only the data folder.
    std::fs::remove_file(&file).unwrap();
    let restored = lozenge(folder.path(), &["restore", backup.to_str().unwrap()]);
    assert!(restored.status.success(), "{restored:?}");
    assert_eq!(owner(), (23_456, 23_457));
}

/// The steps of the page, over a database that was killed and so left its log behind.
#[test]
fn documented_backup_steps_restore_a_database_with_a_leftover_log() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("lozenge-data");
    let server = Server::start(&data);
    let before = create_game(&server);
    run_commands(folder.path(), &block("backup"));
    let after = create_game(&server);
    server.kill();
    assert!(data.join("lozenge.sqlite-wal").metadata().unwrap().len() > 0, "a log is left");
    run_commands(folder.path(), &block("restore"));
    let server = Server::start(&data);
    assert!(has_game(&server, &before) && !has_game(&server, &after));
    // While the site runs, nothing is put in the place of its database.
    let backups = std::fs::read_dir(folder.path().join("backups")).unwrap();
    let backup = backups.map(|entry| entry.unwrap().path()).next().unwrap();
    assert_eq!(backup.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let refused = lozenge(folder.path(), &["restore", backup.to_str().unwrap()]);
    assert!(error(&refused).contains("another server at work"), "{refused:?}");
    assert!(has_game(&server, &before));
    server.kill();
    // The replaced database stays, whole.
    std::fs::create_dir(folder.path().join("old")).unwrap();
    for ending in ["", "-wal"] {
        let replaced = data.join(format!("lozenge.sqlite.replaced-1{ending}"));
        std::fs::rename(replaced, folder.path().join(format!("old/lozenge.sqlite{ending}"))).unwrap();
    }
    assert!(has_game(&Server::start(&folder.path().join("old")), &after));
}

#[test]
fn damaged_files_are_reported_and_not_restored() {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("lozenge-data");
    let server = Server::start(&data);
    let game = create_game(&server);
    let good = lozenge(folder.path(), &["backup", "good.sqlite"]);
    assert!(good.status.success(), "{good:?}");
    server.terminate();
    let bytes = std::fs::read(folder.path().join("good.sqlite")).unwrap();
    std::fs::write(folder.path().join("text.sqlite"), "no database").unwrap();
    std::fs::write(folder.path().join("half.sqlite"), &bytes[..bytes.len() / 2]).unwrap();
    for (file, found) in
        [("missing", "No such file"), ("text.sqlite", "not a database"), ("half.sqlite", "damaged")]
    {
        let refused = lozenge(folder.path(), &["restore", file]);
        assert!(error(&refused).contains(found), "{file}: {refused:?}");
    }
    let server = Server::start(&data);
    assert!(has_game(&server, &game), "the database is as it was");
    server.terminate();
    // A page in the middle of the database itself, and the list of its tables.
    let file = data.join("lozenge.sqlite");
    let bytes = std::fs::read(&file).unwrap();
    let page = bytes.len() / 4096 / 2 * 4096;
    for damage in [page..page + 4096, 100..4096] {
        let mut damaged = bytes.clone();
        damaged[damage].fill(0xa5);
        std::fs::write(&file, damaged).unwrap();
        let refused = lozenge(folder.path(), &["serve", "--listen", "127.0.0.1:0"]);
        assert!(error(&refused).contains("damaged: "), "{refused:?}");
    }
    let restored = lozenge(folder.path(), &["restore", "good.sqlite"]);
    assert!(restored.status.success(), "{restored:?}");
    assert!(has_game(&Server::start(&data), &game));
}
