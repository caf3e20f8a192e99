//! Places where a deviation can be planted, to prove that the conformance suite finds it.
//!
//! Without the feature `lab` every one of them is a constant `false`, and nothing of them is left in the program.

/// Whether the deviation of that name is planted.
#[cfg(feature = "lab")]
#[must_use]
pub fn on(name: &str) -> bool {
    crate::lab::planted(name)
}

/// Whether the deviation of that name is planted: it never is.
#[cfg(not(feature = "lab"))]
#[inline(always)]
#[must_use]
pub const fn on(_: &str) -> bool {
    false
}
