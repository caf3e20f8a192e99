//! Settings from flags (`--limits-requests-per-minute`) and the environment (`L10N_SERVER_LIMITS_REQUESTS_PER_MINUTE`).
//! Flags win over the environment, the environment over the file.

use std::fmt;
use std::path::PathBuf;

use clap::builder::ValueParser;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, value_parser};
use confique::meta::Expr;
use toml::{Table, Value};

use super::declared::{SETTINGS, Setting};

const HEADING: &str = "Settings";

/// Settings stated by flags or the environment. `Debug` shows their names alone, since some are secrets.
#[derive(Clone, Default)]
pub struct Overrides {
    /// Configuration file; by default `l10n-server.toml` where it exists.
    pub(super) config: Option<PathBuf>,
    /// Settings as the file would state them.
    pub(super) stated: Table,
}

impl Overrides {
    /// Names the configuration file and states nothing.
    #[must_use]
    pub fn of_file(path: PathBuf) -> Self {
        Self { config: Some(path), stated: Table::new() }
    }

    /// States a setting, as `limits.requests_per_minute`, unless a flag or the environment does.
    #[must_use]
    pub fn or(mut self, path: &str, value: impl Into<Value>) -> Self {
        let (section, name) = path.rsplit_once('.').unwrap_or(("", path));
        if let Some(table) = section_of(&mut self.stated, section) {
            table.entry(name).or_insert(value.into());
        }
        self
    }
}

impl Overrides {
    /// Returns true if a flag or the environment states this setting.
    pub(super) fn state(&self, path: &str) -> bool {
        let stated = path.split('.').try_fold(None, |table: Option<&Value>, name| {
            table.map_or_else(|| self.stated.get(name), |table| table.get(name)).map(Some)
        });
        stated.is_some()
    }
}

/// Hides the settings that a command beside a server has no use for from its help. They are taken all the same, so that a
/// command can be given the same flags as the server.
#[must_use]
pub fn with_brief_help(command: Command) -> Command {
    let hidden = SETTINGS.iter().filter(|setting| !shown_by_every_command(setting));
    with_hint(command.args(hidden.map(|setting| argument(setting).hide(true))))
}

/// A command's own subcommands inherit its settings, but not its hint.
fn with_hint(command: Command) -> Command {
    command
        .after_help("`l10n-server serve --help` lists the other settings, which are taken here, too.")
        .mut_subcommands(with_hint)
}

fn shown_by_every_command(setting: &Setting) -> bool {
    setting.path == "database_url" || setting.path.starts_with("secrets.")
}

impl fmt::Debug for Overrides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stated: Vec<_> = self.stated.keys().collect();
        f.debug_struct("Overrides").field("config", &self.config).field("stated", &stated).finish()
    }
}

fn section_of<'a>(table: &'a mut Table, section: &str) -> Option<&'a mut Table> {
    if section.is_empty() {
        return Some(table);
    }
    table.entry(section).or_insert_with(|| Value::Table(Table::new())).as_table_mut()
}

impl Args for Overrides {
    fn augment_args(command: Command) -> Command {
        let config = Arg::new("config")
            .long("config")
            .env("L10N_SERVER_CONFIG")
            .value_name("FILE")
            .value_parser(value_parser!(PathBuf))
            .help("Configuration file [default: l10n-server.toml where it exists]")
            .help_heading(HEADING)
            .global(true);
        command.arg(config).args(SETTINGS.iter().map(argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

fn argument(setting: &'static Setting) -> Arg {
    let parser: ValueParser = match setting.default {
        Expr::Integer(_) => value_parser!(i64).into(),
        Expr::Bool(_) => value_parser!(bool),
        _ => value_parser!(String),
    };
    let argument = Arg::new(setting.path.as_str())
        .long(setting.flag())
        .env(setting.variable())
        // Some values are secrets, or contain passwords.
        .hide_env_values(true)
        .value_name(setting.value_name())
        .value_parser(parser)
        .help(setting.help())
        .help_heading(HEADING)
        .global(true);
    match setting.default {
        Expr::Array(_) => argument.value_delimiter(','),
        // A price below zero is refused by the setting, not taken for a flag.
        Expr::Integer(_) => argument.allow_negative_numbers(true),
        _ => argument,
    }
}

impl FromArgMatches for Overrides {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut overrides = Self { config: matches.get_one("config").cloned(), stated: Table::new() };
        for setting in SETTINGS.iter() {
            let stated = match setting.default {
                Expr::Integer(_) => matches.get_one::<i64>(&setting.path).copied().map(Value::from),
                Expr::Bool(_) => matches.get_one::<bool>(&setting.path).copied().map(Value::from),
                Expr::Array(_) => matches
                    .get_many::<String>(&setting.path)
                    .map(|values| Value::Array(values.cloned().map(Value::from).collect())),
                _ => matches.get_one::<String>(&setting.path).cloned().map(Value::from),
            };
            if let Some(value) = stated {
                overrides = overrides.or(&setting.path, value);
            }
        }
        Ok(overrides)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
