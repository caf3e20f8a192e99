//! Documents and translations made at random.

use proptest::prelude::*;

fn one_of(items: &'static [&'static str]) -> BoxedStrategy<String> {
    prop::sample::select(items).prop_map(str::to_owned).boxed()
}

fn word() -> BoxedStrategy<String> {
    prop_oneof![
        6 => one_of(&["a", "Wort", "naïve", "日本", "x1", "I", "the", "don't", "Ω", "שלום"]),
        2 => one_of(&["*", "_", "`", "[", "]", "<", ">", "&", "\\", "#", "|", "!", "(", ")", "~", "{", "}", "-", "+", "=",
            "1.", "2)", ":", "\"", "'", "^", "$", "@", ".", ",", "…", "«", "»", "、", "%s", "{name}", "&amp;", "&lt;", "&nbsp;",
            "&#32;", "<1>", "</1>", "<2/>", "&copy", "\\*", "\u{a0}", "\u{200b}", "https://a.example/b_c_d", "a_b", "snake_case_",
            "<b", "-->", "```", "~~~", "---", "===", ":::", "\u{feff}", "import x from 'y'", "export const"]),
        1 => "[\\PC]{1,4}",
    ]
    .boxed()
}

fn words(most: usize) -> BoxedStrategy<String> {
    let blank = one_of(&[" ", " ", " ", "", "  "]);
    prop::collection::vec((word(), blank), 1..most)
        .prop_map(|words| words.into_iter().map(|(word, blank)| word + &blank).collect::<String>())
        .boxed()
}

/// A text with a letter, and with anything that means something in Markdown or HTML.
pub(super) fn text() -> BoxedStrategy<String> {
    (words(6), one_of(&["a", "Ü", "漢", "z "]), words(4), any::<bool>())
        .prop_map(|(one, letter, other, first)| if first { letter + &one + &other } else { one + &letter + &other })
        .boxed()
}

fn inline(depth: u32) -> BoxedStrategy<String> {
    let leaf = prop_oneof![
        8 => words(4),
        1 => one_of(&["`code`", "``a ` b``", "<https://a.example>", "<a@b.example>", "[^1]", "<br>", "<!-- c -->", "{expr}",
            "![](u)", "<Icon name=\"x\"/>", "<img alt=\"Logo of {{ site.title }} here\" src=u>", "{", "{{ a.b }}", "<B on={() => 1}/>", "&nbsp;", "&copy;", "<code>x *y*</code>", "<img alt=\"an alt\" src=u>",
            "<abbr title='long: \"x\"'>x</abbr>", "<div>", "</b>", "[ref]", "[ref][]", "[text][ref]", "![pic][ref]", "\\*", "\\\\"]),
    ];
    if depth == 0 {
        return leaf.boxed();
    }
    let inner = move || inline(depth - 1);
    prop_oneof![
        5 => leaf,
        4 => (inner(), one_of(&[" ", " ", ""]), inner()).prop_map(|(a, blank, b)| format!("{a}{blank}{b}")),
        1 => inner().prop_map(|text| format!("*{text}*")),
        1 => inner().prop_map(|text| format!("_{text}_")),
        1 => inner().prop_map(|text| format!("**{text}**")),
        1 => inner().prop_map(|text| format!("~~{text}~~")),
        1 => inner().prop_map(|text| format!("[{text}](/url \"title\")")),
        1 => inner().prop_map(|text| format!("![{text}](/pic.png)")),
        1 => inner().prop_map(|text| format!("<b class=x>{text}</b>")),
        1 => inner().prop_map(|text| format!("<span translate=no>{text}</span>")),
    ]
    .boxed()
}

