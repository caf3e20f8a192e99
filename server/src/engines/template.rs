//! A content as the target language needs it: what stays as it is, and the leaves in between.

use std::collections::HashMap;

use l10n_api_types::{Content, Plural, PluralCategory, PluralKey};
use l10n_formats::locales::{Plurals, source_categories};
use l10n_formats::text::Syntax;
use l10n_formats::text::message::{self, Branch, Choice, ChoiceKind, Message, Part};
use l10n_formats::text::placeholders::{SpanKind, scan};

use super::PluralForm;
use super::leaf::MaskedLeaf;

/// Most pieces that a content is taken apart into: deep nesting multiplies branches.
const MOST_PIECES: usize = 4_000;
/// Most bytes that a text may grow to, beyond eight times its own: the same nesting copies long branches.
const MOST_BYTES: usize = 65_536;

/// The plural rules of both languages, for cardinals and ordinals. Made once for many contents.
#[derive(Debug)]
pub(super) struct Mapping([Vec<TargetCategory>; 2]);

/// A category of the target language.
#[derive(Debug)]
struct TargetCategory {
    category: PluralCategory,
    /// The source categories of its numbers, most likely first.
    sources: Vec<PluralCategory>,
    /// A number of the category.
    example: Option<u64>,
}

impl Mapping {
    pub(super) fn new(source: &str, target: &str) -> Self {
        let forms = |source: &Plurals, target: &Plurals| {
            let form = |category| TargetCategory {
                category,
                sources: source_categories(source, target, category),
                example: example(target, category),
            };
            target.categories().into_iter().map(form).collect()
        };
        Self([
            forms(&Plurals::cardinal(source), &Plurals::cardinal(target)),
            forms(&Plurals::ordinal(source), &Plurals::ordinal(target)),
        ])
    }

    fn forms(&self, ordinal: bool) -> &[TargetCategory] {
        &self.0[usize::from(ordinal)]
    }
}

/// A number of a category, the smallest above zero where there is one: what is said of nothing is often said otherwise.
fn example(language: &Plurals, category: PluralCategory) -> Option<u64> {
    let mut above = (1..=100).chain([1_000_000]);
    above.find(|number| language.category_for(*number) == category).or_else(|| language.sample(category))
}

impl TargetCategory {
    fn hint(&self, is_ordinal: bool) -> PluralForm {
        PluralForm { key: self.category.into(), example: self.example, is_ordinal }
    }

    /// The source form that this one is made from, of those that there are. Where it stands for numbers of several source
    /// forms (Russian `one` for 1 and 21), one that does not show the number would be wrong for some of them.
    fn made_from<T: Copy>(
        &self,
        find: impl Fn(PluralCategory) -> Option<T>,
        shows_number: impl Fn(T) -> bool,
    ) -> Option<T> {
        let mut there = self.sources.iter().filter_map(|category| find(*category));
        let Some(first) = there.clone().next() else { return find(PluralCategory::Other) };
        if self.sources.len() == 1 || shows_number(first) {
            return Some(first);
        }
        Some(there.find(|form| shows_number(*form)).unwrap_or(first))
    }
}

/// Returns true if a text shows the number of a plural: by the argument's name, as `#`, or as an integer of printf.
fn shows_number(text: &str, argument: &str, syntax: Syntax, in_message: bool) -> bool {
    (in_message && text.contains('#'))
        || scan(text, syntax).into_iter().any(|span| {
            let written = &text[span.range];
            match span.kind {
                SpanKind::Percent if matches!(written, "%n" | "%Ln") || written.ends_with(['d', 'i', 'u']) => true,
                SpanKind::Argument | SpanKind::DoubleBrace | SpanKind::Percent | SpanKind::Dollar => {
                    let name = written.trim_matches(['{', '}', '%', '$', '-', ' ']).trim_start_matches('(');
                    name.split([',', ':', '!', ')', ' ']).next() == Some(argument)
                }
                SpanKind::Named => written.trim_matches(['$', ':']).eq_ignore_ascii_case(argument),
                _ => false,
            }
        })
}

