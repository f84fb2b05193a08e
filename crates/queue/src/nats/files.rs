//! Files that do not fit into a message, by their digest: parts of them are messages of a stream on the disk of NATS. A digest is
//! checked when a file is fetched. Nothing is lost with the stream: the sender can put a file there again.

use super::client::{Client, NatsError};
use async_nats::jetstream::stream::{self, DiscardPolicy, StorageType, Stream};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::time::Duration;

/// Bytes of a part. A message of NATS holds 1 MiB by default.
const PART: usize = 512 << 10;
/// How long a file stays.
const MAX_AGE: Duration = Duration::from_secs(48 * 3_600);
/// Most bytes of all files, and of one.
const MAX_BYTES: i64 = 4 << 30;
const MAX_FILE: usize = 512 << 20;
/// The name of the stream.
const STREAM: &str = "LZ_FILES";

/// The first message of a file.
#[derive(Serialize, Deserialize)]
struct FileHead {
    bytes: usize,
}

/// The digest of a file, by which it is put and fetched: SHA-256 as hexadecimal digits.
#[must_use]
pub fn file_digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn fault(error: impl std::fmt::Display) -> NatsError {
    NatsError::Stream(error.to_string())
}

impl Client {
    async fn files(&self) -> Result<Stream, NatsError> {
        let config = stream::Config {
            name: STREAM.into(),
            subjects: vec!["lz.file.>".into()],
            storage: StorageType::File,
            max_messages_per_subject: 1,
            discard: DiscardPolicy::Old,
            max_age: MAX_AGE,
            max_bytes: MAX_BYTES,
            ..stream::Config::default()
        };
        self.jetstream().get_or_create_stream(config).await.map_err(fault)
    }

    /// Puts a file where others can fetch it, and returns its digest.
    ///
    /// # Errors
    /// If NATS does not take it.
    pub async fn put_file(&self, bytes: &[u8]) -> Result<String, NatsError> {
        self.files().await?;
        let digest = file_digest(bytes);
        for (number, part) in bytes.chunks(PART).enumerate() {
            self.publish_job(format!("lz.file.{digest}.{number}"), part.to_vec()).await?;
        }
        // Last, so that a file with a head is complete.
        let head = serde_json::to_vec(&FileHead { bytes: bytes.len() }).map_err(fault)?;
        self.publish_job(format!("lz.file.{digest}.head"), head).await?;
        Ok(digest)
    }

    /// The file with a digest.
    ///
    /// # Errors
    /// If it is not there or damaged.
    pub async fn fetch_file(&self, digest: &str) -> Result<Vec<u8>, NatsError> {
        if digest.len() != 64 || !digest.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(fault("expected the digest of a file"));
        }
        let files = self.files().await?;
        let head = files.get_last_raw_message_by_subject(&format!("lz.file.{digest}.head")).await;
        let head: FileHead = serde_json::from_slice(&head.map_err(fault)?.payload).map_err(fault)?;
        if head.bytes > MAX_FILE {
            return Err(fault(format!("expected a file of at most {MAX_FILE} bytes, found {}", head.bytes)));
        }
        let mut bytes = Vec::with_capacity(head.bytes);
        for number in 0..head.bytes.div_ceil(PART) {
            let part = files.get_last_raw_message_by_subject(&format!("lz.file.{digest}.{number}")).await;
            bytes.extend_from_slice(&part.map_err(fault)?.payload);
        }
        if file_digest(&bytes) != digest {
            return Err(fault(format!("expected the file {digest}, found a damaged one")));
        }
        Ok(bytes)
    }
}
