//! The queue of jobs as the host sees it. Not here: what is done with the jobs (`jobs`).

use super::{Store, StoreError, install_drivers};
use lozenge_queue::{Class, DeadJob, JobQueue as _, JobState, QueueError, QueueSettings, Rows};
use sqlx::any::AnyPoolOptions;

impl Store {
    /// How many jobs are in each state of each class in a database, and those that were set aside last, also while a server works
    /// on it.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn list_jobs(url: &str) -> Result<(Vec<(JobState, Class, i64)>, Vec<DeadJob>), StoreError> {
        let kind = super::kind(url)?;
        install_drivers();
        let pool = AnyPoolOptions::new().max_connections(1).connect(url).await?;
        let rows =
            Rows::new(pool.clone(), kind == super::DatabaseKind::Postgres, None, QueueSettings::default());
        let found = async { Ok::<_, QueueError>((rows.counts().await?, rows.dead().await?)) };
        let found = found.await;
        pool.close().await;
        Ok(found?)
    }
}

impl From<QueueError> for StoreError {
    fn from(error: QueueError) -> Self {
        match error {
            QueueError::Database(error) => Self::Database(error),
            error => Self::Content { expected: "a job", found: error.to_string() },
        }
    }
}
