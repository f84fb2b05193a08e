//! Lessons made from the rules of a game: [`course`] is a pure function from a game to short levels, the same
//! for the same game. Docs: `docs/lessons.md`. Not here: pages, scores, what a learner has done.
//!
//! A level is a position and a goal. In most levels only the learner moves: after each of their moves it is their turn
//! again. So a course teaches one piece at a time, with both Kings on the board, because a FEN without them is no position.

mod attempt;
mod board;
mod captures;
mod check;
mod learner;
mod level;
mod oddities;
mod pieces;
mod players;
mod random;
mod sandbox;
mod solver;
mod text;
mod traps;
mod walls;
mod winning;

pub use attempt::{Attempt, AttemptStep};
pub use level::{Course, Goal, Level, Stage, StageKind};
pub use text::{Sentence, Way};

use lozenge_rules::library::AnyGame;
use random::Random;
use sandbox::Sandbox;
use std::mem;

/// A game with more kinds of pieces than this has one level for each instead of two.
const MANY_KINDS: usize = 5;

/// Positions that are made for a stage; all kinds of pieces together are one. Without a bound a game of many kinds on a large board
/// would take minutes.
const STAGE_WORK: u32 = 40_000;

/// Most levels of a course, unless more are needed to teach each thing once.
const MOST_LEVELS: usize = 25;

/// Moves of the game at the end of a course.
const LAST_GAME_MOVES: u32 = 5;

/// The course of a game. Stages without a level are left out.
///
/// ```
/// use lozenge_rules::library;
/// let game = library::any_game("diamond").unwrap();
/// let course = lozenge_lessons::course(&game);
/// assert!(course.levels(&game).count() >= 12);
/// ```
#[must_use]
pub fn course(game: &AnyGame) -> Course {
    let sandbox = Sandbox::new(game);
    let mut random = Random::of(game);
    let kinds = pieces::in_order(&sandbox);
    let levels_each = if kinds.len() > MANY_KINDS { 1 } else { 2 };
    let mut stages = Vec::new();
    let mut add = |kind, work, make: &mut dyn FnMut() -> Vec<Level>| {
        sandbox.begin_stage(work);
        stages.push(Stage { kind, levels: make() });
    };
    add(StageKind::Board, STAGE_WORK, &mut || {
        players::turns(&sandbox).into_iter().chain(board::levels(&sandbox)).collect()
    });
    for &role in &kinds {
        let work = STAGE_WORK / kinds.len() as u32;
        add(StageKind::Piece(role), work, &mut || pieces::levels(&sandbox, role, levels_each));
    }
    add(StageKind::Captures, STAGE_WORK, &mut || captures::levels(&sandbox, &mut random, &kinds));
    add(StageKind::Players, STAGE_WORK, &mut || players::levels(&sandbox, &kinds));
    add(StageKind::Oddities, STAGE_WORK, &mut || {
        let mut levels = oddities::levels(&sandbox, &kinds);
        levels.extend(walls::level(&sandbox, &mut random));
        levels
    });
    add(StageKind::Check, STAGE_WORK, &mut || {
        let mut levels = check::levels(&sandbox, &mut random);
        levels.extend(players::check_from_last(&sandbox, &mut random));
        levels
    });
    add(StageKind::Winning, STAGE_WORK, &mut || {
        let mut levels = winning::levels(&sandbox, &mut random);
        levels.extend(players::places(&sandbox, &mut random));
        levels.extend(traps::levels(&sandbox));
        levels
    });
    add(StageKind::Game, STAGE_WORK, &mut || vec![last_game(&sandbox)]);
    stages.retain(|stage| !stage.levels.is_empty());
    shorten(&mut stages);
    Course { stages }
}

/// Takes levels away that teach the same as one before in their stage, from the longest stages, while the course has too many.
fn shorten(stages: &mut [Stage]) {
    let repeated = |stage: &Stage| {
        let levels = &stage.levels;
        let is_repeated = |&at: &usize| levels[..at].iter().any(|before| teach_the_same(before, &levels[at]));
        (0..levels.len()).rev().find(is_repeated)
    };
    while stages.iter().map(|stage| stage.levels.len()).sum::<usize>() > MOST_LEVELS {
        let longest = stages
            .iter_mut()
            .filter_map(|stage| repeated(stage).map(|at| (stage, at)))
            .max_by_key(|(stage, _)| stage.levels.len());
        let Some((stage, at)) = longest else { return };
        stage.levels.remove(at);
    }
}

/// Whether two levels have the same task, be it with other pieces.
fn teach_the_same(one: &Level, other: &Level) -> bool {
    match (&one.sentence, &other.sentence) {
        (Sentence::Escape { way: one }, Sentence::Escape { way: other }) => one == other,
        (one, other) => mem::discriminant(one) == mem::discriminant(other),
    }
}

/// The levels of the courses of the built-in games, by id, so that a list of games need not make all courses. A test compares.
const BUILT_IN_LEVELS: &[(&str, u32)] = &[
    ("diagonal", 21),
    ("diamondback", 24),
    ("diamond", 19),
    ("doublediamond", 24),
    ("diamondring", 22),
    ("diamondring-flat", 21),
    ("diamondring-mitregi", 25),
    ("diamondring-gryphon", 25),
    ("diamondring-scout", 25),
    ("diamondring-wolf", 25),
    ("diamondring-wildeurasian", 25),
    ("diamondring-fusion", 23),
    ("chess", 20),
    ("chess960", 21),
    ("legan", 17),
    ("capablanca", 23),
    ("cylinder", 21),
    ("losalamos", 20),
    ("gardner", 18),
    ("brilliant", 22),
    ("cannonlake", 21),
    ("gryphoncylinder", 23),
    ("fusionchess", 22),
    ("diamondring-four", 25),
    ("diamondring-teams", 25),
    ("fourplayerchess", 25),
    ("threearmies", 23),
];

/// The number of levels in the course of a built-in game.
#[must_use]
pub fn built_in_levels(id: &str) -> Option<u32> {
    BUILT_IN_LEVELS.iter().find(|(game, _)| *game == id).map(|&(_, levels)| levels)
}

/// A short game against the weakest level.
fn last_game(sandbox: &Sandbox) -> Level {
    Level {
        fen: sandbox.start().fen(),
        sentence: match sandbox.game {
            AnyGame::Two(_) => Sentence::Game { moves: LAST_GAME_MOVES },
            AnyGame::Four(_) => Sentence::GameOfMore { moves: LAST_GAME_MOVES },
        },
        goal: Goal::Play { level: 0, moves: LAST_GAME_MOVES },
        par: LAST_GAME_MOVES,
        stars: Vec::new(),
        solution: Vec::new(),
    }
}
