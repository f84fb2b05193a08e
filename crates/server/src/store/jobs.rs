//! How the engine's queue stands, for metrics. The queue itself is in `lozenge_queue`.

use super::{Store, StoreError};
use crate::time::now_ms;
use sqlx::FromRow;

/// How many jobs are in a state.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub(crate) struct JobCount {
    /// `waiting`, `leased` or `dead`.
    pub(crate) state: String,
    /// How many.
    pub(crate) count: i64,
    /// When the oldest was pushed.
    pub(crate) oldest: i64,
}

/// The states that are counted: jobs that are over are many, and nobody waits for them.
const STATES: [&str; 3] = ["waiting", "leased", "dead"];

impl Store {
    /// Sets the metrics of jobs. All servers of a database say the same.
    pub(crate) async fn measure_jobs(&self) -> Result<(), StoreError> {
        let counts = self.job_counts().await?;
        for state in STATES {
            let count = counts.iter().find(|count| count.state == state).map_or(0, |count| count.count);
            metrics::gauge!("lozenge_jobs", "state" => state).set(count as f64);
        }
        let oldest = counts.iter().filter(|count| count.state != "dead").map(|count| count.oldest).min();
        let age_ms = oldest.map_or(0, |oldest| (now_ms() - oldest).max(0));
        metrics::gauge!("lozenge_oldest_job_seconds").set(age_ms as f64 / 1000.0);
        Ok(())
    }

    async fn job_counts(&self) -> Result<Vec<JobCount>, StoreError> {
        let query = "SELECT state, COUNT(*) AS count, MIN(created_at) AS oldest FROM jobs \
             WHERE state IN ('waiting', 'leased', 'dead') GROUP BY state";
        Ok(sqlx::query_as(query).fetch_all(&self.pool).await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_queue::{Class, Job, JobQueue as _};

    #[tokio::test]
    async fn jobs_are_counted_by_state() {
        let folder = tempfile::TempDir::new().unwrap();
        let store = Store::open(&Store::sqlite_url(folder.path())).await.unwrap();
        assert_eq!(store.job_counts().await.unwrap(), []);
        let jobs = ["a", "b"].map(|id| Job::new(id, Class::User, "review", "{}".to_owned()));
        store.queue().push(&jobs).await.unwrap();
        let [counted] = &store.job_counts().await.unwrap()[..] else { panic!("expected one state") };
        assert_eq!((counted.state.as_str(), counted.count), ("waiting", 2));
        assert!(counted.oldest > 0);
        store.measure_jobs().await.unwrap();
    }
}
