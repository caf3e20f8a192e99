//! Whom a delivery goes to: who cannot prove to be the host gets nothing.

use serde_json::{Value, json};

use super::attempted;
use crate::check;
use crate::check::Check;
use crate::cx::Cx;
use crate::outcome::CheckResult;
use crate::receiver::Certificate;

pub(in crate::checks) const CHECKS: &[Check] = &[
    check! { id: "DEL-20", needs: [Webhooks, Receiver, Publish], slots: 4, publishes: 1, run: certificates_are_verified },
];

async fn certificates_are_verified(cx: Cx) -> CheckResult {
    let kinds = [
        ("in order", Certificate::Valid),
        ("for another host", Certificate::WrongHost),
        ("expired", Certificate::Expired),
        ("signed by itself", Certificate::SelfSigned),
    ];
    let mut made = Vec::new();
    for (name, kind) in kinds {
        let (receiver, origin) = cx.spare(|builder| builder.certificate(kind)).await?;
        let webhook = cx.webhook_in(cx.lane(), &format!("{origin}/hook"), &[]).await?;
        made.push((name, kind, receiver, webhook));
    }
    cx.publish().await?;
    for (name, kind, receiver, webhook) in &made {
        let entry = webhook.newest("one attempt", attempted(1)).await?;
        if *kind == Certificate::Valid {
            cx.control(entry["status"] == "delivered", "a delivery to a receiver whose certificate is in order")?;
            continue;
        }
        cx.case(format!("a certificate that is {name}"), async {
            cx.equal("status", &json!("pending"), &entry["status"])?;
            cx.equal("lastStatusCode", &Value::Null, &entry["lastStatusCode"])?;
            cx.equal("deliveries", &0, &receiver.deliveries().len())
        })
        .await?;
    }
    Ok(())
}
