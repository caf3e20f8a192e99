//! Additions of this service to the core rules: its decisions about points that they leave open.

mod delivery;
mod files;
mod glossary;
mod memory;
mod requests;
mod texts;

use serde_json::{Value, json};

use self::files::file;
use crate::check;
use crate::check::Check;
use crate::cx::{CheckedExchange, Cx};
use crate::outcome::{CheckResult, Stop};
use crate::profile::Identity;

pub(super) const CHECKS: &[Check] = &[
    check! { id: "ADD-1", needs: [Additions, Translate], run: texts_of_people_stay },
    check! { id: "ADD-2", needs: [Additions, Publish], publishes: 4, run: versions_are_numbered },
    check! { id: "ADD-3", needs: [Additions, Documents], run: documents_by_the_batch },
    check! {
        id: "ADD-4", needs: [Additions, Operations, Approvals, AgentKey, Translate], run: archiving_is_approved_by_number
    },
    check! { id: "ADD-5", needs: [Additions], run: requests::the_callers_id_is_kept },
    check! { id: "ADD-6", needs: [Additions, Publish, Delivery], publishes: 1, run: delivery::tags_have_their_form },
    check! {
        id: "ADD-7", needs: [Additions, Publish, Delivery], publishes: 1, run: delivery::only_the_right_tag_is_not_modified
    },
    check! {
        id: "ADD-8", needs: [Additions, Publish, Delivery], publishes: 1, run: delivery::what_changes_is_not_immutable
    },
    check! { id: "ADD-9", needs: [Additions, Publish, Delivery], publishes: 1, run: delivery::pages_of_any_origin_read },
    check! { id: "ADD-10", needs: [Additions, Translate], run: requests::a_repeated_answer_says_so },
    check! { id: "ADD-11", needs: [Additions, Translate], run: requests::a_key_lets_a_write_run_once },
    check! { id: "ADD-12", needs: [Additions, Translate], run: requests::a_sync_keeps_what_a_file_lost },
    check! {
        id: "ADD-13", needs: [Additions, Translate, Publish, Delivery], publishes: 1, run: delivery::no_byte_order_mark
    },
    check! { id: "ADD-14", needs: [Additions, Operations], run: requests::a_long_poll_waits },
    check! {
        id: "ADD-15", needs: [Additions, Publish, Delivery], publishes: 1, run: delivery::head_is_get_without_a_body
    },
    check! { id: "ADD-16", needs: [Additions, Translate], run: texts::keys_are_found_by_a_text },
    check! {
        id: "ADD-17", needs: [Additions, Translate, Publish], publishes: 1, run: texts::unpublished_changes_are_listed
    },
    check! { id: "ADD-18", needs: [Additions, Write], run: glossary::terms_are_stated_as_a_whole },
    check! { id: "ADD-20", needs: [Additions, Translate], run: memory::earlier_translations_are_suggested },
    check! { id: "ADD-21", needs: [Additions, Write], run: memory::a_file_goes_into_memory_and_comes_out },
    check! {
        id: "ADD-22", needs: [Additions, Translate, Publish, Delivery], publishes: 1,
        run: delivery::a_file_of_all_languages_says_so
    },
];

/// The translation of a key into a language.
async fn translation(cx: &Cx, key: &str, language: &str) -> Result<Value, Stop> {
    let read = cx.get("/translations").query("ref", key).send().await?.control("GET /translations?ref=")?.json()?;
    let translations = read["translations"].as_array().cloned().unwrap_or_default();
    let found = translations.into_iter().find(|one| one["language"] == language);
    cx.control(found.is_some(), &format!("that the key has a translation into {language}"))?;
    Ok(found.unwrap_or_default())
}

