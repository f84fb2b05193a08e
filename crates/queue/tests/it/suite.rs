//! The requirements on every back end.

use crate::backends::{LEASE, TestQueue};
use async_trait::async_trait;
use lozenge_queue::{
    Activity, Class, Drain, Job, JobQueue, JobState, Lease, LeaseStatus, QueueError, Work, WorkError, Worker,
    serve,
};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::time::{sleep, timeout};

const SOON: Duration = Duration::from_secs(5);

pub(crate) fn worker(name: &str) -> Worker {
    Worker::new(name, &["work"], "1").unwrap()
}

pub(crate) fn job(id: &str) -> Job {
    Job::new(id, Class::Batch, "work", format!("do {id}"))
}

/// The next lease of a worker, waited for.
async fn leased(test: &TestQueue, name: &str) -> Lease {
    let end = Instant::now() + SOON;
    while Instant::now() < end {
        if let Some(lease) = test.queue.lease(&worker(name)).await.unwrap() {
            return lease;
        }
        sleep(Duration::from_millis(20)).await;
    }
    panic!("no job within {SOON:?}");
}

/// Asserts that a worker gets no job, even after jobs have had the time to arrive.
async fn assert_no_job(test: &TestQueue, name: &str) {
    test.settle().await;
    assert_eq!(test.queue.lease(&worker(name)).await.unwrap(), None);
}

async fn state(test: &TestQueue, id: &str) -> JobState {
    test.queue.report(id).await.unwrap().unwrap().state
}

/// Waits until a job has a state.
pub(crate) async fn until(queue: &dyn JobQueue, id: &str, expected: JobState) {
    let end = Instant::now() + 4 * SOON;
    loop {
        let report = queue.report(id).await;
        if matches!(&report, Ok(Some(report)) if report.state == expected) {
            return;
        }
        assert!(Instant::now() < end, "{id}: {report:?}");
        sleep(Duration::from_millis(20)).await;
    }
}

pub(crate) async fn a_job_has_one_result(test: &TestQueue) {
    let queue = &test.queue;
    assert_eq!(queue.push(&[job("a")]).await.unwrap(), 1);
    assert_eq!(queue.report("b").await.unwrap(), None);
    let lease = leased(test, "ann").await;
    assert_eq!((lease.id.as_str(), lease.spec.as_str(), lease.attempt), ("a", "do a", 1));
    assert_eq!(queue.progress(&lease, "half").await.unwrap(), LeaseStatus::Held);
    let report = queue.report("a").await.unwrap().unwrap();
    assert_eq!(
        (report.state, report.progress.as_str(), report.worker.as_str()),
        (JobState::Leased, "half", "ann")
    );
    assert_eq!(queue.acknowledge(&lease, "made").await.unwrap(), LeaseStatus::Held);
    // The answer to the first may have been lost.
    assert_eq!(queue.acknowledge(&lease, "made again").await.unwrap(), LeaseStatus::Held);
    let report = queue.report("a").await.unwrap().unwrap();
    assert_eq!((report.state, report.result.as_deref()), (JobState::Done, Some("made")));
    assert_no_job(test, "bob").await;
}

pub(crate) async fn a_job_that_is_pushed_twice_is_done_once(test: &TestQueue) {
    let queue = &test.queue;
    assert_eq!(queue.push(&[job("a"), job("a"), job("b")]).await.unwrap(), 2);
    assert_eq!(queue.push(&[job("a")]).await.unwrap(), 0);
    for _ in 0..2 {
        let lease = leased(test, "ann").await;
        assert_eq!(queue.push(&[job(&lease.id)]).await.unwrap(), 0);
        queue.acknowledge(&lease, "made").await.unwrap();
        assert_eq!(queue.push(&[job(&lease.id)]).await.unwrap(), 0);
    }
    assert_no_job(test, "ann").await;
}

