//! Lists that come in pages.

use std::fmt;
use std::future::Future;
use std::pin::Pin;

use futures_util::stream::{self, Stream};
use l10n_api_types::{Endpoint, EndpointInfo};

use crate::error::{DecodeError, Result};

type Page<T> = (Vec<T>, Option<String>);
type Fetch<T> = Box<dyn FnMut(Option<String>) -> Pin<Box<dyn Future<Output = Result<Page<T>>> + Send>> + Send>;

/// A list, read page by page. Each page is a request.
///
/// ```no_run
/// # async fn example(project: l10n_client::Project) -> Result<(), l10n_client::Error> {
/// let mut pages = project.translations().pages(Default::default());
/// while let Some(keys) = pages.next_page().await? {
///     for key in keys {
///         println!("{}", key.r#ref);
///     }
/// }
/// # Ok(())
/// # }
/// ```
pub struct Pages<T> {
    endpoint: &'static EndpointInfo,
    fetch: Fetch<T>,
    next: Next,
}

enum Next {
    Page(Option<String>),
    End,
}

impl<T> Pages<T> {
    pub(crate) fn new<E, F, R>(first: Option<String>, mut fetch: F) -> Self
    where
        E: Endpoint,
        F: FnMut(Option<String>) -> R + Send + 'static,
        R: Future<Output = Result<Page<T>>> + Send + 'static,
    {
        Self {
            endpoint: EndpointInfo::of::<E>(),
            fetch: Box::new(move |cursor| Box::pin(fetch(cursor))),
            next: Next::Page(first),
        }
    }

    /// Returns the next page; `None` at the end. After an error, or if the future is dropped, the next call
    /// requests the same page.
    ///
    /// # Errors
    ///
    /// The errors of the list itself; `Decode` if the server repeats the cursor of the same page.
    pub async fn next_page(&mut self) -> Result<Option<Vec<T>>> {
        let Next::Page(cursor) = &self.next else { return Ok(None) };
        let (items, next) = (self.fetch)(cursor.clone()).await?;
        if next.is_some() && next == *cursor {
            self.next = Next::End;
            return Err(DecodeError {
                endpoint: self.endpoint,
                status: 200,
                problem: "`nextCursor` repeats the cursor of this page, so the list would never end".to_owned(),
                media_type: None,
                correlation_id: "unknown".to_owned(),
                open: Vec::new(),
            }
            .into());
        }
        self.next = next.map_or(Next::End, |cursor| Next::Page(Some(cursor)));
        Ok(Some(items))
    }

    /// Returns all remaining items, in memory.
    ///
    /// # Errors
    ///
    /// The errors of [`next_page`](Self::next_page).
    pub async fn all(mut self) -> Result<Vec<T>> {
        let mut all = Vec::new();
        while let Some(page) = self.next_page().await? {
            all.extend(page);
        }
        Ok(all)
    }

    /// Converts into a stream of pages, which ends after an error.
    pub fn into_stream(self) -> impl Stream<Item = Result<Vec<T>>> + Send
    where
        T: Send + 'static,
    {
        stream::try_unfold(self, |mut pages| async move { Ok(pages.next_page().await?.map(|page| (page, pages))) })
    }
}

impl<T> fmt::Debug for Pages<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pages").field("endpoint", &self.endpoint.name).finish_non_exhaustive()
    }
}
