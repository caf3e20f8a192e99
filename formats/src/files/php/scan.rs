//! Finds the texts of a PHP file.

use std::collections::HashMap;
use std::ops::Range;

use super::LONG_ARRAYS;
use super::read::{Array, ArrayItem, PhpFile, PhpValue, file};
use crate::files::error::shown;
use crate::files::refs::LONGEST_KEY;
use crate::files::spliced::{Group, Nest, NestedGroup, Place, ReplacedPart, Scan, ScanError, TextValue};

/// Blanks between a group and its entries, where the file shows none.
const STEP: usize = 4;

pub(super) fn scan(text: &str) -> Result<Scan, ScanError> {
    if text.trim().is_empty() {
        let groups = vec![Group::default()];
        return Ok(Scan { groups, nest: Some(Nest::default()), ..Scan::default() });
    }
    let PhpFile { array, comments } = file(text)?;
    let long = comments.into_iter().filter(|at| text.get(at.clone()).is_some_and(|comment| comment.contains('\n')));
    let mut scanner = Scanner {
        text,
        long: long.collect(),
        places: Vec::new(),
        groups: Vec::new(),
        nest: Nest::default(),
        steps: None,
    };
    scanner.root(&array)?;
    let Scanner { places, groups, mut nest, steps, .. } = scanner;
    nest.step = steps.unwrap_or(if nest.has_tabs { 1 } else { STEP });
    let style = if array.is_long { LONG_ARRAYS } else { 0 };
    Ok(Scan { places, groups, style, nest: Some(nest), ..Scan::default() })
}

struct Scanner<'t> {
    text: &'t str,
    /// Comments of several lines.
    long: Vec<Range<usize>>,
    places: Vec<Place>,
    groups: Vec<Group>,
    nest: Nest,
    /// The smallest step to the right.
    steps: Option<usize>,
}

