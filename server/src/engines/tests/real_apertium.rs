//! Apertium itself, with Debian's pair of English and Spanish. Where it is not installed these tests print SKIPPED, and fail
//! where `L10N_REQUIRE` contains `apertium`.

use std::time::Duration;

use super::super::Apertium;
use super::*;

fn apertium() -> Option<Apertium> {
    let engine = Apertium::new("apertium", "/usr/share/apertium/modes".as_ref(), Duration::from_secs(60));
    if engine.supports("en", "es") {
        return Some(engine);
    }
    let required = std::env::var("L10N_REQUIRE").is_ok_and(|required| required.contains("apertium"));
    assert!(!required, "Apertium is required by L10N_REQUIRE: install apertium and apertium-eng-spa");
    println!("SKIPPED: Apertium and its pair eng-spa are not installed");
    None
}

fn block<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(future)
}

fn translations(engine: &Apertium, sources: &[&str]) -> Vec<String> {
    let units: Vec<_> = sources.iter().map(|source| unit(text(source))).collect();
    let results = block(translate_contents(engine, "en", "es", &units)).unwrap();
    let made = |result: Result<TranslatedContent, TranslationFailure>| match result.unwrap() {
        TranslatedContent { content: Content::Text(text), issues, .. } => {
            assert_eq!(errors(&issues), Vec::<&Issue>::new(), "{text}");
            text
        }
        other => panic!("{other:?}"),
    };
    results.into_iter().map(made).collect()
}

#[test]
fn it_translates_and_leaves_placeholders_tags_and_signs_where_they_belong() {
    let Some(engine) = apertium() else { return };
    let sources = [
        "Save changes",
        "You have {count} new messages from <b>{name}</b>.",
        "It costs 5$ ~ [1] ^ \\ @home #1 * / {{x}} %1$s",
        "  Open the file\n\nand close it  ",
        "{n, plural, one {# file} other {# files}}",
        "Save changes",
    ];
    let texts = translations(&engine, &sources);
    assert_eq!(texts[0], "Salva cambios");
    assert_eq!(texts[5], texts[0]);
    assert!(texts[1].contains("<b>{name}</b>") && texts[1].contains("mensajes"), "{}", texts[1]);
    for sign in ["$", "~", "[1]", "^", "\\", "@", "#1", "*", "/", "{{x}}", "%1$s"] {
        assert!(texts[2].contains(sign), "{sign} in {}", texts[2]);
    }
    assert!(texts[3].starts_with("  ") && texts[3].ends_with("  ") && texts[3].contains("\n\n"), "{:?}", texts[3]);
    assert!(texts[4].contains("# "), "{}", texts[4]);
}

/// Nothing that a text has breaks the stream, or reaches another text.
#[test]
fn hostile_texts_come_back_one_by_one() {
    let Some(engine) = apertium() else { return };
    let hostile = [
        "^",
        "$",
        "^a/b<n>$",
        "[",
        "]",
        "[[t:b:1]]x[[/]]",
        "\\",
        "a\\",
        "{a^b$}",
        "\u{0}a\u{0}",
        "[]\n[][\n]",
        "*@#~+&",
        "é 日本 🎉",
    ];
    for signs in hostile {
        let units = [unit(text(&format!("save {signs} file"))), unit(text("Save changes"))];
        let results = block(translate_contents(&engine, "en", "es", &units)).unwrap();
        assert_eq!(results[1].as_ref().unwrap().content, text("Salva cambios"), "{signs:?}");
        match &results[0] {
            Ok(translated) => {
                assert!(!format!("{:?}", translated.content).contains("save"), "{:?}", translated.content)
            }
            // NUL comes back, and is not taken.
            Err(failure) if signs.contains('\0') => assert_eq!(failure.code(), "engine_refused"),
            Err(failure) => assert_eq!(failure.code(), "source_invalid", "{signs:?}"),
        }
    }
}

/// A pipe whose programs die is started anew, and the text that kills it fails alone.
#[cfg(unix)]
#[test]
fn a_pipe_that_dies_is_started_anew_and_only_the_text_that_kills_it_fails() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("echo-but-die");
    // Gives texts back, and dies at the one that tells it to. It is started with `-z` as its first argument.
    let script = "#!/usr/bin/perl\n$/ = \"\\0\"; $| = 1; while (<STDIN>) { exit 1 if /die/; print }\n";
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mode = format!("'{0}' | '{0}'", program.display());
    std::fs::write(folder.path().join("eng-spa.mode"), mode).unwrap();
    let engine = Apertium::new("apertium", folder.path(), Duration::from_secs(60));
    let units = ["a", "b {x}", "die", "c", "d"].map(|source| unit(text(source)));
    for _ in 0..2 {
        let results = block(translate_contents(&engine, "en", "es", &units)).unwrap();
        for (at, result) in results.iter().enumerate() {
            match result {
                Ok(translated) => assert_eq!(translated.content, units[at].content),
                Err(failure) => assert_eq!((at, failure.code()), (2, "engine_refused")),
            }
            assert_eq!(result.is_err(), at == 2);
        }
    }
}

/// Without modes it says what to install.
#[test]
fn without_modes_it_says_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Apertium::new("apertium", folder.path(), Duration::from_secs(60));
    assert!(engine.problem().unwrap().contains("install a pair of languages"));
    let units = [unit(text("a"))];
    let results = block(translate_contents(&engine, "en", "es", &units)).unwrap();
    assert_eq!(results[0].as_ref().unwrap_err().code(), "engine_refused");
}
