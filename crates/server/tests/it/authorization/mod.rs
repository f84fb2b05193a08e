//! The permissions for every operation that the API describes: a stranger without a session, another guest, and a
//! token without the right scope ask for Ann's things. An operation that is not in [`RULES`] fails the test, and so
//! does a rule for an operation that is gone.

mod rules;

use crate::common::{Browser, TestServer, with_puzzles};
use axum::http::{Method, StatusCode};
use rules::Access::{self, Open, Refused};
use rules::RULES;
use rules::RequiredScope::{Bot, NoScope, Play, Read, SessionOnly};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The operations that the API describes; those for boards and bots by the name of each.
fn operations() -> BTreeSet<(String, String)> {
    let document = serde_json::to_value(lozenge_server::openapi()).unwrap();
    let mut found = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            let kinds: &[&str] = if path.contains("{kind}") { &["board", "bot"] } else { &[""] };
            found.extend(kinds.iter().map(|kind| (method.clone(), path.replace("{kind}", kind))));
        }
    }
    found
}

#[test]
fn every_operation_has_its_rule() {
    let rules: Vec<_> = RULES.iter().map(|rule| (rule.0.to_owned(), rule.1.to_owned())).collect();
    let known: BTreeSet<_> = rules.iter().cloned().collect();
    assert_eq!(known.len(), rules.len(), "a rule stands there twice");
    let operations = operations();
    let (missing, removed): (Vec<_>, Vec<_>) =
        (operations.difference(&known).collect(), known.difference(&operations).collect());
    assert!(missing.is_empty(), "not in RULES: {missing:?}");
    assert!(removed.is_empty(), "in RULES but not in the API: {removed:?}");
}

#[test]
fn required_token_scopes_are_documented() {
    let document = serde_json::to_value(lozenge_server::openapi()).unwrap();
    for &(method, path, _, _, needs) in RULES {
        let described = path.replace("/api/board/", "/api/{kind}/").replace("/api/bot/", "/api/{kind}/");
        let ways = document["paths"][&described][method]["security"].as_array().unwrap();
        let tokens: Vec<Value> = ways.iter().filter_map(|way| way.get("token").cloned()).collect();
        let right = match needs {
            NoScope => tokens == [json!([])],
            Play => tokens.contains(&json!(["play"])),
            Read => tokens == [json!(["read"])],
            Bot => tokens.contains(&json!(["bot"])),
            SessionOnly => tokens.is_empty(),
        };
        assert!(right, "{method} {path} needs {needs:?}, found {tokens:?}");
    }
}

/// Ann and her things.
struct Ann {
    browser: Browser,
    token: String,
    /// A public game of hers against a person, and a private one; it is her move in both.
    public: String,
    private: String,
    /// A game of hers against the engine, for hints.
    engine: String,
    first_move: String,
    /// A public game that she has made, her draft of it, and her comment on it.
    variant: String,
    draft: String,
    comment: String,
    /// A public study of hers, and its chapter.
    study: String,
    chapter: String,
    /// A puzzle of the site.
    puzzle: String,
    /// A picture that she has sent, and a finished measurement.
    picture: String,
    measurement: String,
}

/// A file that is a game.
const OWN_GAME: &str = "extends = \"chess\"\nid = \"own\"\nname = \"Own Chess\"\n";

const SVG: &str = "<svg xmlns='http://www.w3.org/2000/svg'><circle r='9'/></svg>";

const PASSWORD: &str = "a long password";

