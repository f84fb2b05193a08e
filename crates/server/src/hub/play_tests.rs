//! Games in a hub with a store, and what becomes of them as time passes: tests say what time it is.

#![allow(clippy::unwrap_used, reason = "a test may stop where it is")]

use super::table::Terms;
use super::{Fact, Hub, Live, Refusal, Variants, speed, victory};
use crate::network::Network;
use crate::store::{Listing, Store};
use crate::time::{ServerClock, now_ms};
use lozenge_rules::position::AnyPosition;
use lozenge_rules::variant::library;
use lozenge_wire::{Action, Clock, Color, Player, PlayerKind, Reason, Status, Visibility};
use lozenge_worker::{Bounds, Pool};
use sqlx::{AnyConnection, Connection as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;
use tempfile::TempDir;

const MINUTE: Option<Clock> = Some(Clock::Live { initial_s: 60, increment_s: 0 });

struct Place {
    hub: Hub,
    store: Store,
    folder: TempDir,
}

impl Place {
    async fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let store = Store::open(&Store::sqlite_url(folder.path())).await.unwrap();
        for name in ["ann", "bob"] {
            store.make_guest(name, 1).await.unwrap();
        }
        Self { hub: hub(&store), store, folder }
    }

    /// A game that was made at a moment.
    async fn game(&self, clock: Option<Clock>, seats: [Option<Player>; 2], created_at: i64) -> Arc<Live> {
        let rated = seats.iter().flatten().all(|player| player.kind == PlayerKind::User);
        let terms = Terms {
            id: crate::ids::game(),
            digest: String::new(),
            clock,
            speed: speed(clock),
            rated,
            visibility: Visibility::Public,
            maker: "ann".into(),
            previous: None,
            created_at,
        };
        let start = AnyPosition::start(&library::game("diagonal").unwrap());
        self.hub.make(terms, start, seats).await.unwrap()
    }

    /// Ann and Bob with accounts: what they play is rated.
    async fn users(&self) -> [Option<Player>; 2] {
        for name in ["ann", "bob"] {
            assert!(self.store.name_user(name, name, "hash").await.unwrap());
        }
        ["ann", "bob"].map(|name| player(PlayerKind::User, name))
    }

    /// The rating of somebody at the game of [`Place::game`], and of how many games.
    async fn rating(&self, name: &str) -> (f64, u32) {
        let entry = self.store.rating(name, "diagonal", speed(MINUTE)).await.unwrap();
        (entry.rating, entry.games)
    }

    /// Does something to the database behind the server's back.
    async fn tamper(&self, statement: &'static str) {
        let url = Store::sqlite_url(self.folder.path());
        let mut database = AnyConnection::connect(&url).await.unwrap();
        sqlx::query(statement).execute(&mut database).await.unwrap();
    }

    async fn play(&self, live: &Arc<Live>, played: &str) {
        let (player, ply) = {
            let inside = live.lock().await;
            let table = &inside.table;
            (table.seats[table.turn().index()].clone().unwrap(), table.played.len() as u32)
        };
        let action = Action::Move { played: played.into(), ply };
        self.hub.act(live, &player, &action, 0).await.unwrap();
    }
}

/// A hub as after a start of the server, with nothing in memory.
fn hub(store: &Store) -> Hub {
    let engine = Bounds { time: Duration::from_millis(50), hash_mib: 1, ..Bounds::default() };
    Hub::new(store.clone(), Variants::default(), Pool::new(engine))
}

fn player(kind: PlayerKind, id: &str) -> Option<Player> {
    let level = (kind == PlayerKind::Engine).then_some(1);
    Some(Player { kind, id: id.into(), name: id.into(), rating: None, provisional: false, level })
}

fn guests() -> [Option<Player>; 2] {
    ["ann", "bob"].map(|name| player(PlayerKind::Guest, name))
}

async fn id(live: &Live) -> String {
    live.lock().await.table.terms.id.clone()
}

async fn first_move(live: &Live) -> String {
    let inside = live.lock().await;
    crate::shown::moves(inside.table.position(), inside.table.legal())[0].clone()
}

async fn reason(live: &Live) -> Option<Reason> {
    live.lock().await.table.ended.as_ref().map(|(_, reason)| *reason)
}

