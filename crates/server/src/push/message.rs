//! A push message as a request: encrypted for one browser (RFC 8291) and signed by the server (VAPID, RFC 8292). The
//! cryptography is that of `web-push-native` and `p256`.

use axum::http::{Request, header};
use base64ct::{Base64UrlUnpadded, Encoding as _};
use lozenge_game::time::now_ms;
use lozenge_store::PushRow;
use p256::ecdsa::signature::Signer as _;
use p256::ecdsa::{Signature, SigningKey};
use p256::elliptic_curve::rand_core::OsRng;
use sha2::{Digest as _, Sha256};
use std::time::Duration;
use url::{Host, Url};
use web_push_native::Auth;

/// How long a signature holds, in seconds: RFC 8292 allows a day.
const SIGNED_S: i64 = 12 * 60 * 60;

/// Longest address of a push service, in bytes.
const MAX_ENDPOINT: usize = 1024;

/// The server's key, by which push services know it.
#[derive(Clone)]
pub(crate) struct PushKey(SigningKey);

impl std::fmt::Debug for PushKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("PushKey").field(&self.public()).finish()
    }
}

impl PushKey {
    /// A new key.
    pub(crate) fn random() -> Self {
        Self(SigningKey::random(&mut OsRng))
    }

    /// The key as it is stored.
    pub(crate) fn to_text(&self) -> String {
        Base64UrlUnpadded::encode_string(&self.0.to_bytes())
    }

