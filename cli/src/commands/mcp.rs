//! `l10n mcp`: serves an AI agent over the Model Context Protocol, on standard input and output or over HTTP.

use std::net::SocketAddr;
use std::time::Duration;

use l10n_client::Client;
use l10n_mcp::{Account, HttpOptions, Options, Server};
use tokio::net::TcpListener;

use crate::args::McpArgs;
use crate::context::Context;
use crate::error::{CliError, Doing as _, Failure};
use crate::exit::ExitStatus;
use crate::settings::{ProjectName, SettingsError};

/// Limit of a request, and of a call with its pauses: an agent is told about a longer one, and does something else meanwhile.
const CALL_TIMEOUT: Duration = Duration::from_secs(20);

/// The protocol failed.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct ProtocolFailed(#[from] l10n_mcp::StdioError);

impl Failure for ProtocolFailed {
    fn status(&self) -> ExitStatus {
        ExitStatus::Unexpected
    }

    fn code(&self) -> &str {
        "protocol"
    }

    fn hint(&self) -> Option<String> {
        Some("this command is started by an AI agent's program, not by hand; it speaks JSON-RPC".into())
    }
}

/// The address cannot be listened on.
#[derive(Debug, thiserror::Error)]
#[error("{address} cannot be listened on: {source}")]
struct ListenError {
    address: SocketAddr,
    source: std::io::Error,
}

impl Failure for ListenError {
    fn status(&self) -> ExitStatus {
        ExitStatus::Usage
    }

    fn code(&self) -> &str {
        "listen"
    }

    fn hint(&self) -> Option<String> {
        Some("use another port with --listen, or 0 for any that is free".into())
    }
}

pub(crate) async fn mcp(context: &Context, args: McpArgs) -> Result<ExitStatus, CliError> {
    let settings = context.settings()?;
    let base_url = settings.base_url()?.value;
    let project = match settings.project()?.value {
        ProjectName::Id(id) => l10n_mcp::ProjectName::Id(id),
        ProjectName::Slug { workspace, project } => l10n_mcp::ProjectName::Slug { workspace, project },
    };
    let patience = settings.timeout.unwrap_or(CALL_TIMEOUT);
    let mut builder = Client::builder(base_url.as_str())
        .user_agent(concat!("l10n-mcp/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(patience.min(Duration::from_secs(10)))
        .request_timeout(patience)
        .total_timeout(patience);
    if let Some(retries) = context.global.retries {
        builder = builder.max_retries(retries);
    }
    // Programs with windows start it in the root of all files, which is nobody's working folder.
    let folder = settings.root().parent().map(|_| settings.root().to_owned());
    let options = Options { read_only: args.read_only, tools: args.tools, folder };
    if let Some(address) = args.listen {
        let client = builder.build().map_err(l10n_client::Error::from).doing("setting up the client")?;
        let http = HttpOptions { allowed_hosts: args.allowed_host, allowed_origins: args.allowed_origin };
        return listen(context, address, Account::new(client, project, ""), options, http).await;
    }
    let Some(key) = settings.api_key()? else { return Err(SettingsError::NoApiKey.into()) };
    let key = key.value.expose();
    let client = builder.api_key(key).build().map_err(l10n_client::Error::from).doing("setting up the client")?;
    l10n_mcp::serve_stdio(Server::new(Account::new(client, project, key), options)).await.map_err(ProtocolFailed)?;
    Ok(ExitStatus::Success)
}

/// Serves until it is interrupted.
async fn listen(
    context: &Context,
    address: SocketAddr,
    account: Account,
    options: Options,
    http: HttpOptions,
) -> Result<ExitStatus, CliError> {
    let unusable = |source| ListenError { address, source };
    let listener = TcpListener::bind(address).await.map_err(unusable)?;
    let address = listener.local_addr().map_err(unusable)?;
    context.printer.say(format!("Serving AI agents at http://{address}/mcp"));
    l10n_mcp::serve_http(listener, account, options, http, std::future::pending()).await;
    Ok(ExitStatus::Success)
}
