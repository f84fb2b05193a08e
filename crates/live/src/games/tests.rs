//! Live games on a real database. The tests pass the time in.

#![allow(clippy::unwrap_used, reason = "a test may stop where it is")]

use super::actions::victory;
use super::{GameHandle, LiveGame, LiveGames, PlayerAction, Variants};
use lozenge_game::Network;
use lozenge_game::time::{ServerClock, now_ms};
use lozenge_game::{ActionError, GameConfig, GameEvent, speed};
use lozenge_rules::library;
use lozenge_rules::position::AnyPosition;
use lozenge_store::{Listing, Store};
use lozenge_wire::{Action, Clock, Color, GameResult, Player, PlayerKind, Reason, Status, Visibility};
use lozenge_worker::{Bounds, Pool};
use sqlx::{AnyConnection, Connection as _};
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;
use tempfile::TempDir;

pub(super) const MINUTE: Option<Clock> = Some(Clock::Live { initial_s: 60, increment_s: 0 });

pub(super) struct TestGames {
    pub(super) games: LiveGames,
    pub(super) store: Store,
    folder: TempDir,
}

impl TestGames {
    pub(super) async fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let store = Store::open(&Store::sqlite_url(folder.path())).await.unwrap();
        for name in ["ann", "bob"] {
            store.make_guest(name, 1).await.unwrap();
        }
        Self { games: live_games(&store), store, folder }
    }

    /// A game that was made at a moment.
    async fn game(&self, clock: Option<Clock>, seats: [Option<Player>; 2], created_at: i64) -> GameHandle {
        let rated = seats.iter().flatten().all(|player| player.kind == PlayerKind::User);
        let config = GameConfig {
            id: lozenge_game::ids::game(),
            digest: String::new(),
            clock,
            speed: speed(clock),
            rated,
            visibility: Visibility::Public,
            maker: "ann".into(),
            previous: None,
            fill: None,
            open_seats: Vec::new(),
            created_at,
        };
        let start = AnyPosition::start(&library::game("diagonal").unwrap());
        self.games.create(config, start, seats).await.unwrap()
    }

    /// Ann and Bob with accounts: their games are rated.
    async fn users(&self) -> [Option<Player>; 2] {
        for name in ["ann", "bob"] {
            assert!(self.store.name_user(name, name, "hash").await.unwrap());
        }
        ["ann", "bob"].map(|name| player(PlayerKind::User, name))
    }

    /// The rating of a player at the game of [`Slot::game`], and of how many games.
    async fn rating(&self, name: &str) -> (f64, u32) {
        let entry = self.store.rating(name, "diagonal", speed(MINUTE)).await.unwrap();
        (entry.rating, entry.games)
    }

    /// Does something to the database behind the server's back.
    pub(super) async fn tamper(&self, statement: &'static str) {
        let url = Store::sqlite_url(self.folder.path());
        let mut database = AnyConnection::connect(&url).await.unwrap();
        sqlx::query(statement).execute(&mut database).await.unwrap();
    }

    pub(super) async fn play(&self, live: &GameHandle, played: &str) {
        let (player, ply) = {
            let inner = live.lock().await;
            let machine = &inner.machine;
            (machine.seats[machine.turn().index()].clone().unwrap(), machine.played.len() as u32)
        };
        let action = Action::Move { played: played.into(), ply };
        self.games.act(live, &player, &action.into(), 0).await.unwrap();
    }
}

/// Live games as after a start of the server, with nothing in memory.
pub(super) fn live_games(store: &Store) -> LiveGames {
    let engine = Bounds { time: Duration::from_millis(50), hash_mib: 1, ..Bounds::default() };
    LiveGames::new(store.clone(), Variants::default(), Pool::new(engine))
}

pub(super) fn player(kind: PlayerKind, id: &str) -> Option<Player> {
    let level = (kind == PlayerKind::Engine).then_some(1);
    Some(Player { kind, id: id.into(), name: id.into(), rating: None, provisional: false, level })
}

