//! nginx with the same files, compressed beforehand.

use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use tempfile::TempDir;

/// The process, which ends when this is dropped.
pub(crate) struct Nginx {
    child: Child,
    pub(crate) address: SocketAddr,
    #[expect(dead_code, reason = "it is removed when this is dropped")]
    folder: TempDir,
}

impl Nginx {
    /// Its process, which has children.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // It ends its workers when it is asked to end.
        let _ = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
        let _ = self.child.wait();
    }
}

/// Starts it; `None` where it is not installed.
pub(crate) fn start(files: &Path) -> Result<Option<Nginx>> {
    let address = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?;
    let folder = tempfile::tempdir()?;
    let (root, own) = (files.display(), folder.path().display());
    let configuration = format!(
        "daemon off;\npid {own}/pid;\nerror_log {own}/error;\nworker_processes 2;\nuser root;\n\
         events {{ worker_connections 256; }}\n\
         http {{\n access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000; gzip_static on;\n\
         open_file_cache max=100; types {{ application/json json; }}\n\
         client_body_temp_path {own}/b; proxy_temp_path {own}/p; fastcgi_temp_path {own}/f;\n\
         uwsgi_temp_path {own}/u; scgi_temp_path {own}/s;\n\
         server {{ listen {address}; root {root}; }}\n}}\n"
    );
    let file = folder.path().join("nginx.conf");
    std::fs::write(&file, configuration)?;
    let spawned = Command::new("nginx")
        .arg("-c")
        .arg(&file)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let Ok(child) = spawned else { return Ok(None) };
    let nginx = Nginx { child, address, folder };
    let began = Instant::now();
    while TcpStream::connect(address).is_err() {
        ensure!(began.elapsed() < Duration::from_secs(10), "nginx does not start");
        std::thread::sleep(Duration::from_millis(10));
    }
    Ok(Some(nginx))
}
