//! New entries of a file whose groups lie inside each other, with the groups that it lacks.

use std::collections::{HashMap, HashSet};

use l10n_api_types::Content;

use super::grammar::{FileStyle, Grammar, ReplacedValue};
use super::insert::{Insertion, NewEntryPlace};
use super::nest::{Indent, Nesting, ReplacedPart};
use super::splices::Splices;

/// Names that lie deeper are written as one, with their dots, so that no file comes out deeper than one that can be read.
const DEEPEST: usize = 100;

/// The name of a new entry, and the places of the dots after which a group goes on.
pub(super) struct KeyPath<'a> {
    pub(super) name: &'a str,
    pub(super) dots: Vec<usize>,
}

/// New entries, by the place to which they come.
#[derive(Default)]
pub(super) struct Additions {
    buckets: Vec<Bucket>,
    by_place: HashMap<(usize, usize), usize>,
    /// The buckets of names that come into a group of the file: all entries of a new group come to one place.
    by_name: HashMap<(usize, String), usize>,
    /// Names from 0 on come as a list. Entries of another file are what they are there.
    makes_lists: bool,
}

struct Bucket {
    group: usize,
    offset: usize,
    spot: Option<NewEntryPlace>,
    vacancy: Option<ReplacedPart>,
    branch: BranchNode,
}

#[derive(Default)]
struct BranchNode {
    children: Vec<(String, Child)>,
    by_name: HashMap<String, usize>,
}

enum Child {
    Branch(BranchNode),
    Text(Content, Option<String>),
    /// Lines of another file.
    Copy(String),
}

/// An entry that comes into a file.
pub(super) enum Item<'a> {
    Text(&'a Content, Option<&'a str>),
    /// Lines of another file, which hold their name after a prefix of this length.
    Copy(&'a str, usize),
}

impl Additions {
    /// For a file in which names from 0 on come as a list.
    pub(super) fn making_lists() -> Self {
        Self { makes_lists: true, ..Self::default() }
    }

    /// Adds an entry. `leaves` are the names of all texts that the file will have. `None` where its name is taken.
    pub(super) fn add<G: Grammar>(
        &mut self,
        insertion: &Insertion<'_, G>,
        (group, spot): (usize, NewEntryPlace),
        (way, item): (&KeyPath<'_>, Item<'_>),
        leaves: &dyn Fn(&str) -> bool,
    ) -> Option<()> {
        let nest = insertion.skeleton.nest.as_ref()?;
        let prefix = &insertion.skeleton.groups.get(group)?.prefix;
        let name = way.name;
        let (mut at, mut parts) = (prefix.len(), Vec::new());
        let depth = nest.ancestors(group).count();
        name.strip_prefix(prefix.as_str())?;
        // The names of the groups on the way, and the rest, which is one name where a text or too much stands before it.
        for dot in way.dots.iter().copied().filter(|dot| *dot >= prefix.len()) {
            let path = name.get(..dot)?;
            let is_group = parts.is_empty() && insertion.index.group(name.get(..=dot)?).is_some();
            if leaves(path) || is_group || depth + parts.len() >= DEEPEST {
                break;
            }
            if nest.taken.contains(path) {
                return None;
            }
            parts.push(name.get(at..dot)?);
            at = dot + 1;
        }
        parts.push(name.get(at..)?);
        let has_group = || insertion.index.group(&format!("{name}.")).is_some();
        if parts.len() == 1 && (nest.taken.contains(name) || has_group()) {
            return None;
        }
        if let Item::Copy(_, prefix) = item
            && (at != prefix || leaves(name))
        {
            return None;
        }
        let first = format!("{prefix}{}", parts.first()?);
        let vacancy = match nest.vacant.get(&first) {
            Some((home, _)) if *home != group => return None,
            vacant => vacant.map(|(_, vacancy)| vacancy.clone()),
        };
        let home = (group, first);
        let bucket = match self.by_name.get(&home) {
            Some(bucket) => *bucket,
            None => {
                let bucket = self.bucket(insertion, group, spot, vacancy)?;
                self.by_name.insert(home, bucket);
                bucket
            }
        };
        let mut branch = &mut self.buckets.get_mut(bucket)?.branch;
        let last = parts.pop()?;
        for part in parts {
            branch = branch.within(part)?;
        }
        let child = match item {
            Item::Text(content, description) => Child::Text(content.clone(), description.map(str::to_owned)),
            Item::Copy(text, _) => Child::Copy(text.to_owned()),
        };
        branch.push(last, child)
    }

