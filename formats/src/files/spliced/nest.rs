//! Formats whose groups lie inside each other by their indentation: new entries bring the groups that the file lacks, and a
//! group of which nothing is left goes.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use l10n_api_types::Content;

use super::grammar::{Grammar, Hand, Written};
use super::insert::{Insertion, Spot};
use super::splices::Splices;

/// Names that lie deeper are written as one, with their dots, so that no file comes out deeper than one that can be read.
const DEEPEST: usize = 100;

/// The facts about the groups of a file.
#[derive(Debug, Default)]
pub(in crate::files) struct Nest {
    /// As many as the file has groups, in the same order: a group comes before those inside it.
    pub(in crate::files) groups: Vec<Level>,
    /// Names that have no value yet, and what gives way to one.
    pub(in crate::files) vacant: HashMap<String, Vacancy>,
    /// Names of what is no text and no group.
    pub(in crate::files) taken: HashSet<String>,
    /// Characters by which an inner group stands further to the right.
    pub(in crate::files) step: usize,
    /// The place of the name of the language.
    pub(in crate::files) language_at: Option<Range<usize>>,
}

/// The part of the file that gives way to a new value.
#[derive(Debug, Clone)]
pub(in crate::files) enum Vacancy {
    /// The lines of the entry.
    Lines(Range<usize>),
    /// The value alone, which can be a text.
    Value(Range<usize>),
}

/// A group that may lie inside another one.
#[derive(Debug, Default)]
pub(in crate::files) struct Level {
    pub(in crate::files) parent: Option<usize>,
    /// The column of its entries, from 0.
    pub(in crate::files) column: usize,
    /// All that goes when nothing is left of it. `None` where it stays.
    pub(in crate::files) whole: Option<Range<usize>>,
    /// A sign of emptiness that goes when an entry comes.
    pub(in crate::files) gives_way: Option<Range<usize>>,
}

/// The writing of entries at their column.
pub(in crate::files) trait Nesting {
    /// The lines of a new entry. `None` where the format cannot say it.
    fn leaf(&self, name: &str, said: (&Content, Option<&str>), column: usize, file: &Hand) -> Option<String>;

    /// The line that begins a group.
    fn opened(&self, name: &str, column: usize, file: &Hand) -> String;

    /// The lines of an entry of another file, at a column of this one.
    fn moved(&self, whole: &str, column: usize, describes: bool) -> String;

    /// The name of a language, in the hand of the one that it replaces.
    fn language(&self, raw: &str, language: &str) -> String;
}

impl Nest {
    /// Lists what goes with entries that go: groups that had some and have none any more, unless `stays` says so.
    pub(super) fn emptied(
        &self,
        places: impl Iterator<Item = (usize, bool)>,
        stays: &HashSet<usize>,
    ) -> Vec<Range<usize>> {
        let mut lost = vec![false; self.groups.len()];
        let mut holds: Vec<bool> = (0..self.groups.len()).map(|group| stays.contains(&group)).collect();
        for (group, goes) in places {
            let list = if goes { &mut lost } else { &mut holds };
            if let Some(flag) = list.get_mut(group) {
                *flag = true;
            }
        }
        let mut gone = Vec::new();
        for (group, level) in self.groups.iter().enumerate().rev() {
            let is_empty = lost.get(group) == Some(&true) && holds.get(group) == Some(&false);
            let goes = level.whole.as_ref().filter(|_| is_empty);
            gone.extend(goes.cloned());
            let list = if goes.is_some() { &mut lost } else { &mut holds };
            if let Some(flag) = level.parent.and_then(|parent| list.get_mut(parent)) {
                *flag = true;
            }
        }
        gone
    }

    /// A group and all that it lies in.
    pub(super) fn ancestors(&self, group: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(group), |group| self.groups.get(*group)?.parent)
    }
}

/// New entries, by the place to which they come.
#[derive(Default)]
pub(super) struct Additions {
    buckets: Vec<Bucket>,
    by_place: HashMap<(usize, usize), usize>,
}

struct Bucket {
    group: usize,
    offset: usize,
    spot: Option<Spot>,
    vacancy: Option<Vacancy>,
    branch: Branch,
}

#[derive(Default)]
struct Branch {
    children: Vec<(String, Child)>,
    by_name: HashMap<String, usize>,
}

enum Child {
    Branch(Branch),
    Text(Content, Option<String>),
    /// Lines of another file.
    Copy(String),
}

/// An entry that comes into a file.
pub(super) enum Item<'a> {
    Text(&'a Content, Option<&'a str>),
    /// Lines of another file, whose name is known there.
    Copy(&'a str),
}

