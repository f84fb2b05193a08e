//! Attackers whose small requests cost the site much: unfinished frames, long PGN, documents, exports, studies with many
//! readers. Not here: attackers in numbers (`attackers`).

use crate::attackers::{Attackers, PASSWORD};
use crate::http::Fault;
use serde_json::json;
use std::net::IpAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// The head of a masked frame of 15 MiB.
const LARGE_FRAME: [u8; 14] = [0x82, 0xff, 0, 0, 0, 0, 0, 0xf0, 0, 0, 1, 2, 3, 4];
/// Games of the PGN that is stored, and bytes of the one that is read.
const STORED_GAMES: usize = 60;
const READ_BYTES: usize = 55_000;

impl Attackers {
    /// Opens sockets of a game and sends as much of a large frame as is taken. All from one address.
    pub(crate) async fn send_frames(self, game: String, _: u16) -> Result<(), Fault> {
        let part = vec![0; 64 << 10];
        while !self.over() {
            let mut stream = self.open_socket(self.site.attacker(0), &format!("{game}/socket")).await?;
            let mut taken = stream.write_all(&LARGE_FRAME).await.is_ok();
            for _ in 0..200 {
                taken = taken && stream.write_all(&part).await.is_ok();
            }
            self.tally.count(taken);
            if taken {
                // The frame is left unfinished.
                tokio::time::sleep_until(self.until.into()).await;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Ok(())
    }

    /// Sends long games to be read. All from one address.
    pub(crate) async fn read_pgn(self, _: u16) -> Result<(), Fault> {
        let pairs = |pair: usize| format!("{}. Nf3 Nf6 {}. Ng1 Ng8 ", 2 * pair + 1, 2 * pair + 2);
        let moves: String = (0..2_100).map(pairs).collect();
        let pgn = format!("[Variant \"Chess\"]\n\n{} *\n", &moves[..READ_BYTES]);
        while !self.over() {
            let body = Some(json!({ "pgn": pgn }));
            if self.request(self.site.attacker(0), "POST", "/api/pgn/read", None, body).await.is_none() {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
        Ok(())
    }

    /// Reads the largest documents. All from one address.
    pub(crate) async fn read_documents(self, number: u16) -> Result<(), Fault> {
        let paths = ["/api", "/api/openapi.json", "/rules/diamondring", "/rules/chess"];
        while !self.over() {
            let path = paths[usize::from(number) % paths.len()];
            if self.request(self.site.attacker(0), "GET", path, None, None).await.is_none() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }
        Ok(())
    }

    /// A new account with a study of many long chapters, and the study's path.
    pub(crate) async fn stored_study(&self) -> Result<(String, String), Fault> {
        let (here, name) = (self.site.attacker(0), format!("stored{}", std::process::id()));
        let account = json!({ "name": name, "password": PASSWORD });
        let registered = self.site.expect(here, "POST", "/api/account/register", None, Some(account)).await?;
        let cookie = registered.cookie.ok_or("expected a cookie")?;
        let study = json!({ "name": "Long", "visibility": "public" });
        let made =
            self.site.expect(here, "POST", "/api/studies", Some(&cookie), Some(study)).await?.json()?;
        let path = format!("/api/studies/{}", made["id"].as_str().ok_or("expected a study with an id")?);
        let comment = "long ".repeat(780);
        let game =
            format!("[Variant \"Chess\"]\n\n1. e4 {{{comment}}} e5 {{{comment}}} 2. Nf3 {{{comment}}} *\n\n");
        let body = Some(json!({ "pgn": game.repeat(STORED_GAMES) }));
        self.site.expect(here, "POST", &format!("{path}/import-pgn"), Some(&cookie), body).await?;
        Ok((cookie, path))
    }

    /// Downloads everything about an account, again and again.
    pub(crate) async fn download_data(self, cookie: String, _: u16) -> Result<(), Fault> {
        while !self.over() {
            let from = self.site.attacker(0);
            if self.request(from, "GET", "/api/account/data", Some(&cookie), None).await.is_none() {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
        Ok(())
    }

    /// Follows a study.
    pub(crate) async fn follow_study(self, path: String, _: u16) -> Result<(), Fault> {
        let mut stream = self.open_socket(self.site.attacker(0), &format!("{path}/socket")).await?;
        let mut buffer = vec![0; 16 << 10];
        let mut read = stream.read(&mut buffer).await?;
        self.tally.count(buffer[..read].starts_with(b"HTTP/1.1 101"));
        while read > 0 {
            read = stream.read(&mut buffer).await?;
        }
        Ok(())
    }

    /// Changes the name of a study five times a second.
    pub(crate) async fn rename_study(self, cookie: String, path: String, _: u16) -> Result<(), Fault> {
        for number in 0.. {
            if self.over() {
                break;
            }
            let body = Some(json!({ "name": format!("Name {number}") }));
            self.request(self.site.attacker(1), "PUT", &path, Some(&cookie), body).await;
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        Ok(())
    }

    /// Asks for a socket.
    async fn open_socket(&self, from: IpAddr, path: &str) -> Result<TcpStream, Fault> {
        let mut stream = TcpStream::connect(self.site.address).await?;
        let head = format!(
            "GET {path} HTTP/1.1\r\nHost: {}\r\nX-Forwarded-For: {from}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            self.site.address
        );
        stream.write_all(head.as_bytes()).await?;
        Ok(stream)
    }
}
