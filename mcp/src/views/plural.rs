//! Plural texts, in arguments and in results.

use std::collections::BTreeMap;

use l10n_client::api::{Plural, PluralKey};
use schemars::JsonSchema;
use serde::Serialize;

/// A text with forms by CLDR category or exact number.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct PluralText {
    arg: String,
    forms: BTreeMap<String, String>,
}

impl From<Plural> for PluralText {
    fn from(plural: Plural) -> Self {
        let forms = plural.forms.into_iter().map(|(category, text)| (category.to_string(), text)).collect();
        Self { arg: plural.arg, forms }
    }
}

/// Reads a plural of a call's arguments: forms by CLDR category or exact number.
pub(crate) fn read(arg: String, forms: BTreeMap<String, String>) -> Result<Plural, String> {
    let form = |(category, text): (String, String)| {
        let key: PluralKey = category.parse().map_err(|error| format!("`plural_forms`: {error}"))?;
        Ok::<_, String>((key, text))
    };
    Ok(Plural { arg, forms: forms.into_iter().map(form).collect::<Result<_, _>>()? })
}
