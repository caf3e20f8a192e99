//! Finds circles among the modules of a crate: `a` uses `b`, and `b` uses `a`, directly or through others.
//!
//! An edge leads from the file that names an item to the file that defines it; re-exports and renamed imports are followed.
//! Modules that exist for tests alone are left out, and so are inherent methods, which are not named by a path.

mod graph;
mod source;

use std::path::Path;

use anyhow::{Result, ensure};

use self::graph::Graph;
pub use self::graph::GraphScope;
use self::source::Crate;

/// The crates that have no circle, with the parts that are compared.
pub const FREE_OF_CIRCLES: &[(&str, GraphScope)] = &[
    ("cli", GraphScope::Files),
    ("client", GraphScope::Files),
    ("formats", GraphScope::TopModules),
    ("mcp", GraphScope::Files),
    ("server", GraphScope::TopModules),
    ("testkit", GraphScope::Files),
    ("xtask", GraphScope::Files),
];

/// Returns the edges of the shortest circle of the crate in `folder`, each with file and line; none if it has no circle.
///
/// # Errors
///
/// Returns an error if the crate cannot be read.
pub fn shortest_circle(root: &Path, folder: &str, parts: GraphScope) -> Result<Vec<String>> {
    Ok(graph(root, folder, parts)?.shortest_circle())
}

/// Returns the parts that hang together by circles, one list for each knot, the largest first.
///
/// # Errors
///
/// Returns an error if the crate cannot be read.
pub fn knots(root: &Path, folder: &str, parts: GraphScope) -> Result<Vec<Vec<String>>> {
    Ok(graph(root, folder, parts)?.knots())
}

fn graph(root: &Path, folder: &str, parts: GraphScope) -> Result<Graph> {
    let source = format!("{folder}/src");
    let read = Crate::read(&source, &|file| std::fs::read_to_string(root.join(file)).ok())?;
    let graph = Graph::of(&read, parts);
    ensure!(graph.has_edges(), "{source}: no module uses another");
    Ok(graph)
}
