//! Documents by their ids, a page after the other. Each has the list of its segments, and a hundred long ones are more than the
//! memory.

use l10n_api_types::ProjectId;

use crate::domain::ServiceError;
use crate::domain::pages::PageBudget;
use crate::store::Tx;
use crate::store::documents::{self, Document};

/// Most documents of a page.
const PAGE: usize = 100;

/// Reads the documents of a project that have these ids.
pub(super) struct DocumentReader<'a> {
    project: &'a ProjectId,
    /// The ids that are left, in their order.
    left: &'a [String],
}

impl<'a> DocumentReader<'a> {
    pub(super) const fn new(project: &'a ProjectId, ids: &'a [String]) -> Self {
        Self { project, left: ids }
    }

    /// The next documents in the order of their ids, without those that are gone; `None` at the end. There may be none of them on
    /// a page.
    ///
    /// # Errors
    ///
    /// Returns an error if the datastore fails.
    pub(super) async fn next(&mut self, tx: &mut Tx) -> Result<Option<Vec<Document>>, ServiceError> {
        let most = &self.left[..PAGE.min(self.left.len())];
        if most.is_empty() {
            return Ok(None);
        }
        let sizes = documents::sizes(tx, self.project, most).await?;
        let fitting = PageBudget::default().fitting(most, |id| sizes.get(id).copied().unwrap_or_default());
        let (page, left) = self.left.split_at(fitting);
        self.left = left;
        Ok(Some(documents::find_many(tx, self.project, page).await?))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::testing::{TestApp, TestStore};

    crate::both_engines!(a_page_has_as_many_documents_as_have_room);

    /// Before, a publish read the lists of a hundred documents at once.
    async fn a_page_has_as_many_documents_as_have_room(store: TestStore) {
        let app = TestApp::on(&store).await;
        let mut ids = vec!["doc_0".to_owned()];
        for number in 0..PAGE + 6 {
            // Two lists of so many segments have room on a page, and three do not.
            let body = if number < 5 { "a\n\n".repeat(40_000) } else { "a".to_owned() };
            let pushed = app.post("/content").json(&json!({"format": "text", "body": body})).send().await;
            assert_eq!(pushed.status, 201, "{pushed:?}");
            ids.push(pushed.json()["docId"].as_str().unwrap().to_owned());
        }
        ids.push("doc_zz".to_owned());
        let mut tx = store.begin_read().await.unwrap();
        let mut reader = DocumentReader::new(&app.project.id, &ids);
        let (mut found, mut sizes) = (Vec::new(), Vec::new());
        while let Some(page) = reader.next(&mut tx).await.unwrap() {
            sizes.push(page.len());
            found.extend(page.into_iter().map(|document| document.id));
        }
        assert_eq!(found, ids[1..ids.len() - 1]);
        assert_eq!(sizes, [2, 2, PAGE, 2], "one that is gone takes the place of one that is there");
    }
}
