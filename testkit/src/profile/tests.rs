//! Tests of reading profiles.

use std::collections::BTreeSet;
use std::path::Path;

use serde::de::DeserializeOwned;

use super::*;

const WHOLE: &str = "base_url = \"http://127.0.0.1:1/v1\"\nclaims = []\n\n[[lanes]]\nid = \"p\"\nhandle = \"h\"\nslug = \"s\"\n\
                     keys.full = \"file:full\"\n";

fn read(text: &str, variables: &[(&str, &str)]) -> Result<Profile, String> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("full"), "eik_1\n").unwrap();
    std::fs::write(folder.path().join("empty"), "\n").unwrap();
    let file = folder.path().join("profile.toml");
    std::fs::write(&file, text).unwrap();
    let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    Profile::parse(text, "profile.toml", folder.path(), variables).map_err(|error| error.to_string())
}

#[test]
fn secrets_are_read_relative_to_the_profile_and_are_not_shown() {
    let profile = read(WHOLE, &[]).unwrap();
    assert_eq!(profile.lanes[0].keys[&Identity::Full].expose(), "eik_1");
    assert!(!format!("{profile:?}").contains("eik_1"));
    assert!(!toml::to_string(&profile).unwrap().contains("eik_1"));
}

#[test]
fn the_environment_goes_over_the_file() {
    let profile =
        read(WHOLE, &[("L10N_TESTKIT_BASE_URL", "https://x/v1"), ("L10N_TESTKIT_TIME__SCALE", "60")]).unwrap();
    assert_eq!((profile.base_url.as_str(), profile.time.scale), ("https://x/v1", Some(60)));
    let error = read(WHOLE, &[("L10N_TESTKIT_BASEURL", "x")]).unwrap_err();
    assert!(error.contains("L10N_TESTKIT_BASEURL") && error.contains("unknown field `baseurl`"), "{error}");
}

#[test]
fn what_is_wrong_is_named_with_its_place_and_what_to_do() {
    let cases = [
        (WHOLE.replace("claims", "claism"), "profile.toml:2: unknown field `claism`", "did you mean `claims`?"),
        (WHOLE.replace("[]", "[\"webhoks\"]"), "profile.toml:2: unknown variant `webhoks`", "did you mean `webhooks`?"),
        (WHOLE.replace("slug", "slog"), "profile.toml:7: unknown field `slog`", "did you mean `slug`?"),
        (WHOLE.replace("\"file:full\"", "\"eik_1\""), "profile.toml:8: ", "env:NAME or file:PATH"),
        (WHOLE.replace("id = \"p\"\n", ""), "profile.toml:4: missing field `id`", ""),
        (WHOLE.replace("file:full", "file:empty"), "lanes[0].keys.full: the secret of file:empty is empty", ""),
        (WHOLE.replace("file:full", "file:none"), "lanes[0].keys.full: cannot read the secret in ", "none"),
        (
            WHOLE.replace("file:full", "env:L10N_NO_SUCH"),
            "lanes[0].keys.full: the environment has no variable",
            "L10N_NO_SUCH",
        ),
        (WHOLE.replace("/v1\"", "\""), "`base_url` is `http://127.0.0.1:1`", "must end in the version segment /v1"),
        (WHOLE.replace("keys.full", "keys.read"), "`lanes[0].keys.full` is missing", ""),
        (
            WHOLE.replace("[]", "[\"receiver\", \"agent-key\"]"),
            "the claim `receiver` needs `receiver.listen`",
            "set it",
        ),
        (
            format!("{}[receiver]\nlisten = \"0.0.0.0:1\"\n", WHOLE.replace("[]", "[\"receiver\"]")),
            "needs `receiver.cert` or `receiver.ca`, which is missing",
            "remove `receiver` from `claims`",
        ),
        (
            format!(
                "{WHOLE}[receiver]\nlisten = \"0.0.0.0:1\"\nspares = [{{ listen = \"0.0.0.0:2\", public_url = \"http://x\" }}]\n"
            ),
            "`receiver.spares[0].public_url` is `http://x`",
            "webhooks need https://",
        ),
        (
            format!(
                "{WHOLE}[receiver]\nlisten = \"0.0.0.0:1\"\npublic_url = \"FILL IN\"\ncert = \"FILL IN\"\nkey = \"k\"\n"
            ),
            "`receiver.public_url` is to be filled in",
            "`receiver.cert` is to be filled in",
        ),
        (format!("{WHOLE}[time]\nscale = 61\n"), "`time.scale` is 61", "from 1 to 60"),
        (format!("{WHOLE}[time]\nscale = 0\n"), "`time.scale` is 0", "from 1 to 60"),
        (WHOLE.replace("[]", "[\"agent-key\"]"), "needs `lanes[0].keys.agent`", "remove `agent-key` from `claims`"),
        (WHOLE.replace("[]", "[\"approvals\"]"), "needs `hooks.approve`", "needs `hooks.deny`"),
        (WHOLE.replace("base_url = \"", "base_url = "), "profile.toml:1: ", ""),
    ];
    for (text, says, also) in cases {
        match read(&text, &[]) {
            Ok(_) => assert!(says.is_empty(), "{says}"),
            Err(error) => assert!(!says.is_empty() && error.contains(says) && error.contains(also), "{says}: {error}"),
        }
    }
}

