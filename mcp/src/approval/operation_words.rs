//! Operations in words, without texts of others.

use l10n_client::api::operations::{Operation, OperationKind, OperationTarget};

/// The work that an operation allows: "Translate 120 texts into de, fr for at most 4 credits".
pub(super) fn work(operation: &Operation, texts: Option<u64>) -> String {
    let languages = operation
        .languages
        .as_deref()
        .filter(|languages| !languages.is_empty())
        .map(|languages| languages.iter().map(|code| code.as_str()).collect::<Vec<_>>().join(", "));
    match operation.kind {
        OperationKind::Translation => {
            let texts = match texts {
                Some(1) => " 1 text".to_owned(),
                Some(texts) => format!(" {texts} texts"),
                None => String::new(),
            };
            let into = languages.unwrap_or_else(|| "all languages".to_owned());
            let most = operation.max_credits.map_or(0, |credits| credits.0);
            if most == 0 {
                return format!("Register texts, and translate into {into} only what costs nothing");
            }
            let credits = if most == 1 { "credit" } else { "credits" };
            format!("Translate{texts} into {into} for at most {most} {credits}")
        }
        OperationKind::Publish => {
            let what = match operation.target {
                OperationTarget::Strings => "the texts",
                OperationTarget::Content => "documents",
                later => later.as_str(),
            };
            // A document keeps what is live in other languages.
            let others = match operation.target {
                OperationTarget::Strings => ", and take other languages out of what is live",
                _ => "",
            };
            let into = languages.map(|languages| format!(" in {languages}{others}")).unwrap_or_default();
            format!("Publish {what}{into}")
        }
        OperationKind::Rollback => {
            let version = operation.version_id.as_ref().map(ToString::to_string).unwrap_or_default();
            format!("Make version {version} live again")
        }
        later => format!("Do work of a kind that this version does not know: {later}"),
    }
}
