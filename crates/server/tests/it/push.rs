//! Push messages, as a push service and a device receive them.

use crate::common::{Browser, TestServer};
use crate::players::{Lines, TIMEOUT, account};
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode, Uri, header};
use axum::response::Response;
use base64ct::{Base64UrlUnpadded, Encoding as _};
use lozenge_server::{PushConfig, PushTransport};
use p256::ecdsa::signature::Verifier as _;
use p256::ecdsa::{Signature, VerifyingKey};
use p256::elliptic_curve::rand_core::OsRng;
use p256::elliptic_curve::sec1::ToEncodedPoint as _;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;

/// A push service on this machine.
#[derive(Clone, Debug)]
struct FakePushService {
    address: String,
}

#[async_trait::async_trait]
impl PushTransport for FakePushService {
    async fn send(&self, request: Request<Vec<u8>>) -> Result<StatusCode, String> {
        let (mut parts, body) = request.into_parts();
        parts.uri = format!("{}{}", self.address, parts.uri.path()).parse().unwrap();
        let config = ureq::config::Config::builder().http_status_as_error(false).build();
        let agent = ureq::Agent::new_with_config(config);
        let answer = tokio::task::spawn_blocking(move || agent.run(Request::from_parts(parts, body)));
        Ok(answer.await.unwrap().map_err(|error| error.to_string())?.status())
    }
}

/// A push message as the service receives it.
struct Received {
    path: String,
    headers: HeaderMap,
    body: Bytes,
}

async fn push_service() -> (PushConfig, mpsc::UnboundedReceiver<Received>) {
    let (sender, receiver) = mpsc::unbounded_channel();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let service = axum::Router::new().fallback(move |uri: Uri, headers: HeaderMap, body: Bytes| {
        let path = uri.path().to_owned();
        let status = if path.contains("gone") { StatusCode::GONE } else { StatusCode::CREATED };
        sender.send(Received { path, headers, body }).unwrap();
        async move { Response::builder().status(status).body(Body::empty()).unwrap() }
    });
    tokio::spawn(async move { axum::serve(listener, service).await });
    let transport: Arc<dyn PushTransport> = Arc::new(FakePushService { address });
    (PushConfig { transport: Some(transport), delay: Duration::from_millis(20) }, receiver)
}

/// The server's public key, whose signature of a message a push service has verified (RFC 8292).
fn verified_key(headers: &HeaderMap) -> String {
    let authorization = headers[header::AUTHORIZATION].to_str().unwrap();
    let (token, key) = authorization.strip_prefix("vapid t=").unwrap().split_once(", k=").unwrap();
    let (signed, signature) = token.rsplit_once('.').unwrap();
    let decode = |text: &str| Base64UrlUnpadded::decode_vec(text).unwrap();
    let verifier = VerifyingKey::from_sec1_bytes(&decode(key)).unwrap();
    verifier.verify(signed.as_bytes(), &Signature::from_slice(&decode(signature)).unwrap()).unwrap();
    let claims: Value = serde_json::from_slice(&decode(signed.split_once('.').unwrap().1)).unwrap();
    assert_eq!(claims["aud"], "https://push.example");
    key.to_owned()
}

/// A browser that can decrypt messages.
struct Device {
    secret: p256::SecretKey,
    endpoint: String,
}

impl Device {
    fn new(name: &str) -> Self {
        Self { secret: p256::SecretKey::random(&mut OsRng), endpoint: format!("https://push.example/{name}") }
    }

    fn subscription(&self) -> Value {
        let public = self.secret.public_key().to_encoded_point(false);
        json!({"endpoint": self.endpoint, "keys": {
            "p256dh": Base64UrlUnpadded::encode_string(public.as_bytes()),
            "auth": Base64UrlUnpadded::encode_string(&[3; 16]),
        }})
    }

