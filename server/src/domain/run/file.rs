//! An uploaded file: decoded, its format found, read.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use l10n_api_types::LanguageCode;
use l10n_api_types::translations::{Encoding, FileUpload, SYNC_FILE_CAP};
use l10n_formats::files::{self, DetectError, Entry, FileKind, Format, ParseError};
use sha2::{Digest as _, Sha256};

use super::paths;
use crate::domain::ServiceError;

/// A file that was read.
pub(crate) struct ReadFile {
    /// Its path in the code.
    pub path: String,
    /// Its format.
    pub format: &'static dyn Format,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// SHA-256 of its bytes.
    pub sha256: [u8; 32],
    /// Its keys in order, with the texts of the source.
    pub entries: Vec<Entry>,
    /// Its translations and drafts, where the file is read in a language and holds the source as well.
    pub translations: Option<Vec<Entry>>,
    /// It holds the source and every translation.
    pub holds_all_languages: bool,
    /// Sentences about the file for the team.
    pub warnings: Vec<String>,
    /// The language that the file itself names.
    pub language: Option<String>,
}

/// Reads an upload, as translations into `language` too where files of its format hold both. It takes as long as the file is long and touches no datastore, so it runs before any transaction.
///
/// # Errors
///
/// 400 for path, base64, format and content; 413 for a file over 2 MiB, before it is decoded.
pub(crate) fn read(upload: FileUpload, language: Option<&LanguageCode>) -> Result<ReadFile, ServiceError> {
    paths::check(&upload.path)?;
    let bytes = decode(upload.content, upload.encoding, ("file.content", SYNC_FILE_CAP))?;
    let format = match upload.format {
        Some(id) => files::by_id(id),
        None => files::detect(&upload.path, &bytes).map_err(|error| unknown(&error))?,
    };
    let unparseable = |error: ParseError| ServiceError::FileUnparseable {
        message: format!("`{}` is not a readable {} file: {}", upload.path, format.id(), error.message),
        line: error.line as usize,
        column: error.column as usize,
    };
    let document = format.parse(&bytes).map_err(unparseable)?;
    let kind = format.kind_of(&document);
    let mut warnings = document.warnings;
    let translations = match language.filter(|_| kind != FileKind::Monolingual) {
        None => None,
        Some(language) => {
            let document = format.imports(&bytes, language.as_str()).map_err(unparseable)?;
            warnings.extend(document.warnings);
            Some(document.entries)
        }
    };
    let sha256 = Sha256::digest(&bytes).into();
    let holds_all_languages = kind == FileKind::Multilingual;
    // Such a file names the language of its source.
    let names_source = holds_all_languages && language.is_some();
    Ok(ReadFile {
        path: upload.path,
        format,
        bytes,
        sha256,
        entries: document.entries,
        translations,
        holds_all_languages,
        warnings,
        language: document.language.filter(|_| !names_source),
    })
}

fn unknown(error: &DetectError) -> ServiceError {
    let message = format!("`file.format`: {error}");
    match error {
        DetectError::Unknown { .. } => ServiceError::FormatUnsupported(message),
        DetectError::Ambiguous { .. } => ServiceError::FormatAmbiguous(message),
    }
}

