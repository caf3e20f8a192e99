//! Merges a published file into the existing one.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::additions::{Additions, Item, KeyPath};
use super::grammar::{Grammar, Place};
use super::insert::{Index, Insertion, NewEntryPlace, skeleton_of};
use super::splices::Splices;
use super::{Skeleton, Spliced};
use crate::files::{LocalizationFile, Merged};

impl<G: Grammar> Spliced<G> {
    /// As [`Format::merge`](crate::files::Format::merge).
    pub(super) fn merged(&self, own: &[u8], published: &[u8]) -> Result<Merged, String> {
        let read = self.document(own).map_err(|error| format!("the file cannot be read: {error}"))?;
        // The server wrote the published file. If it is not readable, it is used unchanged.
        let whole = || Ok(Merged::published(published));
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
        Ok(Merged::keeping(kept, splices.write(&skeleton.source)))
    }

    /// Writes the contents that differ, and adds those that are new after the nearest one before them in their group.
    fn take(&self, splices: &mut Splices, own: (&LocalizationFile, &Skeleton), new: (&LocalizationFile, &Skeleton)) {
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
        let mut copies = VersionLists::of((own, skeleton), (new, from));
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
                last.get(&place.group).map(|at| NewEntryPlace::After(*at)).or_else(|| insertion.start(place.group))
                && self.copy(splices, &insertion, &mut copies, (from, place, spot), describes)
            {
                continue;
            }
            let description = entry.description.as_deref().filter(|_| describes);
            let said = (place.name.as_str(), &entry.content, description);
            let prefix = from.groups.get(place.group).map_or("", |group| group.prefix.as_str());
            let tables = skeleton.tables.as_ref().filter(|_| from.is_of_tables(place.group)).map(|tables| tables.group);
            if tables.is_none()
                && index.group(prefix).is_none()
                && let Some(offset) = *begun.entry(prefix).or_insert_with(|| insertion.begin(splices, prefix, behind))
            {
                insertion.add_under(splices, prefix, offset, said);
                continue;
            }
            let group = tables.or_else(|| index.group(prefix)).or_else(|| index.group_for(&place.name));
            let Some(group) = group else { continue };
            behind = Some(group);
            let spot = last.get(&group).map(|at| NewEntryPlace::After(*at)).or_else(|| insertion.start(group));
            if let Some(spot) = spot {
                // What the format cannot say was not read in it.
                let _ = insertion.add(splices, (group, spot), said);
            }
        }
    }

    /// As [`take`](Self::take), where groups lie inside each other: what is new comes after the entry or group before it, in
    /// groups as the version has them.
    fn take_nested(
        &self,
        splices: &mut Splices,
        own: (&LocalizationFile, &Skeleton),
        new: (&LocalizationFile, &Skeleton),
    ) {
        let ((own, skeleton), (new, from)) = (own, new);
        let index = Index::of(skeleton);
        let insertion = Insertion { format: self, skeleton, index: &index };
        let places: HashMap<&str, usize> =
            own.entries.iter().enumerate().map(|(at, entry)| (entry.key.as_str(), at)).collect();
        let named = skeleton.places.iter().chain(&from.places);
        let names: HashSet<&str> = named.map(|place| place.name.as_str()).collect();
        let leaves = |name: &str| names.contains(name);
        let describes = own.entries.iter().any(|entry| entry.description.is_some());
        let mut lists = NestedLists::of((own, skeleton), (new, from));
        let mut additions = Additions::default();
        let mut last: HashMap<usize, NewEntryPlace> = HashMap::new();
        for (entry, place) in new.entries.iter().zip(&from.places) {
            if let Some((at, there)) =
                places.get(entry.key.as_str()).and_then(|at| Some((*at, skeleton.places.get(*at)?)))
            {
                self.come_after(&mut last, skeleton, there.group, NewEntryPlace::After(at));
                if own.entries.get(at).is_none_or(|own| own.content != entry.content) {
                    self.write(splices, skeleton, there, &entry.content);
                }
                continue;
            }
            let prefix = from.groups.get(place.group).map_or("", |group| group.prefix.as_str());
            let (mut name, mut item) =
                (place.name.as_str(), Item::Text(&entry.content, entry.description.as_deref().filter(|_| describes)));
            if let Some(list) = &place.list {
                match lists.next(list.start) {
                    Some(NextList::Replaces(there)) => {
                        self.replace_list(splices, skeleton, there, (from.source.get(list), describes));
                        continue;
                    }
                    Some(NextList::Is(own_name)) => name = own_name,
                    None => continue,
                }
                item = Item::Copy(from.source.get(list), prefix.len());
            }
            let Some(group) = index.group_for(name) else { continue };
            let spot = last.get(&group).copied().or_else(|| insertion.start(group));
            let way = KeyPath { name, dots: dots(from, place.group) };
            if let Some(spot) = spot {
                // What has no place in the file stays in the version alone.
                let _ = additions.add(&insertion, (group, spot), (&way, item), &leaves);
            }
        }
        let _ = additions.write(splices, &insertion, describes);
    }

    /// Writes a list of the version in place of the one that the file has.
    fn replace_list(
        &self,
        splices: &mut Splices,
        skeleton: &Skeleton,
        there: Range<usize>,
        (text, describes): (&str, bool),
    ) {
        let (Some(nest), Some(nesting)) = (&skeleton.nest, self.0.nesting()) else { return };
        let column = skeleton.source.get(&there).bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let style = skeleton.style_at(there.start);
        let text = nesting.moved(text, nest.indent(column), describes).replace("\r\n", "\n");
        splices.replace(there, text.replace('\n', style.newline));
    }

    /// Notes that what is new in a group comes after this entry, and in the groups around it after that group.
    fn come_after(
        &self,
        last: &mut HashMap<usize, NewEntryPlace>,
        skeleton: &Skeleton,
        group: usize,
        spot: NewEntryPlace,
    ) {
        last.insert(group, spot);
        let Some(nest) = &skeleton.nest else { return };
        for inner in nest.ancestors(group) {
            let level = nest.groups.get(inner);
            if let Some((outer, after)) = level.and_then(|level| Some((level.parent?, level.after))) {
                last.insert(outer, NewEntryPlace::At(after));
            }
        }
    }

    /// Brings an entry as the version has it. Of a list, the first entry that the file lacks brings all: in place of the list
    /// that the file has, unless that one has more. Returns false where the format writes new entries itself.
    fn copy(
        &self,
        splices: &mut Splices,
        insertion: &Insertion<'_, G>,
        copies: &mut VersionLists,
        (from, place, spot): (&Skeleton, &Place, NewEntryPlace),
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
struct VersionLists {
    /// Those that the file has, too, and where.
    lists: HashMap<usize, Range<usize>>,
    /// The beginnings of lists of the file that have entries that the version lacks.
    longer: HashSet<usize>,
    done: HashSet<usize>,
}

impl VersionLists {
    fn of((own, skeleton): (&LocalizationFile, &Skeleton), (new, from): (&LocalizationFile, &Skeleton)) -> Self {
        let lists = |document: &LocalizationFile, skeleton: &Skeleton| -> HashMap<String, Range<usize>> {
            let entries = document.entries.iter().zip(&skeleton.places);
            entries.filter_map(|(entry, place)| Some((entry.key.clone(), place.list.clone()?))).collect()
        };
        let keys: HashSet<&str> = own.entries.iter().map(|entry| entry.key.as_str()).collect();
        let (own, new) = (lists(own, skeleton), lists(new, from));
        let longer = own.iter().filter(|(key, _)| !new.contains_key(*key)).map(|(_, list)| list.start).collect();
        let both = new.iter().filter_map(|(key, list)| Some((list.start, own.get(key)?.clone())));
        // What the file has outside of lists cannot come a second time.
        let apart = new.iter().filter(|(key, _)| keys.contains(key.as_str()) && !own.contains_key(*key));
        let done = apart.map(|(_, list)| list.start).collect();
        Self { lists: both.collect(), longer, done }
    }
}

/// The dots in the names of a group of a file after which a group goes on.
fn dots(skeleton: &Skeleton, group: usize) -> Vec<usize> {
    let Some(nest) = &skeleton.nest else { return Vec::new() };
    let prefixes = nest.ancestors(group).filter_map(|group| skeleton.groups.get(group)?.prefix.len().checked_sub(1));
    let mut dots: Vec<usize> = prefixes.collect();
    dots.reverse();
    dots
}

/// The lists of a version, where groups lie inside each other. Each comes once, whole.
struct NestedLists<'a> {
    /// Their whole names, by their beginning.
    names: HashMap<usize, &'a str>,
    /// The same list of the file, if that has nothing more, by the beginning in the version.
    there: HashMap<usize, Range<usize>>,
    /// The beginnings of those of which the file has something elsewhere, or more than the version, or that came already.
    done: HashSet<usize>,
}

