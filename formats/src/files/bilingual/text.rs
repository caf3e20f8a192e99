//! The texts of elements with elements in them.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::files::xml::{Entities, Escapes, TagOrText, Tree, XmlKind, pieces, with_line_feeds};

/// The text of an element.
#[derive(Debug, Default)]
pub(in crate::files) struct ElementText {
    pub text: String,
    /// The tags in it, short and whole.
    pub tags: Vec<(String, String)>,
    /// The range that is replaced.
    pub at: Range<usize>,
    /// All of it is in one CDATA section, whose inside is replaced.
    pub is_cdata: bool,
}

/// The attributes that tell elements of one name apart.
const IDS: [&str; 5] = ["id", "mid", "startRef", "hex", "value"];

/// Returns true if an element holds elements.
pub(in crate::files) fn has_elements(tree: &Tree<'_>, node: usize) -> bool {
    tree.elements(node).next().is_some()
}

/// Reads the texts of one file.
pub(in crate::files) struct Texts<'t> {
    tree: &'t Tree<'t>,
    /// For texts that show elements.
    with_tags: Entities,
    /// The names of elements whose inside is no text.
    codes: &'static [&'static str],
}

impl<'t> Texts<'t> {
    pub(in crate::files) fn of(tree: &'t Tree<'t>, codes: &'static [&'static str]) -> Self {
        Self { tree, with_tags: tree.entities.with_tags(), codes }
    }

    /// Reads an element.
    pub(in crate::files) fn read(&self, node: usize, has_tags: bool) -> ElementText {
        let entities = if has_tags { &self.with_tags } else { &self.tree.entities };
        read(self.tree, node, (self.codes, entities), has_tags)
    }
}

fn read(tree: &Tree<'_>, node: usize, (codes, entities): (&[&str], &Entities), has_tags: bool) -> ElementText {
    let at = tree.inner(node);
    let after = tree.nodes.get(node).map_or(node, |found| found.after);
    let mut out = ElementText { at: at.clone(), ..ElementText::default() };
    let mut open: Vec<usize> = Vec::new();
    let mut raw = 0..0;
    let mut here = node + 1;
    loop {
        while let Some(opened) = open.pop_if(|opened| tree.nodes.get(*opened).is_none_or(|found| found.after <= here)) {
            out.text.push_str(&entities.decoded(tree.slice(&std::mem::replace(&mut raw, 0..0))));
            out.text.push_str(&format!("</{}>", tree.name(opened)));
        }
        let Some(found) = tree.nodes.get(here).filter(|_| here < after) else { break };
        if matches!(found.kind, XmlKind::Text | XmlKind::Reference) {
            // Beside each other: a reference and what follows are read as one.
            raw = if raw.is_empty() { found.range.clone() } else { raw.start..found.range.end };
            here += 1;
            continue;
        }
        out.text.push_str(&entities.decoded(tree.slice(&std::mem::replace(&mut raw, 0..0))));
        match found.kind {
            XmlKind::Element { .. } => {
                let is_whole = tree.is_one_tag(here) || codes.contains(&local(tree.name(here)));
                let whole = if is_whole { found.range.clone() } else { found.range.start..tree.inner(here).start };
                let short = short(tree, here, is_whole);
                out.text.push_str(&short);
                out.tags.push((short, tree.slice(&whole).to_owned()));
                if is_whole {
                    here = found.after;
                    continue;
                }
                open.push(here);
            }
            XmlKind::CData if has_tags => {
                let raw = Entities::default().encoded(tree.cdata(here), Escapes::default());
                out.text.push_str(&entities.decoded(&raw));
            }
            XmlKind::CData => {
                out.text.push_str(&with_line_feeds(tree.cdata(here)));
                if found.range == at && !tree.cdata(here).contains("]]>") {
                    (out.is_cdata, out.at) = (true, at.start + "<![CDATA[".len()..at.end - "]]>".len());
                }
            }
            _ => {}
        }
        here += 1;
    }
    out.text.push_str(&entities.decoded(tree.slice(&raw)));
    out
}

