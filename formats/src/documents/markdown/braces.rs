//! `{expressions}` of MDX, `{{ … }}` and `{% … %}` of templates: left unchanged, whatever stands in them.

use std::ops::Range;

/// The longest group, in bytes.
const LONGEST: usize = 4_000;

/// The groups of balanced braces outside of code, the outermost ones. None has a blank line or a line that begins code in
/// it, or is longer than 4,000 bytes: such a brace is text, and so is one that nothing closes. Takes linear time, but for the
/// sorting of braces.
pub(super) fn groups(source: &str) -> Vec<Range<usize>> {
    let bytes = source.as_bytes();
    let mut groups = Vec::new();
    if !source.contains('{') {
        return groups;
    }
    let mut line_start = true;
    let mut spans = CodeSpans::new(source);
    let mut pairs = BracePairs::default();
    let mut fence: Option<(u8, usize)> = None;
    let mut at = 0;
    while at < bytes.len() {
        if line_start {
            line_start = false;
            match (line(source, at).0, fence) {
                (Some((byte, length, bare)), Some((open, least))) => {
                    if byte == open && length >= least && bare {
                        fence = None;
                    }
                    at = line_end(bytes, at);
                    continue;
                }
                (Some((byte, length, _)), None) => {
                    fence = Some((byte, length));
                    at = line_end(bytes, at);
                    continue;
                }
                (None, Some(_)) => {
                    at = line_end(bytes, at);
                    continue;
                }
                (None, None) => {}
            }
        }
        match bytes[at] {
            b'\n' => line_start = true,
            // Two bytes may end a line.
            b'\r' => line_start = bytes.get(at + 1) != Some(&b'\n'),
            b'\\' => at += usize::from(bytes.get(at + 1).is_some_and(u8::is_ascii_punctuation)),
            b'`' => {
                at = spans.end(at);
                continue;
            }
            b'{' => {
                if let Some(end) = pairs.end(source, at).filter(|end| (3..=LONGEST + 1).contains(&(end - at))) {
                    groups.push(at..end);
                    at = end;
                    continue;
                }
            }
            _ => {}
        }
        at += 1;
    }
    groups
}

/// The braces that close one another, a paragraph at a time.
#[derive(Default)]
struct BracePairs {
    /// Those of the paragraph, in the order of their starts.
    found: Vec<Range<usize>>,
    /// The end of the paragraph.
    until: usize,
}

impl BracePairs {
    /// The end of the group that the brace at `start` opens, if it is closed in its paragraph.
    fn end(&mut self, source: &str, start: usize) -> Option<usize> {
        if start >= self.until {
            self.read(source, start);
        }
        let at = self.found.binary_search_by_key(&start, |pair| pair.start).ok()?;
        Some(self.found[at].end)
    }

    /// Reads from a brace to the end of its paragraph.
    fn read(&mut self, source: &str, start: usize) {
        let bytes = source.as_bytes();
        let (mut open, mut at) = (Vec::new(), start);
        self.found.clear();
        while at < bytes.len() {
            match bytes[at] {
                b'{' => open.push(at),
                b'}' => self.found.extend(open.pop().map(|from| from..at + 1)),
                b'\n' if matches!(line(source, at + 1), (Some(_), _) | (_, true)) => break,
                _ => {}
            }
            at += 1;
        }
        self.until = at.max(start + 1);
        self.found.sort_unstable_by_key(|pair| pair.start);
    }
}

/// The source with everything between the outermost braces hidden, byte for byte as long.
pub(super) fn hidden(source: &str, groups: &[Range<usize>]) -> String {
    let mut out = String::with_capacity(source.len());
    let mut at = 0;
    for group in groups {
        out.push_str(&source[at..=group.start]);
        out.extend(std::iter::repeat_n('\u{7f}', group.len() - 2));
        at = group.end - 1;
    }
    out.push_str(&source[at..]);
    out
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |length| at + length)
}

