//! Rows by SQL: what a project of so many keys has after some time.

use l10n_server::store::{Store, Tx};
use l10n_server::testing::TestApp;
use sqlx::AssertSqlSafe;

/// The webhook that has the deliveries.
pub(crate) const WEBHOOK: &str = "whk_00000000000000000000000001";
/// Keys, or translations, that a filter finds however many there are.
const FEW: usize = 30;
/// Deliveries of the webhook: the server keeps so many that have ended.
const DELIVERIES: usize = 50;

/// A script of one engine.
pub(crate) struct Script<'a> {
    store: &'a Store,
    is_postgres: bool,
}

impl<'a> Script<'a> {
    pub(crate) fn on(store: &'a Store) -> Self {
        Self { store, is_postgres: store.engine().as_str() == "postgres" }
    }

    /// Runs a statement in a transaction of its own. `{n:TO}` stands for a table with the numbers 1 to `TO` in `n`,
    /// `{pad:X}` for a number as 26 digits, `{zeros}` for a hash of zeros.
    pub(crate) async fn run(&self, statement: &str) {
        let statement = self.spelled(statement);
        let mut tx = self.store.begin_write().await.unwrap();
        match &mut tx {
            Tx::Sqlite(tx) => sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut **tx).await.map(drop).unwrap(),
            Tx::Postgres(tx) => sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut **tx).await.map(drop).unwrap(),
        }
        tx.commit().await.unwrap();
    }

    fn spelled(&self, statement: &str) -> String {
        let mut text = statement
            .replace("{zeros}", if self.is_postgres { "decode(repeat('00', 32), 'hex')" } else { "zeroblob(32)" });
        while let Some((head, rest)) = text.split_once("{n:") {
            let (to, tail) = rest.split_once('}').unwrap();
            let numbers = if self.is_postgres {
                format!("generate_series(1, {to}) numbers (n)")
            } else {
                format!(
                    "(WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {to}) SELECT n FROM numbers) numbers"
                )
            };
            text = format!("{head}{numbers}{tail}");
        }
        while let Some((head, rest)) = text.split_once("{pad:") {
            let (number, tail) = rest.split_once('}').unwrap();
            let padded = if self.is_postgres {
                format!("lpad(({number})::TEXT, 26, '0')")
            } else {
                format!("printf('%026d', {number})")
            };
            text = format!("{head}{padded}{tail}");
        }
        text
    }
}

/// The project gets `size` keys with German and French translations, some captured keys, and versions and documents in
/// proportion.
pub(crate) async fn fill(app: &TestApp, size: usize) {
    let script = Script::on(&app.service.store);
    let project = app.project.id.as_str();
    let now = app.service.clock.now().as_millis();
    let every = size / FEW;
    let (versions, documents) = (size / 1_000, size / 1_000);
    let statements = [
        format!(
            "INSERT INTO keys (id, project_id, ref, namespace, source_path, position, source, source_hash, characters, state, \
             created_at, updated_at) SELECT 'str_' || {{pad:n}}, '{project}', 'page.' || {{pad:n}} || '.title', \
             CASE WHEN n % {every} = 7 THEN 'rare' END, 'src/' || (n / 1000) || '.json', n % 1000, \
             '{{\"text\":\"Text number ' || n || ' says what there is to do\"}}', {{zeros}}, 40, 'active', 0, 0 \
             FROM {{n:{size}}}"
        ),
        format!(
            "INSERT INTO keys (id, project_id, ref, position, source, source_hash, characters, state, created_at, updated_at) \
             SELECT 'str_c' || n, '{project}', 'captured.' || {{pad:n}}, n, '{{\"text\":\"Seen\"}}', {{zeros}}, 4, 'captured', \
             0, 0 FROM {{n:{size} / 100}}"
        ),
        translations(project, "de", every, now),
        translations(project, "fr", every, now),
        format!("UPDATE projects SET key_count = {size}, version_seq = {versions} WHERE id = '{project}'"),
        format!(
            "INSERT INTO versions (id, project_id, seq, publish_id, label, key_count, languages, base_language, issues, \
             published_at) SELECT 'ver_' || {{pad:n}}, '{project}', n, 'pub_' || {{pad:n}}, 'v' || n, 1, '[\"en\"]', 'en', \
             '[]', n FROM {{n:{versions}}}"
        ),
        format!(
            "INSERT INTO webhooks (id, project_id, url, host, events, enabled, consecutive_failures, secret, secret_hint, \
             created_at) VALUES ('{WEBHOOK}', '{project}', 'https://hook.example/', 'hook.example', '[]', TRUE, 0, {{zeros}}, \
             'abcd', 0)"
        ),
        format!(
            "INSERT INTO events (id, project_id, event_type, publish_id, body, created_at) VALUES ('evt_1', '{project}', \
             'strings.published', 'pub_1', {{zeros}}, 0)"
        ),
        format!(
            "INSERT INTO deliveries (webhook_id, id, event_id, status, ended, attempts, failures, resend, lease, created_at) \
             SELECT '{WEBHOOK}', 'dlv_' || {{pad:n}}, 'evt_1', 'delivered', 'delivered', 1, 0, FALSE, 1, 0 \
             FROM {{n:{DELIVERIES}}}"
        ),
        format!(
            "INSERT INTO documents (id, project_id, external_id, format, language, source_id, created_at, updated_at) \
             SELECT 'doc_' || {{pad:n}}, '{project}', 'docs/' || n || '.md', 'markdown', 'en', 'cvr_' || {{pad:n}}, 0, 0 \
             FROM {{n:{documents}}}"
        ),
        format!(
            "INSERT INTO document_sources (id, document_id, body, characters, segments, counts, created_at) \
             SELECT 'cvr_' || {{pad:n}}, 'doc_' || {{pad:n}}, '# Text', 4, '[]', \
             '{{\"total\":0,\"new\":0,\"changed\":0,\"unchanged\":0,\"removed\":0}}', 0 FROM {{n:{documents}}}"
        ),
    ];
    for statement in statements {
        script.run(&statement).await;
    }
    if script.is_postgres {
        script.run("ANALYZE").await;
    }
}

/// A translation of every key, of which a few wait for a review, a few are stale and a few new.
fn translations(project: &str, language: &str, every: usize, now: i64) -> String {
    format!(
        "INSERT INTO translations (key_id, language, project_id, content, state, source_hash, stale, origin, issues, \
         updated_at) SELECT k.id, '{language}', '{project}', '{{\"text\":\"Ein Text sagt, was es zu tun gibt\"}}', \
         CASE WHEN n % {every} = 3 THEN 'needs_review' ELSE 'translated' END, {{zeros}}, n % {every} = 5, 'machine', '[]', \
         CASE WHEN n % {every} = 9 THEN {now} ELSE 0 END \
         FROM (SELECT id, CAST(substr(id, 5) AS BIGINT) AS n FROM keys WHERE project_id = '{project}' AND state = 'active') k"
    )
}
