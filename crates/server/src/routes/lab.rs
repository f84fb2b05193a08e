//! Balance reports: measurements requested, followed and cancelled, and the reports as pages and as data.

use super::input::{Client, JsonBody};
use super::lines::{self, KEEP_ALIVE, LineStream};
use super::page::{PageError, frame, language};
use super::{AppResult, CONTENT_SECURITY_POLICY, studio, variants};
use crate::auth::Visitor;
use crate::budgets::Operation;
use crate::denial::Denial;
use crate::error::AppError;
use crate::limits::OpenStream;
use crate::state::AppState;
use crate::views;
use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use flate2::read::GzDecoder;
use lozenge_explain::Language;
use lozenge_game::time::now_ms;
use lozenge_lab::report::{self, GameReport, Plan};
use lozenge_live::laboratory::{GAMES, NODES, USUAL_GAMES, USUAL_NODES};
use lozenge_rules::variant::Variant;
use lozenge_store::{LabEnqueueOutcome, LabRow};
use lozenge_wire::{Measurement, MeasurementState, NewMeasurement, Problem, Scope};
use std::io::Read as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The weaker level of a report.
const LEVEL: u8 = 5;

/// Plies of a usual game, and nodes that an engine searches in a second: what a measurement is charged by.
const USUAL_PLIES: u64 = 80;
const NODES_PER_SECOND: u64 = 400_000;
/// How often the progress is polled.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Asks for a report on the balance of a game, by its id or the digest of its rules, also of a draft. One measurement of a
/// user is in the queue at a time, five in a day. If the rules are being measured already, that is the answer.
#[utoipa::path(post, operation_id = "measure_variant", path = "/api/rules/{digest}/measure", tag = "variants", params(("digest" = String, Path)),
    request_body = NewMeasurement, responses((status = 202, body = Measurement), (status = 401, body = Problem),
        (status = 404, body = Problem), (status = 409, body = Problem), (status = 422, body = Problem)))]
pub(super) async fn measure(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
    JsonBody(request): JsonBody<NewMeasurement>,
) -> AppResult<Response> {
    visitor.may(Scope::Play)?;
    let me = studio::account(&visitor)?;
    let games = bounded("games", request.games.unwrap_or(USUAL_GAMES), GAMES)?;
    let nodes = bounded("nodes", request.nodes.unwrap_or(USUAL_NODES), NODES)?;
    let variant = variants::readable(&state, Some(&me.id), &id).await?;
    let digest = state.variants.save(&state.store, &variant).await?;
    if let Some(open) = state.store.lab_job_of(&digest).await?.filter(LabRow::is_open) {
        return Ok(
            (StatusCode::ACCEPTED, Json(wire_measurement(&state, &visitor, open).await?)).into_response()
        );
    }
    let plan = Plan { games, nodes: nodes.into(), level: LEVEL, seed: 1 };
    let seconds = (plan.total() * plan.nodes * USUAL_PLIES / NODES_PER_SECOND).max(1);
    // A user may ask for few of them; many users of one network may not ask for more.
    state.budgets.charge_network_times(Operation::MeasuredSecond, seconds as u32, visitor.client())?;
    let row = LabRow {
        id: lozenge_game::ids::other(),
        digest,
        variant: variant.id().into(),
        name: variant.name().into(),
        plan: serde_json::to_string(&plan).unwrap_or_default(),
        asked_by: me.id.clone(),
        state: "open".into(),
        done: 0,
        total: plan.total() as i64,
        fault: None,
        at: now_ms(),
        ended_at: None,
    };
    match state.laboratory.enqueue(&row).await? {
        LabEnqueueOutcome::Queued => {}
        LabEnqueueOutcome::OneOpen => {
            return Err(Denial::MeasurementRunning.into());
        }
        LabEnqueueOutcome::TooManyToday => {
            return Err(Denial::TooManyMeasurements.into());
        }
        LabEnqueueOutcome::Full => return Err(AppError::Overloaded),
    }
    Ok((StatusCode::ACCEPTED, Json(wire_measurement(&state, &visitor, row).await?)).into_response())
}

fn bounded(what: &str, found: u32, range: std::ops::RangeInclusive<u32>) -> AppResult<u32> {
    if range.contains(&found) {
        return Ok(found);
    }
    let (least, most) = range.into_inner();
    Err(AppError::Invalid(format!("expected {least} to {most} {what}, found {found}")))
}

