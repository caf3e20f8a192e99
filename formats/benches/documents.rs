//! The speed of reading and writing documents. `cargo bench -p l10n-formats --bench documents`
//!
//! Prints one line for each figure, on one core: megabytes (10^6 bytes of source) in a second. Beside Markdown and HTML
//! stands the speed of the parser library alone, its events or tokens counted. Then the worst of hostile documents of
//! 256 KiB.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a bench ends at the first fault and prints its figures")]

use std::cell::Cell;
use std::hint::black_box;
use std::time::{Duration, Instant};

use html5gum::Tokenizer;
use l10n_formats::documents::{DocumentFormat, parse};
use pulldown_cmark::{Options, Parser};

const SIZE: usize = 262_144;

fn main() {
    let markdown = repeated(include_str!("../../CONTRIBUTING.md").to_owned() + include_str!("../../ARCHITECTURE.md"));
    let page = "<section class=s><h2 id=h>A heading</h2>\n<p title=\"A tip\">Some <b>bold</b> text, &amp; a <a href=\"/x\">link to \
                more</a>.</p>\n<ul>\n  <li>One <code>code</code>\n  <li>Two\n</ul>\n</section>\n";
    let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_STRIKETHROUGH;
    let html = repeated(page.to_owned());
    let events = speed(markdown.len(), || Parser::new_ext(&markdown, options).into_offset_iter().count());
    let tokens = speed(html.len(), || Tokenizer::new(html.as_str()).count());
    let text = repeated("A line of text\nand another one.\n\n".to_owned());
    for (name, format, source, bare) in [
        ("markdown", DocumentFormat::Markdown, markdown, Some(("the parser's events", events))),
        ("html", DocumentFormat::Html, html, Some(("the tokenizer's tokens", tokens))),
        ("text", DocumentFormat::Text, text, None),
    ] {
        let document = parse(format, &source).unwrap();
        let segments = document.segments().len();
        let read = speed(source.len(), || parse(format, &source).unwrap());
        let own = speed(source.len(), || document.render(|segment| Some(&segment.text)).unwrap());
        let texts: Vec<String> = document.segments().iter().map(|segment| segment.text.clone() + " ü").collect();
        let written = speed(source.len(), || {
            let next = Cell::new(texts.iter());
            document.render(|_| next_of(&next)).unwrap()
        });
        let both = 1.0 / (1.0 / read + 1.0 / written);
        println!(
            "{name}: {segments} segments in {} bytes: read {read:.0}, write the same {own:.0}, write others {written:.0}, \
             read and write others {both:.0} MB/s",
            source.len(),
        );
        if let Some((what, bare)) = bare {
            println!(
                "{name}: {what} alone {bare:.0} MB/s, {:.1} times as fast as to read and write others",
                bare / both
            );
        }
    }
    hostile();
}

/// The next text: segments are asked for in their order, each once.
fn next_of<'t>(texts: &Cell<std::slice::Iter<'t, String>>) -> Option<&'t str> {
    let mut rest = texts.take();
    let next = rest.next().map(String::as_str);
    texts.set(rest);
    next
}

fn repeated(text: String) -> String {
    text.repeat(SIZE / text.len())
}

/// Megabytes in a second, of at least a second's work.
fn speed<T>(bytes: usize, mut work: impl FnMut() -> T) -> f64 {
    let began = Instant::now();
    let mut rounds = 0_usize;
    while began.elapsed() < Duration::from_secs(1) {
        black_box(work());
        rounds += 1;
    }
    (bytes * rounds) as f64 / began.elapsed().as_secs_f64() / 1e6
}

