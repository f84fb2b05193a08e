//! The studio: checking and publishing variant files, and the drafts of their authors.

use super::input::{Client, JsonBody};
use super::{AppResult, variants};
use crate::auth::Visitor;
use crate::budgets::Operation;
use crate::denial::Denial;
use crate::error::{AppError, PROBLEM};
use crate::state::AppState;
use crate::studio::{CheckedVariant, MAX_SOURCE, drawn_pictures, tags};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use lozenge_game::convert;
use lozenge_game::skeleton;
use lozenge_game::text::is_one_line;
use lozenge_game::time::now_ms;
use lozenge_rules::library::AnyGame;
use lozenge_rules::variant::top_level_text;
use lozenge_store::{DraftRow, PublishOutcome, PublishRow, UserRow, VariantRow, read_word};
use lozenge_wire::{
    DraftChange, FaultyFile, NewDraft, NewVariant, PlayerKind, Problem, PublishedVariant, Scope,
    VariantCheck, VariantDraft, VariantFault, VariantSource, VariantSummary, VariantVisibility,
};

/// Checks a variant file: all its faults with their locations, or the identity of its rules. Needs no account, and keeps
/// nothing but the compiled game for a while.
#[utoipa::path(post, operation_id = "validate_variant", path = "/api/variants/validate", tag = "variants", request_body = VariantSource,
    responses((status = 200, body = VariantCheck), (status = 503, body = Problem)))]
pub(super) async fn validate(
    State(state): State<AppState>,
    visitor: Visitor,
    client: Client,
    JsonBody(request): JsonBody<VariantSource>,
) -> AppResult<Json<VariantCheck>> {
    state.budgets.charge_network(Operation::VariantCheck, client.address)?;
    let work = state.studio.check(client.address, visitor.id(), request.source);
    Ok(Json(match client.while_waiting(work).await? {
        Err(faults) => VariantCheck { valid: false, digest: None, faults, board: None },
        Ok(checked) => VariantCheck {
            valid: true,
            faults: Vec::new(),
            board: if request.board {
                Some(variants::board_of(&state, checked.game.clone()).await?)
            } else {
                None
            },
            digest: Some(checked.digest),
        },
    }))
}

/// The user with an account who asks.
pub(super) fn account(visitor: &Visitor) -> AppResult<&UserRow> {
    let user = visitor.user().ok_or(AppError::SignIn)?;
    if user.player().kind == PlayerKind::Guest { Err(AppError::SignIn) } else { Ok(user) }
}

/// Publishes a version of a game: its file never changes, and games by it go on whatever comes after.
#[utoipa::path(post, operation_id = "publish_variant", path = "/api/variants", tag = "variants", request_body = NewVariant,
    responses((status = 201, body = PublishedVariant), (status = 401, body = Problem), (status = 409, body = Problem),
        (status = 422, description = "The file has faults: the problem has them as `faults`", body = FaultyFile)))]
pub(super) async fn publish(
    State(state): State<AppState>,
    visitor: Visitor,
    client: Client,
    JsonBody(request): JsonBody<NewVariant>,
) -> AppResult<Response> {
    visitor.may(Scope::Play)?;
    let me = account(&visitor)?;
    state.budgets.charge(Operation::Publication, Some(&me.id), client.address)?;
    let work = state.studio.check(client.address, Some(&me.id), request.source.clone());
    let checked = match client.while_waiting(work).await? {
        Ok(checked) => checked,
        Err(faults) => return Ok(faulty(faults)),
    };
    let name = checked.game.name().trim().to_owned();
    let looks = skeleton(&name);
    let has_its_name = |game: &AnyGame| game.is_called(&name) || skeleton(game.name()) == looks;
    let is_built_in = state.variants.all_games().iter().any(has_its_name);
    if request.visibility == VariantVisibility::Public && (is_built_in || !is_one_line(&name)) {
        return Ok(faulty(vec![name_fault(&request.source, &name)]));
    }
    match state.store.publish(&row(&checked, me, &request, name)).await? {
        PublishOutcome::Version { row, id, number } => {
            let (digest, version) = (checked.digest, number as u32);
            let body = PublishedVariant { id, digest, version, draft: row };
            Ok((StatusCode::CREATED, Json(body)).into_response())
        }
        PublishOutcome::TooManyGames => Err(Denial::TooManyGames.into()),
        PublishOutcome::TooManyVersions => Err(Denial::TooManyVersions.into()),
        PublishOutcome::NameTaken => Err(Denial::GameNameTaken.into()),
        PublishOutcome::NoDraft => Err(AppError::NotFound("draft of yours")),
    }
}

