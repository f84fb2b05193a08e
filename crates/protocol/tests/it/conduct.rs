//! Behavior with GUIs that are broken, fast or gone.

use crate::talk::Talk;
use lozenge_protocol::games::{Games, LoadError};
use lozenge_rules::library;
use lozenge_tablebase::{Material, Resources, Tables};
use std::io::{self, Write};
use std::path::Path;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

#[test]
fn xboard_new_keeps_the_tables_of_chess() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("xboard-tables");
    let chess = library::game("chess").unwrap();
    let material = Material::parse(&chess, "KQvK").unwrap();
    let resources = Resources { threads: 1, memory: 1 << 28 };
    Tables::new(&chess).generate(&material, Some(&folder), resources, &mut |_| true).unwrap();
    let mut talk = Talk::new();
    talk.send(b"xboard");
    talk.send(format!("option TablebasePath={}", folder.display()).as_bytes());
    for line in
        ["variant diagonal", "force", "new", "setboard 4k3/8/8/8/8/8/8/3QK3 w - - 0 1", "post", "sd 3"]
    {
        talk.send(line.as_bytes());
    }
    talk.send(b"go");
    let lines = talk.until("move ");
    let thinking = lines.iter().filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
    let hits: Vec<Option<&str>> = thinking.map(|line| line.split([' ', '\t']).nth(6)).collect();
    assert!(hits.iter().any(|&hits| hits.is_some_and(|hits| hits != "0")), "{lines:#?}");
    talk.finish();
}

#[test]
fn line_of_ten_megabytes_gets_one_error_line() {
    let mut talk = Talk::new();
    talk.send(&vec![b'g'; 10 << 20]);
    talk.send(b"isready");
    let lines = talk.until("readyok");
    assert_eq!(lines[0], "info string expected a line of at most 1048576 bytes, found 10485760");
    assert_eq!(lines.len(), 2);
    assert!(talk.finish().is_empty());
}

#[test]
fn a_long_word_is_not_repeated_at_length() {
    let mut talk = Talk::new();
    talk.send(&vec![b'z'; 1 << 20]);
    talk.send(format!("position fen {}", "8/".repeat(100_000)).as_bytes());
    talk.send(format!("setoption name {} value 1", "x ".repeat(100_000)).as_bytes());
    talk.send(format!("setoption name UCI_Variant value {}", "y".repeat(500_000)).as_bytes());
    talk.send(format!("setoption name VariantPath value {}", "y".repeat(500_000)).as_bytes());
    talk.send(b"isready");
    let lines = talk.until("readyok");
    assert_eq!(lines.len(), 6);
    assert!(lines.iter().all(|line| line.chars().count() <= 1100), "{lines:?}");
}

#[test]
fn every_quick_start_and_stop_gives_a_move() {
    let mut talk = Talk::new();
    talk.send(b"setoption name UCI_Variant value diagonal");
    for _ in 0..200 {
        talk.send(b"position startpos moves e1f2");
        talk.send(b"go infinite");
        talk.send(b"stop");
    }
    for _ in 0..200 {
        assert_ne!(talk.until("bestmove").last().unwrap(), "bestmove (none)");
    }
    for _ in 0..100 {
        talk.send(b"go ponder");
        talk.send(b"ponderhit");
        talk.send(b"stop");
        talk.until("bestmove");
        talk.send(b"go infinite");
        talk.send(b"stop");
        talk.until("bestmove");
    }
    assert!(talk.finish().is_empty());
}

#[test]
fn pending_commands_are_limited() {
    let mut talk = Talk::new();
    talk.send(b"go infinite");
    let long = format!("position startpos moves {}", "e1f2 ".repeat(100_000));
    for _ in 0..40 {
        talk.send(long.as_bytes());
    }
    talk.send(b"isready");
    let before = talk.until("readyok");
    let rejected = before.iter().filter(|line| line.contains("too many commands wait")).count();
    assert!((5..40).contains(&rejected), "{rejected}");
    talk.send(b"stop");
    talk.until("bestmove");
    talk.send(b"position startpos");
    talk.send(b"go depth 1");
    let after = talk.until("bestmove");
    assert_eq!(after.iter().filter(|line| line.contains("at most 20000 moves")).count(), 40 - rejected);
    assert!(talk.finish().is_empty());
}

