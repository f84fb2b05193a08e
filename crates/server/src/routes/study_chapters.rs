//! Chapters of studies: made from games, PGN and positions, changed, and written as PGN.

use super::input::{Client, JsonBody};
use super::study_access::{self, Access};
use super::{AppResult, games, reviews, trees, variants};
use crate::auth::Visitor;
use crate::budgets::Operation;
use crate::denial::Denial;
use crate::error::AppError;
use crate::heavy::HeavyKind;
use crate::state::AppState;
use crate::studies::{Export, Import, LiveStudy, ReadChapter, convert_chapters, player_tags, read, write};
use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use lozenge_analysis::tree::{EditedTree, Tree};
use lozenge_game::ClientAddress;
use lozenge_game::time::now_ms;
use lozenge_rules::position::GamePosition;
use lozenge_store::{ChapterRow, MAX_CHAPTERS, NewChapterRow, write_json};
use lozenge_wire::analysis::{PgnRequest, Tag};
use lozenge_wire::study::{
    Chapter, ChapterChange, ChapterSummary, NewChapter, Study, StudyImport, StudyPgn, StudyPgnFault,
};
use lozenge_wire::{Player, Problem, Status};
use std::collections::HashMap;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

/// Longest PGN of a study, in bytes.
const MAX_PGN: usize = 1_000_000;
/// Chapters that wait for a slow reader of an export.
const MAX_PENDING: usize = 1;
/// The game of a chapter that names none.
const FIRST: &str = "diamond";

/// A chapter from what was sent.
pub(super) async fn from_request(
    state: &AppState,
    visitor: &Visitor,
    new: &NewChapter,
) -> AppResult<(ReadChapter, Vec<StudyPgnFault>)> {
    let name = new
        .name
        .as_deref()
        .filter(|name| !name.trim().is_empty())
        .map(study_access::check_name)
        .transpose()?;
    let (mut chapter, faults) = match (&new.game, &new.pgn) {
        (Some(_), Some(_)) => return Err(AppError::Unfit("expected a game or PGN, found both")),
        (Some(game), None) => (of_game(state, visitor, game).await?, Vec::new()),
        (None, Some(pgn)) => {
            let sent = PgnRequest { pgn: pgn.clone(), variant: new.variant.clone() };
            of_parsed(trees::parse(state, visitor.client(), visitor.id(), &sent).await?)
        }
        (None, None) => {
            let variant =
                variants::readable_any(state, visitor.id(), new.variant.as_deref().unwrap_or(FIRST)).await?;
            let start = match &new.fen {
                None => GamePosition::start(&variant),
                Some(fen) => GamePosition::from_fen(&variant, fen)
                    .map_err(|error| AppError::Invalid(error.to_string()))?,
            };
            let moves = EditedTree::new(Tree::new(start), Vec::new());
            (ReadChapter { name: String::new(), variant, moves }, Vec::new())
        }
    };
    if let Some(name) = name {
        chapter.name = name;
    }
    Ok((chapter, faults))
}

fn of_parsed(parsed: trees::ParsedGame) -> (ReadChapter, Vec<StudyPgnFault>) {
    let faults = parsed.faults.iter().map(|fault| StudyPgnFault {
        game: 1,
        line: fault.line,
        column: fault.column,
        message: fault.message.clone(),
    });
    let faults = faults.collect();
    (ReadChapter::of_game(&parsed.game, &parsed.variant, parsed.tree), faults)
}

/// A game that was played or imported here, and is over: lines would help the players of a game that goes on.
async fn of_game(state: &AppState, visitor: &Visitor, id: &str) -> AppResult<ReadChapter> {
    if let Some((_, parsed)) = reviews::imported(state, visitor.client(), id).await? {
        return Ok(of_parsed(parsed).0);
    }
    let live = games::readable(state, visitor, id).await?;
    let inner = live.lock().await;
    let machine = &inner.machine;
    if machine.status() != Status::Finished {
        return Err(Denial::GameInProgress.into());
    }
    let named =
        |seat: &Option<Player>| seat.as_ref().map_or_else(|| "?".to_owned(), |player| player.name.clone());
    let variant = machine.record.variant();
    let players: Vec<String> = machine.seats.iter().map(named).collect();
    let result = machine.ended.map(|(result, _)| ("Result", result.to_string()));
    let tags = player_tags(&variant).iter().copied().zip(players.iter().cloned()).chain(result);
    let tags = tags.map(|(name, value)| Tag { name: name.into(), value }).collect();
    Ok(ReadChapter {
        name: players.join(" – "),
        variant,
        moves: EditedTree::new(trees::of_game(machine), tags),
    })
}

