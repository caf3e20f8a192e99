//! Points in time on the wire: ISO 8601, UTC, milliseconds, `Z`.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A point in time with a resolution of one millisecond: `2026-11-21T08:00:00.000Z`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime))]
pub struct Timestamp(i64);

impl Timestamp {
    /// The point `millis` milliseconds after 1970-01-01T00:00:00Z.
    #[must_use]
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Milliseconds since 1970-01-01T00:00:00Z.
    #[must_use]
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
    #[must_use]
    pub const fn as_seconds(self) -> i64 {
        self.0.div_euclid(1_000)
    }

    /// The point `millis` milliseconds later.
    #[must_use]
    pub const fn plus_millis(self, millis: i64) -> Self {
        Self(self.0.saturating_add(millis))
    }
}

/// Formats as `2026-11-21T08:00:00.000Z`. A point outside the years -9999 to 9999 prints as that range's nearer end.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bounds = (jiff::Timestamp::MIN, jiff::Timestamp::MAX);
        let time = jiff::Timestamp::from_millisecond(self.0).unwrap_or(if self.0 < 0 { bounds.0 } else { bounds.1 });
        write!(f, "{time:.3}")
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not an ISO 8601 date and time with an offset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseTimestampError(String);

impl fmt::Display for ParseTimestampError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a time such as 2026-11-21T08:00:00.000Z: {}", self.0)
    }
}

impl std::error::Error for ParseTimestampError {}

impl FromStr for Timestamp {
    type Err = ParseTimestampError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let time: jiff::Timestamp =
            text.parse().map_err(|error: jiff::Error| ParseTimestampError(error.to_string()))?;
        Ok(Self(time.as_millisecond()))
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ENV-4: milliseconds, UTC, `Z`, even where they are zero.
    #[test]
    fn times_travel_with_milliseconds_and_z() {
        let time = Timestamp::from_millis(1_795_248_000_000);
        assert_eq!(serde_json::to_string(&time).unwrap(), "\"2026-11-21T08:00:00.000Z\"");
        assert_eq!("2026-11-21T09:00:00.000+01:00".parse(), Ok(time));
        assert!("2026-11-21".parse::<Timestamp>().is_err());
        assert_eq!(Timestamp::from_millis(i64::MAX).to_string(), "9999-12-30T22:00:00.999Z");
    }
}
