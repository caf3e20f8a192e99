//! Reconciles the input of a run with people's changes on the server.
//!
//! | the code brings | then |
//! |---|---|
//! | what the change says | it is settled |
//! | what the code had before | the key stays as the person left it: `unchanged`, with a warning |
//! | something else | the code itself has changed: that counts, the change is settled, a warning names both |
//! | a whole file without the key | there is nothing left to change in it: settled |

use std::collections::HashMap;

use l10n_api_types::Content;
use l10n_api_types::pending_code_changes::ChangeKind;

use crate::domain::run::incoming::InputKey;
use crate::store::code_changes::PendingChange;
use crate::store::keys::KeyState;

/// Keys that a warning names.
const NAMED: usize = 5;
/// Characters of a text that a warning shows.
const SHOWN: usize = 60;

/// The effects of pending code changes on a run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Reconciled {
    /// Ids of changes that the code has, or has outrun.
    pub settled: Vec<String>,
    /// Warnings for a person.
    pub warnings: Vec<String>,
}

/// Changes the input to the one that the run shall use. `path` is that of the whole file that the input came in, if it
/// came in one.
pub(crate) fn reconcile(incoming: &mut [InputKey], pending: &[PendingChange], path: Option<&str>) -> Reconciled {
    if pending.is_empty() {
        return Reconciled::default();
    }
    let places: HashMap<String, usize> =
        incoming.iter().enumerate().map(|(at, item)| (item.name.clone(), at)).collect();
    let mut held = CodeComparison { incoming, places, path, settled: Vec::new(), kept: Vec::new(), outrun: Vec::new() };
    let mut place_of: HashMap<&str, Option<usize>> = HashMap::new();
    for change in pending {
        let place = *place_of.entry(&change.key_id).or_insert_with(|| held.place(change));
        held.judge(change, place);
    }
    held.conclude()
}

/// Gives keys that people renamed the names that the project has for them, in a file of another language.
pub(crate) fn follow_renames(incoming: &mut [InputKey], pending: &[PendingChange]) {
    let mut names: HashMap<String, usize> =
        incoming.iter().enumerate().map(|(at, item)| (item.name.clone(), at)).collect();
    for change in pending {
        let Some(old) = &change.code_ref else { continue };
        if names.contains_key(&change.name) {
            continue;
        }
        if let Some(item) = names.remove(old).and_then(|at| incoming.get_mut(at)) {
            item.name.clone_from(&change.name);
        }
    }
}

struct CodeComparison<'a> {
    incoming: &'a mut [InputKey],
    places: HashMap<String, usize>,
    path: Option<&'a str>,
    settled: Vec<String>,
    /// Keys that stay as people left them.
    kept: Vec<String>,
    /// Keys of which the code says something else than either side did.
    outrun: Vec<String>,
}

