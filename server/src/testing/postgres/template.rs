//! The database that those of tests are copied from. To copy one takes a quarter of the time that all migrations take.

use tokio::sync::OnceCell;

use super::{admin, database_at};
use crate::store::{Store, fingerprint};

/// The name of a database with the tables of this build. It is made once for each set of migrations, and stays as long as
/// its PostgreSQL does.
pub(super) async fn migrated(admin_url: &'static str) -> &'static str {
    static NAME: OnceCell<String> = OnceCell::const_new();
    NAME.get_or_init(|| make(admin_url)).await
}

async fn make(admin_url: &'static str) -> String {
    let name = format!("l10n_test_schema_{}", fingerprint());
    if admin::has_database(admin_url, name.clone()).await {
        return name;
    }
    let made = database_at(admin_url).await;
    let store = Store::connect(made.url()).await.expect("the template opens");
    store.migrate().await.expect("the template is migrated");
    store.close().await;
    // The first connection after the migrations writes a file that spares those to each copy the reading of the catalogue.
    Store::connect(made.url()).await.expect("the template opens").close().await;
    // It is complete before it has its name, and a database that somebody uses cannot be copied.
    admin::run(admin_url, format!("ALTER DATABASE {} ALLOW_CONNECTIONS false", made.name)).await;
    if let Err(error) = admin::try_run(admin_url, format!("ALTER DATABASE {} RENAME TO {name}", made.name)).await {
        made.remove().await;
        let is_made = admin::has_database(admin_url, name.clone()).await;
        assert!(is_made, "neither this process nor another has made the template: {error}");
    }
    name
}
