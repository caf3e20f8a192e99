//! Files of the command line, of which `-` is standard input.

use std::io::{self, Read as _, Stdin};
use std::path::Path;

use tokio::sync::oneshot;

use crate::error::{CliError, unreadable};

/// The name of standard input in messages.
const STDIN: &str = "stdin";

/// Reads standard input in a separate thread, which does not keep the program from ending on a signal.
pub(crate) async fn from_stdin<T: Send + 'static>(
    read: impl FnOnce(Stdin) -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    let (answer, answered) = oneshot::channel();
    std::thread::spawn(move || {
        let _ = answer.send(read(io::stdin()));
    });
    answered.await.unwrap_or_else(|_| Err(io::ErrorKind::UnexpectedEof.into()))
}

/// Reads a file whose path is relative to `folder`. Returns its name for messages, too.
pub(crate) async fn bytes(folder: &Path, path: &Path) -> Result<(String, Vec<u8>), CliError> {
    if path != Path::new("-") {
        return Ok((path.display().to_string(), std::fs::read(folder.join(path)).map_err(unreadable(path))?));
    }
    let all = |mut stdin: Stdin| {
        let mut bytes = Vec::new();
        stdin.read_to_end(&mut bytes).map(|_| bytes)
    };
    Ok((STDIN.to_owned(), from_stdin(all).await.map_err(unreadable(STDIN.as_ref()))?))
}

/// Reads a file of text, as [`bytes`] does.
pub(crate) async fn text(folder: &Path, path: &Path) -> Result<(String, String), CliError> {
    let (name, bytes) = bytes(folder, path).await?;
    let text = String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error));
    let text = text.map_err(unreadable(name.as_ref()))?;
    Ok((name, text))
}
