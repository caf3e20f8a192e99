//! `l10n review list`: the translations that are held back, with the reasons. Changes nothing.
//!
//! Calls `translations::get`.

use l10n_client::api::translations::{GetQuery, KeyDetail};
use l10n_client::api::{Issue, LanguageCode, Origin, Plural, Severity, State, Timestamp, Translation};
use serde::Serialize;

use crate::args::{ListReviewArgs, ReviewArgs, ReviewCommand};
use crate::context::Context;
use crate::error::{CliError, Doing as _};
use crate::exit::ExitStatus;
use crate::session::Session;
use crate::words::{counted, shortened};

#[derive(Serialize)]
struct Review {
    translations: Vec<HeldTranslation>,
}

/// A translation that is held back.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct HeldTranslation {
    r#ref: String,
    language: LanguageCode,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(flatten)]
    says: TextFields,
    source: TextFields,
    issues: Vec<Issue>,
    origin: Option<Origin>,
    updated_at: Option<Timestamp>,
}

#[derive(Serialize)]
struct TextFields {
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plural: Option<Plural>,
}

impl TextFields {
    /// A line for each text.
    fn lines(&self) -> Vec<String> {
        let text = self.text.iter().map(|text| shortened(text));
        let forms = self.plural.iter().flat_map(|plural| plural.forms.iter());
        text.chain(forms.map(|(category, text)| format!("{category}: {}", shortened(text)))).collect()
    }
}

pub(crate) async fn review(context: &Context, args: ReviewArgs) -> Result<ExitStatus, CliError> {
    match args.command.unwrap_or_else(|| ReviewCommand::List(ListReviewArgs::default())) {
        ReviewCommand::List(args) => list(context, &args).await,
    }
}

async fn list(context: &Context, args: &ListReviewArgs) -> Result<ExitStatus, CliError> {
    let session = Session::open(context).await?;
    let languages: Vec<Option<&str>> = match &args.languages[..] {
        [] => vec![None],
        languages => languages.iter().map(|code| Some(code.as_str())).collect(),
    };
    let mut held: Vec<HeldTranslation> = Vec::new();
    for language in languages {
        let query =
            GetQuery { state: Some(State::NeedsReview), language: language.map(Into::into), ..GetQuery::default() };
        let keys = session
            .project
            .translations()
            .list_all(query)
            .await
            .doing("reading the translations that are held back")?;
        held.extend(keys.into_iter().flat_map(of_key));
    }
    held.sort_by(|a, b| (a.language.as_str(), &a.r#ref).cmp(&(b.language.as_str(), &b.r#ref)));
    let printer = &context.printer;
    for one in &held {
        printer.line(format!("{} {}", one.language, one.r#ref));
        one.says.lines().iter().for_each(|line| printer.line(format!("  {line}")));
        let errors: Vec<&Issue> = one.issues.iter().filter(|issue| issue.severity == Severity::Error).collect();
        for issue in &errors {
            printer.line(format!("  {}: {}", issue.check, issue.message));
        }
        if errors.is_empty() {
            printer.line("  waits for a person's review");
        }
    }
    match held.len() {
        0 => printer.done("No translation is held back"),
        count => printer.note(format!(
            "{} held back, and in no version. Fix the texts in their files and import them again with `l10n import`.",
            counted(count as u64, "translation")
        )),
    }
    printer.json(&Review { translations: held });
    Ok(ExitStatus::Success)
}

fn of_key(key: KeyDetail) -> Vec<HeldTranslation> {
    let KeyDetail { r#ref, text, plural, file, translations, .. } = key;
    let held = |translation: Translation| HeldTranslation {
        r#ref: r#ref.clone(),
        language: translation.language,
        file: file.clone(),
        says: TextFields { text: translation.text, plural: translation.plural },
        source: TextFields { text: text.clone(), plural: plural.clone() },
        issues: translation.issues,
        origin: translation.origin,
        updated_at: translation.updated_at,
    };
    translations.into_iter().filter(|translation| translation.state == State::NeedsReview).map(held).collect()
}