fn block(depth: u32) -> BoxedStrategy<String> {
    let line = || inline(2).prop_map(|text| text.replace('\n', " "));
    let leaf = prop_oneof![
        5 => prop::collection::vec((line(), one_of(&["\n", "  \n", "\\\n", "\n  "])), 1..4)
            .prop_map(|lines| lines.into_iter().map(|(line, end)| line + &end).collect::<String>() + "\n"),
        1 => (1..7_usize, line(), one_of(&["", " #", " {#id}"])).prop_map(|(n, text, end)| format!("{} {text}{end}\n", "#".repeat(n))),
        1 => (line(), one_of(&["===", "---"])).prop_map(|(text, line)| format!("{text}\n{line}\n")),
        1 => (line(), line(), line()).prop_map(|(a, b, c)| {
            let cell = |text: String| text.replace('|', "\\|");
            format!("| {} | b |\n|---|:-:|\n| {} | {} |\n\n", cell(a), cell(b), cell(c))
        }),
        1 => one_of(&["```js\nlet a = {b: 1}\n```\n", "    code *x*\n", "***\n", "<!-- note -->\n", "[ref]: /u \"t\"\n\n", "[^1]: Note here.\n\n",
            "<script>\nvar a = \"x\";\n</script>\n", ":::note\nInside it\n:::\n", "import A from './a'\n\n", "<Tabs>\n\n", "</Tabs>\n\n"]),
        1 => line().prop_map(|text| format!("<div title=\"A tip\">\n  <p>{text}</p>\n</div>\n\n")),
        1 => line().prop_map(|text| format!("<b>\n{text}\n</b>\n\n")),
        1 => line().prop_map(|text| format!("<details><summary>{text}</summary>\n\n{text}\n\n</details>\n\n")),
    ];
    if depth == 0 {
        return leaf.boxed();
    }
    let inner = move || prop::collection::vec(block(depth - 1), 1..3).prop_map(|blocks| blocks.concat());
    let prefixed = |text: String, first: &str, rest: &str| {
        let mut out = String::new();
        for (at, line) in text.split_inclusive('\n').enumerate() {
            out.push_str(if at == 0 { first } else { rest });
            out.push_str(line);
        }
        out
    };
    prop_oneof![
        6 => leaf,
        1 => inner().prop_map(move |text| prefixed(text, "> ", "> ") + "\n"),
        1 => inner().prop_map(move |text| prefixed(text, "> [!NOTE]\n> ", "> ") + "\n"),
        1 => inner().prop_map(move |text| prefixed(text, "- ", "  ")),
        1 => inner().prop_map(move |text| prefixed(text, "1. ", "   ")),
        1 => inner().prop_map(move |text| prefixed(text, "- [x] ", "  ")),
    ]
    .boxed()
}

/// A document of Markdown as people and tools leave them.
pub(super) fn markdown() -> BoxedStrategy<String> {
    let front = one_of(&[
        "",
        "",
        "",
        "---\ntitle: A title\ndescription: 'it''s'\n---\n",
        "+++\ntitle = \"A title\"\n+++\n\n",
        "\u{feff}",
        "\n\n",
    ]);
    let end = one_of(&["", "\n", "\n\n", "  "]);
    (front, prop::collection::vec((block(2), one_of(&["", "\n"])), 0..6), end, prop::bool::weighted(0.2))
        .prop_map(|(front, blocks, end, crlf)| {
            let body: String = blocks.into_iter().map(|(block, blank)| block + &blank).collect();
            let source = format!("{front}{body}{end}");
            if crlf { source.replace('\n', "\r\n") } else { source }
        })
        .boxed()
}

fn markup(depth: u32) -> BoxedStrategy<String> {
    let leaf = prop_oneof![
        6 => words(5),
        1 => one_of(&["<br>", "<img alt='a b' src=x>", "<code>x</code>", "<!-- c -->", "<script>if (a<b) c</script>", "<pre> p </pre>",
            "<input placeholder=Name>", "</i>", "<i>", "<p>", "</p>", "</>", "<?pi?>", "\n", "\r\n  ", "<textarea>t</textarea>",
            "<svg><title>no</title></svg>", "<p translate=no>x", "<b class='a notranslate'>y</b>", "<meta name=description content='about it'>"]),
    ];
    if depth == 0 {
        return leaf.boxed();
    }
    let inner = move || prop::collection::vec(markup(depth - 1), 0..4).prop_map(|parts| parts.concat());
    let name = one_of(&["p", "div", "b", "a", "span", "li", "h2", "td", "my-el", "title", "button"]);
    let attribute = one_of(&["", "", " title=\"A tip\"", " title=Tip", " href='/x'", " aria-label='l &amp; m'"]);
    prop_oneof![3 => leaf, 4 => (name, attribute, inner()).prop_map(|(name, attribute, inner)| format!("<{name}{attribute}>{inner}</{name}>"))].boxed()
}

/// A document of HTML, balanced or not.
pub(super) fn html() -> BoxedStrategy<String> {
    (one_of(&["", "<!doctype html>\n", "\u{feff}"]), prop::collection::vec(markup(3), 0..5))
        .prop_map(|(front, parts)| front + &parts.concat())
        .boxed()
}

/// A document of plain text.
pub(super) fn plain() -> BoxedStrategy<String> {
    let end = one_of(&["\n", "\n\n", "\r\n", "\r\n\r\n", " \n\t\n", "\r", " ", "\u{feff}"]);
    prop::collection::vec((words(4), end), 0..6)
        .prop_map(|lines| lines.into_iter().map(|(line, end)| line + &end).collect())
        .boxed()
}
