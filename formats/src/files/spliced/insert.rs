//! Entries that come into a file: their group, their place in it, and their layout.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use l10n_api_types::Content;

use super::additions::{Additions, Item, KeyPath};
use super::grammar::{AddedEntry, FileStyle, Grammar, Neighbour, Place};
use super::splices::Splices;
use super::{Skeleton, Spliced};
use crate::files::{Entry, Layout, LocalizationFile, refs};

/// The place of a new entry.
#[derive(Debug, Clone, Copy)]
pub(super) enum NewEntryPlace {
    /// After this entry.
    After(usize),
    /// Before this entry.
    Before(usize),
    /// At an offset.
    At(usize),
}

/// The facts about a file that insertions need.
pub(super) struct Index {
    /// Groups by their prefix.
    by_prefix: HashMap<String, usize>,
    /// Bytes of the longest prefix.
    longest: usize,
    /// The first and the last entry of each group.
    edges: Vec<Option<(usize, usize)>>,
    /// Blank lines stand between entries.
    is_airy: bool,
}

impl Index {
    pub(super) fn of(skeleton: &Skeleton) -> Self {
        let mut edges: Vec<Option<(usize, usize)>> = vec![None; skeleton.groups.len()];
        for (at, place) in skeleton.places.iter().enumerate() {
            if let Some(edge) = edges.get_mut(place.group) {
                *edge = Some((edge.map_or(at, |(first, _)| first), at));
            }
        }
        // Of two groups with one prefix the last one takes what comes; tables, where nothing else has their prefix.
        let with_tables = skeleton.tables.as_ref().is_some_and(|tables| {
            let has_entries = |group: usize| edges.get(group).is_some_and(Option::is_some);
            has_entries(tables.group) && !has_entries(0)
        });
        let groups = skeleton.groups.iter().enumerate();
        let groups = groups.filter(|(at, _)| with_tables || !skeleton.is_of_tables(*at));
        let by_prefix = groups.map(|(at, group)| (group.prefix.clone(), at)).collect();
        let longest = skeleton.groups.iter().map(|group| group.prefix.len()).max().unwrap_or(0);
        let later = skeleton.places.get(1..).unwrap_or_default();
        let airy = later.iter().filter(|place| skeleton.source.has_blank_before(place.whole.start)).count();
        Self { by_prefix, longest, edges, is_airy: airy * 2 > later.len() }
    }

    /// The group with a prefix.
    pub(super) fn group(&self, prefix: &str) -> Option<usize> {
        self.by_prefix.get(prefix).copied()
    }

    /// The innermost group that a name leads into.
    pub(super) fn group_for(&self, name: &str) -> Option<usize> {
        let longest = name.floor_char_boundary(self.longest);
        let ends = name.get(..longest)?.match_indices('.').rev().map(|(at, _)| at + 1).filter(|end| *end < name.len());
        ends.chain([0]).find_map(|end| self.group(name.get(..end)?))
    }
}

/// A file into which entries come.
pub(super) struct Insertion<'a, G> {
    pub(super) format: &'a Spliced<G>,
    pub(super) skeleton: &'a Skeleton,
    pub(super) index: &'a Index,
}

