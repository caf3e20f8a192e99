//! The glossary of a project and of a workspace, without script.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use http::Method;
use l10n_server::both_engines;
use l10n_server::domain::access::Role;
use l10n_server::testing::TestStore;
use serde_json::{Value, json};

use crate::support::{Site, Visitor};

both_engines!(
    a_term_is_added_found_changed_and_removed,
    the_list_of_a_workspace_holds_for_its_projects,
    what_no_term_can_be_is_refused_beside_its_field,
    a_form_about_a_term_that_is_gone_writes_nothing,
    what_somebody_else_saves_meanwhile_is_not_undone,
    a_form_that_is_mended_after_a_fault_undoes_nothing_either,
    a_list_is_bounded,
    a_long_list_has_pages,
    who_may_only_see_is_offered_no_change,
);

const GLOSSARY: &str = "/dashboard/@acme/app/glossary";
const OF_WORKSPACE: &str = "/dashboard/@acme/-/glossary";

/// The terms that the API tells, without their ids.
async fn terms(site: &Site, level: &str) -> Vec<Value> {
    let listed = site.get(&format!("/glossary?level={level}&limit=500")).send().await.json();
    let mut terms = listed["terms"].as_array().unwrap().clone();
    terms.iter_mut().for_each(|term| drop(term.as_object_mut().unwrap().remove("termId")));
    terms
}

async fn set(site: &Site, terms: &Value) {
    let answer = site.call(Method::PUT, "/glossary").json(&json!({ "terms": terms })).send().await;
    assert_eq!(answer.status, 200, "{answer:?}");
}

async fn a_term_is_added_found_changed_and_removed(store: TestStore) {
    let site = Site::on(&store).await;
    let mut translator = site.as_role(Role::Translator).await;
    translator.get(GLOSSARY).await.says("No terms");
    let form = translator.get(&format!("{GLOSSARY}/new")).await.html().form("/glossary/new");
    let form =
        form.set("term", "cart").set("translations", "de: Warenkorb\r\n\r\npt_br : carrinho ").set("note", "To buy");
    translator.send(form.clone()).await.says("The term was saved.").says("Warenkorb").says("carrinho").says("To buy");
    let cart = json!({"term": "cart", "language": "en", "rule": "translate", "caseSensitive": false, "note": "To buy",
        "translations": {"de": "Warenkorb", "pt-BR": "carrinho"}});
    assert_eq!(terms(&site, "project").await, [cart]);
    translator.send(form.clone()).await.says("The term was saved.");
    let again = translator.send(form.set("translations", "de: Wagen")).await;
    assert_eq!(again.status, 422);
    again.says("the list has this term already");

    let found = translator.get(&format!("{GLOSSARY}?q=WARENK")).await;
    let link = found.html().links.into_iter().find(|link| link.contains("/glossary/trm_")).unwrap();
    translator.get(&format!("{GLOSSARY}?q=nothing")).await.says("No term has this text");
    let form = translator.get(&link).await.html().form("/glossary/trm_");
    assert_eq!(form.value("translations"), Some("de: Warenkorb\npt-BR: carrinho"));
    let form = form.set("translations", "").set("rule", "keep").check("case", "yes").set("note", "");
    translator.send(form).await.says("The term was saved.").says("Stays as it is").says("Only with these capitals");
    let kept = json!({"term": "cart", "language": "en", "rule": "keep", "caseSensitive": true, "translations": {}});
    assert_eq!(terms(&site, "project").await, [kept]);
    let page = translator.get(&link).await;
    assert_eq!(page.status, 200, "a term keeps its id while term and language stay");
    translator.send(page.html().form("/glossary/trm_").set("term", "basket")).await.says("basket");
    assert_eq!(translator.get(&link).await.status, 404, "another term has another id");

    let list = translator.get(GLOSSARY).await;
    let link = list.html().links.into_iter().find(|link| link.contains("/glossary/trm_")).unwrap();
    let remove = translator.get(&link).await.html().form("/remove");
    translator.send(remove).await.says("The term was removed.").says("No terms");
    assert_eq!(terms(&site, "project").await, [] as [Value; 0]);
    let mut manager = site.as_role(Role::Manager).await;
    let log = manager.get("/dashboard/@acme/-/audit?action=glossary_changed").await;
    log.says("translator@example.com").says("1 added, 0 changed, 0 removed").says("0 added, 0 changed, 1 removed");
}

