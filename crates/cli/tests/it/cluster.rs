//! Two servers on one PostgreSQL and one NATS, killed, stopped and restarted while two players play on different ones. The
//! database is one on the server that `LOZENGE_TEST_POSTGRES` names, which has to be there in CI, as `nats-server`.

use crate::common::{Server, browser};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use sqlx::{AnyConnection, AssertSqlSafe, Connection as _};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};
use ureq::Agent;

/// The lease of the tests: games are taken over after this and a little more.
const LEASE: Duration = Duration::from_millis(1_000);

/// Longest time until a game goes on after its server has died.
const TAKE_OVER: Duration = Duration::from_secs(5);

/// A server of NATS that can be killed and started again.
struct Nats {
    port: u16,
    child: Option<Child>,
}

impl Nats {
    fn start() -> Option<Self> {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut nats = Self { port, child: None };
        nats.start_again().then_some(nats)
    }

    fn start_again(&mut self) -> bool {
        let mut command = Command::new("nats-server");
        command.args(["-a", "127.0.0.1", "-p", &self.port.to_string(), "-js", "-sd"]);
        command.arg(std::env::temp_dir().join(format!("lozenge-nats-{}", self.port)));
        self.child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok();
        let end = Instant::now() + Duration::from_secs(10);
        while self.child.is_some() && std::net::TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(Instant::now() < end, "nats-server does not answer");
            std::thread::sleep(Duration::from_millis(10));
        }
        self.child.is_some()
    }

    fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        self.kill();
        let _ = std::fs::remove_dir_all(std::env::temp_dir().join(format!("lozenge-nats-{}", self.port)));
    }
}

/// A database of a test's own, with NATS.
struct Site {
    database: String,
    connection: AnyConnection,
    nats: Nats,
    folder: TempDir,
}

impl Site {
    async fn new() -> Option<Self> {
        let Ok(server) = std::env::var("LOZENGE_TEST_POSTGRES") else {
            assert!(std::env::var_os("CI").is_none(), "LOZENGE_TEST_POSTGRES names no server");
            return None;
        };
        let Some(nats) = Nats::start() else {
            assert!(std::env::var_os("CI").is_none(), "nats-server is not installed");
            return None;
        };
        let folder = TempDir::new().unwrap();
        let name = folder.path().file_name().unwrap().to_string_lossy().to_lowercase();
        let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        lozenge_server::install_drivers();
        let mut connection = AnyConnection::connect(&server).await.unwrap();
        let statement = AssertSqlSafe(format!("CREATE DATABASE cluster_{name}"));
        sqlx::query(statement).execute(&mut connection).await.unwrap();
        let database = format!("{}/cluster_{name}", server.rsplit_once('/').unwrap().0);
        let connection = AnyConnection::connect(&database).await.unwrap();
        Some(Self { database, connection, nats, folder })
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lozenge"));
        command.args(["serve", "--listen", "127.0.0.1:0", "--database", &self.database]);
        command.args(arguments).current_dir(self.folder.path());
        command
    }

    fn server(&self, name: &str) -> Server {
        let (nats, lease) =
            (format!("nats://127.0.0.1:{}", self.nats.port), format!("{}ms", LEASE.as_millis()));
        Server::spawn(self.command(&["--nats", &nats, "--node-id", name, "--lease", &lease]))
    }

    async fn number(&mut self, statement: &'static str) -> i64 {
        let (number,): (i64,) = sqlx::query_as(statement).fetch_one(&mut self.connection).await.unwrap();
        number
    }

    /// The name of the server that owns a game, if one that lives does.
    async fn owner(&mut self, game: &str) -> Option<String> {
        let row: Option<(String,)> = sqlx::query_as(
            "SELECT nodes.id FROM games JOIN nodes ON nodes.incarnation = games.owner \
             WHERE games.id = $1 AND nodes.dead = 0",
        )
        .bind(game.to_owned())
        .fetch_optional(&mut self.connection)
        .await
        .unwrap();
        row.map(|(id,)| id)
    }

    /// The moves of a game in the record, and whether its events have numbers without a gap.
    async fn record(&mut self, game: &str) -> Vec<Value> {
        let rows: Vec<(i64, String)> =
            sqlx::query_as("SELECT seq, fact FROM facts WHERE game = $1 ORDER BY seq")
                .bind(game.to_owned())
                .fetch_all(&mut self.connection)
                .await
                .unwrap();
        assert!(rows.iter().enumerate().all(|(index, (seq, _))| *seq == index as i64 + 1), "{rows:?}");
        rows.iter().map(|(_, fact)| serde_json::from_str(fact).unwrap()).collect()
    }
}

