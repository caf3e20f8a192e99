//! Whatever a text and its translation are: no panic, and each finding lies within the translation. `formats/src/text` holds
//! the same in every test run.
//!
//! The input is a text and, after a NUL, its translation. The API takes nearly 2 MiB:
//!
//! ```text
//! cargo +nightly fuzz run texts fuzz/corpus/texts fuzz/seeds/texts -- \
//!   -max_len=2097152 -len_control=20 -timeout=20
//! ```

#![no_main]

use l10n_api_types::Content;
use l10n_formats::text::{Syntax, checks, message, placeholders};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| l10n_fuzz::on_small_stack(|| text(input)));

fn text(input: &[u8]) {
    let Ok(input) = std::str::from_utf8(input) else { return };
    let (source, target) = input.split_once('\0').unwrap_or((input, "Text"));
    let _ = (message::is_message(source, Syntax::Mixed), message::parse(source));
    for syntax in Syntax::all() {
        for span in placeholders::scan(source, syntax) {
            assert!(source.get(span.range).is_some());
        }
    }
    let content = |text: &str| Content::Text(text.to_owned());
    let length = target.chars().count() as u64;
    for issue in checks::check(&content(source), &content(target), "en", "ru", Some(100)) {
        assert!(issue.end.is_none_or(|end| u64::from(end) <= length));
    }
}
