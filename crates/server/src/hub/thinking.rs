//! The engine as a player: how well it plays at each level, for how long it thinks, when it agrees to a draw.

use super::live::{Inside, Live};
use super::refusal::Refusal;
use super::{Fact, Hub};
use crate::network::Network;
use crate::time::now_ms;
use lozenge_wire::{Action, Color, Hint, Player, PlayerKind, Reason, Status};
use lozenge_worker::{Handicap, Job, Limits, Score};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;

/// The levels that players choose from, 1 to 8: the engine's own levels behind them.
pub(crate) const ENGINE_LEVELS: [u8; 8] = [0, 1, 3, 5, 7, 9, 11, 13];

/// Nodes of the best level, so that a server with many games serves all of them.
const FULL_NODES: u64 = 400_000;

/// A move is not shown sooner than this after the last one: a board that answers at once cannot be followed.
const LEAST_DELAY: Duration = Duration::from_millis(350);

/// The engine's own level behind a level of 1 to 8.
fn skill(level: u8) -> u8 {
    ENGINE_LEVELS[usize::from(level.clamp(1, 8)) - 1]
}

/// The engine's own rating of a level, 1 to 8.
pub(crate) fn level_rating(level: u8) -> u32 {
    lozenge_worker::skill::rating(skill(level))
}

/// The engine's own ratings of all levels, the first level first.
pub(crate) fn level_ratings() -> [u32; ENGINE_LEVELS.len()] {
    ENGINE_LEVELS.map(lozenge_worker::skill::rating)
}

/// How the engine searches at a level, 1 to 8.
fn limits(level: u8, seed: u64, left_ms: Option<i64>) -> Limits {
    let share = left_ms.map_or(3_000, |left| (left / 30).clamp(20, 3_000));
    Limits {
        nodes: Some(FULL_NODES),
        movetime: Some(Duration::from_millis(share as u64)),
        handicap: Handicap::at_level(skill(level), seed),
        ..Limits::default()
    }
}

/// How long a move is held back at least: the shorter the less time is left, since it is the engine's.
fn delay(left_ms: Option<i64>) -> Duration {
    let share = left_ms.map(|left| Duration::from_millis(u64::try_from(left / 30).unwrap_or(0)));
    share.map_or(LEAST_DELAY, |share| share.min(LEAST_DELAY))
}

/// The engine's search for a move. Dropping it takes its job out of the queue.
#[derive(Debug)]
pub(super) struct Thinking {
    /// Half moves played before.
    pub(super) ply: usize,
    _cancel: oneshot::Sender<Infallible>,
}

impl Thinking {
    /// Begins to think about the move after so many half moves.
    pub(super) fn begin(hub: &Hub, live: &Arc<Live>, level: u8, ply: usize) -> Self {
        let (cancel, cancelled) = oneshot::channel();
        let (hub, live) = (hub.clone(), Arc::clone(live));
        tokio::spawn(async move { think(hub, live, level, ply, cancelled).await });
        Self { ply, _cancel: cancel }
    }
}

/// Whose turn it is in the engine's queue: networks take turns, the widest first, inside a network players with a
/// connection and those without, then accounts, all guests together counting as one, and at last each guest.
fn asker(network: Option<Network>, connected: bool, person: &Player) -> Vec<String> {
    let mut path: Vec<String> = match network {
        Some(network) => network.steps().map(|(network, _)| network.to_string()).collect(),
        None => vec!["unknown".into()],
    };
    path.reverse();
    path.push(if connected { "connected" } else { "not connected" }.into());
    if person.kind == PlayerKind::Guest {
        path.push("guests".into());
    }
    path.push(person.id.clone());
    path
}

