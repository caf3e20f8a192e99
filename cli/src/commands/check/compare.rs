//! Finds the changes that a sync would make with only the scope `read`, since forks of a repository have no other key.
//! A dry run of a sync needs the scope `translate`.
//!
//! Files are parsed here as the server parses them, and compared with its keys. Unlike in a dry run, a key that comes
//! back from the archive counts as without translations, and so does pending work of an unfinished job.

use std::collections::{HashMap, HashSet};

use l10n_client::api::meta::Meta;
use l10n_client::api::pending_code_changes::{ChangeKind, CodeChange, ListQuery, Side};
use l10n_client::api::translations::{Class, GetQuery, KeyDetail};
use l10n_client::api::{Content, LanguageCode, Origin, State, Translation};
use l10n_client::file_upload;
use l10n_formats::files::{self, Format};
use l10n_formats::template::Template;
use l10n_formats::{SourceHash, locales};

use super::effect::SyncEffect;
use crate::error::{BrokenFile, CliError, Doing as _, usage};
use crate::session::Session;
use crate::source_files::SourceFile;

/// The project's side of the comparison.
pub(super) struct Project {
    base_language: LanguageCode,
    templates: Vec<Template>,
    targets: Vec<LanguageCode>,
    keys: HashMap<String, KeyDetail>,
    changes: Vec<CodeChange>,
}

