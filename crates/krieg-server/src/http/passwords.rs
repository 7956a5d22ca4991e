//! Hashing and verifying of passwords, with bounded memory.

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use tokio::sync::Semaphore;

use crate::service::ServiceError;

/// A hash takes a while and twenty megabytes. These are the maximum numbers of hashes at a time,
/// and of requests that run or wait for one.
const MAX_RUNNING: usize = 2;
const MAX_REQUESTS: usize = 50;
static RUNNING: Semaphore = Semaphore::const_new(MAX_RUNNING);
static REQUESTS: Semaphore = Semaphore::const_new(MAX_REQUESTS);

/// The Argon2 hash of a password.
pub async fn hash(password: String) -> Result<String, ServiceError> {
    run(move || hash_now(&password)).await
}

/// Checks a password against the stored hash of an account. If there is no such account this takes
/// as long as for a wrong password, so that the time does not reveal which accounts exist.
pub async fn verify(password: String, stored: Option<String>) -> Result<(), ServiceError> {
    run(move || {
        let Some(stored) = stored else {
            hash_now(&password)?;
            return Err(ServiceError::WrongPassword);
        };
        let stored = PasswordHash::new(&stored).map_err(|_| ServiceError::Internal)?;
        let verified = Argon2::default().verify_password(password.as_bytes(), &stored);
        verified.map_err(|_| ServiceError::WrongPassword)
    })
    .await
}

fn hash_now(password: &str) -> Result<String, ServiceError> {
    let hash = Argon2::default().hash_password(password.as_bytes());
    hash.map(|hash| hash.to_string()).map_err(|_| ServiceError::Internal)
}

async fn run<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ServiceError> + Send + 'static,
) -> Result<T, ServiceError> {
    let _request = REQUESTS.try_acquire().map_err(|_| ServiceError::RateLimited)?;
    let _running = RUNNING.acquire().await.map_err(|_| ServiceError::Internal)?;
    tokio::task::spawn_blocking(work).await.unwrap_or(Err(ServiceError::Internal))
}
