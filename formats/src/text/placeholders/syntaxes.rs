//! The parts that texts of one syntax have, beside tags, entities and addresses.

use super::{
    LONGEST, SpanKind, argument, colon, double_brace, find, is_indexed_name, is_name, printf, reference, word,
};
use crate::text::syntax::{Brace, Printf, Syntax};

/// Deepest nesting of braces. It keeps a text of nothing but openings from being searched again at each of them.
const DEEPEST: usize = 8;

/// The part of this syntax that `rest` begins with, and its length.
pub(super) fn part(rest: &str, before: &str, syntax: Syntax) -> Option<(SpanKind, usize)> {
    match syntax {
        Syntax::Plain => None,
        Syntax::Mixed | Syntax::I18next => mixed(rest, before),
        Syntax::Icu => match rest.as_bytes().first()? {
            b'{' => argument(rest).map(|length| (SpanKind::Argument, length)),
            b'\'' => quoted(rest),
            _ => None,
        },
        Syntax::Ruby => double_brace(rest).or_else(|| ruby(rest).map(|length| (SpanKind::Percent, length))),
        Syntax::Printf(Printf::Qt) => qt(rest).map(|length| (SpanKind::Percent, length)),
        Syntax::Printf(flavour) => {
            let named = if flavour == Printf::Ruby { ruby(rest) } else { None };
            let found = named.or_else(|| printf::of_flavour(rest, before, flavour));
            found.map(|length| (SpanKind::Percent, length))
        }
        Syntax::Brace(flavour) => brace(rest, flavour),
        Syntax::Laravel => match rest.as_bytes().first()? {
            b':' => colon(rest, before).map(|length| (SpanKind::Named, length)),
            b'|' => Some((SpanKind::Syntax, 1)),
            b'{' | b'[' if before.trim_end().is_empty() || before.trim_end().ends_with('|') => condition(rest),
            _ => None,
        },
        Syntax::Vue => vue(rest),
        Syntax::Fluent => placeable(rest).map(|length| (SpanKind::Argument, length)),
        Syntax::Chrome => chrome(rest),
        Syntax::GoTemplate => double_brace(rest),
    }
}

/// The parts of any syntax.
fn mixed(rest: &str, before: &str) -> Option<(SpanKind, usize)> {
    match rest.as_bytes().first()? {
        b'{' => double_brace(rest).or_else(|| argument(rest).map(|length| (SpanKind::Argument, length))),
        b'%' => printf::any(rest, before).map(|length| (SpanKind::Percent, length)),
        b'$' => super::dollar(rest),
        b':' if !before.ends_with('/') || follows_name(before) => {
            colon(rest, before).map(|length| (SpanKind::Named, length))
        }
        b'[' => reference(rest).map(|length| (SpanKind::Nesting, length)),
        _ => None,
    }
}

/// `''`, and what apostrophes quote from a brace on.
fn quoted(rest: &str) -> Option<(SpanKind, usize)> {
    // Quotes that are never closed are looked for once: what is longer is text.
    let window = &rest[..rest.floor_char_boundary(LONGEST)];
    crate::text::message::quoted(window, false).filter(|length| *length > 1).map(|length| (SpanKind::Syntax, length))
}

/// Returns true behind `:name/`, where `:other` is a name as well. Behind other slashes it is a text of some other kind.
fn follows_name(before: &str) -> bool {
    let Some(path) = before.strip_suffix('/') else { return false };
    let name =
        path.bytes().rev().take(LONGEST).take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    name > 1 && path.as_bytes().get(..path.len() - name).is_some_and(|before| before.ends_with(b":"))
}

/// `%{name}`, `%<name>.2f` and `%%`.
fn ruby(rest: &str) -> Option<usize> {
    let inside = rest.strip_prefix('%')?;
    match inside.as_bytes().first()? {
        b'%' => Some(2),
        b'{' => Some(argument(inside)? + 1),
        b'<' => {
            let name = inside[1..].bytes().take(LONGEST).take_while(|byte| is_name(*byte)).count();
            let after = inside.get(1 + name..)?.strip_prefix('>').filter(|_| name > 0)?;
            let flags = after.bytes().take(16).take_while(|byte| b"-+0123456789.#".contains(byte)).count();
            after.as_bytes().get(flags).filter(|byte| byte.is_ascii_alphabetic())?;
            Some(name + flags + 4)
        }
        _ => None,
    }
}

