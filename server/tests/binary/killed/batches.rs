//! A translation job whose server is killed while an engine has a batch of it: charged is what is there.

use std::time::Duration;

use l10n_server::both_engines;
use l10n_server::store::Tx;
use l10n_server::testing::{TEST_TIMEOUT, TestStore};
use l10n_testkit::engines::{Behaviour, FakeEngines, Mount};
use serde_json::{Value, json};

use super::clocked::Setting;
use crate::process::{get, post, run, stdout};

both_engines!(what_a_killed_server_had_asked_an_engine_for_is_charged_once_it_is_there);

/// Texts, of which some are such that the engine does not take them.
const TEXTS: usize = 240;
const EACH_BAD: usize = 40;
const LANGUAGES: usize = 2;
/// Texts of a batch: a chunk of the job takes several.
const BATCH: usize = 30;
/// Calls that the engine has answered when the server is killed, counted from its start: none, some, and more than some of the
/// chunks take, all of which are under way at once.
const ANSWERED: [usize; 4] = [0, 3, 60, 90];
/// A lease is over by then, and no hold is.
const LATER: u32 = 90;

/// The money of the job and the texts that are there, as the database has them.
#[derive(Debug, PartialEq, Eq)]
struct Account {
    charged_by_job: i64,
    charged_by_chunks: i64,
    charged_by_ledger: i64,
    /// The characters of the sources that are translated: a price of 1 each.
    there: i64,
    translated: i64,
    /// Texts and price of the engine, as the job has them.
    of_engine: (i64, i64),
}

/// A project that an engine translates.
fn translated_by(store: TestStore, engine: &Mount) -> Setting {
    let setting = Setting::new(store, &["de", "fr"]);
    let table = format!(
        "engine = \"mine\"\n[engines.mine]\nkind = \"http\"\naddress = \"{}\"\nkey_file = \"mine.key\"\n\
         max_items = {BATCH}\n",
        engine.address()
    );
    std::fs::write(setting.folder.path().join("l10n-server.toml"), table).unwrap();
    std::fs::write(setting.folder.path().join("mine.key"), engine.key()).unwrap();
    setting
}

impl Setting {
    async fn account(&self) -> Account {
        const CHARGED: [&str; 3] = [
            "SELECT CAST(COALESCE(SUM(charged), 0) AS BIGINT) FROM jobs",
            "SELECT CAST(COALESCE(SUM(charged), 0) AS BIGINT) FROM job_chunks",
            "SELECT CAST(COALESCE(SUM(-amount), 0) AS BIGINT) FROM ledger WHERE kind = 'charge'",
        ];
        const THERE: &str = "SELECT CAST(COALESCE(SUM(k.characters), 0) AS BIGINT), COUNT(*) FROM translations t \
            JOIN keys k ON k.id = t.key_id AND k.source_hash = t.source_hash WHERE t.engine = 'mine'";
        const OF_ENGINE: &str = "SELECT CAST(COALESCE(SUM(texts), 0) AS BIGINT), CAST(COALESCE(SUM(charged), 0) AS BIGINT) \
            FROM job_engines WHERE engine = 'mine'";
        let mut charged = [0; 3];
        let ((there, translated), of_engine) = match self.store.begin_read().await.unwrap() {
            Tx::Sqlite(mut tx) => {
                for (sum, query) in charged.iter_mut().zip(CHARGED) {
                    *sum = sqlx::query_scalar(query).fetch_one(&mut *tx).await.unwrap();
                }
                let there = sqlx::query_as(THERE).fetch_one(&mut *tx).await.unwrap();
                (there, sqlx::query_as(OF_ENGINE).fetch_one(&mut *tx).await.unwrap())
            }
            Tx::Postgres(mut tx) => {
                for (sum, query) in charged.iter_mut().zip(CHARGED) {
                    *sum = sqlx::query_scalar(query).fetch_one(&mut *tx).await.unwrap();
                }
                let there = sqlx::query_as(THERE).fetch_one(&mut *tx).await.unwrap();
                (there, sqlx::query_as(OF_ENGINE).fetch_one(&mut *tx).await.unwrap())
            }
        };
        let [charged_by_job, charged_by_chunks, charged_by_ledger] = charged;
        Account { charged_by_job, charged_by_chunks, charged_by_ledger, there, translated, of_engine }
    }

