//! The pages of studies: lists, a form for a new one, a study with one of its chapters, and a chapter to be embedded.

use super::analysis_pages::{EnginePage, engine_policy, is_playing};
use super::erased::get;
use super::input::QueryParams;
use super::page::{Page, PageError, all_summaries, frame, language, shared_frame};
use super::studies::{self, StudyFilter, StudyQuery, StudySort};
use super::study_access;
use super::{AppResult, EMBED_POLICY, study_chapters, variants};
use crate::auth::Visitor;
use crate::error::AppError;
use crate::state::AppState;
use crate::views::{self, StudyForm, StudyPageData};
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderName, header};
use axum::response::Html;
use lozenge_wire::study::StudyStart;
use lozenge_wire::{GameName, PlayerKind};
use serde::Deserialize;
use url::form_urlencoded::Serializer;

pub(super) fn router() -> Router<AppState> {
    Router::new()
        .route("/study", get(list))
        .route("/study/new", get(new))
        .route("/study/{id}", get(first))
        .route("/study/{id}/embed", get(embed_first))
        .route("/study/{id}/{chapter}", get(chapter))
        .route("/study/{id}/{chapter}/embed", get(embed))
}

fn has_account(visitor: &Visitor) -> bool {
    visitor.player().is_some_and(|player| player.kind != PlayerKind::Guest)
}

/// The studies that are public, one's own, or liked.
async fn list(
    State(state): State<AppState>,
    visitor: Visitor,
    headers: HeaderMap,
    QueryParams(mut query): QueryParams<StudyQuery>,
) -> Page {
    let chosen = query.language.clone().unwrap_or_default();
    query.language.get_or_insert_with(|| language(&visitor, &headers).code().into());
    let (studies, after) = studies::page(&state, &visitor, &query).await?;
    let of = match query.of {
        StudyFilter::All => "all",
        StudyFilter::Mine => "mine",
        StudyFilter::Liked => "liked",
    };
    let sort = if query.sort == StudySort::Liked { "liked" } else { "new" };
    let (words, owner) = (query.q.unwrap_or_default(), query.owner.unwrap_or_default());
    let next = after.map(|after| {
        let fields = [
            ("q", words.as_str()),
            ("of", of),
            ("owner", &owner),
            ("language", &chosen),
            ("sort", sort),
            ("after", &after),
        ];
        Serializer::new(String::new())
            .extend_pairs(fields.into_iter().filter(|(_, value)| !value.is_empty()))
            .finish()
    });
    let form = StudyForm { words, of, owner, sort, next, account: has_account(&visitor) };
    let frame = frame(&visitor, &headers, "src/common/plain.ts");
    Ok(Html(views::studies(frame, &studies, &all_summaries(&state), form).map_err(AppError::from)?))
}

/// The starting point of a new study.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct NewStudyQuery {
    /// A game that was played or imported here.
    game: Option<String>,
    variant: Option<String>,
    fen: Option<String>,
}

/// A form for a new study.
async fn new(
    State(state): State<AppState>,
    visitor: Visitor,
    headers: HeaderMap,
    QueryParams(query): QueryParams<NewStudyQuery>,
) -> Page {
    // A game of a user's own is known by its digest here.
    let known = all_summaries(&state).into_iter();
    let mut games: Vec<_> = known.map(|game| GameName { id: game.id, name: game.name }).collect();
    if let Some(id) = query.variant.as_ref().filter(|id| !games.iter().any(|game| game.id == **id)) {
        let game = variants::readable_any(&state, visitor.id(), id).await?;
        games.push(GameName { id: id.clone(), name: game.name().into() });
    }
    let data = views::NewStudyData {
        account: has_account(&visitor),
        game: query.game,
        variant: query.variant,
        fen: query.fen,
        games,
    };
    let frame = frame(&visitor, &headers, "src/study/new.tsx");
    Ok(Html(views::new_study(frame, &data).map_err(AppError::from)?))
}

/// A study with a chapter, the first if none is named, as its page shows it.
async fn data(
    state: &AppState,
    visitor: &Visitor,
    id: &str,
    chapter: Option<&str>,
) -> AppResult<StudyPageData> {
    let access = study_access::readable(state, visitor, id).await?;
    let study = study_access::to_wire(state, &access).await?;
    let id = chapter.map(str::to_owned).or_else(|| study.list.first().map(|first| first.id.clone()));
    let chapter = match id {
        Some(id) => Some(study_chapters::of_study(state, visitor, &access, &id).await?),
        None => None,
    };
    let mut board = None;
    let mut variant_name = String::new();
    if let Some((row, _)) = &chapter {
        let variant = state.variants.any_rules(&state.store, &row.variant, &row.digest).await?;
        variant.name().clone_into(&mut variant_name);
        board = Some(variants::board_of(state, variant).await?);
    }
    Ok(StudyPageData {
        start: StudyStart {
            study,
            chapter: None,
            variant_name,
            account: has_account(visitor),
            playing: is_playing(state, visitor).await?,
        },
        chapter,
        board,
    })
}

async fn page(
    state: &AppState,
    visitor: &Visitor,
    headers: &HeaderMap,
    id: &str,
    chapter: Option<&str>,
) -> EnginePage {
    let data = data(state, visitor, id, chapter).await?;
    let frame = shared_frame(state, visitor, headers, "src/study/main.tsx")?;
    let page = views::study(frame, data, &all_summaries(state)).map_err(AppError::from)?;
    Ok((engine_policy(), Html(page)))
}

async fn first(
    State(state): State<AppState>,
    visitor: Visitor,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> EnginePage {
    page(&state, &visitor, &headers, &id, None).await
}

async fn chapter(
    State(state): State<AppState>,
    visitor: Visitor,
    headers: HeaderMap,
    Path((id, chapter)): Path<(String, String)>,
) -> EnginePage {
    page(&state, &visitor, &headers, &id, Some(&chapter)).await
}

/// A page that other sites may show in a frame. It changes nothing, so clickjacking has no effect.
type Embedded = Result<([(HeaderName, &'static str); 1], Html<String>), PageError>;

async fn embedded(
    state: &AppState,
    visitor: &Visitor,
    headers: &HeaderMap,
    id: &str,
    chapter: Option<&str>,
) -> Embedded {
    let data = data(state, visitor, id, chapter).await?;
    let frame = frame(visitor, headers, "src/study/embed.tsx");
    let page = views::embedded_study(frame, data).map_err(AppError::from)?;
    Ok(([(header::CONTENT_SECURITY_POLICY, EMBED_POLICY)], Html(page)))
}

async fn embed_first(
    State(state): State<AppState>,
    visitor: Visitor,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Embedded {
    embedded(&state, &visitor, &headers, &id, None).await
}

async fn embed(
    State(state): State<AppState>,
    visitor: Visitor,
    headers: HeaderMap,
    Path((id, chapter)): Path<(String, String)>,
) -> Embedded {
    embedded(&state, &visitor, &headers, &id, Some(&chapter)).await
}
