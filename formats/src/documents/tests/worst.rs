//! The worst nesting and the worst length of every construct, at the size that a document may have: read, written with
//! other texts and read again on a small stack, in time that does not grow with the square of the length.

use super::*;
use crate::small_stack::{filled, nested, on_small_stack};

/// Bytes that `POST /content` takes.
const CAP: usize = 256 * 1024;

/// Constructs of HTML, which stand in Markdown, too.
fn html_units(size: usize) -> Vec<String> {
    let whole = |unit: &str| filled(size, unit);
    let tag = |attribute: &str| format!("<p {}>a", filled(size - 8, attribute));
    let end_tag = |attribute: &str| format!("a</p {}>b", filled(size - 16, attribute));
    let mut units: Vec<String> = Vec::new();
    for attribute in [
        "a=\"x\" ",
        "a=\"x\"\n",
        "a=\"x\"\r\n",
        "a=\"x\"\t\x0c",
        "a=\"x\"",
        "a=\"x\"/",
        "a=\"x\" / ",
        "a='x' ",
        "a=x ",
        "a ",
        "a= ",
        "=\" ",
        "a=\"&amp;\" ",
        "a=\"\" ",
        "title=\"b c\" ",
        "title='b' ",
        "title=b ",
        "\"' ",
        "a = \"x\" ",
        "a=\"x\"b='y' ",
        "class=\"notranslate\" ",
        "a=\"\0\" ",
        "é=\"é\" ",
        "{a}=\"{b}\" ",
        "/ ",
        "a=\">\" ",
    ] {
        units.push(tag(attribute));
        units.push(end_tag(attribute));
        units.push(format!("<p {}", filled(size - 8, attribute)));
    }
    for unit in [
        "<b>a",
        "</b>a",
        "<i>a</b>",
        "<a ",
        "</a ",
        "<p>a",
        "<li>a",
        "<code>a",
        "<svg>",
        "<template>",
        "<pre>",
        "<!-- ",
        "-->",
        "<!---",
        "<!",
        "<?",
        "</",
        "</>",
        "</ ",
        "<![CDATA[",
        "]]>",
        "<!doctype ",
        "&",
        "&#",
        "&#x",
        "&amp",
        "&notit;",
        "&#1114112;",
        "&CounterClockwiseContourIntegral",
        "<script>",
        "<script><!--<script>",
        "</script>",
        "<title>",
        "<textarea>&amp;",
        "<plaintext>",
        "<style><",
        "<xmp>&",
        "<",
        ">",
        "\"",
        "'",
        "=",
        "/",
        "\0",
        "<br>a",
        "<br/>",
        "<img alt=\"a\">b",
        "<b></b>",
        "<b> </b>a",
        "<table><tr><td>a",
        "<option>a",
        "<b title=\"a\">c</b>",
        "{",
        "}",
        "{a}",
        "<A>a",
    ] {
        units.push(whole(unit));
    }
    for (open, close) in [
        ("<b>a", "</b>"),
        ("<b>", "</b>"),
        ("<div>", "</div>"),
        ("<div>a", "</div>b"),
        ("<code>", "</code>"),
        ("<pre>", "</pre>"),
        ("<b title=\"a\">", "</b>"),
        ("<span translate=\"no\">", "</span>"),
        ("<ul><li>a", "</ul>"),
        ("<!--", "-->"),
        ("{", "}"),
    ] {
        units.push(nested(size, open, "a", close));
    }
    cut(units, size)
}

