//! Prices of requests, and the budgets that pay them: of each network, and of each session, token or account. They refill
//! with time. Not here: counts whose number itself does harm (`limits`), queues (`fair_queue`).

use crate::keyed_limiter::{KeyedLimiter, TooFast};
use lozenge_game::{ClientAddress, Network};
use std::fmt::Debug;
use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

/// Something that a client can ask for and that costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    /// A script, a style or a picture of the pages.
    Asset,
    /// A request that reads.
    Read,
    /// A page.
    Page,
    /// A request that writes.
    Write,
    /// One edit of a chapter.
    StudyEdit,
    /// A position in a study, which all its members receive.
    StudyPlace,
    /// The moves of a chapter, of which the text may have to be made.
    Chapter,
    /// A new study or chapter, a copy, or an import.
    StudyChange,
    /// Games or a study as a file.
    Export,
    /// Everything about a user.
    OwnData,
    /// PGN of one game, read or written.
    Pgn,
    /// A picture of a piece that a user has drawn, or of a position.
    Picture,
    /// A variant file.
    VariantCheck,
    /// A version of a game, published.
    Publication,
    /// The lessons of a game, made from its rules.
    Lessons,
    /// A move of a learner in a level, and the answer to it.
    LessonMove,
    /// A position looked up in an endgame table.
    Table,
    /// A position drawn for a drill.
    Drill,
    /// A search of a position.
    Search,
    /// The review of one half move.
    ReviewedPly,
    /// A second of a measurement's games.
    MeasuredSecond,
}

/// The cost of an operation.
#[derive(Clone, Copy, Debug)]
struct Cost {
    /// Time on the threads that serve all clients, in microseconds.
    serving_us: u32,
    /// Time on the threads for costly work and the engine's, in milliseconds.
    background_ms: u32,
    /// Memory in which it is made, and the rows that it keeps, in KiB.
    memory_kib: u32,
}

const fn cost(serving_us: u32, background_ms: u32, memory_kib: u32) -> Cost {
    Cost { serving_us, background_ms, memory_kib }
}

impl Cost {
    fn times(self, times: u32) -> Self {
        let all = |amount: u32| amount.saturating_mul(times);
        cost(all(self.serving_us), all(self.background_ms), all(self.memory_kib))
    }
}

impl Operation {
    /// The table of costs on one processor with the largest input that is usual: at least what `cargo xtask costs` measures,
    /// and for what grows with its input, what the largest takes.
    const fn cost(self) -> Cost {
        match self {
            Self::Asset => cost(800, 0, 16),
            Self::Read => cost(3_000, 0, 64),
            Self::Page => cost(12_000, 0, 256),
            Self::Write => cost(3_000, 0, 64),
            Self::StudyEdit => cost(1_000, 0, 16),
            Self::StudyPlace => cost(500, 0, 4),
            Self::Chapter => cost(4_000, 100, 2_048),
            Self::StudyChange => cost(25_000, 4_000, 4_096),
            Self::Export => cost(40_000, 24_000, 1_024),
            Self::OwnData => cost(30_000, 2_000, 4_096),
            Self::Pgn => cost(8_000, 500, 4_096),
            Self::Picture => cost(4_000, 50, 512),
            Self::VariantCheck => cost(30_000, 1_000, 4_096),
            Self::Publication => cost(10_000, 8_000, 4_096),
            Self::Lessons => cost(10_000, 1_500, 4_096),
            Self::LessonMove => cost(1_000, 200, 1_024),
            Self::Table => cost(2_000, 20, 512),
            Self::Drill => cost(2_000, 50, 512),
            Self::Search => cost(1_000, 250, 64),
            Self::ReviewedPly => cost(0, 200, 2),
            Self::MeasuredSecond => cost(0, 1_000, 0),
        }
    }
}

