//! Whatever file of translation memory is read: no panic, and what is written of it is read again.
//! `formats/src/files/tmx/tests.rs` holds the same in every test run. The API takes 1 MiB:
//!
//! ```text
//! cargo +nightly fuzz run tmx fuzz/corpus/tmx fuzz/seeds/tmx -- -max_len=1048577 -len_control=20 -timeout=20
//! ```

#![no_main]

use l10n_formats::files::tmx::{END, TmxVariant, begin, read, unit};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| l10n_fuzz::on_small_stack(|| file(input)));

fn file(input: &[u8]) {
    let Ok(units) = read(input) else { return };
    for found in units {
        let variants: Vec<TmxVariant> = found.variants.into_iter().filter_map(|one| one.variant.ok()).collect();
        let Some(written) = unit(&variants) else { continue };
        let again =
            read([begin("en"), written, END.to_owned()].concat().as_bytes()).expect("what was written can be read");
        let again: Vec<TmxVariant> =
            again.into_iter().flat_map(|one| one.variants).filter_map(|one| one.variant.ok()).collect();
        assert_eq!(again, variants);
    }
}
