//! The namespace's inhabitants: one endpoint at two public addresses, a name server, and tripwires everywhere else.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, Mutex};

use l10n_testkit::receiver::Receiver;
use tokio::net::{TcpListener, TcpStream};

pub(super) const PUBLIC_V4: &str = "93.184.216.34";
pub(super) const PUBLIC_V6: &str = "2606:2800:220:1:248:1893:25c8:1946";

/// The ports on which connections are accepted, at every address: HTTPS, HTTP, another port, and the proxy of the
/// environment.
const PORTS: [u16; 4] = [443, 80, 8443, 3128];

/// Every connection that somebody made, by address and port.
#[derive(Clone, Default)]
pub(super) struct World(Arc<Mutex<BTreeMap<SocketAddr, usize>>>);

impl World {
    /// Leads what comes to the public addresses to the receiver, and counts what comes to any other.
    pub(super) async fn begin(receiver: &Receiver) -> Self {
        let world = Self::default();
        for port in PORTS {
            let listener = TcpListener::bind((Ipv6Addr::UNSPECIFIED, port)).await.unwrap();
            tokio::spawn(world.clone().watch(listener, receiver.address()));
        }
        world
    }

    async fn watch(self, listener: TcpListener, receiver: SocketAddr) {
        let public: [IpAddr; 2] = [PUBLIC_V4.parse().unwrap(), PUBLIC_V6.parse().unwrap()];
        while let Ok((mut stream, _)) = listener.accept().await {
            let to = stream.local_addr().unwrap();
            let to = SocketAddr::new(to.ip().to_canonical(), to.port());
            if public.contains(&to.ip()) && to.port() == 443 {
                tokio::spawn(async move {
                    let mut inner = TcpStream::connect(receiver).await.unwrap();
                    // Either end may be gone first.
                    let _ = tokio::io::copy_bidirectional(&mut stream, &mut inner).await;
                });
            } else {
                *self.0.lock().unwrap().entry(to).or_default() += 1;
            }
        }
    }

    /// Connections to addresses that are not public, or to ports that nobody named.
    pub(super) fn touched(&self) -> BTreeMap<SocketAddr, usize> {
        self.0.lock().unwrap().clone()
    }

    /// Forgets them.
    pub(super) fn forget(&self) {
        self.0.lock().unwrap().clear();
    }
}

/// TCP connections that this namespace has tried to open since it was made, at any address and port: the kernel's own
/// count.
pub(super) fn connects() -> u64 {
    let text = std::fs::read_to_string("/proc/self/net/snmp").unwrap();
    let mut lines = text.lines().filter_map(|line| line.strip_prefix("Tcp: "));
    let (names, values) = (lines.next().unwrap(), lines.next().unwrap());
    let place = names.split(' ').position(|name| name == "ActiveOpens").unwrap();
    values.split(' ').nth(place).unwrap().parse().unwrap()
}
