//! Files of the working folder, and of no other.

use std::io::Read as _;
use std::path::Path;

use crate::call::Call;
use crate::failure::{Failure, FailureFacts};

/// A file's name below the folder, with `/`, and its bytes.
pub(super) struct NamedFile {
    pub(super) path: String,
    pub(super) bytes: Vec<u8>,
}

/// Reads a file below the working folder. Links that lead out of it are refused.
pub(super) async fn read(call: &Call<'_>, path: &str, largest: usize) -> Result<NamedFile, Failure> {
    let Some(folder) = call.folder else {
        return Err(call.wrong("this server reads no files: send the text itself as an argument"));
    };
    let (folder, wanted) = (folder.to_owned(), path.to_owned());
    let read = tokio::task::spawn_blocking(move || read_below(&folder, &wanted, largest));
    let problem = match read.await {
        Ok(Ok(file)) => return Ok(file),
        Ok(Err(problem)) => problem,
        Err(_) => "the file cannot be read".to_owned(),
    };
    let told = FailureFacts::new(
        "file_unreadable",
        problem,
        "Check the path: it is relative to the folder of l10n.toml, or to the working folder.",
    );
    Err(told.detail("file_path", path).into())
}

fn read_below(folder: &Path, path: &str, largest: usize) -> Result<NamedFile, String> {
    let real = |path: &Path| path.canonicalize().map_err(|error| format!("the file cannot be read: {error}"));
    let folder = real(folder)?;
    let file = real(&folder.join(path))?;
    let Ok(below) = file.strip_prefix(&folder) else {
        return Err("the file is outside of the working folder".to_owned());
    };
    let unreadable = |error: std::io::Error| format!("the file cannot be read: {error}");
    // Neither a folder nor a pipe, whose opening waits.
    if !file.metadata().map_err(unreadable)?.is_file() {
        return Err("this is not a file".to_owned());
    }
    let name: Vec<&str> =
        below.iter().map(|part| part.to_str().ok_or("the path is not Unicode")).collect::<Result<_, _>>()?;
    let mut bytes = Vec::new();
    let most = u64::try_from(largest).unwrap_or(u64::MAX).saturating_add(1);
    std::fs::File::open(&file).map_err(unreadable)?.take(most).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() > largest {
        return Err(format!("the file is larger than {largest} bytes"));
    }
    Ok(NamedFile { path: name.join("/"), bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_below_the_folder_is_read_and_no_other() {
        let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::create_dir(folder.path().join("l")).unwrap();
        std::fs::write(folder.path().join("l/en.json"), "{}").unwrap();
        std::fs::write(outside.path().join("secret"), "s").unwrap();
        let read = |path: &str| read_below(folder.path(), path, 10);
        let file = read("./l/en.json").unwrap();
        assert_eq!((file.path.as_str(), &file.bytes[..]), ("l/en.json", &b"{}"[..]));
        let absolute = outside.path().join("secret").display().to_string();
        for bad in ["", ".", "l", "none", "../", &absolute, "/dev/zero", "l/../../../etc/passwd"] {
            assert!(read(bad).is_err(), "{bad}");
        }
        assert!(read_below(folder.path(), "l/en.json", 1).err().unwrap().contains("larger than 1"));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_out_is_refused() {
        let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::write(outside.path().join("secret"), "s").unwrap();
        std::os::unix::fs::symlink(outside.path().join("secret"), folder.path().join("en.json")).unwrap();
        let problem = read_below(folder.path(), "en.json", 10).err().unwrap();
        assert!(problem.contains("outside"), "{problem}");
    }
}
