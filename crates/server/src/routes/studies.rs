//! Studies: who may see and change them, their members and copies. Chapters: `study_chapters`; edits of moves:
//! `study_socket`.

use super::input::{Client, JsonBody, QueryParams};
use super::study_access::{account, chapter_summary, check_name, own, readable, summary, to_wire};
use super::{AppResult, study_chapters};
use crate::auth::Visitor;
use crate::budgets::Operation;
use crate::denial::Denial;
use crate::error::AppError;
use crate::state::AppState;
use crate::studies::convert_chapters;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use lozenge_game::convert;
use lozenge_game::text::is_one_line;
use lozenge_game::time::now_ms;
use lozenge_store::{NewStudyRow, StudiesOf, StudyListing, StudyRow};
use lozenge_wire::Problem;
use lozenge_wire::study::{
    NewMember, NewStudy, Study, StudyChange, StudyImport, StudySummary, StudyVisibility,
};
use serde::Deserialize;
use utoipa::IntoParams;

/// Longest text and tag of a study, in characters, and most tags.
const MAX_ABOUT: usize = 4_000;
const MAX_TAG: usize = 30;
const MAX_TAGS: usize = 8;
/// Studies of a page, and the most that a page can have.
const PAGE: u32 = 24;
const MAX_PAGE: u32 = 100;
/// Most words that are searched for.
const MAX_WORDS: usize = 8;

/// The studies to list.
#[derive(Clone, Copy, Debug, Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum StudyFilter {
    /// The public ones.
    #[default]
    All,
    /// One's own, and those that one is a member of.
    Mine,
    /// Those that one likes.
    Liked,
}

/// The order of studies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum StudySort {
    #[default]
    New,
    Liked,
}

/// The studies to list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct StudyQuery {
    /// Words of the name, the tags or the games, or the owner's name.
    pub(super) q: Option<String>,
    /// The selection: `all`, `mine` or `liked`.
    #[serde(default)]
    #[param(inline)]
    pub(super) of: StudyFilter,
    /// The public ones of an owner.
    pub(super) owner: Option<String>,
    /// Of all public ones that come with the program only those in this language, by ISO 639.
    pub(super) language: Option<String>,
    /// The order, the greatest first: `new` by the last change, `liked`.
    #[serde(default)]
    #[param(inline)]
    pub(super) sort: StudySort,
    /// Where the last page ended: the value of `Lozenge-After` in its answer.
    pub(super) after: Option<String>,
    /// Most studies.
    pub(super) limit: Option<u32>,
}

/// A page of studies, and where the next begins.
pub(super) async fn page(
    state: &AppState,
    visitor: &Visitor,
    query: &StudyQuery,
) -> AppResult<(Vec<StudySummary>, Option<String>)> {
    let me = || visitor.id().map(str::to_owned).ok_or(AppError::SignIn);
    let of = match (&query.owner, query.of) {
        (Some(owner), _) => {
            let user = state.store.user_named(owner).await?;
            StudiesOf::Owner(user.ok_or(AppError::NotFound("player of this name"))?.id)
        }
        (None, StudyFilter::All) => StudiesOf::All(query.language.clone()),
        (None, StudyFilter::Mine) => StudiesOf::Mine(me()?),
        (None, StudyFilter::Liked) => StudiesOf::Liked(me()?),
    };
    let after = match query.after.as_deref().map(|after| after.split_once('.')) {
        None => None,
        Some(Some((value, id))) => {
            let value =
                value.parse().map_err(|_| AppError::Unfit("expected the end of another page in `after`"))?;
            Some((value, id.to_owned()))
        }
        Some(None) => return Err(AppError::Unfit("expected the end of another page in `after`")),
    };
    let limit = query.limit.unwrap_or(PAGE).clamp(1, MAX_PAGE);
    let words = query.q.as_deref().unwrap_or_default();
    let listing = StudyListing {
        of,
        words: words.split_whitespace().take(MAX_WORDS).map(str::to_owned).collect(),
        by_likes: query.sort == StudySort::Liked,
        after,
        limit: i64::from(limit),
    };
    let rows = state.store.studies(&listing).await?;
    let last = rows.last().filter(|_| rows.len() == limit as usize);
    let after = last
        .map(|last| format!("{}.{}", if listing.by_likes { last.likes } else { last.updated_at }, last.id));
    Ok((rows.iter().map(summary).collect::<AppResult<_>>()?, after))
}

/// The name of the header with the place where the next page begins.
const AFTER: HeaderName = HeaderName::from_static("lozenge-after");

