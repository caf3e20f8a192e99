//! `provision --profile-out`: what the conformance suite is given.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use l10n_server::testing::TestStore;
use l10n_testkit::Profile;
use l10n_testkit::check::Claim;
use l10n_testkit::profile::Identity;
use l10n_testkit::requirement::Level;

use crate::process::{complaint, run, stdout};

fn provision(folder: &Path, url: &str) -> String {
    let arguments = ["provision", "--profile-out", "suite.toml", "--lanes", "2", "--database-url", url];
    stdout(&run(folder, &arguments))
}

/// The profile, with what its operator says.
fn filled_in(folder: &Path) -> Profile {
    let file = folder.join("suite.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    let text = text.replace("public_url = \"FILL IN\"", "public_url = \"https://hook.example:8443\"");
    std::fs::write(&file, text.replace("FILL IN", "hook.pem")).unwrap();
    Profile::read(&file).unwrap()
}

/// Of core, long times alone may stay unclaimed.
#[test]
fn a_profile_claims_what_core_needs() {
    let folder = tempfile::tempdir().unwrap();
    provision(folder.path(), &format!("sqlite:{}", folder.path().join("l10n.sqlite").display()));
    let profile = filled_in(folder.path());
    let core = l10n_testkit::checks::all().into_iter().filter(|check| check.level() == Level::Core);
    let missing: BTreeSet<_> =
        core.flat_map(|check| check.claims()).filter(|claim| !profile.claims.contains(claim)).collect();
    assert_eq!(missing, BTreeSet::from([Claim::LongTimes]));
}

/// The file is a profile that holds, with a key for every identity; the keys are the owner's alone.
async fn a_profile_for_the_suite_is_whole_and_its_keys_are_private(store: TestStore) {
    let folder = tempfile::tempdir().unwrap();
    let said = provision(folder.path(), store.url());
    assert!(said.contains("l10n-testkit run --profile suite.toml"), "{said}");
    let unfilled = Profile::read(&folder.path().join("suite.toml")).unwrap_err().to_string();
    for field in ["public_url", "cert", "key"] {
        assert!(unfilled.contains(&format!("`receiver.{field}` is to be filled in")), "{unfilled}");
    }
    let profile = filled_in(folder.path());
    assert!(profile.claims.contains(&Claim::Receiver));
    assert_eq!((profile.lanes.len(), profile.scratch.len(), profile.burn.len()), (2, 6, 3));
    let single = [&profile.other, &profile.sibling, &profile.no_credits, &profile.at_cap, &profile.at_plan_limit];
    assert!(single.iter().all(|project| project.is_some()));
    let text = std::fs::read_to_string(folder.path().join("suite.toml")).unwrap();
    assert!(!text.contains("eik_"), "{text}");
    let mut count = 0;
    for file in std::fs::read_dir(folder.path().join("suite.keys")).unwrap() {
        assert_eq!(file.unwrap().metadata().unwrap().permissions().mode() & 0o777, 0o600);
        count += 1;
    }
    let named: usize = profile.named_projects().iter().map(|(_, project)| project.keys.len()).sum();
    assert_eq!(count, named);

    let mut tx = store.begin_read().await.unwrap();
    for (name, project) in profile.named_projects() {
        for (identity, key) in &project.keys {
            let hash = l10n_server::ids::ApiKeyText::parse(key.expose()).unwrap().hash();
            let known = l10n_server::store::api_keys::find_by_hash(&mut tx, &hash).await.unwrap();
            // AUTH-5
            assert_eq!(known.is_none(), *identity == Identity::Revoked, "{name}.keys.{identity}");
        }
    }
}

/// A second use makes other workspaces, so that no run meets what another has used up.
async fn each_profile_is_of_projects_of_its_own(store: TestStore) {
    let ids = |folder: &Path| -> Vec<String> {
        provision(folder, store.url());
        let profile = filled_in(folder);
        profile.named_projects().iter().map(|(_, project)| project.id.clone()).collect()
    };
    let (one, another) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (first, second) = (ids(one.path()), ids(another.path()));
    assert!(first.iter().all(|id| !second.contains(id)));
}

l10n_server::both_engines!(
    a_profile_for_the_suite_is_whole_and_its_keys_are_private,
    each_profile_is_of_projects_of_its_own,
);

#[test]
fn a_profile_and_a_description_exclude_one_another() {
    let folder = tempfile::tempdir().unwrap();
    let said = complaint(&run(folder.path(), &["provision", "x.json", "--profile-out", "suite.toml"]));
    assert!(said.contains("cannot be used with"), "{said}");
}
