//! `lozenge play`: a game against the engine in the terminal.
//!
//! `session` plays the game, `screen`, `board` and `style` draw it, `input` reads lines and handles Ctrl-C, `command` parses
//! them. `multi` is the session of a game of four.

mod board;
mod command;
mod input;
mod multi;
mod screen;
mod session;
mod style;

use crate::CliError;
use crate::games::StartArgs;
use crate::numbers::whole;
use crate::output::fault as output_error;
use input::{Editor, Input, LineInput, Typed, handle_interrupts};
use lozenge_engine::skill::FULL_LEVEL;
use lozenge_rules::library::{self, AnyGame};
use lozenge_rules::position::{AnyPosition, Color, Game, MultiGame};
use lozenge_rules::seat::Seat;
use lozenge_rules::variant::Variant;
use multi::{MultiSettings, MultiTerminalGame};
use screen::ScreenSettings;
use session::TerminalGame;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::time::Duration;
use style::Style;

/// The level by default.
const DEFAULT_LEVEL: u8 = 4;

/// A game against the engine in the terminal.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct PlayArgs {
    /// The game: its id or the path of a variant file; a menu if left out
    pub(crate) variant: Option<String>,
    /// The position instead of the game's start
    #[arg(long, value_name = "FEN", allow_hyphen_values = true, conflicts_with = "start")]
    pub(crate) fen: Option<String>,
    /// Number of the starting position, from 0, in games with several; a random one if left out
    #[arg(long, value_name = "N", value_parser = whole::<usize>(0..=usize::MAX))]
    pub(crate) start: Option<usize>,
    /// The side you play
    #[arg(long, value_enum, default_value_t)]
    pub(crate) side: Side,
    /// Level of the engine: 0 (beginner) to 13 (full strength), about 170 rating points apart
    #[arg(long, value_name = "N", default_value_t = DEFAULT_LEVEL,
        value_parser = whole::<u8>(0..=FULL_LEVEL))]
    pub(crate) level: u8,
    /// Seconds for each move of the engine, at full strength, instead of a level
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time: Option<Duration>,
    /// Orientation of the board; by default that of the game
    #[arg(long, value_enum)]
    pub(crate) view: Option<Orientation>,
    /// Plain text: no color, and the screen is not cleared
    #[arg(long)]
    pub(crate) plain: bool,
}

/// The side of the player.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Side {
    /// Moves first.
    #[default]
    White,
    /// Moves second.
    Black,
    /// In a game of four: moves first.
    Red,
    /// Moves second.
    Blue,
    /// Moves third.
    Yellow,
    /// Moves last.
    Green,
}

impl Side {
    /// The color in a game of two.
    fn color(self) -> Option<Color> {
        match self {
            Self::White => Some(Color::White),
            Self::Black => Some(Color::Black),
            _ => None,
        }
    }

    /// The seat in a game of four. White is the default and stands for who moves first.
    fn seat(self) -> Option<Seat> {
        match self {
            Self::White | Self::Red => Some(Seat::Red),
            Self::Black => None,
            Self::Blue => Some(Seat::Blue),
            Self::Yellow => Some(Seat::Yellow),
            Self::Green => Some(Seat::Green),
        }
    }
}

/// Orientation of the board.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Orientation {
    /// Turned by 45 degrees, a corner at the bottom.
    Diamond,
    /// Files and ranks along the page.
    Square,
}

/// Plays until the player quits.
///
/// # Errors
/// If there is no such game or position, or the output cannot be written.
pub(crate) fn run(args: PlayArgs) -> Result<(), CliError> {
    handle_interrupts();
    let (terminal, screen) = (io::stdin().is_terminal(), io::stdout().is_terminal());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let mut input: Box<dyn Input> = match Editor::new().filter(|_| terminal && screen) {
        Some(editor) => Box::new(editor),
        None => Box::new(LineInput::new(io::stdin().lock())),
    };
    let clear_screen = screen && terminal && !args.plain && !dumb;
    let style = if screen && !args.plain && !dumb && !no_color { Style::colored() } else { Style::plain() };
    let mut output = io::stdout();
    play(args, &mut *input, &mut output, style, clear_screen)
}

/// Plays on any input and output.
fn play(
    args: PlayArgs,
    input: &mut dyn Input,
    output: &mut dyn Write,
    style: Style,
    clear_screen: bool,
) -> Result<(), CliError> {
    let game = match &args.variant {
        Some(name) => crate::games::resolve_any(name)?,
        None => match ask_for_game(input, output).map_err(output_error)? {
            Some(game) => game,
            None => return Ok(()),
        },
    };
    let variant = match game {
        AnyGame::Two(variant) => variant,
        AnyGame::Four(variant) => {
            let start = StartArgs { fen: args.fen, start: args.start }.multi_position(&variant)?;
            let human = args.side.seat().ok_or(CliError::Side { expected: "red, blue, yellow or green" })?;
            let settings = MultiSettings { human, level: args.level, time: args.time, style, clear_screen };
            let mut game = MultiTerminalGame::new(MultiGame::from_position(start), settings, output);
            return game.run(input).map_err(output_error);
        }
    };
    let start = match (&args.fen, args.start) {
        (Some(fen), _) => AnyPosition::from_fen(&variant, fen)?,
        (None, number) => start(&variant, number)?,
    };
    let human = args.side.color().ok_or(CliError::Side { expected: "white or black" })?;
    let diamond = args.view.map_or(variant.view().is_turned(), |view| view == Orientation::Diamond);
    let settings = ScreenSettings { human, level: args.level, time: args.time, diamond, style, clear_screen };
    let name = args.variant.unwrap_or_else(|| variant.id().to_owned());
    TerminalGame::new(Game::from_position(start), name, settings, output).run(input).map_err(output_error)
}

/// The starting position with this number; without one, a random one.
fn start(variant: &Arc<Variant>, number: Option<usize>) -> Result<AnyPosition, CliError> {
    let count = variant.starts().len();
    let found = number.unwrap_or_else(|| random_below(count));
    AnyPosition::start_number(variant, found).ok_or(CliError::Start { last: count.saturating_sub(1), found })
}

/// A random number below `count`.
fn random_below(count: usize) -> usize {
    (random_seed() % count.max(1) as u64) as usize
}

/// A random seed: the standard library seeds its hashers from the system.
fn random_seed() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// Lists the games and asks for one; `None` if the player quits.
fn ask_for_game(input: &mut dyn Input, output: &mut dyn Write) -> io::Result<Option<AnyGame>> {
    writeln!(output, "The games:")?;
    let games: Vec<AnyGame> =
        library::ids().chain(library::multi_ids()).filter_map(library::any_game).collect();
    for (number, game) in (1..).zip(&games) {
        writeln!(output, "{number:>4}  {:<18} {}", game.id(), game.name())?;
    }
    loop {
        let line = match input.prompt("Which one? ") {
            Typed::Line(line) => line,
            Typed::Interrupt | Typed::End => return Ok(None),
        };
        let word = line.trim();
        if matches!(word, "quit" | "exit" | "q") {
            return Ok(None);
        }
        let by_number = word.parse::<usize>().ok().and_then(|number| games.get(number.wrapping_sub(1)));
        match by_number.or_else(|| games.iter().find(|game| game.id() == word || game.name() == word)) {
            Some(game) => return Ok(Some(game.clone())),
            None if word.is_empty() => {}
            None => writeln!(output, "Type the number or the name of a game, or quit.")?,
        }
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    if !(0.01..=3600.0).contains(&seconds) {
        return Err("expected 0.01 to 3600 seconds".into());
    }
    Ok(Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests;
