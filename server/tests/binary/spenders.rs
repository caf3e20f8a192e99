//! Many spenders of one balance, before two server processes that share one PostgreSQL.

use std::path::Path;

use l10n_api_types::{Millicredits, WorkspaceId};
use l10n_server::clock::{Clock as _, SystemClock};
use l10n_server::store::ledger::{self, EntryKind};
use l10n_server::store::{holds, workspaces};
use l10n_server::testing::{TestStore, on_postgres};
use serde_json::{Value, json};

use crate::killed::server::Server;
use crate::process::{feed, get, post, stdout};

/// Characters of each text, a thousandth of a credit each, of one credit.
const CHARACTERS: usize = 30;
const SPENDERS: usize = 64;
const AFFORDED: usize = 1_000 / CHARACTERS;

fn provision(folder: &Path, store: &TestStore) -> (WorkspaceId, String, String) {
    let tree = json!({"workspaces": [{"handle": "acme", "credits": 1, "projects": [{
        "slug": "app", "name": "App", "baseLanguage": "en", "languages": ["de"],
        "keys": [{"label": "test", "scopes": ["admin"], "kind": "ci"}],
    }]}]});
    let output = feed(folder, &["provision", "-", "--database-url", store.url()], &tree.to_string());
    let made: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let workspace = &made["workspaces"][0];
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let project = &workspace["projects"][0];
    (text(&workspace["workspaceId"]).into(), text(&project["projectId"]), text(&project["keys"][0]["key"]))
}

/// ERR-402-1, ERR-402-4: what is charged is the ledger's, the balance does not fall below zero, and nothing stays held.
#[test]
fn sixty_four_spenders_before_two_processes_spend_what_is_there_and_no_more() {
    on_postgres(async |store: TestStore| {
        let folder = tempfile::tempdir().unwrap();
        let (workspace, project, key) = provision(folder.path(), &store);
        let environment = [
            ("L10N_SERVER_DATABASE_URL", store.url()),
            ("L10N_SERVER_LIMITS_REQUESTS_PER_MINUTE", "1000000"),
            ("L10N_SERVER_SECRETS_MASTER_KEY", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="),
        ];
        let environment = environment.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let mut servers = [(); 2].map(|()| Server::new(folder.path(), &environment));
        servers.iter_mut().for_each(Server::start);
        for server in &mut servers {
            server.ready().await;
        }
        let urls = servers.each_ref().map(|server| server.project(&project));

        let spenders: Vec<_> = (0..SPENDERS)
            .map(|number| {
                let (url, key) = (format!("{}/translate", urls[number % 2]), key.clone());
                let body =
                    json!({"keys": [{"ref": format!("key {number}"), "text": format!("{number:0CHARACTERS$}")}]});
                tokio::spawn(async move { post(&url, &key, &body).await })
            })
            .collect();
        let mut jobs = Vec::new();
        for spender in spenders {
            let (status, answer) = spender.await.unwrap();
            match status {
                202 => jobs.push(answer["trackingToken"].as_str().unwrap().to_owned()),
                _ => assert_eq!((status, &answer["error"]), (402, &json!("insufficient_credits")), "{answer}"),
            }
        }
        assert_eq!(jobs.len(), AFFORDED, "a thirtieth of a credit each");
        for (number, job) in jobs.iter().enumerate() {
            let url = format!("{}/translations?waitSeconds=20&trackingToken={job}", urls[number % 2]);
            let ended = loop {
                let (_, job) = get(&url, &key).await;
                if !job["finishedAt"].is_null() {
                    break job;
                }
            };
            assert_eq!((&ended["status"], &ended["creditsCharged"]), (&json!("completed"), &json!(CHARACTERS)));
        }

        let mut tx = store.begin_read().await.unwrap();
        let balance = workspaces::find(&mut tx, &workspace).await.unwrap().unwrap().balance;
        let entries = ledger::last(&mut tx, &workspace, 1_000).await.unwrap();
        let charged: i64 =
            entries.iter().filter(|entry| entry.kind == EntryKind::Charge).map(|entry| -entry.amount.0).sum();
        assert_eq!(usize::try_from(charged).unwrap(), AFFORDED * CHARACTERS);
        assert_eq!((balance.0, ledger::sum(&mut tx, &workspace).await.unwrap()), (1_000 - charged, balance));
        let held = holds::live_total(&mut tx, &workspace, SystemClock.now()).await.unwrap();
        assert_eq!(held, Millicredits::ZERO, "a job's last commit releases its hold");
    });
}