/// `%1` to `%99`, `%L1`, `%n`, `%Ln`.
fn qt(rest: &str) -> Option<usize> {
    let inside = rest.strip_prefix('%')?;
    let number = inside.strip_prefix('L').unwrap_or(inside);
    let before = rest.len() - number.len();
    let digits = number.bytes().take(2).take_while(u8::is_ascii_digit).count();
    match digits {
        0 => number.starts_with('n').then_some(before + 1),
        digits => Some(before + digits),
    }
}

fn brace(rest: &str, flavour: Brace) -> Option<(SpanKind, usize)> {
    let argument = || argument(rest).map(|length| (SpanKind::Argument, length));
    match (rest.as_bytes().first()?, flavour) {
        (b'{', Brace::Python | Brace::CSharp) if rest.starts_with("{{") => Some((SpanKind::Syntax, 2)),
        (b'}', Brace::Python | Brace::CSharp) if rest.starts_with("}}") => Some((SpanKind::Syntax, 2)),
        (b'{', Brace::Python) => python_argument(rest).map(|length| (SpanKind::Argument, length)),
        (b'{', Brace::CSharp) => composite(rest).map(|length| (SpanKind::Argument, length)).or_else(argument),
        (b'{', Brace::JavaMessage) => java_argument(rest).map(|length| (SpanKind::Argument, length)),
        (b'{', Brace::Named) => argument().filter(|(_, length)| !rest[..*length].contains([',', ':', '!'])),
        (b'\'', Brace::JavaMessage) => quoted(rest),
        _ => None,
    }
}

/// `{}`, `{items[0].name!r}`, `{when:%d %B %Y}`, `{:{width}}`.
fn python_argument(rest: &str) -> Option<usize> {
    let length = balanced(rest)?;
    let inside = rest.get(1..length - 1)?;
    // An index may hold any sign.
    let mut in_index = false;
    let name = inside.find(|c: char| {
        in_index = if in_index { c != ']' } else { c == '[' };
        !in_index && matches!(c, ':' | '!')
    });
    let (name, _) = inside.split_at(name.unwrap_or(inside.len()));
    (name.is_empty() || is_indexed_name(name.trim())).then_some(length)
}

/// `{0}`, `{0,-10}`, `{0:dd MMM yyyy}`.
fn composite(rest: &str) -> Option<usize> {
    let inside = rest.strip_prefix('{')?;
    let end = find(inside, b'}', b"{\n")?;
    let digits = inside.bytes().take(8).take_while(u8::is_ascii_digit).count();
    (digits > 0 && (digits == end || inside[digits..].trim_start().starts_with([',', ':']))).then_some(end + 2)
}

/// `{0}`, `{1,number,#.##}`, `{0,choice,0#none|1#one|1<{0} files}`: one placeholder with all that is in it.
fn java_argument(rest: &str) -> Option<usize> {
    let digits = rest.bytes().skip(1).take(4).take_while(u8::is_ascii_digit).count();
    let end = rest.as_bytes().get(1 + digits).filter(|_| digits > 0)?;
    match end {
        b'}' => Some(digits + 2),
        b',' => balanced(rest),
        _ => None,
    }
}

/// The length of a part between braces, with braces in it, in the first [`LONGEST`] bytes.
fn balanced(rest: &str) -> Option<usize> {
    let mut open = 0_usize;
    for (at, byte) in rest.bytes().take(LONGEST).enumerate() {
        match byte {
            b'{' if open == DEEPEST => return None,
            b'{' => open += 1,
            b'}' if open == 1 => return Some(at + 1),
            b'}' => open -= 1,
            _ => {}
        }
    }
    None
}

/// `{0}` and `[2,*]`, which say for which numbers a form is.
fn condition(rest: &str) -> Option<(SpanKind, usize)> {
    let end = find(&rest[1..], if rest.starts_with('{') { b'}' } else { b']' }, b"\n{[")?;
    let inside = &rest[1..=end];
    let is_number = |byte: u8| byte.is_ascii_digit() || matches!(byte, b',' | b'*' | b'-' | b' ');
    (!inside.is_empty() && inside.bytes().all(is_number)).then_some((SpanKind::Syntax, end + 2))
}

/// `{name}`, `{0}`, `{'@'}`, `@:key`, `@.lower:key`, `@:{'key'}`, and `|`.
fn vue(rest: &str) -> Option<(SpanKind, usize)> {
    match rest.as_bytes().first()? {
        b'|' => Some((SpanKind::Syntax, 1)),
        b'{' if rest.starts_with("{'") => {
            let end = find(&rest[2..], b'\'', b"\n")?;
            rest[end + 3..].starts_with('}').then_some((SpanKind::Syntax, end + 4))
        }
        b'{' => argument(rest).map(|length| (SpanKind::Argument, length)),
        b'@' => linked(rest).map(|length| (SpanKind::Nesting, length)),
        _ => None,
    }
}

