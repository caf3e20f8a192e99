//! The protocol over standard input and output.

use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::{RoleServer, ServiceExt as _};

use crate::server::Server;

/// Longest message. A file of 2 MiB, the largest that the service takes, fits in even if every character is escaped once.
const LONGEST_LINE: usize = 8 * 1024 * 1024;

/// The conversation could not begin, or broke.
#[derive(Debug, thiserror::Error)]
#[error("the protocol failed: {0}")]
pub struct StdioError(String);

/// Serves one client on standard input and output, until standard input ends. Nothing but the protocol is written.
///
/// # Errors
///
/// Returns an error if the first message is not one of the protocol.
pub async fn serve_stdio(server: Server) -> Result<(), StdioError> {
    let (input, output) = rmcp::transport::stdio_pipes();
    serve(server, input, output).await
}

async fn serve<R, W>(server: Server, input: R, output: W) -> Result<(), StdioError>
where
    R: tokio::io::AsyncRead + Send + Unpin + 'static,
    W: tokio::io::AsyncWrite + Send + Unpin + 'static,
{
    let transport = AsyncRwTransport::<RoleServer, _, _>::new_server(input, output).with_max_line_length(LONGEST_LINE);
    let running = match server.serve(transport).await {
        Ok(running) => running,
        // A client that leaves before it says anything is no failure.
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(StdioError(error.to_string())),
    };
    running.waiting().await.map(|_| ()).map_err(|error| StdioError(error.to_string()))
}
