//! A queue that serves askers in turn, group by group. Not here: threads, and the admission of requests (the server's
//! `fair_queue` says how they differ).

use std::collections::{HashMap, VecDeque};

/// Jobs by asker. An asker is a path of groups, the widest first, such as network and account: groups of one level take
/// turns, and so do the groups inside each of them.
#[derive(Debug)]
pub(crate) struct Queue<T> {
    root: Group<T>,
}

#[derive(Debug)]
struct Group<T> {
    jobs: VecDeque<T>,
    groups: HashMap<String, Group<T>>,
    /// The groups that have jobs, in the order in which they are served.
    turns: VecDeque<String>,
    /// Jobs of this group and of those inside it.
    len: usize,
}

impl<T> Default for Group<T> {
    fn default() -> Self {
        Self { jobs: VecDeque::new(), groups: HashMap::new(), turns: VecDeque::new(), len: 0 }
    }
}

impl<T> Group<T> {
    fn push(&mut self, path: &[String], job: T, in_front: bool) {
        self.len += 1;
        let Some((first, rest)) = path.split_first() else {
            return if in_front { self.jobs.push_front(job) } else { self.jobs.push_back(job) };
        };
        if in_front {
            self.turns.retain(|name| name != first);
            self.turns.push_front(first.clone());
        } else if !self.groups.contains_key(first) {
            self.turns.push_back(first.clone());
        }
        self.groups.entry(first.clone()).or_default().push(rest, job, in_front);
    }

    fn pop(&mut self) -> Option<T> {
        if let Some(job) = self.jobs.pop_front() {
            self.len -= 1;
            return Some(job);
        }
        let name = self.turns.pop_front()?;
        let group = self.groups.get_mut(&name)?;
        let job = group.pop();
        if group.len == 0 {
            self.groups.remove(&name);
        } else {
            self.turns.push_back(name);
        }
        self.len -= 1;
        job
    }

    fn get(&self, path: &[String]) -> Option<&Self> {
        path.iter().try_fold(self, |group, name| group.groups.get(name))
    }

    /// Removes jobs of one asker. How many.
    fn remove(&mut self, path: &[String], matches: &impl Fn(&T) -> bool) -> usize {
        let removed = match path.split_first() {
            None => {
                let before = self.jobs.len();
                self.jobs.retain(|job| !matches(job));
                before - self.jobs.len()
            }
            Some((first, rest)) => {
                let Some(group) = self.groups.get_mut(first) else { return 0 };
                let removed = group.remove(rest, matches);
                if group.len == 0 {
                    self.groups.remove(first);
                    self.turns.retain(|name| name != first);
                }
                removed
            }
        };
        self.len -= removed;
        removed
    }
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Self { root: Group::default() }
    }
}

impl<T> Queue<T> {
    /// Puts a job behind the asker's others.
    pub(crate) fn push(&mut self, asker: &[String], job: T) {
        self.root.push(asker, job, false);
    }

    /// Puts a job that was interrupted back before all others.
    pub(crate) fn push_front(&mut self, asker: &[String], job: T) {
        self.root.push(asker, job, true);
    }

    /// The first job of the asker whose turn it is, who then has to wait for all others.
    pub(crate) fn pop(&mut self) -> Option<T> {
        self.root.pop()
    }

    /// Removes jobs of one asker.
    pub(crate) fn remove(&mut self, asker: &[String], matches: impl Fn(&T) -> bool) {
        self.root.remove(asker, &matches);
    }

    /// Jobs of one asker.
    pub(crate) fn waiting(&self, asker: &[String]) -> usize {
        self.root.get(asker).map_or(0, |group| group.len)
    }

    /// Jobs of all askers.
    pub(crate) fn len(&self) -> usize {
        self.root.len
    }
}

#[cfg(test)]
mod tests {
    use super::Queue;

    fn path(text: &str) -> Vec<String> {
        text.split('/').map(str::to_owned).collect()
    }

    fn queue(jobs: &[(&str, u32)]) -> Queue<u32> {
        let mut queue = Queue::default();
        for (asker, job) in jobs {
            queue.push(&path(asker), *job);
        }
        queue
    }

    #[test]
    fn askers_take_turns() {
        let mut queue = queue(&[("a", 1), ("a", 2), ("a", 3), ("b", 4), ("c", 5), ("b", 6)]);
        assert_eq!((queue.len(), queue.waiting(&path("a")), queue.waiting(&path("d"))), (6, 3, 0));
        let served: Vec<u32> = core::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(served, [1, 4, 5, 2, 6, 3]);
        assert_eq!(queue.len(), 0);
    }

    #[test]
    fn many_accounts_of_one_network_wait_for_each_other_and_not_another_network() {
        let mut jobs: Vec<(String, u32)> =
            (0..1_000).map(|number| (format!("flood/{number}"), number)).collect();
        jobs.push(("honest/ann".into(), 7_000));
        let jobs: Vec<_> = jobs.iter().map(|(asker, job)| (asker.as_str(), *job)).collect();
        let mut queue = queue(&jobs);
        assert_eq!([queue.pop(), queue.pop(), queue.pop()], [Some(0), Some(7_000), Some(1)]);
    }

    #[test]
    fn removed_jobs_are_not_served() {
        let mut queue = queue(&[("n/a", 1), ("n/a", 2), ("n/b", 3), ("m/c", 4)]);
        queue.remove(&path("n/a"), |job| *job == 1);
        queue.remove(&path("m/c"), |_| true);
        queue.remove(&path("x/y"), |_| true);
        assert_eq!((queue.len(), queue.waiting(&path("n")), queue.waiting(&path("m/c"))), (2, 2, 0));
        let served: Vec<u32> = core::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(served, [2, 3]);
    }

    #[test]
    fn interrupted_job_comes_first_and_uses_its_askers_turn() {
        let mut queue = queue(&[("n/a", 1), ("m/b", 2), ("n/c", 3)]);
        queue.push_front(&path("n/c"), 4);
        let served: Vec<u32> = core::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(served, [4, 2, 1, 3]);
    }
}