/// A piece of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
enum TemplatePiece {
    Literal(String),
    Leaf(usize),
}

/// A content taken apart.
#[derive(Debug)]
pub(super) struct ContentTemplate {
    /// Each leaf once.
    pub(super) leaves: Vec<MaskedLeaf>,
    shape: ContentShape,
}

#[derive(Debug)]
enum ContentShape {
    Text(Vec<TemplatePiece>),
    Plural { arg: String, forms: Vec<(PluralKey, Vec<TemplatePiece>)> },
}

impl ContentTemplate {
    /// Takes a content apart.
    ///
    /// # Errors
    ///
    /// Returns the error in the source: an ICU message that does not parse, or one with too many branches.
    pub(super) fn new(content: &Content, mapping: &Mapping, syntax: Syntax) -> Result<Self, String> {
        let mut builder = Builder { mapping, syntax, leaves: Vec::new(), known: HashMap::new(), bytes: 0 };
        let shape = match content {
            Content::Text(text) => ContentShape::Text(builder.text(text, None)?),
            Content::Plural(Plural { arg, forms }) => {
                let mut built = Vec::new();
                // The form of one number is that of one number in every language.
                for (key, source) in forms.iter().filter(|(key, _)| key.category().is_none()) {
                    let form = PluralForm::of_number(key, false);
                    built.push((key, builder.text(source, Some(form))?));
                }
                for form in mapping.forms(false) {
                    let source = form.made_from(|from| forms.get(from), |text| shows_number(text, arg, syntax, false));
                    let source = source.ok_or("the plural has no form `other`")?;
                    built.push((form.category.into(), builder.text(source, Some(form.hint(false)))?));
                }
                ContentShape::Plural { arg: arg.clone(), forms: built }
            }
        };
        Ok(Self { leaves: builder.leaves, shape })
    }

    /// Puts the content together from its leaves' translations, which are in their order.
    pub(super) fn fill(&self, translations: &[String]) -> Content {
        let join = |pieces: &[TemplatePiece]| -> String {
            let text = |piece| match piece {
                &TemplatePiece::Leaf(leaf) => translations.get(leaf).map_or("", String::as_str),
                TemplatePiece::Literal(text) => text.as_str(),
            };
            pieces.iter().map(text).collect()
        };
        match &self.shape {
            ContentShape::Text(pieces) => Content::Text(join(pieces)),
            ContentShape::Plural { arg, forms } => Content::Plural(Plural {
                arg: arg.clone(),
                forms: forms.iter().map(|(key, pieces)| (*key, join(pieces))).collect(),
            }),
        }
    }
}

/// The plural that a part of a message is in.
#[derive(Debug, Clone, Copy)]
struct EnclosingPlural {
    in_plural: bool,
    plural: Option<PluralForm>,
}

struct Builder<'a> {
    mapping: &'a Mapping,
    syntax: Syntax,
    leaves: Vec<MaskedLeaf>,
    known: HashMap<MaskedLeaf, usize>,
    /// The number of bytes by which the text may still grow.
    bytes: usize,
}

