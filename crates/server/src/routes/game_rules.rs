//! The rules of a game in words, for cards and panels beside a board. Not here: the page of the rules (`pages`), the moves of a
//! piece from a square (`variants`).

use super::input::Client;
use super::{AppResult, page, variants};
use crate::auth::Visitor;
use crate::budgets::Operation;
use crate::error::AppError;
use crate::heavy::HeavyKind;
use crate::state::AppState;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use lozenge_explain::Language;
use lozenge_explain::document::{Chapter, Part, PieceEntry, Subject};
use lozenge_explain::text::Text;
use lozenge_rules::library::AnyGame;
use lozenge_rules::variant::Variant;
use lozenge_wire::{GameRules, PieceRules, Problem, RulesChapter};

/// The rules of a game in words, in the reader's language.
#[utoipa::path(get, operation_id = "show_rules", path = "/api/variants/{id}/rules", tag = "variants", params(("id" = String, Path)),
    responses((status = 200, body = GameRules), (status = 404, body = Problem), (status = 429, body = Problem),
        (status = 503, body = Problem)))]
pub(super) async fn show(
    State(state): State<AppState>,
    visitor: Visitor,
    client: Client,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> AppResult<Response> {
    let game = variants::readable_any(&state, visitor.id(), &id).await?;
    let language = page::language(&visitor, &headers);
    let parts = format!("rules in words {} {}", state.variants.any_digest(&game), language.code());
    if let Some(known) = state.pages.known(&parts) {
        return Ok(known.answer(&headers));
    }
    state.budgets.charge_network(Operation::Page, client.address)?;
    let pages = state.pages.clone();
    // Another request may have made them while this one waited for its turn.
    let make = move || {
        let rules = || serde_json::to_string(&game_rules(&game, language));
        pages.get_of_kind("application/json", &parts, rules)
    };
    let made = client.while_waiting(state.heavy.run(client.address, HeavyKind::Lessons, make)).await?;
    Ok(made.map_err(|error| AppError::Internal(error.to_string()))?.answer(&headers))
}

fn game_rules(game: &AnyGame, language: Language) -> GameRules {
    let variant = game.first_pair();
    let document = match game {
        AnyGame::Two(variant) => lozenge_explain::document(variant),
        AnyGame::Four(game) => lozenge_explain::multi_document(game),
    };
    let text = |text: &Text| language.text(variant.id(), text);
    let chapters = |subject| document.chapters.iter().filter(move |chapter| chapter.subject == subject);
    let pieces = chapters(Subject::Pieces).flat_map(|chapter| &chapter.parts).filter_map(|part| match part {
        Part::Piece(piece) => piece_rules(variant, piece, &text),
        _ => None,
    });
    GameRules {
        name: document.title.clone(),
        pieces: pieces.collect(),
        chapters: (chapters(Subject::Rules).chain(chapters(Subject::Board)))
            .map(|chapter| rules_chapter(chapter, &text))
            .collect(),
    }
}

fn piece_rules(
    variant: &Variant,
    piece: &PieceEntry<Text>,
    text: &impl Fn(&Text) -> String,
) -> Option<PieceRules> {
    let role = variant.roles().role(piece.letter)?;
    let drawn = piece.diagrams.iter().filter_map(|diagram| diagram.from.as_deref());
    let squares = drawn.filter_map(|name| variant.shape().named(name));
    Some(PieceRules {
        role: variant.roles().info(role).id.to_string(),
        name: text(&piece.name),
        moves: piece.moves.iter().map(text).collect(),
        squares: squares.map(|square| square.index() as u16).collect(),
    })
}

/// The points of a chapter, without the sentences that belong to drawings in letters.
fn rules_chapter(chapter: &Chapter<Text>, text: &impl Fn(&Text) -> String) -> RulesChapter {
    let mut points = Vec::new();
    for part in &chapter.parts {
        match part {
            Part::Points(all) => points.extend(all.iter().map(text)),
            Part::Paragraph(sentences) => {
                let sentences =
                    sentences.iter().filter(|text| !matches!(text, Text::Start(_) | Text::Capitals));
                let point = sentences.map(text).collect::<Vec<_>>().join(" ");
                points.extend((!point.is_empty()).then_some(point));
            }
            Part::Drawing(_) | Part::Piece(_) | Part::Values(_) => {}
        }
    }
    RulesChapter { heading: text(&chapter.heading), points }
}
