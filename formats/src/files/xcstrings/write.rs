//! Writing texts into catalogues.

use l10n_api_types::{Content, PluralCategory};

use super::catalog::{Catalog, CatalogEntry};
use super::localized::{KeyPart, LocalizedContent, StringUnit, Variation};
use super::nodes::{member, raw};
use super::style::{CatalogStyle, JsonValue, depth};
use crate::files::json::{Edits, Tree};
use crate::files::plural::{Forms, Needed, Zero, one_text};
use crate::locales::is_same_tag;

/// The state of a text that is a translation.
const TRANSLATED: &str = "translated";

/// The treatment of texts that have no translation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MissingPolicy {
    Remove,
    Keep,
}

/// Writes one language into a catalogue.
pub(super) fn with_language(
    catalog: &Catalog,
    language: &str,
    said: &dyn Fn(&str) -> Option<Content>,
    missing: MissingPolicy,
) -> Edits {
    let mut writer = Writer::new(catalog, language);
    let mut gone = 0;
    for units in catalog.members() {
        gone += usize::from(writer.member(units, said, missing));
    }
    keep_strings(catalog, &mut writer.edits, gone, Vec::new());
    writer.edits
}

/// Adds keys at the end, where so many of those that are there go. The object of the keys stays without any.
pub(super) fn keep_strings(catalog: &Catalog, edits: &mut Edits, gone: usize, added: Vec<(String, JsonValue)>) {
    let (tree, style) = (&catalog.tree, CatalogStyle::of(&catalog.tree));
    let Some(strings) = catalog.strings else { return };
    match tree.children(strings).last() {
        Some(last) if gone < tree.children(strings).count() => {
            for (name, value) in added {
                edits.add_raw_after(last, name, style.written(&value, 2));
            }
        }
        _ if gone > 0 || !added.is_empty() => edits.write_raw(strings, style.written(&JsonValue::Object(added), 1)),
        _ => {}
    }
}

pub(super) struct Writer<'c> {
    catalog: &'c Catalog,
    tree: &'c Tree,
    language: String,
    is_source: bool,
    style: CatalogStyle<'c>,
    needed: Needed,
    pub(super) edits: Edits,
}

impl<'c> Writer<'c> {
    pub(super) fn new(catalog: &'c Catalog, language: &str) -> Self {
        let is_source = is_same_tag(language, &catalog.source_language);
        let tree = &catalog.tree;
        let (style, needed, edits) = (CatalogStyle::of(tree), Needed::of(language), Edits::of(tree));
        let language = catalog.name_of_language(language);
        Self { catalog, tree, language, is_source, style, needed, edits }
    }

    /// Writes the texts of a key. Returns true if the key goes.
    pub(super) fn member(
        &mut self,
        units: &[CatalogEntry],
        said: &dyn Fn(&str) -> Option<Content>,
        missing: MissingPolicy,
    ) -> bool {
        let Some(first) = units.first() else { return false };
        let key = first.member;
        let new: Vec<Option<Content>> = units.iter().map(|unit| said(&unit.key)).collect();
        let own: Vec<Option<Content>> = units.iter().map(|unit| self.catalog.says(unit, &self.language)).collect();
        if missing == MissingPolicy::Remove && self.is_source && new.iter().all(Option::is_none) {
            self.edits.remove(key);
            return true;
        }
        // Texts of one key come and go together: a device or a number without its text would break the others.
        let loses = new.iter().zip(&own).any(|(new, own)| new.is_none() && own.is_some());
        if missing == MissingPolicy::Remove && loses && !self.is_source {
            self.take_out(key);
        } else if new != own && new.iter().any(Option::is_some) {
            self.put(key, units, new, own);
        }
        false
    }

