//! Attempts after a failed one: 30 s, 2 min, 10 min, 1 h and 6 h later, and no seventh.

use std::time::Duration;

use http::StatusCode;
use serde_json::json;

use super::attempted;
use crate::check;
use crate::check::Check;
use crate::checks::arrival::{arrivals, ensure_between, event, event_id, of_event};
use crate::cx::{Cx, Endpoint, Webhook};
use crate::outcome::{CheckResult, Stop};
use crate::receiver::Answer;

pub(in crate::checks) const CHECKS: &[Check] = &[
    check! {
        id: "DEL-7", covers: ["DEL-7", "DEL-14"], needs: [Webhooks, Receiver, Publish], slots: 1, publishes: 1,
        waits: 32, run: the_first_retry
    },
    check! { id: "DEL-8", needs: [Webhooks, Receiver, Publish], slots: 1, publishes: 1, waits: 155, run: the_second_retry },
    check! {
        id: "DEL-9", covers: ["DEL-9", "DEL-10"], needs: [Webhooks, Receiver, Publish], slots: 1, publishes: 1,
        waits: 112360, run: all_retries
    },
];

/// The waits before the second to the sixth attempt, in seconds (§6.6).
pub(super) const WAITS: [u64; 5] = [30, 120, 600, 3_600, 21_600];

/// Time for a sender that thinks an attempt is due.
const SENDS: Duration = Duration::from_millis(1_200);

fn failure() -> Answer {
    Answer::status(StatusCode::BAD_GATEWAY)
}

/// A delivery whose attempts fail until its endpoint is told otherwise.
struct FailingDelivery {
    cx: Cx,
    endpoint: Endpoint,
    webhook: Webhook,
    event_id: String,
    /// Attempts that have ended.
    attempts: usize,
    /// The time at which the last of them ended, by the deployment's clock.
    ended: i64,
}

impl FailingDelivery {
    /// Publishes to an endpoint that answers like this in turn, and waits until the first attempt has failed.
    async fn begin(cx: &Cx, answers: impl IntoIterator<Item = Answer>) -> Result<Self, Stop> {
        let endpoint = cx.endpoint()?;
        let webhook = cx.webhook(&endpoint, &[]).await?;
        endpoint.answer_in_turn(answers);
        cx.publish().await?;
        let event_id = event_id(&endpoint.wait_for(1).await?[0]);
        let mut begun = Self { cx: cx.clone(), endpoint, webhook, event_id, attempts: 0, ended: 0 };
        begun.end_of_attempt().await?;
        Ok(begun)
    }

    /// Waits until the attempt after those that have ended has ended as well, and the log says so.
    async fn end_of_attempt(&mut self) -> CheckResult {
        let (id, place) = (self.event_id.clone(), self.attempts);
        let ended = |all: &[_]| of_event(all, &id).get(place).and_then(|one| one.ended);
        self.ended = self.cx.time_of(self.endpoint.wait_to_find("the end of an attempt", ended).await?);
        self.attempts += 1;
        let (what, count) = (format!("{} attempts", self.attempts), u64::try_from(self.attempts).unwrap_or(u64::MAX));
        self.webhook.entry(&self.event_id, &what, attempted(count)).await?;
        Ok(())
    }

    fn arrived(&self) -> Option<i64> {
        let mine = of_event(&self.endpoint.deliveries(), &self.event_id);
        mine.get(self.attempts).map(|next| self.cx.time_of(next.arrived))
    }

    /// Asserts that the next attempt comes so many seconds after the end of the last one, and no earlier.
    async fn next_after(&mut self, seconds: u64) -> CheckResult {
        let wait = i64::try_from(seconds).unwrap_or(i64::MAX).saturating_mul(1_000);
        // AMB-23: a deployment may be late by 10 s and a tenth.
        let (due, late) = (self.ended + wait, 10_000 + wait / 10);
        self.cx.pass_until(due - 2_000).await?;
        self.cx.sleep(SENDS).await;
        let arrived = match self.arrived() {
            Some(early) => early,
            None => {
                self.cx.pass_until(due + 1_000).await?;
                let next = arrivals(&self.endpoint, &self.event_id, self.attempts + 1);
                if tokio::time::timeout(SENDS, next).await.is_err() {
                    // The rest passes by itself, so that what comes at the last moment is not told to be later.
                    self.cx.pass_until(due + late - 5_000).await?;
                }
                arrivals(&self.endpoint, &self.event_id, self.attempts + 1).await?;
                self.arrived().unwrap_or_default()
            }
        };
        let what = format!("attempt {} comes {seconds} s after the one before", self.attempts + 1);
        ensure_between(&self.cx, &what, due, 1_000, late, arrived)
    }
}

async fn the_first_retry(cx: Cx) -> CheckResult {
    // However late the log is read, the retry meets another answer.
    let mut failing = FailingDelivery::begin(&cx, [failure(), Answer::ok()]).await?;
    failing.next_after(WAITS[0]).await?;
    let both = arrivals(&failing.endpoint, &failing.event_id, 2).await?;
    cx.equal("id in the body of the retry", &event(&both[0])["id"], &event(&both[1])["id"])?;
    let entry = failing.webhook.entry(&failing.event_id, "two attempts", attempted(2)).await?;
    cx.equal("status", &json!("delivered"), &entry["status"])
}

async fn the_second_retry(cx: Cx) -> CheckResult {
    let mut failing = FailingDelivery::begin(&cx, [failure()]).await?;
    failing.next_after(WAITS[0]).await?;
    failing.end_of_attempt().await?;
    failing.endpoint.answer(Answer::ok());
    failing.next_after(WAITS[1]).await
}

async fn all_retries(cx: Cx) -> CheckResult {
    let mut failing = FailingDelivery::begin(&cx, [failure()]).await?;
    for wait in WAITS {
        failing.next_after(wait).await?;
        failing.end_of_attempt().await?;
    }
    let entry = failing.webhook.entry(&failing.event_id, "six attempts", attempted(6)).await?;
    cx.equal("status after the sixth failed attempt", &json!("failed"), &entry["status"])?;
    cx.ensure(entry["nextAttemptAt"].is_null(), "no further attempt planned", entry["nextAttemptAt"].to_string())?;
    cx.pass(Duration::from_hours(24)).await?;
    cx.sleep(SENDS).await;
    cx.equal("attempts a day later", &6, &of_event(&failing.endpoint.deliveries(), &failing.event_id).len())?;
    // That it can be sent at all: where a person asks for it.
    failing.endpoint.answer(Answer::ok());
    failing.webhook.resend(&entry).await?;
    arrivals(&failing.endpoint, &failing.event_id, 7).await?;
    Ok(())
}