/// Searches the position and plays what was found, unless the game has gone on without it.
async fn think(
    hub: Hub,
    live: Arc<Live>,
    level: u8,
    ply: usize,
    mut cancelled: oneshot::Receiver<Infallible>,
) {
    let began = tokio::time::Instant::now();
    let (job, player, delay) = {
        let inside = live.lock().await;
        let table = &inside.table;
        let Some((color, _)) = table.engine() else { return };
        let [Some(player), Some(person)] = [color, !color].map(|color| table.seats[color.index()].clone())
        else {
            return;
        };
        if table.played.len() != ply {
            return;
        }
        let seed = table.terms.id.bytes().fold(0u64, |sum, byte| sum.rotate_left(7) ^ u64::from(byte));
        let left =
            table.clock.as_ref().filter(|clock| clock.is_live()).map(|clock| clock.left(color, now_ms()));
        let asker = asker(inside.network(!color), inside.is_connected(!color), &person);
        let job = Job { asker, game: table.record.clone(), limits: limits(level, seed, left) };
        (job, player, delay(left))
    };
    let position = job.game.position().clone();
    let search = async {
        let report = hub.inner.engines.run(job).await;
        tokio::time::sleep_until(began + delay).await;
        report
    };
    let report = tokio::select! {
        _ = &mut cancelled => return,
        report = search => match report {
            Ok(report) => report,
            Err(lozenge_worker::Refused::TooMany(_)) => {
                return hub.engine_failed(&mut *live.lock().await, ply, now_ms());
            }
            Err(lozenge_worker::Refused::Gone) => return,
        },
    };
    let Some(best) = report.best else { return };
    {
        let mut inside = live.lock().await;
        // Since the search ended a move may have been taken back, and another search have begun.
        if inside.table.played.len() != ply || inside.table.position() != &position {
            return;
        }
        inside.engine_score = match report.score {
            Score::Centipawns(score) => Some(score),
            _ => None,
        };
    }
    let played = crate::shown::text(&position, best);
    let action = Action::Move { played, ply: ply as u32 };
    if let Err(error) = hub.act(&live, &player, &action, 0).await {
        tracing::warn!(%error, "the engine's move could not be played");
        hub.engine_failed(&mut *live.lock().await, ply, now_ms());
    }
}

/// What the engine at its best would play for a person who plays against it. Nobody is helped against a person.
pub(super) async fn hint(hub: &Hub, live: &Live, user: &str) -> Result<Hint, Refusal> {
    let job = {
        let inside = live.lock().await;
        let table = &inside.table;
        let color = table.side_of(user).ok_or(Refusal::NotAPlayer)?;
        if table.engine().is_none() {
            return Err(Refusal::AgainstPerson);
        }
        match table.status() {
            Status::Started if color == table.turn() => {}
            Status::Started => return Err(Refusal::NotYourTurn),
            _ => return Err(Refusal::Over),
        }
        let limits = Limits {
            nodes: Some(FULL_NODES),
            movetime: Some(Duration::from_millis(1_500)),
            ..Limits::default()
        };
        let Some(person) = &table.seats[color.index()] else { return Err(Refusal::NotAPlayer) };
        let asker = asker(inside.network(color), inside.is_connected(color), person);
        Job { asker, game: table.record.clone(), limits }
    };
    let (position, ply) = (job.game.position().clone(), job.game.moves().len() as u32);
    let report = hub.inner.engines.run(job).await.map_err(|error| Refusal::Busy(error.to_string()))?;
    let best = report.best.ok_or(Refusal::Over)?;
    Ok(Hint { ply, played: crate::shown::text(&position, best), squares: crate::shown::last(best) })
}

/// The engine's answer to the offer of a draw: yes, if the game is old and level.
pub(super) fn answer_draw(inside: &Inside, color: Color, now: i64) -> Result<Vec<Fact>, Refusal> {
    inside.table.may_offer_draw(color)?;
    let old = inside.table.played.len() >= 60;
    if old && inside.engine_score.is_some_and(|score| score.abs() <= 15) {
        return Ok(vec![Fact::Finished { result: "1/2-1/2".into(), reason: Reason::Agreement, at: now }]);
    }
    Ok(vec![Fact::DrawOffered { by: color }, Fact::DrawDeclined])
}
