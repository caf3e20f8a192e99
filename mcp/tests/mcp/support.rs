//! A service, and an agent's client that is connected to it by this server.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use l10n_client::Client;
use l10n_mcp::{Account, Options, ProjectName, Server};
use l10n_server::testing::TestApp;
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult,
    ElicitationAction, ElicitationCapability, GetPromptRequestParams, Implementation, ProgressNotificationParam,
    ProtocolVersion, ReadResourceRequestParams, ResourceContents, UrlElicitationCapability,
};
use rmcp::service::{NotificationContext, RequestContext, RunningService, ServiceError};
use rmcp::{ClientHandler, ClientLifecycleMode, ClientServiceExt as _, ErrorData, RoleClient, ServiceExt as _};
use serde_json::{Value, json};

use crate::proxy::Proxy;

/// A revision of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Revision {
    /// 2026-07-28, which begins with `server/discover`.
    New,
    /// 2025-11-25, which begins with `initialize`.
    Old,
}

pub(crate) const REVISIONS: [Revision; 2] = [Revision::New, Revision::Old];

/// The program around an agent: it may be able to show people links.
#[derive(Debug, Clone)]
pub(crate) struct Host {
    shows_links: bool,
    action: ElicitationAction,
    pub(crate) shown: Arc<Mutex<Vec<(String, String)>>>,
    pub(crate) progress: Arc<Mutex<Vec<ProgressNotificationParam>>>,
}

impl Host {
    /// It shows nobody anything.
    pub(crate) fn plain() -> Self {
        Self { shows_links: false, action: ElicitationAction::Accept, shown: Arc::default(), progress: Arc::default() }
    }

    /// It shows links, and people do this with them.
    pub(crate) fn with_links(action: ElicitationAction) -> Self {
        Self { shows_links: true, action, ..Self::plain() }
    }

    /// The messages and links that it showed.
    pub(crate) fn shown(&self) -> Vec<(String, String)> {
        self.shown.lock().unwrap().clone()
    }
}

impl ClientHandler for Host {
    fn get_info(&self) -> ClientConfig {
        let mut able = ClientCapabilities::default();
        if self.shows_links {
            able.elicitation = Some(ElicitationCapability::default().with_url(UrlElicitationCapability::default()));
        }
        ClientConfig::new(able, Implementation::new("test", "1"))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let ElicitRequestParams::UrlElicitationParams { message, url, .. } = request else {
            panic!("a link and no form: {request:?}")
        };
        self.shown.lock().unwrap().push((message, url));
        Ok(ElicitResult::new(self.action.clone()))
    }

    async fn on_progress(&self, progress: ProgressNotificationParam, _context: NotificationContext<RoleClient>) {
        self.progress.lock().unwrap().push(progress);
    }
}

/// An agent's connection.
pub(crate) struct Agent {
    pub(crate) client: RunningService<RoleClient, Host>,
}

/// An account of the app's project.
pub(crate) fn account(app: &TestApp, key: &str) -> Account {
    account_at(app, app.address, key, 4)
}

/// An account of the app's project, whose service is at this address; requests are sent again so often at most.
pub(crate) fn account_at(app: &TestApp, address: SocketAddr, key: &str, retries: u32) -> Account {
    let client = Client::builder(format!("http://{address}/v1"))
        .api_key(key)
        .total_timeout(Duration::from_secs(20))
        .max_retries(retries)
        .build()
        .unwrap();
    let project = ProjectName::Slug { workspace: app.project.handle.clone(), project: app.project.slug.clone() };
    Account::new(client, project, key)
}

impl Agent {
    /// With the project's admin key and the usual tools.
    pub(crate) async fn admin(app: &TestApp, revision: Revision) -> Self {
        Self::with(app, &app.project.keys.admin, revision).await
    }

    pub(crate) async fn with(app: &TestApp, key: &str, revision: Revision) -> Self {
        let options = Options { tools: "all".parse().unwrap(), ..Options::default() };
        Self::of(Server::new(account(app, key), options), revision, Host::plain()).await
    }

    /// With this key, and a service that is reached by way of a proxy.
    pub(crate) async fn through(proxy: &Proxy, app: &TestApp, key: &str, host: Host) -> Self {
        let options = Options { tools: "all".parse().unwrap(), ..Options::default() };
        Self::of(Server::new(account_at(app, proxy.address, key, 2), options), Revision::New, host).await
    }

