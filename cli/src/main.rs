//! Command line of the localization service.
fn main() {}
