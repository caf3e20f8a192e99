//! Engines that translate.

/// An engine that translates.
pub trait Translator: Send + Sync + 'static {
    /// Its name, as `GET /meta` shows it.
    fn name(&self) -> &str;
}
