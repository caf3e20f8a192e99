//! The store on both engines.

#[tokio::test]
async fn smoke() {
    let dir = tempfile::tempdir().unwrap();
    let store = l10n_server::store::Store::connect(&format!("sqlite:{}/a.db", dir.path().display())).await.unwrap();
    store.migrate().await.unwrap();
    store.migrate().await.unwrap();
    if let Ok(url) = std::env::var("TEST_POSTGRES_URL") {
        let store = l10n_server::store::Store::connect(&url).await.unwrap();
        store.migrate().await.unwrap();
        store.migrate().await.unwrap();
    }
}
