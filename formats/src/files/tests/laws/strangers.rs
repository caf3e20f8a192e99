//! A version that was made without the file that it is merged into.

use std::collections::BTreeSet;

use l10n_api_types::PluralCategory;

use super::*;

#[test]
fn a_merge_of_any_two_files_can_be_read_loses_nothing_and_is_done_once() {
    for format in all().filter(|format| format.kind() == FileKind::Monolingual) {
        let mut runner = runner(96);
        let law = |(own, version): (Vec<u8>, Vec<u8>)| {
            let (Ok(document), Ok(_)) = (format.parse(&own), format.parse(&version)) else { return Ok(()) };
            if !matches!(document.layout, Layout::Spliced(_) | Layout::Fluent(_)) {
                return Ok(());
            }
            if format.id() == FormatId::Toml && has_forms_without_other(&version) {
                return Ok(());
            }
            let Ok(merged) = format.merge(&own, &version) else { return Ok(()) };
            let said = || format!("{} + {} = {}", shown(&own), shown(&version), shown(&merged.bytes));
            let read = format.parse(&merged.bytes);
            let read = read.map_err(|error| TestCaseError::fail(format!("{error}: {}", said())))?;
            let keys = |document: &LocalizationFile| -> BTreeSet<String> {
                document.entries.iter().map(|entry| entry.key.clone()).collect()
            };
            prop_assert!(keys(&read).is_superset(&keys(&document)), "{}", said());
            let again = format.merge(&merged.bytes, &version).map_err(TestCaseError::fail)?;
            prop_assert_eq!(shown(&again.bytes), shown(&merged.bytes), "{}", said());
            Ok(())
        };
        runner
            .run(&(files_of(format.id()), files_of(format.id())), law)
            .unwrap_or_else(|error| panic!("{}: {error}", format.id()));
    }
}

/// Returns true if a text of a TOML file has the name of a plural category. In a table of its own it is read as a plural that
/// lacks `other`, which stays as it is: such a table comes into another file once more at the next merge.
fn has_forms_without_other(toml: &[u8]) -> bool {
    let document = by_id(FormatId::Toml).parse(toml);
    document.is_ok_and(|document| {
        document.entries.iter().any(|entry| {
            let last = entry.key.rsplit('.').next().unwrap_or_default();
            PluralCategory::ALL.iter().any(|category| category.as_str() == last)
        })
    })
}
