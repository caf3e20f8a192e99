//! Files in TOML: the server's table is added at the end, every other byte stays.

use toml::{Table, Value};

use super::server::{ConfigEdit, EditError, Server};
use crate::settings::API_KEY;

/// Variables that a program passes on.
const PASSED_ON: [&str; 1] = [API_KEY];

/// The file with the server in it.
pub(super) fn edited(text: &str, list: &'static str, server: &Server) -> Result<ConfigEdit, EditError> {
    let read = |text: &str| text.parse::<Table>().map_err(|error| EditError::Syntax(error.message().to_owned()));
    let (before, wanted) = (read(text)?, entry(server));
    match before.get(list) {
        None => {}
        Some(Value::Table(servers)) => match servers.get(&server.name) {
            None => {}
            Some(known) if *known == Value::Table(wanted.clone()) => return Ok(ConfigEdit::Same),
            Some(_) => return Err(EditError::Taken(server.name.clone())),
        },
        Some(_) => return Err(EditError::List(list)),
    }
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut after = text.to_owned();
    if !text.is_empty() {
        after.push_str(if text.ends_with('\n') { line_end } else { "\n\n" });
    }
    after.push_str(&table(list, server).replace('\n', line_end));
    // A list that is written inline takes no table at the end.
    let found = read(&after).map_err(|_| EditError::List(list))?;
    let is_there = found.get(list).and_then(|servers| servers.get(&server.name)) == Some(&Value::Table(wanted));
    if is_there { Ok(ConfigEdit::Text(after)) } else { Err(EditError::List(list)) }
}

fn entry(server: &Server) -> Table {
    let texts = |texts: &[&str]| Value::Array(texts.iter().map(|text| Value::from(*text)).collect());
    let mut entry = Table::new();
    entry.insert("command".to_owned(), Value::from(server.command.as_str()));
    entry.insert("args".to_owned(), texts(&["mcp"]));
    entry.insert("env_vars".to_owned(), texts(&PASSED_ON));
    if !server.env.is_empty() {
        let env = server.env.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str()))).collect();
        entry.insert("env".to_owned(), Value::Table(env));
    }
    entry
}

fn table(list: &str, server: &Server) -> String {
    let entry = entry(server);
    let quoted = |text: &str| Value::from(text).to_string();
    let is_bare = server.name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    let name = if is_bare { server.name.clone() } else { quoted(&server.name) };
    let mut text = format!("[{list}.{name}]\n");
    for key in ["command", "args", "env_vars"] {
        if let Some(value) = entry.get(key) {
            text.push_str(&format!("{key} = {value}\n"));
        }
    }
    if !server.env.is_empty() {
        let members: Vec<String> =
            server.env.iter().map(|(name, value)| format!("{name} = {}", quoted(value))).collect();
        text.push_str(&format!("env = {{ {} }}\n", members.join(", ")));
    }
    text
}
