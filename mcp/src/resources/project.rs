//! `l10n://project`: the project, as `get_project` shows it.

use l10n_client::api::Scope;

use crate::failure::Failure;
use crate::reading::ReadContext;
use crate::resource::Resource;
use crate::views::project::ProjectView;

#[derive(Debug)]
pub(super) enum Project {}

impl Resource for Project {
    const KIND: &'static str = "project";
    const TITLE: &'static str = "The project";
    const DESCRIPTION: &'static str =
        "Languages with progress, balance, live version, budgets, what this key may do and what needs a person.";
    const SCOPES: &'static [Scope] = &[];
    type Output = ProjectView;

    async fn read(reading: ReadContext<'_>, _name: String) -> Result<ProjectView, Failure> {
        ProjectView::read(reading.account, reading.memory).await
    }
}
