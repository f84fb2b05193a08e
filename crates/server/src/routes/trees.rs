//! Trees of moves from PGN and to PGN, and those of games.

use super::input::{Client, JsonBody};
use super::{AppResult, positions, variants};
use crate::auth::Visitor;
use crate::budgets::Operation;
use crate::error::AppError;
use crate::heavy::HeavyKind;
use crate::state::AppState;
use crate::studies::RULES_TAG;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use lozenge_analysis::tree::{self, Tree};
use lozenge_game::ClientAddress;
use lozenge_game::GameMachine;
use lozenge_game::convert;
use lozenge_rules::library::AnyGame;
use lozenge_rules::notation::pgn::{self, MoveNumber, Reader};
use lozenge_rules::position::GamePosition;
use lozenge_store::write_json;
use lozenge_wire::Problem;
use lozenge_wire::analysis::{PgnFault, PgnRequest, ReadPgn, Tag, WritePgn};
use std::time::Duration;

/// Longest PGN that is read, in bytes.
const MAX_PGN: usize = 60_000;

/// The game that is meant by a tag `Variant`: by its id or its name in any case, a built-in one before those of users, of which
/// the reader's own come first.
async fn named(state: &AppState, reader: Option<&str>, name: &str) -> AppResult<Option<AnyGame>> {
    let of_two = state.variants.all().into_iter().map(AnyGame::Two);
    let of_four = state.variants.multi_games().into_iter().map(AnyGame::Four);
    let built_in = of_two.chain(of_four).find(|game| game.is_called(name));
    if built_in.is_some() {
        return Ok(built_in);
    }
    let slug = state.store.slug_of_name(name, reader.unwrap_or_default()).await?;
    let id = slug.map_or_else(|| name.to_owned(), |slug| format!("~{slug}"));
    found(variants::readable_any(state, reader, &id).await)
}

/// Turns [`AppError::NotFound`] into `None`.
fn found<T>(answer: AppResult<T>) -> AppResult<Option<T>> {
    match answer {
        Ok(value) => Ok(Some(value)),
        Err(AppError::NotFound(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The rules of a PGN: those of the digest in it, else those that its tag names. The rules that were sent with it count where it
/// has no tag, or is of them.
async fn meant(
    state: &AppState,
    reader: Option<&str>,
    game: &pgn::PgnGame,
    sent: Option<&str>,
) -> AppResult<AnyGame> {
    if let Some(digest) = game.tags.get(RULES_TAG)
        && let Some(rules) = found(variants::readable_any(state, reader, digest).await)?
    {
        return Ok(rules);
    }
    let Some(tag) = game.tags.variant() else {
        let unnamed = AppError::Unfit("expected the tag Variant, which names the game");
        return variants::readable_any(state, reader, sent.ok_or(unnamed)?).await;
    };
    let sent = match sent {
        Some(sent) => found(variants::readable_any(state, reader, sent).await)?,
        None => None,
    };
    if let Some(game) = sent.filter(|game| game.is_called(tag)) {
        return Ok(game);
    }
    named(state, reader, tag)
        .await?
        .ok_or_else(|| AppError::Invalid(format!("expected a known game in the tag Variant, found {tag}")))
}

/// The rules that are meant by the name or id of a game, or a digest.
pub(super) async fn rules_named(state: &AppState, reader: Option<&str>, name: &str) -> AppResult<AnyGame> {
    named(state, reader, name).await?.ok_or(AppError::NotFound("variant of this id"))
}

/// A parsed PGN game: its rules, its tree and the faults found in it.
pub(super) struct ParsedGame {
    pub(super) variant: AnyGame,
    pub(super) game: pgn::PgnGame,
    pub(super) tree: Tree,
    pub(super) faults: Vec<PgnFault>,
}

impl ParsedGame {
    /// The tags in order.
    pub(super) fn tags(&self) -> Vec<Tag> {
        self.game.tags.iter().map(|(name, value)| Tag { name: name.into(), value: value.into() }).collect()
    }
}

fn fault(location: pgn::PgnLocation, message: String) -> PgnFault {
    PgnFault { line: location.line, column: location.column, message }
}

/// Whether a game is only the text that stood before another one's tags, as in a letter: no word of it names a square.
fn is_prose(game: &pgn::PgnGame) -> bool {
    let names_square = |node: &pgn::PgnNode| node.san.contains(|letter: char| letter.is_ascii_digit());
    game.tags.is_empty() && !game.line.nodes.iter().any(names_square)
}

/// The only game of a PGN, or what could be read of it, and what is wrong with the text.
fn only_game(text: &str) -> AppResult<(pgn::PgnGame, Vec<PgnFault>)> {
    let (mut found, mut faults, mut more) = (None, Vec::new(), 0);
    for read in Reader::new(text.as_bytes()) {
        let game = read.unwrap_or_else(|bad| {
            faults.extend(
                bad.faults.listed().iter().map(|wrong| fault(wrong.location, wrong.error.to_string())),
            );
            more += bad.faults.more();
            *bad.game
        });
        found = match found {
            Some(known) if is_prose(&known) && !game.tags.is_empty() => {
                faults
                    .push(fault(known.at, "expected a tag, found text before the game; passed over".into()));
                Some(game)
            }
            Some(known) if !known.is_empty() && !game.is_empty() => {
                return Err(AppError::Invalid("expected one game in PGN, found more".into()));
            }
            found => found.filter(|known: &pgn::PgnGame| !known.is_empty()).or(Some(game)),
        };
    }
    if let (Some(last), true) = (faults.last().cloned(), more > 0) {
        faults.push(PgnFault { message: format!("{more} more faults"), ..last });
    }
    match found {
        None => Err(AppError::Invalid("expected a game in PGN, found none".into())),
        Some(game) if game.is_empty() && !faults.is_empty() => {
            let faults = faults
                .iter()
                .map(|PgnFault { line, column, message }| format!("line {line}, column {column}: {message}"));
            Err(AppError::Invalid(faults.collect::<Vec<_>>().join("; ")))
        }
        Some(game) => Ok((game, faults)),
    }
}

/// Reads the only game of a PGN for a client, who may have made its rules.
pub(super) async fn parse(
    state: &AppState,
    client: ClientAddress,
    reader: Option<&str>,
    sent: &PgnRequest,
) -> AppResult<ParsedGame> {
    if sent.pgn.len() > MAX_PGN {
        let fault = format!("expected PGN of at most {MAX_PGN} bytes, found {}", sent.pgn.len());
        return Err(AppError::Invalid(fault));
    }
    state.budgets.charge_network(Operation::Pgn, client)?;
    let turn = state.heavy.turn(client, HeavyKind::Pgn).await?;
    let text = sent.pgn.clone();
    let (game, faults) = turn.run(move || only_game(&text)).await??;
    let variant = meant(state, reader, &game, sent.variant.as_deref()).await?;
    turn.run(move || read_game(variant, game, faults)).await?
}

fn read_game(variant: AnyGame, game: pgn::PgnGame, mut faults: Vec<PgnFault>) -> AppResult<ParsedGame> {
    let start = match game.tags.fen() {
        None => GamePosition::start(&variant),
        Some(fen) => GamePosition::from_fen(&variant, fen)
            .map_err(|error| AppError::Invalid(format!("in the tag FEN: {error}")))?,
    };
    let (tree, found) = tree::read(&game, start);
    faults.extend(found.into_iter().map(|found| fault(found.location, found.message)));
    faults.extend(game.warnings.iter().map(|warning| fault(warning.location, warning.kind.to_string())));
    faults.sort_by_key(|fault| (fault.line, fault.column));
    Ok(ParsedGame { variant, game, tree, faults })
}

/// Reads a game of PGN as a tree. The answer lists every fault. Unreadable text becomes a comment, and so does an illegal
/// move, with the moves that follow it in its line.
#[utoipa::path(post, operation_id = "read_pgn", path = "/api/pgn/read", tag = "analysis", request_body = PgnRequest,
    responses((status = 200, body = ReadPgn), (status = 422, body = Problem)))]
pub(super) async fn read(
    State(state): State<AppState>,
    visitor: Visitor,
    client: Client,
    JsonBody(sent): JsonBody<PgnRequest>,
) -> AppResult<impl IntoResponse> {
    let parsing = parse(&state, client.address, visitor.id(), &sent);
    let parsed = client.while_waiting(parsing).await?;
    let digest = state.variants.any_digest(&parsed.variant);
    let write = move || {
        let tree = convert::tree(&parsed.tree, digest, parsed.tags());
        write_json(&ReadPgn { tree, faults: parsed.faults })
    };
    let text = client.while_waiting(state.heavy.run(client.address, HeavyKind::Pgn, write)).await?;
    Ok(([(header::CONTENT_TYPE, "application/json")], text))
}

/// Writes a tree as PGN.
#[utoipa::path(post, operation_id = "write_pgn", path = "/api/pgn/write", tag = "analysis", request_body = WritePgn,
    responses((status = 200, body = String, content_type = "application/x-chess-pgn"), (status = 404, body = Problem),
        (status = 422, body = Problem)))]