/// ADD-1
async fn texts_of_people_stay(cx: Cx) -> CheckResult {
    let (key, name) = (format!("kept.{}", cx.unique()), cx.unique());
    let (base, german) = (format!("testkit/{name}/en.json"), format!("testkit/{name}/de.json"));
    let sync = async |body: Value| {
        let run = cx.run_to_its_end(cx.lane(), cx.post("/sync").json(&body), "POST /sync").await?;
        Ok::<_, Stop>(run.answer)
    };
    let source = |text: &str| file(&base, &json!({ (key.as_str()): format!("{text} {name}") }));
    sync(source("Hello")).await?;
    let mut import = file(&german, &json!({ (key.as_str()): "Von einem Menschen" }));
    import["language"] = json!("de");
    sync(import).await?;
    let before = translation(&cx, &key, "de").await?;
    cx.control(before["text"] == "Von einem Menschen", "that an imported translation is there")?;

    let changed = source("Welcome");
    let preview = cx.post("/sync").query("dryRun", "true").json(&changed).send().await?;
    let preview = preview.control("POST /sync?dryRun=true")?.json()?;
    let priced = |answer: &Value| {
        let languages = answer["perLanguage"].as_array().cloned().unwrap_or_default();
        languages.iter().any(|one| one["language"] == "de" && one["keys"].as_u64().unwrap_or(0) > 0)
    };
    let run = sync(changed.clone()).await?;
    for (name, answer) in [("a preview", &preview), ("a run", &run)] {
        cx.ensure(answer["kept"] == 1, format!("{name} counts the text in `kept`"), answer["kept"].to_string())?;
        cx.ensure(!priced(answer), format!("{name} has no price for it"), answer["perLanguage"].to_string())?;
    }
    let after = translation(&cx, &key, "de").await?;
    cx.equal("the imported text, after its source has changed", &before["text"], &after["text"])?;
    cx.ensure(after["stale"] == true, "it is stale", after["stale"].to_string())?;

    let mut again = changed;
    again["retranslate"] = json!(true);
    sync(again).await?;
    let replaced = translation(&cx, &key, "de").await?;
    cx.ensure(replaced["text"] != before["text"], "`retranslate` replaces it", replaced["text"].to_string())
}

/// The versions of the check's project, the newest first.
async fn versions(cx: &Cx) -> Result<Vec<Value>, Stop> {
    let listed = cx.get("/versions").send().await?.expect(200)?.json()?;
    Ok(listed["versions"].as_array().cloned().unwrap_or_default())
}

/// ADD-2
async fn versions_are_numbered(cx: Cx) -> CheckResult {
    let label = cx.unique();
    let mut body = cx.profile().bodies.publish.clone();
    body["label"] = json!(label);
    let mut made = Vec::new();
    for _ in 0..3 {
        made.push(cx.publish_as(&body).await?.version_id);
    }
    let listed = versions(&cx).await?;
    let number = |id: &str| listed.iter().find(|one| one["versionId"] == id).and_then(|one| one["number"].as_u64());
    let numbers: Vec<_> = made.iter().map(|id| number(id)).collect();
    let first = numbers[0].unwrap_or_default();
    cx.ensure(
        first > 0 && numbers == [Some(first), Some(first + 1), Some(first + 2)],
        "three versions of one label have numbers that go up by one",
        format!("{numbers:?}"),
    )?;
    let named = listed.iter().find(|one| one["number"] == first).map(|one| one["versionId"].clone());
    let named = named.unwrap_or_default();
    cx.restore(named.as_str().unwrap_or_default()).await?;
    let live: Vec<_> = versions(&cx).await?.into_iter().filter(|one| one["live"] == true).collect();
    let live: Vec<_> = live.iter().map(|one| one["number"].as_u64().unwrap_or_default()).collect();
    cx.equal(&format!("what is live after number {first} was restored"), &vec![first], &live)
}

