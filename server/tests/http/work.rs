//! The work of a team on a project, through the API.

use http::Method;
use l10n_server::domain::operations::OperationDecision;
use l10n_server::testing::decide;
use l10n_server::testing::{Answer, Call, TestApp, TestProject};
use serde_json::{Value, json};

/// A team's calls of one project.
pub(crate) struct Team<'a> {
    pub(crate) app: &'a TestApp,
    pub(crate) project: &'a TestProject,
}

impl Team<'_> {
    pub(crate) fn call(&self, method: Method, path: &str) -> Call {
        self.app.at(method, &format!("/v1/projects/{}{path}", self.project.id)).key(&self.project.keys.admin)
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        let answer = self.call(Method::POST, path).json(body).send().await;
        assert!(answer.status < 300, "{path}: {answer:?}");
        answer
    }

    /// Waits for the job of a run, if there is one.
    pub(crate) async fn ended(&self, run: &Answer) {
        let Some(token) = run.json()["trackingToken"].as_str().map(str::to_owned) else { return };
        loop {
            let path = format!("/translations?waitSeconds=25&trackingToken={token}");
            let job = self.call(Method::GET, &path).send().await.json();
            if !job["finishedAt"].is_null() {
                return assert_eq!(job["status"], "completed", "{job}");
            }
        }
    }

    /// Syncs a file of these texts, and waits until they are translated.
    pub(crate) async fn sync(&self, texts: &Value) {
        let file = json!({"path": "en.json", "content": texts.to_string(), "encoding": "utf8", "format": "json"});
        let run = self.post("/sync", &json!({ "file": file })).await;
        self.ended(&run).await;
    }

    /// Pushes a document and waits until it is translated; returns its id.
    pub(crate) async fn document(&self, external_id: &str, body: &str) -> String {
        let found = self.call(Method::GET, &format!("/content?externalId={external_id}")).send().await.json();
        let id = match found["documents"][0]["docId"].as_str() {
            Some(id) => {
                let answer =
                    self.call(Method::PUT, &format!("/content/{id}")).json(&json!({ "body": body })).send().await;
                assert_eq!(answer.status, 200, "{answer:?}");
                id.to_owned()
            }
            None => {
                let new = json!({"externalId": external_id, "format": "markdown", "body": body});
                self.post("/content", &new).await.json()["docId"].as_str().unwrap().to_owned()
            }
        };
        let run = self.post(&format!("/content/{id}/run"), &json!({})).await;
        self.ended(&run).await;
        id
    }

    /// An agent asks, a person allows, the agent publishes.
    pub(crate) async fn publish_as_agent(&self) {
        let agent = &self.project.keys.agent;
        let ask = self.call(Method::POST, "/operations").key(agent).json(&json!({"kind": "publish"}));
        let id = ask.send().await.json()["operationId"].as_str().unwrap().to_owned();
        let verdict = OperationDecision { is_approved: true, by: "ada", reason: None };
        decide(&self.app.service, &id, verdict).await.unwrap();
        let publish = self.call(Method::POST, "/publish").key(agent).json(&json!({ "operationId": id }));
        let answer = publish.send().await;
        assert_eq!(answer.status, 201, "{answer:?}");
    }
}
