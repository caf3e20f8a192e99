//! The two units of money, a type for each so that they cannot be mixed up.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

use serde::{Deserialize, Serialize};

/// An amount in thousandths of a credit, the unit of every amount in a response (§2): an integer, never a fraction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(value_type = i64))]
#[serde(transparent)]
pub struct Millicredits(pub i64);

impl Millicredits {
    /// Zero.
    pub const ZERO: Self = Self(0);

    /// The sum, limited to the largest possible amount.
    #[must_use]
    pub const fn saturating_add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

/// Formats the amount in credits, like the dashboard: `1.234` for 1,234 millicredits.
impl fmt::Display for Millicredits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let amount = self.0.unsigned_abs();
        f.pad(&format!("{sign}{}.{:03}", amount / 1_000, amount % 1_000))
    }
}

impl Add for Millicredits {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Millicredits {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Neg for Millicredits {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl AddAssign for Millicredits {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl SubAssign for Millicredits {
    fn sub_assign(&mut self, other: Self) {
        self.0 -= other.0;
    }
}

impl Sum for Millicredits {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Add::add)
    }
}

/// An amount in whole credits: the unit of `max_credits` of `POST /operations` (§2) and of operators' input.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(value_type = u32))]
#[serde(transparent)]
pub struct WholeCredits(pub u32);

impl From<WholeCredits> for Millicredits {
    fn from(credits: WholeCredits) -> Self {
        Self(i64::from(credits.0) * 1_000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RES-13: 1,000 millicredits are 1 credit.
    #[test]
    fn a_thousand_millicredits_are_one_credit() {
        assert_eq!(Millicredits::from(WholeCredits(1)), Millicredits(1_000));
        assert_eq!(Millicredits(1_234).to_string(), "1.234");
        assert_eq!(Millicredits(-7).to_string(), "-0.007");
    }
}
