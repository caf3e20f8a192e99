//! Additions of this service to the core rules.

use http::Method;
use serde_json::{Value, json};

use super::public::{in_plain, is_delivery};
use crate::mutants::exchange::{ApiAnswer, ApiRequest};
use crate::mutants::mutant::Mutant;

const CORRELATION: &str = "x-correlation-id";

/// The query of a search; empty if the request is none.
fn searched(request: &ApiRequest) -> String {
    let mut pairs = url::form_urlencoded::parse(request.query.as_bytes());
    pairs.find(|(name, _)| name == "query").map(|(_, query)| query.into_owned()).unwrap_or_default()
}

/// Leaves the keys that a search found and that `keep` takes.
fn keep_found(request: &ApiRequest, answer: &mut ApiAnswer, keep: fn(&Value, &str) -> bool) {
    let query = searched(request);
    if request.is(&Method::GET, "/translations") && !query.is_empty() && answer.ok() {
        answer.edit(|body| {
            if let Some(keys) = body["keys"].as_array_mut() {
                keys.retain(|key| keep(key, &query));
            }
        });
    }
}

/// Edits each term of a listed glossary.
fn edit_terms(request: &ApiRequest, answer: &mut ApiAnswer, edit: fn(&mut Value)) {
    if request.is(&Method::GET, "/glossary") && answer.ok() {
        answer.edit(|body| body["terms"].as_array_mut().into_iter().flatten().for_each(edit));
    }
}

/// Changes each suggestion of memory.
fn edit_matches(request: &ApiRequest, answer: &mut ApiAnswer, edit: fn(&mut Value)) {
    if request.is(&Method::GET, "/memory") && answer.ok() {
        answer.edit(|body| body["matches"].as_array_mut().into_iter().flatten().for_each(edit));
    }
}

/// Changes the files of a manifest.
fn edit_files(request: &ApiRequest, answer: &mut ApiAnswer, edit: fn(&mut Vec<Value>)) {
    if request.under("/manifest") && answer.ok() {
        answer.edit(|body| body["files"].as_array_mut().into_iter().for_each(edit));
    }
}

