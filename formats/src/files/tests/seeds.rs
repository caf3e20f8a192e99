//! The seeds of fuzzing.

use std::path::Path;

use super::format;

/// A seed that another format gets would test next to nothing.
#[test]
fn each_seed_of_fuzzing_names_the_format_that_reads_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds/files");
    let Ok(seeds) = std::fs::read_dir(&folder) else {
        eprintln!("SKIPPED: fuzz/seeds is not there");
        return;
    };
    for seed in seeds {
        let path = seed.unwrap().path();
        let id = path.file_name().unwrap().to_str().unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let file = bytes.strip_prefix(format!("{id}\n").as_bytes());
        let file = file.unwrap_or_else(|| panic!("{id} begins with its name"));
        let document = format(id).parse(file).unwrap_or_else(|error| panic!("{id}: {error}"));
        assert!(!document.entries.is_empty(), "{id} has texts");
    }
}
