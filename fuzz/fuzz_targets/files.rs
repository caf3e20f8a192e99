//! Whatever localization file is read: no panic, a file with its own contents is itself byte for byte, and a file that was
//! written with others is read again. `formats/src/files/tests` holds the same in every test run.
//!
//! The input is a byte that says the format, and a file. The API takes 2 MiB:
//!
//! ```text
//! cargo +nightly fuzz run files fuzz/corpus/files fuzz/seeds/files -- \
//!   -max_len=2097153 -len_control=20 -timeout=20
//! ```

#![no_main]

use std::collections::HashMap;

use l10n_api_types::{Content, FormatId};
use l10n_formats::files::by_id;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| l10n_fuzz::on_small_stack(|| file(input)));

fn file(input: &[u8]) {
    let Some((first, bytes)) = input.split_first() else { return };
    let format = by_id(FormatId::ALL[usize::from(*first) % FormatId::ALL.len()]);
    let _ = format.fit(bytes);
    let Ok(document) = format.parse(bytes) else { return };
    let own: HashMap<_, _> = document.entries.iter().map(|entry| (entry.key.clone(), entry.content.clone())).collect();
    let language = document.language.as_deref().unwrap_or("en");
    assert_eq!(format.render(&document, language, &|key| own.get(key).cloned()), bytes);
    let other = |key: &str| (key.len() % 2 == 0).then(|| Content::Text("Text".to_owned()));
    format.parse(&format.render(&document, "ru", &other)).expect("what was written can be read");
}
