//! Connections that wait for the next delivery to the same place.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::dial::Connection;
use super::target::Target;

/// Longest time that a connection stays open unused. Most servers close theirs between 5 and 75 seconds; a connection
/// that its server has closed meanwhile only costs a new one.
const LONGEST_WAIT: Duration = Duration::from_secs(15);

/// Most unused connections of one place, and of all places: a burst of deliveries must not leave its open files behind.
/// A place may keep as many as a host gets attempts at a time by default, so that a burst opens none anew.
const MOST_OF_A_PLACE: usize = 64;
const MOST: usize = 256;

/// A place: host, port, and whether TLS is spoken. TLS has been checked against exactly this host.
type PoolKey = (String, u16, bool);

/// Connections at rest. Clones share them.
#[derive(Clone, Default)]
pub(super) struct Pool(Arc<Mutex<IdleConnections>>);

#[derive(Default)]
struct IdleConnections {
    connections: HashMap<PoolKey, Vec<(Connection, Instant)>>,
    count: usize,
    swept: bool,
}

impl Pool {
    /// The connection that was used last, if its other end is among the addresses that have been vetted just now.
    pub(super) fn take(&self, target: &Target, vetted: &[IpAddr]) -> Option<Connection> {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let connections = idle.connections.get_mut(&key(target))?;
        let found = connections.iter().rposition(|(connection, _)| vetted.contains(&connection.peer.ip()))?;
        let (connection, since) = connections.remove(found);
        idle.count -= 1;
        (since.elapsed() < LONGEST_WAIT).then_some(connection)
    }

    /// Lets a connection wait whose last answer has been read to its end.
    pub(super) fn put(&self, target: &Target, connection: Connection) {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.count >= MOST {
            return;
        }
        let connections = idle.connections.entry(key(target)).or_default();
        if connections.len() >= MOST_OF_A_PLACE {
            return;
        }
        connections.push((connection, Instant::now()));
        idle.count += 1;
        if !idle.swept {
            idle.swept = true;
            tokio::spawn(self.clone().sweep());
        }
    }

    /// Ends connections that have waited long enough, until none waits.
    async fn sweep(self) {
        loop {
            tokio::time::sleep(LONGEST_WAIT / 3).await;
            let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let idle = &mut *idle;
            idle.connections.retain(|_, connections| {
                connections.retain(|(_, since)| since.elapsed() < LONGEST_WAIT);
                !connections.is_empty()
            });
            idle.count = idle.connections.values().map(Vec::len).sum();
            if idle.count == 0 {
                idle.swept = false;
                return;
            }
        }
    }
}

fn key(target: &Target) -> PoolKey {
    (target.host().to_owned(), target.port, target.secured)
}
