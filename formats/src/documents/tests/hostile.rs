//! Documents that would break a reader are read, and come back.

use super::*;

/// Sizes at which more than linear time would be felt, and recursion would end the process.
fn hostile() -> Vec<(&'static str, DocumentFormat, String)> {
    let n = 20_000;
    let markdown = |name, source| (name, DocumentFormat::Markdown, source);
    let html = |name, source| (name, DocumentFormat::Html, source);
    vec![
        markdown("quotes", format!("{} a", ">".repeat(n))),
        markdown("lists", "- ".repeat(n) + "a"),
        markdown("links", "[a](b) ".repeat(n)),
        markdown("brackets", "[".repeat(n) + "a"),
        markdown("emphasis", "*a _b ".repeat(n)),
        markdown("backticks", (1..200).map(|n| "`".repeat(n) + " a ").collect()),
        markdown("braces", "{a ".repeat(n)),
        markdown("closed braces", "{".repeat(n) + "a" + &"}".repeat(n)),
        markdown("start tags", "a <b> ".repeat(n)),
        markdown("end tags", "a </b> ".repeat(n)),
        markdown("fences", "```\n".repeat(n + 1) + "a"),
        markdown("front matter", format!("---\ntitle: {}\n---\n", "[".repeat(100))),
        html("start tags", "<b>a".repeat(n)),
        html("end tags", "<i>".repeat(n) + &"a</b>".repeat(n)),
        html("opaque", "<code>".repeat(n) + "a"),
        html("attributes", format!("<p {}>a", "title=b ".repeat(n))),
        html("open", "<a ".repeat(n)),
    ]
}

#[test]
fn hostile_documents_are_read_and_come_back() {
    for (name, format, source) in hostile() {
        if let Ok(document) = parse(format, &source) {
            assert_eq!(document.render(|segment| Some(&segment.text)).as_deref(), Ok(&*source), "{name}");
        }
    }
}
