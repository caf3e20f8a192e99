//! Programs in which AI agents run, with their files.

use std::path::{Path, PathBuf};

/// A program in which AI agents run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum AgentProgram {
    /// Claude Code: `.mcp.json` of the project
    ClaudeCode,
    /// Claude Desktop: `claude_desktop_config.json` of the person
    ClaudeDesktop,
    /// Cursor: `.cursor/mcp.json` of the project
    Cursor,
    /// Visual Studio Code: `.vscode/mcp.json` of the project
    Vscode,
    /// Codex: `~/.codex/config.toml` of the person
    Codex,
    /// Zed: `settings.json` of the person
    Zed,
}

/// The way in which a program gives the server its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyPassing {
    /// The file refers to a variable of the environment.
    Reference(&'static str),
    /// The file refers to what the program asks the person once.
    Asked(&'static str),
    /// The file names the variables that the program passes on.
    PassedOn,
    /// The file holds the key: the program reads no environment.
    Written,
}

impl AgentProgram {
    /// The name of the program.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::ClaudeDesktop => "Claude Desktop",
            Self::Cursor => "Cursor",
            Self::Vscode => "Visual Studio Code",
            Self::Codex => "Codex",
            Self::Zed => "Zed",
        }
    }

    /// Returns true if the file belongs to the project: a team commits it, so no key is written into it.
    pub(crate) fn is_of_project(self) -> bool {
        matches!(self, Self::ClaudeCode | Self::Cursor | Self::Vscode)
    }

    /// The way of the key.
    pub(crate) fn key_way(self) -> KeyPassing {
        match self {
            Self::ClaudeCode => KeyPassing::Reference("${L10N_API_KEY}"),
            Self::Cursor => KeyPassing::Reference("${env:L10N_API_KEY}"),
            Self::Vscode => KeyPassing::Asked("${input:l10n-api-key}"),
            Self::Codex => KeyPassing::PassedOn,
            Self::ClaudeDesktop | Self::Zed => KeyPassing::Written,
        }
    }

    /// The file, of the project in `root` or of the person in `folders`; `None` where the person has no such folder.
    pub(crate) fn file(self, root: &Path, folders: &Folders) -> Option<PathBuf> {
        match self {
            Self::ClaudeCode => Some(root.join(".mcp.json")),
            Self::Cursor => Some(root.join(".cursor/mcp.json")),
            Self::Vscode => Some(root.join(".vscode/mcp.json")),
            Self::Codex => {
                let codex = folders.codex.clone().or_else(|| Some(folders.home.as_ref()?.join(".codex")))?;
                Some(codex.join("config.toml"))
            }
            Self::ClaudeDesktop => Some(folders.programs.as_ref()?.join("Claude/claude_desktop_config.json")),
            Self::Zed => Some(folders.zed()?.join("settings.json")),
        }
    }

    /// The name under which the file lists servers.
    pub(super) fn list(self) -> &'static str {
        match self {
            Self::ClaudeCode | Self::ClaudeDesktop | Self::Cursor => "mcpServers",
            Self::Vscode => "servers",
            Self::Codex => "mcp_servers",
            Self::Zed => "context_servers",
        }
    }
}

/// Folders of the person.
#[derive(Debug, Clone, Default)]
pub(crate) struct Folders {
    /// The home folder.
    pub(crate) home: Option<PathBuf>,
    /// The folder of programs' configuration.
    pub(crate) programs: Option<PathBuf>,
    /// The folder of Codex, where it was moved.
    pub(crate) codex: Option<PathBuf>,
}

impl Folders {
    /// The folders, as the environment names them.
    pub(crate) fn read(variable: impl Fn(&str) -> Option<String>) -> Self {
        let folder = |name: &str| variable(name).map(PathBuf::from);
        let home = folder(if cfg!(windows) { "USERPROFILE" } else { "HOME" });
        let programs = if cfg!(windows) {
            folder("APPDATA")
        } else if cfg!(target_os = "macos") {
            home.as_ref().map(|home| home.join("Library/Application Support"))
        } else {
            folder("XDG_CONFIG_HOME").or_else(|| home.as_ref().map(|home| home.join(".config")))
        };
        Self { home, programs, codex: folder("CODEX_HOME") }
    }

    /// Zed keeps its settings in `.config` on macOS, too.
    fn zed(&self) -> Option<PathBuf> {
        if cfg!(target_os = "macos") {
            return Some(self.home.as_ref()?.join(".config/zed"));
        }
        Some(self.programs.as_ref()?.join(if cfg!(windows) { "Zed" } else { "zed" }))
    }
}