async fn the_list_of_a_workspace_holds_for_its_projects(store: TestStore) {
    let site = Site::on(&store).await;
    let mut translator = site.as_role(Role::Translator).await;
    let form = translator.get(&format!("{OF_WORKSPACE}/new")).await.html().form("/glossary/new");
    let without = translator.send(form.clone().set("term", "Acme Pay").set("rule", "keep")).await;
    assert_eq!(without.status, 422);
    without.says("is needed: the projects of a workspace may differ in theirs");
    let form = form.set("term", "Acme Pay").set("rule", "keep").set("language", "EN");
    translator.send(form).await.says("The term was saved.").says("Acme Pay");
    let term =
        json!({"term": "Acme Pay", "language": "en", "rule": "keep", "caseSensitive": false, "translations": {}});
    assert_eq!((terms(&site, "workspace").await, terms(&site, "project").await), (vec![term], Vec::new()));
    translator.get(GLOSSARY).await.says("No terms");
    let sync = site.post("/sync").json(&json!({"file": {"path": "en.json", "encoding": "utf8", "format": "json",
        "content": "{\"pay\": \"Pay by Acme Pay\"}"}, "languages": ["fr"]}));
    assert!(sync.send().await.status < 300);
    let import = site.post("/sync").json(&json!({"file": {"path": "de.json", "encoding": "utf8", "format": "json",
        "content": "{\"pay\": \"Zahle mit Akme\"}"}, "language": "de"}));
    assert!(import.send().await.status < 300);
    let key = site.get("/translations?ref=pay").send().await.json();
    let german = key["translations"].as_array().unwrap().iter().find(|one| one["language"] == "de").unwrap();
    assert_eq!(german["issues"][0]["check"], "glossary", "{german}");
}

async fn what_no_term_can_be_is_refused_beside_its_field(store: TestStore) {
    let site = Site::on(&store).await;
    let mut translator = site.as_role(Role::Translator).await;
    let long = "x".repeat(257);
    for (term, language, rule, translations, words) in [
        ("", "", "translate", "", "Fill in this field."),
        (long.as_str(), "", "translate", "", "Enter at most 256 characters."),
        ("a", "fr", "translate", "", "must be the base language en"),
        ("a", "xx-yy-zz", "keep", "", "language"),
        ("a", "", "forbidden", "", "is needed"),
        ("a", "", "none", "", "Choose one of these."),
        ("a", "", "keep", "de: b", "must be left out"),
        ("a", "", "translate", "de: b\nfr", "Line 2 must be"),
        ("a", "", "translate", "de: b\nde: c", "Line 2 must be"),
        ("a", "", "translate", "de:", "must be 1 to 256 bytes long"),
    ] {
        let fields =
            [("term", term), ("language", language), ("rule", rule), ("translations", translations), ("note", "n")];
        let page = translator.post(&format!("{GLOSSARY}/new"), &fields).await;
        assert_eq!(page.status, 422, "{fields:?}");
        page.says(words);
        assert_eq!(page.html().form("/glossary/new").value("note"), Some("n"), "what was typed is kept");
    }
    assert_eq!(terms(&site, "project").await, [] as [Value; 0]);
}

async fn a_form_about_a_term_that_is_gone_writes_nothing(store: TestStore) {
    let site = Site::on(&store).await;
    set(&site, &json!([{"term": "cart", "translations": {"de": "Warenkorb"}}])).await;
    let mut translator = site.as_role(Role::Translator).await;
    let list = translator.get(GLOSSARY).await;
    let link = list.html().links.into_iter().find(|link| link.contains("/glossary/trm_")).unwrap();
    let page = translator.get(&link).await.html();
    set(&site, &json!([{"term": "other"}])).await;
    for form in [page.form_to(&link), page.form("/remove")] {
        let answer = translator.send(form).await;
        assert_eq!(answer.status, 409);
        answer.says("Somebody has changed or removed it meanwhile.");
    }
    assert_eq!(terms(&site, "project").await.len(), 1);
}

async fn what_somebody_else_saves_meanwhile_is_not_undone(store: TestStore) {
    let site = Site::on(&store).await;
    set(&site, &json!([{"term": "cart", "translations": {"de": "Warenkorb"}}, {"term": "shop", "rule": "keep"}])).await;
    let mut translator = site.as_role(Role::Translator).await;
    let list = translator.get(GLOSSARY).await;
    let link = list.html().links.into_iter().find(|link| link.contains("/glossary/trm_")).unwrap();
    let page = translator.get(&link).await.html();
    let form = page.form_to(&link).set("translations", "de: Korb").set("note", "Of mine");
    let other = json!([{"term": "cart", "translations": {"fr": "Panier"}}, {"term": "shop", "rule": "keep"}]);
    set(&site, &other).await;
    let before = terms(&site, "project").await;
    let removed = translator.send(page.form("/remove")).await;
    assert_eq!(removed.status, 409);
    removed.says("Somebody has changed or removed it meanwhile.");
    let moved = translator.send(form).await;
    assert_eq!(moved.status, 409);
    moved
        .says("Somebody has changed this term while you were editing it.")
        .says("The term as it is now")
        .says("Panier");
    assert_eq!(terms(&site, "project").await, before);
    // What was typed is still there, and may be saved now that the other one has been seen.
    let form = moved.html().form_to(&link);
    assert_eq!((form.value("translations"), form.value("note")), (Some("de: Korb"), Some("Of mine")));
    let taken = translator.send(form.clone().set("term", "shop")).await;
    assert_eq!(taken.status, 422);
    taken.says("the list has this term already");
    for _ in 0..2 {
        translator.send(form.clone()).await.says("The term was saved.");
    }
    let cart = json!({"term": "cart", "language": "en", "rule": "translate", "caseSensitive": false, "note": "Of mine",
        "translations": {"de": "Korb"}});
    assert_eq!(terms(&site, "project").await[0], cart);
    let mut manager = site.as_role(Role::Manager).await;
    let log = manager.get("/dashboard/@acme/-/audit?action=glossary_changed").await;
    let of_page = log.text().matches("translator@example.com").count();
    let row = log.text().matches("0 added, 1 changed, 0 removed").count();
    assert_eq!(row, 2, "the API and the page, each once: {of_page}");
}

