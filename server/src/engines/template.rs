//! A content as the target language needs it: what stays as it is, and the leaves in between.

use std::collections::{BTreeMap, HashMap};

use l10n_api_types::{Content, Plural, PluralCategory};

use super::leaf::Leaf;
use crate::locales::Plurals;
use crate::text::message::{self, Branch, Choice, ChoiceKind, Message, Part};

/// Most pieces that a content is taken apart into: deep nesting multiplies branches.
const MOST_PIECES: usize = 4_000;
/// Most bytes that a text may grow to, beyond eight times its own: the same nesting copies long branches.
const MOST_BYTES: usize = 65_536;

/// What the plural rules of both languages say. Made once for many contents.
#[derive(Debug)]
pub(super) struct Mapping {
    source: [Plurals; 2],
    target: [Plurals; 2],
    categories: [Vec<PluralCategory>; 2],
}

impl Mapping {
    pub(super) fn new(source: &str, target: &str) -> Self {
        let target = [Plurals::cardinal(target), Plurals::ordinal(target)];
        let categories = [target[0].categories(), target[1].categories()];
        Self { source: [Plurals::cardinal(source), Plurals::ordinal(source)], target, categories }
    }

    /// The target's categories.
    fn categories(&self, ordinal: bool) -> &[PluralCategory] {
        &self.categories[usize::from(ordinal)]
    }

    /// The source's category for numbers of a category of the target.
    fn source_category(&self, ordinal: bool, target: PluralCategory) -> PluralCategory {
        let (source, target_rules) = (&self.source[usize::from(ordinal)], &self.target[usize::from(ordinal)]);
        target_rules.sample(target).map_or(PluralCategory::Other, |number| source.category_for(number))
    }
}

/// A piece of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Literal(String),
    Leaf(usize),
}

/// A content taken apart.
#[derive(Debug)]
pub(super) struct Template {
    /// Each leaf once.
    pub(super) leaves: Vec<Leaf>,
    shape: Shape,
}

#[derive(Debug)]
enum Shape {
    Text(Vec<Piece>),
    Plural { arg: String, forms: BTreeMap<PluralCategory, Vec<Piece>> },
}

impl Template {
    /// Takes a content apart.
    ///
    /// # Errors
    ///
    /// What is wrong with the source: an ICU message that does not parse, or one of endless branches.
    pub(super) fn new(content: &Content, mapping: &Mapping) -> Result<Self, String> {
        let mut builder = Builder { mapping, leaves: Vec::new(), known: HashMap::new(), bytes: 0 };
        let shape = match content {
            Content::Text(text) => Shape::Text(builder.text(text)?),
            Content::Plural(Plural { arg, forms }) => {
                let mut built = BTreeMap::new();
                for category in mapping.categories(false) {
                    let source = mapping.source_category(false, *category);
                    let form = forms.get(&source).or_else(|| forms.get(&PluralCategory::Other));
                    let form = form.ok_or("the plural has no form `other`")?;
                    built.insert(*category, builder.text(form)?);
                }
                Shape::Plural { arg: arg.clone(), forms: built }
            }
        };
        Ok(Self { leaves: builder.leaves, shape })
    }

    /// Puts the content together from its leaves' translations, which are in their order.
    pub(super) fn fill(&self, translations: &[String]) -> Content {
        let join = |pieces: &[Piece]| -> String {
            let text = |piece| match piece {
                &Piece::Leaf(leaf) => translations.get(leaf).map_or("", String::as_str),
                Piece::Literal(text) => text.as_str(),
            };
            pieces.iter().map(text).collect()
        };
        match &self.shape {
            Shape::Text(pieces) => Content::Text(join(pieces)),
            Shape::Plural { arg, forms } => Content::Plural(Plural {
                arg: arg.clone(),
                forms: forms.iter().map(|(category, pieces)| (*category, join(pieces))).collect(),
            }),
        }
    }
}

struct Builder<'a> {
    mapping: &'a Mapping,
    leaves: Vec<Leaf>,
    known: HashMap<Leaf, usize>,
    /// What is left of the bytes that the text may grow to.
    bytes: usize,
}

