//! Writing translations into bilingual files.

use std::collections::{HashMap, HashSet};

use l10n_api_types::{Content, PluralCategory};

use super::text::TextSpelling;
use super::{Bilingual, Dialect, FormsOf, NewUnit, Skeleton, TranslationUnit, UnitLanguages};
use crate::files::plural::{Forms, Zero, one_text};
use crate::files::spliced::Splices;
use crate::files::xml::Entities;
use crate::files::{Entry, Merged, SourceTexts, TranslationLookup};
use crate::locales::is_same_tag;

/// A translation: its texts, and of a text that shows elements the unit that it is of.
struct UnitTranslation<'a> {
    texts: Vec<String>,
    of: &'a TranslationUnit,
}

/// Returns true if a reader may take blanks of the text away.
pub(in crate::files) fn has_blanks(text: &str) -> bool {
    text.trim() != text || text.contains('\n') || text.contains("  ")
}

impl<D: Dialect> Bilingual<D> {
    /// As [`Format::render`](crate::files::Format::render). A file that says of each text what its source says is that of the
    /// source, and stays.
    pub(super) fn rendered(
        &self,
        skeleton: &Skeleton,
        entries: &[Entry],
        language: &str,
        translated: &TranslationLookup<'_>,
    ) -> Vec<u8> {
        let said: Vec<Option<Content>> = entries.iter().map(|entry| translated(&entry.key)).collect();
        let mut splices = Splices::default();
        if said.iter().zip(entries).all(|(said, entry)| said.as_ref() == Some(&entry.content)) {
            return splices.write(&skeleton.source);
        }
        self.write_language(&mut splices, skeleton, language);
        let mut forms = FormsOf::new(&self.0, language);
        let is_its = skeleton.language().is_some_and(|own| is_same_tag(own, language));
        let count = skeleton.count().filter(|_| is_its).unwrap_or_else(|| forms.usual().count());
        for (unit, said) in skeleton.units.iter().zip(said) {
            let texts = match (said, unit.is_plural) {
                (None, false) => vec![String::new()],
                (None, true) => vec![String::new(); count],
                (Some(content), false) => vec![one_text(content)],
                (Some(content), true) => {
                    forms.of(count).write(&Zero::Category.forms_of(content)).into_iter().map(|(text, _)| text).collect()
                }
            };
            write_unit(&mut splices, skeleton, unit, &UnitTranslation { texts, of: unit });
        }
        splices.write(&skeleton.source)
    }

    fn write_language(&self, splices: &mut Splices, skeleton: &Skeleton, language: &str) {
        for place in &skeleton.languages {
            if place.value.as_ref().is_some_and(|own| is_same_tag(own, language)) {
                continue;
            }
            let (before, after) = if place.value.is_some() { ("", "") } else { place.around };
            let spelled = super::attribute(&self.0.language(language));
            splices.replace(place.at.clone(), format!("{before}{spelled}{after}"));
        }
    }

    /// As [`Format::extend`](crate::files::Format::extend).
    pub(super) fn extended(&self, skeleton: &Skeleton, added: &[Entry]) -> Option<Vec<u8>> {
        let mut splices = Splices::default();
        let groups = places_of(skeleton);
        let last = last_units(skeleton);
        let end = skeleton.end?;
        let newline = skeleton.source.newline_at(end);
        let languages = skeleton.both_languages();
        let mut opened: Vec<(String, String)> = Vec::new();
        for entry in added {
            let source = entry.content.other()?;
            let new = NewUnit {
                key: &entry.key,
                source: Some(source),
                is_there: true,
                is_plural: matches!(entry.content, Content::Plural(_)),
                texts: &[],
                description: entry.description.as_deref(),
                by_id: skeleton.by_id,
                escapes: skeleton.escapes,
            };
            let (group, lines) = self.0.fresh(&new)?;
            let joins_last = group.is_empty() && self.0.joins_groups();
            let last_group = skeleton.groups.len().checked_sub(1).filter(|_| joins_last);
            let known = groups.get(group.as_str()).copied().or(last_group);
            match known {
                Some(known) => {
                    let unit = last.get(&known).copied();
                    let at = unit.map(|unit| unit.whole.end).or_else(|| skeleton.groups.get(known)?.end)?;
                    let (indent, has_lines) = layout_of(skeleton, unit);
                    splices.insert(at, self.laid_out(&lines, &indent, newline, has_lines));
                }
                None => {
                    let depth = self.0.around(&group, &languages).2;
                    let text = self.laid_out(&lines, &self.0.indent().repeat(depth), newline, true);
                    match opened.iter_mut().find(|(name, _)| *name == group) {
                        Some((_, units)) => units.push_str(&text),
                        None => opened.push((group, text)),
                    }
                }
            }
        }
        for (group, units) in opened {
            splices.insert(end, self.grouped((&group, &languages), &units, newline));
        }
        Some(splices.write(&skeleton.source))
    }

