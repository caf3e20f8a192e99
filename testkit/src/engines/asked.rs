//! A call of a service, and what is wrong with it.

use http::HeaderMap;
use http::request::Parts;
use serde_json::Value;
use url::form_urlencoded;

use super::behaviour::Behaviour;

/// A call, as the transcript keeps it.
#[derive(Debug, Clone)]
pub struct LoggedCall {
    /// The number of the connection that it came on.
    pub connection: usize,
    /// Its body; null where that is no JSON.
    pub body: Value,
    /// Number of texts in it.
    pub texts: usize,
    /// The way in which it was answered.
    pub behaviour: Behaviour,
}

/// A call that is being looked at.
pub(super) struct EngineRequest {
    pub(super) head: Parts,
    /// Null where it is no JSON.
    pub(super) body: Value,
    /// Bytes of the body.
    pub(super) length: usize,
    pub(super) complaints: Vec<String>,
}

impl EngineRequest {
    /// Reads a call, and looks at what all services have in common. `path` is where it was expected.
    pub(super) fn new(head: Parts, body: &[u8], path: &str) -> Self {
        let json = serde_json::from_slice(body).unwrap_or_default();
        let mut asked = Self { head, body: json, length: body.len(), complaints: Vec::new() };
        asked.require(asked.head.method == http::Method::POST, "the method is not POST");
        let media_type = header(&asked.head.headers, "content-type").to_owned();
        asked.require(media_type == "application/json", &format!("the Content-Type is {media_type}"));
        asked.require_head(path);
        asked
    }

    /// Reads a call that deletes a thing.
    pub(super) fn to_delete(head: Parts, body: &[u8], path: &str) -> Self {
        let mut asked = Self { head, body: Value::Null, length: body.len(), complaints: Vec::new() };
        asked.require(body.is_empty(), "a body is not wanted");
        asked.require_head(path);
        asked
    }

    fn require_head(&mut self, path: &str) {
        let uri = self.head.uri.clone();
        self.require(uri.path() == path, &format!("the path is {} and not {path}", uri.path()));
        self.require(!header(&self.head.headers, "user-agent").is_empty(), "there is no User-Agent");
    }

    pub(super) fn complain(&mut self, what: &str) {
        self.complaints.push(what.to_owned());
    }

    pub(super) fn require(&mut self, holds: bool, otherwise: &str) {
        if !holds {
            self.complain(otherwise);
        }
    }

    pub(super) fn header(&self, name: &str) -> &str {
        header(&self.head.headers, name)
    }

    /// The parameters of the query, in their order. Complains of others than these.
    pub(super) fn query(&mut self, known: &[&str]) -> Vec<String> {
        let query = self.head.uri.query().unwrap_or_default().to_owned();
        let (names, values): (Vec<_>, Vec<_>) = form_urlencoded::parse(query.as_bytes()).into_owned().unzip();
        self.require(names == known, &format!("the query has {names:?} and not {known:?}"));
        known
            .iter()
            .map(|name| names.iter().position(|other| other == name).map_or_else(String::new, |at| values[at].clone()))
            .collect()
    }

    /// Complains of a body that is no object, and of fields that the service does not know.
    pub(super) fn fields(&mut self, known: &[&str]) {
        self.require(self.body.is_object(), "the body is no JSON object");
        let fields = self.body.as_object().into_iter().flat_map(|body| body.keys());
        let unknown: Vec<String> = fields.filter(|name| !known.contains(&name.as_str())).cloned().collect();
        for name in unknown {
            self.complain(&format!("the field `{name}` is not known"));
        }
    }

    /// A field that is a text.
    pub(super) fn text(&self, name: &str) -> &str {
        self.body.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// A field that is a list of texts.
    pub(super) fn texts(&mut self, name: &str) -> Vec<String> {
        let texts = self
            .body
            .get(name)
            .and_then(Value::as_array)
            .map(|texts| texts.iter().filter_map(|text| text.as_str().map(str::to_owned)).collect::<Vec<_>>());
        self.require(texts.as_ref().is_some_and(|texts| !texts.is_empty()), &format!("`{name}` has no texts"));
        texts.unwrap_or_default()
    }

    /// Complains of a language that the service does not know.
    pub(super) fn language(&mut self, name: &str, known: &str) {
        let code = self.text(name).to_owned();
        self.code(name, &code, known);
    }

    /// Complains of the code of a language that the service does not know.
    pub(super) fn code(&mut self, name: &str, code: &str, known: &str) {
        self.require(known.split(' ').any(|known| known == code), &format!("`{name}` is the unknown `{code}`"));
    }

    /// Complains of more than so many texts, or of several that have more than so many characters.
    pub(super) fn at_most(&mut self, texts: &[String], most: usize, characters: usize) {
        let found: usize = texts.iter().map(|text| text.chars().count()).sum();
        self.require(texts.len() <= most, &format!("there are more than {most} texts"));
        self.require(
            texts.len() < 2 || found <= characters,
            &format!("the texts have more than {characters} characters"),
        );
    }
}

fn header<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}
