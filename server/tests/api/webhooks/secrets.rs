//! The places in which a secret may appear.

use std::io::Write;
use std::sync::{Arc, Mutex, OnceLock};

use http::Method;
use l10n_server::both_engines;
use l10n_server::store::webhooks;
use l10n_server::testing::{TestApp, TestStore};
use l10n_server::vault::VaultError;
use serde_json::json;
use tracing_subscriber::EnvFilter;

use crate::webhooks::support::{create, patch, registration, rotate, row};

both_engines!(
    a_secret_is_shown_by_the_call_that_made_it_alone,
    a_database_holds_no_secret,
    a_sealed_secret_of_another_row_does_not_open,
);

/// WH-F-6: neither a later answer nor a line of the log has it.
async fn a_secret_is_shown_by_the_call_that_made_it_alone(store: TestStore) {
    let log = lines();
    let app = TestApp::on(&store).await;
    let webhook = create(&app).await;
    let rotated = rotate(&app, &webhook).await;
    let path = format!("/webhooks/{}", webhook.webhook_id);
    let mut answers = vec![
        app.get("/webhooks").send().await,
        patch(&app, &webhook, &json!({"enabled": false})).await,
        patch(&app, &webhook, &json!({"enabled": 1})).await,
        patch(&app, &webhook, &json!({"url": format!("http://1.1.1.1/?{}", webhook.secret)})).await,
        app.get(&format!("{path}/deliveries")).send().await,
        app.post(&format!("{path}/deliveries/dlv_0/resend")).send().await,
        app.get("/meta").send().await,
    ];
    for _ in 0..4 {
        create(&app).await;
    }
    answers.push(app.post("/webhooks").json(&registration()).send().await);
    answers.push(app.call(Method::DELETE, &path).send().await);
    for answer in &answers {
        let text = String::from_utf8_lossy(&answer.bytes);
        assert!(!text.contains(&webhook.secret) && !text.contains(&rotated.secret), "{text}");
        assert!(!text.contains("\"secret\""), "{text}");
        let headers = format!("{:?}", answer.headers);
        assert!(!headers.contains("whsec_"), "{headers}");
    }
    for shown in [format!("{webhook:?}"), format!("{rotated:?}"), format!("{:?}", app.service.vault)] {
        assert!(!shown.contains(&webhook.secret[6..]) && !shown.contains(&rotated.secret[6..]), "{shown}");
    }
    let lines = log.text();
    assert!(lines.contains("/projects/{projectId}/webhooks/{webhookId}"), "the log is being read");
    assert!(!lines.contains("whsec_"));
}

/// Secrets at rest: no row has a part of one that would help.
async fn a_database_holds_no_secret(store: TestStore) {
    let app = TestApp::on(&store).await;
    let webhook = create(&app).await;
    let rotated = rotate(&app, &webhook).await;
    let row = row(&app, &webhook).await;
    let bytes = [row.secret, row.previous_secret.unwrap()].concat();
    for secret in [&webhook.secret, &rotated.secret] {
        let parts = secret.as_bytes()[6..].windows(5);
        assert!(parts.into_iter().all(|part| !bytes.windows(5).any(|window| window == part)));
    }
    assert_eq!(row.secret_hint, rotated.secret[45..]);
    if let Some(path) = store.url().strip_prefix("sqlite:") {
        // The file with its write-ahead log is all that there is.
        let files = [path.to_owned(), format!("{path}-wal")];
        let bytes: Vec<u8> = files.iter().flat_map(|file| std::fs::read(file).unwrap_or_default()).collect();
        let find = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
        assert!(find(webhook.webhook_id.as_str()), "the row is in these files");
        assert!(!find(&webhook.secret) && !find(&rotated.secret) && !find("whsec_"));
    }
}

/// The webhook's id is part of the seal: whoever can write rows cannot make one webhook sign with another's secret.
async fn a_sealed_secret_of_another_row_does_not_open(store: TestStore) {
    let app = TestApp::on(&store).await;
    let (one, other) = (create(&app).await, create(&app).await);
    let sealed = row(&app, &one).await;
    let mut tx = app.service.store.begin_write().await.unwrap();
    let moved = webhooks::WebhookSecrets {
        id: other.webhook_id.clone(),
        secret: sealed.secret.clone(),
        secret_hint: sealed.secret_hint,
        previous_secret: None,
        previous_secret_expires_at: None,
    };
    webhooks::set_secrets(&mut tx, &moved).await.unwrap();
    tx.commit().await.unwrap();
    let moved = row(&app, &other).await.secret;
    assert!(app.service.vault.open(one.webhook_id.as_str(), &sealed.secret).is_ok());
    assert_eq!(app.service.vault.open(other.webhook_id.as_str(), &moved).unwrap_err(), VaultError::Damaged);
    // Its owner gets out of it.
    rotate(&app, &other).await;
}

/// Everything that this process logs from now on, whichever test is at it.
fn lines() -> &'static Lines {
    static LINES: OnceLock<Lines> = OnceLock::new();
    LINES.get_or_init(|| {
        let lines = Lines::default();
        let filter = EnvFilter::new("debug,l10n_server=trace,sqlx=trace");
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(lines.clone()).init();
        lines
    })
}

/// A log in memory.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Lines {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap()).into_owned()
    }
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl tracing_subscriber::fmt::MakeWriter<'_> for Lines {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}
