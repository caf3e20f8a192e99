//! The known name that a misspelt one most likely means.

/// Longest part of a name that is compared and repeated, in characters.
const LONGEST: usize = 100;

/// A message about a name that is not known, with the nearest known one.
pub(crate) fn unknown(kind: &str, name: &str, known: &[&str]) -> String {
    let shown: String = name.chars().filter(|c| !c.is_control()).take(LONGEST).collect();
    let advice = match nearest(name, known.iter().copied()) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None if known.is_empty() => "there are none".to_owned(),
        None => format!("known: {}", known.join(", ")),
    };
    format!("there is no {kind} `{shown}`; {advice}")
}

/// The known name that is closest to `name`, if one is close enough.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name: String = name.chars().take(LONGEST).flat_map(char::to_lowercase).collect();
    known
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(&name, &candidate.to_lowercase()), candidate))
        .filter(|(score, _)| *score > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}
