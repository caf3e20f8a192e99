//! Places of sign-ins that ask the provider, of which one address has half at most: one stranger leaves room for the others.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use super::ProviderError;

/// Sign-ins that ask the provider at a time.
const AT_A_TIME: usize = 8;
/// Those of one address.
const OF_ONE_ADDRESS: usize = 4;

/// Taken places, by address.
#[derive(Default)]
pub(super) struct SignInLimiter(Mutex<HashMap<IpAddr, usize>>);

/// A place; it is free again when this is dropped.
pub(super) struct SignInPermit<'a> {
    places: &'a SignInLimiter,
    address: IpAddr,
}

impl SignInLimiter {
    /// Takes a place.
    pub(super) fn take(&self, address: IpAddr) -> Result<SignInPermit<'_>, ProviderError> {
        let mut taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let own = taken.get(&address).copied().unwrap_or_default();
        if own >= OF_ONE_ADDRESS || taken.values().sum::<usize>() >= AT_A_TIME {
            return Err(ProviderError::Busy);
        }
        taken.insert(address, own + 1);
        Ok(SignInPermit { places: self, address })
    }
}

impl Drop for SignInPermit<'_> {
    fn drop(&mut self) {
        let mut taken = self.places.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = taken.get_mut(&self.address) {
            *own = own.saturating_sub(1);
            if *own == 0 {
                taken.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_leaves_half_of_the_places_to_the_others() {
        let places = SignInLimiter::default();
        let take = |last: u8| places.take(IpAddr::from([10, 0, 0, last]));
        let mut first: Vec<_> = (0..OF_ONE_ADDRESS).map(|_| take(1).ok().unwrap()).collect();
        assert!(matches!(take(1), Err(ProviderError::Busy)));
        let second: Vec<_> = (0..OF_ONE_ADDRESS).map(|_| take(2).ok().unwrap()).collect();
        assert!(matches!(take(3), Err(ProviderError::Busy)), "all are taken");
        first.pop();
        let third = take(3).ok().unwrap();
        drop((first, second, third));
        assert!(places.0.lock().unwrap().is_empty(), "who has no place is forgotten");
    }
}
