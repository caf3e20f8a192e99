//! Descriptions of texts that also say what their placeholders stand for, since engines and people see one note.

/// The most placeholders that a description explains.
pub(super) const MOST_EXPLAINED: usize = 50;

/// A placeholder, as its file explains it.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlaceholderHelp<'t> {
    /// Its words in the text.
    pub words: &'t str,
    /// The thing that it stands for.
    pub meaning: &'t str,
    /// A value that it may have.
    pub example: &'t str,
}

impl PlaceholderHelp<'_> {
    /// `{user} = Name of the user, such as Ann`; `None` where the file says nothing of it.
    fn line(&self) -> Option<String> {
        let meaning = Some(self.meaning.trim()).filter(|text| !text.is_empty());
        let example = Some(self.example.trim()).filter(|text| !text.is_empty());
        let told = [meaning.map(|text| format!(" = {text}")), example.map(|text| format!(", such as {text}"))];
        let told: String = told.into_iter().flatten().collect();
        (!told.is_empty()).then(|| format!("{}{told}", self.words))
    }
}

/// The description with a line for each placeholder that the file explains.
pub(super) fn described<'t>(
    description: Option<&str>,
    placeholders: impl Iterator<Item = PlaceholderHelp<'t>>,
) -> Option<String> {
    let lines = placeholders.filter_map(|one| one.line()).take(MOST_EXPLAINED);
    let all: Vec<String> =
        description.filter(|text| !text.is_empty()).map(str::to_owned).into_iter().chain(lines).collect();
    (!all.is_empty()).then(|| all.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_says_what_placeholders_stand_for() {
        let one = |words, meaning, example| PlaceholderHelp { words, meaning, example };
        let all = [one("{a}", "Name", "Ann"), one("{b}", "", "3"), one("$C$", "$1", " "), one("{d}", "", "")];
        let lines = "{a} = Name, such as Ann\n{b}, such as 3\n$C$ = $1";
        assert_eq!(described(Some("Greets"), all.into_iter()), Some(format!("Greets\n{lines}")));
        assert_eq!(described(None, all.into_iter()).as_deref(), Some(lines));
        assert_eq!(described(Some(""), [all[3]].into_iter()), None);
        assert_eq!(described(Some("Greets"), std::iter::empty()).as_deref(), Some("Greets"));
    }
}