impl CodeComparison<'_> {
    /// The place of the key in the input. An item that has the key under the code's name gets the project's name for
    /// it.
    fn place(&mut self, change: &PendingChange) -> Option<usize> {
        if let Some(place) = self.places.get(&change.name) {
            return Some(*place);
        }
        let place = *self.places.get(change.code_name.as_ref()?)?;
        self.incoming.get_mut(place)?.name.clone_from(&change.name);
        Some(place)
    }

    fn judge(&mut self, change: &PendingChange, place: Option<usize>) {
        let Some((place, item)) = place.and_then(|place| Some((place, self.incoming.get(place)?))) else {
            if change.kind != ChangeKind::KeyAdded && self.path.is_some() && self.path == change.source_path.as_deref()
            {
                self.settled.push(change.id.clone());
            }
            return;
        };
        let code_had = change.code_source.as_ref().map(|source| &source.0);
        let is_as_before = code_had == Some(&item.content);
        match change.kind {
            ChangeKind::KeyRenamed if self.places.contains_key(&change.name) => self.settled.push(change.id.clone()),
            ChangeKind::KeyRenamed => self.keep(change),
            ChangeKind::KeyArchived if is_as_before && change.state == KeyState::Archived => {
                self.keep(change);
                if let Some(item) = self.incoming.get_mut(place) {
                    item.stays = true;
                }
            }
            ChangeKind::TextChanged if is_as_before && item.content != change.source.0 => {
                self.keep(change);
                if let Some(item) = self.incoming.get_mut(place) {
                    item.say(change.source.0.clone());
                }
            }
            _ => {
                if item.content != change.source.0 || change.kind == ChangeKind::KeyArchived {
                    let person = match change.kind {
                        ChangeKind::KeyArchived => "archived it".to_owned(),
                        _ => format!("wrote “{}”", shown(&change.source.0)),
                    };
                    let code = shown(&item.content);
                    self.outrun.push(format!("`{}`, where a person {person} and the code says “{code}”", change.name));
                }
                self.settled.push(change.id.clone());
            }
        }
    }

    fn keep(&mut self, change: &PendingChange) {
        let name = change.code_name.as_ref().unwrap_or(&change.name);
        let name = format!("`{name}`");
        if !self.kept.contains(&name) {
            self.kept.push(name);
        }
    }

    fn conclude(self) -> Reconciled {
        let mut warnings = Vec::new();
        if !self.kept.is_empty() {
            warnings.push(format!(
                "kept as people changed them, which the code has not followed yet: {}; `l10n pull-changes` writes the \
                 changes into the code",
                named(&self.kept)
            ));
        }
        if !self.outrun.is_empty() {
            warnings.push(format!(
                "the code has changed what people had changed as well, and the code counts: {}",
                named(&self.outrun)
            ));
        }
        Reconciled { settled: self.settled, warnings }
    }
}

fn named(all: &[String]) -> String {
    let first = all.get(..NAMED.min(all.len())).unwrap_or_default().join(", ");
    match all.len().checked_sub(NAMED) {
        Some(more) if more > 0 => format!("{first} and {more} more"),
        _ => first,
    }
}

