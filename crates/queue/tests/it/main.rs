//! The queue on every back end, in one program so that it is linked once.
#![allow(clippy::unwrap_used, reason = "a failing test may panic")]

mod backends;
mod faults;
#[cfg(feature = "nats")]
mod live;
mod suite;

/// A test for each back end and each case of the suite.
macro_rules! conformance {
    ($backend:ident: $($case:ident),* $(,)?) => {
        mod $backend {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $case() {
                    if let Some(test) = crate::backends::$backend().await {
                        crate::suite::$case(&test).await;
                    }
                }
            )*
        }
    };
}

macro_rules! every_backend {
    ($($cases:tt)*) => {
        conformance!(sqlite: $($cases)*);
        conformance!(postgres: $($cases)*);
        #[cfg(feature = "nats")]
        conformance!(nats: $($cases)*);
        #[cfg(feature = "nats")]
        conformance!(nats_postgres: $($cases)*);
    };
}

every_backend!(
    a_job_has_one_result,
    a_job_that_is_pushed_twice_is_done_once,
    job_of_a_dead_worker_is_redelivered,
    a_worker_that_reports_progress_keeps_its_job,
    a_stale_worker_changes_nothing,
    a_job_that_is_given_back_goes_to_another_worker_at_once,
    job_that_fails_five_times_becomes_dead,
    job_that_kills_five_workers_becomes_dead,
    urgent_classes_come_first,
    askers_take_turns,
    job_after_its_deadline_is_not_run,
    a_waiting_job_can_be_cancelled,
    a_running_job_can_be_cancelled,
    reproducible_job_requires_the_same_engine_signature,
    excluded_worker_does_not_get_the_job,
    worker_skips_jobs_it_is_excluded_from,
    a_barred_worker_gets_no_job,
    a_finished_job_can_be_redone,
    invalid_jobs_are_refused,
    a_worker_drains,
    stopping_worker_returns_its_job,
    cancelling_a_job_stops_its_worker,
    workers_that_are_killed_lose_no_job,
);
