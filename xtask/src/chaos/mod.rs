//! `cargo xtask chaos`: players on several servers while processes are killed, paused and restarted and connections are cut,
//! all by a seed. Afterwards the record is compared with the observations of the players. Here is the course of a run; the
//! parts: `processes` and `link` can fail, `site` is made of them, `incident` plans the failures, `player` plays, `history` keeps
//! the observations of the players, `invariants` checks it.

mod history;
mod incident;
mod invariants;
mod link;
mod player;
mod processes;
mod site;

use crate::http::Site;
use crate::process::{Failure, Outcome, cargo, missing, none_of, run as run_command};
use clap::Args;
use history::{History, Observations};
use incident::Incidents;
use invariants::{Epochs, Record};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};
use site::Cluster;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// `chaos`.
#[derive(Args)]
pub(crate) struct Options {
    /// Seed of the incidents and of the players' moves. The same seed has the same incidents.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How long things fail, in minutes.
    #[arg(long, default_value_t = 10.0)]
    minutes: f64,
    /// Games at the same time.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u16).range(1..=2_000))]
    games: u16,
    /// Servers.
    #[arg(long, default_value_t = SERVERS)]
    servers: usize,
    /// Workers.
    #[arg(long, default_value_t = 2)]
    workers: usize,
    /// How long each player thinks on average, in milliseconds.
    #[arg(long, default_value_t = 1_000)]
    think: u64,
    /// The lease of a server, in seconds.
    #[arg(long, default_value_t = 3)]
    lease: u64,
    /// The program; by default the release build, which is built before.
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Keep the logs and the databases in this new folder.
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    /// In small, for CI, on a machine that others use as well: it is patient with players, and not with jobs.
    #[arg(long)]
    quick: bool,
}

/// Servers of a run.
const SERVERS: usize = 2;
/// Every pair plays again within this time after all is healed.
const RESUME_TIMEOUT: Duration = Duration::from_secs(10);
/// The same in small: seconds on a machine that others use as well prove nothing.
const RESUMED_QUICK: Duration = Duration::from_secs(30);
/// How long the players play before anything fails, and between two incidents.
const INCIDENT_INTERVAL: Duration = Duration::from_secs(1);
/// How long jobs may take after the end: jobs that NATS has lost are sent again after two minutes. The quick run does not wait
/// for those.
const JOBS_TIMEOUT: Duration = Duration::from_secs(160);
const JOBS_QUICK: Duration = Duration::from_secs(10);
/// Shortest time between two requests for reviews.
const REVIEW_INTERVAL: Duration = Duration::from_millis(1_500);
/// Most games that are read back at the end.
const MAX_READ: usize = 400;

impl Options {
    /// In small, for CI, after the release build.
    pub(crate) fn quick() -> Result<Self, Failure> {
        Ok(Self {
            seed: incident::SHORT,
            minutes: 0.5,
            games: 200,
            servers: SERVERS,
            workers: 2,
            think: 1_500,
            lease: 3,
            program: Some(crate::smoke::released("lozenge")?),
            keep: None,
            quick: true,
        })
    }
}

/// The state that all players share.
struct World {
    seed: u64,
    sites: Vec<Site>,
    think: Duration,
    history: History,
    over: watch::Sender<bool>,
    started: Instant,
    /// When each pair last had a move acknowledged, in milliseconds since the start.
    played: Vec<AtomicU64>,
    /// When a review was last requested.
    reviewed: AtomicU64,
}

impl World {
    fn now(&self) -> u64 {
        self.started.elapsed().as_millis() as u64
    }

    fn is_over(&self) -> bool {
        *self.over.borrow()
    }

    /// Returns at the end of the run.
    async fn ended(&self) {
        // The sender lives as long as this.
        drop(self.over.subscribe().wait_for(|over| *over).await);
    }

    /// Any of the servers.
    fn site(&self, rng: &mut Rng) -> Site {
        self.sites[rng.below(self.sites.len() as u64) as usize]
    }

    fn has_played(&self, pair: u16) {
        self.played[usize::from(pair)].store(self.now(), Ordering::Relaxed);
    }