    /// Waits until more texts are there.
    async fn until_more_than(&self, translated: i64) {
        let wait = async {
            while self.account().await.translated <= translated {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(TEST_TIMEOUT, wait).await.unwrap();
    }

    /// The account, which says the same wherever it is read.
    async fn sound_account(&self) -> Account {
        let account = self.account().await;
        let Account { charged_by_job, charged_by_chunks, charged_by_ledger, there, translated, of_engine } = account;
        assert_eq!([charged_by_job, charged_by_chunks, charged_by_ledger], [there; 3], "{account:?}");
        assert_eq!(of_engine, (translated, there), "{account:?}");
        account
    }
}

/// Waits until the engine has a call that it does not answer.
async fn until_stalled(engine: &Mount, before: usize) {
    let wait = async {
        while !engine.calls()[before..].iter().any(|call| call.behaviour == Behaviour::StallHead) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(TEST_TIMEOUT, wait).await.unwrap();
}

async fn what_a_killed_server_had_asked_an_engine_for_is_charged_once_it_is_there(store: TestStore) {
    let fakes = FakeEngines::start().await.unwrap();
    let engine = fakes.own();
    let setting = translated_by(store, engine);
    let keys: Vec<Value> = (0..TEXTS)
        .map(|n| {
            let what = if n % EACH_BAD == 0 { "invoice" } else { "letter" };
            json!({"ref": format!("k{n}"), "text": format!("Open the {what} with the number {n} of {{name}}")})
        })
        .collect();
    let mut job = String::new();
    let mut committed = 0;
    for (round, answered) in (0..).zip(ANSWERED) {
        // Batches with a text that it does not take are halved, so that an answer is not always a batch.
        let script = std::iter::repeat_n(Behaviour::NotWith("invoice"), answered);
        engine.script(script.chain(std::iter::repeat_n(Behaviour::StallHead, 8)));
        let before = engine.calls().len();
        let mut server = setting.server(round * LATER).await;
        let project = server.project(&setting.project);
        if round == 0 {
            let (status, made) = post(&format!("{project}/translate"), &setting.key, &json!({ "keys": keys })).await;
            assert_eq!(status, 202, "{made}");
            job = format!("/translations?trackingToken={}&limit=1", made["trackingToken"].as_str().unwrap());
        }
        until_stalled(engine, before).await;
        if round + 1 == ANSWERED.len() as u32 {
            setting.until_more_than(committed).await;
        }
        server.kill();
        // What was asked and not committed costs nothing, and what is there is paid.
        let account = setting.sound_account().await;
        assert!(account.translated >= committed, "what was committed stays: {account:?}");
        committed = account.translated;
    }

    assert!(committed > 0, "no chunk was committed before the server was killed");
    engine.always(Behaviour::NotWith("invoice"));
    let rounds = u32::try_from(ANSWERED.len()).unwrap();
    let server = setting.server(rounds * LATER).await;
    let url = format!("{}{job}&waitSeconds=20", server.project(&setting.project));
    let ended = tokio::time::timeout(TEST_TIMEOUT, async {
        loop {
            let (status, answer) = get(&url, &setting.key).await;
            assert_eq!(status, 200, "{answer}");
            if answer["finishedAt"].is_string() {
                return answer;
            }
        }
    });
    let ended = ended.await.unwrap();
    let failed = TEXTS / EACH_BAD * LANGUAGES;
    let progress =
        json!({"total": TEXTS * LANGUAGES, "done": TEXTS * LANGUAGES - failed, "failed": failed, "needsReview": 0});
    assert_eq!((&ended["status"], &ended["progress"]), (&"partial".into(), &progress));
    let account = setting.sound_account().await;
    assert_eq!(account.translated, i64::try_from(TEXTS * LANGUAGES - failed).unwrap());
    assert_eq!(ended["creditsCharged"], account.there);
    assert!(account.there < ended["estimatedCredits"].as_i64().unwrap(), "what failed costs nothing");
    let (_, meta) = get(&format!("{}/meta", server.project(&setting.project)), &setting.key).await;
    assert_eq!(meta["balance"], 1_000_000 - account.there, "no hold is left: {meta}");
    let said =
        stdout(&run(setting.folder.path(), &["engines", "used", "acme/app", "--database-url", setting.store.url()]));
    let share = format!("    mine: {} texts, ", account.translated);
    assert!(said.contains("partial") && said.contains(&share), "{said}");
    engine.expect_no_complaints();
}
