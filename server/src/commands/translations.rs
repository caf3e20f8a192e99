//! `l10n-server translations review`: a person's review of translations, beside a running server.

use crate::config::{Config, Overrides};
use crate::domain::review;
use crate::service::Service;
use crate::store::translations::Unreviewed;
use anyhow::{Result, bail};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use l10n_api_types::{Content, Origin, ProjectId};
use serde_json::json;

use super::shared::{find_project, open_existing, print, service};

#[derive(Subcommand)]
pub(crate) enum TranslationsCommand {
    /// List translations that nobody has reviewed, or mark some as reviewed
    ///
    /// No import and no engine replaces a reviewed translation, and translation memory offers it to the other projects
    /// of the workspace, which get no imported text otherwise. Without REF and --all it lists, also drafts of imported
    /// files. Translations that are stale or held back by a check are not listed.
    Review(ReviewArgs),
}

#[derive(Args)]
pub(crate) struct ReviewArgs {
    /// Project, as HANDLE/SLUG
    #[arg(long)]
    project: String,
    /// Language of the translations
    #[arg(long, value_name = "CODE")]
    language: String,
    /// Keys whose translations are reviewed, by their refs
    #[arg(value_name = "REF", conflicts_with = "all")]
    refs: Vec<String>,
    /// Review all that are listed
    #[arg(long)]
    all: bool,
    /// List and review those of this origin: import, human, machine, memory or any
    #[arg(long, value_name = "ORIGIN", default_value = "import", value_parser = origin())]
    origin: OriginFilter,
    /// Maximum number to list
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    limit: u32,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

/// An origin, or any.
#[derive(Debug, Clone, Copy)]
struct OriginFilter(Option<Origin>);

fn origin() -> impl TypedValueParser<Value = OriginFilter> {
    let names = Origin::ALL.iter().map(|origin| origin.as_str()).chain(["any"]);
    PossibleValuesParser::new(names)
        .map(|name| OriginFilter(Origin::ALL.iter().copied().find(|origin| origin.as_str() == name)))
}

impl TranslationsCommand {
    pub(crate) async fn run(self, overrides: &Overrides) -> Result<()> {
        let Self::Review(review) = self;
        let config = Config::load(overrides)?;
        let store = open_existing(&config).await?;
        let service = service(&config, store.clone())?;
        let mut tx = store.begin_read().await?;
        let project = find_project(&mut tx, &review.project).await?;
        tx.rollback().await?;
        let output = match (review.refs.is_empty(), review.all) {
            (true, false) => review.list(&service, &project).await?,
            (true, true) => review.all(&service, &project).await?,
            (false, _) => review.named(&service, &project).await?,
        };
        store.close().await;
        print(&output)
    }
}

impl ReviewArgs {
    async fn list(&self, service: &Service, project: &ProjectId) -> Result<String> {
        let mut tx = service.store.begin_read().await?;
        let most = usize::try_from(self.limit).unwrap_or(usize::MAX);
        let found = review::waiting(&mut tx, project, &self.language, self.origin.0, "", most).await?;
        tx.rollback().await?;
        if self.json {
            let translations: Vec<_> = found
                .iter()
                .map(|row| {
                    json!({
                        "ref": row.name, "origin": row.origin, "source": row.source.0, "translation": row.content.0,
                        "updatedAt": row.updated_at,
                    })
                })
                .collect();
            return Ok(json!({ "translations": translations }).to_string());
        }
        if found.is_empty() {
            let others = match self.origin.0 {
                Some(_) => "; --origin any lists those of every origin",
                None => "",
            };
            return Ok(format!("No translation into {} waits for review{others}.", self.language));
        }
        let mut lines: Vec<String> = found.iter().map(line).collect();
        if found.len() == most {
            lines.push(format!("The first {most}; --limit shows more."));
        }
        Ok(lines.join("\n"))
    }

    async fn named(&self, service: &Service, project: &ProjectId) -> Result<String> {
        if self.refs.len() > review::REVIEW_BATCH {
            bail!("name at most {} keys, or review all with --all", review::REVIEW_BATCH);
        }
        let names: Vec<&str> = self.refs.iter().map(String::as_str).collect();
        let mut tx = service.store.begin_write().await?;
        let clock = service.clock.as_ref();
        let reviewed = review::review(&mut tx, clock, project, &self.language, &names).await?;
        tx.commit().await?;
        Ok(format!("{reviewed} reviewed"))
    }

    /// Page by page, so that a server beside it goes on writing.
    async fn all(&self, service: &Service, project: &ProjectId) -> Result<String> {
        let (clock, mut reviewed, mut after) = (service.clock.as_ref(), 0, String::new());
        loop {
            let mut tx = service.store.begin_write().await?;
            let next = review::review_next(&mut tx, clock, project, &self.language, self.origin.0, &after).await?;
            tx.commit().await?;
            let Some((count, last)) = next else { return Ok(format!("{reviewed} reviewed")) };
            (reviewed, after) = (reviewed + count, last);
        }
    }
}

/// One translation for people, without line breaks and escapes of terminals.
fn line(row: &Unreviewed) -> String {
    let (name, origin) = (row.name.escape_debug(), row.origin);
    format!("{name}  {origin}  {:?} -> {:?}", shown(&row.source.0), shown(&row.content.0))
}

/// A content as one text; of a plural its form `other`.
fn shown(content: &Content) -> &str {
    content.other().unwrap_or_default()
}
