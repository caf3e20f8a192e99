//! Keys and translations, as a sync and its job leave them.

use std::ops::Deref;

use l10n_api_types::output_formats::EmptyAs;
use l10n_api_types::publish::{Publish, Published};
use l10n_api_types::translations::VersionFiles;
use l10n_api_types::{Content, FormatId, Issue, Origin, State};
use l10n_formats::SourceHash;
use l10n_server::clock::Clock as _;
use l10n_server::domain::publish;
use l10n_server::ids::{IdKind, new_id};
use l10n_server::store::keys::NewKey;
use l10n_server::store::output_formats::OutputFormat;
use l10n_server::store::row::Json;
use l10n_server::store::source_files::NewSourceFile;
use l10n_server::store::translations::NewTranslation;
use l10n_server::store::{Tx, keys, output_formats, projects, source_files, translations};
use l10n_server::testing::{TestApp, TestProject, TestStore, plain_key};
use serde_json::json;
use sha2::{Digest as _, Sha256};

/// A server whose project can be filled without a sync.
pub(crate) struct App(TestApp);

impl Deref for App {
    type Target = TestApp;

    fn deref(&self) -> &TestApp {
        &self.0
    }
}

impl App {
    pub(crate) fn new(app: TestApp) -> Self {
        Self(app)
    }

    pub(crate) async fn on(store: &TestStore) -> Self {
        Self(TestApp::on(store).await)
    }

    /// On a store, with the one key `greeting`, translated into German.
    pub(crate) async fn greeting(store: &TestStore) -> Self {
        let app = Self::on(store).await;
        app.greet().await;
        app
    }

    /// Adds the key `greeting`.
    pub(crate) async fn greet(&self) {
        let mut tx = self.write().await;
        let key = self.key_in(&mut tx, Spec { name: "greeting", text: "Hello", ..Spec::default() }).await;
        self.translate_in(&mut tx, &key, "de", "Hallo", State::Translated).await;
        tx.commit().await.unwrap();
    }

    pub(crate) async fn write(&self) -> Tx {
        self.service.store.begin_write().await.unwrap()
    }

    /// Adds a key, or gives the one with the same id another text.
    pub(crate) async fn key_in(&self, tx: &mut Tx, spec: Spec<'_>) -> TestKey {
        let now = self.clock.now();
        let id = spec.id.map_or_else(|| new_id(IdKind::String, now), str::to_owned);
        let source = Content::Text(spec.text.into());
        let new = NewKey {
            namespace: spec.namespace,
            source_path: spec.source_path,
            position: spec.position,
            ..plain_key(&id, spec.name, &source, now)
        };
        keys::upsert(tx, &self.project.id, &[new]).await.unwrap();
        projects::add_counts(tx, &self.project.id, i64::from(spec.id.is_none()), 1).await.unwrap();
        TestKey { id, source_hash: SourceHash::of(&source) }
    }

    pub(crate) async fn translate_in(&self, tx: &mut Tx, key: &TestKey, language: &str, text: &str, state: State) {
        self.translate_with(tx, key, language, text, state, &[]).await;
    }

    pub(crate) async fn translate_with(
        &self,
        tx: &mut Tx,
        key: &TestKey,
        language: &str,
        text: &str,
        state: State,
        issues: &[Issue],
    ) {
        let content = Content::Text(text.into());
        let new = NewTranslation {
            key_id: &key.id,
            language,
            content: &content,
            state,
            source_hash: key.source_hash,
            origin: Origin::Human,
            engine: None,
            issues,
        };
        translations::upsert(tx, &self.project.id, &[new], self.clock.now()).await.unwrap();
    }

    pub(crate) async fn source_in(&self, tx: &mut Tx, path: &str, format: FormatId, content: &str) {
        let file = NewSourceFile {
            path,
            format: format.as_str(),
            namespace: None,
            holds_all_languages: false,
            content: content.as_bytes(),
            sha256: Sha256::digest(content).into(),
            synced_at: self.clock.now(),
        };
        source_files::keep(tx, &self.project.id, file).await.unwrap();
    }

    /// States the output formats: path, what stands for a missing translation, namespaces.
    pub(crate) async fn outputs_in(&self, tx: &mut Tx, outputs: &[(&str, FormatId, EmptyAs, Option<&[&str]>)]) {
        let rows: Vec<OutputFormat> = outputs
            .iter()
            .map(|(path, format, empty_as, namespaces)| OutputFormat {
                id: new_id(IdKind::OutputFormat, self.clock.now()),
                format: *format,
                path: (*path).into(),
                empty_as: *empty_as,
                namespaces: namespaces.map(|list| Json(list.iter().map(ToString::to_string).collect())),
            })
            .collect();
        output_formats::replace(tx, &self.project.id, &rows).await.unwrap();
    }

    pub(crate) async fn publish(&self) -> Published {
        let answer = self.post("/publish").send().await;
        assert_eq!(answer.status, 201, "{answer:?}");
        answer.read()
    }

    /// As [`publish`](Self::publish), without a request.
    pub(crate) async fn published(&self) -> Published {
        let (service, caller, asked) = (&self.service, self.caller(), Publish::default());
        let ahead = publish::ahead(service.publishing(), &caller, &asked).await.unwrap();
        let mut tx = self.write().await;
        let published = publish::create(&mut tx, service.publishing(), &caller, &asked, &ahead).await.unwrap().unwrap();
        tx.commit().await.unwrap();
        published
    }

    /// The files of a version.
    pub(crate) async fn files(&self, version: &str) -> VersionFiles {
        self.get(&format!("/translations?version={version}")).send().await.read()
    }

    /// Paths and contents of a version's files, in their order.
    pub(crate) async fn contents(&self, version: &str) -> Vec<(String, String)> {
        self.files(version).await.files.into_iter().map(|file| (file.path, file.content.unwrap())).collect()
    }

    /// The admin key, as the rules see it.
    pub(crate) fn caller(&self) -> l10n_server::domain::Caller {
        l10n_server::domain::Caller {
            project: self.project.id.clone(),
            workspace: self.project.workspace.clone(),
            key: "key_test".into(),
            scopes: vec![l10n_api_types::Scope::Admin],
            kind: l10n_api_types::KeyKind::Ci,
            request: "test".into(),
        }
    }

    /// `GET` without a key, under the project's id.
    pub(crate) fn public(&self, path: &str) -> l10n_server::testing::Call {
        self.get(path).no_key()
    }

    /// `GET` without a key, under the names of the project.
    pub(crate) fn named(&self, path: &str) -> l10n_server::testing::Call {
        let TestProject { handle, slug, .. } = &self.project;
        self.at(http::Method::GET, &format!("/v1/@{handle}/{slug}{path}"))
    }
}

/// A key to add.
#[derive(Clone, Copy, Default)]
pub(crate) struct Spec<'a> {
    /// Of the key to change; a new one when absent.
    pub(crate) id: Option<&'a str>,
    pub(crate) name: &'a str,
    pub(crate) text: &'a str,
    pub(crate) namespace: Option<&'a str>,
    pub(crate) source_path: Option<&'a str>,
    pub(crate) position: i64,
}

/// A key that was added.
pub(crate) struct TestKey {
    pub(crate) id: String,
    pub(crate) source_hash: SourceHash,
}

pub(crate) fn warning() -> Issue {
    serde_json::from_value(json!({"check": "numbers", "severity": "warning", "message": "a number differs"})).unwrap()
}

pub(crate) fn error() -> Issue {
    serde_json::from_value(json!({"check": "placeholders", "severity": "error", "message": "{x} is missing"})).unwrap()
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
