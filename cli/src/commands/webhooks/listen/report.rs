//! Prints the listener's observations, line by line.

use std::collections::HashMap;
use std::path::Path;

use l10n_client::api::Timestamp;
use l10n_webhook_verify::events::{Event, EventData};
use serde_json::{Value, json};

use super::receiver::{Delivery, Heard, Reply};
use crate::printer::Printer;
use crate::receiver::ReceiverResponse;
use crate::words::counted;

/// Prints deliveries, and remembers earlier ones.
pub(crate) struct DeliveryPrinter<'a> {
    printer: &'a Printer,
    authority: &'a Path,
    times: HashMap<String, u32>,
    distrusted: bool,
}

impl<'a> DeliveryPrinter<'a> {
    pub(crate) fn new(printer: &'a Printer, authority: &'a Path) -> Self {
        Self { printer, authority, times: HashMap::new(), distrusted: false }
    }

    pub(crate) fn tell(&mut self, heard: &Heard) {
        match heard {
            Heard::Delivery(delivery) => {
                let times = self.times.entry(delivery.event_id.clone()).or_default();
                *times += 1;
                self.printer.json(&object(delivery, *times));
                let sign = if is_success(&delivery.reply) { "✓" } else { "✗" };
                self.printer.line(format!("{sign} {} {}", clock(delivery.received_at), summary(&delivery.body)));
                self.printer.line(format!("    {}; {}", which(delivery, *times), reply(&delivery.reply)));
            }
            Heard::Refused(why) => {
                self.printer.json(&json!({ "type": "refused", "reason": why }));
                self.printer.warn(format!("a request is not from the service and was answered 400: {why}"));
            }
            Heard::Distrusted(why) if !self.distrusted => {
                self.distrusted = true;
                self.printer.json(&json!({ "type": "distrusted", "reason": why }));
                self.printer.warn(format!(
                    "the service does not trust this listener's certificate ({why}): name the data folder of the \
                     development server with --ca-dir, or set [webhooks] extra_ca = \"{}\" for the server and restart it",
                    self.authority.display()
                ));
            }
            Heard::Distrusted(_) => {}
        }
    }
}

fn object(delivery: &Delivery, times: u32) -> Value {
    let event: Value = serde_json::from_slice(&delivery.body).unwrap_or_default();
    let mut object = json!({
        "type": "delivery",
        "eventId": delivery.event_id,
        "times": times,
        "receivedAt": delivery.received_at,
        "signedAt": Timestamp::from_millis(delivery.signed_at.saturating_mul(1_000)),
        "event": event,
        "answer": match &delivery.reply {
            Reply::AsTold(answer) => answer.status(),
            Reply::Passed(status) => Some(*status),
            Reply::Unreachable(_) => Some(502),
        },
    });
    if let Reply::Unreachable(why) = &delivery.reply {
        object["forwardError"] = json!(why);
    }
    object
}

fn is_success(reply: &Reply) -> bool {
    match reply {
        Reply::AsTold(answer) => {
            *answer != ReceiverResponse::Slow && answer.status().is_some_and(|status| status / 100 == 2)
        }
        Reply::Passed(status) => status / 100 == 2,
        Reply::Unreachable(_) => false,
    }
}

fn reply(reply: &Reply) -> String {
    match reply {
        Reply::AsTold(answer) => answer.describe(),
        Reply::Passed(status) => format!("forwarded, answered {status}"),
        Reply::Unreachable(why) => format!("could not be forwarded ({why}), answered 502"),
    }
}

fn which(delivery: &Delivery, times: u32) -> String {
    let again = match times {
        1 => String::new(),
        2 => ", for the 2nd time".to_owned(),
        3 => ", for the 3rd time".to_owned(),
        _ => format!(", for the {times}th time"),
    };
    format!("{}{again}, signature verified", delivery.event_id)
}

/// The time of day, to the second, in UTC.
fn clock(time: Timestamp) -> String {
    let text = time.to_string();
    text.get(11..19).map_or_else(|| text.clone(), |clock| format!("{clock}Z"))
}

/// A summary of the event.
pub(crate) fn summary(body: &[u8]) -> String {
    let event = match Event::parse(body) {
        Ok(event) => event,
        Err(error) => return format!("signed, but {error}"),
    };
    let about = match &event.data {
        EventData::StringsPublished(data) => {
            let base = |is_base| if is_base { " (base)" } else { "" };
            let languages =
                data.languages.iter().map(|language| format!("{}{}", language.code, base(language.is_base)));
            let languages: Vec<String> = languages.collect();
            let keys = counted(data.key_count, "key");
            format!("{} ({}), {keys} in {}", data.label, data.version_id, languages.join(", "))
        }
        EventData::ContentPublished(data) => {
            let count = &data.summary;
            format!(
                "{} published, {} held, {} unchanged, {} skipped, {} too large ({})",
                counted(count.docs_published, "document"),
                count.docs_held,
                count.docs_unchanged,
                count.docs_skipped,
                count.docs_too_large,
                data.publish_id
            )
        }
        _ => String::from_utf8_lossy(body).into_owned(),
    };
    format!("{} of {}/{}: {about}", event.event_type, event.project.handle, event.project.slug)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_told_in_a_line_whatever_it_is() {
        let event = |kind: &str, data: Value| {
            let project = json!({"id": "prj_1", "handle": "demo", "slug": "app"});
            let event = json!({"id": "evt_1", "type": kind, "schemaVersion": 1, "createdAt": "2026-11-21T08:00:00.000Z",
                "project": project, "data": data});
            summary(event.to_string().as_bytes())
        };
        let languages = json!([{"code": "en", "isBase": true}, {"code": "de", "isBase": false}]);
        let strings = json!({"versionId": "ver_1", "label": "first", "keyCount": 2, "languages": languages});
        insta::assert_snapshot!(event("strings.published", strings),
            @"strings.published of demo/app: first (ver_1), 2 keys in en (base), de");
        let count = json!({"docsPublished": 1, "docsHeld": 2, "docsUnchanged": 3, "docsSkipped": 4, "docsTooLarge": 5});
        let content = json!({"publishId": "pub_1", "summary": count, "documents": [], "truncated": false});
        insta::assert_snapshot!(event("content.published", content),
            @"content.published of demo/app: 1 document published, 2 held, 3 unchanged, 4 skipped, 5 too large (pub_1)");
        assert!(event("later.kind", json!({"a": 1})).starts_with("later.kind of demo/app: {"));
        assert!(summary(b"[]").starts_with("signed, but the body is not an event"));
        assert_eq!(clock(Timestamp::from_millis(1_800_000_000_000)), "08:00:00Z");
    }
}
