//! A program that speaks UCI as a player: its options, its own name for the game, and starting it again
//! after it has failed.

use super::{Limit, MoveBudget, MultiBudget, MultiPlayer, Player, PlayerError, PlayerMove};
use lozenge_protocol::client::{ClientError, PlayResult, Program, UciEngine, Wait};
use lozenge_rules::notation::uci;
use lozenge_rules::position::{Color, Game, MultiGame, MultiTurn};
use lozenge_rules::variant::{MultiVariant, Variant};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

/// How long a program that is late may take to stop before it is ended.
const STOP_TIMEOUT: Duration = Duration::from_secs(1);

/// How to use a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UciSettings {
    /// The program.
    pub program: Program,
    /// Options to set, in order.
    pub options: Vec<(String, String)>,
    /// The program's own names of games, by our id.
    pub variants: BTreeMap<String, String>,
    /// A file of games for the program (`VariantPath`).
    pub variant_path: Option<String>,
    /// Whether it gets each position as FEN, without the moves that led there.
    pub forget_history: bool,
    /// How long it may take to answer `uci` and `isready`.
    pub startup_timeout: Duration,
}

/// A program that plays.
#[derive(Debug)]
pub struct UciPlayer {
    settings: UciSettings,
    engine: Option<UciEngine>,
    /// The game that the engine is set to, by our id.
    variant: Option<String>,
    /// The `position` command of the game so far, and its number of moves. It only grows during a game.
    position_command: (String, usize),
}

impl UciPlayer {
    /// A player that is started when it is first needed.
    #[must_use]
    pub const fn new(settings: UciSettings) -> Self {
        Self { settings, engine: None, variant: None, position_command: (String::new(), 0) }
    }

    /// The running engine set to this game; started if need be.
    fn ready(&mut self, id: &str) -> Result<&mut UciEngine, PlayerError> {
        let mut engine = match self.engine.take() {
            Some(engine) => engine,
            None => {
                self.variant = None;
                start(&self.settings)?
            }
        };
        if self.variant.as_deref() != Some(id) {
            choose(&mut engine, &self.settings, id)?;
            self.variant = Some(id.to_owned());
        }
        engine.new_game(Wait::timeout(self.settings.startup_timeout)).map_err(player_error)?;
        Ok(self.engine.insert(engine))
    }
}

/// Starts the program and sets its options.
fn start(settings: &UciSettings) -> Result<UciEngine, PlayerError> {
    let wait = Wait::timeout(settings.startup_timeout);
    let mut engine = UciEngine::start(&settings.program, wait).map_err(player_error)?;
    if let Some(path) = &settings.variant_path {
        engine.set_option("VariantPath", path).map_err(player_error)?;
        engine.handshake(wait).map_err(player_error)?;
    }
    // Records hold the scores that the curves of `wdl` are fitted to.
    if engine.offered("Raw Score").is_some() {
        engine.set_option("Raw Score", "true").map_err(player_error)?;
    }
    for (name, value) in &settings.options {
        // A program that ignores an option would not play with the settings of the match.
        let offered =
            engine.offered(name).ok_or_else(|| PlayerError::Crashed(format!("it has no option {name}")))?;
        if let Some(expected) = offered.expected_instead_of(value) {
            return Err(PlayerError::Crashed(format!("option {name}: expected {expected}, found {value}")));
        }
        engine.set_option(name, value).map_err(player_error)?;
    }
    engine.ready(wait).map_err(player_error)?;
    Ok(engine)
}

/// Sets the game, by the program's name for it.
fn choose(engine: &mut UciEngine, settings: &UciSettings, id: &str) -> Result<(), PlayerError> {
    let wait = Wait::timeout(settings.startup_timeout);
    let name = settings.variants.get(id).map_or(id, String::as_str);
    match engine.offered("UCI_Variant") {
        None => return Ok(()),
        Some(offered) if !offered.values.is_empty() && !offered.values.iter().any(|value| value == name) => {
            let known = offered.values.join(", ");
            return Err(PlayerError::Crashed(format!("it does not know the game {name}; it knows {known}")));
        }
        Some(_) => {}
    }
    engine.set_option("UCI_Variant", name).map_err(player_error)?;
    engine.ready(wait).map_err(player_error)
}

fn player_error(error: ClientError) -> PlayerError {
    match error {
        ClientError::Interrupted => PlayerError::Interrupted,
        ClientError::Timeout { .. } => PlayerError::Timeout { what: error.to_string() },
        ClientError::Start { .. } | ClientError::Ended { .. } => PlayerError::Crashed(error.to_string()),
    }
}

impl Player for UciPlayer {
    fn begin(&mut self, variant: &Arc<Variant>) -> Result<(), PlayerError> {
        self.position_command = (String::new(), 0);
        self.ready(variant.id()).map(|_| ())
    }