impl Builder<'_> {
    /// Takes a text apart, which may be a plural form.
    fn text(&mut self, text: &str, plural: Option<PluralForm>) -> Result<Vec<TemplatePiece>, String> {
        let mut pieces = Vec::new();
        self.bytes = text.len().saturating_mul(8).saturating_add(MOST_BYTES);
        if message::is_message(text, self.syntax) {
            let message = message::parse(text).map_err(|error| format!("the source is not an ICU message: {error}"))?;
            self.message(text, &message, EnclosingPlural { in_plural: false, plural }, &mut pieces)?;
        } else {
            self.leaf(
                MaskedLeaf { text: text.to_owned(), in_message: false, in_plural: false, plural, syntax: self.syntax },
                &mut pieces,
            )?;
        }
        Ok(pieces)
    }

    fn leaf(&mut self, leaf: MaskedLeaf, pieces: &mut Vec<TemplatePiece>) -> Result<(), String> {
        if !leaf.is_translatable() {
            return self.literal(&leaf.text, pieces);
        }
        self.grow(leaf.text.len(), pieces)?;
        let next = self.leaves.len();
        let index = *self.known.entry(leaf.clone()).or_insert(next);
        if index == next {
            self.leaves.push(leaf);
        }
        pieces.push(TemplatePiece::Leaf(index));
        Ok(())
    }

    fn literal(&mut self, text: &str, pieces: &mut Vec<TemplatePiece>) -> Result<(), String> {
        if !text.is_empty() {
            self.grow(text.len(), pieces)?;
            pieces.push(TemplatePiece::Literal(text.to_owned()));
        }
        Ok(())
    }

    /// Takes the bytes of one more piece off what is left.
    fn grow(&mut self, bytes: usize, pieces: &[TemplatePiece]) -> Result<(), String> {
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
        within: EnclosingPlural,
        pieces: &mut Vec<TemplatePiece>,
    ) -> Result<(), String> {
        let EnclosingPlural { in_plural, plural: form } = within;
        let mut at = message.range.start;
        for part in &message.parts {
            match part {
                Part::Text(range) => {
                    self.literal(&text[at..range.start], pieces)?;
                    let (text, syntax) = (text[range.clone()].to_owned(), self.syntax);
                    self.leaf(MaskedLeaf { text, in_message: true, in_plural, plural: form, syntax }, pieces)?;
                    at = range.end;
                }
                Part::Choice(choice) => {
                    let plural = choice.kind != ChoiceKind::Select;
                    for branch in &choice.branches {
                        if plural && branch.selector == "other" {
                            self.literal(&text[at..branch.start], pieces)?;
                            at = branch.start;
                            for (hint, from) in self.lacking(text, choice) {
                                self.literal(&format!("{} {{", hint.key), pieces)?;
                                let within = EnclosingPlural { in_plural: true, plural: Some(hint) };
                                self.message(text, &from.message, within, pieces)?;
                                self.literal("} ", pieces)?;
                            }
                        }
                        self.literal(&text[at..branch.message.range.start], pieces)?;
                        let said = self.said_by(text, choice, branch);
                        let within = if plural { self.within(choice, branch) } else { within };
                        self.message(text, &said.message, within, pieces)?;
                        at = branch.message.range.end;
                    }
                }
            }
        }
        self.literal(&text[at..message.range.end], pieces)?;
        Ok(())
    }

    /// The target's categories that a choice has no branch for, each with the branch that says it in the source.
    fn lacking<'a>(&self, text: &str, choice: &'a Choice) -> Vec<(PluralForm, &'a Branch)> {
        let is_ordinal = choice.kind == ChoiceKind::Ordinal;
        let forms = self.mapping.forms(is_ordinal).iter();
        forms
            .filter(|form| branch_of(choice, form.category).is_none())
            .filter_map(|form| Some((form.hint(is_ordinal), made_from(text, choice, form, self.syntax)?)))
            .collect()
    }

    /// The plural form that a branch of a plural is.
    fn within(&self, choice: &Choice, branch: &Branch) -> EnclosingPlural {
        let is_ordinal = choice.kind == ChoiceKind::Ordinal;
        let form = |key: PluralKey| match key.category() {
            None => Some(PluralForm::of_number(key, is_ordinal)),
            Some(category) => self
                .mapping
                .forms(is_ordinal)
                .iter()
                .find(|form| form.category == category)
                .map(|form| form.hint(is_ordinal)),
        };
        EnclosingPlural { in_plural: true, plural: branch.selector.parse().ok().and_then(form) }
    }

    /// The branch of the source that says what a branch must say in the target language: itself, but for a plural
    /// category that stands for other numbers there.
    fn said_by<'a>(&self, text: &str, choice: &'a Choice, branch: &'a Branch) -> &'a Branch {
        if choice.kind == ChoiceKind::Select {
            return branch;
        }
        let mut forms = self.mapping.forms(choice.kind == ChoiceKind::Ordinal).iter();
        let form = forms.find(|form| form.category.as_str() == branch.selector);
        form.and_then(|form| made_from(text, choice, form, self.syntax)).unwrap_or(branch)
    }
}

