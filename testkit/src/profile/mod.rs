//! The description of a deployment: what it is called, what it claims, and the identities that the suite may use.

mod claims;
mod environment;
mod load;
mod project;
mod secret;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use self::load::ProfileError;
pub use self::project::{Identity, Project};
pub use self::secret::Secret;

use crate::claim::Claim;

/// The longest that a check may wait in real time, in seconds, where the profile does not say.
const LONGEST_WAIT: u64 = 180;

/// A profile with every field explained.
pub const EXAMPLE: &str = include_str!("example.toml");

/// A deployment, as its operator describes it.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Base URL of the API: ends in the version segment, `/v1`.
    pub base_url: String,
    /// Certificates that the API is trusted by, in PEM, beside those that the machine trusts.
    #[serde(default)]
    pub api_ca: Option<std::path::PathBuf>,
    /// The deployment's claims. Checks of claims must run and pass.
    #[serde(default)]
    pub claims: BTreeSet<Claim>,
    /// Projects that are alike, with the same keys and languages. Each is a lane: one check at a time works in it, so
    /// more lanes make a faster run.
    pub lanes: Vec<Project>,
    /// Another project (claim `second-project`).
    #[serde(default)]
    pub other: Option<Project>,
    /// Projects whose request window may be used up (claim `scratch`).
    #[serde(default)]
    pub scratch: Vec<Project>,
    /// Projects in which a day's worth may be done, which uses up daily budgets (claim `burn`).
    #[serde(default)]
    pub burn: Vec<Project>,
    /// A project whose workspace has no credits (claim `no-credits`).
    #[serde(default)]
    pub no_credits: Option<Project>,
    /// A project whose workspace is at its spending cap (claim `at-cap`).
    #[serde(default)]
    pub at_cap: Option<Project>,
    /// A project at a limit of its plan (claim `at-plan-limit`).
    #[serde(default)]
    pub at_plan_limit: Option<Project>,
    /// A project in the workspace of the first lane (claim `shared-workspace`).
    #[serde(default)]
    pub sibling: Option<Project>,
    /// The suite's webhook receiver (claim `receiver`).
    #[serde(default)]
    pub receiver: Option<ReceiverProfile>,
    /// Time.
    #[serde(default)]
    pub time: TimeProfile,
    /// Bodies of requests whose shape the specification does not show.
    #[serde(default)]
    pub bodies: Bodies,
    /// Paths that the specification does not show.
    #[serde(default)]
    pub routes: Routes,
    /// Commands of the deployment.
    #[serde(default)]
    pub hooks: Hooks,
    /// A DNS zone (claim `dns`).
    #[serde(default)]
    pub dns: Option<DnsProfile>,
    /// Values that this deployment states.
    #[serde(default)]
    pub expect: Expect,
}

/// The addresses at which the suite receives deliveries.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ReceiverProfile {
    /// Address and port to listen on; port 0 is any that is free.
    pub listen: SocketAddr,
    /// Under which URL the deployment reaches it; left out: `https://` and the address.
    #[serde(default)]
    pub public_url: Option<String>,
    /// Certificate and key of an authority that the deployment trusts, in PEM: the suite issues its certificates itself.
    #[serde(default)]
    pub ca: Option<PathBuf>,
    /// See `ca`.
    #[serde(default)]
    pub ca_key: Option<PathBuf>,
    /// A certificate chain for the host of `public_url`, in PEM, where there is no such authority. Beside one, it is what
    /// receivers show that are not to show a bad certificate.
    #[serde(default)]
    pub cert: Option<PathBuf>,
    /// The key of `cert`.
    #[serde(default)]
    pub key: Option<PathBuf>,
    /// More addresses, for receivers that must see nothing or behave badly: four are enough. With port 0 above they are
    /// not needed.
    #[serde(default)]
    pub spares: Vec<SpareAddress>,
}

/// One more address to listen on.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SpareAddress {
    /// Address and port.
    pub listen: SocketAddr,
    /// Under which URL the deployment reaches it.
    pub public_url: String,
}

