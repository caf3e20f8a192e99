//! The columns of a table by the names in its first row.

use std::borrow::Cow;

use super::table::unquoted;
use crate::locales::{is_same_tag, is_tag_like};

/// The most languages of a table; a first row with more names something else.
const MOST_LANGUAGES: usize = 500;

/// The columns of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Columns {
    /// The first row names the columns.
    pub(super) has_header: bool,
    pub(super) key: Option<usize>,
    pub(super) context: Option<usize>,
    pub(super) description: Option<usize>,
    pub(super) max_length: Option<usize>,
    pub(super) shape: Shape,
}

/// The columns of texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Shape {
    /// One, whose name may be the language.
    Plain { text: usize, language: Option<String> },
    /// The source and a translation.
    Pairs { source: usize, target: usize },
    /// One for each language, of which the first one, or one called `source`, is the source.
    Languages { source: usize, languages: Vec<(usize, String)> },
}

/// The part of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Key,
    /// `id`, which is a language, too.
    Id,
    Context,
    Description,
    MaxLength,
    Text,
    Source,
    Target,
    Language,
    Other,
}

impl Part {
    fn of(name: &str, column: usize) -> Self {
        let plain: String =
            name.chars().filter(|c| !matches!(c, ' ' | '_' | '-')).flat_map(char::to_lowercase).collect();
        match plain.as_str() {
            "" if column == 0 => Self::Key,
            "key" | "keys" | "keyname" | "stringkey" | "identifier" | "stringid" => Self::Key,
            "id" => Self::Id,
            "context" | "msgctxt" => Self::Context,
            "description" | "comment" | "comments" | "note" | "notes" | "developercomments" => Self::Description,
            "maxlength" | "maxlen" | "charlimit" => Self::MaxLength,
            "text" | "value" | "string" | "message" => Self::Text,
            "source" | "sourcetext" | "original" | "msgid" => Self::Source,
            "target" | "targettext" | "translation" | "translated" | "msgstr" => Self::Target,
            _ if is_language(name.trim()) => Self::Language,
            _ => Self::Other,
        }
    }
}

/// Returns true if a column's name can only be a language: of two letters, or with script or region.
pub(super) fn is_language(name: &str) -> bool {
    is_tag_like(name) && name.len() != 3
}

/// Returns true if a column's name may be a language or a word: three letters in lower case. It is a language beside others.
fn may_be_language(name: &str) -> bool {
    name.len() == 3
        && name.chars().all(|c| c.is_ascii_lowercase())
        && !matches!(name, "max" | "new" | "ref" | "tag" | "url")
}

impl Columns {
    /// Source and target without names, as in an empty file.
    pub(super) const PAIR: Self = Self {
        has_header: false,
        key: None,
        context: None,
        description: None,
        max_length: None,
        shape: Shape::Pairs { source: 0, target: 1 },
    };

