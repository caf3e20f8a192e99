//! Any document and any other texts for it: no panic, a document with its own texts is itself byte for byte, and texts
//! that are written are read again. `formats/src/documents/tests` holds the same in every test run.
//!
//! The input is a byte that says the format, a document, and after a NUL the other text of all its segments. Inputs
//! grow up to the API's limit, 256 KiB, and are read on a stack of 512 KiB; libFuzzer's own limit would be 4 KiB:
//!
//! ```text
//! cargo +nightly fuzz run documents fuzz/corpus/documents fuzz/seeds/documents -- \
//!   -max_len=262145 -len_control=20 -timeout=20
//! ```

#![no_main]

use l10n_formats::documents::{DocumentFormat, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| l10n_fuzz::on_small_stack(|| document(input)));

fn document(input: &[u8]) {
    let Some((first, rest)) = input.split_first() else { return };
    let Ok(rest) = std::str::from_utf8(rest) else { return };
    let format = DocumentFormat::ALL[usize::from(*first) % DocumentFormat::ALL.len()];
    let (source, text) = rest.split_once('\0').unwrap_or((rest, "Text"));
    let Ok(document) = parse(format, source) else { return };
    let own = document.render(|segment| Some(&segment.text)).expect("a document's own texts can be written");
    assert_eq!(own, source);
    // A fuzzer finds no numbered tags for each segment: segments without tags get another text, and the rest stays.
    let other = |text: &str| text.chars().any(|character| character == '<');
    let said = document.render(|segment| (!other(&segment.text)).then_some(text));
    if let Ok(out) = said {
        let read = parse(format, &out).expect("what was written can be read");
        assert_eq!(read.segments().len(), document.segments().len());
    }
}
