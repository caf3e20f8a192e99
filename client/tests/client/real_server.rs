//! The client against the server itself, over a socket, on both engines.

use std::net::SocketAddr;
use std::time::Duration;

use l10n_client::api::operations::{CreateBody, OperationKind, OperationStatus};
use l10n_client::api::output_formats::NewOutputFormat;
use l10n_client::api::publish::{Create, Publish};
use l10n_client::api::translations::{GetQuery, JobStatus, TranslateBody};
use l10n_client::api::{FormatId, Key, KeyKind, NoQuery, ProjectPath, Scope};
use l10n_client::{
    CallOptions, Changed, Client, Error, ErrorCode, Outcome, Project, WaitOptions, file_upload, sync_body,
};
use l10n_server::both_engines;
use l10n_server::domain::operations::OperationDecision;
use l10n_server::testing::decide;
use l10n_server::testing::{TestApp, TestStore};
use tokio::net::{TcpListener, TcpStream};

use crate::support::{builder, read_request};

both_engines!(
    names_lead_to_the_project,
    what_is_set_is_read_back,
    refusals_are_told_by_code,
    a_refused_call_goes_by_the_id_that_was_sent,
    a_project_without_keys_has_nothing_to_deliver,
    the_main_job_runs_from_a_file_to_verified_bundles,
    a_write_is_found_by_the_id_that_it_was_sent_with,
    a_write_is_found_that_landed_when_it_was_sent_again,
    a_write_with_a_key_is_done_once,
    an_agent_does_once_what_a_person_has_approved,
);

fn client(app: &TestApp, key: &str) -> Client {
    Client::builder(format!("http://{}/v1/", app.address)).api_key(key).max_retries(0).build().unwrap()
}

fn project(app: &TestApp, key: &str) -> Project {
    client(app, key).project(app.project.id.clone())
}

/// RES-1, PUB-1
async fn names_lead_to_the_project(store: TestStore) {
    let app = TestApp::on(&store).await;
    let client = client(&app, &app.project.keys.none);
    assert_eq!(client.health().await.unwrap().status, "ok");
    let found = client.projects().find(&app.project.handle, &app.project.slug).await.unwrap();
    assert_eq!(found.id(), &app.project.id);
    assert_eq!(found.credential().await.unwrap().scopes, []);
    let error = client.projects().resolve("no such", "näme/&?").await.unwrap_err();
    assert_eq!(error.code(), Some(&ErrorCode::NotFound));
}

async fn what_is_set_is_read_back(store: TestStore) {
    let app = TestApp::on(&store).await;
    let project = project(&app, &app.project.keys.admin);
    let answer = project.languages().add(["pt_br", "de"]).await.unwrap();
    let codes = |codes: &[l10n_client::api::LanguageCode]| codes.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!((codes(&answer.added), codes(&answer.existing)), (vec!["pt-BR".to_owned()], vec!["de".to_owned()]));

    let format = NewOutputFormat::new(FormatId::Json, "locales/{language}.json");
    project.output_formats().set(vec![format]).await.unwrap();
    let meta = project.meta().await.unwrap();
    assert_eq!((meta.languages.len(), meta.output_formats[0].path.as_str()), (4, "locales/{language}.json"));
    assert!(!project.credential().await.unwrap().requires_operation_approval);
    assert!(self::project(&app, &app.project.keys.agent).credential().await.unwrap().requires_operation_approval);
}

/// AUTH-1, ERR-401-1, ERR-403-1
async fn refusals_are_told_by_code(store: TestStore) {
    let app = TestApp::on(&store).await;
    let other = app.other_project("unlimited").await;
    let read_only = app.key(&app.project, &[Scope::Read], KeyKind::Ci).await;
    for (key, code) in [
        (&app.project.keys.revoked, ErrorCode::Unauthorized),
        (&other.keys.admin, ErrorCode::Unauthorized),
        (&read_only, ErrorCode::Forbidden),
    ] {
        let error = project(&app, key).languages().add(["it"]).await.unwrap_err();
        assert_eq!(error.code(), Some(&code), "{error}");
        assert!(!error.to_string().contains(key.as_str()));
    }
    let error = project(&app, &app.project.keys.write).languages().add(["not a tag"]).await.unwrap_err();
    assert_eq!(error.code(), Some(&ErrorCode::InvalidArgument), "{error}");
}

