//! Passwords: argon2id on blocking threads, few at once, clients in turn.

use crate::fair_queue::{Bounds, FairQueue, QueueFull, QueueTurn};
use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use lozenge_game::ClientAddress;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Passwords that may wait, in all and of one client: at a few dozen a second the wait is hardly over a second.
const MAX_WAITING: usize = 48;
const WAITING_PER_CLIENT: usize = 8;

/// How long memory that is not used is held.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// Why a password is not hashed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PasswordError {
    /// Too many wait already, of this client or in all.
    #[error(transparent)]
    Full(#[from] QueueFull),
    /// The stored hash is damaged, or hashing failed.
    #[error("hashing a password: {0}")]
    Broken(String),
}

/// The purpose of hashing a password. Each has a queue of its own, so that one does not delay the other.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Purpose {
    SignIn,
    Register,
}

/// Hashes passwords. Clones share the turns and the memory.
#[derive(Clone, Debug)]
pub(crate) struct Passwords {
    queue: FairQueue,
    /// Memory that is not in use, and when it was last: 19 MiB for each turn. Allocated for each password it would
    /// stay with the allocator of each thread that has ever hashed one.
    memory: Arc<Mutex<(Vec<Vec<Block>>, Instant)>>,
}

impl Default for Passwords {
    /// Half of the processors hash, so that games go on meanwhile.
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(2, usize::from);
        let slots = (processors / 2).clamp(1, 4);
        let bounds = Bounds { slots, waiting: MAX_WAITING, waiting_per_client: WAITING_PER_CLIENT };
        let memory = Arc::new(Mutex::new((Vec::new(), Instant::now())));
        Self { queue: FairQueue::new(bounds), memory }
    }
}

fn broken(error: impl core::fmt::Display) -> PasswordError {
    PasswordError::Broken(error.to_string())
}

impl Passwords {
    /// The password as it is stored. A future that is dropped leaves the queue.
    pub(crate) async fn hash(
        &self,
        client: ClientAddress,
        purpose: Purpose,
        password: String,
    ) -> Result<String, PasswordError> {
        let turn = self.queue.turn(client, purpose as u8).await?;
        self.on_thread(turn, move |memory| hash(&password, memory)).await
    }

    /// Whether it is the password. Without a stored one it takes as long and is not.
    pub(crate) async fn verify(
        &self,
        client: ClientAddress,
        purpose: Purpose,
        password: String,
        stored: Option<String>,
    ) -> Result<bool, PasswordError> {
        let turn = self.queue.turn(client, purpose as u8).await?;
        self.on_thread(turn, move |memory| match stored {
            Some(stored) => verify(&password, &stored, memory),
            None => hash(&password, memory).map(|_| false),
        })
        .await
    }

    /// Does the work of a turn on another thread. The turn is held until it is done, even if the client has gone.
    async fn on_thread<T: Send + 'static>(
        &self,
        turn: QueueTurn,
        work: impl FnOnce(&mut Vec<Block>) -> Result<T, PasswordError> + Send + 'static,
    ) -> Result<T, PasswordError> {
        let memory = Arc::clone(&self.memory);
        tokio::task::spawn_blocking(move || {
            let mut blocks =
                memory.lock().unwrap_or_else(PoisonError::into_inner).0.pop().unwrap_or_default();
            let done = work(&mut blocks);
            let mut memory = memory.lock().unwrap_or_else(PoisonError::into_inner);
            memory.0.push(blocks);
            memory.1 = Instant::now();
            drop(memory);
            drop(turn);
            done
        })
        .await
        .map_err(broken)?
    }

    /// Gives back memory that has not been used for a while.
    pub(crate) fn release_idle_memory(&self) {
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        if memory.1.elapsed() > IDLE_TIMEOUT {
            memory.0 = Vec::new();
        }
    }
}

/// The bytes that argon2 makes of a password.
fn digest(
    argon2: &Argon2<'_>,
    password: &str,
    salt: &Salt,
    memory: &mut Vec<Block>,
) -> Result<Output, PasswordError> {
    let params = argon2.params();
    // Hashes of another program could ask for more; ours all need the same.
    if memory.len() < params.block_count() {
        memory.resize(params.block_count(), Block::new());
    }
    let mut bytes = [0; Output::MAX_LENGTH];
    let bytes =
        &mut bytes[..params.output_len().unwrap_or(Params::DEFAULT_OUTPUT_LEN).min(Output::MAX_LENGTH)];
    argon2
        .hash_password_into_with_memory(password.as_bytes(), salt.as_ref(), bytes, memory)
        .map_err(broken)?;
    Output::new(bytes).map_err(broken)
}

fn hash(password: &str, memory: &mut Vec<Block>) -> Result<String, PasswordError> {
    let argon2 = Argon2::default();
    let salt = Salt::generate();
    let hash = digest(&argon2, password, &salt, memory)?;
    let stored = PasswordHash {
        algorithm: Algorithm::default().ident(),
        version: Some(Version::default().into()),
        params: ParamsString::try_from(argon2.params()).map_err(broken)?,
        salt: Some(salt),
        hash: Some(hash),
    };
    Ok(stored.to_string())
}

fn verify(password: &str, stored: &str, memory: &mut Vec<Block>) -> Result<bool, PasswordError> {
    let stored = PasswordHash::new(stored).map_err(broken)?;
    let (Some(salt), Some(expected)) = (&stored.salt, &stored.hash) else {
        return Err(broken("expected a salt and a hash"));
    };
    let algorithm = Algorithm::try_from(stored.algorithm.as_str()).map_err(broken)?;
    let version = stored.version.map(Version::try_from).transpose().map_err(broken)?.unwrap_or_default();
    let argon2 = Argon2::new(algorithm, version, Params::try_from(&stored).map_err(broken)?);
    // In constant time, as `Output` compares.
    Ok(digest(&argon2, password, salt, memory)? == *expected)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop where it is")]

    use super::*;
    use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
    use std::net::IpAddr;

    fn client(last: u8) -> ClientAddress {
        ClientAddress { address: IpAddr::from([192, 0, last, 1]), shared: false }
    }

    #[test]
    fn hashes_match_the_library_and_reuse_memory() {
        let mut memory = Vec::new();
        let ours = hash("a long password", &mut memory).unwrap();
        let used = memory.as_ptr();
        assert!(Argon2::default().verify_password(b"a long password", ours.as_str()).is_ok());
        let theirs = Argon2::default().hash_password(b"a long password").unwrap().to_string();
        assert!(verify("a long password", &theirs, &mut memory).unwrap());
        assert!(!verify("another password", &theirs, &mut memory).unwrap());
        assert_eq!((memory.as_ptr(), memory.len()), (used, Argon2::default().params().block_count()));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn flooding_client_is_refused_while_another_is_served() {
        let passwords = Passwords::default();
        let register = |last: u8| {
            let passwords = passwords.clone();
            async move { passwords.hash(client(last), Purpose::Register, "a long password".into()).await }
        };
        let flood: Vec<_> = (0..40).map(|_| tokio::spawn(register(1))).collect();
        tokio::task::yield_now().await;
        register(2).await.unwrap();
        let (mut served, mut refused) = (0, 0);
        for one in flood {
            match one.await.unwrap() {
                Ok(_) => served += 1,
                Err(PasswordError::Full(_)) => refused += 1,
                Err(error) => panic!("{error}"),
            }
        }
        assert!(served >= WAITING_PER_CLIENT && refused > 0, "{served} served, {refused} refused");
        let memory = passwords.memory.lock().unwrap().0.len();
        assert!((1..=4).contains(&memory), "{memory} pieces of memory");
    }
}
