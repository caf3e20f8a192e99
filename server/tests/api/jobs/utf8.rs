//! Texts travel as UTF-8 and come back as they were sent.

use l10n_server::testing::{TestApp, TestStore};

use crate::jobs::fixtures::translate;

l10n_server::both_engines!(texts_come_back_as_they_were_sent);

/// CONV-2: raw UTF-8 and `\u` escapes are one text; answers are UTF-8 JSON.
async fn texts_come_back_as_they_were_sent(store: TestStore) {
    let app = TestApp::on(&store).await;
    let text = "Grüße, 漢字, \u{1F3D4}, e\u{301}, \u{202B}عربي\u{202C}, \u{FEFF}\u{FFFD}";
    let raw = format!(r#"{{"keys":[{{"ref":"größe","text":"{text}"}}]}}"#);
    assert!(app.post("/translate").body(raw).send().await.status < 300);
    let escaped: String = text.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
    let again = app.post("/translate").body(format!(r#"{{"keys":[{{"ref":"gr\u00f6\u00dfe","text":"{escaped}"}}]}}"#));
    assert_eq!(again.send().await.json()["classification"]["unchanged"], 1);

    let key = app.get("/translations?ref=gr%C3%B6%C3%9Fe").send().await;
    assert_eq!(key.json()["text"], text);
    assert_eq!(key.header("content-type"), Some("application/json"));
    assert!(std::str::from_utf8(&key.bytes).is_ok());
    let preview = translate(&app, &[l10n_api_types::Key::text("größe", text)]).send().await;
    assert_eq!(preview.json()["classification"]["unchanged"], 1);
}
