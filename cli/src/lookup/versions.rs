//! Published versions.

use l10n_client::api::VersionId;
use l10n_client::api::versions::{ListQuery, Version};

use crate::error::{CliError, Doing as _, usage};
use crate::session::Session;
use crate::words::time;

/// Largest page of one request.
const PAGE: u32 = 500;

/// The newest versions, at most `limit`.
pub(crate) async fn newest(session: &Session, limit: u32) -> Result<Vec<Version>, CliError> {
    let mut versions: Vec<Version> = Vec::new();
    let mut cursor = None;
    loop {
        let left = limit.saturating_sub(u32::try_from(versions.len()).unwrap_or(u32::MAX));
        if left == 0 {
            return Ok(versions);
        }
        let query = ListQuery { limit: Some(left.min(PAGE)), cursor };
        let page = session.project.versions().list(&query).await.doing("reading the versions")?;
        versions.extend(page.versions);
        match page.next_cursor {
            Some(next) => cursor = Some(next),
            None => return Ok(versions),
        }
    }
}

/// Finds the version that a person names: by its id (including a document's), by its number as `#7`, or by its label if
/// only one version has it.
pub(crate) async fn find(session: &Session, name: &str) -> Result<VersionId, CliError> {
    if name.starts_with("ver_") || name.starts_with("cvr_") {
        return Ok(VersionId::new(name));
    }
    let versions = newest(session, u32::MAX).await?;
    let labeled: Vec<&Version> = versions.iter().filter(|version| version.label == name).collect();
    let number: Option<u64> = name.strip_prefix('#').and_then(|number| number.parse().ok());
    let numbered = versions.iter().find(|version| Some(version.number) == number);
    match (labeled.as_slice(), numbered) {
        // A number identifies one version, whatever the labels of others.
        (_, Some(version)) => Ok(version.version_id.clone()),
        ([version], None) => Ok(version.version_id.clone()),
        ([], None) => {
            Err(usage(format!("no version has the id, number or label `{name}`"), "`l10n versions` lists the versions"))
        }
        (several, None) => Err(usage(
            format!("{} versions have the label `{name}`", several.len()),
            format!(
                "name one by its number, such as `#{}`:{}",
                several.first().map_or(0, |newest| newest.number),
                described(several)
            ),
        )),
    }
}

/// A line for each version, newest first.
fn described(versions: &[&Version]) -> String {
    const MOST: usize = 20;
    let mut lines: Vec<String> = versions
        .iter()
        .take(MOST)
        .map(|version| {
            let live = if version.live { ", live" } else { "" };
            format!(
                "\n  #{}  published {}, {} keys{live}",
                version.number,
                time(version.published_at),
                version.key_count
            )
        })
        .collect();
    if versions.len() > MOST {
        lines.push(format!("\n  and {} more", versions.len() - MOST));
    }
    lines.concat()
}
