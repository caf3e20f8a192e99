//! The request of each method, and answers with additional fields.

use std::fmt::Write as _;
use std::future::Future;

use l10n_client::api::capture::{CapturedKey, CreateBody as CreateCapture};
use l10n_client::api::content::{
    DocumentFormat, DocumentState, DocumentUpdate, ListQuery as DocumentsQuery, NewDocument, RunBody,
};
use l10n_client::api::events::EventType;
use l10n_client::api::glossary::{GlossaryLevel, ListQuery as TermsQuery, NewGlossaryTerm};
use l10n_client::api::memory::SuggestQuery;
use l10n_client::api::operations::OperationKind;
use l10n_client::api::output_formats::NewOutputFormat;
use l10n_client::api::pending_code_changes::ListQuery as ChangesQuery;
use l10n_client::api::publish::Publish;
use l10n_client::api::translations::{GetQuery, TranslateBody};
use l10n_client::api::unpublished_changes::ListQuery as UnpublishedQuery;
use l10n_client::api::versions::{ListQuery, RestoreBody};
use l10n_client::api::webhooks::{CreateBody, UpdateBody};
use l10n_client::api::{Access, Endpoint, Key};
use l10n_client::{CallOptions, Client, Error, Result, file_upload, sync_body};
use serde_json::{Value, json};
use wiremock::ResponseTemplate;

use crate::samples;
use crate::support::{KEY, answering, builder, error, ok, requests};

/// Makes one call and describes its request.
async fn sent<T, F>(answer: Value, call: impl FnOnce(Client) -> F) -> String
where
    F: Future<Output = Result<T>>,
{
    let server = answering([ok(answer)]).await;
    call(builder(&server.uri()).correlation_ids(|| "id-1".into()).build().unwrap()).await.unwrap();
    let received = requests(&server).await;
    assert_eq!(received.len(), 1);
    let request = &received[0];
    let header = |name: &str| request.headers.get(name).map_or("-", |value| value.to_str().unwrap()).to_owned();
    assert_eq!(header("x-correlation-id"), "id-1");
    assert!(header("user-agent").starts_with("l10n-client/"), "{}", header("user-agent"));
    let key = if header("authorization") == format!("Bearer {KEY}") { "key" } else { &header("authorization") };
    let target = request.url.as_str().split_once("/v1").unwrap().1.to_owned();
    let mut line = format!("{} {target} [{key}] {}", request.method, header("accept"));
    if header("content-type") != "-" || !request.body.is_empty() {
        write!(line, "\n    {} {}", header("content-type"), String::from_utf8_lossy(&request.body)).unwrap();
    }
    line.push('\n');
    line
}

