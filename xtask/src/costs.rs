//! `cargo xtask costs`: processor time and memory that the most expensive usual request of each kind takes, beside its
//! price in `crates/server/src/budgets.rs`. A request that takes more than its price is a fault.

use crate::attackers::{PASSWORD, game_path};
use crate::http::{Fault, Site};
use crate::process::{Failure, Outcome, none_of, root};
use crate::web::TestServer;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::net::IpAddr;
use std::time::Duration;

/// The threads that do not serve clients: for costly work, the engine and SQLite.
const BACKGROUND_THREADS: [&str; 3] = ["heavy", "engine", "sqlx"];
/// Ticks of the processor times in /proc.
const TICKS_PER_SECOND: f64 = 100.0;
/// Games of a PGN that is imported, half moves of each, and of one that is read.
const GAMES: usize = 60;
const STUDY_PLIES: usize = 400;
const PLIES: usize = 8_000;
/// The pause after requests whose work goes on after the answer.
const SETTLING: Duration = Duration::from_millis(300);

/// Time and memory of a request.
#[derive(Clone, Copy, Debug)]
struct Cost {
    serving_us: f64,
    background_ms: f64,
    memory_kib: f64,
}

/// Measures the release program as it was built last.
pub(crate) fn measure() -> Outcome {
    let prices = prices()?;
    let server = TestServer::start_with("release", &["--trusted-proxies", "127.0.0.0/8"])?;
    let failure = |error: &dyn std::fmt::Display| Failure::new(format!("costs: {error}"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let address = server.address.trim_start_matches("http://").parse();
    let site = Site { address: address.map_err(|error| failure(&error))?, direct: false };
    let found = runtime.map_err(|error| failure(&error))?.block_on(all(Meter { site, pid: server.id() }));
    let mut faults = Vec::new();
    println!(
        "| operation | request | serving | price | background | price | memory | price |\n|---|---|---|---|---|---|---|---|"
    );
    for (operation, request, cost) in found.map_err(|error| failure(&error))? {
        let price = prices.get(operation).ok_or_else(|| Failure::new(format!("{operation} has no price")))?;
        println!(
            "| {operation} | {request} | {:.0} µs | {:.0} µs | {:.1} ms | {:.0} ms | {:.0} KiB | {:.0} KiB |",
            cost.serving_us,
            price.serving_us,
            cost.background_ms,
            price.background_ms,
            cost.memory_kib,
            price.memory_kib
        );
        // Work in the background is done by few threads: its memory is there once, and not for each request.
        let memory = (price.background_ms == 0.0).then_some(("KiB", cost.memory_kib, price.memory_kib));
        for (what, found, bound) in [
            ("µs of serving", cost.serving_us, price.serving_us),
            ("ms in the background", cost.background_ms, price.background_ms),
        ]
        .into_iter()
        .chain(memory)
        {
            // The clock has ticks of 10 ms.
            if found > bound + 1.0 {
                faults.push(format!("{request}: {found:.0} {what}, price {bound:.0}"));
            }
        }
    }
    none_of("requests that cost more than their price:", &faults)
}

/// The table in the server's source.
fn prices() -> Result<HashMap<String, Cost>, Failure> {
    let path = root().join("crates/server/src/budgets.rs");
    let text = std::fs::read_to_string(&path)
        .map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
    let price = |line: &str| {
        let (name, numbers) = line.trim().strip_prefix("Self::")?.split_once(" => cost(")?;
        let numbers = numbers.trim_end_matches("),").replace('_', "");
        let numbers: Vec<f64> = numbers.split(", ").map(str::parse).collect::<Result<_, _>>().ok()?;
        let &[serving_us, background_ms, memory_kib] = &numbers[..] else { return None };
        Some((name.to_owned(), Cost { serving_us, background_ms, memory_kib }))
    };
    Ok(text.lines().filter_map(price).collect())
}

/// Sends requests to the server of a process and reads what they took.
#[derive(Clone, Copy)]
struct Meter {
    site: Site,
    pid: u32,
}

/// A request: method, path, cookie and body.
type Request<'a> = (&'a str, &'a str, Option<&'a str>, Option<Value>);

impl Meter {
    /// Sends the same request `times` times, each from another network.
    async fn measure(self, times: u16, (method, path, cookie, body): Request<'_>) -> Result<Cost, Fault> {
        // Written, this makes the peak memory what is used now.
        std::fs::write(format!("/proc/{}/clear_refs", self.pid), "5")?;
        let (before, resident) = (self.times()?, self.memory("VmRSS:")?);
        for number in 0..times {
            let from: IpAddr = self.site.attacker(number);
            self.site.expect(from, method, path, cookie, body.clone()).await?;
        }
        tokio::time::sleep(SETTLING).await;
        let (after, peak) = (self.times()?, self.memory("VmHWM:")?);
        let each = |after: f64, before: f64| (after - before).max(0.0) / f64::from(times);
        Ok(Cost {
            serving_us: 1e6 * each(after.0, before.0),
            background_ms: 1e3 * each(after.1, before.1),
            memory_kib: each(peak, resident),
        })
    }

    /// Seconds of processor time of the threads that serve, and of the others, also of those that have ended.
    fn times(self) -> Result<(f64, f64), Fault> {
        let all = seconds(&std::fs::read_to_string(format!("/proc/{}/stat", self.pid))?)?;
        let mut serving = 0.0;
        for thread in std::fs::read_dir(format!("/proc/{}/task", self.pid))? {
            let folder = thread?.path();
            // A thread may end meanwhile.
            let Ok(name) = std::fs::read_to_string(folder.join("comm")) else { continue };
            let Ok(stat) = std::fs::read_to_string(folder.join("stat")) else { continue };
            if !BACKGROUND_THREADS.iter().any(|background| name.starts_with(background)) {
                serving += seconds(&stat)?;
            }
        }
        Ok((serving, all - serving))
    }

    /// A figure of the process in KiB.
    fn memory(self, name: &str) -> Result<f64, Fault> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid))?;
        let line = status.lines().find_map(|line| line.strip_prefix(name)).ok_or("expected a figure")?;
        Ok(line.split_whitespace().next().ok_or("expected a number")?.parse()?)
    }
}

