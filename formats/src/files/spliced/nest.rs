//! Formats whose groups lie inside each other, in lines of their own: new entries bring the groups that the file lacks, and
//! a group of which nothing is left goes.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::Range;

use l10n_api_types::Content;

use super::grammar::FileStyle;

/// The facts about the groups of a file.
#[derive(Debug, Default)]
pub(in crate::files) struct Nest {
    /// As many as the file has groups, in the same order: a group comes before those inside it.
    pub(in crate::files) groups: Vec<NestedGroup>,
    /// Names that have no value yet, the group in which they stand, and what gives way to a value.
    pub(in crate::files) vacant: HashMap<String, (usize, ReplacedPart)>,
    /// Names of what is no text and no group.
    pub(in crate::files) taken: HashSet<String>,
    /// The whole names of lists, by the offsets at which they begin.
    pub(in crate::files) lists: HashMap<usize, String>,
    /// Characters by which an inner group stands further to the right.
    pub(in crate::files) step: usize,
    /// Tabs stand before entries, not blanks.
    pub(in crate::files) has_tabs: bool,
    /// The place of the name of the language.
    pub(in crate::files) language_at: Option<Range<usize>>,
}

/// The part of the file that gives way to a new value.
#[derive(Debug, Clone)]
pub(in crate::files) enum ReplacedPart {
    /// The lines of the entry.
    Lines(Range<usize>),
    /// The value alone, which can be a text.
    Value(Range<usize>),
}

/// A group that may lie inside another one.
#[derive(Debug, Default)]
pub(in crate::files) struct NestedGroup {
    pub(in crate::files) parent: Option<usize>,
    /// The column of its entries, from 0, in characters.
    pub(in crate::files) column: usize,
    /// The place of what follows the group in the one around it.
    pub(in crate::files) after: usize,
    /// The place of the comma that the last entry lacks, and that it needs when another one follows.
    pub(in crate::files) comma_at: Option<usize>,
    /// All that goes when nothing is left of it. `None` where it stays.
    pub(in crate::files) whole: Option<Range<usize>>,
    /// A sign of emptiness that goes when an entry comes.
    pub(in crate::files) gives_way: Option<Range<usize>>,
}

/// The blanks or tabs before an entry.
#[derive(Debug, Clone, Copy)]
pub(in crate::files) struct Indent {
    pub(in crate::files) column: usize,
    has_tabs: bool,
}

impl Indent {
    /// The one at another column.
    pub(in crate::files) fn at(self, column: usize) -> Self {
        Self { column, ..self }
    }
}

impl fmt::Display for Indent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&(if self.has_tabs { "\t" } else { " " }).repeat(self.column))
    }
}

/// The writing of entries at their column.
pub(in crate::files) trait Nesting {
    /// The lines of a new entry. `None` where the format cannot say it.
    fn leaf(&self, name: &str, said: (&Content, Option<&str>), indent: Indent, file: &FileStyle) -> Option<String>;

    /// The line that begins a group.
    fn opened(&self, name: &str, indent: Indent, file: &FileStyle) -> String;

    /// The line that ends a group, if one does.
    fn closed(&self, _indent: Indent, _file: &FileStyle) -> String {
        String::new()
    }

    /// The lines of a new list of texts. `None` where the format has names for what it has lists for.
    fn list(
        &self,
        _name: &str,
        _said: (&[&str], Option<&str>),
        _indents: [Indent; 2],
        _file: &FileStyle,
    ) -> Option<String> {
        None
    }

    /// The text that comes in place of a sign of emptiness, before the first entry.
    fn first(&self, _file: &FileStyle) -> &'static str {
        ""
    }

    /// The lines of an entry of another file, at the indentation of this one.
    fn moved(&self, whole: &str, indent: Indent, describes: bool) -> String;

    /// The places of the dots of a new name after which a group goes on.
    fn dots(&self, name: &str) -> Vec<usize> {
        name.match_indices('.').map(|(at, _)| at).collect()
    }

    /// Returns true if a group of texts with these names would be read as the forms of one text.
    fn is_plural(&self, _names: &mut dyn Iterator<Item = &str>) -> bool {
        false
    }

    /// The name of a language, in the style of the one that it replaces. Only for formats whose files name theirs.
    fn language(&self, raw: &str, _language: &str) -> String {
        raw.to_owned()
    }
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

    /// The indentation at a column.
    pub(super) fn indent(&self, column: usize) -> Indent {
        Indent { column, has_tabs: self.has_tabs }
    }

    /// A group and all that it lies in.
    pub(super) fn ancestors(&self, group: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(group), |group| self.groups.get(*group)?.parent)
    }
}
