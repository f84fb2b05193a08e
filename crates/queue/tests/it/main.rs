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
    the_job_of_a_dead_worker_is_delivered_again,
    a_worker_that_reports_progress_keeps_its_job,
    a_stale_worker_changes_nothing,
    a_job_that_is_given_back_goes_to_another_worker_at_once,
    a_job_that_fails_five_times_is_set_aside,
    a_job_that_kills_five_workers_is_set_aside,
    urgent_classes_come_first,
    askers_take_turns,
    a_late_job_is_not_done,
    a_waiting_job_can_be_cancelled,
    a_running_job_can_be_cancelled,
    another_engine_gets_no_job_that_must_be_reproducible,
    an_excluded_worker_gets_the_job_not,
    a_worker_passes_by_what_it_may_not_do,
    a_barred_worker_gets_no_job,
    a_finished_job_can_be_redone,
    invalid_jobs_are_refused,
    a_worker_drains,
    a_worker_that_stops_gives_its_job_back,
    a_running_worker_hears_that_its_job_is_cancelled,
    workers_that_are_killed_lose_no_job,
);
