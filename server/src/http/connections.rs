//! Limits of open connections: in all, and for each client address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ipnet::IpNet;

use super::client_address::ClientAddress;
use crate::config::Http;
use crate::domain::ServiceError;

/// Connections beyond the limits that are taken for one request each: its answer is 503 or 429, unless it asks after the
/// server's health.
const RESERVE: usize = 64;
const RESERVE_PER_ADDRESS: usize = 8;

/// Bounds on connections.
#[derive(Debug, Clone)]
pub struct Connections {
    /// Connections at a time.
    pub most: usize,
    /// Connections of one client address at a time; an IPv6 client has a network of 64 bits.
    pub most_per_address: usize,
    /// Proxies, through which many clients come: no bound but the first holds for them.
    pub proxies: Vec<IpNet>,
}

impl Default for Connections {
    fn default() -> Self {
        Self { most: 4096, most_per_address: 256, proxies: Vec::new() }
    }
}

impl From<&Http> for Connections {
    fn from(settings: &Http) -> Self {
        let count = |setting: u32| usize::try_from(setting).unwrap_or(usize::MAX);
        Self {
            most: count(settings.max_connections),
            most_per_address: count(settings.max_connections_per_address),
            proxies: settings.trusted_proxies.clone(),
        }
    }
}

/// Counts connections.
pub(super) struct Admission {
    bounds: Connections,
    open: Mutex<OpenConnections>,
}

#[derive(Default)]
struct OpenConnections {
    usual: ConnectionCounts,
    reserved: ConnectionCounts,
}

#[derive(Default)]
struct ConnectionCounts {
    all: usize,
    by_address: HashMap<IpAddr, usize>,
}

impl ConnectionCounts {
    fn of(&self, address: IpAddr) -> usize {
        self.by_address.get(&address).copied().unwrap_or_default()
    }

    fn add(&mut self, address: IpAddr) {
        self.all += 1;
        *self.by_address.entry(address).or_default() += 1;
    }

    fn remove(&mut self, address: IpAddr) {
        self.all = self.all.saturating_sub(1);
        if let Some(count) = self.by_address.get_mut(&address) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                self.by_address.remove(&address);
            }
        }
    }
}

/// The bound that a connection met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Limit {
    /// That of all connections.
    All,
    /// That of the client's address.
    Address,
}

impl Limit {
    /// The answer.
    pub(super) fn error(self) -> ServiceError {
        match self {
            Self::All => ServiceError::Busy(
                "All connections of the server are in use; nothing was run: run the request again in a moment"
                    .to_owned(),
            ),
            Self::Address => ServiceError::RateLimited(
                "Too many connections are open from this address; nothing was run: close some, and wait 60 seconds"
                    .to_owned(),
            ),
        }
    }
}

/// A connection's place; it is free again when this is dropped.
pub(super) struct ConnectionPermit {
    admission: Arc<Admission>,
    address: IpAddr,
    /// The bound that the connection met: it stands in the reserve.
    pub(super) limit: Option<Limit>,
}

impl Admission {
    pub(super) fn new(bounds: Connections) -> Arc<Self> {
        Arc::new(Self { bounds, open: Mutex::default() })
    }

    /// A place for a connection from `peer`; `None` when the reserve is used up, too.
    pub(super) fn admit(self: &Arc<Self>, peer: IpAddr) -> Option<ConnectionPermit> {
        let address = ClientAddress(peer).group();
        let is_proxy = self.bounds.proxies.iter().any(|proxy| proxy.contains(&peer));
        let mut open = self.lock();
        let limit = if open.usual.all >= self.bounds.most {
            Some(Limit::All)
        } else if !is_proxy && open.usual.of(address) >= self.bounds.most_per_address {
            Some(Limit::Address)
        } else {
            None
        };
        if limit.is_none() {
            open.usual.add(address);
        } else if open.reserved.all < RESERVE && (is_proxy || open.reserved.of(address) < RESERVE_PER_ADDRESS) {
            open.reserved.add(address);
        } else {
            return None;
        }
        Some(ConnectionPermit { admission: Arc::clone(self), address, limit })
    }

    fn lock(&self) -> MutexGuard<'_, OpenConnections> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut open = self.admission.lock();
        let counts = if self.limit.is_some() { &mut open.reserved } else { &mut open.usual };
        counts.remove(self.address);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admission(most: usize, most_per_address: usize) -> Arc<Admission> {
        let proxies = vec!["10.0.0.0/8".parse().unwrap()];
        Admission::new(Connections { most, most_per_address, proxies })
    }

    fn places(admission: &Arc<Admission>, address: &str, count: usize) -> Vec<Option<ConnectionPermit>> {
        (0..count).map(|_| admission.admit(address.parse().unwrap())).collect()
    }

    fn limits(places: &[Option<ConnectionPermit>]) -> Vec<Option<Limit>> {
        places.iter().flatten().map(|place| place.limit).collect()
    }

    #[test]
    fn an_address_over_its_bound_leaves_room_for_others() {
        let admission = admission(100, 2);
        let greedy = places(&admission, "192.0.2.1", 100);
        assert_eq!(limits(&greedy)[..3], [None, None, Some(Limit::Address)]);
        assert_eq!(limits(&greedy).len(), 2 + RESERVE_PER_ADDRESS);
        assert_eq!(limits(&places(&admission, "192.0.2.2", 2)), [None, None]);
        drop(greedy);
        assert_eq!(limits(&places(&admission, "192.0.2.1", 1)), [None]);
        assert!(admission.lock().usual.by_address.is_empty(), "addresses without connections are forgotten");
    }

    #[test]
    fn an_ipv6_network_is_one_client() {
        let admission = admission(100, 1);
        let first = places(&admission, "2001:db8::1", 1);
        assert_eq!(limits(&places(&admission, "2001:db8::2", 1)), [Some(Limit::Address)]);
        assert_eq!(limits(&places(&admission, "2001:db8:0:1::1", 1)), [None]);
        drop(first);
    }

    #[test]
    fn a_proxy_is_bounded_by_the_total_alone() {
        let admission = admission(20, 2);
        let proxy = places(&admission, "10.1.2.3", 20);
        assert!(limits(&proxy).iter().all(Option::is_none));
        assert_eq!(limits(&places(&admission, "192.0.2.1", 1)), [Some(Limit::All)]);
    }
}