/// The behaviour of the deployment's clock.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct TimeProfile {
    /// URLs that move the deployment's clock: `POST` with `{"seconds": n}`. One for each process. Left out: real time.
    pub clock: Vec<String>,
    /// Speed of the deployment's clock relative to ours (libfaketime), 60 at most; when left out: 1.
    pub scale: Option<u32>,
    /// The longest that a check may wait in real time, in seconds; left out: 180.
    pub longest_wait: Option<u64>,
}

impl TimeProfile {
    /// The longest that a check may wait in real time.
    #[must_use]
    pub fn longest_wait(&self) -> Duration {
        Duration::from_secs(self.longest_wait.unwrap_or(LONGEST_WAIT))
    }
}

/// Bodies of requests, as JSON. What is left out is as the reference server takes it.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Bodies {
    /// `POST /publish`.
    pub publish: Value,
    /// `POST /publish` of Content (claim `content-trigger`), where no hook publishes it.
    pub publish_content: Value,
    /// `POST /translate`, of at least one key. `{unique}` in it becomes a text that is new at each use.
    pub translate: Value,
    /// `POST /sync`.
    pub sync: Value,
    /// `POST /content`.
    pub document: Value,
    /// `POST /capture`.
    pub capture: Value,
}

impl Default for Bodies {
    fn default() -> Self {
        let keys = serde_json::json!([{ "ref": "testkit.{unique}", "text": "A text of {unique}" }]);
        let file = serde_json::json!({
            "path": "testkit/{unique}.json", "encoding": "utf8", "format": "json",
            "content": "{\"testkit.{unique}\": \"A text of {unique}\"}\n"
        });
        Self {
            publish: serde_json::json!({}),
            publish_content: serde_json::json!({ "target": "content" }),
            translate: serde_json::json!({ "keys": keys }),
            sync: serde_json::json!({ "file": file }),
            document: serde_json::json!({ "title": "{unique}", "format": "markdown", "body": "# A text of {unique}\n" }),
            capture: serde_json::json!({ "keys": [{ "ref": "testkit.captured.{unique}", "text": "A text" }] }),
        }
    }
}

/// Paths below `base_url`. `{projectId}`, `{handle}`, `{slug}`, `{versionId}`, `{path}` are filled in.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Routes {
    /// Needs no key.
    pub health: String,
    /// The public manifest.
    pub manifest: String,
    /// A public file of a version.
    pub bundle: String,
    /// The manifest by names.
    pub named_manifest: String,
}

impl Default for Routes {
    fn default() -> Self {
        Self {
            health: "/health".to_owned(),
            manifest: "/projects/{projectId}/manifest".to_owned(),
            bundle: "/projects/{projectId}/bundles/{versionId}/{path}".to_owned(),
            named_manifest: "/@{handle}/{slug}/manifest".to_owned(),
        }
    }
}

/// Commands, each a program and its arguments. They end with 0 when they did what they are for.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Hooks {
    /// Kills the deployment without warning and starts it again (claim `restart`).
    pub restart: Vec<String>,
    /// Publishes the Content of the project whose id is appended, where `POST /publish` does not (claim `content-trigger`).
    pub publish_content: Vec<String>,
    /// Approves the operation whose id is appended (claim `approvals`).
    pub approve: Vec<String>,
    /// Denies the operation whose id is appended (claim `approvals`).
    pub deny: Vec<String>,
}

/// Names whose addresses the suite sets.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct DnsProfile {
    /// The zone below which names are made.
    pub zone: String,
    /// Address of the suite's own name server, to which the zone is delegated.
    pub listen: SocketAddr,
    /// A public address at which the deployment reaches the receiver.
    pub public_address: std::net::IpAddr,
}

/// Values that a check compares with.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Expect {
    /// Price of `bodies.translate`, in millicredits, as quoted by a dry run.
    pub estimated_millicredits: Option<i64>,
}
