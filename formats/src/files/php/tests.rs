use std::io::Write as _;
use std::process::{Command, Stdio};

use l10n_api_types::{Content, FormatId, Plural, PluralCategory};

use crate::files::{DetectError, EditError, Edited, Entry, Format, by_id, detect};

fn php() -> &'static dyn Format {
    by_id(FormatId::Php)
}

fn text(text: &str) -> Content {
    Content::Text(text.to_owned())
}

/// `key = text`, one per line.
fn read(file: &str) -> String {
    let document = php().parse(file.as_bytes()).unwrap_or_else(|error| panic!("{error}: {file}"));
    let line = |entry: &Entry| match &entry.content {
        Content::Text(text) => format!("{} = {text}", entry.key),
        Content::Plural(_) => panic!("a plural"),
    };
    document.entries.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// A file of these lines in its array.
fn file(lines: &str) -> String {
    format!("<?php\n\nreturn [\n{lines}];\n")
}

fn refused(file: &str) -> String {
    php().parse(file.as_bytes()).unwrap_err().to_string()
}

fn rendered(file: &str, texts: &[(&str, &str)]) -> String {
    let document = php().parse(file.as_bytes()).unwrap();
    let said = |key: &str| texts.iter().find(|(name, _)| *name == key).map(|(_, said)| text(said));
    String::from_utf8(php().render(&document, "ru", &said)).unwrap()
}

/// The result of a merge, which can be read and which the next merge leaves.
fn merged(own: &str, published: &str) -> String {
    let merge =
        |own: &str| String::from_utf8(php().merge(own.as_bytes(), published.as_bytes()).unwrap().bytes).unwrap();
    let merged = merge(own);
    read(&merged);
    assert_eq!(merge(&merged), merged);
    merged
}

/// The value of one entry with another text, which is read again.
fn with(value: &str, said: &str) -> String {
    let out = rendered(&file(&format!("    'a' => {value},\n")), &[("a", said)]);
    assert_eq!(read(&out), format!("a = {said}"), "{out}");
    let (_, rest) = out.split_once(" => ").unwrap();
    rest.strip_suffix(",\n];\n").unwrap().to_owned()
}

/// Every construct of §6 once.
const ALL: &str = "<?php\r\n/** About the file */\r\ndeclare(strict_types=1);\r\nuse App\\Models\\{User};\r\n";

const TRAPS: &str = r#"<?php
// The file's own
declare(strict_types=1);
namespace App;
use App\User;

return array(
    /* About a */
    'a' => 'it\'s \\ \n',
    "b" => "x\n\t\$y\x41\u{e9}\101 \q",
    'c' => 'one ' . "two"
        . 'three', // why
    'd' => "Hello $name", 'd2' => "{$x['y']}", 'd3' => "${z}",
    'n' => 5,
    # 'old' => 'Old',
    'e' => <<<EOT
      first \$x
        second "q" \"
      EOT,
    'f' => <<<'EOT'
raw $x \n
EOT,
    'g' => [
        'h' => ['x', 'k' => 'y', 7 => 'z', 'w'],
        'i' => fn ($x) => ['not' => 'offered'],
        User::class => 'computed',
        'j' => true ? 'x' : 'y',
        12 => 'twelve',
        '08' => 'eight',
    ],
    'yii text. With a dot' => '',
    'l' => ['m' => 'one', 'n' => 'two'],
    'o' => __('x'), 'p' => null,
    'q' => [],
);
"#;

#[test]
fn texts_are_found_among_everything_else_that_an_array_holds() {
    // Two entries share a line: the file says so.
    assert!(refused(TRAPS).contains("share a line"), "{}", refused(TRAPS));
    let apart = TRAPS.replace(", 'd2'", ",\n    'd2'").replace(", 'd3'", ",\n    'd3'").replace(", 'p'", ",\n    'p'");
    insta::assert_snapshot!(read(&apart), @r#"
    a = it's \ \n
    b = x
    	$yAéA \q
    c = one twothree
    e = first $x
      second "q" \"
    f = raw $x \n
    g.h.0 = x
    g.h.k = y
    g.h.7 = z
    g.h.8 = w
    g.12 = twelve
    g.08 = eight
    yii text. With a dot = 
    l.m = one
    l.n = two
    "#);
    let document = php().parse(apart.as_bytes()).unwrap();
    let described: Vec<_> = document.entries.iter().filter_map(|entry| entry.description.as_deref()).collect();
    assert_eq!(described, ["About a"]);
    assert_eq!(read(&format!("{ALL}return [\r\n    'a' => 'x\r\ny',\r\n] ?>\r\n")), "a = x\ny");
    for empty in ["", "\n", "<?php return [];", "<?PHP\nreturn array();\n", "<?php return [ /* none */ ];"] {
        assert_eq!(read(empty), "");
    }
}

#[test]
fn a_changed_text_keeps_its_hand() {
    assert_eq!(with("'x'", "l'été \\ $y"), r"'l\'été \\ $y'");
    assert_eq!(with("'x'", "a\nb"), r#""a\nb""#);
    assert_eq!(with("'x\n  y'", "a\nb"), "'a\nb'");
    assert_eq!(with("\"x\"", "$5 and $y, {$z} \"q\" \\"), r#""$5 and \$y, {\$z} \"q\" \\""#);
    assert_eq!(with("'x' . \"y\"", "z"), "'z'");
    assert_eq!(with("<<<EOT\n  x\n  EOT", "a \"b\"\n\n  $c"), "<<<EOT\n  a \"b\"\n\n    \\$c\n  EOT");
    assert_eq!(with("<<<'E'\nx\nE", "$a\\n"), "<<<'E'\n$a\\n\nE");
    assert_eq!(with("<<<'E'\nx\nE", "a\n E."), r#""a\n E.""#);
    assert_eq!(with("<<<E\nx\nE", ""), "<<<E\n\nE");
    assert_eq!(with("'x'", "a\r\u{7}"), r#""a\r\u{7}""#);
}

#[test]
fn what_has_no_translation_goes_with_its_arrays_and_comments() {
    let source = file(
        "    // About a\n    'a' => 'A',\n    'b' => [\n        'c' => [\n            'd' => 'D',\n        ],\n        'e' => ['x', 'y'],\n    ],\n    'f' => [\n        'g' => 'G',\n        'h' => 1,\n    ],\n    'i' => 'I'\n",
    );
    assert_eq!(rendered(&source, &[]), file("    'f' => [\n        'h' => 1,\n    ],\n"));
    assert_eq!(
        rendered(&source, &[("a", "z"), ("b.e.0", "x")]),
        file("    // About a\n    'a' => 'z',\n    'f' => [\n        'h' => 1,\n    ],\n")
    );
}

#[test]
fn a_target_file_takes_what_is_new_where_it_belongs() {
    let published = file(
        "    'a' => [\n        'b' => 'B',\n        'm' => 'M',\n    ],\n    'new' => [\n        'deep' => [\n            'x' => 'X',\n        ],\n    ],\n    'days' => [\n        'Mon',\n        'Tue'\n    ],\n    'z' => 'Z',\n    'Not found. Sorry.' => 'N',\n",
    );
    let own = "<?php return array(\n\t'a' => array(\n\t\t'b' => 'old'\n\t),\n\t'z' => 'Z' // last\n);";
    assert_eq!(
        merged(own, &published),
        "<?php return array(\n\t'a' => array(\n\t\t'b' => 'B',\n\t\t'm' => 'M',\n\t),\n\t'new' => array(\n\t\t'deep' => array(\n\t\t\t'x' => 'X',\n\t\t),\n\t),\n\t'days' => [\n\t    'Mon',\n\t    'Tue'\n\t],\n\t'z' => 'Z', // last\n\t'Not found. Sorry.' => 'N',\n);"
            .replace("\t    'Mon',\n\t    'Tue'", "\t\t\t\t\t'Mon',\n\t\t\t\t\t'Tue'")
    );
    let one = file("    'a' => 'A',\n");
    for empty in ["<?php\n\nreturn [];\n", "<?php\n\nreturn [ ];\n", "<?php\n\nreturn [\n];\n"] {
        assert_eq!(merged(empty, &one), one);
    }
    assert_eq!(merged("\n", &one), one);
    assert_eq!(
        merged(&file("    'q' => [],\n"), &file("    'q' => [\n        'r' => 'R',\n    ],\n")),
        file("    'q' => [\n        'r' => 'R',\n    ],\n")
    );
    assert_eq!(
        merged(&file("    'd' => [\n      'a',\n    ],\n"), &file("    'd' => ['a', <<<E\nb\nE],\n")),
        file("    'd' => ['a', <<<E\nb\nE],\n")
    );
    assert_eq!(merged(&file("    'a' => 1,\n"), &one), file("    'a' => 1,\n"));
}

#[test]
fn single_texts_are_changed_added_renamed_and_removed() {
    let source = file("    'a' => [\n        'b' => 'B',\n    ],\n    'l' => ['x'],\n    'Some text.' => 'T',\n");
    let mut editor = php().editor(source.as_bytes()).unwrap();
    assert_eq!(editor.set("a.b", "B", "b"), Ok(Edited::Written));
    assert_eq!(editor.add("a.c.d", "D"), Ok(Edited::Written));
    assert_eq!(editor.add("Another text.", "A"), Ok(Edited::Written));
    assert_eq!(editor.rename("Some text.", "Other\\text.\\n"), Ok(Edited::Written));
    assert_eq!(editor.remove("l.0"), Err(EditError::InList("l.0".to_owned())));
    assert_eq!(editor.add("l.k", "K"), Err(EditError::Unwritable("l.k".to_owned())));
    let edited = String::from_utf8(editor.bytes()).unwrap();
    assert_eq!(read(&edited), "a.b = b\na.c.d = D\nl.0 = x\nOther\\text.\\n = T\nAnother text. = A");
}

#[test]
fn a_new_file_has_arrays_in_arrays_and_plurals_as_parts() {
    let forms = [
        (PluralCategory::One, "1"),
        (PluralCategory::Few, "2"),
        (PluralCategory::Many, "5"),
        (PluralCategory::Other, "x"),
    ];
    let forms = forms.map(|(category, text)| (category, text.to_owned())).into();
    let plural = Content::Plural(Plural { arg: "count".to_owned(), forms });
    let entries =
        [Entry::new("a.b", text("it's")), Entry::new("a.n", plural), Entry::new("Error. Try again.", text("E"))];
    assert_eq!(
        String::from_utf8(php().render_new("ru", &entries)).unwrap(),
        file(
            "    'a' => [\n        'b' => 'it\\'s',\n        'n' => '1|2|5',\n    ],\n    'Error. Try again.' => 'E',\n"
        )
    );
}

#[test]
fn other_code_and_broken_files_are_refused_with_their_place() {
    let deep = format!("<?php return [\n{}", "'a' => [\n".repeat(200));
    let said: Vec<_> = [
        "return [];",
        "<?php\n$lang['a'] = 'x';\n",
        "<?php\nif (true) { return []; }",
        "<?php\nreturn foo([]);",
        "<?php\nreturn ['a' => 'x'];",
        "<?php\nreturn [\n'x',\n];",
        "<?php\nreturn [\n'a' => 'x',\n] + [];",
        "<?php\nreturn [\n];\necho 1;",
        "<?php\nreturn [\n'a' => 'x',\n'a' => 'y',\n];",
        "<?php\nreturn [\n'a' => [\n'b' => 'x',\n],\n'a.b' => 'y',\n];",
        "<?php\nreturn [\n'a' => 'x",
        "<?php\nreturn [\n'a' => \"x",
        "<?php\nreturn [\n'a' => <<<E\nx\n",
        "<?php\nreturn [\n'a' => <<<E\nx\n  E,\n];",
        "<?php\nreturn [\n'a' => 'x',\n",
        "<?php\nreturn [\n'a' => ,\n];",
        "<?php\nreturn [\n/* x",
        "<?php\nreturn [\nnull => 'x',\n];",
        "<?php\nreturn [\n'a' => 'x' ?> ];",
        &deep,
    ]
    .map(refused)
    .into();
    insta::assert_snapshot!(said.join("\n"), @r"
    line 1, column 1: the file begins with `<?php`
    line 2, column 1: the file has no code but one array that it returns: `return [ … ];`
    line 2, column 1: the file has no code but one array that it returns: `return [ … ];`
    line 2, column 8: the file returns an array: `return [ … ];`
    line 2, column 9: two entries, or an entry and a bracket, share a line: give each its own
    line 3, column 1: this text has no key: write `'key' => 'text'`
    line 4, column 3: nothing but `;` follows the array that the file returns
    line 4, column 1: nothing follows the array that the file returns
    line 4, column 1: the key `a` is there twice, in line 3 with another value
    line 6, column 1: two texts have the key `a.b`: this one and the one in line 4; take one of them out
    line 3, column 8: the string is not closed
    line 3, column 8: the string is not closed
    line 3, column 8: the text ends with a line `E`, which is not there
    line 3, column 8: a line of the text is indented less than its end
    line 2, column 8: the array is not closed
    line 3, column 8: a key or a value is missing here
    line 3, column 1: the comment is not closed
    line 3, column 1: the key of this text, ``, is empty
    line 3, column 1: the array of this entry is not closed
    line 129, column 8: arrays lie more than 128 deep in each other
    ");
}

/// Found by fuzzing: whether such a file could be read hung on what stands before the entry, so that it could be written and
/// then not be read.
#[test]
fn what_computes_needs_no_key_and_a_text_does_wherever_it_stands() {
    for (first, then) in [("'a' => 'x'", "...more()"), ("...more()", "'a' => 'x'"), ("f('y')", "'a' => 'x'")] {
        let source = file(&format!("    {first},\n    {then},\n"));
        let document = php().parse(source.as_bytes()).unwrap();
        assert_eq!(document.entries.len(), 1, "{source}");
        let out = php().render(&document, "de", &|_| None);
        assert!(php().parse(&out).unwrap().entries.is_empty());
    }
    for nameless in ["'y'", "['y']"] {
        for source in [format!("    {nameless},\n    'a' => 'x',\n"), format!("    'a' => 'x',\n    {nameless},\n")] {
            let error = php().parse(file(&source).as_bytes()).unwrap_err();
            assert!(error.message.starts_with("this text has no key"), "{error}");
        }
    }
}

#[test]
fn names_say_the_format_where_the_content_can_be_it() {
    assert_eq!(detect("lang/en/auth.php", b"<?php return [];").map(|format| format.id()), Ok(FormatId::Php));
    assert!(matches!(detect("index.php", b"<?php echo 1;"), Err(DetectError::Unknown { .. })));
    assert!(matches!(detect("page.php", b"<html><?php return 1;"), Err(DetectError::Unknown { .. })));
    assert!(php().holds_texts(file("    'a' => 'x',\n    'n' => [],\n").as_bytes()));
    assert!(
        !php().holds_texts(file("    'name' => 'App',\n    'debug' => true,\n    'url' => env('URL'),\n").as_bytes())
    );
}

/// PHP itself reads the same texts, in a file and in what is written.
#[test]
fn php_agrees_on_keys_and_texts() {
    const PROGRAM: &str = "$f = function ($v, $p) use (&$f) { foreach ($v as $k => $x) { if (is_array($x)) { $f($x, $p . $k . '.'); } \
                           elseif (is_string($x)) { echo str_replace(\"\\r\\n\", \"\\n\", $p . $k . ' = ' . $x), \"\\n\"; } } }; $f(eval('?>' . stream_get_contents(STDIN)), '');";
    if Command::new("php").arg("--version").output().is_err() {
        eprintln!("SKIPPED: php is not installed");
        return;
    }
    let apart = file(
        "    'a' => 'it\\'s \\\\ \\n',\n    \"b\" => \"x\\t\\$y\\x41\\u{e9}\\101 \\q\\\"{\\$a\\e\",\n    'c' => 'one' . \"two\",\n    'e' => <<<EOT\n      a \\$x\n        \"q\" \\\"\n      EOT,\n    'f' => <<<'E'\nraw $x \\n\nE,\n    'g' => [\n        'h' => ['x', 'k' => 'y', 7 => 'z', 'w'],\n        '08' => 'eight',\n        8 => 'z',\n    ],\n",
    );
    let texts = [
        ("a", "\\"),
        ("b", "$a {$b \"\\"),
        ("c", "a\nb"),
        ("e", "$x\n \\n \"\n\n"),
        ("f", "é'\n\n $x\\"),
        ("g.08", "l'\\'"),
    ];
    let all: Vec<(&str, &str)> = texts
        .into_iter()
        .chain([("g.h.0", "'"), ("g.h.k", "\r"), ("g.h.7", "{$"), ("g.h.8", "$"), ("g.8", "\u{7f}")])
        .collect();
    for file in [apart.clone(), rendered(&apart, &all)] {
        let mut command = Command::new("php");
        command.args(["-n", "-r", PROGRAM]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(file.as_bytes()).unwrap();
        let said = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&said.stdout);
        assert_eq!(said.trim_end_matches('\n'), read(&file).trim_end_matches('\n'), "{file}");
    }
}
