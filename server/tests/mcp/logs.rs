//! The log of agents' requests.

use std::io::{self, Write};
use std::sync::{Arc, LazyLock, Mutex};

use l10n_server::both_engines;
use l10n_server::testing::TestStore;
use serde_json::json;
use tracing_subscriber::filter::LevelFilter;

use crate::support::{Program, app};

both_engines!(no_line_holds_a_key_and_each_call_has_its_route);

/// The log of the whole process, down to what libraries trace.
static LOG: LazyLock<Log> = LazyLock::new(|| {
    let log = Log::default();
    let writer = log.clone();
    tracing_subscriber::fmt().json().with_max_level(LevelFilter::TRACE).with_writer(move || writer.clone()).init();
    log
});

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

async fn no_line_holds_a_key_and_each_call_has_its_route(store: TestStore) {
    LazyLock::force(&LOG);
    let app = app(&store, |_| {}).await;
    let program = Program::of(&app);
    for key in [&app.project.keys.read, &app.project.keys.revoked] {
        let params = json!({"name": "get_project", "arguments": {}});
        program.request(key, "tools/call", params).send().await.unwrap().text().await.unwrap();
    }
    let text = String::from_utf8_lossy(&LOG.0.lock().unwrap()).into_owned();
    let lines = |route: &str| {
        let route = format!("\"route\":\"{route}\"");
        let of = |line: &&str| line.contains("l10n_server::access") && line.contains(&route);
        text.lines().filter(of).filter(|line| line.contains(app.project.id.as_str())).count()
    };
    assert_eq!(lines("/mcp"), 1);
    assert!(lines("/projects/{projectId}/meta") >= 1);
    let calls: Vec<_> = text.lines().filter(|line| line.contains("l10n_server::access")).collect();
    assert!(
        calls.iter().all(|line| line.contains("\"client\":\"127.0.0.1\"")),
        "a call comes from its agent's address"
    );
    let (program_side, server_side): (Vec<_>, Vec<_>) = text.lines().partition(|line| is_of_the_program(line));
    drop(program_side);
    for key in app.project.keys.valid() {
        assert!(!server_side.iter().any(|line| line.contains(key)), "a key in the log");
    }
}

/// The test's own HTTP client logs as well.
fn is_of_the_program(line: &str) -> bool {
    line.contains("\"target\":\"reqwest") || line.contains("\"target\":\"hyper_util::client")
}
