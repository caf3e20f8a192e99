//! A whole server in this process, with a clock that the suite moves.

use std::path::Path;
use std::sync::Arc;

use l10n_server::app;
use l10n_server::config::{Config, Overrides};
use l10n_server::engines::Pseudo;
use l10n_server::lab::MovableClock;
use l10n_server::service::Service;
use l10n_server::testing::TestStore;
use l10n_testkit::lab::LabFiles;
use l10n_testkit::profile::Profile;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// See the module.
pub(crate) struct Deployment {
    /// Its description.
    pub(crate) profile: Profile,
    serving: JoinHandle<std::io::Result<()>>,
    stop: CancellationToken,
    _ground: LabFiles,
}

impl Deployment {
    /// On a store, provisioned by the server's own command with so many projects for checks.
    pub(crate) async fn on(store: &TestStore, lanes: u16) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
        let base_url = format!("http://{}/v1", listener.local_addr().expect("an address"));
        let ground = LabFiles::new(Some(store.url()), Some(&base_url), &[]).expect("a folder");
        let server = Path::new(env!("CARGO_BIN_EXE_l10n-server"));
        ground.provision(server, lanes).await.expect("provisioning");
        let overrides = Overrides::of_file(ground.config());
        let config = Config::load(&overrides).expect("settings that hold");
        let clock = MovableClock::default();
        let hook = clock.listen(([127, 0, 0, 1], 0).into()).await.expect("a free port");
        let service = Service::new(store.store(), Arc::new(clock.clone()), config.settings, Arc::new(Pseudo));
        let service = service.expect("settings that hold");
        clock.wakes(&service.deliveries_due);
        let stop = CancellationToken::new();
        let serving = tokio::spawn(app::run(service, listener, stop.clone()));
        let profile = ground.profile(server, &base_url, vec![format!("http://{hook}/advance")]).expect("a profile");
        Self { profile, serving, stop, _ground: ground }
    }

    /// Ends in order.
    pub(crate) async fn end(self) {
        self.stop.cancel();
        self.serving.await.expect("no panic").expect("it served");
    }
}
