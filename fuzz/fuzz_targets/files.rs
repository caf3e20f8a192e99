//! Whatever localization file is read: no panic, a file with its own contents is itself byte for byte, and a file that was
//! written with others is read again. `formats/src/files/tests` holds the same in every test run.
//!
//! The input is a line with the name of a format, as the seeds have it, or a byte that chooses one; and a file. Where
//! `L10N_FORMAT` names a format, all inputs are of that, and a file is an input as it is. The API takes 2 MiB:
//!
//! ```text
//! cargo +nightly fuzz run files fuzz/corpus/files fuzz/seeds/files -- \
//!   -max_len=2097153 -len_control=20 -timeout=20
//! ```

#![no_main]

use std::collections::HashMap;
use std::sync::LazyLock;

use l10n_api_types::{Content, FormatId};
use l10n_formats::files::by_id;
use libfuzzer_sys::fuzz_target;

/// The format of all inputs.
static ONE: LazyLock<Option<FormatId>> =
    LazyLock::new(|| std::env::var("L10N_FORMAT").ok().map(|id| id.parse().expect("the id of a format")));

fuzz_target!(|input: &[u8]| l10n_fuzz::on_small_stack(|| file(input)));

fn file(input: &[u8]) {
    let Some((id, bytes)) = ONE.map(|id| (id, input)).or_else(|| named(input)).or_else(|| chosen(input)) else {
        return;
    };
    let format = by_id(id);
    let _ = format.fit(bytes);
    let Ok(document) = format.parse(bytes) else { return };
    let own: HashMap<_, _> = document.entries.iter().map(|entry| (entry.key.clone(), entry.content.clone())).collect();
    let language = document.language.as_deref().unwrap_or("en");
    assert_eq!(format.render(&document, language, &|key| own.get(key).cloned()), bytes);
    let other = |key: &str| (key.len() % 2 == 0).then(|| Content::Text("Text".to_owned()));
    format.parse(&format.render(&document, "ru", &other)).expect("what was written can be read");
}

/// The format that the first line names, and the rest.
fn named(input: &[u8]) -> Option<(FormatId, &[u8])> {
    FormatId::ALL.iter().find_map(|id| Some((*id, input.strip_prefix(id.as_str().as_bytes())?.strip_prefix(b"\n")?)))
}

/// The format that the first byte chooses, and the rest.
fn chosen(input: &[u8]) -> Option<(FormatId, &[u8])> {
    let (first, bytes) = input.split_first()?;
    Some((FormatId::ALL[usize::from(*first) % FormatId::ALL.len()], bytes))
}
