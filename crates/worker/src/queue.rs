//! A queue that serves askers in turn. Not here: threads.

use std::collections::{HashMap, VecDeque};

/// Jobs by asker, and the askers in the order in which they are served.
#[derive(Debug)]
pub(crate) struct Queue<T> {
    jobs: HashMap<String, VecDeque<T>>,
    turns: VecDeque<String>,
    len: usize,
    closed: bool,
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Self { jobs: HashMap::new(), turns: VecDeque::new(), len: 0, closed: false }
    }
}

impl<T> Queue<T> {
    /// Puts a job behind the asker's others; gives it back once the queue is closed.
    pub(crate) fn push(&mut self, asker: String, job: T) -> Result<(), T> {
        if self.closed {
            return Err(job);
        }
        self.len += 1;
        let jobs = self.jobs.entry(asker.clone()).or_default();
        if jobs.is_empty() {
            self.turns.push_back(asker);
        }
        jobs.push_back(job);
        Ok(())
    }

    /// The first job of the asker whose turn it is, who then has to wait for all others.
    pub(crate) fn pop(&mut self) -> Option<T> {
        let asker = self.turns.pop_front()?;
        let jobs = self.jobs.get_mut(&asker)?;
        let job = jobs.pop_front()?;
        self.len -= 1;
        if jobs.is_empty() {
            self.jobs.remove(&asker);
        } else {
            self.turns.push_back(asker);
        }
        Some(job)
    }

    /// Jobs of one asker.
    pub(crate) fn waiting(&self, asker: &str) -> usize {
        self.jobs.get(asker).map_or(0, VecDeque::len)
    }

    /// Jobs of all askers.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Takes no more jobs and drops those that wait.
    pub(crate) fn close(&mut self) {
        *self = Self { closed: true, ..Self::default() };
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }
}

#[cfg(test)]
mod tests {
    use super::Queue;

    #[test]
    fn askers_take_turns() {
        let mut queue = Queue::default();
        for (asker, job) in [("a", 1), ("a", 2), ("a", 3), ("b", 4), ("c", 5), ("b", 6)] {
            queue.push(asker.into(), job).expect("open");
        }
        assert_eq!((queue.len(), queue.waiting("a"), queue.waiting("d")), (6, 3, 0));
        let served: Vec<i32> = core::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(served, [1, 4, 5, 2, 6, 3]);
        assert_eq!(queue.len(), 0);
    }

    #[test]
    fn a_closed_queue_takes_and_gives_nothing() {
        let mut queue = Queue::default();
        queue.push("a".into(), 1).expect("open");
        queue.close();
        assert_eq!((queue.pop(), queue.push("a".into(), 2)), (None, Err(2)));
    }
}