impl<G: Grammar> Insertion<'_, G> {
    /// The group to which an entry comes. A plural comes to the tables, where the file has some.
    pub(super) fn group_of(&self, name: &str, content: &Content) -> Option<usize> {
        let group = self.index.group_for(name)?;
        let tables = self.skeleton.tables.as_ref().map(|tables| tables.group);
        let tables = tables.filter(|tables| self.index.edges.get(*tables).is_some_and(Option::is_some));
        let is_outside = self.skeleton.groups.get(group).is_some_and(|group| group.prefix.is_empty());
        let is_plural = matches!(content, Content::Plural(_));
        Some(tables.filter(|_| is_plural && is_outside).unwrap_or(group))
    }

    /// The end of a group.
    pub(super) fn end(&self, group: usize) -> Option<NewEntryPlace> {
        match self.index.edges.get(group) {
            Some(Some((_, last))) => Some(NewEntryPlace::After(*last)),
            _ => self.skeleton.groups.get(group)?.end.map(NewEntryPlace::At),
        }
    }

    /// The beginning of a group.
    pub(super) fn start(&self, group: usize) -> Option<NewEntryPlace> {
        match self.index.edges.get(group) {
            // A table whose texts come and go together begins with its header: what comes before that is in no table.
            Some(Some((first, last))) if self.skeleton.tables.is_some() && self.is_one_list(*first, *last) => {
                Some(NewEntryPlace::After(*last))
            }
            Some(Some((first, _))) => Some(NewEntryPlace::Before(*first)),
            _ => self.end(group),
        }
    }

    /// Returns true if two entries are of one list.
    fn is_one_list(&self, one: usize, other: usize) -> bool {
        let list = |at: usize| self.skeleton.places.get(at).and_then(|place| place.list.as_ref());
        list(one).is_some() && list(one) == list(other)
    }

    /// Adds an entry to a group. `None` where the format cannot say it.
    pub(super) fn add(
        &self,
        splices: &mut Splices,
        place: (usize, NewEntryPlace),
        said: (&str, &Content, Option<&str>),
    ) -> Option<()> {
        self.add_as(splices, place, said, &|new, style| self.format.0.fresh(new, style))
    }

    /// Adds a list to a group, of which `first` is the first item. `None` where the format cannot say it.
    fn add_list(
        &self,
        splices: &mut Splices,
        place: (usize, NewEntryPlace),
        (list, texts): (&str, &[&str]),
        first: (&str, &Content, Option<&str>),
    ) -> Option<()> {
        self.add_as(splices, place, first, &|new, style| self.format.0.fresh_list(list, texts, new, style))
    }

    fn add_as(
        &self,
        splices: &mut Splices,
        (group, spot): (usize, NewEntryPlace),
        (name, content, description): (&str, &Content, Option<&str>),
        written: &dyn Fn(&AddedEntry<'_>, &FileStyle) -> Option<String>,
    ) -> Option<()> {
        let Skeleton { source, places, groups, .. } = self.skeleton;
        if self.skeleton.is_taken(name) {
            return None;
        }
        let is_table = self.skeleton.is_of_tables(group);
        let name = name.strip_prefix(groups.get(group)?.prefix.as_str())?;
        let (offset, beside) = self.offset(spot)?;
        let neighbour = beside.or_else(|| places.last()).map(|place| Neighbour { place, text: &source.text });
        let style = self.skeleton.style_at(beside.map_or(offset, |place| extent(place).start));
        let text = written(&AddedEntry { name, content, description, neighbour, is_table }, &style)?;
        self.insert(splices, spot, offset, text, is_table);
        Some(())
    }

    /// Puts the text of an entry of another file beside an entry of this one, with its line ends.
    pub(super) fn put(&self, splices: &mut Splices, spot: NewEntryPlace, text: &str) -> Option<()> {
        let (offset, beside) = self.offset(spot)?;
        let style = self.skeleton.style_at(beside.map_or(offset, |place| extent(place).start));
        self.insert(splices, spot, offset, text.replace("\r\n", "\n").replace('\n', style.newline), false);
        Some(())
    }

    /// The offset of a new entry, and the entry beside it.
    fn offset(&self, spot: NewEntryPlace) -> Option<(usize, Option<&Place>)> {
        let beside = match spot {
            NewEntryPlace::After(at) | NewEntryPlace::Before(at) => self.skeleton.places.get(at),
            NewEntryPlace::At(_) => None,
        };
        let offset = match (spot, beside) {
            (NewEntryPlace::At(offset), _) => offset,
            (NewEntryPlace::After(_), Some(place)) => self.line_after(extent(place).end),
            (NewEntryPlace::Before(_), Some(place)) => self.line_of(extent(place).start),
            _ => return None,
        };
        Some((offset, beside))
    }

    /// In files of lines, the end of the line in which an entry ends, if it does not go with its lines.
    fn line_after(&self, end: usize) -> usize {
        let text = &self.skeleton.source.text;
        let is_within = self.skeleton.nest.is_some() && !text.get(..end).is_some_and(|before| before.ends_with('\n'));
        let rest = text.get(end..).filter(|_| is_within).unwrap_or_default();
        end + rest.find('\n').map_or(rest.len(), |length| length + 1)
    }

    /// In files of lines, the beginning of the line in which an entry begins.
    fn line_of(&self, start: usize) -> usize {
        let before = self.skeleton.source.text.get(..start).filter(|_| self.skeleton.nest.is_some());
        before.map_or(start, |before| before.rfind('\n').map_or(0, |end| end + 1))
    }

    /// The offset of a new entry.
    pub(super) fn place(&self, spot: NewEntryPlace) -> Option<usize> {
        self.offset(spot).map(|(offset, _)| offset)
    }

    /// Writes the lines of an entry at the offset of its place. Tables come after lines.
    pub(super) fn insert(
        &self,
        splices: &mut Splices,
        spot: NewEntryPlace,
        offset: usize,
        mut text: String,
        is_table: bool,
    ) {
        let newline = self.skeleton.style_at(offset).newline;
        match spot {
            NewEntryPlace::After(at) if self.index.is_airy && !self.takes_blank_lines(at) => {
                text.insert_str(0, newline)
            }
            NewEntryPlace::Before(_) if self.index.is_airy => text.push_str(newline),
            _ => {}
        }
        if is_table { splices.insert_last(offset, text) } else { splices.insert(offset, text) }
    }

    /// Returns true if a blank line after an entry would become part of its text.
    fn takes_blank_lines(&self, at: usize) -> bool {
        let value = self.skeleton.places.get(at).and_then(|place| place.values.last());
        let written = value.and_then(|value| self.skeleton.source.text.get(value.at.clone()));
        written.is_some_and(|written| self.format.0.takes_blank_lines(written))
    }

    /// Adds an entry to a group that was begun.
    pub(super) fn add_under(
        &self,
        splices: &mut Splices,
        prefix: &str,
        offset: usize,
        (name, content, description): (&str, &Content, Option<&str>),
    ) {
        let source = &self.skeleton.source;
        if self.skeleton.is_taken(name) {
            return;
        }
        let neighbour = self.skeleton.places.last().map(|place| Neighbour { place, text: &source.text });
        let name = name.strip_prefix(prefix).unwrap_or(name);
        let new = AddedEntry { name, content, description, neighbour, is_table: false };
        if let Some(text) = self.format.0.fresh(&new, &self.skeleton.style_at(offset)) {
            splices.insert_last(offset, text);
        }
    }

    /// Begins a group that the file lacks, behind another one; gives the offset at which its entries come.
    pub(super) fn begin(&self, splices: &mut Splices, prefix: &str, behind: Option<usize>) -> Option<usize> {
        let group = behind.and_then(|group| self.skeleton.groups.get(group)).or_else(|| self.skeleton.groups.last());
        let offset = group?.end?;
        let closed = self.skeleton.tables.as_ref().map(|tables| &tables.closed);
        let is_closed = |closed: &HashSet<String>| {
            prefix.match_indices('.').any(|(at, _)| prefix.get(..at).is_some_and(|path| closed.contains(path)))
        };
        if closed.is_some_and(is_closed) {
            return None;
        }
        let header = self.format.0.header(prefix, &self.skeleton.style_at(offset))?;
        splices.insert_last(offset, header);
        Some(offset)
    }
}

