//! `pg_dump` and `pg_restore`, which come with PostgreSQL.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io::{ErrorKind, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::str::FromStr as _;

use crate::config::DatabaseUrl;
use crate::store::backup::{PostgresPlace, postgres_place};
use anyhow::{Context as _, Result, bail};
use percent_encoding::percent_decode_str;
use sqlx::postgres::PgConnectOptions;
use tempfile::NamedTempFile;
use url::Url;

/// One of the programs, for one database.
pub(super) struct PostgresTool {
    program: &'static str,
    environment: Vec<(&'static str, OsString)>,
    /// The database's own facts.
    pub(super) place: PostgresPlace,
    /// The password: neither on a command line nor in an environment, which others may be able to read.
    _password: Option<NamedTempFile>,
}

impl PostgresTool {
    /// Looks for the program, in a version that knows the database's.
    pub(super) async fn find(program: &'static str, database: &DatabaseUrl) -> Result<Self> {
        let major = major_version(program)?;
        let place = postgres_place(database.expose())
            .await
            .with_context(|| format!("cannot open the database {database:?} (setting `database_url`)"))?;
        if major < place.major {
            bail!(
                "{program} is of version {major}, and the database of version {}: install PostgreSQL's client programs of \
                 version {} or later, and name their folder first in PATH",
                place.major,
                place.major
            );
        }
        let ClientOptions { environment, password } = ClientOptions::of(database)?;
        Ok(Self { program, environment, place, _password: password })
    }

    /// The database as an argument of those programs that take none from the environment: all else stands there.
    pub(super) fn database_argument(&self) -> OsString {
        let name = self.environment.iter().find(|(name, _)| *name == "PGDATABASE").map(|(_, value)| value);
        let name = name.map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        // A connection string, so that a name is never taken for one.
        format!("--dbname=dbname='{}'", name.replace('\\', "\\\\").replace('\'', "\\'")).into()
    }

    /// Runs it to its end; returns what it has written to its standard output.
    pub(super) fn run<A, B>(&self, options: A, more: B) -> Result<String>
    where
        A: IntoIterator<Item: AsRef<OsStr>>,
        B: IntoIterator<Item: AsRef<OsStr>>,
    {
        let mut command = Command::new(self.program);
        // What the URL says wins over what a person's environment says.
        command.env_remove("PGPASSWORD").env_remove("PGSERVICE").env_remove("PGHOSTADDR");
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        let output = command.args(options).args(more).stdin(Stdio::null()).output();
        let output = output.with_context(|| format!("cannot run {}", self.program))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            bail!("{} failed ({}): {}", self.program, output.status, said.trim());
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Asks `pg_restore` for the tables of a backup, each as SCHEMA.TABLE.
    pub(super) fn tables_of(&self, backup: &Path) -> Result<BTreeSet<String>> {
        Ok(listed_tables(&self.run(["--list"], [backup])?))
    }
}

/// The tables of a list such as `217; 1259 16390 TABLE public projects l10n`.
fn listed_tables(list: &str) -> BTreeSet<String> {
    let table = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            // `TABLE DATA` and `TABLE ATTACH` of a table have a line of their own, with the same schema and name behind them.
            [_, _, _, "TABLE", "DATA" | "ATTACH", _, _, ..] => None,
            [number, _, _, "TABLE", schema, name, ..] if number.ends_with(';') => Some(format!("{schema}.{name}")),
            _ => None,
        }
    };
    list.lines().filter_map(table).collect()
}

/// `pg_dump (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)`: 15.
fn major_version(program: &str) -> Result<u32> {
    let output = match Command::new(program).arg("--version").stdin(Stdio::null()).output() {
        Err(error) if error.kind() == ErrorKind::NotFound => bail!(
            "there is no {program} in PATH: install PostgreSQL's client programs (on Debian the package postgresql-client)"
        ),
        other => other.with_context(|| format!("cannot run {program}"))?,
    };
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let number = said.split_whitespace().find(|word| word.starts_with(|first: char| first.is_ascii_digit()));
    let digits: String = number.unwrap_or_default().chars().take_while(char::is_ascii_digit).collect();
    digits.parse().with_context(|| format!("cannot read the version of {program}: {}", said.trim()))
}

/// The connection settings of a database, as the programs get them.
struct ClientOptions {
    environment: Vec<(&'static str, OsString)>,
    /// A file that only this user reads.
    password: Option<NamedTempFile>,
}

impl ClientOptions {
    fn of(database: &DatabaseUrl) -> Result<Self> {
        let unusable = || "cannot read the setting `database_url`";
        let options = PgConnectOptions::from_str(database.expose()).with_context(unusable)?;
        let url = Url::parse(database.expose()).with_context(unusable)?;
        let in_url = url.password().map(|password| percent_decode_str(password).decode_utf8_lossy().into_owned());
        let password = stated(&url, &["password"]).or(in_url).map(|password| password_file(&password)).transpose()?;
        let mut environment = environment(&options, &url);
        if let Some(file) = &password {
            environment.push(("PGPASSFILE", file.path().into()));
        }
        Ok(Self { environment, password })
    }
}

fn environment(options: &PgConnectOptions, url: &Url) -> Vec<(&'static str, OsString)> {
    let host = options.get_socket().map_or_else(|| options.get_host().into(), |path| path.clone().into_os_string());
    let user = options.get_username();
    let mut environment: Vec<(&'static str, OsString)> = vec![
        ("PGHOST", host),
        ("PGPORT", options.get_port().to_string().into()),
        ("PGUSER", user.into()),
        ("PGDATABASE", options.get_database().unwrap_or(user).into()),
        ("PGAPPNAME", "l10n-server backup".into()),
    ];
    for (variable, names) in [
        ("PGSSLMODE", ["sslmode", "ssl-mode"]),
        ("PGSSLROOTCERT", ["sslrootcert", "ssl-root-cert"]),
        ("PGSSLCERT", ["sslcert", "ssl-cert"]),
        ("PGSSLKEY", ["sslkey", "ssl-key"]),
    ] {
        if let Some(value) = stated(url, &names) {
            environment.push((variable, value.into()));
        }
    }
    environment
}

/// A parameter of a URL.
fn stated(url: &Url, names: &[&str]) -> Option<String> {
    let found = url.query_pairs().find(|(name, _)| names.contains(&name.as_ref()));
    found.map(|(_, value)| value.into_owned())
}

fn password_file(password: &str) -> Result<NamedTempFile> {
    if password.contains(['\n', '\r', '\0']) {
        bail!("PostgreSQL's client programs take no password with a line break");
    }
    let mut file = tempfile::Builder::new().prefix("l10n-").tempfile().context("cannot write a temporary file")?;
    writeln!(file, "*:*:*:*:{}", password.replace('\\', "\\\\").replace(':', "\\:"))
        .and_then(|()| file.flush())
        .context("cannot write a temporary file")?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_names_its_tables() {
        let list = ";\n; Archive created at 2026-11-22 08:00:00 UTC\n;     Format: CUSTOM\n\
            217; 1259 16390 TABLE public projects l10n\n\
            218; 1259 16399 INDEX public projects_to_delete l10n\n\
            3401; 0 16390 TABLE DATA public projects l10n\n\
            219; 1259 16401 TABLE other versions \n";
        let expected = ["other.versions", "public.projects"].map(str::to_owned);
        assert_eq!(listed_tables(list), BTreeSet::from(expected));
    }
}
