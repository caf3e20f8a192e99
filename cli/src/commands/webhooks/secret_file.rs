//! The place of a secret that is shown once: the output, or a file that only its owner may read.

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Value, json};

use crate::atomic::{AtomicFile, WriteError};
use crate::context::Context;
use crate::error::CliError;
use crate::exit::ExitStatus;
use crate::printer::Printer;

/// The place for a secret that does not exist yet.
#[derive(Debug)]
pub(crate) enum SecretPlace {
    Output,
    /// A file that only its owner may read.
    File(AtomicFile),
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
        Ok(Self::File(AtomicFile::create_secret(&context.folder.join(path))?))
    }

    /// Keeps the secret.
    pub(crate) fn keep(self, secret: &str) -> Kept {
        let Self::File(mut file) = self else { return Kept::Output };
        let path = file.path().to_owned();
        // There is no line end, because some receivers would treat it as part of the secret.
        match file.write(secret.as_bytes()).and_then(|()| file.finish()) {
            Ok(()) => Kept::File(path),
            Err(error) => Kept::Failed(error),
        }
    }
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
