//! `l10n mcp install`: names this server in the file of a program in which agents run.

use std::path::PathBuf;
use std::{fs, io};

use serde::Serialize;

use crate::agent_programs::{AgentProgram, ConfigEdit, Folders, KeyPassing, NotChanged, Server, edited};
use crate::args::McpInstallArgs;
use crate::atomic;
use crate::context::Context;
use crate::error::{CliError, usage};
use crate::exit::ExitStatus;
use crate::settings::{API_KEY, BASE_URL, Origin, PROJECT, ProjectName, Settings};

/// Stands for the key where it is only shown.
const SHOWN_KEY: &str = "eik_…";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Installed<'a> {
    program: &'a str,
    path: String,
    written: bool,
    content: Option<&'a str>,
}

pub(crate) fn install(context: &Context, args: &McpInstallArgs) -> Result<ExitStatus, CliError> {
    let settings = context.settings()?;
    let program = args.program;
    let path = file(context, &settings, args)?;
    let printer = &context.printer;
    if !args.write {
        let shown = server(&settings, args, SHOWN_KEY)?;
        let snippet = match edited(program, "", &shown).map_err(|source| NotChanged { path: path.clone(), source })? {
            ConfigEdit::Text(text) => text,
            ConfigEdit::Same => String::new(),
        };
        printer.json(&Installed {
            program: program.title(),
            path: path.display().to_string(),
            written: false,
            content: Some(&snippet),
        });
        printer.line(snippet.trim_end());
        printer.note(format!("\nAdd this to {}, or run the command with --write.", path.display()));
        about_key(context, &settings, program);
        return Ok(ExitStatus::Success);
    }
    let key = match program.key_way() {
        KeyPassing::Written => match settings.api_key()? {
            Some(key) => key.value.expose().to_owned(),
            None => return Err(usage(format!("{API_KEY} is not set"), make_key(&settings, program))),
        },
        KeyPassing::Reference(_) | KeyPassing::Asked(_) | KeyPassing::PassedOn => String::new(),
    };
    let server = server(&settings, args, &key)?;
    let before = read(&path)?;
    let edited = edited(program, &before, &server).map_err(|source| NotChanged { path: path.clone(), source })?;
    let is_written = matches!(edited, ConfigEdit::Text(_));
    if let ConfigEdit::Text(text) = &edited {
        let write = if key.is_empty() { atomic::write } else { atomic::write_secret };
        write(&path, text.as_bytes())?;
    }
    printer.json(&Installed {
        program: program.title(),
        path: path.display().to_string(),
        written: is_written,
        content: None,
    });
    if is_written {
        printer.done(format!("Added the server `{}` to {}", server.name, path.display()));
        printer.note(format!("Restart {} to start it.", program.title()));
    } else {
        printer.line(format!("{} has the server `{}` already", path.display(), server.name));
    }
    about_key(context, &settings, program);
    Ok(ExitStatus::Success)
}

fn file(context: &Context, settings: &Settings, args: &McpInstallArgs) -> Result<PathBuf, CliError> {
    if let Some(path) = &args.file {
        return Ok(context.folder.join(path));
    }
    let folders = Folders::read(|name| context.variable(name));
    args.program.file(settings.root(), &folders).ok_or_else(|| {
        usage(
            format!("the environment does not say where {} keeps its settings", args.program.title()),
            "name the file with --file PATH",
        )
    })
}

fn read(path: &PathBuf) -> Result<String, CliError> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(usage(
            format!("{} could not be read: {error}", path.display()),
            "check that it is a text file that you may read",
        )),
    }
}

/// The server as the file names it. What `l10n.toml` says is left out of files of the project: the server reads it there.
fn server(settings: &Settings, args: &McpInstallArgs, key: &str) -> Result<Server, CliError> {
    let (base_url, project) = (settings.base_url()?, settings.project()?);
    let program = args.program;
    let is_needed = |origin: &Origin| !program.is_of_project() || !matches!(origin, Origin::File(_));
    let mut env = Vec::new();
    if is_needed(&base_url.origin) {
        env.push((BASE_URL.to_owned(), base_url.value.to_string()));
    }
    if is_needed(&project.origin) {
        env.push((PROJECT.to_owned(), project.value.to_string()));
    }
    match program.key_way() {
        KeyPassing::Reference(reference) | KeyPassing::Asked(reference) => {
            env.push((API_KEY.to_owned(), reference.to_owned()))
        }
        KeyPassing::Written => env.push((API_KEY.to_owned(), key.to_owned())),
        KeyPassing::PassedOn => {}
    }
    // A program with windows has no shell's search path.
    let own = std::env::current_exe().ok().filter(|_| !program.is_of_project() && args.write);
    let command = own.and_then(|path| path.to_str().map(str::to_owned)).unwrap_or_else(|| "l10n".to_owned());
    Ok(Server { name: args.name.clone(), command, env })
}

/// Tells where the key comes from, and where one is made.
fn about_key(context: &Context, settings: &Settings, program: AgentProgram) {
    let printer = &context.printer;
    match program.key_way() {
        KeyPassing::Asked(_) => {
            printer.note(format!("{} asks for the key once and keeps it.", program.title()));
        }
        KeyPassing::Reference(_) | KeyPassing::PassedOn => {
            printer.note(format!("{} takes the key from {API_KEY} in its environment.", program.title()));
        }
        KeyPassing::Written => {}
    }
    if settings.api_key().ok().flatten().is_none() {
        printer.note(make_key(settings, program));
    }
}

/// Tells where a key for an agent is created.
fn make_key(settings: &Settings, program: AgentProgram) -> String {
    let page = match (settings.base_url(), settings.project()) {
        (Ok(base_url), Ok(project)) => match project.value {
            ProjectName::Slug { workspace, project } => {
                let origin = base_url.value.origin().ascii_serialization();
                Some(format!("{origin}/dashboard/@{workspace}/{project}/settings/keys/new"))
            }
            ProjectName::Id(_) => None,
        },
        _ => None,
    };
    let place = page.unwrap_or_else(|| "in the dashboard (Settings, API keys)".to_owned());
    format!("Create a key for {} and choose `AI agent` under `Used by`: {place}", program.title())
}
