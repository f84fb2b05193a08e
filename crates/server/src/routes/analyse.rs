//! The engine's lines in a position, as they are found. Players get no lines of their own games in progress. Not here:
//! whose turn it is (the pool of `lozenge_worker`).

use super::input::JsonBody;
use super::{AppResult, lines, positions, variants};
use crate::auth::Visitor;
use crate::budgets::Operation;
use crate::error::AppError;
use crate::limits::OpenStream;
use crate::state::AppState;
use axum::extract::State;
use axum::response::Response;
use lozenge_analysis::running;
use lozenge_game::Network;
use lozenge_rules::position::{MultiTurn, Played};
use lozenge_wire::Problem;
use lozenge_wire::analysis::{AnalysisEvent, AnalysisInfo, AnalysisRequest};
use lozenge_worker::{Class, Engine, Limits, Signals};
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

/// The usual time of a search, and the longest.
const DEFAULT_TIME: Duration = Duration::from_secs(8);
const MAX_TIME: Duration = Duration::from_secs(30);
/// Most nodes of a search.
const MAX_NODES: u64 = 100_000_000;
/// Most lines that are searched at once.
const MAX_LINES: u8 = 5;
/// Infos follow each other no faster.
const INFO_INTERVAL: Duration = Duration::from_millis(100);

/// Path of a client in the fair queue of analyses: its networks, the widest first, then its user; clients without a session
/// count as one user.
pub(super) fn asker(visitor: &Visitor) -> Vec<String> {
    let steps = visitor.network().into_iter().flat_map(Network::steps);
    let mut path: Vec<String> = steps.map(|(network, _)| network.to_string()).collect();
    path.reverse();
    path.push(visitor.user().map_or_else(|| "nobody".into(), |user| user.id.clone()));
    path
}

/// Refuses lines that reach a position of a game that the visitor is playing, or one that can come next in it.
async fn refuse_own_games(state: &AppState, visitor: &Visitor, analyzed: &Played) -> AppResult<()> {
    let Some(user) = visitor.user() else { return Ok(()) };
    for id in state.store.ongoing_games(&user.id).await? {
        let Some(live) = state.games.game(&id).await? else { continue };
        let inner = live.lock().await;
        let record = inner.machine.record.played();
        let is_same_game = inner.machine.record.variant().texts() == analyzed.position().variant().texts();
        if is_same_game && overlaps_game(record, analyzed) {
            return Err(AppError::OwnGame);
        }
    }
    Ok(())
}

/// Whether a line reaches a position of a game, or one that can come next. The start does not count.
fn overlaps_game(record: &Played, analyzed: &Played) -> bool {
    let (played, analyzed) = (keys(record), keys(analyzed));
    let played = &played[1..];
    if analyzed.iter().any(|key| played.contains(key)) {
        return true;
    }
    let here = record.position();
    let next = |next| here.play_unchecked(MultiTurn::Move(next)).key();
    !played.is_empty() && here.legal_moves().into_iter().any(|legal| analyzed.contains(&next(legal)))
}

/// The keys of the positions of a game.
fn keys(game: &Played) -> Vec<u64> {
    match game {
        Played::Two(game) => game.keys().to_vec(),
        Played::Four(game) => game.keys().to_vec(),
    }
}

/// The limits of a search.
fn limits(request: &AnalysisRequest) -> AppResult<Limits> {
    if !(1..=MAX_LINES).contains(&request.lines) {
        return Err(AppError::Invalid(format!("expected 1 to {MAX_LINES} lines, found {}", request.lines)));
    }
    let time = request.time_ms.map_or(DEFAULT_TIME, |time| Duration::from_millis(time.into()));
    Ok(Limits {
        depth: request.depth.map(|depth| depth.max(1)),
        nodes: Some(request.nodes.unwrap_or(MAX_NODES).clamp(1, MAX_NODES)),
        movetime: Some(time.min(MAX_TIME)),
        multipv: request.lines.into(),
        ..Limits::default()
    })
}

/// Analyzes a position with the engine, and streams the results, one JSON object a line. The search ends at its limits
/// (without a time limit, after eight seconds), or when the client closes the connection. Moves in games have priority.
#[utoipa::path(post, operation_id = "analyse", path = "/api/analyse", tag = "analysis", request_body = AnalysisRequest,
    responses((status = 200, body = AnalysisEvent, content_type = "application/x-ndjson"), (status = 403, body = Problem),
        (status = 404, body = Problem), (status = 422, body = Problem)))]