fn row(checked: &CheckedVariant, me: &UserRow, request: &NewVariant, name: String) -> PublishRow {
    let game = &checked.game;
    let summary = VariantSummary { id: String::new(), ..variants::summary_of(game) };
    PublishRow {
        owner: me.id.clone(),
        owner_since: me.created_at,
        draft: request.draft.clone(),
        file_id: checked.file_id.clone(),
        name,
        author: summary.author.clone(),
        summary: serde_json::to_string(&summary).unwrap_or_default(),
        tags: format!(" {} ", tags(game).join(" ")),
        visibility: convert::word(&request.visibility),
        source: request.source.clone(),
        parent: checked.parent.clone(),
        digest: checked.digest.clone(),
        texts: checked.texts.clone(),
        pictures: drawn_pictures(game.roles()),
        now: now_ms(),
    }
}

/// The answer to a file with faults: a problem that has them.
fn faulty(faults: Vec<VariantFault>) -> Response {
    let first = faults.first().map(|fault| format!("line {}: {}", fault.line, fault.message));
    let problem = AppError::Invalid(first.unwrap_or_default()).problem();
    let check = VariantCheck { valid: false, digest: None, faults, board: None };
    let body = Json(FaultyFile { problem, check });
    (StatusCode::UNPROCESSABLE_ENTITY, [(header::CONTENT_TYPE, PROBLEM)], body).into_response()
}

/// The fault of a name that a public game cannot have, with its location.
fn name_fault(source: &str, name: &str) -> VariantFault {
    let span = top_level_text(source, "name").map_or(0..0, |(_, span)| span);
    let before = &source[..span.start];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let units = |text: &str| text.encode_utf16().count() as u32;
    VariantFault {
        line: before.matches('\n').count() as u32 + 1,
        column: before[line_start..].chars().count() as u32 + 1,
        message: format!(
            "expected a name of its own for a public game, found `{name}`, that of a built-in game"
        ),
        from: units(before),
        to: units(&source[..span.end]),
        suggestion: None,
    }
}

/// A game in the studio.
fn draft(row: VariantRow, with_source: bool) -> AppResult<VariantDraft> {
    Ok(VariantDraft {
        variant: row.public_id(),
        visibility: read_word("a visibility", &row.visibility)?,
        status: read_word("a status", &row.status)?,
        id: row.id,
        name: row.name,
        source: with_source.then_some(row.source),
        digest: row.digest,
        version: row.version as u32,
        updated_at: row.updated_at,
    })
}

/// One's own drafts and published games, those first that were changed last.
#[utoipa::path(get, operation_id = "list_drafts", path = "/api/studio/variants", tag = "studio",
    responses((status = 200, body = Vec<VariantDraft>), (status = 401, body = Problem)))]
pub(super) async fn drafts(
    State(state): State<AppState>,
    visitor: Visitor,
) -> AppResult<Json<Vec<VariantDraft>>> {
    visitor.may(Scope::Play)?;
    Ok(Json(list(&state, &account(&visitor)?.id).await?))
}

/// A user's own games.
pub(super) async fn list(state: &AppState, owner: &str) -> AppResult<Vec<VariantDraft>> {
    let rows = state.store.variants_of(owner).await?;
    rows.into_iter().map(|row| draft(row, false)).collect()
}

