//! A reference server of the suite's own: for `l10n-testkit lab`, for mutants, and for tests.

mod server;

use std::fs;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context as _, Result, bail};
use tempfile::TempDir;
use tokio::process::Command;

use self::server::Server;
use crate::check::Claim;
use crate::profile::{DnsProfile, Profile, ReceiverProfile, TimeProfile};
use crate::receiver::Authority;

/// Where the lab's receiver listens. The server is told to allow this address and no other that is not public, so that
/// every other loopback address is refused as everywhere.
pub(crate) const RECEIVER: [u8; 4] = [127, 77, 77, 77];

/// The zone of names that checks make.
const ZONE: &str = "lab.example.com";

/// What a lab is to be.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The program `l10n-server`. Built with its feature `lab`, its clock can be moved and deviations planted.
    pub server: PathBuf,
    /// `postgres://…` of an empty database; left out: SQLite.
    pub database_url: Option<String>,
    /// Server processes on the one database.
    pub processes: usize,
    /// Projects that checks work in at once.
    pub lanes: u16,
    /// The planted deviation.
    pub mutant: Option<String>,
}

impl Plan {
    /// One server on SQLite.
    #[must_use]
    pub fn new(server: impl Into<PathBuf>) -> Self {
        Self { server: server.into(), database_url: None, processes: 1, lanes: 6, mutant: None }
    }
}

/// Servers that run as long as this lives, and their profile.
#[derive(Debug)]
pub struct Lab {
    /// The profile of the deployment, with the receiver in it.
    pub profile: Profile,
    /// The base URL of each server process.
    pub base_urls: Vec<String>,
    _servers: Vec<Server>,
    _folder: TempDir,
}

impl Lab {
    /// Starts servers and provisions them.
    ///
    /// # Errors
    ///
    /// When a server does not start, with what it printed.
    pub async fn start(plan: &Plan) -> Result<Self> {
        let folder = tempfile::tempdir().context("cannot make a folder for the lab")?;
        let authority = Authority::new().context("cannot make an authority")?;
        let (ca, ca_key) = (folder.path().join("ca.pem"), folder.path().join("ca.key"));
        fs::write(&ca, authority.pem())?;
        fs::write(&ca_key, authority.key_pem())?;
        let config = folder.path().join("l10n-server.toml");
        fs::write(&config, settings(folder.path(), plan, &ca))?;
        let profile_file = folder.path().join("profile.toml");
        provision(plan, &config, &profile_file).await?;
        let name_server = free_udp_address().context("no address for a name server")?;
        let mut servers = Vec::new();
        for _ in 0..plan.processes.max(1) {
            servers.push(Server::start(plan, &config, name_server).await?);
        }
        let base_urls: Vec<String> = servers.iter().map(|server| server.base_url.clone()).collect();
        let mut profile = Profile::read(&profile_file)?;
        profile.base_url.clone_from(&base_urls[0]);
        profile.claims.extend([Claim::Receiver, Claim::DailyBudgets]);
        profile.receiver = Some(ReceiverProfile {
            listen: (RECEIVER, 0).into(),
            public_url: None,
            ca: Some(ca),
            ca_key: Some(ca_key),
            cert: None,
            key: None,
            spares: Vec::new(),
        });
        let clock: Vec<String> = servers.iter().filter_map(|server| server.clock.clone()).collect();
        // A server with the feature `lab` asks the name server that it was told.
        if !clock.is_empty() {
            profile.claims.insert(Claim::Dns);
            let public_address = RECEIVER.into();
            profile.dns = Some(DnsProfile { zone: ZONE.to_owned(), listen: name_server, public_address });
        }
        profile.time = TimeProfile { clock, ..TimeProfile::default() };
        Ok(Self { profile, base_urls, _servers: servers, _folder: folder })
    }
}

/// An address at which nothing listens: the checks listen there by turns.
fn free_udp_address() -> io::Result<SocketAddr> {
    UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()
}

fn settings(folder: &Path, plan: &Plan, ca: &Path) -> String {
    let database = plan.database_url.clone().unwrap_or_else(|| format!("sqlite:{}/l10n.sqlite", folder.display()));
    let receiver = std::net::Ipv4Addr::from(RECEIVER);
    let settings = toml::toml! {
        listen = "127.0.0.1:0"
        database_url = database
        [limits]
        failed_authentications_per_minute = 100_000
        [webhooks]
        allow_targets = [(format!("{receiver}/32"))]
        extra_ca = (ca.display().to_string())
        [secrets]
        master_key = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="
        [log]
        format = "json"
    };
    settings.to_string()
}

async fn provision(plan: &Plan, config: &Path, profile: &Path) -> Result<()> {
    let output = Command::new(&plan.server)
        .arg("provision")
        .arg("--config")
        .arg(config)
        .arg("--profile-out")
        .arg(profile)
        .arg("--lanes")
        .arg(plan.lanes.to_string())
        .stdin(Stdio::null())
        .output()
        .await
        .with_context(|| format!("cannot start {}", plan.server.display()))?;
    if !output.status.success() {
        bail!("{} provision: {}", plan.server.display(), String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(())
}
