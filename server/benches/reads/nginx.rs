//! nginx with the same files, compressed beforehand.

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use super::process::Served;

/// Starts it; `None` where it is not installed.
pub(crate) fn start(files: &Path) -> Result<Option<Served>> {
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
    let served = Served::new(child, address).in_folder(folder);
    let began = Instant::now();
    while TcpStream::connect(address).is_err() {
        ensure!(began.elapsed() < Duration::from_secs(10), "nginx does not start");
        std::thread::sleep(Duration::from_millis(10));
    }
    Ok(Some(served))
}