/// Copies of all chapters, with ids of their own.
pub(super) async fn copies(state: &AppState, access: &Access) -> AppResult<Vec<NewChapterRow>> {
    let live = state.studies.open(&access.row.id);
    let mut copies = Vec::new();
    for chapter in state.store.chapters(&access.row.id).await? {
        let moves = state.studies.moves(&live, &chapter.id).await?;
        copies.push(NewChapterRow {
            id: lozenge_game::ids::chapter(),
            name: chapter.name,
            variant: chapter.variant,
            digest: chapter.digest,
            fen: moves.tree().node(0).position.fen(),
            tree: write_json(&moves.snapshot()),
        });
    }
    Ok(copies)
}

/// Adds a chapter at the end of a study.
#[utoipa::path(post, operation_id = "make_chapter", path = "/api/studies/{id}/chapters", tag = "studies",
    params(("id" = String, Path)), request_body = NewChapter,
    responses((status = 201, body = StudyImport), (status = 401, body = Problem), (status = 409, body = Problem)))]
pub(super) async fn make(
    State(state): State<AppState>,
    visitor: Visitor,
    client: Client,
    Path(id): Path<String>,
    JsonBody(new): JsonBody<NewChapter>,
) -> AppResult<impl IntoResponse> {
    let me = study_access::account(&visitor)?;
    study_access::writable(&state, &visitor, &id).await?;
    state.budgets.charge(Operation::StudyChange, Some(&me.id), client.address)?;
    let (chapter, faults) = client.while_waiting(from_request(&state, &visitor, &new)).await?;
    let imported = add(&state, &id, vec![chapter], faults).await?;
    if imported.chapters.is_empty() {
        Err(Denial::TooManyStudies.into())
    } else {
        Ok((StatusCode::CREATED, Json(imported)))
    }
}

/// Adds chapters as many as there is room for; the others are named as faults.
async fn add(
    state: &AppState,
    id: &str,
    chapters: Vec<ReadChapter>,
    mut faults: Vec<StudyPgnFault>,
) -> AppResult<StudyImport> {
    let rows = convert_chapters(&state.store, &state.variants, chapters).await?;
    let added = state.store.add_chapters(id, &rows, now_ms()).await?;
    let missing = rows.len() - added;
    if missing > 0 {
        let message = format!("{}: {missing} games were not kept", Denial::TooManyStudies);
        faults.push(StudyPgnFault { game: added as u32 + 1, line: 0, column: 0, message });
    }
    state.studies.announce(id);
    let chapters = rows.into_iter().take(added).map(|row| ChapterSummary {
        id: row.id,
        name: row.name,
        variant: row.variant,
        digest: row.digest,
    });
    Ok(StudyImport { id: id.to_owned(), chapters: chapters.collect(), faults })
}

/// Imports PGN into a study: one chapter for each game. The answer lists all parts that could not be read as intended.
#[utoipa::path(post, operation_id = "import_study_pgn", path = "/api/studies/{id}/import-pgn", tag = "studies",
    params(("id" = String, Path)), request_body = StudyPgn,
    responses((status = 200, body = StudyImport), (status = 401, body = Problem)))]