/// Returns the run in a line that may open or close fenced code (byte, length, whether nothing follows), and whether
/// the line is blank.
fn line(source: &str, at: usize) -> (Option<(u8, usize, bool)>, bool) {
    let bytes = source.as_bytes();
    let end = line_end(bytes, at);
    let line = &source[at..end];
    // Quotes and list items that the line may stand in.
    let inner = line.trim_start_matches([' ', '\t', '>']);
    let inner = inner.strip_prefix(['-', '*', '+']).map_or(inner, |item| item.trim_start_matches([' ', '\t']));
    let digits = inner.bytes().take_while(u8::is_ascii_digit).count();
    let inner = match inner[digits..].strip_prefix(['.', ')']) {
        Some(item) if digits > 0 => item.trim_start_matches([' ', '\t']),
        _ => inner,
    };
    let run = inner.bytes().next().filter(|byte| matches!(byte, b'`' | b'~')).and_then(|byte| {
        let length = inner.bytes().take_while(|other| *other == byte).count();
        let rest = &inner[length..];
        let opens = length >= 3 && !(byte == b'`' && rest.contains('`'));
        opens.then(|| (byte, length, rest.trim().is_empty()))
    });
    (run, line.trim_matches([' ', '\t', '\r', '>']).is_empty())
}

/// Finds the ends of code spans: each run of backticks ends at the next run of the same length in its paragraph.
struct CodeSpans<'s> {
    source: &'s str,
    /// For each length (up to a bound), the end of the paragraph in which no further run of that length was found.
    none_before: [usize; 32],
}

impl<'s> CodeSpans<'s> {
    const fn new(source: &'s str) -> Self {
        Self { source, none_before: [0; 32] }
    }

    /// The place to continue at after the run at `at`: after the code span that it opens, or after the run itself.
    fn end(&mut self, at: usize) -> usize {
        let bytes = self.source.as_bytes();
        let run = |at: usize| bytes[at..].iter().take_while(|byte| **byte == b'`').count();
        let length = run(at);
        let after = at + length;
        let Some(none_before) = self.none_before.get_mut(length) else { return after };
        if at < *none_before {
            return after;
        }
        let mut next = after;
        while let Some(found) = bytes[next..].iter().position(|byte| matches!(byte, b'`' | b'\n')) {
            next += found;
            if bytes[next] == b'\n' {
                if line(self.source, next + 1).1 {
                    break;
                }
                next += 1;
                continue;
            }
            let other = run(next);
            next += other;
            if other == length {
                return next;
            }
        }
        *none_before = next;
        after
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(source: &str) -> Vec<&str> {
        groups(source).into_iter().map(|group| &source[group]).collect()
    }

    #[test]
    fn braces_are_found_outside_of_code_alone() {
        assert_eq!(found("a {b} {{ c }} {% d %} {a: {b}}"), ["{b}", "{{ c }}", "{% d %}", "{a: {b}}"]);
        assert_eq!(found("`{` and `}` \\{x} {} { y"), [""; 0]);
        assert_eq!(found("```js\n{a}\n```\n{b}\n> ~~~\n> {c}\n> ~~~\n- ```\n  {d}\n  ```\n{e}"), ["{b}", "{e}"]);
        assert_eq!(found("{a\n\nb} {c\nd}"), ["{c\nd}"]);
        assert_eq!(found("{a\r\nb} {c\r\n\r\nd} {e\r\n```\r\n}"), ["{a\r\nb}"]);
    }

    /// Else all braces of the paragraph after it would be text, whatever a translation makes of the one that is open.
    #[test]
    fn a_brace_that_nothing_closes_is_text() {
        assert_eq!(found("{ a <B on={() => 1}/> {b: {c}}"), ["{() => 1}", "{b: {c}}"]);
        assert_eq!(found("An object begins with { and ends; {{ site.title }}"), ["{{ site.title }}"]);
        assert_eq!(found("<!-- { -->\n{a}"), ["{a}"]);
        assert_eq!(found("} {a} } { `{b}` \\{c} {d}\n\n}{e}"), ["{a}", "{d}", "{e}"]);
    }

    #[test]
    fn hidden_braces_keep_their_length() {
        let source = "a {é\n} b";
        let hidden = hidden(source, &groups(source));
        assert_eq!((hidden.len(), hidden.as_str()), (source.len(), "a {\u{7f}\u{7f}\u{7f}} b"));
    }
}
