//! A queue for costly work: few jobs run at once, networks take turns, and clients that have gone leave the queue. Not
//! here: the work.
//!
//! It admits requests, which have no rank, so it bounds what each network has waiting, evicts from the longest lane, and gives the
//! next turn to another kind of work. `lozenge_worker`'s queue needs none of that: classes rank its jobs, interrupted ones come
//! back to the front, and its callers bound them. The jobs of `lozenge_queue` are rows that outlive this process.

use lozenge_game::{ClientAddress, Network};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// Too much waits already, of this client or in all.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("too much waits already")]
pub(crate) struct QueueFull;

/// The limits of a queue.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Jobs that run at once.
    pub(crate) slots: usize,
    /// Waiting jobs of each kind, in all.
    pub(crate) waiting: usize,
    /// Waiting jobs of one client and kind; of its networks a few times as many. An address that stands for
    /// many clients may use all free slots.
    pub(crate) waiting_per_client: usize,
}

/// The queue. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct FairQueue {
    bounds: Bounds,
    inner: Arc<Mutex<Inner>>,
}

/// A network and a kind of work. Kinds take turns, and so do the lanes of each kind.
type Lane = (Network, u8);

#[derive(Debug, Default)]
struct Inner {
    running: usize,
    /// The lanes in the order of their turns; none is empty.
    lanes: VecDeque<(Lane, VecDeque<Waiter>)>,
    /// The kind that had the last turn.
    last_kind: Option<u8>,
}

#[derive(Debug)]
struct Waiter {
    client: Network,
    turn: oneshot::Sender<QueueTurn>,
}

/// A slot of the queue, until it is dropped.
#[derive(Debug)]
pub(crate) struct QueueTurn(Option<FairQueue>);

impl FairQueue {
    pub(crate) fn new(bounds: Bounds) -> Self {
        Self { bounds, inner: Arc::default() }
    }

    /// Waits for a turn. A future that is dropped leaves the queue.
    ///
    /// # Errors
    /// If the queue is full, for this client or in all.
    pub(crate) async fn turn(&self, client: ClientAddress, kind: u8) -> Result<QueueTurn, QueueFull> {
        let received = {
            let mut inner = self.lock();
            if inner.running < self.bounds.slots {
                inner.running += 1;
                inner.last_kind = Some(kind);
                return Ok(QueueTurn(Some(self.clone())));
            }
            inner.drop_gone();
            let lane = (client.network().widest(), kind);
            if client.network_of_one().is_some_and(|client| inner.is_full_for(client, kind, self.bounds)) {
                return Err(QueueFull);
            }
            if inner.waiting(kind) >= self.bounds.waiting && !inner.make_room(lane) {
                return Err(QueueFull);
            }
            let (turn, received) = oneshot::channel();
            inner.push(lane, Waiter { client: client.network(), turn });
            received
        };
        received.await.map_err(|_| QueueFull)
    }