    /// The columns of a table with this first row. `None` where nothing in it says which of them hold texts.
    pub(super) fn of(row: &[Cow<'_, str>]) -> Option<Self> {
        named(row).or_else(|| {
            // Without names, as Magento has them: more columns name modules.
            let names_key = row.first().is_some_and(|name| matches!(Part::of(name, 0), Part::Key | Part::Id));
            let names_module = || matches!(row.get(2).map(AsRef::as_ref), Some("module" | "theme"));
            let is_pair = row.len() == 2 || (row.len() == 4 && names_module());
            (is_pair && !names_key).then_some(Self::PAIR)
        })
    }

    /// Says how much sense a first row makes, by its fields as they stand in the file.
    pub(super) fn fit(raw: &[&str]) -> usize {
        let row: Vec<Cow<'_, str>> = raw.iter().map(|raw| unquoted(raw)).collect();
        let is_torn = raw.iter().any(|raw| !raw.starts_with('"') && raw.contains('"'));
        let is_prose = raw.iter().skip(1).any(|raw| raw.starts_with(' '));
        match Self::of(&row) {
            Some(columns) if columns.has_header => 1_000 + row.len(),
            Some(_) if is_torn => 10,
            Some(_) if is_prose => 11,
            Some(_) => 12,
            None => row.len().min(9),
        }
    }

    /// The column of the texts in the source language.
    pub(super) fn source(&self) -> usize {
        match &self.shape {
            Shape::Plain { text, .. } => *text,
            Shape::Pairs { source, .. } | Shape::Languages { source, .. } => *source,
        }
    }

    /// The language that the table names for its texts, or for those of the source.
    pub(super) fn language(&self) -> Option<&str> {
        match &self.shape {
            Shape::Plain { language, .. } => language.as_deref(),
            Shape::Pairs { .. } => None,
            Shape::Languages { source, languages } => {
                languages.iter().find(|(column, _)| column == source).map(|(_, language)| language.as_str())
            }
        }
    }

    /// The column of the texts in a language; in a table with one language, that of its texts.
    pub(super) fn in_language(&self, language: &str) -> Option<usize> {
        match &self.shape {
            Shape::Plain { text, .. } => Some(*text),
            Shape::Pairs { target, .. } => Some(*target),
            Shape::Languages { languages, .. } => {
                languages.iter().find(|(_, own)| is_same_tag(own, language)).map(|(column, _)| *column)
            }
        }
    }

    /// The columns of a table that has one for each language, or could. `None` where the text's language is not known.
    pub(super) fn for_languages(&self) -> Option<Self> {
        let shape = match &self.shape {
            Shape::Languages { .. } => return Some(self.clone()),
            Shape::Pairs { .. } | Shape::Plain { language: None, .. } => return None,
            Shape::Plain { text, language: Some(language) } => {
                Shape::Languages { source: *text, languages: vec![(*text, language.clone())] }
            }
        };
        Some(Self { shape, ..self.clone() })
    }
}

/// The columns of a first row that names them.
fn named(row: &[Cow<'_, str>]) -> Option<Columns> {
    let mut parts: Vec<Part> = row.iter().enumerate().map(|(column, name)| Part::of(name, column)).collect();
    let find = |parts: &[Part], part| parts.iter().position(|own| *own == part);
    let key = find(&parts, Part::Key);
    let key = key.or(find(&parts, Part::Id));
    for (column, part) in parts.iter_mut().enumerate().filter(|(_, part)| **part == Part::Id) {
        *part = if key == Some(column) { Part::Key } else { Part::Language };
    }
    if parts.contains(&Part::Language) {
        for (part, name) in parts.iter_mut().zip(row) {
            if *part == Part::Other && may_be_language(name.trim()) {
                *part = Part::Language;
            }
        }
    }
    let languages: Vec<(usize, String)> = parts
        .iter()
        .zip(row)
        .enumerate()
        .filter(|(_, (part, _))| **part == Part::Language)
        .map(|(column, (_, name))| (column, name.trim().to_owned()))
        .collect();
    let is_twice = |(at, (_, name)): (usize, &(usize, String))| {
        languages.iter().take(at).any(|(_, other)| is_same_tag(other, name))
    };
    if languages.len() > MOST_LANGUAGES || languages.iter().enumerate().any(is_twice) {
        return None;
    }
    let (text, source, target) = (find(&parts, Part::Text), find(&parts, Part::Source), find(&parts, Part::Target));
    let shape = match (key, source, target, languages.as_slice()) {
        (_, Some(source), Some(target), _) => Shape::Pairs { source, target },
        (_, Some(source), None, [_, ..]) => Shape::Languages { source, languages },
        (Some(_), None, _, [(first, _), _, ..]) => Shape::Languages { source: *first, languages },
        (Some(_), None, _, [(only, language)]) => Shape::Plain { text: *only, language: Some(language.clone()) },
        (Some(_), _, _, []) => Shape::Plain { text: text.or(source).or(target)?, language: None },
        _ => return None,
    };
    Some(Columns {
        has_header: true,
        key,
        context: find(&parts, Part::Context),
        description: find(&parts, Part::Description),
        max_length: find(&parts, Part::MaxLength),
        shape,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(row: &str) -> Option<Columns> {
        Columns::of(&row.split(',').map(Cow::Borrowed).collect::<Vec<_>>())
    }

    fn shape(row: &str) -> Option<Shape> {
        columns(row).map(|columns| columns.shape)
    }

    fn languages(source: usize, of: &[(usize, &str)]) -> Option<Shape> {
        let languages = of.iter().map(|(column, name)| (*column, (*name).to_owned())).collect();
        Some(Shape::Languages { source, languages })
    }

    #[test]
    fn names_say_which_columns_hold_texts() {
        assert_eq!(shape("key,text"), Some(Shape::Plain { text: 1, language: None }));
        assert_eq!(shape("Comment,ID,pt_BR"), Some(Shape::Plain { text: 2, language: Some("pt_BR".to_owned()) }));
        assert_eq!(shape("key,id,en"), languages(1, &[(1, "id"), (2, "en")]));
        assert_eq!(shape(",en,es,zh-Hans"), languages(1, &[(1, "en"), (2, "es"), (3, "zh-Hans")]));
        assert_eq!(shape("source,de,x"), languages(0, &[(1, "de")]));
        assert_eq!(shape("id,id,url,fil"), languages(1, &[(1, "id"), (3, "fil")]));
        assert_eq!(shape("location,source,target,id"), Some(Shape::Pairs { source: 1, target: 2 }));
        assert_eq!(columns("location,source,target,id").unwrap().key, Some(3));
        assert_eq!(columns("key,text,Max Length,context").unwrap().max_length, Some(2));
    }

    #[test]
    fn two_columns_without_names_are_source_and_target() {
        let pair = Some(Shape::Pairs { source: 0, target: 1 });
        assert_eq!((shape("label,Etikett"), shape("a,b,module,M")), (pair.clone(), pair));
        assert!(!columns("label,Etikett").unwrap().has_header);
    }

    #[test]
    fn a_table_of_other_data_is_none_of_texts() {
        for row in ["id,name,description,sort", "a,b,c", "a", "key,en,EN,x", "key,created,sort", "key,fil"] {
            assert_eq!(columns(row), None, "{row}");
        }
    }
}
