//! A service on the server: its script, its transcript and its complaints.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use http::request::Parts;

use super::asked::{EngineRequest, LoggedCall};
use super::behaviour::Behaviour;
use super::deepl_glossaries::Glossary;
use super::reply::EngineReply;
use super::{azure, deepl, deepl_glossaries, google, libretranslate, openai, own};

/// A kind of service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Service {
    /// DeepL.
    DeepL,
    /// LibreTranslate.
    LibreTranslate,
    /// Google Cloud Translation, version 2.
    GoogleBasic,
    /// Google Cloud Translation, version 3, for the project `shop` in `global`.
    GoogleAdvanced,
    /// Azure Translator, for a key of `westeurope`.
    Azure,
    /// A chat model behind the API of OpenAI.
    OpenAi,
    /// A service with the JSON of one's own engines.
    Own,
}

impl Service {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::DeepL,
        Self::LibreTranslate,
        Self::GoogleBasic,
        Self::GoogleAdvanced,
        Self::Azure,
        Self::OpenAi,
        Self::Own,
    ];

    /// The folder of its paths.
    pub(super) const fn folder(self) -> &'static str {
        match self {
            Self::DeepL => "/deepl",
            Self::LibreTranslate => "/libretranslate",
            Self::GoogleBasic => "/google-basic",
            Self::GoogleAdvanced => "/google-advanced",
            Self::Azure => "/azure",
            Self::OpenAi => "/openai/v1",
            Self::Own => "/own",
        }
    }

    /// The path that is called, behind the folder.
    const fn path(self) -> &'static str {
        match self {
            Self::DeepL => "/v2/translate",
            Self::LibreTranslate | Self::Azure => "/translate",
            Self::GoogleBasic => "/language/translate/v2",
            Self::GoogleAdvanced => "/v3/projects/shop/locations/global:translateText",
            Self::OpenAi => "/chat/completions",
            Self::Own => "",
        }
    }
}

/// A service that listens.
#[derive(Debug)]
pub struct Mount {
    service: Service,
    address: String,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    script: VecDeque<Behaviour>,
    then: Option<Behaviour>,
    calls: Vec<LoggedCall>,
    glossaries: Vec<Glossary>,
    glossary_script: VecDeque<Behaviour>,
    glossary_calls: Vec<Behaviour>,
    complaints: Vec<String>,
}

impl Mount {
    pub(super) fn new(service: Service, origin: &str) -> Self {
        Self { service, address: format!("{origin}{}", service.folder()), state: Mutex::default() }
    }

    /// The kind of service.
    #[must_use]
    pub fn service(&self) -> Service {
        self.service
    }

    /// The address to configure.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The key that it knows.
    #[must_use]
    pub fn key(&self) -> &'static str {
        "fake-key-1234567890"
    }

    /// Behaves like this call after call, and translates from then on.
    pub fn script(&self, behaviours: impl IntoIterator<Item = Behaviour>) {
        let mut state = self.state();
        state.script = behaviours.into_iter().collect();
        state.then = None;
    }

    /// Behaves like this from now on.
    pub fn always(&self, behaviour: Behaviour) {
        let mut state = self.state();
        state.script.clear();
        state.then = Some(behaviour);
    }

    /// The calls so far.
    #[must_use]
    pub fn calls(&self) -> Vec<LoggedCall> {
        self.state().calls.clone()
    }

    /// The faults of calls, which the service would not have taken.
    #[must_use]
    pub fn complaints(&self) -> Vec<String> {
        self.state().complaints.clone()
    }

    /// Fails the test where there are complaints.
    ///
    /// # Panics
    ///
    /// Panics then.
    pub fn expect_no_complaints(&self) {
        let complaints = self.complaints();
        assert!(complaints.is_empty(), "{:?}: {complaints:#?}", self.service);
    }

    /// Behaves like this for call after call of its glossaries, and keeps them from then on.
    pub fn script_glossaries(&self, behaviours: impl IntoIterator<Item = Behaviour>) {
        self.state().glossary_script = behaviours.into_iter().collect();
    }

    /// The glossaries that it keeps, in the order in which they were made.
    #[must_use]
    pub fn glossaries(&self) -> Vec<Glossary> {
        self.state().glossaries.clone()
    }

    /// The behaviours of the calls that made or removed a glossary. They are not among its other calls.
    #[must_use]
    pub fn glossary_calls(&self) -> Vec<Behaviour> {
        self.state().glossary_calls.clone()
    }

    /// Loses all of its glossaries.
    pub fn lose_glossaries(&self) {
        self.state().glossaries.clear();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Answers a call.
    pub(super) fn answer(&self, head: Parts, body: &[u8], connection: usize) -> (EngineReply, Behaviour) {
        let glossaries = format!("{}{}", self.service.folder(), deepl_glossaries::PATH);
        if self.service == Service::DeepL && head.uri.path().starts_with(&glossaries) {
            return self.answer_glossaries(head, body, &glossaries);
        }
        let behaviour = {
            let mut state = self.state();
            let next = state.script.pop_front();
            next.or_else(|| state.then.clone()).unwrap_or(Behaviour::Translate)
        };
        let path = format!("{}{}", self.service.folder(), self.service.path());
        let mut asked = EngineRequest::new(head, body, &path);
        let (texts, reply) = match self.service {
            Service::DeepL => deepl::answer(&mut asked, self.key(), &behaviour, &self.glossaries()),
            Service::LibreTranslate => libretranslate::answer(&mut asked, self.key(), &behaviour),
            Service::GoogleBasic => google::basic(&mut asked, self.key(), &behaviour),
            Service::GoogleAdvanced => google::advanced(&mut asked, self.key(), &behaviour),
            Service::Azure => azure::answer(&mut asked, self.key(), &behaviour),
            Service::OpenAi => openai::answer(&mut asked, self.key(), &behaviour),
            Service::Own => own::answer(&mut asked, self.key(), &behaviour),
        };
        let complained = !asked.complaints.is_empty();
        let refused = serde_json::json!({"complaints": asked.complaints});
        let mut state = self.state();
        state.complaints.append(&mut asked.complaints);
        state.calls.push(LoggedCall { connection, body: asked.body, texts, behaviour: behaviour.clone() });
        (if complained { EngineReply::json(400, &refused) } else { reply }, behaviour)
    }

    /// Answers a call that makes or removes a glossary.
    fn answer_glossaries(&self, head: Parts, body: &[u8], path: &str) -> (EngineReply, Behaviour) {
        let mut state = self.state();
        let behaviour = state.glossary_script.pop_front().unwrap_or(Behaviour::Translate);
        let mut asked = match head.method {
            http::Method::DELETE => {
                let one = format!("{path}/{}", head.uri.path().rsplit('/').next().unwrap_or_default());
                EngineRequest::to_delete(head, body, &one)
            }
            _ => EngineRequest::new(head, body, path),
        };
        let reply = deepl_glossaries::answer(&mut asked, self.key(), &behaviour, &mut state.glossaries);
        let complained = !asked.complaints.is_empty();
        let refused = serde_json::json!({"complaints": asked.complaints});
        state.complaints.append(&mut asked.complaints);
        state.glossary_calls.push(behaviour.clone());
        (if complained { EngineReply::json(400, &refused) } else { reply }, behaviour)
    }
}
