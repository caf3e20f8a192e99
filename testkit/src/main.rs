//! Command line of the conformance suite.
fn main() {}
