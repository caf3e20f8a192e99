//! `l10n-server`.
fn main() {}
