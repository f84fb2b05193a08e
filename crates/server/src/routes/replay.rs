//! The game that is replayed on the page of live games while there is none: the last good one that was played here, else one
//! of the engine against itself. Not here: the live games.

use super::AppResult;
use crate::state::AppState;
use crate::views::{Replay, ReplayStep};
use lozenge_analysis::tree;
use lozenge_game::convert;
use lozenge_game::time::{DAY_MS, now_ms};
use lozenge_rules::library;
use lozenge_rules::notation::pgn::Reader;
use lozenge_rules::position::AnyPosition;
use lozenge_store::Listing;
use lozenge_wire::Player;
use std::sync::OnceLock;

/// Games of the engine against itself, one of each of the five games.
const DEMONSTRATIONS: &str = include_str!("../../assets/demonstrations.pgn");

/// The shortest game that is worth watching, in half moves.
const MIN_PLIES: u32 = 24;
/// Most of the last games that are examined.
const MAX_LOOKED_AT: i64 = 30;

/// The game to replay.
pub(super) async fn choose(state: &AppState) -> AppResult<Option<Replay>> {
    let listing = Listing { status: Some("finished"), limit: MAX_LOOKED_AT, ..Listing::default() };
    let good = |row: &lozenge_store::GameRow| {
        row.ply >= i64::from(MIN_PLIES) && state.variants.game(&row.variant).is_some()
    };
    for row in state.store.games(&listing).await?.iter().filter(|row| good(row)) {
        match played(state, &row.id).await {
            Ok(Some(replay)) => return Ok(Some(replay)),
            Ok(None) => {}
            Err(error) => tracing::error!(%error, game = row.id, "a game could not be replayed"),
        }
    }
    Ok(demonstration())
}

/// A game that was played here.
async fn played(state: &AppState, id: &str) -> AppResult<Option<Replay>> {
    let Some(live) = state.games.game(id).await? else { return Ok(None) };
    let inner = live.lock().await;
    let game = inner.machine.to_wire(None, now_ms(), inner.presence());
    drop(inner);
    let name =
        |player: &Option<Player>| player.as_ref().map_or_else(String::new, |player| player.name.clone());
    Ok(Some(Replay {
        id: Some(game.id),
        white: name(&game.white),
        black: name(&game.black),
        variant: game.variant,
        variant_name: game.variant_name,
        result: game.state.result.to_string(),
        start: game.start_fen,
        steps: game
            .history
            .into_iter()
            .map(|move_| ReplayStep { fen: move_.fen, last: move_.last })
            .collect(),
    }))
}

/// The engine's game of the day.
fn demonstration() -> Option<Replay> {
    static GAMES: OnceLock<Vec<Replay>> = OnceLock::new();
    let games = GAMES.get_or_init(demonstrations);
    let day = usize::try_from(now_ms() / DAY_MS).unwrap_or_default();
    games.get(day % games.len().max(1)).cloned()
}

fn demonstrations() -> Vec<Replay> {
    Reader::new(DEMONSTRATIONS.as_bytes())
        .filter_map(Result::ok)
        .filter_map(|game| {
            let variant = library::named(game.tags.variant()?)?;
            let start = match game.tags.fen() {
                Some(fen) => AnyPosition::from_fen(&variant, fen).ok()?,
                None => AnyPosition::start(&variant),
            };
            let fen = start.fen();
            let (tree, _) = tree::read(&game, start);
            let steps = convert::steps(&tree, &tree.main_line());
            Some(Replay {
                id: None,
                variant: variant.id().into(),
                variant_name: variant.name().into(),
                white: String::new(),
                black: String::new(),
                result: game.result.to_string(),
                start: fen,
                steps: steps.into_iter().map(|step| ReplayStep { fen: step.fen, last: step.last }).collect(),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_of_the_five_games_has_a_whole_demonstration() {
        let games = demonstrations();
        let mut ids: Vec<_> = games.iter().map(|game| game.variant.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), 5, "{ids:?}");
        for game in &games {
            assert!(game.steps.len() >= MIN_PLIES as usize, "{}: {}", game.variant, game.steps.len());
            assert!(game.result != "*", "{}", game.variant);
        }
    }
}
