//! The frameworks of a folder, by the files that declare them, and the language in which they say that sources are.

use std::cmp::Reverse;

use l10n_client::api::FormatId;
use serde_json::Value;

use super::language::is_language;

/// A framework that a file declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Framework {
    pub(super) name: &'static str,
    /// The path of the file that declares it.
    pub(super) marker: String,
    /// The folder in which it counts; empty for all.
    pub(super) folder: String,
    /// The formats of its files.
    pub(super) formats: &'static [FormatId],
    /// The language of its sources, as the file spells it.
    pub(super) base: Option<String>,
}

/// A file that declares a framework.
struct Rule {
    name: &'static str,
    formats: &'static [FormatId],
    /// The names of the file, or the ends of its path; `*.csproj` for any file of an extension.
    files: &'static [&'static str],
    /// Words of which the file has one, or packages of which `package.json` or `composer.json` has one; none if the file alone
    /// is enough.
    says: &'static [&'static str],
    /// The words after which it says the language.
    base: &'static [&'static str],
}

const JAVASCRIPT: &[&str] = &["package.json"];
const CONFIGURED: &[&str] = &["defaultLocale", "fallbackLng", "sourceLocale"];
const GRADLE: &[&str] = &["build.gradle", "build.gradle.kts"];

/// Files that declare a whole program: what stands below counts for all of it.
const PROGRAMS: [&str; 12] = [
    "package.json",
    "angular.json",
    "composer.json",
    "Gemfile",
    "manage.py",
    "pyproject.toml",
    "Cargo.toml",
    "pubspec.yaml",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "CMakeLists.txt",
];