pub(crate) async fn job_of_a_dead_worker_is_redelivered(test: &TestQueue) {
    test.queue.push(&[job("a")]).await.unwrap();
    let first = leased(test, "ann").await;
    let begun = Instant::now();
    let second = leased(test, "bob").await;
    let after = begun.elapsed();
    assert!(after >= LEASE - Duration::from_millis(100), "{after:?}");
    assert!(after <= LEASE + Duration::from_secs(1), "{after:?}");
    assert_eq!((second.id.as_str(), second.attempt), ("a", 2));
    assert!(second.token > first.token);
}

pub(crate) async fn a_worker_that_reports_progress_keeps_its_job(test: &TestQueue) {
    test.queue.push(&[job("a")]).await.unwrap();
    let lease = leased(test, "ann").await;
    let end = Instant::now() + 3 * LEASE;
    while Instant::now() < end {
        assert_eq!(test.queue.progress(&lease, "").await.unwrap(), LeaseStatus::Held);
        assert_eq!(test.queue.lease(&worker("bob")).await.unwrap(), None);
        sleep(LEASE / 8).await;
    }
    assert_eq!(test.queue.acknowledge(&lease, "made").await.unwrap(), LeaseStatus::Held);
}

pub(crate) async fn a_stale_worker_changes_nothing(test: &TestQueue) {
    let queue = &test.queue;
    queue.push(&[job("a")]).await.unwrap();
    let stale = leased(test, "ann").await;
    let current = leased(test, "bob").await;
    assert_eq!(queue.progress(&stale, "").await.unwrap(), LeaseStatus::Lost);
    assert_eq!(queue.give_back(&stale).await.unwrap(), LeaseStatus::Lost);
    assert_eq!(queue.reject(&stale, "no").await.unwrap(), LeaseStatus::Lost);
    assert_eq!(queue.acknowledge(&stale, "stale").await.unwrap(), LeaseStatus::Lost);
    assert_eq!(queue.progress(&current, "").await.unwrap(), LeaseStatus::Held);
    assert_eq!(queue.acknowledge(&current, "made").await.unwrap(), LeaseStatus::Held);
    assert_eq!(queue.acknowledge(&stale, "stale").await.unwrap(), LeaseStatus::Lost);
    assert_eq!(queue.report("a").await.unwrap().unwrap().result.as_deref(), Some("made"));
}

pub(crate) async fn a_job_that_is_given_back_goes_to_another_worker_at_once(test: &TestQueue) {
    test.queue.push(&[job("a")]).await.unwrap();
    let lease = leased(test, "ann").await;
    let begun = Instant::now();
    assert_eq!(test.queue.give_back(&lease).await.unwrap(), LeaseStatus::Held);
    assert_eq!(leased(test, "bob").await.attempt, 1);
    assert!(begun.elapsed() < LEASE, "{:?}", begun.elapsed());
}

pub(crate) async fn job_that_fails_five_times_becomes_dead(test: &TestQueue) {
    let queue = &test.queue;
    queue.push(&[job("a"), job("b")]).await.unwrap();
    let (mut tries, mut others) = (0, 0);
    while tries < 5 {
        let lease = leased(test, "ann").await;
        if lease.id == "b" {
            others += 1;
            queue.acknowledge(&lease, "made").await.unwrap();
            continue;
        }
        tries += 1;
        assert_eq!(lease.attempt, tries);
        assert_eq!(queue.reject(&lease, &format!("try {tries}")).await.unwrap(), LeaseStatus::Held);
    }
    assert_eq!((state(test, "a").await, others), (JobState::Dead, 1));
    let dead = queue.dead().await.unwrap();
    assert_eq!((dead.len(), dead[0].id.as_str(), dead[0].reason.as_str()), (1, "a", "try 5"));
    assert_no_job(test, "ann").await;
    // It can be tried again on request.
    assert_eq!(queue.push(&[job("a")]).await.unwrap(), 1);
    assert_eq!(leased(test, "ann").await.attempt, 1);
}

pub(crate) async fn job_that_kills_five_workers_becomes_dead(test: &TestQueue) {
    test.queue.push(&[job("a")]).await.unwrap();
    for attempt in 1..=5 {
        assert_eq!(leased(test, &format!("worker-{attempt}")).await.attempt, attempt);
    }
    until(&*test.queue, "a", JobState::Dead).await;
    let dead = test.queue.dead().await.unwrap();
    assert_eq!((dead[0].worker.as_str(), dead[0].reason.is_empty()), ("worker-5", false));
}

