//! Programs in which AI agents run, and the files in which they name the servers that they start.

mod json;
mod program;
mod server;
mod toml;

pub(crate) use program::{AgentProgram, Folders, KeyPassing};
pub(crate) use server::{ConfigEdit, EditError, NotChanged, Server};

/// The file of a program with the server in it: `text` is its present content.
///
/// # Errors
///
/// [`EditError`]; the file can then only be changed by hand.
pub(crate) fn edited(program: AgentProgram, text: &str, server: &Server) -> Result<ConfigEdit, EditError> {
    match program {
        AgentProgram::Codex => toml::edited(text, program.list(), server),
        _ => json::edited(text, program, server),
    }
}

#[cfg(test)]
mod tests;
