//! The survey before the first check: the offset of the deployment's clock, leftovers of earlier runs, and the free
//! webhook slots of each project.

use std::collections::HashMap;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;

use super::clean_up::{MARKER, WebhookAccess};
use super::{Shared, clock};
use crate::check::Claim;
use crate::cx::Exchange;
use crate::profile::{Identity, Project};

/// A project has this many webhooks at most (§8).
pub(crate) const SLOTS: usize = 5;

/// The results of the survey.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    /// Webhooks that are not the suite's, by project.
    pub(crate) foreign: HashMap<String, usize>,
    /// Webhooks of earlier runs that were removed.
    pub(crate) swept: usize,
}

/// Looks around. What cannot be found out is as in an empty project: the checks say what is wrong with the deployment.
pub(crate) async fn survey(shared: &Shared, webhooks: bool) -> Survey {
    let mut found = Survey::default();
    if !webhooks || !shared.profile.claims.contains(&Claim::Webhooks) {
        return found;
    }
    let profile = &shared.profile;
    let looked: Vec<&Project> = profile.lanes.iter().chain(&profile.other).chain(&profile.sibling).collect();
    let looked = looked.into_iter().filter(|project| project.keys.contains_key(&Identity::Full));
    let mut looking: FuturesUnordered<_> =
        looked.map(|project| one(shared.webhook_access(), project, shared)).collect();
    while let Some((id, foreign, swept)) = looking.next().await {
        found.foreign.insert(id, foreign);
        found.swept += swept;
    }
    found
}

async fn one(access: WebhookAccess<'_>, project: &Project, shared: &Shared) -> (String, usize, usize) {
    let Ok((listed, answer)) = access.list(&access.webhooks_of(project)).await else {
        return (project.id.clone(), 0, 0);
    };
    shared.clock.learn(&answer);
    let (mut foreign, mut swept) = (0, 0);
    for one in listed {
        let gone = one.target.contains(MARKER)
            && !shared.options.read_only
            && access.delete(&super::Journaled { url: one.url }).await.is_ok();
        if gone { swept += 1 } else { foreign += 1 }
    }
    (project.id.clone(), foreign, swept)
}

/// By how much the clock behind an answer is ahead of ours, in milliseconds, as far as its `Date` tells: whole seconds.
pub(crate) fn skew(answer: &Exchange, read_at: i64) -> Option<i64> {
    let date = jiff::fmt::rfc2822::parse(answer.header("date")?).ok()?.timestamp().as_millisecond();
    let took = i64::try_from(answer.took.as_millis()).unwrap_or_default();
    // `Date` is cut to the second: on average it lies half a second back.
    let ahead = date + 500 - (read_at - took / 2);
    Some(if ahead.abs() <= 1_500 + took / 2 { 0 } else { ahead })
}

impl clock::DeploymentClock {
    /// Learns how far ahead it is from an answer that has just come.
    pub(crate) fn learn(&self, answer: &Exchange) {
        if let Some(skew) = skew(answer, clock::system_now()) {
            self.is_ahead_by(skew);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_date_of_an_answer_tells_how_far_ahead_the_clock_is() {
        let answer = |date: &str| Exchange {
            request: crate::cx::Request {
                method: http::Method::GET,
                url: String::new(),
                headers: http::HeaderMap::new(),
                body: bytes::Bytes::new(),
            },
            status: 200,
            headers: [(http::header::DATE, date.parse().unwrap())].into_iter().collect(),
            body: bytes::Bytes::new(),
            at: 0,
            took: Duration::from_millis(100),
        };
        // Sat, 01 Jan 2000 00:00:00 GMT.
        let then = 946_684_800_000;
        let date = "Sat, 01 Jan 2000 00:00:00 GMT";
        for within in [-900, 0, 500, 1_000] {
            assert_eq!(skew(&answer(date), then + within), Some(0), "{within}");
        }
        assert_eq!(skew(&answer(date), then - 60_000), Some(60_550));
        assert_eq!(skew(&answer(date), then + 60_000), Some(-59_450));
        assert_eq!(skew(&answer("yesterday"), then), None);
    }
}
