//! The description of a project and of its present state.

use l10n_api_types::meta::{Engine, FormatSupport, LanguageEngine, Limits, LiveVersion, Meta, Remaining};
use l10n_api_types::{DailyBudget, LanguageCode, Millicredits};
use l10n_formats::files;

use super::budgets::RemainingBudgets;
use super::project_engines::ProjectEngines;
use super::{Caller, ServiceError, credits, languages, output_formats};
use crate::clock::Timestamp;
use crate::config::{Pricing, Rate, Settings};
use crate::engines::{EngineRegistry, Engines};
use crate::store::keys::KeyState;
use crate::store::languages::Language;
use crate::store::{
    Tx, counters, documents, languages as language_rows, overview, projects, workspace_months, workspaces,
};

/// The part of the description that holds for the whole server.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ServerMeta<'a> {
    /// The settings.
    pub settings: &'a Settings,
    /// The engines that translate, from which projects choose.
    pub engines: &'a EngineRegistry,
    /// The present time.
    pub now: Timestamp,
}

/// Reads the description. `requests` is the number of requests that the present window still takes.
pub(crate) async fn read(
    tx: &mut Tx,
    server: ServerMeta<'_>,
    caller: &Caller,
    requests: u32,
) -> Result<Meta, ServiceError> {
    let gone = || ServiceError::NotFound("the project does not exist".into());
    let project = projects::find(tx, &caller.project).await?.ok_or_else(gone)?;
    let workspace = workspaces::find(tx, &caller.workspace).await?.ok_or_else(gone)?;
    let plan = server.settings.plan(&workspace.plan);
    let rows = language_rows::list(tx, &project.id).await?;
    let counts = counters::translations(tx, &project.id).await?;
    let engines = ProjectEngines::find(tx, server.engines, &project.id).await?;
    let live = overview::live_version(tx, &project.id).await?;
    let (limits, now) = (&server.settings.limits, server.now);
    let budgets = RemainingBudgets::read(tx, &project.id, limits, now).await?;
    let cap = match workspace.spending_cap {
        Some(cap) => {
            let charged = workspace_months::charged(tx, &workspace.id, credits::month_start(now)).await?;
            Some(Millicredits(cap.0.saturating_sub(charged.0).max(0)))
        }
        None => None,
    };
    let number = |number: i64| u64::try_from(number).unwrap_or_default();
    Ok(Meta {
        project_id: caller.project.clone(),
        workspace_id: caller.workspace.clone(),
        handle: workspace.handle,
        slug: project.slug,
        name: project.name,
        base_language: project.base_language.into(),
        languages: languages::described(&rows, project.key_count, &counts),
        output_formats: output_formats::list(tx, &caller.project).await?,
        formats: files::all().map(support).collect(),
        key_count: number(project.key_count),
        captured_count: number(counters::keys(tx, &project.id, KeyState::Captured).await?),
        document_count: number(documents::count(tx, &project.id).await?),
        live: live.map(|live| LiveVersion { version_id: live.id, label: live.label, published_at: live.published_at }),
        unpublished_changes: number(project.changes_since_publish),
        balance: workspace.balance,
        engine: engine(&engines, &server.settings.pricing, &rows),
        limits: Limits {
            requests_per_minute: Some(limits.requests_per_minute),
            publishes_per_day: Some(limits.publishes_per_day),
            restores_per_day: Some(limits.restores_per_day),
            captures_per_day: Some(limits.captures_per_day),
            imports_per_day: Some(limits.imports_per_day),
            runs_per_day: Some(limits.runs_per_day),
            millicredits_per_character: Some(dearest(&engines, &server.settings.pricing, &rows).0),
            keys: plan.keys,
            languages: plan.languages,
            documents: plan.documents,
            spending_cap: workspace.spending_cap,
        },
        remaining: Remaining {
            requests: Some(requests),
            publishes: Some(budgets.of(DailyBudget::Publishes)),
            restores: Some(budgets.of(DailyBudget::Restores)),
            captures: Some(budgets.of(DailyBudget::Captures)),
            imports: Some(budgets.of(DailyBudget::Imports)),
            runs: Some(budgets.of(DailyBudget::Runs)),
            cap,
        },
    })
}

/// The project's chain, and those of the languages that have another one.
fn engine(engines: &ProjectEngines, pricing: &Pricing, languages: &[Language]) -> Engine {
    let chain = engines.chain();
    let price = |chain: &Engines| Some(pricing.dearest(chain.names()).0);
    let differing = languages.iter().filter_map(|language| {
        let of_language = engines.of_language(&language.code);
        (of_language.name() != chain.name()).then(|| LanguageEngine {
            language: LanguageCode::new(&language.code),
            name: of_language.name().to_owned(),
            millicredits_per_character: price(&of_language),
        })
    });
    Engine { name: chain.name().to_owned(), millicredits_per_character: price(&chain), languages: differing.collect() }
}

/// The price of a character in the language where it is highest.
fn dearest(engines: &ProjectEngines, pricing: &Pricing, languages: &[Language]) -> Rate {
    let targets = languages.iter().filter(|language| !language.is_base);
    let rates = targets.map(|language| pricing.dearest(engines.of_language(&language.code).names()));
    rates.max().unwrap_or_else(|| pricing.dearest(engines.chain().names()))
}

fn support(format: &dyn files::Format) -> FormatSupport {
    FormatSupport {
        format: format.id().into(),
        extensions: format.extensions().iter().map(|extension| (*extension).to_owned()).collect(),
        plurals: format.plurals().to_owned(),
        placeholders: format.placeholders().to_owned(),
    }
}
