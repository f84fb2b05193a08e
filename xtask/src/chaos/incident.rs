//! Incidents: processes are killed, paused and stopped, links are cut. The seed determines which, when and for how long.

use super::Rng;
use super::link::Cut;
use super::site::Cluster;
use std::time::Duration;

/// The kinds of incidents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    KillServer,
    /// Longer than its lease.
    PauseServer,
    /// As for an upgrade.
    StopServer,
    KillWorker,
    PauseWorker,
    KillNats,
    PauseNats,
    /// Killed, and its streams deleted.
    WipeNats,
    KillPostgres,
    PausePostgres,
    /// One of its sessions; all others end, too.
    KillSession,
    HoldLink,
    RefuseLink,
    ResetLinks,
}

const KINDS: [Kind; 14] = [
    Kind::KillServer,
    Kind::PauseServer,
    Kind::StopServer,
    Kind::KillWorker,
    Kind::PauseWorker,
    Kind::KillNats,
    Kind::PauseNats,
    Kind::WipeNats,
    Kind::KillPostgres,
    Kind::PausePostgres,
    Kind::KillSession,
    Kind::HoldLink,
    Kind::RefuseLink,
    Kind::ResetLinks,
];

/// The seed of the short run: the most important incidents come first, and a worker is killed so early that its job's lease ends
/// in time.
pub(super) const SHORT: u64 = 2317;

/// How long a server may take to end after the signal.
const STOP_TIMEOUT: Duration = Duration::from_secs(20);

/// The incidents of a run, in the order that its seed gives them: each kind once, then each again.
pub(super) struct Incidents {
    rng: Rng,
    kinds: Vec<Kind>,
    lease: Duration,
}

/// A part of the site that fails: its kind, and its number among these.
#[derive(Clone, Copy, Debug)]
pub(super) struct Incident {
    kind: Kind,
    number: usize,
    /// How long it lasts.
    pub(super) duration: Duration,
}

impl Incidents {
    pub(super) fn new(seed: u64, lease: Duration) -> Self {
        Self { rng: Rng::new(seed), kinds: Vec::new(), lease }
    }

    /// The next incidents, which overlap: one or two.
    pub(super) fn next(&mut self) -> Vec<Incident> {
        (0..=self.rng.below(2)).map(|_| self.one()).collect()
    }

    fn one(&mut self) -> Incident {
        if self.kinds.is_empty() {
            self.kinds = KINDS.to_vec();
        }
        let kind = self.kinds.swap_remove(self.rng.below(self.kinds.len() as u64) as usize);
        let duration = match kind {
            // Long enough that another takes over, so that another owns its games when it goes on.
            Kind::PauseServer => self.lease.mul_f64(1.5 + self.rng.share()),
            _ => Duration::from_millis(500 + self.rng.below(4_000)),
        };
        Incident { kind, number: self.rng.below(64) as usize, duration }
    }
}

fn nth<T>(all: &[T], number: usize) -> Option<&T> {
    all.get(number % all.len().max(1))
}

impl Incident {
    /// The description of the incident, for the report.
    pub(super) fn describe(&self, cluster: &Cluster) -> String {
        let server = nth(&cluster.servers, self.number).map_or("no server".into(), |server| server.name());
        let worker = nth(&cluster.workers, self.number).map_or("no worker".into(), |worker| worker.name());
        let link = nth(&cluster.links, self.number).map_or("none", |link| link.name.as_str());
        let description = match self.kind {
            Kind::KillServer => format!("{server} killed"),
            Kind::PauseServer => format!("{server} paused"),
            Kind::StopServer => format!("{server} stopped"),
            Kind::KillWorker => format!("{worker} killed"),
            Kind::PauseWorker => format!("{worker} paused"),
            Kind::KillNats => "NATS killed".into(),
            Kind::PauseNats => "NATS paused".into(),
            Kind::WipeNats => "NATS killed and wiped".into(),
            Kind::KillPostgres => "PostgreSQL killed".into(),
            Kind::PausePostgres => "PostgreSQL paused".into(),
            Kind::KillSession => "a session of PostgreSQL killed".into(),
            Kind::HoldLink => format!("link held: {link}"),
            Kind::RefuseLink => format!("link refused: {link}"),
            Kind::ResetLinks => "all links reset".into(),
        };
        format!("{description} ({:.1} s)", self.duration.as_secs_f64())
    }

    /// Begins it.
    pub(super) async fn begin(&self, cluster: &Cluster) {
        let server = nth(&cluster.servers, self.number);
        let worker = nth(&cluster.workers, self.number);
        let link = nth(&cluster.links, self.number);
        match self.kind {
            Kind::KillServer => server.into_iter().for_each(|server| server.kill()),
            Kind::PauseServer => server.into_iter().for_each(|server| server.pause()),
            Kind::StopServer => {
                if let Some(server) = server {
                    server.terminate(STOP_TIMEOUT).await;
                }
            }
            Kind::KillWorker => worker.into_iter().for_each(|worker| worker.kill()),
            Kind::PauseWorker => worker.into_iter().for_each(|worker| worker.pause()),
            Kind::KillNats => cluster.nats.kill(),
            Kind::PauseNats => cluster.nats.pause(),
            Kind::WipeNats => {
                cluster.nats.kill();
                // There may have been no stream yet.
                let _ = std::fs::remove_dir_all(&cluster.streams);
            }
            Kind::KillPostgres => cluster.postgres.process.kill(),
            Kind::PausePostgres => cluster.postgres.process.pause(),
            Kind::KillSession => cluster.postgres.process.kill_child(self.number),
            Kind::HoldLink => link.into_iter().for_each(|link| link.cut(Cut::Hold)),
            Kind::RefuseLink => link.into_iter().for_each(|link| link.cut(Cut::Refuse)),
            Kind::ResetLinks => cluster.links.iter().for_each(|link| link.cut(Cut::Reset)),
        }
    }
}

/// Heals everything: all processes run, all links pass.
pub(super) fn heal(cluster: &Cluster) -> Result<(), crate::process::Failure> {
    cluster.links.iter().for_each(|link| link.heal());
    for process in cluster.processes() {
        process.go_on();
        if !process.should_run() {
            process.start()?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_has_the_same_incidents_and_each_kind_comes_in_turn() {
        let all = |seed: u64| -> Vec<String> {
            let mut incidents = Incidents::new(seed, Duration::from_secs(3));
            (0..40).flat_map(|_| incidents.next()).map(|incident| format!("{incident:?}")).collect()
        };
        assert_eq!(all(1), all(1));
        assert_ne!(all(1), all(2));
        let mut incidents = Incidents::new(SHORT, Duration::from_secs(3));
        let begun: Vec<Kind> = (0..5).flat_map(|_| incidents.next()).map(|incident| incident.kind).collect();
        assert_eq!(begun[0], Kind::KillWorker);
        for kind in [
            Kind::KillServer,
            Kind::PauseServer,
            Kind::KillNats,
            Kind::KillPostgres,
            Kind::PausePostgres,
            Kind::HoldLink,
        ] {
            assert!(begun.contains(&kind), "{kind:?}");
        }
        let mut incidents = Incidents::new(7, Duration::from_secs(3));
        let mut first: Vec<Kind> = (0..KINDS.len()).map(|_| incidents.one().kind).collect();
        first.sort_by_key(|kind| KINDS.iter().position(|known| known == kind));
        assert_eq!(first, KINDS);
    }
}
