//! Actions in a live game: every action passes through [`LiveGames::act`], except taking the open seat.

use super::router::Change;
use super::{GameHandle, LiveGameInner, LiveGames, engine_player, players, variants};
use lozenge_game::time::now_ms;
use lozenge_game::{ActionError, GameConfig, GameEvent};
use lozenge_rules::position::GamePosition;
use lozenge_rules::seat::Seat;
use lozenge_wire::{Action, Color, GameResult, Hint, Player, PlayerKind, Reason, Status};
use serde::{Deserialize, Serialize};

/// An action of a player.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlayerAction {
    /// One of the actions that sockets send.
    Game(Action),
    /// Claims the win over an opponent who has left, and no draw.
    ClaimVictory,
    /// Claims a draw by the rules, and no win.
    ClaimDraw,
}

impl From<Action> for PlayerAction {
    fn from(action: Action) -> Self {
        Self::Game(action)
    }
}

impl LiveGames {
    /// Carries out a player's action, here or at the game's owner. `lag_ms` is the measured round trip of the player's
    /// messages.
    pub async fn act(
        &self,
        live: &GameHandle,
        player: &Player,
        action: &PlayerAction,
        lag_ms: i64,
    ) -> Result<(), ActionError> {
        if self.cluster().is_none() {
            return self.act_here(live, player, action, lag_ms, None).await;
        }
        let change = Change::Act { player: player.clone(), action: action.clone(), lag_ms };
        Box::pin(self.perform(live, change)).await
    }

    /// Carries out a player's action, for a `command` of another server.
    pub(super) async fn act_here(
        &self,
        live: &GameHandle,
        player: &Player,
        action: &PlayerAction,
        lag_ms: i64,
        command: Option<&str>,
    ) -> Result<(), ActionError> {
        let now = now_ms();
        let mut inner = self.lock(live).await?;
        if !self.may_change(&inner) {
            return Err(ActionError::NotOwner);
        }
        inner.command = command.map(str::to_owned);
        let side = inner.machine.side_of(&player.id);
        match action {
            PlayerAction::Game(Action::Ping) => {
                if let Some(color) = side {
                    inner.touch(color, now);
                }
                return Ok(());
            }
            PlayerAction::Game(Action::Chat { room, text }) => {
                return self.chat(live, &mut inner, player, *room, text, now).await;
            }
            _ => {}
        }
        let color = side.ok_or(ActionError::NotAPlayer)?;
        inner.touch(color, now);
        let events = match action {
            PlayerAction::ClaimVictory => claim_victory(&mut inner, color, now)?,
            PlayerAction::ClaimDraw => inner.machine.act(color, &Action::Claim, now, lag_ms)?,
            PlayerAction::Game(Action::Claim) => match victory(&mut inner, color, now) {
                Some(events) => events,
                None => inner.machine.act(color, &Action::Claim, now, lag_ms)?,
            },
            PlayerAction::Game(Action::Draw)
                if inner.machine.record.two().is_some()
                    && inner.machine.has_engine()
                    && inner.machine.status() == Status::Started =>
            {
                engine_player::answer_draw_offer(&inner, color, now)?
            }
            PlayerAction::Game(Action::Rematch) if inner.machine.wants_rematch(color) => {
                let people = players::ids(&inner.machine.seats);
                Box::pin(self.rematch(live, &mut inner, now)).await?;
                drop(inner);
                return Ok(Box::pin(self.remove_deleted_players(&people)).await?);
            }
            PlayerAction::Game(action) => inner.machine.act(color, action, now, lag_ms)?,
        };
        self.commit(live, &mut inner, events, now).await?;
        self.after_change(live, &mut inner, now);
        Ok(())
    }

    /// Seats a player on a free seat of a game, of this color if one is given.
    pub async fn join(
        &self,
        live: &GameHandle,
        player: Player,
        seat: Option<Color>,
    ) -> Result<(), ActionError> {
        self.perform(live, Change::Join(player, seat)).await
    }