/// A measurement as a visitor sees it.
pub(super) async fn wire_measurement(
    state: &AppState,
    visitor: &Visitor,
    row: LabRow,
) -> AppResult<Measurement> {
    let running = state.laboratory.progress(&row.id);
    let (word, place) = match (row.state.as_str(), running) {
        ("open", Some(_)) => (MeasurementState::Running, None),
        ("open", None) => {
            let before = state.store.lab_jobs_before(&row).await?;
            (MeasurementState::Waiting, Some(before as u32 + 1))
        }
        ("finished", _) => (MeasurementState::Finished, None),
        ("cancelled", _) => (MeasurementState::Cancelled, None),
        _ => (MeasurementState::Failed, None),
    };
    Ok(Measurement {
        yours: visitor.id().is_some_and(|me| me == row.asked_by),
        done: running.map_or(row.done, |done| done as i64) as u32,
        total: row.total as u32,
        state: word,
        place,
        id: row.id,
        variant: row.variant,
        digest: row.digest,
        name: row.name,
        fault: row.fault,
        at: row.at,
        ended_at: row.ended_at,
    })
}

/// A measurement that the visitor may read: their own, or one of rules that they may open.
pub(super) async fn readable(state: &AppState, visitor: &Visitor, id: &str) -> AppResult<LabRow> {
    let row = state.store.lab_job(id).await?.ok_or(AppError::NotFound("measurement of this id"))?;
    if visitor.id().is_none_or(|me| me != row.asked_by) {
        variants::readable(state, visitor.id(), &row.digest).await?;
    }
    Ok(row)
}

/// How far a measurement is, and its position in the queue.
#[utoipa::path(get, operation_id = "show_measurement", path = "/api/lab/{job}", tag = "variants", params(("job" = String, Path)),
    responses((status = 200, body = Measurement), (status = 404, body = Problem)))]
pub(super) async fn show(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(job): Path<String>,
) -> AppResult<Json<Measurement>> {
    let row = readable(&state, &visitor, &job).await?;
    Ok(Json(wire_measurement(&state, &visitor, row).await?))
}

/// Calls off a measurement that one has asked for.
#[utoipa::path(delete, operation_id = "cancel_measurement", path = "/api/lab/{job}", tag = "variants", params(("job" = String, Path)),
    responses((status = 204), (status = 401, body = Problem), (status = 404, body = Problem)))]
pub(super) async fn cancel(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(job): Path<String>,
) -> AppResult<StatusCode> {
    visitor.may(Scope::Play)?;
    if !state.laboratory.cancel(&job, &studio::account(&visitor)?.id).await? {
        return Err(AppError::NotFound("measurement of yours that goes on"));
    }
    Ok(StatusCode::NO_CONTENT)
}

/// The measurement of rules that is in the queue, or else the latest; null if there was none.
#[utoipa::path(get, operation_id = "show_measurement_of", path = "/api/rules/{digest}/measure", tag = "variants", params(("digest" = String, Path)),
    responses((status = 200, body = Option<Measurement>), (status = 404, body = Problem)))]
pub(super) async fn of_rules(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> AppResult<Json<Option<Measurement>>> {
    let variant = variants::readable(&state, visitor.id(), &id).await?;
    Ok(Json(latest(&state, &visitor, &variant).await?))
}

/// The measurement of a game that is in the queue, or else the latest.
pub(super) async fn latest(
    state: &AppState,
    visitor: &Visitor,
    variant: &Variant,
) -> AppResult<Option<Measurement>> {
    match state.store.lab_job_of(&state.variants.digest(variant)).await? {
        Some(row) => wire_measurement(state, visitor, row).await.map(Some),
        None => Ok(None),
    }
}

/// The report on the balance of a game, the one that comes with the program or else the latest, as `lozenge lab report --json`
/// prints it; docs/reports.md explains its keys.
#[utoipa::path(get, operation_id = "show_report", path = "/api/rules/{digest}/report", tag = "variants", params(("digest" = String, Path)),
    responses((status = 200, description = "The report", body = Object), (status = 404, body = Problem)))]
