//! A level on walls: areas that some kinds of pieces may not enter.

use crate::captures::{attacked, keeps};
use crate::level::{Goal, Level};
use crate::random::Random;
use crate::sandbox::Sandbox;
use crate::text::Sentence;
use lozenge_rules::library::AnyGame;
use lozenge_rules::position::{GamePosition, Role};

/// Random positions that are tried.
const TRIES: usize = 6_000;

/// A piece is attacked by one with a wall, and is safe only behind it. Without the wall it would not be safe there.
pub(crate) fn level(sandbox: &Sandbox, random: &mut Random) -> Option<Level> {
    let is_walled = |role: &&Role| sandbox.tables().roles().info(**role).wall.is_some();
    let (walled, free): (Vec<Role>, Vec<Role>) = sandbox.officers.iter().partition(is_walled);
    let open = without_walls(sandbox, &walled)?;
    (0..TRIES).find_map(|_| {
        let (kept, enemy) = (random.pick(&free)?, random.pick(&walled)?);
        let (position, good) = attacked(sandbox, random, kept, enemy)?;
        let way = good.first()?;
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
    let letter = |&role: &Role| sandbox.tables().roles().info(role).letter;
    let open: Vec<String> =
        walled.iter().map(|role| format!("[roles.{}]\nwall = false\n", letter(role))).collect();
    sandbox.changed(&open.concat())
}