/// ENV-12: every endpoint's request is as declared; unknown fields of its answer are
/// tolerated.
#[tokio::test]
async fn every_method_sends_what_its_endpoint_declares() {
    let key = || samples::key("a");
    let body = TranslateBody { keys: vec![Key::text("a", "A")], ..Default::default() };
    let file = sync_body(file_upload("locales/en.json", b"{}").unwrap());
    let format = NewOutputFormat::new(FormatId::Arb, "{language}.arb");
    let some_terms = TermsQuery { level: Some(GlossaryLevel::Workspace), limit: Some(5), cursor: None };
    let translations = [("de".into(), "Warenkorb".to_owned())].into();
    let term = NewGlossaryTerm { translations, ..NewGlossaryTerm::new("cart") };
    let some_terms = &some_terms;
    let by_ref = GetQuery { r#ref: Some("a b/ä".into()), ..Default::default() };
    let restore = RestoreBody { operation_id: Some("op_1".into()) };
    let page = ListQuery { limit: Some(2), cursor: Some("c=".into()) };
    let some_keys = GetQuery { stale: Some(true), limit: Some(5), prefix: Some("x&y".into()), ..Default::default() };
    let some_keys = GetQuery { query: Some("100 % ä".into()), ..some_keys };
    let no_content = GetQuery { content: Some(false), language: Some("de".into()), ..Default::default() };
    let webhook = CreateBody::new("https://example.com/ä", [EventType::StringsPublished]);
    let disable = UpdateBody { enabled: Some(false), ..Default::default() };
    let missing = CapturedKey { r#ref: "a".into(), text: Some("A".into()), ..Default::default() };
    let capture = CreateCapture { keys: vec![missing] };
    let changes = ChangesQuery { limit: Some(2), cursor: Some("c=".into()) };
    let german_changes = UnpublishedQuery { language: Some("de".into()), limit: Some(2), cursor: None };
    let in_memory = &SuggestQuery { percent: Some(75), ..SuggestQuery::new("a b&ä", "de") };
    let (capture, changes, german_changes) = (&capture, &changes, &german_changes);
    let external_id = Some("docs/a.md".to_owned());
    let document = NewDocument { external_id, ..NewDocument::new(DocumentFormat::Markdown, "A") };
    let some_documents = DocumentsQuery { state: Some(DocumentState::Outdated), limit: Some(2), ..Default::default() };
    let new_text = DocumentUpdate { body: "B".into(), if_version_id: Some("cvr_1".into()), ..Default::default() };
    let german = RunBody { languages: Some(vec!["de".into()]), ..Default::default() };
    let (document, some_documents, new_text, german) = (&document, &some_documents, &new_text, &german);
    let (webhook, disable) = (&webhook, &disable);
    let ask = operations::CreateBody {
        max_credits: Some(WholeCredits(5)),
        languages: Some(vec!["de".into()]),
        note: Some("new texts".into()),
        ..operations::CreateBody::new(OperationKind::Translation)
    };
    let ask = &ask;
    let project = |client: Client| client.project("prj_1");
    let token = "trk_1".into();
    let (body, file, token) = (&body, &file, &token);
    let (by_ref, page, some_keys, no_content) = (&by_ref, &page, &some_keys, &no_content);

    let mut all = String::new();
    all += &sent(samples::resolved(), |c| async move { c.projects().resolve("de mo", "app").await }).await;
    all += &sent(samples::credential(), |c| async move { project(c).credential().await }).await;
    all += &sent(samples::meta(), |c| async move { project(c).meta().await }).await;
    all +=
        &sent(samples::added_languages(), |c| async move { project(c).languages().add(["de", "pt_br"]).await }).await;
    all += &sent(samples::output_formats_set(), |c| async move { project(c).output_formats().set(vec![format]).await })
        .await;
    let terms = json!({"terms": [samples::glossary_term()], "nextCursor": null});
    all += &sent(terms, |c| async move { project(c).glossary().list(some_terms).await }).await;
    let numbers = json!({"added": 1, "changed": 0, "removed": 2, "unchanged": 3, "future": 1});
    all += &sent(numbers, |c| async move { project(c).glossary().set(vec![term]).await }).await;
    all += &sent(samples::run(), |c| async move { project(c).translations().translate(body).await }).await;
    all += &sent(samples::run(), |c| async move { project(c).translations().translate_dry_run(body).await }).await;
    all += &sent(samples::run(), |c| async move { project(c).translations().sync(file).await }).await;
    all += &sent(samples::run(), |c| async move { project(c).translations().sync_dry_run(file).await }).await;
    all += &sent(key(), |c| async move { project(c).translations().get(by_ref).await }).await;
    all += &sent(samples::job("queued", 0), |c| async move { project(c).translations().job(token).await }).await;
    all +=
        &sent(samples::job("queued", 0), |c| async move { project(c).translations().job_after(token, 5).await }).await;
    all += &sent(key(), |c| async move { project(c).translations().key("a").await }).await;
    all += &sent(
        samples::version_files(),
        |c| async move { project(c).translations().version("ver_1", no_content).await },
    )
    .await;
    all += &sent(json!({"keys": [key()], "nextCursor": null}), |c| async move {
        project(c).translations().list(some_keys).await
    })
    .await;
    let documents = json!({"documents": [samples::document("doc_1")], "nextCursor": null});
    all += &sent(samples::document("doc_1"), |c| async move { project(c).content().create(document).await }).await;
    all += &sent(documents.clone(), |c| async move { project(c).content().list(some_documents).await }).await;
    all += &sent(documents, |c| async move { project(c).content().find("docs/a b.md").await }).await;
    all += &sent(samples::document("doc_1"), |c| async move { project(c).content().source("doc_1").await }).await;
    all +=
        &sent(samples::document("doc_1"), |c| async move { project(c).content().published("doc_1", "de").await }).await;
    all += &sent(samples::document("doc_1"), |c| async move { project(c).content().draft("doc_1", "de").await }).await;
    all += &sent(samples::document("doc_1"), |c| async move {
        project(c).content().version("doc_1", "cvr_1", Some("de".into())).await
    })
    .await;
    all += &sent(samples::document("doc_1"), |c| async move { project(c).content().update("doc_1", new_text).await })
        .await;
    all += &sent(samples::run(), |c| async move { project(c).content().run("doc_1", german).await }).await;
    all += &sent(samples::run(), |c| async move { project(c).content().run_dry_run("doc_1", german).await }).await;
    all += &sent(samples::captured(), |c| async move { project(c).capture(capture).await }).await;
    all += &sent(json!({"changes": [samples::code_change("chg_1")], "nextCursor": null}), |c| async move {
        project(c).pending_code_changes().list(changes).await
    })
    .await;
    all += &sent(samples::suggested(), |c| async move { project(c).memory().suggest(in_memory).await }).await;
    all += &sent(json!("any bytes"), |c| async move { project(c).memory().export().await }).await;
    all += &sent(samples::imported(), |c| async move { project(c).memory().import(b"<tmx/>").await }).await;
    all += &sent(samples::published(), |c| async move { project(c).publish(&Publish::default()).await }).await;
    let unpublished = json!({"liveVersionId": null, "items": [], "nextCursor": null, "future": 1,
        "languages": [{"code": "de", "added": null, "changed": 1, "removed": 0, "held": 2}]});
    all += &sent(unpublished, |c| async move { project(c).unpublished_changes().list(german_changes).await }).await;
    all += &sent(json!({"versions": [samples::version("ver_1")], "nextCursor": null}), |c| async move {
        project(c).versions().list(page).await
    })
    .await;
    all += &sent(samples::published(), |c| async move { project(c).versions().restore("ver_1", &restore).await }).await;
    all += &sent(samples::operation("pending"), |c| async move { project(c).operations().create(ask).await }).await;
    all += &sent(samples::operation("denied"), |c| async move { project(c).operations().get("op_1").await }).await;
    all += &sent(
        samples::operation("used"),
        |c| async move { project(c).operations().get_after(&"op_1".into(), 9).await },
    )
    .await;
    all += &sent(samples::receipt("failed"), |c| async move { project(c).requests().get("id/1").await }).await;
    all += &sent(samples::created_webhook(), |c| async move { project(c).webhooks().create(webhook).await }).await;
    all +=
        &sent(json!({"webhooks": [samples::webhook()]}), |c| async move { project(c).webhooks().list().await }).await;
    all += &sent(samples::webhook(), |c| async move { project(c).webhooks().update("whk_1", disable).await }).await;
    all += &sent(json!({}), |c| async move { project(c).webhooks().delete("whk_1").await }).await;
    all += &sent(samples::rotated(), |c| async move { project(c).webhooks().rotate_secret("whk_1").await }).await;
    all +=
        &sent(json!({"deliveries": [samples::sent()]}), |c| async move { project(c).deliveries("whk_1").list().await })
            .await;
    all += &sent(samples::sent(), |c| async move { project(c).deliveries("whk_1").resend("dlv_1").await }).await;
    all += &sent(samples::manifest("", 0), |c| async move { project(c).delivery().manifest().await }).await;
    all += &sent(samples::manifest("", 0), |c| async move { c.delivery_by_name("demo", "app").manifest().await }).await;
    all +=
        &sent(json!({}), |c| async move { project(c).delivery().bundle("ver_1", "locales/zh Hans.json").await }).await;
    all += &sent(json!({}), |c| async move { c.delivery_by_name("de/mo", "app").live_bundle("a/b.json").await }).await;
    all += &sent(json!({"status": "ok", "version": "1", "future": 1}), |c| async move { c.health().await }).await;

    insta::assert_snapshot!(all, @r#"
    GET /projects/resolve?project=app&workspace=de%20mo [key] application/json
    GET /projects/prj_1/credential [key] application/json
    GET /projects/prj_1/meta [key] application/json
    POST /projects/prj_1/languages [key] application/json
        application/json {"languages":[{"code":"de"},{"code":"pt_br"}]}
    POST /projects/prj_1/output-formats [key] application/json
        application/json {"outputFormats":[{"format":"arb","path":"{language}.arb"}]}
    GET /projects/prj_1/glossary?level=workspace&limit=5 [key] application/json
    PUT /projects/prj_1/glossary [key] application/json
        application/json {"terms":[{"term":"cart","translations":{"de":"Warenkorb"}}]}
    POST /projects/prj_1/translate [key] application/json
        application/json {"keys":[{"ref":"a","text":"A"}]}
    POST /projects/prj_1/translate?dryRun=true [key] application/json
        application/json {"keys":[{"ref":"a","text":"A"}]}
    POST /projects/prj_1/sync [key] application/json
        application/json {"file":{"path":"locales/en.json","content":"{}","encoding":"utf8"}}
    POST /projects/prj_1/sync?dryRun=true [key] application/json
        application/json {"file":{"path":"locales/en.json","content":"{}","encoding":"utf8"}}
    GET /projects/prj_1/translations?ref=a%20b%2F%C3%A4 [key] application/json
    GET /projects/prj_1/translations?trackingToken=trk_1 [key] application/json
    GET /projects/prj_1/translations?trackingToken=trk_1&waitSeconds=5 [key] application/json
    GET /projects/prj_1/translations?ref=a [key] application/json
    GET /projects/prj_1/translations?content=false&language=de&version=ver_1 [key] application/json
    GET /projects/prj_1/translations?limit=5&prefix=x%26y&query=100%20%25%20%C3%A4&stale=true [key] application/json
    POST /projects/prj_1/content [key] application/json
        application/json {"externalId":"docs/a.md","format":"markdown","body":"A"}
    GET /projects/prj_1/content?limit=2&state=outdated [key] application/json
    GET /projects/prj_1/content?externalId=docs%2Fa%20b.md [key] application/json
    GET /projects/prj_1/content/doc_1 [key] application/json
    GET /projects/prj_1/content/doc_1?language=de [key] application/json
    GET /projects/prj_1/content/doc_1?draft=true&language=de [key] application/json
    GET /projects/prj_1/content/doc_1?language=de&version=cvr_1 [key] application/json
    PUT /projects/prj_1/content/doc_1 [key] application/json
        application/json {"body":"B","ifVersionId":"cvr_1"}
    POST /projects/prj_1/content/doc_1/run [key] application/json
        application/json {"languages":["de"]}
    POST /projects/prj_1/content/doc_1/run [key] application/json
        application/json {"dryRun":true,"languages":["de"]}
    POST /projects/prj_1/capture [key] application/json
        application/json {"keys":[{"ref":"a","text":"A"}]}
    GET /projects/prj_1/pending-code-changes?cursor=c%3D&limit=2 [key] application/json
    GET /projects/prj_1/memory?language=de&percent=75&text=a%20b%26%C3%A4 [key] application/json
    GET /projects/prj_1/memory/export [key] application/octet-stream
    POST /projects/prj_1/memory/import [key] application/json
        application/json {"content":"PHRteC8+","encoding":"base64"}
    POST /projects/prj_1/publish [key] application/json
        application/json {}
    GET /projects/prj_1/unpublished-changes?language=de&limit=2 [key] application/json
    GET /projects/prj_1/versions?cursor=c%3D&limit=2 [key] application/json
    POST /projects/prj_1/versions/ver_1/restore [key] application/json
        application/json {"operationId":"op_1"}
    POST /projects/prj_1/operations [key] application/json
        application/json {"kind":"translation","max_credits":5,"languages":["de"],"note":"new texts"}
    GET /projects/prj_1/operations/op_1 [key] application/json
    GET /projects/prj_1/operations/op_1?waitSeconds=9 [key] application/json
    GET /projects/prj_1/requests/id%2F1 [key] application/json
    POST /projects/prj_1/webhooks [key] application/json
        application/json {"url":"https://example.com/ä","events":["strings.published"]}
    GET /projects/prj_1/webhooks [key] application/json
    PATCH /projects/prj_1/webhooks/whk_1 [key] application/json
        application/json {"enabled":false}
    DELETE /projects/prj_1/webhooks/whk_1 [key] application/json
    POST /projects/prj_1/webhooks/whk_1/rotate-secret [key] application/json
    GET /projects/prj_1/webhooks/whk_1/deliveries [key] application/json
    POST /projects/prj_1/webhooks/whk_1/deliveries/dlv_1/resend [key] application/json
    GET /projects/prj_1/manifest [-] application/json
    GET /@demo/app/manifest [-] application/json
    GET /projects/prj_1/bundles/ver_1/locales/zh%20Hans.json [-] */*
    GET /@de%2Fmo/app/bundles/live/a/b.json [-] */*
    GET /health [-] application/json
    "#);

    // Every endpoint's method and path is among the recorded lines.
    macro_rules! assert_all_sent {
        ($($endpoint:path,)+) => { $(assert_sent::<$endpoint>(&all);)+ };
    }
    use l10n_client::api::*;
    for_each_endpoint!(assert_all_sent);
}

fn assert_sent<E: Endpoint>(lines: &str) {
    let literal = E::PATH.split(['{', '}']).step_by(2).collect::<Vec<_>>();
    let accept = E::MEDIA_TYPE;
    let key = if E::ACCESS == Access::Public { "[-]" } else { "[key]" };
    let found = lines.lines().any(|line| {
        let Some(rest) = line.strip_prefix(E::METHOD.as_str()) else { return false };
        let mut rest = rest.split_once('?').map_or(rest, |(path, _)| path);
        let whole = line.ends_with(&format!("{key} {accept}"));
        whole
            && literal.iter().all(|part| match rest.find(part) {
                Some(at) => {
                    rest = &rest[at + part.len()..];
                    true
                }
                None => false,
            })
    });
    assert!(found, "no test calls {}", E::NAME);
}

#[tokio::test]
async fn the_applications_name_comes_before_the_clients_own() {
    let server = answering([ok(json!({"status": "ok", "version": "1"}))]).await;
    builder(&server.uri()).user_agent("shop/2.1").build().unwrap().health().await.unwrap();
    let agent = requests(&server).await[0].headers["user-agent"].to_str().unwrap().to_owned();
    assert!(agent.starts_with("shop/2.1 l10n-client/"), "{agent}");
}

#[tokio::test]
async fn a_call_may_choose_its_correlation_id_and_learns_what_the_server_made_of_it() {
    use l10n_client::api::{NoBody, NoQuery, health::Read};

    let server = answering([ok(json!({"status": "ok", "version": "1"}))
        .insert_header("x-correlation-id", "theirs")
        .insert_header("etag", "\"e\"")])
    .await;
    let client = builder(&server.uri()).build().unwrap();
    let options = CallOptions::default().correlation_id("mine.1_2-3");
    let reply = client.call_with::<Read>(&NoQuery {}, &NoQuery {}, &NoBody {}, &options).await.unwrap();
    assert_eq!((reply.status, reply.correlation_id.as_str(), reply.etag.as_deref()), (200, "theirs", Some("\"e\"")));
    assert_eq!(requests(&server).await[0].headers["x-correlation-id"], "mine.1_2-3");

    for bad in ["line\nbreak", "..", ".a"] {
        let options = CallOptions::default().correlation_id(bad);
        let refused = client.call_with::<Read>(&NoQuery {}, &NoQuery {}, &NoBody {}, &options).await;
        assert!(matches!(refused, Err(Error::InvalidArgument(_))), "{refused:?}");
    }
    assert_eq!(requests(&server).await.len(), 1);
}

#[tokio::test]
async fn an_id_source_that_makes_no_ids_is_replaced() {
    let server = answering([ok(json!({"status": "ok", "version": "1"}))]).await;
    builder(&server.uri()).correlation_ids(|| "no id\r\n".into()).build().unwrap().health().await.unwrap();
    let id = requests(&server).await[0].headers["x-correlation-id"].to_str().unwrap().to_owned();
    assert!(id.starts_with("cli-"), "{id}");
}

#[tokio::test]
async fn what_cannot_be_sent_is_refused_here() {
    let server = answering([error(500, "internal")]).await;
    let client = builder(&server.uri()).build().unwrap();
    let refused = [
        client.project("").meta().await.map(drop),
        client.project("..").meta().await.map(drop),
        client.project("prj_1").delivery().live_bundle("../../projects/prj_2/meta").await.map(drop),
        client.project("prj_1").delivery().bundle_if_changed("ver_1", "a", Some("line\nbreak")).await.map(drop),
        Client::new(format!("{}/v1", server.uri())).unwrap().project("prj_1").meta().await.map(drop),
    ];
    for result in refused {
        let error = result.unwrap_err();
        assert!(matches!(error, Error::InvalidArgument(_) | Error::Config(_)), "{error:?}");
        assert!(!error.is_retryable() && !error.may_have_been_carried_out() && error.correlation_id().is_none());
    }
    assert!(requests(&server).await.is_empty());
}

/// ERR-413-1 for the client: a body over the route's cap is refused before megabytes are sent.
#[tokio::test]
async fn a_body_over_the_cap_is_not_sent() {
    let server = answering([ok(samples::run())]).await;
    let project = builder(&server.uri()).build().unwrap().project("prj_1");
    let body = |bytes: usize| TranslateBody { keys: vec![Key::text("a", "x".repeat(bytes))], ..Default::default() };
    let frame = serde_json::to_vec(&body(0)).unwrap().len();
    project.translations().translate(&body(1024 * 1024 - frame)).await.unwrap();
    let error = project.translations().translate(&body(1024 * 1024 - frame + 1)).await.unwrap_err();
    assert!(matches!(error, Error::InvalidArgument(_)) && error.to_string().contains("1048577"), "{error}");
    assert_eq!(requests(&server).await.len(), 1);
}

#[tokio::test]
async fn calls_run_beside_one_another_on_clones() {
    fn shared<T: Clone + Send + Sync + 'static>(_: &T) {}
    let server = answering([ResponseTemplate::new(200).set_body_json(samples::meta())]).await;
    let client = builder(&server.uri()).build().unwrap();
    shared(&client);
    shared(&client.project("prj_1").translations());
    let calls = (0..20).map(|_| {
        let project = client.project("prj_1");
        tokio::spawn(async move { project.meta().await })
    });
    for call in calls.collect::<Vec<_>>() {
        call.await.unwrap().unwrap();
    }
}
