//! The effect that a sync would have.

use std::collections::BTreeMap;

use l10n_client::api::LanguageCode;
use l10n_client::api::translations::{Class, Run};

/// The effect of a sync of one file.
#[derive(Debug, Clone, Default)]
pub(super) struct SyncEffect {
    /// New, changed and removed keys; for a dry run, those that the server lists.
    pub(super) keys: Vec<(String, Class)>,
    /// New and changed keys, and removed ones.
    pub(super) counts: (u64, u64),
    /// Keys to translate, by language.
    pub(super) untranslated: BTreeMap<LanguageCode, u64>,
    /// Translations of people that stay although their source has changed.
    pub(super) kept: u64,
}

impl SyncEffect {
    pub(super) fn of(run: &Run) -> Self {
        Self {
            keys: run.items.iter().map(|item| (item.r#ref.clone(), item.class)).collect(),
            counts: (run.classification.new + run.classification.changed, run.classification.removed),
            untranslated: run.per_language.iter().map(|price| (price.language.clone(), price.keys)).collect(),
            kept: run.kept,
        }
    }
}