    fn put(&mut self, key: usize, units: &[CatalogEntry], new: Vec<Option<Content>>, own: Vec<Option<Content>>) {
        let Some(there) = self.catalog.localization(key, &self.language) else {
            if let Some(contents) = new.into_iter().collect::<Option<Vec<Content>>>() {
                self.add(key, units, contents);
            }
            return;
        };
        if units.iter().zip(&new).any(|(unit, new)| new.is_some() && self.catalog.lacks(unit, there)) {
            let all = new.into_iter().zip(own).map(|(new, own)| new.or(own));
            if let Some(contents) = all.collect::<Option<Vec<Content>>>() {
                let value = self.localized(units, contents);
                self.edits.write_raw(there, self.style.written(&value, depth(self.tree, there)));
            }
            return;
        }
        for ((unit, new), own) in units.iter().zip(new).zip(own) {
            if let Some(new) = new.filter(|new| own.as_ref() != Some(new)) {
                self.replace(unit, new);
            }
        }
    }

    /// Takes a language out of a key.
    fn take_out(&mut self, key: usize) {
        let Some(node) = self.catalog.localization(key, &self.language) else { return };
        let languages = member(self.tree, key, "localizations");
        let is_last = languages.is_some_and(|languages| self.tree.children(languages).count() == 1);
        if is_last && self.tree.children(key).count() == 1 {
            self.edits.write_raw(key, self.style.written(&JsonValue::Object(Vec::new()), depth(self.tree, key)));
        } else {
            self.edits.remove(node);
        }
    }

    /// Writes a text in place of another one. What has another form than the text of the source stays.
    fn replace(&mut self, unit: &CatalogEntry, content: Content) {
        match (self.catalog.found(unit, &self.language), &unit.asked) {
            (LocalizedContent::Text(said), Content::Text(_)) => self.say(said, one_text(content)),
            (LocalizedContent::Plural(cases), Content::Plural(_)) => {
                let forms = self.needed.complete(content, false, Zero::Category);
                self.say_forms(&cases, forms);
            }
            _ => {}
        }
    }

    fn say(&mut self, said: StringUnit<'_>, text: String) {
        self.edits.replace(self.tree, said.value.0, text);
        if let Some((node, _)) = said.state {
            self.edits.replace(self.tree, node, TRANSLATED.to_owned());
        }
    }

