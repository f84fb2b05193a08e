//! The numbers of the search, tuned by games: simultaneous perturbation stochastic approximation (SPSA; Spall 1992, "SPSA tuning" on
//! the Chess Programming Wiki, gains as in Fishtest). In every iteration all numbers are changed at once, each up or down by chance;
//! the engine with these changes plays the one with the opposite changes, a pair of games with colors changed, and every number moves
//! a little towards the side that won.
//!
//! An iteration is a function of the seed, its number and the values before its step. So any run, on any number of threads and with
//! any interruptions, finds the same values as long as the engine stays the same.

use super::{TuningError, fingerprint};
use crate::matches::{Adjudication, Agreement, Decision, DrawRule, WinRule};
use crate::openings::{Plan, RandomOpenings};
use crate::rng::Rng;
use lozenge_engine::{Engine, Limits, Signals, Tunable, Tunables};
use lozenge_rules::position::{AnyPosition, Color, Game, Outcome};
use lozenge_rules::variant::Variant;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The settings of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SpsaSettings {
    /// Names of the numbers to tune.
    pub tunables: Vec<String>,
    /// Pairs of games; the games take turns.
    pub iterations: u64,
    /// Nodes for each move.
    pub nodes: u64,
    /// Random seed.
    pub seed: u64,
    /// How far a number moves for a game won at the end of the run, as a part of its step. Fishtest uses 0.002 for 50,000 games; shorter
    /// runs need more.
    pub rate: f64,
}

/// A run so far.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct State {
    /// Its settings.
    pub settings: SpsaSettings,
    /// The games by id, with the fingerprints of their rules.
    pub games: Vec<(String, String)>,
    /// Iterations that are done.
    pub iteration: u64,
    /// The value of each number, in the order of the settings. The engine gets whole numbers.
    pub values: Vec<f64>,
    /// Points of all games for the side with the changes, and for the other.
    pub points: [f64; 2],
}

/// Iterations of one step. They begin with the same values, so that they can be played at the same time.
const STEP: u64 = 10;
/// Exponents and offset of the gains (Spall 1998, section III.B).
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
const OFFSET: f64 = 0.1;
/// Memory of each engine, in MiB.
const HASH_MIB: usize = 2;
/// When games end before the rules end them.
const ADJUDICATION: Adjudication = Adjudication {
    win: Some(WinRule { centipawns: 1_000, moves: 4 }),
    draw: Some(DrawRule { after: 80, moves: 12, centipawns: 15 }),
    max_plies: Some(300),
};

impl State {
    /// The beginning of a run: all defaults.
    ///
    /// # Errors
    /// When the engine has no number of a name in the settings.
    pub fn new(variants: &[Arc<Variant>], settings: SpsaSettings) -> Result<Self, TuningError> {
        let games =
            variants.iter().map(|variant| (variant.id().into(), format!("{:016x}", fingerprint(variant))));
        let games = games.collect();
        let values = settings.tunables.iter().map(|name| Ok(f64::from(tunable(name)?.default)));
        let values = values.collect::<Result<_, TuningError>>()?;
        Ok(Self { settings, games, iteration: 0, values, points: [0.0; 2] })
    }