    fn think(&mut self, game: &Game, budget: &MoveBudget<'_>) -> Result<PlayerMove, PlayerError> {
        if self.settings.forget_history {
            self.position_command.0 = format!("position fen {}", game.position().fen());
        } else {
            extend_position(&mut self.position_command, game);
        }
        let go = go_line(budget, game.position().turn());
        let wait = Wait { timeout: budget.timeout, interrupted: &|| (budget.interrupted)() };
        let answer = self.ask(&go, wait)?;
        Ok(PlayerMove {
            best: answer.best,
            score: answer.info.score,
            depth: answer.info.depth,
            nodes: answer.info.nodes,
            time: answer.time,
        })
    }
}

impl MultiPlayer for UciPlayer {
    fn begin(&mut self, variant: &Arc<MultiVariant>) -> Result<(), PlayerError> {
        self.ready(variant.id()).map(|_| ())
    }

    fn think(&mut self, game: &MultiGame, budget: MultiBudget<'_>) -> Result<String, PlayerError> {
        let MultiBudget { limit, clocks } = budget;
        self.position_command.0 = multi_position(game, self.settings.forget_history);
        let mut go = String::from("go");
        if let Some(clocks) = clocks {
            for seat in game.position().variant().seats().iter() {
                let (letter, clock) = (seat.letter(), clocks[seat]);
                let (time, increment) = (clock.remaining().as_millis(), clock.increment().as_millis());
                let _ = write!(go, " {letter}time {time} {letter}inc {increment}");
            }
            if let Some(moves) = clocks[game.position().turn()].moves_left() {
                let _ = write!(go, " movestogo {moves}");
            }
        }
        bounds(&mut go, limit);
        self.ask(&go, Wait::timeout(self.settings.startup_timeout)).map(|answer| answer.best)
    }
}

impl UciPlayer {
    /// Asks for a move in the position of the last `position` command.
    fn ask(&mut self, go: &str, wait: Wait<'_>) -> Result<PlayResult, PlayerError> {
        let Some(mut engine) = self.engine.take() else {
            return Err(PlayerError::Crashed("it is not running".into()));
        };
        match engine.think(&self.position_command.0, go, wait) {
            Ok(answer) => {
                self.engine = Some(engine);
                Ok(answer)
            }
            Err(error) => {
                // Keep an engine that is only late; restart any other.
                let late = matches!(error, ClientError::Timeout { .. });
                if late && engine.abort(Wait::timeout(STOP_TIMEOUT)) {
                    self.engine = Some(engine);
                } else {
                    engine.kill();
                }
                Err(player_error(error))
            }
        }
    }
}

impl Drop for UciPlayer {
    fn drop(&mut self) {
        if let Some(engine) = self.engine.take() {
            engine.quit();
        }
    }
}

/// Appends the new moves to the `position` command.
fn extend_position(position_command: &mut (String, usize), game: &Game) {
    let (line, count) = position_command;
    if line.is_empty() {
        *line = format!("position fen {}", game.start().fen());
    }
    for &played in &game.moves()[*count..] {
        line.push_str(if *count == 0 { " moves " } else { " " });
        line.push_str(&uci::write(game.variant(), played));
        *count += 1;
    }
}

/// `go …` with everything that bounds the move.
fn go_line(budget: &MoveBudget<'_>, turn: Color) -> String {
    let mut line = String::from("go");
    if let Some(clocks) = budget.clocks {
        let [white, black] = clocks.into_array();
        let _ = write!(
            line,
            " wtime {} btime {} winc {} binc {}",
            white.remaining().as_millis(),
            black.remaining().as_millis(),
            white.increment().as_millis(),
            black.increment().as_millis()
        );
    }
    if let Some(moves) = budget.clock(turn).and_then(|clock| clock.moves_left()) {
        let _ = write!(line, " movestogo {moves}");
    }
    bounds(&mut line, budget.limit);
    line
}

/// Appends the limits of a move other than clocks.
fn bounds(line: &mut String, limit: &Limit) {
    if let Some(time) = limit.movetime {
        let _ = write!(line, " movetime {}", time.as_millis());
    }
    if let Some(nodes) = limit.nodes {
        let _ = write!(line, " nodes {nodes}");
    }
    if let Some(depth) = limit.depth {
        let _ = write!(line, " depth {depth}");
    }
}

/// The `position` command of a game of four, with `R` and `T` for exits; or of its last position alone.
fn multi_position(game: &MultiGame, forget_history: bool) -> String {
    if forget_history {
        return format!("position fen {}", game.position().fen());
    }
    let mut line = format!("position fen {}", game.start().fen());
    for (number, &turn) in game.turns().iter().enumerate() {
        line.push_str(if number == 0 { " moves " } else { " " });
        match turn {
            MultiTurn::Move(played) => line.push_str(&uci::write_multi(game.position().variant(), played)),
            MultiTurn::Resignation => line.push('R'),
            MultiTurn::TimeOut => line.push('T'),
        }
    }
    line
}