/// Studies: the public ones, one's own, or those that one likes.
#[utoipa::path(get, operation_id = "list_studies", path = "/api/studies", tag = "studies", params(StudyQuery),
    responses((status = 200, body = Vec<StudySummary>), (status = 401, body = Problem)))]
pub(super) async fn list(
    State(state): State<AppState>,
    visitor: Visitor,
    QueryParams(query): QueryParams<StudyQuery>,
) -> AppResult<Response> {
    let (studies, after) = page(&state, &visitor, &query).await?;
    Ok((after.map(|after| [(AFTER, after)]), Json(studies)).into_response())
}

fn check_about(about: &str) -> AppResult<String> {
    let about = about.trim();
    if about.chars().count() > MAX_ABOUT {
        return Err(AppError::Invalid(format!("expected a text of at most {MAX_ABOUT} characters")));
    }
    Ok(about.to_owned())
}

fn check_tags(tags: &[String]) -> AppResult<String> {
    let words: Vec<&str> = tags.iter().flat_map(|tag| tag.split_whitespace()).collect();
    let good = |word: &&str| word.chars().count() <= MAX_TAG && is_one_line(word);
    if words.len() > MAX_TAGS || !words.iter().all(good) {
        let expected =
            format!("expected at most {MAX_TAGS} tags, each a word of at most {MAX_TAG} characters");
        return Err(AppError::Invalid(expected));
    }
    Ok(words.join(" "))
}

/// Makes a study, with a first chapter if one is described.
#[utoipa::path(post, operation_id = "make_study", path = "/api/studies", tag = "studies", request_body = NewStudy,
    responses((status = 201, body = StudyImport), (status = 401, body = Problem), (status = 409, body = Problem)))]
pub(super) async fn make(
    State(state): State<AppState>,
    visitor: Visitor,
    client: Client,
    JsonBody(new): JsonBody<NewStudy>,
) -> AppResult<impl IntoResponse> {
    let me = account(&visitor)?;
    state.budgets.charge(Operation::StudyChange, Some(&me.id), client.address)?;
    let row = NewStudyRow {
        id: lozenge_game::ids::game(),
        owner: me.id.clone(),
        name: check_name(&new.name)?,
        about: check_about(&new.about)?,
        tags: check_tags(&new.tags)?,
        language: String::new(),
        visibility: convert::word(&new.visibility),
        source: String::new(),
        now: now_ms(),
    };
    let (chapters, faults) = match &new.chapter {
        None => (Vec::new(), Vec::new()),
        Some(chapter) => {
            let reading = study_chapters::from_request(&state, &visitor, chapter);
            let (chapter, faults) = client.while_waiting(reading).await?;
            (convert_chapters(&state.store, &state.variants, vec![chapter]).await?, faults)
        }
    };
    if !state.store.make_study(&row, &chapters).await? {
        return Err(Denial::TooManyStudies.into());
    }
    let chapters = state.store.chapters(&row.id).await?.into_iter().map(chapter_summary).collect();
    Ok((StatusCode::CREATED, Json(StudyImport { id: row.id, chapters, faults })))
}

/// A study without its moves. With `.pgn` after the id: the whole study as PGN.
#[utoipa::path(get, operation_id = "show_study", path = "/api/studies/{id}", tag = "studies", params(("id" = String, Path)),
    responses((status = 200, body = Study), (status = 404, body = Problem)))]
pub(super) async fn show(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> AppResult<Response> {
    if let Some(id) = id.strip_suffix(".pgn") {
        return study_chapters::whole(&state, &visitor, id).await;
    }
    let access = readable(&state, &visitor, &id).await?;
    Ok(Json(to_wire(&state, &access).await?).into_response())
}

/// Changes the name, text, topics or visibility of one's own study.
#[utoipa::path(put, operation_id = "change_study", path = "/api/studies/{id}", tag = "studies", params(("id" = String, Path)),
    request_body = StudyChange, responses((status = 200, body = Study), (status = 401, body = Problem)))]
pub(super) async fn change(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
    JsonBody(change): JsonBody<StudyChange>,
) -> AppResult<Json<Study>> {
    let StudyRow { id, owner, name, about, tags, visibility, .. } = own(&state, &visitor, &id).await?.row;
    let row = NewStudyRow {
        name: change.name.as_deref().map_or(Ok(name), check_name)?,
        about: change.about.as_deref().map_or(Ok(about), check_about)?,
        tags: change.tags.as_deref().map_or(Ok(tags), check_tags)?,
        language: String::new(),
        visibility: change
            .visibility
            .map_or(visibility, |visibility: StudyVisibility| convert::word(&visibility)),
        source: String::new(),
        now: now_ms(),
        id,
        owner,
    };
    state.store.change_study(&row).await?;
    state.studies.announce(&row.id);
    Ok(Json(to_wire(&state, &readable(&state, &visitor, &row.id).await?).await?))
}