/// A refused command does not restart analysis at depth 1.
#[test]
fn analysis_goes_on_when_a_move_is_refused() {
    for (sent, answer) in [
        ("usermove e2e9", "Illegal move: e2e9"),
        ("exclude e2e9", "Error (no legal move): exclude e2e9"),
        ("include e2e9", "Error (no legal move): include e2e9"),
    ] {
        let mut talk = Talk::new();
        for line in ["xboard", "variant gardner", "force", "post", "analyze"] {
            talk.send(line.as_bytes());
        }
        talk.until("3 ");
        talk.send(sent.as_bytes());
        let mut after = talk.until(answer);
        std::thread::sleep(Duration::from_millis(300));
        talk.send(b"exit");
        after.extend(talk.finish());
        assert!(!after.iter().any(|line| line.starts_with("1 ")), "{sent}: begun anew: {after:?}");
    }
}

#[test]
fn game_of_many_moves_is_accepted() {
    let mut talk = Talk::new();
    talk.send(b"setoption name UCI_Variant value gardner");
    talk.until("info string variant");
    talk.send(
        format!("position fen k4/1n3/5/1N3/K4 w - - 0 1 moves {}", "b2d1 b4d5 d1b2 d5b4 ".repeat(5000))
            .as_bytes(),
    );
    talk.send(b"d");
    let lines = talk.until("Checkers");
    assert!(lines.iter().any(|line| line == "Fen: k4/1n3/5/1N3/K4 w - - 20000 10001"), "{lines:?}");
}

#[test]
fn quit_interrupts_an_endless_perft() {
    let mut talk = Talk::new();
    let since = Instant::now();
    talk.send(b"go perft 90");
    talk.send(b"position startpos");
    talk.send(b"go perft 91");
    talk.send(b"quit");
    let rest = talk.finish();
    assert_eq!(rest, ["info string perft stopped"]);
    assert!(since.elapsed() < Duration::from_secs(6));
}

#[test]
fn random_commands_leave_the_session_responsive() {
    const WORDS: [&str; 44] = [
        "uci",
        "isready",
        "ucinewgame",
        "setoption",
        "name",
        "value",
        "position",
        "startpos",
        "fen",
        "moves",
        "go",
        "depth",
        "1",
        "2",
        "nodes",
        "movetime",
        "mate",
        "infinite",
        "ponder",
        "ponderhit",
        "stop",
        "searchmoves",
        "perft",
        "d",
        "eval",
        "UCI_Variant",
        "diamond",
        "diagonal",
        "MultiPV",
        "Hash",
        "e1f2",
        "c3c4",
        "a1",
        "-1",
        "w",
        "-",
        "****k****/9/9/9/9/9/9/9/****K****",
        "8/8/8/8/8/8/8/K6k",
        "wtime",
        "btime",
        "winc",
        "movestogo",
        "\u{0}",
        "é",
    ];
    let mut state = 0x1234_5678_9abc_def0_u64;
    let mut random = move |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    for _ in 0..20 {
        let mut talk = Talk::new();
        for _ in 0..200 {
            let length = 1 + random(7);
            let words: Vec<&str> = (0..length).map(|_| WORDS[random(WORDS.len())]).collect();
            talk.send(words.join(" ").as_bytes());
            talk.send(b"stop");
        }
        // Twice: one for the running search, one for pending ones.
        talk.send(b"stop");
        talk.send(b"stop");
        talk.send(b"setoption name UCI_Variant value chess");
        talk.until("info string variant chess");
        talk.send(b"go depth 1");
        talk.until("bestmove");
        talk.finish();
    }
}

#[test]
fn session_ends_when_its_output_closes() {
    struct ClosedOutput;
    impl Write for ClosedOutput {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    /// An input that never ends.
    struct OpenInput(std::vec::IntoIter<u8>, std::sync::mpsc::Receiver<()>);
    impl io::Read for OpenInput {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            match self.0.next() {
                Some(byte) => buffer[0] = byte,
                None => {
                    let _ = self.1.recv();
                    return Ok(0);
                }
            }
            Ok(1)
        }
    }
    for sent in ["isready\n", "go infinite\n", "go perft 90\n", "\nuci\n"] {
        let (_open, closed) = channel();
        let input = io::BufReader::new(OpenInput(sent.as_bytes().to_vec().into_iter(), closed));
        let (done, ended) = channel();
        let games = Games::new(Box::new(|path| Err(LoadError::File(path.into()))));
        std::thread::spawn(move || {
            lozenge_protocol::serve(input, ClosedOutput, games);
            done.send(()).unwrap();
        });
        // Only a write detects the closed output, and perft writes nothing until its end.
        let timeout = if sent.contains("perft") { 1 } else { 10 };
        let gone = ended.recv_timeout(Duration::from_secs(timeout)).is_ok();
        assert_eq!(gone, !sent.contains("perft"), "{sent}");
    }
}
