//! Counts, times and texts in the words of messages.

use l10n_client::api::{Origin, Timestamp};
pub(crate) use l10n_mcp::counted;

/// Number of names in a message.
const NAMED: usize = 20;

/// ``2 texts: `a`, `b` ``, for that number of texts, of whose keys at least the first ones are given.
pub(crate) fn named(keys: &[String], texts: u64) -> String {
    format!("{}: {}", counted(texts, "text"), listed(keys, texts))
}

/// `` `a`, `b` and 3 more (--json lists them) ``, for that number of names, of which at least the first ones are given.
pub(crate) fn listed(names: &[String], number: u64) -> String {
    let names: Vec<String> = names.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
    let more = match number.saturating_sub(names.len() as u64) {
        0 => String::new(),
        more => format!(" and {more} more (--json lists them)"),
    };
    format!("{}{more}", names.join(", "))
}

/// Formats a time for people: to the second, in UTC.
pub(crate) fn time(time: Timestamp) -> String {
    let text = time.to_string();
    format!("{} UTC", text.split('.').next().unwrap_or(&text).replace('T', " "))
}

/// The maker of a translation: the name of an engine, or else the translation's origin.
pub(crate) fn maker(engine: Option<&str>, origin: Option<Origin>) -> String {
    let origin = origin.map(|origin| origin.to_string());
    engine.map(str::to_owned).or(origin).unwrap_or_default()
}

/// Shortens a text to one line of a terminal.
pub(crate) fn shortened(text: &str) -> String {
    const MOST: usize = 100;
    let line = text.replace('\n', " ");
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
