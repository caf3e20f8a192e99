//! The fields of a publish of documents, checked.

use l10n_api_types::ProjectId;
use l10n_api_types::publish::Publish;

use crate::domain::approval::GatedCall;
use crate::domain::run::targets::of_project;
use crate::domain::{Caller, ServiceError, pages};
use crate::store::{Tx, documents, languages};

/// A publish of documents as it was asked for, checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ContentPublishRequest {
    /// Ids of documents in the order in which they were made, which is that of the ids.
    pub(super) documents: Vec<String>,
    /// Languages; that of a document itself is always in its version.
    pub(super) languages: Vec<String>,
}

impl ContentPublishRequest {
    /// Checks the fields and finds the documents and languages.
    ///
    /// # Errors
    ///
    /// 400 for fields that do not go together and languages that the project lacks, 404 for documents.
    pub(super) async fn check(tx: &mut Tx, caller: &Caller, publish: &Publish) -> Result<Self, ServiceError> {
        let project = &caller.project;
        if publish.label.as_ref().is_some_and(|label| !label.is_empty()) {
            return Err(invalid("`label` is for a version of the keys: versions of documents have none"));
        }
        let known = languages::list(tx, project).await?;
        let mut languages: Vec<String> = Vec::new();
        for (index, code) in publish.languages.iter().flatten().enumerate() {
            let code = &of_project(code, &format!("languages[{index}]"), &known)?.code;
            if !languages.contains(code) {
                languages.push(code.clone());
            }
        }
        if publish.languages.is_none() {
            languages = known.into_iter().map(|language| language.code).collect();
        } else if languages.is_empty() {
            return Err(ServiceError::no_language_named());
        }
        let documents = match &publish.doc_ids {
            None => documents::ids(tx, project).await?,
            Some(asked) if asked.is_empty() => {
                return Err(invalid("`docIds` must name at least one document; leave it out for all of the project's"));
            }
            Some(asked) => {
                let mut ids: Vec<String> = asked.iter().map(ToString::to_string).collect();
                ids.sort_unstable();
                ids.dedup();
                check_documents(tx, project, &ids).await?;
                ids
            }
        };
        Ok(Self { documents, languages })
    }

    /// The publish as an approval has to allow it.
    pub(super) fn gated(&self, publish: &Publish) -> GatedCall<'_> {
        let named = publish.doc_ids.as_ref().map(|_| self.documents.as_slice());
        GatedCall::publish_documents(named, &self.languages)
    }
}

/// Checks that the project has all of these documents.
async fn check_documents(tx: &mut Tx, project: &ProjectId, ids: &[String]) -> Result<(), ServiceError> {
    // A text that can be no id is not repeated: it may be anything.
    if ids.iter().any(|id| !pages::is_id(id)) {
        return Err(ServiceError::NotFound("`docIds` names a document that this project does not have".to_owned()));
    }
    let found = documents::existing(tx, project, ids).await?;
    match ids.iter().find(|id| !found.contains(*id)) {
        Some(id) => Err(ServiceError::NotFound(format!("this project has no document `{id}`"))),
        None => Ok(()),
    }
}

fn invalid(message: &str) -> ServiceError {
    ServiceError::InvalidArgument(message.to_owned())
}
