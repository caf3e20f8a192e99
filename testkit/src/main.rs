//! Command line of the conformance suite.

mod cli;

use std::process::ExitCode;

use clap::Parser as _;

#[tokio::main]
async fn main() -> ExitCode {
    cli::Arguments::parse().run().await
}
