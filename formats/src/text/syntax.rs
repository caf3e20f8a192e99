//! The syntax of a text: which of its characters are placeholders, and which are words.

use l10n_api_types::FormatId;

/// The syntax of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Syntax {
    /// Any of the others, since nothing says which one: all that could be a placeholder is one.
    #[default]
    Mixed,
    /// No placeholders.
    Plain,
    /// ICU MessageFormat.
    Icu,
    /// i18next. Plug-ins add the syntax of ICU, `printf` and others, so that it has the placeholders of [`Syntax::Mixed`].
    I18next,
    /// Ruby's I18n: `%{name}`.
    Ruby,
    /// The family of C's `printf`.
    Printf(Printf),
    /// Names or numbers between braces.
    Brace(Brace),
    /// Laravel: `:name`, and forms of a plural between `|`.
    Laravel,
    /// vue-i18n: `{name}`, `@:key`, `{'@'}`, and forms of a plural between `|`.
    Vue,
    /// Fluent: `{ $name }`.
    Fluent,
    /// Extensions of Chrome: `$NAME$`.
    Chrome,
    /// Go's templates: `{{.Name}}`.
    GoTemplate,
}

/// The flavours of `printf`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Printf {
    /// `%s`, `%1$s`, `%ld`, `%.*f`.
    C,
    /// `%@` in addition, and `%#@name@`.
    Objc,
    /// `%n`, `%b`, `%h` and `%tY` in addition.
    Java,
    /// `%(name)s` in addition.
    Python,
    /// `%s`, `%1$s`, `%b`, and `'` before a character that fills.
    Php,
    /// `%{name}`, `%<name>.2f` in addition.
    Ruby,
    /// `%1`, `%L1`, `%n`.
    Qt,
}

/// The flavours of braces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Brace {
    /// `{}`, `{name!r:>10}`, `{items[0]}`; `{{` is a brace.
    Python,
    /// `{0:N2}`, `{0:dd MMM}`; `{{` is a brace.
    CSharp,
    /// `{0,number}`; apostrophes quote.
    JavaMessage,
    /// `{name}` alone, with no way to write a brace.
    Named,
}

impl Syntax {
    /// Every syntax, with its name.
    const NAMES: [(Self, &'static str); 21] = [
        (Self::Mixed, "mixed"),
        (Self::Plain, "plain"),
        (Self::Icu, "icu"),
        (Self::I18next, "i18next"),
        (Self::Ruby, "ruby"),
        (Self::Printf(Printf::C), "c"),
        (Self::Printf(Printf::Objc), "objc"),
        (Self::Printf(Printf::Java), "java"),
        (Self::Printf(Printf::Python), "python"),
        (Self::Printf(Printf::Php), "php"),
        (Self::Printf(Printf::Ruby), "ruby_printf"),
        (Self::Printf(Printf::Qt), "qt"),
        (Self::Brace(Brace::Python), "python_brace"),
        (Self::Brace(Brace::CSharp), "csharp"),
        (Self::Brace(Brace::JavaMessage), "java_message"),
        (Self::Brace(Brace::Named), "named"),
        (Self::Laravel, "laravel"),
        (Self::Vue, "vue"),
        (Self::Fluent, "fluent"),
        (Self::Chrome, "chrome"),
        (Self::GoTemplate, "go_template"),
    ];

    /// Every syntax.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::NAMES.iter().map(|(syntax, _)| *syntax)
    }

    /// The syntax of texts of a format that say nothing themselves.
    #[must_use]
    pub const fn of_format(format: FormatId) -> Self {
        match format {
            // Their files are used with many libraries.
            FormatId::Json
            | FormatId::Arb
            | FormatId::Gettext
            | FormatId::Csv
            | FormatId::Properties
            | FormatId::Ini
            | FormatId::Yaml
            | FormatId::Php
            | FormatId::Toml
            | FormatId::Xliff1
            | FormatId::Xliff2 => Self::Mixed,
            FormatId::QtTs => Self::Printf(Printf::Qt),
            FormatId::Fluent => Self::Fluent,
            FormatId::I18next => Self::I18next,
            FormatId::FormatJs => Self::Icu,
            FormatId::Docusaurus => Self::Brace(Brace::Named),
            FormatId::LaravelJson => Self::Laravel,
            FormatId::Chrome => Self::Chrome,
            FormatId::AppleStrings | FormatId::AppleStringsdict | FormatId::Xcstrings => Self::Printf(Printf::Objc),
            FormatId::Android => Self::Printf(Printf::Java),
            FormatId::Resx => Self::Brace(Brace::CSharp),
        }
    }

    /// The syntax that a flag of a gettext entry names, such as `python-format` and `no-c-format`.
    #[must_use]
    pub fn of_flag(flag: &str) -> Option<Self> {
        Some(match flag {
            "c-format"
            | "objc-format"
            | "gcc-internal-format"
            | "gfc-internal-format"
            | "javascript-format"
            | "perl-format"
            | "lua-format"
            | "awk-format"
            | "tcl-format"
            | "object-pascal-format"
            | "boost-format" => Self::Printf(if flag == "objc-format" { Printf::Objc } else { Printf::C }),
            "java-printf-format" => Self::Printf(Printf::Java),
            "java-format" => Self::Brace(Brace::JavaMessage),
            "python-format" => Self::Printf(Printf::Python),
            "python-brace-format" | "perl-brace-format" | "rust-format" | "c++-format" => Self::Brace(Brace::Python),
            "csharp-format" => Self::Brace(Brace::CSharp),
            "php-format" => Self::Printf(Printf::Php),
            "qt-format" | "qt-plural-format" | "kde-format" | "kde-kuit-format" => Self::Printf(Printf::Qt),
            "ruby-format" => Self::Printf(Printf::Ruby),
            _ if flag.starts_with("no-") && flag.ends_with("-format") => Self::Plain,
            _ => return None,
        })
    }

    /// Its name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        Self::NAMES.iter().find(|(syntax, _)| *syntax == self).map_or("mixed", |(_, name)| name)
    }

    /// The syntax of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(_, known)| *known == name).map(|(syntax, _)| *syntax)
    }

    /// Returns whether plurals and selects of ICU are read in its texts.
    #[must_use]
    pub const fn has_choices(self) -> bool {
        matches!(self, Self::Mixed | Self::Icu | Self::I18next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_syntax_has_a_name_of_its_own() {
        for syntax in Syntax::all() {
            assert_eq!(Syntax::named(syntax.as_str()), Some(syntax));
        }
        assert_eq!(Syntax::named("klingon"), None);
    }

    #[test]
    fn flags_of_gettext_name_a_syntax_and_others_do_not() {
        assert_eq!(Syntax::of_flag("python-format"), Some(Syntax::Printf(Printf::Python)));
        assert_eq!(Syntax::of_flag("objc-format"), Some(Syntax::Printf(Printf::Objc)));
        assert_eq!(Syntax::of_flag("no-c-format"), Some(Syntax::Plain));
        for flag in ["fuzzy", "no-wrap", "max-length:20", ""] {
            assert_eq!(Syntax::of_flag(flag), None, "{flag}");
        }
    }
}
