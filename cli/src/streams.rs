//! Streams that the program is started with, and their names in the file system, such as `/dev/stdout`.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

use crate::links::{folder, places};

/// Returns true if a file of the command line is standard output: `-`, or a path that leads to it. Nothing but the
/// contents of the file goes there then.
pub(crate) fn is_stdout(folder: &Path, path: &Path) -> bool {
    path == Path::new("-") || matches!(own(&folder.join(path)), Ok(Some((_, Stream::Out))))
}

/// Opens the stream that a path leads to, if it leads to one. What others write there before and afterwards stays.
pub(crate) fn stream(path: &Path) -> io::Result<Option<File>> {
    if let Some((file, _)) = own(path)? {
        return Ok(Some(file));
    }
    let is_descriptor = |place: &Path| {
        fs::canonicalize(folder(place)).is_ok_and(|folder| folder.starts_with("/proc") && folder.ends_with("fd"))
    };
    if fs::metadata(path).is_ok() && places(path).any(|place| is_descriptor(&place)) {
        return OpenOptions::new().append(true).open(path).map(Some);
    }
    Ok(None)
}

/// A stream for output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stream {
    Out,
    Err,
}

/// The stream of the program that a path leads to. It shares its position with those that have it open, too.
#[cfg(unix)]
fn own(path: &Path) -> io::Result<Option<(File, Stream)>> {
    use std::os::fd::AsFd as _;
    use std::os::unix::fs::MetadataExt as _;

    let Ok(named) = fs::metadata(path) else { return Ok(None) };
    let (out, err) = (io::stdout(), io::stderr());
    for (descriptor, stream) in [(out.as_fd(), Stream::Out), (err.as_fd(), Stream::Err)] {
        let file = File::from(descriptor.try_clone_to_owned()?);
        let held = file.metadata()?;
        if (held.dev(), held.ino()) == (named.dev(), named.ino()) {
            return Ok(Some((file, stream)));
        }
    }
    Ok(None)
}

#[cfg(not(unix))]
fn own(_: &Path) -> io::Result<Option<(File, Stream)>> {
    Ok(None)
}