/// `@:key`, `@.lower:key`, `@:(key)` and `@:{'key'}`.
fn linked(rest: &str) -> Option<usize> {
    let inside = rest.strip_prefix('@')?;
    let modifier = match inside.strip_prefix('.') {
        Some(inside) => word(inside)? + 1,
        None => 0,
    };
    let key = inside.get(modifier..)?.strip_prefix(':')?;
    let length = match key.as_bytes().first()? {
        b'{' => find(&key[1..], b'}', b"\n{")? + 2,
        b'(' => find(&key[1..], b')', b"\n(")? + 2,
        _ => {
            let name = key.bytes().take(LONGEST).take_while(|byte| is_name(*byte) && *byte != b'@').count();
            key[..name].trim_end_matches('.').len()
        }
    };
    (length > 0).then_some(modifier + length + 2)
}

/// `{ $name }`, `{ -term }`, `{ NUMBER($n, type: "ordinal") }`, `{ "literal" }`; braces in it are part of it.
pub(in crate::text) fn placeable(rest: &str) -> Option<usize> {
    let mut open = 0_usize;
    let mut in_literal = false;
    let mut escaped = false;
    for (at, byte) in rest.bytes().take(LONGEST).enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_literal => escaped = true,
            b'"' if open > 0 => in_literal = !in_literal,
            _ if in_literal => {}
            b'{' if open == DEEPEST => return None,
            b'{' => open += 1,
            b'}' if open == 1 => return Some(at + 1),
            b'}' => open = open.checked_sub(1)?,
            _ if open == 0 => return None,
            _ => {}
        }
    }
    None
}

/// `$NAME$`, `$1` and `$$`.
fn chrome(rest: &str) -> Option<(SpanKind, usize)> {
    let inside = rest.strip_prefix('$')?;
    if inside.starts_with('$') {
        return Some((SpanKind::Syntax, 2));
    }
    if inside.starts_with(|first: char| matches!(first, '1'..='9')) {
        return Some((SpanKind::Named, 2));
    }
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'@');
    let length = inside.bytes().take(LONGEST).take_while(is_part).count();
    (length > 0 && inside[length..].starts_with('$')).then_some((SpanKind::Named, length + 2))
}

#[cfg(test)]
mod tests {
    use super::super::{SpanKind, scan};
    use crate::text::syntax::{Brace, Printf, Syntax};

    fn found(text: &str, syntax: Syntax) -> Vec<&str> {
        scan(text, syntax).into_iter().map(|span| &text[span.range]).collect()
    }