fn guests() -> [Option<Player>; 2] {
    ["ann", "bob"].map(|name| player(PlayerKind::Guest, name))
}

pub(super) async fn id(live: &LiveGame) -> String {
    live.lock().await.machine.config.id.clone()
}

pub(super) async fn first_move(live: &LiveGame) -> String {
    let inner = live.lock().await;
    inner.machine.legal_texts()[0].to_string()
}

pub(super) async fn reason(live: &LiveGame) -> Option<Reason> {
    live.lock().await.machine.ended.as_ref().map(|(_, reason)| *reason)
}

/// Waits for something that comes soon.
async fn until(live: &LiveGame, there: impl Fn(&super::live_game::LiveGameInner) -> bool) {
    let come = async {
        while !there(&*live.lock().await) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), come).await.expect("it comes");
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_first_move_aborts_even_without_connections() {
    let (site, now) = (TestGames::new().await, now_ms());
    let live = site.game(MINUTE, [player(PlayerKind::Guest, "ann"), None], now - 20_000).await;
    site.games.join(&live, player(PlayerKind::Guest, "bob").as_ref().unwrap().clone(), None).await.unwrap();
    let id = id(&live).await;
    site.games.on_timer(&id, now + 40_001).await;
    assert_eq!((site.games.count(), reason(&live).await), (1, None), "it stays until the move is due");
    site.games.on_timer(&id, now + 65_000).await;
    assert_eq!(reason(&live).await, Some(Reason::Aborted));
}

