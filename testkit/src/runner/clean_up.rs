//! Removes what runs have made: after each check, at the end, and when a run was killed.

use std::path::PathBuf;
use std::time::Duration;

use bytes::Bytes;
use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderValue, Method};
use serde_json::Value;

use super::error::RunError;
use super::options::Options;
use crate::profile::{Identity, Profile, Project};
use crate::session::{CreatedWebhook, Intent, Journal, OpenEntries, Pacer, Session, path_of, system_now};
use crate::wire::{Exchange, Http, Request};

/// In the path of every webhook that the suite registers at its own receiver; the run's id follows.
pub(crate) const MARKER: &str = "/.l10n-testkit/";

/// Lists and deletes webhooks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WebhookAccess<'a> {
    pub(crate) http: &'a Http,
    pub(crate) pacer: &'a Pacer,
    pub(crate) profile: &'a Profile,
}

/// A webhook, as a list names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ListedWebhook {
    pub(crate) url: String,
    pub(crate) target: String,
    /// In milliseconds since 1970, where it says so.
    pub(crate) created: Option<i64>,
}

impl<'a> WebhookAccess<'a> {
    /// With the client and the budgets of a session.
    pub(crate) fn of(session: &'a Session) -> Self {
        Self { http: &session.http, pacer: &session.pacer, profile: &session.profile }
    }
}

impl WebhookAccess<'_> {
    /// Deletes. What is no longer there is deleted.
    pub(crate) async fn delete(&self, made: &CreatedWebhook) -> Result<(), String> {
        let answer = self.send(Method::DELETE, &made.url).await?;
        match answer.status {
            200..300 | 404 => Ok(()),
            _ => Err(format!("DELETE {}: answered {}", made.url, answer.outcome())),
        }
    }

    /// The webhooks of a project.
    pub(crate) async fn list(&self, list: &str) -> Result<(Vec<ListedWebhook>, Exchange), String> {
        let answer = self.send(Method::GET, list).await?;
        if answer.status != 200 {
            return Err(format!("GET {list}: answered {}", answer.outcome()));
        }
        let body: Value = serde_json::from_slice(&answer.body).map_err(|error| format!("GET {list}: {error}"))?;
        let entries = if body.is_array() { &body } else { &body["webhooks"] };
        let entries = entries.as_array().map(Vec::as_slice).unwrap_or_default();
        let listed = entries.iter().filter_map(|entry| {
            let created = entry["createdAt"].as_str().and_then(|text| text.parse::<jiff::Timestamp>().ok());
            Some(ListedWebhook {
                url: format!("{list}/{}", entry["webhookId"].as_str()?),
                target: entry["url"].as_str()?.to_owned(),
                created: created.map(jiff::Timestamp::as_millisecond),
            })
        });
        Ok((listed.collect(), answer))
    }

    /// Deletes what an intent has made, if it has made something.
    async fn settle(&self, intent: &Intent) -> Result<usize, String> {
        let Some(target) = &intent.target else { return Ok(0) };
        // The URL of an intent may be anybody's, unless it has the marker; what is older than the intent is not of it.
        let mine = |one: &ListedWebhook| {
            let later = one.created.is_some_and(|created| created >= intent.at - 5_000);
            one.target == *target && (target.contains(MARKER) || later)
        };
        self.sweep(&intent.list, mine).await
    }

    /// Deletes those webhooks of a list.
    pub(crate) async fn sweep(&self, list: &str, mine: impl Fn(&ListedWebhook) -> bool) -> Result<usize, String> {
        let (listed, _) = self.list(list).await?;
        let mut removed = 0;
        for one in listed.iter().filter(|one| mine(one)) {
            self.delete(&CreatedWebhook { url: one.url.clone() }).await?;
            removed += 1;
        }
        Ok(removed)
    }

    /// The URL of a project's webhooks.
    pub(crate) fn webhooks_of(&self, project: &Project) -> String {
        format!("{}/projects/{}/webhooks", self.profile.base_url, project.id)
    }

    async fn send(&self, method: Method, url: &str) -> Result<Exchange, String> {
        let project = self
            .profile
            .projects()
            .find(|project| url.contains(&format!("/projects/{}/", project.id)))
            .ok_or_else(|| format!("{url} belongs to no project of the profile"))?;
        let key = project.keys.get(&Identity::Full).ok_or_else(|| format!("{} has no key `full`", project.id))?;
        let mut headers = HeaderMap::new();
        let bearer = HeaderValue::from_str(&format!("Bearer {}", key.expose())).map_err(|error| error.to_string())?;
        headers.insert(AUTHORIZATION, bearer);
        let request = Request { method, url: url.to_owned(), headers, body: Bytes::new() };
        let mut tries = 0;
        loop {
            self.pacer.turn(&project.id).await;
            let answer = self.http.send(&request, false, system_now()).await?;
            tries += 1;
            if tries == 3 || !matches!(answer.status, 429 | 500..) {
                return Ok(answer);
            }
            let wait = answer.header("retry-after").and_then(|value| value.parse().ok()).unwrap_or(1_u64);
            tokio::time::sleep(Duration::from_secs(wait.min(60))).await;
        }
    }
}