    /// A group with its units.
    fn grouped(&self, (group, languages): (&str, &UnitLanguages<'_>), units: &str, newline: &str) -> String {
        let (before, after, _) = self.0.around(group, languages);
        [self.laid_out(&before, "", newline, true), units.to_owned(), self.laid_out(&after, "", newline, true)].concat()
    }

    fn laid_out(&self, lines: &[(usize, String)], indent: &str, newline: &str, has_lines: bool) -> String {
        if !has_lines {
            return lines.iter().map(|(_, line)| line.as_str()).collect();
        }
        let step = if indent.contains('\t') { "\t" } else { self.0.indent() };
        let line = |(depth, line): &(usize, String)| {
            let line = if newline == "\n" { line.clone() } else { line.replace('\n', newline) };
            format!("{indent}{}{line}{newline}", step.repeat(*depth))
        };
        lines.iter().map(line).collect()
    }

    /// As [`Format::render_new`](crate::files::Format::render_new), or
    /// [`render_new_beside`](crate::files::Format::render_new_beside) the texts of a source. The entries' contents are
    /// translations; where the source is not known, names stand for its texts.
    pub(super) fn rendered_new(
        &self,
        language: Option<&str>,
        entries: &[Entry],
        source: Option<&SourceTexts<'_>>,
    ) -> String {
        let spelled = language.map(|language| self.0.language(language));
        let from = source.and_then(|source| source.language).map(|language| self.0.language(language));
        let forms = FormsOf::new(&self.0, language.or(from.as_deref()).unwrap_or_default()).usual();
        let original = source.and_then(|source| source.original);
        let languages = UnitLanguages { source: from.as_deref(), target: spelled.as_deref(), original };
        let mut seen = HashSet::new();
        let mut groups: Vec<(String, String)> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        for entry in entries.iter().filter(|entry| seen.insert(entry.key.as_str())) {
            let texts: Vec<String> = match &entry.content {
                _ if language.is_none() => Vec::new(),
                Content::Text(text) => vec![text.clone()],
                Content::Plural(plural) => {
                    forms.write(&Zero::Category.forms(plural.forms.clone())).into_iter().map(|(text, _)| text).collect()
                }
            };
            let said = source.and_then(|source| (source.texts)(&entry.key));
            let new = NewUnit {
                key: &entry.key,
                source: said.as_ref().and_then(Content::other),
                is_there: false,
                is_plural: matches!(entry.content, Content::Plural(_)),
                texts: &texts,
                description: entry.description.as_deref(),
                by_id: false,
                escapes: self.0.escapes(),
            };
            let Some((group, lines)) = self.0.fresh(&new) else { continue };
            let text = self.laid_out(&lines, &self.0.indent().repeat(self.0.around(&group, &languages).2), "\n", true);
            let place = *places.entry(group.clone()).or_insert_with(|| {
                groups.push((group, String::new()));
                groups.len() - 1
            });
            if let Some((_, units)) = groups.get_mut(place) {
                units.push_str(&text);
            }
        }
        // The original is part of the keys where there are several.
        let languages = UnitLanguages { original: original.filter(|_| groups.len() == 1), ..languages };
        let groups: String =
            groups.iter().map(|(group, units)| self.grouped((group, &languages), units, "\n")).collect();
        self.0.blank(&languages, &groups)
    }

    /// As [`Format::merge`](crate::files::Format::merge), of files that were read, with the keys of their entries.
    pub(super) fn merged(
        &self,
        (keys, own): (&[String], &Skeleton),
        (new_keys, new): (&[String], &Skeleton),
    ) -> Merged {
        let language = own.language().or(new.language()).unwrap_or_default();
        let mut splices = Splices::default();
        let places: HashMap<&str, &TranslationUnit> = keys.iter().map(String::as_str).zip(&own.units).collect();
        let (mut own_forms, mut new_forms) = (FormsOf::new(&self.0, language), FormsOf::new(&self.0, language));
        let mut arrivals = NewUnits::of(own, new, self.0.joins_groups());
        let count = own.count();
        for (key, unit) in new_keys.iter().zip(&new.units) {
            let known = places.get(key.as_str()).copied();
            arrivals.pass((own, new), unit);
            if unit.is_translated() {
                match known {
                    Some(there) => {
                        let texts = texts_for(there, unit, &mut own_forms, (&mut new_forms, count));
                        let is_there = there.is_translated() && there.has_tags == unit.has_tags;
                        if !is_there || there.texts() != texts {
                            write_unit(&mut splices, own, there, &UnitTranslation { texts, of: unit });
                        }
                    }
                    None => arrivals.add(&mut splices, (own, new), unit),
                }
            }
            if let Some(there) = known {
                arrivals.come_after(there);
            }
        }
        arrivals.write_groups(&mut splices, (own, new));
        let has: HashMap<&str, &TranslationUnit> = new_keys.iter().map(String::as_str).zip(&new.units).collect();
        let lacks = |key: &str| !has.get(key).is_some_and(|unit| unit.is_translated());
        let kept = keys.iter().zip(&own.units).filter(|(key, unit)| unit.is_translated() && lacks(key));
        Merged::keeping(kept.map(|(key, _)| key.clone()).collect(), splices.write(&own.source))
    }
}

/// The groups of a file by name; of several the first.
fn places_of(skeleton: &Skeleton) -> HashMap<&str, usize> {
    skeleton.groups.iter().enumerate().rev().map(|(at, group)| (group.name.as_str(), at)).collect()
}

/// The last unit of each group.
fn last_units(skeleton: &Skeleton) -> HashMap<usize, &TranslationUnit> {
    skeleton.units.iter().map(|unit| (unit.group, unit)).collect()
}

/// The indentation of a unit, and whether units have lines of their own.
fn layout_of(skeleton: &Skeleton, unit: Option<&TranslationUnit>) -> (String, bool) {
    let whole = unit.map(|unit| skeleton.source.get(&unit.whole)).unwrap_or_default();
    let indent = whole.len() - whole.trim_start_matches([' ', '\t']).len();
    (whole.get(..indent).unwrap_or_default().to_owned(), unit.is_none() || whole.ends_with('\n'))
}

/// The texts of a translation as the unit of a file takes them. A form that the translation does not have keeps its text, if
/// that counts.
fn texts_for<D: Dialect>(
    there: &TranslationUnit,
    unit: &TranslationUnit,
    own: &mut FormsOf<'_, D>,
    (new, count): (&mut FormsOf<'_, D>, Option<usize>),
) -> Vec<String> {
    if !there.is_plural {
        return vec![unit.says.last().map(|said| said.text.clone()).unwrap_or_default()];
    }
    let count = if there.is_translated() { there.says.len() } else { count.unwrap_or_else(|| own.usual().count()) };
    if unit.is_plural && unit.says.len() == count {
        return unit.texts().into_iter().map(str::to_owned).collect();
    }
    let forms = match unit.is_plural {
        true => new.of(unit.says.len()).read_own(&unit.texts()),
        false => Forms::from([(PluralCategory::Other, unit.texts().concat())]),
    };
    let text = |(at, (text, is_there)): (usize, (String, bool))| {
        let before = there.says.get(at).filter(|said| there.is_done() && !said.text.is_empty() && !is_there);
        before.map_or(text, |said| said.text.clone())
    };
    own.of(count).write(&forms).into_iter().enumerate().map(text).collect()
}

/// Writes the texts of a unit, and the marks that say whether they count.
fn write_unit(splices: &mut Splices, skeleton: &Skeleton, unit: &TranslationUnit, answer: &UnitTranslation<'_>) {
    let UnitTranslation { texts, of } = answer;
    let has_tags = unit.has_tags || of.has_tags;
    let newline = skeleton.source.newline_at(unit.whole.start);
    let spelling = TextSpelling {
        entities: &skeleton.entities,
        with_tags: &skeleton.with_tags,
        escapes: skeleton.escapes,
        newline,
        tags: of.has_tags.then(|| unit.tags.iter().chain(&of.tags).collect()),
        is_cdata: false,
    };
    let is_same = |(said, text): (&&str, &String)| *said == text;
    let is_filled = !texts.is_empty() && texts.iter().all(|text| !text.is_empty());
    let differs = unit.says.len() != texts.len()
        || !unit.texts().iter().zip(texts).all(is_same)
        || (has_tags && unit.has_tags != of.has_tags && is_filled);
    if differs && unit.says.len() == texts.len() {
        for (said, text) in unit.says.iter().zip(texts).filter(|(said, text)| said.text != **text || has_tags) {
            let (mut before, after) = said.around.clone();
            if said.says_blanks && has_blanks(text) {
                before = format!("{} xml:space=\"preserve\">", before.trim_end_matches('>'));
            }
            let is_cdata = said.is_cdata && !of.has_tags;
            let text = TextSpelling { tags: spelling.tags.clone(), is_cdata, ..spelling }.write(text);
            if !(text.is_empty() && said.at.is_empty()) {
                splices.replace(said.at.clone(), format!("{before}{text}{after}"));
            }
        }
    } else if differs && let Some(forms) = &unit.forms {
        let form = |text: &String| format!("{}{}{}", forms.form.0, spelling.write(text), forms.form.1);
        let all: String = texts.iter().map(form).collect();
        splices.replace(forms.at.clone(), format!("{}{all}{}{}", forms.around.0, forms.end, forms.around.1));
    }
    let marks = match is_filled {
        true if differs || !unit.is_done() => unit.done.as_slice(),
        true => &[],
        false => unit.open.as_slice(),
    };
    for (at, text) in marks {
        splices.replace(at.clone(), text.clone());
    }
    for copy in &unit.copies {
        write_unit(splices, skeleton, copy, answer);
    }
}

/// Units and groups that come into a file.
struct NewUnits<'a> {
    /// The groups of the file by name.
    groups: HashMap<&'a str, usize>,
    /// The place after the nearest unit before, by group.
    after: HashMap<usize, usize>,
    first: HashMap<usize, usize>,
    /// Groups that the file lacks, by their index in the other file, with the place where they come and their units.
    opened: Vec<(usize, usize, String)>,
    /// The place of a group that comes next.
    group_end: Option<usize>,
    done: HashSet<usize>,
    /// The elements that units of the file stand in, with their groups.
    wholes: HashSet<(usize, &'a str)>,
}

impl<'a> NewUnits<'a> {
    fn of(own: &'a Skeleton, new: &'a Skeleton, joins_groups: bool) -> Self {
        let mut groups = places_of(own);
        if let ([_], [one]) = (own.groups.as_slice(), new.groups.as_slice())
            && joins_groups
        {
            groups.insert(&one.name, 0);
        }
        let wholes = own.units.iter().filter_map(|unit| Some((unit.group, unit.part_of.as_deref()?))).collect();
        let first = own.units.iter().rev().map(|unit| (unit.group, unit.whole.start)).collect();
        let group_end = own.groups.first().map(|group| group.head.start).or(own.end);
        Self { groups, after: HashMap::new(), first, opened: Vec::new(), group_end, done: HashSet::new(), wholes }
    }

    /// Notes that a new group comes after the group of this unit.
    fn pass(&mut self, (own, new): (&Skeleton, &Skeleton), unit: &TranslationUnit) {
        let known = new.groups.get(unit.group).and_then(|group| self.groups.get(group.name.as_str()));
        self.group_end = known.and_then(|known| own.groups.get(*known)).map(|group| group.after).or(self.group_end);
    }

    /// Notes that what is new comes after this unit of the file.
    fn come_after(&mut self, there: &TranslationUnit) {
        self.after.insert(there.group, there.whole.end);
    }

    /// Brings a unit of another file as it stands there, unless it refers to entities of that file.
    fn add(&mut self, splices: &mut Splices, (own, new): (&Skeleton, &Skeleton), unit: &TranslationUnit) {
        let raw = new.source.get(&unit.whole);
        if !self.done.insert(unit.whole.start) || Entities::used_in(raw).is_some_declared() {
            return;
        }
        let Some(group) = new.groups.get(unit.group) else { return };
        let Some(known) = self.groups.get(group.name.as_str()).copied() else {
            match self.opened.last_mut().filter(|(opened, ..)| *opened == unit.group) {
                Some((_, _, units)) => units.push_str(raw),
                None => {
                    let Some(at) = self.group_end else { return };
                    self.opened.push((unit.group, at, raw.to_owned()));
                }
            }
            return;
        };
        if unit.part_of.as_deref().is_some_and(|whole| self.wholes.contains(&(known, whole))) {
            return;
        }
        let end = || own.groups.get(known).and_then(|group| group.end);
        let place = self.after.get(&known).or_else(|| self.first.get(&known)).copied().or_else(end);
        if let Some(at) = place {
            let newline = own.source.newline_at(at);
            splices.insert(at, with_newlines(raw, newline));
        }
    }

    fn write_groups(self, splices: &mut Splices, (own, new): (&Skeleton, &Skeleton)) {
        for (group, at, units) in self.opened {
            let Some(group) = new.groups.get(group) else { continue };
            let text = [new.source.get(&group.head), &units, new.source.get(&group.tail)].concat();
            splices.insert(at, with_newlines(&text, own.source.newline_at(at)));
        }
    }
}

fn with_newlines(text: &str, newline: &str) -> String {
    let text = text.replace("\r\n", "\n");
    if newline == "\n" { text } else { text.replace('\n', newline) }
}
