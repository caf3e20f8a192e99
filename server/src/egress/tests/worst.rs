//! The worst nesting and the worst length of every part of a URL.

use l10n_formats::small_stack::{filled, on_small_stack};

use crate::egress::Target;
use crate::egress::target::{LONGEST_URL, Permissions};

#[test]
fn the_worst_urls_take_no_more_stack_than_any_other() {
    on_small_stack(|| {
        for unit in [
            "a",
            "a.",
            ".",
            "xn--",
            "xn--a.",
            "xn--999999b.",
            "é",
            "é.",
            "\u{301}",
            "１",
            "%",
            "%41",
            "%25",
            "[",
            "[::",
            "1.",
            "0x",
            "@",
            ":",
            "/",
            "//",
            "../",
            "a/../",
            "?",
            "#",
            "&",
            "\\",
            "-",
            "\u{200d}",
            "ß",
            "İ",
            "9",
        ] {
            for size in [LONGEST_URL - 16, LONGEST_URL, 1024 * 1024] {
                let long = filled(size, unit);
                for url in [
                    format!("https://{long}"),
                    format!("https://{long}.example.com/"),
                    format!("https://a.example/{long}"),
                    format!("https://a.example/?{long}"),
                    format!("https://a.example:{long}"),
                    long.clone(),
                ] {
                    let _ = Target::parse(&url, Permissions::default()).map_err(|error| error.to_string());
                }
            }
        }
    });
}
