//! The main job from an empty database to published files, step by step.

use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use l10n_client::Project;
use l10n_client::api::publish::Publish;
use l10n_client::api::translations::{JobStatus, Run, SyncBody};

use super::bare::{self, Bare};
use super::child::{BUILT, Provisioned, Server, provision};
use super::database::{Database, Engine, another};
use super::peers;
use super::reads::{self, Request};
use super::report::{Entry, Report};
use super::sample::Sample;

/// The languages of a first sync.
pub(crate) const LANGUAGES: [&str; 3] = ["de", "fr", "pl"];
/// With these and the base language a version has ten.
const MORE_LANGUAGES: [&str; 6] = ["es", "it", "ja", "ko", "nl", "pt-BR"];

/// Connections that read.
const CONNECTIONS: usize = 4;

/// Steps that a plain SQL of the same rows stands beside.
const FIRST_SYNC: &str = "first sync, 3 languages";
const FIRST_JOB: &str = "its job";
const UNCHANGED: &str = "sync again, unchanged";
const PUBLISH: &str = "publish, 10 languages";

/// One run; false where the engine is not there.
pub(crate) async fn measure(engine: Engine, sample: &Sample, report: &mut Report) -> Result<bool> {
    let Some(empty) = Database::fresh(engine).await? else { return Ok(false) };
    let server = Server::start(BUILT, &empty.url()).await?;
    report.add(engine, "start, empty database", "s", server.started_in.as_secs_f64()).aim(0.2);
    server.stop().await?;
    empty.remove().await?;

    let database = another(engine).await?;
    let url = database.url();
    let made = provision(BUILT, &url, &["bench".to_owned()], &LANGUAGES)?;
    let made = made.first().context("provision made nothing")?;
    let server = Server::start(BUILT, &url).await?;
    report.add(engine, "start", "s", server.started_in.as_secs_f64()).aim(0.2);
    report.add(engine, "idle memory after start", "MiB", server.memory()).aim(40.0);
    steps(engine, sample, &server, made, report).await?;
    report.add(engine, "idle memory after all", "MiB", server.memory());
    server.stop().await?;

    let peers = peers::measure(engine, &url, &made.project_id).await?;
    report.beside(engine, FIRST_SYNC, "plain INSERT of its keys", peers.insert_keys);
    report.beside(engine, FIRST_JOB, "plain INSERT of its rows", peers.insert_translations);
    report.beside(engine, UNCHANGED, "plain SELECT of its keys", peers.select_keys);
    report.beside(engine, PUBLISH, "plain SELECT and INSERT of its rows", peers.publish);
    database.remove().await?;
    Ok(true)
}

async fn steps(
    engine: Engine,
    sample: &Sample,
    server: &Server,
    made: &Provisioned,
    report: &mut Report,
) -> Result<()> {
    let project = server.client(&made.api_key)?.project(made.project_id.as_str());
    let body = sample.body()?;

    let timer = Timer::start(server);
    let quote = project.translations().sync_dry_run(&body).await?;
    timer.end(engine, "dry run, 3 languages", report).aim(1.0);
    ensure!(quote.classification.new == sample.keys as u64, "the sample has {:?}", quote.classification);

    let timer = Timer::start(server);
    let run = project.translations().sync(&body).await?;
    timer.end(engine, FIRST_SYNC, report).aim(1.0);
    let timer = Timer::start(server);
    finish(&project, &run).await?;
    let texts = (sample.keys * LANGUAGES.len()) as f64;
    let took = timer.began.elapsed().as_secs_f64();
    timer.end(engine, FIRST_JOB, report);
    report.add(engine, "its texts a second", "/s", texts / took);

    let timer = Timer::start(server);
    let again = project.translations().sync(&body).await?;
    timer.end(engine, UNCHANGED, report).aim(0.2);
    ensure!(again.classification.unchanged == sample.keys as u64 && again.tracking_token.is_none(), "it changed");

    project.languages().add(MORE_LANGUAGES).await?;
    let timer = Timer::start(server);
    let run = project.translations().sync(&body).await?;
    timer.end(engine, "sync, 6 more languages", report);
    let timer = Timer::start(server);
    finish(&project, &run).await?;
    timer.end(engine, "the job of 6 more languages", report);

    let one = Publish { languages: Some(vec!["de".into()]), ..Publish::default() };
    let timer = Timer::start(server);
    ensure!(project.publish(&one).await?.files == 2, "a publish of one target language has two files");
    timer.end(engine, "publish, 2 languages", report);
    let timer = Timer::start(server);
    let published = project.publish(&Publish::default()).await?;
    timer.end(engine, PUBLISH, report).aim(3.0);
    ensure!(published.files == 10, "{} files were published", published.files);
    let timer = Timer::start(server);
    project.publish(&Publish::default()).await?;
    timer.end(engine, "publish again, unchanged", report);

    let bundle = format!("/v1/projects/{}/bundles/{}/locales/de.json", made.project_id, published.version_id);
    let file = reads::once(server.address, &Request::new(&bundle, false, None)).await?;
    ensure!(file.body.len() > sample.text.len() / 2, "the bundle is not there");
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("bundle.json"), &file.body)?;
    let bare = Bare::start(folder.path())?;
    let rate = async |address, path: &str, etag| {
        let began = Instant::now();
        let reads = reads::run(address, &Request::new(path, false, etag), CONNECTIONS).await?;
        anyhow::Ok(reads / began.elapsed().as_secs_f64())
    };
    for (step, known) in [("bundle reads", false), ("bundle reads, If-None-Match", true)] {
        let limit = rate(bare.address, "/bundle.json", known.then_some(bare::ETAG)).await?;
        let timer = Timer::start(server);
        let rate = rate(server.address, &bundle, known.then_some(file.etag.as_str())).await?;
        let cost = timer.cost();
        report.add(engine, step, "/s", rate).cost(cost).beside("the bytes from memory", limit);
    }
    Ok(())
}

/// Waits for the job of a run, asking often enough that the asking does not show.
pub(crate) async fn finish(project: &Project, run: &Run) -> Result<()> {
    let token = run.tracking_token.as_ref().context("there was nothing to translate")?;
    loop {
        let job = project.translations().job_after(token, 25).await?;
        if job.status.is_final() {
            ensure!(job.status == JobStatus::Completed, "the job ended {}", job.status);
            return Ok(());
        }
    }
}

/// A sync and its end.
pub(crate) async fn sync_all(project: &Project, body: &SyncBody) -> Result<()> {
    let run = project.translations().sync(body).await?;
    finish(project, &run).await
}

/// Time, processor time and peak of memory of a step.
pub(crate) struct Timer<'a> {
    server: &'a Server,
    processor: f64,
    pub(crate) began: Instant,
}

impl<'a> Timer<'a> {
    pub(crate) fn start(server: &'a Server) -> Self {
        server.forget_peak();
        Self { server, processor: server.processor(), began: Instant::now() }
    }

    pub(crate) fn cost(&self) -> (f64, f64) {
        (self.server.processor() - self.processor, self.server.peak())
    }

    pub(crate) fn end<'r>(self, engine: Engine, step: &'static str, report: &'r mut Report) -> Entry<'r> {
        let took = self.began.elapsed().as_secs_f64();
        let cost = self.cost();
        report.add(engine, step, "s", took).cost(cost)
    }
}
