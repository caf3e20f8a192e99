//! The keys of a project and their contents in a language, packed: a million of them take little more memory than their
//! texts.

use std::collections::HashMap;

use l10n_api_types::Content;

/// Many texts in one.
#[derive(Debug, Default)]
struct TextBuffer {
    bytes: String,
    ends: Vec<usize>,
}

impl TextBuffer {
    fn push(&mut self, text: &str) {
        self.bytes.push_str(text);
        self.ends.push(self.bytes.len());
    }

    fn get(&self, index: usize) -> Option<&str> {
        let begin = index.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied())?;
        self.bytes.get(begin..*self.ends.get(index)?)
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn shrink(&mut self) {
        self.bytes.shrink_to_fit();
        self.ends.shrink_to_fit();
    }
}

/// A key as files hold it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct FileKey<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its `ref`.
    pub name: &'a str,
    /// The part of the project that it belongs to.
    pub namespace: Option<&'a str>,
    /// The file that it was synced from.
    pub source_path: Option<&'a str>,
    /// Its place among the keys of its file.
    pub position: i64,
    /// The description for translators.
    pub description: Option<&'a str>,
    /// Longest translation allowed, in Unicode scalar values.
    pub max_length: Option<u32>,
}

impl<'a> FileKey<'a> {
    /// Its name in a file: the `ref` without the namespace in front, since the file or the app's own call gives that.
    #[must_use]
    pub(crate) fn name_in_file(&self) -> &'a str {
        let in_namespace =
            self.namespace.and_then(|own| self.name.strip_prefix(own)?.strip_prefix(':')).filter(|n| !n.is_empty());
        in_namespace.unwrap_or(self.name)
    }
}

/// Keys, by their places in the order of publishing: file by file in the files' order, those that came without a file last.
#[derive(Debug, Default)]
pub(crate) struct KeyList {
    ids: TextBuffer,
    names: TextBuffer,
    /// Namespaces and paths, each once.
    shared: Vec<String>,
    known: HashMap<String, usize>,
    rows: Vec<KeyRow>,
    descriptions: HashMap<usize, String>,
    max_lengths: HashMap<usize, u32>,
    /// Places of rows, in the order of publishing.
    order: Vec<u32>,
    /// Places in the order of publishing, by id.
    by_id: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct KeyRow {
    position: i64,
    /// Index into `shared`, from 1; 0 for none.
    namespace: u32,
    source_path: u32,
}

impl KeyList {
    /// Adds a key. [`sort`](Self::sort) comes after the last.
    pub(crate) fn push(&mut self, key: FileKey<'_>) {
        let at = self.rows.len();
        self.ids.push(key.id);
        self.names.push(key.name);
        let (namespace, source_path) = (self.share(key.namespace), self.share(key.source_path));
        self.rows.push(KeyRow { position: key.position, namespace, source_path });
        if let Some(description) = key.description {
            self.descriptions.insert(at, description.to_owned());
        }
        if let Some(max_length) = key.max_length {
            self.max_lengths.insert(at, max_length);
        }
    }

    fn share(&mut self, text: Option<&str>) -> u32 {
        let Some(text) = text else { return 0 };
        let at = match self.known.get(text) {
            Some(at) => *at,
            None => {
                self.shared.push(text.to_owned());
                self.known.insert(text.to_owned(), self.shared.len());
                self.shared.len()
            }
        };
        u32::try_from(at).unwrap_or_default()
    }

    /// Brings the keys into the order of publishing.
    pub(crate) fn sort(&mut self) {
        self.known = HashMap::new();
        self.ids.shrink();
        self.names.shrink();
        self.rows.shrink_to_fit();
        let count = u32::try_from(self.rows.len()).unwrap_or(u32::MAX);
        let mut order: Vec<u32> = (0..count).collect();
        order.sort_unstable_by(|one, other| {
            let key = |at: &u32| {
                let row = self.rows.get(*at as usize)?;
                let path = self.shared_text(row.source_path);
                Some((path.is_none(), path, row.position, self.names.get(*at as usize)))
            };
            key(one).cmp(&key(other))
        });
        self.order = order;
        let mut by_id: Vec<u32> = (0..count).collect();
        by_id.sort_unstable_by(|one, other| self.id(*one as usize).cmp(&self.id(*other as usize)));
        self.by_id = by_id;
    }

