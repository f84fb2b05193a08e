//! The site's own address, and whether a request comes from its pages. Without a public URL both are taken from `Host`, which
//! clients can set to anything: it is checked first.

use super::{AppResult, reads};
use crate::error::AppError;
use crate::state::AppState;
use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, header};
use axum::middleware::Next;
use axum::response::Response;

/// Most characters of `Host`: a name of the DNS, and a port.
const MAX_HOST_LENGTH: usize = 253 + 6;

/// A host with an optional port, which can stand in a link.
struct Host(String);

impl Host {
    /// That of a request; of this machine for a program of HTTP/1.0 that names none.
    fn of_request(headers: &HeaderMap) -> AppResult<Self> {
        let Some(host) = headers.get(header::HOST) else { return Ok(Self("localhost".to_owned())) };
        let host = host.to_str().ok().filter(|host| is_host(host));
        host.map(|host| Self(host.to_owned())).ok_or_else(|| {
            let most = MAX_HOST_LENGTH;
            AppError::Invalid(format!("expected a `Host` of a name or address of at most {most} characters"))
        })
    }

    /// The address of a site there. A server without a public URL is reached without TLS.
    fn base(&self) -> String {
        format!("http://{}", self.0)
    }
}

fn is_host(text: &str) -> bool {
    let Ok(authority) = text.parse::<Authority>() else { return false };
    let name = authority.host();
    let is_name =
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_".contains(&byte));
    let is_v6 = || {
        let inner = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        inner.is_some_and(|inner| inner.parse::<std::net::Ipv6Addr>().is_ok())
    };
    let rest = &text[name.len().min(text.len())..];
    let has_port = rest.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok());
    text.len() <= MAX_HOST_LENGTH
        && text.starts_with(name)
        && (rest.is_empty() || has_port)
        && (is_name || is_v6())
}

/// The site's address as browsers see it.
pub(super) fn base_address(state: &AppState, headers: &HeaderMap) -> AppResult<String> {
    match &state.config.public_url {
        Some(url) => Ok(url.trim_end_matches('/').to_owned()),
        None => Ok(Host::of_request(headers)?.base()),
    }
}

/// Refuses what another site makes a browser send: anything but reading, and sockets, has to come from our own pages.
/// Programs send neither `Origin` nor `Sec-Fetch-Site`, and no cookies either.
pub(crate) async fn same_origin(
    State(state): State<AppState>,
    request: Request,
    next: Next,
) -> Result<Response, AppError> {
    let headers = request.headers();
    let socket = headers.contains_key(header::UPGRADE);
    if (!reads(&request) || socket) && !is_same_origin(headers, &state) {
        return Err(AppError::Forbidden(
            "expected a request from this site's own pages; a site behind TLS has to know its public URL",
        ));
    }
    Ok(next.run(request).await)
}

fn is_same_origin(headers: &HeaderMap, state: &AppState) -> bool {
    let fetch_site = headers.get("sec-fetch-site").and_then(|site| site.to_str().ok());
    if matches!(fetch_site, Some("cross-site" | "same-site")) {
        return false;
    }
    let Some(origin) = headers.get(header::ORIGIN) else { return true };
    base_address(state, headers).is_ok_and(|own| origin.as_bytes() == own.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_is_a_name_or_an_address() {
        for (text, expected) in [
            ("chess.example", true),
            ("localhost:8080", true),
            ("192.0.2.7:80", true),
            ("[2001:db8::1]:443", true),
            ("a_b", true),
            ("", false),
            (":80", false),
            ("chess.example:", false),
            ("chess.example:99999", false),
            ("chess.example:8x", false),
            ("user@chess.example", false),
            ("chess.example/path", false),
            ("chess.example\"] [Result \"1-0", false),
            ("<b>", false),
            ("[::1", false),
            ("[x]", false),
            ("a:b:c", false),
        ] {
            assert_eq!(is_host(text), expected, "{text:?}");
        }
    }
}