impl Builder<'_> {
    fn text(&mut self, text: &str) -> Result<Vec<Piece>, String> {
        let mut pieces = Vec::new();
        self.bytes = text.len().saturating_mul(8).saturating_add(MOST_BYTES);
        if message::is_message(text) {
            let message = message::parse(text).map_err(|error| format!("the source is no ICU message: {error}"))?;
            self.message(text, &message, false, &mut pieces)?;
        } else {
            self.leaf(Leaf { text: text.to_owned(), in_message: false, in_plural: false }, &mut pieces)?;
        }
        Ok(pieces)
    }

    fn leaf(&mut self, leaf: Leaf, pieces: &mut Vec<Piece>) -> Result<(), String> {
        if !leaf.is_translatable() {
            return self.literal(&leaf.text, pieces);
        }
        self.grow(leaf.text.len(), pieces)?;
        let next = self.leaves.len();
        let index = *self.known.entry(leaf.clone()).or_insert(next);
        if index == next {
            self.leaves.push(leaf);
        }
        pieces.push(Piece::Leaf(index));
        Ok(())
    }

    fn literal(&mut self, text: &str, pieces: &mut Vec<Piece>) -> Result<(), String> {
        if !text.is_empty() {
            self.grow(text.len(), pieces)?;
            pieces.push(Piece::Literal(text.to_owned()));
        }
        Ok(())
    }

    /// Takes the bytes of one more piece off what is left.
    fn grow(&mut self, bytes: usize, pieces: &[Piece]) -> Result<(), String> {
        match self.bytes.checked_sub(bytes) {
            Some(left) if pieces.len() < MOST_PIECES => self.bytes = left,
            _ => return Err("the source has too many branches".to_owned()),
        }
        Ok(())
    }

    /// Everything between the parts stays; where the target tells more categories apart, branches are put before `other`.
    fn message(
        &mut self,
        text: &str,
        message: &Message,
        in_plural: bool,
        pieces: &mut Vec<Piece>,
    ) -> Result<(), String> {
        let mut at = message.range.start;
        for part in &message.parts {
            match part {
                Part::Text(range) => {
                    self.literal(&text[at..range.start], pieces)?;
                    self.leaf(Leaf { text: text[range.clone()].to_owned(), in_message: true, in_plural }, pieces)?;
                    at = range.end;
                }
                Part::Choice(choice) => {
                    let plural = choice.kind != ChoiceKind::Select;
                    for branch in &choice.branches {
                        if plural && branch.selector == "other" {
                            self.literal(&text[at..branch.start], pieces)?;
                            at = branch.start;
                            for (category, from) in self.lacking(choice) {
                                self.literal(&format!("{category} {{"), pieces)?;
                                self.message(text, &from.message, true, pieces)?;
                                self.literal("} ", pieces)?;
                            }
                        }
                        self.literal(&text[at..branch.message.range.start], pieces)?;
                        self.message(text, &branch.message, plural || in_plural, pieces)?;
                        at = branch.message.range.end;
                    }
                }
            }
        }
        self.literal(&text[at..message.range.end], pieces)?;
        Ok(())
    }

    /// The target's categories that a choice has no branch for, each with the branch that says it in the source.
    fn lacking<'a>(&self, choice: &'a Choice) -> Vec<(PluralCategory, &'a Branch)> {
        let ordinal = choice.kind == ChoiceKind::Ordinal;
        let branch = |selector: &str| choice.branches.iter().find(|branch| branch.selector == selector);
        self.mapping
            .categories(ordinal)
            .iter()
            .filter(|category| branch(category.as_str()).is_none())
            .filter_map(|category| {
                let source = self.mapping.source_category(ordinal, *category);
                Some((*category, branch(source.as_str()).or_else(|| branch("other"))?))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The content with each leaf in brackets, in the target language.
    fn marked(content: &Content, target: &str) -> Content {
        let template = Template::new(content, &Mapping::new("en", target)).unwrap();
        let leaves: Vec<_> = template.leaves.iter().map(|leaf| format!("[{}]", leaf.text)).collect();
        template.fill(&leaves)
    }

    fn text(text: &str) -> Content {
        Content::Text(text.to_owned())
    }

    #[test]
    fn a_plural_gets_the_categories_of_the_target() {
        let files = Content::Plural(Plural {
            arg: "count".to_owned(),
            forms: [(PluralCategory::One, "one file"), (PluralCategory::Other, "{{count}} files")]
                .map(|(category, form)| (category, form.to_owned()))
                .into(),
        });
        let Content::Plural(russian) = marked(&files, "ru") else { panic!() };
        use PluralCategory::{Few, Many, One, Other};
        let forms: Vec<_> = russian.forms.iter().map(|(category, form)| (*category, form.as_str())).collect();
        let many = "[{{count}} files]";
        assert_eq!(forms, [(One, "[one file]"), (Few, many), (Many, many), (Other, many)]);
        let Content::Plural(japanese) = marked(&files, "ja") else { panic!() };
        assert_eq!(japanese.forms.into_iter().collect::<Vec<_>>(), [(Other, many.to_owned())]);
    }

    #[test]
    fn a_message_keeps_its_syntax_and_gets_the_categories_of_the_target() {
        let source = text("{n, plural, =0 {none}\n one {# file} other {# files}} in {folder}");
        assert_eq!(
            marked(&source, "de"),
            text("{n, plural, =0 {[none]}\n one {[# file]} other {[# files]}}[ in {folder}]")
        );
        assert_eq!(
            marked(&source, "ru"),
            text(
                "{n, plural, =0 {[none]}\n one {[# file]} few {[# files]} many {[# files]} other {[# files]}}[ in {folder}]"
            )
        );
    }

    #[test]
    fn a_broken_message_is_a_fault_of_the_source() {
        let error = Template::new(&text("{n, plural, one {x}}"), &Mapping::new("en", "de")).unwrap_err();
        assert_eq!(error, "the source is no ICU message: a choice needs the branch `other` at character 19");
        let deep = (0..14).fold("x".to_owned(), |inner, n| format!("{{a{n}, plural, other {{{inner}}}}}"));
        assert_eq!(
            Template::new(&text(&deep), &Mapping::new("en", "ar")).unwrap_err(),
            "the source has too many branches"
        );
    }
}
