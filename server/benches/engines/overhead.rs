//! The cost of a text in the pipeline, beside the engine alone.

use std::hint::black_box;
use std::time::{Duration, Instant};

use l10n_api_types::Content;
use l10n_formats::text::checks::Facts;
use l10n_server::engines::pipeline::{SourceText, translate_contents};
use l10n_server::engines::{Batch, BatchItem, IdentityEngine, TextSegment, Translator};
use serde_json::{Value, json};

/// Texts of a round: those of a chunk.
const TEXTS: usize = 100;
const ROUNDS: usize = 400;
const WARM: usize = 50;

/// Texts as apps have them, of which one in ten has a plural in it.
fn text(n: usize) -> String {
    match n % 10 {
        0 => format!("{{count, plural, one {{# file}} other {{# files}}}} of folder {n}"),
        1..=3 => format!("Hi {{name}}, you have {{count}} new messages in folder {n}"),
        4 => format!("Read <b>all</b> of the terms in section {n}, please"),
        _ => format!("Save the changes that were made on page {n}"),
    }
}

pub(crate) async fn measure() -> Value {
    let units: Vec<SourceText> = (0..TEXTS)
        .map(|n| SourceText { content: Content::Text(text(n)), description: None, facts: Facts::default() })
        .collect();
    let batch = Batch {
        source: "en".to_owned(),
        target: "de".to_owned(),
        style: None,
        service_glossary: None,
        items: (0..TEXTS).map(item).collect(),
    };
    let bare = timed(async || drop(black_box(IdentityEngine.translate(&batch).await.unwrap()))).await;
    let whole = timed(async || {
        let results = translate_contents(&IdentityEngine, "en", "de", &units).await.unwrap();
        assert!(black_box(results).iter().all(Result::is_ok));
    });
    let whole = whole.await;
    let of_text = |took: Duration| took.as_secs_f64() * 1e6 / TEXTS as f64;
    let (bare, whole) = (of_text(bare), of_text(whole));
    println!("pipeline   {:.1} µs a text, and {bare:.1} µs the bare engine", whole - bare);
    json!({"unit": "µs a text", "pipeline": whole - bare, "bare": bare})
}

fn item(n: usize) -> BatchItem {
    BatchItem::of(vec![TextSegment::Text(text(n))])
}

/// The median of the rounds.
async fn timed(mut round: impl AsyncFnMut()) -> Duration {
    let mut took = Vec::with_capacity(ROUNDS);
    for at in 0..WARM + ROUNDS {
        let began = Instant::now();
        round().await;
        if at >= WARM {
            took.push(began.elapsed());
        }
    }
    took.sort_unstable();
    took[took.len() / 2]
}