impl Additions {
    /// Adds an entry. `leaves` are the names of all texts that the file will have. `None` where its name is taken.
    pub(super) fn add<G: Grammar>(
        &mut self,
        insertion: &Insertion<'_, G>,
        (group, spot): (usize, Spot),
        (name, item): (&str, Item<'_>),
        leaves: &dyn Fn(&str) -> bool,
    ) -> Option<()> {
        let nest = insertion.skeleton.nest.as_ref()?;
        let prefix = &insertion.skeleton.groups.get(group)?.prefix;
        let (mut at, mut parts) = (prefix.len(), Vec::new());
        let depth = prefix.matches('.').count();
        name.strip_prefix(prefix.as_str())?;
        // The names of the groups on the way, and the rest, which is one name where a text or too much stands before it.
        while let Some(length) = name.get(at..)?.find('.') {
            let path = name.get(..at + length)?;
            let is_group = parts.is_empty() && insertion.index.group(name.get(..=at + length)?).is_some();
            if leaves(path) || is_group || depth + parts.len() >= DEEPEST {
                break;
            }
            if nest.taken.contains(path) {
                return None;
            }
            parts.push(name.get(at..at + length)?);
            at += length + 1;
        }
        parts.push(name.get(at..)?);
        if parts.len() == 1 && (insertion.index.group(&format!("{name}.")).is_some() || nest.taken.contains(name)) {
            return None;
        }
        let first = format!("{prefix}{}", parts.first()?);
        let vacancy = nest.vacant.get(&first).cloned();
        let offset = match &vacancy {
            Some(Vacancy::Lines(range) | Vacancy::Value(range)) => range.start,
            None => insertion.place(spot)?,
        };
        let spot = vacancy.is_none().then_some(spot);
        let kind = if vacancy.is_some() { usize::MAX } else { group };
        let bucket = *self.by_place.entry((offset, kind)).or_insert_with(|| {
            self.buckets.push(Bucket { group, offset, spot, vacancy, branch: Branch::default() });
            self.buckets.len() - 1
        });
        let mut branch = &mut self.buckets.get_mut(bucket)?.branch;
        let last = parts.pop()?;
        for part in parts {
            branch = branch.within(part)?;
        }
        let child = match item {
            Item::Text(content, description) => Child::Text(content.clone(), description.map(str::to_owned)),
            Item::Copy(text) => Child::Copy(text.to_owned()),
        };
        branch.push(last, child)
    }

    /// Writes all. `describes` says whether lines of another file keep their comments. `None` where the format cannot say
    /// one of them.
    pub(super) fn write<G: Grammar>(
        mut self,
        splices: &mut Splices,
        insertion: &Insertion<'_, G>,
        describes: bool,
    ) -> Option<()> {
        let (nest, nesting) = (insertion.skeleton.nest.as_ref()?, insertion.format.0.nesting()?);
        let column = |group: usize| nest.groups.get(group).map_or(0, |level| level.column);
        // At one place, what lies deeper ends before what it lies in goes on.
        self.buckets.sort_by_key(|bucket| (bucket.offset, std::cmp::Reverse(column(bucket.group))));
        let mut all = Some(());
        for bucket in self.buckets {
            let hand = insertion.skeleton.hand(bucket.offset);
            let writer = Writer { nesting, step: nest.step, describes, hand: &hand };
            let level = nest.groups.get(bucket.group);
            if let Some(sign) = level.and_then(|level| level.gives_way.clone()) {
                splices.remove(sign);
            }
            let mut vacancy = bucket.vacancy;
            for child in &bucket.branch.children {
                let mut text = String::new();
                if let (Some(Vacancy::Value(at)), (_, Child::Text(Content::Text(said), _))) = (&vacancy, child) {
                    let said = insertion.format.0.spell(said, &Written { raw: "", hand: 0, file: hand });
                    splices.replace(at.clone(), format!(" {said}"));
                    continue;
                }
                if writer.write(&mut text, child, column(bucket.group)).is_none() {
                    all = None;
                    continue;
                }
                match (bucket.spot, vacancy.take()) {
                    (_, Some(Vacancy::Lines(lines))) => {
                        let ends = insertion.skeleton.source.get(&lines).ends_with('\n');
                        text.truncate(text.len() - if ends { 0 } else { hand.newline.len() });
                        splices.replace(lines, text);
                    }
                    (Some(spot), None) => insertion.insert(splices, spot, bucket.offset, text),
                    _ => all = None,
                }
            }
        }
        all
    }
}

impl Branch {
    /// The branch of a name, which is begun where it is not there.
    fn within(&mut self, name: &str) -> Option<&mut Self> {
        let at = match self.by_name.get(name) {
            Some(at) => *at,
            None => {
                self.push(name, Child::Branch(Self::default()))?;
                self.children.len() - 1
            }
        };
        match self.children.get_mut(at) {
            Some((_, Child::Branch(branch))) => Some(branch),
            _ => None,
        }
    }

    fn push(&mut self, name: &str, child: Child) -> Option<()> {
        if self.by_name.contains_key(name) {
            return None;
        }
        self.by_name.insert(name.to_owned(), self.children.len());
        self.children.push((name.to_owned(), child));
        Some(())
    }
}

struct Writer<'a> {
    nesting: &'a dyn Nesting,
    step: usize,
    describes: bool,
    hand: &'a Hand,
}

impl Writer<'_> {
    /// Writes an entry or a group. It lies at most [`DEEPEST`] deep.
    fn write(&self, out: &mut String, (name, child): &(String, Child), column: usize) -> Option<()> {
        match child {
            Child::Text(content, description) => {
                out.push_str(&self.nesting.leaf(name, (content, description.as_deref()), column, self.hand)?);
            }
            Child::Copy(text) => {
                let text = self.nesting.moved(text, column, self.describes).replace("\r\n", "\n");
                out.push_str(&text.replace('\n', self.hand.newline));
            }
            Child::Branch(branch) => {
                out.push_str(&self.nesting.opened(name, column, self.hand));
                for child in &branch.children {
                    self.write(out, child, column + self.step)?;
                }
            }
        }
        Some(())
    }
}
