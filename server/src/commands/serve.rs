//! `l10n-server serve`: serves until it is told to stop.

use std::sync::Arc;

use crate::app;
#[cfg(not(feature = "lab"))]
use crate::clock::SystemClock;
use crate::config::{Config, Overrides};
use crate::http;
use crate::metrics;
use crate::open_files;
use crate::server_lock::ServerLock;
use crate::service::Service;
use anyhow::{Context as _, Result};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::engines::need_working_engines;
use super::secrets::{need_keys_in_use, need_master_key, warn_of_readable_keys};
use super::shared::{log, open_to_serve, service_by};
use super::stop_signals::StopSignals;

pub(crate) async fn run(overrides: &Overrides) -> Result<()> {
    let mut config = Config::load(overrides)?;
    let _log = log(&config);
    warn_of_readable_keys(&config);
    open_files::prepare(&mut config.settings);
    need_master_key(&config)?;
    let clock = Arc::new(clock().await?);
    let (store, mut lock) = open_to_serve(&config, clock.as_ref()).await?;
    let listener = listen(&mut config, lock.as_mut()).await?;
    let service = service_by(&config, store, clock.clone())?;
    #[cfg(feature = "lab")]
    clock.wakes(&service.deliveries_due);
    need_keys_in_use(&service).await?;
    need_working_engines(service.engines.standard())?;
    let stop = stop_on_signal()?;
    serve_metrics(&config, &service, &stop).await?;
    http::dashboard::warn_of_plain_http(&config.settings.base_url);
    tracing::info!(base_url = config.settings.base_url, database = ?config.database_url, "serving");
    app::run(service, listener, stop).await.context("serving failed")?;
    drop(lock);
    Ok(())
}

#[cfg(feature = "lab")]
async fn clock() -> Result<crate::lab::MovableClock> {
    crate::lab::clock().await.context("cannot offer the clock that L10N_LAB_CLOCK asks for")
}

#[cfg(not(feature = "lab"))]
#[expect(clippy::unused_async, reason = "the other one listens")]
async fn clock() -> Result<SystemClock> {
    Ok(SystemClock)
}

/// Serves `/metrics`, where the configuration says so, until `stop`.
pub(crate) async fn serve_metrics(config: &Config, service: &Service, stop: &CancellationToken) -> Result<()> {
    let Some(address) = config.metrics_listen else { return Ok(()) };
    let listener = TcpListener::bind(address)
        .await
        .with_context(|| format!("cannot listen on {address} (setting `metrics.listen`)"))?;
    tracing::info!(address = %listener.local_addr()?, "serving metrics");
    let recorder = metrics::install().context("cannot record metrics")?;
    tokio::spawn(app::serve_metrics(service.clone(), recorder, listener, stop.clone()));
    Ok(())
}

/// Binds the address of the configuration and notes it in the lock file; a base URL that was not stated names the port that
/// was taken.
pub(crate) async fn listen(config: &mut Config, lock: Option<&mut ServerLock>) -> Result<TcpListener> {
    let listener = TcpListener::bind(config.listen)
        .await
        .with_context(|| format!("cannot listen on {} (setting `listen`)", config.listen))?;
    let address = listener.local_addr()?;
    if !config.base_url_stated {
        config.settings.base_url = format!("http://{address}/v1");
    }
    if let Some(lock) = lock {
        lock.listening_on(address).context("cannot write the lock file of the database")?;
    }
    Ok(listener)
}

/// Is cancelled by Ctrl-C and by the signal that service managers send. A second one ends the process at once.
pub(crate) fn stop_on_signal() -> Result<CancellationToken> {
    let stop = CancellationToken::new();
    let told = stop.clone();
    let mut signals = StopSignals::new()?;
    tokio::spawn(async move {
        loop {
            signals.next().await;
            if told.is_cancelled() {
                tracing::warn!("told to stop again: ending at once");
                std::process::exit(130);
            }
            tracing::info!("told to stop: finishing what is under way");
            told.cancel();
        }
    });
    Ok(stop)
}
