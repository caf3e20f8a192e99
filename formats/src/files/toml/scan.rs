//! Finds the texts of a TOML file.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use l10n_api_types::PluralCategory;

use super::rows::{Section, TableHeader, TomlItem, TomlRow, sections};
use super::{ARG, DOTTED};
use crate::files::error::shown;
use crate::files::refs::LONGEST_KEY;
use crate::files::spliced::{Group, Place, PluralVariant, Scan, ScanError, Tables, TextValue, described};

/// The group of the lines before the first table.
const ROOT: usize = 0;
/// The group of tables that are one entry each.
const MESSAGES: usize = 1;
/// Warnings of one kind.
const MOST_WARNINGS: usize = 3;

pub(super) fn scan(text: &str) -> Result<Scan, ScanError> {
    let sections = sections(text)?;
    let mut scanner = Scanner { text, ..Scanner::default() };
    for prefix in ["", ""] {
        scanner.groups.push(Group { prefix: prefix.to_owned(), end: Some(text.len()) });
    }
    scanner.tables.group = MESSAGES;
    for section in sections {
        scanner.section(section)?;
    }
    if scanner.not_offered > 0 {
        let message = format!("{} tables in brackets or braces are left as they are", scanner.not_offered);
        scanner.warnings.push(message);
    }
    let Scanner { places, groups, warnings, tables, .. } = scanner;
    let escapes = text.is_ascii() && (text.contains("\\u") || text.contains("\\U"));
    Ok(Scan { places, groups, warnings, escapes, tables: Some(Box::new(tables)), ..Scan::default() })
}

/// Returns true if values of a file are numbers, lists or the like, as those of settings are.
pub(super) fn has_other_values(text: &str) -> bool {
    let is_array = |section: &Section| section.header.as_ref().is_some_and(|header| header.is_array);
    let has_others = |section: &Section| section.rows.iter().any(|row| row.text().is_none());
    sections(text).is_ok_and(|sections| sections.iter().any(|section| is_array(section) || has_others(section)))
}

#[derive(Default)]
struct Scanner<'t> {
    text: &'t str,
    places: Vec<Place>,
    groups: Vec<Group>,
    tables: Tables,
    warnings: Vec<String>,
    /// Arrays of tables: what lies in them has no name of its own.
    arrays: HashSet<String>,
    not_offered: usize,
    without_other: usize,
    /// The end of the line or header before.
    last_end: usize,
}

/// The lines of a table whose keys begin alike: `a.one`, `a.other`.
#[derive(Default)]
struct Run {
    first: usize,
    last: usize,
    count: usize,
    has_other: bool,
    is_message: bool,
}

