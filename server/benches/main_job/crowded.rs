//! The same sync in a project that holds many other keys beside one that holds none, in turn; and how long others wait.

use std::convert::Infallible;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use l10n_api_types::{Content, Origin, State, Timestamp};
use l10n_client::Project;
use l10n_client::api::publish::Publish;
use l10n_server::store::keys::NewKey;
use l10n_server::store::translations::NewTranslation;
use l10n_server::store::{Store, keys, projects, translations};
use l10n_server::testing::plain_key;

use super::child::{BUILT, Provisioned, Server, provision};
use super::database::{Engine, another};
use super::journey::{LANGUAGES, Timer, finish, sync_all};
use super::peers;
use super::report::Report;
use super::sample::Sample;

/// Keys that the project holds, in files of their own.
pub(crate) const OTHER_KEYS: usize = 200_000;
const FILE: usize = 8_000;

/// Measures pairs, as many as there are runs.
pub(crate) async fn measure(engine: Engine, sample: &Sample, runs: usize, report: &mut Report) -> Result<()> {
    let database = another(engine).await?;
    let url = database.url();
    let handles: Vec<String> = ["crowded".to_owned(), "by-stander".to_owned()]
        .into_iter()
        .chain((0..=runs).map(|run| format!("alone{run}")))
        .collect();
    let made = provision(BUILT, &url, &handles, &LANGUAGES)?;
    let mut made = made.iter();
    let mut next = || made.next().context("provision made less than it was asked for");
    let (crowded, bystander) = (next()?, next()?);
    fill(&url, crowded).await?;
    peers::analyze(engine, &url).await?;

    let server = Server::start(BUILT, &url).await?;
    let project =
        |made: &Provisioned| -> Result<Project> { Ok(server.client(&made.api_key)?.project(made.project_id.as_str())) };
    for run in 0..runs {
        let body = sample.variant(run)?;
        let (crowded, alone) = (project(crowded)?, project(next()?)?);
        let (mut first, mut again) = ([0.0; 2], [0.0; 2]);
        // Who is first alternates.
        for at in if run % 2 == 0 { [0, 1] } else { [1, 0] } {
            let project = [&alone, &crowded][at];
            let timer = Timer::start(&server);
            let landed = project.translations().sync(&body).await?;
            first[at] = timer.began.elapsed().as_secs_f64();
            let first_cost = timer.cost();
            finish(project, &landed).await?;
            let timer = Timer::start(&server);
            project.translations().sync(&body).await?;
            again[at] = timer.began.elapsed().as_secs_f64();
            let again_cost = timer.cost();
            if at == 1 {
                report.add(engine, "first sync among 200,000", "s", first[at]).cost(first_cost);
                report.add(engine, "unchanged among 200,000", "s", again[at]).cost(again_cost);
            }
        }
        report.beside(engine, "first sync among 200,000", "the same without them", first[0]);
        report.beside(engine, "unchanged among 200,000", "the same without them", again[0]);
    }

    // Others work while a project syncs, translates and publishes.
    let (busy, bystander) = (project(next()?)?, project(bystander)?);
    let body = sample.variant(runs)?;
    let quiet = waits(&bystander, async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        Ok(())
    });
    let quiet = quiet.await?;
    let syncing = waits(&bystander, sync_all(&busy, &body)).await?;
    let publishing = waits(&bystander, async {
        for _ in 0..3 {
            busy.publish(&Publish::default()).await?;
        }
        Ok(())
    });
    let publishing = publishing.await?;
    for (step, waits) in [
        ("longest small write during sync and job", [syncing.write, quiet.write]),
        ("longest read during sync and job", [syncing.read, quiet.read]),
        ("longest small write during publish", [publishing.write, quiet.write]),
        ("longest read during publish", [publishing.read, quiet.read]),
    ] {
        let [busy, quiet] = waits.map(|wait| wait.as_secs_f64());
        report.add(engine, step, "s", busy).beside("the longest on an idle server", quiet);
    }
    server.stop().await?;
    database.remove().await
}

/// The longest that one had to wait.
#[derive(Default)]
struct Waits {
    write: Duration,
    read: Duration,
}

/// Writes and reads a little in another workspace's project until `work` has ended.
async fn waits(bystander: &Project, work: impl Future<Output = Result<()>>) -> Result<Waits> {
    let mut longest = Waits::default();
    tokio::select! {
        done = work => done?,
        failed = probe(bystander, &mut longest) => match failed? {},
    }
    Ok(longest)
}

async fn probe(bystander: &Project, longest: &mut Waits) -> Result<Infallible> {
    loop {
        let began = Instant::now();
        // It takes the writer's turn, and finds the language there.
        bystander.languages().add(["de"]).await?;
        longest.write = longest.write.max(began.elapsed());
        let began = Instant::now();
        bystander.meta().await?;
        longest.read = longest.read.max(began.elapsed());
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Keys of other files, with their translations, as years of work have left them.
async fn fill(url: &str, made: &Provisioned) -> Result<()> {
    let store = Store::connect(url).await?;
    let now = Timestamp::from_millis(0);
    for file in 0..OTHER_KEYS / FILE {
        let path = format!("other/{file}/en.json");
        let texts: Vec<(i64, String, String, Content)> = (0..FILE)
            .map(|key| {
                let number = file * FILE + key;
                let text = Content::Text(format!("Other text number {number}, as long as texts are on average"));
                (number as i64, format!("str_{number:026}"), format!("other{file}.section{}.key{key}", key % 40), text)
            })
            .collect();
        let rows: Vec<NewKey<'_>> = texts
            .iter()
            .map(|(position, id, name, source)| NewKey {
                source_path: Some(&path),
                position: *position,
                ..plain_key(id, name, source, now)
            })
            .collect();
        let mut tx = store.begin_write().await?;
        keys::upsert(&mut tx, &made.project_id.as_str().into(), &rows).await?;
        projects::add_counts(&mut tx, &made.project_id.as_str().into(), rows.len() as i64, 1).await?;
        for language in LANGUAGES {
            let translated: Vec<NewTranslation<'_>> = rows
                .iter()
                .map(|key| NewTranslation {
                    key_id: key.id,
                    language,
                    content: key.source,
                    state: State::Translated,
                    source_hash: key.source_hash,
                    origin: Origin::Machine,
                    engine: Some("bench"),
                    issues: &[],
                })
                .collect();
            translations::upsert(&mut tx, &made.project_id.as_str().into(), &translated, now).await?;
        }
        tx.commit().await?;
    }
    store.close().await;
    Ok(())
}