    #[test]
    fn each_syntax_has_its_own_placeholders() {
        let cases: [(Syntax, &str, &[&str]); 25] = [
            (Syntax::Plain, "{a} %s $B$ :c <b> &nbsp;", &["<b>", "&nbsp;"]),
            (Syntax::Icu, "{a} {n, number} %s {{b}} '{'c'}' it''s", &["{a}", "{n, number}", "{b}", "'{'", "'}'", "''"]),
            (Syntax::I18next, "{{a}} $t(b) {c} %s", &["{{a}}", "$t(b)", "{c}", "%s"]),
            (Syntax::Ruby, "%{a} %<b>.2f %% %d {c} {{d}}", &["%{a}", "%<b>.2f", "%%", "{{d}}"]),
            (Syntax::Printf(Printf::C), "%s %1$d %m %@ {a} %{b} %(c)s %%", &["%s", "%1$d", "%m", "%%"]),
            (Syntax::Printf(Printf::Objc), "%@ %1$@ %#@files@ %lld {a}", &["%@", "%1$@", "%#@files@", "%lld"]),
            (Syntax::Printf(Printf::Objc), "%arg files, %argument, 5%arg", &["%arg"]),
            (Syntax::Printf(Printf::Java), "%1$s%n %d {a} 100%", &["%1$s", "%n", "%d"]),
            (Syntax::Printf(Printf::Python), "%(name)s %s %% {a}", &["%(name)s", "%s", "%%"]),
            (Syntax::Printf(Printf::Php), "%1$s %d :name", &["%1$s", "%d"]),
            (Syntax::Printf(Printf::Qt), "%1 of %L2, %n %s 5%", &["%1", "%L2", "%n"]),
            (Syntax::Brace(Brace::Python), "{} {a!r:>5} {{x}} %s", &["{}", "{a!r:>5}", "{{", "}}"]),
            (
                Syntax::Brace(Brace::Python),
                "{:.1f} {:?} {!r} {a[0]} {a[b:c].d:%d %B} {:{w}} {0:>{1}}, {no name} {[0]} {a[]}",
                &["{:.1f}", "{:?}", "{!r}", "{a[0]}", "{a[b:c].d:%d %B}", "{:{w}}", "{0:>{1}}"],
            ),
            (Syntax::Brace(Brace::CSharp), "{0:N2} {{x}} %s", &["{0:N2}", "{{", "}}"]),
            (
                Syntax::Brace(Brace::CSharp),
                "{0:dd MMM yyyy} {0:h:mm tt} {1,-8:d} {Name} {0 of 1} {note: see below}",
                &["{0:dd MMM yyyy}", "{0:h:mm tt}", "{1,-8:d}", "{Name}"],
            ),
            (
                Syntax::Brace(Brace::JavaMessage),
                "{0} {1,choice,0#a|1#b {0}} it''s '{'x",
                &["{0}", "{1,choice,0#a|1#b {0}}", "''", "'{'"],
            ),
            (Syntax::Brace(Brace::Named), "{a} {b, plural} {{c}} %s", &["{a}", "{c}"]),
            (
                Syntax::Laravel,
                "{0} none|[1,19] :count items|[20,*] {x}",
                &["{0}", "|", "[1,19]", ":count", "|", "[20,*]"],
            ),
            (Syntax::Vue, "{a} @:key.b @.lower:c {'@'} a | b", &["{a}", "@:key.b", "@.lower:c", "{'@'}", "|"]),
            (
                Syntax::Fluent,
                "100% { $a } { NUMBER($n, x: 2) } {\"}\"} {-b}",
                &["{ $a }", "{ NUMBER($n, x: 2) }", "{\"}\"}", "{-b}"],
            ),
            (Syntax::Chrome, "$NAME$ $1 $$5 {a} %s", &["$NAME$", "$1", "$$"]),
            (Syntax::GoTemplate, "{{.Count}} {{ .A }} {b} %s", &["{{.Count}}", "{{ .A }}"]),
            (Syntax::Laravel, ":current/:total, and/:or, 10:30", &[":current", ":total", ":or"]),
            (Syntax::Mixed, "{a} {{b}} %s $C$ :de", &["{a}", "{{b}}", "%s", "$C$", ":de"]),
            (
                Syntax::Mixed,
                ":current/:total, and/:or ${items[0]} ${a[\"b\"].c} {items[0]} {note: a b}",
                &[":current", ":total", "${items[0]}", "${a[\"b\"].c}"],
            ),
        ];
        for (syntax, text, expected) in cases {
            assert_eq!(found(text, syntax), expected, "{text} ({})", syntax.as_str());
        }
    }

    #[test]
    fn placeholders_within_addresses_are_told_from_their_bytes() {
        let cases: [(Syntax, &str, &[&str]); 5] = [
            (Syntax::Mixed, "https://a.b/{id}/%d0%bf/%2Fc?x=%s&y=%1$d#{{z}}", &["{id}", "%s", "%1$d", "{{z}}"]),
            (Syntax::Mixed, "a title=\"{a} 50% off\" href='${u}'", &["{a}", "${u}"]),
            (Syntax::Laravel, "https://a.b/:id/x", &[":id"]),
            (Syntax::Chrome, "a href=$URL$", &["$URL$"]),
            (Syntax::Fluent, "a title=\"{ $a }\"", &["{ $a }"]),
        ];
        for (syntax, text, expected) in cases {
            let found = super::super::scan_inside(text, syntax);
            assert_eq!(found.into_iter().map(|span| &text[span.range]).collect::<Vec<_>>(), expected, "{text}");
        }
        assert_eq!(found("https://a.b/{ $id }/c", Syntax::Fluent), ["https://a.b/", "{ $id }"]);
    }

    #[test]
    fn double_braces_are_literals_in_resx_and_percents_are_text_in_fluent() {
        let kinds = |text, syntax| scan(text, syntax).into_iter().map(|span| span.kind).collect::<Vec<_>>();
        assert_eq!(kinds("{{x}}", Syntax::Brace(Brace::CSharp)), [SpanKind::Syntax, SpanKind::Syntax]);
        assert_eq!(kinds("%s of 5 %d", Syntax::Fluent), []);
        assert_eq!(kinds("{name}", Syntax::Printf(Printf::Java)), []);
    }
}