pub(super) const MUTANTS: &[Mutant] = mutants! {
    request "texts_of_people_overwritten" breaks "ADD-1": "a sync replaces imported texts whose source has changed",
        |request, _| {
            let mut body = request.json();
            if request.is(&Method::POST, "/sync")
                && body.is_object()
                && body["language"].is_null()
                && body["retranslate"].is_null()
            {
                body["retranslate"] = json!(true);
                request.set_json(&body);
            }
        };
    answer "kept_texts_not_counted" breaks "ADD-1": "what is kept of a person's texts is not counted",
        |request, answer, _| if request.is(&Method::POST, "/sync") && answer.ok() {
            answer.edit(|body| body["kept"] = json!(0));
        };
    answer "version_number_of_the_label" breaks "ADD-2": "versions of one label have one number",
        |request, answer, _| if request.is(&Method::GET, "/versions") && answer.ok() {
            answer.edit(|body| {
                body["versions"].as_array_mut().into_iter().flatten().for_each(|one| one["number"] = json!(1));
            });
        };
    both "restore_by_label" breaks "ADD-2": "a restore takes the newest version of the label that is not live",
        |request, known| {
            if !request.is(&Method::POST, "/versions/*/restore") {
                return;
            }
            let Some(listed) = known.noted(request.project()) else { return };
            let of_label = listed.as_array().and_then(|all| all.iter().find(|one| one["live"] != true));
            if let Some(id) = of_label.and_then(|one| one["versionId"].as_str()) {
                request.path = format!("/projects/{}/versions/{id}/restore", request.project());
            }
        },
        |request, answer, known| if request.is(&Method::GET, "/versions") && answer.ok() {
            known.note(request.project(), answer.json()["versions"].clone());
        };
    answer "batches_all_or_nothing" breaks "ADD-3": "a batch of documents of which one fails is refused",
        |request, answer, _| {
            let failed =
                |results: &Value| results.as_array().is_some_and(|all| all.iter().any(|one| one["status"] == "failed"));
            if request.is(&Method::POST, "/content") && failed(&answer.json()["results"]) {
                *answer = ApiAnswer::error(400, "invalid_argument");
            }
        };
    answer "batches_write_what_is_unchanged" breaks "ADD-3":
        "a document that is there already is written anew by a batch",
        |request, answer, _| if request.is(&Method::POST, "/content") && answer.ok() {
            let text = String::from_utf8_lossy(&answer.body).replace("\"unchanged\"", "\"updated\"");
            answer.body = text.into();
        };
    request "batches_of_any_size" breaks "ADD-3": "of a batch of more than 100 documents the first 100 are taken",
        |request, _| {
            let mut body = request.json();
            let documents = body.get_mut("documents").and_then(Value::as_array_mut);
            let many = documents.filter(|all| all.len() > 100).map(|all| all.truncate(100));
            if many.is_some() && request.is(&Method::POST, "/content") {
                request.set_json(&body);
            }
        };
    both "archiving_needs_no_number" breaks "ADD-4": "any approval of a translation lets a sync archive keys",
        |request, _| {
            let mut body = request.json();
            if request.is(&Method::POST, "/operations") && body["kind"] == "translation" {
                body["maxArchivedKeys"] = json!(1_000);
                request.set_json(&body);
            }
        },
        |request, answer, _| if request.is(&Method::GET, "/operations/*") && answer.ok() {
            answer.edit(|body| body["maxArchivedKeys"] = Value::Null);
        };
    answer "callers_id_dropped" breaks "ADD-5": "the correlation id of the caller's choice is replaced",
        |request, answer, known| if request.headers.contains_key(CORRELATION) {
            answer.set_header(CORRELATION, &format!("own-{}", known.count("own ids")));
        };
    answer "tags_without_quotes" breaks "ADD-6": "ETag has no quotes",
        |request, answer, _| if is_delivery(request) {
            let tag = answer.headers.get("etag").and_then(|tag| tag.to_str().ok()).unwrap_or_default().to_owned();
            answer.set_header("etag", tag.trim_matches('"'));
        };
    instead "any_tag_is_not_modified" breaks "ADD-7": "any If-None-Match is 304",
        |request, _| (is_delivery(request) && request.headers.contains_key("if-none-match"))
            .then(|| ApiAnswer::new(304, &Value::Null));
    request "tags_are_not_compared" breaks "ADD-7": "If-None-Match is not looked at",
        |request, _| if is_delivery(request) { request.headers.remove("if-none-match"); };
    answer "live_files_are_immutable" breaks "ADD-8": "files of the live version are immutable",
        |request, answer, _| if request.path.contains("/bundles/live/") && answer.ok() {
            answer.set_header("cache-control", "public, max-age=31536000, immutable");
        };
    answer "pages_read_the_manifest_alone" breaks "ADD-9": "files have no Access-Control-Allow-Origin",
        |request, answer, _| if request.path.contains("/bundles/") {
            answer.headers.remove("access-control-allow-origin");
        };
    answer "pages_do_not_read_by_names" breaks "ADD-9": "routes by names have no Access-Control-Allow-Origin",
        |request, answer, _| if request.path.starts_with("/@") {
            answer.headers.remove("access-control-allow-origin");
        };
    answer "repeated_answers_unmarked" breaks "ADD-10": "a repeated answer has no idempotency-replayed",
        |_, answer, _| { answer.headers.remove("idempotency-replayed"); };
    answer "every_answer_is_a_repeated_one" breaks "ADD-10": "the first answer has idempotency-replayed, too",
        |request, answer, _| if request.headers.contains_key("idempotency-key") {
            answer.set_header("idempotency-replayed", "true");
        };
    request "idempotency_key_ignored" breaks "ADD-11": "Idempotency-Key is not looked at",
        |request, _| { request.headers.remove("idempotency-key"); };
    answer "idempotency_key_of_any_body" breaks "ADD-11": "a key gives its first answer to another body, too",
        |request, answer, known| if let Some(key) = request.headers.get("idempotency-key") {
            let name = format!("answer to {key:?}");
            match known.noted(&name) {
                Some(first) if answer.status == 409 => *answer = ApiAnswer::new(202, &first),
                None if answer.ok() => drop(known.note(&name, answer.json())),
                _ => {}
            }
        };
    request "sync_archives_by_default" breaks "ADD-12": "a sync archives what its file holds no more",
        |request, _| {
            let mut body = request.json();
            if request.is(&Method::POST, "/sync") && body.is_object() && body["onRemoved"].is_null() {
                body["onRemoved"] = json!("archive");
                request.set_json(&body);
            }
        };
    answer "removed_keys_not_named" breaks "ADD-12": "a sync counts what is removed and does not name it",
        |request, answer, _| if request.is(&Method::POST, "/sync") && answer.ok() {
            answer.edit(|body| {
                if let Some(items) = body["items"].as_array_mut() {
                    items.retain(|one| one["class"] != "removed");
                }
            });
        };
    both "files_with_a_byte_order_mark" breaks "ADD-13": "files begin with a byte order mark",
        |request, _| if request.path.contains("/bundles/") { request.headers.remove("accept-encoding"); },
        |request, answer, _| if request.path.contains("/bundles/") && answer.ok() {
            answer.body = [b"\xef\xbb\xbf", &*answer.body].concat().into();
        };
    request "long_polls_answer_at_once" breaks "ADD-14": "waitSeconds is not looked at",
        |request, _| if request.is(&Method::GET, "/operations/*") { request.query.clear(); };
    instead "head_is_405" breaks "ADD-15": "HEAD is 405",
        |request, _| (request.method == Method::HEAD).then(|| ApiAnswer::error(405, "method_not_allowed"));
    answer "head_without_a_tag" breaks "ADD-15": "HEAD has no ETag",
        |request, answer, _| if request.method == Method::HEAD { answer.headers.remove("etag"); };
    request "query_not_looked_at" breaks "ADD-16": "a search lists all keys",
        |request, _| if request.is(&Method::GET, "/translations") && !searched(request).is_empty() {
            request.query.clear();
        };
    answer "search_tells_case_apart" breaks "ADD-16": "a search finds a text in the case of the query alone",
        |request, answer, _| keep_found(request, answer, |key, query| key.to_string().contains(query));
    answer "search_of_sources_alone" breaks "ADD-16": "a search looks into no translation",
        |request, answer, _| keep_found(request, answer, |key, query| {
            let said = format!("{} {}", key["ref"], key["text"]).to_lowercase();
            said.contains(&query.to_lowercase())
        });
    request "search_with_wildcards" breaks "ADD-16": "% and _ of a query stand for any text",
        |request, _| if request.is(&Method::GET, "/translations") {
            request.query = request.query.replace("derung%25", "derung+").replace("derung_", "derung+");
        };
    request "queries_are_cut_off" breaks "ADD-16": "of a query of more than 500 characters the first are taken",
        |request, _| if request.is(&Method::GET, "/translations") {
            request.query = request.query.replace(&"x".repeat(501), &"x".repeat(500));
        };
    answer "unpublished_changes_not_listed" breaks "ADD-17": "unpublished changes are counted and not listed",
        |request, answer, _| if request.is(&Method::GET, "/unpublished-changes") && answer.ok() {
            answer.edit(|body| body["items"] = json!([]));
        };
    answer "unpublished_changes_without_live_text" breaks "ADD-17": "a change does not say the live text",
        |request, answer, _| if request.is(&Method::GET, "/unpublished-changes") && answer.ok() {
            answer.edit(|body| {
                for item in body["items"].as_array_mut().into_iter().flatten() {
                    item.as_object_mut().map(|item| item.remove("from"));
                }
            });
        };
    answer "unpublished_changes_counted_as_added" breaks "ADD-17": "what has changed counts as added",
        |request, answer, _| if request.is(&Method::GET, "/unpublished-changes") && answer.ok() {
            answer.edit(|body| {
                for one in body["languages"].as_array_mut().into_iter().flatten() {
                    let all = one["added"].as_u64().unwrap_or(0) + one["changed"].as_u64().unwrap_or(0);
                    (one["added"], one["changed"]) = (json!(all), json!(0));
                }
            });
        };
    answer "live_version_not_named" breaks "ADD-17": "`liveVersionId` is null after a publish, too",
        |request, answer, _| if request.is(&Method::GET, "/unpublished-changes") && answer.ok() {
            answer.edit(|body| body["liveVersionId"] = Value::Null);
        };
    answer "published_changes_stay" breaks "ADD-17": "what was published is still listed as a change",
        |request, answer, _| if request.is(&Method::GET, "/unpublished-changes") && answer.ok() {
            answer.edit(|body| if let Some(items) = body["items"].as_array_mut() {
                items.push(json!({"ref": "published", "language": "en", "class": "changed", "from": "a", "to": "a"}));
            });
        };
    answer "removed_terms_stay" breaks "ADD-18": "a term that a list leaves out is still listed",
        |request, answer, _| if request.is(&Method::GET, "/glossary") && answer.ok() {
            answer.edit(|body| if let Some(terms) = body["terms"].as_array_mut() {
                terms.push(json!({"termId": "trm_gone", "term": "gone", "language": "en", "translations": {},
                    "rule": "translate", "caseSensitive": false}));
            });
        };
    answer "rules_of_terms_forgotten" breaks "ADD-18": "each term has the rule `translate`",
        |request, answer, _| edit_terms(request, answer, |term| term["rule"] = json!("translate"));
    answer "capitals_never_count" breaks "ADD-18": "no term is case-sensitive",
        |request, answer, _| edit_terms(request, answer, |term| term["caseSensitive"] = json!(false));
    answer "terms_with_new_ids" breaks "ADD-18": "a term whose translations change gets another id",
        |request, answer, _| edit_terms(request, answer, |term| {
            term["termId"] = json!(format!("trm_{}", term["translations"].as_object().map_or(0, |all| all.len())));
        });
    answer "changed_terms_counted_as_added" breaks "ADD-18": "a term that was there already counts as added",
        |request, answer, _| if request.is(&Method::PUT, "/glossary") && answer.ok() {
            answer.edit(|body| {
                let all = body["added"].as_u64().unwrap_or(0) + body["changed"].as_u64().unwrap_or(0);
                (body["added"], body["changed"]) = (json!(all), json!(0));
            });
        };
    request "terms_that_are_there_twice_taken" breaks "ADD-18": "of two equal terms the last one counts",
        |request, _| {
            let mut body = request.json();
            if request.is(&Method::PUT, "/glossary")
                && let Some(terms) = body["terms"].as_array_mut()
                && terms.len() == 2
                && terms[0]["term"] == terms[1]["term"]
            {
                terms.remove(0);
                request.set_json(&body);
            }
        };
    answer "nothing_suggested" breaks "ADD-20": "memory suggests nothing",
        |request, answer, _| if request.is(&Method::GET, "/memory") && answer.ok() {
            answer.edit(|body| body["matches"] = json!([]));
        };
    answer "similar_texts_as_the_same" breaks "ADD-20": "a similar text has 100 percent",
        |request, answer, _| edit_matches(request, answer, |one| one["percent"] = json!(100));
    answer "people_as_machines" breaks "ADD-20": "a person's text has the origin of an engine's",
        |request, answer, _| edit_matches(request, answer, |one| one["origin"] = json!("machine"));
    answer "shared_with_all" breaks "ADD-20": "an imported text is said to be the workspace's",
        |request, answer, _| edit_matches(request, answer, |one| one["project"] = Value::Null);
    request "least_percentage_not_looked_at" breaks "ADD-20": "`percent` of the request is not looked at",
        |request, _| if request.is(&Method::GET, "/memory") {
            request.query = request.query.replace("&percent=", "&percentage=");
        };
    request "texts_are_cut_off" breaks "ADD-20": "of a text of more than 1,000 characters the first are taken",
        |request, _| if request.is(&Method::GET, "/memory") {
            request.query = request.query.replace(&"x".repeat(1_001), &"x".repeat(1_000));
        };
    request "imports_into_memory_lost" breaks "ADD-21": "an import into memory takes nothing",
        |request, _| if request.is(&Method::POST, "/memory/import") {
            let mut body = request.json();
            if body["content"].as_str().is_some_and(|content| content.contains("<seg>")) {
                body["content"] = json!("<tmx><body/></tmx>");
                request.set_json(&body);
            }
        };
    answer "imports_added_again" breaks "ADD-21": "what memory has already is counted as added",
        |request, answer, _| if request.is(&Method::POST, "/memory/import") && answer.ok() {
            answer.edit(|body| {
                body["added"] = json!(body["added"].as_u64().unwrap_or(0) + body["unchanged"].as_u64().unwrap_or(0));
                body["unchanged"] = json!(0);
            });
        };
    answer "refused_units_not_named" breaks "ADD-21": "what an import does not take is not named",
        |request, answer, _| if request.is(&Method::POST, "/memory/import") && answer.ok() {
            answer.edit(|body| body["refused"] = json!([]));
        };
    answer "refused_units_on_other_lines" breaks "ADD-21": "what an import does not take has another line",
        |request, answer, _| if request.is(&Method::POST, "/memory/import") && answer.ok() {
            answer.edit(|body| {
                for one in body["refused"].as_array_mut().into_iter().flatten() {
                    one["line"] = json!(one["line"].as_u64().unwrap_or(0) + 1);
                }
            });
        };
    answer "what_is_no_tmx_taken" breaks "ADD-21": "a file that is no TMX is taken as an empty one",
        |request, answer, _| if request.is(&Method::POST, "/memory/import") && answer.status == 400 {
            *answer = ApiAnswer::new(200, &json!({"added": 0, "unchanged": 0, "refusedCount": 0, "refused": []}));
        };
    answer "exports_of_memory_empty" breaks "ADD-21": "an export has no units",
        |request, answer, _| if request.is(&Method::GET, "/memory/export") && answer.ok() {
            answer.body = "<tmx version=\"1.4\"><body></body></tmx>".into();
        };
    both "files_of_all_languages_not_marked" breaks "ADD-22": "the manifest does not mark a file that holds all languages",
        |request, _| in_plain(request),
        |request, answer, _| edit_files(request, answer, |files| {
            files.iter_mut().filter_map(Value::as_object_mut).for_each(|file| drop(file.remove("holdsAllLanguages")));
        });
    both "each_file_marked_as_of_all_languages" breaks "ADD-22": "the manifest marks every file as one of all languages",
        |request, _| in_plain(request),
        |request, answer, _| edit_files(request, answer, |files| {
            files.iter_mut().for_each(|file| file["holdsAllLanguages"] = json!(true));
        });
    both "files_listed_twice" breaks "ADD-22": "each file stands in the manifest twice",
        |request, _| in_plain(request),
        |request, answer, _| edit_files(request, answer, |files| {
            files.extend_from_within(..);
        });
    answer "archived_keys_not_shown" breaks "ADD-4": "an operation does not show how many keys it may archive",
        |request, answer, _| if request.is(&Method::GET, "/operations/*") && answer.ok() {
            answer.edit(|body| body["maxArchivedKeys"] = Value::Null);
        };
};
