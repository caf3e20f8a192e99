//! Writes whose servers are killed in the middle of them: what their receipts say is what happened.

use std::time::{Duration, Instant};

use l10n_server::both_engines;
use l10n_server::store::Tx;
use l10n_server::testing::{TEST_TIMEOUT, TestStore};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::{Value, json};

use super::rounds;
use super::server::Server;
use crate::process::{client, command, feed, get, post, run, stdout};

both_engines!(receipts_of_a_killed_server_tell_the_truth);

/// API-COMPLETION 2 and 9, OPS-4: whatever is killed in the middle of a translate, a publish or an approval, a receipt says
/// `succeeded` if and only if the effect is there, and no approval is used twice.
async fn receipts_of_a_killed_server_tell_the_truth(store: TestStore) {
    let seed = std::env::var("L10N_SEED").map_or_else(|_| u64::from(std::process::id()), |seed| seed.parse().unwrap());
    println!("L10N_SEED={seed} L10N_ROUNDS={}", rounds());
    let mut proof = Proof::begin(&store, StdRng::seed_from_u64(seed)).await;
    proof.measure().await;
    for round in 0..rounds() {
        let id = format!("round-{round}");
        match round % 3 {
            0 => proof.translate(&id).await,
            1 => proof.publish(&id).await,
            _ => proof.approve_and_publish(&id).await,
        }
    }
    proof.end().await;
}

struct Proof {
    store: TestStore,
    server: Server,
    folder: tempfile::TempDir,
    project: String,
    key: String,
    agent: String,
    random: StdRng,
    /// The usual duration of a write on this machine.
    usual: Duration,
    landed: usize,
}

impl Proof {
    async fn begin(store: &TestStore, random: StdRng) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let environment = [
            ("L10N_SERVER_DATABASE_URL", store.url()),
            ("L10N_SERVER_LIMITS_REQUESTS_PER_MINUTE", "100000000"),
            ("L10N_SERVER_LIMITS_PUBLISHES_PER_DAY", "100000000"),
            ("L10N_SERVER_SECRETS_MASTER_KEY", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="),
        ];
        let environment = environment.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let key = |label: &str, kind: &str| json!({"label": label, "scopes": ["admin"], "kind": kind});
        let tree = json!({"workspaces": [{"handle": "acme", "credits": 1_000, "projects": [{
            "slug": "app", "name": "App", "baseLanguage": "en", "languages": ["de", "fr"],
            "keys": [key("ci", "ci"), key("agent", "agent")],
        }]}]});
        let output = feed(folder.path(), &["provision", "-", "--database-url", store.url()], &tree.to_string());
        let made: Value = serde_json::from_str(&stdout(&output)).unwrap();
        let project = &made["workspaces"][0]["projects"][0];
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let mut server = Server::new(folder.path(), &environment);
        server.start();
        server.ready().await;
        Self {
            store: store.clone(),
            server,
            project: text(&project["projectId"]),
            key: text(&project["keys"][0]["key"]),
            agent: text(&project["keys"][1]["key"]),
            folder,
            random,
            usual: Duration::ZERO,
            landed: 0,
        }
    }

