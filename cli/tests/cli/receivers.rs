//! Test receivers, and an authority that the test's server trusts.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use l10n_server::clock::{Clock as _, SystemClock};
use l10n_server::egress::EgressSettings;
use l10n_server::testing::{TEST_TIMEOUT, TestStore};
use rcgen::{BasicConstraints, CertificateParams, IsCa, KeyPair};
use tempfile::TempDir;

use crate::support::World;

/// A world whose server delivers to this machine and trusts the authority in the folder.
pub(crate) async fn world_with_authority(store: &TestStore) -> (World, TempDir) {
    world_with(store, |_| {}).await
}

/// Like [`world_with_authority`], with other egress settings.
pub(crate) async fn world_with(store: &TestStore, change: impl FnOnce(&mut EgressSettings)) -> (World, TempDir) {
    let folder = authority();
    let certificate = folder.path().join("dev-ca.pem");
    let world = World::with(store, |settings| {
        settings.webhooks.egress.allow_targets = vec!["127.0.0.1/32".parse().unwrap()];
        settings.webhooks.egress.extra_ca = Some(certificate);
        change(&mut settings.webhooks.egress);
    })
    .await;
    // The receivers use the machine's own clock.
    world.app.clock.set(SystemClock.now());
    (world, folder)
}

/// A folder with an authority like that of `l10n-server dev`.
pub(crate) fn authority() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let key = KeyPair::generate().unwrap();
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    let certificate = params.self_signed(&key).unwrap();
    std::fs::write(folder.path().join("dev-ca.key"), key.serialize_pem()).unwrap();
    std::fs::write(folder.path().join("dev-ca.pem"), certificate.pem()).unwrap();
    folder
}

/// A running program.
pub(crate) struct Running {
    child: Child,
    said: [Collected; 2],
}

/// The output of a stream so far, and the thread that reads it.
struct Collected {
    text: Arc<Mutex<String>>,
    reader: JoinHandle<()>,
}

impl Running {
    /// The program in the world's folder, with the project's admin key.
    pub(crate) fn start(world: &World, arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_l10n"));
        command.env_clear().env("L10N_API_KEY", &world.app.project.keys.admin).args(arguments);
        Self::spawn(&mut command, world.folder.path())
    }

    /// A program in a folder, without input.
    pub(crate) fn spawn(command: &mut Command, folder: &Path) -> Self {
        Self::spawn_with(command, folder, Stdio::null())
    }

    /// Like [`spawn`](Self::spawn), with this input. A pipe stays open.
    pub(crate) fn spawn_with(command: &mut Command, folder: &Path, input: Stdio) -> Self {
        command.current_dir(folder).env("HOME", folder);
        let mut child = command.stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (stdout, stderr) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        Self { said: [collect(stdout), collect(stderr)], child }
    }

    /// Its number.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn stdout(&self) -> String {
        self.said[0].text.lock().unwrap().clone()
    }

    pub(crate) fn stderr(&self) -> String {
        self.said[1].text.lock().unwrap().clone()
    }

    /// Waits until the output contains these words this many times, and returns all of standard output.
    pub(crate) async fn says(&self, words: &str, times: usize) -> String {
        let until = Instant::now() + TEST_TIMEOUT;
        loop {
            let (out, err) = (self.stdout(), self.stderr());
            if out.matches(words).count() + err.matches(words).count() >= times {
                return out;
            }
            assert!(Instant::now() < until, "`{words}` was not said {times} times:\n{out}\n{err}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Sends it a signal, such as INT.
    pub(crate) fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args([&format!("-{name}"), &pid]).status().unwrap().success());
    }

    /// Waits until it has ended and all that it wrote is read, and returns its exit status; `None` if a signal ended it.
    pub(crate) async fn ended(&mut self) -> Option<i32> {
        let until = Instant::now() + TEST_TIMEOUT;
        loop {
            // It can end before the threads here have read its last lines.
            if let Some(status) = self.child.try_wait().unwrap()
                && self.said.iter().all(|stream| stream.reader.is_finished())
            {
                return status.code();
            }
            assert!(Instant::now() < until, "it does not end:\n{}\n{}", self.stdout(), self.stderr());
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn collect(stream: impl std::io::Read + Send + 'static) -> Collected {
    let text = Arc::new(Mutex::new(String::new()));
    let into = Arc::clone(&text);
    let reader = std::thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            into.lock().unwrap().extend([line.as_str(), "\n"]);
        }
    });
    Collected { text, reader }
}

/// A request to a plain receiver.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    head: String,
    pub(crate) body: Vec<u8>,
}

impl Received {
    pub(crate) fn header(&self, name: &str) -> &str {
        let named = |line: &'_ &str| line.split_once(':').is_some_and(|(other, _)| other.eq_ignore_ascii_case(name));
        self.head.lines().find(named).unwrap_or_else(|| panic!("no {name}: {}", self.head)).split_once(": ").unwrap().1
    }
}

/// A receiver over plain HTTP that answers with these status lines in turn, and repeats the last one.
pub(crate) struct Plain {
    pub(crate) url: String,
    received: Arc<Mutex<Vec<Received>>>,
}

impl Plain {
    pub(crate) fn start(answers: &'static [&'static str]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/hooks", listener.local_addr().unwrap());
        let received = Arc::new(Mutex::new(Vec::new()));
        let into = Arc::clone(&received);
        std::thread::spawn(move || {
            for (index, stream) in listener.incoming().enumerate() {
                let mut stream = stream.unwrap();
                into.lock().unwrap().push(read(&stream));
                let answer = answers[index.min(answers.len() - 1)];
                let answer = format!("HTTP/1.1 {answer}\r\ncontent-length: 5\r\nconnection: close\r\n\r\nsaid\n");
                stream.write_all(answer.as_bytes()).unwrap();
            }
        });
        Self { url, received }
    }

    pub(crate) fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }
}

fn read(stream: &TcpStream) -> Received {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert_ne!(reader.read_line(&mut head).unwrap(), 0, "{head}");
    }
    let mut received = Received { head, body: Vec::new() };
    received.body = vec![0; received.header("content-length").parse().unwrap()];
    reader.read_exact(&mut received.body).unwrap();
    received
}

/// The server's program, which `cargo test --workspace` has built beside this one; built now otherwise.
pub(crate) fn server_program() -> PathBuf {
    let program = Path::new(env!("CARGO_BIN_EXE_l10n")).with_file_name("l10n-server");
    if !program.is_file() {
        let built =
            Command::new(env!("CARGO")).args(["build", "--package", "l10n-server", "--bin", "l10n-server"]).status();
        assert!(built.unwrap().success() && program.is_file(), "{}", program.display());
    }
    program
}
