//! The pages of analysis: any position, and games.

use super::erased::get;
use super::input::QueryParams;
use super::page::{Page, PageError, all_summaries, frame};
use super::{AppResult, CONTENT_SECURITY_POLICY, games, positions, reviews, trees, variants};
use crate::auth::Visitor;
use crate::error::AppError;
use crate::heavy::HeavyKind;
use crate::state::AppState;
use crate::studies::player_tags;
use crate::views;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderName, header};
use axum::response::Html;
use lozenge_analysis::tree::Tree;
use lozenge_game::GameMachine;
use lozenge_game::convert;
use lozenge_rules::library::AnyGame;
use lozenge_store::ImportRow;
use lozenge_wire::analysis::{AnalysisStart, AnalyzedGame, EditorStart, Tag};
use lozenge_wire::{Color, GameResult, Player, Status};
use serde::Deserialize;

pub(super) fn router() -> Router<AppState> {
    Router::new()
        .route("/analysis", get(position))
        .route("/analysis/{id}", get(game))
        .route("/editor", get(editor))
}

/// The game whose board is empty of moves at first.
const FIRST: &str = "diamond";

/// A page whose browser may also run the engine, which is WebAssembly.
pub(super) type EnginePage = Result<([(HeaderName, String); 1], Html<String>), PageError>;

/// The pages' policy, and that WebAssembly may be compiled.
pub(super) fn engine_policy() -> [(HeaderName, String); 1] {
    let policy = CONTENT_SECURITY_POLICY.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'");
    [(header::CONTENT_SECURITY_POLICY, policy)]
}

/// Which position.
#[derive(Debug, Deserialize)]
struct PositionQuery {
    /// Id or digest of the rules.
    variant: Option<String>,
    /// Where the moves begin.
    fen: Option<String>,
    /// Moves in long algebraic form, with commas between.
    moves: Option<String>,
}

async fn position(
    State(state): State<AppState>,
    visitor: Visitor,
    headers: HeaderMap,
    QueryParams(query): QueryParams<PositionQuery>,
) -> EnginePage {
    let id = query.variant.as_deref().unwrap_or(FIRST);
    let variant = variants::readable_any(&state, visitor.id(), id).await?;
    let moves = query.moves.as_deref().unwrap_or_default().split(',').filter(|text| !text.is_empty());
    let moves: Vec<String> = moves.map(str::to_owned).collect();
    let game = positions::play(&variant, query.fen.as_deref(), &moves)?;
    let tree = Tree::of_game(&game);
    let at = tree.main_line().last().map_or_else(Vec::new, |&last| tree.path(last).0);
    let digest = state.variants.any_digest(&variant);
    let tree = convert::tree(&tree, digest, Vec::new());
    show(&state, &visitor, &headers, &variant, tree, at, None).await
}

/// A board to set a position up on.
async fn editor(
    State(state): State<AppState>,
    visitor: Visitor,
    headers: HeaderMap,
    QueryParams(query): QueryParams<PositionQuery>,
) -> Page {
    let id = query.variant.as_deref().unwrap_or(FIRST);
    let game = variants::readable_any(&state, visitor.id(), id).await?;
    let (start_fen, rights) = match &game {
        AnyGame::Two(variant) => {
            let context = variant.fen_context();
            let rights = if context.by_file { "KQkq".into() } else { context.rights.iter().collect() };
            let start = variant.starts().get(variant.usual_start());
            (start.map(|start| start.fen.clone()).unwrap_or_default(), rights)
        }
        AnyGame::Four(variant) => {
            let rights = variant.fen_context().rights;
            let rights = rights.iter().flat_map(|(seat, letter)| [seat.letter(), *letter]).collect();
            (variant.start().to_owned(), rights)
        }
    };
    let start = EditorStart {
        variant: address(&state, &game),
        variant_name: game.name().into(),
        start_fen,
        fen: query.fen,
        rights,
    };
    let frame = frame(&visitor, &headers, "src/editor/main.tsx");
    let page = views::editor(frame, &all_summaries(&state), &start, convert::any_board(&game));
    Ok(Html(page.map_err(AppError::from)?))
}

