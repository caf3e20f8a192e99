//! The parts of the document that other files are compared with: references in brackets, anchors, examples.

use std::collections::BTreeSet;

/// Every reference in brackets, such as `SIG-5` or `CONV-6 adv`. Links and code are no references.
pub(super) fn references(document: &str) -> Vec<String> {
    let mut found = Vec::new();
    for text in prose(document) {
        let mut rest = text.as_str();
        while let Some((_, after)) = rest.split_once('[') {
            let Some((inside, after)) = after.split_once(']') else { break };
            if !after.starts_with('(') {
                found.extend(inside.split(',').map(|one| one.split_whitespace().collect::<Vec<_>>().join(" ")));
            }
            rest = after;
        }
    }
    found
}

/// The paragraphs without blocks and spans of code. A blank line ends a paragraph.
fn prose(document: &str) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    let mut is_code = false;
    for line in document.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if line.trim().is_empty() {
            paragraphs.push(String::new());
        } else if let (false, Some(paragraph)) = (is_code, paragraphs.last_mut()) {
            paragraph.extend(line.split('`').step_by(2));
            paragraph.push('\n');
        }
    }
    paragraphs
}

/// Every anchor: the value of `<a id="…">`.
pub(super) fn anchors(document: &str) -> BTreeSet<String> {
    let after = document.split("<a id=\"").skip(1);
    after.filter_map(|text| text.split_once('"')).map(|(anchor, _)| anchor.to_owned()).collect()
}

/// Every example with the name of its schema in the OpenAPI document: a block of JSON below `<!-- example: Name -->`.
#[must_use]
pub fn examples(document: &str) -> Vec<(&str, &str)> {
    document.split("<!-- example: ").skip(1).filter_map(example).collect()
}

fn example(marked: &str) -> Option<(&str, &str)> {
    let (name, rest) = marked.split_once(" -->\n```json\n")?;
    Some((name, rest.split_once("```")?.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_stand_in_brackets_outside_of_code_and_links() {
        let document =
            "A [link](#s4) and `code [X-1]`. [SIG-5, CONV-6\nadv]\n\n```json\n[1]\n```\n\n| cell [AMB-1] |\n";
        assert_eq!(references(document), ["SIG-5", "CONV-6 adv", "AMB-1"]);
    }

    #[test]
    fn an_example_names_its_schema() {
        let document = "<!-- example: Key -->\n```json\n{}\n```\n\n```json\n[]\n```\n";
        assert_eq!(examples(document), [("Key", "{}\n")]);
    }
}
