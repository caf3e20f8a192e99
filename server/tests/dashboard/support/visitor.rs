//! A visitor: a browser without script. It keeps cookies, follows redirects, and says what browsers say about forms.

use std::collections::BTreeMap;

use http::Method;
use l10n_server::testing::{Answer, TestApp};

use super::html::{Form, Html};

/// A browser without script.
#[derive(Clone)]
pub(crate) struct Visitor<'a> {
    app: &'a TestApp,
    cookies: BTreeMap<String, String>,
}

/// A page that was reached.
#[derive(Debug)]
pub(crate) struct Visited {
    /// Path and query, after redirects.
    pub(crate) path: String,
    /// Its status.
    pub(crate) status: u16,
    answer: Answer,
}

impl Visited {
    pub(crate) fn text(&self) -> &str {
        self.answer.text()
    }

    pub(crate) fn html(&self) -> Html {
        Html::read(self.text())
    }

    /// Requires a text on the page.
    #[track_caller]
    pub(crate) fn says(&self, words: &str) -> &Self {
        let text = self.html().text;
        assert!(text.contains(words), "{} {}: no `{words}` in: {text}", self.status, self.path);
        self
    }
}

impl<'a> Visitor<'a> {
    pub(super) fn new(app: &'a TestApp) -> Self {
        Self { app, cookies: BTreeMap::new() }
    }

    /// The value of a cookie.
    pub(crate) fn cookie(&self, name: &str) -> Option<&str> {
        self.cookies.get(name).map(String::as_str)
    }

    /// Sets a cookie, as somebody else could have.
    pub(crate) fn set_cookie(&mut self, name: &str, value: &str) {
        self.cookies.insert(name.to_owned(), value.to_owned());
    }

    /// Opens a page, and follows where it leads.
    pub(crate) async fn get(&mut self, path: &str) -> Visited {
        self.follow(Method::GET, path, None).await
    }

    /// Sends a form, and follows where it leads.
    pub(crate) async fn send(&mut self, form: Form) -> Visited {
        assert_eq!(form.method, "post", "{form:?}");
        self.follow(Method::POST, &form.action, Some(form.body())).await
    }

    /// Sends fields to a path, and follows where it leads.
    pub(crate) async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Visited {
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        self.follow(Method::POST, path, Some(body)).await
    }

    async fn follow(&mut self, method: Method, path: &str, body: Option<String>) -> Visited {
        let (mut method, mut path, mut body) = (method, path.to_owned(), body);
        for _ in 0..5 {
            let answer = self.once(method, &path, body.take(), &[("sec-fetch-site", "same-origin")]).await;
            let Some(location) = answer.header("location").map(str::to_owned) else {
                return Visited { path, status: answer.status, answer };
            };
            assert_eq!(answer.status, 303, "{path}");
            (method, path) = (Method::GET, location);
        }
        panic!("{path} leads in circles");
    }

    /// One request, with these headers beside the cookies.
    pub(crate) async fn once(
        &mut self,
        method: Method,
        path: &str,
        body: Option<String>,
        headers: &[(&str, &str)],
    ) -> Answer {
        let target = path.split('#').next().unwrap_or_default();
        let mut call = self.app.at(method, target);
        let cookies: Vec<_> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        if !cookies.is_empty() {
            call = call.header("cookie", &cookies.join("; "));
        }
        for (name, value) in headers {
            call = call.header(name, value);
        }
        if let Some(body) = body {
            call = call.body(body).header("content-type", "application/x-www-form-urlencoded");
        }
        let answer = call.send().await;
        for cookie in answer.headers.get_all("set-cookie") {
            let text = cookie.to_str().unwrap();
            let (name, value) = text.split(';').next().unwrap().split_once('=').unwrap();
            if text.contains("Max-Age=0") {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        answer
    }
}
