//! The speed of files of each format: 2 MiB made in the format's hand, read, written with other texts, and merged into a
//! file that is there. `cargo bench -p l10n-formats --bench files [-- FORMAT…]`
//!
//! Prints a line for each format, on one core: megabytes (10^6 bytes) in a second, of the best of several rounds, and the
//! time to read and write the file, of which the aim is 0.2 s. Then a line for each peer in `benches/peers` that is
//! there: libraries and commands of others with the same bytes in the same run, and how many times as fast this crate is.
//! `L10N_PEERS_PYTHON` names a Python that has them.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a bench ends at the first fault and prints its figures")]

mod made;
mod peers;

use std::collections::HashMap;
use std::hint::black_box;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use l10n_api_types::{Content, FormatId, Plural};
use l10n_formats::files::{FileKind, Format, LocalizationFile, by_id};

const SIZE: usize = 2 * 1024 * 1024;
const AIM: Duration = Duration::from_millis(200);
const ROUNDS: usize = 7;

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("files");
    std::fs::create_dir_all(&folder).unwrap();
    let peers = peers::Peers::found();
    let mut late = Vec::new();
    for &id in FormatId::ALL {
        if !asked.is_empty() && !asked.iter().any(|asked| asked == id.as_str()) {
            continue;
        }
        let own = measured(by_id(id), &made::file(id, SIZE));
        println!(
            "{id}: {} entries: read {:.0}, write others {:.0}, merge others {:.0} MB/s; read and write {:.0} ms",
            own.entries,
            speed(own.size, own.read),
            speed(own.size, own.write),
            speed(own.size, own.merge),
            millis(own.read + own.write),
        );
        if own.read + own.write > AIM {
            late.push(id.as_str());
        }
        let path = folder.join(id.as_str());
        std::fs::write(&path, made::file(id, SIZE)).unwrap();
        for peer in peers.measured(id, &path) {
            println!("{}", peer.line(own.size, own.read, own.write));
        }
    }
    let aim = AIM.as_millis();
    if late.is_empty() {
        println!("aim: each file of 2 MiB in {aim} ms: reached");
    } else {
        println!("aim: each file of 2 MiB in {aim} ms: missed by {}", late.join(", "));
    }
}

/// The best time of each step.
struct Own {
    size: usize,
    entries: usize,
    read: Duration,
    write: Duration,
    merge: Duration,
}

fn measured(format: &dyn Format, bytes: &[u8]) -> Own {
    let document = format.parse(bytes).unwrap();
    let one = translations(&document, " ü");
    let other = translations(&document, " й");
    let (there, published) = (written(format, &document, &one), written(format, &document, &other));
    // The texts of the source are no part of the figure, so that there must be others.
    assert!(there != bytes && there != published, "{}", format.id());
    Own {
        size: bytes.len(),
        entries: document.entries.len(),
        read: best(|| format.parse(bytes).unwrap()),
        write: best(|| written(format, &document, &one)),
        merge: best(|| match format.kind_of(&document) {
            FileKind::Multilingual => format.merge_languages(&there, &published, &["ru"]).unwrap(),
            FileKind::Monolingual | FileKind::Bilingual => format.merge(&there, &published).unwrap(),
        }),
    }
}

fn written(format: &dyn Format, document: &LocalizationFile, texts: &HashMap<&str, Content>) -> Vec<u8> {
    let translated = |key: &str| texts.get(key).cloned();
    match format.kind_of(document) {
        FileKind::Multilingual => format.put_language(document, "ru", &translated).unwrap(),
        FileKind::Monolingual | FileKind::Bilingual => format.render(document, "ru", &translated),
    }
}

/// Each text with an end of its own; of plurals each form.
fn translations<'d>(document: &'d LocalizationFile, end: &str) -> HashMap<&'d str, Content> {
    let other = |content: &Content| match content {
        Content::Text(text) => Content::Text(format!("{text}{end}")),
        Content::Plural(plural) => Content::Plural(Plural {
            arg: plural.arg.clone(),
            forms: ["one", "few", "many", "other"]
                .map(|form| {
                    (form.parse::<l10n_api_types::PluralKey>().unwrap(), plural.forms.other().unwrap().clone() + end)
                })
                .into(),
        }),
    };
    document.entries.iter().map(|entry| (entry.key.as_str(), other(&entry.content))).collect()
}

fn best<T>(mut work: impl FnMut() -> T) -> Duration {
    let round = |_| {
        let began = Instant::now();
        black_box(work());
        began.elapsed()
    };
    (0..ROUNDS).map(round).min().unwrap()
}

/// Megabytes in a second.
fn speed(bytes: usize, took: Duration) -> f64 {
    bytes as f64 / took.as_secs_f64() / 1e6
}

fn millis(took: Duration) -> f64 {
    took.as_secs_f64() * 1e3
}
