//! Libraries and commands of others, measured by a program of theirs.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use l10n_api_types::FormatId;

use super::speed;

/// The programs that run peers, and can be started.
pub(crate) struct Peers(Vec<(String, &'static str)>);

/// The best times of a peer. A step that it does not have took none.
pub(crate) struct Peer {
    name: String,
    read: Duration,
    write: Option<Duration>,
}

impl Peers {
    pub(crate) fn found() -> Self {
        let python = std::env::var("L10N_PEERS_PYTHON").unwrap_or_else(|_| "python3".to_owned());
        let runners = [(python, "peers.py"), ("ruby".to_owned(), "peers.rb")];
        Self(runners.into_iter().filter(|(program, _)| is_there(program)).collect())
    }

    /// Each peer that reads this format. Those that lack are told.
    pub(crate) fn measured(&self, id: FormatId, file: &Path) -> Vec<Peer> {
        self.0.iter().flat_map(|(program, script)| run(program, script, id, file)).collect()
    }
}

fn is_there(program: &str) -> bool {
    let there = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let there = there.is_ok_and(|status| status.success());
    if !there {
        println!("SKIPPED: {program} is not there, and none of its peers");
    }
    there
}

/// The script prints a line for each peer: its name, seconds to read, and seconds to write or `-`, or one that begins with
/// `SKIPPED`.
fn run(program: &str, script: &str, id: FormatId, file: &Path) -> Vec<Peer> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/peers").join(script);
    let out = Command::new(program).arg(script).arg(id.as_str()).arg(file).stderr(Stdio::inherit()).output().unwrap();
    let mut peers = Vec::new();
    for line in String::from_utf8(out.stdout).unwrap().lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, read, write] = fields[..] else {
            println!("  {line}");
            continue;
        };
        let seconds = |field: &str| field.parse().ok().map(Duration::from_secs_f64);
        peers.push(Peer { name: name.to_owned(), read: seconds(read).unwrap(), write: seconds(write) });
    }
    peers
}

impl Peer {
    pub(crate) fn line(&self, size: usize, read: Duration, write: Duration) -> String {
        let step = |name: &str, own: Duration, its: Duration| {
            format!(
                "{name} {:.2} MB/s ({:.1} times as fast here)",
                speed(size, its),
                its.as_secs_f64() / own.as_secs_f64()
            )
        };
        let reading = step("read", read, self.read);
        match self.write {
            Some(its) => format!("  {}: {reading}, {}", self.name, step("write", write, its)),
            None => format!("  {}: {reading}", self.name),
        }
    }
}