/// Under which id a page asks for the rules: a later version of a user's game is another game.
fn address(state: &AppState, game: &AnyGame) -> String {
    if state.variants.any_game(game.id()).is_some() {
        game.id().into()
    } else {
        state.variants.any_digest(game)
    }
}

async fn game(
    State(state): State<AppState>,
    visitor: Visitor,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> EnginePage {
    let reviewed = reviews::is_known(&state, &id).await?;
    if let Some((row, parsed)) = reviews::imported(&state, visitor.client(), &id).await? {
        return show_import(&state, &visitor, &headers, row, parsed, reviewed).await;
    }
    let live = games::readable(&state, &visitor, &id).await?;
    let inner = live.lock().await;
    let machine = &inner.machine;
    let you = games::side(&visitor, machine);
    if you.is_some() && machine.status() == Status::Started {
        return Err(AppError::OwnGame.into());
    }
    let variant = machine.record.variant();
    let analyzed = analyzed(machine, reviewed, you);
    let site = games::page_address(&state, &headers, &id)?;
    let tags = tags(machine, &site, analyzed.result);
    let tree = convert::tree(&trees::of_game(machine), machine.config.digest.clone(), tags);
    drop(inner);
    show(&state, &visitor, &headers, &variant, tree, Vec::new(), Some(analyzed)).await
}

async fn show_import(
    state: &AppState,
    visitor: &Visitor,
    headers: &HeaderMap,
    row: ImportRow,
    parsed: trees::ParsedGame,
    reviewed: bool,
) -> EnginePage {
    let tag = |name: &str| parsed.game.tags.get(name).unwrap_or("?").to_owned();
    let game = AnalyzedGame {
        id: row.id,
        players: player_tags(&parsed.variant).iter().map(|name| tag(name)).collect(),
        result: lozenge_game::convert::result_of_tag(parsed.game.result),
        finished: true,
        played_here: false,
        reviewed,
        you: None,
    };
    let variant = parsed.variant.clone();
    let convert = move || convert::tree(&parsed.tree, row.digest, parsed.tags());
    let tree = state.heavy.run(visitor.client(), HeavyKind::Pgn, convert).await?;
    show(state, visitor, headers, &variant, tree, Vec::new(), Some(game)).await
}

/// The data that a page shows of a game played here.
fn analyzed(machine: &GameMachine, reviewed: bool, you: Option<Color>) -> AnalyzedGame {
    let name = |seat: &Option<Player>| seat.as_ref().map_or_else(|| "?".into(), |player| player.name.clone());
    AnalyzedGame {
        id: machine.config.id.clone(),
        players: machine.seats.iter().map(name).collect(),
        result: machine.ended.map_or_else(GameResult::default, |(result, _)| result),
        finished: machine.status() == Status::Finished,
        played_here: true,
        reviewed,
        you,
    }
}

fn tags(machine: &GameMachine, site: &str, result: GameResult) -> Vec<Tag> {
    let result = ("Result", result.to_string());
    let tags = machine.tags(site).into_iter().chain([result]);
    tags.map(|(name, value)| Tag { name: name.into(), value }).collect()
}

/// Whether a visitor is playing a game.
pub(super) async fn is_playing(state: &AppState, visitor: &Visitor) -> AppResult<bool> {
    match visitor.user() {
        Some(user) => Ok(!state.store.ongoing_games(&user.id).await?.is_empty()),
        None => Ok(false),
    }
}

async fn show(
    state: &AppState,
    visitor: &Visitor,
    headers: &HeaderMap,
    variant: &AnyGame,
    tree: lozenge_wire::analysis::Tree,
    at: Vec<String>,
    game: Option<AnalyzedGame>,
) -> EnginePage {
    let playing = is_playing(state, visitor).await?;
    let start = AnalysisStart { variant_name: variant.name().into(), tree, at, game, playing };
    let frame = frame(visitor, headers, "src/analysis/main.tsx");
    let page = views::analysis(frame, &all_summaries(state), &start, convert::any_board(variant));
    Ok((engine_policy(), Html(page.map_err(AppError::from)?)))
}
