//! The real program with a real server, in a folder of the test's own.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use l10n_server::config::Settings;
use l10n_server::http::ConnectionTimeouts;
use l10n_server::testing::{TestApp, TestStore};
use serde_json::Value;
use tempfile::TempDir;

/// A server, and a folder with an `l10n.toml` and source files.
pub(crate) struct World {
    pub(crate) app: TestApp,
    pub(crate) folder: TempDir,
    /// Its folder is deleted with it.
    _store: TestStore,
}

/// Like `insta::assert_snapshot!`, for a test that runs on both engines with the same output.
macro_rules! snapshot {
    ($value:expr, @$expected:literal) => {{
        let value = $value;
        insta::allow_duplicates!(insta::assert_snapshot!(value, @$expected));
    }};
}
pub(crate) use snapshot;

impl World {
    /// A world on SQLite, for tests that do not depend on the engine.
    pub(crate) async fn new() -> Self {
        Self::on(&TestStore::sqlite().await).await
    }

    /// On a store, with `locales/en.json` as the source file.
    pub(crate) async fn on(store: &TestStore) -> Self {
        Self::with(store, |_| {}).await
    }

    /// Like [`on`](Self::on), with other settings of the server.
    pub(crate) async fn with(store: &TestStore, change: impl FnOnce(&mut Settings)) -> Self {
        let app = TestApp::with(store, change, ConnectionTimeouts::default()).await;
        let world = Self { app, folder: tempfile::tempdir().unwrap(), _store: store.clone() };
        world.write("locales/en.json", "{\n  \"hello\": \"Hello, {name}!\",\n  \"bye\": \"Bye\"\n}\n");
        world.write("l10n.toml", &world.config("[[files]]\nsource = \"locales/{language}.json\"\nformat = \"json\"\n"));
        world
    }

    /// An `l10n.toml` with the server and the project, followed by `more`.
    pub(crate) fn config(&self, more: &str) -> String {
        format!("base_url = \"{}\"\nproject = \"acme/app\"\nbase_language = \"en\"\n{more}", self.base_url())
    }

    pub(crate) fn base_url(&self) -> String {
        format!("http://{}/v1", self.app.address)
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.path(path)).unwrap()
    }

    /// The program with the project's admin key.
    pub(crate) fn l10n(&self, arguments: &[&str]) -> L10n {
        l10n(self.folder.path(), arguments).variable("L10N_API_KEY", &self.app.project.keys.admin)
    }

    /// Runs it; it must succeed.
    pub(crate) async fn ok(&self, arguments: &[&str]) -> Output {
        let output = self.l10n(arguments).run().await;
        assert_eq!(output.status, 0, "{arguments:?}\n{}\n{}", output.stdout, output.stderr);
        output
    }

    /// Runs it with `--json`, which must succeed, and parses its object.
    pub(crate) async fn json(&self, arguments: &[&str]) -> Value {
        let arguments: Vec<&str> = arguments.iter().copied().chain(["--json"]).collect();
        self.ok(&arguments).await.json()
    }
}

/// A call of the program.
pub(crate) struct L10n {
    command: Command,
    stdin: String,
}

/// Its exit status and output.
pub(crate) struct Output {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// A folder with these files.
pub(crate) fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

/// The program in a folder, with an environment of its own.
pub(crate) fn l10n(folder: &Path, arguments: &[&str]) -> L10n {
    let mut command = Command::new(env!("CARGO_BIN_EXE_l10n"));
    command.current_dir(folder).args(arguments).env_clear().env("HOME", folder);
    L10n { command, stdin: String::new() }
}

impl L10n {
    pub(crate) fn variable(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    pub(crate) fn key(self, key: &str) -> Self {
        self.variable("L10N_API_KEY", key)
    }

    pub(crate) fn stdin(mut self, text: &str) -> Self {
        self.stdin = text.to_owned();
        self
    }

    /// Starts it with pipes for standard input and output.
    pub(crate) fn spawn(mut self) -> Child {
        self.command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
    }

    pub(crate) async fn run(self) -> Output {
        self.run_until("\0", || {}).await
    }

    /// Runs it; calls `then` once as soon as standard error contains `words`.
    pub(crate) async fn run_until(mut self, words: &'static str, then: impl FnOnce() + Send + 'static) -> Output {
        let run = move || {
            let mut child =
                self.command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            // A program that does not read its input may have closed it.
            let _ = child.stdin.take().unwrap().write_all(self.stdin.as_bytes());
            let errors = BufReader::new(child.stderr.take().unwrap());
            let watch = std::thread::spawn(move || {
                let (mut stderr, mut then) = (String::new(), Some(then));
                for line in errors.lines() {
                    stderr.extend([line.unwrap().as_str(), "\n"]);
                    if stderr.contains(words)
                        && let Some(then) = then.take()
                    {
                        then();
                    }
                }
                stderr
            });
            let output = child.wait_with_output().unwrap();
            Output {
                status: output.status.code().expect("ended by itself"),
                stdout: String::from_utf8(output.stdout).unwrap(),
                stderr: watch.join().unwrap(),
            }
        };
        // The server of the test runs on the same runtime.
        tokio::task::spawn_blocking(run).await.unwrap()
    }
}

impl Output {
    /// The only object on stdout.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {:?}", self.stdout))
    }

    /// Status and standard error for a snapshot. Random ids and addresses are replaced.
    pub(crate) fn failure(&self, world: &World) -> String {
        let folder = world.folder.path().display().to_string();
        let text = self.stderr.replace(&folder, "FOLDER").replace(&world.app.address.to_string(), "SERVER");
        let lines: Vec<String> = text
            .lines()
            .map(|line| match line.split_once("correlation id: ") {
                Some((before, _)) => format!("{before}correlation id: ID"),
                None => line.to_owned(),
            })
            .collect();
        format!("exit {}\n{}", self.status, lines.join("\n"))
    }
}
