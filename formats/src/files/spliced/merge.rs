//! Merges a published file into the existing one.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::grammar::{Grammar, Place};
use super::insert::{Index, Insertion, Spot, skeleton_of};
use super::nest::{Additions, Item};
use super::splices::Splices;
use super::{Skeleton, Spliced};
use crate::files::{Document, Merged};

impl<G: Grammar> Spliced<G> {
    /// As [`Format::merge`](crate::files::Format::merge).
    pub(super) fn merged(&self, own: &[u8], published: &[u8]) -> Result<Merged, String> {
        let read = self.document(own).map_err(|error| format!("the file cannot be read: {error}"))?;
        // The server wrote the published file. If it is not readable, it is used unchanged.
        let whole = || Ok(Merged { bytes: published.to_vec(), kept: Vec::new() });
        let Ok(new) = self.document(published) else { return whole() };
        let (Some(skeleton), Some(from)) = (skeleton_of(&read), skeleton_of(&new)) else { return whole() };
        if skeleton.source.text.trim().is_empty() && !new.entries.is_empty() {
            return whole();
        }
        if skeleton.nest.is_some() && read.language.is_some() != new.language.is_some() && !new.entries.is_empty() {
            if read.entries.is_empty() && read.language.is_none() {
                return whole();
            }
            return Err(
                "one root key that is a language is in this file or in the published one, but not in both".to_owned()
            );
        }
        let mut splices = Splices::default();
        if skeleton.nest.is_some() {
            self.take_nested(&mut splices, (&read, skeleton), (&new, from));
        } else {
            self.take(&mut splices, (&read, skeleton), (&new, from));
        }
        let has: HashSet<&str> = new.entries.iter().map(|entry| entry.key.as_str()).collect();
        let kept = read.entries.iter().filter(|entry| !has.contains(entry.key.as_str()));
        let kept = kept.map(|entry| entry.key.clone()).collect();
        Ok(Merged { bytes: splices.write(&skeleton.source), kept })
    }

    /// Writes the contents that differ, and adds those that are new after the nearest one before them in their group.
    fn take(&self, splices: &mut Splices, own: (&Document, &Skeleton), new: (&Document, &Skeleton)) {
        let ((own, skeleton), (new, from)) = (own, new);
        let index = Index::of(skeleton);
        let insertion = Insertion { format: self, skeleton, index: &index };
        let places: HashMap<&str, usize> =
            own.entries.iter().enumerate().map(|(at, entry)| (entry.key.as_str(), at)).collect();
        // Files without descriptions get none.
        let describes = own.entries.iter().any(|entry| entry.description.is_some());
        let mut last: HashMap<usize, usize> = HashMap::new();
        let mut behind = None;
        let mut begun: HashMap<&str, Option<usize>> = HashMap::new();
        let mut copies = Copies::of((own, skeleton), (new, from));
        for (entry, place) in new.entries.iter().zip(&from.places) {
            let known = places.get(entry.key.as_str()).and_then(|at| Some((*at, skeleton.places.get(*at)?)));
            if let Some((at, there)) = known {
                last.insert(there.group, at);
                behind = Some(there.group);
                if own.entries.get(at).is_none_or(|own| own.content != entry.content) {
                    self.write(splices, skeleton, there, &entry.content);
                }
                continue;
            }
            if let Some(spot) =
                last.get(&place.group).map(|at| Spot::After(*at)).or_else(|| insertion.start(place.group))
                && self.copy(splices, &insertion, &mut copies, (from, place, spot), describes)
            {
                continue;
            }
            let description = entry.description.as_deref().filter(|_| describes);
            let said = (place.name.as_str(), &entry.content, description);
            let prefix = from.groups.get(place.group).map_or("", |group| group.prefix.as_str());
            if index.group(prefix).is_none()
                && let Some(offset) = *begun.entry(prefix).or_insert_with(|| insertion.begin(splices, prefix, behind))
            {
                insertion.add_under(splices, prefix, offset, said);
                continue;
            }
            let Some(group) = index.group(prefix).or_else(|| index.group_for(&place.name)) else { continue };
            behind = Some(group);
            let spot = last.get(&group).map(|at| Spot::After(*at)).or_else(|| insertion.start(group));
            if let Some(spot) = spot {
                // What the format cannot say was not read in it.
                let _ = insertion.add(splices, (group, spot), said);
            }
        }
    }

