//! Deliveries of the running server as others see them. `.ci/interop` hands them to verifiers that nobody here wrote.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use l10n_testkit::receiver::{Delivery, Receiver};
use l10n_webhook_verify::{EVENT_ID_HEADER, SIGNATURE_HEADER, Verifier};
use serde_json::{Value, json};

use crate::process::{Running, post};

/// SIG-2, SIG-5, SIG-6, SIG-12, WH-RO-2: signed with the whole secret, and with both after a rotation, the newest first. Where
/// `L10N_INTEROP_FILE` names a file, the deliveries are written to it.
#[tokio::test]
async fn a_delivery_bears_a_signature_of_each_secret() {
    let folder = tempfile::tempdir().unwrap();
    let receiver = Receiver::start().await.unwrap();
    std::fs::write(folder.path().join("receiver.pem"), receiver.ca_pem()).unwrap();
    let server = Running::dev_with(folder.path(), &["--webhooks-extra-ca", "receiver.pem"]);
    let (key, base) = (server.say("apiKey"), format!("{}/projects/{}", server.say("baseUrl"), server.say("projectId")));
    let ask = async |path: &str, body: &Value| {
        let (status, answer) = post(&format!("{base}{path}"), &key, body).await;
        assert!((200..300).contains(&status), "{path}: {status}: {answer}");
        answer
    };
    // Text that is longer in bytes than in characters, and a label that JSON escapes.
    ask("/translate", &json!({"keys": [{"ref": "hello", "text": "Grüße 🌍"}]})).await;
    let hook = json!({"url": receiver.url("/hook"), "events": ["strings.published"]});
    let webhook = ask("/webhooks", &hook).await;
    let secret = |answer: &Value| answer["secret"].as_str().unwrap().to_owned();
    let first = secret(&webhook);
    ask("/publish", &json!({"label": "first \"ü\" \u{1f30d}"})).await;
    receiver.wait_for(1).await.unwrap();
    let path = format!("/webhooks/{}/rotate-secret", webhook["webhookId"].as_str().unwrap());
    let second = secret(&ask(&path, &json!({})).await);
    assert_ne!(first, second);
    ask("/publish", &json!({"label": "second"})).await;
    let deliveries = receiver.wait_for(2).await.unwrap();

    let signatures = |delivery: &Delivery| delivery.header(SIGNATURE_HEADER).unwrap().matches("v1=").count();
    assert_eq!(deliveries.iter().map(signatures).collect::<Vec<_>>(), [1, 2]);
    let accepts = |secret: &str, delivery: &Delivery| {
        let verifier = Verifier::new(secret).unwrap();
        verifier.verify(delivery.header(SIGNATURE_HEADER).unwrap(), &delivery.body).is_ok()
    };
    let accepted = |delivery: &Delivery| [accepts(&first, delivery), accepts(&second, delivery)];
    assert_eq!(deliveries.iter().map(accepted).collect::<Vec<_>>(), [[true, false], [true, true]]);
    let header = deliveries[1].header(SIGNATURE_HEADER).unwrap();
    let (newest_alone, _) = header.rsplit_once(",v1=").unwrap();
    Verifier::new(&second).unwrap().verify(newest_alone, &deliveries[1].body).unwrap();

    if let Ok(file) = std::env::var("L10N_INTEROP_FILE") {
        let written: Vec<Value> = deliveries
            .iter()
            .zip([(vec![&first], vec![&second]), (vec![&second, &first], vec![])])
            .map(|(delivery, (secrets, others))| {
                json!({
                    "header": delivery.header(SIGNATURE_HEADER), "body": STANDARD.encode(&delivery.body),
                    "eventId": delivery.header(EVENT_ID_HEADER), "secrets": secrets,
                    "wrongSecrets": others.into_iter().cloned().chain(["whsec_another".to_owned()]).collect::<Vec<_>>(),
                })
            })
            .collect();
        std::fs::write(file, Value::from(written).to_string()).unwrap();
    }
}
