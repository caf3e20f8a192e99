//! Webhooks and publishes of a check.

use http::Method;
use serde_json::{Value, json};

use super::answer::CheckedExchange;
use super::context::{Cx, lock};
use super::endpoint::Endpoint;
use super::job::EndedRun;
use super::text::shortened;
use crate::claim::Claim;
use crate::outcome::{NotRun, Stop};
use crate::profile::Project;

/// A webhook that the check has made. It is deleted when the check ends.
#[derive(Debug, Clone)]
pub struct Webhook {
    /// Its id.
    pub id: String,
    /// Its secret.
    pub secret: String,
    cx: Cx,
    project: Project,
}

/// A publish that was made.
#[derive(Debug, Clone)]
pub struct Published {
    /// The id of the version.
    pub version_id: String,
    /// The whole answer.
    pub body: Value,
}

/// Answers in a row that agree, until it is taken that all processes of a deployment do.
pub(crate) const IN_A_ROW: usize = 4;

impl Cx {
    /// Makes a webhook in the check's project, as a positive control. `events` empty: `strings.published`.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be made.
    pub async fn webhook(&self, endpoint: &Endpoint, events: &[&str]) -> Result<Webhook, Stop> {
        self.webhook_in(self.lane(), endpoint.url(), events).await
    }

    /// Makes a webhook in a project, as a positive control.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be made.
    pub async fn webhook_in(&self, project: &Project, url: &str, events: &[&str]) -> Result<Webhook, Stop> {
        let events = if events.is_empty() { &["strings.published"] } else { events };
        let body = json!({ "url": url, "events": events });
        let made = self.call_on(project, Method::POST, "/webhooks").json(&body).send().await?;
        let body = made.control("POST /webhooks with a public https URL")?.json()?;
        let text = |name: &str| body[name].as_str().unwrap_or_default().to_owned();
        let (id, secret) = (text("webhookId"), text("secret"));
        self.control(!id.is_empty() && !secret.is_empty(), "POST /webhooks gives webhookId and secret")?;
        Ok(Webhook { id, secret, cx: self.clone(), project: project.clone() })
    }

    /// The project's webhooks, in either form of AMB-18.
    ///
    /// # Errors
    ///
    /// Returns an error if they cannot be listed.
    pub async fn webhooks(&self) -> Result<Vec<Value>, Stop> {
        self.webhooks_of(self.lane()).await
    }

    /// The webhooks of a project.
    ///
    /// # Errors
    ///
    /// Returns an error if they cannot be listed.
    pub async fn webhooks_of(&self, project: &Project) -> Result<Vec<Value>, Stop> {
        let list = self.call_on(project, Method::GET, "/webhooks").send().await?;
        let body = list.control("GET /webhooks")?.json()?;
        let list = if body.is_array() { &body } else { &body["webhooks"] };
        let entries = list.as_array().cloned();
        entries.ok_or_else(|| Cx::deviation("a list of webhooks", shortened(&body.to_string())))
    }

    /// Publishes the strings of the check's project, as a positive control. The lane gets a key first, where it has none.
    ///
    /// # Errors
    ///
    /// Returns an error if that is not possible.
    pub async fn publish(&self) -> Result<Published, Stop> {
        self.publish_as(&self.profile().bodies.publish).await
    }

    /// Like [`publish`](Self::publish), with this body.
    ///
    /// # Errors
    ///
    /// Returns an error if that is not possible.
    pub async fn publish_as(&self, body: &Value) -> Result<Published, Stop> {
        self.seeded().await?;
        self.lane_hold().spend_publish()?;
        let answer = self.post("/publish").json(body).send().await?;
        let body = answer.control("POST /publish")?.json()?;
        let version_id = body["versionId"].as_str().unwrap_or_default().to_owned();
        Ok(Published { version_id, body })
    }

    /// Waits until a manifest of the check's project shows a version, as a positive control. What was published before may be
    /// kept for a moment on its way, and by each of several processes that answer in turn: all of a few answers in a row have to
    /// show it.
    ///
    /// # Errors
    ///
    /// Returns an error if it does not come about within the run's patience.
    pub async fn shown(&self, manifest: &str, version: &str) -> Result<CheckedExchange, Stop> {
        let shows =
            |answer: &CheckedExchange| answer.status == 200 && answer.json().is_ok_and(|it| it["versionId"] == version);
        let ask = async || {
            let mut answer = self.at(Method::GET, manifest).header("cache-control", "no-cache").send().await?;
            for _ in 1..IN_A_ROW {
                if !shows(&answer) {
                    break;
                }
                answer = self.at(Method::GET, manifest).header("cache-control", "no-cache").send().await?;
            }
            Ok::<_, Stop>(answer)
        };
        self.eventually("the published version in the manifest", ask, shows).await
    }

    /// Makes an earlier version of the check's project live again, as a positive control.
    ///
    /// # Errors
    ///
    /// Returns an error if that is not possible.
    pub async fn restore(&self, version_id: &str) -> Result<Published, Stop> {
        self.lane_hold().spend_publish()?;
        let answer = self.post(&format!("/versions/{version_id}/restore")).json(&json!({})).send().await?;
        let body = answer.control("POST /versions/{versionId}/restore")?.json()?;
        Ok(Published { version_id: version_id.to_owned(), body })
    }