/// A player, who keeps the session's cookie and may talk to any server.
struct Player {
    agent: Agent,
    cookie: String,
}

impl Player {
    fn new() -> Self {
        Self { agent: browser(), cookie: String::new() }
    }

    fn post(&mut self, url: &str, body: &Value) -> (u16, Value) {
        let request = self.agent.post(url).header("cookie", &self.cookie);
        let Ok(mut response) = request.send_json(body) else { return (0, Value::Null) };
        if let Some(cookie) = response.headers().get("set-cookie") {
            self.cookie = cookie.to_str().unwrap().split(';').next().unwrap().to_owned();
        }
        let status = response.status().as_u16();
        (status, response.body_mut().read_json().unwrap_or(Value::Null))
    }

    fn get(&self, url: &str) -> Value {
        let request = self.agent.get(url).header("cookie", &self.cookie);
        request
            .call()
            .ok()
            .and_then(|mut response| response.body_mut().read_json().ok())
            .unwrap_or(Value::Null)
    }

    async fn socket(&self, server: &Server, game: &str) -> Socket {
        let url = server.url(&format!("/api/games/{game}/socket")).replacen("http", "ws", 1);
        let mut request = url.into_client_request().unwrap();
        if !self.cookie.is_empty() {
            request.headers_mut().insert("cookie", self.cookie.parse().unwrap());
        }
        Socket(tokio_tungstenite::connect_async(request).await.unwrap().0)
    }
}

