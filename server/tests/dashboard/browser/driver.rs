//! A session with a browser's driver, by the commands of W3C WebDriver that the tests need. The crates that speak it would turn
//! on `preserve_order` of serde_json for every test of the workspace, or bring several dozen crates.

use reqwest::{Client, ClientBuilder};
use serde_json::{Value, json};

/// A session.
pub(super) struct Driver {
    client: Client,
    session: String,
}

/// A key without a character, as WebDriver writes it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Key {
    Tab,
    Enter,
    Escape,
    Down,
}

impl Key {
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Tab => "\u{e004}",
            Self::Enter => "\u{e007}",
            Self::Escape => "\u{e00c}",
            Self::Down => "\u{e015}",
        }
    }
}

/// A client without a proxy for what runs on this machine without TLS, as `settled` makes it.
pub(crate) fn plain_client(settled: impl FnOnce(ClientBuilder) -> ClientBuilder) -> Client {
    // Nothing here speaks TLS, but the client wants to have a provider of it.
    let _ = rustls::crypto::ring::default_provider().install_default();
    settled(Client::builder().no_proxy()).build().unwrap()
}

impl Driver {
    /// Begins a session with the driver on a port of this machine.
    pub(super) async fn connect(port: u16, capabilities: Value) -> Result<Self, String> {
        let client = plain_client(|client| client);
        let mut driver = Self { client, session: format!("http://127.0.0.1:{port}/session") };
        let begun = driver.ask("", json!({ "capabilities": { "alwaysMatch": capabilities } })).await?;
        let id = begun["sessionId"].as_str().ok_or("the driver names no session")?;
        driver.session = format!("{}/{id}", driver.session);
        Ok(driver)
    }

    /// Sends a command and returns its value.
    pub(super) async fn ask(&self, command: &str, parameters: Value) -> Result<Value, String> {
        let url = format!("{}/{command}", self.session);
        let answer = self.client.post(url.trim_end_matches('/')).json(&parameters).send().await;
        let answer = answer.map_err(|error| error.to_string())?;
        let is_done = answer.status().is_success();
        let mut answer: Value = answer.json().await.map_err(|error| error.to_string())?;
        if is_done { Ok(answer["value"].take()) } else { Err(format!("{command}: {}", answer["value"])) }
    }

    /// Runs a script in the page.
    pub(super) async fn execute(&self, script: &str, arguments: Vec<Value>) -> Result<Value, String> {
        self.ask("execute/sync", json!({ "script": script, "args": arguments })).await
    }

    /// Presses and releases the key of each character.
    pub(super) async fn write(&self, text: &str) -> Result<Value, String> {
        let keys = text
            .chars()
            .flat_map(|value| ["keyDown", "keyUp"].map(|kind| json!({ "type": kind, "value": value.to_string() })));
        let keys: Vec<_> = keys.collect();
        self.ask("actions", json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": keys }] })).await
    }

    /// Selects all of the field that has the focus, by Ctrl+A.
    pub(super) async fn select_all(&self) -> Result<Value, String> {
        let key = |kind: &str, value: &str| json!({ "type": kind, "value": value });
        let control = "\u{e009}";
        let keys = [key("keyDown", control), key("keyDown", "a"), key("keyUp", "a"), key("keyUp", control)];
        self.ask("actions", json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": keys }] })).await
    }

    /// Ends the session, and the browser with it.
    pub(super) async fn quit(&self) -> Result<(), String> {
        let ended = self.client.delete(&self.session).send().await.map_err(|error| error.to_string())?;
        ended.error_for_status().map(drop).map_err(|error| error.to_string())
    }
}
