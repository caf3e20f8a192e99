//! `l10n-server restore`: the database out of the file that `backup` has written.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use crate::clock::{Clock as _, SystemClock};
use crate::config::{Config, DatabaseUrl, Overrides};
use crate::server_lock::ServerLock;
use crate::store::backup;
use anyhow::{Context as _, Result, bail};
use clap::Args;
use tempfile::NamedTempFile;

use super::backup::{rename, synced, temporary_beside};
use super::postgres_tools::PostgresTool;
use super::shared::print;

#[derive(Args)]
pub(crate) struct RestoreArgs {
    /// File that `l10n-server backup` has written
    file: PathBuf,
    /// Replace what the database holds
    #[arg(long)]
    overwrite: bool,
}

/// The kind of a file, from its first bytes.
enum BackupFileKind {
    Sqlite,
    Postgres,
}

impl RestoreArgs {
    pub(crate) async fn run(self, overrides: &Overrides) -> Result<()> {
        let config = Config::load(overrides)?;
        let database = &config.database_url;
        match (self.kind()?, database.sqlite_path()) {
            (BackupFileKind::Sqlite, Some(path)) => self.restore_sqlite(&path).await?,
            (BackupFileKind::Postgres, None) => self.restore_postgres(database).await?,
            (BackupFileKind::Sqlite, None) => self.other_engine("SQLite", "sqlite:PATH")?,
            (BackupFileKind::Postgres, Some(_)) => self.other_engine("PostgreSQL", "postgres://USER@HOST/DATABASE")?,
        }
        print(&format!(
            "{database:?} is restored from {}. `l10n-server check` reads all of it; `serve` needs the master key that was in \
             use when the backup was made.",
            self.file.display()
        ))
    }

    fn kind(&self) -> Result<BackupFileKind> {
        let mut first = [0; 16];
        let read = File::open(&self.file).and_then(|mut file| match file.read_exact(&mut first) {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(()),
            other => other,
        });
        read.with_context(|| format!("cannot read {}", self.file.display()))?;
        match &first {
            b"SQLite format 3\0" => Ok(BackupFileKind::Sqlite),
            [b'P', b'G', b'D', b'M', b'P', ..] => Ok(BackupFileKind::Postgres),
            _ => bail!("{} is not a file that `l10n-server backup` has written", self.file.display()),
        }
    }

    fn other_engine(&self, engine: &str, url: &str) -> Result<()> {
        bail!("{} is a backup of {engine}: give it a database {url} (setting `database_url`)", self.file.display());
    }

    async fn restore_sqlite(&self, path: &Path) -> Result<()> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        }
        let is_taken = path.metadata().is_ok_and(|found| found.len() > 0);
        if is_taken && !self.overwrite {
            bail!("{} holds a database; --overwrite replaces it", path.display());
        }
        // The file itself where `path` is a link to it.
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(path).with_context(|| format!("cannot write {}", path.display()))?;
        let path = &path.canonicalize().with_context(|| format!("cannot write {}", path.display()))?;
        let lock = ServerLock::take(path, SystemClock.now())?;
        let mut copy = temporary_beside(path)?;
        // Not `fs::copy`, which gives the copy the mode of the file.
        let copied = File::open(&self.file).and_then(|mut file| std::io::copy(&mut file, &mut copy));
        copied.with_context(|| format!("cannot copy {}", self.file.display()))?;
        let faults = backup::sqlite_faults(copy.path()).await;
        let faults = faults.with_context(|| format!("{} is damaged", self.file.display()))?;
        if !faults.is_empty() {
            bail!("{} is damaged, and nothing was restored: {}", self.file.display(), faults.join("; "));
        }
        replace(copy, path)?;
        drop(lock);
        Ok(())
    }

    async fn restore_postgres(&self, database: &DatabaseUrl) -> Result<()> {
        let restore = PostgresTool::find("pg_restore", database).await?;
        let present = &restore.place.tables;
        if !present.is_empty() && !self.overwrite {
            bail!("{database:?} has {} tables; --overwrite replaces the tables that the backup has", present.len());
        }
        if self.overwrite {
            let in_backup = restore.tables_of(&self.file)?;
            let lacking = lacking(present, &in_backup);
            if !lacking.is_empty() {
                bail!(
                    "{database:?} has tables that the backup lacks ({}), so it is of a later release: make an empty database \
                     and restore into that",
                    lacking.join(", ")
                );
            }
        }
        if restore.place.connections > 0 {
            bail!("{} connections of servers use {database:?}: stop them first", restore.place.connections);
        }
        let clean: &[&str] = if self.overwrite { &["--clean", "--if-exists"] } else { &[] };
        let mut options: Vec<std::ffi::OsString> =
            ["--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error"].map(Into::into).to_vec();
        options.extend(clean.iter().map(Into::into));
        options.push(restore.database_argument());
        restore.run(options, [&self.file]).map(drop)
    }
}

/// The names of the tables that are present and not in the backup, in the schemas that it has tables in: others are not this
/// server's.
fn lacking<'a>(present: &'a BTreeSet<String>, backup: &BTreeSet<String>) -> Vec<&'a str> {
    let lacking = present.iter().filter(|table| !backup.contains(*table)).filter_map(|table| table.split_once('.'));
    let is_used = |schema: &str| backup.iter().any(|table| table.split_once('.').is_some_and(|(of, _)| of == schema));
    lacking.filter(|(schema, _)| is_used(schema)).map(|(_, name)| name).collect()
}

/// Puts the copy in the place of the database. The old one is whole until the copy is on the disk.
fn replace(copy: NamedTempFile, path: &Path) -> Result<()> {
    synced(&copy, path)?;
    // What the database before had not yet taken in would be taken into this one.
    remove_logs(path)?;
    rename(copy, path)?;
    // A program that opened the old one in between has made them again.
    remove_logs(path)
}

fn remove_logs(path: &Path) -> Result<()> {
    ["-wal", "-shm", "-journal"].iter().try_for_each(|suffix| remove(&with_suffix(path, suffix)))
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", path.display()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_that_fails_leaves_the_database_and_its_log() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("l10n.sqlite");
        let names = ["", "-wal", "-shm", "-journal"].map(|suffix| with_suffix(&path, suffix));
        let there = || names.each_ref().map(|name| fs::read_to_string(name).unwrap_or_default());
        names.iter().for_each(|name| fs::write(name, "old").unwrap());
        let copy = temporary_beside(&path).unwrap();
        fs::remove_file(copy.path()).unwrap();
        assert!(replace(copy, &path).unwrap_err().to_string().contains("cannot write"));
        assert_eq!(there(), ["old"; 4]);
        let mut copy = temporary_beside(&path).unwrap();
        std::io::Write::write_all(&mut copy, b"new").unwrap();
        replace(copy, &path).unwrap();
        assert_eq!(there(), ["new", "", "", ""]);
    }

    #[test]
    fn tables_of_other_schemas_are_not_this_servers() {
        let tables = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
        let backup = tables(&["public.keys", "public.projects"]);
        assert!(lacking(&tables(&["public.keys", "shop.orders"]), &backup).is_empty());
        assert_eq!(lacking(&tables(&["public.common_tokens", "public.keys"]), &backup), ["common_tokens"]);
    }
}
