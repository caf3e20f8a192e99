//! Names whose addresses are not public, or do not stay so (§4 rule 1).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use serde_json::{Value, json};
use tokio::sync::{Mutex, MutexGuard};

use crate::check;
use crate::check::Check;
use crate::checks::webhooks::{body, nothing_written, standing};
use crate::cx::SpareReceiver;
use crate::cx::{Cx, Webhook};
use crate::dns::NameServer;
use crate::errors::one_line;
use crate::outcome::{CheckResult, NotRun, Stop};
use crate::receiver::Receiver;

pub(in crate::checks) const CHECKS: &[Check] = &[
    check! { id: "WH-URL-10", needs: [Webhooks, Receiver, Dns], slots: 1, run: every_address },
    check! { id: "WH-URL-11", needs: [Webhooks, Receiver, Publish, Dns], slots: 1, publishes: 2, run: judged_again },
    check! { id: "WH-URL-12", needs: [Webhooks, Receiver, Publish, Dns], slots: 1, publishes: 5, run: no_rebinding },
];

const LOOPBACK: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// The zone is delegated to one address: one check at a time listens there.
static TURN: Mutex<()> = Mutex::const_new(());

/// The name server of the zone, and the public address of the receiver.
pub(super) struct Zone {
    pub(super) names: NameServer,
    pub(super) public: IpAddr,
    _turn: MutexGuard<'static, ()>,
}

pub(super) async fn zone(cx: &Cx) -> Result<Zone, Stop> {
    let lacking = || Stop::NotRun(NotRun::CapabilityMissing("the profile has no `dns`".to_owned()));
    let dns = cx.profile().dns.as_ref().ok_or_else(lacking)?;
    let turn = TURN.lock().await;
    let names = NameServer::start(&dns.zone, dns.listen).await;
    let names = names.map_err(|error| Stop::Error(format!("a name server on {}: {error}", dns.listen)))?;
    Ok(Zone { names, public: dns.public_address, _turn: turn })
}

/// Ports that are tried: another program of this machine may have one of them at the other address.
const PORTS: usize = 10;

/// A receiver whose name is in the zone, and one at the same port of this machine's loopback address, which must see
/// nothing.
async fn receivers(cx: &Cx, name: &str) -> Result<(SpareReceiver, String, Receiver), Stop> {
    let mut left = PORTS;
    loop {
        let (receiver, origin) = cx.spare(|builder| builder.host(name)).await?;
        let port = receiver.address().port();
        left -= 1;
        match Receiver::builder().address(LOOPBACK).port(port).start().await {
            Ok(tripwire) => return Ok((receiver, origin, tripwire)),
            Err(error) if error.is_address_in_use() && left > 0 => {}
            Err(error) => return Err(Stop::Error(format!("a receiver on {LOOPBACK}:{port}: {}", one_line(&error)))),
        }
    }
}

async fn create(cx: &Cx, url: &str) -> Result<Webhook, Stop> {
    let project = cx.lane().clone();
    cx.webhook_in(&project, url, &[]).await
}

/// AMB-38.
async fn every_address(cx: Cx) -> CheckResult {
    let zone = zone(&cx).await?;
    let (public, label) = (zone.public, cx.unique());
    let good = zone.names.set(&format!("good-{label}"), &[public]);
    create(&cx, &format!("https://{good}/")).await?;
    let before = standing(&cx).await?;
    let private: IpAddr = Ipv4Addr::new(10, 0, 0, 1).into();
    let sets: [(&str, Vec<IpAddr>); 6] = [
        ("private", vec![private]),
        ("public-then-private", vec![public, private]),
        ("private-then-public", vec![private, public]),
        ("public-and-v6-loopback", vec![public, Ipv6Addr::LOCALHOST.into()]),
        ("one-of-many", [vec![public; 9], vec![Ipv4Addr::new(169, 254, 169, 254).into()]].concat()),
        ("loopback", vec![LOOPBACK]),
    ];
    let mut names: Vec<_> = sets.iter().map(|(name, set)| zone.names.set(&format!("{name}-{label}"), set)).collect();
    names.push(zone.names.alias(&format!("alias-of-private-{label}"), &names[0]));
    names.push(zone.names.set(&format!("nothing-{label}"), &[]));
    for name in names {
        cx.case(name.clone(), async {
            let refused = cx.post("/webhooks").json(&body(&format!("https://{name}/"))).send().await?;
            refused.expect_error(400, "invalid_argument")?;
            Ok(())
        })
        .await?;
    }
    cx.case("written by one of them", nothing_written(&cx, &before)).await
}

