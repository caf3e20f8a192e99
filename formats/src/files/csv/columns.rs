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
    pub(super) shape: ColumnLayout,
}

/// The columns of texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ColumnLayout {
    /// One, whose name may be the language.
    Plain { text: usize, language: Option<String> },
    /// The source and a translation.
    Pairs { source: usize, target: usize },
    /// One for each language, of which the first one, or one called `source`, is the source.
    Languages { source: usize, languages: Vec<(usize, String)> },
}

/// The part of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ColumnRole {
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

impl ColumnRole {
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
        shape: ColumnLayout::Pairs { source: 0, target: 1 },
    };

    /// The columns of a table with this first row. `None` where nothing in it says which of them hold texts.
    pub(super) fn of(row: &[Cow<'_, str>]) -> Option<Self> {
        named(row).or_else(|| {
            // Without names, as Magento has them: more columns name modules.
            let names_key =
                row.first().is_some_and(|name| matches!(ColumnRole::of(name, 0), ColumnRole::Key | ColumnRole::Id));
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
            ColumnLayout::Plain { text, .. } => *text,
            ColumnLayout::Pairs { source, .. } | ColumnLayout::Languages { source, .. } => *source,
        }
    }

    /// The language that the table names for its texts, or for those of the source.
    pub(super) fn language(&self) -> Option<&str> {
        match &self.shape {
            ColumnLayout::Plain { language, .. } => language.as_deref(),
            ColumnLayout::Pairs { .. } => None,
            ColumnLayout::Languages { source, languages } => {
                languages.iter().find(|(column, _)| column == source).map(|(_, language)| language.as_str())
            }
        }
    }

    /// The column of the texts in a language; in a table with one language, that of its texts.
    pub(super) fn in_language(&self, language: &str) -> Option<usize> {
        match &self.shape {
            ColumnLayout::Plain { text, .. } => Some(*text),
            ColumnLayout::Pairs { target, .. } => Some(*target),
            ColumnLayout::Languages { languages, .. } => {
                languages.iter().find(|(_, own)| is_same_tag(own, language)).map(|(column, _)| *column)
            }
        }
    }

    /// The columns of a table that has one for each language, or could. `None` where the text's language is not known.
    pub(super) fn for_languages(&self) -> Option<Self> {
        let shape = match &self.shape {
            ColumnLayout::Languages { .. } => return Some(self.clone()),
            ColumnLayout::Pairs { .. } | ColumnLayout::Plain { language: None, .. } => return None,
            ColumnLayout::Plain { text, language: Some(language) } => {
                ColumnLayout::Languages { source: *text, languages: vec![(*text, language.clone())] }
            }
        };
        Some(Self { shape, ..self.clone() })
    }
}

/// The columns of a first row that names them.
fn named(row: &[Cow<'_, str>]) -> Option<Columns> {
    let mut parts: Vec<ColumnRole> =
        row.iter().enumerate().map(|(column, name)| ColumnRole::of(name, column)).collect();
    let find = |parts: &[ColumnRole], part| parts.iter().position(|own| *own == part);
    let key = find(&parts, ColumnRole::Key);
    let key = key.or(find(&parts, ColumnRole::Id));
    for (column, part) in parts.iter_mut().enumerate().filter(|(_, part)| **part == ColumnRole::Id) {
        *part = if key == Some(column) { ColumnRole::Key } else { ColumnRole::Language };
    }
    if parts.contains(&ColumnRole::Language) {
        for (part, name) in parts.iter_mut().zip(row) {
            if *part == ColumnRole::Other && may_be_language(name.trim()) {
                *part = ColumnRole::Language;
            }
        }
    }
    let languages: Vec<(usize, String)> = parts
        .iter()
        .zip(row)
        .enumerate()
        .filter(|(_, (part, _))| **part == ColumnRole::Language)
        .map(|(column, (_, name))| (column, name.trim().to_owned()))
        .collect();
    let is_twice = |(at, (_, name)): (usize, &(usize, String))| {
        languages.iter().take(at).any(|(_, other)| is_same_tag(other, name))
    };
    if languages.len() > MOST_LANGUAGES || languages.iter().enumerate().any(is_twice) {
        return None;
    }
    let (text, source, target) =
        (find(&parts, ColumnRole::Text), find(&parts, ColumnRole::Source), find(&parts, ColumnRole::Target));
    let shape = match (key, source, target, languages.as_slice()) {
        (_, Some(source), Some(target), _) => ColumnLayout::Pairs { source, target },
        (_, Some(source), None, [_, ..]) => ColumnLayout::Languages { source, languages },
        (Some(_), None, _, [(first, _), _, ..]) => ColumnLayout::Languages { source: *first, languages },
        (Some(_), None, _, [(only, language)]) => ColumnLayout::Plain { text: *only, language: Some(language.clone()) },
        (Some(_), _, _, []) => ColumnLayout::Plain { text: text.or(source).or(target)?, language: None },
        _ => return None,
    };
    Some(Columns {
        has_header: true,
        key,
        context: find(&parts, ColumnRole::Context),
        description: find(&parts, ColumnRole::Description),
        max_length: find(&parts, ColumnRole::MaxLength),
        shape,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(row: &str) -> Option<Columns> {
        Columns::of(&row.split(',').map(Cow::Borrowed).collect::<Vec<_>>())
    }

    fn shape(row: &str) -> Option<ColumnLayout> {
        columns(row).map(|columns| columns.shape)
    }

    fn languages(source: usize, of: &[(usize, &str)]) -> Option<ColumnLayout> {
        let languages = of.iter().map(|(column, name)| (*column, (*name).to_owned())).collect();
        Some(ColumnLayout::Languages { source, languages })
    }

    #[test]
    fn names_say_which_columns_hold_texts() {
        assert_eq!(shape("key,text"), Some(ColumnLayout::Plain { text: 1, language: None }));
        assert_eq!(
            shape("Comment,ID,pt_BR"),
            Some(ColumnLayout::Plain { text: 2, language: Some("pt_BR".to_owned()) })
        );
        assert_eq!(shape("key,id,en"), languages(1, &[(1, "id"), (2, "en")]));
        assert_eq!(shape(",en,es,zh-Hans"), languages(1, &[(1, "en"), (2, "es"), (3, "zh-Hans")]));
        assert_eq!(shape("source,de,x"), languages(0, &[(1, "de")]));
        assert_eq!(shape("id,id,url,fil"), languages(1, &[(1, "id"), (3, "fil")]));
        assert_eq!(shape("location,source,target,id"), Some(ColumnLayout::Pairs { source: 1, target: 2 }));
        assert_eq!(columns("location,source,target,id").unwrap().key, Some(3));
        assert_eq!(columns("key,text,Max Length,context").unwrap().max_length, Some(2));
    }

    #[test]
    fn two_columns_without_names_are_source_and_target() {
        let pair = Some(ColumnLayout::Pairs { source: 0, target: 1 });
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