pub(crate) async fn urgent_classes_come_first(test: &TestQueue) {
    for (id, class) in [("c", Class::Batch), ("b", Class::User), ("a", Class::Live), ("d", Class::Batch)] {
        test.queue.push(&[Job { class, ..job(id) }]).await.unwrap();
    }
    test.settle().await;
    for expected in ["a", "b", "c", "d"] {
        let lease = leased(test, "ann").await;
        test.queue.acknowledge(&lease, "made").await.unwrap();
        assert_eq!(lease.id, expected);
    }
}

pub(crate) async fn askers_take_turns(test: &TestQueue) {
    let of = |asker: &str, id: &str| Job { asker: asker.into(), ..job(id) };
    let many: Vec<Job> = (1..=5).map(|number| of("ann", &format!("a{number}"))).collect();
    let few = [of("bob", "b1"), of("bob", "b2"), of("cy", "c1")];
    test.queue.push(&[many, few.to_vec()].concat()).await.unwrap();
    test.settle().await;
    let mut order = Vec::new();
    for _ in 0..8 {
        let lease = leased(test, "worker").await;
        test.queue.acknowledge(&lease, "made").await.unwrap();
        order.push(lease.id);
    }
    assert_eq!(order, ["a1", "b1", "c1", "a2", "b2", "a3", "a4", "a5"]);
}