impl Scanner<'_> {
    fn section(&mut self, section: Section) -> Result<(), ScanError> {
        let Section { header, rows } = section;
        let Some(header) = header else { return self.root(rows) };
        let at = header.name_at.start;
        let name = header.path.join(".");
        if name.len() >= LONGEST_KEY {
            let message = format!("the key {} is longer than {LONGEST_KEY} bytes", shown(&name));
            return Err(ScanError::at(at, message));
        }
        let (start, comment) = self.comment(header.line.start);
        self.last_end = header.line.end;
        let end = rows.last().map_or(header.line.end, |row| row.lines.end);
        let is_within = ancestors(&name).any(|path| self.arrays.contains(path));
        self.tables.taken.extend(ancestors(&name).chain([name.as_str()]).map(str::to_owned));
        if header.is_array || is_within {
            self.not_offered += 1;
            self.tables.closed.insert(name.clone());
            if header.is_array {
                self.arrays.insert(name);
            }
            self.last_end = end;
            return Ok(());
        }
        if is_message(rows.iter().map(|row| (row.key.as_slice(), &row.value))) {
            self.tables.closed.insert(name.clone());
            self.message((name, header, comment), rows, start..end);
            return Ok(());
        }
        let group = self.groups.len();
        self.groups.push(Group { prefix: format!("{name}."), end: Some(end) });
        let has_forms = rows.iter().any(|row| matches!(row.key.as_slice(), [name] if category(name).is_some()));
        self.rows(rows, group, has_forms.then_some(start..end))
    }

    /// The lines before the first table.
    fn root(&mut self, rows: Vec<TomlRow>) -> Result<(), ScanError> {
        let end = rows.last().map_or_else(|| self.after_first_comment(), |row| row.lines.end);
        if let Some(root) = self.groups.get_mut(ROOT) {
            root.end = Some(end);
        }
        self.rows(rows, ROOT, None)
    }

    /// The place of a first line: after the comment that begins the file.
    fn after_first_comment(&self) -> usize {
        let lines = self.text.split_inclusive('\n');
        let comment: usize = lines.take_while(|line| line.trim_start().starts_with('#')).map(str::len).sum();
        let rest = self.text.get(comment..).unwrap_or_default();
        let blank = rest.split_inclusive('\n').next().filter(|line| line.trim().is_empty());
        if comment > 0 && blank.is_none() && !rest.is_empty() { 0 } else { comment + blank.map_or(0, str::len) }
    }

    /// A table that is one entry.
    fn message(
        &mut self,
        (name, header, comment): (String, TableHeader, Option<String>),
        rows: Vec<TomlRow>,
        whole: Range<usize>,
    ) {
        self.last_end = whole.end;
        let described = rows.iter().find(|row| row.is("description"));
        let description = described.and_then(|row| row.text()).map(str::to_owned).or(comment);
        let values = forms(rows, 0);
        if !has_other(&values) {
            self.leave(&name);
            return;
        }
        self.places.push(Place {
            name,
            group: MESSAGES,
            name_at: header.name_at,
            description,
            whole,
            values,
            arg: Some(ARG.to_owned()),
            list: None,
        });
    }

    /// Notes that a plural stays as it is.
    fn leave(&mut self, name: &str) {
        self.tables.taken.insert(name.to_owned());
        self.tables.closed.insert(name.to_owned());
        self.without_other += 1;
        if self.without_other <= MOST_WARNINGS {
            self.warnings.push(format!("{} is left as it is: a plural needs a text for other", shown(name)));
        }
    }

    /// The lines of a table. Those of `list` come and go together, since fewer would mean something else.
    fn rows(&mut self, rows: Vec<TomlRow>, group: usize, list: Option<Range<usize>>) -> Result<(), ScanError> {
        let prefix = self.groups.get(group).map(|group| group.prefix.clone()).unwrap_or_default();
        let runs = runs(&rows);
        let spans: Vec<Range<usize>> = rows.iter().map(|row| row.lines.clone()).collect();
        let mut rows = rows.into_iter().enumerate();
        while let Some((_, row)) = rows.next() {
            let parent = row.key.get(..row.key.len().saturating_sub(1)).unwrap_or_default().join(".");
            let name = format!("{prefix}{}", row.key.join("."));
            if row.key.len() > 1 {
                if name.len() > LONGEST_KEY {
                    let message = format!("the key {} is longer than {LONGEST_KEY} bytes", shown(&name));
                    return Err(ScanError::at(row.key_at.start, message));
                }
                for path in ancestors(&name).filter(|path| path.len() > prefix.len()) {
                    self.tables.taken.insert(path.to_owned());
                    self.tables.closed.insert(path.to_owned());
                }
            }
            self.tables.closed.insert(name.clone());
            let (start, description) = self.comment(row.lines.start);
            self.last_end = row.lines.end;
            let mut list = list.clone();
            if let Some(run) = runs.get(parent.as_str()).filter(|run| run.has_other && row.key.len() > 1) {
                let end = spans.get(run.last).map_or(row.lines.end, |last| last.end);
                if run.last + 1 - run.first != run.count {
                    let message =
                        format!("the texts of {} stand in several places: put them below each other", shown(&parent));
                    return Err(ScanError::at(row.key_at.start, message));
                }
                if run.is_message && list.is_none() {
                    let name_at = row.key_at.clone();
                    let mut all = vec![row];
                    all.extend(rows.by_ref().take(run.count - 1).map(|(_, row)| row));
                    self.last_end = end;
                    let described = all.iter().find(|row| row.is("description")).and_then(|row| row.text());
                    let description = described.map(str::to_owned).or(description);
                    self.places.push(Place {
                        name: format!("{prefix}{parent}"),
                        group,
                        name_at,
                        description,
                        whole: start..end,
                        values: forms(all, DOTTED),
                        arg: Some(ARG.to_owned()),
                        list: None,
                    });
                    continue;
                }
                let first = spans.get(run.first).map_or(start, |first| first.start);
                list = list.or(Some(first..end));
            }
            self.row(row, (name, group), (start, description), list);
        }
        Ok(())
    }

    /// One line of a table.
    fn row(
        &mut self,
        row: TomlRow,
        (name, group): (String, usize),
        (start, description): (usize, Option<String>),
        list: Option<Range<usize>>,
    ) {
        let whole = start..row.lines.end;
        let (values, arg) = match row.value {
            TomlItem::Text { text, at, spelling } => (vec![TextValue { text, at, spelling, form: None }], None),
            TomlItem::Pairs(pairs) if is_message(pairs.iter().map(|row| (row.key.as_slice(), &row.value))) => {
                match pair_forms(pairs) {
                    // There is no comma between the pairs of one.
                    Some(values) if values.len() == 1 => {
                        (values.into_iter().map(|value| TextValue { form: None, ..value }).collect(), None)
                    }
                    Some(values) => (values, Some(ARG.to_owned())),
                    None => return self.leave(&name),
                }
            }
            item => {
                self.not_offered += usize::from(!matches!(item, TomlItem::Other));
                self.tables.taken.insert(name);
                return;
            }
        };
        self.places.push(Place { name, group, name_at: row.key_at, description, whole, values, arg, list });
    }

    /// The comment directly above a line: its beginning and its text.
    fn comment(&self, line: usize) -> (usize, Option<String>) {
        let mut start = line;
        while start > self.last_end {
            let before = self.text.get(self.last_end..start - 1).unwrap_or_default();
            let above = self.last_end + before.rfind('\n').map_or(0, |end| end + 1);
            let is_comment = self.text.get(above..start).is_some_and(|text| text.trim_start().starts_with('#'));
            if !is_comment {
                break;
            }
            start = above;
        }
        // What begins the file is about the file.
        let text = self.text.get(start..line).filter(|text| start > 0 && !text.is_empty());
        let lines = text.map(|text| text.lines().map(|line| line.trim_start().trim_start_matches('#')));
        match lines.and_then(described) {
            Some(description) => (start, Some(description)),
            None => (line, None),
        }
    }
}

