//! One server at a time works on a database, whichever it is.

use crate::common::TestServer;
use lozenge_server::{Config, Site};
use lozenge_store::StoreError;
use sqlx::{AnyConnection, Connection as _};
use std::time::Duration;
use tokio::time::timeout;

#[tokio::test]
async fn a_second_server_is_refused_until_the_first_has_ended() {
    let server = TestServer::new().await;
    let database = crate::common::database(server.folder()).await;
    let refused = Site::open(Config::new(database)).await.unwrap_err();
    assert!(matches!(refused, StoreError::InUse(_) | StoreError::Taken), "{refused}");
    let server = server.restart().await;
    server.site.close().await;
}

/// Only where a connection holds the database. A server takes the lock again by itself unless another has it.
#[tokio::test]
async fn server_notices_the_loss_of_its_database_lock() {
    let server = TestServer::new().await;
    let database = crate::common::database(server.folder()).await;
    if !database.starts_with("postgres") {
        assert!(timeout(Duration::from_millis(100), server.site.taken()).await.is_err());
        return;
    }
    let mut other = AnyConnection::connect(&database).await.unwrap();
    let cut = "SELECT CAST(COUNT(pg_terminate_backend(pid)) AS BIGINT) FROM pg_locks WHERE locktype = 'advisory' \
               AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    let (holders,): (i64,) = sqlx::query_as(cut).fetch_one(&mut other).await.unwrap();
    assert_eq!(holders, 1);
    let second = Site::open(Config::new(database)).await.unwrap();
    timeout(Duration::from_secs(120), server.site.taken()).await.unwrap();
    server.site.close().await;
    assert!(timeout(Duration::from_millis(100), second.taken()).await.is_err());
    second.close().await;
}
