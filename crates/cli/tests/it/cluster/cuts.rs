//! A server that alone loses NATS or PostgreSQL, while it owns the game and while another does: the faults of the table in
//! `docs/hosting/several-machines.md`. Moves come by requests unless noted, so that clocks can be recomputed from the record.

use super::link::Cut;
use super::players::{Game, Player, count, interruptions};
use super::site::{LEASE, Site, TAKE_OVER};
use crate::common::{Server, browser};
use serde_json::json;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

fn now_ms() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as i64
}

/// The status of a server's `/readyz`.
fn readiness(server: &Server) -> u16 {
    browser().get(server.url("/readyz")).call().map_or(0, |response| response.status().as_u16())
}

fn play_all(game: &mut Game, server: &Server, moves: usize) {
    for _ in 0..moves {
        let (status, answer) = game.play(server);
        assert_eq!(status, 200, "{answer}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn owner_without_nats_releases_its_games() {
    let Some(mut site) = Site::new().await else { return };
    let link = site.link_to_nats().await;
    let (a, b) = (site.server_behind("a", Some(&link), None), site.server("b"));
    let mut game = Game::begin(&a, &b);
    let id = game.id.clone();
    play_all(&mut game, &a, 3);
    let mut bob = game.players[1].socket(&a, &id).await;
    bob.next_event(|event| event["type"] == "game").await;

    let (cut, cut_at) = (Instant::now(), now_ms());
    link.cut(Cut::Refuse);
    // At the owner they play on until it releases its games.
    let (status, answer) = game.play(&a);
    assert!(status == 200 || cut.elapsed() > LEASE / 2, "{status} {answer}");
    assert_eq!(bob.close_code().await, Some(1012));
    assert_eq!(readiness(&a), 503);
    game.play_within(&b, TAKE_OVER);
    assert!(cut.elapsed() < TAKE_OVER, "{:?}", cut.elapsed());
    assert_eq!(site.owner(&id).await.as_deref(), Some("b"));
    play_all(&mut game, &b, 1);

    link.heal();
    game.play_within(&a, TAKE_OVER);
    let end = Instant::now() + TAKE_OVER;
    while readiness(&a) != 200 {
        assert!(Instant::now() < end, "it is not ready again");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let record = site.record(&id).await;
    assert_eq!(count(&record, "moved"), game.ply);
    // The clock was charged until the games were released, which needed others' consent.
    let pauses = interruptions(&record, 300);
    assert_eq!(pauses.len(), 1);
    assert!(pauses[0].charged_until >= cut_at + LEASE.as_millis() as i64 / 2);
    assert!(pauses[0].resumed_at - pauses[0].charged_until < 2_000, "taken over at once");
}

#[tokio::test(flavor = "multi_thread")]
async fn follower_without_nats_disconnects_its_clients() {
    let Some(mut site) = Site::new().await else { return };
    let link = site.link_to_nats().await;
    let (a, b) = (site.server("a"), site.server_behind("b", Some(&link), None));
    let mut game = Game::begin(&a, &b);
    let id = game.id.clone();
    play_all(&mut game, &b, 4);
    let mut bob = game.players[1].socket(&b, &id).await;
    bob.next_event(|event| event["type"] == "game").await;

    link.cut(Cut::Hold);
    // Bob's resignation is held back.
    let (url, cookie) = (b.url(&format!("/api/games/{id}/actions")), game.players[1].cookie.clone());
    let resigns = std::thread::spawn(move || {
        Player { agent: browser(), cookie }.post(&url, &json!({"type": "resign"}))
    });
    // The owner plays on, and the follower reads the moves from the record.
    play_all(&mut game, &a, 1);
    bob.event_at_ply(5).await;
    assert_eq!(bob.close_code().await, Some(1013));
    assert_eq!(resigns.join().unwrap().0, 503);
    assert_eq!(readiness(&b), 503);
    play_all(&mut game, &a, 1);

    // The resignation arrives late and is not carried out: Bob's request was refused.
    link.heal();
    game.play_within(&b, TAKE_OVER);
    play_all(&mut game, &a, 1);
    let record = site.record(&id).await;
    assert_eq!((count(&record, "moved"), count(&record, "finished")), (8, 0));
    assert!(interruptions(&record, 300).is_empty(), "the owner was there all the time");
}

#[tokio::test(flavor = "multi_thread")]
async fn owner_without_postgresql_is_replaced() {
    let Some(mut site) = Site::new().await else { return };
    let link = site.link_to_postgres().await;
    let (a, b) = (site.server_behind("a", None, Some(&link)), site.server("b"));
    let mut game = Game::begin(&a, &b);
    let id = game.id.clone();
    play_all(&mut game, &a, 3);
    let mut bob = game.players[1].socket(&a, &id).await;
    let greeting = bob.next_event(|event| event["type"] == "game").await;

    let (cut, cut_at) = (Instant::now(), now_ms());
    link.cut(Cut::Hold);
    // A move that is being written meanwhile is not acknowledged, and its player can go to another server.
    let late = greeting["game"]["state"]["moves"][0].clone();
    bob.send(json!({"type": "move", "move": late, "ply": 3, "id": 7})).await;
    let paused = game.play_within(&b, TAKE_OVER);
    assert!(paused >= LEASE / 2, "the game was a's until its lease was over");
    assert!(cut.elapsed() < TAKE_OVER, "{:?}", cut.elapsed());
    assert_eq!(bob.close_code().await, Some(1012));
    assert_eq!(readiness(&a), 503);
    play_all(&mut game, &b, 1);
    let before = site.record(&id).await;

    // The held traffic arrives late, in an epoch that is over.
    link.heal();
    game.play_within(&a, TAKE_OVER);
    play_all(&mut game, &b, 1);
    let record = site.record(&id).await;
    assert_eq!(record[..before.len()], before[..]);
    assert_eq!(count(&record, "moved"), game.ply);
    let pauses = interruptions(&record, 300);
    assert_eq!(pauses.len(), 1);
    // Charged to the last renewal: at most a third of the lease before the cut.
    let third = LEASE.as_millis() as i64 / 3;
    assert!((-2 * third..=third).contains(&(pauses[0].charged_until - cut_at)), "{record:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn follower_without_postgresql_forwards_moves() {
    let Some(mut site) = Site::new().await else { return };
    let link = site.link_to_postgres().await;
    let (a, b) = (site.server("a"), site.server_behind("b", None, Some(&link)));
    let mut game = Game::begin(&a, &b);
    let id = game.id.clone();
    play_all(&mut game, &b, 4);
    let mut bob = game.players[1].socket(&b, &id).await;
    bob.next_event(|event| event["type"] == "game").await;

    link.cut(Cut::Refuse);
    play_all(&mut game, &a, 1);
    // Events and actions come through NATS.
    let event = bob.event_at_ply(5).await;
    bob.send(json!({"type": "move", "move": event["state"]["moves"][0], "ply": 5, "id": 7})).await;
    bob.next_event(|event| event["type"] == "ack" && event["id"] == 7).await;
    game.ply += 1;
    play_all(&mut game, &a, 1);
    let end = Instant::now() + TAKE_OVER;
    while site.number("SELECT COUNT(*) FROM nodes WHERE dead = 0").await != 1 {
        assert!(Instant::now() < end, "the other is not declared dead");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(readiness(&b), 503);

    link.heal();
    game.play_within(&b, TAKE_OVER);
    assert_eq!(site.owner(&id).await.as_deref(), Some("a"));
    let record = site.record(&id).await;
    assert_eq!((count(&record, "moved"), count(&record, "resumed")), (8, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn flag_falls_although_the_database_failed_during_the_takeover() {
    let Some(mut site) = Site::new().await else { return };
    let link = site.link_to_postgres().await;
    let (a, b) = (site.server("a"), site.server_behind("b", None, Some(&link)));
    let mut game = Game::begin_with(&a, &b, 0, 2);
    let id = game.id.clone();
    play_all(&mut game, &a, 2);
    // The other server gets the game, and cannot read it.
    sqlx::query("BEGIN").execute(&mut site.connection).await.unwrap();
    sqlx::query("LOCK TABLE facts IN ACCESS EXCLUSIVE MODE").execute(&mut site.connection).await.unwrap();
    a.kill();
    let end = Instant::now() + TAKE_OVER;
    while site.owner(&id).await.as_deref() != Some("b") {
        assert!(Instant::now() < end, "it is not taken over");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    tokio::time::sleep(Duration::from_millis(100)).await;
    link.cut(Cut::Refuse);
    sqlx::query("ROLLBACK").execute(&mut site.connection).await.unwrap();
    tokio::time::sleep(Duration::from_millis(100)).await;
    link.heal();

    // No client requests the game.
    let end = Instant::now() + TAKE_OVER;
    while site.number("SELECT COUNT(*) FROM games WHERE status = 'finished'").await == 0 {
        assert!(Instant::now() < end, "no flag falls: {:?}", site.record(&id).await);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let record = site.record(&id).await;
    let pauses = interruptions(&record, 2);
    assert_eq!(pauses.len(), 1);
    let began = record.iter().rfind(|event| event["fact"] == "moved").unwrap()["at"].as_i64();
    let charged = pauses[0].charged_until - began.unwrap();
    let end = record.last().unwrap()["at"].as_i64().unwrap();
    let ran = charged + end - pauses[0].resumed_at;
    assert!((2_000..2_500).contains(&ran), "charged {charged} ms before, in all {ran} ms");
    drop(b);
}
