//! The benchmark is in `benches/verify.rs`.