    /// The bucket of a place.
    fn bucket<G: Grammar>(
        &mut self,
        insertion: &Insertion<'_, G>,
        group: usize,
        spot: NewEntryPlace,
        vacancy: Option<ReplacedPart>,
    ) -> Option<usize> {
        let offset = match &vacancy {
            Some(ReplacedPart::Lines(range) | ReplacedPart::Value(range)) => range.start,
            None => insertion.place(spot)?,
        };
        let spot = vacancy.is_none().then_some(spot);
        let kind = if vacancy.is_some() { usize::MAX } else { group };
        Some(*self.by_place.entry((offset, kind)).or_insert_with(|| {
            self.buckets.push(Bucket { group, offset, spot, vacancy, branch: BranchNode::default() });
            self.buckets.len() - 1
        }))
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
        let plurals = self.plurals(insertion, nesting);
        for bucket in self.buckets {
            if plurals.contains(&bucket.group) {
                all = None;
                continue;
            }
            let style = insertion.skeleton.style_at(bucket.offset);
            let writer = Writer { nesting, step: nest.step, describes, makes_lists: self.makes_lists, style: &style };
            let level = nest.groups.get(bucket.group);
            if let Some(sign) = level.and_then(|level| level.gives_way.clone()) {
                splices.replace(sign, nesting.first(&style).to_owned());
            }
            let comma = level.and_then(|level| level.comma_at).filter(|comma| *comma <= bucket.offset);
            if let Some(comma) = comma.filter(|_| bucket.vacancy.is_none()) {
                splices.insert(comma, ",".to_owned());
            }
            let mut vacancy = bucket.vacancy;
            for child in &bucket.branch.children {
                let mut text = String::new();
                if let (Some(ReplacedPart::Value(at)), (_, Child::Text(Content::Text(said), _))) = (&vacancy, child) {
                    let said = insertion.format.0.spell(said, &ReplacedValue { raw: "", spelling: 0, file: style });
                    splices.replace(at.clone(), format!(" {said}"));
                    continue;
                }
                if writer.write(&mut text, child, nest.indent(column(bucket.group))).is_none() {
                    all = None;
                    continue;
                }
                match (bucket.spot, vacancy.take()) {
                    (_, Some(ReplacedPart::Lines(lines))) => {
                        let ends = insertion.skeleton.source.get(&lines).ends_with('\n');
                        text.truncate(text.len() - if ends { 0 } else { style.newline.len() });
                        splices.replace(lines, text);
                    }
                    (Some(spot), None) => insertion.insert(splices, spot, bucket.offset, text, false),
                    _ => all = None,
                }
            }
        }
        all
    }
}

