//! `lozenge learn`: the lessons of a game in the terminal, or as JSON.

use crate::{CliError, games, output};
use clap::Args;
use lozenge_explain::Language;
use lozenge_lessons::{Attempt, AttemptStep, Goal, Level, course};
use lozenge_protocol::diagnostics::draw_multi_board;
use lozenge_rules::library::AnyGame;
use lozenge_rules::notation::{drawing, turn};
use lozenge_rules::position::{GamePosition, MultiTurn};
use std::io::{self, BufRead};

/// Misses after which the solution is shown.
const MISSES: u32 = 2;

/// `learn`.
#[derive(Args, Debug)]
pub(crate) struct LearnArgs {
    /// Id of a game, or path of a variant file (`-`: standard input).
    variant: String,
    /// The language of the lessons: `en` or `de`.
    #[arg(long, value_name = "LANGUAGE", value_parser = output::language, default_value = "en")]
    language: Language,
    /// Print the whole course as JSON, as the site's API has it.
    #[arg(long)]
    json: bool,
}

/// How a level ends.
enum End {
    Solved,
    Skipped,
    /// The learner has left, or there is no more input.
    Left,
}

/// Goes through the levels.
pub(crate) fn run(args: &LearnArgs) -> Result<(), CliError> {
    let game = games::resolve_any(&args.variant)?;
    if args.json {
        let course = lozenge_game::convert::course(
            &game,
            lozenge_game::convert::digest_of(game.texts()),
            args.language,
        );
        return output::json(&serde_json::json!(course));
    }
    let course = course(&game);
    let count = course.levels(&game).filter(|(_, level)| !is_game(level)).count();
    output::line(format_args!("{}: {count} levels. Type a move, `hint`, `skip` or `quit`.", game.name()))?;
    let mut lines = io::stdin().lock().lines();
    let mut number = 0;
    let (mut solved, mut stars) = (0, 0);
    for stage in &course.stages {
        for level in &stage.levels {
            let title = stage.kind.title(&game, args.language);
            let text = level.sentence.text(&game, args.language);
            // Another command plays it, so it counts neither as solved nor as a level.
            if let Goal::Play { level, .. } = level.goal {
                let id = game.id();
                output::line(format_args!("\n{title}\n{text}\nlozenge play {id} --level {level}"))?;
                continue;
            }
            number += 1;
            output::line(format_args!("\n{number}/{count}  {title}\n{text}"))?;
            let (end, rating) = take(&game, level, &mut lines)?;
            match end {
                End::Solved => {
                    solved += 1;
                    stars += u32::from(rating);
                }
                End::Skipped => {}
                End::Left => return sum(solved, count, stars),
            }
        }
    }
    sum(solved, count, stars)
}

fn is_game(level: &Level) -> bool {
    matches!(level.goal, Goal::Play { .. })
}

fn sum(solved: usize, count: usize, stars: u32) -> Result<(), CliError> {
    output::line(format_args!("\n{solved} of {count} levels solved, {stars} stars."))
}

/// One level, until it is solved or left, and the stars for it.
fn take(
    game: &AnyGame,
    level: &Level,
    lines: &mut impl Iterator<Item = io::Result<String>>,
) -> Result<(End, u8), CliError> {
    let mut attempt = Attempt::new(game, level).map_err(CliError::from)?;
    let mut misses = 0;
    loop {
        output::line(board(&attempt).trim_end())?;
        let Some(text) = lines.next() else { return Ok((End::Left, 0)) };
        let text = text.map_err(output::fault)?;
        match text.trim() {
            "" => continue,
            "quit" => return Ok((End::Left, 0)),
            "skip" => return Ok((End::Skipped, 0)),
            "hint" => {
                output::line(hint(game, level))?;
                continue;
            }
            _ => {}
        }
        let played = match turn::parse_san(attempt.position(), text.trim()) {
            Ok(MultiTurn::Move(played)) => played,
            Ok(MultiTurn::Resignation | MultiTurn::TimeOut) => {
                output::line("expected a move, found a resignation or time-out")?;
                continue;
            }
            Err(error) => {
                output::line(format_args!("{error}"))?;
                continue;
            }
        };
        match attempt.play(played) {
            Ok(AttemptStep::Done) => {
                let rating = Attempt::rating(attempt.moves(), level.par);
                output::line(format_args!("Solved: {}", "*".repeat(rating.into())))?;
                return Ok((End::Solved, rating));
            }
            Ok(AttemptStep::Going) => {}
            Ok(AttemptStep::Missed) => {
                misses += 1;
                if let Some(answer) = attempt.punishment(played) {
                    let after = attempt.position().play_unchecked(MultiTurn::Move(played));
                    let answer = turn::san(&after, MultiTurn::Move(answer));
                    output::line(format_args!("The answer is {answer}."))?;
                }
                output::line("That does not reach the goal. Try again.")?;
                if misses == MISSES {
                    output::line(hint(game, level))?;
                }
            }
            Err(error) => output::line(format_args!("{error}"))?,
        }
    }
}

/// A way from the beginning of the level to its goal.
fn hint(game: &AnyGame, level: &Level) -> String {
    let shape = game.shape();
    let arrows =
        level.solution.iter().map(|played| format!("{}-{}", shape.name(played.from), shape.name(played.to)));
    format!("Hint: {}", arrows.collect::<Vec<_>>().join(" "))
}

/// The board with `*` for stars on empty squares.
fn board(attempt: &Attempt) -> String {
    let position = match attempt.position() {
        GamePosition::Two(position) => position,
        GamePosition::Four(position) => return draw_multi_board(position, attempt.left()),
    };
    let variant = position.variant();
    drawing::board(variant, false, false, |square| match position.piece_at(square) {
        Some(piece) => variant.roles().letter(piece),
        None if attempt.left().contains(&square) => '*',
        None => drawing::EMPTY,
    })
}
