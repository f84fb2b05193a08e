//! A thousand requests of one client for what is costly: each is answered or refused, and a client of another network is
//! answered meanwhile.

use crate::common::{Browser, TestServer, register, with_puzzles};
use crate::limits::{request, stranger};
use axum::http::{Method, StatusCode};
use futures_util::future::join_all;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const REQUESTS: u16 = 1_000;

const ENDING: &str = "****k****/***3***/**5**/*7*/4*4/*7*/**1A3**/***3***/****K****%20w%20-%20-%200%201";

async fn check(path: &str) {
    check_request(&Method::GET, path, None).await;
}

async fn check_request(method: &Method, path: &str, body: Option<Value>) {
    check_on(&TestServer::new().await, method, path, body).await;
}

async fn check_on(server: &TestServer, method: &Method, path: &str, body: Option<Value>) {
    let get = async |network: u8, last: u16| {
        request(server, stranger(network, last), method.clone(), path, body.clone()).await.status()
    };
    let flood = join_all((0..REQUESTS).map(|_| get(1, 1)));
    // It stands in the same queue, behind as many as one client may have in it.
    let (flood, other) = tokio::join!(flood, get(2, 1));
    let mut found: BTreeMap<u16, usize> = BTreeMap::new();
    flood.iter().for_each(|status| *found.entry(status.as_u16()).or_default() += 1);
    assert!(found.keys().all(|status| [200, 429, 503].contains(status)), "{path}: {found:?}");
    assert!(found.contains_key(&200), "{path}: {found:?}");
    assert_eq!(other, StatusCode::OK, "{path}: {found:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn lessons_are_answered_beside_a_thousand_requests_for_them() {
    check("/api/lessons/diamondring-wolf").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rules_in_words_are_answered_beside_a_thousand_requests_for_them() {
    check("/api/variants/diamondring-wolf/rules").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_are_answered_beside_a_thousand_requests_for_them() {
    check("/api/tables").await;
    check(&format!("/api/tables/diamond?fen={ENDING}")).await;
    check("/api/drills/diamond").await;
    check("/api/drills/diamond/KPvK").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn storms_are_answered_beside_a_thousand_requests_for_them() {
    let server = with_puzzles().await;
    check_on(&server, &Method::GET, "/api/puzzles/storm?variant=diamond", None).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pictures_are_answered_beside_a_thousand_requests_for_them() {
    check(&format!("/api/variants/diamond/picture.png?fen={ENDING}")).await;
    check("/icon-192.png").await;
    check("/icon-512.png").await;
    check("/manifest.webmanifest").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn moves_of_learners_are_answered_beside_a_thousand_of_another() {
    // A miss on the largest board, with many answers to examine.
    let fen = "2PREFWERP2/3PNBBNP3/p3PDDP3p/rp3PP3pr/enp6pne/kbdp4pdbw/fbdp4pdbf/enp6pne/rp3PP3pr/p3PDDP3p/3PNBBNP3/\
               2PREFKERP2 w - - 0 1";
    let body = json!({"fen": fen, "goal": {"kind": "mate"}, "move": "c12b12"});
    check_request(&Method::POST, "/api/lessons/diamondring/attempt", Some(body)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_lessons_are_answered_beside_a_thousand_requests_for_them() {
    check("/learn").await;
    check("/learn/diamondring").await;
    check("/learn/diamond/endings").await;
    check("/learn/diamondring/coordinates").await;
    check("/pieces.svg").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn open_games_are_answered_beside_a_thousand_requests_for_them() {
    check("/api/games/open").await;
}

/// As many levels as a request may have, each of them new to the account.
#[tokio::test(flavor = "multi_thread")]
async fn progress_in_lessons_is_kept_beside_a_thousand_requests_for_it() {
    let server = TestServer::new().await;
    let ann = register(&server, "Ann").await;
    let put = async |number: u16| {
        let stars: BTreeMap<String, u8> = (0..64).map(|level| (format!("l{number}-{level}"), 3)).collect();
        let mut browser = Browser { cookie: ann.cookie.clone(), token: None };
        let path = "/api/lessons/diamond/progress";
        browser.request(&server, Method::PUT, path, Some(json!({"stars": stars}))).await.0
    };
    let other = request(&server, stranger(2, 1), Method::GET, "/api/seeks", None);
    let (flood, other) = tokio::join!(join_all((0..REQUESTS).map(put)), other);
    assert!(flood.iter().all(|status| [200, 429, 503].contains(&status.as_u16())), "{flood:?}");
    assert!(flood.contains(&StatusCode::OK) && flood.contains(&StatusCode::TOO_MANY_REQUESTS), "{flood:?}");
    assert_eq!(other.status(), StatusCode::OK);
}
