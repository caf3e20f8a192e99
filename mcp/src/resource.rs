//! A resource: its declaration, and the request that reads it.

use std::future::Future;
use std::pin::Pin;

use l10n_client::api::Scope;
use rmcp::ErrorData;
use rmcp::model::{CacheScope, ReadResourceResult, ResourceContents, ResourceTemplate};
use serde::Serialize;
use serde_json::Value;

use crate::bound::bounded;
use crate::completions::Completions;
use crate::failure::Failure;
use crate::reading::ReadContext;
use crate::uri::SCHEME;

/// The form of every resource.
const MEDIA_TYPE: &str = "application/json";

/// The declaration of a resource.
pub(crate) trait Resource: 'static {
    /// The first part of its address.
    const KIND: &'static str;
    /// The second part, where the project has many of the kind.
    const EACH: Option<&'static str> = None;
    const TITLE: &'static str;
    const DESCRIPTION: &'static str;
    /// Scopes any of which lets a key read it. Empty: any key.
    const SCOPES: &'static [Scope];
    type Output: Serialize + Send;

    /// Reads it. `name` is empty where the project has one alone.
    fn read(reading: ReadContext<'_>, name: String) -> impl Future<Output = Result<Self::Output, Failure>> + Send;

    /// The names that begin with `start`.
    fn complete(
        _reading: ReadContext<'_>,
        _start: String,
    ) -> impl Future<Output = Result<Completions, Failure>> + Send {
        std::future::ready(Ok(Completions::default()))
    }
}

/// An answer of the service that is under way.
type PendingResponse<'a, T> = Pin<Box<dyn Future<Output = Result<T, Failure>> + Send + 'a>>;

/// A resource without its types.
#[derive(Debug)]
pub(crate) struct ResourceEntry {
    pub(crate) kind: &'static str,
    pub(crate) each: Option<&'static str>,
    title: &'static str,
    description: &'static str,
    pub(crate) scopes: &'static [Scope],
    read: for<'a> fn(ReadContext<'a>, String) -> PendingResponse<'a, Value>,
    pub(crate) complete: for<'a> fn(ReadContext<'a>, String) -> PendingResponse<'a, Completions>,
}

impl ResourceEntry {
    pub(crate) const fn of<R: Resource>() -> Self {
        Self {
            kind: R::KIND,
            each: R::EACH,
            title: R::TITLE,
            description: R::DESCRIPTION,
            scopes: R::SCOPES,
            read: |reading, name| Box::pin(read::<R>(reading, name)),
            complete: |reading, start| Box::pin(R::complete(reading, start)),
        }
    }

    /// Its address, or the template of its addresses.
    pub(crate) fn uri(&self) -> String {
        match self.each {
            Some(each) => format!("{SCHEME}{}/{{{each}}}", self.kind),
            None => format!("{SCHEME}{}", self.kind),
        }
    }

    /// Its entry in the list of resources; `None` for a template.
    pub(crate) fn resource(&self) -> Option<rmcp::model::Resource> {
        let resource = rmcp::model::Resource::new(self.uri(), self.kind);
        let resource = resource.with_title(self.title).with_description(self.description);
        self.each.is_none().then(|| resource.with_mime_type(MEDIA_TYPE))
    }

    /// Its entry in the list of templates; `None` for a resource with an address of its own.
    pub(crate) fn template(&self) -> Option<ResourceTemplate> {
        let template = ResourceTemplate::new(self.uri(), self.kind);
        let template = template.with_title(self.title).with_description(self.description);
        self.each.is_some().then(|| template.with_mime_type(MEDIA_TYPE))
    }

    /// Reads it, no larger than the result of a tool. It is of this moment, and nobody keeps it.
    pub(crate) async fn contents(
        &self,
        reading: ReadContext<'_>,
        uri: String,
        name: String,
    ) -> Result<ReadResourceResult, ErrorData> {
        let Value::Object(facts) = (self.read)(reading, name).await.map_err(Failure::error)? else {
            return Err(ErrorData::internal_error("the resource cannot be written as JSON", None));
        };
        let text = Value::Object(bounded(facts)).to_string();
        let contents = ResourceContents::text(text, uri).with_mime_type(MEDIA_TYPE);
        Ok(ReadResourceResult::new(vec![contents]).with_ttl_ms(0).with_cache_scope(CacheScope::Private))
    }
}

async fn read<R: Resource>(reading: ReadContext<'_>, name: String) -> Result<Value, Failure> {
    let output = R::read(reading, name).await?;
    Ok(serde_json::to_value(output).unwrap_or_default())
}