pub(super) async fn report(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> AppResult<Json<GameReport>> {
    let variant = variants::readable(&state, visitor.id(), &id).await?;
    Ok(Json(known(&state, &variant).await?.1))
}

/// The report that comes with the program on a game.
fn shipped_report(state: &AppState, game: &str) -> Option<GameReport> {
    let file = format!("{game}.json");
    let (_, content) = state.config.reports.iter().find(|(name, _)| *name == file)?;
    let mut text = String::new();
    GzDecoder::new(&**content).read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}

/// The report on a game, and by what it is known: the one that comes with the program, or the latest that was measured here.
async fn known(state: &AppState, variant: &Variant) -> AppResult<(String, GameReport)> {
    if let Some(report) = shipped_report(state, variant.id()) {
        return Ok((variant.id().to_owned(), report));
    }
    let found = state.store.lab_report(&state.variants.digest(variant)).await?;
    found.ok_or(AppError::NotFound("report on this game"))
}

/// Whether there is a report on a game.
pub(super) async fn is_known(state: &AppState, variant: &Variant) -> AppResult<bool> {
    let file = format!("{}.json", variant.id());
    Ok(state.config.reports.iter().any(|(name, _)| *name == file)
        || state.store.has_lab_report(&state.variants.digest(variant)).await?)
}

/// The report on a game as a page: the one that comes with the program, or the latest that was measured here.
pub(super) async fn page(
    State(state): State<AppState>,
    visitor: Visitor,
    client: Client,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Result<Response, PageError> {
    if state.store.is_banned(&id).await? {
        return Err(AppError::NotFound("report on this game").into());
    }
    let variant = variants::readable(&state, visitor.id(), &id).await?;
    let back = format!("/{}/{id}", if id.starts_with('~') { "variants" } else { "rules" });
    let language = language(&visitor, &headers);
    let (job, report) = known(&state, &variant).await?;
    let title = report::title(&report, language);
    let article = draw(&state, &client, &variant, (job, report), language).await?;
    let frame = frame(&visitor, &headers, "src/common/plain.ts");
    let article = String::from_utf8_lossy(&article);
    let page = views::report(frame, &title, (&back, variant.name()), &article).map_err(AppError::from)?;
    // Its charts have styles of their own.
    let policy = CONTENT_SECURITY_POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'");
    Ok(([(header::CONTENT_SECURITY_POLICY, policy)], Html(page)).into_response())
}

/// A report as a part of a page.
async fn draw(
    state: &AppState,
    client: &Client,
    variant: &Arc<Variant>,
    (job, report): (String, GameReport),
    language: Language,
) -> AppResult<Bytes> {
    let (variant, drawings) = (Arc::clone(variant), state.drawings.of(variant).await?);
    let draw = move || report::article(&variant, &report, &drawings, language);
    Ok(state.pictures.report(client.address, format!("{job} {}", language.code()), draw).await?)
}

/// A measurement whenever it has changed, one JSON object a line, until it has ended; an empty line where nothing happens for a
/// while.
#[utoipa::path(get, operation_id = "stream_measurement", path = "/api/lab/{job}/stream", tag = "variants", params(("job" = String, Path)),
    responses((status = 200, body = Measurement, content_type = "application/x-ndjson"), (status = 404, body = Problem)))]
pub(super) async fn stream(
    State(state): State<AppState>,
    visitor: Visitor,
    open: OpenStream,
    Path(job): Path<String>,
) -> AppResult<Response> {
    readable(&state, &visitor, &job).await?;
    let (lines, response) = lines::stream(&state, open);
    tokio::spawn(async move { follow(&state, &visitor, &job, &lines).await });
    Ok(response)
}

/// Sends what changes until the measurement has ended, the client has gone, or may not look any more.
async fn follow(state: &AppState, visitor: &Visitor, job: &str, lines: &LineStream) -> Option<()> {
    let (mut last, mut sent) = (None, Instant::now());
    loop {
        let row = readable(state, visitor, job).await.ok()?;
        let now = wire_measurement(state, visitor, row).await.ok()?;
        if last.as_ref() != Some(&now) {
            lines.send(serde_json::to_string(&now).ok()? + "\n").await?;
            sent = Instant::now();
        } else if sent.elapsed() > KEEP_ALIVE {
            lines.send("\n".into()).await?;
            sent = Instant::now();
        }
        if !matches!(now.state, MeasurementState::Waiting | MeasurementState::Running) {
            return Some(());
        }
        last = Some(now);
        tokio::select! {
            () = lines.closed() => return None,
            () = tokio::time::sleep(POLL_INTERVAL) => {}
        }
    }
}