    fn shared_text(&self, at: u32) -> Option<&str> {
        self.shared.get((at as usize).checked_sub(1)?).map(String::as_str)
    }

    fn id(&self, place: usize) -> Option<&str> {
        self.ids.get(*self.order.get(place)? as usize)
    }

    /// The number of keys.
    #[must_use]
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns whether there is no key.
    #[must_use]
    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The key at a place.
    #[must_use]
    pub(crate) fn get(&self, place: usize) -> Option<FileKey<'_>> {
        let at = *self.order.get(place)? as usize;
        let row = self.rows.get(at)?;
        Some(FileKey {
            id: self.ids.get(at)?,
            name: self.names.get(at)?,
            namespace: self.shared_text(row.namespace),
            source_path: self.shared_text(row.source_path),
            position: row.position,
            description: self.descriptions.get(&at).map(String::as_str),
            max_length: self.max_lengths.get(&at).copied(),
        })
    }

    /// A search for places by id.
    #[must_use]
    pub(crate) fn places(&self) -> PositionFinder<'_> {
        PositionFinder { keys: self, next: 0 }
    }
}

/// A search for places by id, quick where ids come in their order for long stretches, as a datastore gives them.
#[derive(Debug)]
pub(crate) struct PositionFinder<'a> {
    keys: &'a KeyList,
    next: usize,
}

impl PositionFinder<'_> {
    /// The place of the key with this id.
    pub(crate) fn find(&mut self, id: &str) -> Option<usize> {
        let id_at = |at: usize| self.keys.by_id.get(at).and_then(|place| self.keys.id(*place as usize));
        let at = match id_at(self.next) {
            Some(next) if next == id => self.next,
            _ => {
                let id_of = |place: &u32| self.keys.id(*place as usize).unwrap_or_default();
                self.keys.by_id.binary_search_by(|place| id_of(place).cmp(id)).ok()?
            }
        };
        self.next = at + 1;
        self.keys.by_id.get(at).map(|place| *place as usize)
    }
}

/// The contents of keys in one language, by place.
#[derive(Debug, Default)]
pub(crate) struct TextTable {
    /// Indexes into `texts`, from 1; 0 for none.
    slots: Vec<u32>,
    texts: TextBuffer,
    /// For each text, `true` if it is a plural as JSON.
    plurals: Vec<bool>,
}

impl TextTable {
    /// Empty contents for this number of keys.
    #[must_use]
    pub(crate) fn of(keys: usize) -> Self {
        Self { slots: vec![0; keys], ..Self::default() }
    }

    /// Sets the content of a key.
    pub(crate) fn set(&mut self, place: usize, content: &Content) {
        let Some(slot) = self.slots.get_mut(place) else { return };
        *slot = Self::add(&mut self.texts, &mut self.plurals, content);
    }

    /// Adds the content of the next key, in the order in which keys are added to a list. [`sort`](Self::sort) comes after the
    /// last.
    pub(crate) fn push(&mut self, content: &Content) {
        self.slots.push(Self::add(&mut self.texts, &mut self.plurals, content));
    }

    /// Adds a text; returns its index, from 1.
    fn add(texts: &mut TextBuffer, plurals: &mut Vec<bool>, content: &Content) -> u32 {
        match content {
            Content::Text(text) => texts.push(text),
            // A plural is made of strings, which JSON can always hold.
            Content::Plural(_) => texts.push(&serde_json::to_string(content).unwrap_or_default()),
        }
        plurals.push(matches!(content, Content::Plural(_)));
        u32::try_from(texts.len()).unwrap_or_default()
    }

