//! The place of a secret that is shown once: the output, or a file that only its owner may read.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Value, json};
use tempfile::NamedTempFile;

use crate::atomic::WriteError;
use crate::context::Context;
use crate::error::CliError;
use crate::exit::ExitStatus;
use crate::printer::Printer;

/// The place for a secret that does not exist yet.
#[derive(Debug)]
pub(crate) enum SecretPlace {
    Output,
    /// A temporary file beside the final one, readable only by the owner.
    File(NamedTempFile, PathBuf),
}

/// The outcome of keeping a secret.
#[derive(Debug)]
pub(crate) enum Kept {
    /// The secret is printed.
    Output,
    File(PathBuf),
    /// The file failed; the secret is printed, so that it is not lost.
    Failed(WriteError),
}

impl SecretPlace {
    /// Checks that the secret can be kept before it is made, because it is shown only once.
    pub(crate) fn prepare(context: &Context, path: Option<&Path>) -> Result<Self, CliError> {
        let Some(path) = path else { return Ok(Self::Output) };
        let path = context.folder.join(path);
        let failed = |source| WriteError { path: path.clone(), source };
        if path.is_dir() {
            return Err(failed(std::io::ErrorKind::IsADirectory.into()).into());
        }
        let folder = path.parent().unwrap_or(&context.folder);
        std::fs::create_dir_all(folder).map_err(failed)?;
        // Its permissions are 0600 from the beginning.
        let file = tempfile::Builder::new().prefix(".l10n-").suffix(".tmp").tempfile_in(folder).map_err(failed)?;
        Ok(Self::File(file, path))
    }

    /// Keeps the secret.
    pub(crate) fn keep(self, secret: &str) -> Kept {
        match self {
            Self::Output => Kept::Output,
            Self::File(file, path) => match write(file, &path, secret) {
                Ok(()) => Kept::File(path),
                Err(source) => Kept::Failed(WriteError { path, source }),
            },
        }
    }
}

fn write(mut file: NamedTempFile, path: &Path, secret: &str) -> std::io::Result<()> {
    // There is no line end, because some receivers would treat it as part of the secret.
    file.write_all(secret.as_bytes())?;
    file.as_file().sync_data()?;
    file.persist(path).map(drop).map_err(|error| error.error)
}

impl Kept {
    /// Prints the secret or its place.
    pub(crate) fn tell(&self, printer: &Printer, secret: &str) {
        match self {
            Self::File(path) => printer.line(format!("Its secret is in {}", path.display())),
            Self::Output | Self::Failed(_) => {
                printer.line(format!("Secret: {secret}"));
                printer.warn("store the secret for the receiver: it is not shown again");
            }
        }
    }

    /// The result of the command.
    pub(crate) fn outcome(self) -> Result<ExitStatus, CliError> {
        match self {
            Self::Output | Self::File(_) => Ok(ExitStatus::Success),
            Self::Failed(error) => Err(error.into()),
        }
    }
}

/// An answer for `--json`, with the path of the secret's file instead of the secret.
pub(crate) fn with_place(answer: &impl Serialize, kept: &Kept) -> Value {
    let mut answer = serde_json::to_value(answer).unwrap_or_default();
    if let (Kept::File(path), Some(fields)) = (kept, answer.as_object_mut()) {
        fields.remove("secret");
        fields.insert("secretFile".to_owned(), json!(path));
    }
    answer
}