    /// Connected to a server in this process.
    pub(crate) async fn of(server: Server, revision: Revision, host: Host) -> Self {
        let (near, far) = tokio::io::duplex(64 * 1024);
        tokio::spawn(async move { server.serve(far).await.unwrap().waiting().await });
        let lifecycle = match revision {
            Revision::New => ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] },
            Revision::Old => ClientLifecycleMode::Initialize,
        };
        Self { client: host.serve_with_lifecycle(near, lifecycle).await.unwrap() }
    }

    /// Calls a tool.
    pub(crate) async fn call(&self, tool: &'static str, arguments: Value) -> Result<CallToolResult, ServiceError> {
        let arguments = arguments.as_object().unwrap().clone();
        self.client.call_tool(CallToolRequestParams::new(tool).with_arguments(arguments)).await
    }

    /// Calls a tool; it must succeed.
    pub(crate) async fn ok(&self, tool: &'static str, arguments: Value) -> Value {
        let result = self.call(tool, arguments).await.unwrap();
        let facts = checked(&result);
        assert_eq!(result.is_error, Some(false), "{tool}: {facts}");
        facts
    }

    /// Calls a tool; it must fail with a result that says what to do.
    pub(crate) async fn fails(&self, tool: &'static str, arguments: Value) -> Value {
        let result = self.call(tool, arguments).await.unwrap();
        let facts = checked(&result);
        assert_eq!(result.is_error, Some(true), "{tool}: {facts}");
        assert!(
            facts["error"].is_string() && facts["message"].is_string() && facts["what_to_do"].is_string(),
            "{facts}"
        );
        facts
    }

    /// Reads a resource.
    pub(crate) async fn read(&self, uri: &str) -> Value {
        let result = self.client.read_resource(ReadResourceRequestParams::new(uri)).await.unwrap();
        let [ResourceContents::TextResourceContents { text, .. }] = &result.contents[..] else { panic!("{result:?}") };
        assert!(text.chars().count() <= 25_000);
        serde_json::from_str(text).unwrap()
    }

    /// Reads a resource; it must fail. Returns the error's code, message and data.
    pub(crate) async fn unread(&self, uri: &str) -> (i32, String, Value) {
        match self.client.read_resource(ReadResourceRequestParams::new(uri)).await {
            Err(ServiceError::McpError(error)) => {
                (error.code.0, error.message.into_owned(), error.data.unwrap_or_default())
            }
            other => panic!("{uri}: {other:?}"),
        }
    }

    /// The text of a prompt.
    pub(crate) async fn prompt(&self, name: &str, arguments: Value) -> String {
        let params = GetPromptRequestParams::new(name).with_arguments(arguments.as_object().unwrap().clone());
        let result = self.client.get_prompt(params).await.unwrap();
        let [message] = &result.messages[..] else { panic!("{result:?}") };
        message.content.as_text().unwrap().text.clone()
    }

    /// Asks for a prompt; the request must be refused as malformed.
    pub(crate) async fn no_prompt(&self, name: &str, arguments: Value) -> String {
        let params = GetPromptRequestParams::new(name).with_arguments(arguments.as_object().unwrap().clone());
        match self.client.get_prompt(params).await {
            Err(ServiceError::McpError(error)) => {
                assert_eq!(error.code.0, -32602, "{name} {arguments}: {error:?}");
                error.message.into_owned()
            }
            other => panic!("{name} {arguments}: {other:?}"),
        }
    }

    /// Calls a tool; the call itself must be refused as malformed.
    pub(crate) async fn refused(&self, tool: &'static str, arguments: Value) -> String {
        match self.call(tool, arguments.clone()).await {
            Err(ServiceError::McpError(error)) => {
                assert_eq!(error.code.0, -32602, "{tool} {arguments}: {error:?}");
                error.message.into_owned()
            }
            other => panic!("{tool} {arguments}: {other:?}"),
        }
    }
}

/// The structured content. The last text is the same, for clients that know no other; it is of bounded size.
fn checked(result: &CallToolResult) -> Value {
    let facts = result.structured_content.clone().unwrap();
    let text = &result.content.last().unwrap().as_text().unwrap().text;
    assert_eq!(serde_json::from_str::<Value>(text).unwrap(), facts);
    assert!(text.chars().count() <= 25_000);
    facts
}

/// Two keys, `hello` and `bye`.
pub(crate) fn two_keys() -> Value {
    json!([{"ref": "hello", "text": "Hello, {name}!"}, {"ref": "bye", "text": "Bye"}])
}