impl<G: Grammar> Spliced<G> {
    /// As [`Format::extend_where_it_can`](crate::files::Format::extend_where_it_can), and whether all entries came.
    pub(super) fn extended(&self, skeleton: &Skeleton, added: &[Entry]) -> (Vec<u8>, bool) {
        let index = Index::of(skeleton);
        let insertion = Insertion { format: self, skeleton, index: &index };
        let mut splices = Splices::default();
        let is_all = match skeleton.nest {
            Some(_) => self.add_nested(&mut splices, &insertion, added),
            None => self.add_flat(&mut splices, &insertion, added),
        };
        (splices.write(&skeleton.source), is_all)
    }

    /// Adds entries to groups of the file. Items of a list come together, or not at all. Returns true if all came.
    fn add_flat(&self, splices: &mut Splices, insertion: &Insertion<'_, G>, added: &[Entry]) -> bool {
        let names: Vec<String> =
            added.iter().map(|entry| refs::name_of(&entry.key, self.0.names_are_texts())).collect();
        let mut lists = self.new_lists(insertion.skeleton, &names, added);
        let mut is_all = true;
        for (entry, name) in added.iter().zip(&names) {
            let said = (name.as_str(), &entry.content, entry.description.as_deref());
            let place = insertion.group_of(name, &entry.content).and_then(|group| Some((group, insertion.end(group)?)));
            let came = match self.0.item(name) {
                Some((list, _)) => lists.get_mut(list).and_then(|texts| {
                    // The first of its items brings the list.
                    let texts = std::mem::take(texts);
                    if texts.is_empty() { Some(()) } else { insertion.add_list(splices, place?, (list, &texts), said) }
                }),
                None => place.and_then(|place| insertion.add(splices, place, said)),
            };
            is_all &= came.is_some();
        }
        is_all
    }