/// A budget: what may be spent at once, and what comes back in a second.
#[derive(Clone, Copy)]
struct Allowance {
    serving_us: (u32, u32),
    background_ms: (u32, u32),
    memory_kib: (u32, u32),
}

/// Of one session, token or account.
const ACCOUNT: Allowance = Allowance {
    serving_us: (1_500_000, 100_000),
    background_ms: (240_000, 500),
    memory_kib: (512 << 10, 16 << 10),
};
/// Of one network with any cookies and tokens, which clients can invent: many people may share it.
const NETWORK: Allowance = Allowance {
    serving_us: (9_000_000, 500_000),
    background_ms: (2_400_000, 1_000),
    memory_kib: (1 << 20, 32 << 10),
};

/// The budgets of one kind of client.
#[derive(Debug)]
struct Purses<K: Clone + Eq + Hash + Debug> {
    serving: KeyedLimiter<K>,
    background: KeyedLimiter<K>,
    memory: KeyedLimiter<K>,
}

impl<K: Clone + Eq + Hash + Debug> Purses<K> {
    fn new(allowance: Allowance, factor: u32) -> Self {
        let limiter = |(burst, per_second): (u32, u32)| {
            KeyedLimiter::new(burst, Duration::from_secs(1) / per_second.max(1), factor)
        };
        Self {
            serving: limiter(allowance.serving_us),
            background: limiter(allowance.background_ms),
            memory: limiter(allowance.memory_kib),
        }
    }

    fn spend(&self, key: &K, cost: Cost) -> Result<(), TooFast> {
        self.serving.spend(key, cost.serving_us)?;
        self.background.spend(key, cost.background_ms)?;
        self.memory.spend(key, cost.memory_kib)
    }

    fn drop_idle(&self) {
        [&self.serving, &self.background, &self.memory].iter().for_each(|resource| resource.drop_idle());
    }
}

/// The budgets. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Budgets(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// By the factor of the network's step: 1, 2 and 4.
    networks: [(u32, Purses<Network>); 3],
    accounts: Purses<String>,
}

impl Default for Budgets {
    fn default() -> Self {
        let networks = [1, 2, 4].map(|factor| (factor, Purses::new(NETWORK, factor)));
        Self(Arc::new(Inner { networks, accounts: Purses::new(ACCOUNT, 1) }))
    }
}

impl Budgets {
    /// Charges an operation to a network alone.
    pub(crate) fn charge_network(&self, operation: Operation, client: ClientAddress) -> Result<(), TooFast> {
        self.charge_network_times(operation, 1, client)
    }

    /// The same for an operation that is done several times.
    pub(crate) fn charge_network_times(
        &self,
        operation: Operation,
        times: u32,
        client: ClientAddress,
    ) -> Result<(), TooFast> {
        self.charge_networks(operation.cost().times(times), client)
    }

    /// Charges an operation to a session, token or account, and to its network. If the account cannot pay, its network is not
    /// charged either. Without an account the network pays as if it were one, too.
    pub(crate) fn charge(
        &self,
        operation: Operation,
        account: Option<&str>,
        client: ClientAddress,
    ) -> Result<(), TooFast> {
        self.charge_times(operation, 1, account, client)
    }

    /// The same for an operation that is done several times.
    pub(crate) fn charge_times(
        &self,
        operation: Operation,
        times: u32,
        account: Option<&str>,
        client: ClientAddress,
    ) -> Result<(), TooFast> {
        let cost = operation.cost().times(times);
        let account = account.map_or_else(|| client.network().to_string(), str::to_owned);
        self.0.accounts.spend(&account, cost)?;
        self.charge_networks(cost, client)
    }

    /// Charges a request that writes to its network, and then to the sessions and tokens that it names. Clients can invent
    /// these, so no memory is used for them before the network has paid.
    pub(crate) fn charge_write(
        &self,
        credentials: impl Iterator<Item = String>,
        client: ClientAddress,
    ) -> Result<(), TooFast> {
        let cost = Operation::Write.cost();
        self.charge_networks(cost, client)?;
        let mut credentials = credentials.peekable();
        if credentials.peek().is_none() {
            return self.0.accounts.spend(&client.network().to_string(), cost);
        }
        credentials.try_for_each(|payer| self.0.accounts.spend(&payer, cost))
    }