pub(super) async fn analyse(
    State(state): State<AppState>,
    visitor: Visitor,
    open: OpenStream,
    JsonBody(request): JsonBody<AnalysisRequest>,
) -> AppResult<Response> {
    state.budgets.charge(Operation::Search, visitor.id(), visitor.client())?;
    let limits = limits(&request)?;
    let variant = variants::readable_any(&state, visitor.id(), &request.variant).await?;
    let game = positions::play(&variant, request.fen.as_deref(), &request.moves)?;
    refuse_own_games(&state, &visitor, &game).await?;
    let game = if request.threat {
        let two =
            game.two().ok_or(AppError::Unfit("expected a game of two players to look for a threat in"))?;
        running::threat(two).map_err(|error| AppError::Invalid(error.to_string()))?.into()
    } else {
        game
    };
    let asker = asker(&visitor);
    let (lines, response) = lines::stream(&state, open);
    tokio::spawn(async move {
        let (sender, mut infos) = mpsc::channel(16);
        let mut search = Search::new(game, limits, sender);
        let run = state
            .games
            .engines()
            .run_with(Class::Analysis, asker, move |engine, signals| search.run(engine, signals));
        let mut run = std::pin::pin!(run);
        if lines.send(line(&AnalysisEvent::Queued {})).await.is_none() {
            return;
        }
        let last = loop {
            tokio::select! {
                biased;
                // Dropping the call ends the search.
                () = lines.closed() => return,
                Some(info) = infos.recv() => {
                    if lines.send(line(&AnalysisEvent::Info(info))).await.is_none() {
                        return;
                    }
                }
                done = &mut run => break done,
            }
        };
        let last = match last {
            Ok(info) => AnalysisEvent::Done(info),
            Err(error) => AnalysisEvent::Failed { detail: error.to_string() },
        };
        lines.send(line(&last)).await;
    });
    Ok(response)
}

fn line(event: &AnalysisEvent) -> String {
    serde_json::to_string(event).unwrap_or_default() + "\n"
}

/// A search that can be interrupted and goes on later.
struct Search {
    game: Played,
    limits: Limits,
    sender: mpsc::Sender<AnalysisInfo>,
    /// The result so far, and the nodes and the time of the searches before this one.
    info: AnalysisInfo,
    nodes_before: u64,
    time_before: Duration,
}

impl Search {
    fn new(game: Played, limits: Limits, sender: mpsc::Sender<AnalysisInfo>) -> Self {
        Self {
            game,
            limits,
            sender,
            info: AnalysisInfo::default(),
            nodes_before: 0,
            time_before: Duration::ZERO,
        }
    }

    /// Searches with what is left of the limits; `None` if it was interrupted.
    fn run(&mut self, engine: &mut Engine, signals: &Signals) -> Option<AnalysisInfo> {
        if self.game.legal_moves().is_empty() {
            return Some(self.info.clone());
        }
        let begun = Instant::now();
        let position = self.game.position();
        let model = running::model(engine, &position);
        let mut limits = self.limits.clone();
        limits.nodes = limits.nodes.map(|nodes| nodes.saturating_sub(self.nodes_before).max(1));
        limits.movetime = limits.movetime.map(|time| time.saturating_sub(self.time_before));
        let game = self.game.clone();
        let mut sent = None;
        let report = engine.search_played(&game, &limits, signals, &mut |info| {
            let (nodes, time) = (self.nodes_before + info.nodes, self.time_before + info.time);
            running::count(&mut self.info, nodes, time);
            running::take(&mut self.info, &position, model.as_ref(), info);
            if sent.is_none_or(|sent: Instant| sent.elapsed() >= INFO_INTERVAL) {
                sent = Some(Instant::now());
                // A reader who is slow does without some.
                let _ = self.sender.try_send(self.info.clone());
            }
        });
        self.nodes_before += report.nodes;
        self.time_before += begun.elapsed();
        running::count(&mut self.info, self.nodes_before, self.time_before);
        let limit_reached = self.limits.nodes.is_some_and(|most| self.nodes_before >= most)
            || self.limits.movetime.is_some_and(|most| self.time_before >= most);
        (!signals.is_stopped() || limit_reached).then(|| self.info.clone())
    }
}
