//! The language in a path.

use l10n_formats::files::Habits;
use l10n_formats::locales::is_tag_like;
use l10n_formats::template::Spelling;

/// Languages of ISO 639-1 and a few others. Common folder names such as `lib` or `src` are not in the list.
const LANGUAGES: &str = " aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv \
    dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik in io is it iu iw \
    ja ji jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne \
    ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv \
    sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu ast ckb fil haw kab yue ";

/// Finds the language in a path and returns it with the path in which a placeholder replaces it: in a folder as the habit has
/// it (`values-de`), or as [`split_anywhere`] does.
pub(super) fn split(path: &str, habits: &Habits) -> Option<(String, String)> {
    in_folder(path, habits).or_else(|| split_anywhere(path, habits.spelling))
}

/// The language in the name of a folder that is more than the language.
fn in_folder(path: &str, habits: &Habits) -> Option<(String, String)> {
    let folder = habits.folder?;
    let (folders, name) = path.rsplit_once('/')?;
    let mut parts: Vec<&str> = folders.split('/').collect();
    let (at, language) = parts.iter().enumerate().rev().find_map(|(at, part)| {
        let inside = part.strip_prefix(folder.before)?.strip_suffix(folder.after)?;
        Some((at, habits.spelling.read(inside).filter(|tag| is_language(tag))?))
    })?;
    let with_placeholder = format!("{}{}{}", folder.before, habits.spelling.placeholder(), folder.after);
    if let Some(part) = parts.get_mut(at) {
        *part = &with_placeholder;
    }
    Some((language, format!("{}/{name}", parts.join("/"))))
}

/// Finds the language in a path. It may be the whole file name, its end (`app_en.arb`, `messages.en.json`), or a folder.
pub(super) fn split_anywhere(path: &str, spelling: Spelling) -> Option<(String, String)> {
    let (folder, name) = path.rsplit_once('/').map_or(("", path), |(folder, name)| (folder, name));
    let (stem, extension) = name.rsplit_once('.')?;
    let folder_slash = if folder.is_empty() { String::new() } else { format!("{folder}/") };
    if is_language(stem) {
        let placeholder = placeholder(stem, spelling);
        return Some((stem.to_owned(), format!("{folder_slash}{placeholder}.{extension}")));
    }
    for (at, _) in stem.match_indices(['_', '-', '.']) {
        let (head, tail) = (&stem[..=at], &stem[at + 1..]);
        if is_language(tail) {
            let placeholder = placeholder(tail, spelling);
            return Some((tail.to_owned(), format!("{folder_slash}{head}{placeholder}.{extension}")));
        }
    }
    let mut parts: Vec<&str> = folder.split('/').collect();
    let at = parts.iter().rposition(|part| is_language(part))?;
    let part = parts.get_mut(at)?;
    let language = *part;
    *part = placeholder(language, spelling);
    Some((language.to_owned(), format!("{}/{name}", parts.join("/"))))
}

/// The habit of the format, or what the language itself shows.
fn placeholder(language: &str, spelling: Spelling) -> &'static str {
    match spelling {
        Spelling::Bcp47 if language.contains('_') => Spelling::Underscore.placeholder(),
        spelling => spelling.placeholder(),
    }
}

/// Returns true if a text is the tag of a language that programs are translated into.
pub(super) fn is_language(text: &str) -> bool {
    let primary = text.split(['-', '_']).next().unwrap_or_default();
    is_tag_like(text)
        && primary.chars().all(|c| c.is_ascii_lowercase())
        && LANGUAGES.contains(&format!(" {primary} "))
        && text.split(['-', '_']).skip(1).all(|part| matches!(part.len(), 2..=4))
}

/// The language without script, region and variants.
pub(super) fn primary(tag: &str) -> &str {
    tag.split(['-', '_']).next().unwrap_or(tag)
}
