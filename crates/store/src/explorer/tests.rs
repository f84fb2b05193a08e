//! How long the explorer takes to answer, in a store of made-up games: `LOZENGE_EXPLORER_GAMES` is their number. With a
//! million it is the measurement for docs/books.md; by default it is a test with few games.

use super::*;
use lozenge_game::{Bucket, Visit};
use lozenge_wire::{GameResult, Speed};
use rand::rngs::SmallRng;
use rand::{Rng as _, RngExt as _, SeedableRng as _};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const PLIES: u32 = 40;
const MONTHS: i64 = 24;
/// Replies in a position; the chance of the n-th is as 1 to n^1.2.
const REPLIES: usize = 30;
/// Number of turns in which the keys are made. In each they are in order, so that memory stays small and the tree of the
/// table grows at its end.
const TURNS: u64 = 32;
/// Rows of one statement.
const ROWS: usize = 200;
const GOAL: Duration = Duration::from_millis(20);

/// The games, always the same, with those of their positions that belong to a turn.
fn game(number: u64, games: u64, chances: &[f64], turn: u64) -> CountedGame {
    let mut random = SmallRng::seed_from_u64(number);
    let speed =
        [Speed::Bullet, Speed::Blitz, Speed::Blitz, Speed::Rapid, Speed::Classical, Speed::Correspondence]
            [random.random_range(0..6)];
    let rating = 800 + (0..6).map(|_| random.random_range(0..240)).sum::<i32>();
    let rated = random.random_bool(0.7);
    let result = [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw][random.random_range(0..3)];
    let mut position = 0u64;
    let visits = (0..PLIES).filter_map(|ply| {
        let chance: f64 = random.random();
        let reply = chances.iter().position(|&sum| chance < sum).unwrap_or_default() as u64;
        let key = scramble(position);
        position = scramble(position ^ (reply + 1));
        (key / (u64::MAX / TURNS + 1) == turn).then(|| Visit {
            key: key.cast_signed(),
            uci: format!("a{}b{}", reply + 1, ply % 10 + 1),
            rating: Some(rating),
            seat: 0,
        })
    });
    CountedGame {
        month: 660 + (number * MONTHS as u64 / games) as i64,
        bucket: Bucket::of(speed, rated, Some(rating)),
        result,
        visits: visits.collect(),
    }
}

/// The first random number from this one.
fn scramble(number: u64) -> u64 {
    SmallRng::seed_from_u64(number).next_u64()
}

/// The first sum of chances for each reply.
fn chances() -> Vec<f64> {
    let weights: Vec<f64> = (1..=REPLIES).map(|place| (place as f64).powf(-1.2)).collect();
    let all: f64 = weights.iter().sum();
    let mut sum = 0.0;
    weights
        .iter()
        .map(|weight| {
            sum += weight / all;
            sum
        })
        .collect()
}

async fn insert(store: &Store, rows: &[((i64, i64), Vec<u8>)]) {
    let mut writer = store.writer().await.expect("a writer");
    let mut transaction = writer.begin().await.expect("a transaction");
    for some in rows.chunks(ROWS) {
        let values: Vec<String> = (0..some.len())
            .map(|row| format!("(${}, ${}, ${})", 3 * row + 1, 3 * row + 2, 3 * row + 3))
            .collect();
        let sql = format!("INSERT INTO explorer (key, month, entry) VALUES {}", values.join(", "));
        let mut query = sqlx::query(AssertSqlSafe(sql));
        for ((key, month), bytes) in some {
            query = query.bind(*key).bind(*month).bind(bytes.clone());
        }
        query.execute(&mut *transaction).await.expect("rows");
    }
    transaction.commit().await.expect("a commit");
}

/// Fills a store; how many entries it has.
async fn fill(store: &Store, games: u64) -> usize {
    let chances = chances();
    let mut rows = 0;
    for turn in 0..TURNS {
        let mut changes = Changes::new();
        for number in 0..games {
            count(&mut changes, &game(number, games, &chances, turn), Some(number));
        }
        rows += changes.len();
        let encoded: Vec<_> = changes.into_iter().map(|(at, entry)| (at, entry.encode())).collect();
        insert(store, &encoded).await;
        if games >= 100_000 {
            eprintln!("{turn}/{TURNS}: {rows} entries");
        }
    }
    rows
}

#[tokio::test(flavor = "multi_thread")]
async fn the_explorer_answers_within_twenty_milliseconds() {
    let games =
        std::env::var("LOZENGE_EXPLORER_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(200);
    let folder = TempDir::new().expect("a folder");
    let store = Store::open(&Store::sqlite_url(folder.path())).await.expect("a store");
    let rows = fill(&store, games).await;
    store.close().await;
    let size = std::fs::metadata(folder.path().join("lozenge.sqlite")).expect("a file").len();
    let store = Store::open(&Store::sqlite_url(folder.path())).await.expect("a store");
    println!("{games} games, {rows} entries, {} MB", size / 1_000_000);
    let rated =
        ExplorerFilter { rated: Some(true), ratings: [Some(1400), Some(1800)], ..ExplorerFilter::default() };
    // The line of first replies: the positions with the largest entries.
    let mut position = 0;
    for ply in 0..8 {
        let key = scramble(position).cast_signed();
        for (name, filter) in [("all", ExplorerFilter::default()), ("rated, 1400 to 1800", rated)] {
            let mut times = Vec::new();
            let mut found = 0;
            for _ in 0..15 {
                let begun = Instant::now();
                let sum = store.explored(key, 0..=i64::MAX, &filter).await.expect("an answer");
                times.push(begun.elapsed());
                found = sum.moves.values().map(lozenge_game::Counts::games).sum();
            }
            let first = times[0];
            times.sort_unstable();
            println!(
                "ply {ply}, {name}: {found} games, first {first:.1?}, median {:.1?}",
                times[times.len() / 2]
            );
            assert!(times[0] < GOAL, "expected less than {GOAL:?}, found {times:?}");
        }
        position = scramble(position ^ 1);
    }
}