const RULES: &[Rule] = &[
    rule("i18next", &[FormatId::I18next], JAVASCRIPT, &["i18next", "next-i18next", "react-i18next"], &[]),
    rule("FormatJS", &[FormatId::FormatJs], JAVASCRIPT, &["react-intl", "@formatjs/intl", "@formatjs/cli"], &[]),
    rule("vue-i18n", &[FormatId::Json], JAVASCRIPT, &["vue-i18n", "@nuxtjs/i18n", "nuxt-i18n", "petite-vue-i18n"], &[]),
    rule("next-intl", &[FormatId::Json], JAVASCRIPT, &["next-intl", "use-intl"], &[]),
    rule(
        "ngx-translate",
        &[FormatId::Json],
        JAVASCRIPT,
        &["@ngx-translate/core", "@jsverse/transloco", "@ngneat/transloco"],
        &[],
    ),
    rule("Docusaurus", &[FormatId::Docusaurus], JAVASCRIPT, &["@docusaurus/core"], &[]),
    rule(
        "Docusaurus",
        &[FormatId::Docusaurus],
        &["docusaurus.config.js", "docusaurus.config.ts", "docusaurus.config.mjs"],
        &[],
        CONFIGURED,
    ),
    rule("next-i18next", &[FormatId::I18next], &["next-i18next.config.js", "next-i18next.config.mjs"], &[], CONFIGURED),
    rule(
        "Next.js",
        &[FormatId::I18next, FormatId::Json],
        &["next.config.js", "next.config.mjs", "next.config.ts"],
        CONFIGURED,
        CONFIGURED,
    ),
    rule("next-intl", &[FormatId::Json], &["i18n/routing.ts", "i18n/routing.js"], CONFIGURED, CONFIGURED),
    rule("Nuxt", &[FormatId::Json], &["nuxt.config.ts", "nuxt.config.js"], CONFIGURED, CONFIGURED),
    rule(
        "i18next",
        &[FormatId::I18next],
        &["i18n.js", "i18n.ts", "i18n/index.ts", "i18n/index.js"],
        &["i18next"],
        CONFIGURED,
    ),
    rule("Angular", &[FormatId::Xliff1, FormatId::Xliff2], &["angular.json"], &[], CONFIGURED),
    rule("browser extension", &[FormatId::Chrome], &["manifest.json"], &["\"manifest_version\""], &["default_locale"]),
    rule("Android", &[FormatId::Android], GRADLE, &["com.android", "plugins.android", "android {"], &[]),
    rule("Android", &[FormatId::Android], &["AndroidManifest.xml"], &[], &[]),
    rule(
        "Android",
        &[FormatId::Android],
        &["res/resources.properties"],
        &["unqualifiedResLocale"],
        &["unqualifiedResLocale"],
    ),
    rule("Java", &[FormatId::Properties], &["pom.xml", "build.gradle", "build.gradle.kts", "build.sbt"], &[], &[]),
    rule("Flutter", &[FormatId::Arb], &["pubspec.yaml"], &["flutter", "intl"], &[]),
    rule("Flutter", &[FormatId::Arb], &["l10n.yaml"], &[], &["template-arb-file"]),
    rule("Xcode", APPLE, &[".xcodeproj/project.pbxproj"], &[], &["developmentRegion"]),
    rule("Swift package", APPLE, &["Package.swift"], &["defaultLocalization"], &["defaultLocalization"]),
    rule("Rails", &[FormatId::Yaml], &["Gemfile", "*.gemspec"], &["rails", "i18n"], &[]),
    rule("Rails", &[FormatId::Yaml], &["config/application.rb"], &[], &["default_locale"]),
    rule("Laravel", PHP, &["composer.json"], &["laravel/framework", "illuminate/translation"], &[]),
    rule("Laravel", PHP, &["config/app.php"], &["'locale'"], &["'locale'"]),
    rule("Symfony", SYMFONY, &["composer.json"], &["symfony/translation", "symfony/framework-bundle"], &[]),
    rule("Symfony", SYMFONY, &["config/packages/translation.yaml"], &[], &["default_locale"]),
    rule(".NET", &[FormatId::Resx], &["*.csproj", "*.vbproj", "*.fsproj"], &[], &["NeutralLanguage"]),
    rule("Django", &[FormatId::Gettext], &["manage.py"], &["django"], &[]),
    rule("Django", &[FormatId::Gettext], &["settings.py", "settings/base.py"], &["LANGUAGE_CODE"], &["LANGUAGE_CODE"]),
    rule("gettext", &[FormatId::Gettext], &["po/POTFILES", "po/POTFILES.in", "po/LINGUAS", "babel.cfg"], &[], &[]),
    rule("Qt", &[FormatId::QtTs], &["CMakeLists.txt", "*.pro"], &["Qt", "TRANSLATIONS"], &[]),
    rule("Fluent", &[FormatId::Fluent], &["Cargo.toml"], &["fluent"], &[]),
    rule("Fluent", &[FormatId::Fluent], &["i18n.toml"], &[], &["fallback_language"]),
    rule("Hugo", &[FormatId::Toml, FormatId::Yaml], &["hugo.toml", "hugo.yaml"], &[], &["defaultContentLanguage"]),
];

const APPLE: &[FormatId] = &[FormatId::AppleStrings, FormatId::AppleStringsdict, FormatId::Xcstrings, FormatId::Xliff1];
const PHP: &[FormatId] = &[FormatId::Php, FormatId::LaravelJson];
const SYMFONY: &[FormatId] = &[FormatId::Xliff1, FormatId::Xliff2, FormatId::Yaml, FormatId::Php];

const fn rule(
    name: &'static str,
    formats: &'static [FormatId],
    files: &'static [&'static str],
    says: &'static [&'static str],
    base: &'static [&'static str],
) -> Rule {
    Rule { name, formats, files, says, base }
}

impl Framework {
    /// Returns true if it counts for a path.
    pub(super) fn covers(&self, path: &str) -> bool {
        is_below(&self.folder, path)
    }

    /// Returns true if it has files of the format there.
    pub(super) fn has(&self, format: FormatId, path: &str) -> bool {
        self.formats.contains(&format) && self.covers(path)
    }
}

/// Returns true if a path lies below a folder; an empty one has all of them.
fn is_below(folder: &str, path: &str) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// Those of the frameworks that are `wanted`, those of inner folders first.
pub(super) fn inner_first(frameworks: &[Framework], wanted: impl Fn(&Framework) -> bool) -> Vec<&Framework> {
    let mut found: Vec<&Framework> = frameworks.iter().filter(|framework| wanted(framework)).collect();
    found.sort_by_key(|framework| Reverse(framework.folder.len()));
    found
}