async fn judged_again(cx: Cx) -> CheckResult {
    let zone = zone(&cx).await?;
    let label = cx.unique();
    let name = zone.names.set(&label, &[zone.public]);
    let (receiver, origin, tripwire) = receivers(&cx, &name).await?;
    let webhook = create(&cx, &format!("{origin}/hook")).await?;
    cx.publish().await?;
    cx.control(receiver.wait_for(1).await.is_ok(), "a delivery while the host's address is public")?;
    webhook.newest("status delivered", |entry| entry["status"] == "delivered").await?;

    zone.names.set(&label, &[LOOPBACK]);
    cx.publish().await?;
    let tried = |entry: &Value| entry["status"] == "pending" && entry["attempts"].as_u64() >= Some(1);
    let entry = webhook.newest("one attempt made, which failed", tried).await?;
    cx.equal("lastStatusCode of an attempt that was not sent", &Value::Null, &entry["lastStatusCode"])?;
    cx.equal("connections to the address that is not public", &0, &tripwire.connections())?;
    cx.equal("deliveries at the address before", &1, &receiver.deliveries().len())?;

    zone.names.set(&label, &[zone.public]);
    let resend = format!("/deliveries/{}/resend", entry["deliveryId"].as_str().unwrap_or_default());
    cx.post(&webhook.path(&resend)).send().await?.control("resend")?;
    cx.control(receiver.wait_for(2).await.is_ok(), "a delivery when the host's address is public again")
}

/// Deliveries that are attempted beside each other: one look at the log tells of them all. With one alone, the requests of this
/// check were more than a minute's.
const AT_ONCE: usize = 5;

/// 50 attempts, during which every other answer is loopback.
async fn no_rebinding(cx: Cx) -> CheckResult {
    const ROUNDS: usize = 10;
    let zone = zone(&cx).await?;
    let label = cx.unique();
    let name = zone.names.set(&label, &[zone.public]);
    let (receiver, origin, tripwire) = receivers(&cx, &name).await?;
    // Each attempt is to ask for the name anew: a connection that is kept would not.
    let webhook = create(&cx, &format!("{origin}/hook")).await?;
    for _ in 0..AT_ONCE {
        cx.publish().await?;
    }
    cx.control(receiver.wait_for(AT_ONCE).await.is_ok(), "deliveries while the host's address is public")?;
    zone.names.alternate(&label, &[vec![zone.public], vec![LOOPBACK]]);
    for _ in 0..ROUNDS {
        for entry in attempted(&cx, &webhook).await? {
            let resend = format!("/deliveries/{}/resend", entry["deliveryId"].as_str().unwrap_or_default());
            cx.post(&webhook.path(&resend)).send().await?.expect_one_of(&["200", "202", "204", "409"])?;
        }
    }
    attempted(&cx, &webhook).await?;
    cx.equal("connections to the address that is not public", &0, &tripwire.connections())?;
    let arrived = receiver.deliveries().len();
    cx.ensure(
        arrived > AT_ONCE,
        "attempts that go to the public address, when that is the answer",
        json!(arrived).to_string(),
    )
}

/// The entries of the log of a webhook with so many deliveries, once no attempt of them is in flight.
async fn attempted(cx: &Cx, webhook: &Webhook) -> Result<Vec<Value>, Stop> {
    let over = |entry: &Value| entry["status"] != "delivering" && entry["attempts"] != 0;
    let all_over = |log: &Vec<Value>| log.len() >= AT_ONCE && log.iter().all(over);
    match cx.eventually("no attempt in flight", || webhook.log(), all_over).await {
        Err(Stop::NotRun(_)) => {
            let last = Value::Array(webhook.log().await?).to_string();
            Err(Cx::deviation(format!("{AT_ONCE} deliveries with no attempt in flight"), last))
        }
        other => other,
    }
}
