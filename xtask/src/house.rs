//! Compares the workspace with the plan in ARCHITECTURE.md: the five places of every endpoint, and the dependencies
//! between crates and between the server's layers.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};
use l10n_api_types::{Endpoint, for_each_endpoint};

/// The names of an endpoint.
struct Named {
    name: &'static str,
    type_name: &'static str,
    method: &'static str,
    path: &'static str,
}

fn named<E: Endpoint>(type_name: &'static str) -> Named {
    Named { name: E::NAME, type_name, method: E::METHOD.as_str(), path: E::PATH }
}

macro_rules! all_named {
    ($($resource:ident :: $verb:ident),+ $(,)?) => {
        vec![$(named::<l10n_api_types::$resource::$verb>(stringify!($verb))),+]
    };
}

fn endpoints() -> Vec<Named> {
    for_each_endpoint!(all_named)
}

/// Lists the places that an endpoint lacks, each as a sentence.
///
/// # Errors
///
/// Returns an error if the repository cannot be read.
pub fn missing_places(root: &Path) -> Result<Vec<String>> {
    let mut missing = Vec::new();
    for Named { name, type_name, method, path } in endpoints() {
        let (resource, verb) = name.split_once("::").context("an endpoint is named resource::verb")?;
        let mut expect = |place: String, needles: &[String]| -> Result<()> {
            let file = root.join(&place);
            let text = match fs::read_to_string(&file) {
                Ok(text) => text,
                Err(_) if file.is_dir() => sources(&file)?.into_iter().map(|(_, text)| text).collect(),
                Err(_) => {
                    missing.push(format!("{name}: there is no {place}"));
                    return Ok(());
                }
            };
            for needle in needles.iter().filter(|needle| !text.contains(*needle)) {
                missing.push(format!("{name}: {place} does not say `{needle}`"));
            }
            Ok(())
        };
        let doc = path.replace("{*path}", "{path}");
        expect(
            format!("api-types/src/{resource}/{verb}.rs"),
            &[format!("//! `{method} {doc}`"), format!("impl Endpoint for {type_name}")],
        )?;
        expect(format!("server/src/http/{resource}/{verb}.rs"), &[type_name.to_owned()])?;
        expect(format!("client/src/{resource}.rs"), &[type_name.to_owned()])?;
        expect("cli/src/commands".to_owned(), &[format!("`{name}`")])?;
        expect("testkit/src/endpoints.rs".to_owned(), &[format!("\"{name}\"")])?;
    }
    Ok(missing)
}

/// The allowed dependencies between the crates of this workspace, except in tests.
const ARROWS: &[(&str, &[&str])] = &[
    ("l10n-api-types", &[]),
    ("l10n-webhook-verify", &[]),
    ("l10n-formats", &["l10n-api-types"]),
    ("l10n-client", &["l10n-api-types"]),
    ("l10n-mcp", &["l10n-client"]),
    ("l10n-cli", &["l10n-client", "l10n-formats", "l10n-mcp", "l10n-webhook-verify"]),
    ("l10n-server", &["l10n-api-types", "l10n-client", "l10n-formats", "l10n-mcp", "l10n-webhook-verify"]),
    ("l10n-testkit", &["l10n-api-types"]),
    ("l10n-examples", &[]),
    ("xtask", &["l10n-api-types", "l10n-cli"]),
];

/// Lists dependencies between crates that the plan does not allow.
///
/// # Errors
///
/// Returns an error if `cargo metadata` fails.
pub fn wrong_arrows(root: &Path) -> Result<Vec<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version=1", "--offline"])
        .current_dir(root)
        .output()
        .context("cargo metadata")?;
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).context("cargo metadata")?;
    let list = |value: &serde_json::Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let mut wrong = Vec::new();
    for package in list(&metadata["packages"]) {
        let name = text(&package["name"]);
        let Some((_, allowed)) = ARROWS.iter().find(|(from, _)| *from == name) else {
            wrong.push(format!("{name} is not in the plan"));
            continue;
        };
        for dependency in list(&package["dependencies"]) {
            let to = text(&dependency["name"]);
            let of_this_house = ARROWS.iter().any(|(from, _)| *from == to);
            if of_this_house && dependency["kind"].is_null() && !allowed.contains(&to.as_str()) {
                wrong.push(format!("{name} depends on {to}"));
            }
        }
    }
    Ok(wrong)
}

/// The crate that has no database, no async runtime and no HTTP, whatever its features.
const PURE: &str = "l10n-formats";

/// Crates that a pure one must not bring, directly or indirectly.
const IMPURE: &[&str] =
    &["async-trait", "axum", "futures-util", "http", "hyper", "mio", "reqwest", "sqlx", "tokio", "tower"];

