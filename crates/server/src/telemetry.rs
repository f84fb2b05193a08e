//! The numbers of this process for Prometheus: the recorder, the meaning of each number, and the counters from zero. A counter that
//! begins with its first event has not increased then, and an alert on it is silent.

use metrics::{Unit, counter, describe_counter, describe_gauge, describe_histogram};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use std::sync::OnceLock;

/// The counters without labels.
const COUNTERS: [(&str, &str); 9] = [
    ("lozenge_games_made", "Games created."),
    ("lozenge_journal_failures", "Writes of moves that the database did not take."),
    ("lozenge_mails_sent", "Mails that the mail server took."),
    ("lozenge_mails_failed", "Mails that could not be sent."),
    ("lozenge_chat_reports", "Reports of chat messages, each for a moderator to read."),
    ("lozenge_cluster_dropped", "Messages to other servers that were not sent."),
    ("lozenge_cluster_games_taken", "Games taken over from servers that died or stopped."),
    ("lozenge_cluster_gap_fills", "Games read again because messages of their owner were missing."),
    ("lozenge_cluster_fenced_writes", "Writes refused because another server owns the game."),
];

/// The counters with a label `outcome`, and its values.
const OUTCOMES: [(&str, &str, &[&str]); 2] = [
    ("lozenge_push_messages", "Messages to push services.", &["sent", "ended", "failed", "dropped"]),
    ("lozenge_remote_searches_total", "Searches by workers on other machines.", &["done", "failed"]),
];

const GAUGES: [(&str, &str); 8] = [
    ("lozenge_games_in_memory", "Games in memory."),
    ("lozenge_sockets", "Open sockets of games."),
    ("lozenge_study_sockets", "Open sockets of studies."),
    ("lozenge_jobs", "Jobs in the queue by state."),
    ("lozenge_oldest_job_seconds", "Age of the oldest waiting job."),
    ("lozenge_clock_offset_seconds", "How far the clock of the system is from that of this process."),
    ("lozenge_cluster_games_owned", "Games that this server owns."),
    ("lozenge_cluster_unowned_clocked_games", "Games with a running clock that no living server owns."),
];

const HISTOGRAMS: [(&str, Unit, &str); 3] = [
    ("lozenge_journal_batch", Unit::Count, "Moves written in one transaction."),
    ("lozenge_journal_seconds", Unit::Seconds, "Time of a transaction that writes moves."),
    ("lozenge_cluster_renewal_seconds", Unit::Seconds, "Time to renew the lease of this server."),
];

/// The recorder of this process: there is one, however many sites are opened in it (tests open many).
pub(crate) fn recorder() -> PrometheusHandle {
    static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();
    RECORDER
        .get_or_init(|| {
            let recorder = PrometheusBuilder::new().build_recorder();
            let handle = recorder.handle();
            if metrics::set_global_recorder(recorder).is_err() {
                tracing::warn!("another recorder of metrics is there already");
            }
            register();
            handle
        })
        .clone()
}

fn register() {
    for (name, help) in COUNTERS {
        describe_counter!(name, help);
        counter!(name).absolute(0);
    }
    for (name, help, outcomes) in OUTCOMES {
        describe_counter!(name, help);
        for outcome in outcomes {
            counter!(name, "outcome" => *outcome).absolute(0);
        }
    }
    GAUGES.iter().for_each(|(name, help)| describe_gauge!(*name, *help));
    HISTOGRAMS.into_iter().for_each(|(name, unit, help)| describe_histogram!(name, unit, help));
}
