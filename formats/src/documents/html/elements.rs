//! The kinds of elements, as a translator sees them.

/// The kind of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    /// Ends the text before it and after it.
    Block,
    /// A heading: a block that may name the document.
    Heading,
    /// `<title>`.
    Title,
    /// Part of a text.
    Inline,
    /// Part of a text, without an end tag.
    Void,
    /// A block without an end tag.
    VoidBlock,
    /// Part of a text and left unchanged: code and the like.
    Code,
    /// Left unchanged, and ends the text beside it.
    Opaque,
}

/// The element of a name, in any case. Unknown elements are part of the text; those with a capital letter, which
/// only MDX has, are the caller's to judge.
pub(super) fn element(name: &str) -> Element {
    let mut lower = [0; 12];
    let Some(lower) = lower.get_mut(..name.len()) else { return Element::Inline };
    lower.copy_from_slice(name.as_bytes());
    lower.make_ascii_lowercase();
    match &*lower {
        b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" => Element::Heading,
        b"title" => Element::Title,
        b"area" | b"br" | b"embed" | b"img" | b"input" | b"wbr" => Element::Void,
        b"base" | b"col" | b"hr" | b"link" | b"meta" | b"param" | b"source" | b"track" => Element::VoidBlock,
        b"code" | b"kbd" | b"samp" | b"var" | b"tt" | b"svg" | b"math" | b"object" | b"canvas" | b"audio"
        | b"video" | b"iframe" => Element::Code,
        b"script" | b"style" | b"pre" | b"textarea" | b"template" | b"noembed" | b"noframes" | b"noscript" | b"xmp"
        | b"listing" | b"plaintext" => Element::Opaque,
        b"address" | b"article" | b"aside" | b"blockquote" | b"body" | b"caption" | b"center" | b"colgroup" | b"dd"
        | b"details" | b"dialog" | b"dir" | b"div" | b"dl" | b"dt" | b"fieldset" | b"figcaption" | b"figure"
        | b"footer" | b"form" | b"frameset" | b"head" | b"header" | b"hgroup" | b"html" | b"legend" | b"li"
        | b"main" | b"menu" | b"menuitem" | b"nav" | b"ol" | b"optgroup" | b"option" | b"p" | b"picture"
        | b"search" | b"section" | b"select" | b"summary" | b"table" | b"tbody" | b"td" | b"tfoot" | b"th"
        | b"thead" | b"tr" | b"ul" => Element::Block,
        _ => Element::Inline,
    }
}

/// Returns whether the end tag of an element may be left out, so that the next one of its name ends it.
pub(super) fn may_lack_end(name: &str) -> bool {
    ["p", "li", "dt", "dd", "td", "th", "tr", "option"].iter().any(|other| name.eq_ignore_ascii_case(other))
}

/// Returns whether people read the value of an attribute.
pub(super) fn is_read(name: &str) -> bool {
    ["title", "alt", "placeholder", "aria-label"].contains(&name)
}

/// Returns whether an attribute says that nothing in its element is translated.
pub(super) fn is_unmarked(name: &str, value: &str) -> bool {
    match name {
        "translate" => value.eq_ignore_ascii_case("no"),
        "class" => value.split_ascii_whitespace().any(|class| class == "notranslate"),
        _ => false,
    }
}