impl Scanner<'_> {
    fn root(&mut self, array: &Array) -> Result<(), ScanError> {
        // What computes is left alone, with a key or without.
        let is_nameless = |item: &&ArrayItem| item.name_at.is_empty() && !matches!(item.value, PhpValue::Other);
        if let Some(item) = array.items.iter().find(is_nameless) {
            return Err(ScanError::at(item.start, "this text has no key: write `'key' => 'text'`"));
        }
        let is_block = self.is_block(array);
        if let (Some(item), false) = (array.items.first(), is_block) {
            return Err(ScanError::at(
                item.start,
                "two entries, or an entry and a bracket, share a line: give each its own",
            ));
        }
        let close = array.inside.end;
        let own = self.indent(self.line_start(array.inside.start));
        let gives_way = (!is_block).then(|| {
            let inside = self.text.get(array.inside.clone()).unwrap_or_default();
            array.inside.start + inside.trim_end().len()..close
        });
        let end = if is_block { self.line_start(close) } else { close };
        let first = array.items.first().map(|item| self.indent(self.line_start(item.start)));
        self.nest.has_tabs = first.as_ref().unwrap_or(&own).starts_with('\t');
        let step = if self.nest.has_tabs { 1 } else { STEP };
        let column = first.map_or(own.len() + step, |indent| indent.len());
        self.steps = column.checked_sub(own.len()).filter(|step| *step > 0);
        self.groups.push(Group { prefix: String::new(), end: Some(end) });
        let comma_at = comma_at(array);
        self.nest.groups.push(NestedGroup { column, after: end, comma_at, gives_way, ..NestedGroup::default() });
        self.items(array, 0)?;
        Ok(())
    }

    /// Returns true if each entry, and the bracket at the end, begins a line.
    fn is_block(&self, array: &Array) -> bool {
        let lines = array.items.iter().all(|item| self.begins_line(item.start));
        lines && self.begins_line(array.inside.end)
    }

    /// Returns true if nothing but blanks stands before an offset in its line.
    fn begins_line(&self, offset: usize) -> bool {
        let before = self.text.get(..offset).unwrap_or_default();
        before.trim_end_matches([' ', '\t']).ends_with('\n')
    }

    fn line_start(&self, offset: usize) -> usize {
        self.text.get(..offset).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1)
    }

    /// The end of the line in which an offset lies, with its line end, and with the comments that begin there.
    fn line_end(&self, offset: usize) -> usize {
        let mut from = offset;
        loop {
            let rest = self.text.get(from..).unwrap_or_default();
            let Some(length) = rest.find('\n') else { return self.text.len() };
            let end = from + length;
            let next = self.long.partition_point(|comment| comment.end <= end);
            match self.long.get(next).filter(|comment| comment.start < end) {
                Some(comment) => from = comment.end,
                None => return end + 1,
            }
        }
    }

    /// The blanks and tabs at an offset.
    fn indent(&self, offset: usize) -> String {
        let rest = self.text.get(offset..).unwrap_or_default();
        rest.chars().take_while(|c| matches!(c, ' ' | '\t')).collect()
    }

    /// Reads the entries of a group. Returns true if all of them are offered.
    fn items(&mut self, array: &Array, group: usize) -> Result<bool, ScanError> {
        let prefix = self.groups.get(group).map(|group| group.prefix.clone()).unwrap_or_default();
        let mut names: HashMap<&str, usize> = HashMap::new();
        let mut is_all = true;
        for item in &array.items {
            let Some(own) = self.name(item, &mut names)? else {
                is_all = false;
                continue;
            };
            let name = format!("{prefix}{own}");
            let (start, description) = self.comment(item);
            let whole = start..self.line_end(item.comma_end.unwrap_or(item.at.end));
            is_all &= self.item(item, (name, whole, description), group)?;
        }
        Ok(is_all)
    }

    /// The name of an entry, which stands there once. `None` where it is computed.
    fn name<'i>(&self, item: &'i ArrayItem, names: &mut HashMap<&'i str, usize>) -> Result<Option<&'i str>, ScanError> {
        let Some(name) = item.name.as_deref() else { return Ok(None) };
        if let Some(other) = names.insert(name, item.start) {
            let line = crate::position::line_and_column(self.text.as_bytes(), other).0;
            let message = format!("the key {} is there twice, in line {line} with another value", shown(name));
            return Err(ScanError::at(item.start, message));
        }
        Ok(Some(name))
    }

    /// Reads an entry of a group. Returns true if all of it is offered.
    fn item(
        &mut self,
        item: &ArrayItem,
        (name, whole, description): (String, Range<usize>, Option<String>),
        group: usize,
    ) -> Result<bool, ScanError> {
        match &item.value {
            PhpValue::Text(text, spelling) => {
                let value = TextValue { text: text.clone(), at: item.at.clone(), spelling: *spelling, form: None };
                let (name_at, values) = (item.name_at.clone(), vec![value]);
                self.places.push(Place { name, group, name_at, description, whole, values, arg: None, list: None });
                Ok(true)
            }
            PhpValue::Array(array) if array.items.is_empty() => {
                self.empty(item, array, (name, whole), group);
                Ok(false)
            }
            PhpValue::Array(array) if array.is_list || !self.is_block(array) => {
                let from = self.places.len();
                let list = (&whole, &description);
                self.list(item, array, list, &name, group)?;
                self.nest.lists.insert(whole.start, name.clone());
                self.nest.taken.insert(name);
                Ok(self.places.len() > from)
            }
            PhpValue::Array(array) => self.group(item, array, (name, whole), group),
            PhpValue::Other => {
                self.nest.taken.insert(name);
                Ok(false)
            }
        }
    }

    /// Notes an array without entries, in whose place a value may come.
    fn empty(&mut self, item: &ArrayItem, array: &Array, (name, whole): (String, Range<usize>), group: usize) {
        if self.text.get(array.inside.clone()).is_some_and(|inside| inside.trim().is_empty()) {
            let lines = self.line_start(item.start)..whole.end;
            self.nest.vacant.insert(name, (group, ReplacedPart::Lines(lines)));
        } else {
            self.nest.taken.insert(name);
        }
    }

    /// Reads an array that lies in another one.
    fn group(
        &mut self,
        item: &ArrayItem,
        array: &Array,
        (name, whole): (String, Range<usize>),
        parent: usize,
    ) -> Result<bool, ScanError> {
        self.check_length(item, &name)?;
        let column = array.items.first().map_or(0, |item| self.indent(self.line_start(item.start)).len());
        let outer = self.nest.groups.get(parent).map_or(0, |level| level.column);
        if let Some(step) = column.checked_sub(outer).filter(|step| *step > 0) {
            self.steps = Some(self.steps.map_or(step, |least| least.min(step)));
        }
        let group = self.groups.len();
        let end = self.line_start(array.inside.end);
        self.groups.push(Group { prefix: format!("{name}."), end: Some(end) });
        let (after, comma_at) = (whole.end, comma_at(array));
        self.nest.groups.push(NestedGroup { parent: Some(parent), column, after, comma_at, ..NestedGroup::default() });
        let is_all = self.items(array, group)?;
        if let Some(level) = self.nest.groups.get_mut(group) {
            level.whole = is_all.then_some(whole);
        }
        Ok(true)
    }

    /// The texts of an array that come and go together.
    fn list(
        &mut self,
        item: &ArrayItem,
        array: &Array,
        list: (&Range<usize>, &Option<String>),
        name: &str,
        group: usize,
    ) -> Result<(), ScanError> {
        self.check_length(item, name)?;
        let mut names = HashMap::new();
        for inner in &array.items {
            let Some(own) = self.name(inner, &mut names)? else { continue };
            let name = format!("{name}.{own}");
            match &inner.value {
                PhpValue::Text(text, spelling) => self.places.push(Place {
                    name,
                    group,
                    name_at: item.name_at.clone(),
                    description: list.1.clone(),
                    whole: inner.at.clone(),
                    values: vec![TextValue {
                        text: text.clone(),
                        at: inner.at.clone(),
                        spelling: *spelling,
                        form: None,
                    }],
                    arg: None,
                    list: Some(list.0.clone()),
                }),
                PhpValue::Array(array) => self.list(item, array, list, &name, group)?,
                PhpValue::Other => {}
            }
        }
        Ok(())
    }

    fn check_length(&self, item: &ArrayItem, name: &str) -> Result<(), ScanError> {
        if name.len() < LONGEST_KEY {
            return Ok(());
        }
        let message = format!("the key {} is longer than {LONGEST_KEY} bytes", shown(name));
        Err(ScanError::at(item.start, message))
    }

    /// The comments directly above an entry: the beginning of their lines, or of its own, and their text.
    fn comment(&self, item: &ArrayItem) -> (usize, Option<String>) {
        let line = self.line_start(item.start);
        let mut start = line;
        let mut lines = Vec::new();
        for comment in item.above.iter().rev() {
            let between = self.text.get(comment.end..start).unwrap_or("x");
            if !self.begins_line(comment.start) || between.matches('\n').count() != 1 || !between.trim().is_empty() {
                break;
            }
            start = self.line_start(comment.start);
            lines.push(self.text.get(comment.clone()).unwrap_or_default());
        }
        lines.reverse();
        match described(&lines) {
            Some(description) => (start, Some(description)),
            None => (line, None),
        }
    }
}

/// The place of the comma that the last entry lacks.
fn comma_at(array: &Array) -> Option<usize> {
    array.items.last().filter(|item| item.comma_end.is_none()).map(|item| item.at.end)
}

/// The text of comments. None where nothing is said, or where an entry was commented out.
fn described(comments: &[&str]) -> Option<String> {
    if comments.iter().any(|comment| comment.contains("=>")) {
        return None;
    }
    let bare = |line: &str| {
        line.trim().trim_start_matches(['/', '*', '#', '|', '!']).trim_end_matches(['/', '*']).trim().to_owned()
    };
    let lines = comments.iter().flat_map(|comment| comment.lines()).map(bare);
    let says = |line: &String| line.chars().any(char::is_alphanumeric);
    let text = lines.filter(says).collect::<Vec<_>>().join("\n");
    (!text.is_empty()).then_some(text)
}
