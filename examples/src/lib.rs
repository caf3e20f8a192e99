//! Runnable examples live beside this file; see `quickstart.rs`.
