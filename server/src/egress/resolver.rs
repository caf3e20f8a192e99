//! Resolves host names to all of their addresses.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use hickory_resolver::config::{NameServerConfig, ResolverConfig};
use hickory_resolver::net::NetError;
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::proto::rr::Name;
use hickory_resolver::{ResolverBuilder, TokioResolver};
use l10n_api_types::deliveries::DeliveryErrorKind;

use super::{EgressError, SendFailure};

/// Time that one question to one server waits before it is asked again. Two such waits fit into the time for opening a
/// connection, so that a host whose name servers ignore only AAAA questions is still reached.
const TIMEOUT: Duration = Duration::from_millis(1_500);

/// Longest time that an answer is reused, whatever its time to live: long enough to spare a name server the burst that
/// a publish makes, short enough that changed records take effect at once.
const LONGEST_USE: Duration = Duration::from_secs(1);

/// Files that name the machine's name servers, and hosts whose addresses need none.
#[cfg(unix)]
const FILES: [&str; 2] = ["/etc/resolv.conf", "/etc/hosts"];

/// Asks the name servers of the machine. `/etc/hosts` goes before them, as everywhere.
pub(super) struct Resolver {
    /// Asked instead of the machine's.
    server: Option<SocketAddr>,
    current: Mutex<(Stamp, TokioResolver)>,
}

/// Tells whether [`FILES`] have been written or replaced since: device, inode, time of the last change.
#[cfg(unix)]
type Stamp = [Option<(u64, u64, i64, i64)>; 2];

/// Windows keeps its name servers in the registry, which is read again every so often, and its `hosts` in a file: the number
/// of the interval, and the time of the file's last change.
#[cfg(not(unix))]
type Stamp = (u64, Option<std::time::SystemTime>);

impl Resolver {
    /// A resolver that asks this name server, or those of the machine.
    pub(super) fn new(server: Option<SocketAddr>) -> Result<Self, EgressError> {
        let stamp = stamp();
        let resolver = build(server).map_err(|error| EgressError::Resolver(error.to_string()))?;
        Ok(Self { server, current: Mutex::new((stamp, resolver)) })
    }

    /// The resolver as the machine's files have it now: networks change while a server runs.
    fn current(&self) -> TokioResolver {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let stamp = stamp();
        if stamp != current.0 {
            match build(self.server) {
                Ok(resolver) => *current = (stamp, resolver),
                Err(error) => {
                    tracing::warn!(%error, "DNS settings have changed and cannot be used: keeping the former")
                }
            }
        }
        current.1.clone()
    }

    /// All IPv4 and IPv6 addresses of a name, at least one.
    pub(super) async fn resolve(&self, name: &str) -> Result<Vec<IpAddr>, SendFailure> {
        let mut name = Name::from_ascii(name).map_err(|_| unknown())?;
        // Search domains are for people at a prompt.
        name.set_fqdn(true);
        let resolver = self.current();
        let (v4, v6) = tokio::join!(resolver.ipv4_lookup(name.clone()), resolver.ipv6_lookup(name));
        let mut addresses = Vec::new();
        let mut problem = None;
        for answer in [v4, v6] {
            match answer {
                Ok(found) => addresses.extend(found.answers().iter().filter_map(|record| record.data.ip_addr())),
                Err(error) if error.is_no_records_found() => {}
                Err(error) => problem = Some(error),
            }
        }
        match (addresses.is_empty(), problem) {
            (false, _) => Ok(addresses),
            (true, None) => Err(unknown()),
            (true, Some(error)) => Err(silent(&error)),
        }
    }
}

fn build(server: Option<SocketAddr>) -> Result<TokioResolver, NetError> {
    let mut builder = match server {
        Some(server) => asking(server),
        None => TokioResolver::builder_tokio().unwrap_or_else(|error| {
            tracing::warn!(%error, "/etc/resolv.conf names no name server: asking the one on this machine");
            asking((Ipv4Addr::LOCALHOST, 53).into())
        }),
    };
    let options = builder.options_mut();
    options.timeout = TIMEOUT;
    options.attempts = 1;
    options.positive_max_ttl = Some(LONGEST_USE);
    // Whoever has just added the record that was missing does not wait.
    options.negative_max_ttl = Some(Duration::ZERO);
    builder.build()
}

#[cfg(unix)]
fn stamp() -> Stamp {
    use std::os::unix::fs::MetadataExt as _;
    FILES.map(|path| {
        let file = std::fs::metadata(path).ok()?;
        Some((file.dev(), file.ino(), file.mtime(), file.mtime_nsec()))
    })
}

#[cfg(not(unix))]
fn stamp() -> Stamp {
    use std::time::Instant;
    /// Time for which the name servers of the registry are assumed unchanged.
    const INTERVAL: Duration = Duration::from_secs(30);
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    let root = std::env::var_os("SystemRoot").unwrap_or_else(|| "C:\\Windows".into());
    let hosts = std::path::Path::new(&root).join("System32\\drivers\\etc\\hosts");
    (START.elapsed().as_secs() / INTERVAL.as_secs(), hosts.metadata().and_then(|file| file.modified()).ok())
}

fn asking(server: SocketAddr) -> ResolverBuilder<TokioRuntimeProvider> {
    let port = server.port();
    let mut server = NameServerConfig::udp_and_tcp(server.ip());
    for connection in &mut server.connections {
        connection.port = port;
    }
    TokioResolver::builder_with_config(ResolverConfig::from_name_servers(vec![server]), TokioRuntimeProvider::default())
}

fn unknown() -> SendFailure {
    SendFailure::new(
        DeliveryErrorKind::Dns,
        "the URL's host does not resolve to an address. Check its spelling and its DNS records.",
    )
}

fn silent(error: &NetError) -> SendFailure {
    tracing::debug!(%error, "a webhook's host cannot be resolved");
    SendFailure::new(
        DeliveryErrorKind::Dns,
        "name servers gave no usable answer for the URL's host. Check the name servers of its domain, and DNSSEC.",
    )
}