/// The row of a file in the list of drafts, from the file's own texts, whether or not it has faults.
fn draft_row(me: &UserRow, id: String, source: String) -> AppResult<DraftRow> {
    if source.len() > MAX_SOURCE {
        return Err(AppError::Invalid(format!(
            "expected at most {MAX_SOURCE} bytes, found {}",
            source.len()
        )));
    }
    let text = |key: &str| {
        let found = top_level_text(&source, key).map(|(text, _)| text);
        found.map(|text| text.trim().chars().take(80).collect::<String>()).unwrap_or_default()
    };
    Ok(DraftRow {
        id,
        owner: me.id.clone(),
        owner_since: me.created_at,
        file_id: text("id"),
        name: text("name"),
        source,
        now: now_ms(),
    })
}

/// Keeps a new draft, with faults or without.
#[utoipa::path(post, operation_id = "make_draft", path = "/api/studio/variants", tag = "studio", request_body = NewDraft,
    responses((status = 201, body = VariantDraft), (status = 401, body = Problem), (status = 409, body = Problem)))]
pub(super) async fn make(
    State(state): State<AppState>,
    visitor: Visitor,
    JsonBody(request): JsonBody<NewDraft>,
) -> AppResult<impl IntoResponse> {
    visitor.may(Scope::Play)?;
    let new = draft_row(account(&visitor)?, lozenge_game::ids::other(), request.source)?;
    if !state.store.keep_draft(&new).await? {
        return Err(Denial::TooManyGames.into());
    }
    Ok((StatusCode::CREATED, Json(own(&state, &new.owner, &new.id).await?)))
}

/// A game of one's own.
pub(super) async fn own(state: &AppState, owner: &str, id: &str) -> AppResult<VariantDraft> {
    let row = state.store.variant(id).await?.filter(|row| row.owner == owner);
    draft(row.ok_or(AppError::NotFound("draft of yours"))?, true)
}

/// A draft of one's own, with its file.
#[utoipa::path(get, operation_id = "show_draft", path = "/api/studio/variants/{id}", tag = "studio", params(("id" = String, Path)),
    responses((status = 200, body = VariantDraft), (status = 401, body = Problem), (status = 404, body = Problem)))]
pub(super) async fn show(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> AppResult<Json<VariantDraft>> {
    visitor.may(Scope::Play)?;
    Ok(Json(own(&state, &account(&visitor)?.id, &id).await?))
}

/// Saves a draft, changes the visibility of its game, or archives it.
#[utoipa::path(put, operation_id = "change_draft", path = "/api/studio/variants/{id}", tag = "studio", params(("id" = String, Path)),
    request_body = DraftChange, responses((status = 200, body = VariantDraft), (status = 401, body = Problem),
        (status = 404, body = Problem), (status = 409, body = Problem)))]
pub(super) async fn change(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
    JsonBody(change): JsonBody<DraftChange>,
) -> AppResult<Json<VariantDraft>> {
    visitor.may(Scope::Play)?;
    let me = account(&visitor)?;
    let before = own(&state, &me.id, &id).await?;
    if let Some(source) = change.source {
        state.store.change_draft(&draft_row(me, id.clone(), source)?).await?;
    }
    if let Some(visibility) = change.visibility.filter(|visibility| *visibility != before.visibility) {
        if visibility == VariantVisibility::Public {
            return Err(AppError::Invalid("expected a new version for a game that becomes public".into()));
        }
        state.store.change_visibility(&id, &me.id, &convert::word(&visibility)).await?;
    }
    let archived = before.status == lozenge_wire::VariantStatus::Archived;
    if let Some(archive) = change.archived.filter(|archive| *archive != archived)
        && !state.store.archive_variant(&id, &me.id, archive).await?
    {
        return Err(Denial::TooManyGames.into());
    }
    Ok(Json(own(&state, &me.id, &id).await?))
}

/// Deletes a draft that was never published. A published game can be archived.
#[utoipa::path(delete, operation_id = "delete_draft", path = "/api/studio/variants/{id}", tag = "studio", params(("id" = String, Path)),
    responses((status = 204), (status = 401, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem)))]
pub(super) async fn delete(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> AppResult<StatusCode> {
    visitor.may(Scope::Play)?;
    let me = account(&visitor)?;
    own(&state, &me.id, &id).await?;
    if !state.store.drop_draft(&id, &me.id).await? {
        return Err(Denial::Published.into());
    }
    Ok(StatusCode::NO_CONTENT)
}
