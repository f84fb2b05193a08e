//! Invalid lines change nothing, at any moment of a search, in either protocol.

use crate::talk::Talk;

/// A generator of numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % bound
    }

    fn line(&mut self, words: &[&str]) -> String {
        let length = 1 + self.below(6);
        (0..length).map(|_| words[self.below(words.len())]).collect::<Vec<_>>().join(" ")
    }
}

const UCI_GARBAGE: [&str; 20] = [
    "",
    "hello",
    "position",
    "position fen",
    "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
    "position startpos moves a1a1",
    "position startpos moves e1f2 e1f2",
    "go depth",
    "go depth x",
    "go perft x",
    "go movetime -",
    "setoption",
    "setoption name",
    "setoption name Nonsense value 3",
    "setoption name Hash value 0",
    "setoption name Threads value 513",
    "setoption name UCI_Variant value nonsense",
    "setoption name VariantPath value /nowhere/at/all.toml",
    "bench x",
    "\u{0}\u{1}",
];

#[test]
fn invalid_lines_do_not_disturb_a_uci_search() {
    let search = |garbage: &[&str]| {
        let mut talk = Talk::new();
        talk.send(b"setoption name UCI_Variant value diagonal");
        talk.send(b"position startpos moves d2e3 g5f4");
        talk.send(b"go nodes 60000");
        for line in garbage {
            talk.send(line.as_bytes());
        }
        let lines = talk.until("bestmove");
        let last = lines.iter().rev().find(|line| line.starts_with("info depth")).unwrap();
        let found = (before(last, " nps "), lines.last().unwrap().clone());
        talk.send(b"d");
        let board = talk.until("Fen: ").pop().unwrap();
        // A refused position would be answered without a move.
        talk.send(b"position startpos moves d2e3 g5f4");
        talk.send(b"go nodes 20000");
        let next = talk.until("bestmove").pop().unwrap();
        talk.finish();
        (found, board, next)
    };
    let undisturbed = search(&[]);
    assert_eq!(search(&UCI_GARBAGE), undisturbed);
    let mut random = Random(7);
    for _ in 0..5 {
        let lines: Vec<&str> = (0..100).map(|_| UCI_GARBAGE[random.below(UCI_GARBAGE.len())]).collect();
        assert_eq!(search(&lines), undisturbed);
    }
}

const XBOARD_GARBAGE: [&str; 23] = [
    "",
    "hello",
    "usermove",
    "usermove a1a1",
    "usermove é",
    "a9a9",
    "level",
    "level 40",
    "level x y z",
    "st",
    "sd -1",
    "time soon",
    "otim",
    "variant",
    "setboard",
    "option",
    "memory",
    "cores",
    "exclude",
    "perft x",
    "exit",
    "variant nonsense",
    "\u{0}\u{1}",
];

#[test]
fn invalid_lines_do_not_disturb_an_xboard_search() {
    let search = |garbage: &[&str]| {
        let mut talk = Talk::new();
        for line in ["xboard", "new", "variant diagonal", "memory 2", "sd 8", "st 600", "go"] {
            talk.send(line.as_bytes());
        }
        for line in garbage {
            talk.send(line.as_bytes());
        }
        let found = talk.until("move ").pop().unwrap();
        talk.send(b"d");
        let board = talk.until("Fen: ").pop().unwrap();
        talk.finish();
        (found, board)
    };
    let undisturbed = search(&[]);
    assert_eq!(search(&XBOARD_GARBAGE), undisturbed);
    let mut random = Random(11);
    for _ in 0..5 {
        let lines: Vec<&str> = (0..100).map(|_| XBOARD_GARBAGE[random.below(XBOARD_GARBAGE.len())]).collect();
        assert_eq!(search(&lines), undisturbed);
    }
}

#[test]
fn random_commands_leave_xboard_responsive() {
    const WORDS: [&str; 46] = [
        "xboard",
        "protover",
        "2",
        "new",
        "variant",
        "diamond",
        "diagonal",
        "gardner",
        "normal",
        "quit?",
        "force",
        "go",
        "playother",
        "level",
        "0",
        "1",
        "40",
        "0:01",
        "st",
        "sd",
        "time",
        "otim",
        "usermove",
        "e4d4",
        "d2e3",
        "a2a3",
        "?",
        "ping",
        "draw",
        "result",
        "1-0",
        "setboard",
        "k4/5/5/5/K4",
        "w",
        "-",
        "hint",
        "undo",
        "remove",
        "hard",
        "easy",
        "post",
        "analyze",
        "exit",
        ".",
        "exclude",
        "computer",
    ];
    let mut random = Random(0x1234_5678_9abc_def0);
    for _ in 0..20 {
        let mut talk = Talk::new();
        talk.send(b"xboard");
        talk.send(b"st 0.01");
        for _ in 0..200 {
            let mut line = random.line(&WORDS);
            // Mostly commands by themselves.
            if random.below(3) > 0 {
                line = line.split(' ').next().unwrap().to_owned();
            }
            talk.send(line.as_bytes());
        }
        for line in ["exit", "easy", "force", "new", "variant gardner", "st 0.01", "sd 1", "ping 4711"] {
            talk.send(line.as_bytes());
        }
        talk.until("pong 4711");
        talk.send(b"go");
        talk.until("move ");
        talk.finish();
    }
}

/// A line up to a word.
fn before(line: &str, word: &str) -> String {
    line.split(word).next().unwrap().to_owned()
}
