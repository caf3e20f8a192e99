//! Keys that have been valid lately, so that who has one never waits beside those who guess.

use std::collections::HashMap;
use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

use l10n_api_types::ProjectId;

/// Keys of a generation; there are two.
const MOST: usize = 16_384;

/// Projects by the hashes of their keys. A key never changes its project; whether it is revoked is asked at each request.
#[derive(Debug, Default)]
pub(super) struct KnownKeys(Mutex<Generations>);

#[derive(Debug, Default)]
struct Generations {
    young: HashMap<[u8; 32], ProjectId>,
    old: HashMap<[u8; 32], ProjectId>,
}

impl KnownKeys {
    /// The project of a key.
    pub(super) fn project(&self, hash: &[u8; 32]) -> Option<ProjectId> {
        let mut keys = self.lock();
        if let Some(project) = keys.young.get(hash) {
            return Some(project.clone());
        }
        let project = keys.old.remove(hash)?;
        keys.insert(*hash, project.clone());
        Some(project)
    }

    /// The key is valid.
    pub(super) fn insert(&self, hash: [u8; 32], project: ProjectId) {
        self.lock().insert(hash, project);
    }

    /// The key is no longer valid.
    pub(super) fn forget(&self, hash: &[u8; 32]) {
        let mut keys = self.lock();
        keys.young.remove(hash);
        keys.old.remove(hash);
    }

    fn lock(&self) -> MutexGuard<'_, Generations> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Generations {
    fn insert(&mut self, hash: [u8; 32], project: ProjectId) {
        if self.young.len() >= MOST {
            self.old = mem::take(&mut self.young);
        }
        self.young.insert(hash, project);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(number: usize) -> [u8; 32] {
        let mut hash = [0; 32];
        hash[..8].copy_from_slice(&number.to_be_bytes());
        hash
    }

    #[test]
    fn keys_in_use_stay_known_and_memory_is_bounded() {
        let keys = KnownKeys::default();
        for number in 0..5 * MOST {
            keys.insert(hash(number), "prj_1".into());
            assert!(keys.project(&hash(0)).is_some(), "{number}");
        }
        let kept = {
            let kept = keys.lock();
            kept.young.len() + kept.old.len()
        };
        assert!(kept <= 2 * MOST, "{kept}");
        assert_eq!(keys.project(&hash(1)), None);
    }

    #[test]
    fn a_key_that_is_no_longer_valid_is_forgotten() {
        let keys = KnownKeys::default();
        keys.insert(hash(1), "prj_1".into());
        assert_eq!(keys.project(&hash(1)).as_ref().map(ProjectId::as_str), Some("prj_1"));
        keys.forget(&hash(1));
        assert_eq!(keys.project(&hash(1)), None);
    }
}
