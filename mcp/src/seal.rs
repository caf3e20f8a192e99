//! The state that a client carries from one round of a call to the next: signed, bound to the key and to every argument.

use std::fmt;
use std::time::Duration;

use rmcp::model::{RequestStateCodec, SealOptions};
use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::random;

/// Lifetime of a state.
const LIFETIME: Duration = Duration::from_secs(600);

/// The state of a call that waits for a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CallState {
    pub(crate) operation: String,
    /// Rounds in which the client asked the person.
    pub(crate) rounds: u32,
}

/// Signs the states that clients carry from one round of a call to the next. Cheap to clone.
#[derive(Clone)]
pub struct Seal(RequestStateCodec);

impl Seal {
    /// A seal that only this process can open.
    #[must_use]
    pub fn of_this_process() -> Self {
        // The key is as long as its hash, which is longer than the codec demands.
        Self(RequestStateCodec::new_unchecked(random::key()))
    }

    /// A seal that every process with one of these keys can open, for a service of several processes. Each key has a name,
    /// which is no secret; the first one signs. `None` if there are none, or two of one name.
    #[must_use]
    pub fn with_keys(keys: &[(String, [u8; 32])]) -> Option<Self> {
        let (first, _) = keys.first()?;
        let ring = keys.iter().map(|(name, key)| (name.as_str(), *key));
        RequestStateCodec::new_with_keyring(first.as_str(), ring).ok().map(Self)
    }

    /// Returns `None` if the state cannot be written, which no state of ours is.
    pub(crate) fn close(&self, bound_to: Digest, state: &CallState) -> Option<String> {
        let options = SealOptions::new().associated_data(bound_to.bytes()).ttl(LIFETIME);
        self.0.seal_json_with(state, &options).ok()
    }

    /// Returns `None` for a state that was changed, is another call's or another key's, or is too old.
    pub(crate) fn open(&self, bound_to: Digest, sealed: &str) -> Option<CallState> {
        self.0.open_json_with(sealed, bound_to.bytes()).ok()
    }
}

impl fmt::Debug for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seal(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A key is replaced while processes run: those that know both open what either has sealed.
    #[test]
    fn the_first_key_seals_and_all_of_them_open() {
        let seal =
            |keys: &[u8]| Seal::with_keys(&keys.iter().map(|key| (key.to_string(), [*key; 32])).collect::<Vec<_>>());
        let (before, between, after) = (seal(&[1]).unwrap(), seal(&[2, 1]).unwrap(), seal(&[2]).unwrap());
        let call = Digest::of([&b"a"[..]]);
        let state = CallState { operation: "op_1".into(), rounds: 1 };
        let (old, new) = (before.close(call, &state).unwrap(), between.close(call, &state).unwrap());
        assert_eq!((between.open(call, &old), after.open(call, &new)), (Some(state.clone()), Some(state)));
        assert_eq!((after.open(call, &old), before.open(call, &new)), (None, None));
        assert_eq!(Seal::of_this_process().open(call, &old), None);
        assert!(seal(&[]).is_none() && seal(&[1, 1]).is_none());
    }

    #[test]
    fn a_state_opens_for_its_own_call_alone_and_only_as_it_was_sealed() {
        let (seal, other) = (Seal::of_this_process(), Seal::of_this_process());
        let (call, another) = (Digest::of([&b"a"[..]]), Digest::of([&b"b"[..]]));
        let state = CallState { operation: "op_1".into(), rounds: 2 };
        let sealed = seal.close(call, &state).unwrap();
        assert_eq!(seal.open(call, &sealed), Some(state));
        assert_eq!(seal.open(another, &sealed), None);
        assert_eq!(other.open(call, &sealed), None);
        for at in 0..sealed.len() {
            let mut changed = sealed.clone().into_bytes();
            changed[at] ^= 1;
            assert_eq!(seal.open(call, &String::from_utf8_lossy(&changed)), None, "{at}");
        }
    }
}
