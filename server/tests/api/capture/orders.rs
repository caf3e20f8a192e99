//! Over any order of edits, syncs and changes of the code: no sync of what the code had reverts what a person did, and
//! what people did is settled when the code has caught up.

use std::collections::BTreeMap;

use l10n_api_types::pending_code_changes::{ChangeKind, Side};
use l10n_server::testing::{TestApp, TestStore, on_sqlite};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::json;

use crate::capture::fixtures::{Code, Deed, add, archive, edit, idle, pending, project, rename, sync_with, text};

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

/// The next step.
#[derive(Debug, Clone)]
enum Step {
    /// A person does something; what cannot be done is refused.
    Person(Deed),
    /// The code is synced as it is.
    Sync,
    /// The code takes over all that is pending.
    Pull,
    /// Somebody changes the code: a text, or no such key any more.
    Code(&'static str, Option<String>),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let name = || proptest::sample::select(NAMES.as_slice());
    let says = || "[XYZ]";
    let deed = prop_oneof![
        (name(), says()).prop_map(|(name, to)| text(name, &to)),
        (name(), name()).prop_map(|(from, to)| rename(from, to)),
        name().prop_map(archive),
        (name(), says()).prop_map(|(name, to)| add(name, &to)),
    ];
    let step = prop_oneof![
        5 => deed.prop_map(Step::Person),
        4 => Just(Step::Sync),
        1 => Just(Step::Pull),
        2 => (name(), proptest::option::of(says())).prop_map(|(name, says)| Step::Code(name, says)),
    ];
    proptest::collection::vec(step, 1..16)
}

/// The code, as a developer has it.
#[derive(Default)]
struct Developer(BTreeMap<String, String>);

impl Developer {
    fn file(&self) -> Code {
        self.0.iter().map(|(name, text)| (name.clone(), text.clone())).collect()
    }

    /// Does what `l10n pull-changes` does: renames come last, since the others go by the code's names.
    async fn pull(&mut self, app: &TestApp) {
        let mut changes = pending(app).await;
        changes.sort_by_key(|change| change.kind == ChangeKind::KeyRenamed);
        for change in changes {
            let to = match change.to {
                Some(Side::Text(to)) => Some(to),
                _ => None,
            };
            match (change.kind, to) {
                (ChangeKind::KeyArchived, _) => drop(self.0.remove(&change.r#ref)),
                (ChangeKind::KeyRenamed, Some(to)) => {
                    if let Some(text) = self.0.remove(&change.r#ref) {
                        self.0.insert(to, text);
                    }
                }
                (_, Some(to)) => drop(self.0.insert(change.r#ref, to)),
                (_, None) => {}
            }
        }
    }
}

/// The project has what the code has, save for what people did.
async fn sync(app: &TestApp, file: &[(String, String)]) {
    sync_with(app, file, "", &json!({"onRemoved": "archive"})).await;
}

async fn live(store: TestStore, steps: Vec<Step>) -> Result<(), TestCaseError> {
    let app = idle(&store).await;
    let mut developer = Developer(BTreeMap::from([("a".into(), "A".into()), ("b".into(), "B".into())]));
    // A file without any key is no file, so one is always there.
    developer.0.insert("always".into(), "!".into());
    sync(&app, &developer.file()).await;
    // Whether the code has changed by itself since it was synced: then it may say something new.
    let mut changed = false;
    for step in steps {
        match step {
            Step::Person(deed) => drop(edit(&app, deed).await),
            Step::Code(name, says) => {
                changed = true;
                match says {
                    Some(says) => drop(developer.0.insert(name.to_owned(), says)),
                    None => drop(developer.0.remove(name)),
                }
            }
            Step::Pull => {
                developer.pull(&app).await;
                let (before, expected) = (project(&app).await, changed);
                sync(&app, &developer.file()).await;
                if !expected {
                    prop_assert_eq!(&project(&app).await, &before, "a pull and a sync change nothing on the server");
                    let left = pending(&app).await;
                    prop_assert!(left.is_empty(), "settled when the code has caught up: {:?}", left);
                }
                changed = false;
            }
            Step::Sync => {
                let (before, open) = (project(&app).await, pending(&app).await);
                sync(&app, &developer.file()).await;
                if !changed {
                    prop_assert_eq!(&project(&app).await, &before, "a sync of what the code had reverts nothing");
                    prop_assert_eq!(&pending(&app).await, &open, "and settles nothing");
                }
                changed = false;
            }
        }
    }
    sync(&app, &developer.file()).await;
    developer.pull(&app).await;
    let before = project(&app).await;
    sync(&app, &developer.file()).await;
    prop_assert_eq!(&project(&app).await, &before);
    let left = pending(&app).await;
    prop_assert!(left.is_empty(), "{:?}", left);
    Ok(())
}

#[test]
fn no_order_of_edits_and_syncs_reverts_an_edit_or_leaves_one_open() {
    let mut runner = TestRunner::new(Config { cases: 48, failure_persistence: None, ..Config::default() });
    let outcome = runner.run(&steps(), |steps| {
        let (send, receive) = std::sync::mpsc::channel();
        on_sqlite(async move |store| {
            let _ = send.send(live(store, steps).await);
        });
        receive.recv().unwrap_or_else(|_| Err(TestCaseError::fail("it did not come to its end")))
    });
    outcome.unwrap();
}