/// A claim that needs more than the routes is refused without it; each claim is in one of the two lists.
#[test]
fn every_claim_is_refused_without_what_it_takes() {
    let claims: Vec<String> = known::<BTreeSet<crate::claim::Claim>>("[\"?\"]");
    let free = [
        "webhooks",
        "publish",
        "translate",
        "write",
        "delivery",
        "documents",
        "content-trigger",
        "capture",
        "code-changes",
        "operations",
        "requests",
        "http2",
        "additions",
        "daily-budgets",
    ];
    for claim in claims {
        let read = read(&WHOLE.replace("[]", &format!("[\"{claim}\"]")), &[]);
        assert_eq!(read.is_ok(), free.contains(&claim.as_str()), "{claim}: {read:?}");
    }
}

/// The names that are known where `?` is not.
fn known<T: DeserializeOwned + std::fmt::Debug>(json: &str) -> Vec<String> {
    let message = serde_json::from_str::<T>(json).unwrap_err().to_string();
    let names: Vec<_> = message.split('`').skip(1).step_by(2).skip(1).map(str::to_owned).collect();
    assert!(!names.is_empty(), "{message}");
    names
}

/// The example with what may be left out in it: a comment is a setting where no blank follows the `#`.
fn whole_example() -> String {
    let lines = EXAMPLE.lines().map(|line| match line.strip_prefix('#') {
        Some(rest) if !rest.is_empty() && !rest.starts_with(' ') => rest,
        _ => line,
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_example_is_a_profile_with_and_without_what_may_be_left_out() {
    for text in [EXAMPLE.to_owned(), whole_example()] {
        let profile: Profile = toml::from_str(&text).unwrap();
        profile.validate().unwrap();
    }
    assert!(matches!(Profile::read(Path::new("/no/such/profile.toml")), Err(ProfileError::Read(..))));
}

#[test]
fn the_example_names_every_field_and_every_claim() {
    let table: toml::Table = toml::from_str(&whole_example()).unwrap();
    let at = |path: &[&str]| {
        let start = toml::Value::Table(table.clone());
        path.iter().fold(start, |value, name| {
            let inner = value[*name].clone();
            inner.as_array().and_then(|all| all.first().cloned()).unwrap_or(inner)
        })
    };
    let complete = |path: &[&str], fields: Vec<String>| {
        let here = at(path);
        for field in fields {
            assert!(here.get(&field).is_some(), "the example has no {path:?} {field}");
        }
    };
    const ASK: &str = "{\"?\": 1}";
    complete(&[], known::<Profile>(ASK));
    complete(&["lanes"], known::<Project>(ASK));
    complete(&["lanes", "keys"], known::<std::collections::BTreeMap<Identity, String>>("{\"?\": \"\"}"));
    complete(&["receiver"], known::<ReceiverProfile>(ASK));
    complete(&["receiver", "spares"], known::<SpareAddress>(ASK));
    complete(&["time"], known::<TimeProfile>(ASK));
    complete(&["bodies"], known::<Bodies>(ASK));
    complete(&["routes"], known::<Routes>(ASK));
    complete(&["hooks"], known::<Hooks>(ASK));
    complete(&["dns"], known::<DnsProfile>(ASK));
    // A struct of one field says so in other words.
    assert!(at(&["expect"]).get("estimated_millicredits").is_some());
    for claim in known::<BTreeSet<crate::claim::Claim>>("[\"?\"]") {
        let word = |text: &str| text.split([' ', ',', '#', '"', '\n']).any(|word| word == claim);
        assert!(word(EXAMPLE), "the example does not name the claim {claim}");
    }
}
