//! Requests to a site in plain HTTP, each on a connection of its own and from a network of its own: as a proxy names it, or
//! from an address of 127.0.0.0/8.

use serde_json::Value;
use std::error::Error;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};

pub(crate) type Fault = Box<dyn Error + Send + Sync>;

/// How long a client waits for an answer.
pub(crate) const REQUEST_TIMEOUT: Duration = Duration::from_secs(20);

/// A site, and how its clients' networks are named to it.
#[derive(Clone, Copy)]
pub(crate) struct Site {
    pub(crate) address: SocketAddr,
    /// Whether clients have addresses of 127.0.0.0/8 and not those that a proxy names.
    pub(crate) direct: bool,
}

/// An answer to a request.
pub(crate) struct HttpResponse {
    pub(crate) status: u16,
    /// The cookie that it sets, as it is sent back.
    pub(crate) cookie: Option<String>,
    pub(crate) body: Vec<u8>,
}

impl HttpResponse {
    /// Its body as JSON.
    pub(crate) fn json(&self) -> Result<Value, Fault> {
        Ok(serde_json::from_slice(&self.body)?)
    }
}

impl Site {
    /// A client's address.
    pub(crate) fn client(self, second: u16, third: u16, last: u8) -> IpAddr {
        let first = if self.direct { 127 } else { 10 };
        let second = second + (third >> 8);
        Ipv4Addr::new(first, second as u8, third as u8, last).into()
    }

    /// An address of an honest player's network, by its number: another /24 each.
    pub(crate) fn player(self, network: u16) -> IpAddr {
        self.client(32, network, 1)
    }

    /// The same of an attacker's.
    pub(crate) fn attacker(self, network: u16) -> IpAddr {
        self.client(64, network, 1)
    }

    /// Sends a request on a connection of its own.
    pub(crate) async fn send(
        self,
        from: IpAddr,
        method: &str,
        path: &str,
        cookie: Option<&str>,
        body: Option<Value>,
    ) -> Result<TcpStream, Fault> {
        let socket = TcpSocket::new_v4()?;
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", self.address);
        if self.direct {
            socket.bind(SocketAddr::new(from, 0))?;
        } else {
            head += &format!("X-Forwarded-For: {from}\r\n");
        }
        if let Some(cookie) = cookie {
            head += &format!("Cookie: {cookie}\r\n");
        }
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        if !body.is_empty() {
            head += &format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len());
        }
        let mut stream = socket.connect(self.address).await?;
        stream.write_all(format!("{head}\r\n{body}").as_bytes()).await?;
        Ok(stream)
    }

    /// Sends a request and waits for the answer.
    pub(crate) async fn request(
        self,
        from: IpAddr,
        method: &str,
        path: &str,
        cookie: Option<&str>,
        body: Option<Value>,
    ) -> Result<HttpResponse, Fault> {
        let exchange = async {
            let mut stream = self.send(from, method, path, cookie, body).await?;
            let mut bytes = Vec::new();
            stream.read_to_end(&mut bytes).await?;
            Ok::<_, Fault>(bytes)
        };
        let bytes = tokio::time::timeout(REQUEST_TIMEOUT, exchange).await.map_err(|_| "no answer")??;
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").ok_or("expected an answer")?;
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let status = head.split(' ').nth(1).ok_or("expected a status")?.parse()?;
        let set_cookie = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("set-cookie").then(|| value.trim())
        });
        let cookie = set_cookie.and_then(|value| value.split(';').next()).map(str::to_owned);
        Ok(HttpResponse { status, cookie, body: bytes[end + 4..].to_vec() })
    }

    /// The same, for a request that must not be refused.
    pub(crate) async fn expect(
        self,
        from: IpAddr,
        method: &str,
        path: &str,
        cookie: Option<&str>,
        body: Option<Value>,
    ) -> Result<HttpResponse, Fault> {
        let response = self.request(from, method, path, cookie, body).await;
        let response = response.map_err(|error| format!("{method} {path}: {error}"))?;
        if response.status < 300 {
            return Ok(response);
        }
        let text: String = String::from_utf8_lossy(&response.body).chars().take(200).collect();
        Err(format!("{method} {path}: {} {text}", response.status).into())
    }
}
