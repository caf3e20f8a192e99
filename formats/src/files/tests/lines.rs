//! The lines of entries.

use l10n_api_types::FormatId;

use crate::files::by_id;

#[test]
fn each_family_of_formats_says_the_lines_of_its_entries() {
    let cases = [
        (FormatId::Json, "{\n  \"a\": \"A\",\n\n  \"b\": {\"c\": \"C\"}\n}", vec![2, 4]),
        (FormatId::I18next, "{\n  \"a_one\": \"A\",\n  \"a_other\": \"A\",\n  \"b\": \"B\"\n}", vec![2, 4]),
        (FormatId::Properties, "# x\na=A\r\nb=B \\\n  c\nc=C", vec![2, 3, 5]),
        (FormatId::Csv, "key,text\na,\"A\nB\"\n\nb,B\n", vec![2, 5]),
        (FormatId::Gettext, "msgid \"\"\nmsgstr \"\"\n\n# x\nmsgid \"a\"\nmsgstr \"\"\n", vec![5]),
    ];
    for (format, file, lines) in cases {
        let found = by_id(format).parse(file.as_bytes()).unwrap().lines();
        assert_eq!(found.into_iter().flatten().collect::<Vec<u32>>(), lines, "{format}");
    }
}
