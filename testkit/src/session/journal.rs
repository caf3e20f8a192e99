//! The journal of webhooks that the run makes in the deployment. Each is written to disk before it is made, so that it
//! can be removed whatever happens to the run.
//!
//! There is one JSON object per line. A webhook that is about to be created is an `intent`; its answer makes it `made`
//! or `nothing`; its deletion `removed`. `l10n-testkit cleanup` finds the open entries of a killed run.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use http::Method;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::wire::{Exchange, Request};

/// Something that was made and is to be deleted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
pub(crate) struct CreatedWebhook {
    /// The URL to `DELETE`.
    pub(crate) url: String,
}

impl CreatedWebhook {
    /// The webhook that an exchange created.
    pub(crate) fn of(exchange: &Exchange) -> Option<Self> {
        let url = collection(&exchange.request)?;
        if !(200..300).contains(&exchange.status) {
            return None;
        }
        let body: Value = serde_json::from_slice(&exchange.body).ok()?;
        let id = body["webhookId"].as_str()?;
        Some(Self { url: format!("{url}/{id}") })
    }
}

/// The URL under which the request creates something, where it is such a request.
fn collection(request: &Request) -> Option<&str> {
    let url = request.url.split('?').next().unwrap_or_default();
    (request.method == Method::POST && url.ends_with("/webhooks")).then_some(url)
}

/// The body of a request that is recorded with its head, as it was sent; else all of it.
fn after_head(bytes: &[u8]) -> &[u8] {
    bytes.windows(4).position(|four| four == b"\r\n\r\n").map_or(bytes, |at| &bytes[at + 4..])
}

/// A creation whose answer is not known.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct Intent {
    number: u64,
    /// The URL that lists what may have been made.
    pub(crate) list: String,
    /// The URL of the webhook; nothing where the body was broken.
    #[serde(default)]
    pub(crate) target: Option<String>,
    /// The time, by the deployment's clock, in milliseconds since 1970.
    pub(crate) at: i64,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case", tag = "entry")]
enum JournalEntry {
    Run { run: String, base_url: String },
    Intent(Intent),
    Nothing { number: u64 },
    Made { number: u64, url: String },
    Removed { url: String },
}

/// The journal of a run.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    head: JournalEntry,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    file: Option<File>,
    next: u64,
    open: OpenEntries,
}

/// Webhooks that may remain in the deployment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct OpenEntries {
    pub(crate) intents: BTreeMap<u64, Intent>,
    pub(crate) made: std::collections::BTreeSet<CreatedWebhook>,
}

impl OpenEntries {
    pub(crate) fn is_empty(&self) -> bool {
        self.intents.is_empty() && self.made.is_empty()
    }

    fn apply(&mut self, entry: &JournalEntry) {
        match entry {
            JournalEntry::Run { .. } => {}
            JournalEntry::Intent(intent) => {
                self.intents.insert(intent.number, intent.clone());
            }
            JournalEntry::Nothing { number } => {
                self.intents.remove(number);
            }
            JournalEntry::Made { number, url } => {
                self.intents.remove(number);
                self.made.insert(CreatedWebhook { url: url.clone() });
            }
            JournalEntry::Removed { url } => {
                self.made.remove(&CreatedWebhook { url: url.clone() });
            }
        }
    }
}

impl Journal {
    /// A journal that comes to be with its first entry.
    pub(crate) fn begin(run_id: &str, base_url: &str, path: Option<&Path>) -> Self {
        let path = path.map_or_else(|| path_of(run_id), Path::to_owned);
        let head = JournalEntry::Run { run: run_id.to_owned(), base_url: base_url.to_owned() };
        Self { path, head, state: Mutex::default() }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Notes that the request may make something, before it is sent.
    pub(crate) fn intend(&self, request: &Request, at: i64) -> io::Result<Option<u64>> {
        let Some(list) = collection(request) else { return Ok(None) };
        let body: Value = serde_json::from_slice(after_head(&request.body)).unwrap_or(Value::Null);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.next += 1;
        let number = state.next;
        let target = body["url"].as_str().map(str::to_owned);
        self.write(&mut state, &JournalEntry::Intent(Intent { number, list: list.to_owned(), target, at }))?;
        Ok(Some(number))
    }

    /// Notes what it made.
    pub(crate) fn answered(&self, number: u64, made: Option<&CreatedWebhook>) -> io::Result<()> {
        let made = made.map(|made| made.url.clone());
        let entry = made.map_or(JournalEntry::Nothing { number }, |url| JournalEntry::Made { number, url });
        self.write(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner), &entry)
    }

