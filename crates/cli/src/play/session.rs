//! A game in progress: reads commands and moves, lets the engine play, and saves the game as PGN.

use super::command::{HELP, MoveError, PlayCommand, nearest, parse, read_move};
use super::input::{Dialog, Input, Next, converse, stop_on_interrupt};
use super::screen::{COLUMNS, Decision, Screen, ScreenSettings, named_start, pv_text, score_text, wrapped};
use super::style::Ink;
use lozenge_engine::skill::{FULL_LEVEL, rating};
use lozenge_engine::{Engine, Handicap, Info, Limits, SearchReport, Signals};
use lozenge_explain::{Language, explain};
use lozenge_rules::notation::pgn::{MoveNumber, ResultTag, write_game};
use lozenge_rules::notation::{record, san};
use lozenge_rules::position::{AnyPosition, Color, Game, Move, Outcome};
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

/// Longest time for a move if `--time` is not given. The lower levels need less.
pub(super) const DEFAULT_TIME: Duration = Duration::from_secs(5);

/// Nodes searched for a hint, at full strength.
pub(super) const HINT_NODES: u64 = 50_000;

/// Memory of the engine, in MiB.
pub(super) const HASH_MIB: usize = 64;

/// A game in the terminal.
pub(crate) struct TerminalGame<'w> {
    game: Game,
    /// The game's id or file, as on the command line.
    name: String,
    settings: ScreenSettings,
    flipped: bool,
    engine: Engine,
    /// Seed of a weak engine's mistakes, renewed with every game.
    seed: u64,
    decision: Option<Decision>,
    /// Files written by this session, which it may overwrite.
    saved: Vec<PathBuf>,
    /// Messages below the board when it is drawn next.
    notes: Vec<String>,
    /// Whether to draw the board before the next prompt.
    redraw: bool,
    out: &'w mut dyn Write,
}

impl<'w> TerminalGame<'w> {
    pub(crate) fn new(game: Game, name: String, settings: ScreenSettings, out: &'w mut dyn Write) -> Self {
        let first =
            game.position().legal_moves().into_iter().map(|first| san::write(game.position(), first)).min();
        let example = first.map_or_else(String::new, |first| format!(", for example {first}"));
        Self {
            notes: vec![named_start(&game), format!("Type a move{example}, or help.")],
            game,
            name,
            flipped: settings.human == Color::Black,
            settings,
            engine: Engine::new(HASH_MIB),
            seed: super::random_seed(),
            decision: None,
            saved: Vec::new(),
            redraw: true,
            out,
        }
    }

    /// Plays until the player quits.
    pub(crate) fn run(&mut self, input: &mut dyn Input) -> io::Result<()> {
        converse(input, self)?;
        self.print_resume_command()
    }

