//! FORMATS 7: whatever a translation service does, every text ends translated with its placeholders or failed, what failed
//! costs nothing, nothing stays held, and no call follows when the quota is used up. The services are strict fakes, configured as
//! operators do it.

use std::fmt::Write as _;

use futures_util::future::join_all;
use http::Method;
use l10n_api_types::translations::{Job, KeyList, Run};
use l10n_api_types::{Key, Millicredits, ProjectId, WorkspaceId};
use l10n_server::domain::provision::{Description, provision};
use l10n_server::testing::{Call, TestApp, TestStore, configured_engines};
use l10n_server::workers::translate::WorkerConfig;
use l10n_testkit::engines::{Behaviour, FakeEngines, Service};
use serde_json::{Value, json};

use crate::jobs::fixtures::{QUICK, TestWorker, money_of, price_of, taken, texts};

l10n_server::both_engines!(every_job_ends_with_its_placeholders_and_charges_for_what_is_there);

/// A language for each service. Their plurals have the forms of English ones, and their letters are Latin.
const LANGUAGES: [(&str, Service); 7] = [
    ("de", Service::DeepL),
    ("nl", Service::LibreTranslate),
    ("da", Service::GoogleBasic),
    ("fi", Service::GoogleAdvanced),
    ("hu", Service::Azure),
    ("et", Service::OpenAi),
    ("sv", Service::Own),
];

/// Texts with all that masks and services may get wrong.
const SOURCES: [(&str, &str); 7] = [
    ("plain", "Save changes"),
    ("two", "Hi {name}, you have {count} new messages"),
    ("tags", "Read <b>all</b> of {file} & more"),
    ("word", "Pay the invoice {id} now"),
    ("signs", "1 < 2 && \"x\" 'y' > z"),
    ("alone", " {a} {b} "),
    ("plural", "{n, plural, one {# file of {name}} other {# files of {name}}}"),
];

/// Credits of each workspace.
const CREDITS: Millicredits = Millicredits(1_000_000);

/// A behaviour, the services that have it, and the project whose languages they translate into.
struct Case {
    behaviour: Behaviour,
    fakes: FakeEngines,
    services: Vec<(&'static str, Service)>,
}

impl Case {
    async fn new(behaviour: Behaviour) -> Self {
        let fakes = FakeEngines::start().await.unwrap();
        let is_of_models = Behaviour::OF_MODELS.contains(&behaviour);
        let has_it = |service: Service| !is_of_models || service == Service::OpenAi;
        let services: Vec<_> = LANGUAGES.into_iter().filter(|(_, service)| has_it(*service)).collect();
        services.iter().for_each(|(_, service)| fakes.mount(*service).always(behaviour.clone()));
        Self { behaviour, fakes, services }
    }

    /// The tables of the engines, whose names are a number and a language.
    fn tables(&self, number: usize, key_file: &str) -> String {
        let mut tables = String::new();
        for (language, service) in &self.services {
            let kind = match service {
                Service::DeepL => "kind = \"deepl\"\nformality = \"prefer_more\"",
                Service::LibreTranslate => "kind = \"libretranslate\"",
                Service::GoogleBasic => "kind = \"google\"",
                Service::GoogleAdvanced => "kind = \"google\"\nproject = \"shop\"",
                Service::Azure => "kind = \"azure\"\nregion = \"westeurope\"",
                Service::OpenAi => "kind = \"openai\"\nmodel = \"small\"",
                Service::Own => "kind = \"http\"",
            };
            let address = self.fakes.mount(*service).address();
            writeln!(tables, "[engines.{}]\n{kind}\naddress = \"{address}\"", engine(number, language)).unwrap();
            writeln!(tables, "key_file = \"{key_file}\"\nmax_items = 3").unwrap();
            if Behaviour::SLOW.contains(&self.behaviour) {
                writeln!(tables, "timeout_seconds = 1").unwrap();
            }
        }
        tables
    }

    fn workspace(&self, number: usize) -> Value {
        let engines: serde_json::Map<_, _> = self
            .services
            .iter()
            .map(|(language, _)| ((*language).to_owned(), json!(engine(number, language))))
            .collect();
        let project = json!({
            "slug": "app", "name": "App", "baseLanguage": "en",
            "languages": self.services.iter().map(|(language, _)| language).collect::<Vec<_>>(),
            "languageEngines": engines, "keys": [{"label": "test", "scopes": ["admin"], "kind": "ci"}],
        });
        json!({"handle": format!("case-{number}"), "credits": CREDITS.0 / 1_000, "projects": [project]})
    }

    fn calls(&self) -> Vec<usize> {
        self.services.iter().map(|(_, service)| self.fakes.mount(*service).calls().len()).collect()
    }
}

fn engine(number: usize, language: &str) -> String {
    format!("case-{number}-{language}")
}

/// A project with its key.
struct Place<'a> {
    app: &'a TestApp,
    workspace: WorkspaceId,
    project: ProjectId,
    key: String,
}

