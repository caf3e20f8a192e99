//! The segments of documents, and the form of their texts.

use super::*;

#[test]
fn blocks_are_segments_and_inline_markup_is_tags() {
    let source = "# Install `foo` {#id}\n\nRead [the *manual*](/m \"t\") at <https://a.example>,  \n![a pic](p) or ![](q).[^1]\n\n- item\n- [x] done\n\n| a | 12 |\n|---|---|\n| b | **c** |\n\n[^1]: Note.\n";
    let expected = [
        "Install <1/> <2/>",
        "Read <1>the <2>manual</2></1> at <3/>,<4/><5>a pic</5> or <6/>.<7/>",
        "item",
        "done",
        "a",
        "b",
        "<1>c</1>",
        "Note.",
    ];
    assert_eq!(texts(&markdown(source)), expected);
}

#[test]
fn what_is_not_for_people_is_no_text() {
    let source = "import A from './a'\n\n```\ncode\n```\n\n    code\n\n<script>\nx\n</script>\n\n<A b={c}/>\n\n{d}\n\n[r]: /r \"t\"\n\n---\n\n123 `e` <https://f.example>\n\n:::note\n\n:::\n\n<!-- g -->\n";
    assert_eq!(texts(&markdown(source)), [""; 0]);
    let source = "<script>a</script><style>b</style><pre><code>c</code></pre><p translate=no title=t>d<p><code>e</code><svg><text>f</text></svg><!-- g --> 1 &amp; 2";
    assert_eq!(texts(&html(source)), [""; 0]);
}

#[test]
fn attributes_that_people_read_are_segments() {
    let source = "<meta name=Description content='About it'><meta name=x content=no><p title='A &quot;tip&quot;'>See <img src=x alt=pic> <input placeholder=Name aria-label=Label>";
    let expected = ["About it", "A \"tip\"", "See <1/> <2/>", "pic", "Name", "Label"];
    assert_eq!(texts(&html(source)), expected);
    assert_eq!(with(&html("<p title=tip>x</p>"), "tip", "ein \"Tipp\""), "<p title=\"ein &quot;Tipp&quot;\">x</p>");
    assert_eq!(with(&html("<b title='tip'>x</b> y"), "tip", "it's"), "<b title='it&#39;s'>x</b> y");
    let both = markdown("See <b title=\"tip\">x</b>.");
    let out = both.render(|segment| Some(if segment.text == "tip" { "Tipp" } else { "Siehe <1>x</1>!" }));
    assert_eq!(out.as_deref(), Ok("Siehe <b title=\"Tipp\">x</b>!"));
}

#[test]
fn front_matter_gives_the_strings_that_people_read() {
    let source = "---\ntitle: A title\ndescription: >\n  folded\n  text\n\nslug: x\nsummary: 'it''s'\nnested:\n  title: no\ncaption: \"a\\tb\"\n---\nBody\n";
    let document = markdown(source);
    assert_eq!(texts(&document), ["A title", "folded text", "it's", "a b", "Body"]);
    assert_eq!(with(&document, "A title", "Titel: neu"), source.replace("A title", "\"Titel: neu\""));
    assert_eq!(with(&document, "A title", "Ein Titel"), source.replace("A title", "Ein Titel"));
    assert_eq!(with(&document, "it's", "'s ist"), source.replace("it''s", "''s ist"));
    assert_eq!(with(&document, "folded text", "gefaltet"), source.replace(">\n  folded\n  text\n", "\"gefaltet\"\n"));
    let source = "+++\ntitle = 'One'\n[params]\ntitle = 'no'\n+++\n";
    assert_eq!(with(&markdown(source), "One", "\"Eins\"\\"), source.replace("'One'", "\"\\\"Eins\\\"\\\\\""));
}

#[test]
fn broken_front_matter_is_refused_with_its_line() {
    let error = parse(DocumentFormat::Markdown, "---\ntitle: ä\nb: c: d\n---\n").unwrap_err();
    assert_eq!((error.line, error.column), (3, 5));
    assert!(error.to_string().starts_with("line 3, column 5: the front matter is not valid YAML: "), "{error}");
    let error = parse(DocumentFormat::Markdown, "\u{feff}+++\na = 1\nb = = 2\n+++\n").unwrap_err();
    assert_eq!(error.line, 3);
    assert_eq!(texts(&markdown("---\na: b: c\n")), ["a: b: c"]);
}

#[test]
fn the_title_is_the_first_thing_that_calls_itself_one() {
    let title = |document: Document| document.title().map(str::to_owned);
    assert_eq!(title(markdown("Text\n\n## The `big` *one*\n\n# Two\n")).as_deref(), Some("The big one"));
    assert_eq!(title(markdown("---\ntitle: Front\n---\n# Head\n")).as_deref(), Some("Front"));
    assert_eq!(title(html("<h2>Head</h2><title>A &amp; B</title>")).as_deref(), Some("A & B"));
    assert_eq!(title(html("<div><h2>Head</h2></div>")).as_deref(), Some("Head"));
    assert_eq!(title(read(DocumentFormat::Text, "Text")), None);
}

