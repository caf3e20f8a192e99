//! `l10n-server example-config`: prints the configuration file with every setting and its default.

use anyhow::Result;

use super::shared::print;

pub(crate) fn run() -> Result<()> {
    print(crate::config::example().trim_end())
}