/// Deletes a study of one's own, with all chapters.
#[utoipa::path(delete, operation_id = "delete_study", path = "/api/studies/{id}", tag = "studies", params(("id" = String, Path)),
    responses((status = 204), (status = 401, body = Problem)))]
pub(super) async fn delete(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> AppResult<StatusCode> {
    own(&state, &visitor, &id).await?;
    state.store.delete_study(&id).await?;
    state.studies.announce(&id);
    Ok(StatusCode::NO_CONTENT)
}

/// Copies a study into a private one of one's own.
#[utoipa::path(post, operation_id = "clone_study", path = "/api/studies/{id}/clone", tag = "studies", params(("id" = String, Path)),
    responses((status = 201, body = StudyImport), (status = 401, body = Problem), (status = 409, body = Problem)))]
pub(super) async fn copy(
    State(state): State<AppState>,
    visitor: Visitor,
    client: Client,
    Path(id): Path<String>,
) -> AppResult<impl IntoResponse> {
    let me = account(&visitor)?;
    let access = readable(&state, &visitor, &id).await?;
    state.budgets.charge(Operation::StudyChange, Some(&me.id), client.address)?;
    let chapters = study_chapters::copies(&state, &access).await?;
    let row = NewStudyRow {
        id: lozenge_game::ids::game(),
        owner: me.id.clone(),
        name: access.row.name,
        about: access.row.about,
        tags: access.row.tags,
        language: String::new(),
        visibility: convert::word(&StudyVisibility::Private),
        source: String::new(),
        now: now_ms(),
    };
    if !state.store.make_study(&row, &chapters).await? {
        return Err(Denial::TooManyStudies.into());
    }
    let chapters = state.store.chapters(&row.id).await?.into_iter().map(chapter_summary).collect();
    Ok((StatusCode::CREATED, Json(StudyImport { id: row.id, chapters, faults: Vec::new() })))
}

/// Adds a member to one's own study, or changes the rights of a member.
#[utoipa::path(put, operation_id = "set_study_member", path = "/api/studies/{id}/members/{name}", tag = "studies",
    params(("id" = String, Path), ("name" = String, Path)), request_body = NewMember,
    responses((status = 200, body = Study), (status = 401, body = Problem), (status = 409, body = Problem)))]
pub(super) async fn set_member(
    State(state): State<AppState>,
    visitor: Visitor,
    Path((id, name)): Path<(String, String)>,
    JsonBody(new): JsonBody<NewMember>,
) -> AppResult<Json<Study>> {
    let access = own(&state, &visitor, &id).await?;
    let user = state.store.user_named(&name).await?.ok_or(AppError::NotFound("player of this name"))?;
    if user.id == access.row.owner {
        return Err(Denial::OwnStudy.into());
    }
    if !state.store.keep_study_member(&id, &user.id, new.writes, now_ms()).await? {
        return Err(Denial::TooManyMembers.into());
    }
    state.studies.announce(&id);
    Ok(Json(to_wire(&state, &readable(&state, &visitor, &id).await?).await?))
}

/// Removes a member from a study of one's own, or leaves one as a member.
#[utoipa::path(delete, operation_id = "remove_study_member", path = "/api/studies/{id}/members/{name}", tag = "studies",
    params(("id" = String, Path), ("name" = String, Path)), responses((status = 204), (status = 401, body = Problem)))]
pub(super) async fn remove_member(
    State(state): State<AppState>,
    visitor: Visitor,
    Path((id, name)): Path<(String, String)>,
) -> AppResult<StatusCode> {
    let me = account(&visitor)?;
    let access = readable(&state, &visitor, &id).await?;
    let member = access.members.iter().find(|member| member.name.eq_ignore_ascii_case(&name));
    let member = member.ok_or(AppError::NotFound("member of this name"))?;
    if !access.is_own() && member.member != me.id {
        return Err(Denial::NotOwnStudy.into());
    }
    state.store.drop_study_member(&id, &member.member).await?;
    state.studies.announce(&id);
    Ok(StatusCode::NO_CONTENT)
}
