//! `l10n-server openapi`: prints the OpenAPI document.

use anyhow::Result;

use super::shared::print;

pub(crate) fn run() -> Result<()> {
    print(&l10n_api_types::openapi::document()?.to_pretty_json()?)
}