pub(super) async fn import(
    State(state): State<AppState>,
    visitor: Visitor,
    client: Client,
    Path(id): Path<String>,
    JsonBody(sent): JsonBody<StudyPgn>,
) -> AppResult<Json<StudyImport>> {
    let me = study_access::account(&visitor)?;
    let access = study_access::writable(&state, &visitor, &id).await?;
    state.budgets.charge(Operation::StudyChange, Some(&me.id), client.address)?;
    if sent.pgn.len() > MAX_PGN {
        let fault = format!("expected PGN of at most {MAX_PGN} bytes, found {}", sent.pgn.len());
        return Err(AppError::Invalid(fault));
    }
    let turn = client.while_waiting(state.heavy.turn(client.address, HeavyKind::Study)).await?;
    let usual = sent.variant;
    let parsed = turn.run(move || Import::new(&sent.pgn)).await?;
    let mut rules = HashMap::new();
    for name in parsed.rules() {
        if rules.contains_key(&name) || rules.len() >= MAX_CHAPTERS {
            continue;
        }
        let found = match name.as_deref().or(usual.as_deref()) {
            Some(name) => trees::rules_named(&state, visitor.id(), name).await,
            None => continue,
        };
        match found {
            Ok(variant) => drop(rules.insert(name, variant)),
            Err(AppError::NotFound(_)) => {}
            Err(error) => return Err(error),
        }
    }
    let room = MAX_CHAPTERS.saturating_sub(access.row.chapters.unsigned_abs() as usize);
    let (chapters, faults) = turn.run(move || read(parsed, &rules, room)).await?;
    Ok(Json(add(&state, &id, chapters, faults).await?))
}

/// Chapters of a study as PGN: all, or one. They are sent one after the other, networks in turn.
async fn as_pgn(state: &AppState, visitor: &Visitor, id: &str, only: Option<&str>) -> AppResult<Response> {
    let access = study_access::readable(state, visitor, id).await?;
    state.budgets.charge(Operation::Export, visitor.id(), visitor.client())?;
    let mut rows = state.store.chapters(id).await?;
    if let Some(only) = only {
        rows.retain(|row| row.id == only);
        if rows.is_empty() {
            return Err(AppError::NotFound("chapter of this study"));
        }
    }
    let (sender, receiver) = mpsc::channel(MAX_PENDING);
    let (state, client, study) = (state.clone(), visitor.client(), access.row);
    let live = state.studies.open(id);
    tokio::spawn(async move {
        for row in rows {
            let chapter = chapter_as_pgn(&state, client, &live, &study.name, row).await;
            if let Err(error) = &chapter {
                tracing::error!(%error, study = study.id, "an export of a study was cut off");
            }
            let failed = chapter.is_err();
            // The reader learns that the file is incomplete.
            if sender.send(chapter.map(Bytes::from)).await.is_err() || failed {
                return;
            }
        }
    });
    let name = format!("attachment; filename=\"lozenge-study-{id}.pgn\"");
    let headers =
        [(header::CONTENT_TYPE, "application/x-chess-pgn".to_owned()), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, Body::from_stream(ReceiverStream::new(receiver))).into_response())
}

async fn chapter_as_pgn(
    state: &AppState,
    client: ClientAddress,
    live: &LiveStudy,
    study: &str,
    row: ChapterRow,
) -> AppResult<String> {
    let turn = state.heavy.patient_turn(client, HeavyKind::Study).await;
    let (moves, study) = (state.studies.moves(live, &row.id).await?, study.to_owned());
    let write = move || {
        let mut text = String::new();
        let export = Export { study: &study, chapter: &row.name, moves: &moves, digest: &row.digest };
        write(&mut text, &export).map(|()| text)
    };
    turn.run(write).await?.map_err(|error| AppError::Internal(error.to_string()))
}

/// A whole study as PGN.
pub(super) async fn whole(state: &AppState, visitor: &Visitor, id: &str) -> AppResult<Response> {
    as_pgn(state, visitor, id, None).await
}

/// A study as PGN, with a game for each chapter. The same at `/api/studies/{id}.pgn`.
#[utoipa::path(get, operation_id = "study_pgn", path = "/api/studies/{id}/pgn", tag = "studies", params(("id" = String, Path)),
    responses((status = 200, body = String, content_type = "application/x-chess-pgn"), (status = 404, body = Problem),
        (status = 429, body = Problem)))]