    /// Notes that it is gone.
    pub(crate) fn removed(&self, made: &CreatedWebhook) -> io::Result<()> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        self.write(&mut state, &JournalEntry::Removed { url: made.url.clone() })
    }

    /// Notes that nothing is left of an intent.
    pub(crate) fn settled(&self, number: u64) -> io::Result<()> {
        self.answered(number, None)
    }

    /// Returns the webhooks that may remain.
    pub(crate) fn open(&self) -> OpenEntries {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).open.clone()
    }

    /// Deletes the file, where nothing is left. Returns its path where something is.
    pub(crate) fn end(&self) -> io::Result<Option<PathBuf>> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if !state.open.is_empty() {
            return Ok(Some(self.path.clone()));
        }
        if state.file.take().is_some() {
            fs::remove_file(&self.path)?;
        }
        Ok(None)
    }

    fn write(&self, state: &mut State, entry: &JournalEntry) -> io::Result<()> {
        if state.file.is_none() {
            if let Some(folder) = self.path.parent() {
                fs::create_dir_all(folder)?;
            }
            let mut file = OpenOptions::new().append(true).create(true).open(&self.path)?;
            // As long as the run lives: where locks are not to be had, the age of its webhooks tells.
            let _ = file.try_lock();
            line(&mut file, &self.head)?;
            state.file = Some(file);
        }
        if let Some(file) = &mut state.file {
            line(file, entry)?;
        }
        state.open.apply(entry);
        Ok(())
    }

    /// Returns true if a run of this machine is under way, false if it was killed; `None` if it has no journal here.
    pub(crate) fn is_held(run_id: &str) -> Option<bool> {
        // An id of a URL that anybody may have registered leads to no other folder.
        if !run_id.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return None;
        }
        let file = File::open(path_of(run_id)).ok()?;
        Some(matches!(file.try_lock(), Err(fs::TryLockError::WouldBlock)))
    }

    /// Reads the journal that a run has left.
    pub(crate) fn read(path: &Path) -> io::Result<(Option<String>, OpenEntries)> {
        let text = fs::read_to_string(path)?;
        let (mut run, mut open) = (None, OpenEntries::default());
        for (number, line) in text.lines().enumerate() {
            match serde_json::from_str(line) {
                Ok(JournalEntry::Run { run: id, .. }) => run = Some(id),
                Ok(entry) => open.apply(&entry),
                // The run may have been killed in the middle of its last line.
                Err(_) if number + 1 == text.lines().count() => {}
                Err(error) => return Err(io::Error::other(format!("line {}: {error}", number + 1))),
            }
        }
        Ok((run, open))
    }
}

fn line(file: &mut File, entry: &JournalEntry) -> io::Result<()> {
    let mut text = serde_json::to_vec(entry)?;
    text.push(b'\n');
    file.write_all(&text)
}

/// The default path of a run's journal.
pub(crate) fn path_of(run_id: &str) -> PathBuf {
    let state = std::env::var_os("XDG_STATE_HOME").filter(|path| !path.is_empty()).map(PathBuf::from);
    let home = || {
        std::env::var_os("HOME").filter(|path| !path.is_empty()).map(|home| PathBuf::from(home).join(".local/state"))
    };
    let folder = state.or_else(home).unwrap_or_else(std::env::temp_dir);
    folder.join("l10n-testkit").join(format!("{run_id}.journal"))
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http::HeaderMap;

    use super::*;

    fn create(target: &str) -> Request {
        let url = "http://127.0.0.1/v1/projects/p/webhooks".to_owned();
        let body = Bytes::from(serde_json::json!({ "url": target }).to_string());
        Request { method: Method::POST, url, headers: HeaderMap::new(), body }
    }

    fn made(id: &str) -> CreatedWebhook {
        CreatedWebhook { url: format!("http://127.0.0.1/v1/projects/p/webhooks/{id}") }
    }

    #[test]
    fn what_is_left_open_survives_the_run() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deeper/run.journal");
        let journal = Journal::begin("r1", "http://127.0.0.1/v1", Some(&path));
        let mut read = create("x");
        read.method = Method::GET;
        assert_eq!(journal.intend(&read, 1).unwrap(), None);
        assert!(!path.exists(), "a run that makes nothing leaves no file");
        let numbers: Vec<_> = ["https://a", "https://b", "https://c", "https://d"]
            .iter()
            .map(|target| journal.intend(&create(target), 7).unwrap().unwrap())
            .collect();
        journal.answered(numbers[0], Some(&made("1"))).unwrap();
        journal.answered(numbers[1], Some(&made("2"))).unwrap();
        journal.answered(numbers[2], None).unwrap();
        journal.removed(&made("1")).unwrap();
        assert_eq!(journal.end().unwrap().as_deref(), Some(path.as_path()));
        fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"entry\":\"ma").unwrap();

        let (run, open) = Journal::read(&path).unwrap();
        assert_eq!(run.as_deref(), Some("r1"));
        assert_eq!(open, journal.open());
        assert_eq!(open.made.into_iter().collect::<Vec<_>>(), [made("2")]);
        let intents: Vec<_> = open.intents.values().map(|intent| (intent.target.as_deref(), intent.at)).collect();
        assert_eq!(intents, [(Some("https://d"), 7)]);

        journal.removed(&made("2")).unwrap();
        journal.settled(numbers[3]).unwrap();
        assert_eq!(journal.end().unwrap(), None);
        assert!(!path.exists(), "nothing is left, and so is no journal");
    }

    #[test]
    fn a_file_that_is_no_journal_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        fs::write(&path, "hello\nworld\n").unwrap();
        assert!(Journal::read(&path).unwrap_err().to_string().starts_with("line 1: "));
    }
}
