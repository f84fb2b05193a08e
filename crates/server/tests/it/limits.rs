//! The limits of one client, and the resources left for the others.

use crate::common::{Browser, TestServer};
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Method, Request, Response, StatusCode, header};
use serde_json::{Value, json};
use std::net::{IpAddr, SocketAddr};
use tower::ServiceExt as _;

/// Asks from an address, without cookies.
async fn ask(
    server: &TestServer,
    from: IpAddr,
    method: Method,
    path: &str,
    body: Option<Value>,
) -> Response<Body> {
    let request = Request::builder().method(method).uri(path).header(header::HOST, "test");
    let request = request.header(header::CONTENT_TYPE, "application/json");
    let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
    let request = request.extension(ConnectInfo(SocketAddr::from((from, 4_000)))).body(body).unwrap();
    server.router.clone().oneshot(request).await.unwrap()
}

async fn post(server: &TestServer, from: IpAddr, path: &str, body: Value) -> StatusCode {
    ask(server, from, Method::POST, path, Some(body)).await.status()
}

fn credentials(name: &str, password: &str) -> Value {
    json!({"name": name, "password": password})
}

/// An address of IPv6 in a network of 56 bits.
fn stranger(network: u8, last: u16) -> IpAddr {
    IpAddr::from([0x2001, 0xdb8, 0, 0x4200 | u16::from(network), 0, 0, 0, last])
}

