//! The data that the conformance suite gets from this server: workspaces of its own, and the profile that names them.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::Path;

use crate::domain::provision::{
    Description, KeyDescription, ProjectDescription, Provisioned, ProvisionedProject, WorkspaceDescription,
};
use anyhow::{Context as _, Result};
use l10n_api_types::{KeyKind, Scope};
use serde::Serialize;

/// The label of the key that is revoked at once.
pub(crate) const REVOKED: &str = "revoked";

/// This server's claims.
const CLAIMS: &[&str] = &[
    "webhooks",
    "publish",
    "translate",
    "write",
    "delivery",
    "capture",
    "code-changes",
    "documents",
    "content-trigger",
    "second-project",
    "scoped-keys",
    "admin-key",
    "second-key",
    "agent-key",
    "members-key",
    "revoked-key",
    "scratch",
    "no-credits",
    "at-cap",
    "at-plan-limit",
    "shared-workspace",
    "burn",
    "daily-budgets",
    "operations",
    "requests",
    "additions",
    "receiver",
];

/// The section on deliveries: only the suite's operator knows where they reach it.
const RECEIVER: &str = r#"
# Where the suite receives deliveries: about a hundred statements of core need it. `l10n-testkit profile` explains each field.
# Replace every "FILL IN", then let `l10n-testkit preflight --deliver` show that a delivery arrives. Without a receiver, remove
# this section and `receiver` from `claims`; the result is then partial at best.
[receiver]
# An address and a free port of the machine that the suite runs on.
listen = "0.0.0.0:8443"
# The URL under which this server reaches that port, such as https://hook.example:8443. Unless the address is a public one, allow
# it in this server's settings: webhooks.allow_targets.
public_url = "FILL IN"
# A certificate chain for the host of that URL and its key, in PEM. If this server trusts an authority of yours
# (webhooks.extra_ca), name that instead, as `ca` and `ca_key`: then checks that show bad certificates can run, too.
cert = "FILL IN"
key = "FILL IN"
# Some checks need receivers to themselves: up to four further ports.
#[[receiver.spares]]
#listen = "0.0.0.0:8444"
#public_url = "https://hook.example:8444"
"#;

/// The workspaces that a run needs.
pub(crate) fn description(unique: &str, lanes: u16) -> Description {
    let workspace = |name: &str, credits, spending_cap, plan: &str, projects| WorkspaceDescription {
        handle: format!("testkit-{unique}-{name}"),
        credits,
        spending_cap,
        plan: Some(plan.to_owned()),
        members: Vec::new(),
        glossary: None,
        projects,
    };
    let slugs = |names: &[String]| names.iter().map(|slug| project(slug, &["de", "fr"])).collect::<Vec<_>>();
    let numbered = |name: &str, count: u16| (1..=count).map(|number| format!("{name}{number}")).collect::<Vec<_>>();
    let mut lanes = slugs(&numbered("lane", lanes));
    lanes.extend(slugs(&["sibling".to_owned()]));
    Description {
        workspaces: vec![
            workspace("lanes", 100_000, None, "unlimited", lanes),
            workspace("other", 1_000, None, "unlimited", slugs(&["other".to_owned()])),
            workspace("scratch", 1_000, None, "unlimited", slugs(&numbered("scratch", 6))),
            workspace("burn", 1_000, None, "unlimited", slugs(&numbered("burn", 3))),
            workspace("no-credits", 0, None, "unlimited", slugs(&["no-credits".to_owned()])),
            workspace("at-cap", 1_000, Some(0), "unlimited", slugs(&["at-cap".to_owned()])),
            workspace("at-plan-limit", 1_000, None, "free", vec![project("at-plan-limit", &["de", "fr"])]),
        ],
    }
}

fn project(slug: &str, languages: &[&str]) -> ProjectDescription {
    let key =
        |label: &str, scopes: &[Scope], kind| KeyDescription { label: label.to_owned(), scopes: scopes.to_vec(), kind };
    let ci = |label: &str, scopes: &[Scope]| key(label, scopes, KeyKind::Ci);
    ProjectDescription {
        slug: slug.to_owned(),
        name: format!("Conformance: {slug}"),
        base_language: "en".to_owned(),
        languages: languages.iter().map(|&code| code.to_owned()).collect(),
        memory: None,
        engine: None,
        language_engines: None,
        style_note: None,
        keys: vec![
            ci("full", &[Scope::Admin]),
            ci("second", &[Scope::Admin]),
            ci("admin", &[Scope::Admin]),
            ci("read", &[Scope::Read]),
            ci("translate", &[Scope::Translate]),
            ci("write", &[Scope::Write]),
            ci("publish", &[Scope::Publish]),
            ci("capture", &[Scope::Capture]),
            ci("members", &[Scope::MembersRead, Scope::MembersManage]),
            ci(REVOKED, &[Scope::Admin]),
            key("agent", &[Scope::Read, Scope::Translate, Scope::Publish], KeyKind::Agent),
            key("agent-reader", &[Scope::Read], KeyKind::Agent),
        ],
    }
}

#[derive(Serialize, Default)]
struct Profile {
    base_url: String,
    claims: Vec<&'static str>,
    lanes: Vec<Project>,
    scratch: Vec<Project>,
    burn: Vec<Project>,
    other: Option<Project>,
    sibling: Option<Project>,
    no_credits: Option<Project>,
    at_cap: Option<Project>,
    at_plan_limit: Option<Project>,
}

#[derive(Serialize)]
struct Project {
    id: String,
    handle: String,
    slug: String,
    keys: BTreeMap<String, String>,
}

/// Writes the profile, and each key into a file of its own beside it.
pub(crate) fn write(file: &Path, base_url: &str, made: &Provisioned) -> Result<()> {
    let folder = file.with_extension("keys");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let mut profile = Profile { base_url: base_url.to_owned(), claims: CLAIMS.to_vec(), ..Profile::default() };
    for workspace in &made.workspaces {
        for made in &workspace.projects {
            let project = stored(&folder, &workspace.handle, made)?;
            match made.slug.trim_end_matches(|digit: char| digit.is_ascii_digit()) {
                "lane" => profile.lanes.push(project),
                "scratch" => profile.scratch.push(project),
                "burn" => profile.burn.push(project),
                "other" => profile.other = Some(project),
                "sibling" => profile.sibling = Some(project),
                "no-credits" => profile.no_credits = Some(project),
                "at-cap" => profile.at_cap = Some(project),
                _ => profile.at_plan_limit = Some(project),
            }
        }
    }
    let text = toml::to_string(&profile)?;
    fs::write(file, text + RECEIVER).with_context(|| format!("cannot write {}", file.display()))
}

fn stored(folder: &Path, handle: &str, made: &ProvisionedProject) -> Result<Project> {
    let mut keys = BTreeMap::new();
    for key in &made.keys {
        let path = folder.join(format!("{}-{}", made.slug, key.label));
        let mut options = fs::OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&path).with_context(|| format!("cannot write {}", path.display()))?;
        file.write_all(key.key.as_deref().unwrap_or_default().as_bytes())?;
        // Relative to the profile, so that both can be moved together.
        let beside = Path::new(folder.file_name().unwrap_or_default()).join(path.file_name().unwrap_or_default());
        keys.insert(key.label.clone(), format!("file:{}", beside.display()));
    }
    Ok(Project { id: made.project_id.to_string(), handle: handle.to_owned(), slug: made.slug.clone(), keys })
}
