//! Keeps two entries from claiming one file.

use l10n_formats::files;
use l10n_formats::template::{Pattern, Rendered, Spelling};

use super::found::{FileGroup, LeftOut};

/// Any language with a region, which is what patterns are compared in.
const SOME_LANGUAGE: &str = "pt-BR";

/// An entry that is taken, and the files that it claims.
struct FileClaim {
    /// The pattern of its sources, for messages.
    source: String,
    /// The one source whose path names no language.
    alone: Option<String>,
    pattern: Pattern,
    files: Rendered,
}

/// The groups without those that would take a file of one before them.
pub(super) fn without_conflicts(groups: Vec<FileGroup>, left_out: &mut Vec<LeftOut>) -> Vec<FileGroup> {
    let mut claims: Vec<FileClaim> = Vec::new();
    let mut kept = Vec::new();
    for group in groups {
        let claim = match FileClaim::of(&group) {
            Ok(claim) => claim,
            Err(why) => {
                left_out.push(LeftOut { path: group.source, why });
                continue;
            }
        };
        match claims.iter().find(|other| claim.meets(other)) {
            Some(other) => {
                let why = format!("a file of it would belong to `{}` as well", other.source);
                left_out.push(LeftOut { path: group.source, why });
            }
            None => {
                claims.push(claim);
                kept.push(group);
            }
        }
    }
    kept
}

impl FileClaim {
    fn of(group: &FileGroup) -> Result<Self, String> {
        let target = group.output.as_ref().unwrap_or(&group.source);
        let unusable = |error: &dyn std::fmt::Display| format!("its path cannot be a pattern: {error}");
        let is_literal = |path: &str| !path.contains(['*', '?', '{', '}', '\\']);
        let place = target.replace("{namespace}", "");
        let places = Spelling::ALL.iter().fold(place, |path, spelling| path.replace(spelling.placeholder(), ""));
        if !is_literal(&places) || (group.output.is_some() && !is_literal(&group.source)) {
            return Err(
                "its path has a character that means something in patterns: `*`, `?`, `{`, `}` or `\\`".to_owned()
            );
        }
        let template = files::by_id(group.format).template(target).map_err(|error| format!("its path {error}"))?;
        let pattern = Pattern::parse(target).map_err(|error| unusable(&error))?;
        Ok(Self {
            source: group.source.clone(),
            alone: group.output.is_some().then(|| group.source.clone()),
            pattern,
            files: template.fill(&SOME_LANGUAGE.into()),
        })
    }

    /// Returns true if some file could belong to both.
    fn meets(&self, other: &Self) -> bool {
        let takes = |one: &Self, path: &Option<String>| {
            path.as_ref().is_some_and(|path| {
                path.starts_with(one.pattern.fixed_folder()) && one.pattern.captures(path).is_some()
            })
        };
        self.files.may_meet(&other.files) || takes(self, &other.alone) || takes(other, &self.alone)
    }
}
