//! Pages of keys: whichever way a page is found, it holds the same.

use l10n_api_types::{Content, Origin, ProjectId, State, Timestamp};
use l10n_formats::SourceHash;
use l10n_server::store::key_pages::{FEW, KeyFilter, page_with};
use l10n_server::store::keys::{self, NewKey};
use l10n_server::store::languages::{self, Language};
use l10n_server::store::translations::{self, NewTranslation};
use l10n_server::store::{Store, Tx};
use l10n_server::testing::{TestStore, plain_key};

use crate::fixtures::{NOW, project, run};

const KEYS: usize = 60;
const LANGUAGES: [&str; 3] = ["en", "de", "fr"];

/// The known facts about a key and its translations, so that a filter can be answered without the database.
struct Known {
    name: String,
    namespace: Option<&'static str>,
    archived: bool,
    updated_at: i64,
    /// Language, state, whether it is stale, when it changed.
    translations: Vec<(&'static str, State, bool, i64)>,
}

/// Numbers that look like chance and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    fn one_in(&mut self, sides: u64) -> bool {
        self.roll(sides) == 0
    }
}

fn known(dice: &mut Dice) -> Vec<Known> {
    let name = |n: usize| match n % 5 {
        0 => format!("menu.{n:03}"),
        1 => format!("menu.ü{n:03}"),
        2 => format!("{}{n}", char::MAX),
        3 => format!("a b {n}"),
        _ => format!("Z{n}"),
    };
    let mut known = Vec::new();
    for n in 0..KEYS {
        let mut translations = Vec::new();
        for language in ["de", "fr"] {
            if dice.one_in(4) {
                continue;
            }
            let state = [State::Translated, State::NeedsReview, State::Reviewed][dice.roll(3) as usize];
            translations.push((language, state, dice.one_in(4), dice.roll(100) as i64));
        }
        let namespace = [None, Some("web"), Some("app")][dice.roll(3) as usize];
        let (archived, updated_at) = (dice.one_in(8), dice.roll(100) as i64);
        known.push(Known { name: name(n), namespace, archived, updated_at, translations });
    }
    known.sort_by(|a, b| a.name.cmp(&b.name));
    known
}

async fn write(store: &Store, known: &[Known]) -> ProjectId {
    let mut tx = store.begin_write().await.unwrap();
    let id = project(&mut tx, "app").await;
    let other = project(&mut tx, "other").await;
    for project in [&id, &other] {
        let rows = (0..).zip(LANGUAGES).map(|(position, code)| Language {
            code: code.into(),
            is_base: position == 0,
            position,
            created_at: NOW,
        });
        languages::insert(&mut tx, project, &rows.collect::<Vec<_>>()).await.unwrap();
        for key in known {
            write_key(&mut tx, project, key).await;
        }
    }
    tx.commit().await.unwrap();
    id
}

async fn write_key(tx: &mut Tx, project: &ProjectId, key: &Known) {
    let (old, new) = (Content::Text("Old".into()), Content::Text("New".into()));
    let id = format!("str_{project}_{}", key.name);
    let at = NOW.plus_millis(key.updated_at);
    let row = |source| NewKey { namespace: key.namespace, updated_at: at, ..plain_key(&id, &key.name, source, NOW) };
    keys::upsert(tx, project, &[row(&old)]).await.unwrap();
    for (language, state, stale, at) in &key.translations {
        let source_hash = SourceHash::of(if *stale { &old } else { &new });
        let (state, origin) = (*state, Origin::Human);
        let new = NewTranslation {
            key_id: &id,
            language,
            content: &new,
            state,
            source_hash,
            origin,
            engine: None,
            issues: &[],
        };
        translations::upsert(tx, project, &[new], NOW.plus_millis(*at)).await.unwrap();
    }
    keys::upsert(tx, project, &[row(&new)]).await.unwrap();
    translations::mark_stale(tx, &[&id]).await.unwrap();
    if key.archived {
        keys::archive(tx, &[&id], at).await.unwrap();
    }
}

