//! Query strings into the types of the API, as strictly as bodies.

use std::borrow::Cow;

use percent_encoding::percent_decode;
use serde::de::DeserializeOwned;

use super::strict::{InputError, Strictness, Tree, read};

/// Parses a raw query string. Every value is text until a field says what it is.
///
/// # Errors
///
/// A name or value that is not UTF-8 once decoded, or holds U+0000.
pub(super) fn parse(raw: &str) -> Result<Tree<'_>, InputError> {
    let pairs = raw.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        Ok((decode(name)?, Tree::Text(decode(value)?)))
    });
    Ok(Tree::Object(pairs.collect::<Result<_, InputError>>()?))
}

/// Reads parsed parameters. One that is given twice is a fault, unless it is unknown and unknown ones are ignored.
pub(super) fn into<T: DeserializeOwned>(query: &Tree<'_>, strictness: Strictness) -> Result<T, InputError> {
    read(query, "the query", strictness)
}

fn decode(text: &str) -> Result<Cow<'_, str>, InputError> {
    let spaced = if text.contains('+') { Cow::Owned(text.replace('+', " ")) } else { Cow::Borrowed(text) };
    let bytes: Cow<'_, [u8]> = match &spaced {
        Cow::Borrowed(text) => percent_decode(text.as_bytes()).into(),
        Cow::Owned(text) => Cow::Owned(percent_decode(text.as_bytes()).collect()),
    };
    let decoded = match bytes {
        Cow::Borrowed(_) => Cow::Borrowed(text),
        Cow::Owned(bytes) => Cow::Owned(
            String::from_utf8(bytes).map_err(|_| InputError::new("the query is not UTF-8 once percent-decoded"))?,
        ),
    };
    if decoded.contains('\0') {
        return Err(InputError::new("the query holds the character U+0000, which no text may hold"));
    }
    Ok(decoded)
}

#[cfg(test)]
mod tests {
    use l10n_api_types::NoQuery;
    use l10n_api_types::projects::ResolveQuery;
    use l10n_api_types::translations::RunQuery;

    use super::*;

    fn run(raw: &str) -> Result<RunQuery, String> {
        parse(raw).and_then(|query| into(&query, Strictness::Refuse)).map_err(|fault| fault.to_string())
    }

    #[test]
    fn parameters_are_decoded_once() {
        let query: ResolveQuery =
            into(&parse("workspace=a%2Bb+c&project=%C3%A4%2525").unwrap(), Strictness::Ignore).unwrap();
        assert_eq!((query.workspace.as_str(), query.project.as_str()), ("a+b c", "ä%25"));
        for raw in ["workspace=%ff&project=a", "workspace=%00&project=a", "work%00=a"] {
            assert!(parse(raw).is_err(), "{raw}");
        }
    }

    /// DRY-1, DRY-4b, DRY-4c, DRY-4d: only `dryRun=true` and `dryRun=false`, once.
    #[test]
    fn the_flag_is_exact() {
        assert_eq!(run("dryRun=true").unwrap().dry_run, Some(true));
        assert_eq!(run("dry%52un=false").unwrap().dry_run, Some(false));
        assert_eq!(run("").unwrap().dry_run, None);
        for raw in [
            "dry_run=true",
            "dryrun=true",
            "DryRun=true",
            "DRYRUN=true",
            "dry-run=true",
            "dryRun",
            "dryRun=",
            "dryRun=1",
            "dryRun=0",
            "dryRun=yes",
            "dryRun=TRUE",
            "dryRun=True",
            "dryRun=true&dryRun=true",
            "dryRun=true&dryRun=false",
            "dryRun[]=true",
            "dryRun=true%20",
            "%20dryRun=true",
        ] {
            assert!(run(raw).is_err(), "{raw}");
        }
        assert_eq!(
            run("dry_run=true").unwrap_err(),
            "`dry_run` is not a field of this request: did you mean `dryRun`?"
        );
    }

    #[test]
    fn a_known_parameter_is_given_once_and_unknown_ones_may_be_ignored() {
        let twice = parse("workspace=a&workspace=b&project=c").unwrap();
        let fault = into::<ResolveQuery>(&twice, Strictness::Ignore).unwrap_err().to_string();
        assert_eq!(fault, "the query is refused: duplicate field `workspace`");
        assert!(into::<NoQuery>(&parse("x=1&x=2").unwrap(), Strictness::Ignore).is_ok());
    }
}
