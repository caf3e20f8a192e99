//! `l10n-server restore`: the database out of the file that `backup` has written.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use crate::clock::{Clock as _, SystemClock};
use crate::config::{Config, DatabaseUrl, Overrides};
use crate::server_lock::ServerLock;
use crate::store::backup;
use anyhow::{Context as _, Result, bail};
use clap::Args;

use super::backup::{keep, temporary_beside};
use super::postgres_tools::PostgresTool;
use super::shared::print;

#[derive(Args)]
pub(crate) struct Restore {
    /// File that `l10n-server backup` has written
    file: PathBuf,
    /// Replace what the database holds
    #[arg(long)]
    overwrite: bool,
}

/// The kind of a file, from its first bytes.
enum Kind {
    Sqlite,
    Postgres,
}

impl Restore {
    pub(crate) async fn run(self, overrides: &Overrides) -> Result<()> {
        let config = Config::load(overrides)?;
        let database = &config.database_url;
        match (self.kind()?, database.sqlite_path()) {
            (Kind::Sqlite, Some(_)) => self.restore_sqlite(&backup::sqlite_file(database.expose())?).await?,
            (Kind::Postgres, None) => self.restore_postgres(database).await?,
            (Kind::Sqlite, None) => self.other_engine("SQLite", "sqlite:PATH")?,
            (Kind::Postgres, Some(_)) => self.other_engine("PostgreSQL", "postgres://USER@HOST/DATABASE")?,
        }
        print(&format!(
            "{database:?} is restored from {}. `l10n-server check` reads all of it; `serve` needs the master key of then.",
            self.file.display()
        ))
    }

    fn kind(&self) -> Result<Kind> {
        let mut first = [0; 16];
        let read = File::open(&self.file).and_then(|mut file| match file.read_exact(&mut first) {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(()),
            other => other,
        });
        read.with_context(|| format!("cannot read {}", self.file.display()))?;
        match &first {
            b"SQLite format 3\0" => Ok(Kind::Sqlite),
            [b'P', b'G', b'D', b'M', b'P', ..] => Ok(Kind::Postgres),
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
        // What the database before had not yet taken in would be taken into this one.
        for suffix in ["-wal", "-shm", "-journal"] {
            remove(&with_suffix(path, suffix))?;
        }
        keep(copy, path)?;
        drop(lock);
        Ok(())
    }

    async fn restore_postgres(&self, database: &DatabaseUrl) -> Result<()> {
        let restore = PostgresTool::find("pg_restore", database).await?;
        if restore.place.tables > 0 && !self.overwrite {
            bail!("{database:?} has {} tables; --overwrite replaces those of the backup", restore.place.tables);
        }
        if restore.place.connections > 0 {
            bail!("{} connections of servers use {database:?}: stop them first", restore.place.connections);
        }
        let clean: &[&str] = if self.overwrite { &["--clean", "--if-exists"] } else { &[] };
        let mut options: Vec<std::ffi::OsString> =
            ["--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error"].map(Into::into).to_vec();
        options.extend(clean.iter().map(Into::into));
        options.push(restore.database_argument());
        restore.run(options, [&self.file])
    }
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
