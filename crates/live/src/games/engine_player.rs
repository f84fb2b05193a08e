//! The engine as a player: its strength at each level, how long it searches, when it agrees to a draw.

use super::{GameHandle, LiveGameInner, LiveGames};
use lozenge_game::Network;
use lozenge_game::time::now_ms;
use lozenge_game::{ActionError, GameEvent};
use lozenge_wire::{Action, Color, GameResult, Hint, Player, PlayerKind, Reason, Status};
use lozenge_worker::{Class, Handicap, Job, Limits, Score};
use std::convert::Infallible;
use std::time::Duration;
use tokio::sync::oneshot;

/// The engine's skill levels behind the levels 1 to 8 that players choose from.
const ENGINE_LEVELS: [u8; 8] = [0, 1, 3, 5, 7, 9, 11, 13];

/// Nodes of the best level, so that a server with many games serves all of them.
const FULL_NODES: u64 = 400_000;

/// The engine answers no sooner than this: an instant answer is hard to follow on the board.
const MIN_DELAY: Duration = Duration::from_millis(350);

/// The engine's own level behind a level of 1 to 8.
fn skill(level: u8) -> u8 {
    ENGINE_LEVELS[usize::from(level.clamp(1, 8)) - 1]
}

/// The engine's own rating of a level, 1 to 8.
fn level_rating(level: u8) -> u32 {
    lozenge_worker::skill::rating(skill(level))
}

/// The engine's own ratings of all levels, the first level first.
pub fn level_ratings() -> [u32; ENGINE_LEVELS.len()] {
    ENGINE_LEVELS.map(lozenge_worker::skill::rating)
}