/// The bytes of a file's content. `place` names it in messages, and says how many bytes it may have.
///
/// # Errors
///
/// 400 for base64, 413 before it is decoded.
pub(in crate::domain) fn decode(
    content: String,
    encoding: Encoding,
    (place, limit): (&str, usize),
) -> Result<Vec<u8>, ServiceError> {
    let too_large = || ServiceError::PayloadTooLarge { what: "the file", limit };
    match encoding {
        Encoding::Base64 => {
            let padding = content.bytes().rev().take(2).take_while(|byte| *byte == b'=').count();
            if (content.len() / 4 * 3).saturating_sub(padding) > limit {
                return Err(too_large());
            }
            STANDARD.decode(content).map_err(|error| {
                ServiceError::InvalidArgument(format!(
                    "`{place}` is not standard base64 with padding and without white space: {error}"
                ))
            })
        }
        _ if content.len() > limit => Err(too_large()),
        _ => Ok(content.into_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use l10n_api_types::FormatId;

    use super::*;

    fn upload(content: &str, encoding: Encoding) -> FileUpload {
        FileUpload { path: "en.json".into(), content: content.into(), encoding, format: None }
    }

    #[test]
    fn base64_is_strict() {
        let file = read(upload("eyJhIjoiQSJ9", Encoding::Base64), None).ok().unwrap();
        assert_eq!((file.entries.len(), file.format.id()), (1, FormatId::Json));
        for bad in ["eyJhIjoiQSJ9=", "eyJh\nIjoiQSJ9", " eyJhIjoiQSJ9", "eyJhIjoiQSJ", "eyJhIjoi_-J9", "e", "====", "é"]
        {
            let error = read(upload(bad, Encoding::Base64), None).err().unwrap();
            assert!(matches!(error, ServiceError::InvalidArgument(_)), "{bad:?}: {error}");
        }
    }

    /// LIM-BODY-3: 2 MiB once decoded pass, one byte more does not, whatever it says.
    #[test]
    fn the_cap_is_on_the_decoded_file() {
        let file = |length: usize| format!("{{\"a\":\"{}\"}}", "x".repeat(length - 8));
        for encode in
            [|text: &str| (text.to_owned(), Encoding::Utf8), |text: &str| (STANDARD.encode(text), Encoding::Base64)]
        {
            for over in 0..4 {
                let (content, encoding) = encode(&file(SYNC_FILE_CAP + over));
                let read = read(upload(&content, encoding), None);
                match over {
                    0 => assert!(read.is_ok()),
                    _ => assert!(matches!(read.err(), Some(ServiceError::PayloadTooLarge { .. })), "{over}"),
                }
            }
        }
    }

    /// A table has source and translation side by side, or one language, or all of them.
    #[test]
    fn a_table_is_read_by_what_its_columns_say() {
        let table = |content: &str, language: &str| {
            let upload = FileUpload { path: "texts.csv".into(), ..upload(content, Encoding::Utf8) };
            read(upload, Some(&language.into()))
        };
        let file = table("source,target\nSave,Sichern\nOpen,\n", "de").ok().unwrap();
        assert_eq!((file.entries.len(), file.translations.map(|entries| entries.len())), (2, Some(1)));
        assert!(table("key,text\na,A\n", "de").ok().unwrap().translations.is_none());
        let file = table("key,en,de\na,A,\nb,B,Be\n", "de").ok().unwrap();
        assert_eq!((file.entries.len(), file.translations.map(|entries| entries.len())), (2, Some(1)));
        assert!(file.holds_all_languages);
        assert_eq!(table("key,en,de\na,A,\n", "fr").ok().unwrap().translations.map(|entries| entries.len()), Some(0));
    }

    /// The language of the source is named by the file, and is not that of its translations.
    #[test]
    fn a_catalogue_with_all_languages_is_read_in_the_one_that_is_asked() {
        const CATALOGUE: &str = r#"{"sourceLanguage":"en","strings":{"Save":{"localizations":{"de":{"stringUnit":{"state":"translated","value":"Sichern"}}}},"Open":{}},"version":"1.0"}"#;
        let catalogue = |language: Option<LanguageCode>| {
            let upload = FileUpload { path: "App/Localizable.xcstrings".into(), ..upload(CATALOGUE, Encoding::Utf8) };
            read(upload, language.as_ref()).ok().unwrap()
        };
        let source = catalogue(None);
        assert_eq!((source.entries.len(), source.language.as_deref()), (2, Some("en")));
        assert!(source.translations.is_none());
        let german = catalogue(Some("de".into()));
        assert_eq!((german.translations.map(|entries| entries.len()), german.language), (Some(1), None));
    }

    #[test]
    fn a_broken_file_names_line_and_column_and_an_unknown_one_the_formats() {
        let error = read(upload("{\n  \"a\": }", Encoding::Utf8), None).err().unwrap();
        assert!(matches!(error, ServiceError::FileUnparseable { line: 2, .. }), "{error}");
        let odd = FileUpload { path: "strings.bin".into(), ..upload("{}", Encoding::Utf8) };
        let error = read(odd.clone(), None).err().unwrap();
        assert!(matches!(error, ServiceError::FormatUnsupported(_)), "{error}");
        let formats: Vec<_> = FormatId::ALL.iter().map(|id| id.as_str()).collect();
        assert!(error.to_string().contains(&formats.join(", ")), "{error}");
        assert!(read(FileUpload { format: Some(FormatId::Json), ..odd }, None).is_ok());
    }
}
