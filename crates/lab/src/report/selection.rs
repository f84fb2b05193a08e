//! Which games of a report are still to be played, and which of those that were played count. Games may come in any order and
//! from any machine: they are counted in the order of their numbers, so that the report does not depend on it.

use super::plan::{self, Part, Plan};
use super::record::{GameRecord, KnownGames};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;

/// An opening: a starting position and moves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Opening {
    /// Which of the starting positions.
    pub start: usize,
    /// In long algebraic form.
    pub moves: Vec<String>,
}

/// A game that is to be played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameTask {
    /// Of which part.
    pub part: Part,
    /// Its number there, from 0.
    pub number: u32,
    /// Its opening; `None` where the number determines it.
    pub opening: Option<Opening>,
}

impl GameTask {
    /// The key of the game.
    #[must_use]
    pub fn key(&self) -> (Part, u32) {
        (self.part, self.number)
    }
}

/// The games of a part.
#[derive(Debug, Default)]
struct Games {
    /// Those that count.
    counted: Vec<GameRecord>,
    different: Different,
    /// Games in a row without a new one.
    duplicates: u32,
    /// Games that were looked at, whether they count or not: the number of the next one.
    processed: u32,
    /// The number of the next game to be played.
    next: u32,
    /// Games that came before their turn.
    waiting: BTreeMap<u32, GameRecord>,
    /// The time is up.
    is_cut: bool,
}

/// The games of a report, as far as they are known.
#[derive(Debug)]
pub struct Selection {
    plan: Plan,
    parts: [Games; Part::ALL.len()],
    /// Time to play all games, if that is bounded: each part ends after its quarter.
    budget: Option<Duration>,
    spent: Duration,
}

impl Selection {
    /// The games of a plan, with those that were played before.
    #[must_use]
    pub fn new(plan: &Plan, known: KnownGames) -> Self {
        let parts = Part::ALL.map(|_| Games::default());
        let mut selection = Self { plan: plan.clone(), parts, budget: None, spent: Duration::ZERO };
        let mut known: Vec<GameRecord> = known.into_values().collect();
        known.sort_by_key(|record| (record.part, record.number));
        known.into_iter().for_each(|record| selection.take(record));
        selection
    }

    /// The same with a limit on the time to play the games. A part then ends with the games that it has.
    #[must_use]
    pub fn within(self, budget: Duration) -> Self {
        Self { budget: Some(budget), ..self }
    }

    /// Counts time that was spent on games.
    pub fn spend(&mut self, time: Duration) {
        self.spent += time;
    }

    /// The time that was spent on games.
    #[must_use]
    pub fn spent(&self) -> Duration {
        self.spent
    }

    fn openings(&self) -> &[GameRecord] {
        &self.parts[Part::Full as usize].counted
    }

    /// Games of a part with the same opening.
    const fn each(part: Part) -> u32 {
        if matches!(part, Part::Full | Part::Weak) { 1 } else { 2 }
    }

    fn is_part_over(&self, part: Part) -> bool {
        let games = &self.parts[part as usize];
        if part == Part::Full {
            return games.counted.len() as u32 >= self.plan.games
                || games.duplicates >= plan::MAX_DUPLICATES
                || games.is_cut;
        }
        let most = self.plan.games_of(part).min(self.openings().len() as u32 * Self::each(part));
        self.is_part_over(Part::Full) && (games.processed >= most || games.is_cut)
    }

    /// Whether no more games are wanted.
    #[must_use]
    pub fn is_over(&self) -> bool {
        Part::ALL.iter().all(|&part| self.is_part_over(part))
    }

    /// The part that is being played.
    #[must_use]
    pub fn part(&self) -> Part {
        Part::ALL.into_iter().find(|&part| !self.is_part_over(part)).unwrap_or(Part::Quadruple)
    }

    /// How many games count so far.
    #[must_use]
    pub fn done(&self) -> u64 {
        let of_part = |part: &Part| match part {
            Part::Full => self.openings().len() as u64,
            part => u64::from(self.parts[*part as usize].processed),
        };
        Part::ALL.iter().map(of_part).sum()
    }

