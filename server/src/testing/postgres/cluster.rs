//! PostgreSQL clusters of the tests' own.
#![cfg(unix)]

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::{MetadataExt as _, chown};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

use url::Url;

use super::{Server, TestDatabase, database_at, or_skipped};

/// The cluster that all tests of this user share, started where it does not run.
pub(super) fn find() -> Result<Server, String> {
    let binaries = binaries().ok_or("TEST_POSTGRES_URL is not set and initdb is not installed")?;
    Server::cluster(&binaries).map_err(|error| format!("the private cluster does not start: {error}"))
}

/// Keeps a cluster running until its process ends, in whatever way.
#[derive(Debug)]
#[expect(dead_code, reason = "held, never read")]
pub(super) enum ClusterLock {
    /// A shared lock on `users.lock`.
    Lock(File),
    /// The other end of the script's standard input.
    Pipe(ChildStdin),
}

impl Server {
    fn cluster(binaries: &Path) -> io::Result<Self> {
        let me = tempfile::tempfile()?.metadata()?.uid();
        let account = Account::for_server(me)?;
        let base = fastest_folder().join(format!("l10n-test-postgres-{me}"));
        make_folder(&base, me, &account)?;

        // One process at a time looks for the cluster or starts it.
        let starting = open_lock(&base.join("starting.lock"))?;
        starting.lock()?;
        if on_path("flock").is_none() {
            let (folder, pipe) = start(&base, binaries, &account, Stdio::piped(), CARELESS)?;
            return Self::at(&folder, pipe.map(ClusterLock::Pipe));
        }
        // Waits while a cluster is being stopped; from here on none is.
        let user = open_lock(&base.join("users.lock"))?;
        user.lock_shared()?;
        let current = base.join("current");
        let folder = match fs::read_to_string(&current) {
            Ok(folder) if is_ready(Path::new(&folder)) => folder,
            _ => {
                remove_leftovers(&base);
                // The script's own opening of the file, so that its lock is not ours.
                let watched = open_lock(&base.join("users.lock"))?.into();
                let (folder, _) = start(&base, binaries, &account, watched, CARELESS)?;
                fs::write(&current, &folder)?;
                folder
            }
        };
        Self::at(&folder, Some(ClusterLock::Lock(user)))
    }

    fn at(folder: &str, hold: Option<ClusterLock>) -> io::Result<Self> {
        let mut url = Url::parse("postgres://postgres@localhost/postgres").map_err(io::Error::other)?;
        url.query_pairs_mut().append_pair("host", folder);
        Ok(Self { admin_url: url.into(), _hold: hold })
    }
}

/// Settings of a cluster whose data nobody will miss.
const CARELESS: &str = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c wal_level=minimal \
    -c max_wal_senders=0 -c max_wal_size=512MB";

/// The folder for data that nobody will miss: in memory where there is ample room. Each test's database is some 300 files,
/// and a disk's file system spends a sixth of all CPU time of the tests on making and removing them.
fn fastest_folder() -> PathBuf {
    const MEMORY: &str = "/dev/shm";
    const AMPLE: u64 = 3 << 30;
    match rustix::fs::statvfs(MEMORY) {
        Ok(room) if room.f_bavail.saturating_mul(room.f_frsize) >= AMPLE => MEMORY.into(),
        _ => std::env::temp_dir(),
    }
}

/// A cluster that keeps what it commits, as one in earnest does: for measurements and crashes. It ends when this is dropped.
#[derive(Debug)]
pub struct DurableCluster {
    folder: String,
    admin_url: &'static str,
    ends: ChildStdin,
}

