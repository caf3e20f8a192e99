//! Proxies that deviations are planted in: one before the API, one between the server and the suite's receiver.

mod api;
mod first_bytes;
mod forward;
mod relay;
mod rewrite;

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

use tokio_util::sync::{CancellationToken, DropGuard};
use url::Url;

use self::api::ApiProxy;
use self::relay::Relays;
use crate::mutants::exchange::ProxyState;
use crate::mutants::mutant::Plant;
use crate::profile::Profile;
use crate::receiver::Authority;

/// A proxy before one server process or several. It ends when it is dropped.
#[derive(Debug)]
pub struct Proxy {
    _ends: DropGuard,
}

/// The configuration of a proxy.
#[derive(Debug)]
pub struct ProxyConfig<'a> {
    /// The addresses of the server processes: requests go to them in turn.
    pub upstreams: Vec<SocketAddr>,
    /// The profile of the deployment.
    pub profile: &'a Profile,
    /// The deviation; when left out: none.
    pub plant: Option<Plant>,
    /// True if deliveries go through a proxy, too.
    pub relays: bool,
}

impl Proxy {
    /// Serves at `door`.
    ///
    /// # Errors
    ///
    /// Returns an error if the system does not let it, or deliveries are to be relayed and the profile has no authority
    /// for that.
    pub fn start(door: TcpListener, work: &ProxyConfig<'_>) -> io::Result<Self> {
        let below = Url::parse(&work.profile.base_url).map_err(io::Error::other)?.path().to_owned();
        let ends = CancellationToken::new();
        let relays = match work.relays {
            true => Some(Arc::new(relays(work, ends.clone())?)),
            false => None,
        };
        let known = ProxyState::new(work.profile.clone());
        let front = Arc::new(ApiProxy::new(work.upstreams.clone(), below, work.plant, known, relays));
        api::serve(front, door, ends.clone())?;
        Ok(Self { _ends: ends.drop_guard() })
    }
}

fn relays(work: &ProxyConfig<'_>, ends: CancellationToken) -> io::Result<Relays> {
    let receiver = work.profile.receiver.as_ref().ok_or_else(|| io::Error::other("the profile has no receiver"))?;
    let (Some(ca), Some(key)) = (&receiver.ca, &receiver.ca_key) else {
        return Err(io::Error::other("the profile's receiver has no authority"));
    };
    let (ca, key) = (std::fs::read_to_string(ca)?, std::fs::read_to_string(key)?);
    let authority = Authority::load(&ca, &key).map_err(io::Error::other)?;
    let change = match work.plant {
        Some(Plant::Delivery(change)) => Some(change),
        _ => None,
    };
    Relays::new(&authority, receiver.listen.ip(), change, ends)
}
