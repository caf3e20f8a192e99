use clap::ValueEnum as _;
use insta::assert_snapshot;

use std::path::Path;

use super::*;
use crate::settings::API_KEY;

fn server() -> Server {
    Server {
        name: "l10n".to_owned(),
        command: "l10n".to_owned(),
        env: vec![
            ("L10N_PROJECT".to_owned(), "acme/app".to_owned()),
            (API_KEY.to_owned(), "${L10N_API_KEY}".to_owned()),
        ],
    }
}

fn text(program: AgentProgram, before: &str) -> String {
    match edited(program, before, &server()).unwrap() {
        ConfigEdit::Text(text) => text,
        ConfigEdit::Same => panic!("{before} is said to have the server"),
    }
}

#[test]
fn a_new_file_has_the_server_alone() {
    assert_snapshot!(text(AgentProgram::ClaudeCode, ""), @r#"
    {
      "mcpServers": {
        "l10n": {
          "command": "l10n",
          "args": ["mcp"],
          "env": {
            "L10N_PROJECT": "acme/app",
            "L10N_API_KEY": "${L10N_API_KEY}"
          }
        }
      }
    }
    "#);
    assert_snapshot!(text(AgentProgram::Vscode, ""), @r#"
    {
      "servers": {
        "l10n": {
          "type": "stdio",
          "command": "l10n",
          "args": ["mcp"],
          "env": {
            "L10N_PROJECT": "acme/app",
            "L10N_API_KEY": "${L10N_API_KEY}"
          }
        }
      },
      "inputs": [
        {
          "type": "promptString",
          "id": "l10n-api-key",
          "description": "API key of the localization service (AI agent)",
          "password": true
        }
      ]
    }
    "#);
    assert_snapshot!(text(AgentProgram::Zed, ""), @r#"
    {
      "context_servers": {
        "l10n": {
          "command": "l10n",
          "args": ["mcp"],
          "env": {
            "L10N_PROJECT": "acme/app",
            "L10N_API_KEY": "${L10N_API_KEY}"
          }
        }
      }
    }
    "#);
    assert_snapshot!(text(AgentProgram::Codex, ""), @r#"
    [mcp_servers.l10n]
    command = "l10n"
    args = ["mcp"]
    env_vars = ["L10N_API_KEY"]
    env = { L10N_PROJECT = "acme/app", L10N_API_KEY = "${L10N_API_KEY}" }
    "#);
}

/// Without the server, the file is as it was: comments, line ends, marks and order stay.
#[test]
fn every_other_byte_stays() {
    for (program, before) in [
        (
            AgentProgram::ClaudeCode,
            "{\n\t\"mcpServers\": {\n\t\t\"a\": {\"command\": \"x\", }, // mine\n\t},\n\t\"z\": 1e3\n}",
        ),
        (AgentProgram::Cursor, "\u{feff}{\r\n    \"mcpServers\": {\r\n        \"a\": {}\r\n    }\r\n}\r\n"),
        (AgentProgram::ClaudeDesktop, "{\"b\":[1,  2],\"mcpServers\":{}}"),
        (AgentProgram::Vscode, "// of the team\n{\n  \"servers\": {},\n  \"inputs\": [\n    /* none */\n  ],\n}\n"),
        (AgentProgram::Zed, "{\n  \"theme\": \"One\", // dark\n  /* last */\n}\n"),
        (AgentProgram::Codex, "# mine\r\nmodel = 'x'   # why\r\n\r\n[mcp_servers.a]\r\ncommand = \"a\"\r\n"),
        (AgentProgram::Codex, "a = 1"),
    ] {
        let after = text(program, before);
        let mut rest = after.chars();
        let kept: String = before.chars().filter(|wanted| rest.by_ref().any(|found| found == *wanted)).collect();
        assert_eq!(kept, before, "all of it is there, in this order: {after}");
        assert_eq!(after.contains("\r\n"), before.contains("\r\n"));
        let has_bare = after.replace("\r\n", "").contains('\n');
        assert!(!(has_bare && before.contains("\r\n")), "one kind of line end: {after:?}");
        assert_eq!(edited(program, &after, &server()), Ok(ConfigEdit::Same), "a second time changes nothing: {after}");
    }
}

#[test]
fn a_server_of_that_name_with_other_settings_stays() {
    for (program, before) in [
        (AgentProgram::Cursor, r#"{"mcpServers": {"l10n": {"command": "other"}}}"#),
        (AgentProgram::Codex, "[mcp_servers.l10n]\ncommand = \"other\"\n"),
    ] {
        assert_eq!(edited(program, before, &server()), Err(EditError::Taken("l10n".to_owned())));
    }
}

#[test]
fn what_cannot_be_read_stays() {
    for program in AgentProgram::value_variants() {
        let wrong = match program {
            AgentProgram::Codex => {
                ["{", "= x", "mcp_servers = 1", "mcp_servers = {}", "mcp_servers.a = 1\nmcp_servers.a = 2"]
            }
            _ => {
                ["{", "[1]", "7", "mcp_servers = 1", "{\"mcpServers\": 1, \"servers\": [], \"context_servers\": null}"]
            }
        };
        for before in wrong {
            let found = edited(*program, before, &server());
            assert!(
                matches!(found, Err(EditError::Syntax(_) | EditError::List(_))),
                "{program:?}: {before}: {found:?}"
            );
        }
    }
}

#[test]
fn every_program_has_its_file() {
    let folders = Folders { home: Some("/home/a".into()), programs: Some("/home/a/.config".into()), codex: None };
    let files: Vec<String> = AgentProgram::value_variants()
        .iter()
        .map(|program| format!("{}: {}", program.title(), program.file(Path::new("/p"), &folders).unwrap().display()))
        .collect();
    if cfg!(target_os = "linux") {
        assert_snapshot!(files.join("\n"), @r#"
        Claude Code: /p/.mcp.json
        Claude Desktop: /home/a/.config/Claude/claude_desktop_config.json
        Cursor: /p/.cursor/mcp.json
        Visual Studio Code: /p/.vscode/mcp.json
        Codex: /home/a/.codex/config.toml
        Zed: /home/a/.config/zed/settings.json
        "#);
    }
    let nobody = Folders::default();
    let of_nobody = |program: &&AgentProgram| program.file(Path::new("/p"), &nobody).is_some();
    assert!(AgentProgram::value_variants().iter().filter(of_nobody).all(|program| program.is_of_project()));
}
