//! The server of the protocol: lists and calls tools, lists and reads resources, lists and gives prompts.

use std::fmt;
use std::sync::Arc;

use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, GetPromptRequestParams,
    GetPromptResponse, JsonObject, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, Reference, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::account::Account;
use crate::call::Call;
use crate::cancel::unless_canceled;
use crate::introduction::introduction;
use crate::memory::Memory;
use crate::nearest::unknown;
use crate::options::{Options, ToolChoice, UnknownTool};
use crate::prompt::Prompt;
use crate::reading::ReadContext;
use crate::rights::Rights;
use crate::seal::Seal;
use crate::tool::{Effect, ToolEntry};
use crate::{complete, prompts, resources, tools};

/// A list of what a key may use, which is kept for that key alone and as long as its rights are known.
macro_rules! listed {
    ($result:ident, $items:expr, $rights:expr) => {
        $result::with_all_items($items).with_ttl_ms($rights.lifetime()).with_cache_scope(CacheScope::Private)
    };
}

/// A server of the protocol. Cheap to clone.
#[derive(Clone)]
pub struct Server {
    inner: Arc<Inner>,
}

struct Inner {
    /// `None` if each request brings its own.
    account: Option<Account>,
    options: Options,
    memory: Memory,
    seal: Seal,
    /// Ends the waits of calls.
    end: CancellationToken,
    none: JsonObject,
}

impl Server {
    /// A server whose calls are all made for one account, as on standard input and output.
    #[must_use]
    pub fn new(account: Account, options: Options) -> Self {
        Self::build(Some(account), options, Seal::of_this_process(), CancellationToken::new())
    }

    /// A server whose requests each bring an account.
    pub(crate) fn shared(options: Options, seal: Seal, end: CancellationToken) -> Self {
        Self::build(None, options, seal, end)
    }

    fn build(account: Option<Account>, options: Options, seal: Seal, end: CancellationToken) -> Self {
        let (memory, none) = (Memory::default(), JsonObject::new());
        Self { inner: Arc::new(Inner { account, options, memory, seal, end, none }) }
    }

    /// The account that a request is made for.
    fn account(&self, context: &RequestContext<RoleServer>) -> Result<Account, ErrorData> {
        if let Some(account) = &self.inner.account {
            return Ok(account.clone());
        }
        let parts = context.extensions.get::<http::request::Parts>();
        let account = parts.and_then(|parts| parts.extensions.get::<Account>());
        account.cloned().ok_or_else(|| ErrorData::invalid_request("the request has no API key", None))
    }

    /// A read for an account.
    fn reading<'a>(&'a self, account: &'a Account) -> ReadContext<'a> {
        ReadContext { account, memory: &self.inner.memory }
    }

    /// The rights of the key that a request brings.
    async fn rights(&self, context: &RequestContext<RoleServer>) -> Result<Rights, ErrorData> {
        Ok(Rights::of(self.reading(&self.account(context)?)).await)
    }

    /// The tools that the options offer, in their order.
    fn offered(&self) -> impl Iterator<Item = &'static ToolEntry> + '_ {
        let options = &self.inner.options;
        tools::ALL.iter().filter(move |tool| {
            let is_chosen = match &options.tools {
                ToolChoice::Usual => !tool.is_optional,
                ToolChoice::All => true,
                ToolChoice::Named(names) => names.contains(&tool.name),
            };
            is_chosen && (!options.read_only || tool.effect == Effect::Reads)
        })
    }

    /// The prompts whose tools are all among these.
    fn prompts_of(tools: &[&str]) -> Vec<&'static Prompt> {
        prompts::ALL.iter().filter(|prompt| prompt.tools.iter().all(|name| tools.contains(name))).collect()
    }

    /// The prompt with this name.
    fn prompt(&self, name: &str) -> Result<&'static Prompt, ErrorData> {
        let offered: Vec<_> = self.offered().map(|tool| tool.name).collect();
        let prompts = Self::prompts_of(&offered);
        prompts.iter().copied().find(|prompt| prompt.name == name).ok_or_else(|| {
            let known: Vec<_> = prompts.iter().map(|prompt| prompt.name).collect();
            ErrorData::invalid_params(unknown("prompt", name, &known), None)
        })
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        introduction()
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let rights = self.rights(&context).await?;
        let tools = self.offered().filter(|tool| tool.is_allowed(&rights)).map(|tool| (tool.declare)()).collect();
        Ok(listed!(ListToolsResult, tools, rights))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let inner = &*self.inner;
        let Some(tool) = self.offered().find(|tool| tool.name == request.name) else {
            let known: Vec<_> = self.offered().map(|tool| tool.name).collect();
            return Err(ErrorData::invalid_params(UnknownTool::new(&request.name, &known).to_string(), None));
        };
        let account = self.account(&context)?;
        let call = Call {
            tool: tool.name,
            account: &account,
            memory: &inner.memory,
            seal: &inner.seal,
            folder: inner.options.folder.as_deref(),
            request: &request,
            context: &context,
            end: &inner.end,
            none: &inner.none,
            begun: Instant::now(),
        };
        let answer = (tool.call)(&call);
        if tool.effect == Effect::Reads { unless_canceled(&context, answer).await } else { answer.await }
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let rights = self.rights(&context).await?;
        let resources =
            resources::ALL.iter().filter(|entry| rights.allow(entry.scopes)).filter_map(|entry| entry.resource());
        Ok(listed!(ListResourcesResult, resources.collect(), rights))
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let rights = self.rights(&context).await?;
        let templates =
            resources::ALL.iter().filter(|entry| rights.allow(entry.scopes)).filter_map(|entry| entry.template());
        Ok(listed!(ListResourceTemplatesResult, templates.collect(), rights))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let account = self.account(&context)?;
        let (entry, name) = resources::find(&request.uri)?;
        let contents = entry.contents(self.reading(&account), request.uri, name);
        unless_canceled(&context, contents).await.map(Into::into)
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let rights = self.rights(&context).await?;
        let allowed: Vec<_> = self.offered().filter(|tool| tool.is_allowed(&rights)).map(|tool| tool.name).collect();
        let prompts = Self::prompts_of(&allowed).into_iter().map(Prompt::declare).collect();
        Ok(listed!(ListPromptsResult, prompts, rights))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let arguments = request.arguments.as_ref().unwrap_or(&self.inner.none);
        let reads_files = self.inner.options.folder.is_some();
        self.prompt(&request.name)?.get(arguments, reads_files).map(Into::into)
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let account = self.account(&context)?;
        let reading = self.reading(&account);
        let values = async {
            match request.r#ref {
                Reference::Resource(template) => complete::of_template(reading, &template.uri, request.argument).await,
                Reference::Prompt(named) => {
                    complete::of_prompt(reading, self.prompt(&named.name)?, request.argument).await
                }
                _ => Err(ErrorData::invalid_params("`ref` is neither a resource template nor a prompt", None)),
            }
        };
        unless_canceled(&context, values).await
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("account", &self.inner.account).finish_non_exhaustive()
    }
}
