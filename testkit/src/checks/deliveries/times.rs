//! Time limits of an attempt (§8).

use std::time::Duration;

use http::StatusCode;
use serde_json::{Value, json};

use super::attempted;
use crate::check;
use crate::check::Check;
use crate::cx::Cx;
use crate::outcome::CheckResult;
use crate::receiver::{Answer, Delivery, Gate, Handshake};

/// Time limit for an answer (§8).
const ANSWER: Duration = Duration::from_secs(10);
/// Time limit for opening a connection (§8).
const OPEN: Duration = Duration::from_secs(5);

pub(in crate::checks) const CHECKS: &[Check] = &[
    check! {
        id: "DEL-4", needs: [Webhooks, Receiver, Publish], slots: 2, publishes: 1, stalls: true,
        run: ten_seconds_for_an_answer
    },
    check! {
        id: "DEL-5", needs: [Webhooks, Receiver, Publish], slots: 2, publishes: 1, stalls: true,
        run: five_seconds_to_connect
    },
    check! {
        id: "DEL-6", needs: [Webhooks, Receiver, Publish], slots: 2, publishes: 1, stalls: true,
        run: a_body_holds_nobody_up
    },
    check! {
        id: "DEL-19", needs: [Webhooks, Receiver, Publish], slots: 2, publishes: 1, stalls: true,
        run: a_slow_one_delays_no_other
    },
];

async fn ten_seconds_for_an_answer(cx: Cx) -> CheckResult {
    let (soon, late) = (cx.endpoint()?, cx.endpoint()?);
    soon.answer(Answer::ok().after(cx.real(Duration::from_secs(8))));
    late.answer(Answer::ok().after(cx.real(Duration::from_secs(12))));
    let (within, beyond) = (cx.webhook(&soon, &[]).await?, cx.webhook(&late, &[]).await?);
    cx.publish().await?;
    soon.wait_for(1).await?;
    cx.sleep(cx.real(ANSWER)).await;
    cx.case("an answer after 8 s", async {
        let entry = within.newest("one attempt", attempted(1)).await?;
        cx.equal("status", &json!("delivered"), &entry["status"])
    })
    .await?;
    cx.case("an answer after 12 s", async {
        let entry = beyond.newest("one attempt", attempted(1)).await?;
        cx.equal("status", &json!("pending"), &entry["status"])?;
        cx.equal("lastStatusCode", &Value::Null, &entry["lastStatusCode"])
    })
    .await
}

async fn five_seconds_to_connect(cx: Cx) -> CheckResult {
    let late = |seconds| Handshake::Late(cx.real(Duration::from_secs(seconds)));
    let (_soon, soon) = cx.spare(|builder| builder.handshake(late(3))).await?;
    let (_slow, slow) = cx.spare(|builder| builder.handshake(late(7))).await?;
    let within = cx.webhook_in(cx.lane(), &format!("{soon}/hook"), &[]).await?;
    let beyond = cx.webhook_in(cx.lane(), &format!("{slow}/hook"), &[]).await?;
    cx.publish().await?;
    cx.sleep(cx.real(OPEN)).await;
    cx.case("TLS after 3 s", async {
        let entry = within.newest("one attempt", attempted(1)).await?;
        cx.equal("status", &json!("delivered"), &entry["status"])
    })
    .await?;
    cx.case("TLS after 7 s", async {
        let entry = beyond.newest("one attempt", attempted(1)).await?;
        cx.equal("status", &json!("pending"), &entry["status"])?;
        cx.equal("lastStatusCode", &Value::Null, &entry["lastStatusCode"])
    })
    .await
}

async fn a_body_holds_nobody_up(cx: Cx) -> CheckResult {
    const HUGE: u64 = 1024 * 1024 * 1024;
    let (slow, huge) = (cx.endpoint()?, cx.endpoint()?);
    let second = cx.real(Duration::from_secs(1));
    slow.answer(Answer::ok().after(second).drip(second));
    huge.answer(Answer::ok().huge(HUGE));
    let webhooks = [cx.webhook(&slow, &[]).await?, cx.webhook(&huge, &[]).await?];
    cx.publish().await?;
    slow.wait_for(1).await?;
    cx.sleep(cx.real(ANSWER)).await;
    let ended = |all: &[Delivery]| all.first().is_some_and(|one| one.ended.is_some());
    cx.case("a byte every second", async {
        let all = slow.wait_until("the end of an answer of a byte every second", ended).await?;
        let took = all[0].ended.map(|ended| ended - all[0].arrived).unwrap_or_default();
        // Ten seconds, and what a machine under load takes beside.
        cx.ensure(
            took <= cx.real(Duration::from_secs(15)),
            "the answer is dropped after 10 s",
            format!("after {took:?}"),
        )
    })
    .await?;
    cx.case("1 GiB", async {
        let all = huge.wait_until("the end of an answer of 1 GiB", ended).await?;
        // What the buffers of two machines hold is sent before anyone reads.
        let sent = all[0].sent;
        cx.ensure(sent < HUGE / 16, "an answer of 1 GiB is not read whole", format!("{sent} bytes of it were sent"))
    })
    .await?;
    for webhook in &webhooks {
        webhook.newest("one attempt", attempted(1)).await?;
    }
    Ok(())
}

async fn a_slow_one_delays_no_other(cx: Cx) -> CheckResult {
    let (slow, quick) = (cx.endpoint()?, cx.endpoint()?);
    let failing = || Answer::status(StatusCode::BAD_GATEWAY);
    let gate = Gate::closed();
    slow.answer_in_turn([failing(), failing().held(&gate)]);
    quick.answer_in_turn([failing(), Answer::ok()]);
    let (held, other) = (cx.webhook(&slow, &[]).await?, cx.webhook(&quick, &[]).await?);
    // Both are sent again before their retries, and one while the other's attempt is under way.
    cx.before_an_attempt().await;
    cx.publish().await?;
    let first = held.newest("one attempt", attempted(1)).await?;
    let second = other.newest("one attempt", attempted(1)).await?;
    held.resend(&first).await?;
    slow.wait_for(2).await?;
    other.resend(&second).await?;
    let quick = quick.wait_for(2).await?;
    let held_up = slow.deliveries().get(1).is_some_and(|slow| slow.overlaps(&quick[1]));
    gate.open();
    cx.ensure(held_up, "a delivery to one webhook while another holds its own", "it came when that had ended")
}
