//! Every example runs to its end and says what it should.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::path::PathBuf;
use std::process::Command;

/// An example's program, which `cargo test` has built beside this test.
fn example(name: &str) -> PathBuf {
    let mut folder = std::env::current_exe().unwrap();
    while folder.pop() {
        let program = folder.join("examples").join(name);
        if program.is_file() {
            return program;
        }
    }
    panic!("cargo test did not build the example {name}");
}

/// FN-1, FN-3: register, price, translate, publish, deliver, on the file in `data`.
#[test]
fn the_quickstart_shows_the_whole_main_job_and_ends_by_itself() {
    let output = Command::new(example("quickstart")).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    for expected in
        ["holds 61 new keys", "in all", "Published `first` with 4 files", "locales/ar.json", "All hashes are right"]
    {
        assert!(said.contains(expected), "`{expected}` is not in:\n{said}");
    }
}