/// Removes what the run has left open. Returns what it could not remove.
pub(crate) async fn settle(
    access: WebhookAccess<'_>,
    open: OpenEntries,
    journal: Option<&Journal>,
) -> (usize, Vec<String>) {
    let (mut removed, mut failed) = (0, Vec::new());
    for made in open.made {
        match access.delete(&made).await {
            Ok(()) => {
                removed += 1;
                failed.extend(journal.and_then(|journal| journal.removed(&made).err()).map(|error| error.to_string()));
            }
            Err(error) => failed.push(error),
        }
    }
    for (number, intent) in open.intents {
        match access.settle(&intent).await {
            Ok(count) => {
                removed += count;
                failed.extend(journal.and_then(|journal| journal.settled(number).err()).map(|error| error.to_string()));
            }
            Err(error) => failed.push(error),
        }
    }
    (removed, failed)
}

/// Of which run what is left is to be removed.
#[derive(Debug, Clone)]
pub enum Leftovers {
    /// Of the run of this id: what its journal says, where it is there, and every webhook with its marker.
    Run(String),
    /// Of the run whose journal this is.
    Journal(PathBuf),
    /// Every webhook with the marker of a run, whichever it was.
    AnyRun,
}

/// Removes the leftovers of a run from the deployment, and nothing else. Returns the number of removed webhooks, and a
/// sentence for each that could not be removed.
///
/// # Errors
///
/// Returns an error if the profile or the journal cannot be used.
pub async fn clean_up(profile: &Profile, leftovers: &Leftovers) -> Result<(usize, Vec<String>), RunError> {
    profile.validate()?;
    let options = Options::default();
    let http = Http::new(profile, options.patience(), options.give_up_after).map_err(RunError::setup)?;
    let pacer = Pacer::new(options.requests_per_minute);
    let access = WebhookAccess { http: &http, pacer: &pacer, profile };
    let path = match leftovers {
        Leftovers::Journal(path) => Some(path.clone()),
        Leftovers::Run(run) => Some(path_of(run)).filter(|path| path.exists()),
        Leftovers::AnyRun => None,
    };
    let (mut removed, mut failed, mut of_run) = (0, Vec::new(), None);
    if let Some(path) = &path {
        let unreadable = |error| RunError::setup(format!("cannot read the journal {}: {error}", path.display()));
        let (run, open) = Journal::read(path).map_err(unreadable)?;
        (removed, failed) = settle(access, open, None).await;
        of_run = run;
    }
    let marker = match leftovers {
        Leftovers::Run(run) => format!("{MARKER}{run}/"),
        Leftovers::Journal(_) => of_run.map_or_else(|| MARKER.to_owned(), |run| format!("{MARKER}{run}/")),
        Leftovers::AnyRun => MARKER.to_owned(),
    };
    for project in profile.projects().filter(|project| project.keys.contains_key(&Identity::Full)) {
        match access.sweep(&access.webhooks_of(project), |one| one.target.contains(&marker)).await {
            Ok(count) => removed += count,
            Err(error) => failed.push(error),
        }
    }
    if let (Some(path), true) = (path, failed.is_empty()) {
        let unremovable = |error| RunError::setup(format!("cannot remove the journal {}: {error}", path.display()));
        std::fs::remove_file(&path).map_err(unremovable)?;
    }
    Ok((removed, failed))
}
