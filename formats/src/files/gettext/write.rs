//! Writing translations into catalogues.

use std::collections::{HashMap, HashSet};

use l10n_api_types::{Content, Plural, PluralCategory};

use super::forms::{PluralForms, PluralRule, rule_of};
use super::header::{self, tag_of};
use super::scan::PoEntry;
use super::text::{PoStyle, edged, spelled};
use super::{FormsOf, PoFile};
use crate::files::plural::{Forms, Zero, one_text};
use crate::files::spliced::Splices;
use crate::files::{Entry, Merged, TranslationLookup, refs};

/// The way in which new files are written.
const NEW: PoStyle = PoStyle { newline: "\n", width: None };

/// As [`Format::render`](crate::files::Format::render). A catalogue that says of each text what its source says is that of the
/// source, and stays.
pub(super) fn rendered(
    catalogue: &PoFile,
    entries: &[Entry],
    language: &str,
    translated: &TranslationLookup<'_>,
) -> Vec<u8> {
    let said: Vec<Option<Content>> = entries.iter().map(|entry| translated(&entry.key)).collect();
    let mut splices = Splices::default();
    if said.iter().zip(entries).all(|(said, entry)| said.as_ref() == Some(&entry.content)) {
        return splices.write(&catalogue.source);
    }
    let head = header::in_language(catalogue.header(), language);
    let forms = match header::rule(&head) {
        Some(rule) => PluralForms::of_rule(&rule, &tag_of(language)),
        None => PluralForms::of_count(2, &tag_of(language)),
    };
    write_header(&mut splices, catalogue, &head, true);
    for (unit, said) in catalogue.units.iter().zip(said) {
        let texts = match (said, &unit.plural) {
            (None, None) => vec![String::new()],
            (None, Some(_)) => vec![String::new(); forms.count()],
            (Some(content), None) => vec![edged(&one_text(content), &unit.id.text)],
            (Some(content), Some(_)) => forms
                .write(&Zero::Category.forms_of(content))
                .into_iter()
                .map(|(text, _)| edged(&text, &unit.id.text))
                .collect(),
        };
        write_unit(&mut splices, catalogue, unit, &texts);
    }
    splices.write(&catalogue.source)
}

/// Writes the texts of an entry, one for each `msgstr`, and takes out the marks of one that was not sure.
fn write_unit(splices: &mut Splices, catalogue: &PoFile, unit: &PoEntry, texts: &[String]) {
    let style = catalogue.style_at(unit.says_at.start);
    let keyword = |at: usize| if unit.plural.is_some() { format!("msgstr[{at}]") } else { "msgstr".to_owned() };
    if texts.len() == unit.says.len() {
        for (at, (said, text)) in unit.says.iter().zip(texts).enumerate() {
            if said.text != *text {
                splices.replace(said.at.clone(), spelled(text, &keyword(at), style));
            }
        }
    } else {
        splices.replace(unit.says_at.clone(), said(texts, unit.plural.is_some(), style));
    }
    for (place, without) in &unit.doubts {
        splices.replace(place.clone(), without.clone());
    }
}

/// The lines of `msgstr`, without the last line end.
fn said(texts: &[String], is_plural: bool, style: PoStyle) -> String {
    let line = |(at, text): (usize, &String)| {
        let keyword = if is_plural { format!("msgstr[{at}]") } else { "msgstr".to_owned() };
        format!("{keyword} {}", spelled(text, &keyword, style))
    };
    texts.iter().enumerate().map(line).collect::<Vec<_>>().join(style.newline)
}

/// Writes the header where it differs.
fn write_header(splices: &mut Splices, catalogue: &PoFile, head: &str, is_sure: bool) {
    let Some(unit) = &catalogue.header else {
        let at = catalogue.units.first().map_or(catalogue.source.text.len(), |unit| unit.whole.start);
        let style = PoStyle { width: None, ..catalogue.style_at(at) };
        splices.insert(at, header_of(head, style));
        return;
    };
    let Some(own) = unit.says.first().filter(|own| own.text != head || is_sure) else { return };
    if own.text != head {
        let style = PoStyle { width: None, ..catalogue.style_at(own.at.start) };
        splices.replace(own.at.clone(), spelled(head, "msgstr", style));
    }
    if is_sure {
        unit.doubts.iter().for_each(|(place, without)| splices.replace(place.clone(), without.clone()));
    }
}