    /// Makes sure that the check's project has at least one translated key.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot get one.
    pub async fn seeded(&self) -> Result<(), Stop> {
        if self.lane_hold().is_seeded() {
            return Ok(());
        }
        if self.claims(Claim::Translate) {
            self.translated().await?;
        }
        self.lane_hold().seeded();
        Ok(())
    }

    /// Registers a new key with `POST /translate` and waits for the end of its job, as a positive control.
    ///
    /// # Errors
    ///
    /// Returns an error if the job does not end.
    pub async fn translated(&self) -> Result<EndedRun, Stop> {
        let body = self.filled(&self.profile().bodies.translate);
        self.run_to_its_end(self.lane(), self.post("/translate").json(&body), "POST /translate").await
    }

    /// A body of the profile with `{unique}` filled in.
    #[must_use]
    pub fn filled(&self, body: &Value) -> Value {
        let text = body.to_string().replace("{unique}", &self.unique());
        serde_json::from_str(&text).unwrap_or(Value::Null)
    }
}

/// An entry of a log, with that first by which most checks judge it: a report has room for its beginning alone.
fn told(entry: &Value) -> String {
    match entry {
        Value::Null => "no such entry".to_owned(),
        entry => shortened(&format!("status {}, attempts {}: {entry}", entry["status"], entry["attempts"])),
    }
}

impl Webhook {
    /// A path under it: `""`, `/rotate-secret`, `/deliveries`.
    #[must_use]
    pub fn path(&self, rest: &str) -> String {
        format!("/webhooks/{}{rest}", self.id)
    }

    /// Its delivery log.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be read.
    pub async fn log(&self) -> Result<Vec<Value>, Stop> {
        let call = self.cx.call_on(&self.project, Method::GET, &self.path("/deliveries"));
        let body = call.send().await?.control("GET deliveries")?.json()?;
        let entries = body["deliveries"].as_array().cloned();
        entries.ok_or_else(|| Cx::deviation("{deliveries: […]}", shortened(&body.to_string())))
    }

    /// Waits until the newest entry of its log is as it should be.
    ///
    /// # Errors
    ///
    /// The deviation, where it does not come about within the run's patience.
    pub async fn newest(&self, what: &str, holds: impl Fn(&Value) -> bool) -> Result<Value, Stop> {
        let newest = |log: Vec<Value>| log.into_iter().next();
        self.logged(newest, &format!("a newest delivery with {what}"), holds).await
    }

    /// Waits until the entry of its log about that event is as it should be.
    ///
    /// # Errors
    ///
    /// The deviation, where it does not come about within the run's patience.
    pub async fn entry(&self, event_id: &str, what: &str, holds: impl Fn(&Value) -> bool) -> Result<Value, Stop> {
        let mine = |log: Vec<Value>| log.into_iter().find(|entry| entry["eventId"] == event_id);
        self.logged(mine, &format!("in the log, the delivery of {event_id} with {what}"), holds).await
    }

    /// Waits until the picked entry is as it should be. The deviation tells of the entry that was seen last.
    async fn logged(
        &self,
        pick: impl Fn(Vec<Value>) -> Option<Value>,
        expected: &str,
        holds: impl Fn(&Value) -> bool,
    ) -> Result<Value, Stop> {
        let last = std::sync::Mutex::new(Value::Null);
        let picked = async || {
            let entry = pick(self.log().await?).unwrap_or(Value::Null);
            lock(&last).clone_from(&entry);
            Ok::<_, Stop>(entry)
        };
        match self.cx.eventually(expected, picked, |entry| holds(entry)).await {
            Err(Stop::NotRun(NotRun::PrerequisiteFailed(_))) => Err(Cx::deviation(expected, told(&lock(&last)))),
            other => other,
        }
    }

    /// Asks for a delivery to be sent again, as a positive control.
    ///
    /// # Errors
    ///
    /// Returns an error if it is refused.
    pub async fn resend(&self, entry: &Value) -> Result<(), Stop> {
        let id = entry["deliveryId"].as_str().unwrap_or_default();
        let call = self.cx.call_on(&self.project, Method::POST, &self.path(&format!("/deliveries/{id}/resend")));
        call.send().await?.control("POST …/resend of a delivery that no attempt is in flight of")?;
        Ok(())
    }

    /// The current entry of its log.
    ///
    /// # Errors
    ///
    /// Returns an error if the webhook is no longer listed.
    pub async fn read(&self) -> Result<Value, Stop> {
        let all = self.cx.webhooks_of(&self.project).await?;
        let mine = all.into_iter().find(|one| one["webhookId"].as_str() == Some(&self.id));
        mine.ok_or_else(|| Cx::deviation(format!("the webhook {} is listed", self.id), "it is not"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_told_with_its_status_before_what_is_long() {
        let entry = json!({"attempts": 2, "lastError": "a long reason ".repeat(40), "status": "delivering"});
        assert!(told(&entry).starts_with("status \"delivering\", attempts 2: {"));
        assert_eq!(told(&Value::Null), "no such entry");
    }
}
