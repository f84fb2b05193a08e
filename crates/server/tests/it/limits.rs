//! The limits of one client, and the resources left for the others.

use crate::common::{Browser, TestServer};
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Method, Request, Response, StatusCode, header};
use serde_json::{Value, json};
use std::net::{IpAddr, SocketAddr};
use tower::ServiceExt as _;

/// Sends a request from an address, without cookies.
pub(crate) async fn request(
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
    request(server, from, Method::POST, path, Some(body)).await.status()
}

fn credentials(name: &str, password: &str) -> Value {
    json!({"name": name, "password": password})
}

/// An address of IPv6 in a network of 56 bits.
pub(crate) fn stranger(network: u8, last: u16) -> IpAddr {
    IpAddr::from([0x2001, 0xdb8, 0, 0x4200 | u16::from(network), 0, 0, 0, last])
}

#[tokio::test(flavor = "multi_thread")]
async fn registrations_per_address_are_limited_to_a_school_class() {
    let (server, address) = (TestServer::new().await, IpAddr::from([192, 0, 2, 7]));
    let register = async |name: &str| {
        let body = Some(credentials(name, "a long password"));
        request(&server, address, Method::POST, "/api/account/register", body).await
    };
    assert_eq!(register("Ann").await.status(), StatusCode::OK);
    let mut registered = 1;
    let refused = loop {
        // A name that is taken costs nothing, and is found out before anything is hashed.
        assert_eq!(register("ann").await.status(), StatusCode::CONFLICT);
        let response = register(&format!("pupil-{registered}")).await;
        if response.status() != StatusCode::OK {
            break response;
        }
        registered += 1;
        assert!(registered < 60, "nothing was refused");
    };
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
    assert!(refused.headers().contains_key(header::RETRY_AFTER));
    assert!(registered >= 30, "{registered} accounts");
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
async fn password_guesses_from_other_networks_do_not_lock_the_owner_out() {
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
    let other_address = IpAddr::from([198, 51, 100, 5]);
    assert_eq!(post(&server, other_address, "/api/account/sign-in", right()).await, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn picture_requests_of_one_client_do_not_block_another() {
    let server = TestServer::new().await;
    let mut creator = Browser::default();
    let mut body = json!({"variant": "diamond", "opponent": {"kind": "link"}});
    let mut ids = Vec::new();
    for number in 1..=40 {
        let (status, game) = creator.post(&server, "/api/games", body.clone()).await;
        assert_eq!(status, StatusCode::CREATED, "{game}");
        let id = game["id"].as_str().unwrap().to_owned();
        let (_, fen) = creator.get(&server, &format!("/api/games/{id}/fen")).await;
        // Each position is another one.
        let (start, _) = fen.as_str().unwrap().trim().rsplit_once(' ').unwrap();
        body["fen"] = json!(format!("{start} {}", number + 1));
        ids.push(id);
    }
    let picture = async |id: &str, from: IpAddr| {
        request(&server, from, Method::GET, &format!("/api/games/{id}/picture.png"), None).await
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
    // A picture that is already drawn is always served.
    let again = futures_util::future::join_all((0..40).map(|_| picture(&ids[0], greedy))).await;
    assert!(again.iter().all(|response| response.status() == StatusCode::OK));
}

#[tokio::test(flavor = "multi_thread")]
async fn reads_are_limited_by_network_and_health_checks_are_not() {
    let (server, address) = (TestServer::new().await, IpAddr::from([192, 0, 2, 7]));
    let read = async |path: &str, from| request(&server, from, Method::GET, path, None).await.status();
    let mut served = 0;
    while read("/robots.txt", address).await == StatusCode::OK {
        served += 1;
        assert!(served < 100_000, "nothing was refused");
    }
    assert!(served >= 2_000, "{served} requests");
    assert_eq!(read("/healthz", address).await, StatusCode::OK);
    assert_eq!(read("/robots.txt", [203, 0, 113, 5].into()).await, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn chat_of_new_guests_is_limited_per_game() {
    let server = TestServer::new().await;
    let mut ann = Browser::default();
    let body = json!({"variant": "diamond", "opponent": {"kind": "link"}});
    let (_, game) = ann.post(&server, "/api/games", body.clone()).await;
    let path = format!("/api/games/{}/actions", game["id"].as_str().unwrap());
    let mut accepted = 0;
    for number in 0..15 {
        let mut guest = Browser::default();
        guest.post(&server, "/api/games", body.clone()).await;
        let line = json!({"type": "chat", "room": "spectators", "text": format!("line {number}")});
        match guest.post(&server, &path, line).await.0 {
            StatusCode::OK => accepted += 1,
            status => assert_eq!(status, StatusCode::TOO_MANY_REQUESTS),
        }
    }
    assert_eq!(accepted, 10);
    // The players' room is their own.
    let line = json!({"type": "chat", "room": "players", "text": "hello"});
    assert_eq!(ann.post(&server, &path, line).await.0, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_require_a_token_or_a_separate_listener() {
    let closed = TestServer::new().await;
    assert_eq!(Browser::default().get(&closed, "/metrics").await.0, StatusCode::NOT_FOUND);
    let request = Request::builder().uri("/metrics").body(Body::empty()).unwrap();
    let response = closed.site.metrics_router().oneshot(request).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
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