fn markdown_units(size: usize) -> Vec<String> {
    let whole = |unit: &str| filled(size, unit);
    let mut units: Vec<String> = Vec::new();
    for unit in [
        ">",
        "> ",
        "- ",
        "* ",
        "1. ",
        "1) a\n",
        "- a\n",
        "    a\n",
        "#",
        "# a\n",
        "a\n===\n",
        "a\n---\n",
        "```\n",
        "~~~",
        "`",
        "`a",
        "``a`",
        "*",
        "**a ",
        "*a ",
        "_a ",
        "*a _b ",
        "~~a ",
        "~a",
        "***a",
        "a**b",
        "a*",
        "[",
        "[a",
        "[a]",
        "![",
        "[a](",
        "[a](<",
        "[a](b \"",
        "[a](b) ",
        "![a](b) ",
        "[a][b] ",
        "[a]: b\n",
        "[^a]",
        "[^a]: b\n",
        "[^a",
        "]",
        "](",
        ")(",
        "<",
        "<a",
        "<http://a",
        "<a@b>",
        "<http://a> ",
        "<!--",
        "<?",
        "<![CDATA[",
        "<!A",
        "</",
        "|",
        "|a",
        "|a|\n",
        "a|b\n",
        "| - ",
        "\\",
        "\\a",
        "\\\n",
        "  \n",
        "a  \n",
        "\n",
        "\r",
        "\t",
        "&",
        "&#",
        "&amp;",
        "!",
        "---\n",
        "+++\n",
        "+++",
        "- [ ] a\n",
        "> [!NOTE]\n",
        ":::a\n",
        "::: ",
        "import a from \"b\"\n\n",
        "export ",
        "{",
        "}",
        "{a} ",
        "{`",
        "{{a}}",
        "{%",
        "$",
        "$$",
        "a\n\n",
        "<b>",
        "<b>a\n\n",
        "<div>\n",
        "> <div>\n",
        "\u{feff}",
        "a`{",
        "*{a}*",
        "[{a}](",
        "- - \n",
        "> - ",
        "1. - ",
        "-\t",
        "<b a=\"x\">c</b> ",
        "[a](b \"c\") ",
        "\\[",
        "www.a.b ",
        "http://a.b ",
    ] {
        units.push(whole(unit));
    }
    for (open, close) in [
        ("[", "]"),
        ("![", "](a)"),
        ("[", "](a)"),
        ("(", ")"),
        ("*", "*"),
        ("**", "**"),
        ("_", "_"),
        ("*a ", " b*"),
        ("*a **b ", "** c*"),
        ("~~", "~~"),
        ("<b>", "</b>"),
        ("{", "}"),
        ("[a][", "]"),
        ("[^", "]"),
        ("`", "`"),
        ("![a][", "]"),
        ("> ", "\n"),
        ("<b title=\"c\">a", "</b>"),
        ("\\", "\\"),
        ("<div>\n\n", "\n\n</div>"),
    ] {
        units.push(nested(size, open, "a", close));
    }
    let line = |lines: usize, line: &dyn Fn(usize) -> String| (0..lines).map(line).collect::<String>();
    // Each line nests one deeper than the one before.
    units.push(line(700, &|depth| format!("{}- a\n", "  ".repeat(depth / 2))));
    units.push(line(700, &|depth| format!("{} a\n", ">".repeat(depth))));
    units.push(line(700, &|length| format!("{} a ", "`".repeat(length))));
    units.push(line(20_000, &|number| format!("[a{number}]: b\n")));
    units.push(line(10_000, &|number| format!("[^{number}]: b\n\na[^{number}]\n\n")));
    let cells = size / 8;
    units.push(format!("{}\n{}\n{}\n", "|a".repeat(cells), "|-".repeat(cells), "|b".repeat(cells)));
    units.push(format!("{}\n{}\n{}", "|a".repeat(4_000), "|-".repeat(4_000), "|\n".repeat(60_000)));
    units.push(format!("a\n{}\n{}", "|-".repeat(100), "a\n".repeat(100_000)));
    units.push(format!("<p {}\n\n{}", "a=\"x\"\n".repeat(10_000), "> b=\"x\"\n".repeat(10_000)));
    units.push(format!("<p\n{}>a</p>", "a=\"x\"\n".repeat(40_000)));
    units.push(format!("> <p\n{}> >a</p>", "> a=\"x\"\n".repeat(30_000)));
    units.push(format!("b <i {}>c</i>", "a=\"x\" ".repeat(40_000)));
    cut(units, size)
}