    /// Seats a player, for a `command` of another server.
    pub(super) async fn join_here(
        &self,
        live: &GameHandle,
        player: Player,
        seat: Option<Color>,
        command: Option<&str>,
    ) -> Result<(), ActionError> {
        let now = now_ms();
        let mut inner = self.lock(live).await?;
        if !self.may_change(&inner) {
            return Err(ActionError::NotOwner);
        }
        inner.command = command.map(str::to_owned);
        let machine = &inner.machine;
        if machine.side_of(&player.id).is_some() {
            return Ok(());
        }
        // The maker may have deleted the account since.
        let deleted = machine.seats.iter().flatten().any(|seat| seat.id.is_empty());
        if machine.status() != Status::Waiting || deleted {
            return Err(ActionError::SeatTaken);
        }
        let free = |color: &Color| machine.player(*color).is_none() && seat.is_none_or(|seat| seat == *color);
        // Seats for anyone first: the others are kept for those who got a link.
        let color = machine.open_seats().chain(machine.record.colors().iter().copied()).find(free);
        let color = color.ok_or(ActionError::SeatTaken)?;
        let id = player.id.clone();
        // Before the commit, which broadcasts from when on an absent player may be claimed against.
        inner.reset_absence(now);
        self.commit(live, &mut inner, vec![GameEvent::Joined { color, player, at: now }], now).await?;
        self.after_change(live, &mut inner, now);
        drop(inner);
        Ok(self.remove_deleted_players(&[id]).await?)
    }

    /// The move that the engine suggests to its opponent.
    pub async fn hint(&self, live: &GameHandle, user: &str) -> Result<Hint, ActionError> {
        engine_player::hint(self, live, user).await
    }

    /// Creates the same game, in which everyone sits one seat further.
    async fn rematch(
        &self,
        live: &GameHandle,
        inner: &mut LiveGameInner,
        now: i64,
    ) -> Result<(), ActionError> {
        let old = &inner.machine;
        let config = GameConfig {
            id: lozenge_game::ids::game(),
            previous: Some(old.config.id.clone()),
            created_at: now,
            ..old.config.clone()
        };
        let game = config.id.clone();
        let mut seats = Vec::with_capacity(old.seats.len());
        for seat in &old.seats {
            seats.push(self.refreshed_player(seat, old.record.variant_id(), &config).await?);
        }
        let start = match old.record.two() {
            Some(game) => variants::start_again(game.start()).into(),
            None => old.record.start(),
        };
        let further = seats_further(&seats, &start);
        seats.rotate_right(further);
        let next = self.insert(Vec::new(), config, start, seats).await?;
        let mut next_inner = next.lock().await;
        next_inner.copy_presence(inner, further, now);
        self.after_change(&next, &mut next_inner, now);
        drop(next_inner);
        self.commit(live, inner, vec![GameEvent::Rematched { game }], now).await
    }

    /// A player's connection was opened or closed.
    pub(super) async fn connect(&self, live: &GameHandle, color: Color, open: bool) {
        let now = now_ms();
        let mut inner = live.lock().await;
        let changed = inner.connect(color, open, now);
        if !inner.is_mine() {
            self.pass_connection_on(&inner);
            return self.note_activity(&inner);
        }
        if changed {
            live.broadcast_state(&mut inner, now);
        }
        self.after_change(live, &mut inner, now);
    }
}

/// How many seats further everyone sits in a rematch: one, or more if a person would sit where the game begins without a player.
fn seats_further(seats: &[Option<Player>], start: &GamePosition) -> usize {
    let GamePosition::Four(start) = start else { return 1 };
    let is_engine =
        |player: &Option<Player>| player.as_ref().is_some_and(|player| player.kind == PlayerKind::Engine);
    let fits = |further: &usize| {
        Seat::ALL.into_iter().zip(0..seats.len()).all(|(seat, place)| {
            let before = (place + seats.len() - further) % seats.len();
            start.living().contains(seat) || is_engine(&seats[before])
        })
    };
    (1..=seats.len()).find(fits).unwrap_or(1)
}

fn claim_victory(inner: &mut LiveGameInner, color: Color, now: i64) -> Result<Vec<GameEvent>, ActionError> {
    match inner.machine.status() {
        Status::Waiting => Err(ActionError::NotStarted),
        Status::Started => victory(inner, color, now).ok_or(ActionError::NothingToClaim),
        Status::Finished => Err(ActionError::Over),
    }
}

/// The win of a side whose opponent has been away for long enough. In a game of four the absent player to move goes out.
pub(super) fn victory(inner: &mut LiveGameInner, color: Color, now: i64) -> Option<Vec<GameEvent>> {
    let absent = match inner.machine.record.two() {
        Some(_) => color.opponent(),
        None => inner.machine.turn(),
    };
    inner.claimable_from(absent).filter(|at| *at <= now && inner.machine.may_claim_against(color, absent))?;
    Some(match inner.machine.record.two() {
        Some(_) => {
            let result = GameResult::win(color);
            vec![GameEvent::Finished { result, reason: Reason::Abandoned, at: now }]
        }
        None => inner.machine.time_out_multi(now),
    })
}
