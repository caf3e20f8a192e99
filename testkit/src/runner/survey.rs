//! The survey before the first check: the offset of the deployment's clock, leftovers of earlier runs, and the free
//! webhook slots of each project.

use std::collections::HashMap;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;

use super::clean_up::{MARKER, WebhookAccess};
use crate::claim::Claim;
use crate::profile::{Identity, Project};
use crate::session::{CreatedWebhook, Session};

/// The results of the survey.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    /// Webhooks that are not the suite's, by project.
    pub(crate) foreign: HashMap<String, usize>,
    /// Webhooks of earlier runs that were removed.
    pub(crate) swept: usize,
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
    while let Some((id, foreign, swept)) = looking.next().await {
        found.foreign.insert(id, foreign);
        found.swept += swept;
    }
    found
}

async fn one(access: WebhookAccess<'_>, project: &Project, session: &Session) -> (String, usize, usize) {
    let Ok((listed, answer)) = access.list(&access.webhooks_of(project)).await else {
        return (project.id.clone(), 0, 0);
    };
    session.clock.learn(&answer);
    let (mut foreign, mut swept) = (0, 0);
    for one in listed {
        let gone = one.target.contains(MARKER)
            && !session.limits.read_only
            && access.delete(&CreatedWebhook { url: one.url }).await.is_ok();
        if gone { swept += 1 } else { foreign += 1 }
    }
    (project.id.clone(), foreign, swept)
}
