//! An engine that plays the first legal move, and misbehaves according to its arguments: what the
//! runner of matches is tested with. `MODE [N]`: at the N-th `go` of a game (1 when left out) it
//!
//! ```text
//! crash     complains and ends              illegal   plays an illegal move
//! hang      never answers, not even `stop`  none      answers `(none)`
//! late      answers only when told `stop`   flood     talks without end
//! ```
//!
//! and at any time: `mute` does not introduce itself, `unready` never gets ready, `garbage` writes much that is
//! no UCI, `forgetful` ends when it gets moves, `foreign` knows Diamond Chess as `otherchess` only.

use lozenge_rules::library;
use lozenge_rules::notation::uci;
use lozenge_rules::position::{AnyPosition, Game};
use lozenge_rules::variant::Variant;
use std::io::{self, BufRead, Lines, StdinLock, Write};
use std::sync::Arc;
use std::time::Duration;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mode = arguments.first().map_or("", String::as_str).to_owned();
    let at = arguments.get(1).and_then(|text| text.parse().ok()).unwrap_or(1);
    let mut fake = Fake { mode, at, go: 0, variant: None, position: None };
    let mut lines = io::stdin().lock().lines();
    while let Some(line) = lines.next() {
        let line = line?;
        if line == "quit" {
            break;
        }
        fake.handle_line(&line, &mut lines)?;
    }
    Ok(())
}

struct Fake {
    mode: String,
    /// The `go` at which it misbehaves.
    at: u32,
    go: u32,
    variant: Option<Arc<Variant>>,
    position: Option<AnyPosition>,
}

impl Fake {
    fn handle_line(&mut self, line: &str, lines: &mut Lines<StdinLock<'_>>) -> io::Result<()> {
        let rest = |start| line.strip_prefix(start);
        if line == "uci" && self.mode != "mute" {
            let known = if self.mode == "foreign" { "otherchess" } else { "chess var diamond var gardner" };
            send(format_args!(
                "id name Fake\noption name UCI_Variant type combo default chess var {known}\nuciok"
            ))?;
        } else if line == "isready" && self.mode != "unready" {
            send("readyok")?;
        } else if line == "ucinewgame" {
            self.go = 0;
        } else if let Some(name) = rest("setoption name UCI_Variant value ") {
            self.variant = library::game(if name == "otherchess" { "diamond" } else { name });
        } else if let Some(fen) = rest("position fen ") {
            self.set_up(fen);
        } else if line.starts_with("go") {
            self.go += 1;
            self.answer(lines)?;
        }
        Ok(())
    }

    fn set_up(&mut self, text: &str) {
        let (fen, moves) = text.split_once(" moves ").unwrap_or((text, ""));
        if self.mode == "forgetful" && !moves.is_empty() {
            std::process::exit(4);
        }
        self.position = self.variant.as_ref().and_then(|variant| {
            let mut game = Game::from_position(AnyPosition::from_fen(variant, fen).ok()?);
            for word in moves.split_whitespace() {
                let played = uci::parse(game.position(), word).ok()?;
                game.play(played).ok()?;
            }
            Some(game.position().clone())
        });
    }

    fn answer(&self, lines: &mut Lines<StdinLock<'_>>) -> io::Result<()> {
        let now = self.go == self.at;
        match self.mode.as_str() {
            "crash" if now => {
                let _ = writeln!(io::stderr(), "told to crash");
                std::process::exit(3);
            }
            "hang" if now => loop {
                std::thread::sleep(Duration::from_secs(3600));
            },
            "late" if now => {
                for line in lines.by_ref() {
                    if line? == "stop" {
                        break;
                    }
                }
            }
            "flood" if now => loop {
                send("info string and so on")?;
            },
            "illegal" if now => return send("bestmove a1a1"),
            "none" if now => return send("bestmove (none)"),
            "garbage" => {
                let mut output = io::stdout().lock();
                output
                    .write_all(b"\xff\xfe\n\nbest move e2e4\ninfo score cp\ninfo depth -7 score mate x\n")?;
                output.write_all(&[b'x'; 70_000])?;
                output.write_all(b"\n")?;
            }
            _ => {}
        }
        let mut moves = self.position.as_ref().map(AnyPosition::legal_moves).unwrap_or_default();
        moves.sort();
        match (moves.first(), &self.variant) {
            (Some(&first), Some(variant)) => send(format_args!(
                "info depth 1 score cp 12 nodes 1 time 0\nbestmove {}",
                uci::write(variant, first)
            )),
            _ => send("bestmove (none)"),
        }
    }
}

fn send(text: impl std::fmt::Display) -> io::Result<()> {
    let mut output = io::stdout().lock();
    writeln!(output, "{text}")?;
    output.flush()
}
