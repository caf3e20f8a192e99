//! `l10n-server check`: whether all that is stored is as it was stored, beside running servers.

use crate::config::{Config, Overrides};
use crate::domain::check::check;
use anyhow::{Result, bail};

use super::shared::{open_existing, print};
use crate::words::counted;

pub(crate) async fn run(overrides: &Overrides) -> Result<()> {
    let config = Config::load(overrides)?;
    let store = open_existing(&config).await?;
    let checked = check(&store).await;
    store.close().await;
    for fault in &checked.faults {
        print(fault)?;
    }
    let looked_at = format!(
        "{} of published files and {} of documents against their hashes, references, ledgers, balances and counts",
        counted(checked.contents, "content"),
        counted(checked.sources, "source")
    );
    if checked.faults.is_empty() {
        return print(&format!("All is well. Checked {looked_at}."));
    }
    bail!("{} found. Checked {looked_at}", counted(checked.faults.len(), "fault"));
}
