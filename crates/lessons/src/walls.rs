//! A level on walls: areas that some kinds of pieces may not enter.

use crate::captures::{is_safe, keeps};
use crate::learner::{LEARNER, Learned as _, next, own};
use crate::level::{Goal, Level};
use crate::random::Random;
use crate::sandbox::{CHANGED, Sandbox};
use crate::text::Sentence;
use lozenge_rules::library::AnyGame;
use lozenge_rules::position::{GamePosition, Move, Role};
use std::fmt::Write as _;

/// Random positions that are tried.
const TRIES: usize = 6_000;

/// A piece is attacked by one with a wall, and is safe only behind it. Without the wall it would not be safe there.
pub(crate) fn level(sandbox: &Sandbox, random: &mut Random) -> Option<Level> {
    let king = sandbox.king()?;
    let is_walled = |role: &&Role| sandbox.tables().roles().info(**role).wall.is_some();
    let (walled, free): (Vec<Role>, Vec<Role>) = sandbox.officers.iter().partition(is_walled);
    let open = without_walls(sandbox, &walled)?;
    (0..TRIES).find_map(|_| {
        let (kept, enemy) = (random.pick(&free)?, random.pick(&walled)?);
        let pieces = [own(king), own(kept), next(king), next(enemy)];
        let position = sandbox.scatter(random, &pieces, LEARNER)?;
        if position.is_check() || is_safe(&position)? {
            return None;
        }
        let legal = position.legal_moves();
        sandbox.spend(legal.len())?;
        let good: Vec<Move> = legal.iter().copied().filter(|&played| keeps(&position, played)).collect();
        let way = good.first().filter(|_| legal.len() > 4 * good.len())?;
        let open = GamePosition::from_fen(&open, &position.fen()).ok()?;
        let is_needed = good.iter().all(|&played| !keeps(&open, played));
        is_needed.then(|| Level::new(&position, Sentence::Wall { role: enemy }, Goal::Keep, &[], &[*way]))
    })
}

/// The same game in which these pieces may go anywhere; `None` where no piece has a wall.
fn without_walls(sandbox: &Sandbox, walled: &[Role]) -> Option<AnyGame> {
    if walled.is_empty() {
        return None;
    }
    let mut file = "extends = \"walled\"\nid = \"changed\"\nname = \"Changed\"\n".to_owned();
    for &role in walled {
        let letter = sandbox.tables().roles().info(role).letter;
        writeln!(file, "[roles.{letter}]\nwall = false").ok()?;
    }
    AnyGame::parse_extending(CHANGED, &file, sandbox.game.texts()).ok()
}
