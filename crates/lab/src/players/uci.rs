//! A program that speaks UCI as a player: its options, its own name for the game, and starting it again
//! after it has failed.

use super::{Absence, Allowance, Player, Thought};
use lozenge_protocol::client::{ClientError, Program, UciEngine, Wait};
use lozenge_rules::notation::uci;
use lozenge_rules::position::{Color, Game};
use lozenge_rules::variant::Variant;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

/// How long a program that is late may take to stop before it is ended.
const STOPPING: Duration = Duration::from_secs(1);

/// How to use a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UciSettings {
    /// What to start.
    pub program: Program,
    /// Options to set, in order.
    pub options: Vec<(String, String)>,
    /// The program's own names of games, by our id.
    pub variants: BTreeMap<String, String>,
    /// A file of games for the program (`VariantPath`).
    pub variant_path: Option<String>,
    /// Whether it gets each position as FEN, without the moves that led there.
    pub forget_history: bool,
    /// How long it may take to introduce itself, and to get ready.
    pub patience: Duration,
}

/// A program that plays.
#[derive(Debug)]
pub struct UciPlayer {
    settings: UciSettings,
    engine: Option<UciEngine>,
    /// The game that the engine is set to, by our id.
    variant: Option<String>,
    /// The line that tells the game so far, and how many moves it has: it only grows while a game lasts.
    told: (String, usize),
}

impl UciPlayer {
    /// A player that is started when it is first needed.
    #[must_use]
    pub const fn new(settings: UciSettings) -> Self {
        Self { settings, engine: None, variant: None, told: (String::new(), 0) }
    }

    /// The running engine set to this game; started if need be.
    fn ready(&mut self, variant: &Variant) -> Result<&mut UciEngine, Absence> {
        let mut engine = match self.engine.take() {
            Some(engine) => engine,
            None => {
                self.variant = None;
                start(&self.settings)?
            }
        };
        if self.variant.as_deref() != Some(variant.id()) {
            choose(&mut engine, &self.settings, variant)?;
            self.variant = Some(variant.id().to_owned());
        }
        engine.new_game(Wait::most(self.settings.patience)).map_err(absence)?;
        Ok(self.engine.insert(engine))
    }
}

/// Starts the program and sets its options.
fn start(settings: &UciSettings) -> Result<UciEngine, Absence> {
    let wait = Wait::most(settings.patience);
    let mut engine = UciEngine::start(&settings.program, wait).map_err(absence)?;
    if let Some(path) = &settings.variant_path {
        engine.set_option("VariantPath", path).map_err(absence)?;
        engine.introduce(wait).map_err(absence)?;
    }
    for (name, value) in &settings.options {
        // A program that ignores an option plays otherwise than the match says.
        let offered =
            engine.offered(name).ok_or_else(|| Absence::Crashed(format!("it has no option {name}")))?;
        if let Some(expected) = offered.refuses(value) {
            return Err(Absence::Crashed(format!("option {name}: expected {expected}, found {value}")));
        }
        engine.set_option(name, value).map_err(absence)?;
    }
    engine.ready(wait).map_err(absence)?;
    Ok(engine)
}

/// Sets the game, by the program's name for it.
fn choose(engine: &mut UciEngine, settings: &UciSettings, variant: &Variant) -> Result<(), Absence> {
    let wait = Wait::most(settings.patience);
    let name = settings.variants.get(variant.id()).map_or(variant.id(), String::as_str);
    match engine.offered("UCI_Variant") {
        None => return Ok(()),
        Some(offered) if !offered.values.is_empty() && !offered.values.iter().any(|value| value == name) => {
            let known = offered.values.join(", ");
            return Err(Absence::Crashed(format!("it does not know the game {name}; it knows {known}")));
        }
        Some(_) => {}
    }
    engine.set_option("UCI_Variant", name).map_err(absence)?;
    engine.ready(wait).map_err(absence)
}

fn absence(error: ClientError) -> Absence {
    match error {
        ClientError::Interrupted => Absence::Interrupted,
        ClientError::Silent { .. } => Absence::Late { what: error.to_string() },
        ClientError::Start { .. } | ClientError::Ended { .. } => Absence::Crashed(error.to_string()),
    }
}

impl Player for UciPlayer {
    fn begin(&mut self, variant: &Arc<Variant>) -> Result<(), Absence> {
        self.told = (String::new(), 0);
        self.ready(variant).map(|_| ())
    }

    fn think(&mut self, game: &Game, allowance: &Allowance<'_>) -> Result<Thought, Absence> {
        let Some(engine) = &mut self.engine else { return Err(Absence::Crashed("it is not running".into())) };
        let wait = Wait { most: allowance.most, interrupted: &|| (allowance.interrupted)() };
        if self.settings.forget_history {
            self.told.0 = format!("position fen {}", game.position().fen());
        } else {
            tell(&mut self.told, game);
        }
        let go = go_line(allowance, game.position().turn());
        match engine.think(&self.told.0, &go, wait) {
            Ok(answer) => Ok(Thought {
                best: answer.best,
                score: answer.thinking.score,
                depth: answer.thinking.depth,
                nodes: answer.thinking.nodes,
                time: answer.time,
            }),
            Err(error) => {
                // An engine that is only late may stay; any other is started anew.
                let late = matches!(error, ClientError::Silent { .. });
                if !(late && engine.break_off(Wait::most(STOPPING)))
                    && let Some(engine) = self.engine.take()
                {
                    engine.kill();
                }
                Err(absence(error))
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

/// Adds to `position …` the moves that it does not tell yet.
fn tell(told: &mut (String, usize), game: &Game) {
    let (line, count) = told;
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
fn go_line(allowance: &Allowance<'_>, turn: Color) -> String {
    let mut line = String::from("go");
    if let Some(clocks) = allowance.clocks {
        let [white, black] = clocks;
        let _ = write!(
            line,
            " wtime {} btime {} winc {} binc {}",
            white.remaining().as_millis(),
            black.remaining().as_millis(),
            white.increment().as_millis(),
            black.increment().as_millis()
        );
    }
    if let Some(moves) = allowance.clock(turn).and_then(|clock| clock.moves_left()) {
        let _ = write!(line, " movestogo {moves}");
    }
    if let Some(time) = allowance.limit.movetime {
        let _ = write!(line, " movetime {}", time.as_millis());
    }
    if let Some(nodes) = allowance.limit.nodes {
        let _ = write!(line, " nodes {nodes}");
    }
    if let Some(depth) = allowance.limit.depth {
        let _ = write!(line, " depth {depth}");
    }
    line
}
