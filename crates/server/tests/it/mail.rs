//! The e-mail address of an account, with a mail server on this machine that stores the mails.

use crate::common::{Browser, TestServer};
use axum::http::StatusCode;
use lozenge_server::Mailer;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

const PASSWORD: &str = "a long password";
const OTHER: &str = "quite another password";

/// One connection, in as much SMTP as there has to be.
async fn receive(mut stream: TcpStream, mails: UnboundedSender<String>) -> std::io::Result<()> {
    let (read, mut write) = stream.split();
    let mut lines = BufReader::new(read).lines();
    write.write_all(b"220 here\r\n").await?;
    while let Some(line) = lines.next_line().await? {
        if line != "DATA" {
            write.write_all(if line == "QUIT" { b"221 bye\r\n" } else { b"250 good\r\n" }).await?;
            continue;
        }
        write.write_all(b"354 go on\r\n").await?;
        let mut mail = String::new();
        while let Some(line) = lines.next_line().await? {
            if line == "." {
                break;
            }
            mail += &line;
            mail.push('\n');
        }
        let _ = mails.send(mail);
        write.write_all(b"250 kept\r\n").await?;
    }
    Ok(())
}

/// A site and the mails that it sends.
async fn set_up() -> (TestServer, UnboundedReceiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (sender, mails) = unbounded_channel();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(receive(stream, sender.clone()));
        }
    });
    let mailer =
        Mailer::new(&format!("smtp://{address}"), "Lozenge <chess@chess.example>", "https://chess.example")
            .unwrap();
    (TestServer::with_mail(mailer).await, mails)
}

async fn next_mail(mails: &mut UnboundedReceiver<String>) -> String {
    tokio::time::timeout(Duration::from_secs(20), mails.recv()).await.expect("a mail").unwrap()
}

/// The token of the link in a mail.
fn token(mail: &str, page: &str) -> String {
    let link = format!("https://chess.example/{page}#");
    let rest = mail.split_once(&link).unwrap_or_else(|| panic!("no {link} in {mail}")).1;
    rest.split_whitespace().next().unwrap().to_owned()
}

async fn register(server: &TestServer, name: &str) -> Browser {
    let mut browser = Browser::default();
    let account = json!({"name": name, "password": PASSWORD});
    assert_eq!(browser.post(server, "/api/account/register", account).await.0, StatusCode::OK);
    browser
}

async fn confirm(server: &TestServer, token: &str) -> StatusCode {
    Browser::default().post(server, "/api/account/email/confirm", json!({"token": token})).await.0
}

