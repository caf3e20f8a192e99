//! The process of a browser's driver.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

/// Most starts of a driver until one says its port.
const STARTS: usize = 5;

/// A running `chromedriver`. It ends with this.
pub(super) struct Chromedriver {
    pub(super) port: u16,
    // Held for its end alone.
    _process: Ended,
}

/// A process that is ended, and waited for, when it is dropped.
struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Chromedriver {
    /// Starts a driver on a port that is free. It chooses one for IPv4 and takes the same for IPv6; where another process has that one,
    /// the driver ends at once. Nothing is wrong then, and another one is started. `None` where there is no `chromedriver`.
    ///
    /// # Panics
    ///
    /// Each of several ended without a port.
    pub(super) fn start() -> Option<Self> {
        let mut said = String::new();
        for _ in 0..STARTS {
            let started =
                Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
            let mut process = Ended(started.ok()?);
            said.clear();
            for line in BufReader::new(process.0.stdout.take().unwrap()).lines().map_while(Result::ok) {
                if let Some(port) = port_of(&line) {
                    return Some(Self { port, _process: process });
                }
                said.push('\n');
                said.push_str(&line);
            }
        }
        panic!("chromedriver ended {STARTS} times without a port; it said last:{said}")
    }
}

fn port_of(line: &str) -> Option<u16> {
    let (_, rest) = line.split_once("started successfully on port ")?;
    rest.trim_end_matches('.').parse().ok()
}