pub(crate) async fn job_after_its_deadline_is_not_run(test: &TestQueue) {
    let queue = &test.queue;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as i64;
    let with_deadline = |id: &str, ms: i64| Job { deadline: Some(now + ms), ..job(id) };
    queue.push(&[with_deadline("a", 2_000), with_deadline("gone", -1)]).await.unwrap();
    let lease = leased(test, "ann").await;
    assert_eq!(lease.id, "a");
    until(&**queue, "gone", JobState::Late).await;
    while queue.progress(&lease, "").await.unwrap() == LeaseStatus::Held {
        sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(queue.acknowledge(&lease, "too late").await.unwrap(), LeaseStatus::Lost);
    until(&**queue, "a", JobState::Late).await;
    assert_eq!(queue.report("a").await.unwrap().unwrap().result, None);
    assert_no_job(test, "ann").await;
}

pub(crate) async fn a_waiting_job_can_be_cancelled(test: &TestQueue) {
    let queue = &test.queue;
    queue.push(&[job("a")]).await.unwrap();
    assert!(queue.cancel("a").await.unwrap());
    assert!(!queue.cancel("a").await.unwrap());
    assert!(!queue.cancel("b").await.unwrap());
    assert_no_job(test, "ann").await;
    assert_eq!(queue.push(&[job("a")]).await.unwrap(), 1);
    assert_eq!(leased(test, "ann").await.attempt, 1);
}

pub(crate) async fn a_running_job_can_be_cancelled(test: &TestQueue) {
    let queue = &test.queue;
    queue.push(&[job("a")]).await.unwrap();
    let lease = leased(test, "ann").await;
    assert!(queue.cancel("a").await.unwrap());
    assert_eq!(queue.progress(&lease, "").await.unwrap(), LeaseStatus::Cancelled);
    assert_eq!(queue.acknowledge(&lease, "made").await.unwrap(), LeaseStatus::Cancelled);
    assert_eq!(state(test, "a").await, JobState::Cancelled);
    // The old lease is not one of the job that starts over.
    queue.push(&[job("a")]).await.unwrap();
    assert_eq!(queue.acknowledge(&lease, "made").await.unwrap(), LeaseStatus::Lost);
}

pub(crate) async fn reproducible_job_requires_the_same_engine_signature(test: &TestQueue) {
    let other = Worker { signature: "2".into(), ..worker("ann") };
    test.queue.push(&[Job { signature: Some("1".into()), ..job("a") }, job("b")]).await.unwrap();
    test.settle().await;
    assert_eq!(test.queue.lease(&other).await.unwrap().unwrap().id, "b");
    assert_eq!(test.queue.lease(&other).await.unwrap(), None);
    assert_eq!(leased(test, "bob").await.id, "a");
}

pub(crate) async fn excluded_worker_does_not_get_the_job(test: &TestQueue) {
    test.queue.push(&[Job { excluded: vec!["ann".into(), "cy".into()], ..job("a") }]).await.unwrap();
    assert_no_job(test, "ann").await;
    assert_no_job(test, "cy").await;
    assert_eq!(leased(test, "an").await.id, "a");
}

pub(crate) async fn worker_skips_jobs_it_is_excluded_from(test: &TestQueue) {
    let excluding = |id: &str, name: &str| Job { excluded: vec![name.into()], ..job(id) };
    test.queue.push(&[excluding("a", "ann"), excluding("b", "ann"), excluding("c", "bob")]).await.unwrap();
    test.settle().await;
    // At its first look: if it went away after the first job that is not for it, two workers could keep each other from the last
    // jobs of a queue.
    assert_eq!(test.queue.lease(&worker("ann")).await.unwrap().unwrap().id, "c");
    let mut ids = [leased(test, "bob").await.id, leased(test, "bob").await.id];
    ids.sort();
    assert_eq!(ids, ["a", "b"]);
}

pub(crate) async fn a_barred_worker_gets_no_job(test: &TestQueue) {
    test.queue.push(&[job("a"), job("b")]).await.unwrap();
    let lease = leased(test, "ann").await;
    test.rows.bar("ann", "wrong results").await.unwrap();
    assert_eq!(test.queue.acknowledge(&lease, "wrong").await.unwrap(), LeaseStatus::Lost);
    test.settle().await;
    let refused = test.queue.lease(&worker("ann")).await;
    assert!(
        matches!(&refused, Err(QueueError::Barred(reason)) if reason.contains("wrong results")),
        "{refused:?}"
    );
    let mut ids = [leased(test, "bob").await.id, leased(test, "bob").await.id];
    ids.sort();
    assert_eq!(ids, ["a", "b"]);
}

pub(crate) async fn a_finished_job_can_be_redone(test: &TestQueue) {
    test.queue.push(&[job("a")]).await.unwrap();
    let lease = leased(test, "ann").await;
    assert!(!test.rows.redo("a").await.unwrap());
    test.queue.acknowledge(&lease, "wrong").await.unwrap();
    assert!(test.rows.redo("a").await.unwrap());
    let lease = leased(test, "bob").await;
    test.queue.acknowledge(&lease, "right").await.unwrap();
    assert_eq!(test.queue.report("a").await.unwrap().unwrap().result.as_deref(), Some("right"));
}

pub(crate) async fn invalid_jobs_are_refused(test: &TestQueue) {
    let queue = &test.queue;
    for id in ["", "a.b", "a b", "a*", &"a".repeat(100)] {
        assert!(matches!(queue.push(&[job(id)]).await, Err(QueueError::Name(_))), "{id}");
    }
    let large = "\"".repeat(lozenge_queue::MAX_BYTES + 1);
    let refused = queue.push(&[Job { spec: large.clone(), ..job("a") }]).await;
    assert!(matches!(refused, Err(QueueError::TooLarge(_))));
    let most = &large[1..];
    queue.push(&[Job { spec: most.into(), ..job("a") }]).await.unwrap();
    let lease = leased(test, "ann").await;
    assert_eq!(lease.spec, most);
    assert!(matches!(queue.acknowledge(&lease, &large).await, Err(QueueError::TooLarge(_))));
    assert_eq!(queue.acknowledge(&lease, most).await.unwrap(), LeaseStatus::Held);
}

/// Work that takes a while, and counts how often each job was begun.
#[derive(Default)]
pub(crate) struct Counting {
    pub(crate) time: Duration,
    pub(crate) begun: Mutex<HashMap<String, usize>>,
    pub(crate) stopped: AtomicUsize,
}

impl Counting {
    pub(crate) fn new(time: Duration) -> Arc<Self> {
        Arc::new(Self { time, ..Self::default() })
    }

    pub(crate) fn jobs(&self) -> usize {
        self.begun.lock().unwrap().len()
    }
}

#[async_trait]
impl Work for Counting {
    async fn run(&self, lease: &Lease, activity: &Activity) -> Result<String, WorkError> {
        *self.begun.lock().unwrap().entry(lease.id.clone()).or_default() += 1;
        activity.report("at work".into());
        if timeout(self.time, activity.stopped()).await.is_ok() {
            self.stopped.fetch_add(1, Ordering::SeqCst);
            return Err(WorkError::Stopped);
        }
        Ok(format!("made {}", lease.id))
    }
}

pub(crate) async fn a_worker_drains(test: &TestQueue) {
    test.queue.push(&[job("a"), job("b")]).await.unwrap();
    let (work, drain) = (Counting::new(2 * LEASE), Drain::default());
    let running = tokio::spawn(serve(Arc::clone(&test.queue), worker("ann"), 1, work.clone(), drain.clone()));
    while work.jobs() == 0 {
        sleep(Duration::from_millis(10)).await;
    }
    drain.begin();
    timeout(2 * SOON, running).await.unwrap().unwrap().unwrap();
    assert_eq!((state(test, "a").await, state(test, "b").await), (JobState::Done, JobState::Waiting));
}

pub(crate) async fn stopping_worker_returns_its_job(test: &TestQueue) {
    test.queue.push(&[job("a")]).await.unwrap();
    let (work, drain) = (Counting::new(Duration::from_secs(60)), Drain::default());
    let running = tokio::spawn(serve(Arc::clone(&test.queue), worker("ann"), 2, work.clone(), drain.clone()));
    while work.jobs() == 0 {
        sleep(Duration::from_millis(10)).await;
    }
    drain.stop();
    timeout(SOON, running).await.unwrap().unwrap().unwrap();
    assert_eq!(leased(test, "bob").await.attempt, 1);
}

pub(crate) async fn cancelling_a_job_stops_its_worker(test: &TestQueue) {
    test.queue.push(&[job("a")]).await.unwrap();
    let (work, drain) = (Counting::new(Duration::from_secs(60)), Drain::default());
    let running = tokio::spawn(serve(Arc::clone(&test.queue), worker("ann"), 1, work.clone(), drain.clone()));
    until(&*test.queue, "a", JobState::Leased).await;
    assert!(test.queue.cancel("a").await.unwrap());
    let end = Instant::now() + SOON;
    while work.stopped.load(Ordering::SeqCst) == 0 {
        assert!(Instant::now() < end);
        sleep(Duration::from_millis(10)).await;
    }
    drain.begin();
    timeout(SOON, running).await.unwrap().unwrap().unwrap();
}

pub(crate) async fn workers_that_are_killed_lose_no_job(test: &TestQueue) {
    let ids: Vec<String> = (0..40).map(|number| format!("job-{number}")).collect();
    let jobs: Vec<Job> = ids.iter().map(|id| job(id)).collect();
    test.queue.push(&jobs).await.unwrap();
    let (work, drain) = (Counting::new(Duration::from_millis(60)), Drain::default());
    let start = |number: usize| {
        let name = worker(&format!("worker-{number}"));
        tokio::spawn(serve(Arc::clone(&test.queue), name, 2, work.clone(), drain.clone()))
    };
    let mut running = vec![start(0), start(1)];
    for number in 2..5 {
        sleep(Duration::from_millis(150)).await;
        // As killed: nothing is given back.
        running.remove(0).abort();
        running.push(start(number));
    }
    for id in &ids {
        until(&*test.queue, id, JobState::Done).await;
        let report = test.queue.report(id).await.unwrap().unwrap();
        assert_eq!(report.result, Some(format!("made {id}")));
    }
    drain.begin();
    for worker in running {
        timeout(SOON, worker).await.unwrap().unwrap().unwrap();
    }
}
