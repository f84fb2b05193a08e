//! Levels on what only games of three and four have: the order of the turns, dead pieces, partners, check from every enemy, and places.
//! Not here: positions of such games, which the sandbox makes.

use crate::captures::hunt;
use crate::learner::{LEARNER, Learned as _, NEXT, PARTNER, next, own};
use crate::level::{Goal, Level};
use crate::random::Random;
use crate::sandbox::Sandbox;
use crate::solver::only_way;
use crate::text::Sentence;
use crate::winning::mate_of;
use lozenge_rules::position::{Move, Role};
use lozenge_rules::seat::{OwnedPiece, Seat};

/// Random positions that are tried for a level.
const TRIES: usize = 1_500;

/// Most legal moves of a level that is a way out of check.
const MOST_WAYS: usize = 3;

/// The other players' pieces in a level with a check.
const OFFICERS: usize = 4;

/// The level about the players and the order of their turns: a first move.
pub(crate) fn turns(sandbox: &Sandbox) -> Option<Level> {
    let teams = is_teams(sandbox)?;
    let start = sandbox.start();
    let mut moves = start.legal_moves();
    moves.sort_unstable();
    // One from the middle of the list is seldom a piece at the edge.
    let middle = moves.len() / 2;
    moves.rotate_left(middle);
    let sentence = Sentence::Turns { seats: sandbox.seats(), teams };
    moves.into_iter().find_map(|Move { from, to, .. }| {
        let way = only_way(sandbox, start, from, &[to], 1)?;
        Some(Level::new(start, sentence.clone(), Goal::Stars, &[to], &way))
    })
}

/// Pieces of players who are out, or those of the partner.
pub(crate) fn levels(sandbox: &Sandbox, kinds: &[Role]) -> Vec<Level> {
    let Some(teams) = is_teams(sandbox) else { return Vec::new() };
    let Some(&strongest) = sandbox.officers.first() else { return Vec::new() };
    if teams {
        return harmless(sandbox, Some(PARTNER), |role| Sentence::Partner { role }).into_iter().collect();
    }
    let hunters = [strongest].into_iter().chain(kinds.iter().copied());
    let captures = hunters.filter(|role| Some(*role) != sandbox.king()).find_map(|role| {
        let victim = OwnedPiece { owner: None, role: *sandbox.officers.last()? };
        hunt(sandbox, role, victim, &Sentence::Dead { role })
    });
    let harmless = harmless(sandbox, None, |role| Sentence::Harmless { role });
    captures.into_iter().chain(harmless).collect()
}

/// The King goes to a square where it would be in check if the piece of this owner were an enemy's.
fn harmless(sandbox: &Sandbox, owner: Option<Seat>, sentence: impl Fn(Role) -> Sentence) -> Option<Level> {
    let king = sandbox.king()?;
    let role = *sandbox.officers.first()?;
    let homes = sandbox.start_squares(own(king)).into_iter().chain(sandbox.squares.clone());
    let mut homes = homes.filter(|&home| sandbox.reach(own(king), home).quiet.len() > 2);
    homes.find_map(|home| {
        let stars = sandbox.reach(own(king), home).quiet.clone();
        stars.into_iter().find_map(|star| {
            sandbox.squares.iter().find_map(|&at| {
                let reach = &sandbox.reach(OwnedPiece { owner, role }, at).capture;
                // Not beside it, where the King could capture it.
                let near = |square| sandbox.reach(own(king), square).capture.contains(&at);
                if !reach.contains(&star) || reach.contains(&home) || near(home) || near(star) || at == home {
                    return None;
                }
                let scene = |owner| sandbox.scene((home, king), &[(at, OwnedPiece { owner, role })]);
                let position = scene(owner)?;
                let way = only_way(sandbox, &position, home, &[star], 1)?;
                let is_attacked = scene(Some(NEXT))
                    .is_some_and(|hostile| !hostile.legal_moves().iter().any(|played| way.contains(played)));
                is_attacked.then(|| Level::new(&position, sentence(role), Goal::Stars, &[star], &way))
            })
        })
    })
}

/// A check from the player whose turn is last.
pub(crate) fn check_from_last(sandbox: &Sandbox, random: &mut Random) -> Option<Level> {
    is_teams(sandbox)?;
    let king = sandbox.king()?;
    let last = *sandbox.start().enemies().last()?;
    (0..TRIES).find_map(|_| {
        let mut pieces = sandbox.all_kings(king);
        for number in 0..2 + OFFICERS {
            let role = random.pick(&sandbox.officers)?;
            let owner = Some(if number < 2 { LEARNER } else { last });
            pieces.push(OwnedPiece { owner, role });
        }
        let position = sandbox.scatter(random, &pieces, LEARNER)?;
        let legal = position.legal_moves();
        let fits = position.is_check() && legal.len() <= MOST_WAYS;
        let out = legal.iter().min().filter(|_| fits)?;
        Some(Level::new(&position, Sentence::CheckFrom { seat: last }, Goal::Escape, &[], &[*out]))
    })
}

/// The last two players: mate ends the game.
pub(crate) fn places(sandbox: &Sandbox, random: &mut Random) -> Option<Level> {
    if is_teams(sandbox)? {
        return None;
    }
    let king = sandbox.king()?;
    let kings = [own(king), next(king)];
    mate_of(sandbox, random, &kings, &Sentence::Places)
}

/// Whether teams play; `None` in a game of two.
fn is_teams(sandbox: &Sandbox) -> Option<bool> {
    sandbox.game.four().map(|game| game.is_teams())
}
