//! A call of a tool, with what the tool needs to carry it out.

use std::path::Path;

use l10n_client::{CallOptions, Project};
use rmcp::RoleServer;
use rmcp::model::{CallToolRequestParams, InputResponses, JsonObject, ProtocolVersion};
use rmcp::service::RequestContext;
use serde_json::Value;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::account::Account;
use crate::digest::Digest;
use crate::failure::Failure;
use crate::memory::Memory;
use crate::progress::Progress;
use crate::seal::Seal;
use crate::write::EXTRA_TIME;

/// Arguments that do not belong to the work that a person approves.
const ABOUT_APPROVAL: &[&str] = &["operation_id", "reason"];

/// A call.
#[derive(Debug)]
pub(crate) struct Call<'a> {
    pub(crate) tool: &'static str,
    pub(crate) account: &'a Account,
    pub(crate) memory: &'a Memory,
    pub(crate) seal: &'a Seal,
    /// The folder whose files may be read.
    pub(crate) folder: Option<&'a Path>,
    pub(crate) request: &'a CallToolRequestParams,
    pub(crate) context: &'a RequestContext<RoleServer>,
    /// Over when the server ends.
    pub(crate) end: &'a CancellationToken,
    pub(crate) none: &'a JsonObject,
    pub(crate) begun: Instant,
}

impl Call<'_> {
    pub(crate) fn arguments(&self) -> &JsonObject {
        self.request.arguments.as_ref().unwrap_or(self.none)
    }

    /// The project, for reads.
    pub(crate) async fn project(&self) -> Result<Project, Failure> {
        Ok(self.account.project(self.memory).await?.with(self.options()))
    }

    /// The project, for a write: it has an idempotency key of its own, which all requests of the call share.
    pub(crate) async fn writing(&self) -> Result<Project, Failure> {
        Ok(self.project().await?.with(self.options().idempotent().extra_time(EXTRA_TIME)))
    }

    /// Requests that end when the client no longer wants the result: what was sent is brought to its end, and nothing is sent
    /// any more, not even what the service has asked to send again later.
    fn options(&self) -> CallOptions {
        CallOptions::default().canceled_by(self.context.ct.clone())
    }

    /// Wrong arguments of this tool.
    pub(crate) fn wrong(&self, problem: impl AsRef<str>) -> Failure {
        Failure::arguments(self.tool, problem)
    }

    /// Identifies the key and every argument of the call.
    pub(crate) fn whole(&self) -> Digest {
        self.digest(self.arguments().clone())
    }

    /// Identifies the key and the work, however it is approved.
    pub(crate) fn work(&self) -> Digest {
        let mut arguments = self.arguments().clone();
        arguments.retain(|name, _| !ABOUT_APPROVAL.contains(&name.as_str()));
        self.digest(arguments)
    }

    /// Identifies the key, the work, and a text that the arguments only name: a file of that path may change.
    pub(crate) fn work_on(&self, text: &str) -> Digest {
        Digest::of([&self.work().bytes()[..], text.as_bytes()])
    }

    /// Objects are sorted by name, so that equal arguments have one form.
    fn digest(&self, arguments: JsonObject) -> Digest {
        let arguments = Value::Object(arguments).to_string();
        Digest::of([&self.account.key().bytes()[..], self.tool.as_bytes(), arguments.as_bytes()])
    }

    pub(crate) fn progress(&self) -> Progress<'_> {
        Progress::new(self.context)
    }

    /// Waits until nothing is to be waited for any more: the client no longer wants the result, or the server ends.
    pub(crate) async fn canceled(&self) {
        tokio::select! {
            () = self.context.ct.cancelled() => {}
            () = self.end.cancelled() => {}
        }
    }

    pub(crate) fn request_state(&self) -> Option<&str> {
        self.request.request_state.as_deref()
    }

    pub(crate) fn input_responses(&self) -> Option<&InputResponses> {
        self.request.input_responses.as_ref()
    }

    /// Returns true if the client can show a person a link and call again.
    pub(crate) fn client_asks_people(&self) -> bool {
        let is_new = self.context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28);
        let capabilities = self.context.client_capabilities();
        is_new && capabilities.and_then(|able| able.elicitation).is_some_and(|able| able.url.is_some())
    }
}
