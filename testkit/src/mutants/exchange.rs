//! The exchange that a deviation in front of the API reads and changes.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use serde_json::Value;

use crate::profile::{Identity, Profile, Project};

/// A request on its way to the server.
#[derive(Debug, Clone)]
pub struct ApiRequest {
    /// Method.
    pub method: Method,
    /// Path below `base_url`, without the query: `/projects/prj_1/webhooks`.
    pub path: String,
    /// Query, without the `?`; empty where there is none.
    pub query: String,
    /// Headers.
    pub headers: HeaderMap,
    /// True if it came over HTTP/2.
    pub by_http2: bool,
    /// Body.
    pub body: Bytes,
}

/// An answer on its way to the suite.
#[derive(Debug, Clone)]
pub struct ApiAnswer {
    /// Status code.
    pub status: u16,
    /// Headers. `content-length` is set from the body.
    pub headers: HeaderMap,
    /// Body.
    pub body: Bytes,
}

/// The state of a deviation beside the request.
#[derive(Debug)]
pub struct ProxyState {
    /// The profile of the deployment.
    pub profile: Profile,
    /// Notes for later requests.
    notes: Mutex<HashMap<String, Value>>,
}

impl ApiRequest {
    /// Returns true for this method of a path under any project: `under(&Method::POST, "/webhooks")`. A segment `*`
    /// stands for any one segment.
    #[must_use]
    pub fn is(&self, method: &Method, path: &str) -> bool {
        self.method == *method && self.under(path)
    }

    /// Returns true for a path under any project. A segment `*` stands for any one segment.
    #[must_use]
    pub fn under(&self, path: &str) -> bool {
        let Some((_, rest)) = self.path.strip_prefix("/projects/").and_then(|rest| rest.split_once('/')) else {
            return false;
        };
        let (mine, wanted) = (rest.split('/'), path.trim_start_matches('/').split('/'));
        mine.clone().count() == wanted.clone().count()
            && mine.zip(wanted).all(|(mine, wanted)| wanted == "*" || mine == wanted)
    }

    /// The id of its project; empty where it has none.
    #[must_use]
    pub fn project(&self) -> &str {
        self.path.strip_prefix("/projects/").and_then(|rest| rest.split('/').next()).unwrap_or_default()
    }

    /// The key that it presents.
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        self.headers.get("authorization")?.to_str().ok()?.strip_prefix("Bearer ")
    }

    /// Presents this key in place of its own.
    pub fn set_key(&mut self, key: &str) {
        if let Ok(value) = HeaderValue::from_str(&format!("Bearer {key}")) {
            self.headers.insert("authorization", value);
        }
    }

    /// The body as JSON; null where it is none.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }

    /// Sets a JSON body.
    pub fn set_json(&mut self, body: &Value) {
        self.body = body.to_string().into();
    }
}

impl ApiAnswer {
    /// An answer with a JSON body and a correlation id.
    #[must_use]
    pub fn new(status: u16, body: &Value) -> Self {
        let mut answer = Self { status, headers: HeaderMap::new(), body: Bytes::new() };
        answer.set_header("content-type", "application/json");
        answer.set_header("x-correlation-id", &format!("mutant-{:016x}", fresh()));
        answer.set_json(body);
        answer
    }

    /// An error as §7 has it.
    #[must_use]
    pub fn error(status: u16, code: &str) -> Self {
        Self::new(status, &serde_json::json!({ "error": code, "message": "as planted" }))
    }

    /// The body as JSON; null where it is none.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }

    /// Sets a JSON body.
    pub fn set_json(&mut self, body: &Value) {
        self.body = if body.is_null() { Bytes::new() } else { body.to_string().into() };
    }

    /// Changes the JSON body, where it is an object.
    pub fn edit(&mut self, change: impl FnOnce(&mut Value)) {
        let mut body = self.json();
        if body.is_object() {
            change(&mut body);
            self.set_json(&body);
        }
    }

    /// Sets a header in place of all of its name.
    pub fn set_header(&mut self, name: &str, value: &str) {
        if let (Ok(name), Ok(value)) = (name.parse::<HeaderName>(), HeaderValue::from_str(value)) {
            self.headers.insert(name, value);
        }
    }

    /// Returns true if it is 2xx.
    #[must_use]
    pub fn ok(&self) -> bool {
        (200..300).contains(&self.status)
    }
}

impl ProxyState {
    /// Of a deployment.
    #[must_use]
    pub fn new(profile: Profile) -> Self {
        Self { profile, notes: Mutex::default() }
    }

    /// The project of that id.
    #[must_use]
    pub fn project(&self, id: &str) -> Option<&Project> {
        self.profile.projects().find(|project| project.id == id)
    }

    /// The key of a project that may do everything; empty where there is none.
    #[must_use]
    pub fn full_key(&self, project: &str) -> &str {
        self.project(project).and_then(|project| project.keys.get(&Identity::Full)).map_or("", |key| key.expose())
    }

    /// The owner of a key: the project and the identity.
    #[must_use]
    pub fn whose(&self, key: &str) -> Option<(&Project, Identity)> {
        self.profile.projects().find_map(|project| {
            let (identity, _) = project.keys.iter().find(|(_, known)| known.expose() == key)?;
            Some((project, *identity))
        })
    }

    /// Notes a value, and returns the one that was noted before.
    pub fn note(&self, name: &str, value: Value) -> Option<Value> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), value)
    }

    /// A value that was noted.
    #[must_use]
    pub fn noted(&self, name: &str) -> Option<Value> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }

    /// The number of calls with that name, this one included.
    pub fn count(&self, name: &str) -> u64 {
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        let count = notes.get(name).and_then(Value::as_u64).unwrap_or(0) + 1;
        notes.insert(name.to_owned(), count.into());
        count
    }
}

fn fresh() -> u64 {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
