//! A badge: the verdict of a result as a small picture.

use maud::{Markup, html};

use super::RunResult;

/// Width of a character at this size, on average, in pixels.
const CHARACTER: usize = 7;

/// The left side.
const LABEL: &str = "l10n API";

/// The verdict as SVG.
#[must_use]
pub fn badge(result: &RunResult) -> String {
    let label = format!("{LABEL} {}", result.specification.version);
    let (left, right) = (width(&label), width(&result.summary));
    let (all, title) = (left + right, format!("{label}: {}", result.summary));
    let svg: Markup = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(all) height="20" role="img" aria-label=(title) {
            title { (title) }
            rect width=(all) height="20" rx="3" fill="#555" {}
            rect x=(left) width=(right) height="20" rx="3" fill=(color(&result.verdict)) {}
            g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" {
                text x=(left / 2) y="14" { (label) }
                text x=(left + right / 2) y="14" { (result.summary) }
            }
        }
    };
    svg.into_string() + "\n"
}

fn width(text: &str) -> usize {
    text.chars().count() * CHARACTER + 10
}

/// Green for what is conformant, amber for what is not verified, red for what deviates, and grey for no verdict.
fn color(verdict: &str) -> &'static str {
    match verdict {
        "conformant" => "#12805c",
        "partial" | "incomplete" | "incomplete_as_expected" | "selection_passed" => "#a86200",
        "non_conformant" | "non_conformant_as_expected" => "#c42b3a",
        _ => "#75808e",
    }
}
