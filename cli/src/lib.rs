//! Command line of the localization service, as a library for its own tests and for `xtask`.