async fn set_up(server: &TestServer) -> Ann {
    let (mut ann, mut bob) = (Browser::default(), Browser::default());
    let account = json!({"name": "Ann", "password": PASSWORD});
    assert_eq!(ann.post(server, "/api/account/register", account).await.0, StatusCode::OK);
    let (_, token) = ann.post(server, "/api/tokens", json!({"label": "mine", "scopes": ["play"]})).await;
    let mut games = Vec::new();
    let mut first_move = String::new();
    for visibility in ["public", "private"] {
        let body = json!({"variant": "diamond", "opponent": {"kind": "link"}, "side": "white", "visibility": visibility});
        let (_, game) = ann.post(server, "/api/games", body).await;
        let id = game["id"].as_str().unwrap().to_owned();
        let (status, game) = bob.post(server, &format!("/api/games/{id}/join"), json!({})).await;
        assert_eq!(status, StatusCode::OK);
        first_move = game["state"]["moves"][0].as_str().unwrap().to_owned();
        games.push(id);
    }
    // A spectator's line, which anyone may read and report.
    let mut carl = Browser::default();
    carl.request(server, Method::PUT, "/api/account/settings", Some(json!({}))).await;
    let line = json!({"type": "chat", "room": "spectators", "text": "hello"});
    let (status, _) = carl.post(server, &format!("/api/games/{}/actions", games[0]), line).await;
    assert_eq!(status, StatusCode::OK);
    let body = json!({"source": OWN_GAME, "visibility": "public"});
    let (status, published) = ann.post(server, "/api/variants", body).await;
    assert_eq!(status, StatusCode::CREATED, "{published}");
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let (variant, draft) = (text(&published["id"]), text(&published["draft"]));
    let comments = format!("/api/variants/{variant}/comments");
    let (_, comment) = ann.post(server, &comments, json!({"text": "have fun"})).await;
    let body = json!({"variant": "diamond", "opponent": {"kind": "engine", "level": 1}, "side": "white"});
    let (_, game) = ann.post(server, "/api/games", body).await;
    let body = json!({"name": "Hers", "visibility": "public", "chapter": {"variant": "diamond"}});
    let (status, study) = ann.post(server, "/api/studies", body).await;
    assert_eq!(status, StatusCode::CREATED, "{study}");
    let (_, puzzle) = ann.get(server, "/api/puzzles/next?variant=diamond").await;
    let (status, picture) = ann.post(server, "/api/pictures", json!({"svg": SVG})).await;
    assert_eq!(status, StatusCode::CREATED, "{picture}");
    let body = json!({"games": 20, "nodes": 100});
    let (status, job) = ann.post(server, "/api/rules/gardner/measure", body).await;
    assert_eq!(status, StatusCode::ACCEPTED, "{job}");
    let measurement = text(&job["id"]);
    loop {
        let (_, measured) = ann.get(server, &format!("/api/lab/{measurement}")).await;
        if measured["state"] == json!("finished") {
            break;
        }
        assert_ne!(measured["state"], json!("failed"), "{measured}");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    Ann {
        token: token["id"].as_str().unwrap().to_owned(),
        public: games.remove(0),
        private: games.remove(0),
        engine: game["id"].as_str().unwrap().to_owned(),
        browser: ann,
        first_move,
        variant,
        draft,
        comment: text(&comment["id"]),
        study: text(&study["id"]),
        chapter: text(&study["chapters"][0]["id"]),
        puzzle: text(&puzzle["id"]),
        picture: text(&picture["digest"]),
        measurement,
    }
}

impl Ann {
    /// An open seek, if the operation is on one; it is deleted afterwards.
    async fn seek(&mut self, server: &TestServer, path: &str) -> Option<String> {
        if !path.starts_with("/api/seeks/{id}") {
            return None;
        }
        let terms = json!({"variant": "diamondback", "clock": {"kind": "correspondence", "days": 3}});
        let (status, created) = self.browser.post(server, "/api/seeks", terms).await;
        assert_eq!(status, StatusCode::CREATED, "{created}");
        Some(created["seek"]["id"].as_str().unwrap().to_owned())
    }

    /// The address of an operation on Ann's things.
    fn address(&self, path: &str, game: &str, seek: Option<&str>) -> String {
        let id = match path {
            _ if path.starts_with("/api/studies") => &self.study,
            _ if ["like", "comments", "report"]
                .iter()
                .any(|what| path.contains(&format!("{{id}}/{what}"))) =>
            {
                &self.variant
            }
            _ if path.starts_with("/api/variants") => "diamond",
            _ if path.starts_with("/api/puzzles") => &self.puzzle,
            _ if path.starts_with("/api/studio") => &self.draft,
            _ if path.starts_with("/api/tokens") => &self.token,
            _ if path.starts_with("/api/seeks/{id}") => seek.unwrap(),
            _ => game,
        };
        let query = match path {
            "/api/variants/{id}/diagram" => "?role=king&square=0&color=white",
            "/api/games/export" => "?player=ann",
            "/api/tables/{variant}" => {
                "?fen=****k****/***3***/**5**/*7*/4*4/*7*/**5**/***1A1***/****K****%20w%20-%20-%200%201"
            }
            "/api/puzzles/next"
            | "/api/puzzles/daily"
            | "/api/puzzles/streak"
            | "/api/puzzles/storm"
            | "/api/puzzles/themes" => "?variant=diamond",
            "/api/leaderboard" | "/api/players/{name}/ratings" => "?variant=diamond&speed=blitz",
            _ => "",
        };
        let digest = if path.starts_with("/api/pictures") { &self.picture } else { "gardner" };
        path.replace("{id}", id)
            .replace("{digest}", digest)
            .replace("{job}", &self.measurement)
            .replace("{variant}", "diamond")
            .replace("{class}", "KVvK")
            .replace("{name}", "ann")
            .replace("{user}", "ann")
            .replace("{comment}", &self.comment)
            .replace("{chapter}", &self.chapter)
            .replace("{number}", "0")
            .replace("{uci}", &self.first_move)
            .replace("{what}", "resign")
            + query
    }

    /// A request body as a client with the permission would send it.
    fn body(&self, path: &str) -> Value {
        match path {
            "/api/variants/validate" | "/api/studio/variants" => json!({"source": OWN_GAME}),
            "/api/pictures" => json!({"svg": SVG}),
            "/api/variants" => json!({"source": OWN_GAME, "visibility": "public"}),
            "/api/variants/{id}/comments" => json!({"text": "a word"}),
            "/api/variants/{id}/report" | "/api/studies/{id}/report" => json!({"reason": "rude"}),
            "/api/studies" => json!({"name": "Mine"}),
            "/api/studies/{id}/members/{name}" => json!({"writes": true}),
            "/api/studies/{id}/edits" => {
                let edit = json!({"type": "set_comment", "path": [], "was": "", "text": "a word"});
                json!({"client": 1, "edits": [{"number": 1, "chapter": self.chapter, "edit": edit}]})
            }
            "/api/studies/{id}/import-pgn" => json!({"pgn": "1. e4 *", "variant": "chess"}),
            "/api/studio/variants/{id}" => json!({"archived": true}),
            "/api/games" => json!({"variant": "diamond", "opponent": {"kind": "link"}}),
            "/api/games/{id}/actions" => json!({"type": "move", "move": self.first_move, "ply": 0}),
            "/api/board/game/{id}/chat" | "/api/bot/game/{id}/chat" => {
                json!({"room": "players", "text": "good luck"})
            }
            "/api/puzzles/{id}/attempt" | "/api/puzzles/{id}/hint" => json!({"moves": []}),
            "/api/puzzles/{id}/vote" => json!({"up": true}),
            "/api/lessons/{variant}/attempt" => {
                json!({"fen": "****k****/***3***/**5**/*7*/4*4/*7*/**2K2**/***3***/****1**** w - - 0 1", "goal": {"kind": "check"}})
            }
            "/api/lessons/{variant}/progress" => json!({"stars": {"winning-1": 3}}),
            "/api/positions" => json!({"variant": "diamond"}),
            "/api/positions/faults" => json!({"variant": "diamond", "fen": "nonsense"}),
            "/api/analyse" => json!({"variant": "diamond", "nodes": 100}),
            "/api/pgn/read" | "/api/games/import" => json!({"pgn": "[Variant \"diamond\"]\n\n*"}),
            "/api/pgn/write" => json!({"variant": "diamond", "nodes": []}),
            "/api/seeks" => json!({"variant": "diagonal"}),
            "/api/challenge/{user}" => json!({"variant": "diamond"}),
            "/api/account/push" => json!({
                "endpoint": format!("https://push.example/{}", random()),
                "keys": {
                    "p256dh": "BLn9b-VR0ca83knDNZ32dCHGyjJp-1riX9ZTN40MqV8K_LpQmLqxC_DoHvqvFXO_nGdAB4W9dogZb_sM-uV4JbY",
                    "auth": "_ordMnz7uTCmrpBTeUV4Bw"
                }
            }),
            "/api/tokens" => json!({"label": "another", "scopes": ["play"]}),
            "/api/account/register" => {
                json!({"name": format!("eve{}", random()), "password": "another password"})
            }
            "/api/account/sign-in" => json!({"name": "Ann", "password": "a wrong guess"}),
            "/api/account/password" => json!({"old": PASSWORD, "new": "a newer password"}),
            "/api/account/delete" | "/api/account/recovery-code" | "/api/account/second-factor" => {
                json!({"password": PASSWORD})
            }
            "/api/account/recover" => {
                json!({"name": "Ann", "recovery_code": "a wrong guess", "password": "another password"})
            }
            "/api/account/email" => json!({"password": PASSWORD, "email": "ann@chess.example"}),
            "/api/account/email/confirm" => json!({"token": "a wrong guess"}),
            "/api/account/email/forgotten" => json!({"email": "ann@chess.example"}),
            "/api/account/email/reset" => json!({"token": "a wrong guess", "password": "another password"}),
            "/api/account/second-factor/confirm" => json!({"code": "000000"}),
            "/api/account/second-factor/backup-codes" | "/api/account/second-factor/off" => {
                json!({"password": PASSWORD, "code": "000000"})
            }
            _ => json!({}),
        }
    }
}

/// A number that was not there before.
fn random() -> u32 {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// A client with a session but no account.
async fn guest(server: &TestServer) -> Browser {
    let mut guest = Browser::default();
    let answer = guest.request(server, Method::PUT, "/api/account/settings", Some(json!({}))).await;
    assert_eq!(answer.0, StatusCode::OK);
    guest
}

/// Sends a request and returns the status alone: streams never end.
async fn status(
    browser: &mut Browser,
    server: &TestServer,
    method: &str,
    path: &str,
    body: Value,
) -> StatusCode {
    let method: Method = method.to_uppercase().parse().unwrap();
    let body = (method != Method::GET && method != Method::DELETE).then_some(body);
    browser.raw(server, method, path, body).await.status()
}

fn check_access(expected: Access, found: StatusCode, client: &str, operation: &str) {
    let refused = matches!(found.as_u16(), 401 | 403 | 404) || (found == 409 && operation.ends_with("/join"));
    let right = match expected {
        // Without a connection a socket cannot be opened; it is refused only then.
        Open => found.is_success() || (found == 426 && operation.contains("/socket")),
        Refused => refused,
    };
    assert!(right, "{client}: expected {expected:?} for {operation}, found {found}");
}

#[tokio::test(flavor = "multi_thread")]
async fn access_of_strangers_and_other_guests_follows_the_rules() {
    let server = with_puzzles().await;
    let mut ann = set_up(&server).await;
    for &(method, path, stranger, other, _) in RULES {
        let hidden = path.contains("/game") && path.contains("{id}");
        let public = if path.ends_with("/hint") { ann.engine.clone() } else { ann.public.clone() };
        for (client, expected) in [("a stranger", stranger), ("another guest", other)] {
            let seek = ann.seek(&server, path).await;
            let mut visitor = if client == "a stranger" { Browser::default() } else { guest(&server).await };
            let address = ann.address(path, &public, seek.as_deref());
            let found = status(&mut visitor, &server, method, &address, ann.body(path)).await;
            check_access(expected, found, client, &format!("{method} {path}"));
            if hidden {
                // The existence of a private game is not revealed.
                let address = ann.address(path, &ann.private, seek.as_deref());
                let found = status(&mut visitor, &server, method, &address, ann.body(path)).await;
                check_access(Refused, found, client, &format!("{method} {path} of a private game"));
            }
            if let Some(seek) = seek {
                ann.browser.request(&server, Method::DELETE, &format!("/api/seeks/{seek}"), None).await;
            }
        }
    }
    // Nothing of hers has changed.
    let (_, game) = ann.browser.get(&server, &format!("/api/studio/variants/{}", ann.draft)).await;
    assert_eq!((&game["status"], &game["version"]), (&json!("active"), &json!(1)));
    let (_, comments) = ann.browser.get(&server, &format!("/api/variants/{}/comments", ann.variant)).await;
    assert_eq!(comments.as_array().unwrap().len(), 1);
    let (_, study) = ann.browser.get(&server, &format!("/api/studies/{}", ann.study)).await;
    assert_eq!((&study["seq"], &study["list"].as_array().map(Vec::len)), (&json!(0), &Some(1)));
    assert_eq!((&study["likes"], &study["members"]), (&json!(0), &json!([])));
    assert_eq!(ann.browser.get(&server, "/api/account").await.1["player"]["name"], "Ann");
    assert_eq!(ann.browser.get(&server, "/api/tokens").await.1[0]["id"], json!(ann.token));
    for id in [&ann.public, &ann.private, &ann.engine] {
        let (_, game) = ann.browser.get(&server, &format!("/api/games/{id}")).await;
        assert_eq!((&game["state"]["ply"], &game["state"]["status"]), (&json!(0), &json!("started")));
    }
    let again = json!({"name": "Ann", "password": PASSWORD});
    assert_eq!(Browser::default().post(&server, "/api/account/sign-in", again).await.0, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_does_nothing_outside_its_scopes() {
    let server = with_puzzles().await;
    let mut ann = set_up(&server).await;
    let token = |scope: &'static str| {
        let body = json!({"label": scope, "scopes": [scope]});
        let server = &server;
        let cookie = ann.browser.cookie.clone();
        async move {
            let mut browser = Browser { cookie, ..Browser::default() };
            let (status, created) = browser.post(server, "/api/tokens", body).await;
            assert_eq!(status, StatusCode::CREATED, "{created}");
            created["secret"].as_str().unwrap().to_owned()
        }
    };
    let (play, read) = (token("play").await, token("read").await);
    for &(method, path, _, _, needs) in RULES {
        let insufficient: &[&String] = match needs {
            NoScope => continue,
            Play => &[&read],
            Read => &[&play],
            Bot | SessionOnly => &[&play, &read],
        };
        for secret in insufficient {
            let seek = ann.seek(&server, path).await;
            let mut program = Browser { token: Some((*secret).clone()), ..Browser::default() };
            for game in [&ann.public, &ann.private, &ann.engine] {
                let address = ann.address(path, game, seek.as_deref());
                let found = status(&mut program, &server, method, &address, ann.body(path)).await;
                assert_eq!(
                    found,
                    StatusCode::FORBIDDEN,
                    "{method} {path} with a token for {needs:?} missing"
                );
            }
            if let Some(seek) = seek {
                let deleted =
                    ann.browser.request(&server, Method::DELETE, &format!("/api/seeks/{seek}"), None).await;
                assert_eq!(deleted.0, StatusCode::NO_CONTENT, "{method} {path} took the seek");
            }
        }
    }
    // An invalid token is refused everywhere.
    let mut forged = Browser { token: Some("loz_forged".into()), ..Browser::default() };
    for path in ["/api/account", "/api/account/data", "/api/games?player=me", "/api/stream/event"] {
        assert_eq!(forged.get(&server, path).await.0, StatusCode::UNAUTHORIZED, "{path}");
    }
    // Settings need the scope `read`.
    ann.browser.request(&server, Method::PUT, "/api/account/settings", Some(json!({"theme": "dark"}))).await;
    for (secret, theme) in [(play, Value::Null), (read, json!("dark"))] {
        let mut program = Browser { token: Some(secret), ..Browser::default() };
        assert_eq!(program.get(&server, "/api/account").await.1["settings"]["theme"], theme);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn private_games_are_visible_only_to_their_players() {
    let server = with_puzzles().await;
    let mut ann = set_up(&server).await;
    let mut eve = guest(&server).await;
    for (browser, seen) in [(&mut eve, false), (&mut Browser::default(), false), (&mut ann.browser, true)] {
        let page = browser.get(&server, &format!("/game/{}", ann.private)).await.0;
        assert_eq!(page == StatusCode::OK, seen);
        let (_, list) = browser.get(&server, "/api/games?player=Ann&limit=100").await;
        assert_eq!(list.to_string().contains(&ann.private), seen);
        let (_, page) = browser.get(&server, "/player/Ann").await;
        assert_eq!(page.as_str().unwrap().contains(&ann.private), seen);
        for path in ["/live", "/api/games?status=started&limit=100"] {
            let (_, page) = browser.get(&server, path).await;
            assert!(!page.to_string().contains(&ann.private), "{path}");
        }
        let socket =
            browser.raw(&server, Method::GET, &format!("/api/games/{}/socket", ann.private), None).await;
        assert!(!socket.status().is_success());
    }
    assert_eq!(Browser::default().get(&server, "/api/games?player=me").await.0, StatusCode::UNAUTHORIZED);
}
