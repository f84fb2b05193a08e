//! `cargo xtask bench --jobs-only`: what a job costs besides its work, in processor time. A host, a real NATS and a real
//! `lozenge worker` do many almost empty jobs. The time of the three processes is compared with that of the same work
//! without a queue. A job of the fleet takes 10 s or more, so the difference is given as a share of 10 s.
#![allow(clippy::print_stdout, reason = "it prints its table")]
#![allow(clippy::unwrap_used, reason = "a failing measurement may panic")]

use lozenge_analysis::review::ReviewJob;
use lozenge_engine::{Engine, Signals, bench};
use lozenge_game::convert::digest_of;
use lozenge_lab::matches::{Adjudication, OwnEngine, PairGame, PairsJob, PortableEngine, PortableKind};
use lozenge_lab::players::Limit;
use lozenge_lab::report::{GameTask, Part, Plan, ReportJob};
use lozenge_lab::tuning::data;
use lozenge_lab::tuning::fleet::DataJob;
use lozenge_protocol::client::Program;
use lozenge_queue::{Class, Client, Host, Job, JobQueue as _, JobState, QueueSettings, Rows, Texts};
use lozenge_rules::library;
use lozenge_rules::position::{AnyPosition, Game};
use lozenge_rules::variant::Variant;
use std::collections::HashMap;
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Jobs of each kind.
const JOBS: usize = 300;
/// Jobs that need an unknown game each; more games than a worker keeps.
const GAMES: usize = 100;
/// The time of a job of the fleet, in milliseconds.
const JOB_MS: f64 = 10_000.0;
/// The game.
const GAME: &str = "gardner";

/// A process that ends with the measurement.
struct Process(Child);

