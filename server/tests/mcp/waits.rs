//! Calls that wait, and a server that ends meanwhile.

use l10n_server::both_engines;
use l10n_server::testing::TestStore;

use crate::support::{Program, idle, two_keys};

both_engines!(a_call_that_waits_is_answered_when_the_server_ends);

/// Shutdown waits for no run: the call says that its run goes on, and the stream ends.
async fn a_call_that_waits_is_answered_when_the_server_ends(store: TestStore) {
    let app = idle(&store).await;
    let program = Program::of(&app);
    let (answer, seen) = program.begin(&app.project.keys.admin, "translate", two_keys()).await;
    drop(app);
    let rest = answer.text().await.unwrap();
    let last =
        format!("{seen}{rest}").lines().filter_map(|line| line.strip_prefix("data:")).next_back().map(str::to_owned);
    let last: serde_json::Value = serde_json::from_str(last.unwrap().trim()).unwrap();
    assert_eq!(last["result"]["structuredContent"]["status"], "running", "{last}");
}
