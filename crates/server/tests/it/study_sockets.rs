//! Sockets of studies: edits, changes, and where members are, each sent to all who may know it.

use crate::common::{Browser, TestServer};
use crate::studies::{add, delete, make, put, register};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use std::net::SocketAddr;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

struct Socket(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Socket {
    async fn open(address: SocketAddr, path: &str, browser: &Browser) -> Self {
        let mut request = format!("ws://{address}{path}").into_client_request().unwrap();
        if let Some(cookie) = &browser.cookie {
            request.headers_mut().insert("cookie", cookie.parse().unwrap());
        }
        Self(tokio_tungstenite::connect_async(request).await.unwrap().0)
    }

    async fn send(&mut self, message: Value) {
        self.0.send(Message::Text(message.to_string().into())).await.unwrap();
    }

    /// The next event; `None` once it is closed.
    async fn next(&mut self) -> Option<Value> {
        loop {
            let Ok(Message::Text(text)) = self.0.next().await? else { continue };
            return Some(serde_json::from_str(&text).unwrap());
        }
    }

    /// The next event of a type; `None` once it is closed.
    async fn next_event(&mut self, kind: &str) -> Option<Value> {
        loop {
            let event = self.next().await?;
            if event["type"] == kind {
                return Some(event);
            }
        }
    }
}

/// Serves the site to sockets; returns where.
async fn listen(server: &TestServer) -> SocketAddr {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let service = server.router.clone().into_make_service_with_connect_info::<SocketAddr>();
    tokio::spawn(async move { axum::serve(listener, service).await.unwrap() });
    address
}

#[tokio::test(flavor = "multi_thread")]
async fn edits_are_sent_to_all_open_sockets() {
    let server = TestServer::new().await;
    let address = listen(&server).await;
    let (mut ann, bob) = (register(&server, "Ann").await, register(&server, "Bob").await);
    let (study, chapter) = make(&server, &mut ann, "private", json!({"variant": "gardner"})).await;
    put(&server, &mut ann, &format!("{study}/members/Bob"), json!({"writes": true})).await;
    let socket = format!("{study}/socket");
    let mut ann_socket = Socket::open(address, &format!("{socket}?after=0"), &ann).await;
    let mut bob_socket = Socket::open(address, &format!("{socket}?after=0"), &bob).await;
    assert_eq!(bob_socket.next_event("study").await.unwrap()["study"]["writable"], json!(true));
    let edit_message = |number: u64, edit: Value| json!({"type": "edit", "client": 5, "edits": [{"number": number, "chapter": chapter, "edit": edit}]});
    ann_socket.send(edit_message(1, add(&["a2a3", "b4a3"]))).await;
    assert_eq!(ann_socket.next_event("done").await.unwrap()["number"], json!(1));
    let event = bob_socket.next_event("edited").await.unwrap();
    assert_eq!((&event["author"], &event["seq"]), (&json!("Ann"), &json!(1)));
    let sans: Vec<&str> =
        event["steps"].as_array().unwrap().iter().map(|step| step["san"].as_str().unwrap()).collect();
    assert_eq!(sans, ["a3", "bxa3"]);
    ann_socket.send(json!({"type": "edit", "client": "no"})).await;
    assert_eq!(ann_socket.next_event("error").await.unwrap()["problem"]["status"], json!(422));
    // Bob comes back and gets the edits he missed; after an unknown number he has to reload everything.
    drop(bob_socket);
    ann_socket.send(edit_message(2, add(&["b2b3"]))).await;
    ann_socket.next_event("done").await;
    let mut bob_socket = Socket::open(address, &format!("{socket}?after=1"), &bob).await;
    assert_eq!(bob_socket.next_event("edited").await.unwrap()["seq"], json!(2));
    let mut late = Socket::open(address, &format!("{socket}?after=9"), &bob).await;
    assert!(late.next_event("reload").await.is_some());
    // Other changes are announced, too, and a removed member's socket is closed.
    put(&server, &mut ann, &study, json!({"name": "Pins"})).await;
    assert_eq!(bob_socket.next_event("study").await.unwrap()["study"]["name"], json!("Pins"));
    delete(&server, &mut ann, &format!("{study}/members/Bob")).await;
    assert!(bob_socket.next_event("study").await.is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn members_see_where_the_others_are() {
    let server = TestServer::new().await;
    let address = listen(&server).await;
    let mut ann = register(&server, "Ann").await;
    let (bob, carl) = (register(&server, "Bob").await, register(&server, "Carl").await);
    let (study, chapter) = make(&server, &mut ann, "public", json!({"variant": "gardner"})).await;
    put(&server, &mut ann, &format!("{study}/members/Bob"), json!({"writes": false})).await;
    let socket = format!("{study}/socket");
    let at = |path: &[&str]| json!({"type": "at", "chapter": chapter, "path": path});
    let mut ann_socket = Socket::open(address, &socket, &ann).await;
    ann_socket.next_event("study").await.unwrap();
    ann_socket.send(at(&["a2a3"])).await;
    let place = json!({"chapter": chapter, "path": ["a2a3"]});
    assert_eq!(ann_socket.next_event("where").await.unwrap()["place"], place, "an echo, for her other pages");
    // A member who comes later learns at once where she is, and then where she goes.
    let mut bob_socket = Socket::open(address, &socket, &bob).await;
    let event = bob_socket.next_event("where").await.unwrap();
    assert_eq!((&event["name"], &event["place"]), (&json!("Ann"), &place));
    ann_socket.send(at(&[])).await;
    assert_eq!(bob_socket.next_event("where").await.unwrap()["place"]["path"], json!([]));
    ann_socket.next_event("where").await.unwrap();
    // A reader of a public study neither learns it nor is seen.
    let mut reader_socket = Socket::open(address, &socket, &carl).await;
    reader_socket.next_event("study").await.unwrap();
    reader_socket.send(at(&["b2b3"])).await;
    bob_socket.send(at(&["c2c3"])).await;
    let event = ann_socket.next_event("where").await.unwrap();
    assert_eq!((&event["name"], &event["place"]["path"]), (&json!("Bob"), &json!(["c2c3"])));
    let long = vec!["a2a3"; 601];
    reader_socket.send(at(&long)).await;
    let answer = reader_socket.next().await.unwrap();
    assert_eq!((&answer["type"], &answer["problem"]["status"]), (&json!("error"), &json!(422)), "{answer}");
    // A member who is removed, or leaves, is not there any more.
    delete(&server, &mut ann, &format!("{study}/members/Bob")).await;
    let event = ann_socket.next_event("where").await.unwrap();
    assert_eq!((&event["name"], &event["place"]), (&json!("Bob"), &Value::Null));
    put(&server, &mut ann, &format!("{study}/members/Carl"), json!({"writes": true})).await;
    assert_eq!(
        reader_socket.next_event("where").await.unwrap()["name"],
        "Ann",
        "members learn it from then on"
    );
    drop(ann_socket);
    let event = reader_socket.next_event("where").await.unwrap();
    assert_eq!((&event["name"], &event["place"]), (&json!("Ann"), &Value::Null));
}
