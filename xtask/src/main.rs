//! Chores of this repository: `cargo xtask <chore>`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use xtask::circles::{GraphScope, knots, shortest_circle};

#[derive(Parser)]
#[command(about = "Chores of this repository")]
enum Chore {
    /// List missing places of endpoints, dependencies that the plan forbids, and errors in docs/spec.md
    CheckNames,
    /// List circles among the modules of a crate: its knots, the largest first, and its shortest circle
    Circles {
        /// Folder of the crate
        folder: String,
        /// Look among the modules below the root, not among files
        #[arg(long)]
        top: bool,
    },
    /// Write completion scripts of `l10n` for every shell
    Completions {
        /// Folder to write to
        #[arg(long, default_value = "target/completions")]
        out: PathBuf,
    },
    /// Write the man pages of `l10n`
    Man {
        /// Folder to write to
        #[arg(long, default_value = "target/man")]
        out: PathBuf,
    },
    /// Write the OpenAPI document to `api-types/openapi.json`
    Openapi {
        /// Write nothing; check that the file is current
        #[arg(long)]
        check: bool,
    },
}

fn main() -> Result<ExitCode> {
    match Chore::parse() {
        Chore::CheckNames => check_names(),
        Chore::Circles { folder, top } => circles(&folder, top),
        Chore::Completions { out } => xtask::completions::write(&out).map(|()| ExitCode::SUCCESS),
        Chore::Man { out } => xtask::man::write(&out).map(|()| ExitCode::SUCCESS),
        Chore::Openapi { check } => openapi(check),
    }
}

fn check_names() -> Result<ExitCode> {
    let root = xtask::root();
    let mut findings = xtask::house::missing_places(&root)?;
    findings.extend(xtask::house::wrong_arrows(&root)?);
    findings.extend(xtask::house::crossed_layers(&root)?);
    findings.extend(xtask::house::writes_without_a_turn(&root)?);
    findings.extend(xtask::spec::wrong_references(&root)?);
    findings.extend(xtask::spec::dangling_citations(&root)?);
    for finding in &findings {
        println!("{finding}");
    }
    Ok(if findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn circles(folder: &str, top: bool) -> Result<ExitCode> {
    let parts = if top { GraphScope::TopModules } else { GraphScope::Files };
    for knot in knots(&xtask::root(), folder, parts)? {
        println!("{} hang together: {}", knot.len(), knot.join(", "));
    }
    let circle = shortest_circle(&xtask::root(), folder, parts)?;
    for edge in &circle {
        println!("{edge}");
    }
    Ok(if circle.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn openapi(check: bool) -> Result<ExitCode> {
    let file = xtask::root().join("api-types/openapi.json");
    let document = l10n_api_types::openapi::document()?.to_pretty_json()? + "\n";
    if !check {
        std::fs::write(&file, document)?;
        return Ok(ExitCode::SUCCESS);
    }
    let current = std::fs::read_to_string(&file).unwrap_or_default() == document;
    if !current {
        println!("openapi.json is not current: run `cargo xtask openapi`");
    }
    Ok(if current { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
