//! Answers that are the same for many requests: made and compressed once, and sent with an `ETag`. Not here: their content.

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use quick_cache::sync::Cache;
use sha2::{Digest as _, Sha256};
use std::io::Write as _;
use std::sync::Arc;

/// Memory for pages, in bytes, and about how many there are then.
const MAX_BYTES: u64 = 16 << 20;
const ABOUT: usize = 200;

/// An answer that is made.
#[derive(Clone, Debug)]
pub(crate) struct Prebuilt {
    kind: &'static str,
    plain: Bytes,
    gzip: Bytes,
    etag: HeaderValue,
}

impl Prebuilt {
    /// An answer of a type.
    pub(crate) fn new(kind: &'static str, text: impl Into<Bytes>) -> Self {
        let plain: Bytes = text.into();
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        // Writing to memory does not fail.
        let _ = encoder.write_all(&plain);
        let gzip = encoder.finish().unwrap_or_default().into();
        let digest: String =
            Sha256::digest(&plain).iter().take(12).map(|byte| format!("{byte:02x}")).collect();
        // Weak: it stands for both forms.
        let etag =
            HeaderValue::from_str(&format!("W/\"{digest}\"")).unwrap_or(HeaderValue::from_static("\"\""));
        Self { kind, plain, gzip, etag }
    }

    /// Its content.
    pub(crate) fn text(&self) -> &[u8] {
        &self.plain
    }

    /// The answer to a request with these headers.
    pub(crate) fn answer(&self, request: &HeaderMap) -> Response {
        let vary = (header::VARY, HeaderValue::from_static("accept-encoding"));
        let etag = (header::ETAG, self.etag.clone());
        let known = list(request, header::IF_NONE_MATCH).any(|known| known == "*" || self.etag == known);
        if known {
            return (StatusCode::NOT_MODIFIED, [etag, vary]).into_response();
        }
        let kind = (header::CONTENT_TYPE, HeaderValue::from_static(self.kind));
        if accepts(request, "gzip") {
            let encoding = (header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            return ([kind, etag, vary, encoding], self.gzip.clone()).into_response();
        }
        ([kind, etag, vary], self.plain.clone()).into_response()
    }
}

/// Whether a client takes this coding.
pub(crate) fn accepts(request: &HeaderMap, wanted: &str) -> bool {
    list(request, header::ACCEPT_ENCODING).any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let refused =
            weight.trim().strip_prefix("q=").is_some_and(|q| q.parse::<f64>().is_ok_and(|q| q <= 0.0));
        name.trim().eq_ignore_ascii_case(wanted) && !refused
    })
}

/// The entries of a header that is a list.
fn list(request: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &str> {
    let lines = request.get_all(name).into_iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).map(str::trim)
}

#[derive(Clone, Debug)]
struct Weight;

impl quick_cache::Weighter<[u8; 32], Prebuilt> for Weight {
    fn weight(&self, _: &[u8; 32], page: &Prebuilt) -> u64 {
        (page.plain.len() + page.gzip.len() + 256) as u64
    }
}

/// Pages by all that they are made of. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct PageCache(Arc<Cache<[u8; 32], Prebuilt, Weight>>);

impl Default for PageCache {
    fn default() -> Self {
        Self(Arc::new(Cache::with_weighter(ABOUT, MAX_BYTES, Weight)))
    }
}

impl PageCache {
    /// A page; made now unless one was made of the same parts. `parts` names all that it depends on.
    pub(crate) fn get<E>(
        &self,
        parts: &str,
        make: impl FnOnce() -> Result<String, E>,
    ) -> Result<Prebuilt, E> {
        self.get_of_kind("text/html; charset=utf-8", parts, make)
    }

    /// The same for an answer of any type.
    pub(crate) fn get_of_kind<E>(
        &self,
        kind: &'static str,
        parts: &str,
        make: impl FnOnce() -> Result<String, E>,
    ) -> Result<Prebuilt, E> {
        if let Some(page) = self.known(parts) {
            return Ok(page);
        }
        let page = Prebuilt::new(kind, make()?);
        self.0.insert(Sha256::digest(parts).into(), page.clone());
        Ok(page)
    }

    /// A page that was made of these parts.
    pub(crate) fn known(&self, parts: &str) -> Option<Prebuilt> {
        let key: [u8; 32] = Sha256::digest(parts).into();
        self.0.get(&key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(HeaderName, &'static str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.clone(), HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn known_answer_is_not_sent_again() {
        let answer = Prebuilt::new("text/plain", "words ".repeat(100));
        let first = answer.answer(&headers(&[(header::ACCEPT_ENCODING, "br, gzip;q=0.5")]));
        assert_eq!(first.status(), StatusCode::OK);
        assert_eq!(first.headers()[header::CONTENT_ENCODING], "gzip");
        let etag = first.headers()[header::ETAG].clone();
        let mut known = headers(&[]);
        known.insert(header::IF_NONE_MATCH, etag);
        assert_eq!(answer.answer(&known).status(), StatusCode::NOT_MODIFIED);
        let plain = answer
            .answer(&headers(&[(header::ACCEPT_ENCODING, "gzip;q=0"), (header::IF_NONE_MATCH, "\"x\"")]));
        assert!(plain.status() == StatusCode::OK && !plain.headers().contains_key(header::CONTENT_ENCODING));
    }

    #[test]
    fn codings_are_accepted_unless_their_weight_is_zero() {
        let request = headers(&[(header::ACCEPT_ENCODING, "BR;q=0.1, gzip;q=0, deflate")]);
        assert!(accepts(&request, "br") && accepts(&request, "deflate"));
        assert!(!accepts(&request, "gzip") && !accepts(&request, "zstd"));
    }

    #[test]
    fn page_is_made_once_for_the_same_parts() {
        let (cache, made) = (PageCache::default(), std::cell::Cell::new(0));
        for parts in ["one", "two", "one", "one"] {
            let make = || {
                made.set(made.get() + 1);
                Ok::<_, ()>(parts.to_owned())
            };
            assert_eq!(cache.get(parts, make).map(|page| page.plain), Ok(Bytes::from(parts)));
        }
        assert_eq!(made.get(), 2);
    }
}
