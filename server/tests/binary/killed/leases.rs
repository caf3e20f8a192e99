//! Writes whose servers are killed, or seem dead, while another request waits with the same `Idempotency-Key`.

use std::time::Duration;

use l10n_server::store::{Tx, lock};
use l10n_server::testing::TEST_TIMEOUT;
use serde_json::{Value, json};

use super::clocked::Setting;
use super::server::Server;
use crate::process::{client, get};

impl Setting {
    /// Registers a webhook under the idempotency key of this test.
    async fn register(&self, server: &Server, id: &str) -> reqwest::Result<reqwest::Response> {
        let body = json!({"url": "https://93.184.216.34/hooks", "events": ["strings.published"]});
        let request = client().post(format!("{}/webhooks", server.project(&self.project))).bearer_auth(&self.key);
        let request = request.header("idempotency-key", "k").header("x-correlation-id", id);
        request.body(body.to_string()).send().await
    }

    async fn receipt(&self, server: &Server, id: &str) -> Value {
        get(&format!("{}/requests/{id}", server.project(&self.project)), &self.key).await.1
    }

    async fn until_receipt_says(&self, server: &Server, id: &str, status: &str) {
        let wait = async {
            while self.receipt(server, id).await["status"] != status {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(TEST_TIMEOUT, wait).await.unwrap();
    }

    async fn webhooks(&self, server: &Server) -> usize {
        let (_, list) = get(&format!("{}/webhooks", server.project(&self.project)), &self.key).await;
        list["webhooks"].as_array().unwrap().len()
    }

    /// Keeps writes of the project from going on, until it is dropped.
    async fn hold_up(&self) -> Tx {
        let mut tx = self.store.begin_write().await.unwrap();
        assert!(lock::project(&mut tx, &self.project.as_str().into()).await.unwrap());
        tx
    }
}

/// API-COMPLETION 1: killed in the middle of a write, a server blocks its `Idempotency-Key` for a minute at most. The clock of
/// the one that is started in its place shows a minute later.
#[test]
fn a_key_whose_server_was_killed_is_free_a_minute_later() {
    l10n_server::testing::on_postgres(|store| async move {
        let setting = Setting::new(store, &[]);
        let first = setting.server(0).await;
        let watching = setting.server(0).await;
        let held = setting.hold_up().await;
        {
            let sent = setting.register(&first, "killed");
            let killed = async {
                setting.until_receipt_says(&watching, "killed", "running").await;
                let refused = setting.register(&watching, "early").await.unwrap();
                assert_eq!(refused.status(), 409);
                let again = refused.headers()["retry-after"].to_str().unwrap().parse::<u32>().unwrap();
                assert!((1..=10).contains(&again), "{again}");
                assert_eq!(refused.json::<Value>().await.unwrap()["error"], "idempotency_in_progress");
                first.kill_now();
            };
            let (sent, ()) = tokio::join!(sent, killed);
            assert!(sent.is_err(), "{sent:?}");
        }
        held.rollback().await.unwrap();
        drop(first);
        let next = setting.server(60).await;
        let carried_out = setting.register(&next, "next").await.unwrap();
        assert_eq!(carried_out.status(), 201);
        assert!(!carried_out.headers().contains_key("idempotency-replayed"));
        setting.until_receipt_says(&next, "killed", "failed").await;
        assert_eq!(setting.webhooks(&next).await, 1);
    });
}

/// A server that seems dead to another, whose clock is minutes ahead, and is not: its write was given up, so it cannot land.
#[test]
fn a_write_that_was_given_up_rolls_back_in_a_server_that_lives() {
    l10n_server::testing::on_postgres(|store| async move {
        let setting = Setting::new(store, &[]);
        let slow = setting.server(0).await;
        let held = setting.hold_up().await;
        let sent = setting.register(&slow, "slow");
        let given_up = async {
            setting.until_receipt_says(&slow, "slow", "running").await;
            let ahead = setting.server(300).await;
            setting.until_receipt_says(&ahead, "slow", "failed").await;
            held.rollback().await.unwrap();
            ahead
        };
        let (sent, ahead) = tokio::join!(sent, given_up);
        assert_eq!(sent.unwrap().status(), 503);
        assert_eq!(setting.webhooks(&slow).await, 0);
        assert_eq!(setting.register(&ahead, "again").await.unwrap().status(), 201);
        assert_eq!(setting.webhooks(&slow).await, 1);
    });
}
