//! The parts of a segment that a translation must keep.

use super::super::{SegmentFaultKind, check};
use super::*;

fn faults(source: &str, text: &str) -> Vec<(SegmentFaultKind, String)> {
    let document = markdown(source);
    let found = check(&document.segments()[0], text);
    let refused = document.render(|_| Some(text)).is_err();
    assert_eq!(refused, !found.is_empty(), "{found:?}");
    // The text alone tells all but where line breaks may stand.
    let of_text = super::super::check_text(&document.segments()[0].text, text);
    assert!(of_text.iter().all(|fault| found.contains(fault)), "{of_text:?} {found:?}");
    assert!(
        found.iter().all(|fault| of_text.contains(fault) || fault.kind == SegmentFaultKind::Misplaced),
        "{of_text:?} {found:?}"
    );
    found.into_iter().map(|fault| (fault.kind, fault.what)).collect()
}

#[test]
fn what_is_lost_added_or_misplaced_is_found() {
    use SegmentFaultKind::{Added, Emptied, Lost, Misplaced};
    let source = "See [the *manual*](/m) or `code`,  \n%s at https://a.example";
    let own = "See <1>the <2>manual</2></1> or <3/>,<4/>%s at https://a.example";
    let cases = [
        (own, vec![]),
        ("Siehe <3/>,<4/>%s: <1><2>M</2></1> https://b.example", vec![]),
        ("Siehe <1>das <2>M</2></1>,<4/>%s https://b.example", vec![(Lost, "<3/>")]),
        ("Siehe <1>das M</1> <3/>,<4/>%s https://b.example", vec![(Lost, "<2>")]),
        ("Siehe <1>das <2>M</2></1> <3/> <3/>,<4/>%s https://b.example", vec![(Added, "<3/>")]),
        ("Siehe <1>das <2>M</2></1> <3/> <5/>,<4/>%s https://b.example", vec![(Added, "<5/>")]),
        ("Siehe <1>das</1> <2>M</2> <3/>,<4/>%s https://b.example", vec![(Misplaced, "<2>")]),
        ("Siehe <1>das <2></2></1> <3/>,<4/>%s https://b.example", vec![(Emptied, "<2>")]),
        (
            "Siehe <1>das <2>M</1></2> <3/>,<4/>%s https://b.example",
            vec![(Misplaced, "</1>"), (Misplaced, "<3/>"), (Misplaced, "<4/>"), (Misplaced, "<1>")],
        ),
        ("Siehe <1>das <2>M</2></1> <3/>, %s https://b.example<4/>", vec![(Misplaced, "<4/>")]),
        ("Siehe <1>das <2>M</2></1> <3/>,<4/>%d", vec![(Added, "%d"), (Lost, "%s"), (Lost, "https://")]),
        ("Siehe <1>das <2>M</2></1> <3/>,<4/>%s {n} https://b.example", vec![(Added, "{n}")]),
    ];
    for (text, expected) in cases {
        let mut found = faults(source, text);
        found.sort();
        let mut expected: Vec<_> = expected.into_iter().map(|(kind, what)| (kind, what.to_owned())).collect();
        expected.sort();
        assert_eq!(found, expected, "{text}");
    }
    assert_eq!(faults("Text", " "), [(Emptied, String::new())]);
    assert_eq!(faults("Text", "{n, plural, other {x}}")[0].0, Added);
}

#[test]
fn faults_say_what_is_wrong() {
    let document = markdown("Text `code`");
    let said: Vec<_> = check(&document.segments()[0], "Wort").iter().map(ToString::to_string).collect();
    assert_eq!(said, ["`<1/>` is missing"]);
}