/// The processor time in a `stat` of /proc.
fn seconds(stat: &str) -> Result<f64, Fault> {
    let fields = stat.rsplit_once(')').ok_or("expected a name in parentheses")?.1;
    let mut ticks = fields.split_whitespace().skip(11).take(2).map(str::parse::<f64>);
    let (user, system) = (ticks.next().ok_or("expected times")??, ticks.next().ok_or("expected times")??);
    Ok((user + system) / TICKS_PER_SECOND)
}

/// Every kind of request that can be measured alone.
async fn all(meter: Meter) -> Result<Vec<(&'static str, &'static str, Cost)>, Fault> {
    let site = meter.site;
    let mut found = Vec::new();
    let here = site.player(0);
    let account = json!({ "name": "costs", "password": PASSWORD });
    let registered = site.expect(here, "POST", "/api/account/register", None, Some(account)).await?;
    let cookie = registered.cookie.ok_or("expected a cookie")?;
    let cookie = Some(cookie.as_str());
    let study = json!({ "name": "Long", "visibility": "public" });
    let made = site.expect(here, "POST", "/api/studies", cookie, Some(study)).await?.json()?;
    let study = format!("/api/studies/{}", made["id"].as_str().ok_or("expected a study with an id")?);
    let mut note = |operation, request, cost| {
        println!("{operation}: {cost:?}");
        found.push((operation, request, cost));
    };

    let home = site.expect(here, "GET", "/", None, None).await?;
    let home = String::from_utf8_lossy(&home.body).into_owned();
    let script =
        home.split("src=\"").find_map(|rest| rest.split('"').next().filter(|it| it.ends_with(".js")));
    let script = script.ok_or("expected a script in the first page")?;
    note("Asset", "the script of the first page", meter.measure(200, ("GET", script, None, None)).await?);
    note(
        "Page",
        "the rules of Diamond Ring Chess",
        meter.measure(100, ("GET", "/rules/diamondring", None, None)).await?,
    );

    let challenge = json!({ "variant": "diamondring", "opponent": { "kind": "link" }, "side": "white" });
    let write = ("POST", "/api/games", cookie, Some(challenge.clone()));
    note("Write", "a new game", meter.measure(50, write).await?);
    let game = site.expect(here, "POST", "/api/games", cookie, Some(challenge)).await?.json()?;
    note("Read", "a game", meter.measure(100, ("GET", &game_path(&game)?, None, None)).await?);

    let moves = |plies: usize| -> String {
        let pairs = |pair: usize| format!("{}. Nf3 Nf6 {}. Ng1 Ng8 ", 2 * pair + 1, 2 * pair + 2);
        (0..plies / 4).map(pairs).collect()
    };
    let pgn = |plies: usize| format!("[Variant \"Chess\"]\n\n{}*\n\n", moves(plies));
    let import = (Some(json!({ "pgn": pgn(STUDY_PLIES).repeat(GAMES) })), format!("{study}/import-pgn"));
    note("StudyChange", "sixty chapters", meter.measure(1, ("POST", &import.1, cookie, import.0)).await?);
    let shown = site.expect(here, "GET", &study, cookie, None).await?.json()?;
    let chapter = shown["list"][1]["id"].as_str().ok_or("expected a chapter with an id")?;
    let chapter = format!("{study}/chapters/{chapter}");
    note("Chapter", "a chapter", meter.measure(10, ("GET", &chapter, cookie, None)).await?);
    note(
        "Export",
        "a study of sixty chapters",
        meter.measure(3, ("GET", &format!("{study}/pgn"), cookie, None)).await?,
    );
    note(
        "OwnData",
        "a study of sixty chapters",
        meter.measure(3, ("GET", "/api/account/data", cookie, None)).await?,
    );

    let pgn = Some(json!({ "pgn": pgn(PLIES) }));
    note("Pgn", "a game of 8,000 half moves", meter.measure(3, ("POST", "/api/pgn/read", None, pgn)).await?);
    let picture = "/api/variants/diamondring/picture.png?fen=2PREFWERP2/3PNBBNP3/p3PDDP3p/rp3PP3pr/enp6pne/kbdp4pdbw/\
                   fbdp4pdbf/enp6pne/rp3PP3pr/p3PDDP3p/3PNBBNP3/2PREFKERP2%20w%20-%20-%200%201";
    note(
        "Picture",
        "the start of Diamond Ring Chess",
        meter.measure(20, ("GET", picture, None, None)).await?,
    );

    for (file, what) in [
        (bomb(), "the dearest file that is known"),
        (bomb_of_four(), "the dearest file for four that is known"),
    ] {
        let body = Some(json!({ "source": file, "board": false }));
        let measured = meter.measure(1, ("POST", "/api/variants/validate", None, body)).await?;
        note("VariantCheck", what, measured);
    }
    let lessons = "/api/lessons/diamondring-wolf";
    note("Lessons", "the wolf's game", meter.measure(1, ("GET", lessons, None, None)).await?);
    let start = "2PREFWERP2/3PNBBNP3/p3PDDP3p/rp3PP3pr/enp6pne/kbdp4pdbw/fbdp4pdbf/enp6pne/rp3PP3pr/p3PDDP3p/3PNBBNP3/\
                 2PREFKERP2 w - - 0 1";
    let miss = Some(json!({ "fen": start, "goal": { "kind": "mate" }, "move": "c12b12" }));
    let path = "/api/lessons/diamondring/attempt";
    note("LessonMove", "a miss in Diamond Ring Chess", meter.measure(20, ("POST", path, None, miss)).await?);
    let ending = "/api/tables/diamond?fen=****k****/***3***/**5**/*7*/4*4/*7*/**1A3**/***3***/****K****%20w%20-%20-%200%201";
    note("Table", "three pieces of Diamond Chess", meter.measure(20, ("GET", ending, None, None)).await?);
    Ok(found)
}

