//! `backup`, `restore` and `check`.

mod checks;
mod refusals;
mod under_load;

use std::path::Path;

use l10n_server::testing::TestStore;
use l10n_server::testing::postgres::{self, TestDatabase};

/// An empty place on the same engine as a store, beside it.
pub(crate) struct Place {
    pub(crate) url: String,
    database: Option<TestDatabase>,
}

impl Place {
    pub(crate) async fn beside(store: &TestStore, folder: &Path) -> Self {
        if store.is_shared() {
            let database = postgres::database().await.unwrap();
            return Self { url: database.url().to_owned(), database: Some(database) };
        }
        Self { url: format!("sqlite:{}/restored/l10n.sqlite", folder.display()), database: None }
    }

    pub(crate) async fn remove(self) {
        if let Some(database) = self.database {
            database.remove().await;
        }
    }
}
