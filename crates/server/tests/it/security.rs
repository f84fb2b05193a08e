//! Ways back into an account, and the second factor.

use crate::common::{Browser, TestServer};
use axum::http::StatusCode;
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};
use totp_rs::{Builder, Secret, Totp};

const PASSWORD: &str = "a long password";
const OTHER: &str = "quite another password";

async fn register(server: &TestServer, name: &str) -> (Browser, Value) {
    let mut browser = Browser::default();
    let account = json!({"name": name, "password": PASSWORD});
    let (status, account) = browser.post(server, "/api/account/register", account).await;
    assert_eq!(status, StatusCode::OK, "{account}");
    (browser, account)
}

/// Status and error code of an attempt to sign in.
async fn sign_in(server: &TestServer, body: Value) -> (u16, Value) {
    let (status, answer) = Browser::default().post(server, "/api/account/sign-in", body).await;
    (status.as_u16(), answer["code"].clone())
}

async fn recover(server: &TestServer, name: &str, code: &str, extra: Value) -> (u16, Value) {
    let mut body = json!({"name": name, "recovery_code": code, "password": OTHER});
    body.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
    let (status, answer) = Browser::default().post(server, "/api/account/recover", body).await;
    (status.as_u16(), answer)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_password_is_replaced_by_the_recovery_code() {
    let server = TestServer::new().await;
    let (mut ann, account) = register(&server, "Ann").await;
    let code = account["recovery_code"].as_str().unwrap();
    assert_eq!(account["security"]["recovery"], json!(true));
    // The code is sent once.
    let (_, account) = ann.get(&server, "/api/account").await;
    assert_eq!(account["recovery_code"], Value::Null);
    // A wrong code and a wrong name are answered alike.
    let (wrong, unknown) = (
        recover(&server, "Ann", "00000-00000-00000-00000-00000-00000", json!({})).await,
        recover(&server, "Nobody", code, json!({})).await,
    );
    assert_eq!((wrong.0, &wrong.1["code"]), (401, &json!("recovery")));
    assert_eq!(wrong, unknown);
    assert_eq!(recover(&server, "Ann", code, json!({"password": "short"})).await.0, 422);
    // As typed from paper.
    let (status, account) = recover(&server, "ann", &code.to_lowercase().replace('-', " "), json!({})).await;
    assert_eq!((status, &account["player"]["name"]), (200, &json!("Ann")));
    let next = account["recovery_code"].as_str().unwrap();
    assert_ne!(next, code);
    assert_eq!(ann.get(&server, "/api/account").await.1["player"], Value::Null, "other sessions end");
    assert_eq!(sign_in(&server, json!({"name": "Ann", "password": PASSWORD})).await.0, 401);
    assert_eq!(sign_in(&server, json!({"name": "Ann", "password": OTHER})).await.0, 200);
    assert_eq!(recover(&server, "Ann", code, json!({})).await.0, 401, "it is used up");
    // Renewed while signed in, by the password.
    let mut ann = Browser::default();
    ann.post(&server, "/api/account/sign-in", json!({"name": "Ann", "password": OTHER})).await;
    let path = "/api/account/recovery-code";
    assert_eq!(ann.post(&server, path, json!({"password": PASSWORD})).await.0, StatusCode::UNAUTHORIZED);
    let (_, renewed) = ann.post(&server, path, json!({"password": OTHER})).await;
    assert_eq!(recover(&server, "Ann", next, json!({})).await.0, 401);
    assert_eq!(recover(&server, "Ann", renewed["recovery_code"].as_str().unwrap(), json!({})).await.0, 200);
}

/// The app on a phone.
struct App(Totp);

impl App {
    fn new(secret: &str) -> Self {
        Self(Builder::new().with_secret(Secret::try_from_base32(secret).unwrap()).build().unwrap())
    }

    /// The code that the app shows in this number of seconds.
    fn code_in(&self, seconds: u64) -> String {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
        self.0.generate(now + seconds).to_string()
    }
}

/// Sets up a second factor. The app, the code that confirmed it, and the backup codes.
async fn set_up(server: &TestServer, browser: &mut Browser) -> (App, String, Vec<String>) {
    let begin = "/api/account/second-factor";
    assert_eq!(browser.post(server, begin, json!({"password": OTHER})).await.0, StatusCode::UNAUTHORIZED);
    let (status, setup) = browser.post(server, begin, json!({"password": PASSWORD})).await;
    assert_eq!(status, StatusCode::OK, "{setup}");
    assert!(setup["uri"].as_str().unwrap().contains(setup["secret"].as_str().unwrap()));
    assert!(setup["qr"].as_str().unwrap().contains("<svg"));
    let app = App::new(setup["secret"].as_str().unwrap());
    let confirm = "/api/account/second-factor/confirm";
    let (status, problem) = browser.post(server, confirm, json!({"code": "abcdef"})).await;
    assert_eq!((status.as_u16(), &problem["code"]), (401, &json!("second_factor_wrong")));
    let code = app.code_in(0);
    let (status, codes) = browser.post(server, confirm, json!({"code": code})).await;
    assert_eq!(status, StatusCode::OK, "{codes}");
    let codes = codes["backup_codes"].as_array().unwrap().iter().map(|c| c.as_str().unwrap().to_owned());
    (app, code, codes.collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn second_factor_follows_the_password_and_codes_are_single_use() {
    let server = TestServer::new().await;
    let (mut ann, _) = register(&server, "Ann").await;
    let (_, token) = ann.post(&server, "/api/tokens", json!({"label": "mine", "scopes": ["play"]})).await;
    let (app, used, codes) = set_up(&server, &mut ann).await;
    assert_eq!(codes.len(), 10);
    let credentials = |code: Option<&str>| json!({"name": "Ann", "password": PASSWORD, "code": code});
    assert_eq!(sign_in(&server, credentials(None)).await, (401, json!("second_factor")));
    // Without the password the second factor is not revealed.
    let wrong = json!({"name": "Ann", "password": OTHER, "code": app.code_in(30)});
    assert_eq!(sign_in(&server, wrong).await, (401, json!("credentials")));
    assert_eq!(sign_in(&server, credentials(Some(&used))).await, (401, json!("second_factor_wrong")));
    let next = app.code_in(30);
    assert_eq!(sign_in(&server, credentials(Some(&next))).await.0, 200);
    assert_eq!(sign_in(&server, credentials(Some(&next))).await, (401, json!("second_factor_wrong")));
    // A backup code, once.
    assert_eq!(sign_in(&server, credentials(Some(&codes[0].to_lowercase()))).await.0, 200);
    assert_eq!(sign_in(&server, credentials(Some(&codes[0]))).await, (401, json!("second_factor_wrong")));
    let (_, account) = ann.get(&server, "/api/account").await;
    assert_eq!(
        (&account["security"]["second_factor"], &account["security"]["backup_codes"]),
        (&json!(true), &json!(9))
    );
    // Programs go on as before.
    let mut program = Browser { token: token["secret"].as_str().map(str::to_owned), ..Browser::default() };
    assert_eq!(program.get(&server, "/api/account").await.1["player"]["name"], "Ann");
    // Other backup codes, and off: both by password and code.
    let renew = "/api/account/second-factor/backup-codes";
    let (_, renewed) = ann.post(&server, renew, json!({"password": PASSWORD, "code": codes[1]})).await;
    assert_eq!(sign_in(&server, credentials(Some(&codes[2]))).await.0, 401, "those before are good no more");
    let code = renewed["backup_codes"][0].clone();
    let off = "/api/account/second-factor/off";
    let (status, account) = ann.post(&server, off, json!({"password": PASSWORD, "code": code})).await;
    assert_eq!((status, &account["security"]["second_factor"]), (StatusCode::OK, &json!(false)));
    assert_eq!(sign_in(&server, credentials(None)).await.0, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn second_factor_guesses_are_rate_limited() {
    let server = TestServer::new().await;
    let (mut ann, _) = register(&server, "Ann").await;
    let _ = set_up(&server, &mut ann).await;
    // Its set-up was two tries.
    for _ in 0..8 {
        let guess = json!({"name": "Ann", "password": PASSWORD, "code": "12345x"});
        assert_eq!(sign_in(&server, guess).await.0, 401);
    }
    let guess = json!({"password": PASSWORD, "code": "12345x"});
    assert_eq!(
        ann.post(&server, "/api/account/second-factor/off", guess).await.0,
        StatusCode::TOO_MANY_REQUESTS
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recovery_code_does_not_replace_the_second_factor() {
    let server = TestServer::new().await;
    let (mut ann, account) = register(&server, "Ann").await;
    let recovery = account["recovery_code"].as_str().unwrap();
    let (_, _, codes) = set_up(&server, &mut ann).await;
    let (status, problem) = recover(&server, "Ann", recovery, json!({})).await;
    assert_eq!((status, &problem["code"]), (401, &json!("second_factor")));
    // Without the recovery code the second factor is not revealed.
    let (_, problem) = recover(&server, "Ann", "WRONG", json!({"code": codes[0]})).await;
    assert_eq!(problem["code"], json!("recovery"));
    let (status, account) = recover(&server, "Ann", recovery, json!({"code": codes[0]})).await;
    assert_eq!((status, &account["security"]["second_factor"]), (200, &json!(true)));
}