    /// Goes on with the run of a file; a new one if there is no file.
    ///
    /// # Errors
    /// When the file cannot be read, or is of another run.
    pub fn open(path: &Path, variants: &[Arc<Variant>], settings: SpsaSettings) -> Result<Self, TuningError> {
        let what = path.display().to_string();
        let new = Self::new(variants, settings)?;
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(new),
            Err(error) => return Err(TuningError::File { what, error }),
        };
        let state: Self = serde_json::from_str(&text)
            .map_err(|error| TuningError::Record { what: what.clone(), error: error.to_string() })?;
        let line = |state: &Self| {
            serde_json::to_string(&(&state.settings, &state.games, state.values.len())).unwrap_or_default()
        };
        let (expected, found) = (line(&new), line(&state));
        if expected == found { Ok(state) } else { Err(TuningError::OtherData { what, expected, found }) }
    }

    /// Writes the run to its file. A crash leaves the old file or the new one.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), TuningError> {
        let fault = |error| TuningError::File { what: path.display().to_string(), error };
        let mut text = serde_json::to_string_pretty(self).map_err(|error| fault(error.into()))?;
        text.push('\n');
        let beside = path.with_extension("new");
        std::fs::write(&beside, text).and_then(|()| std::fs::rename(&beside, path)).map_err(fault)
    }

    /// The values as the engine gets them.
    #[must_use]
    pub fn found(&self) -> Vec<(&str, i32)> {
        let names = self.settings.tunables.iter().map(String::as_str);
        names.zip(self.values.iter().map(|value| value.round() as i32)).collect()
    }

    /// Plays iterations until all of the settings are done or `stop` is set; `progress` is called after each step, of ten iterations.
    ///
    /// # Errors
    /// Those of `progress`, and when the engine has no number of a name in the settings.
    pub fn run(
        &mut self,
        variants: &[Arc<Variant>],
        threads: usize,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Self) -> Result<(), TuningError>,
    ) -> Result<(), TuningError> {
        let tunables =
            self.settings.tunables.iter().map(|name| tunable(name)).collect::<Result<Vec<_>, _>>()?;
        let table = |_| variants.iter().map(|_| [Engine::new(HASH_MIB), Engine::new(HASH_MIB)]).collect();
        let mut engines: Vec<Vec<[Engine; 2]>> = (0..threads.max(1)).map(table).collect();
        while self.iteration < self.settings.iterations {
            let last = (self.iteration + STEP).min(self.settings.iterations);
            let trials: Vec<Trial> =
                (self.iteration..last).map(|number| self.trial(number, &tunables)).collect();
            let results = play_all(&trials, variants, self.settings.nodes, &mut engines, stop);
            // A step that was interrupted is played again.
            let Some(results) = results.into_iter().collect::<Option<Vec<i32>>>() else { return Ok(()) };
            for (trial, half_points) in trials.iter().zip(results) {
                self.learn(trial, half_points, &tunables);
            }
            self.iteration = last;
            progress(self)?;
        }
        Ok(())
    }

    /// The changes of an iteration.
    fn trial(&self, number: u64, tunables: &[&'static Tunable]) -> Trial {
        // Iterations of one seed, and of neighboring seeds, get different random numbers.
        let mut rng = Rng::new(self.settings.seed.wrapping_mul(0xD134_2543_DE82_EF95) ^ number);
        let shrunk = (self.settings.iterations as f64 / (number + 1) as f64).powf(GAMMA);
        let mut trial = Trial { number, signs: Vec::new(), sides: [Tunables::default(); 2], opening: 0 };
        for (tunable, value) in tunables.iter().zip(&self.values) {
            let sign = if rng.below(2) == 0 { 1.0 } else { -1.0 };
            // Rounded up as often as the fraction says, so that small changes count on average.
            let chance = rng.below(1 << 20) as f64 / f64::from(1 << 20);
            for (side, sign) in trial.sides.iter_mut().zip([sign, -sign]) {
                let changed = (value + sign * shrunk * f64::from(tunable.step) + chance).floor() as i32;
                side.set(tunable.name, changed.clamp(tunable.min, tunable.max));
            }
            trial.signs.push(sign);
        }
        trial.opening = rng.below(usize::MAX) as u64;
        trial
    }

    /// Moves the values towards the side that won, by half points more than the other.
    fn learn(&mut self, trial: &Trial, half_points: i32, tunables: &[&'static Tunable]) {
        let [number, all] = [trial.number + 1, self.settings.iterations].map(|number| number as f64);
        let shrunk = (all / number).powf(GAMMA);
        let offset = OFFSET * all;
        let gain = self.settings.rate * ((offset + all) / (offset + number)).powf(ALPHA) / (shrunk * shrunk);
        for ((value, sign), tunable) in self.values.iter_mut().zip(&trial.signs).zip(tunables) {
            let change = gain * shrunk * f64::from(tunable.step) * f64::from(half_points) * sign;
            *value = (*value + change).clamp(f64::from(tunable.min), f64::from(tunable.max));
        }
        let lead = f64::from(half_points) / 2.0;
        self.points[0] += 1.0 + lead;
        self.points[1] += 1.0 - lead;
    }
}

/// One iteration before it is played.
struct Trial {
    number: u64,
    /// Up or down, for each number.
    signs: Vec<f64>,
    /// The numbers of both sides.
    sides: [Tunables; 2],
    /// The seed of its opening.
    opening: u64,
}

/// The number of this name.
fn tunable(name: &str) -> Result<&'static Tunable, TuningError> {
    let known = Tunables::TABLE.iter().find(|known| known.name == name);
    known.ok_or_else(|| TuningError::Tunable(name.into()))
}

/// The results of trials; `None` for one that was not played.
fn play_all(
    trials: &[Trial],
    variants: &[Arc<Variant>],
    nodes: u64,
    engines: &mut [Vec<[Engine; 2]>],
    stop: &AtomicBool,
) -> Vec<Option<i32>> {
    let (next, results) = (AtomicUsize::new(0), Mutex::new(vec![None; trials.len()]));
    std::thread::scope(|scope| {
        for engines in engines {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed)
                    && let Some(trial) = trials.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let at = (trial.number % variants.len() as u64) as usize;
                    let result = play_pair(trial, &variants[at], nodes, &mut engines[at]);
                    let place = (trial.number - trials[0].number) as usize;
                    results.lock().unwrap_or_else(PoisonError::into_inner)[place] = Some(result);
                }
            });
        }
    });
    results.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// The half points by which the first side of a trial wins a pair of games, from -2 to 2.