/// A file with as many pieces as the limit allows whose moves have four legs, on a board of 256 squares without an edge.
fn bomb() -> String {
    let letters = kinds(7);
    let fen = format!("k{}8{}/K{letters}8 w - - 0 1", letters.to_ascii_lowercase(), "/16".repeat(14));
    many_paths("", &letters, &fen)
}

/// The same of a game of four, which is compiled as three games of two.
fn bomb_of_four() -> String {
    let seats =
        "players = 4\n[seats]\nblue = \"mirror-rising\"\nyellow = \"turn\"\ngreen = \"mirror-falling\"\n";
    let empty = |ranks: usize| "/16".repeat(ranks);
    let fen = format!("3yK12{}/gK15{}/15bK{}/12rK3 r - - 0 1 rbyg", empty(2), empty(4), empty(6));
    many_paths(seats, &kinds(2), &fen)
}

/// The letters of a number of kinds of pieces beside the King.
fn kinds(count: usize) -> String {
    ('A'..='Z').filter(|letter| *letter != 'K').take(count).collect()
}

fn many_paths(seats: &str, letters: &str, fen: &str) -> String {
    let piece = |letter: char| {
        format!("[roles.{letter}]\nname = \"Piece {letter}\"\npicture = \"ferz\"\nmoves = \"[K-K-K-K]\"\n")
    };
    let pieces: String = letters.chars().map(piece).collect();
    let row = ".".repeat(16);
    let rows = format!("{row}\n").repeat(16);
    format!(
        "id = \"bomb\"\nname = \"Many paths\"\n{seats}[board]\nsquares = \"\"\"\n{rows}\"\"\"\nwrap = \"both\"\n[roles.K]\n\
         name = \"King\"\npicture = \"king\"\nroyal = true\nmoves = \"K\"\n{pieces}[start]\nfen = \"{fen}\"\n"
    )
}
