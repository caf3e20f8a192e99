//! A reference server of the suite's own: for `l10n-testkit lab`, for mutants, and for tests.

mod config;
mod files;
mod server;

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, UdpSocket};

use anyhow::{Context as _, Result};

pub use self::config::{LabConfig, ProxyOptions};
pub use self::files::LabFiles;
pub(crate) use self::files::RECEIVER;
use self::server::Server;
use crate::claim::Claim;
use crate::mutants::{Proxy, ProxyConfig};
use crate::profile::{DnsProfile, Profile};

/// The zone of names that checks make.
const ZONE: &str = "lab.example.com";

/// Servers that run as long as this lives, and their profile.
#[derive(Debug)]
pub struct Lab {
    /// The profile of the deployment, with the receiver in it.
    pub profile: Profile,
    _front: Option<Proxy>,
    _servers: Vec<Server>,
    _ground: LabFiles,
}

impl Lab {
    /// Starts servers and provisions them.
    ///
    /// # Errors
    ///
    /// Returns an error if a server does not start, with what it printed.
    pub async fn start(plan: &LabConfig) -> Result<Self> {
        // Several processes are one deployment under one URL.
        let front = plan.front.or((plan.processes > 1).then(ProxyOptions::default));
        let door = front.map(|_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0))).transpose()?;
        let stated = door.as_ref().map(TcpListener::local_addr).transpose()?.map(|door| format!("http://{door}/v1"));
        let ground = LabFiles::new(plan.database_url.as_deref(), stated.as_deref(), &plan.allow)?;
        ground.provision(&plan.server, plan.lanes).await?;
        let name_server = free_udp_address().context("no address for a name server")?;
        let mut servers = Vec::new();
        for number in 0..plan.processes.max(1) {
            servers.push(Server::start(plan, &ground.config(), name_server, ground.folder(), number).await?);
        }
        let clock: Vec<String> = servers.iter().filter_map(|server| server.clock.clone()).collect();
        let has_feature = !clock.is_empty();
        let mut profile = ground.profile(&plan.server, &servers[0].base_url, clock)?;
        // A server with the feature `lab` asks the name server that it was told.
        if has_feature {
            profile.claims.insert(Claim::Dns);
            let public_address = RECEIVER.into();
            profile.dns = Some(DnsProfile { zone: ZONE.to_owned(), listen: name_server, public_address });
        }
        profile.claims.insert(Claim::Restart);
        profile.hooks.restart = server::restart(&servers);
        let front = match (front, door) {
            (Some(ProxyOptions { plant, relays }), Some(door)) => {
                // What stands before the servers speaks it, as proxies in front of deployments do.
                profile.claims.insert(Claim::Http2);
                let upstreams = servers.iter().map(|server| server.address).collect();
                let work = ProxyConfig { upstreams, profile: &profile, plant, relays };
                Some(Proxy::start(door, &work).context("the proxy does not start")?)
            }
            _ => None,
        };
        Ok(Self { profile, _front: front, _servers: servers, _ground: ground })
    }
}

/// An address at which nothing listens: the checks listen there by turns.
pub(crate) fn free_udp_address() -> io::Result<SocketAddr> {
    UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()
}
