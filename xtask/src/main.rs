//! Chores of this repository: `cargo xtask <chore>`.

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;

#[derive(Parser)]
#[command(about = "Chores of this repository")]
enum Chore {
    /// Say which of its five places an endpoint lacks, and which dependencies go against the plan
    CheckNames,
}

fn main() -> Result<ExitCode> {
    match Chore::parse() {
        Chore::CheckNames => check_names(),
    }
}

fn check_names() -> Result<ExitCode> {
    let root = xtask::root();
    let mut findings = xtask::house::missing_places(&root)?;
    findings.extend(xtask::house::wrong_arrows(&root)?);
    findings.extend(xtask::house::crossed_layers(&root)?);
    for finding in &findings {
        println!("{finding}");
    }
    Ok(if findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