fn header_of(head: &str, style: PoStyle) -> String {
    let said = spelled(head, "msgstr", style);
    let newline = style.newline;
    format!("msgid \"\"{newline}msgstr {said}{newline}{newline}")
}

/// A new entry. `None` where the name of the key is not known any more.
fn fresh(key: &str, content: &Content, description: Option<&str>, texts: &[String], style: PoStyle) -> Option<String> {
    let of_content = match content {
        Content::Text(text) => text.as_str(),
        Content::Plural(plural) => plural.forms.get(PluralCategory::One).map(String::as_str).unwrap_or_default(),
    };
    let (context, name) = refs::context_and_name(key);
    // Of a key that was cut, the text is known if it is that of the source.
    let is = |name: &str| refs::key_in(context.as_deref(), name).is_ok_and(|own| own == key);
    let id = [of_content, name.as_str()].into_iter().find(|name| is(name))?;
    let newline = style.newline;
    let mut out = String::new();
    for line in description.into_iter().flat_map(str::lines) {
        out.push_str(format!("#. {}", line.replace('\r', " ")).trim_end());
        out.push_str(newline);
    }
    let mut line = |keyword: &str, text: &str| {
        out.push_str(&format!("{keyword} {}{newline}", spelled(text, keyword, style)));
    };
    if let Some(context) = &context {
        line("msgctxt", context);
    }
    line("msgid", id);
    if let Content::Plural(plural) = content {
        line("msgid_plural", plural.forms.other().map_or(id, String::as_str));
    }
    out.push_str(&said(texts, matches!(content, Content::Plural(_)), style));
    out.push_str(newline);
    Some(out)
}

/// As [`Format::extend`](crate::files::Format::extend).
pub(super) fn extended(catalogue: &PoFile, added: &[Entry]) -> Option<Vec<u8>> {
    let mut splices = Splices::default();
    let end = catalogue.source.text.len();
    let style = catalogue.style_at(end);
    let count = catalogue.units.iter().find(|unit| unit.plural.is_some()).map_or(2, |unit| unit.says.len());
    for entry in added {
        let is_plural = matches!(entry.content, Content::Plural(_));
        let texts = vec![String::new(); if is_plural { count } else { 1 }];
        let text = fresh(&entry.key, &entry.content, entry.description.as_deref(), &texts, style)?;
        splices.insert(end, format!("{}{text}", style.newline));
    }
    Some(splices.write(&catalogue.source))
}

/// As [`Format::render_new`](crate::files::Format::render_new). The entries' contents are translations; names stand for the
/// texts of the source.
pub(super) fn rendered_new(language: &str, entries: &[Entry]) -> String {
    let tag = tag_of(language);
    let rule = PluralRule::parse(&rule_of(&tag));
    let forms = rule.map_or_else(|| PluralForms::of_count(2, &tag), |rule| PluralForms::of_rule(&rule, &tag));
    let mut out = header_of(&header::in_language("", language), NEW);
    out.truncate(out.trim_end().len() + 1);
    let mut seen = HashSet::new();
    for entry in entries.iter().filter(|entry| seen.insert(entry.key.as_str())) {
        let (_, name) = refs::context_and_name(&entry.key);
        let asked = match &entry.content {
            Content::Text(_) => Content::Text(name.clone()),
            Content::Plural(Plural { arg, .. }) => {
                let forms = [(PluralCategory::One, name.clone()), (PluralCategory::Other, name.clone())];
                Content::Plural(Plural { arg: arg.clone(), forms: forms.into() })
            }
        };
        let texts: Vec<String> = match &entry.content {
            Content::Text(text) => vec![edged(text, &name)],
            Content::Plural(plural) => forms
                .write(&Zero::Category.forms(plural.forms.clone()))
                .into_iter()
                .map(|(text, _)| edged(&text, &name))
                .collect(),
        };
        if let Some(text) = fresh(&entry.key, &asked, entry.description.as_deref(), &texts, NEW) {
            out.push('\n');
            out.push_str(&text);
        }
    }
    out
}