impl Additions {
    /// The groups of the file that would be plurals with what comes, so that their keys would be others.
    fn plurals<G: Grammar>(&self, insertion: &Insertion<'_, G>, nesting: &dyn Nesting) -> HashSet<usize> {
        let Some(nest) = &insertion.skeleton.nest else { return HashSet::new() };
        let (groups, places) = (&insertion.skeleton.groups, &insertion.skeleton.places);
        let mut names: HashMap<usize, Vec<&str>> = HashMap::new();
        for bucket in &self.buckets {
            names.entry(bucket.group).or_default().extend(bucket.branch.children.iter().map(|(name, _)| name.as_str()));
        }
        let has_parent = |group: &usize| nest.groups.get(*group).is_some_and(|level| level.parent.is_some());
        names.retain(|group, names| has_parent(group) && nesting.is_plural(&mut names.iter().copied()));
        if names.is_empty() {
            return HashSet::new();
        }
        for place in places {
            let own = names.get_mut(&place.group).zip(groups.get(place.group));
            if let Some((names, group)) = own {
                names.push(place.name.strip_prefix(group.prefix.as_str()).unwrap_or_default());
            }
        }
        names.retain(|_, names| nesting.is_plural(&mut names.iter().copied()));
        let inner = nest.groups.iter().filter_map(|level| level.parent);
        let others = nest.taken.iter().filter_map(|name| insertion.index.group_for(name));
        // A value that stays empty is no text.
        let empty = nest.vacant.iter().filter(|(name, (group, _))| {
            let own = names.get(group).zip(groups.get(*group));
            own.is_some_and(|(names, group)| {
                name.strip_prefix(group.prefix.as_str()).is_some_and(|name| !names.contains(&name))
            })
        });
        let empty: Vec<usize> = empty.map(|(_, (group, _))| *group).collect();
        for group in inner.chain(others).chain(empty) {
            names.remove(&group);
        }
        names.into_keys().collect()
    }
}

impl BranchNode {
    /// Returns true if it holds nothing but texts with names that would make it a plural.
    fn is_plural(&self, nesting: &dyn Nesting) -> bool {
        self.children.iter().all(|(_, child)| matches!(child, Child::Text(..)))
            && nesting.is_plural(&mut self.children.iter().map(|(name, _)| name.as_str()))
    }

    /// The texts of a list, whose names are their places from 0 on, and what is said about all of them.
    fn texts_of_list(&self) -> Option<(Vec<&str>, Option<&str>)> {
        let mut texts = Vec::with_capacity(self.children.len());
        let mut about: Option<Option<&str>> = None;
        for (at, (name, child)) in self.children.iter().enumerate() {
            let Child::Text(Content::Text(text), description) = child else { return None };
            let description = description.as_deref();
            if *name != at.to_string() || *about.get_or_insert(description) != description {
                return None;
            }
            texts.push(text.as_str());
        }
        Some((texts, about?))
    }

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
    makes_lists: bool,
    style: &'a FileStyle,
}

impl Writer<'_> {
    /// Writes an entry or a group. It lies at most [`DEEPEST`] deep.
    fn write(&self, out: &mut String, (name, child): &(String, Child), indent: Indent) -> Option<()> {
        match child {
            Child::Text(content, description) => {
                out.push_str(&self.nesting.leaf(name, (content, description.as_deref()), indent, self.style)?);
            }
            Child::Copy(text) => {
                let text = self.nesting.moved(text, indent, self.describes).replace("\r\n", "\n");
                out.push_str(&text.replace('\n', self.style.newline));
            }
            Child::Branch(branch) if branch.is_plural(self.nesting) => {
                for (inner, child) in &branch.children {
                    if let Child::Text(content, description) = child {
                        let said = (content, description.as_deref());
                        out.push_str(&self.nesting.leaf(&format!("{name}.{inner}"), said, indent, self.style)?);
                    }
                }
            }
            Child::Branch(branch) => {
                let inner = indent.at(indent.column + self.step);
                let said = branch.texts_of_list().filter(|_| self.makes_lists);
                let list =
                    said.and_then(|said| self.nesting.list(name, (&said.0, said.1), [indent, inner], self.style));
                if let Some(list) = list {
                    out.push_str(&list);
                    return Some(());
                }
                out.push_str(&self.nesting.opened(name, indent, self.style));
                for child in &branch.children {
                    self.write(out, child, inner)?;
                }
                out.push_str(&self.nesting.closed(indent, self.style));
            }
        }
        Some(())
    }
}