impl Place<'_> {
    fn call(&self, method: Method, path: &str) -> Call {
        self.app.at(method, &format!("/v1/projects/{}{path}", self.project)).key(&self.key)
    }

    /// Translates texts, and waits for the end of their job.
    async fn translated(&self, keys: &[Key]) -> Job {
        let run: Run = taken(self.call(Method::POST, "/translate").json(&json!({ "keys": keys })).send().await);
        let path = format!("/translations?waitSeconds=25&trackingToken={}", run.tracking_token.unwrap());
        loop {
            let job: Job = self.call(Method::GET, &path).send().await.read();
            if job.status.is_final() {
                return job;
            }
        }
    }
}

/// The placeholders and tags of a text, and the numbers of its plurals, in the order of their letters.
fn marks(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, sign) in text.char_indices() {
        let close = match sign {
            '{' => '}',
            '<' => '>',
            '#' if text.contains(", plural,") => {
                found.push(&text[at..=at]);
                continue;
            }
            _ => continue,
        };
        let Some(length) = text[at..].find(close) else { continue };
        if text[at + 1..at + length].chars().all(|inside| inside.is_alphabetic() || inside == '/') {
            found.push(&text[at..=at + length]);
        }
    }
    found.sort_unstable();
    found
}

async fn check(place: &Place<'_>, case: &Case) {
    let keys = texts(SOURCES);
    let job = place.translated(&keys).await;
    let name = format!("{:?}: {job:?}", case.behaviour);
    let total = (SOURCES.len() * case.services.len()) as u64;
    assert_eq!((job.progress.total, job.progress.done + job.progress.failed), (total, total), "{name}");

    let list: KeyList = place.call(Method::GET, "/translations?limit=500").send().await.read();
    let (mut done, mut price) = (0, Millicredits::ZERO);
    for (key, made) in keys.iter().zip(SOURCES.map(|(name, _)| list.keys.iter().find(|key| key.r#ref == name).unwrap()))
    {
        let source = key.text.as_deref().unwrap();
        for translation in &made.translations {
            let failed = job
                .failures
                .iter()
                .any(|failure| failure.r#ref == key.r#ref && failure.language == translation.language);
            assert_eq!(translation.text.is_none(), failed, "{}, {name}", key.r#ref);
            if let Some(text) = &translation.text {
                assert_eq!(marks(text), marks(source), "{text:?}, {name}");
                done += 1;
                price = price.saturating_add(price_of(std::slice::from_ref(key), 1));
            }
        }
    }
    assert_eq!((job.progress.done, job.credits_charged), (done, price), "{name}");
    let money = money_of(place.app, &place.workspace).await;
    assert_eq!((money.balance, money.held), (CREDITS.saturating_add(-price), Millicredits::ZERO), "{name}");
    if case.behaviour == Behaviour::Translate {
        assert_eq!(done, total, "{name}");
    }

    if case.behaviour == Behaviour::QuotaExhausted {
        let again = place.translated(&texts([("later", "Open")])).await;
        assert!(again.failures.iter().all(|failure| failure.error == "engine_quota_exhausted"), "{again:?}");
        assert_eq!(case.calls(), vec![1; case.services.len()], "no call follows that answer");
    }
    for (_, service) in &case.services {
        let complaints = case.fakes.mount(*service).complaints();
        assert!(complaints.is_empty(), "{service:?}: {complaints:#?}, {name}");
    }
}

async fn every_job_ends_with_its_placeholders_and_charges_for_what_is_there(store: TestStore) {
    let behaviours = Behaviour::OF_ALL.into_iter().chain(Behaviour::OF_MODELS).chain(Behaviour::SLOW);
    let cases = join_all(behaviours.map(Case::new)).await;
    let folder = tempfile::tempdir().unwrap();
    let (file, key_file) = (folder.path().join("l10n-server.toml"), folder.path().join("key"));
    std::fs::write(&key_file, cases[0].fakes.own().key()).unwrap();
    let tables = cases.iter().enumerate().map(|(number, case)| case.tables(number, key_file.to_str().unwrap()));
    std::fs::write(&file, tables.collect::<String>()).unwrap();

    let app = TestApp::idle_with(&store, |_| {}, configured_engines(&file)).await;
    let workspaces: Vec<_> = cases.iter().enumerate().map(|(number, case)| case.workspace(number)).collect();
    let description: Description = serde_json::from_value(json!({ "workspaces": workspaces })).unwrap();
    let mut tx = app.service.store.begin_write().await.unwrap();
    let made = provision(&mut tx, app.service.provisioning(), &description).await.unwrap();
    tx.commit().await.unwrap();
    let places = made.workspaces.into_iter().map(|made| {
        let project = &made.projects[0];
        let (project, key) = (project.project_id.clone(), project.keys[0].key.clone().unwrap());
        Place { app: &app, workspace: made.workspace_id, project, key }
    });
    let places: Vec<_> = places.collect();
    let _worker = TestWorker::configured(&app, WorkerConfig { attempts: 2, ..QUICK });
    join_all(places.iter().zip(&cases).map(|(place, case)| check(place, case))).await;
}