    /// The key that [`PushKey::to_text`] has written.
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        let bytes = Base64UrlUnpadded::decode_vec(text).ok()?;
        SigningKey::from_slice(&bytes).ok().map(Self)
    }

    /// The public key as browsers take it.
    pub(crate) fn public(&self) -> String {
        Base64UrlUnpadded::encode_string(self.0.verifying_key().to_encoded_point(false).as_bytes())
    }

    /// The request that brings a text to a browser. A newer message with the same topic replaces one that has not been
    /// delivered. `contact` is the site's address.
    pub(crate) fn request(
        &self,
        row: &PushRow,
        text: &str,
        ttl: Duration,
        topic: &str,
        contact: Option<&str>,
    ) -> Result<Request<Vec<u8>>, &'static str> {
        let (public, auth) = keys(&row.p256dh, &row.auth).ok_or("the browser's keys")?;
        let body =
            web_push_native::encrypt(text.as_bytes().to_vec(), &public, &auth).map_err(|_| "encryption")?;
        let origin = Url::parse(&row.endpoint).map_err(|_| "the address")?.origin().ascii_serialization();
        Request::post(row.endpoint.as_str())
            .header("TTL", ttl.as_secs())
            .header("Urgency", "normal")
            .header("Topic", topic)
            .header(header::CONTENT_ENCODING, "aes128gcm")
            .header(header::CONTENT_TYPE, "application/octet-stream")
            .header(header::AUTHORIZATION, self.authorization(&origin, contact))
            .body(body)
            .map_err(|_| "the request")
    }

    /// The server's signature for a push service.
    fn authorization(&self, origin: &str, contact: Option<&str>) -> String {
        let mut claims = serde_json::json!({ "aud": origin, "exp": now_ms() / 1000 + SIGNED_S });
        if let Some(contact) = contact.filter(|contact| contact.starts_with("https://")) {
            claims["sub"] = contact.into();
        }
        let encode = |part: &str| Base64UrlUnpadded::encode_string(part.as_bytes());
        let signed = format!("{}.{}", encode(r#"{"typ":"JWT","alg":"ES256"}"#), encode(&claims.to_string()));
        let signature: Signature = self.0.sign(signed.as_bytes());
        let signature = Base64UrlUnpadded::encode_string(&signature.to_bytes());
        format!("vapid t={signed}.{signature}, k={}", self.public())
    }
}

/// The browser's public key and secret.
fn keys(p256dh: &str, auth: &str) -> Option<(p256::PublicKey, Auth)> {
    let public = p256::PublicKey::from_sec1_bytes(&Base64UrlUnpadded::decode_vec(p256dh).ok()?).ok()?;
    let auth: [u8; 16] = Base64UrlUnpadded::decode_vec(auth).ok()?.try_into().ok()?;
    Some((public, auth.into()))
}

/// Whether a browser's keys can be used.
pub(crate) fn valid_keys(p256dh: &str, auth: &str) -> bool {
    keys(p256dh, auth).is_some()
}

/// Whether an address can be that of a push service: HTTPS on its usual port, a host with a name.
pub(crate) fn is_endpoint(text: &str) -> bool {
    let Ok(url) = Url::parse(text) else { return false };
    let named = matches!(url.host(), Some(Host::Domain(name)) if name.contains('.'));
    text.len() <= MAX_ENDPOINT
        && url.scheme() == "https"
        && url.port().is_none()
        && url.username().is_empty()
        && url.password().is_none()
        && named
}

/// The id of a browser's subscription.
pub(crate) fn subscription_id(endpoint: &str) -> String {
    let digest = Sha256::digest(endpoint.as_bytes());
    Base64UrlUnpadded::encode_string(&digest[..18])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop where it is")]

    use super::*;
    use p256::ecdsa::VerifyingKey;
    use p256::ecdsa::signature::Verifier as _;

    #[test]
    fn endpoints_must_be_https_with_a_host_name() {
        for (address, valid) in [
            ("https://fcm.googleapis.com/fcm/send/abc", true),
            ("https://updates.push.services.mozilla.com/wpush/v2/abc", true),
            ("http://fcm.googleapis.com/x", false),
            ("https://127.0.0.1/x", false),
            ("https://[::1]/x", false),
            ("https://2130706433/x", false),
            ("https://localhost/x", false),
            ("https://push.example:8443/x", false),
            ("https://user@push.example/x", false),
            ("file:///etc/passwd", false),
            ("", false),
        ] {
            assert_eq!(is_endpoint(address), valid, "{address}");
        }
        assert!(!is_endpoint(&format!("https://push.example/{}", "x".repeat(MAX_ENDPOINT))));
    }

    /// Decrypts a request as a browser does, and verifies its signature as a push service does.
    #[test]
    fn a_browser_can_decrypt_a_message_and_a_push_service_verify_it() {
        let browser = p256::SecretKey::random(&mut OsRng);
        let public = p256::ecdsa::VerifyingKey::from(browser.public_key()).to_encoded_point(false);
        let key = PushKey::from_text(&PushKey::random().to_text()).unwrap();
        let row = PushRow {
            id: "a".into(),
            owner: "ann".into(),
            endpoint: "https://push.example/send/abc".into(),
            p256dh: Base64UrlUnpadded::encode_string(public.as_bytes()),
            auth: Base64UrlUnpadded::encode_string(&[7; 16]),
            language: "en".into(),
            epoch: 0,
            created_at: 0,
        };
        let request = key
            .request(&row, "Your turn", Duration::from_secs(60), "topic", Some("https://chess.example"))
            .unwrap();
        let text = web_push_native::decrypt(request.body().clone(), &browser, &[7; 16].into()).unwrap();
        assert_eq!(text, b"Your turn");
        assert_eq!(request.headers()["ttl"], "60");

        let authorization = request.headers()[header::AUTHORIZATION].to_str().unwrap();
        let (token, public) = authorization.strip_prefix("vapid t=").unwrap().split_once(", k=").unwrap();
        let (signed, signature) = token.rsplit_once('.').unwrap();
        let decode = |text: &str| Base64UrlUnpadded::decode_vec(text).unwrap();
        let verifier = VerifyingKey::from_sec1_bytes(&decode(public)).unwrap();
        let signature = Signature::from_slice(&decode(signature)).unwrap();
        verifier.verify(signed.as_bytes(), &signature).unwrap();
        let claims: serde_json::Value =
            serde_json::from_slice(&decode(signed.split_once('.').unwrap().1)).unwrap();
        assert_eq!(claims["aud"], "https://push.example");
        assert_eq!(claims["sub"], "https://chess.example");
        assert!(claims["exp"].as_i64().unwrap() > now_ms() / 1000);
    }
}
