//! Pages of the games that users make: the gallery, the studio, and what the page of such a game has besides the rules.

use super::analysis_pages::engine_policy;
use super::input::QueryParams;
use super::page::{Page, PageError, frame, listed};
use super::{AppResult, lab, studio as drafts, variants};
use crate::auth::Visitor;
use crate::error::AppError;
use crate::state::AppState;
use crate::views::{self, Community, CommunityData, GalleryForm, PageFrame, StudioData};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderName};
use axum::response::Html;
use lozenge_rules::library::{self, AnyGame};
use lozenge_store::{ContentKind, Listing};
use lozenge_wire::{GameName, PlayerKind, VariantDraft};
use serde::Deserialize;

/// Games on the page of a game.
const LAST_GAMES: i64 = 12;

/// Public games of users.
pub(super) async fn show(
    State(state): State<AppState>,
    visitor: Visitor,
    headers: HeaderMap,
    QueryParams(mut query): QueryParams<variants::VariantQuery>,
) -> Page {
    query.only_of_users();
    let (games, after) = variants::page(&state, visitor.id(), &query).await?;
    let (words, tag, sort) = query.form();
    let next = after.map(|after| {
        let fields = [("q", words.as_str()), ("tag", &tag), ("sort", sort), ("after", &after)];
        url::form_urlencoded::Serializer::new(String::new())
            .extend_pairs(fields.into_iter().filter(|(_, value)| !value.is_empty()))
            .finish()
    });
    let frame = frame(&visitor, &headers, "src/common/plain.ts");
    Ok(Html(views::gallery(frame, &games, GalleryForm { words, tag, sort, next })?))
}

/// The only style attribute that the editor sets (`tab-size: 4`), by its hash.
const EDITOR_STYLE: &str =
    "style-src-attr 'unsafe-hashes' 'sha256-9CQ/gntg3SSFpFtcodJp9Nc0LnA21YMtf93OHivvnSw='";

/// The studio with what its editor needs.
type Studio = Result<([(HeaderName, String); 1], Html<String>), PageError>;

/// The starting point of a new draft.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StudioQuery {
    /// A game: the draft extends it.
    from: Option<String>,
    /// A game: the draft is a copy of its file.
    copy: Option<String>,
}

/// The studio, with a list of one's own games.
pub(super) async fn studio(
    State(state): State<AppState>,
    visitor: Visitor,
    headers: HeaderMap,
    QueryParams(query): QueryParams<StudioQuery>,
) -> Studio {
    let source = match (query.from, query.copy) {
        (Some(from), _) => {
            let game = variants::find_any(&state, visitor.id(), &from).await?;
            Some(extension(&from, game.name()))
        }
        (None, Some(copy)) => {
            let game = variants::find_any(&state, visitor.id(), &copy).await?;
            game.texts().first().cloned()
        }
        (None, None) => None,
    };
    page(&state, &visitor, &headers, None, source).await
}

/// The studio with a draft of one's own.
pub(super) async fn open_draft(
    State(state): State<AppState>,
    visitor: Visitor,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Studio {
    let me = visitor.id().ok_or(AppError::NotFound("draft of yours"))?;
    let draft = drafts::own(&state, me, &id).await?;
    page(&state, &visitor, &headers, Some(draft), None).await
}

/// A file that extends a game and changes nothing.
fn extension(id: &str, name: &str) -> String {
    let name: String = name.chars().filter(|c| !matches!(c, '"' | '\\') && !c.is_control()).collect();
    format!(
        "# Everything that is not written here is as in {name}.\nextends = \"{id}\"\n\nid = \"my-game\"\nname = \"My {name}\"\nauthor = \"\"\n"
    )
}

async fn page(
    state: &AppState,
    visitor: &Visitor,
    headers: &HeaderMap,
    open: Option<VariantDraft>,
    source: Option<String>,
) -> Studio {
    let account = visitor.player().filter(|player| player.kind != PlayerKind::Guest);
    let drafts = match &account {
        Some(me) => drafts::list(state, &me.id).await?,
        None => Vec::new(),
    };
    let frame = frame(visitor, headers, "src/studio/main.tsx");
    let listing = variants::VariantQuery::default();
    let (listed, _) = variants::page(state, visitor.id(), &listing).await?;
    let of_users = listed.into_iter().filter(|game| game.publication.is_some());
    let built_in = state.variants.all_games();
    let threshold = state.config.listing;
    let data = StudioData {
        account: account.is_some(),
        drafts,
        open,
        source,
        games: built_in
            .iter()
            .map(|game| GameName { id: game.id().into(), name: game.name().into() })
            .collect(),
        published: of_users.map(|game| GameName { id: game.id, name: game.name }).collect(),
        template: library::template("my-game", "My Game"),
        pictures: lozenge_picture::glyph_names().to_vec(),
        listed_after: frame.listed_after(threshold.days, threshold.games),
    };
    // The rules in the browser find faults, too.
    let [(name, policy)] = engine_policy();
    let page = views::studio(frame, &data)?;
    Ok(([(name, format!("{policy}; {EDITOR_STYLE}"))], Html(page)))
}

/// The data of a game's page besides the rules, if a user has made the game.
pub(super) async fn community(
    state: &AppState,
    visitor: &Visitor,
    frame: &PageFrame,
    game: &AnyGame,
) -> AppResult<Option<Community>> {
    if !game.id().starts_with('~') {
        return Ok(None);
    }
    let row = match variants::published(state, visitor.id(), game.id()).await {
        Ok(row) => row,
        // A private game is read by the digest of a version.
        Err(AppError::NotFound(_)) => return Ok(None),
        Err(error) => return Err(error),
    };
    let summary = variants::row_summary(&row)?;
    let liked = match visitor.id() {
        Some(me) => state.store.likes(ContentKind::Variant, &row.id, me).await?,
        None => false,
    };
    let data = CommunityData {
        id: game.id(),
        liked,
        likes: row.likes as u32,
        account: visitor.player().is_some_and(|player| player.kind != PlayerKind::Guest),
        draft: visitor.id().is_some_and(|me| me == row.owner).then(|| row.id.clone()),
        digest: state.variants.any_digest(game),
        measurable: game.two().is_some(),
        measurement: match game {
            AnyGame::Two(variant) => lab::latest(state, visitor, variant).await?,
            AnyGame::Four(_) => None,
        },
    };
    let listing = Listing { variant: Some(game.id().to_owned()), limit: LAST_GAMES, ..Listing::default() };
    let games = listed(state, listing).await?;
    Ok(Some(Community::new(frame, summary, &data, games)))
}