/// Returns true if a file of this path may declare a framework.
pub(super) fn is_marker(path: &str) -> bool {
    RULES.iter().any(|rule| rule.folder_of(path).is_some())
}

/// The frameworks that a file declares.
pub(super) fn declared(path: &str, text: &str) -> Vec<Framework> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let packages = matches!(name, "package.json" | "composer.json").then(|| packages(text));
    let says = |word: &&str| match &packages {
        Some(packages) => packages.iter().any(|package| package == word),
        None => text.contains(word),
    };
    let found = RULES.iter().filter_map(|rule| {
        let folder = rule.folder_of(path)?.to_owned();
        let base = rule.base.iter().find_map(|word| language_after(text, word));
        let is_it = rule.says.is_empty() || rule.says.iter().any(says);
        is_it.then(|| Framework { name: rule.name, marker: path.to_owned(), folder, formats: rule.formats, base })
    });
    found.collect()
}

/// Lets what a file in a program says count for the whole program.
pub(super) fn widen(frameworks: &mut [Framework]) {
    let is_program = |marker: &str| PROGRAMS.contains(&marker.rsplit('/').next().unwrap_or(marker));
    let mut programs: Vec<String> = frameworks
        .iter()
        .filter(|framework| is_program(&framework.marker))
        .map(|framework| framework.folder.clone())
        .collect();
    programs.sort_by_key(|folder| Reverse(folder.len()));
    programs.dedup();
    for framework in frameworks.iter_mut() {
        let around = |folder: &&String| framework.folder == **folder || is_below(folder, &framework.folder);
        if let Some(folder) = programs.iter().find(around) {
            framework.folder.clone_from(folder);
        }
    }
}

impl Rule {
    /// The folder in which a file of the rule counts; `None` if the path is not that of one.
    fn folder_of<'p>(&self, path: &'p str) -> Option<&'p str> {
        self.files.iter().find_map(|file| {
            let end = file.strip_prefix('*').unwrap_or(file);
            let before = path.strip_suffix(end)?;
            // `App.xcodeproj/…` and `*.csproj` are named by the end of a name.
            let whole = end.starts_with('.') || before.is_empty() || before.ends_with('/');
            let folder =
                if end.starts_with('.') { before.rsplit_once('/').map_or("", |(folder, _)| folder) } else { before };
            whole.then(|| folder.trim_end_matches('/'))
        })
    }
}

/// The packages that a `package.json` or `composer.json` asks for.
fn packages(text: &str) -> Vec<String> {
    const LISTS: [&str; 6] =
        ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies", "require", "require-dev"];
    let Ok(Value::Object(file)) = serde_json::from_str::<Value>(text) else { return Vec::new() };
    let lists = LISTS.iter().filter_map(|list| file.get(*list)?.as_object());
    lists.flat_map(|list| list.keys().cloned()).collect()
}

/// The first language that stands after a word in its line: `defaultLocale: 'en'`, `default_locale = :en`, `<NeutralLanguage>en`.
fn language_after(text: &str, word: &str) -> Option<String> {
    let is_comment = |line: &str| ["//", "#", "*", "/*", "<!--"].iter().any(|mark| line.trim_start().starts_with(mark));
    text.lines().filter(|line| !is_comment(line)).find_map(|line| {
        let (before, after) = line.split_once(word)?;
        let is_whole = !before.ends_with(is_part) && !after.starts_with(is_part);
        let mut words = after.split(|c| !is_part(c)).map(tag_in);
        is_whole.then(|| words.find_map(|tag| tag))?
    })
}

