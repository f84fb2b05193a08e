//! A study for one of its readers: who may read and change it, and the form in which they see it. Not here: lists, members and
//! copies (`studies`), chapters (`study_chapters`).

use super::AppResult;
use crate::auth::Visitor;
use crate::denial::Denial;
use crate::error::AppError;
use crate::state::AppState;
use crate::studies::Outline;
use lozenge_game::text::is_one_line;
use lozenge_store::{ChapterRow, ContentKind, MemberRow, StudyRow, UserRow, read_word, write_json};
use lozenge_wire::study::{ChapterSummary, Study, StudyEvent, StudyMember, StudySummary, StudyTranslation};
use lozenge_wire::{PlayerKind, Scope};
use std::sync::Arc;

/// Longest name of a study or a chapter, in characters.
const MAX_NAME: usize = 100;

/// A study and what its reader may do.
pub(super) struct Access {
    pub(super) row: StudyRow,
    pub(super) members: Vec<MemberRow>,
    pub(super) me: Option<String>,
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
pub(super) async fn own(state: &AppState, visitor: &Visitor, id: &str) -> AppResult<Access> {
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

/// A name of a study or a chapter.
pub(super) fn check_name(name: &str) -> AppResult<String> {
    let name = name.trim();
    if name.chars().count() > MAX_NAME || !is_one_line(name) {
        return Err(AppError::Invalid(format!("expected a name in one line of 1 to {MAX_NAME} characters")));
    }
    Ok(name.to_owned())
}