impl Process {
    fn spawn(command: &mut Command) -> Self {
        Self(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Processor time of a process and of its children that have ended, in milliseconds.
fn processor_ms(process: &str) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    // utime, stime, cutime, cstime, in ticks of 10 ms.
    fields[11..15].iter().map(|field| field.parse::<f64>().unwrap() * 10.0).sum()
}

struct GameTexts(HashMap<String, Vec<String>>);

#[async_trait::async_trait]
impl Texts for GameTexts {
    async fn texts(&self, digest: &str) -> Option<Vec<String>> {
        self.0.get(digest).cloned()
    }
}

/// A kind of jobs: the texts of the jobs, and the same work without a queue.
struct Case {
    name: &'static str,
    kind: &'static str,
    specs: Vec<String>,
    direct: Box<dyn Fn()>,
}

fn text<T: serde::Serialize>(job: &T) -> String {
    serde_json::to_string(job).unwrap()
}

fn own_game(number: usize) -> Arc<Variant> {
    let text = format!("extends = \"gardner\"\nid = \"own\"\nname = \"Own {number}\"\n");
    Variant::parse("own", &text, &library::text).unwrap()
}

fn review(variant: &Arc<Variant>) -> ReviewJob {
    ReviewJob::new(&Game::new(variant), digest_of(variant.texts()), 1)
}

fn cases() -> Vec<Case> {
    let variant = library::game(GAME).unwrap();
    let digest = digest_of(variant.texts());
    let mut cases = Vec::new();
    let job = review(&variant);
    cases.push(Case {
        name: "review",
        kind: ReviewJob::KIND,
        specs: vec![text(&job); JOBS],
        direct: Box::new({
            let variant = Arc::clone(&variant);
            move || {
                let mut engine = Engine::new(16);
                for _ in 0..JOBS {
                    job.run(&variant, &mut engine, &Signals::default(), &mut |_| {}).unwrap();
                }
            }
        }),
    });
    cases.push(Case {
        name: "review of an unknown game",
        kind: ReviewJob::KIND,
        specs: (0..GAMES).map(|number| text(&review(&own_game(number)))).collect(),
        direct: Box::new(|| {
            let mut engine = Engine::new(16);
            for number in 0..GAMES {
                let variant = own_game(number);
                review(&variant).run(&variant, &mut engine, &Signals::default(), &mut |_| {}).unwrap();
            }
        }),
    });
    for (name, games) in [("data, one game", 1), ("data, a full result", 60)] {
        let data = |number: u64| DataJob {
            variant: GAME.into(),
            digest: digest.clone(),
            nodes: 1,
            plies: 8,
            seed: 1,
            games: (number * games..(number + 1) * games).collect(),
        };
        let jobs: Vec<DataJob> = (0..(JOBS as u64).div_ceil(games)).map(data).collect();
        let variant = Arc::clone(&variant);
        cases.push(Case {
            name,
            kind: DataJob::KIND,
            specs: jobs.iter().map(text).collect(),
            direct: Box::new(move || {
                let mut engine = data::engine();
                for job in &jobs {
                    job.play(&variant, &mut engine, &|| false, &mut |_| {}).unwrap();
                }
            }),
        });
    }
    let plan = Plan { games: JOBS as u32, nodes: 1, level: 0, seed: 1 };
    let report = |games: std::ops::Range<u32>| ReportJob {
        variant: GAME.into(),
        digest: digest.clone(),
        plan: plan.clone(),
        games: games.map(|number| GameTask { part: Part::Full, number, opening: None }).collect(),
    };
    let whole = report(0..JOBS as u32);
    let played = Arc::clone(&variant);
    cases.push(Case {
        name: "report, one game",
        kind: ReportJob::KIND,
        specs: (0..JOBS as u32).map(|number| text(&report(number..number + 1))).collect(),
        direct: Box::new(move || {
            whole.play(&played, &AtomicBool::new(false), &|| {}, &mut |_| {}).unwrap();
        }),
    });
    cases.push(pairs(&variant, &digest));
    cases
}

fn pairs(variant: &Arc<Variant>, digest: &str) -> Case {
    let engine = |name: &str| PortableEngine {
        name: name.into(),
        kind: PortableKind::Own { options: Vec::new(), forget_history: false },
        limit: Limit { nodes: Some(1), ..Limit::default() },
    };
    let pairs = |games: std::ops::Range<u32>| PairsJob {
        engines: [engine("a"), engine("b")],
        variant: GAME.into(),
        digest: digest.to_owned(),
        games: games
            .map(|pair| PairGame { pair, swapped: false, fen: AnyPosition::start(variant).fen() })
            .collect(),
        adjudication: Adjudication { max_plies: Some(2), ..Adjudication::default() },
        margin: Duration::from_millis(50),
        patience: Duration::from_secs(60),
    };
    let (whole, played) = (pairs(0..JOBS as u32), Arc::clone(variant));
    Case {
        name: "pairs",
        kind: PairsJob::KIND,
        specs: (0..JOBS as u32).map(|pair| text(&pairs(pair..pair + 1))).collect(),
        direct: Box::new(move || {
            let program =
                Program { path: env!("CARGO_BIN_EXE_lozenge").into(), arguments: vec!["engine".into()] };
            let own = OwnEngine { program, variant_file: None };
            whole.play(&played, &own, &|| false, &|_| {}).unwrap();
        }),
    }
}

#[tokio::main]
async fn main() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new("nats-server");
    command.args(["-a", "127.0.0.1", "-p", &port.to_string(), "-js", "-sd"]).arg(folder.path());
    let nats = Process::spawn(&mut command);
    let address = format!("nats://127.0.0.1:{port}");
    let client = loop {
        if let Ok(client) = Client::connect(&address).await {
            break client;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    let rows = Rows::in_memory(QueueSettings::default()).await.unwrap();
    let games = (0..GAMES).map(own_game).map(|game| (digest_of(game.texts()), game.texts().to_vec()));
    let host =
        Host::start(client, "bench", rows.clone(), Arc::new(GameTexts(games.collect()))).await.unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_lozenge"));
    command.args(["worker", "--nats", &address, "--threads", "1", "--kinds", "review,report,data,pairs"]);
    let worker = Process::spawn(&mut command);
    while host.workers().present().is_empty() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let pids = ["self".to_owned(), nats.0.id().to_string(), worker.0.id().to_string()];
    println!(
        "| kind | jobs | host, ms | NATS, ms | worker, ms | the work itself, ms | overhead, ms | of a job of 10 s |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for case in cases() {
        let before = processor_ms("self");
        (case.direct)();
        let direct = processor_ms("self") - before;
        let count = case.specs.len();
        let signature = Some(bench::signature());
        let job = |(number, spec): (usize, &String)| Job {
            signature: signature.clone(),
            ..Job::new(format!("{}-{number}-{}", case.kind, case.name.len()), Class::Batch, case.kind, spec)
        };
        let jobs: Vec<Job> = case.specs.iter().enumerate().map(job).collect();
        let before = pids.each_ref().map(|pid| processor_ms(pid));
        rows.push(&jobs).await.unwrap();
        let mut changes = rows.changes();
        for job in &jobs {
            loop {
                let found = rows.report(&job.id).await.unwrap().unwrap();
                assert!(found.state != JobState::Dead, "{}", found.reason);
                if found.state == JobState::Done {
                    break;
                }
                let _ = tokio::time::timeout(Duration::from_secs(1), changes.changed()).await;
            }
        }
        let times = pids.each_ref().map(|pid| processor_ms(pid));
        let [host, nats, worker] = [0, 1, 2].map(|at| (times[at] - before[at]) / count as f64);
        let direct = direct / count as f64;
        let overhead = host + nats + worker - direct;
        println!(
            "| {} | {count} | {host:.2} | {nats:.2} | {worker:.2} | {direct:.2} | {overhead:.2} | {:.2}% |",
            case.name,
            100.0 * overhead / JOB_MS
        );
    }
}
