//! A disk that is full, read-only or broken under a server with games. The server acknowledges no move that is not on disk,
//! reports that it is not ready, and goes on by itself when the disk does. A small library in front of the C library's
//! writing calls makes the faults (`faults.c`).

use crate::common::{Server, browser, get, post};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use ureq::Agent;

const ENOSPC: i32 = 28;
const EIO: i32 = 5;
const EROFS: i32 = 30;

/// A folder for a server, whose disk fails on demand.
struct FaultyDisk {
    folder: TempDir,
    library: PathBuf,
}

impl FaultyDisk {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let library = folder.path().join("faults.so");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/disk_faults/faults.c");
        let compiled = Command::new("cc")
            .args(["-shared", "-fPIC", "-O1", "-o"])
            .arg(&library)
            .arg(source)
            .arg("-ldl")
            .status()
            .unwrap();
        assert!(compiled.success());
        std::fs::create_dir(folder.path().join("data")).unwrap();
        let disk = Self { folder, library };
        disk.heal();
        disk
    }

    fn control(&self) -> PathBuf {
        self.folder.path().join("control")
    }

    /// From now on such calls fail for files whose names end so.
    fn fail(&self, calls: &str, ending: &str, error: i32) {
        std::fs::write(self.control(), format!("{calls} {ending} {error}")).unwrap();
    }

    fn heal(&self) {
        std::fs::write(self.control(), "").unwrap();
    }

    fn start(&self) -> Server {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lozenge"));
        command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(self.folder.path().join("data"));
        command.env("LD_PRELOAD", &self.library).env("LOZENGE_FAULTS", self.control());
        Server::spawn(command)
    }
}

/// A game of two, with the moves that were acknowledged.
struct TestGame {
    players: [Agent; 2],
    id: String,
    acknowledged: Vec<String>,
}

impl TestGame {
    fn new(server: &Server) -> Self {
        let players = [browser(), browser()];
        let body = json!({"variant": "diamondring", "opponent": {"kind": "link"}, "side": "white"});
        let game = post(&players[0], &server.url("/api/games"), &body).unwrap();
        let id = game["id"].as_str().unwrap().to_owned();
        post(&players[1], &server.url(&format!("/api/games/{id}/join")), &json!({})).unwrap();
        Self { players, id, acknowledged: Vec::new() }
    }

    fn history(&self, server: &Server) -> Vec<String> {
        let game = get(&self.players[0], &server.url(&format!("/api/games/{}", self.id)));
        let history = game["history"].as_array().unwrap();
        history.iter().map(|entry| entry["uci"].as_str().unwrap().to_owned()).collect()
    }

    /// Sends the next move; returns whether it is acknowledged. First reads the server's state, as a page does.
    fn play(&mut self, server: &Server) -> bool {
        let game = get(&self.players[0], &server.url(&format!("/api/games/{}", self.id)));
        let ply = game["history"].as_array().unwrap().len();
        assert!(ply >= self.acknowledged.len(), "an acknowledged move is gone from memory");
        let moves: &Vec<Value> = game["state"]["moves"].as_array().unwrap();
        let text = moves[(ply * 7 + 3) % moves.len()].as_str().unwrap().to_owned();
        let action = json!({"type": "move", "move": text, "ply": ply});
        let path = server.url(&format!("/api/games/{}/actions", self.id));
        let acknowledged = post(&self.players[ply % 2], &path, &action).is_some();
        if acknowledged {
            self.acknowledged = self.history(server);
        }
        acknowledged
    }

    fn is_on_the_disk(&self, server: &Server) {
        let history = self.history(server);
        let (stored, acknowledged) = (history.len(), self.acknowledged.len());
        assert!(stored >= acknowledged, "{stored} of {acknowledged} acknowledged moves are there");
        assert_eq!(history[..acknowledged], self.acknowledged[..]);
    }
}

fn is_ready(server: &Server) -> bool {
    browser().get(&server.url("/readyz")).call().is_ok_and(|answer| answer.status() == 200)
}

/// Waits for a condition. The limit only ends a failing test; it asserts nothing about speed.
fn until(message: &str, mut done: impl FnMut() -> bool) {
    let began = Instant::now();
    while !done() {
        assert!(began.elapsed() < Duration::from_secs(60), "{message}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_full_read_only_or_broken_disk_loses_no_acknowledged_move() {
    let disk = FaultyDisk::new();
    let mut server = disk.start();
    let mut games: Vec<TestGame> = (0..3).map(|_| TestGame::new(&server)).collect();
    let faults = [
        // While events are written, and while they are committed.
        ("write", "-wal", ENOSPC),
        ("sync", "-wal", EIO),
        ("both", "-wal", EROFS),
        ("write", "-wal", EIO),
        ("sync", "-wal", ENOSPC),
        // A checkpoint that cannot write the database itself blocks no move.
        ("both", ".sqlite", EIO),
    ];
    for (round, (calls, ending, error)) in faults.into_iter().enumerate() {
        for game in &mut games {
            assert!(game.play(&server), "round {round}: a sound disk");
        }
        disk.fail(calls, ending, error);
        let acknowledged: usize =
            (0..4).map(|_| games.iter_mut().map(|game| usize::from(game.play(&server))).sum::<usize>()).sum();
        if ending == "-wal" {
            assert_eq!(
                acknowledged, 0,
                "round {round}: acknowledged although {calls} {ending} {error} fails"
            );
            until("it says that it is not ready", || !is_ready(&server));
        }
        if round % 2 == 1 {
            // Killed while the disk is broken.
            server.kill();
            disk.heal();
            server = disk.start();
        } else {
            disk.heal();
        }
        until("it is ready again", || is_ready(&server));
        for game in &mut games {
            game.is_on_the_disk(&server);
            until("the game goes on", || game.play(&server));
        }
    }
    // The last checkpoint, when the server is stopped, fails as well.
    disk.fail("both", ".sqlite", EIO);
    server.terminate();
    disk.heal();
    let server = disk.start();
    for game in &mut games {
        game.is_on_the_disk(&server);
        assert!(game.play(&server));
    }
    server.kill();
    let server = disk.start();
    games.iter().for_each(|game| game.is_on_the_disk(&server));
}

/// A disk that is full for a moment: a refused move has not happened, and the game goes on.
#[test]
fn game_continues_after_disk_space_is_freed() {
    let disk = FaultyDisk::new();
    let server = disk.start();
    let mut game = TestGame::new(&server);
    for _ in 0..5 {
        disk.fail("write", "-wal", ENOSPC);
        assert!(!game.play(&server));
        disk.heal();
        until("the game goes on", || game.play(&server));
    }
    server.kill();
    game.is_on_the_disk(&disk.start());
}
