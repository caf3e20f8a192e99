//! The configuration of a lab.

use std::path::PathBuf;

use crate::mutants::Plant;

/// The configuration of a lab.
#[derive(Debug, Clone)]
pub struct LabConfig {
    /// The program `l10n-server`. Built with its feature `lab`, its clock can be moved and its rules changed.
    pub server: PathBuf,
    /// `postgres://…` of a database; left out: SQLite.
    pub database_url: Option<String>,
    /// Server processes on the one database. Requests go to them in turn.
    pub processes: usize,
    /// Projects that checks work in at once.
    pub lanes: u16,
    /// Rules of the server that deviate from the specification's, as JSON.
    pub rules: Option<String>,
    /// Networks, beside the receiver's address, that may be reached although they are not public.
    pub allow: Vec<&'static str>,
    /// The proxy in front of the server, with its deviation, if any.
    pub front: Option<ProxyOptions>,
}

/// A proxy in front of the servers.
#[derive(Debug, Clone, Copy, Default)]
pub struct ProxyOptions {
    /// Its deviation; when left out: none.
    pub plant: Option<Plant>,
    /// True if deliveries go through a proxy, too.
    pub relays: bool,
}

impl LabConfig {
    /// One server on SQLite.
    #[must_use]
    pub fn new(server: impl Into<PathBuf>) -> Self {
        let server = server.into();
        Self { server, database_url: None, processes: 1, lanes: 6, rules: None, allow: Vec::new(), front: None }
    }
}