async fn a_form_that_is_mended_after_a_fault_undoes_nothing_either(store: TestStore) {
    let site = Site::on(&store).await;
    set(&site, &json!([{"term": "cart", "translations": {"de": "Warenkorb"}}])).await;
    let mut translator = site.as_role(Role::Translator).await;
    let list = translator.get(GLOSSARY).await;
    let link = list.html().links.into_iter().find(|link| link.contains("/glossary/trm_")).unwrap();
    let form = translator.get(&link).await.html().form_to(&link).set("translations", "de: Korb");
    set(&site, &json!([{"term": "cart", "translations": {"de": "Wagen"}}])).await;
    let saved = terms(&site, "project").await;
    let faulty = translator.send(form.set("term", "")).await;
    assert_eq!(faulty.status, 422);
    // She has not seen what was saved in between.
    let late = translator.send(faulty.html().form_to(&link).set("term", "cart")).await;
    assert_eq!(late.status, 409);
    late.says("The term as it is now").says("Wagen");
    assert_eq!(translator.send(faulty.html().form("/remove")).await.status, 409);
    assert_eq!(terms(&site, "project").await, saved);
    // Now she has.
    translator.send(late.html().form_to(&link)).await.says("The term was saved.");
    assert_eq!(terms(&site, "project").await[0]["translations"]["de"], "Korb");
}

async fn a_list_is_bounded(store: TestStore) {
    let site = Site::on(&store).await;
    let note = "n".repeat(1_000);
    let many: Vec<Value> = (0..900).map(|at| json!({"term": format!("t{at}"), "note": note})).collect();
    set(&site, &json!(many)).await;
    let mut translator = site.as_role(Role::Translator).await;
    let add = async |visitor: &mut Visitor<'_>, term: &str| {
        let fields = [("term", term), ("rule", "translate"), ("note", note.as_str())];
        visitor.post(&format!("{GLOSSARY}/new"), &fields).await
    };
    add(&mut translator, "one more").await.says("The term was saved.");
    let mut refused = add(&mut translator, "a1").await;
    for number in 2..40 {
        if refused.status == 422 {
            break;
        }
        refused = add(&mut translator, &format!("a{number}")).await;
    }
    assert_eq!(refused.status, 422);
    refused.says("the list would have more than 1048576 bytes");
    let many: Vec<Value> = (0..5_000).map(|at| json!({"term": format!("t{at}")})).collect();
    set(&site, &json!(many)).await;
    let refused = add(&mut translator, "one more").await;
    assert_eq!(refused.status, 422);
    refused.says("the list has 5000 terms, and can have no more");
}

async fn a_long_list_has_pages(store: TestStore) {
    let site = Site::on(&store).await;
    let many: Vec<Value> = (0..60).map(|n| json!({"term": format!("two words {n:02}"), "rule": "keep"})).collect();
    set(&site, &json!(many)).await;
    let mut viewer = site.as_role(Role::Viewer).await;
    let first = viewer.get(GLOSSARY).await;
    first.says("two words 00").says("two words 49");
    assert!(!first.text().contains("two words 50"));
    let next = first.html().links.into_iter().find(|link| link.contains("after=")).unwrap();
    let second = viewer.get(&next).await;
    second.says("two words 50").says("two words 59");
    assert!(!second.text().contains("two words 49"));
}

async fn who_may_only_see_is_offered_no_change(store: TestStore) {
    let site = Site::on(&store).await;
    set(&site, &json!([{"term": "cart", "translations": {"de": "Warenkorb"}}])).await;
    let mut viewer = site.as_role(Role::Viewer).await;
    for path in [GLOSSARY, OF_WORKSPACE] {
        let page = viewer.get(path).await;
        assert_eq!(page.status, 200);
        assert!(!page.html().links.iter().any(|link| link.contains("/glossary/")), "{path}");
        assert_eq!(viewer.get(&format!("{path}/new")).await.status, 403);
    }
}
