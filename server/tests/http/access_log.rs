//! The log line of each request.

use std::io::{self, Write};
use std::sync::{Arc, LazyLock, Mutex};

use l10n_server::both_engines;
use l10n_server::testing::{TestApp, TestStore};

both_engines!(a_line_names_the_client_and_the_record_of_the_key_and_never_the_key);

/// The log of the whole process.
static LOG: LazyLock<Log> = LazyLock::new(|| {
    let log = Log::default();
    let writer = log.clone();
    tracing_subscriber::fmt().json().with_writer(move || writer.clone()).init();
    log
});

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap()).into_owned()
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

async fn a_line_names_the_client_and_the_record_of_the_key_and_never_the_key(store: TestStore) {
    LazyLock::force(&LOG);
    let app = TestApp::on(&store).await;
    let id = format!("log-{}", store.engine().as_str());
    app.get("/credential").header("x-correlation-id", &id).send().await;
    app.get("/credential").no_key().header("x-correlation-id", &format!("{id}-none")).send().await;
    let line = |id: &str| -> serde_json::Value {
        let text = LOG.text();
        let of = |line: &&str| line.contains("l10n_server::access") && line.contains(&format!("\"{id}\""));
        serde_json::from_str(text.lines().find(of).expect("a line of the request")).unwrap()
    };
    let fields = line(&id)["fields"].clone();
    assert_eq!(fields["client"], "127.0.0.1");
    assert_eq!(fields["route"], "/projects/{projectId}/credential");
    assert_eq!(fields["project"], app.project.id.as_str());
    assert!(fields["key"].as_str().unwrap().starts_with("key_"), "{fields}");
    let unknown = line(&format!("{id}-none"))["fields"].clone();
    assert_eq!((&unknown["key"], &unknown["status"]), (&"-".into(), &401.into()));
    for key in app.project.keys.valid() {
        assert!(!LOG.text().contains(key), "a key in the log");
    }
}
