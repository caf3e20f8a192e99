//! A process that serves, and the processor time that it takes.

use std::fs;
use std::net::SocketAddr;
use std::process::Child;

const TICKS_PER_SECOND: f64 = 100.0;

/// The process. It ends when this is dropped.
pub(crate) struct Served {
    child: Child,
    pub(crate) address: SocketAddr,
    folder: Option<tempfile::TempDir>,
}

impl Served {
    pub(crate) fn new(child: Child, address: SocketAddr) -> Self {
        Self { child, address, folder: None }
    }

    /// With a folder that goes with it.
    pub(crate) fn in_folder(mut self, folder: tempfile::TempDir) -> Self {
        self.folder = Some(folder);
        self
    }

    /// Processor seconds that it and its children have used.
    pub(crate) fn processor(&self) -> f64 {
        let id = self.child.id();
        let children = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
        let children = children.split_whitespace().filter_map(|child| child.parse().ok());
        (ticks(id) + children.map(ticks).sum::<f64>()) / TICKS_PER_SECOND
    }
}

fn ticks(id: u32) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    after_name.split_whitespace().skip(11).take(2).filter_map(|n| n.parse::<f64>().ok()).sum()
}

impl Drop for Served {
    fn drop(&mut self) {
        // nginx ends its workers when it is asked to end.
        let _ = std::process::Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
        let _ = self.child.wait();
    }
}
