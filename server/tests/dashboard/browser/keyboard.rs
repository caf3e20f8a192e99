//! Steps of a person who has no mouse.

use std::path::Path;
use std::time::Duration;

use serde_json::json;

use super::chromium::Chromium;
use super::driver::Key;

/// A step. Elements are named by selectors, and reached by Tab.
#[derive(Debug, Clone)]
pub(super) enum Step {
    /// Opens a path below `/dashboard`.
    Open(String),
    /// Types into a field, in the place of what stands there.
    Type(&'static str, String),
    /// Sets a checkbox, or takes its mark away.
    Mark(&'static str),
    /// Chooses this one of a group, by the arrow keys.
    Pick(&'static str),
    /// Chooses the option of a select whose text begins so.
    Choose(&'static str, &'static str),
    /// Presses Enter on a link or a button.
    Press(String),
    /// Presses Enter where the focus is, as after typing.
    Enter,
    /// Goes back by the browser's button, which has a key in every browser.
    Back,
    /// Waits until a message with this text has the focus.
    Told(&'static str),
    /// Waits until the page has this text.
    Shown(&'static str),
    /// Waits until the address has this in it, and the page is there.
    At(String),
    /// Waits until a file whose name begins so has been kept.
    Kept(&'static str),
}

pub(super) fn open(path: impl Into<String>) -> Step {
    Step::Open(path.into())
}

pub(super) fn write(field: &'static str, text: impl Into<String>) -> Step {
    Step::Type(field, text.into())
}

pub(super) fn press(selector: impl Into<String>) -> Step {
    Step::Press(selector.into())
}

pub(super) fn at(part: impl Into<String>) -> Step {
    Step::At(part.into())
}

impl Chromium {
    /// Goes through the steps of a flow; `files` is the folder for files.
    pub(super) async fn go(&self, flow: &str, files: &Path, steps: Vec<Step>) {
        for step in steps {
            // It is shown where a step fails.
            println!("{flow}: {step:?}");
            self.step(step, files).await;
        }
        self.says_nothing(flow).await;
    }

    async fn step(&self, step: Step, files: &Path) {
        match step {
            Step::Open(path) => self.open(&format!("/dashboard{path}")).await,
            Step::Type(field, text) => {
                self.reach(field).await;
                self.select_all().await;
                self.write(&text).await;
            }
            Step::Mark(selector) => {
                self.reach(selector).await;
                self.write(" ").await;
            }
            Step::Pick(selector) => self.pick(selector).await,
            Step::Choose(selector, option) => {
                self.reach(selector).await;
                self.write(option).await;
                let chosen = "return document.activeElement.selectedOptions[0].text.startsWith(arguments[0])";
                self.until(chosen, option).await;
            }
            Step::Press(selector) => {
                self.reach(&selector).await;
                self.press(Key::Enter).await;
            }
            Step::Enter => self.press(Key::Enter).await,
            Step::Back => self.back().await,
            Step::Told(text) => self.focus_says(text).await,
            Step::Shown(text) => self.until("return document.body.innerText.includes(arguments[0])", text).await,
            Step::At(part) => {
                let is_there = "return location.href.includes(arguments[0]) && document.readyState === 'complete'";
                self.until(is_there, &part).await;
            }
            Step::Kept(name) => kept(files, name).await,
        }
    }

    /// Goes to an element. From the top of a page the way leads past the navigation, by the link for that.
    async fn reach(&self, selector: &str) {
        if self.run("return document.activeElement === document.body", Vec::new()).await == json!(true) {
            self.tab_to(".skip").await;
            self.press(Key::Enter).await;
        }
        self.tab_to(selector).await;
    }

    async fn pick(&self, selector: &str) {
        let group = "return document.querySelector(arguments[0]).name";
        let group = self.run(group, vec![json!(selector)]).await;
        self.reach(&format!("[type=radio][name={}]", group.as_str().unwrap())).await;
        for _ in 0..10 {
            if self.run("return document.activeElement.matches(arguments[0])", vec![json!(selector)]).await
                == json!(true)
            {
                let is_set = self.run("return document.activeElement.checked", Vec::new()).await;
                assert_eq!(is_set, json!(true), "{selector}");
                return;
            }
            self.press(Key::Down).await;
        }
        panic!("no arrow key leads to {selector}");
    }
}

async fn kept(files: &Path, name: &str) {
    let is_there = || {
        let mut found = std::fs::read_dir(files).unwrap().map(|entry| entry.unwrap());
        found.any(|entry| {
            let found = entry.file_name().into_string().unwrap();
            found.starts_with(name) && found.ends_with(".csv") && entry.metadata().unwrap().len() > 0
        })
    };
    for _ in 0..1_200 {
        if is_there() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("no file `{name}…` was kept");
}
