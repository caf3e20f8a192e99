//! Formats of JSON files whose object has one member for each text: `chrome`, `docusaurus`, `formatjs`, `laravel-json`.
//!
//! - **Input** is JSON in UTF-8 as in `json`; `chrome` may have comments. A member of the file's object is an entry if it is an
//!   object with a text (`message`, `defaultMessage`), or the text itself where the format has that. Other members stay.
//! - **Keys** are the members' names. Dots do not nest. Names are texts in some projects: control characters and backslashes
//!   are escaped in the key, and long ones cut. Names of `chrome` differ in more than case.
//! - **Rendering** replaces texts that differ. A member without a translation goes as a whole; descriptions and `placeholders`
//!   go into every language.
//!   What a `placeholders` of `chrome` stands for is in the entry's description, too.
//! - **Adding** follows the layout of the members that are there.
//! - **Merging** replaces texts of the existing file and adds members after their nearest predecessor. A text that is new
//!   brings the `placeholders` that its member lacks, without which Chrome refuses it.

mod edit;
mod items;
mod layout;
mod merge;
mod parts;

use std::collections::{HashMap, HashSet};

use l10n_api_types::{Content, FormatId};

use self::edit::MembersEditor;
use self::items::{description, items};
use self::layout::MemberLayout;
pub(super) use self::parts::laravel_parts;
use self::parts::{docusaurus_parts, other};
use super::error::shown;
use super::json::{Edits, JsonDialect, MEDIA_TYPE, Skeleton, TextNodes, Tree, fresh};
use super::plural::icu_text;
use super::{
    EditError, Editor, Entry, Fit, Format, Habits, Layout, LocalizationFile, Merged, ParseError, TranslationLookup,
    refs,
};
use crate::template::Spelling;

/// A format of this family.
pub(super) struct Members {
    id: FormatId,
    name: &'static str,
    habits: Habits,
    plurals: &'static str,
    placeholders: &'static str,
    /// The members of an entry's object, by the ways in which files name them.
    objects: &'static [MemberNames],
    /// Texts may be members of the file's object themselves.
    is_flat: bool,
    /// Names differ in more than case.
    folds_case: bool,
    /// The file may have comments.
    has_comments: bool,
    /// The object beside a text without which that is no text.
    beside: Option<&'static str>,
    /// A content as one text in a language.
    one_text: fn(Content, &str) -> String,
}

/// The names of the members of an entry's object.
struct MemberNames {
    text: &'static str,
    description: &'static str,
}

const MESSAGE: MemberNames = MemberNames { text: "message", description: "description" };

/// Format `chrome`: `messages.json` of browser extensions.
pub(super) static CHROME: &Members = &Members {
    id: FormatId::Chrome,
    name: "Chrome extension messages",
    habits: Habits { spelling: Spelling::Underscore, ..Habits::PLAIN },
    plurals: "none",
    placeholders: "chrome",
    objects: &[MESSAGE],
    is_flat: false,
    folds_case: true,
    has_comments: true,
    beside: Some("placeholders"),
    one_text: other,
};

/// Format `docusaurus`: texts of sites. The forms of a plural are the parts of its text between `|`.
pub(super) static DOCUSAURUS: &Members = &Members {
    id: FormatId::Docusaurus,
    name: "Docusaurus JSON",
    habits: Habits::PLAIN,
    plurals: "parts",
    placeholders: "brace",
    objects: &[MESSAGE],
    is_flat: false,
    folds_case: false,
    has_comments: false,
    beside: None,
    one_text: docusaurus_parts,
};

/// Format `formatjs`: ICU messages of FormatJS, in objects as they are extracted, or flat.
pub(super) static FORMATJS: &Members = &Members {
    id: FormatId::FormatJs,
    name: "FormatJS JSON",
    habits: Habits::PLAIN,
    plurals: "icu",
    placeholders: "icu",
    objects: &[
        MemberNames { text: "defaultMessage", description: "description" },
        MemberNames { text: "string", description: "developer_comment" },
    ],
    is_flat: true,
    folds_case: false,
    has_comments: false,
    beside: None,
    one_text: |content, _| icu_text(content),
};

/// Format `laravel-json`: texts of Laravel by their names, which are texts of the base language in most projects.
pub(super) static LARAVEL_JSON: &Members = &Members {
    id: FormatId::LaravelJson,
    name: "Laravel JSON",
    habits: Habits { spelling: Spelling::Underscore, ..Habits::PLAIN },
    plurals: "parts",
    placeholders: "laravel",
    objects: &[],
    is_flat: true,
    folds_case: false,
    has_comments: false,
    beside: None,
    one_text: laravel_parts,
};

impl Members {
    fn tree(&self, bytes: &[u8], copies_may_differ: bool) -> Result<Tree, ParseError> {
        Tree::read(bytes, JsonDialect { copies_may_differ, comments: self.has_comments })
    }

    /// Two names that the format takes for one have one such text.
    fn folded(&self, name: &str) -> String {
        // Lighthouse has the form for names of its own, with blanks, dots and slashes, in which case counts.
        if self.folds_case && items::is_chrome_name(name) { name.to_ascii_lowercase() } else { name.to_owned() }
    }

