//! Languages that are merged one after the other into a file that holds all of them.

use std::collections::HashSet;

use super::Merged;

/// Merges languages into a file; `merge` brings one of them into what was read. `read` reads a file, and `units` gives its keys
/// in their order.
///
/// # Errors
/// Returns the first error of `read` or `merge`.
pub(super) fn in_turn<F>(
    (own, mut file): (&[u8], F),
    languages: &[&str],
    (read, units): (impl Fn(&[u8]) -> Result<F, String>, impl Fn(&F) -> Vec<String>),
    merge: impl Fn(&F, &str) -> Result<Merged, String>,
) -> Result<Merged, String> {
    let mut bytes = own.to_vec();
    let (mut kept, mut lost): (HashSet<String>, Vec<String>) = Default::default();
    for language in languages {
        let found = merge(&file, language)?;
        kept.extend(found.kept);
        lost.extend(found.lost);
        if found.bytes != bytes {
            file = read(&found.bytes)?;
            bytes = found.bytes;
        }
    }
    let kept = units(&file).into_iter().filter(|key| kept.contains(key)).collect();
    Ok(Merged { bytes, kept, lost })
}
