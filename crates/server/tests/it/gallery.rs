//! Ten thousand public games: the gallery stays quick for every query.

use crate::common::{Browser, TestServer, database};
use axum::http::{Method, StatusCode};
use lozenge_server::ListingThreshold;
use serde_json::{Value, json};
use sqlx::{AnyConnection, Connection as _};
use std::time::{Duration, Instant};

const LAKE: &str = include_str!("../../../../testdata/variants/lake.toml");
const GAMES: usize = 10_000;
/// A page that takes longer would be noticed. Many times what an idle machine needs.
const QUICK: Duration = Duration::from_millis(250);

/// As many games as there are to be, all like the first.
async fn fill(server: &TestServer) {
    let mut connection = AnyConnection::connect(&database(server.folder()).await).await.unwrap();
    let mut transaction = connection.begin().await.unwrap();
    for number in 1..GAMES {
        let tag = ["torus", "cylinder", "goal", "holes"][number % 4];
        sqlx::query(
            "INSERT INTO variants (id, owner, owner_since, slug, file_id, name, name_key, author, summary, tags, visibility, \
             status, source, version, digest, likes, plays, created_at, updated_at, published_at) \
             SELECT CAST($1 AS TEXT), owner, owner_since, CAST($1 AS TEXT), file_id, CAST($2 AS TEXT), CAST($3 AS TEXT), \
             author, summary, CAST($4 AS TEXT), visibility, status, source, version, digest, CAST($5 AS BIGINT), \
             CAST($6 AS BIGINT), created_at, updated_at, CAST($7 AS BIGINT) FROM variants WHERE slug = 'lake'",
        )
        .bind(format!("game{number}"))
        .bind(format!("Lake number {number}"))
        .bind(format!("lake number {number}"))
        .bind(format!(" 10x10 otter {tag} "))
        .bind((number * 7 % 100) as i64)
        .bind((number * 13 % 1_000) as i64)
        .bind(number as i64)
        .execute(&mut *transaction)
        .await
        .unwrap();
    }
    transaction.commit().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_public_games_stay_quick() {
    let server = TestServer::with(|config| config.listing = ListingThreshold { days: 0, games: 0 }).await;
    let mut ann = Browser::default();
    let account = json!({"name": "Ann", "password": "a long password"});
    assert_eq!(ann.post(&server, "/api/account/register", account).await.0, StatusCode::OK);
    let body = json!({"source": LAKE, "visibility": "public"});
    assert_eq!(ann.post(&server, "/api/variants", body).await.0, StatusCode::CREATED);
    fill(&server).await;
    let mut visitor = Browser::default();
    for path in [
        "/variants",
        "/variants?sort=played",
        "/variants?sort=liked&tag=torus",
        "/variants?q=number+9999",
        "/variants?q=nothing+of+this+name",
        "/variants?q=ann&tag=otter",
        "/variants?tag=nothing",
        "/api/variants?built_in=false",
        "/api/variants?built_in=false&sort=new&after=5000.game5000",
        "/variants/~game5000",
        "/api/variants/~game5000",
        "/studio",
    ] {
        let mut times: Vec<Duration> = Vec::new();
        for _ in 0..5 {
            let begun = Instant::now();
            let status = visitor.raw(&server, Method::GET, path, None).await.status();
            times.push(begun.elapsed());
            assert_eq!(status, StatusCode::OK, "{path}");
        }
        times.sort_unstable();
        println!("{:>8.1} ms  {path}", times[2].as_secs_f64() * 1_000.0);
        assert!(times[2] < QUICK, "{path}: {:?}", times[2]);
    }
    let mut bob = Browser::default();
    let account = json!({"name": "Bob", "password": "a long password"});
    assert_eq!(bob.post(&server, "/api/account/register", account).await.0, StatusCode::OK);
    let begun = Instant::now();
    let another = LAKE.replace("id = \"lake\"", "id = \"pond\"").replace("Lake Chess", "Pond Chess");
    let body = json!({"source": another, "visibility": "public"});
    assert_eq!(bob.post(&server, "/api/variants", body).await.0, StatusCode::CREATED);
    println!("{:>8.1} ms  publishing", begun.elapsed().as_secs_f64() * 1_000.0);
    // A page after the other, all games come once.
    let (mut seen, mut after) = (0, String::new());
    loop {
        let path = format!("/api/variants?built_in=false&sort=played{after}");
        let response = visitor.raw(&server, Method::GET, &path, None).await;
        let next = response.headers().get("lozenge-after").map(|next| next.to_str().unwrap().to_owned());
        let bytes = axum::body::to_bytes(response.into_body(), 4 << 20).await.unwrap();
        let games: Vec<Value> = serde_json::from_slice(&bytes).unwrap();
        seen += games.len();
        let Some(next) = next else { break };
        after = format!("&after={next}");
    }
    assert_eq!(seen, GAMES + 1);
}
