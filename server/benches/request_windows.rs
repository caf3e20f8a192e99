//! The cost of counting a request. `cargo bench -p l10n-server --bench request_windows`
//!
//! Beside a counter behind a mutex, which is the least that any count costs: a window of one process, and one that is
//! merged into PostgreSQL with the others', where there is one. The merges that these requests cause are in the figure.

#![expect(clippy::unwrap_used, reason = "a bench ends at the first fault")]

use std::hint::black_box;
use std::sync::{Mutex, PoisonError};

use criterion::{Criterion, criterion_group, criterion_main};
use l10n_api_types::Timestamp;
use l10n_server::request_windows::{Budget, RequestWindows};
use l10n_server::testing::TestStore;
use tokio::runtime::Runtime;

const NOW: Timestamp = Timestamp::from_millis(1_795_248_000_000);

/// So many that none is refused, which would be cheaper.
const LIMIT: u32 = u32::MAX;

fn counts(criterion: &mut Criterion) {
    let runtime = Runtime::new().unwrap();
    let mut group = criterion.benchmark_group("count a request");
    let counter = Mutex::new(0_u32);
    group.bench_function("bare mutex", |bencher| {
        bencher.iter(|| {
            let mut counter = counter.lock().unwrap_or_else(PoisonError::into_inner);
            *counter = black_box(counter.wrapping_add(1));
        });
    });
    let budget = Budget::Project("prj_01kagc5v6nf9ybrjdh6y3v3e4w".to_owned());
    let mut measure = |name: &str, windows: &RequestWindows| {
        // As many budgets as a busy process has.
        for number in 0..10_000 {
            let other = Budget::Project(format!("prj_{number}"));
            runtime.block_on(windows.count(&other, NOW)).unwrap();
        }
        group.bench_function(name, |bencher| {
            bencher.to_async(&runtime).iter(|| windows.count(black_box(&budget), NOW));
        });
    };
    let store = runtime.block_on(TestStore::sqlite());
    measure("one process", &RequestWindows::new(&store, LIMIT));
    if let Some(store) = runtime.block_on(TestStore::postgres()) {
        measure("shared on PostgreSQL", &RequestWindows::new(&store, LIMIT));
        runtime.block_on(store.remove());
    }
}

criterion_group!(benches, counts);
criterion_main!(benches);
