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
