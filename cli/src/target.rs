//! Safe paths for published files: always below one folder, whatever the server sends.

use std::io;
use std::path::{Component, Path, PathBuf};

use crate::error::Failure;
use crate::exit::ExitStatus;

/// A published file's path must not be written to.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TargetError {
    #[error("the server sent the path `{0}`, which leads out of the folder; nothing was written")]
    Escapes(String),
    #[error(
        "`{path}` goes through the link {link}, which leads out of the folder or to nothing; nothing was written",
        link = link.display()
    )]
    Link { path: String, link: PathBuf },
    #[error("`{path}` cannot be read: {source}; nothing was written")]
    Unreadable { path: String, source: io::Error },
}

impl Failure for TargetError {
    fn status(&self) -> ExitStatus {
        ExitStatus::Unexpected
    }

    fn code(&self) -> &str {
        "unsafe_path"
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Escapes(_) => "do not trust this server: a correct one never publishes such a path".into(),
            Self::Link { .. } => "replace the link with a real folder, or pull into another folder with --dir".into(),
            Self::Unreadable { .. } => "check its permissions".into(),
        })
    }
}

/// The path of a published file below `root`.
///
/// Refuses absolute paths, `..`, backslashes, drive letters, control characters, anything in `.git`, and links that
/// lead out of `root`.
pub(crate) fn target(root: &Path, path: &str) -> Result<PathBuf, TargetError> {
    let escapes = || TargetError::Escapes(path.to_owned());
    let suspicious = path.is_empty()
        || path.chars().any(|c| c.is_control() || c == '\\')
        || path.split('/').any(|part| part.is_empty() || part == "." || part == ".." || part.ends_with(':'))
        || path.split('/').any(|part| part.eq_ignore_ascii_case(".git"))
        || path.get(1..2) == Some(":");
    let all_normal = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    if suspicious || !all_normal {
        return Err(escapes());
    }
    let unreadable = |source| TargetError::Unreadable { path: path.to_owned(), source };
    let real_root = match std::fs::canonicalize(root) {
        Ok(real) => real,
        // A missing folder contains no links.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(root.join(path)),
        Err(error) => return Err(unreadable(error)),
    };
    let mut place = real_root.clone();
    for part in Path::new(path).components() {
        place.push(part);
        match std::fs::symlink_metadata(&place) {
            Ok(metadata) if metadata.is_symlink() => {
                let link = place.clone();
                match std::fs::canonicalize(&place) {
                    Ok(real) if real.starts_with(&real_root) => place = real,
                    _ => return Err(TargetError::Link { path: path.to_owned(), link }),
                }
            }
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {}
            Err(error) => return Err(unreadable(error)),
        }
    }
    Ok(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_relative_paths_are_written() {
        let root = tempfile::tempdir().unwrap();
        for path in [
            "",
            "/etc/passwd",
            "../x",
            "a/../../x",
            "a/..",
            "./x",
            "a//b",
            "a/",
            "C:/x",
            "C:x",
            "..\\x",
            "a\0b",
            "a\nb",
            ".git/config",
            ".GIT/hooks/pre-commit",
        ] {
            assert!(matches!(target(root.path(), path), Err(TargetError::Escapes(_))), "{path:?}");
        }
        assert!(target(root.path(), "locales/de/common.json").unwrap().ends_with("locales/de/common.json"));
        assert!(target(root.path(), "locales/..de.json").is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn links_that_lead_out_are_refused_and_those_inside_are_followed() {
        use std::os::unix::fs::symlink;
        let outside = tempfile::tempdir().unwrap();
        let root = tempfile::tempdir().unwrap();
        symlink(outside.path(), root.path().join("locales")).unwrap();
        assert!(matches!(target(root.path(), "locales/de.json"), Err(TargetError::Link { .. })));
        symlink(outside.path().join("missing"), root.path().join("de.json")).unwrap();
        assert!(matches!(target(root.path(), "de.json"), Err(TargetError::Link { .. })));
        std::fs::create_dir(root.path().join("real")).unwrap();
        symlink("real", root.path().join("alias")).unwrap();
        assert!(target(root.path(), "alias/de.json").unwrap().ends_with("real/de.json"));
    }
}