/// CONV-7: the server keeps a caller's id.
async fn a_refused_call_goes_by_the_id_that_was_sent(store: TestStore) {
    let app = TestApp::on(&store).await;
    let client = Client::builder(format!("http://{}/v1", app.address))
        .api_key(app.project.keys.admin.as_str())
        .correlation_ids(|| "deploy-42.meta".into())
        .build()
        .unwrap();
    let error = client.project("prj_other").meta().await.unwrap_err();
    assert_eq!((error.status(), error.correlation_id()), (Some(401), Some("deploy-42.meta")));
}

/// Before the first publish.
async fn a_project_without_keys_has_nothing_to_deliver(store: TestStore) {
    let app = TestApp::on(&store).await;
    let project = project(&app, &app.project.keys.admin);
    let by_name = project.client().delivery_by_name(&app.project.handle, &app.project.slug);
    let not_published = Some(&ErrorCode::NotPublished);
    assert_eq!(project.delivery().manifest().await.unwrap_err().code(), not_published);
    assert_eq!(by_name.manifest_if_changed(Some("\"x\"")).await.unwrap_err().code(), not_published);
    assert_eq!(by_name.live_bundle("locales/en.json").await.unwrap_err().code(), not_published);
    let error = project.publish(&Publish::default()).await.unwrap_err();
    assert_eq!(error.code(), Some(&ErrorCode::NothingToPublish));
    assert!(!error.may_have_been_carried_out());
    let error = project.versions().restore("ver_none", &Default::default()).await.unwrap_err();
    assert_eq!(error.code(), Some(&ErrorCode::VersionNotFound));
    assert_eq!(project.versions().list_all().await.unwrap(), []);
}

/// §7: the receipt of a write, of one that was refused, and of none.
async fn a_write_is_found_by_the_id_that_it_was_sent_with(store: TestStore) {
    let app = TestApp::on(&store).await;
    let project = project(&app, &app.project.keys.admin);
    let named = |id: &str| project.with(CallOptions::default().correlation_id(id));
    let refused = named("deploy-1").publish(&Publish::default()).await.unwrap_err();
    assert_eq!(refused.correlation_id(), Some("deploy-1"));
    let Outcome::NotLanded(receipt) = project.outcome_of("deploy-1").await.unwrap() else { panic!() };
    assert_eq!(receipt.error.unwrap().error, ErrorCode::NothingToPublish);

    let body = TranslateBody { keys: vec![Key::text("a", "A")], ..Default::default() };
    let run = named("deploy-2").translations().translate(&body).await.unwrap();
    let Outcome::Landed(receipt) = project.outcome_of("deploy-2").await.unwrap() else { panic!() };
    let made = receipt.resource.unwrap();
    assert_eq!((made.kind.as_str(), made.id), ("translation", run.tracking_token.unwrap().to_string()));
    assert_eq!(receipt.kind, "translateKeys");

    // Neither a read nor a dry run leaves one, and another project's is not shown.
    named("deploy-3").meta().await.unwrap();
    named("deploy-4").translations().translate_dry_run(&body).await.unwrap();
    for id in ["deploy-3", "deploy-4", "deploy-5", "a/b", "x".repeat(200).as_str()] {
        assert_eq!(project.outcome_of(id).await.unwrap(), Outcome::Unknown, "{id}");
    }
    let other = app.other_project("unlimited").await;
    let stranger = client(&app, &other.keys.admin).project(other.id);
    assert_eq!(stranger.outcome_of("deploy-2").await.unwrap(), Outcome::Unknown);
}

/// §7: the first request does not arrive, the second one does, and the answers of both are lost.
async fn a_write_is_found_that_landed_when_it_was_sent_again(store: TestStore) {
    let app = TestApp::on(&store).await;
    for id in ["deploy-1.2", &"x".repeat(126)] {
        let address = way_that_loses_two_answers(app.address).await;
        let client = builder(&address).api_key(app.project.keys.admin.as_str()).max_retries(1).build().unwrap();
        let project = client.project(app.project.id.clone());
        let failure =
            project.with(CallOptions::default().correlation_id(id)).languages().add(["it"]).await.unwrap_err();
        assert_eq!(failure.request_ids(), [id.to_owned(), format!("{id}.2")], "{failure}");
        let Some(Outcome::Landed(receipt)) = project.outcome_of_failed(&failure).await.unwrap() else { panic!() };
        assert_eq!((receipt.request_id.to_string(), receipt.kind.as_str()), (format!("{id}.2"), "addLanguages"));
    }
}

