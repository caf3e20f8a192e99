//! The base of a lab: an authority, a configuration, and a profile.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context as _, Result, bail};
use tempfile::TempDir;
use tokio::process::Command;

use crate::claim::Claim;
use crate::profile::{Profile, ReceiverProfile, TimeProfile};
use crate::receiver::Authority;

/// Price of the profile's `translate` on a server with its default price of one millicredit per character and language:
/// 26 characters, two languages.
const PRICE: i64 = 52;

/// Address of the lab's receiver. The server is told to allow only this non-public address, so that every other
/// loopback address is refused as usual.
pub(crate) const RECEIVER: [u8; 4] = [127, 77, 77, 77];

/// A folder with all of it. It goes when this is dropped.
#[derive(Debug)]
pub struct LabFiles {
    folder: TempDir,
}

impl LabFiles {
    /// Prepares servers on this database, or on SQLite in the folder. `base_url` is their common address; when left
    /// out, each is reached where it listens. `allow` lists networks, beside the receiver's address, that deliveries may
    /// go to.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be written.
    pub fn new(database_url: Option<&str>, base_url: Option<&str>, allow: &[&str]) -> Result<Self> {
        let folder = tempfile::tempdir().context("cannot make a folder for the lab")?;
        let ground = Self { folder };
        let authority = Authority::new().context("cannot make an authority")?;
        fs::write(ground.path("ca.pem"), authority.pem())?;
        fs::write(ground.path("ca.key"), authority.key_pem())?;
        fs::write(ground.config(), ground.settings(database_url, base_url, allow))?;
        Ok(ground)
    }

    /// The folder of its files.
    pub(super) fn folder(&self) -> &Path {
        self.folder.path()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The configuration of the servers.
    #[must_use]
    pub fn config(&self) -> PathBuf {
        self.path("l10n-server.toml")
    }

    fn settings(&self, database_url: Option<&str>, base_url: Option<&str>, allow: &[&str]) -> String {
        let in_folder = || format!("sqlite:{}", self.path("l10n.sqlite").display());
        let database = database_url.map_or_else(in_folder, str::to_owned);
        let receiver = format!("{}/32", std::net::Ipv4Addr::from(RECEIVER));
        let allow_targets: Vec<toml::Value> =
            [&*receiver].iter().chain(allow).map(|network| (*network).into()).collect();
        let mut settings = toml::toml! {
            listen = "127.0.0.1:0"
            database_url = database
            [limits]
            failed_authentications_per_minute = 100_000
            [webhooks]
            allow_targets = allow_targets
            extra_ca = (self.path("ca.pem").display().to_string())
            [secrets]
            master_key = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="
            [log]
            format = "json"
        };
        if let Some(base_url) = base_url {
            settings.insert("base_url".to_owned(), base_url.into());
        }
        settings.to_string()
    }

    /// Makes the workspaces of a run with the server's own command.
    ///
    /// # Errors
    ///
    /// Returns an error if it fails, with what it printed.
    pub async fn provision(&self, server: &Path, lanes: u16) -> Result<()> {
        let output = Command::new(server)
            .arg("provision")
            .arg("--config")
            .arg(self.config())
            .arg("--profile-out")
            .arg(self.path("profile.toml"))
            .arg("--lanes")
            .arg(lanes.to_string())
            .stdin(Stdio::null())
            .output()
            .await
            .with_context(|| format!("cannot start {}", server.display()))?;
        if !output.status.success() {
            bail!("{} provision: {}", server.display(), String::from_utf8_lossy(&output.stderr).trim());
        }
        Ok(())
    }

    /// The profile of the provisioned projects, reached under `base_url`, with clocks that these URLs move. The command
    /// of `server` decides about operations.
    ///
    /// # Errors
    ///
    /// Returns an error if nothing was provisioned.
    pub fn profile(&self, server: &Path, base_url: &str, clock: Vec<String>) -> Result<Profile> {
        let file = self.path("profile.toml");
        let mut table: toml::Table = toml::from_str(&fs::read_to_string(&file)?)?;
        // The lab has a receiver of its own, below.
        table.remove("receiver");
        if let Some(claims) = table.get_mut("claims").and_then(toml::Value::as_array_mut) {
            claims.retain(|claim| claim.as_str() != Some("receiver"));
        }
        fs::write(&file, table.to_string())?;
        let mut profile = Profile::read(&file)?;
        base_url.clone_into(&mut profile.base_url);
        profile.claims.extend([Claim::Receiver, Claim::Approvals]);
        let decide = |word: &str| {
            let (server, config) = (server.display().to_string(), self.config().display().to_string());
            [&server, "operations", word, "--by", "conformance suite", "--config", &config].map(str::to_owned).to_vec()
        };
        (profile.hooks.approve, profile.hooks.deny) = (decide("approve"), decide("deny"));
        profile.receiver = Some(ReceiverProfile {
            listen: (RECEIVER, 0).into(),
            public_url: None,
            ca: Some(self.path("ca.pem")),
            ca_key: Some(self.path("ca.key")),
            cert: None,
            key: None,
            spares: Vec::new(),
        });
        profile.expect.estimated_millicredits = Some(PRICE);
        if !clock.is_empty() {
            profile.claims.insert(Claim::LongTimes);
        }
        profile.time = TimeProfile { clock, ..TimeProfile::default() };
        Ok(profile)
    }
}
