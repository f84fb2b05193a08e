//! Passwords: argon2id, on threads where they hold nobody up.

use crate::error::AppError;
use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};

fn broken(error: impl core::fmt::Display) -> AppError {
    AppError::Internal(format!("hashing a password: {error}"))
}

/// The password as it is kept.
pub(crate) async fn hash(password: String) -> Result<String, AppError> {
    tokio::task::spawn_blocking(move || {
        Argon2::default().hash_password(password.as_bytes()).map(|hash| hash.to_string()).map_err(broken)
    })
    .await
    .map_err(broken)?
}

/// Whether it is the password. Without one that is kept it takes as long and is not.
pub(crate) async fn verify(password: String, kept: Option<String>) -> Result<bool, AppError> {
    tokio::task::spawn_blocking(move || {
        let Some(kept) = kept else {
            let _ = Argon2::default().hash_password(password.as_bytes());
            return Ok(false);
        };
        let kept = PasswordHash::new(&kept).map_err(broken)?;
        Ok(Argon2::default().verify_password(password.as_bytes(), &kept).is_ok())
    })
    .await
    .map_err(broken)?
}
