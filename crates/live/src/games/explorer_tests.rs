//! The explorer on a real database: it counts every finished public game once, also if it is cut off at any point.

#![allow(clippy::unwrap_used, reason = "a test may stop where it is")]

use super::{LiveGames, PlayerAction, Variants};
use lozenge_game::{BOOK_MONTH, Counts, ExplorerFilter, ExplorerSum, GameConfig, explorer_key, speed};
use lozenge_rules::library;
use lozenge_rules::notation::book::{encode, heading};
use lozenge_rules::position::{AnyPosition, Game};
use lozenge_store::Store;
use lozenge_wire::{Action, Clock, Color, Player, PlayerKind, Visibility};
use lozenge_worker::{Bounds, Pool};
use sqlx::{AnyConnection, Connection as _};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;
use tempfile::TempDir;

const ALL: ExplorerFilter = ExplorerFilter { rated: None, speed: None, ratings: [None, None] };

/// The rows of the explorer, and the games they name.
type Dump = (Vec<(i64, i64, Vec<u8>)>, Vec<(String, i64)>);

async fn open(folder: &TempDir) -> (Store, LiveGames) {
    let store = Store::open(&Store::sqlite_url(folder.path())).await.unwrap();
    let pool = Pool::new(Bounds { hash_mib: 1, ..Bounds::default() });
    (store.clone(), LiveGames::new(store, Variants::default(), pool))
}

fn player(id: &str, rating: Option<i32>) -> Option<Player> {
    let kind = PlayerKind::Guest;
    Some(Player { kind, id: id.into(), name: id.into(), rating, provisional: false, level: None })
}

/// Plays `plies` moves, takes the last one back if asked, and ends the game if asked.
async fn play(games: &LiveGames, visibility: Visibility, plies: usize, takeback: bool, end: bool) -> String {
    let clock = Some(Clock::Live { initial_s: 300, increment_s: 0 });
    let config = GameConfig {
        id: lozenge_game::ids::game(),
        digest: String::new(),
        clock,
        speed: speed(clock),
        rated: false,
        visibility,
        maker: "ann".into(),
        previous: None,
        fill: None,
        open_seats: Vec::new(),
        created_at: lozenge_game::time::now_ms(),
    };
    let start = AnyPosition::start(&library::game("diagonal").unwrap());
    let seats = [player("ann", Some(1500)), player("bob", None)];
    let live = games.create(config, start, seats.clone()).await.unwrap();
    let act = async |color: Color, action: Action| {
        let action: PlayerAction = action.into();
        games.act(&live, seats[color.index()].as_ref().unwrap(), &action, 0).await.unwrap();
    };
    for ply in 0..plies {
        let (turn, played) = {
            let inner = live.lock().await;
            let legal = inner.machine.legal_texts();
            (inner.machine.turn(), legal[ply % legal.len()])
        };
        act(turn, Action::Move { played: played.to_string(), ply: ply as u32 }).await;
    }
    if takeback {
        let mover = if plies % 2 == 1 { Color::White } else { Color::Black };
        act(mover, Action::Takeback).await;
        act(if mover == Color::White { Color::Black } else { Color::White }, Action::Takeback).await;
    }
    if end {
        act(Color::Black, Action::Resign).await;
    }
    live.lock().await.machine.config.id.clone()
}

async fn dump(folder: &TempDir) -> Dump {
    let mut database = AnyConnection::connect(&Store::sqlite_url(folder.path())).await.unwrap();
    let entries = "SELECT key, month, entry FROM explorer ORDER BY key, month";
    let games = "SELECT game, number FROM explorer_games ORDER BY number";
    let entries = sqlx::query_as(entries).fetch_all(&mut database).await.unwrap();
    (entries, sqlx::query_as(games).fetch_all(&mut database).await.unwrap())
}

async fn feed(games: &LiveGames) {
    while games.explore_some(lozenge_game::time::DAY_MS).await.unwrap() > 0 {}
}