    /// The texts of new lists that are there from the first to the last.
    fn new_lists<'e>(
        &self,
        skeleton: &Skeleton,
        names: &'e [String],
        added: &'e [Entry],
    ) -> HashMap<&'e str, Vec<&'e str>> {
        let mut lists: HashMap<&str, BTreeMap<usize, &str>> = HashMap::new();
        for (name, entry) in names.iter().zip(added) {
            if let (Some((list, at)), Content::Text(text)) = (self.0.item(name), &entry.content) {
                lists.entry(list).or_default().insert(at, text);
            }
        }
        for (list, _) in skeleton.places.iter().filter_map(|place| self.0.item(&place.name)) {
            lists.remove(list);
        }
        lists.retain(|_, texts| texts.keys().copied().eq(0..texts.len()));
        lists.into_iter().map(|(list, texts)| (list, texts.into_values().collect())).collect()
    }

    /// Adds entries with the groups that the file lacks. Returns true if all came.
    fn add_nested(&self, splices: &mut Splices, insertion: &Insertion<'_, G>, added: &[Entry]) -> bool {
        let names: Vec<String> =
            added.iter().map(|entry| refs::name_of(&entry.key, self.0.names_are_texts())).collect();
        let places = insertion.skeleton.places.iter().map(|place| place.name.as_str());
        let leaves: HashSet<&str> = places.chain(names.iter().map(String::as_str)).collect();
        let mut additions = Additions::making_lists();
        let mut is_all = true;
        for (entry, name) in added.iter().zip(&names) {
            let mut add = || {
                let group = insertion.index.group_for(name)?;
                let item = Item::Text(&entry.content, entry.description.as_deref());
                let leaves = |name: &str| leaves.contains(name);
                additions.add(insertion, (group, insertion.end(group)?), (&self.way(name)?, item), &leaves)
            };
            is_all &= add().is_some();
        }
        additions.write(splices, insertion, true).is_some() && is_all
    }

    /// The way to a new name, as the format has it.
    pub(super) fn way<'n>(&self, name: &'n str) -> Option<KeyPath<'n>> {
        Some(KeyPath { name, dots: self.0.nesting()?.dots(name) })
    }

    /// As [`Format::render_new`](crate::files::Format::render_new).
    pub(super) fn rendered_new(&self, language: &str, entries: &[Entry]) -> Option<Vec<u8>> {
        let document = self.document(self.0.blank(language).as_bytes()).ok()?;
        let mut seen = HashSet::new();
        let mut first: Vec<Entry> = entries.iter().filter(|entry| seen.insert(entry.key.as_str())).cloned().collect();
        for entry in first.iter_mut().filter(|_| self.0.plurals() == "parts") {
            if let Content::Plural(_) = &entry.content {
                entry.content = Content::Text(self.0.one(entry.content.clone(), language));
            }
        }
        Some(self.extended(skeleton_of(&document)?, &first).0)
    }
}

/// An entry with all that it stands in: of a list, the whole list.
fn extent(place: &Place) -> &Range<usize> {
    place.list.as_ref().unwrap_or(&place.whole)
}

/// The skeleton of a document of these formats.
pub(super) fn skeleton_of(document: &LocalizationFile) -> Option<&Skeleton> {
    let Layout::Spliced(skeleton) = &document.layout else { return None };
    Some(skeleton)
}
