//! `l10n://glossary`: the terms of the project and of its workspace. Calls `glossary::list`.

use l10n_client::Project;
use l10n_client::api::Scope;
use l10n_client::api::glossary::{GlossaryLevel, GlossaryTerm, ListQuery};
use serde::Serialize;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::reading::ReadContext;
use crate::resource::Resource;

/// Terms of each list that are shown at most.
const MOST: u32 = 200;

#[derive(Debug)]
pub(super) enum Glossary {}

#[derive(Debug, Serialize)]
pub(super) struct Output {
    /// The project's own; where the workspace has a term of a language, too, this one counts.
    project_terms: Vec<Value>,
    workspace_terms: Vec<Value>,
    /// True if a list goes on.
    has_more: bool,
}

impl Resource for Glossary {
    const KIND: &'static str = "glossary";
    const TITLE: &'static str = "The glossary";
    const DESCRIPTION: &'static str = "Terms with their translations, terms that are not translated, and words that no \
         translation may contain: the project's, which come first, and its workspace's.";
    const SCOPES: &'static [Scope] = &[Scope::Read];
    type Output = Output;

    async fn read(reading: ReadContext<'_>, _name: String) -> Result<Output, Failure> {
        let project = reading.project().await?;
        let (project_terms, goes_on) = list(&project, GlossaryLevel::Project).await?;
        let (workspace_terms, also_goes_on) = list(&project, GlossaryLevel::Workspace).await?;
        Ok(Output { project_terms, workspace_terms, has_more: goes_on || also_goes_on })
    }
}

/// The first terms of a list, and whether it goes on.
async fn list(project: &Project, level: GlossaryLevel) -> Result<(Vec<Value>, bool), Failure> {
    let query = ListQuery { level: Some(level), limit: Some(MOST), cursor: None };
    let page = project.glossary().list(&query).await?;
    Ok((page.terms.into_iter().map(view).collect(), page.next_cursor.is_some()))
}

fn view(term: GlossaryTerm) -> Value {
    let mut view = json!({
        "term": term.term,
        "language": term.language.as_str(),
        "rule": term.rule.as_str(),
        "case_sensitive": term.case_sensitive,
    });
    if !term.translations.is_empty() {
        view["translations"] = json!(term.translations);
    }
    if let Some(note) = term.note {
        view["note"] = json!(note);
    }
    view
}
