//! Converts a file's bytes into the body of a sync.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use l10n_api_types::translations::{Encoding, FileUpload, SYNC_FILE_CAP, SyncBody};

use crate::error::{InvalidArgument, Result};

const HELPER: &str = "file_upload";

/// Prepares a file for a sync: as text if it is UTF-8 and that is the shorter encoding, else in base64.
///
/// `path` is the file's relative path in the code, which identifies it from sync to sync. `\` is read as `/`. The
/// server detects the format; set `format` if name and content do not determine it.
///
/// ```
/// # fn main() -> Result<(), l10n_client::Error> {
/// use l10n_client::api::translations::Encoding;
///
/// let file = l10n_client::file_upload("locales/en.json", br#"{"hello": "Hello!"}"#)?;
/// assert_eq!(file.encoding, Encoding::Utf8);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// `InvalidArgument` for more than 2 MiB (§8), and for a path that is empty, absolute or has `..` in it.
pub fn file_upload(path: &str, bytes: &[u8]) -> Result<FileUpload> {
    let path = path.replace('\\', "/");
    let path = path.strip_prefix("./").unwrap_or(&path).to_owned();
    let absolute = path.starts_with('/') || path.as_bytes().get(1) == Some(&b':');
    if path.is_empty() || absolute || path.split('/').any(|part| matches!(part, "" | "." | "..")) {
        let problem = format!("`{path}` is not a relative path below the root of the code");
        return Err(InvalidArgument::new(HELPER, problem).into());
    }
    if bytes.len() > SYNC_FILE_CAP {
        let problem =
            format!("`{path}` is {} bytes long, the limit of a sync is {SYNC_FILE_CAP}: split the file", bytes.len());
        return Err(InvalidArgument::new(HELPER, problem).into());
    }
    let in_base64 = bytes.len().div_ceil(3) * 4;
    let (content, encoding) = match std::str::from_utf8(bytes) {
        Ok(text) if escaped_length(text) <= in_base64 => (text.to_owned(), Encoding::Utf8),
        _ => (STANDARD.encode(bytes), Encoding::Base64),
    };
    Ok(FileUpload { path, content, encoding, format: None })
}

/// Makes the body of a sync of one file, in the base language, into all languages, keeping removed keys.
///
/// ```
/// # fn main() -> Result<(), l10n_client::Error> {
/// use l10n_client::api::translations::{OnRemoved, SyncBody};
/// use l10n_client::{file_upload, sync_body};
///
/// let body = sync_body(file_upload("locales/en.json", b"{}")?);
/// let body = SyncBody { on_removed: Some(OnRemoved::Archive), ..body };
/// # let _ = body;
/// # Ok(())
/// # }
/// ```
#[must_use]
pub fn sync_body(file: FileUpload) -> SyncBody {
    SyncBody { file, language: None, languages: None, on_removed: None, retranslate: None, operation_id: None }
}

/// Bytes that the text takes inside a JSON string.
fn escaped_length(text: &str) -> usize {
    text.bytes()
        .map(|byte| match byte {
            b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 0x08 | 0x0c => 2,
            0x00..=0x1f => 6,
            _ => 1,
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_travels_in_the_shorter_encoding_and_comes_back_whole() {
        let samples: [(&[u8], Encoding); 5] = [
            (b"", Encoding::Utf8),
            ("{\n  \"a\": \"ä €\"\n}\n".as_bytes(), Encoding::Utf8),
            (b"\"\"\"\"\"\"\"\"\"", Encoding::Base64),
            (b"\xff\xfea\0", Encoding::Base64),
            (b"\0\0\0\0\0\0", Encoding::Base64),
        ];
        for (bytes, encoding) in samples {
            let file = file_upload("a.json", bytes).unwrap();
            assert_eq!(file.encoding, encoding, "{bytes:?}");
            let back = match encoding {
                Encoding::Utf8 => file.content.into_bytes(),
                _ => STANDARD.decode(file.content).unwrap(),
            };
            assert_eq!(back, bytes);
        }
    }

    /// §8: the largest file fits into the largest body, whatever its content.
    #[test]
    fn the_largest_file_fits_into_a_body_and_a_byte_more_is_refused() {
        for byte in [b'a', b'"', 0, 0xff] {
            let mut bytes = vec![byte; SYNC_FILE_CAP];
            let body = serde_json::to_vec(&sync_body(file_upload("a.json", &bytes).unwrap())).unwrap();
            assert!(body.len() <= l10n_api_types::translations::SYNC_BODY_CAP, "{byte}: {}", body.len());
            bytes.push(byte);
            assert!(file_upload("a.json", &bytes).is_err());
        }
    }

    #[test]
    fn a_path_lies_below_the_root_of_the_code() {
        assert_eq!(file_upload(r".\locales\en.json", b"").unwrap().path, "locales/en.json");
        for bad in ["", ".", "/etc/passwd", "../a", "a/../b", "a//b", "a/", r"C:\a.json", r"\\host\a"] {
            assert!(file_upload(bad, b"").is_err(), "{bad}");
        }
    }
}