fn hostile() {
    let fill = |unit: &str| unit.repeat(SIZE / unit.len());
    let steps = |step: &dyn Fn(usize) -> String| {
        let mut out = String::new();
        for number in 0.. {
            let next = step(number);
            if out.len() + next.len() > SIZE {
                break;
            }
            out.push_str(&next);
        }
        out
    };
    let markdown = DocumentFormat::Markdown;
    let html = DocumentFormat::Html;
    let cases = [
        ("quotes in one line", markdown, fill(">") + " a"),
        ("10,000 quotes, many lines", markdown, format!("{} a\n", ">".repeat(10_000)).repeat(26)),
        ("lists in one line", markdown, fill("- ") + "a"),
        ("lists ever deeper", markdown, steps(&|number| format!("{}- a\n", "  ".repeat(number)))),
        ("links", markdown, fill("[a](b) ")),
        ("shortcut links", markdown, "[a]: /b\n\n".to_owned() + &fill("[a] ")),
        ("brackets", markdown, fill("[") + "a"),
        ("opening links", markdown, fill("[a](")),
        ("images", markdown, fill("![")),
        ("emphasis", markdown, fill("*a _b ")),
        ("strong", markdown, fill("**a ") + &"b** ".repeat(100)),
        ("backtick runs", markdown, steps(&|number| "`".repeat(number % 600 + 1) + " a ")),
        ("open braces", markdown, fill("{a ")),
        ("closed braces", markdown, "{".repeat(SIZE / 2) + "a" + &"}".repeat(SIZE / 2)),
        ("small braces", markdown, fill("a {b} ")),
        ("start tags in a paragraph", markdown, fill("a<b>")),
        ("end tags in a paragraph", markdown, "<i>".repeat(40_000) + &"a</b>".repeat(20_000)),
        ("tags that never end", markdown, fill("a <b ")),
        ("comments that never end", markdown, fill("a <!-- ")),
        ("declarations", markdown, fill("a <?b <!C <![CDATA[ ")),
        ("references", markdown, fill("&amp;a")),
        ("definitions", markdown, steps(&|number| format!("[a{number}]: /b\n"))),
        ("footnotes", markdown, steps(&|number| format!("[^{number}]: a [^{number}]\n\n"))),
        (
            "table of many columns",
            markdown,
            format!("{}\n{}\n{}", "|a".repeat(20_000), "|-".repeat(20_000), "|b\n".repeat(40_000)),
        ),
        ("hard breaks", markdown, fill("a\\\n")),
        ("front matter", markdown, format!("---\ntitle: {}\n---\n", fill("[a, "))),
        ("front matter of keys", markdown, format!("---\n{}---\n", steps(&|number| format!("k{number}: a\n")))),
        ("front matter of titles", markdown, format!("---\n{}---\n", fill("title: ä\n"))),
        ("front matter of tables", markdown, format!("+++\n{}+++\n", steps(&|number| format!("[a.b{number}]\n")))),
        ("start tags", html, fill("<b>a")),
        ("end tags", html, "<i>".repeat(40_000) + &"a</b>".repeat(20_000)),
        ("tags that never end", html, fill("<a ")),
        ("attributes", html, format!("<p {}>a", fill("title=b "))),
        ("attributes of their own", html, format!("<p {}>a", steps(&|number| format!("a{number}=b ")))),
        ("code that never ends", html, fill("<code>")),
        ("comments that never end", html, fill("a<!--")),
        ("line ends", DocumentFormat::Text, fill("a\n\n")),
    ];
    let mut times: Vec<_> = cases
        .into_iter()
        .map(|(name, format, source)| {
            let began = Instant::now();
            let mut outcome = "refused";
            if let Ok(document) = parse(format, &source) {
                let text = |segment: &l10n_formats::documents::Segment| segment.text.clone() + " ü";
                let texts: Vec<String> = document.segments().iter().map(text).collect();
                let next = Cell::new(texts.iter());
                let out = document.render(|_| next_of(&next));
                outcome = if out.is_ok() { "written" } else { "held" };
            }
            (began.elapsed(), format.as_str(), name, outcome)
        })
        .collect();
    times.sort();
    for (took, format, name, outcome) in times.into_iter().rev() {
        println!("hostile {format}: {name}: {:.0} ms, {outcome}", took.as_secs_f64() * 1e3);
    }
}
