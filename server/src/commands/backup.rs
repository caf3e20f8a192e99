//! `l10n-server backup`: the database in one file, beside running servers.

use std::fs::File;
use std::path::{Path, PathBuf};

use crate::config::{Config, Overrides};
use crate::store::backup;
use anyhow::{Context as _, Result, bail};
use clap::Args;
use tempfile::NamedTempFile;

use super::postgres_tools::PostgresTool;
use super::shared::{existing, print};

#[derive(Args)]
pub(crate) struct BackupArgs {
    /// File to write, for its owner alone
    file: PathBuf,
    /// Replace a file of this name
    #[arg(long)]
    overwrite: bool,
}

impl BackupArgs {
    pub(crate) async fn run(self, overrides: &Overrides) -> Result<()> {
        let config = Config::load(overrides)?;
        let database = existing(&config)?;
        if !self.overwrite && self.file.symlink_metadata().is_ok() {
            bail!("{} exists; --overwrite replaces it", self.file.display());
        }
        let copy = temporary_beside(&self.file)?;
        match database.sqlite_path() {
            Some(path) => {
                if self.file.canonicalize().is_ok_and(|file| path.canonicalize().is_ok_and(|path| path == file)) {
                    bail!("{} is the database itself", self.file.display());
                }
                backup::copy_sqlite(&path, copy.path())
                    .await
                    .with_context(|| format!("cannot copy the database {}", path.display()))?;
            }
            None => {
                let dump = PostgresTool::find("pg_dump", &database).await?;
                dump.run(["--format=custom", "--no-owner", "--no-privileges", "--file"], [copy.path()])?;
            }
        }
        let bytes = synced(&copy, &self.file)?;
        rename(copy, &self.file)?;
        print(&format!(
            "{database:?} is backed up in {} ({bytes} bytes). The master key is not in it: store it as well, in another place. \
             `l10n-server restore` puts the backup back.",
            self.file.display()
        ))
    }
}

/// An empty file in the folder of `file`, for its owner alone, which goes unless it is kept.
pub(super) fn temporary_beside(file: &Path) -> Result<NamedTempFile> {
    let folder = folder_of(file);
    tempfile::Builder::new()
        .prefix(".l10n-")
        .suffix(".partial")
        .tempfile_in(folder)
        .with_context(|| format!("cannot write into the folder {}", folder.display()))
}

/// Brings all of what is to become `file` onto the disk. Returns its size.
pub(super) fn synced(written: &NamedTempFile, file: &Path) -> Result<u64> {
    // Opened anew: another program may have written it.
    let content = File::open(written.path()).and_then(|content| content.sync_all().map(|()| content));
    let size = content.and_then(|content| Ok(content.metadata()?.len()));
    size.with_context(|| format!("cannot write {}", file.display()))
}

/// Gives a file that is on the disk its name.
pub(super) fn rename(written: NamedTempFile, file: &Path) -> Result<()> {
    let renamed = written.persist(file).map_err(std::io::Error::from);
    let renamed = renamed.and_then(|_| File::open(folder_of(file))?.sync_all());
    renamed.with_context(|| format!("cannot write {}", file.display()))
}

fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."))
}
