//! The file that is synced: a real one where it lies beside the repository, else one of the same size and shape.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result};
use l10n_client::api::translations::SyncBody;
use l10n_client::{file_upload, sync_body};

/// Keys of the real file, and of its stand-in.
const KEYS: usize = 7_984;

/// A file, one text a line.
pub(crate) struct Sample {
    pub(crate) text: String,
    pub(crate) keys: usize,
    /// Its origin, for people.
    pub(crate) origin: &'static str,
}

impl Sample {
    pub(crate) fn read() -> Result<Self> {
        let real = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/samples/ha-frontend.en.json");
        match std::fs::read_to_string(real) {
            Ok(text) => Ok(Self { text, keys: KEYS, origin: "the frontend of Home Assistant" }),
            Err(_) => Ok(Self { text: generated(), keys: KEYS, origin: "a file made for this" }),
        }
    }

    /// The sync of the file as it is.
    pub(crate) fn body(&self) -> Result<SyncBody> {
        Ok(sync_body(file_upload("locales/en.json", self.text.as_bytes())?))
    }

    /// The sync of a file of the same shape in which every key has another name and every text another content, so
    /// that neither a project nor a workspace's memory knows any of it.
    pub(crate) fn variant(&self, number: usize) -> Result<SyncBody> {
        let mut text = format!("{{\n\"run{number}\": ");
        for line in self.text.lines() {
            let end = line.strip_suffix(',').unwrap_or(line);
            match end.strip_suffix('"').filter(|start| start.contains(": \"")) {
                Some(start) => writeln!(text, "{start} ·{number}\"{}", &line[end.len()..])?,
                None => writeln!(text, "{line}")?,
            }
        }
        text.push_str("}\n");
        let body = sync_body(file_upload(&format!("run{number}/en.json"), text.as_bytes())?);
        serde_json::from_str::<serde_json::Value>(&text).context("a variant of the sample is no JSON")?;
        Ok(body)
    }
}

/// As many texts as the real file has, in groups of about 30, of about its lengths, some with placeholders.
fn generated() -> String {
    const WORDS: [&str; 12] = [
        "Device",
        "settings",
        "could",
        "not",
        "be",
        "saved",
        "for",
        "this",
        "automation",
        "because",
        "of",
        "an update",
    ];
    const GROUP: usize = 30;
    let mut text = String::from("{\n");
    for key in 0..KEYS {
        if key % GROUP == 0 {
            let _ = writeln!(text, "  \"group_{}\": {{", key / GROUP);
        }
        let words = (0..1 + key * 7 % 11).map(|word| WORDS[(key + word * 5) % WORDS.len()]);
        let words = words.collect::<Vec<_>>().join(" ");
        let tail = if key % 6 == 0 { " {name}" } else { "" };
        let last = key % GROUP == GROUP - 1 || key == KEYS - 1;
        let _ = writeln!(text, "    \"key_{key}\": \"{words}{tail} ({key})\"{}", if last { "" } else { "," });
        if last {
            let _ = writeln!(text, "  }}{}", if key == KEYS - 1 { "" } else { "," });
        }
    }
    text.push_str("}\n");
    text
}