impl DurableCluster {
    /// Starts one.
    ///
    /// # Errors
    ///
    /// Returns an error if PostgreSQL is not installed or does not start.
    pub fn start() -> io::Result<Self> {
        let binaries = binaries().ok_or_else(|| io::Error::other("initdb is not installed"))?;
        let me = tempfile::tempfile()?.metadata()?.uid();
        let base = std::env::temp_dir().join(format!("l10n-durable-postgres-{me}"));
        let account = Account::for_server(me)?;
        make_folder(&base, me, &account)?;
        let (folder, pipe) = start(&base, &binaries, &account, Stdio::piped(), "")?;
        let ends = pipe.ok_or_else(|| io::Error::other("no pipe to the script that ends PostgreSQL"))?;
        // One or two in the life of a process.
        let admin_url = Server::at(&folder, None)?.admin_url.leak();
        Ok(Self { folder, admin_url, ends })
    }

    /// Starts one for a test; `None` when there is no PostgreSQL, after printing SKIPPED.
    ///
    /// # Panics
    ///
    /// Like [`super::database`].
    pub fn for_test() -> Option<Self> {
        or_skipped(Self::start())
    }

    /// Ends the server as a crash does, without writing what it has in memory alone.
    ///
    /// # Errors
    ///
    /// Returns an error if it goes on.
    pub fn crash(&mut self) -> io::Result<()> {
        self.tell("crash", false)
    }

    /// Starts it again after a crash; it recovers from its log.
    ///
    /// # Errors
    ///
    /// Returns an error if it does not start.
    pub fn run(&mut self) -> io::Result<()> {
        self.tell("run", true)
    }

    fn tell(&mut self, command: &str, answers: bool) -> io::Result<()> {
        writeln!(self.ends, "{command}")?;
        let told = Instant::now();
        while is_ready(Path::new(&self.folder)) != answers {
            if told.elapsed() > Duration::from_secs(60) {
                return Err(io::Error::other(format!("postgres does not {command}")));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    /// Makes an empty database.
    pub async fn database(&self) -> TestDatabase {
        database_at(self.admin_url).await
    }

    /// The process that all others of the cluster are children of; `None` when it has ended.
    pub fn process(&self) -> Option<u32> {
        let said = fs::read_to_string(Path::new(&self.folder).join("data/postmaster.pid")).ok()?;
        said.lines().next()?.trim().parse().ok()
    }
}

/// Whom the server runs as: PostgreSQL refuses to run as root.
struct Account(Option<(u32, u32)>);

impl Account {
    fn for_server(me: u32) -> io::Result<Self> {
        if me != 0 {
            return Ok(Self(None));
        }
        let accounts = fs::read_to_string("/etc/passwd")?;
        let find = |name: &str| {
            let mut fields =
                accounts.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?.split(':').skip(1);
            Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
        };
        let ids = find("postgres").or_else(|| find("nobody"));
        ids.map(|ids| Self(Some(ids))).ok_or_else(|| io::Error::other("no account but root to run PostgreSQL as"))
    }

    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        if let Some((user, group)) = self.0 {
            command.uid(user).gid(group);
        }
        // A setting of the caller's must not reach into the tests' cluster.
        for (name, _) in std::env::vars_os() {
            if name.to_str().is_some_and(|name| name.starts_with("PG")) {
                command.env_remove(name);
            }
        }
        command.current_dir("/");
        command
    }

    fn give(&self, path: &Path) -> io::Result<()> {
        self.0.map_or(Ok(()), |(user, group)| chown(path, Some(user), Some(group)))
    }
}

fn on_path(program: &str) -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?).map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// The folder of PostgreSQL's programs: that of `initdb` on PATH, else the latest that Debian's packages installed.
fn binaries() -> Option<PathBuf> {
    let mut packaged: Vec<PathBuf> = fs::read_dir("/usr/lib/postgresql")
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    packaged.sort_by_key(|path| path.file_name().and_then(|name| name.to_str()?.parse::<u32>().ok()));
    let packaged = packaged.into_iter().rev().map(|path| path.join("bin/initdb"));
    let initdb = on_path("initdb").into_iter().chain(packaged).find(|file| file.is_file())?;
    // The rest of the installation lies beside initdb itself, not beside a link to it.
    fs::canonicalize(initdb).ok()?.parent().map(Path::to_owned)
}

fn make_folder(base: &Path, me: u32, account: &Account) -> io::Result<()> {
    match fs::create_dir(base) {
        Ok(()) => account.give(base),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let found = fs::symlink_metadata(base)?;
            let owners = [me, account.0.map_or(me, |(user, _)| user)];
            if found.is_dir() && owners.contains(&found.uid()) {
                Ok(())
            } else {
                Err(io::Error::other(format!("{} belongs to someone else", base.display())))
            }
        }
        Err(error) => Err(error),
    }
}

