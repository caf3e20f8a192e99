//! Proxies that deviations are planted in: one before the API, one between the server and the suite's receiver.

mod api;
mod first;
mod hop;
mod relay;
mod rewrite;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use tokio_util::sync::{CancellationToken, DropGuard};
use url::Url;

use self::api::Front;
use self::relay::Relays;
use super::{Known, Plant};
use crate::profile::Profile;
use crate::receiver::Authority;

/// A proxy before one server process or several. It ends when it is dropped.
#[derive(Debug)]
pub struct Proxy {
    /// The base URL of the API through it.
    pub base_url: String,
    _ends: DropGuard,
}

/// What a proxy does.
#[derive(Debug)]
pub struct Work<'a> {
    /// The base URL of each server process: requests go to them in turn.
    pub base_urls: &'a [String],
    /// The profile of the deployment.
    pub profile: &'a Profile,
    /// What is planted; left out: nothing.
    pub plant: Option<Plant>,
    /// Whether deliveries go through a proxy too.
    pub relays: bool,
}

impl Proxy {
    /// Listens on a free port of 127.0.0.1.
    ///
    /// # Errors
    ///
    /// When the system gives no port, or the profile does not describe a lab: plain HTTP and, for deliveries, an authority.
    pub async fn start(work: &Work<'_>) -> io::Result<Self> {
        let upstreams = work.base_urls.iter().map(|url| address(url)).collect::<io::Result<Vec<_>>>()?;
        let below = Url::parse(&work.profile.base_url).map_err(io::Error::other)?.path().to_owned();
        let ends = CancellationToken::new();
        let relays = match work.relays {
            true => Some(Arc::new(relays(work, ends.clone())?)),
            false => None,
        };
        let known = Known::new(work.profile.clone());
        let front = Arc::new(Front::new(upstreams, below.clone(), work.plant, known, relays));
        let address = api::listen(front, ends.clone()).await?;
        Ok(Self { base_url: format!("http://{address}{below}"), _ends: ends.drop_guard() })
    }
}

fn address(base_url: &str) -> io::Result<SocketAddr> {
    let url = Url::parse(base_url).map_err(io::Error::other)?;
    let found = url.socket_addrs(|| None)?.into_iter().next();
    found.ok_or_else(|| io::Error::other(format!("{base_url} has no address")))
}

fn relays(work: &Work<'_>, ends: CancellationToken) -> io::Result<Relays> {
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
