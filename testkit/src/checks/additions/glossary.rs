//! The glossary: terms that are stated as a whole list.

use serde_json::{Value, json};

use crate::cx::Cx;
use crate::outcome::{CheckResult, Stop};

/// The project's terms, ordered by language and term.
async fn listed(cx: &Cx) -> Result<Vec<Value>, Stop> {
    let page = cx.get("/glossary").query("limit", "500").send().await?.expect(200)?.json()?;
    Ok(page["terms"].as_array().cloned().unwrap_or_default())
}

/// A term without its id.
fn without_id(term: &Value) -> Value {
    let mut term = term.clone();
    if let Some(term) = term.as_object_mut() {
        term.remove("termId");
    }
    term
}

/// ADD-18
pub(super) async fn terms_are_stated_as_a_whole(cx: Cx) -> CheckResult {
    let name = cx.unique();
    let (cart, brand, word) = (format!("cart {name}"), format!("Brand {name}"), format!("Wort {name}"));
    let set = async |terms: &Value| cx.put("/glossary").json(&json!({ "terms": terms })).send().await;
    set(&json!([])).await?.control("PUT /glossary")?;
    let first = json!([
        { "term": cart, "translations": { "de": "Warenkorb" }, "note": "To buy" },
        { "term": brand, "rule": "keep", "caseSensitive": true },
    ]);
    let numbers = set(&first).await?.expect(200)?.json()?;
    cx.equal(
        "the numbers of a first list",
        &json!({"added": 2, "changed": 0, "removed": 0, "unchanged": 0}),
        &numbers,
    )?;
    let before = listed(&cx).await?;
    let expected = [
        json!({ "term": brand, "language": "en", "translations": {}, "rule": "keep", "caseSensitive": true }),
        json!({ "term": cart, "language": "en", "translations": { "de": "Warenkorb" }, "rule": "translate",
            "caseSensitive": false, "note": "To buy" }),
    ];
    cx.equal("the first list", &expected.to_vec(), &before.iter().map(without_id).collect())?;

    let second = json!([
        { "term": cart, "translations": { "de": "Korb", "fr": "panier" } },
        { "term": word, "language": "de", "rule": "forbidden" },
    ]);
    let numbers = set(&second).await?.expect(200)?.json()?;
    cx.equal(
        "the numbers of another list",
        &json!({"added": 1, "changed": 1, "removed": 1, "unchanged": 0}),
        &numbers,
    )?;
    let after = listed(&cx).await?;
    let expected = [
        json!({ "term": word, "language": "de", "translations": {}, "rule": "forbidden", "caseSensitive": false }),
        json!({ "term": cart, "language": "en", "translations": { "de": "Korb", "fr": "panier" }, "rule": "translate",
            "caseSensitive": false }),
    ];
    cx.equal("the other list", &expected.to_vec(), &after.iter().map(without_id).collect())?;
    let id = |terms: &[Value]| terms.iter().find(|one| one["term"] == cart).map(|one| one["termId"].clone());
    cx.equal("the id of the term that stayed", &id(&before), &id(&after))?;

    for (what, terms) in [
        ("a term that is there twice", json!([{ "term": cart }, { "term": cart, "translations": { "de": "Korb" } }])),
        (
            "a translation of a term that stays",
            json!([{ "term": cart, "rule": "keep", "translations": { "de": "Korb" } }]),
        ),
        ("a forbidden term without a language", json!([{ "term": word, "rule": "forbidden" }])),
        ("an unknown member", json!([{ "term": cart, "translation": "Korb" }])),
        ("an empty term", json!([{ "term": "" }])),
    ] {
        let refused = set(&terms).await?;
        let refused = refused.expect_error(400, "invalid_argument")?;
        refused.ensure(listed(&cx).await? == after, format!("{what} changes nothing"))?;
    }
    set(&json!([])).await?.expect(200)?;
    cx.equal("the list after an empty one", &Vec::<Value>::new(), &listed(&cx).await?)
}