pub(super) async fn pgn(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> AppResult<Response> {
    whole(&state, &visitor, &id).await
}

/// A chapter as PGN.
#[utoipa::path(get, operation_id = "chapter_pgn", path = "/api/studies/{id}/chapters/{chapter}/pgn", tag = "studies",
    params(("id" = String, Path), ("chapter" = String, Path)),
    responses((status = 200, body = String, content_type = "application/x-chess-pgn"), (status = 404, body = Problem),
        (status = 429, body = Problem)))]
pub(super) async fn chapter_pgn(
    State(state): State<AppState>,
    visitor: Visitor,
    Path((id, chapter)): Path<(String, String)>,
) -> AppResult<Response> {
    as_pgn(&state, &visitor, &id, Some(&chapter)).await
}

/// A chapter with its moves, as the JSON of a [`Chapter`].
pub(super) async fn of_study(
    state: &AppState,
    visitor: &Visitor,
    access: &Access,
    id: &str,
) -> AppResult<(ChapterRow, String)> {
    let rows = state.store.chapters(&access.row.id).await?;
    let row = rows.into_iter().find(|row| row.id == id).ok_or(AppError::NotFound("chapter of this study"))?;
    state.budgets.charge_network(Operation::Chapter, visitor.client())?;
    let live = state.studies.open(&access.row.id);
    let (tree, seq) = state.studies.chapter(visitor.client(), &live, id).await?;
    let (id, name) = (write_json(&row.id), write_json(&row.name));
    let text = format!("{{\"id\":{id},\"name\":{name},\"seq\":{seq},\"tree\":{tree}}}");
    Ok((row, text))
}

/// A chapter with its moves.
#[utoipa::path(get, operation_id = "show_chapter", path = "/api/studies/{id}/chapters/{chapter}", tag = "studies",
    params(("id" = String, Path), ("chapter" = String, Path)),
    responses((status = 200, body = Chapter), (status = 404, body = Problem)))]
pub(super) async fn show(
    State(state): State<AppState>,
    visitor: Visitor,
    Path((id, chapter)): Path<(String, String)>,
) -> AppResult<impl IntoResponse> {
    let access = study_access::readable(&state, &visitor, &id).await?;
    let (_, text) = of_study(&state, &visitor, &access, &chapter).await?;
    Ok(([(header::CONTENT_TYPE, "application/json")], text))
}

/// Renames a chapter, or moves it to another position.
#[utoipa::path(put, operation_id = "change_chapter", path = "/api/studies/{id}/chapters/{chapter}", tag = "studies",
    params(("id" = String, Path), ("chapter" = String, Path)), request_body = ChapterChange,
    responses((status = 200, body = Study), (status = 401, body = Problem)))]
pub(super) async fn change(
    State(state): State<AppState>,
    visitor: Visitor,
    Path((id, chapter)): Path<(String, String)>,
    JsonBody(change): JsonBody<ChapterChange>,
) -> AppResult<Json<Study>> {
    let access = study_access::writable(&state, &visitor, &id).await?;
    let name = change.name.as_deref().map(study_access::check_name).transpose()?;
    let mut found = true;
    if let Some(name) = name {
        found = state.store.rename_chapter(&id, &chapter, &name).await?;
    }
    if let (Some(place), true) = (change.place, found) {
        found = state.store.move_chapter(&id, &chapter, place as usize).await?;
    }
    if !found {
        return Err(AppError::NotFound("chapter of this study"));
    }
    state.studies.announce(&id);
    Ok(Json(study_access::to_wire(&state, &access).await?))
}

/// Deletes a chapter.
#[utoipa::path(delete, operation_id = "delete_chapter", path = "/api/studies/{id}/chapters/{chapter}", tag = "studies",
    params(("id" = String, Path), ("chapter" = String, Path)), responses((status = 204), (status = 401, body = Problem)))]
pub(super) async fn delete(
    State(state): State<AppState>,
    visitor: Visitor,
    Path((id, chapter)): Path<(String, String)>,
) -> AppResult<StatusCode> {
    study_access::writable(&state, &visitor, &id).await?;
    if !state.store.drop_chapter(&id, &chapter).await? {
        return Err(AppError::NotFound("chapter of this study"));
    }
    state.studies.announce(&id);
    Ok(StatusCode::NO_CONTENT)
}