    /// A game with its opening; `None` if the opening is not known yet.
    #[must_use]
    pub fn task(&self, part: Part, number: u32) -> Option<GameTask> {
        if part == Part::Full {
            return Some(GameTask { part, number, opening: None });
        }
        let of = self.openings().get((number / Self::each(part)) as usize)?;
        let opening = Some(Opening { start: of.start, moves: of.opening.clone() });
        Some(GameTask { part, number, opening })
    }

    /// The next game to be played. `None` until more games have come in, or when no more are wanted.
    pub fn next_task(&mut self) -> Option<GameTask> {
        for part in Part::ALL {
            if self.is_part_over(part) {
                continue;
            }
            // No more games at full strength than can still count, as long as each of them is a new one.
            let missing = self.plan.games.saturating_sub(self.openings().len() as u32);
            let games = &mut self.parts[part as usize];
            games.next = games.next.max(games.processed);
            while games.waiting.contains_key(&games.next) {
                games.next += 1;
            }
            let number = games.next;
            let is_due = match part {
                Part::Full => number - games.processed < missing.max(1),
                part => number < self.plan.games_of(part),
            };
            if let (true, Some(task)) = (is_due, self.task(part, number)) {
                self.parts[part as usize].next += 1;
                return Some(task);
            }
        }
        None
    }

    /// Takes a game that was played. One that is known already changes nothing.
    pub fn take(&mut self, record: GameRecord) {
        let part = record.part;
        if record.number < self.parts[part as usize].processed {
            return;
        }
        self.parts[part as usize].waiting.insert(record.number, record);
        // Games of other parts may have waited for the opening.
        Part::ALL.into_iter().for_each(|part| self.count(part));
    }

    /// Counts the games of a part whose turn has come.
    fn count(&mut self, part: Part) {
        let quarter = self.budget.map(|budget| budget / Part::ALL.len() as u32 * (part as u32 + 1));
        while !self.is_part_over(part) {
            if self.task(part, self.parts[part as usize].processed).is_none() {
                return;
            }
            let time_is_up = quarter.is_some_and(|quarter| self.spent > quarter);
            let games = &mut self.parts[part as usize];
            let Some(record) = games.waiting.remove(&games.processed) else { return };
            games.processed += 1;
            match part {
                Part::Full => {
                    let is_new = record.ending.is_some() && games.different.insert(&record);
                    games.duplicates = if is_new { 0 } else { games.duplicates + 1 };
                    if is_new {
                        games.counted.push(record);
                    }
                    games.is_cut = time_is_up && !games.counted.is_empty();
                }
                part => {
                    // Unequal players' games are pairs, which stay together.
                    if part != Part::Weak || games.different.insert(&record) {
                        games.counted.push(record);
                    }
                    games.is_cut = time_is_up && games.processed.is_multiple_of(2);
                }
            }
        }
    }

    /// The games that count, part by part.
    #[must_use]
    pub fn games(&self) -> Vec<GameRecord> {
        self.parts.iter().flat_map(|games| games.counted.iter().cloned()).collect()
    }
}

/// Games that differ: in their openings, and in more than their first half. Two ways to one position give one game.
#[derive(Debug, Default)]
pub(super) struct Different {
    openings: HashSet<(usize, Vec<String>)>,
    /// By the last moves.
    games: HashMap<Vec<String>, Vec<Vec<String>>>,
}

impl Different {
    /// Whether the game is new.
    pub(super) fn insert(&mut self, record: &GameRecord) -> bool {
        if !self.openings.insert((record.start, record.opening.clone())) {
            return false;
        }
        let moves: Vec<String> = record.opening.iter().chain(&record.moves).cloned().collect();
        let tail = moves[moves.len().saturating_sub(4)..].to_vec();
        let alike = self.games.entry(tail).or_default();
        let is_known = alike.iter().any(|known| {
            let same = known.iter().rev().zip(moves.iter().rev()).take_while(|(a, b)| a == b).count();
            2 * same >= known.len().max(moves.len())
        });
        if !is_known {
            alike.push(moves);
        }
        !is_known
    }
}