fn branch_of(choice: &Choice, category: PluralCategory) -> Option<&Branch> {
    choice.branches.iter().find(|branch| branch.selector == category.as_str())
}

fn made_from<'a>(text: &str, choice: &'a Choice, form: &TargetCategory, syntax: Syntax) -> Option<&'a Branch> {
    let shows = |branch: &Branch| shows_number(&text[branch.message.range.clone()], &choice.argument, syntax, true);
    form.made_from(|category| branch_of(choice, category), shows)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The content with each leaf in brackets, in the target language.
    fn marked(content: &Content, target: &str) -> Content {
        let template = ContentTemplate::new(content, &Mapping::new("en", target), Syntax::Mixed).unwrap();
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
        let forms: Vec<_> = russian.forms.categories().map(|(category, form)| (category, form.as_str())).collect();
        // `one` is 21 in Russian too: what leaves the number out would be wrong.
        let many = "[{{count}} files]";
        assert_eq!(forms, [(One, many), (Few, many), (Many, many), (Other, many)]);
        let Content::Plural(japanese) = marked(&files, "ja") else { panic!() };
        assert_eq!(japanese.forms.into_iter().collect::<Vec<_>>(), [(Other.into(), many.to_owned())]);
    }

    #[test]
    fn the_form_of_one_number_is_kept_in_every_language() {
        let forms = [("=0", "No files"), ("one", "{{count}} file"), ("other", "{{count}} files")]
            .map(|(key, form)| (key.parse::<PluralKey>().unwrap(), form.to_owned()));
        let files = Content::Plural(Plural { arg: "count".to_owned(), forms: forms.into() });
        let Content::Plural(japanese) = marked(&files, "ja") else { panic!() };
        let said: Vec<_> = japanese.forms.iter().map(|(key, form)| format!("{key} {form}")).collect();
        assert_eq!(said, ["=0 [No files]", "other [{{count}} files]"]);
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
    fn french_one_is_made_from_one_though_it_is_zero_too() {
        let numbered = text("{n, plural, one {# file} other {# files}}");
        let expected = "{n, plural, one {[# file]} many {[# files]} other {[# files]}}";
        assert_eq!(marked(&numbered, "fr"), text(expected));
        let numberless = text("{n, plural, one {One file} other {# files}}");
        let expected = "{n, plural, one {[# files]} many {[# files]} other {[# files]}}";
        assert_eq!(marked(&numberless, "fr"), text(expected));
        assert_eq!(marked(&numberless, "de"), text("{n, plural, one {[One file]} other {[# files]}}"));
    }

    #[test]
    fn a_broken_message_is_a_fault_of_the_source() {
        let error =
            ContentTemplate::new(&text("{n, plural, one {x}}"), &Mapping::new("en", "de"), Syntax::Mixed).unwrap_err();
        assert_eq!(error, "the source is not an ICU message: a choice needs the branch `other` at character 19");
        let deep = (0..14).fold("x".to_owned(), |inner, n| format!("{{a{n}, plural, other {{{inner}}}}}"));
        assert_eq!(
            ContentTemplate::new(&text(&deep), &Mapping::new("en", "ar"), Syntax::Mixed).unwrap_err(),
            "the source has too many branches"
        );
    }
}