/// Waits for something that comes soon.
async fn until(live: &Live, there: impl Fn(&super::live::Inside) -> bool) {
    let come = async {
        while !there(&*live.lock().await) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), come).await.expect("it comes");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_move_is_missed_also_when_nobody_is_there() {
    let (place, now) = (Place::new().await, now_ms());
    let live = place.game(MINUTE, [player(PlayerKind::Guest, "ann"), None], now - 20_000).await;
    place.hub.join(&live, player(PlayerKind::Guest, "bob").as_ref().unwrap().clone()).await.unwrap();
    let id = id(&live).await;
    place.hub.ring(&id, now + 40_001).await;
    assert_eq!((place.hub.len(), reason(&live).await), (1, None), "it stays until the move is due");
    place.hub.ring(&id, now + 65_000).await;
    assert_eq!(reason(&live).await, Some(Reason::Aborted));
}

#[tokio::test(flavor = "multi_thread")]
async fn time_is_over_when_a_move_cannot_be_on_its_way_any_more() {
    for (connected, grace) in [(false, 0), (true, 300)] {
        let place = Place::new().await;
        let live = place.game(MINUTE, guests(), now_ms()).await;
        for _ in 0..2 {
            place.play(&live, &first_move(&live).await).await;
        }
        if connected {
            place.hub.connect(&live, Color::White, true).await;
        }
        let id = id(&live).await;
        let deadline = live.lock().await.table.clock.unwrap().deadline().unwrap();
        place.hub.ring(&id, deadline + grace - 1).await;
        assert_eq!(reason(&live).await, None);
        place.hub.ring(&id, deadline + grace + 1).await;
        assert_eq!(reason(&live).await, Some(Reason::Time));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_that_was_on_its_way_in_time_is_played() {
    let place = Place::new().await;
    place.hub.start(None).await.unwrap();
    let live = place.game(Some(Clock::Live { initial_s: 1, increment_s: 0 }), guests(), now_ms()).await;
    place.hub.connect(&live, Color::White, true).await;
    for _ in 0..2 {
        place.play(&live, &first_move(&live).await).await;
    }
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    let action = Action::Move { played: first_move(&live).await, ply: 2 };
    let [white, _] = guests().map(Option::unwrap);
    assert_eq!(place.hub.act(&live, &white, &action, 500).await, Ok(()));
    assert_eq!(reason(&live).await, None);
    assert_eq!(live.lock().await.table.played.len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_does_not_come_back_to_a_loaded_game_is_away_and_who_acts_is_not() {
    let place = Place::new().await;
    let made = place.game(MINUTE, guests(), now_ms()).await;
    for _ in 0..2 {
        place.play(&made, &first_move(&made).await).await;
    }
    let id = id(&made).await;
    let place = Place { hub: hub(&place.store), ..place };
    let before = now_ms();
    let live = place.hub.game(&id).await.unwrap().unwrap();
    {
        let mut inside = live.lock().await;
        assert_eq!(victory(&inside, Color::White, before + 29_999), None);
        assert!(victory(&inside, Color::White, before + 60_000).is_some());
        inside.begin_anew(before - 31_000);
    }
    // White moves by a request, and is not away any more; Black is.
    place.play(&live, &first_move(&live).await).await;
    let [white, black] = guests().map(Option::unwrap);
    let nothing = Err(Refusal::NothingToClaim);
    assert_eq!(place.hub.claim_victory(&live, &black).await, nothing);
    // Who claims a draw gets no win.
    assert_eq!(place.hub.claim_draw(&live, &white).await, nothing);
    live.lock().await.begin_anew(before - 31_000);
    assert_eq!(place.hub.claim_victory(&live, &white).await, Ok(()));
    assert_eq!(live.lock().await.table.ended, Some(("1-0".into(), Reason::Abandoned)));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_claims_a_win_gets_no_draw() {
    let place = Place::new().await;
    let game = library::game("diagonal").unwrap();
    let start = AnyPosition::from_fen(&game, "7k/8/8/8/8/8/8/KR6 w - - 0 1").unwrap();
    let terms = place.game(None, guests(), now_ms()).await.lock().await.table.terms.clone();
    let live = place.hub.make(Terms { id: crate::ids::game(), ..terms }, start, guests()).await.unwrap();
    for _ in 0..2 {
        for played in ["b1b2", "h8g8", "b2b1", "g8h8"] {
            place.play(&live, played).await;
        }
    }
    let [white, _] = guests().map(Option::unwrap);
    assert!(live.lock().await.table.claim().is_some());
    assert_eq!(place.hub.claim_victory(&live, &white).await, Err(Refusal::NothingToClaim));
    assert_eq!(place.hub.claim_draw(&live, &white).await, Ok(()));
    assert_eq!(reason(&live).await, Some(Reason::Repetition));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_engine_tries_again_when_its_move_could_not_be_written() {
    let place = Place::new().await;
    let seats = [player(PlayerKind::Engine, "engine"), player(PlayerKind::Guest, "ann")];
    let live = place.game(None, seats, now_ms()).await;
    place.hub.arrive(&live, "ann", None).await;
    place
        .tamper("CREATE TRIGGER full BEFORE INSERT ON facts BEGIN SELECT RAISE(ABORT, 'no room left'); END")
        .await;
    until(&live, |inside| inside.thinking.is_none()).await;
    assert_eq!(live.lock().await.table.played.len(), 0);
    place.tamper("DROP TRIGGER full").await;
    place.hub.ring(&id(&live).await, now_ms() + 2_000).await;
    until(&live, |inside| inside.table.played.len() == 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn games_that_ended_unrated_are_rated_at_the_next_start_and_once() {
    let place = Place::new().await;
    let live = place.game(MINUTE, place.users().await, now_ms()).await;
    for _ in 0..2 {
        place.play(&live, &first_move(&live).await).await;
    }
    // Killed after the end was written, and before anything followed from it.
    {
        let mut inside = live.lock().await;
        let end = Fact::Finished { result: "1-0".into(), reason: Reason::Resign, at: now_ms() };
        live.commit(&mut inside, &place.store, vec![end], now_ms()).await.unwrap();
        assert_eq!(inside.table.status(), Status::Finished);
    }
    let games = async |name: &str| place.rating(name).await.1;
    // What ended long before the server last ran is not looked for.
    let long_after = now_ms() + 8 * 24 * 60 * 60 * 1000;
    hub(&place.store).start(Some(long_after)).await.unwrap();
    assert_eq!((games("ann").await, games("bob").await), (0, 0));
    for _ in 0..2 {
        hub(&place.store).start(Some(now_ms())).await.unwrap();
        let ((ann, played), (bob, as_many)) = (place.rating("ann").await, place.rating("bob").await);
        assert_eq!((played, as_many), (1, 1));
        assert!(ann > 1500.0 && bob < 1500.0);
        assert!((ann + bob - 3000.0).abs() < 1e-6);
    }
    // Also one that was rated for one of the two only.
    place.tamper("DELETE FROM rating_history WHERE owner = 'bob'").await;
    place.tamper("DELETE FROM ratings WHERE owner = 'bob'").await;
    hub(&place.store).start(Some(now_ms())).await.unwrap();
    assert_eq!((games("ann").await, games("bob").await), (1, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn only_games_whose_players_are_present_are_being_played() {
    let (place, now) = (Place::new().await, now_ms());
    let left = place.game(None, guests(), now).await;
    let playing = |at| {
        let games = place.hub.being_played(at);
        games.into_iter().map(|game| game.id).collect::<Vec<_>>()
    };
    assert_eq!(playing(now), Vec::<String>::new(), "neither has come");
    place.hub.arrive(&left, "ann", None).await;
    let there = place.game(None, guests(), now + 1).await;
    place.hub.connect(&there, Color::White, true).await;
    let (left, there) = (id(&left).await, id(&there).await);
    assert_eq!(playing(now_ms()), [there.clone(), left]);
    assert_eq!(playing(now_ms() + 61_000), [there], "nobody is connected to the other");
    assert_eq!(playing(now_ms() + 16 * 60_000), Vec::<String>::new(), "nobody has moved");
    place.hub.sweep_presence(now_ms() + 61_000);
    assert_eq!(playing(now_ms()).len(), 1);
}

fn against_engine() -> [Option<Player>; 2] {
    [player(PlayerKind::Engine, "engine"), player(PlayerKind::Guest, "ann")]
}

#[tokio::test(flavor = "multi_thread")]
async fn the_engine_thinks_only_while_its_opponent_is_present() {
    let place = Place::new().await;
    let live = place.game(None, against_engine(), now_ms()).await;
    assert!(live.lock().await.thinking.is_none());
    // A spectator is not its opponent.
    place.hub.arrive(&live, "bob", None).await;
    assert!(live.lock().await.thinking.is_none());
    place.hub.connect(&live, Color::Black, true).await;
    until(&live, |inside| inside.table.played.len() == 1).await;
    // Whoever leaves during the engine's turn finds its answer when they come back.
    place.play(&live, &first_move(&live).await).await;
    place.hub.connect(&live, Color::Black, false).await;
    let game = id(&live).await;
    place.hub.ring(&game, now_ms() + 61_000).await;
    if live.lock().await.table.played.len() == 2 {
        assert!(live.lock().await.thinking.is_none());
    }
    place.hub.connect(&live, Color::Black, true).await;
    until(&live, |inside| inside.table.played.len() == 3).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_engine_does_not_lose_on_time_to_a_player_who_has_left() {
    let place = Place::new().await;
    let seats = [player(PlayerKind::Guest, "ann"), player(PlayerKind::Engine, "engine")];
    let live = place.game(MINUTE, seats, now_ms()).await;
    place.play(&live, &first_move(&live).await).await;
    until(&live, |inside| inside.table.played.len() == 2).await;
    // The server ends while the engine is to move, and the player does not come back.
    let id = id(&live).await;
    {
        let mut inside = live.lock().await;
        inside.thinking = None;
        let played = crate::shown::moves(inside.table.position(), inside.table.legal())[0].clone();
        let facts = inside.table.act(Color::White, &Action::Move { played, ply: 2 }, now_ms(), 0).unwrap();
        live.commit(&mut inside, &place.store, facts, now_ms()).await.unwrap();
    }
    let place = Place { hub: hub(&place.store), ..place };
    place.hub.start(Some(now_ms())).await.unwrap();
    let live = place.hub.game(&id).await.unwrap().unwrap();
    assert!(live.lock().await.thinking.is_none());
    place.hub.ring(&id, now_ms() + 70_000).await;
    assert_eq!(live.lock().await.table.ended, Some(("0-1".into(), Reason::Abandoned)));
}

#[tokio::test(flavor = "multi_thread")]
async fn one_network_cannot_fill_the_engine_with_games() {
    let (place, now) = (Place::new().await, now_ms());
    let network = |last: u8| Some(Network::from(std::net::IpAddr::from([192, 0, last, 1])));
    let admitted = |games: core::ops::Range<u32>, network: Option<Network>, same: bool, at: i64| {
        games
            .filter(|number| {
                let player = if same { "ann".to_owned() } else { format!("guest {number}") };
                place.hub.admit_engine_game(&format!("game {number}"), &player, network, at).is_ok()
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
async fn games_against_the_engine_that_were_left_without_a_move_are_aborted() {
    let (place, now) = (Place::new().await, now_ms());
    let left = place.game(None, against_engine(), now - 301_000).await;
    let there = place.game(None, against_engine(), now - 301_000).await;
    place.hub.connect(&there, Color::Black, true).await;
    let people = place.game(None, guests(), now - 301_000).await;
    // Also after a start of the server, when nobody remembers it.
    let id = id(&left).await;
    let fresh = hub(&place.store);
    fresh.abort_unbegun(now - 10_000).await.unwrap();
    assert_eq!(reason(&left).await, None, "it is not yet time");
    place.hub.abort_unbegun(now).await.unwrap();
    let ends = [reason(&left).await, reason(&there).await, reason(&people).await];
    assert_eq!(ends, [Some(Reason::Aborted), None, None]);
    assert_eq!(place.store.game_row(&id).await.unwrap().unwrap().status, "finished");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_never_comes_is_away_once_the_game_has_begun() {
    let place = Place::new().await;
    let live = place.game(MINUTE, guests(), now_ms()).await;
    place.hub.connect(&live, Color::White, true).await;
    for plies in 0..=2 {
        let inside = live.lock().await;
        let soon = now_ms() + 30_001;
        assert_eq!(victory(&inside, Color::White, soon).is_some(), plies == 2, "after {plies} half moves");
        assert_eq!(victory(&inside, Color::White, now_ms() + 20_000), None);
        assert_eq!(victory(&inside, Color::Black, soon), None, "White is there");
        drop(inside);
        if plies < 2 {
            place.play(&live, &first_move(&live).await).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_counts_once_both_have_moved() {
    let place = Place::new().await;
    let users = place.users().await;
    for plies in 0..=2 {
        let live = place.game(MINUTE, users.clone(), now_ms()).await;
        for _ in 0..plies {
            place.play(&live, &first_move(&live).await).await;
        }
        place.hub.act(&live, users[1].as_ref().unwrap(), &Action::Resign, 0).await.unwrap();
        assert_eq!(live.lock().await.rated, plies == 2, "after {plies} half moves");
    }
    hub(&place.store).start(Some(now_ms())).await.unwrap();
    assert_eq!(place.rating("ann").await.1, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_goes_with_the_account_loses_what_goes_on_and_the_other_gains() {
    let place = Place::new().await;
    let live = place.game(MINUTE, place.users().await, now_ms()).await;
    for _ in 0..2 {
        place.play(&live, &first_move(&live).await).await;
    }
    place.hub.forget("bob").await.unwrap();
    // At once: soon there is no rating to lose.
    let (ann, played) = place.rating("ann").await;
    assert!(ann > 1500.0 && played == 1);
    place.store.delete_user("bob", now_ms()).await.unwrap();
    let white = live.lock().await.table.seats[0].clone().unwrap();
    assert_eq!(place.hub.act(&live, &white, &Action::Rematch, 0).await, Err(Refusal::Gone));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_has_gone_meanwhile_is_not_seated() {
    let place = Place::new().await;
    let open = place.game(None, [guests()[0].clone(), None], now_ms()).await;
    let ghost = player(PlayerKind::User, "ghost").unwrap();
    place.hub.join(&open, ghost.clone()).await.unwrap();
    let made = place.game(MINUTE, [Some(ghost), guests()[1].clone()], now_ms()).await;
    for (live, color) in [(open, Color::Black), (made, Color::White)] {
        let inside = live.lock().await;
        assert_eq!(inside.table.status(), Status::Finished);
        assert_eq!(inside.table.seats[color.index()].as_ref().unwrap().id, "");
    }
    assert_eq!(place.store.games_of("ghost").await.unwrap(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_somebody_has_in_hand_stays_the_same_one() {
    let place = Place::new().await;
    let live = place.game(None, guests(), now_ms()).await;
    let id = id(&live).await;
    place.hub.ring(&id, now_ms() + 61_000).await;
    let found = place.hub.game(&id).await.unwrap().unwrap();
    assert!(std::sync::Arc::ptr_eq(&live, &found), "two games in memory would not hear of each other");
    drop((live, found));
    place.hub.ring(&id, now_ms() + 200_000).await;
    assert_eq!(place.hub.len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn games_are_told_as_they_begin_and_end() {
    let place = Place::new().await;
    let mut goings = place.hub.goings();
    let live = place.game(None, [guests()[0].clone(), None], now_ms()).await;
    assert!(goings.try_recv().is_err(), "nobody has joined");
    let [white, black] = guests().map(Option::unwrap);
    place.hub.join(&live, black).await.unwrap();
    place.hub.act(&live, &white, &Action::Resign, 0).await.unwrap();
    let mut heard = Vec::new();
    while let Ok(going) = goings.try_recv() {
        assert_eq!(*going.game, *id(&live).await);
        heard.push((going.player.to_string(), going.on));
    }
    let all = [("ann", true), ("bob", true), ("ann", false), ("bob", false)];
    assert_eq!(heard, all.map(|(name, on)| (name.to_owned(), on)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_step_of_the_system_clock_moves_no_running_clock() {
    static SYSTEM_MS: AtomicI64 = AtomicI64::new(1_700_000_000_000);
    let clock = ServerClock::new(|| SYSTEM_MS.load(Ordering::SeqCst));
    let place = Place::new().await;
    let live = place.game(MINUTE, guests(), clock.now_ms()).await;
    for step in [600_000, -600_000] {
        let before = clock.now_ms();
        SYSTEM_MS.fetch_add(step, Ordering::SeqCst);
        place.hub.follow_system_clock(&clock);
        assert!((0..60_000).contains(&(clock.now_ms() - before)), "a step of {step} ms");
        SYSTEM_MS.fetch_sub(step, Ordering::SeqCst);
    }
    let [white, _] = guests().map(Option::unwrap);
    place.hub.act(&live, &white, &Action::Abort, 0).await.unwrap();
    SYSTEM_MS.fetch_add(600_000, Ordering::SeqCst);
    place.hub.follow_system_clock(&clock);
    assert!(clock.offset_ms().abs() < 60_000, "no live game runs any more");
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_leave_no_game_out_that_changed_in_the_same_moment() {
    let place = Place::new().await;
    let at = now_ms();
    let mut made = Vec::new();
    for _ in 0..7 {
        made.push(id(&*place.game(None, guests(), at).await).await);
    }
    let (mut listed, mut before) = (Vec::new(), None);
    loop {
        let page = Listing { before: before.take(), private: true, limit: 2, ..Listing::default() };
        let rows = place.store.games(&page).await.unwrap();
        let Some(last) = rows.last() else { break };
        before = Some((last.updated_at, last.id.clone()));
        listed.extend(rows.into_iter().map(|row| row.id));
    }
    made.sort_by(|a, b| b.cmp(a));
    assert_eq!(listed, made);
}
