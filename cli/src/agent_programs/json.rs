//! Files in JSON with comments: every byte that is not the server's stays.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstRootNode};

use super::program::AgentProgram;
use super::server::{ConfigEdit, EditError, Server};

/// The key's name among what Visual Studio Code asks the person.
const INPUT: &str = "l10n-api-key";

/// The file with the server in it.
pub(super) fn edited(text: &str, program: AgentProgram, server: &Server) -> Result<ConfigEdit, EditError> {
    let (mark, body) = text.strip_prefix('\u{feff}').map_or(("", text), |body| ("\u{feff}", body));
    let is_new = body.trim().is_empty();
    let parsed = CstRootNode::parse(if is_new { "{}\n" } else { body }, &ParseOptions::default());
    let root = parsed.map_err(|error| EditError::Syntax(error.to_string()))?;
    let list = program.list();
    let top = root.object_value_or_create().ok_or(EditError::List("the file"))?;
    let servers = top.object_value_or_create(list).ok_or(EditError::List(list))?;
    let wanted = entry(program, server);
    match servers.get(&server.name) {
        None => drop(servers.append(&server.name, wanted)),
        Some(known) if known.value().is_some_and(|value| value.to_serde_value() == plain(&wanted)) => {}
        Some(_) => return Err(EditError::Taken(server.name.clone())),
    }
    if program == AgentProgram::Vscode {
        let inputs = top.array_value_or_create("inputs").ok_or(EditError::List("inputs"))?;
        let is_there = inputs.elements().iter().any(|input| {
            input.as_object().and_then(|input| input.get("id")?.value()?.to_serde_value())
                == Some(serde_json::Value::from(INPUT))
        });
        if !is_there {
            inputs.append(input());
        }
    }
    let after = format!("{mark}{root}");
    Ok(if after == text { ConfigEdit::Same } else { ConfigEdit::Text(after) })
}

fn entry(program: AgentProgram, server: &Server) -> CstInputValue {
    let text = |text: &str| CstInputValue::String(text.to_owned());
    let mut members = Vec::new();
    if program == AgentProgram::Vscode {
        members.push(("type".to_owned(), text("stdio")));
    }
    members.push(("command".to_owned(), text(&server.command)));
    members.push(("args".to_owned(), CstInputValue::Array(vec![text("mcp")])));
    let env = server.env.iter().map(|(name, value)| (name.clone(), text(value))).collect();
    members.push(("env".to_owned(), CstInputValue::Object(env)));
    CstInputValue::Object(members)
}

/// The program asks for the key once, and keeps it out of the file.
fn input() -> CstInputValue {
    let text = |name: &str, text: &str| (name.to_owned(), CstInputValue::String(text.to_owned()));
    CstInputValue::Object(vec![
        text("type", "promptString"),
        text("id", INPUT),
        text("description", "API key of the localization service (AI agent)"),
        ("password".to_owned(), CstInputValue::Bool(true)),
    ])
}

/// The same as a value that can be compared.
fn plain(value: &CstInputValue) -> Option<serde_json::Value> {
    Some(match value {
        CstInputValue::Null => serde_json::Value::Null,
        CstInputValue::Bool(value) => (*value).into(),
        CstInputValue::Number(number) => serde_json::from_str(number).ok()?,
        CstInputValue::String(text) => text.as_str().into(),
        CstInputValue::Array(values) => serde_json::Value::Array(values.iter().map(plain).collect::<Option<_>>()?),
        CstInputValue::Object(members) => serde_json::Value::Object(
            members.iter().map(|(name, value)| Some((name.clone(), plain(value)?))).collect::<Option<_>>()?,
        ),
    })
}
