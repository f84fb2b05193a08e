//! Passwords: argon2id, on threads where they hold nobody up.

use crate::error::AppError;
use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use tokio::sync::Semaphore;

fn broken(error: impl core::fmt::Display) -> AppError {
    AppError::Internal(format!("hashing a password: {error}"))
}

/// Passwords that are hashed at once, of all sites in this process: each takes 19 MiB and a processor meanwhile. Others
/// wait their turn.
static TURNS: Semaphore = Semaphore::const_new(2);

/// Runs on another thread when it is its turn.
async fn in_turn<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, AppError> + Send + 'static,
) -> Result<T, AppError> {
    let turn = TURNS.acquire().await.map_err(broken)?;
    tokio::task::spawn_blocking(move || {
        // Held until the work is done, also when whoever asked has gone.
        let _turn = turn;
        work()
    })
    .await
    .map_err(broken)?
}

/// The password as it is kept.
pub(crate) async fn hash(password: String) -> Result<String, AppError> {
    in_turn(move || {
        Argon2::default().hash_password(password.as_bytes()).map(|hash| hash.to_string()).map_err(broken)
    })
    .await
}

/// Whether it is the password. Without one that is kept it takes as long and is not.
pub(crate) async fn verify(password: String, kept: Option<String>) -> Result<bool, AppError> {
    in_turn(move || {
        let Some(kept) = kept else {
            let _ = Argon2::default().hash_password(password.as_bytes());
            return Ok(false);
        };
        let kept = PasswordHash::new(&kept).map_err(broken)?;
        Ok(Argon2::default().verify_password(password.as_bytes(), &kept).is_ok())
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::{TURNS, in_turn};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    #[tokio::test(flavor = "multi_thread")]
    async fn few_are_hashed_at_once_and_all_in_the_end() {
        static NOW: AtomicUsize = AtomicUsize::new(0);
        static MOST: AtomicUsize = AtomicUsize::new(0);
        let work = || {
            MOST.fetch_max(NOW.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            std::thread::sleep(Duration::from_millis(5));
            NOW.fetch_sub(1, Ordering::SeqCst);
            Ok(())
        };
        let all: Vec<_> = (0..20).map(|_| tokio::spawn(in_turn(work))).collect();
        for one in all {
            one.await.expect("it ends").expect("it works");
        }
        assert!(MOST.load(Ordering::SeqCst) <= 2);
        assert_eq!(TURNS.available_permits(), 2);
    }
}
