//! Studies: who may see and change them, their members and copies. Chapters: `study_chapters`; edits of moves:
//! `study_socket`.

use super::input::{Client, JsonBody, QueryParams};
use super::{AppResult, study_chapters};
use crate::auth::Visitor;
use crate::budgets::Operation;
use crate::denial::Denial;
use crate::error::AppError;
use crate::state::AppState;
use crate::studies::{Outline, convert_chapters};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use lozenge_game::convert;
use lozenge_game::text::is_one_line;
use lozenge_game::time::now_ms;
use lozenge_store::{
    ChapterRow, ContentKind, MemberRow, NewStudyRow, StudiesOf, StudyListing, StudyRow, UserRow, read_word,
    write_json,
};
use lozenge_wire::study::{
    ChapterSummary, NewMember, NewStudy, Study, StudyChange, StudyEvent, StudyImport, StudyMember,
    StudySummary, StudyTranslation, StudyVisibility,
};
use lozenge_wire::{PlayerKind, Problem, Scope};
use serde::Deserialize;
use std::sync::Arc;
use utoipa::IntoParams;

/// Longest name, text and tag of a study, in characters, and most tags.
const MAX_NAME: usize = 100;
const MAX_ABOUT: usize = 4_000;
const MAX_TAG: usize = 30;
const MAX_TAGS: usize = 8;
/// Studies of a page, and the most that a page can have.
const PAGE: u32 = 24;
const MAX_PAGE: u32 = 100;
/// Most words that are searched for.
const MAX_WORDS: usize = 8;

/// A study and what its reader may do.
pub(super) struct Access {
    pub(super) row: StudyRow,
    pub(super) members: Vec<MemberRow>,
    me: Option<String>,
}

impl Access {
    /// Whether it is the reader's own.
    pub(super) fn is_own(&self) -> bool {
        !self.row.owner.is_empty() && self.me.as_ref() == Some(&self.row.owner)
    }

    fn membership(&self) -> Option<&MemberRow> {
        self.me.as_ref().and_then(|me| self.members.iter().find(|member| member.member == *me))
    }

    /// Whether the reader is its owner, or one of its members.
    pub(super) fn is_member(&self) -> bool {
        self.is_own() || self.membership().is_some()
    }

    /// Whether the reader may edit the chapters.
    pub(super) fn is_writable(&self) -> bool {
        self.is_own() || self.membership().is_some_and(|member| member.writes != 0)
    }

    fn is_readable(&self) -> bool {
        let may = self.row.visibility != "private" || self.is_own() || self.membership().is_some();
        may && self.row.status != "banned"
    }
}

/// A study that the visitor may read.
pub(super) async fn readable(state: &AppState, visitor: &Visitor, id: &str) -> AppResult<Access> {
    let row = state.store.study(id).await?.ok_or(AppError::NotFound("study"))?;
    let members = state.store.study_members(id).await?;
    let access = Access { row, members, me: visitor.id().map(str::to_owned) };
    if access.is_readable() { Ok(access) } else { Err(AppError::NotFound("study")) }
}

/// The visitor, who has an account.
pub(super) fn account(visitor: &Visitor) -> AppResult<&UserRow> {
    visitor.may(Scope::Play)?;
    visitor.user().filter(|user| user.player().kind != PlayerKind::Guest).ok_or(AppError::SignIn)
}

/// A study that the visitor may edit.
pub(super) async fn writable(state: &AppState, visitor: &Visitor, id: &str) -> AppResult<Access> {
    account(visitor)?;
    let access = readable(state, visitor, id).await?;
    if access.is_writable() { Ok(access) } else { Err(Denial::StudyReadOnly.into()) }
}

/// A study of the visitor's own.
async fn own(state: &AppState, visitor: &Visitor, id: &str) -> AppResult<Access> {
    account(visitor)?;
    let access = readable(state, visitor, id).await?;
    if access.is_own() { Ok(access) } else { Err(Denial::NotOwnStudy.into()) }
}

/// A study in lists.
pub(super) fn summary(row: &StudyRow) -> AppResult<StudySummary> {
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
    Ok(StudySummary {
        id: row.id.clone(),
        name: row.name.clone(),
        owner: row.owner_name.clone(),
        visibility: read_word("a visibility", &row.visibility)?,
        tags: words(&row.tags),
        language: Some(row.language.clone()).filter(|language| !language.is_empty()),
        variants: words(&row.variants),
        chapters: row.chapters as u32,
        likes: row.likes as u32,
        updated_at: row.updated_at,
    })
}

pub(super) fn chapter_summary(row: ChapterRow) -> ChapterSummary {
    let ChapterRow { id, name, variant, digest, fen: _ } = row;
    ChapterSummary { id, name, variant, digest }
}

/// A study as its reader sees it.
pub(super) async fn to_wire(state: &AppState, access: &Access) -> AppResult<Study> {
    let liked = match &access.me {
        Some(me) => state.store.likes(ContentKind::Study, &access.row.id, me).await?,
        None => false,
    };
    let translations = state.studies.translations_of(&access.row).await?;
    wire_study(access, state.store.chapters(&access.row.id).await?, translations, liked)
}

fn wire_study(
    access: &Access,
    chapters: Vec<ChapterRow>,
    translations: Vec<StudyTranslation>,
    liked: bool,
) -> AppResult<Study> {
    let member = |row: &MemberRow| StudyMember { name: row.name.clone(), writes: row.writes != 0 };
    Ok(Study {
        summary: summary(&access.row)?,
        about: access.row.about.clone(),
        translations,
        members: access.members.iter().map(member).collect(),
        list: chapters.into_iter().map(chapter_summary).collect(),
        seq: access.row.seq.unsigned_abs(),
        writable: access.is_writable(),
        own: access.is_own(),
        member: access.membership().map(|member| member.name.clone()),
        hidden: access.row.status == "hidden",
        liked,
    })
}

/// A changed study for one of those who have it open, as the JSON of an event, and whether they are a member.
pub(super) fn changed_text(me: Option<&str>, outline: &Outline) -> AppResult<(Arc<str>, bool)> {
    let study = outline.study.as_ref().ok_or(AppError::NotFound("study"))?;
    let (row, members) = (study.row.clone(), study.members.clone());
    let access = Access { row, members, me: me.map(str::to_owned) };
    if !access.is_readable() {
        return Err(AppError::NotFound("study"));
    }
    let liked = me.is_some_and(|me| study.liked_by.contains(me));
    let is_common = !liked && !access.is_member();
    if let (true, Some(text)) = (is_common, outline.common.get()) {
        return Ok((Arc::clone(text), false));
    }
    let wire = wire_study(&access, study.chapters.clone(), outline.translations.clone(), liked)?;
    let text: Arc<str> = write_json(&StudyEvent::Study { study: Box::new(wire) }).into();
    let text = if is_common { Arc::clone(outline.common.get_or_init(|| text)) } else { text };
    Ok((text, access.is_member()))
}

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

/// A name of a study or a chapter.
pub(super) fn check_name(name: &str) -> AppResult<String> {
    let name = name.trim();
    if name.chars().count() > MAX_NAME || !is_one_line(name) {
        return Err(AppError::Invalid(format!("expected a name in one line of 1 to {MAX_NAME} characters")));
    }
    Ok(name.to_owned())
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
