//! The reason why a run could not begin.

use super::options::SelectionError;
use crate::profile::ProfileError;
use crate::session::SessionError;

/// The reason why a run could not begin.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Nothing to run.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// The profile is not valid.
    #[error(transparent)]
    Profile(#[from] ProfileError),
    /// The receiver cannot listen, or a file cannot be used.
    #[error(transparent)]
    Session(#[from] SessionError),
}

impl RunError {
    /// A file or URL that cannot be used.
    pub(super) fn setup(why: String) -> Self {
        Self::Session(SessionError::Setup(why))
    }
}
