//! Places where a deviation can be planted, to prove that the conformance suite finds it.
//!
//! Without the feature `lab` every one of them is a constant `false`, and nothing of them is left in the program.

/// Returns true if the deviation with that name is planted.
#[cfg(feature = "lab")]
#[must_use]
pub fn on(name: &str) -> bool {
    crate::lab::planted(name)
}

/// Returns false: no deviation is planted.
#[cfg(not(feature = "lab"))]
#[inline(always)]
#[must_use]
pub const fn on(_: &str) -> bool {
    false
}