    /// Gives a slot to the next, or back.
    fn pass_on(&self) {
        let mut turn = QueueTurn(Some(self.clone()));
        loop {
            let next = {
                let mut inner = self.lock();
                match inner.next() {
                    Some(next) => next,
                    None => {
                        inner.running -= 1;
                        turn.0 = None;
                        return;
                    }
                }
            };
            match next.turn.send(turn) {
                Ok(()) => return,
                // Gone since: the slot comes back.
                Err(back) => turn = back,
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for QueueTurn {
    fn drop(&mut self) {
        if let Some(queue) = self.0.take() {
            queue.pass_on();
        }
    }
}

impl Inner {
    fn push(&mut self, lane: Lane, waiter: Waiter) {
        match self.lanes.iter_mut().find(|(known, _)| *known == lane) {
            Some((_, waiters)) => waiters.push_back(waiter),
            None => self.lanes.push_back((lane, VecDeque::from([waiter]))),
        }
    }

    /// The next of the lane whose turn it is, which then goes to the end. It is the first lane of another kind than the
    /// last one, so that registrations from a thousand networks do not delay users who sign in.
    fn next(&mut self) -> Option<Waiter> {
        let other = self.lanes.iter().position(|(lane, _)| Some(lane.1) != self.last_kind);
        let (lane, mut waiters) = self.lanes.remove(other.unwrap_or(0))?;
        self.last_kind = Some(lane.1);
        let next = waiters.pop_front();
        if !waiters.is_empty() {
            self.lanes.push_back((lane, waiters));
        }
        next
    }

    fn drop_gone(&mut self) {
        for (_, waiters) in &mut self.lanes {
            waiters.retain(|waiter| !waiter.turn.is_closed());
        }
        self.lanes.retain(|(_, waiters)| !waiters.is_empty());
    }

    /// How many wait for this kind of work.
    fn waiting(&self, kind: u8) -> usize {
        self.lanes.iter().filter(|(lane, _)| lane.1 == kind).map(|(_, waiters)| waiters.len()).sum()
    }

    fn is_full_for(&self, client: Network, kind: u8, bounds: Bounds) -> bool {
        let mut counts: HashMap<Network, usize> = HashMap::new();
        let lanes = self.lanes.iter().filter(|(lane, _)| lane.1 == kind);
        for waiter in lanes.flat_map(|(_, waiters)| waiters) {
            for (network, _) in waiter.client.steps() {
                *counts.entry(network).or_default() += 1;
            }
        }
        client.steps().any(|(network, factor)| {
            counts.get(&network).is_some_and(|count| *count >= bounds.waiting_per_client * factor as usize)
        })
    }

    /// Refuses the last of the longest lane of the newcomer's kind, if that is not the newcomer's own.
    fn make_room(&mut self, newcomer: Lane) -> bool {
        let of_kind = self.lanes.iter_mut().filter(|(lane, _)| lane.1 == newcomer.1);
        let Some((lane, waiters)) = of_kind.max_by_key(|(_, waiters)| waiters.len()) else {
            return false;
        };
        if *lane == newcomer || waiters.len() < 2 {
            return false;
        }
        waiters.pop_back();
        true
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop where it is")]

    use super::*;
    use std::net::IpAddr;

    const BOUNDS: Bounds = Bounds { slots: 1, waiting: 6, waiting_per_client: 3 };

    fn client(text: &str) -> ClientAddress {
        ClientAddress { address: text.parse::<IpAddr>().unwrap(), shared: false }
    }

    /// A waiter, and its number once it is its turn.
    async fn enqueue(
        queue: &FairQueue,
        who: &str,
        number: u32,
        done: &Arc<Mutex<Vec<u32>>>,
    ) -> tokio::task::JoinHandle<bool> {
        let (queue, who, done) = (queue.clone(), client(who), Arc::clone(done));
        let task = tokio::spawn(async move {
            let turn = queue.turn(who, 0).await;
            if turn.is_ok() {
                done.lock().unwrap().push(number);
            }
            turn.is_ok()
        });
        tokio::task::yield_now().await;
        task
    }

    #[tokio::test]
    async fn networks_take_turns_within_their_limits() {
        let (queue, done) = (FairQueue::new(BOUNDS), Arc::default());
        let first = queue.turn(client("192.0.2.1"), 0).await.unwrap();
        let mut tasks = Vec::new();
        for number in 1..=4 {
            tasks.push(enqueue(&queue, "192.0.2.1", number, &done).await);
        }
        for (number, who) in [(5, "198.51.100.1"), (6, "203.0.113.1")] {
            tasks.push(enqueue(&queue, who, number, &done).await);
        }
        drop(first);
        let mut served = Vec::new();
        for task in tasks {
            served.push(task.await.unwrap());
        }
        assert_eq!(served, [true, true, true, false, true, true]);
        assert_eq!(*done.lock().unwrap(), [1, 5, 6, 2, 3]);
        let inner = queue.lock();
        assert_eq!((inner.running, inner.waiting(0)), (0, 0));
    }

    #[tokio::test]
    async fn registrations_do_not_use_up_the_places_of_sign_ins() {
        let (queue, done) = (FairQueue::new(BOUNDS), Arc::default());
        let here = client("192.0.2.1");
        let first = queue.turn(here, 1).await.unwrap();
        let tasks = futures_util::future::join_all((1..=3).map(|n| enqueue(&queue, "192.0.2.1", n, &done)));
        let tasks = tasks.await;
        let other = tokio::spawn({
            let queue = queue.clone();
            async move { queue.turn(here, 1).await.is_ok() }
        });
        tokio::task::yield_now().await;
        assert!(matches!(queue.turn(here, 0).await, Err(QueueFull)));
        drop(first);
        assert!(other.await.unwrap());
        for task in tasks {
            assert!(task.await.unwrap());
        }
    }

    #[tokio::test]
    async fn registrations_from_many_networks_do_not_delay_sign_ins() {
        let queue = FairQueue::new(BOUNDS);
        let first = queue.turn(client("192.0.2.1"), 1).await.unwrap();
        let mut registrations = Vec::new();
        for third in 1..=20 {
            let (queue, who) = (queue.clone(), client(&format!("198.51.{third}.1")));
            registrations.push(tokio::spawn(async move { queue.turn(who, 1).await.is_ok() }));
            tokio::task::yield_now().await;
        }
        let done = Arc::default();
        let sign_in = enqueue(&queue, "203.0.113.1", 1, &done).await;
        assert_eq!(queue.lock().waiting(1), BOUNDS.waiting);
        // The next turn is the one of who signs in.
        let next = queue.lock().next().unwrap();
        assert_eq!(next.client, client("203.0.113.1").network());
        drop(next.turn.send(first));
        assert!(sign_in.await.unwrap());
        let mut registered = 0;
        for registration in registrations {
            registered += usize::from(registration.await.unwrap());
        }
        assert_eq!(registered, BOUNDS.waiting);
        assert_eq!(queue.lock().running, 0);
    }

    #[tokio::test]
    async fn disconnected_clients_leave_the_queue() {
        let (queue, done) = (FairQueue::new(BOUNDS), Arc::default());
        let first = queue.turn(client("192.0.2.1"), 0).await.unwrap();
        for number in 1..=3 {
            let gone = enqueue(&queue, "192.0.2.1", number, &done).await;
            gone.abort();
            assert!(gone.await.is_err());
        }
        let stays = enqueue(&queue, "192.0.2.1", 4, &done).await;
        assert_eq!(queue.lock().waiting(0), 1);
        drop(first);
        assert!(stays.await.unwrap());
        assert_eq!(*done.lock().unwrap(), [4]);
        assert_eq!(queue.lock().running, 0);
    }

    #[tokio::test]
    async fn a_full_queue_has_room_for_another_network() {
        let (queue, done) = (FairQueue::new(BOUNDS), Arc::default());
        let first = queue.turn(client("2001:db8::1"), 0).await.unwrap();
        let mut tasks = Vec::new();
        for number in 0..6 {
            tasks.push(enqueue(&queue, &format!("2001:db8:0:{number}00::1"), number, &done).await);
        }
        let honest = enqueue(&queue, "203.0.113.1", 7, &done).await;
        drop(first);
        assert!(honest.await.unwrap());
        let mut served = 0;
        for task in tasks {
            served += usize::from(task.await.unwrap());
        }
        assert_eq!(served, 5);
    }
}
