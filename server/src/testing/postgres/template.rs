//! The database that those of tests are copied from. To copy one takes a quarter of the time that all migrations take.

use sqlx::{Connection as _, PgConnection};
use tokio::sync::OnceCell;

use super::{admin, database_at, try_admin};
use crate::store::{Store, fingerprint};

/// The name of a database with the tables of this build. It is made once for each set of migrations, and stays as long as
/// its PostgreSQL does.
pub(super) async fn migrated(admin_url: &'static str) -> &'static str {
    static NAME: OnceCell<String> = OnceCell::const_new();
    NAME.get_or_init(|| make(admin_url)).await
}

async fn make(admin_url: &'static str) -> String {
    let name = format!("l10n_test_schema_{}", fingerprint());
    if exists(admin_url, &name).await {
        return name;
    }
    let made = database_at(admin_url).await;
    let store = Store::connect(made.url()).await.expect("the template opens");
    store.migrate().await.expect("the template is migrated");
    store.close().await;
    // It is complete before it has its name, and a database that somebody uses cannot be copied.
    admin(admin_url, format!("ALTER DATABASE {} ALLOW_CONNECTIONS false", made.name)).await;
    if let Err(error) = try_admin(admin_url, format!("ALTER DATABASE {} RENAME TO {name}", made.name)).await {
        made.remove().await;
        assert!(exists(admin_url, &name).await, "neither this process nor another has made the template: {error}");
    }
    name
}

async fn exists(admin_url: &str, name: &str) -> bool {
    let mut connection = PgConnection::connect(admin_url).await.expect("the PostgreSQL server for tests answers");
    let found = sqlx::query("SELECT 1 FROM pg_database WHERE datname = $1").bind(name).fetch_optional(&mut connection);
    found.await.expect("PostgreSQL lists its databases").is_some()
}
