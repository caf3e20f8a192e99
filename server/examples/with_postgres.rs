//! Runs a program with an empty PostgreSQL database of its own: `{}` in its arguments becomes the database's URL.
//!
//! ```text
//! cargo run -p l10n-server --example with_postgres -- l10n-testkit lab --server l10n-server --database-url {}
//! ```
//!
//! The server is the one that `TEST_POSTGRES_URL` names, or a private cluster, as in the tests.

use std::error::Error;
use std::process::{Command, ExitCode};

use l10n_server::testing::postgres;

#[tokio::main]
async fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let program = arguments.next().ok_or("a program is needed")?;
    let database = postgres::database().await.ok_or("there is no PostgreSQL")?;
    let arguments: Vec<_> = arguments.map(|argument| argument.replace("{}", database.url())).collect();
    let ended = Command::new(program).args(arguments).status();
    database.remove().await;
    Ok(ended?.code().and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from))
}