#[tokio::test(flavor = "multi_thread")]
async fn one_address_registers_a_class_and_no_more() {
    let (server, here) = (TestServer::new().await, IpAddr::from([192, 0, 2, 7]));
    let register = async |name: &str| {
        let body = Some(credentials(name, "a long password"));
        ask(&server, here, Method::POST, "/api/account/register", body).await
    };
    assert_eq!(register("Ann").await.status(), StatusCode::OK);
    let mut made = 1;
    let refused = loop {
        // A name that is taken costs nothing, and is found out before anything is hashed.
        assert_eq!(register("ann").await.status(), StatusCode::CONFLICT);
        let response = register(&format!("pupil-{made}")).await;
        if response.status() != StatusCode::OK {
            break response;
        }
        made += 1;
        assert!(made < 60, "nothing was refused");
    };
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
    assert!(refused.headers().contains_key(header::RETRY_AFTER));
    assert!(made >= 30, "{made} accounts");
    assert_eq!(
        post(
            &server,
            [203, 0, 113, 9].into(),
            "/api/account/register",
            credentials("Bob", "a long password")
        )
        .await,
        StatusCode::OK
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn strangers_of_a_56_do_not_lock_an_owner_out() {
    let (server, home) = (TestServer::new().await, IpAddr::from([203, 0, 113, 5]));
    let right = || credentials("Ann", "a long password");
    assert_eq!(post(&server, home, "/api/account/register", right()).await, StatusCode::OK);
    let mut wrong = 0;
    for network in 0..16 {
        for last in 0..9 {
            let guess = credentials("ann", "a wrong password");
            match post(&server, stranger(network, last), "/api/account/sign-in", guess).await {
                StatusCode::UNAUTHORIZED => wrong += 1,
                status => assert_eq!(status, StatusCode::TOO_MANY_REQUESTS),
            }
        }
    }
    assert!(wrong < 60, "{wrong} tries");
    assert_eq!(post(&server, home, "/api/account/sign-in", right()).await, StatusCode::OK);
    let elsewhere = IpAddr::from([198, 51, 100, 5]);
    assert_eq!(post(&server, elsewhere, "/api/account/sign-in", right()).await, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_pictures_for_one_client_do_not_hold_up_another() {
    let server = TestServer::new().await;
    let mut maker = Browser::default();
    let mut wanted = json!({"variant": "diamond", "opponent": {"kind": "link"}});
    let mut ids = Vec::new();
    for number in 1..=40 {
        let (status, game) = maker.post(&server, "/api/games", wanted.clone()).await;
        assert_eq!(status, StatusCode::CREATED, "{game}");
        let id = game["id"].as_str().unwrap().to_owned();
        let (_, fen) = maker.get(&server, &format!("/api/games/{id}/fen")).await;
        // Each position is another one.
        let (start, _) = fen.as_str().unwrap().trim().rsplit_once(' ').unwrap();
        wanted["fen"] = json!(format!("{start} {}", number + 1));
        ids.push(id);
    }
    let picture = async |id: &str, from: IpAddr| {
        ask(&server, from, Method::GET, &format!("/api/games/{id}/picture.png"), None).await
    };
    let greedy = IpAddr::from([192, 0, 2, 7]);
    let (flood, honest) = futures_util::join!(
        futures_util::future::join_all(ids.iter().skip(1).map(|id| picture(id, greedy))),
        picture(&ids[0], [203, 0, 113, 5].into())
    );
    assert_eq!(honest.status(), StatusCode::OK);
    let refused: Vec<_> = flood.iter().filter(|response| response.status() != StatusCode::OK).collect();
    assert!(!refused.is_empty() && refused.len() < 39);
    for response in refused {
        assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert!(response.headers().contains_key(header::RETRY_AFTER));
    }
    // A picture that is already drawn is served to everybody.
    let again = futures_util::future::join_all((0..40).map(|_| picture(&ids[0], greedy))).await;
    assert!(again.iter().all(|response| response.status() == StatusCode::OK));
}

#[tokio::test(flavor = "multi_thread")]
async fn reads_are_limited_by_network_and_health_checks_are_not() {
    let (server, here) = (TestServer::new().await, IpAddr::from([192, 0, 2, 7]));
    let read = async |path: &str, from| ask(&server, from, Method::GET, path, None).await.status();
    let mut served = 0;
    while read("/robots.txt", here).await == StatusCode::OK {
        served += 1;
        assert!(served < 100_000, "nothing was refused");
    }
    assert!(served >= 2_000, "{served} requests");
    assert_eq!(read("/healthz", here).await, StatusCode::OK);
    assert_eq!(read("/robots.txt", [203, 0, 113, 5].into()).await, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn fresh_guests_of_one_game_are_heard_ten_times() {
    let server = TestServer::new().await;
    let mut ann = Browser::default();
    let wanted = json!({"variant": "diamond", "opponent": {"kind": "link"}});
    let (_, game) = ann.post(&server, "/api/games", wanted.clone()).await;
    let path = format!("/api/games/{}/actions", game["id"].as_str().unwrap());
    let mut heard = 0;
    for number in 0..15 {
        let mut guest = Browser::default();
        guest.post(&server, "/api/games", wanted.clone()).await;
        let line = json!({"type": "chat", "room": "spectators", "text": format!("line {number}")});
        match guest.post(&server, &path, line).await.0 {
            StatusCode::OK => heard += 1,
            status => assert_eq!(status, StatusCode::TOO_MANY_REQUESTS),
        }
    }
    assert_eq!(heard, 10);
    // The players' room is their own.
    let line = json!({"type": "chat", "room": "players", "text": "hello"});
    assert_eq!(ann.post(&server, &path, line).await.0, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_are_for_those_with_the_token_or_at_an_address_of_their_own() {
    let closed = TestServer::new().await;
    assert_eq!(Browser::default().get(&closed, "/metrics").await.0, StatusCode::NOT_FOUND);
    let request = Request::builder().uri("/metrics").body(Body::empty()).unwrap();
    let own = closed.site.metrics_router().oneshot(request).await.unwrap();
    assert_eq!(own.status(), StatusCode::OK);
    let server = TestServer::with(|config| config.metrics_token = Some("a secret".into())).await;
    for (token, status) in [(None, 401), (Some("another"), 401), (Some("a secret"), 200)] {
        let mut prometheus = Browser { token: token.map(str::to_owned), ..Browser::default() };
        assert_eq!(prometheus.get(&server, "/metrics").await.0.as_u16(), status, "{token:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn https_sites_send_hsts() {
    for (url, expected) in [
        (None, None),
        (Some("http://chess.example"), None),
        (Some("https://chess.example"), Some("max-age=31536000")),
    ] {
        let server = TestServer::with(|config| config.public_url = url.map(str::to_owned)).await;
        let response = Browser::default().raw(&server, Method::GET, "/about", None).await;
        let found = response.headers().get(header::STRICT_TRANSPORT_SECURITY);
        assert_eq!(found.map(|value| value.to_str().unwrap()), expected, "{url:?}");
    }
}
