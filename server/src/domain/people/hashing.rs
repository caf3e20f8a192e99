//! Hashing of passwords: argon2id with 19 MiB, 2 passes and 1 lane, on blocking threads, as many at a time as there are
//! cores. Those who wait are bounded, in all and for each client, so that a flood of attempts costs the others a moment.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use argon2::password_hash::phc;
use argon2::{Algorithm, Argon2, Params, PasswordHasher as _, PasswordVerifier as _, Version};
use secrecy::zeroize::Zeroizing;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;

use crate::domain::ServiceError;
use crate::ids::random_bytes;
use crate::store::users::PasswordHash;

/// Passwords that wait or are hashed, in all.
const MOST: usize = 64;
/// Passwords of one client that wait or are hashed.
const MOST_OF_CLIENT: usize = 4;

/// Turns of hashing. Clones share them.
#[derive(Debug, Clone)]
pub struct PasswordHashing {
    threads: Arc<Semaphore>,
    clients: Arc<Mutex<HashMap<String, usize>>>,
}

impl PasswordHashing {
    /// Turns for as many threads as there are cores.
    #[must_use]
    pub fn new() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self { threads: Arc::new(Semaphore::new(cores)), clients: Arc::default() }
    }

    /// Waits for a turn of a client.
    ///
    /// # Errors
    ///
    /// [`ServiceError::Busy`] if too many wait already.
    pub(super) async fn turn(&self, client: String) -> Result<HashingTurn, ServiceError> {
        let place = self.place(client).ok_or_else(|| {
            ServiceError::Busy("Too many people sign in at this moment: try again in a few seconds".to_owned())
        })?;
        let permit = Arc::clone(&self.threads).acquire_owned().await.map_err(ServiceError::internal)?;
        Ok(HashingTurn { _permit: permit, _place: place })
    }

    fn place(&self, client: String) -> Option<QueueSlot> {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if clients.values().sum::<usize>() >= MOST || clients.get(&client).is_some_and(|count| *count >= MOST_OF_CLIENT)
        {
            return None;
        }
        *clients.entry(client.clone()).or_default() += 1;
        drop(clients);
        Some(QueueSlot { clients: Arc::clone(&self.clients), client })
    }
}

impl Default for PasswordHashing {
    fn default() -> Self {
        Self::new()
    }
}

/// A place among those who wait.
#[derive(Debug)]
struct QueueSlot {
    clients: Arc<Mutex<HashMap<String, usize>>>,
    client: String,
}

impl Drop for QueueSlot {
    fn drop(&mut self) {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = clients.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                clients.remove(&self.client);
            }
        }
    }
}

/// A turn of hashing one password. It lasts until the thread is done, also if nobody waits for the result any more.
#[derive(Debug)]
pub(super) struct HashingTurn {
    _permit: OwnedSemaphorePermit,
    _place: QueueSlot,
}

impl HashingTurn {
    /// Returns whether a password has this hash. Without a hash it is wrong, and costs the same.
    pub(super) async fn verify(
        self,
        password: Zeroizing<String>,
        hash: Option<PasswordHash>,
    ) -> Result<bool, ServiceError> {
        spawn_blocking(move || {
            let _turn = self;
            match hash.and_then(|hash| phc::PasswordHash::new(hash.expose()).ok()) {
                Some(hash) => {
                    argon2()?.verify_password(password.as_bytes(), &hash).map(|()| true).or_else(|error| match error {
                        argon2::password_hash::Error::PasswordInvalid => Ok(false),
                        error => Err(ServiceError::internal(error.to_string())),
                    })
                }
                None => hashed(&password).map(|_| false),
            }
        })
        .await
        .map_err(ServiceError::internal)?
    }

    /// The hash of a new password.
    pub(super) async fn hash(self, password: Zeroizing<String>) -> Result<PasswordHash, ServiceError> {
        spawn_blocking(move || {
            let _turn = self;
            hashed(&password)
        })
        .await
        .map_err(ServiceError::internal)?
    }
}

fn hashed(password: &str) -> Result<PasswordHash, ServiceError> {
    let salt = random_bytes::<16>();
    let hash: Result<phc::PasswordHash, _> = argon2()?.hash_password_with_salt(password.as_bytes(), &salt);
    hash.map(|hash| PasswordHash::new(hash.to_string())).map_err(|error| ServiceError::internal(error.to_string()))
}

fn argon2() -> Result<Argon2<'static>, ServiceError> {
    let params = Params::new(19 * 1024, 2, 1, None).map_err(|error| ServiceError::internal(error.to_string()))?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret(text: &str) -> Zeroizing<String> {
        Zeroizing::new(text.to_owned())
    }

    #[tokio::test]
    async fn a_hash_says_how_it_was_made_and_opens_for_its_password_alone() {
        let hashing = PasswordHashing::new();
        let turn = async || hashing.turn("a".to_owned()).await.unwrap();
        let hash = turn().await.hash(secret("correct horse battery staple")).await.unwrap();
        assert!(hash.expose().starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{}", hash.expose());
        assert!(turn().await.verify(secret("correct horse battery staple"), Some(hash.clone())).await.unwrap());
        assert!(!turn().await.verify(secret("correct horse battery stapl"), Some(hash.clone())).await.unwrap());
        assert!(!turn().await.verify(secret("correct horse battery staple"), None).await.unwrap());
        let again = turn().await.hash(secret("correct horse battery staple")).await.unwrap();
        assert_ne!(hash, again, "each has a salt of its own");
        assert_eq!(format!("{hash:?}"), "PasswordHash(…)");
    }

    #[tokio::test]
    async fn a_client_has_few_places_and_all_clients_have_a_bounded_number() {
        let hashing = PasswordHashing::new();
        let mut places: Vec<_> = (0..MOST_OF_CLIENT).map(|_| hashing.place("one".to_owned()).unwrap()).collect();
        assert!(hashing.place("one".to_owned()).is_none());
        while places.len() < MOST {
            places.push(hashing.place(format!("client {}", places.len())).unwrap());
        }
        assert!(hashing.place("another".to_owned()).is_none());
        assert!(matches!(hashing.turn("another".to_owned()).await, Err(ServiceError::Busy(_))));
        places.clear();
        assert!(hashing.clients.lock().unwrap().is_empty(), "nothing is kept of those who are done");
        assert!(hashing.turn("one".to_owned()).await.is_ok());
    }
}
