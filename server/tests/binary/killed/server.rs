//! `l10n-server serve`, started, killed and started again at one address.

use std::fs::File;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use tokio::net::TcpStream;

use crate::process::command;

/// A server that can be killed. It is killed for good when this is dropped.
pub(crate) struct Server {
    folder: PathBuf,
    environment: Vec<(String, String)>,
    address: SocketAddr,
    child: Option<Child>,
}

impl Server {
    /// A server that is not started yet, with these settings in its environment.
    pub(crate) fn new(folder: &Path, environment: &[(String, String)]) -> Self {
        Self { folder: folder.to_owned(), environment: environment.to_vec(), address: free_address(), child: None }
    }

    /// The path of a project's routes.
    pub(crate) fn project(&self, project: &str) -> String {
        format!("http://{}/v1/projects/{project}", self.address)
    }

    /// Starts it and does not wait.
    pub(crate) fn start(&mut self) {
        let mut command = command(&self.folder, &["serve", "--listen", &self.address.to_string()]);
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        let log = File::create(self.log()).unwrap();
        self.child = Some(command.stdout(Stdio::null()).stderr(log).spawn().unwrap());
    }

    /// Waits until it accepts connections.
    pub(crate) async fn ready(&mut self) {
        while TcpStream::connect(self.address).await.is_err() {
            if let Some(status) = self.child.as_mut().unwrap().try_wait().unwrap() {
                panic!("{status}: {}", std::fs::read_to_string(self.log()).unwrap());
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }

    /// SIGKILL: it cannot say or write another word.
    pub(crate) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            // It may have been killed before.
            let _ = child.kill();
            child.wait().unwrap();
        }
    }

    /// SIGKILL, by who only borrows it; it is waited for later.
    pub(crate) fn kill_now(&self) {
        let id = self.child.as_ref().unwrap().id().to_string();
        assert!(std::process::Command::new("kill").args(["-KILL", &id]).status().unwrap().success());
    }

    fn log(&self) -> PathBuf {
        self.folder.join(format!("server-{}.log", self.address.port()))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// An address that stays free while its server is dead: below the ports that the system hands out to those who connect.
pub(crate) fn free_address() -> SocketAddr {
    let mut random = StdRng::seed_from_u64(std::process::id().into());
    loop {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, random.random_range(20_000..30_000)));
        if TcpListener::bind(address).is_ok() && claim(address.port()) {
            return address;
        }
    }
}

/// Returns true if no other test of this process has the port.
fn claim(port: u16) -> bool {
    static CLAIMED: std::sync::Mutex<Vec<u16>> = std::sync::Mutex::new(Vec::new());
    let mut claimed = CLAIMED.lock().unwrap();
    let is_free = !claimed.contains(&port);
    if is_free {
        claimed.push(port);
    }
    is_free
}