#[tokio::test(flavor = "multi_thread")]
async fn flag_falls_after_the_lag_quota() {
    for (connected, grace) in [(false, 0), (true, 300)] {
        let site = TestGames::new().await;
        let live = site.game(MINUTE, guests(), now_ms()).await;
        for _ in 0..2 {
            site.play(&live, &first_move(&live).await).await;
        }
        if connected {
            site.games.connect(&live, Color::White, true).await;
        }
        let id = id(&live).await;
        let deadline = live.lock().await.machine.clock.unwrap().deadline().unwrap();
        site.games.on_timer(&id, deadline + grace - 1).await;
        assert_eq!(reason(&live).await, None);
        site.games.on_timer(&id, deadline + grace + 1).await;
        assert_eq!(reason(&live).await, Some(Reason::Time));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn move_sent_in_time_is_played_despite_lag() {
    let site = TestGames::new().await;
    site.games.start(None).await.unwrap();
    let live = site.game(Some(Clock::Live { initial_s: 1, increment_s: 0 }), guests(), now_ms()).await;
    site.games.connect(&live, Color::White, true).await;
    for _ in 0..2 {
        site.play(&live, &first_move(&live).await).await;
    }
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    let action = Action::Move { played: first_move(&live).await, ply: 2 };
    let [white, _] = guests().map(Option::unwrap);
    assert_eq!(site.games.act(&live, &white, &action.into(), 500).await, Ok(()));
    assert_eq!(reason(&live).await, None);
    assert_eq!(live.lock().await.machine.played.len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn absence_counts_from_loading_and_ends_with_an_action() {
    let site = TestGames::new().await;
    let game = site.game(MINUTE, guests(), now_ms()).await;
    for _ in 0..2 {
        site.play(&game, &first_move(&game).await).await;
    }
    let id = id(&game).await;
    let site = TestGames { games: live_games(&site.store), ..site };
    let before = now_ms();
    let live = site.games.game(&id).await.unwrap().unwrap();
    {
        let mut inner = live.lock().await;
        assert_eq!(victory(&mut inner, Color::White, before + 29_999), None);
        assert!(victory(&mut inner, Color::White, before + 60_000).is_some());
        inner.reset_absence(before - 31_000);
    }
    // White moves by a request, and is not away any more; Black is.
    site.play(&live, &first_move(&live).await).await;
    let [white, black] = guests().map(Option::unwrap);
    let nothing = Err(ActionError::NothingToClaim);
    assert_eq!(site.games.act(&live, &black, &PlayerAction::ClaimVictory, 0).await, nothing);
    // Claiming a draw does not win the game.
    assert_eq!(site.games.act(&live, &white, &PlayerAction::ClaimDraw, 0).await, nothing);
    live.lock().await.reset_absence(before - 31_000);
    assert_eq!(site.games.act(&live, &white, &PlayerAction::ClaimVictory, 0).await, Ok(()));
    assert_eq!(live.lock().await.machine.ended, Some((GameResult::WhiteWins, Reason::Abandoned)));
}

#[tokio::test(flavor = "multi_thread")]
async fn claiming_a_win_never_gives_a_draw() {
    let site = TestGames::new().await;
    let game = library::game("diagonal").unwrap();
    let start = AnyPosition::from_fen(&game, "7k/8/8/8/8/8/8/KR6 w - - 0 1").unwrap();
    let config = site.game(None, guests(), now_ms()).await.lock().await.machine.config.clone();
    let live = site
        .games
        .create(GameConfig { id: lozenge_game::ids::game(), ..config }, start, guests())
        .await
        .unwrap();
    for _ in 0..2 {
        for played in ["b1b2", "h8g8", "b2b1", "g8h8"] {
            site.play(&live, played).await;
        }
    }
    let [white, _] = guests().map(Option::unwrap);
    assert!(live.lock().await.machine.claim().is_some());
    assert_eq!(
        site.games.act(&live, &white, &PlayerAction::ClaimVictory, 0).await,
        Err(ActionError::NothingToClaim)
    );
    assert_eq!(site.games.act(&live, &white, &PlayerAction::ClaimDraw, 0).await, Ok(()));
    assert_eq!(reason(&live).await, Some(Reason::Repetition));
}

#[tokio::test(flavor = "multi_thread")]
async fn engine_retries_after_a_failed_write() {
    let site = TestGames::new().await;
    let seats = [player(PlayerKind::Engine, "engine"), player(PlayerKind::Guest, "ann")];
    let live = site.game(None, seats, now_ms()).await;
    site.games.note_request(&live, "ann", None).await;
    site.tamper("CREATE TRIGGER full BEFORE INSERT ON facts BEGIN SELECT RAISE(ABORT, 'no room left'); END")
        .await;
    until(&live, |inner| inner.search.is_none()).await;
    assert_eq!(live.lock().await.machine.played.len(), 0);
    site.tamper("DROP TRIGGER full").await;
    site.games.on_timer(&id(&live).await, now_ms() + 2_000).await;
    until(&live, |inner| inner.machine.played.len() == 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unrated_games_are_rated_once_at_the_next_start() {
    let site = TestGames::new().await;
    let live = site.game(MINUTE, site.users().await, now_ms()).await;
    for _ in 0..2 {
        site.play(&live, &first_move(&live).await).await;
    }
    // Killed after the end was written, and before anything followed from it.
    {
        let mut inner = live.lock().await;
        let end = GameEvent::Finished { result: GameResult::WhiteWins, reason: Reason::Resign, at: now_ms() };
        live.commit(&mut inner, &site.store, vec![end], now_ms()).await.unwrap();
        assert_eq!(inner.machine.status(), Status::Finished);
    }
    let games = async |name: &str| site.rating(name).await.1;
    // The search for unrated games skips those that ended long before the server last ran.
    let long_after = now_ms() + 8 * 24 * 60 * 60 * 1000;
    live_games(&site.store).start(Some(long_after)).await.unwrap();
    assert_eq!((games("ann").await, games("bob").await), (0, 0));
    for _ in 0..2 {
        live_games(&site.store).start(Some(now_ms())).await.unwrap();
        let ((ann, played), (bob, as_many)) = (site.rating("ann").await, site.rating("bob").await);
        assert_eq!((played, as_many), (1, 1));
        assert!(ann > 1500.0 && bob < 1500.0);
        assert!((ann + bob - 3000.0).abs() < 1e-6);
    }
    // Also one that was rated for one of the two only.
    site.tamper("DELETE FROM rating_history WHERE owner = 'bob'").await;
    site.tamper("DELETE FROM ratings WHERE owner = 'bob'").await;
    live_games(&site.store).start(Some(now_ms())).await.unwrap();
    assert_eq!((games("ann").await, games("bob").await), (1, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn only_games_with_present_players_are_active() {
    let (site, now) = (TestGames::new().await, now_ms());
    let left = site.game(None, guests(), now).await;
    let playing = |at| {
        let games = site.games.active_games(at);
        games.into_iter().map(|game| game.id).collect::<Vec<_>>()
    };
    assert_eq!(playing(now), Vec::<String>::new(), "neither has come");
    site.games.note_request(&left, "ann", None).await;
    let there = site.game(None, guests(), now + 1).await;
    site.games.connect(&there, Color::White, true).await;
    let (left, there) = (id(&left).await, id(&there).await);
    assert_eq!(playing(now_ms()), [there.clone(), left]);
    assert_eq!(playing(now_ms() + 61_000), [there], "no player of the other is connected");
    assert_eq!(playing(now_ms() + 16 * 60_000), Vec::<String>::new(), "no move was played");
    site.games.drop_inactive(now_ms() + 61_000);
    assert_eq!(playing(now_ms()).len(), 1);
}

fn against_engine() -> [Option<Player>; 2] {
    [player(PlayerKind::Engine, "engine"), player(PlayerKind::Guest, "ann")]
}

#[tokio::test(flavor = "multi_thread")]
async fn engine_searches_only_while_its_opponent_is_present() {
    let site = TestGames::new().await;
    let live = site.game(None, against_engine(), now_ms()).await;
    assert!(live.lock().await.search.is_none());
    // A spectator is not its opponent.
    site.games.note_request(&live, "bob", None).await;
    assert!(live.lock().await.search.is_none());
    site.games.connect(&live, Color::Black, true).await;
    until(&live, |inner| inner.machine.played.len() == 1).await;
    // A player who leaves during the engine's turn finds its answer on return.
    site.play(&live, &first_move(&live).await).await;
    site.games.connect(&live, Color::Black, false).await;
    let game = id(&live).await;
    site.games.on_timer(&game, now_ms() + 61_000).await;
    if live.lock().await.machine.played.len() == 2 {
        assert!(live.lock().await.search.is_none());
    }
    site.games.connect(&live, Color::Black, true).await;
    until(&live, |inner| inner.machine.played.len() == 3).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn engine_does_not_lose_on_time_to_an_absent_player() {
    let site = TestGames::new().await;
    let seats = [player(PlayerKind::Guest, "ann"), player(PlayerKind::Engine, "engine")];
    let live = site.game(MINUTE, seats, now_ms()).await;
    site.play(&live, &first_move(&live).await).await;
    until(&live, |inner| inner.machine.played.len() == 2).await;
    // The server ends while the engine is to move, and the player does not come back.
    let id = id(&live).await;
    {
        let mut inner = live.lock().await;
        inner.search = None;
        let played = inner.machine.legal_texts()[0].to_string();
        let events = inner.machine.act(Color::White, &Action::Move { played, ply: 2 }, now_ms(), 0).unwrap();
        live.commit(&mut inner, &site.store, events, now_ms()).await.unwrap();
    }
    let site = TestGames { games: live_games(&site.store), ..site };
    site.games.start(Some(now_ms())).await.unwrap();
    let live = site.games.game(&id).await.unwrap().unwrap();
    assert!(live.lock().await.search.is_none());
    site.games.on_timer(&id, now_ms() + 70_000).await;
    assert_eq!(live.lock().await.machine.ended, Some((GameResult::BlackWins, Reason::Abandoned)));
}

#[tokio::test(flavor = "multi_thread")]
async fn one_network_cannot_use_up_the_engine() {
    let (site, now) = (TestGames::new().await, now_ms());
    let network = |last: u8| Some(Network::from(std::net::IpAddr::from([192, 0, last, 1])));
    let admitted = |games: core::ops::Range<u32>, network: Option<Network>, same: bool, at: i64| {
        games
            .filter(|number| {
                let player = if same { "ann".to_owned() } else { format!("guest {number}") };
                site.games.admit_engine_game(&format!("game {number}"), &player, network, at).is_ok()
            })
            .count()
    };
    assert_eq!(admitted(0..1_000, network(1), false, now), 50, "of whatever guests");
    assert_eq!(admitted(1_000..1_100, network(2), true, now), 10, "of one player");
    assert_eq!(admitted(1_100..1_101, network(3), false, now), 1);
    // They were made and left: a minute later there is room.
    assert_eq!(admitted(1_200..1_201, network(1), false, now + 61_000), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn abandoned_engine_games_without_moves_are_aborted() {
    let (site, now) = (TestGames::new().await, now_ms());
    let left = site.game(None, against_engine(), now - 301_000).await;
    let there = site.game(None, against_engine(), now - 301_000).await;
    site.games.connect(&there, Color::Black, true).await;
    let people = site.game(None, guests(), now - 301_000).await;
    // Also after a start of the server, when it is not in memory.
    let id = id(&left).await;
    let fresh = live_games(&site.store);
    fresh.abort_abandoned(now - 10_000).await.unwrap();
    assert_eq!(reason(&left).await, None, "it is not yet time");
    site.games.abort_abandoned(now).await.unwrap();
    let ends = [reason(&left).await, reason(&there).await, reason(&people).await];
    assert_eq!(ends, [Some(Reason::Aborted), None, None]);
    assert_eq!(site.store.game_row(&id).await.unwrap().unwrap().status, "finished");
}

#[tokio::test(flavor = "multi_thread")]
async fn player_who_never_connects_is_away_once_the_game_has_begun() {
    let site = TestGames::new().await;
    let live = site.game(MINUTE, guests(), now_ms()).await;
    site.games.connect(&live, Color::White, true).await;
    for plies in 0..=2 {
        let mut inner = live.lock().await;
        let soon = now_ms() + 30_001;
        assert_eq!(victory(&mut inner, Color::White, soon).is_some(), plies == 2, "after {plies} half moves");
        assert_eq!(victory(&mut inner, Color::White, now_ms() + 20_000), None);
        assert_eq!(victory(&mut inner, Color::Black, soon), None, "White is there");
        drop(inner);
        if plies < 2 {
            site.play(&live, &first_move(&live).await).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn game_counts_once_both_have_moved() {
    let site = TestGames::new().await;
    let users = site.users().await;
    for plies in 0..=2 {
        let live = site.game(MINUTE, users.clone(), now_ms()).await;
        for _ in 0..plies {
            site.play(&live, &first_move(&live).await).await;
        }
        site.games.act(&live, users[1].as_ref().unwrap(), &Action::Resign.into(), 0).await.unwrap();
        assert_eq!(live.lock().await.rated, plies == 2, "after {plies} half moves");
    }
    live_games(&site.store).start(Some(now_ms())).await.unwrap();
    assert_eq!(site.rating("ann").await.1, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn deleting_an_account_resigns_its_games_and_rates_them() {
    let site = TestGames::new().await;
    let live = site.game(MINUTE, site.users().await, now_ms()).await;
    for _ in 0..2 {
        site.play(&live, &first_move(&live).await).await;
    }
    site.games.remove_player("bob").await.unwrap();
    // At once: soon there is no rating to lose.
    let (ann, played) = site.rating("ann").await;
    assert!(ann > 1500.0 && played == 1);
    site.store.delete_user("bob", now_ms()).await.unwrap();
    let white = live.lock().await.machine.seats[0].clone().unwrap();
    assert_eq!(site.games.act(&live, &white, &Action::Rematch.into(), 0).await, Err(ActionError::Gone));
}

#[tokio::test(flavor = "multi_thread")]
async fn deleted_player_is_not_seated() {
    let site = TestGames::new().await;
    let open = site.game(None, [guests()[0].clone(), None], now_ms()).await;
    let ghost = player(PlayerKind::User, "ghost").unwrap();
    site.games.join(&open, ghost.clone(), None).await.unwrap();
    let second = site.game(MINUTE, [Some(ghost), guests()[1].clone()], now_ms()).await;
    for (live, color) in [(open, Color::Black), (second, Color::White)] {
        let inner = live.lock().await;
        assert_eq!(inner.machine.status(), Status::Finished);
        assert_eq!(inner.machine.seats[color.index()].as_ref().unwrap().id, "");
    }
    assert_eq!(site.store.games_of("ghost").await.unwrap(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn game_with_a_handle_is_not_evicted() {
    let site = TestGames::new().await;
    let live = site.game(None, guests(), now_ms()).await;
    let id = id(&live).await;
    site.games.on_timer(&id, now_ms() + 61_000).await;
    let found = site.games.game(&id).await.unwrap().unwrap();
    assert!(std::ptr::eq(&*live, &*found), "two copies of a game in memory would diverge");
    drop((live, found));
    site.games.on_timer(&id, now_ms() + 200_000).await;
    assert_eq!(site.games.count(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn lifecycle_is_broadcast_to_each_player() {
    let site = TestGames::new().await;
    let mut lifecycle = site.games.lifecycle();
    let live = site.game(None, [guests()[0].clone(), None], now_ms()).await;
    assert!(lifecycle.try_recv().is_err(), "no opponent has joined");
    let [white, black] = guests().map(Option::unwrap);
    site.games.join(&live, black, None).await.unwrap();
    site.games.act(&live, &white, &Action::Resign.into(), 0).await.unwrap();
    let mut changes = Vec::new();
    while let Ok(change) = lifecycle.try_recv() {
        assert_eq!(*change.game, *id(&live).await);
        changes.push((change.player.to_string(), change.started));
    }
    let all = [("ann", true), ("bob", true), ("ann", false), ("bob", false)];
    assert_eq!(changes, all.map(|(name, on)| (name.to_owned(), on)));
}

#[tokio::test(flavor = "multi_thread")]
async fn stepped_system_clock_moves_no_running_clock() {
    static SYSTEM_MS: AtomicI64 = AtomicI64::new(1_700_000_000_000);
    let clock = ServerClock::new(|| SYSTEM_MS.load(Ordering::SeqCst));
    let site = TestGames::new().await;
    let live = site.game(MINUTE, guests(), clock.now_ms()).await;
    for step in [600_000, -600_000] {
        let before = clock.now_ms();
        SYSTEM_MS.fetch_add(step, Ordering::SeqCst);
        site.games.follow_system_clock(&clock);
        assert!((0..60_000).contains(&(clock.now_ms() - before)), "a step of {step} ms");
        SYSTEM_MS.fetch_sub(step, Ordering::SeqCst);
    }
    let [white, _] = guests().map(Option::unwrap);
    site.games.act(&live, &white, &Action::Abort.into(), 0).await.unwrap();
    SYSTEM_MS.fetch_add(600_000, Ordering::SeqCst);
    site.games.follow_system_clock(&clock);
    assert!(clock.offset_ms().abs() < 60_000, "no live game runs any more");
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_include_games_changed_in_the_same_millisecond() {
    let site = TestGames::new().await;
    let at = now_ms();
    let mut ids = Vec::new();
    for _ in 0..7 {
        ids.push(id(&*site.game(None, guests(), at).await).await);
    }
    let (mut listed, mut before) = (Vec::new(), None);
    loop {
        let page = Listing { before: before.take(), private: true, limit: 2, ..Listing::default() };
        let rows = site.store.games(&page).await.unwrap();
        let Some(last) = rows.last() else { break };
        before = Some((last.updated_at, last.id.clone()));
        listed.extend(rows.into_iter().map(|row| row.id));
    }
    ids.sort_by(|a, b| b.cmp(a));
    assert_eq!(listed, ids);
}
