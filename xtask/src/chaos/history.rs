//! The acknowledgments and states of games that the players received. They are compared with the record afterwards; faults
//! that show without the record are recorded at once.

use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Most faults that are recorded; the rest is counted.
const MAX_FAULTS: usize = 20;

/// A state of a game that a player was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ObservedState {
    pub(super) ply: u64,
    pub(super) fen: String,
}

/// The acknowledgments and states of one game that its players received.
#[derive(Debug, Default)]
pub(super) struct Observations {
    /// The moves that were acknowledged, by ply.
    pub(super) moves: HashMap<u64, String>,
    /// The side whose resignation was acknowledged.
    pub(super) resigned: Option<&'static str>,
    /// The states, by the number of the last event.
    pub(super) states: HashMap<u64, ObservedState>,
    /// Whether the review was requested, and the site agreed.
    pub(super) reviewed: bool,
}

/// The observations of all players.
#[derive(Debug, Default)]
pub(super) struct History {
    games: Mutex<HashMap<String, Observations>>,
    faults: Mutex<(Vec<String>, usize)>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl History {
    /// Records a fault that shows without the record.
    pub(super) fn fault(&self, fault: String) {
        let mut faults = lock(&self.faults);
        faults.1 += 1;
        if faults.0.len() < MAX_FAULTS {
            faults.0.push(fault);
        }
    }

    /// A move was acknowledged.
    pub(super) fn acknowledged(&self, game: &str, ply: u64, played: &str) {
        let before = lock(&self.games).entry(game.into()).or_default().moves.insert(ply, played.into());
        if let Some(before) = before.filter(|before| before != played) {
            self.fault(format!("{game}: {before} and {played} were both acknowledged as ply {ply}"));
        }
    }

    /// A resignation was acknowledged.
    pub(super) fn resigned(&self, game: &str, side: &'static str) {
        lock(&self.games).entry(game.into()).or_default().resigned = Some(side);
    }

    /// The site agreed to review a game.
    pub(super) fn reviewed(&self, game: &str) {
        lock(&self.games).entry(game.into()).or_default().reviewed = true;
    }

    /// A state was sent. States with the same number are the same for all receivers.
    pub(super) fn record_state(&self, game: &str, state: &Value) {
        let (Some(seq), Some(ply), Some(fen)) =
            (state["seq"].as_u64(), state["ply"].as_u64(), state["fen"].as_str())
        else {
            return self.fault(format!("{game}: expected a state, found {state}"));
        };
        let observed = ObservedState { ply, fen: fen.to_owned() };
        let before = lock(&self.games).entry(game.into()).or_default().states.insert(seq, observed.clone());
        if let Some(before) = before.filter(|before| *before != observed) {
            self.fault(format!("{game} has two futures at event {seq}: {before:?} and {observed:?}"));
        }
    }

    /// How many moves were acknowledged, in how many games.
    pub(super) fn moves(&self) -> (usize, usize) {
        let games = lock(&self.games);
        (games.values().map(|observations| observations.moves.len()).sum(), games.len())
    }

    /// Ends it; returns the observations of each game, and the faults.
    pub(super) fn finish(&self) -> (HashMap<String, Observations>, Vec<String>) {
        let (mut faults, count) = std::mem::take(&mut *lock(&self.faults));
        if count > faults.len() {
            faults.push(format!("and {} more", count - faults.len()));
        }
        (std::mem::take(&mut *lock(&self.games)), faults)
    }
}
