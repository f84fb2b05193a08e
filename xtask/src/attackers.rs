//! Attackers of a site, honest players beside them, and the effect on these. Not here: the server, the bounds and the table
//! (`attack`).
//!
//! Clients come from networks of their own: by `X-Forwarded-For`, so that the server has to trust 127.0.0.0/8 as proxies.
//! In the attack on connections they use addresses of 127.0.0.0/8 themselves, and the server trusts no proxy.

use crate::http::{Fault, HttpResponse, REQUEST_TIMEOUT, Site};
use crate::process::Failure;
use serde_json::{Value, json};
use std::error::Error;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpSocket;
use tokio::task::JoinSet;

pub(crate) const PASSWORD: &str = "a long password";
/// Registrations a second.
const REGISTRATIONS: f64 = 190.0;
/// How long an attack goes on before anything is measured.
const HEAD_START: Duration = Duration::from_millis(500);
/// Most faults of honest players that are printed.
const MAX_FAULTS: usize = 5;

/// Attacks the site at an address for a time, and returns the figures.
pub(crate) fn run(address: &str, pid: u32, scenario: &str, time: Duration) -> Result<Value, Failure> {
    let address = address.trim_start_matches("http://").parse();
    let site = address.map(|address| Site { address, direct: scenario == "connections" });
    let failure = |error: &dyn Error| Failure::new(format!("{scenario}: {error}"));
    let site = site.map_err(|error| failure(&error))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| failure(&error))?;
    let figures = runtime.block_on(measure(site, pid, scenario, time));
    // Do not wait for players who still expect an answer.
    runtime.shutdown_background();
    figures.map_err(|error| failure(error.as_ref()))
}

async fn measure(site: Site, pid: u32, scenario: &str, time: Duration) -> Result<Value, Fault> {
    let honest = Arc::new(Honest::new(site).await?);
    // The attack begins before anything is measured, and ends after it.
    let until = Instant::now() + HEAD_START + time;
    let attack = tokio::spawn(attack(scenario.to_owned(), site, Arc::clone(&honest), until));
    let memory = tokio::spawn(peak_memory(pid, until));
    tokio::time::sleep(HEAD_START).await;
    let (moves, sign_ins, engine, others) = tokio::join!(
        honest.play(until),
        honest.sign_in(until, time / 12),
        honest.play_engine(until),
        honest.browse_and_chat(until)
    );
    let tally = attack.await??;
    let faults = std::mem::take(&mut *lock(&honest.faults));
    let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
    Ok(json!({
        "asked": count(&tally.requests),
        "refused": count(&tally.refused),
        "moves": moves.len(),
        "move_ms": at(moves, 0.99),
        "sign_in_ms": at(sign_ins, 1.0),
        "engine_ms": at(engine, 1.0),
        "other_ms": at(others, 1.0),
        "peak_mib": memory.await?,
        "fault_count": faults.len(),
        "faults": faults.into_iter().take(MAX_FAULTS).collect::<Vec<_>>(),
    }))
}

