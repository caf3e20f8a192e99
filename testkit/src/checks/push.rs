//! A push of one key that nobody has pushed before, as checks of `/translate` and `/sync` need it.

use http::Method;
use serde_json::Value;

use crate::cx::{Call, Cx};
use crate::outcome::{CheckResult, Stop};
use crate::profile::Project;

/// The body of a push, and the route that takes it.
#[derive(Debug, Clone)]
pub(super) struct Push {
    pub(super) path: &'static str,
    pub(super) body: Value,
    /// The `ref` of its first key; `None` where the profile's bodies are of another shape than the reference server's.
    pub(super) key: Option<String>,
}

impl Push {
    /// By `POST /translate`.
    pub(super) fn translate(cx: &Cx) -> Self {
        let body = cx.filled(&cx.profile().bodies.translate);
        let key = body.pointer("/keys/0/ref").and_then(Value::as_str).map(str::to_owned);
        Self { path: "/translate", body, key }
    }

    /// By `POST /sync`.
    pub(super) fn sync(cx: &Cx) -> Self {
        let body = cx.filled(&cx.profile().bodies.sync);
        let content = body.pointer("/file/content").and_then(Value::as_str).unwrap_or_default();
        let file = serde_json::from_str::<Value>(content).unwrap_or(Value::Null);
        let key = file.as_object().and_then(|keys| keys.keys().next().cloned());
        Self { path: "/sync", body, key }
    }

    /// By each of the two.
    pub(super) fn both(cx: &Cx) -> [Self; 2] {
        [Self::translate(cx), Self::sync(cx)]
    }

    /// With one more member in the body.
    pub(super) fn with(&self, name: &str, value: impl Into<Value>) -> Self {
        let mut changed = self.clone();
        changed.body[name] = value.into();
        changed
    }

    /// The request, in the check's project.
    pub(super) fn call(&self, cx: &Cx) -> Call {
        cx.post(self.path).json(&self.body)
    }

    /// The request, in another project.
    pub(super) fn call_in(&self, cx: &Cx, project: &Project) -> Call {
        cx.call_on(project, Method::POST, self.path).json(&self.body)
    }

    /// Its preview, as a positive control.
    pub(super) async fn preview(&self, cx: &Cx) -> Result<Value, Stop> {
        let answer = self.call(cx).query("dryRun", "true").send().await?;
        answer.control(&format!("POST {}?dryRun=true", self.path))?.json()
    }

    /// Sees that its key is not there yet, as a positive control: else that it is there later says nothing.
    pub(super) async fn is_new(&self, cx: &Cx) -> CheckResult {
        let Some(key) = &self.key else { return Ok(()) };
        let read = cx.get("/translations").query("ref", key).send().await?;
        cx.control(
            read.status == 404,
            &format!("that a key is not there before it is pushed (answered {})", read.status),
        )
    }

    /// Asserts that it has not run: its key is not there.
    pub(super) async fn has_not_run(&self, cx: &Cx) -> CheckResult {
        self.has_not_run_in(cx, cx.lane()).await
    }

    /// Asserts that it has not run in a project.
    pub(super) async fn has_not_run_in(&self, cx: &Cx, project: &Project) -> CheckResult {
        let Some(key) = &self.key else { return Ok(()) };
        let read = cx.call_on(project, Method::GET, "/translations").query("ref", key).send().await?;
        read.ensure(read.status == 404, format!("nothing ran: the key {key} is not there (404)"))
    }

    /// Runs it, as a positive control, and sees that its key is there.
    pub(super) async fn lands(&self, cx: &Cx) -> CheckResult {
        self.call(cx).send().await?.control(&format!("POST {}", self.path))?;
        self.is_there(cx).await
    }

    /// Sees that its key is there, as a positive control.
    pub(super) async fn is_there(&self, cx: &Cx) -> CheckResult {
        let Some(key) = &self.key else { return Ok(()) };
        cx.get("/translations").query("ref", key).send().await?.control("GET /translations?ref=")?;
        Ok(())
    }
}
