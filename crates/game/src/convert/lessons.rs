//! The lessons of a game as the wire's types, in a language.

use lozenge_explain::Language;
use lozenge_lessons::{Goal, Level, Stage};
use lozenge_rules::library::AnyGame;
use lozenge_rules::notation::uci;
use lozenge_wire::{Course, LessonGoal, LessonLevel, LessonStage};

/// The lessons of a game; `digest` is that of its rules. It takes a processor for some tenths of a second.
#[must_use]
pub fn course(game: &AnyGame, digest: String, language: Language) -> Course {
    let course = lozenge_lessons::course(game);
    let stages = course.stages.iter().map(|stage| lesson_stage(game, stage, language)).collect();
    Course { variant: game.id().to_owned(), digest, stages }
}

fn lesson_stage(game: &AnyGame, stage: &Stage, language: Language) -> LessonStage {
    let levels = stage.with_ids(game).map(|(id, level)| lesson_level(game, id, level, language));
    let mut levels: Vec<LessonLevel> = levels.collect();
    // The first level shows the way; the others are to be found out.
    levels.iter_mut().skip(1).for_each(|level| level.arrows.clear());
    LessonStage { id: stage.kind.id(game), title: stage.kind.title(game, language), levels }
}

fn lesson_level(game: &AnyGame, id: String, level: &Level, language: Language) -> LessonLevel {
    let shape = game.shape();
    let write = |&played| match game {
        AnyGame::Two(game) => uci::write(game, played),
        AnyGame::Four(game) => uci::write_multi(game, played),
    };
    LessonLevel {
        id,
        fen: level.fen.clone(),
        text: level.sentence.text(game, language),
        goal: goal(level.goal),
        par: level.par,
        stars: level.stars.iter().map(|&star| shape.name(star)).collect(),
        hero: level.hero().map(|hero| shape.name(hero)),
        arrows: level
            .solution
            .iter()
            .map(|played| [shape.name(played.from), shape.name(played.to)])
            .collect(),
        solution: level.solution.iter().map(write).collect(),
    }
}

fn goal(goal: Goal) -> LessonGoal {
    match goal {
        Goal::Stars => LessonGoal::Stars,
        Goal::Capture => LessonGoal::Capture,
        Goal::Promote => LessonGoal::Promote,
        Goal::Castle => LessonGoal::Castle,
        Goal::EnPassant => LessonGoal::EnPassant,
        Goal::Fuse => LessonGoal::Fuse,
        Goal::Check => LessonGoal::Check,
        Goal::Escape => LessonGoal::Escape,
        Goal::Keep => LessonGoal::Keep,
        Goal::Mate => LessonGoal::Mate,
        Goal::Reach => LessonGoal::Reach,
        Goal::Stop => LessonGoal::Stop,
        Goal::Play { level, moves } => LessonGoal::Play { level, moves },
    }
}
