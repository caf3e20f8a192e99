//! The endpoints of the API by their paths and methods.

use axum::response::Response;
use futures_util::future::BoxFuture;
use http::Method;

use super::Gate;
use super::access_log::Route;
use super::pipeline::IncomingRequest;

/// An answer, with what is known of its route; `None` where nothing is.
pub(super) type Answered = (Response, Option<Route>);

/// An endpoint with everything that stands before its handler.
pub(super) trait ServedEndpoint: Send + Sync {
    /// Answers a request.
    fn answer<'a>(&'a self, gate: &'a Gate, arrived: IncomingRequest) -> BoxFuture<'a, Answered>;

    /// Returns true if pages of other origins may call it.
    fn is_open(&self) -> bool;
}

/// The endpoints of a path, by their methods.
type Methods = Vec<(Method, Box<dyn ServedEndpoint>)>;

/// All of them. A path that has an endpoint for one method has none for another unless that is added, too.
#[derive(Default)]
pub(crate) struct Endpoints {
    places: matchit::Router<usize>,
    by_path: Vec<(String, Methods)>,
}

impl Endpoints {
    /// Adds the endpoint of a path template and a method.
    pub(super) fn add(&mut self, path: &str, method: Method, endpoint: impl ServedEndpoint + 'static) {
        let known = self.by_path.iter().position(|(known, _)| known == path);
        let place = known.unwrap_or_else(|| {
            let (place, added) = (self.by_path.len(), self.places.insert(path, self.by_path.len()));
            debug_assert!(added.is_ok(), "{path} is in the way of another path: {added:?}");
            self.by_path.push((path.to_owned(), Vec::new()));
            place
        });
        if let Some((_, methods)) = self.by_path.get_mut(place) {
            methods.push((method, Box::new(endpoint)));
        }
    }

    /// The endpoint of a raw path and a method. The one for `GET` answers `HEAD`, too.
    pub(super) fn find(&self, method: &Method, raw: &str) -> Option<&dyn ServedEndpoint> {
        let (_, methods) = self.by_path.get(*self.places.at(raw).ok()?.value)?;
        let method = if *method == Method::HEAD { &Method::GET } else { method };
        methods.iter().find(|(own, _)| own == method).map(|(_, endpoint)| endpoint.as_ref())
    }
}
