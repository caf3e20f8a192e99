//! The packages that are published: what a registry and its readers need of each.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};
use serde_json::Value;

/// The crates that are published. The binaries follow when their files outside of their folders have come into them.
const PUBLISHED: &[&str] =
    &["l10n-api-types", "l10n-client", "l10n-formats", "l10n-mcp", "l10n-testkit", "l10n-webhook-verify"];

/// The registry takes no more keywords and categories.
const MOST: usize = 5;

/// Lists what packages lack, each as a sentence. `cargo publish --workspace --dry-run` shows that they build alone.
///
/// # Errors
///
/// Returns an error if `cargo metadata` fails or a file cannot be read.
pub fn incomplete_packages(root: &Path) -> Result<Vec<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version=1", "--offline"])
        .current_dir(root)
        .output()
        .context("cargo metadata")?;
    let metadata: Value = serde_json::from_slice(&output.stdout).context("cargo metadata")?;
    let licence = fs::read_to_string(root.join("LICENSE")).context("LICENSE")?;
    let mut missing = Vec::new();
    for package in list(&metadata["packages"]) {
        let name = text(&package["name"]);
        // `publish = false` is an empty list of registries.
        let is_published = !package["publish"].is_array();
        if is_published != PUBLISHED.contains(&name) {
            missing.push(format!("{name} is published, or is not, against the plan"));
        }
        if !is_published {
            continue;
        }
        let folder = Path::new(text(&package["manifest_path"])).parent().context("a manifest has a folder")?;
        let words = |of: &str| (1..=MOST).contains(&list(&package[of]).len());
        let has = [
            ("a description", !text(&package["description"]).is_empty()),
            ("one to five keywords", words("keywords")),
            ("one to five categories", words("categories")),
            (
                "a README.md that it names",
                text(&package["readme"]) == "README.md" && folder.join("README.md").is_file(),
            ),
            ("the text of its licence", fs::read_to_string(folder.join("LICENSE")).is_ok_and(|text| text == licence)),
            ("documentation with all features", package["metadata"]["docs"]["rs"]["all-features"] == true),
        ];
        missing.extend(has.iter().filter(|(_, has)| !has).map(|(what, _)| format!("{name} lacks {what}")));
        for dependency in list(&package["dependencies"]) {
            let to = text(&dependency["name"]);
            // A dependency of tests by its path alone is no part of the package.
            let is_taken_along = !(dependency["kind"] == "dev" && dependency["req"] == "*");
            if dependency["path"].is_string() && is_taken_along && !PUBLISHED.contains(&to) {
                missing.push(format!("{name} needs {to}, which is not published"));
            }
        }
    }
    Ok(missing)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