/// A name without its prefix.
pub(in crate::files) fn local(name: &str) -> &str {
    name.split_once(':').map_or(name, |(_, name)| name)
}

/// The tag of an element with the attribute alone that tells it apart.
fn short(tree: &Tree<'_>, node: usize, is_whole: bool) -> String {
    let id = IDS.iter().find_map(|name| Some((name, tree.attribute(node, name)?)));
    let id = id.map(|(name, value)| format!(" {name}=\"{}\"", super::attribute(&value))).unwrap_or_default();
    format!("<{}{id}{}", tree.name(node), if is_whole { "/>" } else { ">" })
}

/// The characters that a file writes as references although it need not, by what most of its texts do; `usual` where they
/// leave it open.
pub(in crate::files) fn escapes_of(tree: &Tree<'_>, usual: Escapes) -> Escapes {
    let (mut greater, mut quotes) = ((0, 0), (0, 0));
    for node in &tree.nodes {
        let raw = tree.slice(&node.range);
        match node.kind {
            XmlKind::Text => {
                greater.0 += raw.matches('>').count();
                quotes.0 += raw.matches(['"', '\'']).count();
            }
            XmlKind::Reference if raw == "&gt;" => greater.1 += 1,
            XmlKind::Reference if matches!(raw, "&quot;" | "&apos;") => quotes.1 += 1,
            _ => {}
        }
    }
    let chosen = |(bare, escaped): (usize, usize), usual| if bare + escaped == 0 { usual } else { escaped >= bare };
    Escapes { greater: chosen(greater, usual.greater), quotes: chosen(quotes, usual.quotes) }
}

/// The way in which a text is written.
pub(super) struct TextSpelling<'a> {
    pub entities: &'a Entities,
    /// For texts that show elements.
    pub with_tags: &'a Entities,
    pub escapes: Escapes,
    pub newline: &'a str,
    /// Tags that may stand in the text, short and whole; `None` for a text that shows no elements.
    pub tags: Option<Vec<&'a (String, String)>>,
    pub is_cdata: bool,
}

impl TextSpelling<'_> {
    /// The text as XML holds it.
    pub(super) fn write(&self, text: &str) -> String {
        let raw = match &self.tags {
            Some(tags) => self.with_tags(text, tags),
            None if self.is_cdata => text.replace("]]>", "]]]]><![CDATA[>"),
            None => self.entities.encoded(text, self.escapes),
        };
        if self.newline == "\n" { raw } else { raw.replace('\n', self.newline) }
    }

    fn with_tags(&self, text: &str, tags: &[&(String, String)]) -> String {
        let entities = self.with_tags;
        let mut wholes: HashMap<&str, Vec<&str>> = HashMap::new();
        let mut names: HashSet<&str> = HashSet::new();
        for (short, whole) in tags.iter().copied() {
            wholes.entry(short).or_default().push(whole);
            names.insert(short.trim_start_matches('<').split([' ', '/', '>']).next().unwrap_or_default());
        }
        let pieces = pieces(text).unwrap_or_default();
        let is_tag = |piece: &TagOrText<'_>| piece.is_tag && names.contains(piece.name());
        let all: String = pieces.iter().filter(|piece| is_tag(piece)).map(|piece| piece.raw).collect();
        if all.is_empty() || Tree::parse(&format!("<r>{all}</r>")).is_err() {
            return entities.encoded(text, self.escapes);
        }
        let mut used: HashMap<&str, usize> = HashMap::new();
        let mut out = String::with_capacity(text.len() + 64);
        for piece in &pieces {
            if !is_tag(piece) {
                out.push_str(&entities.encoded(piece.raw, self.escapes));
                continue;
            }
            let times = used.entry(piece.raw).or_default();
            let whole = wholes.get(piece.raw).and_then(|wholes| wholes.get(*times).or(wholes.last()));
            out.push_str(whole.copied().unwrap_or(piece.raw));
            *times += 1;
        }
        out
    }
}
