//! Keys as the store takes them.

use l10n_api_types::Content;
use l10n_formats::SourceHash;
use l10n_formats::text::Syntax;

use crate::clock::Timestamp;
use crate::store::keys::NewKey;

/// A key with a text and nothing else, the first of no file.
pub fn plain_key<'a>(id: &'a str, name: &'a str, source: &'a Content, at: Timestamp) -> NewKey<'a> {
    NewKey {
        id,
        name,
        namespace: None,
        source_path: None,
        position: 0,
        source,
        source_hash: SourceHash::of(source),
        description: None,
        max_length: None,
        tags: None,
        syntax: Syntax::Mixed,
        created_at: at,
        updated_at: at,
    }
}
