//! The list of settings, read from their declaration.

use std::fmt::Write as _;
use std::sync::LazyLock;

use confique::Config as _;
use confique::meta::{Expr, Field, FieldKind, LeafKind, Meta};

use super::sections::DeclaredSettings;

/// A setting as flags, environment, `--help` and the example file show it.
#[derive(Debug)]
pub(super) struct Setting {
    /// Section and name, as in `limits.requests_per_minute`.
    pub(super) path: String,
    /// Lines of its documentation.
    pub(super) doc: &'static [&'static str],
    /// Its default, which also tells its type.
    pub(super) default: Expr,
}

/// All settings that a flag can state, in the order of their declaration.
pub(super) static SETTINGS: LazyLock<Vec<Setting>> = LazyLock::new(|| list(&DeclaredSettings::META));

fn list(meta: &'static Meta) -> Vec<Setting> {
    fn collect(prefix: &str, meta: &'static Meta, into: &mut Vec<Setting>) {
        for Field { name, doc, kind } in meta.fields {
            let path = format!("{prefix}{name}");
            match kind {
                FieldKind::Nested { meta } => collect(&format!("{path}."), meta, into),
                // A table of its own, such as the plans, is for the file alone.
                FieldKind::Leaf { kind: LeafKind::Required { default: Some(Expr::Map(_)) }, .. } => {}
                FieldKind::Leaf { kind: LeafKind::Required { default: Some(default) }, .. } => {
                    into.push(Setting { path, doc, default: *default });
                }
                // Every setting has a default, if only an empty one: it is shown in the example file.
                FieldKind::Leaf { .. } => {}
            }
        }
    }
    let mut settings = Vec::new();
    collect("", meta, &mut settings);
    settings
}

impl Setting {
    /// Its flag without the dashes.
    pub(super) fn flag(&self) -> String {
        self.path.replace(['.', '_'], "-")
    }

    /// Its environment variable.
    pub(super) fn variable(&self) -> String {
        format!("L10N_SERVER_{}", self.path.replace('.', "_").to_uppercase())
    }

    /// The first sentence of its documentation, and its default.
    pub(super) fn help(&self) -> String {
        let doc = paragraph(self.doc);
        let sentence = doc.split_once(". ").map_or(doc.as_str(), |(first, _)| first).trim_end_matches('.');
        let default = match self.default {
            Expr::Str("") | Expr::Array([]) => "none".to_owned(),
            Expr::Str(text) => text.to_owned(),
            other => literal(&other),
        };
        format!("{sentence} [default: {default}]")
    }

    /// The placeholder for its value.
    pub(super) fn value_name(&self) -> String {
        let last = self.path.rsplit(['.', '_']).next().unwrap_or_default().to_uppercase();
        match self.default {
            Expr::Integer(_) if matches!(last.as_str(), "BYTES" | "DAYS" | "SECONDS") => last,
            Expr::Integer(_) => "N".to_owned(),
            Expr::Array(_) => format!("{last},…"),
            _ => last,
        }
    }
}

/// Lines of documentation as one text.
pub(super) fn paragraph(doc: &[&str]) -> String {
    doc.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ").trim().to_owned()
}

/// A default as TOML writes it.
pub(super) fn literal(default: &Expr) -> String {
    match default {
        Expr::Str(text) => toml::Value::from(*text).to_string(),
        Expr::Integer(number) => number.to_string(),
        Expr::Bool(flag) => flag.to_string(),
        Expr::Array(values) => {
            let mut text = String::from("[");
            for (at, value) in values.iter().enumerate() {
                let _ = write!(text, "{}{}", if at == 0 { "" } else { ", " }, literal(value));
            }
            text + "]"
        }
        other => format!("{other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use confique::Config;

    use super::*;

    #[derive(Config)]
    #[expect(dead_code, reason = "only its declaration is read")]
    struct Example {
        /// Name of the thing. It has further sentences.
        #[config(default = "")]
        name: String,
        #[config(nested)]
        section: Section,
    }

    #[derive(Config)]
    #[expect(dead_code, reason = "only its declaration is read")]
    struct Section {
        /// Seconds until
        /// it ends.
        #[config(default = 60)]
        timeout_seconds: u32,
        /// Networks.
        #[config(default = [])]
        allowed_networks: Vec<String>,
    }

    #[test]
    fn a_declaration_is_all_that_a_setting_needs() {
        let settings = list(&Example::META);
        let shown = |setting: &Setting| {
            [setting.flag(), setting.variable(), setting.value_name(), setting.help(), literal(&setting.default)]
                .join(" | ")
        };
        assert_eq!(
            settings.iter().map(shown).collect::<Vec<_>>(),
            [
                "name | L10N_SERVER_NAME | NAME | Name of the thing [default: none] | \"\"",
                "section-timeout-seconds | L10N_SERVER_SECTION_TIMEOUT_SECONDS | SECONDS | Seconds until it ends [default: 60] | 60",
                "section-allowed-networks | L10N_SERVER_SECTION_ALLOWED_NETWORKS | NETWORKS,… | Networks [default: none] | []",
            ]
        );
    }
}