#[test]
fn characters_are_those_of_texts_without_tags() {
    assert_eq!(markdown("Ä *b*\n\n# Ü\n").characters(), 4);
}

#[test]
fn what_means_something_is_escaped_where_it_does() {
    let cases = [
        ("Text\n", "# a", "\\# a\n"),
        ("Text\n", "1. a - b", "1\\. a - b\n"),
        ("Text\n", "- a", "\\- a\n"),
        ("Text\n", "a_b _c_ 2 * 3 <b <3 & &amp;", "a_b \\_c\\_ 2 \\* 3 \\<b <3 & &amp;amp;\n"),
        ("# Text\n", "# a #", "# \\# a \\#\n"),
        ("**Text** is\n", "<1>«a»:</1>b", "**«a»:**&#98;\n"),
        ("- Text\n", "[ ] a", "- \\[ \\] a\n"),
        ("Text\n", "Wow![x]", "Wow!\\[x\\]\n"),
        ("See [x](y)\n", "Wow!<1>x</1>(z)", "Wow\\![x](y)(z)\n"),
        ("[Text]\n\n[text]: /u\n", "<1>Wort</1>", "[Wort][Text]\n\n[text]: /u\n"),
    ];
    for (source, text, expected) in cases {
        let document = markdown(source);
        let out = document.render(|_| Some(text));
        assert_eq!(out.as_deref(), Ok(expected), "{source}");
    }
}

#[test]
fn tags_may_change_their_order() {
    let document = markdown("A *b* and `c`.\n");
    assert_eq!(document.render(|_| Some("<2/> und <1>b</1>.")).as_deref(), Ok("`c` und *b*.\n"));
}

/// Windows ends lines with two bytes.
#[test]
fn expressions_over_several_lines_are_none_of_the_text_whatever_ends_the_lines() {
    let source = "Text {a\n  *b*} here.\n\n<Tabs values={[\n  {label: 'One'},\n]}>\n\nInside it.\n\n</Tabs>\n";
    let expected = ["Text <1/> here.", "Inside it."];
    assert_eq!(texts(&markdown(source)), expected);
    assert_eq!(texts(&markdown(&source.replace('\n', "\r\n"))), expected);
}

#[test]
fn attributes_with_braces_in_them_are_no_text_in_markdown() {
    let source = "See <img alt=\"Logo of {{ site.title }} here\" src=u> it.\n\n<p title=\"Tip for {{ user }}\">A tip</p>\n\n<Card title=\"My {z} title\">\n\n<Card title=\"My title\">\n";
    assert_eq!(texts(&markdown(source)), ["See <1/> it.", "A tip", "My title"]);
}

/// Its text is markup to one reader and text to another.
#[test]
fn noscript_is_no_text() {
    let source =
        "<p>A</p><noscript><p>No script</p></noscript><noscript><iframe src=x title=Pixel></iframe></noscript><p>B</p>";
    assert_eq!(texts(&html(source)), ["A", "B"]);
}

/// Else a translation that leaves the open brace out, or escapes it, makes others of the braces after it.
#[test]
fn a_brace_that_nothing_closes_changes_nothing_after_it() {
    for (source, text, out) in [
        ("{ a <B on={() => 1}/> b\n", "c <1/>", "c <B on={() => 1}/>\n"),
        ("Begins with { and {{ site.title }} here.\n", "\u{7b} <1/> da.", "\\{ {{ site.title }} da.\n"),
        (
            "> > {  a  <span translate=no><B on={() => 1}/></span>\n",
            "a aa <1/>",
            "> > a aa <span translate=no><B on={() => 1}/></span>\n",
        ),
    ] {
        let document = markdown(source);
        assert_eq!(document.render(|_| Some(text)).as_deref(), Ok(out), "{:?}", texts(&document));
    }
    let source = "<!-- { --> Hello {{ name }} there.\n";
    let document = markdown(source);
    assert_eq!(document.render(|_| Some("<1/> Hallo <2/> da.")).as_deref(), Ok("<!-- { --> Hallo {{ name }} da.\n"));
}

#[test]
fn a_brace_of_a_translation_closes_none_of_the_source() {
    let document = markdown("<!-- { --> Hello there.\n\nTwo\n");
    let out = document.render(|segment| Some(if segment.text == "Two" { "Zwei" } else { "<1/> Hallo } da." }));
    assert_eq!(out.as_deref(), Ok("<!-- { --> Hallo &#125; da.\n\nZwei\n"));
}