#[tokio::test(flavor = "multi_thread")]
async fn confirmed_address_can_reset_the_password() {
    let (server, mut mails) = set_up().await;
    let mut ann = register(&server, "Ann").await;
    let email = "/api/account/email";
    let wrong = json!({"password": OTHER, "email": "ann@chess.example"});
    assert_eq!(ann.post(&server, email, wrong).await.0, StatusCode::UNAUTHORIZED);
    for malformed in [
        "ann at chess",
        "ann@[127.0.0.1]",
        "ann@[IPv6:::1]",
        "ann@[IPv6:::ffff:10.0.0.1]",
        "ann@10.0.0.1",
        "ann@localhost",
    ] {
        let body = json!({"password": PASSWORD, "email": malformed});
        assert_eq!(ann.post(&server, email, body).await.0, StatusCode::UNPROCESSABLE_ENTITY, "{malformed}");
        let body = json!({"email": malformed});
        let (status, _) = Browser::default().post(&server, "/api/account/email/forgotten", body).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{malformed}");
    }
    let right = json!({"password": PASSWORD, "email": "Ann@chess.example"});
    assert_eq!(ann.post(&server, email, right).await.0, StatusCode::OK);
    let text = next_mail(&mut mails).await;
    assert!(text.contains("To: Ann@chess.example") && text.contains("Hello Ann,"), "{text}");
    let id = text.lines().find_map(|line| line.strip_prefix("Message-ID: ")).expect("an id");
    assert!(id.starts_with('<') && id.ends_with("@chess.example>"), "{id}");
    // An unconfirmed address resets no password. Bob never confirms his: the lookup would be on a task of its own, which
    // might find an address that is confirmed later.
    let mut bob = register(&server, "Bob").await;
    let unconfirmed = json!({"password": PASSWORD, "email": "bob@chess.example"});
    assert_eq!(bob.post(&server, email, unconfirmed).await.0, StatusCode::OK);
    assert!(next_mail(&mut mails).await.contains("To: bob@chess.example"));
    let path = "/api/account/email/forgotten";
    let unconfirmed = json!({"email": "bob@chess.example"});
    assert_eq!(Browser::default().post(&server, path, unconfirmed).await.0, StatusCode::NO_CONTENT);
    let link = token(&text, "confirm-email");
    assert_eq!(confirm(&server, &link).await, StatusCode::NO_CONTENT);
    assert_eq!(confirm(&server, &link).await, StatusCode::UNAUTHORIZED, "a link is good once");
    let (_, account) = ann.get(&server, "/api/account").await;
    assert_eq!(account["security"]["email"], "Ann@chess.example");
    // The answer does not reveal whether an account has the address.
    let unknown = json!({"email": "nobody@chess.example"});
    let answers = [
        Browser::default().post(&server, path, unknown).await,
        Browser::default().post(&server, path, json!({"email": "ann@chess.example"})).await,
    ];
    assert_eq!(answers[0], answers[1]);
    let text = next_mail(&mut mails).await;
    let link = token(&text, "reset");
    let reset = "/api/account/email/reset";
    let body = |password: &str| json!({"token": link, "password": password});
    let short = Browser::default().post(&server, reset, body("short")).await.0;
    assert_eq!(short, StatusCode::UNPROCESSABLE_ENTITY);
    let (status, account) = Browser::default().post(&server, reset, body(OTHER)).await;
    assert_eq!((status, &account["player"]["name"]), (StatusCode::OK, &json!("Ann")));
    assert_eq!(Browser::default().post(&server, reset, body(OTHER)).await.0, StatusCode::UNAUTHORIZED);
    assert_eq!(ann.get(&server, "/api/account").await.1["player"], Value::Null, "other sessions end");
    let again = json!({"name": "Ann", "password": OTHER});
    assert_eq!(ann.post(&server, "/api/account/sign-in", again).await.0, StatusCode::OK);
    // A removed address gets no mail.
    let (_, account) = ann.post(&server, email, json!({"password": OTHER})).await;
    assert_eq!(account["security"]["email"], Value::Null);
    assert!(mails.try_recv().is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn address_belongs_to_one_account_and_mails_are_rate_limited() {
    let (server, mut mails) = set_up().await;
    let (mut ann, mut bob) = (register(&server, "Ann").await, register(&server, "Bob").await);
    let body = json!({"password": PASSWORD, "email": "both@chess.example"});
    let email = "/api/account/email";
    let mut links = Vec::new();
    for browser in [&mut ann, &mut bob] {
        assert_eq!(browser.post(&server, email, body.clone()).await.0, StatusCode::OK);
        links.push(token(&next_mail(&mut mails).await, "confirm-email"));
    }
    assert_eq!(confirm(&server, &links[0]).await, StatusCode::NO_CONTENT);
    assert_eq!(confirm(&server, &links[1]).await, StatusCode::UNAUTHORIZED);
    assert_eq!(bob.get(&server, "/api/account").await.1["security"]["email"], Value::Null);
    assert_eq!(ann.post(&server, email, body.clone()).await.0, StatusCode::OK);
    assert_eq!(bob.post(&server, email, body).await.0, StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test(flavor = "multi_thread")]
async fn mail_is_not_offered_without_a_mail_server() {
    let server = TestServer::new().await;
    let mut ann = register(&server, "Ann").await;
    let body = json!({"password": PASSWORD, "email": "ann@chess.example"});
    assert_eq!(ann.post(&server, "/api/account/email", body).await.0, StatusCode::NOT_FOUND);
    let (_, page) = ann.get(&server, "/recover").await;
    assert!(
        page.as_str().unwrap().contains("recovery_code") && !page.as_str().unwrap().contains("forgotten")
    );
    let (server, _mails) = set_up().await;
    let (_, page) = Browser::default().get(&server, "/recover").await;
    assert!(page.as_str().unwrap().contains("data-kind=\"forgotten\""));
}