struct Socket(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Socket {
    async fn say(&mut self, message: Value) {
        self.0.send(Message::Text(message.to_string().into())).await.unwrap();
    }

    /// The next event that fits; others before it are passed over.
    async fn hear(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        let heard = async {
            loop {
                let message = self.0.next().await.expect("the socket is open").expect("the socket works");
                let Message::Text(text) = message else { continue };
                let event: Value = serde_json::from_str(&text).unwrap();
                if fits(&event) {
                    return event;
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(10), heard).await.expect("it comes")
    }

    async fn hear_ply(&mut self, ply: usize) -> Value {
        self.hear(|event| event["type"] == "state" && event["state"]["ply"] == ply).await
    }

    /// The code by which the socket is closed.
    async fn close_code(mut self) -> Option<u16> {
        let closed = async {
            while let Some(Ok(message)) = self.0.next().await {
                if let Message::Close(frame) = message {
                    return frame.map(|frame| u16::from(frame.code));
                }
            }
            None
        };
        tokio::time::timeout(Duration::from_secs(10), closed).await.expect("it is closed")
    }
}

/// A game between two people.
struct Game {
    id: String,
    players: [Player; 2],
    ply: usize,
}

impl Game {
    /// Ann makes it at one server, and Bob joins at another.
    fn begin(first: &Server, second: &Server) -> Self {
        let (mut ann, mut bob) = (Player::new(), Player::new());
        let wanted = json!({"variant": "diamond", "opponent": {"kind": "link"}, "side": "white",
            "clock": {"kind": "live", "initial_s": 300, "increment_s": 0}});
        let (status, made) = ann.post(&first.url("/api/games"), &wanted);
        assert_eq!(status, 201, "{made}");
        let id = made["id"].as_str().unwrap().to_owned();
        let (status, joined) = bob.post(&second.url(&format!("/api/games/{id}/join")), &json!({}));
        assert_eq!(status, 200, "{joined}");
        Self { id, players: [ann, bob], ply: 0 }
    }

    /// The next move, at a server.
    fn play(&mut self, server: &Server) -> (u16, Value) {
        let player = &mut self.players[self.ply % 2];
        let path = server.url(&format!("/api/games/{}", self.id));
        let game = player.get(&path);
        let Some(moves) = game["state"]["moves"].as_array() else { return (0, game) };
        assert_eq!(game["state"]["ply"], self.ply, "an acknowledged move is seen at every server");
        let action =
            json!({"type": "move", "move": moves[(self.ply * 5 + 2) % moves.len()], "ply": self.ply});
        let (status, answer) = player.post(&format!("{path}/actions"), &action);
        if status == 200 {
            self.ply += 1;
            assert_eq!(answer["ply"], self.ply, "{answer}");
        }
        (status, answer)
    }

    /// The same until it succeeds.
    fn play_within(&mut self, server: &Server, most: Duration) -> Duration {
        let begun = Instant::now();
        loop {
            let (status, answer) = self.play(server);
            if status == 200 {
                return begun.elapsed();
            }
            assert!(begun.elapsed() < most, "no move within {most:?}: {status} {answer}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

fn count(record: &[Value], fact: &str) -> usize {
    record.iter().filter(|event| event["fact"] == fact).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_goes_on_at_another_server_when_its_own_is_killed() {
    let Some(mut site) = Site::new().await else { return };
    let (a, b) = (site.server("a"), site.server("b"));
    let mut game = Game::begin(&a, &b);
    let id = game.id.clone();
    assert_eq!(site.owner(&id).await.as_deref(), Some("a"));
    let mut spectator = Player::new().socket(&b, &id).await;
    spectator.hear(|event| event["type"] == "game").await;
    for ply in 0..6 {
        let (status, answer) = game.play(if ply % 2 == 0 { &a } else { &b });
        assert_eq!(status, 200, "{answer}");
        spectator.hear_ply(ply + 1).await;
    }
    // Chat and presence cross servers, too.
    let mut ann = game.players[0].socket(&a, &id).await;
    ann.hear(|event| event["type"] == "game").await;
    let mut bob = game.players[1].socket(&b, &id).await;
    let greeting = bob.hear(|event| event["type"] == "game").await;
    assert_eq!(greeting["game"]["state"]["present"]["white"], true, "{greeting}");
    ann.hear(|event| event["state"]["present"]["black"] == true).await;
    bob.say(json!({"type": "chat", "room": "players", "text": "good luck", "id": 1})).await;
    ann.hear(|event| event["type"] == "chat" && event["text"] == "good luck").await;

    // Every server lists what is being played.
    let end = Instant::now() + Duration::from_secs(8);
    while game.players[0].get(&b.url("/api/games/live"))[0]["id"] != id {
        assert!(Instant::now() < end, "the other server does not list the game");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }

    a.kill();
    let paused = game.play_within(&b, TAKE_OVER);
    spectator.hear_ply(7).await;
    assert_eq!(site.owner(&id).await.as_deref(), Some("b"), "after {paused:?}");
    assert_eq!(game.play(&b).0, 200);
    let record = site.record(&id).await;
    assert_eq!((count(&record, "moved"), count(&record, "resumed")), (8, 1));
    // The clock was charged to the last renewal and from the take-over on.
    let state = game.players[0].get(&b.url(&format!("/api/games/{id}")))["state"].clone();
    assert!(state["clocks"]["white_ms"].as_i64().unwrap() > 300_000 - 4_000, "{state}");
    let greeting = game.players[0].socket(&b, &id).await.hear(|event| event["type"] == "game").await;
    assert_eq!(greeting["game"]["history"].as_array().unwrap().len(), 8);
    let _ = bob.0.close(None).await;
}

/// Sends a signal to a server.
fn signal(server: &Server, name: &str) {
    let sent = Command::new("kill").args([&format!("-{name}"), &server.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_stood_still_writes_nothing_when_it_wakes_up() {
    let Some(mut site) = Site::new().await else { return };
    let (a, b) = (site.server("a"), site.server("b"));
    let mut game = Game::begin(&a, &b);
    let id = game.id.clone();
    for ply in 0..3 {
        assert_eq!(game.play(if ply % 2 == 0 { &a } else { &b }).0, 200);
    }
    let mut spectator = Player::new().socket(&a, &id).await;
    spectator.hear(|event| event["type"] == "game").await;

    signal(&a, "STOP");
    // A request that it finds when it wakes up: the same move as another that is played meanwhile, or another move.
    let state = game.players[1].get(&b.url(&format!("/api/games/{id}")))["state"].clone();
    let late = json!({"type": "move", "move": state["moves"][0], "ply": 3});
    let (url, cookie) = (a.url(&format!("/api/games/{id}/actions")), game.players[1].cookie.clone());
    let waiting = std::thread::spawn(move || Player { agent: browser(), cookie }.post(&url, &late));
    let paused = game.play_within(&b, TAKE_OVER);
    assert!(paused >= LEASE / 2, "the game was a's until its lease was over");
    assert_eq!(game.play(&b).0, 200);
    let before = site.record(&id).await;
    signal(&a, "CONT");

    assert_eq!(spectator.close_code().await, Some(1012), "its clients connect again");
    // The late move came to a server that passed it on, or it was refused: either way its ply was taken.
    let (status, answer) = waiting.join().unwrap();
    assert!(status == 409 || (status == 200 && answer["ply"] == 5), "{status} {answer}");
    game.play_within(&a, TAKE_OVER);
    let after = site.record(&id).await;
    assert_eq!(after[..before.len()], before[..]);
    assert_eq!((count(&after, "moved"), count(&after, "resumed")), (6, 1));
    // It lives again, under another name in the table.
    let end = Instant::now() + TAKE_OVER;
    while site.number("SELECT COUNT(*) FROM nodes WHERE dead = 0").await < 2 {
        assert!(Instant::now() < end, "it does not take part again");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_are_replaced_one_after_the_other_and_nats_comes_back() {
    let Some(mut site) = Site::new().await else { return };
    let (a, b) = (site.server("a"), site.server("b"));
    let mut game = Game::begin(&a, &b);
    let id = game.id.clone();
    for ply in 0..4 {
        assert_eq!(game.play(if ply % 2 == 0 { &a } else { &b }).0, 200);
    }
    // A lone server does not come between them.
    let output = site.command(&[]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("found another server at work"));

    // The owner is stopped as a service manager does: not ready, its game goes on elsewhere, its socket is closed.
    let mut bob = game.players[1].socket(&a, &id).await;
    bob.hear(|event| event["type"] == "game").await;
    signal(&a, "TERM");
    let paused = game.play_within(&b, Duration::from_secs(2));
    assert_eq!(site.owner(&id).await.as_deref(), Some("b"), "after {paused:?}");
    assert_eq!(bob.close_code().await, Some(1012));
    a.wait();
    let c = site.server("c");
    assert_eq!(game.play(&c).0, 200);

    // NATS is away: the owner's clients play on, and those of others when it is back.
    site.nats.kill();
    let (status, answer) = game.play(&b);
    assert_eq!(status, 200, "{answer}");
    assert!(site.nats.start_again());
    game.play_within(&c, Duration::from_secs(8));
    game.play_within(&b, TAKE_OVER);
    let record = site.record(&id).await;
    assert_eq!(count(&record, "moved"), 9);
    // The clock stood still while the game moved to b, and at no other time.
    assert_eq!(count(&record, "resumed"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_seeks_at_different_servers_make_one_game() {
    let Some(mut site) = Site::new().await else { return };
    let (a, b) = (site.server("a"), site.server("b"));
    let (mut ann, mut bob, mut eve) = (Player::new(), Player::new(), Player::new());
    let clock = json!({"kind": "live", "initial_s": 180, "increment_s": 2});
    let wanted = json!({"variant": "diamond", "clock": clock});
    let (status, sought) = ann.post(&a.url("/api/seeks"), &wanted);
    assert_eq!(status, 201, "{sought}");
    let listed = |player: &Player, server: &Server| {
        player.get(&server.url("/api/seeks")).as_array().map_or(0, Vec::len)
    };
    let end = Instant::now() + Duration::from_secs(5);
    while listed(&eve, &b) == 0 && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!((listed(&eve, &a), listed(&eve, &b)), (1, 1));
    let (status, met) = bob.post(&b.url("/api/seeks"), &wanted);
    assert_eq!(status, 201, "{met}");
    let game = met["game"].as_str().expect("a game").to_owned();
    assert!(!ann.get(&a.url(&format!("/api/games/{game}")))["you"].is_null(), "Ann plays in it");
    assert_eq!(site.number("SELECT COUNT(*) FROM seeks").await, 0);
    // Of many that come together, at both servers, each is in one game or still open.
    let players: Vec<_> = (0..10)
        .map(|number| {
            let (url, wanted) = (if number % 2 == 0 { &a } else { &b }.url("/api/seeks"), wanted.clone());
            std::thread::spawn(move || Player::new().post(&url, &wanted))
        })
        .collect();
    let made: Vec<(u16, Value)> = players.into_iter().map(|player| player.join().unwrap()).collect();
    let games = made.iter().filter(|(_, sought)| sought["game"].is_string()).count();
    assert!(made.iter().all(|(status, _)| *status == 201), "{made:?}");
    assert_eq!(games, 5, "{made:?}");
    assert_eq!(site.number("SELECT COUNT(*) FROM seeks").await, 0);
    assert_eq!(site.number("SELECT COUNT(*) FROM games").await, 6);
    let _ = eve.post(&a.url("/api/seeks"), &wanted);
    assert_eq!(site.number("SELECT COUNT(*) FROM seeks WHERE live_until IS NOT NULL").await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_read_before_a_seek_came_does_not_hide_it() {
    let Some(site) = Site::new().await else { return };
    let (a, b) = (site.server("a"), site.server("b"));
    // What comes to one server makes the other read its list again, while more come there.
    let seekers: Vec<_> = (0..4)
        .map(|number| {
            let url = if number % 2 == 0 { &a } else { &b }.url("/api/seeks");
            std::thread::spawn(move || {
                let mut player = Player::new();
                (0..4).all(|round| {
                    let clock =
                        json!({"kind": "live", "initial_s": 60 * (1 + number * 4 + round), "increment_s": 0});
                    let wanted = json!({"variant": "diamond", "clock": clock});
                    let placed = player.post(&url, &wanted).1;
                    let listed = player.get(&url);
                    let id = &placed["seek"]["id"];
                    let shown = |seeks: &Vec<Value>| seeks.iter().any(|seek| &seek["id"] == id);
                    id.is_string() && listed.as_array().is_some_and(shown)
                })
            })
        })
        .collect();
    let listed: Vec<bool> = seekers.into_iter().map(|seeker| seeker.join().unwrap()).collect();
    assert_eq!(listed, [true; 4]);
}

#[tokio::test(flavor = "multi_thread")]
async fn studies_and_sessions_are_the_same_at_all_servers() {
    let Some(site) = Site::new().await else { return };
    let (a, b) = (site.server("a"), site.server("b"));
    let mut ann = Player::new();
    let account = json!({"name": "Ann", "password": "a long password"});
    assert_eq!(ann.post(&a.url("/api/account/register"), &account).0, 200);
    let wanted = json!({"name": "Forks", "visibility": "public", "chapter": {"variant": "gardner"}});
    let (status, made) = ann.post(&b.url("/api/studies"), &wanted);
    assert_eq!(status, 201, "{made}");
    let (study, chapter) = (made["id"].as_str().unwrap(), made["chapters"][0]["id"].as_str().unwrap());
    // Two pages of hers edit the chapter at two servers, each after what it heard of the other.
    let mut edit = |server: &Server, client: u64, number: u64, path: &[&str]| {
        let edits = json!([{"number": number, "chapter": chapter, "edit": {"type": "add", "path": path}}]);
        let url = server.url(&format!("/api/studies/{study}/edits"));
        ann.post(&url, &json!({"client": client, "edits": edits}))
    };
    for number in 1..=3 {
        let moves = [["a2a3"], ["b2b3"], ["c2c3"]][number as usize - 1];
        assert_eq!(edit(&a, 1, number, &moves).1["seq"], 2 * number - 1);
        let (status, done) = edit(&b, 2, number, &[moves[0], "a4a3"][..1]);
        assert_eq!((status, &done["seq"]), (200, &json!(2 * number)), "{done}");
    }
    // Sent again, at the other server, it is not applied again.
    assert_eq!(edit(&b, 1, 3, &["c2c3"]).1["seq"], 6);
    let tree = |server: &Server| {
        let url = server.url(&format!("/api/studies/{study}/chapters/{chapter}"));
        let found = Player::new().get(&url);
        let nodes = found["tree"]["nodes"].as_array().expect("a tree").iter();
        nodes.map(|node| node["uci"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(tree(&a), ["a2a3", "b2b3", "c2c3"]);
    assert_eq!(tree(&b), tree(&a));
    // A socket at one server ends with its session, which ends at another.
    let game = Game::begin(&a, &a);
    let mut socket = ann.socket(&b, &game.id).await;
    socket.hear(|event| event["type"] == "game").await;
    let (status, answer) = ann.post(&a.url("/api/account/sign-out-everywhere"), &json!({}));
    assert_eq!(status, 200, "{answer}");
    assert_eq!(socket.close_code().await, None);
    assert_eq!(ann.get(&b.url("/api/account"))["player"], Value::Null);
}