/// Front matter of Markdown, in the middle of its fence.
fn front_matter_units(size: usize) -> Vec<String> {
    let size = size - 64;
    let yaml = |block: String| format!("---\n{block}\n---\na");
    let toml = |block: String| format!("+++\n{block}\n+++\na");
    let mut units = Vec::new();
    for unit in [
        "[",
        "{",
        "- ",
        "? ",
        ": ",
        "a: ",
        "a:\n",
        "\"",
        "'",
        "&a ",
        "*a ",
        "!a ",
        "!!",
        "|\n",
        ">\n",
        "#",
        "%",
        "@",
        "`",
        ",",
        "]",
        "}",
        "a: b\n",
        "a: [",
        "[a: ",
        "{a: ",
        "{a, ",
        "- - \n",
        "- a: ",
        "\t",
        " ",
        "\n",
        "--- \n",
        "...",
        "\\x",
        "é",
        "\"\\u0041",
        "{? ",
        "[? ",
        "a: &a [",
        "<<: *a\n",
        "? - ",
        "'' ",
        "\"a\" : ",
        "{\"a\":",
        "[[], ",
        "{{}: ",
        "-\n",
        "?\n",
    ] {
        units.push(yaml(filled(size, unit)));
        units.push(yaml(format!("title: {}", filled(size, unit))));
    }
    let indented = |line: &dyn Fn(usize) -> String| (0..700).map(line).collect::<String>();
    units.push(yaml(indented(&|depth| format!("{}a:\n", " ".repeat(depth)))));
    units.push(yaml(indented(&|depth| format!("{}- \n", " ".repeat(depth)))));
    units.push(yaml(nested(size, "[", "a", "]")));
    units.push(yaml(nested(size, "{a: ", "a", "}")));
    units.push(yaml(format!("title: |\n{}", filled(size, "  a\n"))));
    units.push(yaml((0..20_000).map(|number| format!("a{number}: b\n")).collect()));
    units.push(yaml((0..10_000).map(|number| format!("a{number}: &a{number} [*a{}]\n", number / 2)).collect()));
    for unit in [
        "[",
        "[[",
        "{",
        "a=",
        "a.",
        "a = [",
        "a = {b = ",
        "\"",
        "'",
        "\"\"\"",
        "'''",
        "#",
        "=",
        "]",
        "}",
        ",",
        "\\",
        "a = 1\n",
        "a.b.",
        "[a]\n",
        "[[a]]\n",
        "[a.",
        "\n",
        "a = \"\\u0041",
        "1",
        "9",
        "_",
        "a = 1979-",
        "é",
    ] {
        units.push(toml(filled(size, unit)));
        units.push(toml(format!("title = {}", filled(size, unit))));
    }
    units.push(toml(format!("{}a = 1", filled(size, "a."))));
    units.push(toml(format!("[{}a]\nb = 1", filled(size, "a."))));
    units.push(toml(format!("[[{}a]]\nb = 1", filled(size, "a."))));
    units.push(toml(format!("a = {}", nested(size, "[", "1", "]"))));
    units.push(toml(format!("a = {}", nested(size, "{a = ", "1", "}"))));
    units.push(toml(format!("a = {{{}b = 1}}", filled(size, "a."))));
    units.push(toml((0..20_000).map(|number| format!("a{number} = 1\n")).collect()));
    units.push(toml((0..500).map(|depth| format!("[{}a]\n", "a.".repeat(depth))).collect()));
    units.push(toml(format!("a = {}", filled(size, "9"))));
    cut(units, size)
}

/// No unit is longer than `size`.
fn cut(mut units: Vec<String>, size: usize) -> Vec<String> {
    units.iter_mut().for_each(|unit| unit.truncate(unit.floor_char_boundary(size)));
    units
}

/// Reads a document of the largest size. One of an eighth of that size, which takes less time, is written, too:
/// unchanged and with other texts.
fn exercise(format: DocumentFormat, units: fn(usize) -> Vec<String>) {
    on_small_stack(|| {
        for source in units(CAP) {
            assert!(
                parse(format, &source).is_ok_and(|document| document.source() == source)
                    || format == DocumentFormat::Markdown
            );
        }
        for source in units(CAP / 8) {
            let Ok(document) = parse(format, &source) else { continue };
            assert_eq!(document.render(|segment| Some(&segment.text)).as_deref(), Ok(source.as_str()));
            let others = document.segments().iter().map(|segment| retold(&segment.text, |text| text.replace('a', "z")));
            let others: Vec<String> = others.collect();
            let next = std::cell::Cell::new(0);
            let _ = document.render(|_| others.get(next.replace(next.get() + 1)).map(String::as_str));
        }
    });
}

#[test]
fn the_worst_html_takes_no_more_stack_than_any_other() {
    exercise(DocumentFormat::Html, html_units);
}

#[test]
fn the_worst_html_in_markdown_takes_no_more_stack_than_any_other() {
    exercise(DocumentFormat::Markdown, html_units);
}

#[test]
fn the_worst_markdown_takes_no_more_stack_than_any_other() {
    exercise(DocumentFormat::Markdown, markdown_units);
}

#[test]
fn the_worst_front_matter_takes_no_more_stack_than_any_other() {
    exercise(DocumentFormat::Markdown, front_matter_units);
}

#[test]
fn the_worst_plain_text_takes_no_more_stack_than_any_other() {
    exercise(DocumentFormat::Text, |size| {
        ["a", "\n", "\r", "a\n", "a\r\n", " ", "<1>", "<1/>", "{a, plural, ", "\u{feff}", "\0", "a\n\n"]
            .map(|unit| filled(size, unit))
            .into()
    });
}
