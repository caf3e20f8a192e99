//! A browser, and what is checked of every page.

use std::path::{Path, PathBuf};
use std::time::Duration;

use l10n_server::testing::TestStore;
use serde_json::{Value, json};

use super::chromedriver::Chromedriver;
use super::driver::{Driver, Key};

/// Widths at which a page must not scroll sideways.
const WIDTHS: [u32; 3] = [360, 768, 1280];
/// The colours and widths in which axe checks a page: in the first of them on PostgreSQL, in all on SQLite. In the first, tables are
/// tables still, and some are wider than the page. The narrow page has the colours of the wide one.
const LOOKS: [(&str, u32); 4] = [("light", 768), ("light", 360), ("light", 1280), ("dark", 1280)];

/// Chromium's engine without a window: these tests take three quarters of the time with it. Debian's script on PATH would start it
/// as a process of its own, which the driver does not end.
const HEADLESS_SHELL: &str = "/usr/lib/chromium/chromium-headless-shell";

/// A running browser. The driver ends with it.
pub(super) struct Chromium {
    driver: Driver,
    axe: String,
    /// The colours of a page do not depend on the database: on SQLite alone axe checks all.
    checks_looks: bool,
    /// True if a person wants to see the pages, for whom `L10N_PICTURES` is set.
    takes_pictures: bool,
    origin: String,
    // Held for its end alone.
    _chromedriver: Chromedriver,
}

/// The build's folder for what is neither code nor kept.
fn target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().to_path_buf()
}

impl Chromium {
    /// Starts a browser for the server at `origin`, whose data are in `store`; `None` where there is none, which was then said or
    /// is a failure.
    pub(super) async fn start(store: &TestStore, origin: &str) -> Option<Self> {
        let missing = |what: &str| {
            let required = std::env::var("L10N_REQUIRE").unwrap_or_default();
            assert!(!required.split(',').any(|name| name == "browser"), "{what}: run .ci/browser");
            println!("SKIPPED: {what}");
        };
        let axe = target().join("axe/node_modules/axe-core/axe.min.js");
        let Ok(axe) = std::fs::read_to_string(&axe) else {
            missing(&format!("axe-core is not at {}", axe.display()));
            return None;
        };
        let Some(chromedriver) = Chromedriver::start() else {
            missing("there is no chromedriver");
            return None;
        };
        let arguments = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--lang=en-US"];
        let mut wanted = json!({
            "goog:chromeOptions": { "args": arguments },
            "goog:loggingPrefs": { "browser": "ALL" },
        });
        if Path::new(HEADLESS_SHELL).exists() {
            wanted["goog:chromeOptions"]["binary"] = json!(HEADLESS_SHELL);
        }
        let driver = match Driver::connect(chromedriver.port, wanted).await {
            Ok(driver) => driver,
            Err(error) => {
                missing(&format!("the browser does not start: {error}"));
                return None;
            }
        };
        let checks_looks = store.engine().as_str() == "sqlite";
        let takes_pictures = checks_looks && std::env::var_os("L10N_PICTURES").is_some();
        let origin = origin.to_owned();
        Some(Self { driver, axe, checks_looks, takes_pictures, origin, _chromedriver: chromedriver })
    }

    /// Ends the browser.
    pub(super) async fn quit(self) {
        self.driver.quit().await.unwrap();
    }

    /// Opens a path of the server.
    pub(super) async fn open(&self, path: &str) {
        self.driver.ask("url", json!({ "url": format!("{}{path}", self.origin) })).await.unwrap();
    }

    /// Opens a path below the dashboard as somebody who has to sign in first, and signs in by keyboard.
    pub(super) async fn sign_in(&self, path: &str, email: &str, password: &str) {
        self.open(path).await;
        self.path_is("/dashboard/login").await;
        self.tab_to("[name=frame-email]").await;
        self.write(email).await;
        self.press(Key::Tab).await;
        self.write(password).await;
        self.press(Key::Enter).await;
        self.path_is(path).await;
    }

    /// Runs a script in the page.
    pub(super) async fn run(&self, script: &str, arguments: Vec<Value>) -> Value {
        self.driver.execute(script, arguments).await.unwrap()
    }

    async fn cdp(&self, method: &str, parameters: Value) -> Value {
        self.driver.ask("goog/cdp/execute", json!({ "cmd": method, "params": parameters })).await.unwrap()
    }

    /// A window of this size.
    pub(super) async fn size(&self, width: u32) {
        let metrics = json!({"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": false});
        self.cdp("Emulation.setDeviceMetricsOverride", metrics).await;
    }

    async fn scheme(&self, scheme: &str) {
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        self.cdp("Emulation.setEmulatedMedia", features).await;
    }

    /// Checks the page that is open, in its present state. Pictures of it, where they are wanted, have this name.
    pub(super) async fn check(&self, name: &str) {
        self.check_in(&LOOKS, name).await;
    }

    /// Checks the page that is open in a language whose texts are longer: its colours are those of the others.
    pub(super) async fn check_lengths(&self, name: &str) {
        self.check_in(&LOOKS[..2], name).await;
    }

