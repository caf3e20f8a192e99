//! The basis of a rendering: documents that have the same one render to the same files, and need not be rendered again.

use base16ct::lower::encode_string as hex;
use l10n_api_types::VersionId;
use sha2::{Digest as _, Sha256};

use crate::store::documents::Document;

/// Another release may render otherwise.
const RELEASE: &str = env!("CARGO_PKG_VERSION");

/// All that a rendering follows from, but for the document itself.
#[derive(Debug, Clone)]
pub(super) struct RenderInputs {
    /// Counts the changes of the project's translations.
    seq: i64,
    languages: Vec<String>,
}

impl RenderInputs {
    /// The translations of a project as they were after this number of changes, in these languages.
    pub(super) fn new(seq: i64, languages: &[String]) -> Self {
        Self { seq, languages: languages.to_vec() }
    }

    /// The hash of the basis and of a document's source and live version.
    pub(super) fn of(&self, source_id: &VersionId, live_version_id: &VersionId) -> String {
        let (mut hasher, seq) = (Sha256::new(), self.seq.to_string());
        let parts = [RELEASE, seq.as_str(), source_id.as_str(), live_version_id.as_str()].into_iter();
        for part in parts.chain(self.languages.iter().map(String::as_str)) {
            hasher.update(part);
            // In none of them.
            hasher.update([0]);
        }
        hex(&hasher.finalize())
    }

    /// Returns true if the live version of a document is known to be what rendering it would make.
    pub(super) fn is_rendered(&self, document: &Document) -> bool {
        let live = document.live_version_id.as_ref();
        live.is_some_and(|live| document.rendered_from.as_deref() == Some(&self.of(&document.source_id, live)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::scope::tests::document;
    use super::*;

    #[test]
    fn a_rendering_holds_for_the_same_source_version_languages_and_translations_alone() {
        let languages = |codes: &[&str]| codes.iter().map(ToString::to_string).collect::<Vec<_>>();
        let basis = RenderInputs::new(7, &languages(&["en", "de"]));
        let mut rendered = document(10, "a");
        assert!(!basis.is_rendered(&rendered), "it has no live version");
        rendered.live_version_id = Some("cvr_1".into());
        assert!(!basis.is_rendered(&rendered), "nothing is known of it");
        rendered.rendered_from = Some(basis.of(&rendered.source_id, &"cvr_1".into()));
        assert!(basis.is_rendered(&rendered));
        for other in [RenderInputs::new(8, &languages(&["en", "de"])), RenderInputs::new(7, &languages(&["en"]))] {
            assert!(!other.is_rendered(&rendered));
        }
        let restored = Document { live_version_id: Some("cvr_0".into()), ..rendered.clone() };
        let pushed = Document { source_id: "cvr_9".into(), ..rendered };
        assert!(!basis.is_rendered(&restored) && !basis.is_rendered(&pushed));
    }
}