/// A way to a server: the request of the first connection does not arrive, the answer of the second one is lost, and the others
/// pass.
async fn way_that_loses_two_answers(server: SocketAddr) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut first, _) = listener.accept().await.unwrap();
        read_request(&mut first).await.unwrap();
        drop(first);
        let ((mut here, _), mut there) = (listener.accept().await.unwrap(), TcpStream::connect(server).await.unwrap());
        let ((mut asked, _), (mut answered, mut passed_on)) = (here.split(), there.split());
        let mut first = [0];
        tokio::select! {
            _ = tokio::io::copy(&mut asked, &mut passed_on) => panic!("the client went away first"),
            answer = answered.peek(&mut first) => assert_eq!(answer.unwrap(), 1),
        }
        drop((here, there));
        while let Ok((mut here, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut there = TcpStream::connect(server).await.unwrap();
                tokio::io::copy_bidirectional(&mut here, &mut there).await
            });
        }
    });
    address
}

/// The first answer is replayed, also to another process with the key; a read in between is not affected.
async fn a_write_with_a_key_is_done_once(store: TestStore) {
    let app = TestApp::on(&store).await;
    let project = project(&app, &app.project.keys.admin);
    let body = TranslateBody { keys: vec![Key::text("a", "A")], ..Default::default() };
    project.translations().translate(&body).await.unwrap();
    let once = project.with(CallOptions::default().idempotency_key("deploy-1"));
    let path = ProjectPath { project_id: app.project.id.clone() };
    let publish = |project: Project, label: &str| {
        let (path, body) = (path.clone(), Publish { label: Some(label.into()), ..Publish::default() });
        async move { project.reply::<Create>(&path, &NoQuery {}, &body).await }
    };
    let first = publish(once.clone(), "one").await.unwrap();
    let second =
        publish(self::project(&app, &app.project.keys.admin).with(once_with("deploy-1")), "one").await.unwrap();
    assert_eq!((first.replayed, second.replayed, second.value), (false, true, first.value));
    let conflict = publish(once, "two").await.unwrap_err();
    assert_eq!(conflict.code(), Some(&ErrorCode::IdempotencyConflict));

    let idempotent = project.with(CallOptions::default().idempotent());
    publish(idempotent.clone(), "three").await.unwrap();
    publish(idempotent, "three").await.unwrap();
    assert_eq!(project.versions().list_all().await.unwrap().len(), 3);
}

fn once_with(key: &str) -> CallOptions {
    CallOptions::default().idempotency_key(key)
}

/// OPS-1, OPS-4: an operation is requested, awaited, approved meanwhile and used once.
async fn an_agent_does_once_what_a_person_has_approved(store: TestStore) {
    let app = TestApp::on(&store).await;
    let body = TranslateBody { keys: vec![Key::text("a", "A")], ..Default::default() };
    project(&app, &app.project.keys.admin).translations().translate(&body).await.unwrap();
    let agent = project(&app, &app.project.keys.agent);
    let refused = agent.publish(&Publish::default()).await.unwrap_err();
    assert_eq!(refused.code(), Some(&ErrorCode::AuthorizationRequired));

    let operations = agent.operations();
    let asked = operations.create(&CreateBody::new(OperationKind::Publish)).await.unwrap();
    assert_eq!(asked.status, OperationStatus::Pending);
    let short = WaitOptions::default().timeout(Duration::from_secs(4));
    assert_eq!(operations.wait(asked.operation_id.clone(), &short).await.unwrap().status, OperationStatus::Pending);
    let waiting = tokio::spawn({
        let (operations, id) = (operations.clone(), asked.operation_id.clone());
        async move { operations.wait(id, &WaitOptions::default()).await }
    });
    let verdict = OperationDecision { is_approved: true, by: "ada", reason: None };
    decide(&app.service, asked.operation_id.as_str(), verdict).await.unwrap();
    let decided = waiting.await.unwrap().unwrap();
    assert_eq!((decided.status, decided.decided_by.as_deref()), (OperationStatus::Approved, Some("ada")));

    let with_it = Publish { operation_id: Some(asked.operation_id.clone()), ..Publish::default() };
    let published = agent.publish(&with_it).await.unwrap();
    let used = operations.get(asked.operation_id).await.unwrap();
    assert_eq!((used.status, used.request_id), (OperationStatus::Used, Some(published.request_id)));
    let again = agent.publish(&with_it).await.unwrap_err();
    let Error::Api(again) = again else { panic!("{again:?}") };
    assert_eq!(again.details().unwrap()["reason"], "used");
}

