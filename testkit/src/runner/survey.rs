//! The survey before the first check: the offset of the deployment's clock, leftovers of earlier runs, and the free
//! webhook slots of each project.

use std::collections::HashMap;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;

use super::clean_up::{ListedWebhook, MARKER, WebhookAccess};
use crate::claim::Claim;
use crate::profile::{Identity, Project};
use crate::session::{CreatedWebhook, Journal, Session};

/// The results of the survey.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    /// Webhooks that are not the suite's, by project.
    pub(crate) foreign: HashMap<String, usize>,
    /// Webhooks of earlier runs that were removed.
    pub(crate) swept: usize,
    /// Webhooks of runs that may be under way, which were left alone. They are among the foreign ones.
    pub(crate) spared: usize,
}

/// Looks around. What cannot be found out is as in an empty project: the checks say what is wrong with the deployment.
pub(crate) async fn survey(session: &Session, webhooks: bool) -> Survey {
    let mut found = Survey::default();
    if !webhooks || !session.profile.claims.contains(&Claim::Webhooks) {
        return found;
    }
    let profile = &session.profile;
    let looked: Vec<&Project> = profile.lanes.iter().chain(&profile.other).chain(&profile.sibling).collect();
    let looked = looked.into_iter().filter(|project| project.keys.contains_key(&Identity::Full));
    let mut looking: FuturesUnordered<_> =
        looked.map(|project| one(WebhookAccess::of(session), project, session)).collect();
    while let Some((id, counts)) = looking.next().await {
        found.foreign.insert(id, counts.foreign);
        found.swept += counts.swept;
        found.spared += counts.spared;
    }
    found
}

/// The webhooks of a project, by whose they are.
#[derive(Debug, Default)]
struct WebhookCounts {
    foreign: usize,
    swept: usize,
    spared: usize,
}

async fn one(access: WebhookAccess<'_>, project: &Project, session: &Session) -> (String, WebhookCounts) {
    let mut counts = WebhookCounts::default();
    let Ok((listed, answer)) = access.list(&access.webhooks_of(project)).await else {
        return (project.id.clone(), counts);
    };
    session.clock.learn(&answer);
    for one in listed {
        let ours = run_of(&one.target).is_some();
        let spared = ours && may_be_under_way(&one, session.clock.now());
        let removable = ours && !spared && !session.limits.read_only;
        if removable && access.delete(&CreatedWebhook { url: one.url }).await.is_ok() {
            counts.swept += 1;
        } else {
            counts.foreign += 1;
            counts.spared += usize::from(spared);
        }
    }
    (project.id.clone(), counts)
}

/// The run that a webhook's URL names.
fn run_of(target: &str) -> Option<&str> {
    target.split_once(MARKER)?.1.split('/').next()
}

/// Age from which on a webhook of a run on another machine is a leftover, in milliseconds. Checks remove theirs as they end.
const LEFT_OVER: i64 = 2 * 60 * 60 * 1_000;

/// Returns true if the run of a webhook may be under way. A run on this machine holds its journal; of another machine's the age
/// of the webhook tells.
fn may_be_under_way(one: &ListedWebhook, now: i64) -> bool {
    let held = run_of(&one.target).and_then(Journal::is_held);
    held.unwrap_or_else(|| one.created.is_none_or(|created| now - created < LEFT_OVER))
}