impl TomlRow {
    fn is(&self, name: &str) -> bool {
        self.key.last().is_some_and(|last| last == name)
    }

    fn text(&self) -> Option<&str> {
        match &self.value {
            TomlItem::Text { text, .. } => Some(text),
            _ => None,
        }
    }
}

/// The tables in which a name lies.
fn ancestors(name: &str) -> impl Iterator<Item = &str> {
    name.match_indices('.').filter_map(|(at, _)| name.get(..at))
}

fn category(name: &str) -> Option<PluralCategory> {
    PluralCategory::ALL.iter().copied().find(|category| category.as_str() == name)
}

/// Returns true for the names that the pairs of one text have in go-i18n.
fn is_reserved(name: &str) -> bool {
    const NAMES: [&str; 5] = ["id", "description", "hash", "leftDelim", "rightDelim"];
    NAMES.contains(&name) || category(name).is_some()
}

/// Returns true if pairs are one text: reserved names alone, and one of a category.
fn is_message<'r>(mut pairs: impl Iterator<Item = (&'r [String], &'r TomlItem)> + Clone) -> bool {
    let mut all = pairs.clone();
    all.all(|(key, item)| matches!((key, item), ([name], TomlItem::Text { .. }) if is_reserved(name)))
        && pairs.any(|(key, _)| matches!(key, [name] if category(name).is_some()))
}

/// Lines whose keys have several parts, by the parts before the last one.
fn runs(rows: &[TomlRow]) -> HashMap<String, Run> {
    let mut runs: HashMap<String, Run> = HashMap::new();
    for (at, row) in rows.iter().enumerate() {
        let [parents @ .., last] = row.key.as_slice() else { continue };
        if parents.is_empty() {
            continue;
        }
        let new = Run { first: at, is_message: true, ..Run::default() };
        let run = runs.entry(parents.join(".")).or_insert(new);
        run.last = at;
        run.count += 1;
        run.has_other |= last == "other";
        run.is_message &= is_reserved(last) && row.text().is_some();
    }
    runs
}

/// The texts of lines that are one plural.
fn forms(rows: Vec<TomlRow>, dotted: u8) -> Vec<TextValue> {
    let form = |row: TomlRow| {
        let category = category(row.key.last()?)?;
        let TomlItem::Text { text, at, spelling } = row.value else { return None };
        let form = Some(PluralVariant { category, category_at: row.last_at, whole: row.lines, in_row: None });
        Some(TextValue { text, at, spelling: spelling | dotted, form })
    };
    rows.into_iter().filter_map(form).collect()
}

fn has_other(values: &[TextValue]) -> bool {
    values.iter().any(|value| value.form.as_ref().is_some_and(|form| form.category == PluralCategory::Other))
}

/// The texts of pairs between braces that are one plural. It ends with `other`, which has no comma, so that nothing comes
/// after it.
fn pair_forms(pairs: Vec<TomlRow>) -> Option<Vec<TextValue>> {
    let starts: Vec<usize> = pairs.iter().map(|row| row.lines.start).collect();
    let is_last_other = pairs.last().is_some_and(|row| row.is("other"));
    let mut values = forms(pairs, 0);
    for form in values.iter_mut().filter_map(|value| value.form.as_mut()) {
        if let Some(next) = starts.get(starts.partition_point(|start| *start <= form.whole.start)) {
            form.whole.end = *next;
        }
    }
    is_last_other.then_some(values)
}