/// Lists dependencies by which the pure crate would bring a database, a runtime or HTTP.
///
/// # Errors
///
/// Returns an error if `cargo tree` fails.
pub fn impurities(root: &Path) -> Result<Vec<String>> {
    let output = Command::new(env!("CARGO"))
        .args([
            "tree",
            "--package",
            PURE,
            "--all-features",
            "--edges=normal",
            "--prefix=none",
            "--format={p}",
            "--offline",
        ])
        .current_dir(root)
        .output()
        .context("cargo tree")?;
    anyhow::ensure!(output.status.success(), "cargo tree: {}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).context("cargo tree")?;
    let names = tree.lines().filter_map(|line| line.split_whitespace().next());
    let mut found: Vec<_> = names.filter(|name| IMPURE.contains(name) || name.starts_with("sqlx-")).collect();
    found.sort_unstable();
    found.dedup();
    Ok(found.into_iter().map(|name| format!("{PURE} brings {name}")).collect())
}

/// Paths that the files of a layer of the server must not use, with the reason.
const LAYERS: &[(&str, &[&str], &str)] = &[
    ("store", &["crate::http", "crate::domain", "axum::"], "the store knows nothing above it"),
    ("domain", &["crate::http", "axum::", "sqlx::", "StatusCode"], "rules know neither HTTP nor SQL"),
    ("domain", &["crate::service"], "rules take the parts of the server that they use"),
    (
        "egress",
        &["crate::http", "crate::store", "crate::domain", "crate::service", "sqlx::", "axum::"],
        "the way out knows \
      addresses and requests alone",
    ),
    ("engines", &["crate::http", "crate::store", "sqlx::", "axum::"], "engines see texts alone"),
    ("delivery", &["crate::http", "crate::domain", "sqlx::", "axum::"], "rendering takes rows and gives bytes"),
    ("workers", &["crate::http", "axum::", "sqlx::"], "workers call the rules"),
    ("http", &["sqlx::"], "SQL stands in the store alone"),
    ("domain", LAB, "the rules know of no deviation"),
    ("egress", LAB, "nothing goes around the guard"),
    ("store", LAB, "statements know of no deviation"),
    ("workers", LAB, "workers know of no deviation"),
    ("http", LAB, "routes know of no deviation"),
];

/// Names of the conformance suite's lab.
const LAB: &[&str] = &["crate::lab", "feature = \"lab\""];

/// Lists lines of the server that violate its layers.
///
/// # Errors
///
/// Returns an error if the repository cannot be read.
pub fn crossed_layers(root: &Path) -> Result<Vec<String>> {
    let mut crossed = Vec::new();
    for (layer, forbidden, reason) in LAYERS {
        let folder = root.join("server/src").join(layer);
        for (path, text) in sources(&folder)? {
            for (index, line) in text.lines().enumerate() {
                let code = line.split("//").next().unwrap_or_default();
                for word in forbidden.iter().filter(|word| code.contains(**word)) {
                    let path = path.strip_prefix(root).unwrap_or(&path).display();
                    crossed.push(format!("{path}:{}: `{word}`: {reason}", index + 1));
                }
            }
        }
    }
    Ok(crossed)
}

/// Files whose writes need no turn: they change a row that no long transaction holds, and must not wait for a large run.
const WRITE_WITHOUT_A_TURN: &[&str] =
    &["server/src/http/dashboard/api_key_end.rs", "server/src/http/dashboard/operation.rs"];

/// Lists lines of handlers that begin a write by the store itself. Those who wait for a lock of the database each hold a
/// connection, so that handlers first wait for the turn of the project or the workspace.
///
/// # Errors
///
/// Returns an error if the repository cannot be read.
pub fn writes_without_a_turn(root: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for (path, text) in sources(&root.join("server/src/http"))? {
        let path = path.strip_prefix(root).unwrap_or(&path);
        if WRITE_WITHOUT_A_TURN.iter().any(|known| path == Path::new(known)) {
            continue;
        }
        for (index, line) in text.lines().enumerate() {
            let code = line.replace("cx.begin_write()", "").replace("visit.begin_write()", "");
            if code.contains(".begin_write()") {
                found.push(format!("{}:{}: a write that waits for no turn", path.display(), index + 1));
            }
        }
    }
    Ok(found)
}

/// Reads every Rust file below `folder`.
pub(crate) fn sources(folder: &Path) -> Result<Vec<(PathBuf, String)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(sources(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path)?;
            found.push((path, text));
        }
    }
    found.sort();
    Ok(found)
}