/// ADD-3
async fn documents_by_the_batch(cx: Cx) -> CheckResult {
    let name = cx.unique();
    let document = |id: usize, text: &str| {
        let body = format!("# {text} {id} of {name}\n");
        json!({ "externalId": format!("{name}-{id}"), "format": "markdown", "body": body })
    };
    let push = async |documents: Vec<Value>| cx.post("/content").json(&json!({ "documents": documents })).send().await;
    let results = |answer: &CheckedExchange| {
        let results = answer.json()?["results"].as_array().cloned().unwrap_or_default();
        let says = |one: &Value| (one["externalId"].clone(), one["status"].as_str().unwrap_or_default().to_owned());
        let said: Vec<_> = results.iter().map(says).collect();
        Ok::<_, Stop>((results, said))
    };
    let expect = |documents: &[Value], statuses: &[&str]| -> Vec<(Value, String)> {
        let ids = documents.iter().map(|one| one["externalId"].clone());
        ids.zip(statuses.iter().map(|one| (*one).to_owned())).collect()
    };

    let both = vec![document(1, "Text"), document(2, "Text")];
    for status in ["created", "unchanged"] {
        let answer = push(both.clone()).await?.expect(200)?;
        let (made, said) = results(&answer)?;
        cx.equal("the results", &expect(&both, &[status, status]), &said)?;
        let ids: Vec<_> = made.iter().filter_map(|one| one["docId"].as_str()).collect();
        answer.ensure(ids.len() == 2 && ids[0] != ids[1], "each result says its docId")?;
    }
    let mut unknown = document(3, "Text");
    unknown["language"] = json!("tlh");
    let mixed = vec![document(1, "Another text"), unknown, document(4, "Text")];
    let answer = push(mixed.clone()).await?.expect(200)?;
    let (made, said) = results(&answer)?;
    cx.equal("the results", &expect(&mixed, &["updated", "failed", "created"]), &said)?;
    answer.ensure(made[1]["error"]["error"].is_string(), "what failed says why")?;
    for (id, there) in [(1, true), (3, false), (4, true)] {
        let listed = cx.get("/content").query("externalId", &format!("{name}-{id}")).send().await?;
        let listed = listed.control("GET /content?externalId=")?;
        let count = listed.json()?["documents"].as_array().map_or(0, Vec::len);
        listed.ensure(count == usize::from(there), format!("document {id} is there: {there}"))?;
    }
    let many = (0..101).map(|id| document(1_000 + id, "Text")).collect();
    push(many).await?.expect_error(400, "invalid_argument")?;
    push(Vec::new()).await?.expect_error(400, "invalid_argument").map(|_| ())
}

/// ADD-4
async fn archiving_is_approved_by_number(cx: Cx) -> CheckResult {
    let name = cx.unique();
    let path = format!("testkit/{name}.json");
    let key = |number: usize| format!("archived.{number}.{name}");
    let texts = |count: usize| (1..=count).map(|number| (key(number), json!("A text"))).collect::<Value>();
    let both = cx.post("/sync").json(&file(&path, &texts(2)));
    cx.run_to_its_end(cx.lane(), both, "POST /sync").await?;
    let approve = cx.profile().hooks.approve.clone();
    let sync = async |most: Option<u32>| {
        let mut asked = json!({ "kind": "translation", "max_credits": 1 });
        if let Some(most) = most {
            asked["maxArchivedKeys"] = json!(most);
        }
        let asked = cx.post("/operations").json(&asked).key(Identity::Agent)?.send().await?;
        let id = asked.control("POST /operations")?.text("/operationId")?;
        let shown = cx.get(&format!("/operations/{id}")).send().await?.control("GET /operations/{operationId}")?;
        cx.equal("maxArchivedKeys", &json!(most), &shown.json()?["maxArchivedKeys"])?;
        cx.hook("approve", &approve, &[&id]).await?;
        let mut body = file(&path, &texts(1));
        body["onRemoved"] = json!("archive");
        body["operationId"] = json!(id);
        cx.post("/sync").json(&body).key(Identity::Agent)?.send().await
    };
    for most in [None, Some(0)] {
        let refused = sync(most).await?.expect_error(403, "authorization_required")?;
        refused.ensure(refused.json()?["details"].is_object(), "`details` say what is not allowed")?;
    }
    let is_archived = async |key: String| {
        let read = cx.get("/translations").query("ref", &key).send().await?.control("GET /translations?ref=")?;
        Ok::<_, Stop>(read.json()?["archived"] == true)
    };
    cx.ensure(!is_archived(key(2)).await?, "a refused run archives nothing", "it did")?;
    let answer = sync(Some(1)).await?.expect_in(200..=299)?;
    answer.ensure(answer.json()?["classification"]["removed"] == 1, "the key that the file lacks is removed")?;
    cx.ensure(is_archived(key(2)).await? && !is_archived(key(1)).await?, "that key alone is archived", "another is")
}