    const fn screen(&self) -> Screen<'_> {
        Screen { game: &self.game, settings: &self.settings, flipped: self.flipped, decision: self.decision }
    }

    fn draw(&mut self) -> io::Result<()> {
        let notes = std::mem::take(&mut self.notes);
        let text = self.screen().board(notes);
        writeln!(self.out, "{text}")
    }

    fn help(&mut self) -> io::Result<()> {
        let moves = ("a move", "its two squares and the promotion: a2b3, g7g8q; castling O-O");
        for (command, effect) in [moves].into_iter().chain(HELP) {
            writeln!(self.out, "  {command:<22} {effect}")?;
        }
        self.print(Ink::FAINT, "  Ctrl-C while the engine thinks makes it play at once.")
    }

    fn list_moves(&mut self, letter: &str) -> io::Result<()> {
        match self.screen().legal_moves(letter) {
            Ok(text) => writeln!(self.out, "{text}"),
            Err(reason) => self.print(Ink::ERROR, &reason),
        }
    }

    fn print(&mut self, ink: Ink, text: &str) -> io::Result<()> {
        writeln!(self.out, "{}", self.settings.style.paint(ink, &wrapped(text)))
    }

    fn try_move(&mut self, text: &str) -> io::Result<()> {
        let quoted: String = text.chars().filter(|letter| !letter.is_control()).take(30).collect();
        let word = text.split_whitespace().next().unwrap_or(text);
        if self.screen().ending().is_some() {
            let suggestion = nearest(word).map_or_else(String::new, |near| format!(" Did you mean {near}?"));
            return self.print(Ink::ERROR, &format!("The game is over.{suggestion}"));
        }
        match read_move(self.game.position(), text) {
            Ok(played) => self.play(played),
            Err(MoveError::Illegal(reason)) => self.print(Ink::ERROR, &reason),
            Err(MoveError::Syntax) => {
                let hint = match nearest(word) {
                    Some(near) => format!("Did you mean {near}?"),
                    None => "Type moves for the legal moves, help for the commands.".into(),
                };
                self.print(Ink::ERROR, &format!("`{quoted}` is neither a move nor a command. {hint}"))
            }
        }
    }

    fn play(&mut self, played: Move) -> io::Result<()> {
        if self.game.play(played).is_ok() {
            self.redraw = true;
            self.notes.clear();
        }
        Ok(())
    }

    /// The engine thinks and plays.
    fn engine_moves(&mut self) -> io::Result<()> {
        let position = self.game.position().clone();
        let report = self.think(&self.limits())?;
        // Play only a legal move, even if the engine fails.
        let legal = report.best.filter(|&best| position.is_legal(best));
        let Some(played) = legal.or_else(|| position.legal_moves().first().copied()) else { return Ok(()) };
        self.play(played)?;
        let text = format!("{} plays {}.", position.turn(), san::write(&position, played));
        self.notes.push(text);
        Ok(())
    }

    /// The limits of the engine's moves.
    fn limits(&self) -> Limits {
        let handicap = match self.settings.time {
            Some(_) => None,
            None => Handicap::at_level(self.settings.level, self.seed),
        };
        Limits { movetime: self.settings.time.or(Some(DEFAULT_TIME)), handicap, ..Limits::default() }
    }

    fn think(&mut self, limits: &Limits) -> io::Result<SearchReport> {
        let signals = Signals::new(false);
        let (shows_progress, style) = (self.settings.clear_screen, self.settings.style);
        let position = self.game.position().clone();
        let (engine, game, out) = (&mut self.engine, &self.game, &mut *self.out);
        if shows_progress {
            write!(out, "{}", style.paint(Ink::FAINT, "thinking"))?;
            out.flush()?;
        }
        let report = stop_on_interrupt(&signals, || {
            engine.search(game, limits, &signals, &mut |info: &Info| {
                if shows_progress {
                    let text = format!(
                        "thinking, depth {:>2}  {:>6}  {}",
                        info.depth,
                        score_text(info.score),
                        pv_text(&position, info)
                    );
                    let text: String = text.chars().take(COLUMNS - 2).collect();
                    // The search goes on if its progress cannot be shown.
                    let _ = write!(out, "\r\x1b[K{}", style.paint(Ink::FAINT, &text));
                    let _ = out.flush();
                }
            })
        });
        if shows_progress {
            write!(self.out, "\r\x1b[K")?;
        }
        Ok(report)
    }

    fn hint(&mut self) -> io::Result<()> {
        if self.screen().ending().is_some() {
            return self.print(Ink::ERROR, "The game is over.");
        }
        let report = self.think(&Limits { nodes: Some(HINT_NODES), ..Limits::default() })?;
        let position = self.game.position();
        match report.best {
            Some(best) => {
                let text = format!("{} ({})", san::write(position, best), score_text(report.score));
                self.print(Ink::STRONG, &text)
            }
            None => self.print(Ink::ERROR, "The engine found no move."),
        }
    }

    /// Takes back the player's last move and all moves after it.
    fn undo(&mut self) -> io::Result<()> {
        if self.decision.take().is_some() {
            self.redraw = true;
            self.notes = vec!["The game goes on.".into()];
            return Ok(());
        }
        let own = |(_, position): &(usize, AnyPosition)| position.turn() == self.settings.human;
        let before = self.game.positions().take(self.game.moves().len());
        let Some((target, _)) = before.enumerate().filter(own).last() else {
            return self.print(Ink::ERROR, "There is no move of yours to take back.");
        };
        while self.game.moves().len() > target {
            self.game.undo();
        }
        self.redraw = true;
        self.notes = vec!["Taken back.".into()];
        Ok(())
    }

    fn view(&mut self, how: &str) -> io::Result<()> {
        self.settings.diamond = match how {
            "" => !self.settings.diamond,
            "diamond" => true,
            "square" => false,
            _ => return self.print(Ink::ERROR, "The views are diamond and square."),
        };
        self.redraw = true;
        Ok(())
    }

    fn level(&mut self, level: &str) -> io::Result<()> {
        match (level, level.parse()) {
            ("", _) => {}
            (_, Ok(level @ 0..=FULL_LEVEL)) => (self.settings.level, self.settings.time) = (level, None),
            _ => return self.print(Ink::ERROR, &format!("The levels are 0 to {FULL_LEVEL}.")),
        }
        let text = match (self.settings.time, self.settings.level) {
            (Some(time), _) => {
                format!("The engine plays at full strength, {} s for each move.", time.as_secs_f64())
            }
            (None, FULL_LEVEL) => format!("The engine plays at level {FULL_LEVEL}, its full strength."),
            (None, level) => {
                format!("The engine plays at level {level} of {FULL_LEVEL}, rated about {}.", rating(level))
            }
        };
        self.print(Ink::PLAIN, &text)
    }

    fn resign(&mut self) -> io::Result<()> {
        if self.screen().ending().is_some() {
            return self.print(Ink::ERROR, "The game is over.");
        }
        self.decision = Some(Decision::Resigned(self.settings.human));
        self.redraw = true;
        Ok(())
    }

    fn claim(&mut self) -> io::Result<()> {
        if self.screen().ending().is_some() {
            return self.print(Ink::ERROR, "The game is over.");
        }
        if let Some(reason) = self.game.claimable_draw() {
            self.decision = Some(Decision::Claimed(reason));
            self.redraw = true;
            return Ok(());
        }
        let draws = self.game.variant().draws();
        let (times, moves) = (self.game.occurrences(), self.game.position().halfmove_clock() / 2);
        let mut why = Vec::new();
        // A limit of 0 is never reached.
        if draws.repetition.claim > 0 {
            why.push(format!("the position has occurred {times} of {} times", draws.repetition.claim));
        }
        if draws.moves.claim > 0 {
            why.push(format!(
                "{moves} of {} moves were made without capture or pawn move",
                draws.moves.claim
            ));
        }
        if why.is_empty() {
            why.push("this game has no draws to claim".into());
        }
        self.print(Ink::ERROR, &format!("No draw can be claimed: {}.", why.join(", ")))
    }

    fn new_game(&mut self, how: &str) -> io::Result<()> {
        let mut number = None;
        let mut human = self.settings.human;
        for word in how.split_whitespace() {
            match (word, word.parse::<usize>()) {
                ("white", _) => human = Color::White,
                ("black", _) => human = Color::Black,
                (_, Ok(start)) => number = Some(start),
                _ => {
                    return self.print(
                        Ink::ERROR,
                        "new, new white, new black, or the number of a starting position.",
                    );
                }
            }
        }
        match super::start(self.game.variant(), number) {
            Ok(start) => {
                self.settings.human = human;
                self.flipped = human == Color::Black;
                self.game = Game::from_position(start);
                self.notes = vec!["A new game.".into(), named_start(&self.game)];
                self.engine.clear();
                self.seed = super::random_seed();
                self.decision = None;
                self.redraw = true;
                Ok(())
            }
            Err(error) => self.print(Ink::ERROR, &format!("{error}.")),
        }
    }

    fn save(&mut self, path: &str) -> io::Result<()> {
        if path.is_empty() {
            return self.print(Ink::ERROR, "save needs the name of a file: save game.pgn");
        }
        let text = pgn(&self.game, self.settings.human, self.result());
        let path = PathBuf::from(path);
        let mut options = std::fs::OpenOptions::new();
        options.write(true);
        // Overwrite only files of this session.
        if self.saved.contains(&path) {
            options.truncate(true)
        } else {
            options.create_new(true)
        };
        let written = options.open(&path).and_then(|mut file| file.write_all(text.as_bytes()));
        match written {
            Ok(()) => {
                let name = path.display().to_string();
                self.saved.push(path);
                self.print(Ink::PLAIN, &format!("Saved to {name}."))
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                self.print(Ink::ERROR, "That file exists already. Choose another name.")
            }
            Err(error) => self.print(Ink::ERROR, &format!("Not saved: {error}.")),
        }
    }

    fn result(&self) -> ResultTag {
        let won = |winner| if winner == Color::White { ResultTag::WhiteWins } else { ResultTag::BlackWins };
        match (self.decision, self.game.outcome()) {
            (Some(Decision::Resigned(loser)), _) => won(loser.opponent()),
            (Some(Decision::Claimed(_)), _) | (None, Some(Outcome::Draw(_))) => ResultTag::Draw,
            (None, Some(Outcome::Win { winner, .. })) => won(winner),
            (None, None) => ResultTag::Unknown,
        }
    }

    /// The arguments of `lozenge play` that continue this game, without defaults.
    fn arguments_to_continue(&self) -> String {
        let ScreenSettings { human, level, time, diamond, .. } = self.settings;
        let side = if human == Color::White { "white" } else { "black" };
        let mut words = vec![self.name.clone(), "--side".into(), side.into()];
        match time {
            Some(time) => words.extend(["--time".into(), time.as_secs_f64().to_string()]),
            None if level == super::DEFAULT_LEVEL => {}
            None => words.extend(["--level".into(), level.to_string()]),
        }
        if diamond != self.game.variant().view().is_turned() {
            words.extend(["--view".into(), if diamond { "diamond" } else { "square" }.into()]);
        }
        shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
    }

    /// Prints the command that continues an unfinished game.
    fn print_resume_command(&mut self) -> io::Result<()> {
        if self.screen().ending().is_none() && !self.game.moves().is_empty() {
            let position = self.game.position();
            let text = format!(
                "To continue later: lozenge play {} --fen '{}'",
                self.arguments_to_continue(),
                position.fen()
            );
            // One line, to be copied.
            writeln!(self.out, "{}", self.settings.style.paint(Ink::FAINT, &text))?;
        }
        self.out.flush()
    }
}