    /// Writes forms into those that are there, takes out those that have none, and adds the rest after the category before them.
    fn say_forms(&mut self, cases: &[(PluralCategory, usize, StringUnit<'_>)], mut forms: Forms) {
        let mut there: Vec<(PluralCategory, usize)> = Vec::new();
        let stays = |forms: &Forms| cases.iter().any(|(category, ..)| forms.contains_key(category));
        let mut rest = cases;
        if !stays(&forms)
            && let ([(_, node, said), others @ ..], Some((category, text))) = (cases, forms.pop_first())
        {
            // An object that loses all of its members would go: one of them becomes another.
            self.edits.rename(*node, category.as_str().to_owned());
            self.say(*said, text);
            there.push((category, *node));
            rest = others;
        }
        for (category, node, said) in rest {
            match forms.remove(category) {
                Some(text) => {
                    self.say(*said, text);
                    there.push((*category, *node));
                }
                None => self.edits.remove(*node),
            }
        }
        for (category, text) in forms {
            let before = there.iter().filter(|(own, _)| *own < category).max();
            let Some((_, beside)) = before.or_else(|| there.iter().min()) else { continue };
            let value = self.style.written(&unit_of(text), depth(self.tree, *beside));
            let name = category.as_str().to_owned();
            if before.is_some() {
                self.edits.add_raw_after(*beside, name, value);
            } else {
                self.edits.add_raw_before(*beside, name, value);
            }
        }
    }

    /// The object of a language with the texts of a key.
    fn localized(&self, units: &[CatalogEntry], contents: Vec<Content>) -> JsonValue {
        let (mut members, mut cases, mut substitutions) = (Vec::new(), Vec::new(), Vec::new());
        for (unit, content) in units.iter().zip(contents) {
            let value = self.texts(unit, content);
            match &unit.part {
                KeyPart::Whole => members.extend(value),
                KeyPart::Cases(path) => cases.push((path.as_slice(), value)),
                KeyPart::Substitution(name) => {
                    let mut whole = self.facts(unit.member, name);
                    whole.extend(value);
                    substitutions.push((name.clone(), JsonValue::Object(whole)));
                }
            }
        }
        if !substitutions.is_empty() {
            members.push(("substitutions".to_owned(), JsonValue::Object(substitutions)));
        }
        members.extend(varied(cases));
        JsonValue::Object(members)
    }

    /// The facts about a number in a text, which all languages share.
    fn facts(&self, key: usize, name: &str) -> Vec<(String, JsonValue)> {
        let source = self.catalog.localization(key, &self.catalog.source_language);
        let substitution = source
            .and_then(|node| member(self.tree, node, "substitutions"))
            .and_then(|node| member(self.tree, node, name));
        let facts = ["argNum", "formatSpecifier"].into_iter().filter_map(|fact| {
            let node = member(self.tree, substitution?, fact)?;
            Some((fact.to_owned(), JsonValue::Raw(raw(self.tree, node).to_owned())))
        });
        facts.collect()
    }

    /// The members that hold a text.
    fn texts(&self, unit: &CatalogEntry, content: Content) -> Vec<(String, JsonValue)> {
        match &unit.asked {
            Content::Text(_) => vec![("stringUnit".to_owned(), said_as(one_text(content)))],
            Content::Plural(_) => {
                vec![("variations".to_owned(), cases(self.needed.complete(content, false, Zero::Category)))]
            }
        }
    }

    /// Adds the language to a key, in the order of the alphabet.
    pub(super) fn add(&mut self, key: usize, units: &[CatalogEntry], contents: Vec<Content>) {
        let (value, language) = (self.localized(units, contents), self.language.clone());
        match member(self.tree, key, "localizations") {
            Some(languages) => self.add_sorted(languages, &language, value),
            None => self.add_sorted(key, "localizations", JsonValue::of(&language, value)),
        }
    }

    fn add_sorted(&mut self, object: usize, name: &str, value: JsonValue) {
        let deep = depth(self.tree, object);
        let order = |name: &str| name.to_lowercase();
        let is_later = |node: &usize| self.tree.nodes.get(*node).is_some_and(|node| order(node.name()) > order(name));
        let later = self.tree.children(object).find(is_later);
        match (later, self.tree.children(object).last()) {
            (Some(later), _) => {
                let value = self.style.written(&value, deep + 1);
                self.edits.add_raw_before(later, name.to_owned(), value);
            }
            (None, Some(last)) => {
                let value = self.style.written(&value, deep + 1);
                self.edits.add_raw_after(last, name.to_owned(), value);
            }
            (None, None) => self.edits.write_raw(object, self.style.written(&JsonValue::of(name, value), deep)),
        }
    }
}

/// Members of an object of the catalogue.
type NamedValues = Vec<(String, JsonValue)>;

/// The members of an object that varies by devices and widths: their paths, and the members of each.
fn varied(mut cases: Vec<(&[Variation], NamedValues)>) -> NamedValues {
    let Some(by) = cases.first().and_then(|(path, _)| path.first()).map(|case| case.by) else {
        return cases.pop().map(|(_, members)| members).unwrap_or_default();
    };
    let mut inside: Vec<(String, Vec<_>)> = Vec::new();
    for (path, members) in cases {
        let Some((case, rest)) = path.split_first() else { continue };
        match inside.last_mut().filter(|(name, _)| *name == case.name) {
            Some((_, cases)) => cases.push((rest, members)),
            None => inside.push((case.name.clone(), vec![(rest, members)])),
        }
    }
    let inside = inside.into_iter().map(|(name, cases)| (name, JsonValue::Object(varied(cases))));
    vec![("variations".to_owned(), JsonValue::of(by, JsonValue::Object(inside.collect())))]
}

/// `stringUnit` with a translation.
pub(super) fn said_as(text: String) -> JsonValue {
    JsonValue::Object(vec![
        ("state".to_owned(), JsonValue::Text(TRANSLATED.to_owned())),
        ("value".to_owned(), JsonValue::Text(text)),
    ])
}

fn unit_of(text: String) -> JsonValue {
    JsonValue::of("stringUnit", said_as(text))
}

/// The forms of a plural.
pub(super) fn cases(forms: Forms) -> JsonValue {
    let cases = forms.into_iter().map(|(category, text)| (category.as_str().to_owned(), unit_of(text)));
    JsonValue::of("plural", JsonValue::Object(cases.collect()))
}
