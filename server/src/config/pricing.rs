//! Prices of work: of each engine, or one for all.

use std::collections::BTreeMap;

use l10n_api_types::Millicredits;

use super::engines::EnginesSettings;
use super::sections::PricingSection;

/// Prices of work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pricing {
    /// Price of translating one character into one language, in thousandths of a credit, by an engine that has none of its own.
    pub millicredits_per_character: i64,
    /// The same of the engines that have their own, by name.
    pub of_engines: BTreeMap<String, i64>,
}

/// The price of translating one character into one language, in thousandths of a credit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rate(pub i64);

impl Rate {
    /// Price of translating a source text of so many characters into one language.
    #[must_use]
    pub fn price(self, characters: u64) -> Millicredits {
        Millicredits(i64::try_from(characters).unwrap_or(i64::MAX).saturating_mul(self.0))
    }
}

impl Pricing {
    pub(super) fn new(section: &PricingSection, engines: &EnginesSettings) -> Self {
        let prices = engines.all().filter_map(|engine| Some((engine.name.clone(), engine.millicredits_per_character?)));
        Self { millicredits_per_character: section.millicredits_per_character, of_engines: prices.collect() }
    }

    /// The price of an engine's work.
    #[must_use]
    pub fn of_engine(&self, name: &str) -> Rate {
        Rate(self.of_engines.get(name).copied().unwrap_or(self.millicredits_per_character))
    }

    /// The price of the dearest of these engines: whichever of them translates, the work costs no more.
    #[must_use]
    pub fn dearest<'a>(&self, engines: impl Iterator<Item = &'a str>) -> Rate {
        engines.map(|name| self.of_engine(name)).max().unwrap_or(Rate(self.millicredits_per_character))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dearest_engine_of_a_chain_is_its_bound() {
        let of_engines = BTreeMap::from([("dear".to_owned(), 20), ("free".to_owned(), 0)]);
        let pricing = Pricing { millicredits_per_character: 3, of_engines };
        let dearest = |names: &[&str]| pricing.dearest(names.iter().copied());
        assert_eq!((pricing.of_engine("free"), pricing.of_engine("other")), (Rate(0), Rate(3)));
        assert_eq!((dearest(&["free", "dear", "other"]), dearest(&["free", "other"])), (Rate(20), Rate(3)));
        assert_eq!((dearest(&["free"]), dearest(&[])), (Rate(0), Rate(3)));
        assert_eq!(Rate(20).price(4), Millicredits(80));
        assert_eq!(Rate(20).price(u64::MAX), Millicredits(i64::MAX));
    }
}