impl Dialog for TerminalGame<'_> {
    fn prompt(&mut self) -> io::Result<String> {
        while self.screen().ending().is_none() && self.game.position().turn() != self.settings.human {
            if self.redraw && self.settings.clear_screen {
                self.draw()?;
            }
            self.engine_moves()?;
        }
        let over = self.screen().ending();
        if self.redraw {
            self.draw()?;
            if let Some(ending) = &over {
                self.print(Ink::STRONG, ending)?;
                self.print(Ink::FAINT, "Type new, undo, save FILE or quit.")?;
            }
            self.redraw = false;
        }
        let position = self.game.position();
        Ok(match over {
            Some(_) => "> ".into(),
            None => format!("{}. {} > ", position.fullmove_number(), position.turn()),
        })
    }

    fn execute(&mut self, line: &str) -> io::Result<Next> {
        match parse(line) {
            PlayCommand::Nothing => {}
            PlayCommand::Quit => return Ok(Next::Quit),
            PlayCommand::Help => self.help()?,
            PlayCommand::Board => self.redraw = true,
            PlayCommand::Moves(letter) => self.list_moves(&letter)?,
            PlayCommand::Hint => self.hint()?,
            PlayCommand::Undo => self.undo()?,
            PlayCommand::Flip => {
                self.flipped = !self.flipped;
                self.redraw = true;
            }
            PlayCommand::View(how) => self.view(&how)?,
            PlayCommand::Fen => {
                let fen = self.game.position().fen();
                writeln!(self.out, "{fen}")?;
            }
            PlayCommand::Save(path) => self.save(&path)?,
            PlayCommand::New(how) => self.new_game(&how)?,
            PlayCommand::Level(level) => self.level(&level)?,
            PlayCommand::Rules => {
                let text = explain(self.game.variant(), Language::English);
                writeln!(self.out, "{text}")?;
            }
            PlayCommand::Resign => self.resign()?,
            PlayCommand::Draw => self.claim()?,
            PlayCommand::Other(text) => self.try_move(&text)?,
        }
        self.out.flush()?;
        Ok(Next::Go)
    }

    fn interrupted(&mut self) -> io::Result<()> {
        self.print(Ink::FAINT, "Ctrl-C once more, or quit, leaves the game.")
    }
}

/// The game as PGN. `result` is not always that of the rules: a game may be resigned.
fn pgn(game: &Game, human: Color, result: ResultTag) -> String {
    let mut tree = record::tree(game);
    let name = |color: Color| if color == human { "Player" } else { "Lozenge" };
    let termination = if result == ResultTag::Unknown { "unterminated" } else { "normal" };
    let today = jiff::Zoned::now().strftime("%Y.%m.%d").to_string();
    for (tag, value) in [
        ("Event", "Game in the terminal"),
        ("Date", &today),
        ("White", name(Color::White)),
        ("Black", name(Color::Black)),
        // There is no clock.
        ("TimeControl", "-"),
        ("Termination", termination),
    ] {
        // Fails only for malformed tags.
        let _ = tree.tags.set(tag, value);
    }
    tree.set_result(result);
    let mut text = String::new();
    // Cannot fail: the moves are legal, and writing to a string succeeds.
    let _ = write_game(&mut text, &tree, MoveNumber::of_fen(&game.start().fen()));
    text
}