/// The language that a word is, or that the name of a file ends with: `app_en` of `app_en.arb`.
fn tag_in(word: &str) -> Option<String> {
    let as_tag = |text: &str| {
        let (language, rest) = text.split_once(['-', '_']).map_or((text, ""), |(language, rest)| (language, rest));
        let tag = if rest.is_empty() { text.to_owned() } else { format!("{language}-{}", rest.to_uppercase()) };
        is_language(text).then(|| l10n_formats::locales::canonicalize(&tag).unwrap_or(tag))
    };
    as_tag(word).or_else(|| word.match_indices('_').find_map(|(at, _)| as_tag(&word[at + 1..])))
}

const fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bases(path: &str, text: &str) -> Vec<(&'static str, String, Option<String>)> {
        declared(path, text).into_iter().map(|found| (found.name, found.folder, found.base)).collect()
    }

    #[test]
    fn frameworks_say_the_language_of_their_sources() {
        for (path, text, name, folder, base) in [
            (
                "site/docusaurus.config.js",
                "  // defaultLocale: 'fr'\n  i18n: { defaultLocale: 'de' },",
                "Docusaurus",
                "site",
                "de",
            ),
            ("i18n.ts", "i18next.init({\n  fallbackLng: ['en-GB', 'en'],", "i18next", "", "en-GB"),
            (
                "ext/manifest.json",
                "{ \"manifest_version\": 3, \"default_locale\": \"pt_BR\" }",
                "browser extension",
                "ext",
                "pt-BR",
            ),
            (
                "app/src/main/res/resources.properties",
                "unqualifiedResLocale=en-US\n",
                "Android",
                "app/src/main",
                "en-US",
            ),
            ("l10n.yaml", "arb-dir: lib/l10n\ntemplate-arb-file: app_en.arb\n", "Flutter", "", "en"),
            (
                "ios/App.xcodeproj/project.pbxproj",
                "\t\t\tdevelopmentRegion = \"zh-Hans\";\n",
                "Xcode",
                "ios",
                "zh-Hans",
            ),
            ("Package.swift", "  defaultLocalization: \"en\",", "Swift package", "", "en"),
            ("shop/config/application.rb", "    config.i18n.default_locale = :nl\n", "Rails", "shop", "nl"),
            ("config/app.php", "    'locale' => env('APP_LOCALE', 'en'),\n", "Laravel", "", "en"),
            ("src/App/App.csproj", "    <NeutralLanguage>en-US</NeutralLanguage>\n", ".NET", "src/App", "en-US"),
            ("shop/settings.py", "# LANGUAGE_CODE = 'fr'\nLANGUAGE_CODE = 'en-us'\n", "Django", "shop", "en-US"),
            ("i18n.toml", "fallback_language = \"en-US\"\n", "Fluent", "", "en-US"),
        ] {
            assert_eq!(bases(path, text), [(name, folder.to_owned(), Some(base.to_owned()))], "{path}");
        }
    }

    #[test]
    fn packages_are_read_from_their_lists_alone() {
        let names = |text| bases("package.json", text).into_iter().map(|(name, ..)| name).collect::<Vec<_>>();
        assert_eq!(names("{\"name\": \"i18next\", \"keywords\": [\"react-intl\"]}"), [""; 0]);
        assert_eq!(
            names("{\"dependencies\": {\"i18next\": \"1\"}, \"devDependencies\": {\"@formatjs/cli\": \"1\"}}"),
            ["i18next", "FormatJS"]
        );
        for broken in ["", "{", "[]", "{\"dependencies\": 1}", &"[".repeat(100_000)] {
            assert_eq!(names(broken), [""; 0]);
        }
    }

    #[test]
    fn a_file_within_a_program_counts_for_all_of_it() {
        let mut found = declared("web/package.json", "{\"dependencies\": {\"next-intl\": \"1\"}}");
        found.extend(declared("web/src/i18n/routing.ts", "defaultLocale: 'en'"));
        found.extend(declared("api/settings.py", "LANGUAGE_CODE = 'de'"));
        widen(&mut found);
        let folders: Vec<&str> = found.iter().map(|framework| framework.folder.as_str()).collect();
        assert_eq!(folders, ["web", "web", "api"]);
        assert!(found[1].has(FormatId::Json, "web/messages/en.json") && !found[1].covers("webber/en.json"));
    }
}
