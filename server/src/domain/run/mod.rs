//! A run: what `POST /translate` and `POST /sync` do, really or as a preview (§4).
//!
//! ```text
//! request ── incoming, file ──> Incoming, the whole input, checked
//! Incoming + what the project holds ── classify ──> each item in one class
//! classes + how translations stand + memory ── work ──> units to translate, each priced once
//! work ── land ──> keys, free translations, job, chunks and hold, in one transaction
//! work ── answer ──> the `Run` of the API, for real and dry runs alike
//! ```

pub mod classify;
pub mod file;
pub mod incoming;
pub mod paths;
pub mod work;