/// The way in which a list of a version comes into a file.
enum NextList<'a> {
    /// In place of that one.
    Replaces(Range<usize>),
    /// As a new one, with this whole name.
    Is(&'a str),
}

impl<'a> NestedLists<'a> {
    fn of((own, skeleton): (&LocalizationFile, &'a Skeleton), (new, from): (&LocalizationFile, &'a Skeleton)) -> Self {
        let names = from.nest.iter().flat_map(|nest| &nest.lists).map(|(at, name)| (*at, name.as_str())).collect();
        let mut lists = Self { names, there: HashMap::new(), done: HashSet::new() };
        let keys = |document: &'a Skeleton, entries: &[crate::files::Entry]| -> HashMap<String, &'a Place> {
            entries.iter().map(|entry| entry.key.clone()).zip(&document.places).collect()
        };
        let (of_own, of_new) = (keys(skeleton, &own.entries), keys(from, &new.entries));
        let id = |skeleton: &'a Skeleton, place: &Place| {
            let name = skeleton.nest.as_ref()?.lists.get(&place.list.as_ref()?.start)?;
            Some((name.as_str(), skeleton.groups.get(place.group)?.prefix.as_str()))
        };
        for (key, place) in &of_new {
            let (Some(list), Some(there)) = (&place.list, of_own.get(key)) else { continue };
            match &there.list {
                Some(own) if id(from, place) == id(skeleton, there) => {
                    lists.there.insert(list.start, own.clone());
                }
                _ => {
                    lists.done.insert(list.start);
                }
            }
        }
        let more =
            of_own.iter().filter(|(key, _)| !of_new.contains_key(*key)).filter_map(|(_, place)| place.list.clone());
        let longer: HashSet<usize> = more.map(|list| list.start).collect();
        let kept = lists.there.iter().filter(|(_, own)| longer.contains(&own.start)).map(|(list, _)| *list);
        lists.done.extend(kept);
        lists
    }

    /// The way of a list that begins at an offset of the version. `None` for one that does not come, or came already.
    fn next(&mut self, start: usize) -> Option<NextList<'a>> {
        if !self.done.insert(start) {
            return None;
        }
        match self.there.get(&start) {
            Some(there) => Some(NextList::Replaces(there.clone())),
            None => self.names.get(&start).copied().map(NextList::Is),
        }
    }
}