/// As [`Format::merge`](crate::files::Format::merge), of files that were read, with the keys of their entries.
pub(super) fn merged((keys, own): (Vec<String>, &PoFile), (new_keys, new): (Vec<String>, &PoFile)) -> Merged {
    let language = header::language(own.header()).or(header::language(new.header())).unwrap_or_default().to_owned();
    let mut splices = Splices::default();
    if own.units.is_empty() && own.header.is_none() && new.units.iter().any(PoEntry::is_translated) {
        splices.insert(own.source.text.len(), new.source.text.clone());
        return Merged::keeping(Vec::new(), splices.write(&own.source));
    }
    let places: HashMap<&str, &PoEntry> = keys.iter().map(String::as_str).zip(&own.units).collect();
    let (mut own_forms, mut new_forms) = (FormsOf::new(own, &language), FormsOf::new(new, &language));
    let (mut is_ascii, mut has_plurals) = (true, false);
    let mut last = own.header.as_ref();
    for (key, unit) in new_keys.iter().zip(&new.units) {
        let known = places.get(key.as_str()).copied();
        if unit.is_translated() {
            let forms = new_forms.of(unit.says.len()).read_own(&unit.texts());
            let texts = texts_for(known, unit, &forms, &mut own_forms);
            match known {
                Some(there) if says_already(there, &texts) => {}
                Some(there) => {
                    is_ascii &= texts.iter().all(|text| text.is_ascii());
                    has_plurals |= there.plural.is_some();
                    write_unit(&mut splices, own, there, &texts);
                }
                None => {
                    is_ascii &= texts.iter().all(|text| text.is_ascii());
                    has_plurals |= unit.plural.is_some();
                    add(&mut splices, own, last, (key, unit), &texts);
                }
            }
        }
        last = known.or(last);
    }
    let mut head = own.header().to_owned();
    if !is_ascii && own.source.text.is_ascii() {
        head = header::as_utf_8(&head);
    }
    // A rule that other entries do not follow would be worse than none.
    let own_rule = PluralRule::parse(&rule_of(&tag_of(&language))).map(|rule| PluralForms::of_rule(&rule, "").count());
    let mut plurals = own.units.iter().filter(|unit| unit.plural.is_some());
    if has_plurals && !language.is_empty() && plurals.all(|unit| Some(unit.says.len()) == own_rule) {
        head = header::with_rule(&head, &language, false);
    }
    if head != own.header() {
        write_header(&mut splices, own, &head, false);
    }
    let has: HashMap<&str, &PoEntry> = new_keys.iter().map(String::as_str).zip(&new.units).collect();
    let lacks = |key: &str| !has.get(key).is_some_and(|unit| unit.is_translated());
    let kept = keys.iter().zip(&own.units).filter(|(key, unit)| unit.is_translated() && lacks(key));
    Merged::keeping(kept.map(|(key, _)| key.clone()).collect(), splices.write(&own.source))
}

/// Returns true if an entry has these texts, but for the line ends at their edges.
fn says_already(unit: &PoEntry, texts: &[String]) -> bool {
    let is = |(said, text): (&&str, &String)| *said == text || edged(said, &unit.id.text) == *text;
    unit.is_translated() && unit.says.len() == texts.len() && unit.texts().iter().zip(texts).all(is)
}

/// The texts of a translation, one for each `msgstr` that the file has. A form that the translation does not have keeps its
/// text.
fn texts_for(known: Option<&PoEntry>, unit: &PoEntry, forms: &Forms, own: &mut FormsOf<'_>) -> Vec<String> {
    let place = known.unwrap_or(unit);
    if place.plural.is_none() {
        return vec![unit.says.last().map(|said| said.text.clone()).unwrap_or_default()];
    }
    let single = || Forms::from([(PluralCategory::Other, unit.texts().concat())]);
    let forms = if unit.plural.is_some() { forms.clone() } else { single() };
    let texts = own.of(place.says.len()).write(&forms);
    let text = |(at, (text, is_there)): (usize, (String, bool))| {
        let before = known.and_then(|unit| unit.says.get(at)).filter(|said| !said.text.is_empty() && !is_there);
        before.map_or(text, |said| said.text.clone())
    };
    texts.into_iter().enumerate().map(text).collect()
}

/// Adds an entry of another file after one of this file, or at its beginning.
fn add(splices: &mut Splices, own: &PoFile, after: Option<&PoEntry>, (key, unit): (&str, &PoEntry), texts: &[String]) {
    let at = match after {
        Some(unit) => unit.whole.end,
        None => own.units.first().map_or(own.source.text.len(), |unit| unit.whole.start),
    };
    let style = own.style_at(at);
    let describes = own.units.iter().any(|unit| unit.description.is_some());
    let description = unit.description.as_deref().filter(|_| describes);
    let Some(text) = fresh(key, &unit.asked(), description, texts, style) else { return };
    let text = if after.is_some() { format!("{}{text}", style.newline) } else { format!("{text}{}", style.newline) };
    splices.insert(at, text);
}
