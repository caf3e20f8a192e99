//! The request of a delivery and its signature (§6).

use http::{HeaderValue, Method};
use serde_json::Value;

use super::edit::{signature, signed};
use crate::mac::{decoded, hex, hmac, hmac_sha1};
use crate::mutants::delivery::{RelayAction, Relayed};
use crate::mutants::mutant::Mutant;

pub(super) const MUTANTS: &[Mutant] = mutants! {
    delivery "delivery_by_put" breaks "SIG-1" by ["SIG-3"]: "a delivery is a PUT",
        |relayed| {
            relayed.method = Method::PUT;
            RelayAction::Forward
        };
    delivery "delivery_as_form" breaks "SIG-1" by ["SIG-3"]: "a delivery says that it is a form",
        |relayed| {
            relayed.set_header("content-type", "application/x-www-form-urlencoded");
            RelayAction::Forward
        };
    delivery "signature_in_milliseconds" breaks "SIG-2" by ["SIG-5"]: "t is in milliseconds",
        |relayed| {
            signed(relayed, |relayed, secrets| {
                let t = relayed.timestamp() * 1_000;
                let message = relayed.message(t);
                relayed.sign(t, &secrets.iter().map(Vec::as_slice).collect::<Vec<_>>(), &message);
            })
        };
    delivery "signature_with_semicolon" breaks "SIG-2" by ["SIG-5"]: "the parts are set apart by semicolons",
        |relayed| signature(relayed, |text| text.replace(',', ";"));
    delivery "signature_with_spaces" breaks "SIG-2" by ["SIG-5"]: "a space follows each comma",
        |relayed| signature(relayed, |text| text.replace(',', ", "));
    delivery "event_id_header_of_the_webhook" breaks "SIG-3": "X-Service-Event-Id is that of the delivery",
        |relayed| {
            let id = format!("dlv_{}", relayed.number);
            relayed.set_header("x-service-event-id", &id);
            RelayAction::Forward
        };
    delivery "webhook_id_header_of_the_project" breaks "SIG-4" by ["SIG-3"]: "X-Service-Webhook-Id is the project's id",
        |relayed| {
            let event = serde_json::from_slice::<Value>(&relayed.body).unwrap_or_default();
            relayed.set_header("x-service-webhook-id", event["project"]["id"].as_str().unwrap_or_default());
            RelayAction::Forward
        };
    delivery "signature_key_unprefixed" breaks "SIG-5": "the key is the secret without whsec_",
        |relayed| {
            signed_by(relayed, |secret, message| hex(&hmac(secret.trim_start_matches("whsec_").as_bytes(), message)))
        };
    delivery "signature_key_decoded" breaks "SIG-5": "the key is the secret decoded from base64",
        |relayed| {
            signed_by(relayed, |secret, message| hex(&hmac(&decoded(secret.trim_start_matches("whsec_")), message)))
        };
    delivery "signature_without_time" breaks "SIG-5": "the body alone is signed",
        |relayed| {
            signed_by(relayed, |secret, message| {
                let dot = message.iter().position(|byte| *byte == b'.').map_or(0, |dot| dot + 1);
                hex(&hmac(secret.as_bytes(), &message[dot..]))
            })
        };
    delivery "signature_sha1" breaks "SIG-5": "the signature is HMAC-SHA1",
        |relayed| signed_by(relayed, |secret, message| hex(&hmac_sha1(secret.as_bytes(), message)));
    delivery "signature_upper_hex" breaks "SIG-5": "the signature is uppercase hex",
        |relayed| signed_by(relayed, |secret, message| hex(&hmac(secret.as_bytes(), message)).to_uppercase());
    delivery "signature_base64" breaks "SIG-5": "the signature is base64",
        |relayed| {
            use base64::Engine as _;
            let encode = |mac: Vec<u8>| base64::engine::general_purpose::STANDARD.encode(mac);
            signed_by(relayed, |secret, message| encode(hmac(secret.as_bytes(), message)))
        };
    delivery "signature_of_body_written_anew" breaks "SIG-5": "the body is parsed and written anew before it is signed",
        |relayed| {
            let ours = relayed.body.clone();
            let event = serde_json::from_slice::<Value>(&ours).unwrap_or_default();
            relayed.body = event.to_string().into();
            let fate = signed_by(relayed, |secret, message| hex(&hmac(secret.as_bytes(), message)));
            relayed.body = ours;
            fate
        };
    delivery "signature_of_indented_body" breaks "SIG-6" by ["SIG-5"]: "indented JSON is signed, and compact JSON sent",
        |relayed| {
            let ours = relayed.body.clone();
            let event = serde_json::from_slice::<Value>(&ours).unwrap_or_default();
            relayed.body = format!("{event:#}").into();
            let fate = signed_by(relayed, |secret, message| hex(&hmac(secret.as_bytes(), message)));
            relayed.body = ours;
            fate
        };
    delivery "signature_of_escaped_body" breaks "SIG-6" by ["SIG-5"]:
        "the body is signed with \\u escapes, and sent without",
        |relayed| {
            let ours = relayed.body.clone();
            let escaped =
                |one: char| if one.is_ascii() { one.to_string() } else { format!("\\u{:04x}", u32::from(one)) };
            relayed.body = String::from_utf8_lossy(&ours).chars().map(escaped).collect::<String>().into();
            let fate = signed_by(relayed, |secret, message| hex(&hmac(secret.as_bytes(), message)));
            relayed.body = ours;
            fate
        };
    delivery "signature_with_first_secret" breaks "SIG-7" by ["SIG-3"]:
        "all webhooks are signed with the first one's secret",
        |relayed| {
            let first: Vec<Vec<u8>> =
                relayed.all_secrets.iter().take(1).map(|secret| secret.clone().into_bytes()).collect();
            let t = relayed.timestamp();
            let message = relayed.message(t);
            relayed.sign(t, &first.iter().map(Vec::as_slice).collect::<Vec<_>>(), &message);
            RelayAction::Forward
        };
    delivery "signature_at_the_time_of_the_event" breaks "SIG-8": "t is the event's createdAt at every attempt",
        |relayed| {
            let event = serde_json::from_slice::<Value>(&relayed.body).unwrap_or_default();
            let created = event["createdAt"].as_str().and_then(|text| text.parse::<jiff::Timestamp>().ok());
            let t = created.map_or(0, jiff::Timestamp::as_second);
            signed(relayed, |relayed, secrets| {
                let message = relayed.message(t);
                relayed.sign(t, &secrets.iter().map(Vec::as_slice).collect::<Vec<_>>(), &message);
            })
        };
    delivery "signature_always_two" breaks "SIG-12" by ["SIG-5"]: "there are two v1 without a rotation",
        |relayed| {
            signature(relayed, |text| {
                let last = text.rsplit(',').next().unwrap_or_default();
                format!("{text},{last}")
            })
        };
    delivery "secret_in_a_header" breaks "SIG-13": "the secret itself is sent along",
        |relayed| {
            let secret = relayed.secrets.first().cloned().unwrap_or_default();
            relayed.set_header("x-secret", &secret);
            RelayAction::Forward
        };
    delivery "signature_header_twice" breaks "SIG-13": "the signature header is there twice",
        |relayed| {
            let value = relayed.headers.get("x-service-signature").cloned().unwrap_or(HeaderValue::from_static(""));
            relayed.headers.append("x-service-signature", value);
            RelayAction::Forward
        };
};

/// Signs a delivery anew, with what `value` makes of each secret and of `t`, the dot and the body.
fn signed_by(relayed: &mut Relayed, value: impl Fn(&str, &[u8]) -> String) -> RelayAction {
    signed(relayed, |relayed, secrets| {
        let t = relayed.timestamp();
        let message = relayed.message(t);
        let values: Vec<String> =
            secrets.iter().map(|secret| value(&String::from_utf8_lossy(secret), &message)).collect();
        let text = format!("t={t}{}", values.iter().map(|value| format!(",v1={value}")).collect::<String>());
        relayed.set_header("x-service-signature", &text);
    })
}