/// The engine as a player of a level, 1 to 8.
pub fn player(level: u8) -> Player {
    Player {
        kind: PlayerKind::Engine,
        id: "engine".into(),
        name: "Lozenge".into(),
        rating: Some(level_rating(level) as i32),
        provisional: false,
        level: Some(level),
    }
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

/// How long a move is held back at least; less when the engine is short of time, since its clock runs.
fn delay(left_ms: Option<i64>) -> Duration {
    let share = left_ms.map(|left| Duration::from_millis(u64::try_from(left / 30).unwrap_or(0)));
    share.map_or(MIN_DELAY, |share| share.min(MIN_DELAY))
}

/// The engine's search for a move. Dropping it cancels the job.
#[derive(Debug)]
pub(super) struct EngineSearch {
    /// Half moves played before.
    pub(super) ply: usize,
    _cancel: oneshot::Sender<Infallible>,
}

impl EngineSearch {
    /// Starts the search for the move after this many half moves.
    pub(super) fn start(games: &LiveGames, live: &GameHandle, level: u8, ply: usize) -> Self {
        let (cancel, cancelled) = oneshot::channel();
        let (games, live) = (games.clone(), live.clone());
        tokio::spawn(async move { search_and_play(games, live, level, ply, cancelled).await });
        Self { ply, _cancel: cancel }
    }
}

/// The lane in the engine's queue. Networks take turns, the widest first; within a network players with a
/// connection and those without, then accounts. All guests together count as one account, and take turns in it.
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

/// Searches the position and plays the best move, unless the game has gone on meanwhile.
async fn search_and_play(
    games: LiveGames,
    live: GameHandle,
    level: u8,
    ply: usize,
    mut cancelled: oneshot::Receiver<Infallible>,
) {
    let began = tokio::time::Instant::now();
    let (job, player, delay) = {
        let inner = live.lock().await;
        let machine = &inner.machine;
        let color = machine.turn();
        // The search counts for the person who is present.
        let people: Vec<Color> = inner.people().collect();
        let person =
            people.iter().copied().find(|&color| inner.is_connected(color)).or(people.first().copied());
        let Some(asking) = person else { return };
        let [Some(player), Some(person)] = [color, asking].map(|color| machine.player(color).cloned()) else {
            return;
        };
        if machine.played.len() != ply || !machine.is_engine(color) {
            return;
        }
        let seed = machine.config.id.bytes().fold(0u64, |sum, byte| sum.rotate_left(7) ^ u64::from(byte));
        let left =
            machine.clock.as_ref().filter(|clock| clock.is_live()).map(|clock| clock.left(color, now_ms()));
        let asker = asker(inner.network(asking), inner.is_connected(asking), &person);
        let limits = limits(level, seed, left);
        let job = Job { class: Class::Move, asker, game: machine.record.played().clone(), limits };
        (job, player, delay(left))
    };
    let game = job.game.clone();
    let search = async {
        let report = games.shared.engines.run(job).await;
        tokio::time::sleep_until(began + delay).await;
        report
    };
    let report = tokio::select! {
        _ = &mut cancelled => return,
        report = search => match report {
            Ok(report) => report,
            Err(lozenge_worker::Refused::TooMany(_)) => {
                return games.retry_engine(&mut *live.lock().await, ply, now_ms());
            }
            Err(lozenge_worker::Refused::Gone) => return,
        },
    };
    let Some(best) = report.best else { return };
    {
        let mut inner = live.lock().await;
        // A move may have been taken back since the search ended, and another search have begun.
        if inner.machine.played.len() != ply || !inner.machine.record.has_position_of(&game) {
            return;
        }
        inner.engine_score = match report.score {
            Score::Centipawns(score) => Some(score),
            _ => None,
        };
    }
    let played = game.write(best);
    let action = Action::Move { played, ply: ply as u32 };
    if let Err(error) = games.act(&live, &player, &action.into(), 0).await {
        tracing::warn!(%error, "could not play the engine's move");
        games.retry_engine(&mut *live.lock().await, ply, now_ms());
    }
}

/// The move that the engine at full strength suggests to its opponent. There are no hints against people.
pub(super) async fn hint(games: &LiveGames, live: &GameHandle, user: &str) -> Result<Hint, ActionError> {
    let job = {
        let inner = live.lock().await;
        let machine = &inner.machine;
        let color = machine.side_of(user).ok_or(ActionError::NotAPlayer)?;
        if !machine.is_alone(color) {
            return Err(ActionError::AgainstPerson);
        }
        match machine.status() {
            Status::Started if color == machine.turn() => {}
            Status::Started => return Err(ActionError::NotYourTurn),
            _ => return Err(ActionError::Over),
        }
        let limits = Limits {
            nodes: Some(FULL_NODES),
            movetime: Some(Duration::from_millis(1_500)),
            ..Limits::default()
        };
        let Some(person) = &machine.seats[color.index()] else { return Err(ActionError::NotAPlayer) };
        let asker = asker(inner.network(color), inner.is_connected(color), person);
        Job { class: Class::Hint, asker, game: machine.record.played().clone(), limits }
    };
    let (game, ply) = (job.game.clone(), job.game.plies() as u32);
    let report = games.shared.engines.run(job).await.map_err(|error| ActionError::Busy(error.to_string()))?;
    let best = report.best.ok_or(ActionError::Over)?;
    Ok(Hint { ply, played: game.write(best), squares: lozenge_game::convert::last(best) })
}

/// The engine's answer to a draw offer: it accepts if the game is long and level.
pub(super) fn answer_draw_offer(
    inner: &LiveGameInner,
    color: Color,
    now: i64,
) -> Result<Vec<GameEvent>, ActionError> {
    inner.machine.may_offer_draw(color)?;
    let old = inner.machine.played.len() >= 60;
    if old && inner.engine_score.is_some_and(|score| score.abs() <= 15) {
        return Ok(vec![GameEvent::Finished {
            result: GameResult::Draw,
            reason: Reason::Agreement,
            at: now,
        }]);
    }
    Ok(vec![GameEvent::DrawOffered { by: color }, GameEvent::DrawDeclined])
}