/// A duration below which this share of them lies, in milliseconds; none without durations.
fn at(mut durations: Vec<Duration>, share: f64) -> Option<f64> {
    durations.sort_unstable();
    let index = (durations.len() as f64 * share) as usize;
    durations.get(index.min(durations.len().saturating_sub(1))).map(|duration| duration.as_secs_f64() * 1e3)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Resident memory of a process in MiB; 0 where the system does not report it.
pub(crate) fn resident_mib(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib: Option<u64> = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    kib.unwrap_or(0) >> 10
}

/// The most resident memory of a process until then.
async fn peak_memory(pid: u32, until: Instant) -> u64 {
    let mut peak = 0;
    while Instant::now() < until {
        peak = peak.max(resident_mib(pid));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    peak
}

/// A read-only resource of a game.
pub(crate) fn game_path(game: &Value) -> Result<String, Fault> {
    Ok(format!("/api/games/{}", game["id"].as_str().ok_or("expected a game with an id")?))
}

/// A legal move of a game's state as an action; none if the game is over.
fn any_move(state: &Value, chance: &mut u64) -> Option<Value> {
    *chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    let moves = state["moves"].as_array()?;
    let played = moves.get((*chance >> 33) as usize % moves.len().max(1))?;
    (state["status"] != "finished").then(|| json!({ "type": "move", "move": played, "ply": state["ply"] }))
}

/// Honest players, each from a network of their own. Two play each other, one plays the engine. One has an account, signs
/// in again and again, opens pages and pictures, and chats about the others' game.
struct Honest {
    site: Site,
    name: String,
    /// The account's cookie.
    cookie: String,
    /// The cookies of the two players of a game.
    players: [String; 2],
    /// The path of their game, and its half moves.
    game: Mutex<(String, u64)>,
    /// Refused or lost requests.
    faults: Mutex<Vec<String>>,
}

impl Honest {
    async fn new(site: Site) -> Result<Self, Fault> {
        let name = format!("honest{}", std::process::id());
        let account = json!({ "name": name, "password": PASSWORD });
        let registered =
            site.expect(site.player(1), "POST", "/api/account/register", None, Some(account)).await?;
        let challenge = json!({ "variant": "diamond", "opponent": { "kind": "link" }, "side": "white" });
        let created = site.expect(site.player(2), "POST", "/api/games", None, Some(challenge)).await?;
        let path = game_path(&created.json()?)?;
        let joined =
            site.expect(site.player(3), "POST", &format!("{path}/join"), None, Some(json!({}))).await?;
        let cookie = |answer: HttpResponse| answer.cookie.ok_or("expected a cookie");
        Ok(Self {
            site,
            name,
            cookie: cookie(registered)?,
            players: [cookie(created)?, cookie(joined)?],
            game: Mutex::new((path, 0)),
            faults: Mutex::default(),
        })
    }

    fn game(&self) -> (String, u64) {
        lock(&self.game).clone()
    }

    /// Records a fault, and waits a little.
    async fn note(&self, fault: Fault) {
        lock(&self.faults).push(fault.to_string());
        tokio::time::sleep(Duration::from_millis(200)).await;
    }

    /// The two play: how long each move took until it was acknowledged.
    async fn play(&self, until: Instant) -> Vec<Duration> {
        let mut taken = Vec::new();
        while Instant::now() < until {
            if let Err(fault) = self.play_game(until, &mut taken).await {
                self.note(fault).await;
            }
        }
        taken
    }

    async fn play_game(&self, until: Instant, taken: &mut Vec<Duration>) -> Result<(), Fault> {
        let site = self.site;
        let at = [site.player(2), site.player(3)];
        let (mut path, _) = self.game();
        let mut game = site.expect(at[0], "GET", &path, Some(&self.players[0]), None).await?.json()?;
        if game["state"]["status"] == "finished" {
            let challenge = json!({ "variant": "diamond", "opponent": { "kind": "link" }, "side": "white" });
            let created =
                site.expect(at[0], "POST", "/api/games", Some(&self.players[0]), Some(challenge)).await?;
            path = game_path(&created.json()?)?;
            let join = format!("{path}/join");
            game =
                site.expect(at[1], "POST", &join, Some(&self.players[1]), Some(json!({}))).await?.json()?;
            *lock(&self.game) = (path.clone(), 0);
        }
        let (mut state, mut chance) = (game["state"].take(), 1);
        let actions = format!("{path}/actions");
        while let Some(action) = any_move(&state, &mut chance)
            && Instant::now() < until
        {
            let side = usize::from(state["turn"] == "black");
            let begun = Instant::now();
            let response =
                site.expect(at[side], "POST", &actions, Some(&self.players[side]), Some(action)).await?;
            taken.push(begun.elapsed());
            state = response.json()?;
            lock(&self.game).1 = state["ply"].as_u64().unwrap_or(0);
            tokio::time::sleep(Duration::from_millis(40)).await;
        }
        Ok(())
    }

    /// Signs in again and again, by turns from a known network and from one never seen before.
    async fn sign_in(&self, until: Instant, pause: Duration) -> Vec<Duration> {
        let mut taken = Vec::new();
        for number in 0.. {
            if Instant::now() >= until {
                break;
            }
            let network = if number % 2 == 0 { 1 } else { 10 + number };
            let account = json!({ "name": self.name, "password": PASSWORD });
            let begun = Instant::now();
            let request = self.site.expect(
                self.site.player(network),
                "POST",
                "/api/account/sign-in",
                None,
                Some(account),
            );
            match request.await {
                Ok(_) => taken.push(begun.elapsed()),
                Err(fault) => self.note(fault).await,
            }
            tokio::time::sleep(pause).await;
        }
        taken
    }

    /// Plays the engine: how long it took from sending a move to seeing the engine's.
    async fn play_engine(&self, until: Instant) -> Vec<Duration> {
        let mut taken = Vec::new();
        let mut cookie = None;
        while Instant::now() < until {
            if let Err(fault) = self.play_engine_game(until, &mut cookie, &mut taken).await {
                self.note(fault).await;
            }
        }
        taken
    }

    async fn play_engine_game(
        &self,
        until: Instant,
        cookie: &mut Option<String>,
        taken: &mut Vec<Duration>,
    ) -> Result<(), Fault> {
        let (site, here) = (self.site, self.site.player(4));
        let challenge =
            json!({ "variant": "diamond", "opponent": { "kind": "engine", "level": 5 }, "side": "white" });
        let created = site.expect(here, "POST", "/api/games", cookie.as_deref(), Some(challenge)).await?;
        if created.cookie.is_some() {
            cookie.clone_from(&created.cookie);
        }
        let mut game = created.json()?;
        let (path, mut chance) = (game_path(&game)?, 2);
        let actions = format!("{path}/actions");
        while let Some(action) = any_move(&game["state"], &mut chance)
            && Instant::now() < until
        {
            let begun = Instant::now();
            site.expect(here, "POST", &actions, cookie.as_deref(), Some(action)).await?;
            loop {
                game = site.expect(here, "GET", &path, cookie.as_deref(), None).await?.json()?;
                if game["state"]["turn"] == "white" || game["state"]["status"] == "finished" {
                    break;
                }
                if begun.elapsed() > REQUEST_TIMEOUT {
                    return Err("the engine did not answer".into());
                }
                tokio::time::sleep(Duration::from_millis(30)).await;
            }
            taken.push(begun.elapsed());
        }
        Ok(())
    }

    /// Reads pages, requests the newest picture, chats: how long each took.
    async fn browse_and_chat(&self, until: Instant) -> Vec<Duration> {
        let mut taken = Vec::new();
        for number in 0.. {
            if Instant::now() >= until {
                break;
            }
            let ((path, ply), here) = (self.game(), self.site.player(5));
            let line = json!({ "type": "chat", "room": "spectators", "text": format!("move {number}") });
            let (method, path, body) = match number % 4 {
                0 => ("GET", "/".to_owned(), None),
                1 => ("GET", format!("{path}/picture.png?ply={ply}"), None),
                2 => ("GET", "/api/seeks".to_owned(), None),
                _ => ("POST", format!("{path}/actions"), Some(line)),
            };
            let begun = Instant::now();
            match self.site.expect(here, method, &path, Some(&self.cookie), body).await {
                Ok(_) => taken.push(begun.elapsed()),
                Err(fault) => self.note(fault).await,
            }
            tokio::time::sleep(Duration::from_millis(700)).await;
        }
        taken
    }
}

/// The attackers' counts.
#[derive(Default)]
pub(crate) struct Tally {
    requests: AtomicU64,
    /// Answered with a refusal, or not at all.
    refused: AtomicU64,
}

impl Tally {
    pub(crate) fn count(&self, accepted: bool) {
        self.requests.fetch_add(1, Ordering::Relaxed);
        self.refused.fetch_add(u64::from(!accepted), Ordering::Relaxed);
    }
}

/// The attackers.
#[derive(Clone)]
pub(crate) struct Attackers {
    pub(crate) site: Site,
    pub(crate) tally: Arc<Tally>,
    pub(crate) until: Instant,
}

async fn attack(
    scenario: String,
    site: Site,
    honest: Arc<Honest>,
    until: Instant,
) -> Result<Arc<Tally>, Fault> {
    let attackers = Attackers { site, tally: Arc::default(), until };
    let tally = Arc::clone(&attackers.tally);
    let all = attackers.clone();
    match scenario.as_str() {
        "none" => tokio::time::sleep_until(until.into()).await,
        "registrations" => attackers.flood(REGISTRATIONS, move |n| all.clone().register(n, 0)).await,
        "registrations-networks" => {
            attackers.flood(REGISTRATIONS, move |n| all.clone().register(n, (n % 1_000) as u16)).await;
        }
        "registrations-dropped" => {
            attackers.flood(REGISTRATIONS, move |n| all.clone().register_and_go(n)).await;
        }
        "passwords" => {
            attackers.flood(100.0, move |n| all.clone().guess(honest.name.clone(), n)).await;
        }
        "chat" => attackers.flood(60.0, move |n| all.clone().chat(honest.game().0, n)).await,
        "engine" => attackers.crowd(100, move |n| all.clone().play_engine(n)).await,
        "seeks" => {
            let listeners = all.clone();
            let listening = attackers.crowd(150, move |n| listeners.clone().listen(n));
            tokio::join!(listening, attackers.crowd(205, move |n| all.clone().seek(n)));
        }
        "reads" => attackers.crowd(64, move |n| all.clone().read(honest.game().0, n)).await,
        "pictures" => {
            attackers.crowd(200, move |n| all.clone().request_pictures(Arc::clone(&honest), n)).await;
        }
        "connections" => attackers.crowd(700, move |n| all.clone().hold_connections(n)).await,
        "frames" => attackers.crowd(60, move |n| all.clone().send_frames(honest.game().0, n)).await,
        "pgn" => attackers.crowd(24, move |n| all.clone().read_pgn(n)).await,
        "documents" => attackers.crowd(48, move |n| all.clone().read_documents(n)).await,
        "own-data" => {
            let (cookie, _) = attackers.stored_study().await?;
            attackers.crowd(40, move |n| all.clone().download_data(cookie.clone(), n)).await;
        }
        "study" => {
            let (cookie, path) = attackers.stored_study().await?;
            let (readers, study) = (all.clone(), path.clone());
            let reading = attackers.crowd(450, move |n| readers.clone().follow_study(study.clone(), n));
            let rename = move |n| all.clone().rename_study(cookie.clone(), path.clone(), n);
            tokio::join!(reading, attackers.crowd(1, rename));
        }
        unknown => return Err(format!("expected a scenario, found {unknown}").into()),
    }
    Ok(tally)
}

impl Attackers {
    /// Starts `rate` tasks a second, whether those before are done or not.
    async fn flood<F: Future<Output = ()> + Send + 'static>(&self, rate: f64, begin: impl Fn(u64) -> F) {
        let mut begun = JoinSet::new();
        let mut ticks = tokio::time::interval(Duration::from_secs_f64(1.0 / rate));
        for number in 0.. {
            ticks.tick().await;
            if Instant::now() >= self.until {
                break;
            }
            begun.spawn(begin(number));
            while begun.try_join_next().is_some() {}
        }
    }

    /// Runs `size` tasks that go on until the end.
    async fn crowd<F: Future<Output = Result<(), Fault>> + Send + 'static>(
        &self,
        size: u16,
        begin: impl Fn(u16) -> F,
    ) {
        let mut all: JoinSet<_> = (0..size).map(begin).collect();
        let ended = async {
            while let Some(ended) = all.join_next().await {
                if !matches!(ended, Ok(Ok(()))) {
                    self.tally.count(false);
                }
            }
        };
        // Do not wait for attackers who still expect an answer.
        drop(tokio::time::timeout_at(self.until.into(), ended).await);
        tokio::time::sleep_until(self.until.into()).await;
    }

    pub(crate) fn over(&self) -> bool {
        Instant::now() >= self.until
    }

    /// Sends a request and counts the answer.
    pub(crate) async fn request(
        &self,
        from: IpAddr,
        method: &str,
        path: &str,
        cookie: Option<&str>,
        body: Option<Value>,
    ) -> Option<HttpResponse> {
        let answer = self.site.request(from, method, path, cookie, body).await.ok();
        let answer = answer.filter(|answer| answer.status < 300);
        self.tally.count(answer.is_some());
        answer
    }

    async fn register(self, number: u64, network: u16) {
        let account = json!({ "name": format!("flood{number}"), "password": PASSWORD });
        self.request(self.site.attacker(network), "POST", "/api/account/register", None, Some(account)).await;
    }

    /// Registers without waiting for the answer.
    async fn register_and_go(self, number: u64) {
        let account = json!({ "name": format!("flood{number}"), "password": PASSWORD });
        let from = self.site.attacker(0);
        let sent = self.site.send(from, "POST", "/api/account/register", None, Some(account)).await;
        self.tally.count(sent.is_ok());
    }

    /// Tries a wrong password, by turns from the 16 networks of 64 bits around one of 60.
    async fn guess(self, name: String, number: u64) {
        let from = IpAddr::from([0x2001, 0xdb8, 0, 0x100 | (number % 16) as u16, 0, 0, 0, 1]);
        let account = json!({ "name": name, "password": format!("wrong password {number}") });
        self.request(from, "POST", "/api/account/sign-in", None, Some(account)).await;
    }

    /// Comes as a new guest from another network and chats a line about a game.
    async fn chat(self, game: String, number: u64) {
        let from = self.site.attacker((number % 4_000) as u16);
        let seek = json!({ "variant": "diagonal", "side": "white",
            "clock": { "kind": "live", "initial_s": 60, "increment_s": 0 } });
        let Some(guest) = self.request(from, "POST", "/api/seeks", None, Some(seek)).await else { return };
        let line =
            json!({ "type": "chat", "room": "spectators", "text": format!("{number} {}", "x".repeat(80)) });
        let path = format!("{game}/actions");
        self.request(from, "POST", &path, guest.cookie.as_deref(), Some(line)).await;
    }

    /// Begins ten games against the engine's best level, and plays those that are not refused. All from one address.
    async fn play_engine(self, number: u16) -> Result<(), Fault> {
        let (from, mut cookie, mut games) = (self.site.attacker(0), None, Vec::new());
        tokio::time::sleep(Duration::from_millis(10 * u64::from(number))).await;
        for _ in 0..10 {
            let challenge = json!({ "variant": "diamondback", "opponent": { "kind": "engine", "level": 8 },
                "side": "black" });
            if let Some(created) =
                self.request(from, "POST", "/api/games", cookie.as_deref(), Some(challenge)).await
            {
                games.push(game_path(&created.json()?)?);
                cookie = created.cookie.or(cookie);
            }
        }
        let mut chance = u64::from(number);
        while !self.over() {
            for path in &games {
                let Some(response) = self.request(from, "GET", path, cookie.as_deref(), None).await else {
                    continue;
                };
                let game = response.json()?;
                if game["state"]["turn"] == "black"
                    && let Some(action) = any_move(&game["state"], &mut chance)
                {
                    let path = format!("{path}/actions");
                    self.request(from, "POST", &path, cookie.as_deref(), Some(action)).await;
                }
            }
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        Ok(())
    }

    /// Has five seeks by correspondence, and replaces another of them all the time.
    async fn seek(self, number: u16) -> Result<(), Fault> {
        let (from, mut cookie, mut open) =
            (self.site.attacker(number), None, std::collections::VecDeque::new());
        while !self.over() {
            let seek = json!({ "variant": "diamond", "side": "white",
                "clock": { "kind": "correspondence", "days": 3 } });
            if let Some(created) =
                self.request(from, "POST", "/api/seeks", cookie.as_deref(), Some(seek)).await
            {
                let response = created.json()?;
                open.extend(response["seek"]["id"].as_str().map(str::to_owned));
                cookie = created.cookie.or(cookie);
            }
            if open.len() == 5
                && let Some(oldest) = open.pop_front()
            {
                tokio::time::sleep(Duration::from_secs(1)).await;
                let path = format!("/api/seeks/{oldest}");
                self.request(from, "DELETE", &path, cookie.as_deref(), None).await;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        Ok(())
    }

    /// Follows the lobby.
    async fn listen(self, number: u16) -> Result<(), Fault> {
        let from = self.site.attacker(1_000 + number);
        let mut stream = self.site.send(from, "GET", "/api/seeks/stream", None, None).await?;
        let mut buffer = vec![0; 1 << 14];
        let mut read = stream.read(&mut buffer).await?;
        self.tally.count(buffer[..read].starts_with(b"HTTP/1.1 200"));
        while read > 0 {
            read = stream.read(&mut buffer).await?;
        }
        Ok(())
    }

    /// Reads as fast as it is answered. All from one address.
    async fn read(self, game: String, number: u16) -> Result<(), Fault> {
        let paths = ["/", "/api/games", &game, "/api/seeks"];
        while !self.over() {
            let path = paths[usize::from(number) % paths.len()];
            if self.request(self.site.attacker(0), "GET", path, None, None).await.is_none() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }
        Ok(())
    }

    /// Requests pictures of all positions of a game, each time in eight requests at once from each of 25 networks.
    async fn request_pictures(self, honest: Arc<Honest>, number: u16) -> Result<(), Fault> {
        let mut chance = u64::from(number) << 32;
        while !self.over() {
            let (game, plies) = honest.game();
            chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let path = format!("{game}/picture.png?ply={}", (chance >> 33) % (plies + 1));
            if self.request(self.site.attacker(number / 8), "GET", &path, None, None).await.is_none() {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
        Ok(())
    }

    /// Holds a connection from one of four addresses of a /24: with nothing printed, half a request, or a stream; and takes
    /// another when the server closes it.
    async fn hold_connections(self, number: u16) -> Result<(), Fault> {
        let from = self.site.client(64, 0, 1 + (number % 4) as u8);
        while !self.over() {
            let socket = TcpSocket::new_v4()?;
            socket.bind(SocketAddr::new(from, 0))?;
            let mut stream = socket.connect(self.site.address).await?;
            let printed: &[u8] = match number / 4 % 3 {
                0 => b"",
                1 => b"GET / HTTP/1.1\r\nHost: lozenge.exa",
                _ => b"GET /api/seeks/stream HTTP/1.1\r\nHost: lozenge.example\r\n\r\n",
            };
            let mut answer = Vec::new();
            drop(stream.write_all(printed).await);
            let held = tokio::time::timeout_at(self.until.into(), stream.read_to_end(&mut answer)).await;
            self.tally.count(held.is_err());
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        Ok(())
    }
}
