//! Making a game of three or four players: who is to sit where. Not here: what both kinds of games share (`games`).

use super::game_terms::{
    check_may_rate, check_rated_terms, engine_player, start_position_of_four, with_rating,
};
use super::{AppResult, variants};
use crate::auth::Visitor;
use crate::error::AppError;
use crate::state::AppState;
use lozenge_game::time::now_ms;
use lozenge_game::{GameConfig, check_clock, convert, speed};
use lozenge_rules::library::AnyGame;
use lozenge_rules::position::AnyMultiPosition;
use lozenge_rules::seat::Seat;
use lozenge_rules::variant::MultiVariant;
use lozenge_wire::{Color, Game, NewGame, NewSeat, Player, Side, Visibility};
use std::sync::Arc;

/// Longest time after which the engine takes free seats, in seconds.
const MAX_FILL_S: u32 = 3_600;

/// Makes a game of three or four.
pub(super) async fn make(
    state: &AppState,
    mut visitor: Visitor,
    request: &NewGame,
    game: &Arc<MultiVariant>,
) -> AppResult<Game> {
    let colors = convert::seat_colors(game);
    let mine = check(request, colors)?;
    variants::check_rated(state, game.id(), request.rated)?;
    check_rated_terms(request)?;
    let start = start_position_of_four(game, request.fen.as_deref())?;
    check_living(request, &start)?;
    let me = visitor.ensure(state).await?;
    if request.rated {
        check_may_rate(&me)?;
    }
    let me = with_rating(state, me, game.id(), speed(request.clock)).await?;
    let seat = |seat: &NewSeat| -> AppResult<Option<Player>> {
        match *seat {
            NewSeat::Me {} => Ok(Some(me.clone())),
            NewSeat::Engine { level } => engine(level).map(Some),
            NewSeat::Link {} | NewSeat::Anybody {} => Ok(None),
        }
    };
    let mut seats: Vec<Option<Player>> = request.seats.iter().map(seat).collect::<AppResult<_>>()?;
    if let Some(fill) = request.fill.filter(|fill| fill.after_s == 0) {
        let engine = engine(fill.level)?;
        for seat in &mut seats {
            seat.get_or_insert_with(|| engine.clone());
        }
    }
    let config = GameConfig {
        id: lozenge_game::ids::game(),
        digest: state.variants.any_digest(&AnyGame::Four(Arc::clone(game))),
        clock: request.clock,
        speed: speed(request.clock),
        rated: request.rated,
        visibility: request.visibility,
        maker: me.id.clone(),
        previous: None,
        fill: request.fill.filter(|fill| fill.after_s > 0),
        open_seats: open_seats(request, colors, &seats),
        created_at: now_ms(),
    };
    let has_engine =
        request.fill.is_some() || request.seats.iter().any(|seat| matches!(seat, NewSeat::Engine { .. }));
    if has_engine {
        state.games.admit_engine_game(&config.id, &config.maker, visitor.network(), now_ms())?;
    }
    if !config.open_seats.is_empty() {
        state.lobby.admit_game(&config.id, &config.maker, visitor.network(), config.clock)?;
    }
    let live = state.games.create(config, start, seats).await?;
    state.games.note_request(&live, &me.id, visitor.network()).await;
    let inner = live.lock().await;
    Ok(inner.machine.to_wire(Some(mine), now_ms(), inner.presence()))
}

/// Refuses people on seats of players who are out in the first position.
fn check_living(request: &NewGame, start: &AnyMultiPosition) -> AppResult<()> {
    let seated = Seat::ALL.into_iter().zip(&request.seats);
    let mut dead = seated.filter(|(seat, _)| !start.living().contains(*seat));
    match dead.find(|(_, kind)| !matches!(kind, NewSeat::Engine { .. })) {
        None => Ok(()),
        Some((seat, _)) => Err(AppError::Invalid(format!(
            "expected the engine on the seat of {seat}, who is out in this position"
        ))),
    }
}

/// The free seats that anyone may take.
fn open_seats(request: &NewGame, colors: &[Color], seats: &[Option<Player>]) -> Vec<Color> {
    let wanted = colors.iter().zip(&request.seats).zip(seats);
    let open = wanted.filter(|((_, seat), player)| matches!(seat, NewSeat::Anybody {}) && player.is_none());
    open.map(|((color, _), _)| *color).collect()
}

/// The engine as a player of four: its ratings are those of games of two.
fn engine(level: u8) -> AppResult<Player> {
    Ok(Player { rating: None, ..engine_player(level)? })
}

/// The maker's color, or what is wrong with the request.
fn check(request: &NewGame, colors: &[Color]) -> AppResult<Color> {
    let invalid = |text: String| Err(AppError::Invalid(text));
    if request.opponent.is_some() || request.side != Side::Random || request.start.is_some() {
        return invalid(format!(
            "expected `seats`, and neither `opponent`, `side` nor `start`, in a game of {} players",
            colors.len()
        ));
    }
    if request.seats.len() != colors.len() {
        return invalid(format!("expected {} `seats`, found {}", colors.len(), request.seats.len()));
    }
    let mine = |seat: &NewSeat| matches!(seat, NewSeat::Me {});
    let count = request.seats.iter().filter(|seat| mine(seat)).count();
    let (1, Some(place)) = (count, request.seats.iter().position(mine)) else {
        return invalid(format!("expected one seat of kind `me`, found {count}"));
    };
    let is_for_anybody = request.seats.iter().any(|seat| matches!(seat, NewSeat::Anybody {}));
    if is_for_anybody && request.visibility == Visibility::Private {
        return invalid("expected a public game, found a private one with a seat for anyone".into());
    }
    if let Some(fill) = request.fill {
        engine(fill.level)?;
        if fill.after_s > MAX_FILL_S {
            return invalid(format!("expected `after_s` of at most {MAX_FILL_S}, found {}", fill.after_s));
        }
    }
    if let Some(clock) = request.clock {
        check_clock(clock).map_err(AppError::Invalid)?;
    }
    colors.get(place).copied().ok_or_else(|| AppError::Invalid("expected a seat of the game".into()))
}
