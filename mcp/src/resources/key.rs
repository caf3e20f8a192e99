//! `l10n://keys/{ref}`: a key in all languages. Calls `translations::get`.

use l10n_client::api::Scope;
use l10n_client::api::translations::GetQuery;

use crate::completions::Completions;
use crate::failure::Failure;
use crate::reading::ReadContext;
use crate::resource::Resource;
use crate::views::key::KeyView;

/// Longest ref, in bytes.
const LONGEST: usize = 512;

#[derive(Debug)]
pub(super) enum Key {}

impl Resource for Key {
    const KIND: &'static str = "keys";
    const EACH: Option<&'static str> = Some("ref");
    const TITLE: &'static str = "A key";
    const DESCRIPTION: &'static str = "A key by its ref, percent-encoded: source, and each language's translation with \
         state, origin and issues.";
    const SCOPES: &'static [Scope] = &[Scope::Read, Scope::Translate];
    type Output = KeyView;

    async fn read(reading: ReadContext<'_>, r#ref: String) -> Result<KeyView, Failure> {
        if r#ref.len() > LONGEST {
            return Err(Failure::arguments("l10n://keys/{ref}", "the ref is longer than 512 bytes"));
        }
        Ok(reading.project().await?.translations().key(r#ref).await?.into())
    }

    async fn complete(reading: ReadContext<'_>, start: String) -> Result<Completions, Failure> {
        if start.len() > LONGEST || start.chars().any(char::is_control) {
            return Ok(Completions::default());
        }
        let query = GetQuery { prefix: (!start.is_empty()).then_some(start), limit: Some(100), ..GetQuery::default() };
        let found = reading.project().await?.translations().list(&query).await?;
        Ok(Completions::of(found.keys.into_iter().map(|key| key.r#ref), found.next_cursor.is_some()))
    }
}
