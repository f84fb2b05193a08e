//! Levels on winning: mate in one, a goal in one, and stopping an enemy who is about to reach a goal.

use crate::check::quiet_position;
use crate::learner::{Learned as _, NEXT, next, own};
use crate::level::{Goal, Level};
use crate::random::Random;
use crate::sandbox::Sandbox;
use crate::text::Sentence;
use lozenge_rules::position::{GamePosition, Move, Role, Status};
use lozenge_rules::seat::OwnedPiece;

/// Random positions that are tried for each level.
const TRIES: usize = 1_500;

/// Levels with mate in one.
const MATES: usize = 3;

/// Squares for each officer of White in a level with mate: the larger the board, the more pieces a mate takes.
const SQUARES_FOR_EACH: usize = 24;

pub(crate) fn levels(sandbox: &Sandbox, random: &mut Random) -> Vec<Level> {
    let mut levels: Vec<Level> = (0..MATES).filter_map(|_| mate(sandbox, random)).collect();
    levels.extend(reach(sandbox, random));
    levels.extend(stop(sandbox, random));
    levels
}

/// Exactly one move mates: in a game of more players the next one, while all are living.
fn mate(sandbox: &Sandbox, random: &mut Random) -> Option<Level> {
    let sentence = match sandbox.game.four() {
        Some(game) => Sentence::MateOut { teams: game.is_teams() },
        None => Sentence::Mate,
    };
    mate_of(sandbox, random, &sandbox.all_kings(sandbox.king()?), &sentence)
}

/// Exactly one move mates; these Kings are on the board.
pub(crate) fn mate_of(
    sandbox: &Sandbox,
    random: &mut Random,
    kings: &[OwnedPiece],
    sentence: &Sentence,
) -> Option<Level> {
    let officers = (sandbox.squares.len() / SQUARES_FOR_EACH).clamp(2, 6);
    (0..TRIES).find_map(|_| {
        let mut pieces = kings.to_vec();
        pieces.push(next(random.pick(&sandbox.officers)?));
        for _ in 0..officers {
            pieces.push(own(random.pick(&sandbox.officers)?));
        }
        let position = quiet_position(sandbox, random, &pieces)?;
        let legal = position.legal_moves();
        sandbox.spend(legal.len())?;
        let mut mates = legal.into_iter().filter(|&played| mates(&position, played));
        let only = mates.next().filter(|_| mates.next().is_none())?;
        Some(Level::new(&position, sentence.clone(), Goal::Mate, &[], &[only]))
    })
}

/// The kinds of pieces that win by reaching a square, with the other pieces that the level needs.
fn goal_role(sandbox: &Sandbox) -> Option<Role> {
    sandbox.tables().goals().iter().find_map(|(roles, _)| roles.iter().next())
}

/// One move of many wins by reaching a goal.
fn reach(sandbox: &Sandbox, random: &mut Random) -> Option<Level> {
    let (king, runner) = (sandbox.king()?, goal_role(sandbox)?);
    (0..TRIES).find_map(|_| {
        let pieces = cast(sandbox, random, (own(king), own(runner)), next(king))?;
        let position = quiet_position(sandbox, random, &pieces)?;
        let legal = position.legal_moves();
        sandbox.spend(legal.len())?;
        let mut wins = legal.into_iter().filter(|&played| reaches(&position, played));
        let only = wins.next().filter(|_| wins.next().is_none())?;
        Some(Level::new(&position, Sentence::Reach, Goal::Reach, &[], &[only]))
    })
}

/// The enemy threatens to reach a goal; few moves stop it.
fn stop(sandbox: &Sandbox, random: &mut Random) -> Option<Level> {
    let (king, runner) = (sandbox.king()?, goal_role(sandbox)?);
    (0..TRIES).find_map(|_| {
        let pieces = cast(sandbox, random, (next(king), next(runner)), own(king))?;
        let position = quiet_position(sandbox, random, &pieces)?;
        let legal = position.legal_moves();
        // Each may be followed by as many replies.
        sandbox.spend(legal.len() * legal.len())?;
        if legal.iter().any(|&played| wins_at_once(&position, played)) {
            return None;
        }
        let stops: Vec<Move> = legal.iter().copied().filter(|&played| stops(&position, played)).collect();
        let few = stops.len() <= 2 && legal.len() > 3 * stops.len();
        let way = stops.first().filter(|_| few)?;
        Some(Level::new(&position, Sentence::Stop, Goal::Stop, &[], &[*way]))
    })
}

/// Both Kings, the piece that runs, which may be the King itself, and an officer of each side.
fn cast(
    sandbox: &Sandbox,
    random: &mut Random,
    runner: (OwnedPiece, OwnedPiece),
    enemy: OwnedPiece,
) -> Option<Vec<OwnedPiece>> {
    let mut pieces = vec![runner.0, enemy];
    if runner.1 != runner.0 {
        pieces.push(runner.1);
    }
    pieces.push(own(random.pick(&sandbox.officers)?));
    pieces.push(next(random.pick(&sandbox.officers)?));
    Some(pieces)
}

/// Whether a move checkmates: in a game of more players the next one, who goes out.
pub(crate) fn mates(position: &GamePosition, played: Move) -> bool {
    let after = position.after(played);
    match (&after, position) {
        (GamePosition::Two(after), _) => after.is_check() && after.status() == Status::Checkmate,
        (GamePosition::Four(after), GamePosition::Four(before)) => {
            before.living().contains(NEXT) && !after.living().contains(NEXT)
        }
        (GamePosition::Four(_), GamePosition::Two(_)) => false,
    }
}

/// Whether a move reaches a goal, which only games of two have.
pub(crate) fn reaches(position: &GamePosition, played: Move) -> bool {
    position.two().is_some_and(|position| position.play_unchecked(played).status() == Status::Goal)
}

fn wins_at_once(position: &GamePosition, played: Move) -> bool {
    position.after(played).is_lost()
}

/// Whether after a move the enemy cannot reach a goal at once. In a game of more players no enemy can mate the learner at once,
/// nor does the learner stand mated already.
pub(crate) fn stops(position: &GamePosition, played: Move) -> bool {
    let after = position.after(played);
    if after.two().is_some() {
        return !after.legal_moves().into_iter().any(|reply| reaches(&after, reply));
    }
    let may_mate = |enemy| {
        let turn = after.at_turn(enemy);
        turn.is_some_and(|turn| {
            turn.legal_moves().into_iter().any(|reply| turn.after(reply).is_out_at_turn())
        })
    };
    !after.is_out_at_turn() && !after.enemies().into_iter().any(may_mate)
}
