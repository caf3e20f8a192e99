//! The request of a delivery and its signature (§6).

use http::{HeaderValue, Method};
use serde_json::Value;

use super::edit::{planted, signature, signed};
use crate::mac::{decoded, hex, hmac, hmac_sha1};
use crate::mutants::{Fate, Mutant, Relayed};

pub(super) const MUTANTS: &[Mutant] = &[
    planted("delivery_by_put", "SIG-1", "a delivery is a PUT", &["SIG-3"], |relayed| {
        relayed.method = Method::PUT;
        Fate::Forward
    }),
    planted("delivery_as_form", "SIG-1", "a delivery says that it is a form", &["SIG-3"], |relayed| {
        relayed.set_header("content-type", "application/x-www-form-urlencoded");
        Fate::Forward
    }),
    planted("signature_in_milliseconds", "SIG-2", "t is in milliseconds", &["SIG-5"], |relayed| {
        signed(relayed, |relayed, secrets| {
            let t = relayed.timestamp() * 1_000;
            let message = relayed.message(t);
            relayed.sign(t, &secrets.iter().map(Vec::as_slice).collect::<Vec<_>>(), &message);
        })
    }),
    planted("signature_with_semicolon", "SIG-2", "the parts are set apart by semicolons", &["SIG-5"], |relayed| {
        signature(relayed, |text| text.replace(',', ";"))
    }),
    planted("signature_with_spaces", "SIG-2", "a space follows each comma", &["SIG-5"], |relayed| {
        signature(relayed, |text| text.replace(',', ", "))
    }),
    planted(
        "event_id_header_of_the_webhook",
        "SIG-3",
        "X-Service-Event-Id is that of the delivery",
        &["SIG-3"],
        |relayed| {
            let id = format!("dlv_{}", relayed.number);
            relayed.set_header("x-service-event-id", &id);
            Fate::Forward
        },
    ),
    planted(
        "webhook_id_header_of_the_project",
        "SIG-4",
        "X-Service-Webhook-Id is the project's id",
        &["SIG-3"],
        |relayed| {
            let event = serde_json::from_slice::<Value>(&relayed.body).unwrap_or_default();
            relayed.set_header("x-service-webhook-id", event["project"]["id"].as_str().unwrap_or_default());
            Fate::Forward
        },
    ),
    planted("signature_key_unprefixed", "SIG-5", "the key is the secret without whsec_", &["SIG-5"], |relayed| {
        signed_by(relayed, |secret, message| hex(&hmac(secret.trim_start_matches("whsec_").as_bytes(), message)))
    }),
    planted("signature_key_decoded", "SIG-5", "the key is the secret decoded from base64", &["SIG-5"], |relayed| {
        signed_by(relayed, |secret, message| hex(&hmac(&decoded(secret.trim_start_matches("whsec_")), message)))
    }),
    planted("signature_without_time", "SIG-5", "the body alone is signed", &["SIG-5"], |relayed| {
        signed_by(relayed, |secret, message| {
            let dot = message.iter().position(|byte| *byte == b'.').map_or(0, |dot| dot + 1);
            hex(&hmac(secret.as_bytes(), &message[dot..]))
        })
    }),
    planted("signature_sha1", "SIG-5", "the signature is HMAC-SHA1", &["SIG-5"], |relayed| {
        signed_by(relayed, |secret, message| hex(&hmac_sha1(secret.as_bytes(), message)))
    }),
    planted("signature_upper_hex", "SIG-5", "the signature is uppercase hex", &["SIG-5"], |relayed| {
        signed_by(relayed, |secret, message| hex(&hmac(secret.as_bytes(), message)).to_uppercase())
    }),
    planted("signature_base64", "SIG-5", "the signature is base64", &["SIG-5"], |relayed| {
        use base64::Engine as _;
        let encode = |mac: Vec<u8>| base64::engine::general_purpose::STANDARD.encode(mac);
        signed_by(relayed, |secret, message| encode(hmac(secret.as_bytes(), message)))
    }),
    planted(
        "signature_of_body_written_anew",
        "SIG-5",
        "the body is parsed and written anew before it is signed",
        &["SIG-5"],
        |relayed| {
            let ours = relayed.body.clone();
            let event = serde_json::from_slice::<Value>(&ours).unwrap_or_default();
            relayed.body = event.to_string().into();
            let fate = signed_by(relayed, |secret, message| hex(&hmac(secret.as_bytes(), message)));
            relayed.body = ours;
            fate
        },
    ),
    planted(
        "signature_of_indented_body",
        "SIG-6",
        "indented JSON is signed, and compact JSON sent",
        &["SIG-5"],
        |relayed| {
            let ours = relayed.body.clone();
            let event = serde_json::from_slice::<Value>(&ours).unwrap_or_default();
            relayed.body = format!("{event:#}").into();
            let fate = signed_by(relayed, |secret, message| hex(&hmac(secret.as_bytes(), message)));
            relayed.body = ours;
            fate
        },
    ),
    planted(
        "signature_of_escaped_body",
        "SIG-6",
        "the body is signed with \\u escapes, and sent without",
        &["SIG-5"],
        |relayed| {
            let ours = relayed.body.clone();
            let escaped =
                |one: char| if one.is_ascii() { one.to_string() } else { format!("\\u{:04x}", u32::from(one)) };
            relayed.body = String::from_utf8_lossy(&ours).chars().map(escaped).collect::<String>().into();
            let fate = signed_by(relayed, |secret, message| hex(&hmac(secret.as_bytes(), message)));
            relayed.body = ours;
            fate
        },
    ),
    planted(
        "signature_with_first_secret",
        "SIG-7",
        "all webhooks are signed with the first one's secret",
        &["SIG-3"],
        |relayed| {
            let first: Vec<Vec<u8>> =
                relayed.all_secrets.iter().take(1).map(|secret| secret.clone().into_bytes()).collect();
            let t = relayed.timestamp();
            let message = relayed.message(t);
            relayed.sign(t, &first.iter().map(Vec::as_slice).collect::<Vec<_>>(), &message);
            Fate::Forward
        },
    ),
    planted(
        "signature_at_the_time_of_the_event",
        "SIG-8",
        "t is the event's createdAt at every attempt",
        &["SIG-8"],
        |relayed| {
            let event = serde_json::from_slice::<Value>(&relayed.body).unwrap_or_default();
            let created = event["createdAt"].as_str().and_then(|text| text.parse::<jiff::Timestamp>().ok());
            let t = created.map_or(0, jiff::Timestamp::as_second);
            signed(relayed, |relayed, secrets| {
                let message = relayed.message(t);
                relayed.sign(t, &secrets.iter().map(Vec::as_slice).collect::<Vec<_>>(), &message);
            })
        },
    ),
    planted("signature_always_two", "SIG-12", "there are two v1 without a rotation", &["SIG-5"], |relayed| {
        signature(relayed, |text| {
            let last = text.rsplit(',').next().unwrap_or_default();
            format!("{text},{last}")
        })
    }),
    planted("secret_in_a_header", "SIG-13", "the secret itself is sent along", &["SIG-13"], |relayed| {
        let secret = relayed.secrets.first().cloned().unwrap_or_default();
        relayed.set_header("x-secret", &secret);
        Fate::Forward
    }),
    planted("signature_header_twice", "SIG-13", "the signature header is there twice", &["SIG-13"], |relayed| {
        let value = relayed.headers.get("x-service-signature").cloned().unwrap_or(HeaderValue::from_static(""));
        relayed.headers.append("x-service-signature", value);
        Fate::Forward
    }),
];

/// Signs a delivery anew, with what `value` makes of each secret and of `t`, the dot and the body.
fn signed_by(relayed: &mut Relayed, value: impl Fn(&str, &[u8]) -> String) -> Fate {
    signed(relayed, |relayed, secrets| {
        let t = relayed.timestamp();
        let message = relayed.message(t);
        let values: Vec<String> =
            secrets.iter().map(|secret| value(&String::from_utf8_lossy(secret), &message)).collect();
        let text = format!("t={t}{}", values.iter().map(|value| format!(",v1={value}")).collect::<String>());
        relayed.set_header("x-service-signature", &text);
    })
}