    fn charge_networks(&self, cost: Cost, client: ClientAddress) -> Result<(), TooFast> {
        let Some(network) = client.network_of_one() else { return Ok(()) };
        // The narrowest first: what it cannot pay is not paid by the wider ones.
        for (network, factor) in network.steps() {
            if let Some((_, purses)) = self.0.networks.iter().find(|(step, _)| *step == factor) {
                purses.spend(&network, cost)?;
            }
        }
        Ok(())
    }

    /// Removes full budgets.
    pub(crate) fn drop_idle(&self) {
        self.0.networks.iter().for_each(|(_, purses)| purses.drop_idle());
        self.0.accounts.drop_idle();
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop where it is")]

    use super::*;
    use std::net::IpAddr;

    fn at(address: &str) -> ClientAddress {
        ClientAddress { address: address.parse::<IpAddr>().unwrap(), shared: false }
    }

    /// How often an operation is paid before the first refusal.
    fn paid(mut pay: impl FnMut() -> Result<(), TooFast>) -> u32 {
        (0..100_000).take_while(|_| pay().is_ok()).count() as u32
    }

    #[test]
    fn dear_operations_use_a_budget_up_sooner_than_cheap_ones() {
        let times = |operation| {
            let budgets = Budgets::default();
            paid(|| budgets.charge(operation, Some("ann"), at("192.0.2.7")))
        };
        assert!((10..12).contains(&times(Operation::Export)));
        assert!((60..70).contains(&times(Operation::StudyChange)));
        assert!(times(Operation::Pgn) > 100);
        assert!(times(Operation::Write) >= 500 && times(Operation::Write) < 2_000);
    }

    #[test]
    fn long_reviews_cost_more_than_short_ones() {
        let budgets = Budgets::default();
        let review =
            |plies| budgets.charge_times(Operation::ReviewedPly, plies, Some("ann"), at("192.0.2.7"));
        assert_eq!(paid(|| review(600)), 2);
        let other = Budgets::default();
        let review = |plies| other.charge_times(Operation::ReviewedPly, plies, Some("ann"), at("192.0.2.7"));
        assert_eq!(paid(|| review(80)), 15);
    }

    #[test]
    fn accounts_of_one_network_share_its_budget() {
        let budgets = Budgets::default();
        let mut number = 0;
        let reviews = paid(|| {
            number += 1;
            let client = at(&format!("2001:db8:0:{:x}::1", (number * 256) & 0xffff));
            budgets.charge_times(Operation::ReviewedPly, 600, Some(&format!("account {number}")), client)
        });
        assert!((80..85).contains(&reviews), "{reviews} long reviews of one /48");
        let honest = budgets.charge_times(Operation::ReviewedPly, 600, Some("honest"), at("203.0.113.5"));
        honest.expect("another network");
    }

    #[test]
    fn forged_sessions_do_not_evade_the_budget_of_their_network() {
        let budgets = Budgets::default();
        let client = at("192.0.2.7");
        let write = |number: u32, client| {
            budgets.charge(Operation::Write, Some(&format!("session {number}")), client)
        };
        assert!((0..4_000).filter(|number| write(*number, client).is_err()).count() > 100);
        for number in 0..4_000 {
            write(number, ClientAddress { shared: true, ..client }).expect("another client");
        }
    }

    #[test]
    fn cost_above_the_whole_budget_takes_all_of_it() {
        let budgets = Budgets::default();
        let measure = || budgets.charge_network_times(Operation::MeasuredSecond, 10_000, at("192.0.2.7"));
        assert_eq!(paid(measure), 1);
    }
}
