//! The context of a change of what a project is made of.

use l10n_api_types::{ProjectId, WorkspaceId};

use super::Actor;
use crate::clock::Clock;
use crate::config::Settings;

/// The context of a change of a project.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProjectChange<'a> {
    /// The source of time.
    pub clock: &'a dyn Clock,
    /// The settings, which say what each plan allows.
    pub settings: &'a Settings,
    /// The project.
    pub project: &'a ProjectId,
    /// Its workspace.
    pub workspace: &'a WorkspaceId,
    /// The one who changes it.
    pub by: &'a Actor,
}
