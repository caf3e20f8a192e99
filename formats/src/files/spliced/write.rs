//! Writing contents into the places of entries.

use std::collections::HashSet;
use std::ops::Range;

use l10n_api_types::{Content, Plural, PluralCategory};

use super::grammar::{Grammar, InRow, Place, ReplacedValue, TextValue};
use super::splices::Splices;
use super::{Skeleton, Spliced};
use crate::files::plural::{Forms, Needed};
use crate::files::{LocalizationFile, TranslationLookup};
use crate::locales::is_same_tag;

impl<G: Grammar> Spliced<G> {
    /// As [`Format::render`](crate::files::Format::render).
    pub(super) fn rendered(
        &self,
        skeleton: &Skeleton,
        document: &LocalizationFile,
        language: &str,
        said: &TranslationLookup<'_>,
    ) -> Vec<u8> {
        let needed = Needed::of(language);
        let mut splices = Splices::default();
        let mut broken: HashSet<Range<usize>> = HashSet::new();
        let mut stays: Vec<bool> = Vec::with_capacity(document.entries.len());
        for (entry, place) in document.entries.iter().zip(&skeleton.places) {
            let content = said(&entry.key);
            stays.push(content.is_some());
            match content {
                Some(content) if content == entry.content => {}
                Some(content @ Content::Text(_)) if place.arg.is_some() && is_text(&entry.content) => {
                    self.write(&mut splices, skeleton, place, &content);
                }
                Some(content) if place.arg.is_some() => {
                    self.write_forms(
                        &mut splices,
                        skeleton,
                        place,
                        needed.complete(content, entry.ordinal, self.0.zero()),
                    );
                }
                Some(content) => {
                    let text = match &entry.content {
                        Content::Text(source) => self.0.adapted(source, self.0.one(content, language)),
                        Content::Plural(_) => self.0.one(content, language),
                    };
                    self.write_text(&mut splices, skeleton, place, &text);
                }
                None => match &place.list {
                    Some(list) => {
                        if broken.insert(list.clone()) {
                            splices.remove_lines(list.clone());
                        }
                    }
                    None => splices.remove_lines(place.whole.clone()),
                },
            }
        }
        if let Some(nest) = &skeleton.nest {
            let goes = skeleton.places.iter().zip(&stays).map(|(place, stays)| match &place.list {
                Some(list) => (place.group, broken.contains(list)),
                None => (place.group, !stays),
            });
            for group in nest.emptied(goes, &HashSet::new()) {
                splices.remove_lines(group);
            }
            self.name_language(&mut splices, skeleton, document, language);
        }
        splices.write(&skeleton.source)
    }

    /// Writes the language into a file that names it, unless that is its name there.
    fn name_language(&self, splices: &mut Splices, skeleton: &Skeleton, document: &LocalizationFile, language: &str) {
        let at = skeleton.nest.as_ref().and_then(|nest| nest.language_at.clone());
        if let (Some(at), Some(own), Some(nesting)) = (at, &document.language, self.0.nesting())
            && !is_same_tag(own, language)
        {
            let name = nesting.language(skeleton.source.get(&at), language);
            splices.replace(at, name);
        }
    }

    /// Writes a content as it is into a place.
    pub(super) fn write(&self, splices: &mut Splices, skeleton: &Skeleton, place: &Place, content: &Content) {
        match content {
            Content::Plural(Plural { forms, .. }) if place.arg.is_some() => {
                self.write_forms(splices, skeleton, place, self.0.zero().forms(forms.clone()));
            }
            Content::Text(text) if place.arg.is_some() => {
                let forms = Forms::from([(PluralCategory::Other, text.clone())]);
                self.write_forms(splices, skeleton, place, forms);
            }
            content => self.write_text(splices, skeleton, place, &self.0.one(content.clone(), "")),
        }
    }

    fn write_text(&self, splices: &mut Splices, skeleton: &Skeleton, place: &Place, text: &str) {
        let Some(value) = place.values.first() else { return };
        if value.text != text {
            splices.replace(value.at.clone(), self.spelled(skeleton, value, text));
        }
    }

    fn spelled(&self, skeleton: &Skeleton, value: &TextValue, text: &str) -> String {
        let raw = skeleton.source.get(&value.at);
        self.0.spell(text, &ReplacedValue { raw, spelling: value.spelling, file: skeleton.style_at(value.at.start) })
    }

    /// Writes forms into those that are there, takes out those that have none, and adds the rest beside the category before
    /// them, or else after them.
    fn write_forms(&self, splices: &mut Splices, skeleton: &Skeleton, place: &Place, mut forms: Forms) {
        let values = || place.values.iter().filter_map(|value| Some((value, value.form.as_ref()?)));
        for (value, form) in values() {
            match forms.remove(&form.category) {
                Some(text) if text == value.text => {}
                Some(text) => splices.replace(value.at.clone(), self.spelled(skeleton, value, &text)),
                None => splices.remove(form.whole.clone()),
            }
        }
        for (category, text) in forms {
            let before = values().filter(|(_, form)| form.category < category).max_by_key(|(_, form)| form.category);
            let after = values().min_by_key(|(_, form)| form.category);
            let Some(((value, form), is_after)) =
                before.map(|found| (found, true)).or(after.map(|found| (found, false)))
            else {
                continue;
            };
            let mut line = Splices::default();
            line.replace(form.category_at.clone(), category.as_str().to_owned());
            line.replace(value.at.clone(), self.spelled(skeleton, value, &text));
            let at = if is_after { form.whole.end } else { form.whole.start };
            if let Some(InRow { bare, mark, is_after_mark }) = &form.in_row {
                let line = line.write_part(&skeleton.source, bare);
                let (before, after) = if *is_after_mark { (mark.as_str(), "") } else { ("", mark.as_str()) };
                splices.insert(at, format!("{before}{line}{after}"));
                continue;
            }
            let mut line = line.write_part(&skeleton.source, &form.whole);
            if form.whole.end == skeleton.source.text.len() && !line.ends_with('\n') {
                // The last line of the file has no end.
                line.push_str(skeleton.style_at(at).newline);
            }
            splices.insert(at, line);
        }
    }
}

fn is_text(content: &Content) -> bool {
    matches!(content, Content::Text(_))
}