    /// Whether it is time for another review.
    fn may_review(&self) -> bool {
        let (now, last) = (self.now(), self.reviewed.load(Ordering::Relaxed));
        let due = now >= last + REVIEW_INTERVAL.as_millis() as u64;
        due && self.reviewed.compare_exchange(last, now, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// The pairs that have not played since then.
    fn idle_since(&self, then: u64) -> Vec<usize> {
        let idle = |(_, played): &(usize, &AtomicU64)| played.load(Ordering::Relaxed) < then;
        self.played.iter().enumerate().filter(idle).map(|(pair, _)| pair).collect()
    }
}

/// Random numbers by a seed.
struct Rng(SplitMix64);

impl Rng {
    fn new(seed: u64) -> Self {
        Self(SplitMix64::seed_from_u64(seed))
    }

    fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Below this number, which is not 0.
    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// From 0 to 1.
    fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Plays, injects faults, and checks the record.
pub(crate) fn run(options: &Options) -> Outcome {
    if !processes::are_installed() {
        return missing("PostgreSQL or nats-server", "Debian: postgresql, nats-server");
    }
    let program = match &options.program {
        Some(program) => program.clone(),
        None => {
            run_command(&mut cargo(&["build", "--release"]))?;
            crate::smoke::released("lozenge")?
        }
    };
    let failure = |error: std::io::Error| Failure::new(format!("chaos: {error}"));
    let temporary = tempfile::tempdir().map_err(failure)?;
    let folder = match &options.keep {
        Some(folder) => {
            std::fs::create_dir(folder).map_err(failure)?;
            folder.canonicalize().map_err(failure)?
        }
        None => temporary.path().to_owned(),
    };
    // PostgreSQL may run as another user.
    std::fs::set_permissions(&folder, std::os::unix::fs::PermissionsExt::from_mode(0o755))
        .map_err(failure)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(failure)?;
    let result = runtime.block_on(async {
        let lease = Duration::from_secs(options.lease);
        let cluster = Cluster::start(&program, &folder, options.servers, options.workers, lease).await?;
        let result = play(options, &cluster, lease).await;
        if result.is_err() {
            print_logs(&cluster);
        }
        result
    });
    runtime.shutdown_background();
    result
}

async fn play(options: &Options, cluster: &Cluster, lease: Duration) -> Outcome {
    let world = Arc::new(World {
        seed: options.seed,
        sites: cluster.sites.clone(),
        think: Duration::from_millis(options.think),
        history: History::default(),
        over: watch::Sender::new(false),
        started: Instant::now(),
        played: (0..options.games).map(|_| AtomicU64::new(0)).collect(),
        reviewed: AtomicU64::new(0),
    });
    let mut players = JoinSet::new();
    for pair in 0..options.games {
        players.spawn(player::play(Arc::clone(&world), pair));
    }
    let mut faults = Vec::new();
    let resumed = if options.quick { RESUMED_QUICK } else { RESUME_TIMEOUT };
    // Making the first games takes a while.
    faults.extend(wait_for_moves(&world, 0, RESUMED_QUICK, "at the start").await.err());
    let mut incidents = Incidents::new(options.seed, lease);
    let end = Instant::now() + Duration::from_secs_f64(60.0 * options.minutes);
    let (mut count, mut slowest, mut epochs) = (0, Duration::ZERO, Epochs::default());
    while Instant::now() < end && faults.is_empty() {
        tokio::time::sleep(INCIDENT_INTERVAL).await;
        let now = incidents.next();
        let description =
            now.iter().map(|incident| incident.describe(cluster)).collect::<Vec<_>>().join(" and ");
        let begun = Instant::now();
        for incident in &now {
            incident.begin(cluster).await;
        }
        let duration = now.iter().map(|incident| incident.duration).max().unwrap_or_default();
        tokio::time::sleep(duration.saturating_sub(begun.elapsed())).await;
        incident::heal(cluster)?;
        cluster.database_answers().await?;
        let (healed, since) = (Instant::now(), world.now());
        match wait_for_moves(&world, since, resumed, &description).await {
            Ok(()) => slowest = slowest.max(healed.elapsed()),
            Err(fault) => faults.push(fault),
        }
        faults.extend(epochs.note(&cluster.postgres.query("SELECT id, epoch FROM games")?));
        count += now.len();
        let (moves, games) = world.history.moves();
        println!(
            "{:>6.1} s  {description}; all play {:.1} s after it was healed; {moves} moves in {games} games",
            world.started.elapsed().as_secs_f64(),
            healed.elapsed().as_secs_f64()
        );
    }
    world.over.send_replace(true);
    while players.join_next().await.is_some() {}
    let (moves, games) = world.history.moves();
    let (observations, immediate_faults) = world.history.finish();
    faults.extend(immediate_faults);
    faults.extend(check_record(cluster, &observations, options.quick).await?);
    for process in cluster.processes() {
        if process.ended() > 0 {
            println!("{} ended by itself {} times and was started again", process.name(), process.ended());
        }
        if process.log().contains("panicked at") {
            faults.push(format!("{} panicked", process.name()));
        }
    }
    println!(
        "seed {}: {count} incidents, {moves} acknowledged moves in {games} games, which changed servers {} times; all played at most \
         {:.1} s after each incident",
        options.seed,
        epochs.changes(),
        slowest.as_secs_f64()
    );
    none_of(&format!("seed {}: what does not hold:", options.seed), &faults)
}

/// Waits until each pair has had a move acknowledged since then.
async fn wait_for_moves(
    world: &World,
    since: u64,
    timeout: Duration,
    description: &str,
) -> Result<(), String> {
    let end = Instant::now() + timeout;
    loop {
        let idle = world.idle_since(since + 1);
        if idle.is_empty() {
            return Ok(());
        }
        if Instant::now() > end {
            let seconds = timeout.as_secs();
            return Err(format!(
                "{description}: {} pairs do not play after {seconds} s, such as {}",
                idle.len(),
                idle[0]
            ));
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Compares the record with the players' observations.
async fn check_record(
    cluster: &Cluster,
    observations: &HashMap<String, Observations>,
    quick: bool,
) -> Result<Vec<String>, Failure> {
    let mut faults = jobs(cluster, observations, quick).await?;
    let rows = cluster.postgres.query("SELECT game, seq, fact FROM facts ORDER BY game, seq")?;
    let record = invariants::read(&rows).map_err(Failure::new)?;
    faults.extend(invariants::record_faults(&record));
    faults.extend(invariants::observation_faults(observations, &record));
    let server = cluster.restart_alone().await?;
    faults.extend(replay(server, &record, observations).await?);
    let events: usize = record.values().map(Vec::len).sum();
    println!("{events} events of {} games are recorded", record.len());
    Ok(faults)
}

/// Waits until the jobs have ended, and checks that each has one result.
async fn jobs(
    cluster: &Cluster,
    observations: &HashMap<String, Observations>,
    quick: bool,
) -> Result<Vec<String>, Failure> {
    let end = Instant::now() + if quick { JOBS_QUICK } else { JOBS_TIMEOUT };
    let open = "SELECT count(*) FROM jobs WHERE state IN ('waiting', 'leased')";
    while cluster.postgres.query(open)?.trim() != "0" && Instant::now() < end {
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let rows = cluster.postgres.query(
        "SELECT id, state, count(job_id) FROM jobs LEFT JOIN results ON job_id = id GROUP BY id, state ORDER BY id",
    )?;
    let mut faults = invariants::job_faults(&rows, quick);
    let reviewed = observations.iter().filter(|(_, observations)| observations.reviewed);
    let missing = reviewed.filter(|(game, _)| !rows.contains(&format!("review-{game}\t")));
    faults.extend(
        missing.map(|(game, _)| format!("{game}: a review was promised, and there is no job for it")),
    );
    println!("{} jobs", rows.lines().count());
    Ok(faults)
}

/// Makes a server that knows only the record replay the games.
async fn replay(
    server: Site,
    record: &Record,
    observations: &HashMap<String, Observations>,
) -> Result<Vec<String>, Failure> {
    let mut faults = Vec::new();
    for (number, (game, observations)) in (0u16..).zip(observations.iter().take(MAX_READ)) {
        let path = format!("/api/games/{game}");
        let response = server.request(server.attacker(number), "GET", &path, None, None).await;
        let answer = response.map_err(|error| Failure::new(format!("{path}: {error}")))?;
        let Some(game_json) = answer.json().ok().filter(|_| answer.status == 200) else {
            faults.push(format!("{game}: a server cannot replay it ({})", answer.status));
            continue;
        };
        let entry = |entry: &serde_json::Value| {
            Some((entry["uci"].as_str()?.to_owned(), entry["fen"].as_str()?.to_owned()))
        };
        let history = game_json["history"].as_array().into_iter().flatten();
        let replayed = history.filter_map(entry).collect();
        let rows = record.get(game).map_or(&[][..], Vec::as_slice);
        faults.extend(invariants::replay_faults(game, &replayed, rows, observations));
    }
    Ok(faults)
}

/// The last lines of each log.
fn print_logs(cluster: &Cluster) {
    for process in cluster.processes() {
        let log = process.log();
        let lines: Vec<&str> = log.lines().collect();
        println!("--- {} ({} lines)", process.name(), lines.len());
        lines.iter().rev().take(12).rev().for_each(|line| println!("{line}"));
    }
}