    /// Brings contents that were added one by one into the order of their keys, which are sorted.
    pub(crate) fn sort(&mut self, keys: &KeyList) {
        let slot = |row: &u32| self.slots.get(*row as usize).copied().unwrap_or_default();
        self.slots = keys.order.iter().map(slot).collect();
        self.shrink();
    }

    /// Releases the memory reserved for more texts.
    pub(crate) fn shrink(&mut self) {
        self.texts.shrink();
        self.plurals.shrink_to_fit();
    }

    /// The content of the key, if it has one.
    #[must_use]
    pub(crate) fn get(&self, place: usize) -> Option<Content> {
        let at = (*self.slots.get(place)? as usize).checked_sub(1)?;
        let text = self.texts.get(at)?;
        match self.plurals.get(at)? {
            false => Some(Content::Text(text.to_owned())),
            true => serde_json::from_str(text).ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    use l10n_api_types::{Plural, PluralCategory};

    use super::*;

    #[test]
    fn keys_come_file_by_file_in_the_files_order_and_are_found_by_id() {
        let mut keys = KeyList::default();
        for (id, name, source_path, position) in [
            ("c", "loose", None, 0),
            ("a", "second", Some("b.json"), 1),
            ("d", "first", Some("b.json"), 0),
            ("b", "tied", Some("a.json"), 7),
            ("e", "equal", Some("a.json"), 7),
        ] {
            keys.push(FileKey { id, name, source_path, position, ..FileKey::default() });
        }
        keys.sort();
        let names: Vec<&str> = (0..keys.len()).filter_map(|place| keys.get(place)).map(|key| key.name).collect();
        assert_eq!(names, ["equal", "tied", "first", "second", "loose"]);
        let mut places = keys.places();
        for id in ["a", "b", "c", "e", "d", "a"] {
            assert_eq!(keys.get(places.find(id).unwrap()).unwrap().id, id);
        }
        assert_eq!(places.find("x"), None);
    }

    #[test]
    fn contents_come_back_as_they_were_set() {
        let forms = [(PluralCategory::One, "{n} file".to_owned()), (PluralCategory::Other, "{n} files".to_owned())];
        let plural = Content::Plural(Plural { arg: "n".into(), forms: forms.into() });
        let mut contents = TextTable::of(4);
        contents.set(2, &Content::Text("Hello".into()));
        contents.set(0, &plural);
        contents.set(3, &Content::Text(String::new()));
        contents.shrink();
        let all: Vec<_> = (0..5).map(|place| contents.get(place)).collect();
        let text = |text: &str| Some(Content::Text(text.to_owned()));
        assert_eq!(all, [Some(plural), None, text("Hello"), text(""), None]);
    }

    #[test]
    fn contents_that_came_with_their_keys_follow_them() {
        let (mut keys, mut contents) = (KeyList::default(), TextTable::default());
        for (id, position) in [("third", 3), ("first", 1), ("second", 2)] {
            keys.push(FileKey { id, name: id, position, ..FileKey::default() });
            contents.push(&Content::Text(id.to_uppercase()));
        }
        keys.sort();
        contents.sort(&keys);
        let all: Vec<_> = (0..4).map(|place| contents.get(place)).collect();
        let text = |text: &str| Some(Content::Text(text.to_owned()));
        assert_eq!(all, [text("FIRST"), text("SECOND"), text("THIRD"), None]);
    }

    #[test]
    fn the_namespace_in_front_of_a_ref_is_not_in_the_file() {
        let shop = FileKey { name: "shop:cart", namespace: Some("shop"), ..FileKey::default() };
        assert_eq!(shop.name_in_file(), "cart");
        assert_eq!(FileKey { name: "cart", ..shop }.name_in_file(), "cart");
        assert_eq!(FileKey { namespace: None, ..shop }.name_in_file(), "shop:cart");
        assert_eq!(FileKey { name: "shop:", ..shop }.name_in_file(), "shop:");
    }
}