fn play_pair(trial: &Trial, variant: &Arc<Variant>, nodes: u64, engines: &mut [Engine; 2]) -> i32 {
    let plan = Plan { seed: trial.opening, ..Plan::default() };
    let start = RandomOpenings::new(variant, plan).next_opening();
    for (engine, tunables) in engines.iter_mut().zip(trial.sides) {
        *engine.tunables_mut() = tunables;
    }
    let games = Color::BOTH.map(|first| match play(&start, first, nodes, engines) {
        Some(winner) if winner == first => 1,
        Some(_) => -1,
        None => 0,
    });
    games.iter().sum()
}

/// Plays one game in which the first engine has the color `first`, and returns the winner.
fn play(start: &AnyPosition, first: Color, nodes: u64, engines: &mut [Engine; 2]) -> Option<Color> {
    engines.iter_mut().for_each(Engine::clear);
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let mut game = Game::from_position(start.clone());
    let mut agreement = Agreement::default();
    loop {
        match game.outcome() {
            Some(Outcome::Win { winner, .. }) => return Some(winner),
            Some(Outcome::Draw(_)) => return None,
            None if game.claimable_draw().is_some() => return None,
            None => {}
        }
        let (mover, number) = (game.position().turn(), game.position().fullmove_number());
        let engine = &mut engines[usize::from(mover != first)];
        let report = engine.search(&game, &limits, &Signals::default(), &mut |_| {});
        game.play(report.best?).ok()?;
        let plies = game.moves().len() as u32;
        match agreement.update(&ADJUDICATION, mover, Some(report.score), number, plies) {
            Some(Decision::Win(winner)) => return Some(winner),
            Some(Decision::Draw | Decision::TooLong) => return None,
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_rules::library;

    fn settings(tunables: &[&str]) -> SpsaSettings {
        let tunables = tunables.iter().map(|&name| name.to_owned()).collect();
        SpsaSettings { tunables, iterations: 14, nodes: 30, seed: 3, rate: 0.5 }
    }

    #[test]
    fn runs_do_not_depend_on_threads_or_interruptions() {
        let variants = ["diamond", "diagonal"].map(|id| library::game(id).unwrap());
        let settings = settings(&["futility", "quiet_moves", "null_move"]);
        let folder = tempfile::tempdir().unwrap();
        let run = |threads: usize, path: &str| {
            let path = folder.path().join(path);
            let stop = AtomicBool::new(false);
            let mut state = State::open(&path, &variants, settings.clone()).unwrap();
            let begun = state.iteration;
            state.run(&variants, threads, &stop, &mut |state| state.save(&path)).unwrap();
            (begun, state)
        };
        let whole = run(1, "one").1;
        assert_eq!(whole, run(2, "two").1);
        assert_eq!(whole, State::open(&folder.path().join("one"), &variants, settings.clone()).unwrap());
        assert_eq!((whole.iteration, whole.points[0] + whole.points[1]), (14, 28.0));
        let mut half = State::new(&variants, settings.clone()).unwrap();
        let stop = AtomicBool::new(false);
        half.run(&variants, 1, &stop, &mut |state| {
            stop.store(true, Ordering::Relaxed);
            state.save(&folder.path().join("half"))
        })
        .unwrap();
        assert_eq!(half.iteration, 10);
        assert_eq!(run(2, "half"), (10, whole));
        let other = SpsaSettings { seed: 4, ..settings };
        let error = State::open(&folder.path().join("one"), &variants, other).unwrap_err();
        assert!(matches!(error, TuningError::OtherData { .. }));
    }

    #[test]
    fn values_move_towards_the_side_that_wins() {
        let variants = [library::game("diamond").unwrap()];
        let mut state = State::new(&variants, settings(&["futility", "delta"])).unwrap();
        let tunables = [tunable("futility").unwrap(), tunable("delta").unwrap()];
        let best = [180.0, 90.0];
        state.settings.iterations = 4_000;
        state.settings.rate = 0.02;
        for number in 0..state.settings.iterations {
            let trial = state.trial(number, &tunables);
            // The side that is nearer to the best values wins.
            let [first, second] = trial.sides.map(|side| {
                (f64::from(side.futility) - best[0]).abs() / 20.0
                    + (f64::from(side.delta) - best[1]).abs() / 25.0
            });
            state.learn(&trial, i32::from(first < second) - i32::from(first > second), &tunables);
        }
        for ((value, best), tunable) in state.values.iter().zip(best).zip(tunables) {
            assert!((value - best).abs() < 0.5 * f64::from(tunable.step), "{} {value}", tunable.name);
        }
    }

    #[test]
    fn unknown_numbers_are_refused() {
        let variants = [library::game("diamond").unwrap()];
        let error = State::new(&variants, settings(&["futillity"])).unwrap_err().to_string();
        assert!(error.contains("`futillity`"), "{error}");
    }
}
