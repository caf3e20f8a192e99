//! Runs the binary and talks to it.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

/// The setting that `serve` does not start without.
pub(crate) const MASTER_KEY: &str = "--secrets-master-key=AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=";

/// The command line of the binary, in a folder of the test, without settings from outside.
pub(crate) fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_l10n-server"));
    command.args(arguments).current_dir(folder).env_remove("RUST_LOG").stdin(Stdio::null());
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("L10N_SERVER_")) {
        command.env_remove(name);
    }
    command
}

/// Runs to the end.
pub(crate) fn run(folder: &Path, arguments: &[&str]) -> Output {
    blocking(|| command(folder, arguments).output().unwrap())
}

/// Runs to the end, with something on standard input, and expects success.
pub(crate) fn feed(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut child =
        command(folder, arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    blocking(|| child.wait_with_output().unwrap())
}

/// Waits for a process without stopping tasks of the test that the same thread would run, one of which may hold a lock.
pub(crate) fn blocking<T>(wait: impl FnOnce() -> T) -> T {
    let flavor = tokio::runtime::Handle::try_current().map(|runtime| runtime.runtime_flavor());
    if matches!(flavor, Ok(tokio::runtime::RuntimeFlavor::MultiThread)) {
        tokio::task::block_in_place(wait)
    } else {
        wait()
    }
}

/// Its standard output.
pub(crate) fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Its standard error, if it failed.
pub(crate) fn complaint(output: &Output) -> String {
    assert!(!output.status.success());
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A server that is running. It is killed when the test ends.
pub(crate) struct Running {
    child: Child,
    /// The line that it printed when it was ready.
    pub(crate) ready: Value,
}

impl Running {
    /// Starts `dev --json` on a free port and waits until it says that it is ready.
    pub(crate) fn dev(folder: &Path) -> Self {
        Self::dev_with(folder, &[])
    }

    /// As [`dev`](Self::dev), with more arguments.
    pub(crate) fn dev_with(folder: &Path, more: &[&str]) -> Self {
        let arguments = ["dev", "--json", "--listen", "127.0.0.1:0", "--limits-requests-per-minute", "1000000"];
        Self::started(command(folder, &[&arguments, more].concat()))
    }

    /// As [`dev`](Self::dev), where the system lets the process have so many open files.
    pub(crate) fn dev_limited(folder: &Path, files: u32) -> Self {
        let mut limited = Command::new("sh");
        let script = format!("ulimit -n {files} && exec \"$0\" dev --json --listen 127.0.0.1:0");
        limited.args(["-c", &script, env!("CARGO_BIN_EXE_l10n-server")]).current_dir(folder);
        Self::started(limited)
    }

    fn started(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Self { child, ready: serde_json::from_str(&line).unwrap() }
    }

    /// A field of the line.
    pub(crate) fn say(&self, field: &str) -> String {
        self.ready[field].as_str().unwrap().to_owned()
    }

    /// Its process id.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Asks it to end, as a service manager does; returns whether it ended well.
    pub(crate) fn terminate(&mut self) -> bool {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        self.child.wait().unwrap().success()
    }

    /// Ends it without a word.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// `POST` of a JSON body with a key; status and body.
pub(crate) async fn post(url: &str, key: &str, body: &Value) -> (u16, Value) {
    let answer = client().post(url).bearer_auth(key).body(body.to_string()).send().await.unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap())
}

/// `GET` with a key; status and body.
pub(crate) async fn get(url: &str, key: &str) -> (u16, Value) {
    let answer = client().get(url).bearer_auth(key).send().await.unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap())
}

/// An HTTP client that needs no TLS.
pub(crate) fn client() -> reqwest::Client {
    // The process has no default provider of cryptography, and needs none for loopback.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::new()
}