/// The explorer's counts for a start: White's wins, draws and Black's wins, by move.
async fn explored(store: &Store, variant: &str) -> BTreeMap<String, [u64; 3]> {
    let variant = library::game(variant).unwrap();
    let start = AnyPosition::start(&variant);
    let key = explorer_key(&lozenge_game::convert::digest(&variant), start.key());
    let sum = store.explored(key, 0..=i64::MAX, &ALL).await.unwrap();
    let numbers = |counts: Counts| [counts.white, counts.draws, counts.black];
    sum.moves.into_iter().map(|(uci, counts)| (uci.into(), numbers(counts))).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn counts_are_the_same_after_a_crash_at_any_point() {
    let folder = TempDir::new().unwrap();
    let (store, games) = open(&folder).await;
    for name in ["ann", "bob"] {
        store.make_guest(name, 1).await.unwrap();
    }
    let mut counted = Vec::new();
    for plies in 2..11 {
        counted.push(play(&games, Visibility::Public, plies, false, true).await);
    }
    play(&games, Visibility::Private, 4, false, true).await;
    play(&games, Visibility::Public, 4, false, false).await;
    feed(&games).await;
    let whole = dump(&folder).await;
    let named: Vec<&String> = whole.1.iter().map(|(game, _)| game).collect();
    assert_eq!(named, counted.iter().collect::<Vec<_>>(), "finished public games, in order");
    assert_eq!(explored(&store, "diagonal").await.values().map(|counts| counts[0]).sum::<u64>(), 9);
    let mut cut = 1;
    loop {
        let mut database = AnyConnection::connect(&Store::sqlite_url(folder.path())).await.unwrap();
        let forget =
            "DELETE FROM explorer; DELETE FROM explorer_games; UPDATE explorer_cursor SET at = 0, number = 0";
        sqlx::raw_sql(forget).execute(&mut database).await.unwrap();
        // Crashes each time after `cut` polls; the store is dropped with whatever it was doing.
        let mut crashes = 0;
        while crashes < 30 {
            let (_, games) = open(&folder).await;
            let mut work = Box::pin(feed(&games));
            let mut polls = 0;
            let ended = std::future::poll_fn(|context| {
                polls += 1;
                if polls > cut { Poll::Ready(false) } else { work.as_mut().poll(context).map(|()| true) }
            });
            if ended.await {
                break;
            }
            crashes += 1;
        }
        let (_, games) = open(&folder).await;
        feed(&games).await;
        assert_eq!(dump(&folder).await, whole, "cut after {cut} polls");
        if crashes == 0 {
            break;
        }
        cut = cut * 2 + 1;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn moves_taken_back_do_not_count() {
    let folder = TempDir::new().unwrap();
    let (store, games) = open(&folder).await;
    for name in ["ann", "bob"] {
        store.make_guest(name, 1).await.unwrap();
    }
    play(&games, Visibility::Public, 3, false, true).await;
    feed(&games).await;
    let once = dump(&folder).await.0.len();
    assert_eq!(once, 3);
    play(&games, Visibility::Public, 3, true, true).await;
    feed(&games).await;
    let after = dump(&folder).await.0;
    assert_eq!(after.len(), once);
    let start = explored(&store, "diagonal").await;
    assert_eq!(start.values().collect::<Vec<_>>(), [&[2, 0, 0]]);
    let games: u64 = after
        .iter()
        .flat_map(|(_, _, bytes)| {
            let mut sum = ExplorerSum::default();
            sum.add(bytes, &ALL).unwrap();
            sum.moves.into_values().map(|counts| counts.games()).collect::<Vec<_>>()
        })
        .sum();
    assert_eq!(games, 3 + 2, "the third move was taken back in the second game");
}

#[tokio::test(flavor = "multi_thread")]
async fn book_is_counted_once_and_removed_when_replaced() {
    let variant = library::game("diamond").unwrap();
    let mut bytes = heading(&variant, "by a test").into_bytes();
    for first in 0..6 {
        let mut game = Game::new(&variant);
        let mut legal = game.position().legal_moves();
        legal.sort_unstable();
        game.play(legal[first % 2]).unwrap();
        bytes.extend(encode(&game, 0, None).unwrap());
    }
    let folder = TempDir::new().unwrap();
    let expected = |games: u64| vec![[0, games, 0], [0, games, 0]];
    let shorter = bytes[..bytes.len() - 18].to_vec();
    for (book, games) in [(&bytes, 3), (&bytes, 3), (&shorter, 2)] {
        let (store, live) = open(&folder).await;
        let books: Arc<[Cow<'static, [u8]>]> = [Cow::Owned(book.clone())].into();
        let task = tokio::spawn(live.clone().feed_explorer(books, Duration::ZERO));
        let counts = expected(games);
        let found = async {
            loop {
                let found: Vec<[u64; 3]> = explored(&store, "diamond").await.into_values().collect();
                if found == counts {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(60), found).await.unwrap();
        tokio::time::sleep(Duration::from_millis(200)).await;
        let found: Vec<[u64; 3]> = explored(&store, "diamond").await.into_values().collect();
        assert_eq!(found, counts);
        assert!(dump(&folder).await.0.iter().all(|(_, month, _)| *month == BOOK_MONTH));
        task.abort();
        store.close().await;
    }
}
