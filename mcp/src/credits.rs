//! Money in credits: a thousandth of a credit is the API's unit.

use l10n_client::api::{Millicredits, WholeCredits};
use schemars::JsonSchema;
use serde::Serialize;

/// An amount in credits, with at most three decimals.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[serde(transparent)]
pub(crate) struct Credits(f64);

impl From<Millicredits> for Credits {
    fn from(amount: Millicredits) -> Self {
        Self(amount.0 as f64 / 1_000.0)
    }
}

/// Rounds up to the unit of an operation's limit.
pub(crate) fn whole_credits(amount: Millicredits) -> WholeCredits {
    let whole = amount.0.max(0) / 1_000 + i64::from(amount.0.max(0) % 1_000 > 0);
    WholeCredits(u32::try_from(whole).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_credits_and_limits_are_rounded_up() {
        assert_eq!(serde_json::to_string(&Credits::from(Millicredits(1_234))).unwrap(), "1.234");
        assert_eq!(serde_json::to_string(&Credits::from(Millicredits(-7))).unwrap(), "-0.007");
        let whole = |amount| whole_credits(Millicredits(amount)).0;
        assert_eq!([-5, 0, 1, 999, 1_000, 1_001].map(whole), [0, 0, 1, 1, 1, 2]);
    }
}