    /// Sees how long a write takes that nobody cuts short.
    async fn measure(&mut self) {
        let began = Instant::now();
        self.something_to_publish().await;
        let (status, published) = post(&self.url("/publish"), &self.key, &json!({})).await;
        assert_eq!(status, 201, "{published}");
        self.usual = began.elapsed() / 2;
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.server.project(&self.project))
    }

    /// Sends a write under its own id, kills the server some moment after, and starts it again.
    async fn cut(&mut self, path: &str, key: &str, id: &str, body: &Value) {
        let request = client().post(self.url(path)).bearer_auth(key).header("x-correlation-id", id);
        let sent = tokio::spawn(request.body(body.to_string()).send());
        self.some_moment().await;
        self.server.kill();
        let _ = sent.await.unwrap();
        self.server.start();
        self.server.ready().await;
    }

    async fn some_moment(&mut self) {
        let longest = 2 * self.usual.as_micros().max(1_000);
        let some = self.random.random_range(0..u64::try_from(longest).unwrap());
        tokio::time::sleep(Duration::from_micros(some)).await;
    }

    /// Returns true if the receipt of a write says that it succeeded. An expired one means the same as a failed one:
    /// the server that it ran on is dead.
    async fn says_landed(&mut self, id: &str) -> bool {
        let (status, receipt) = get(&self.url(&format!("/requests/{id}")), &self.key).await;
        let landed = status == 200 && receipt["status"] == "succeeded";
        assert!(landed || status == 404 || receipt["status"] == "failed" || self.store.is_shared(), "{receipt}");
        self.landed += usize::from(landed);
        landed
    }

    async fn translate(&mut self, id: &str) {
        let keys: Vec<Value> =
            (0..50).map(|n| json!({"ref": format!("{id}.{n}"), "text": format!("Text {n} of {id}")})).collect();
        let key = self.key.clone();
        self.cut("/translate", &key, id, &json!({ "keys": keys })).await;
        let landed = self.says_landed(id).await;
        let jobs = self.count("SELECT COUNT(*) FROM jobs WHERE request_id = $1", id).await;
        let kept = self.count("SELECT COUNT(*) FROM keys WHERE ref = $1", &format!("{id}.49")).await;
        assert_eq!((jobs, kept), (i64::from(landed), i64::from(landed)), "{id}");
    }

    async fn publish(&mut self, id: &str) {
        let key = self.key.clone();
        self.something_to_publish().await;
        self.cut("/publish", &key, id, &json!({ "label": id })).await;
        let landed = self.says_landed(id).await;
        assert_eq!(self.versions(id).await, i64::from(landed), "{id}");
    }

    /// A person's approval is cut short, then the agent's publish that uses it, and then it is tried to be used once more.
    async fn approve_and_publish(&mut self, id: &str) {
        let agent = self.agent.clone();
        self.something_to_publish().await;
        let (status, operation) = post(&self.url("/operations"), &agent, &json!({"kind": "publish"})).await;
        assert_eq!(status, 201, "{operation}");
        let operation = operation["operationId"].as_str().unwrap().to_owned();
        let url = self.store.url().to_owned();
        let arguments = ["operations", "approve", &operation, "--by", "Ada", "--database-url", &url];
        let mut approving = command(self.folder.path(), &arguments);
        let mut approving = approving.stdout(std::process::Stdio::null()).spawn().unwrap();
        self.some_moment().await;
        approving.kill().unwrap();
        approving.wait().unwrap();
        let (_, read) = get(&self.url(&format!("/operations/{operation}")), &agent).await;
        if read["status"] == "pending" {
            stdout(&run(self.folder.path(), &arguments));
        }
        let body = json!({"label": id, "operationId": operation});
        self.cut("/publish", &agent, id, &body).await;
        let landed = self.says_landed(id).await;
        let (_, read) = get(&self.url(&format!("/operations/{operation}")), &agent).await;
        assert_eq!(read["status"], if landed { "used" } else { "approved" }, "{read}");
        let (status, again) = post(&self.url("/publish"), &agent, &body).await;
        assert_eq!(status, if landed { 403 } else { 201 }, "{again}");
        assert_eq!(self.versions(id).await, 1, "{id}");
    }

    async fn something_to_publish(&self) {
        let keys = json!({"keys": [{"ref": "hello", "text": "Hello"}]});
        let (status, answer) = post(&self.url("/translate"), &self.key, &keys).await;
        assert!(matches!(status, 200 | 202), "{status}: {answer}");
    }

    async fn versions(&self, label: &str) -> i64 {
        self.count("SELECT COUNT(*) FROM versions WHERE label = $1", label).await
    }

    async fn count(&self, sql: &'static str, value: &str) -> i64 {
        match self.store.store().begin_read().await.unwrap() {
            Tx::Sqlite(mut tx) => sqlx::query_scalar(sql).bind(value).fetch_one(&mut *tx).await.unwrap(),
            Tx::Postgres(mut tx) => sqlx::query_scalar(sql).bind(value).fetch_one(&mut *tx).await.unwrap(),
        }
    }

    /// All jobs end, and with them every hold; what was paid is what the ledger says.
    async fn end(self) {
        const UNFINISHED: &str = "SELECT COUNT(*) FROM jobs WHERE finished_at IS NULL AND tracking_token <> $1";
        const HELD: &str = "SELECT COUNT(*) FROM holds WHERE released_at IS NULL AND id <> $1";
        const UNBALANCED: &str = "SELECT COUNT(*) FROM workspaces w WHERE handle <> $1 AND balance <> \
            (SELECT SUM(amount) FROM ledger WHERE workspace_id = w.id)";
        // A killed worker's lease on a shared datastore takes a minute to run out.
        let ended = async {
            while self.count(UNFINISHED, "").await > 0 {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(TEST_TIMEOUT, ended).await.unwrap();
        assert_eq!((self.count(HELD, "").await, self.count(UNBALANCED, "").await), (0, 0));
        println!("{} of {} writes landed", self.landed, rounds());
    }
}
