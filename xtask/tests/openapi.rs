//! openapi.json agrees with crates that api-types does not know.

use l10n_api_types::FormatId;
use l10n_formats::files::by_id;
use serde_json::{Value, json};

#[test]
fn a_path_may_lack_the_language_where_the_format_says_so() {
    let document = l10n_api_types::openapi::document().unwrap().to_pretty_json().unwrap();
    let document: Value = serde_json::from_str(&document).unwrap();
    let forms = document["components"]["schemas"]["NewOutputFormat"]["oneOf"].as_array().unwrap();
    let [with, without] = forms.as_slice() else { panic!("{forms:?}") };
    for (form, path) in [(with, "texts/{language}"), (without, "texts")] {
        let fitting: Vec<FormatId> =
            FormatId::ALL.iter().copied().filter(|format| by_id(*format).template(path).is_ok()).collect();
        assert_eq!(form["properties"]["format"]["enum"], json!(fitting), "{path}");
        let has_language = form["properties"]["path"]["pattern"].as_str().unwrap().contains("{(language|");
        assert_eq!(has_language, path.contains('{'), "{path}");
    }
}