    /// As [`take`](Self::take), where groups lie inside each other: what is new comes after the entry or group before it.
    fn take_nested(&self, splices: &mut Splices, own: (&Document, &Skeleton), new: (&Document, &Skeleton)) {
        let ((own, skeleton), (new, from)) = (own, new);
        let index = Index::of(skeleton);
        let insertion = Insertion { format: self, skeleton, index: &index };
        let places: HashMap<&str, usize> =
            own.entries.iter().enumerate().map(|(at, entry)| (entry.key.as_str(), at)).collect();
        let names: HashSet<&str> = new.entries.iter().map(|entry| entry.key.as_str()).collect();
        let describes = own.entries.iter().any(|entry| entry.description.is_some());
        let mut copies = Copies::of((own, skeleton), (new, from));
        let mut additions = Additions::default();
        let mut last: HashMap<usize, Spot> = HashMap::new();
        for (entry, place) in new.entries.iter().zip(&from.places) {
            if let Some((at, there)) =
                places.get(entry.key.as_str()).and_then(|at| Some((*at, skeleton.places.get(*at)?)))
            {
                self.come_after(&mut last, skeleton, there.group, Spot::After(at));
                if own.entries.get(at).is_none_or(|own| own.content != entry.content) {
                    self.write(splices, skeleton, there, &entry.content);
                }
                continue;
            }
            let (mut name, mut item) = (place.name.clone(), Item::Text(&entry.content, None));
            if describes {
                item = Item::Text(&entry.content, entry.description.as_deref());
            }
            if let Some(list) = &place.list {
                if !copies.done.insert(list.start) {
                    continue;
                }
                if let Some(there) = copies.lists.get(&list.start) {
                    if let (false, Some(nesting)) = (copies.longer.contains(&there.start), self.0.nesting()) {
                        let column = skeleton.source.get(there).bytes().take_while(|byte| *byte == b' ').count();
                        let hand = skeleton.hand(there.start);
                        let text = nesting.moved(from.source.get(list), column, describes).replace("\r\n", "\n");
                        splices.replace(there.clone(), text.replace('\n', hand.newline));
                    }
                    continue;
                }
                let prefix = from.groups.get(place.group).map_or("", |group| group.prefix.as_str());
                name = format!("{prefix}{}", from.source.get(&place.name_at).trim_matches(['"', '\'']));
                item = Item::Copy(from.source.get(list));
            }
            let Some(group) = index.group_for(&name) else { continue };
            let spot = last.get(&group).copied().or_else(|| insertion.start(group));
            let leaves = |name: &str| places.contains_key(name) || names.contains(name);
            if let Some(spot) = spot {
                // What has no place in the file stays in the version alone.
                let _ = additions.add(&insertion, (group, spot), (&name, item), &leaves);
            }
        }
        let _ = additions.write(splices, &insertion, describes);
    }

    /// Notes that what is new in a group comes after this entry, and in the groups around it after that group.
    fn come_after(&self, last: &mut HashMap<usize, Spot>, skeleton: &Skeleton, group: usize, spot: Spot) {
        last.insert(group, spot);
        let Some(nest) = &skeleton.nest else { return };
        for inner in nest.ancestors(group) {
            let end = skeleton.groups.get(inner).and_then(|group| group.end);
            if let (Some(outer), Some(end)) = (nest.groups.get(inner).and_then(|level| level.parent), end) {
                last.insert(outer, Spot::At(end));
            }
        }
    }

    /// Brings an entry as the version has it. Of a list, the first entry that the file lacks brings all: in place of the list
    /// that the file has, unless that one has more. Returns false where the format writes new entries itself.
    fn copy(
        &self,
        splices: &mut Splices,
        insertion: &Insertion<'_, G>,
        copies: &mut Copies,
        (from, place, spot): (&Skeleton, &Place, Spot),
        describes: bool,
    ) -> bool {
        let whole = place.list.as_ref().unwrap_or(&place.whole);
        let Some(text) = self.0.copied(from.source.get(whole), describes) else { return false };
        if place.list.is_some() && !copies.done.insert(whole.start) {
            return true;
        }
        match copies.lists.get(&whole.start).filter(|_| place.list.is_some()) {
            Some(own) if copies.longer.contains(&own.start) => {}
            Some(own) => splices.replace(own.clone(), text),
            None => {
                let _ = insertion.put(splices, spot, &text);
            }
        }
        true
    }
}

/// The lists of a version, by their beginning.
struct Copies {
    /// Those that the file has, too, and where.
    lists: HashMap<usize, Range<usize>>,
    /// The beginnings of lists of the file that have entries that the version lacks.
    longer: HashSet<usize>,
    done: HashSet<usize>,
}

impl Copies {
    fn of((own, skeleton): (&Document, &Skeleton), (new, from): (&Document, &Skeleton)) -> Self {
        let lists = |document: &Document, skeleton: &Skeleton| -> HashMap<String, Range<usize>> {
            let entries = document.entries.iter().zip(&skeleton.places);
            entries.filter_map(|(entry, place)| Some((entry.key.clone(), place.list.clone()?))).collect()
        };
        let (own, new) = (lists(own, skeleton), lists(new, from));
        let longer = own.iter().filter(|(key, _)| !new.contains_key(*key)).map(|(_, list)| list.start).collect();
        let both = new.iter().filter_map(|(key, list)| Some((list.start, own.get(key)?.clone())));
        Self { lists: both.collect(), longer, done: HashSet::new() }
    }
}