impl Project {
    /// Reads all data for the comparison. `languages` limits the target languages.
    pub(super) async fn read(session: &Session, languages: &[String]) -> Result<Self, CliError> {
        let meta = session.meta().await?;
        let targets = targets(&meta, languages)?;
        let keys = session.project.translations().list_all(GetQuery::default()).await.doing("reading the keys")?;
        let query = ListQuery { limit: Some(500), cursor: None };
        let changes = session.project.pending_code_changes().pages(query).all().await;
        Ok(Self {
            templates: meta
                .output_formats
                .iter()
                .filter_map(|format| files::by_id(format.format.known()?).template(&format.path).ok())
                .collect(),
            base_language: meta.base_language,
            targets,
            keys: keys.into_iter().map(|key| (key.r#ref.clone(), key)).collect(),
            changes: changes.doing("reading what people changed")?,
        })
    }

    /// Compares a file with the project.
    pub(super) fn compare(&self, file: &SourceFile) -> Result<SyncEffect, CliError> {
        let mut items = self.items(file)?;
        self.follow_people(&mut items);
        let mut found = SyncEffect::default();
        let names: HashSet<&str> = items.iter().map(|item| item.name.as_str()).collect();
        let mut gone: Vec<&KeyDetail> =
            self.keys.values().filter(|key| is_of(key, file) && !names.contains(key.r#ref.as_str())).collect();
        gone.sort_unstable_by(|a, b| a.r#ref.cmp(&b.r#ref));
        let mut renamed: HashMap<SourceHash, Vec<&KeyDetail>> = HashMap::new();
        for key in gone.iter().rev() {
            renamed.entry(hash_of(key)).or_default().push(key);
        }
        for item in items.iter().filter(|item| !item.stays) {
            let hash = SourceHash::of(&item.content);
            let held = self.keys.get(&item.name);
            let class = match held {
                Some(key) if hash_of(key) == hash => Class::Unchanged,
                Some(_) => Class::Changed,
                None => Class::New,
            };
            if class != Class::Unchanged {
                found.keys.push((item.name.clone(), class));
            }
            // A renamed key keeps its translations.
            let held = held.or_else(|| renamed.get_mut(&hash).and_then(Vec::pop));
            for language in &self.targets {
                let stand = held.and_then(|key| key.translations.iter().find(|found| found.language == *language));
                match KeyStatus::of(stand, class == Class::Changed) {
                    KeyStatus::Lacking => *found.untranslated.entry(language.clone()).or_default() += 1,
                    KeyStatus::Kept => found.kept += 1,
                    KeyStatus::Current => {}
                }
            }
        }
        found.counts = (found.keys.len() as u64, gone.len() as u64);
        found.keys.extend(gone.into_iter().map(|key| (key.r#ref.clone(), Class::Removed)));
        Ok(found)
    }

    /// The keys of a file, by their refs in the project.
    fn items(&self, file: &SourceFile) -> Result<Vec<Item>, CliError> {
        let bytes = file.read()?;
        // A sync would be refused for the same size or path.
        let path = file_upload(&file.path, &bytes).doing(format!("reading {}", file.path))?.path;
        let format = format_of(file, &bytes)?;
        let document = format.parse(&bytes).map_err(|error| BrokenFile {
            path: file.path.clone(),
            line: error.line.into(),
            column: error.column.into(),
            message: format!(
                "`{path}` is not a readable {} file: {} (line {}, column {})",
                format.id(),
                error.message,
                error.line,
                error.column
            ),
            code: "file_unparseable",
            correlation_id: None,
        })?;
        let namespace = self.templates.iter().filter_map(|template| template.matches(&path, &self.base_language));
        let namespace = namespace.filter_map(|captured| captured.namespace).next();
        let name = |key: String| match &namespace {
            Some(namespace) => format!("{namespace}:{key}"),
            None => key,
        };
        let item = |entry: files::Entry| Item { name: name(entry.key), content: entry.content, stays: false };
        Ok(document.entries.into_iter().map(item).collect())
    }

    /// Applies people's changes that the code has not followed, so that they do not count as changes of the code.
    fn follow_people(&self, items: &mut [Item]) {
        let mut places: HashMap<String, usize> =
            items.iter().enumerate().map(|(at, item)| (item.name.clone(), at)).collect();
        let renames = self.changes.iter().filter(|change| change.kind == ChangeKind::KeyRenamed);
        let renames = renames.filter_map(|change| Some((change.r#ref.as_str(), text(change.to.as_ref())?)));
        let renames: HashMap<&str, &str> = renames.collect();
        for (old, new) in &renames {
            if let Some(at) = places.get(*old).copied().filter(|_| !places.contains_key(*new)) {
                items[at].name = (*new).to_owned();
                places.insert((*new).to_owned(), at);
            }
        }
        for change in &self.changes {
            let name = renames.get(change.r#ref.as_str()).copied().unwrap_or(&change.r#ref);
            let Some(item) = places.get(name).and_then(|at| items.get_mut(*at)) else { continue };
            if change.from.clone().map(content) != Some(item.content.clone()) {
                continue;
            }
            match (change.kind, &change.to) {
                (ChangeKind::TextChanged, Some(to)) => item.content = content(to.clone()),
                (ChangeKind::KeyArchived, _) => item.stays = !self.keys.contains_key(name),
                _ => {}
            }
        }
    }
}

/// A key of a file.
struct Item {
    name: String,
    content: Content,
    /// A person archived it, and the code still has it.
    stays: bool,
}

/// The standing of a key in a language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KeyStatus {
    /// A sync translates it.
    Lacking,
    /// A person's translation of an earlier source, which a sync leaves.
    Kept,
    Current,
}

impl KeyStatus {
    fn of(translation: Option<&Translation>, is_changed: bool) -> Self {
        let Some(found) = translation.filter(|found| found.state != State::Missing) else { return Self::Lacking };
        let by_person = matches!(found.origin, Some(Origin::Human | Origin::Import)) || found.state == State::Reviewed;
        match (found.stale || is_changed, by_person) {
            (false, _) => Self::Current,
            (true, true) => Self::Kept,
            (true, false) => Self::Lacking,
        }
    }
}

/// The target languages: all of the project's, or the named ones.
fn targets(meta: &Meta, named: &[String]) -> Result<Vec<LanguageCode>, CliError> {
    let all = || meta.languages.iter().map(|language| &language.code).filter(|code| **code != meta.base_language);
    if named.is_empty() {
        return Ok(all().cloned().collect());
    }
    let mut targets = Vec::new();
    for code in named {
        let canonical = locales::canonicalize(code).map_err(|error| usage(error.to_string(), LANGUAGES))?;
        let target = all().find(|known| known.as_str() == canonical).ok_or_else(|| {
            let known: Vec<&str> = all().map(LanguageCode::as_str).collect();
            let message = format!("the project does not translate into `{canonical}`; it has {}", known.join(", "));
            usage(message, LANGUAGES)
        })?;
        if !targets.contains(target) {
            targets.push(target.clone());
        }
    }
    Ok(targets)
}

const LANGUAGES: &str = "`l10n languages` lists those of the project";

/// The format of a file, detected like the server does.
fn format_of(file: &SourceFile, bytes: &[u8]) -> Result<&'static dyn Format, CliError> {
    match file.format {
        Some(format) => Ok(files::by_id(format)),
        None => files::detect(&file.path, bytes).map_err(|error| {
            usage(format!("{}: {error}", file.path), "say `format = \"…\"` in this [[files]] entry of l10n.toml")
        }),
    }
}

fn is_of(key: &KeyDetail, file: &SourceFile) -> bool {
    key.file.as_deref() == Some(file.path.as_str())
}

/// The hash of a key's content; for a key without content, the hash of nothing.
fn hash_of(key: &KeyDetail) -> SourceHash {
    SourceHash::of(&key.content().unwrap_or(Content::Text(String::new())))
}

fn text(side: Option<&Side>) -> Option<&str> {
    match side {
        Some(Side::Text(text)) => Some(text),
        _ => None,
    }
}

fn content(side: Side) -> Content {
    match side {
        Side::Text(text) => Content::Text(text),
        Side::Plural(plural) => Content::Plural(plural),
    }
}
