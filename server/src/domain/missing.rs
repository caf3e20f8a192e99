//! Texts that target languages of a project lack, and what translating them would cost at most: a bound that is counted
//! quickly. What a run over them costs to the millicredit, `run::personal` tells.

use std::collections::HashMap;

use l10n_api_types::Millicredits;

use super::ServiceError;
use super::project_engines::ProjectEngines;
use crate::config::Pricing;
use crate::engines::EngineRegistry;
use crate::store::projects::Project;
use crate::store::{Tx, counters, languages, missing as rows};

/// Keys, once for each language that lacks some, up to which their characters are counted.
const MOST: i64 = 100_000;

/// Texts that are missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MissingTexts {
    /// Their number, each once for every language that lacks it.
    pub texts: i64,
    /// The price of translating them; what the memory has is free. `None` where the project is too large to count.
    pub price: Option<Millicredits>,
}

/// The texts that a project's target languages lack, of all of them or of those that `wanted` takes.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn count(
    tx: &mut Tx,
    (pricing, registry): (&Pricing, &EngineRegistry),
    project: &Project,
    wanted: impl Fn(&str) -> bool,
) -> Result<MissingTexts, ServiceError> {
    let mut there: HashMap<String, i64> = HashMap::new();
    for count in counters::translations(tx, &project.id).await? {
        *there.entry(count.language).or_default() += count.number;
    }
    let mut lacking = Vec::new();
    for language in languages::list(tx, &project.id).await? {
        let number = project.key_count - there.get(&language.code).copied().unwrap_or_default();
        if !language.is_base && number > 0 && wanted(&language.code) {
            lacking.push((language.code, number));
        }
    }
    let texts = lacking.iter().map(|(_, number)| number).sum();
    let looks = i64::try_from(lacking.len()).unwrap_or(i64::MAX).saturating_mul(project.key_count);
    if looks > MOST {
        return Ok(MissingTexts { texts, price: None });
    }
    let engines = ProjectEngines::find(tx, registry, &project.id).await?;
    let mut price = Millicredits::ZERO;
    for (language, _) in &lacking {
        let found = rows::of_language(tx, &project.id, language).await?;
        let rate = pricing.dearest(engines.of_language(language).names());
        price += rate.price(u64::try_from(found.characters).unwrap_or_default());
    }
    Ok(MissingTexts { texts, price: Some(price) })
}