    async fn next(&self, received: &mut mpsc::UnboundedReceiver<Received>) -> Value {
        let Received { path, headers, body } =
            tokio::time::timeout(TIMEOUT, received.recv()).await.expect("a message").unwrap();
        assert!(self.endpoint.ends_with(&path), "{path}");
        assert_eq!(headers[header::CONTENT_ENCODING], "aes128gcm");
        verified_key(&headers);
        let text = web_push_native::decrypt(body.to_vec(), &self.secret, &[3; 16].into()).unwrap();
        serde_json::from_slice(&text).unwrap()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn subscribers_get_push_messages_for_turns_and_challenges() {
    let (push, mut received) = push_service().await;
    let server = TestServer::with(|config| config.push = push).await;
    let (mut ann, mut bob) = (account(&server, "Ann").await, account(&server, "Bob").await);
    let (phone, dead) = (Device::new("phone"), Device::new("gone"));
    for wrong in [
        json!({"endpoint": "https://127.0.0.1/x", "keys": phone.subscription()["keys"]}),
        json!({"endpoint": "http://push.example/x", "keys": phone.subscription()["keys"]}),
        json!({"endpoint": "https://push.example/x", "keys": {"p256dh": "AAAA", "auth": "AAAA"}}),
    ] {
        let (status, _) = bob.request(&server, Method::PUT, "/api/account/push", Some(wrong)).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    }
    let german = json!({"language": "de"});
    assert_eq!(
        bob.request(&server, Method::PUT, "/api/account/settings", Some(german)).await.0,
        StatusCode::OK
    );
    let (status, settings) =
        bob.request(&server, Method::PUT, "/api/account/push", Some(phone.subscription())).await;
    assert_eq!(status, StatusCode::OK, "{settings}");
    let key = settings["key"].as_str().unwrap().to_owned();
    assert_eq!(Base64UrlUnpadded::decode_vec(&key).unwrap().len(), 65);

    // A challenge.
    let days = json!({"kind": "correspondence", "days": 3});
    let terms = json!({"variant": "diamond", "clock": days, "side": "white"});
    let (_, challenge) = ann.post(&server, "/api/challenge/Bob", terms).await;
    let message = phone.next(&mut received).await;
    assert_eq!(message["title"], "Ann fordert dich heraus");
    assert_eq!(message["body"], "Diamond Chess · 3 Tage · ungewertet");
    let path = format!("/api/challenge/{}/accept", challenge["id"].as_str().unwrap());
    let (_, accepted) = bob.post(&server, &path, Value::Null).await;
    let id = accepted["game"].as_str().unwrap();

    // Ann's move makes it Bob's turn; a browser that has unsubscribed is deleted.
    let (_, both) = bob.request(&server, Method::PUT, "/api/account/push", Some(dead.subscription())).await;
    assert_eq!(both["subscriptions"].as_array().unwrap().len(), 2);
    let game_path = format!("/api/games/{id}");
    let play_move = async |browser: &mut Browser, ply: usize| {
        let (_, game) = browser.get(&server, &game_path).await;
        let action = json!({"type": "move", "move": game["state"]["moves"][0], "ply": ply});
        let (status, problem) = browser.post(&server, &format!("{game_path}/actions"), action).await;
        assert_eq!(status, StatusCode::OK, "{problem}");
    };
    play_move(&mut ann, 0).await;
    let mut messages = Vec::new();
    for _ in 0..2 {
        let message = tokio::time::timeout(TIMEOUT, received.recv()).await.expect("a message").unwrap();
        messages.push(message);
    }
    messages.sort_by_key(|message| message.path.clone());
    assert_eq!(messages[0].path, "/gone");
    // Signed by the key with which the browser has subscribed.
    assert!(messages.iter().all(|message| verified_key(&message.headers) == key));
    let text = web_push_native::decrypt(messages[1].body.to_vec(), &phone.secret, &[3; 16].into()).unwrap();
    let message: Value = serde_json::from_slice(&text).unwrap();
    assert_eq!(message["title"], "Du bist am Zug");
    assert_eq!(message["body"], "Diamond Chess gegen Ann");
    assert_eq!(message["url"], format!("/game/{id}"));
    let mut tries = 0;
    loop {
        let (_, settings) = bob.get(&server, "/api/account/push").await;
        if settings["subscriptions"].as_array().unwrap().len() == 1 {
            assert_eq!(settings["subscriptions"][0]["endpoint"], phone.endpoint);
            break;
        }
        tries += 1;
        assert!(tries < 500, "{settings}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }

    // No push message while Bob has the game open, nor for a turn that is over.
    play_move(&mut bob, 1).await;
    let mut open = Lines::of(&mut bob, &server, &format!("{game_path}/stream")).await;
    assert_eq!(open.next().await["type"], "game");
    play_move(&mut ann, 2).await;
    // The next message is that of a later turn.
    play_move(&mut bob, 3).await;
    drop(open);
    let mut tries = 0;
    while bob.get(&server, &game_path).await.1["state"]["present"]["black"] != false {
        tries += 1;
        assert!(tries < 500, "Bob has left");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    play_move(&mut ann, 4).await;
    assert_eq!(phone.next(&mut received).await["title"], "Du bist am Zug");

    // The key stays the same; a new password ends the subscriptions.
    let server = server.restart().await;
    let (_, settings) = bob.get(&server, "/api/account/push").await;
    assert_eq!((&settings["key"], settings["subscriptions"].as_array().unwrap().len()), (&json!(key), 1));
    let id = settings["subscriptions"][0]["id"].as_str().unwrap().to_owned();
    let path = format!("/api/account/push/{id}");
    assert_eq!(ann.request(&server, Method::DELETE, &path, None).await.0, StatusCode::NOT_FOUND);
    let change = json!({"old": "a long password", "new": "a newer password"});
    assert_eq!(bob.post(&server, "/api/account/password", change).await.0, StatusCode::OK);
    assert_eq!(bob.get(&server, "/api/account/push").await.1["subscriptions"], json!([]));
    assert_eq!(bob.request(&server, Method::DELETE, &path, None).await.0, StatusCode::NOT_FOUND);
}