const EN: &str = "{\n  \"greeting\": \"Hello, {name}!\",\n  \"bye\": \"Good bye\"\n}\n";

/// FN-1, FN-3, VER-1: the main job, as in the README.
async fn the_main_job_runs_from_a_file_to_verified_bundles(store: TestStore) {
    let app = TestApp::on(&store).await;
    let project = project(&app, &app.project.keys.admin);
    let translations = project.translations();
    let body = sync_body(file_upload("locales/en.json", EN.as_bytes()).unwrap());

    let preview = translations.sync_dry_run(&body).await.unwrap();
    assert_eq!((preview.classification.new, preview.dry_run, preview.tracking_token), (2, true, None));
    let run = translations.sync(&body).await.unwrap();
    let mut told = Vec::new();
    let job = translations.wait(&run.tracking_token.unwrap(), |at| told.push(at.done)).await.unwrap();
    assert_eq!((job.status, job.progress.done, told.last()), (JobStatus::Completed, 4, Some(&4)));
    assert!(job.credits_charged <= preview.estimated_credits);
    assert_eq!(translations.job_pages(&job.tracking_token).all().await.unwrap().len(), 4);
    let again = translations.sync(&body).await.unwrap();
    assert_eq!((again.classification.unchanged, again.tracking_token), (2, None));

    assert_eq!(translations.key("greeting").await.unwrap().translations.len(), 2);
    assert_eq!(translations.key("absent").await.unwrap_err().code(), Some(&ErrorCode::KeyNotFound));
    let one_by_one = GetQuery { limit: Some(1), ..GetQuery::default() };
    let refs: Vec<_> = translations.list_all(one_by_one).await.unwrap().into_iter().map(|key| key.r#ref).collect();
    assert_eq!(refs, ["bye", "greeting"]);

    let first = project.publish(&Publish::default()).await.unwrap();
    let second = project.publish(&Publish { label: Some("two".into()), ..Publish::default() }).await.unwrap();
    let labels: Vec<_> =
        project.versions().list_all().await.unwrap().into_iter().map(|version| version.label).collect();
    assert_eq!(labels, ["two", "v1"]);
    let restored = project.versions().restore(first.version_id.clone(), &Default::default()).await.unwrap();
    assert!(restored.restored && restored.version_id == first.version_id);
    let contents = translations.version(second.version_id, &GetQuery::default()).await.unwrap();

    for delivery in [project.delivery(), project.client().delivery_by_name("acme", "app")] {
        let Changed::Yes { value: manifest, etag } = delivery.manifest_if_changed(None).await.unwrap() else {
            panic!()
        };
        assert_eq!(
            (manifest.version_id.clone(), manifest.files.len()),
            (first.version_id.clone(), contents.files.len())
        );
        assert_eq!(delivery.manifest_if_changed(etag.as_deref()).await.unwrap(), Changed::No);
        for file in &manifest.files {
            let bytes = delivery.download_verified(&manifest, file).await.unwrap();
            if file.language.as_str() == "en" {
                assert_eq!(String::from_utf8(bytes).unwrap(), EN);
            }
            let live = delivery.live_bundle(&file.path).await.unwrap();
            let same = delivery.bundle_if_changed("live", &file.path, live.etag.as_deref()).await.unwrap();
            assert_eq!(same, Changed::No);
        }
    }
}