/// A content for people, on one line: of a plural its form `other`.
fn shown(content: &Content) -> String {
    let text = content.other().unwrap_or_default();
    let mut shown: String = text.chars().take(SHOWN).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use l10n_api_types::Key;

    use super::*;
    use crate::clock::Timestamp;
    use crate::domain::run::incoming::from_keys;
    use crate::store::row::Json;

    fn pending(kind: ChangeKind, name: &str, code: Option<&str>, project: &str) -> PendingChange {
        let renamed = kind == ChangeKind::KeyRenamed;
        PendingChange {
            id: format!("chg_{name}_{kind}"),
            key_id: format!("str_{name}"),
            kind,
            code_ref: code.filter(|_| renamed).map(str::to_owned),
            code_source: code.filter(|_| !renamed).map(|text| Json(Content::Text(text.to_owned()))),
            file: None,
            made_by: "ann".to_owned(),
            created_at: Timestamp::from_millis(0),
            updated_at: Timestamp::from_millis(0),
            name: name.to_owned(),
            source: Json(Content::Text(project.to_owned())),
            source_path: Some("en.json".to_owned()),
            state: if kind == ChangeKind::KeyArchived { KeyState::Archived } else { KeyState::Active },
            code_name: code.filter(|_| renamed).map(str::to_owned),
        }
    }

    /// The input afterwards, with `=` for keys that the run leaves alone, the settled changes, and the warnings.
    fn run(keys: &[(&str, &str)], pending: &[PendingChange], path: Option<&str>) -> (String, String, Vec<String>) {
        let keys = keys.iter().map(|(name, text)| Key::text(*name, *text)).collect();
        let mut incoming = from_keys(keys).unwrap();
        let reconciled = reconcile(&mut incoming, pending, path);
        let items: Vec<String> = incoming
            .iter()
            .map(|item| format!("{}{}:{}", if item.stays { "=" } else { "" }, item.name, shown(&item.content)))
            .collect();
        (items.join(" "), reconciled.settled.join(" "), reconciled.warnings)
    }

    #[test]
    fn a_changed_text_is_settled_kept_or_outrun() {
        let change = [pending(ChangeKind::TextChanged, "a", Some("Old"), "New")];
        assert_eq!(run(&[("a", "New")], &change, None), ("a:New".into(), "chg_a_text_changed".into(), vec![]));
        let (items, settled, warnings) = run(&[("a", "Old")], &change, None);
        assert_eq!((items.as_str(), settled.as_str()), ("a:New", ""));
        insta::assert_snapshot!(warnings.join("\n"), @"kept as people changed them, which the code has not followed yet: `a`; `l10n pull-changes` writes the changes into the code");
        let (items, settled, warnings) = run(&[("a", "Third")], &change, None);
        assert_eq!((items.as_str(), settled.as_str()), ("a:Third", "chg_a_text_changed"));
        insta::assert_snapshot!(warnings.join("\n"), @"the code has changed what people had changed as well, and the code counts: `a`, where a person wrote “New” and the code says “Third”");
    }

    #[test]
    fn a_rename_is_followed_until_the_code_has_the_new_name() {
        let change = [pending(ChangeKind::KeyRenamed, "new", Some("old"), "Text")];
        let (items, settled, warnings) = run(&[("old", "Text")], &change, Some("en.json"));
        assert_eq!((items.as_str(), settled.as_str(), warnings.len()), ("new:Text", "", 1));
        let both = run(&[("old", "Another"), ("new", "Text")], &change, None);
        assert_eq!(both, ("old:Another new:Text".into(), "chg_new_key_renamed".into(), vec![]));
        assert_eq!(run(&[("x", "X")], &change, None).1, "", "a subset says nothing about other keys");
        assert_eq!(run(&[("x", "X")], &change, Some("de.json")).1, "");
        assert_eq!(run(&[("x", "X")], &change, Some("en.json")).1, "chg_new_key_renamed");
    }

    #[test]
    fn a_key_can_be_renamed_and_changed() {
        let mut change = vec![
            pending(ChangeKind::KeyRenamed, "new", Some("old"), "New"),
            pending(ChangeKind::TextChanged, "new", Some("Old"), "New"),
        ];
        change[1].code_name = Some("old".into());
        for order in 0..2 {
            let (items, settled, warnings) = run(&[("old", "Old")], &change, None);
            assert_eq!((items.as_str(), settled.as_str()), ("new:New", ""), "{order}");
            assert!(warnings[0].contains(": `old`;"), "{warnings:?}");
            let (items, settled, _) = run(&[("old", "New")], &change, None);
            assert_eq!((items.as_str(), settled.as_str()), ("new:New", "chg_new_text_changed"));
            let (items, settled, _) = run(&[("new", "Old")], &change, None);
            assert_eq!((items.as_str(), settled.as_str()), ("new:New", "chg_new_key_renamed"));
            change.reverse();
        }
    }

    #[test]
    fn an_archived_key_stays_away_until_the_code_drops_or_changes_it() {
        let change = [pending(ChangeKind::KeyArchived, "a", Some("Old"), "Old")];
        assert_eq!(run(&[("a", "Old")], &change, None).0, "=a:Old");
        let (items, settled, warnings) = run(&[("a", "Third")], &change, None);
        assert_eq!((items.as_str(), settled.as_str(), warnings.len()), ("a:Third", "chg_a_key_archived", 1));
        assert_eq!(run(&[("b", "B")], &change, Some("en.json")).1, "chg_a_key_archived");
    }

    #[test]
    fn an_added_key_waits_for_the_code_however_often_its_file_is_synced_without_it() {
        let change = [pending(ChangeKind::KeyAdded, "a", None, "New")];
        assert_eq!(run(&[("b", "B")], &change, Some("en.json")).1, "");
        assert_eq!(run(&[("a", "New")], &change, None), ("a:New".into(), "chg_a_key_added".into(), vec![]));
        assert_eq!(run(&[("a", "Third")], &change, None).2.len(), 1);
    }

    #[test]
    fn warnings_name_five() {
        let changes: Vec<_> =
            (0..7).map(|n| pending(ChangeKind::TextChanged, &format!("k{n}"), Some("Old"), "New")).collect();
        let names: Vec<String> = (0..7).map(|n| format!("k{n}")).collect();
        let keys: Vec<_> = names.iter().map(|name| (name.as_str(), "Old")).collect();
        let warnings = run(&keys, &changes, None).2;
        assert!(warnings[0].contains("`k4` and 2 more;"), "{warnings:?}");
    }
}
