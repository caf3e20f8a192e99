//! `l10n-server migrate`: brings the database to this version's schema. `serve` does so too when it starts.

use crate::config::{Config, Overrides};
use anyhow::Result;

use super::shared::{open, print};

pub(crate) async fn run(overrides: &Overrides) -> Result<()> {
    let config = Config::load(overrides)?;
    open(&config.database_url).await?.close().await;
    print(&format!("{:?} has this version's schema", config.database_url))
}