    /// The name that a key has in a file; `None` if reading it would give another key.
    fn name_of(&self, key: &str) -> Option<String> {
        let name = refs::name_of(key, true);
        refs::key_of(&name, true).is_ok_and(|again| again == key).then_some(name)
    }
}

/// Returns true if a file is of this family by the shape of all of its members.
pub(super) fn has_shape(bytes: &[u8]) -> bool {
    [CHROME, DOCUSAURUS, FORMATJS].iter().any(|format| format.fit(bytes) > Fit::No)
}

/// The first format of this family whose signs a file bears, even where it could be another one's.
pub(super) fn likeliest(bytes: &[u8]) -> Option<&'static Members> {
    [CHROME, DOCUSAURUS, FORMATJS, LARAVEL_JSON].into_iter().find(|format| format.fit(bytes) > Fit::No)
}

impl Format for &'static Members {
    fn id(&self) -> FormatId {
        self.id
    }

    fn name(&self) -> &'static str {
        self.name
    }

    fn media_type(&self) -> &'static str {
        MEDIA_TYPE
    }

    fn habits(&self) -> Habits {
        self.habits
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["json"]
    }

    fn plurals(&self) -> &'static str {
        self.plurals
    }

    fn placeholders(&self) -> &'static str {
        self.placeholders
    }

    fn fit(&self, bytes: &[u8]) -> Fit {
        self.tree(bytes, false).map_or(Fit::No, |tree| items::fit(self, &tree))
    }

    fn holds_texts(&self, bytes: &[u8]) -> bool {
        let holds = |tree: Tree| match self.is_flat {
            true => tree.holds_texts_alone(),
            false => items(self, &tree).next().is_some(),
        };
        self.tree(bytes, false).is_ok_and(holds)
    }

    fn parse(&self, bytes: &[u8]) -> Result<LocalizationFile, ParseError> {
        let tree = self.tree(bytes, false)?;
        let (mut entries, mut places) = (Vec::new(), Vec::new());
        let mut first: HashMap<String, usize> = HashMap::new();
        for item in items(self, &tree) {
            let name = tree.nodes.get(item.member).map_or("", |node| node.name());
            let key = refs::key_of(name, true).map_err(|problem| {
                tree.error_at(item.member, format!("the key of this text, {}, {problem}", shown(name)))
            })?;
            if let Some(other) = first.insert(self.folded(&key), item.member) {
                let line = tree.line_of(other);
                let message = format!("two texts have the key {}: this one and the one in line {line}", shown(name));
                return Err(tree.error_at(item.member, message));
            }
            let content = Content::Text(tree.text_of(item.text).to_owned());
            let description = description(self, &tree, &item);
            entries.push(Entry { description, ..Entry::new(key, content) });
            places.push(TextNodes::Text(item.text));
        }
        let warnings = tree.warnings();
        Ok(LocalizationFile { entries, language: None, warnings, layout: Layout::Json(Skeleton { tree, places }) })
    }

    fn render(&self, skeleton: &LocalizationFile, language: &str, translated: &TranslationLookup<'_>) -> Vec<u8> {
        let Layout::Json(Skeleton { tree, places }) = &skeleton.layout else { return Vec::new() };
        let mut edits = Edits::of(tree);
        for (entry, place) in skeleton.entries.iter().zip(places) {
            let TextNodes::Text(text) = place else { continue };
            match translated(&entry.key) {
                Some(content) => edits.replace(tree, *text, (self.one_text)(content, language)),
                None => edits.remove(items::member_of(tree, *text)),
            }
        }
        edits.write(tree)
    }

    fn extend(&self, skeleton: &LocalizationFile, added: &[Entry]) -> Option<Vec<u8>> {
        let Layout::Json(Skeleton { tree, .. }) = &skeleton.layout else { return None };
        let last = tree.children(0).last()?;
        let layout = MemberLayout::of(self, tree);
        let mut edits = Edits::of(tree);
        for entry in added {
            let text = (self.one_text)(entry.content.clone(), "");
            edits.add_raw_after(last, self.name_of(&entry.key)?, layout.value(&text, entry.description.as_deref()));
        }
        Some(edits.write(tree))
    }

    fn merge(&self, own: &[u8], published: &[u8]) -> Result<Merged, String> {
        merge::merged(self, own, published)
    }

    fn text_keys(&self, bytes: &[u8]) -> Result<Vec<String>, String> {
        merge::text_keys(self, bytes)
    }

    fn editor(&self, bytes: &[u8]) -> Result<Box<dyn Editor + '_>, EditError> {
        Ok(Box::new(MembersEditor::read(self, bytes)?))
    }

    fn render_new(&self, language: &str, entries: &[Entry]) -> Vec<u8> {
        let mut file = fresh::Object::default();
        let mut written = HashSet::new();
        for entry in entries.iter().filter(|entry| written.insert(self.folded(&entry.key))) {
            let name = self.name_of(&entry.key).unwrap_or_else(|| entry.key.clone());
            let text = (self.one_text)(entry.content.clone(), language);
            let Some(names) = self.objects.first() else {
                file.text(&name, text);
                continue;
            };
            let Some(object) = file.object(&name) else { continue };
            object.text(names.text, text);
            if let Some(description) = &entry.description {
                object.text(names.description, description.clone());
            }
        }
        file.write()
    }
}