fn open_lock(path: &Path) -> io::Result<File> {
    File::options().read(true).write(true).create(true).truncate(false).open(path)
}

/// The eighth line of `postmaster.pid` says so.
fn is_ready(folder: &Path) -> bool {
    let said = fs::read_to_string(folder.join("data/postmaster.pid"));
    said.is_ok_and(|said| said.lines().nth(7).is_some_and(|status| status.trim() == "ready"))
        && UnixStream::connect(folder.join(".s.PGSQL.5432")).is_ok()
}

/// Removes the leftovers of a machine that was switched off.
fn remove_leftovers(base: &Path) {
    for entry in fs::read_dir(base).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with("cluster-") {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Starts a cluster and the script that ends it; returns its folder, and the pipe to the script where that was asked for.
/// `risks` are settings that a cluster for tests takes and one for measurements does not.
fn start(
    base: &Path,
    binaries: &Path,
    account: &Account,
    watched: Stdio,
    risks: &str,
) -> io::Result<(String, Option<ChildStdin>)> {
    let folder = tempfile::Builder::new().prefix("cluster-").tempdir_in(base)?;
    account.give(folder.path())?;
    let data = folder.path().join("data");
    let made = account
        .command(binaries.join("initdb"))
        .args(["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync", "--pgdata"])
        .arg(&data)
        .stdin(Stdio::null())
        .output()?;
    if !made.status.success() {
        return Err(io::Error::other(format!("initdb: {}", String::from_utf8_lossy(&made.stderr).trim())));
    }

    let mut script = account
        .command("/bin/sh")
        .args(["-c", WATCH, "sh"])
        .args([folder.path(), &binaries.join("postgres"), &data])
        .arg(risks)
        // Ctrl-C at the tests must not end the cluster of other tests.
        .process_group(0)
        .stdin(watched)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let started = Instant::now();
    while !is_ready(folder.path()) {
        if script.try_wait()?.is_some() || started.elapsed() > Duration::from_secs(60) {
            let log = fs::read_to_string(folder.path().join("log")).unwrap_or_default();
            return Err(io::Error::other(format!("postgres: {}", log.trim())));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    // From here on the script removes it.
    Ok((folder.keep().to_string_lossy().into_owned(), script.stdin.take()))
}

/// Runs the server until nobody uses it, which standard input tells.
///
/// A file: stops when its exclusive lock was free three times in a row, and keeps the lock meanwhile, so that nobody
/// begins to use a cluster that is going. A pipe: stops at its end; before that, does what its lines say.
const WATCH: &str = r#"
folder=$1
run() {
    "$1" -D "$2" -k "$folder" -c listen_addresses= $3 \
        -c max_connections=300 -c max_parallel_workers_per_gather=0 </dev/null >>"$folder/log" 2>&1 &
    server=$!
}
run "$2" "$3" "$4"
if [ -p /dev/stdin ]; then
    while read -r command; do
        case $command in
            crash) kill -QUIT "$server" && wait "$server" ;;
            run) run "$2" "$3" "$4" ;;
        esac
    done
else
    free=0
    while kill -0 "$server" 2>/dev/null; do
        sleep 1
        if flock --nonblock --exclusive 0; then
            free=$((free + 1))
            [ "$free" -lt 3 ] || break
            flock --unlock 0
        else
            free=0
        fi
    done
fi
kill -QUIT "$server" 2>/dev/null
wait "$server"
rm -rf "$folder"
"#;