    async fn check_in(&self, looks: &[(&str, u32)], name: &str) {
        self.says_nothing(name).await;
        self.run(&self.axe, Vec::new()).await;
        for (scheme, width) in looks.iter().take(if self.checks_looks { looks.len() } else { 1 }) {
            self.scheme(scheme).await;
            self.size(*width).await;
            self.has_no_violation(&format!("{name}, {scheme}, {width} px")).await;
            if self.takes_pictures {
                self.picture(&format!("{name}-{width}-{scheme}")).await;
            }
        }
        self.scheme("light").await;
        for direction in ["rtl", "ltr"] {
            self.run("document.documentElement.dir = arguments[0]", vec![json!(direction)]).await;
            for width in WIDTHS {
                self.size(width).await;
                self.fits(&format!("{name}, {direction}, {width} px")).await;
            }
        }
        self.size(1280).await;
        self.says_nothing(name).await;
    }

    /// No message of the page, and no report of its policy.
    pub(super) async fn says_nothing(&self, name: &str) {
        let said = self.driver.ask("se/log", json!({ "type": "browser" })).await.unwrap();
        // A form that is shown again, or a page that is not there, is an answer like any other.
        let is_status = |message: &str| message.contains("the server responded with a status of 4");
        let said = said.as_array().unwrap().iter().map(|entry| entry["message"].as_str().unwrap());
        let said: Vec<_> = said.filter(|message| !is_status(message)).collect();
        assert!(said.is_empty(), "{name}: {said:#?}");
    }

    async fn has_no_violation(&self, name: &str) {
        let script = "const done = arguments[arguments.length - 1];
            axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'], resultTypes: ['violations']})
                .then((found) => done(found.violations.map((rule) => ({
                    rule: rule.id, help: rule.help, nodes: rule.nodes.slice(0, 3).map((node) => node.html + ': ' + node.failureSummary),
                }))), (error) => done([String(error)]));";
        let found = self.driver.ask("execute/async", json!({ "script": script, "args": [] })).await.unwrap();
        assert_eq!(found, json!([]), "{name}");
    }

    async fn fits(&self, name: &str) {
        let script = "const root = document.documentElement;
            if (root.scrollWidth <= root.clientWidth) return [];
            return [...document.body.querySelectorAll('*')]
                .filter((node) => { const box = node.getBoundingClientRect(); return box.right > root.clientWidth + 1 || box.left < -1; })
                .slice(0, 5).map((node) => node.outerHTML.slice(0, 200));";
        let wide = self.run(script, Vec::new()).await;
        assert_eq!(wide, json!([]), "{name} scrolls sideways");
    }

    async fn picture(&self, name: &str) {
        let folder = target().join("screens");
        std::fs::create_dir_all(&folder).unwrap();
        let shot = self.cdp("Page.captureScreenshot", json!({"format": "png", "captureBeyondViewport": true})).await;
        let bytes = base64::Engine::decode(
            &base64::engine::general_purpose::STANDARD,
            shot.get("data").and_then(Value::as_str).unwrap(),
        );
        std::fs::write(folder.join(format!("{name}.png")), bytes.unwrap()).unwrap();
    }

    /// Presses Tab until the element that a selector names has the focus.
    pub(super) async fn tab_to(&self, selector: &str) {
        for _ in 0..120 {
            self.press(Key::Tab).await;
            let script = "return document.activeElement.matches(arguments[0])";
            if self.run(script, vec![json!(selector)]).await == json!(true) {
                let visible = "const style = getComputedStyle(document.activeElement);
                    return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2";
                assert_eq!(self.run(visible, Vec::new()).await, json!(true), "the focus on {selector} is not visible");
                return;
            }
        }
        panic!("no key leads to {selector}");
    }

    /// Selects all of the field that has the focus.
    pub(super) async fn select_all(&self) {
        self.driver.select_all().await.unwrap();
    }

    /// Goes back to the page before.
    pub(super) async fn back(&self) {
        self.driver.ask("back", json!({})).await.unwrap();
    }

    /// Keeps files that pages offer in this folder.
    pub(super) async fn keep_files_in(&self, folder: &Path) {
        self.cdp("Browser.setDownloadBehavior", json!({"behavior": "allow", "downloadPath": folder})).await;
    }

    /// Presses a key.
    pub(super) async fn press(&self, key: Key) {
        self.write(key.text()).await;
    }

    /// Types a text where the focus is.
    pub(super) async fn write(&self, text: &str) {
        self.driver.write(text).await.unwrap();
    }

    /// Waits until a script says true; a page that is being left says nothing.
    pub(super) async fn until(&self, script: &str, argument: &str) {
        for _ in 0..1_200 {
            let said = self.driver.execute(script, vec![json!(argument)]).await;
            if said.is_ok_and(|said| said == json!(true)) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let page = self.run("return document.body.innerText", Vec::new()).await;
        panic!("it never came to `{argument}`: {page}");
    }

    /// Waits until the focus is on an element with this text.
    pub(super) async fn focus_says(&self, text: &str) {
        self.until("return document.activeElement.innerText.includes(arguments[0])", text).await;
    }

    /// Waits until this path is open.
    pub(super) async fn path_is(&self, path: &str) {
        self.until("return location.pathname === arguments[0] && document.readyState === 'complete'", path).await;
    }
}
