//! The glossary of a project.

use l10n_api_types::glossary::{
    Glossary as Page, GlossarySet, GlossaryTerm, List, ListQuery, NewGlossaryTerm, Set, SetGlossary,
};
use l10n_api_types::{NoBody, NoQuery};

use crate::error::Result;
use crate::pages::Pages;
use crate::project::Project;

/// The glossary of a project. Made by [`Project::glossary`].
#[derive(Debug, Clone)]
pub struct Glossary {
    pub(crate) project: Project,
}

impl Project {
    /// Its terms, and those of its workspace.
    #[must_use]
    pub fn glossary(&self) -> Glossary {
        Glossary { project: self.clone() }
    }
}

impl Glossary {
    /// `GET /projects/{projectId}/glossary`: a page of the project's own terms, or of its workspace's.
    ///
    /// # Errors
    ///
    /// `forbidden` without scope `read`.
    pub async fn list(&self, query: &ListQuery) -> Result<Page> {
        self.project.call::<List>(&self.project.path, query, &NoBody {}).await
    }

    /// Lists the terms from `query.cursor` on, page by page.
    ///
    /// ```no_run
    /// # async fn example(project: l10n_client::Project) -> Result<(), l10n_client::Error> {
    /// for term in project.glossary().pages(Default::default()).all().await? {
    ///     println!("{}: {}", term.language, term.term);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn pages(&self, query: ListQuery) -> Pages<GlossaryTerm> {
        let glossary = self.clone();
        Pages::new::<List, _, _>(query.cursor.clone(), move |cursor| {
            let (glossary, query) = (glossary.clone(), ListQuery { cursor, ..query.clone() });
            async move { glossary.list(&query).await.map(|page| (page.terms, page.next_cursor)) }
        })
    }

    /// `PUT /projects/{projectId}/glossary`: sets the **whole** list of the project's own terms. Those that it leaves out
    /// are removed; no translation changes.
    ///
    /// # Errors
    ///
    /// `invalid_argument` for what no term can be and for a term that is there twice, `forbidden` without scope `write`.
    pub async fn set(&self, terms: Vec<NewGlossaryTerm>) -> Result<GlossarySet> {
        self.project.call::<Set>(&self.project.path, &NoQuery {}, &SetGlossary { terms }).await
    }
}
