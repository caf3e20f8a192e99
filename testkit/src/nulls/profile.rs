//! The profile of a null server: it claims everything.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use crate::profile::{DnsProfile, Hooks, Identity, Profile, Project, ReceiverProfile, Secret, TimeProfile};
use crate::receiver::Authority;

/// A profile with every claim and every project, and a receiver at an address that nobody else uses.
pub(super) fn of(base_url: &str, clock: &str, folder: &Path) -> Result<Profile> {
    let claims: Value = json!(crate::claim::Claim::ALL);
    let minimal = json!({ "base_url": base_url, "claims": claims, "lanes": [] });
    let mut profile: Profile = serde_json::from_value(minimal).context("the profile of a null server")?;
    let projects = |name: &str, count: usize| (1..=count).map(|number| project(&format!("{name}-{number}"))).collect();
    profile.lanes = projects("lane", 16);
    profile.scratch = projects("scratch", 6);
    profile.burn = projects("burn", 3);
    // No null server happens to say it.
    profile.expect.estimated_millicredits = Some(7_919);
    for (place, name) in [
        (&mut profile.other, "other"),
        (&mut profile.no_credits, "no-credits"),
        (&mut profile.at_cap, "at-cap"),
        (&mut profile.at_plan_limit, "at-plan-limit"),
        (&mut profile.sibling, "sibling"),
    ] {
        *place = Some(project(name));
    }
    let authority = Authority::new()?;
    let (ca, ca_key) = (folder.join("ca.pem"), folder.join("ca.key"));
    std::fs::write(&ca, authority.pem())?;
    std::fs::write(&ca_key, authority.key_pem())?;
    profile.receiver = Some(ReceiverProfile {
        listen: (crate::lab::RECEIVER, 0).into(),
        public_url: None,
        ca: Some(ca),
        ca_key: Some(ca_key),
        cert: None,
        key: None,
        spares: Vec::new(),
    });
    profile.dns = Some(DnsProfile {
        zone: "null.example".to_owned(),
        listen: ([127, 0, 0, 1], 0).into(),
        public_address: [93, 184, 215, 14].into(),
    });
    profile.time = TimeProfile { clock: vec![format!("{clock}/advance")], ..TimeProfile::default() };
    let listen = crate::lab::free_udp_address()?;
    let public_address = crate::lab::RECEIVER.into();
    profile.dns = Some(DnsProfile { zone: "null.example.com".to_owned(), listen, public_address });
    let succeeds = vec!["true".to_owned()];
    profile.hooks = Hooks {
        restart: succeeds.clone(),
        publish_content: succeeds.clone(),
        approve: succeeds.clone(),
        deny: succeeds,
    };
    Ok(profile)
}

fn project(name: &str) -> Project {
    let keys: BTreeMap<_, _> =
        Identity::ALL.iter().map(|&one| (one, Secret::of(format!("null_{one}_{name}")))).collect();
    Project { id: format!("prj_{name}"), handle: "null".to_owned(), slug: name.to_owned(), keys }
}