fn expected(known: &[Known], filter: &KeyFilter<'_>, limit: usize) -> Vec<String> {
    let since = filter.updated_since.map(|since| since.as_millis() - NOW.as_millis());
    let wanted = |key: &&Known| {
        let own: Vec<_> = key
            .translations
            .iter()
            .filter(|(language, ..)| filter.language.is_none_or(|asked| asked == *language))
            .collect();
        let any_stale = own.iter().any(|(_, _, stale, _)| *stale);
        let changed = |since| key.updated_at >= since || own.iter().any(|(.., at)| *at >= since);
        !key.archived
            && key.name.as_str() > filter.after
            && key.name.starts_with(filter.prefix)
            && filter.namespace.is_none_or(|namespace| key.namespace == Some(namespace))
            && since.is_none_or(changed)
            && filter.state.is_none_or(|state| own.iter().any(|(_, of, ..)| of.as_str() == state))
            && filter.stale.is_none_or(|stale| stale == any_stale)
            && (filter.fewer_than == 0 || (own.len() as i64) < filter.fewer_than)
    };
    known.iter().filter(wanted).take(limit).map(|key| key.name.clone()).collect()
}

async fn every_filter_finds_the_same_page_whichever_way_it_is_found(store: TestStore) {
    let mut dice = Dice(14);
    let known = known(&mut dice);
    let project = write(&store, &known).await;
    let prefixes =
        [("", None), ("menu.", Some("menu/")), ("a", Some("b")), ("\u{10ffff}", None), ("none", Some("nonf"))];
    let (mut pages, mut longest) = (0, 0);
    for _ in 0..600 {
        let (prefix, prefix_end) = prefixes[dice.roll(5) as usize];
        let after = if dice.one_in(2) { known[dice.roll(KEYS as u64) as usize].name.as_str() } else { "" };
        let states = [State::Translated, State::NeedsReview, State::Reviewed].map(State::as_str);
        let since = dice.roll(110) as i64;
        let language = ["de", "fr"][dice.roll(2) as usize];
        let filter = KeyFilter {
            after,
            prefix,
            prefix_end,
            namespace: dice.one_in(3).then_some("web"),
            updated_since: dice.one_in(3).then(|| Timestamp::from_millis(NOW.as_millis() + since)),
            language: dice.one_in(2).then_some(language),
            state: dice.one_in(3).then_some(states[dice.roll(3) as usize]),
            stale: [None, Some(true), Some(false)][dice.roll(3) as usize],
            fewer_than: 0,
            tokens: None,
        };
        // As many as a key can have.
        let all = if filter.language.is_some() { 1 } else { 2 };
        let filter = KeyFilter { fewer_than: if dice.one_in(2) { all } else { 0 }, ..filter };
        let limit = 1 + dice.roll(12) as usize;
        let wanted = expected(&known, &filter, limit);
        let mut tx = store.begin_read().await.unwrap();
        // Beginning with the matches, wherever they are counted, and with the keys.
        for few in [FEW, 10, -1] {
            let found = page_with(&mut tx, &project, filter, limit as i64, few).await.unwrap();
            let found: Vec<_> = found.into_iter().map(|key| key.name).collect();
            assert_eq!(found, wanted, "few: {few}, {filter:?}");
        }
        pages += usize::from(!wanted.is_empty());
        longest = longest.max(wanted.len());
    }
    assert!(pages > 200 && longest == 12, "{pages} of 600 pages hold a key, the longest {longest}");
}

/// The counts tell if translations are missing: a key that lacks a translation is found, and none if none lacks any.
async fn what_is_missing_is_looked_for_only_where_something_is(store: TestStore) {
    let full = |name: &str| Known {
        name: name.to_owned(),
        namespace: None,
        archived: false,
        updated_at: 0,
        translations: vec![("de", State::Translated, false, 0), ("fr", State::Reviewed, true, 0)],
    };
    let project = write(&store, &[full("a"), full("b"), full("c")]).await;
    let missing = async |language: Option<&'static str>| {
        let filter = KeyFilter { language, fewer_than: if language.is_some() { 1 } else { 2 }, ..KeyFilter::default() };
        let mut tx = store.begin_read().await.unwrap();
        let found = page_with(&mut tx, &project, filter, 10, FEW).await.unwrap();
        found.into_iter().map(|key| key.name).collect::<Vec<_>>()
    };
    assert_eq!((missing(None).await, missing(Some("de")).await), (vec![], vec![]));
    run(&store, &[format!("DELETE FROM translations WHERE key_id = 'str_{project}_b' AND language = 'de'")]).await;
    assert_eq!((missing(None).await, missing(Some("de")).await), (vec!["b".to_owned()], vec!["b".to_owned()]));
    assert_eq!(missing(Some("fr")).await, Vec::<String>::new());
}

l10n_server::both_engines!(
    every_filter_finds_the_same_page_whichever_way_it_is_found,
    what_is_missing_is_looked_for_only_where_something_is,
);
