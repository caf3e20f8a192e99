//! The proof that no address of the inside is ever connected to, in a network namespace in which every address of the
//! world is one of this machine's own: whatever is dialled answers, and is seen.
//!
//! It needs `unshare` (util-linux), `ip` (iproute2) and the right to make namespaces. Without them it prints SKIPPED, and
//! fails where `L10N_REQUIRE` contains `netns`.

mod attacks;
mod world;

use std::io::Write as _;
use std::path::Path;
use std::process::Command;

const TEST: &str = "namespace::no_address_of_the_inside_is_ever_connected_to";
const INSIDE: &str = "L10N_TEST_INSIDE_NAMESPACE";

/// The namespace's network: all addresses are local. `$1` and `$2` become resolv.conf and hosts, the rest is run.
const SET_UP: &str = r#"
    set -e
    ip link set lo up
    ip -4 route add local default dev lo
    ip -6 route add local default dev lo
    mount --bind "$1" /etc/resolv.conf
    mount --bind "$2" /etc/hosts
    shift 2
    exec "$@"
"#;

/// WH-URL-3 to WH-URL-14, DEL-3, AMB-38, S1 to S3.
#[test]
fn no_address_of_the_inside_is_ever_connected_to() {
    if std::env::var_os(INSIDE).is_some() {
        return tokio::runtime::Runtime::new().unwrap().block_on(attacks::all());
    }
    let resolv_conf = file("nameserver 127.0.0.53\noptions ndots:5\nsearch internal.example\n");
    let hosts = file("127.0.0.1 localhost\n::1 localhost\n10.0.0.1 hosts-file.example.com\n");
    let run = |options: &[&str], program: &[&str]| {
        let mut command = Command::new("unshare");
        command.args(["--net", "--mount"]).args(options).args(["--", "sh", "-c", SET_UP, "sh"]);
        command.args([resolv_conf.path(), hosts.path()]).args(program);
        // Where deliveries would go if they asked the environment.
        for name in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"] {
            command.env(name, "http://127.0.0.1:3128").env_remove("NO_PROXY").env_remove("no_proxy");
        }
        command.env(INSIDE, "1").output()
    };
    // As root, or in a user namespace in which this user is root.
    let mut problem = String::new();
    for options in [&[][..], &["--map-root-user"]] {
        match run(options, &["true"]) {
            Ok(output) if output.status.success() => {
                let this = std::env::current_exe().unwrap();
                let output = run(options, &[path(&this), "--exact", TEST, "--nocapture"]).unwrap();
                let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
                assert!(output.status.success() && said.contains("1 passed"), "{said}");
                return;
            }
            Ok(output) => problem = String::from_utf8_lossy(&output.stderr).trim().to_owned(),
            Err(error) => problem = format!("unshare: {error}"),
        }
    }
    let required = std::env::var("L10N_REQUIRE").is_ok_and(|required| required.contains("netns"));
    assert!(!required, "network namespaces are required by L10N_REQUIRE: {problem}");
    println!("SKIPPED: no network namespace: {problem}");
}

fn file(content: &str) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(content.as_bytes()).unwrap();
    file
}

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}