pub(super) async fn write(
    State(state): State<AppState>,
    visitor: Visitor,
    client: Client,
    JsonBody(sent): JsonBody<WritePgn>,
) -> AppResult<impl IntoResponse> {
    let variant = variants::readable_any(&state, visitor.id(), &sent.variant).await?;
    state.budgets.charge_network(Operation::Pgn, client.address)?;
    let write = state.heavy.run(client.address, HeavyKind::Pgn, move || write_tree(&variant, &sent));
    let text = client.while_waiting(write).await??;
    Ok(([(header::CONTENT_TYPE, "application/x-chess-pgn")], text))
}

fn write_tree(variant: &AnyGame, sent: &WritePgn) -> AppResult<String> {
    let start = positions::play(variant, sent.fen.as_deref(), &[])?.position();
    let first = MoveNumber::of_fen(&start.fen());
    let tree = convert::read_tree(start, sent).map_err(AppError::Invalid)?;
    let mut game = tree::write(&tree);
    for Tag { name, value } in &sent.tags {
        match name.as_str() {
            // These follow from the tree itself.
            "Variant" | "FEN" | "SetUp" => {}
            "Result" => game.set_result(value.parse().unwrap_or_default()),
            _ => game.tags.set(name, value).map_err(|error| AppError::Invalid(error.to_string()))?,
        }
    }
    let mut text = String::new();
    pgn::write_game(&mut text, &game, first).map_err(|error| AppError::Invalid(error.to_string()))?;
    Ok(text)
}

/// A game of the site as a tree of one line, with the clocks.
pub(super) fn of_game(machine: &GameMachine) -> Tree {
    let mut tree = Tree::of_game(machine.record.played());
    for (id, played) in tree.main_line().into_iter().zip(&machine.played) {
        let left = played.left_ms.and_then(|left| u64::try_from(left).ok());
        tree.notes_mut(id).clock = left.map(Duration::from_millis);
    }
    tree
}
