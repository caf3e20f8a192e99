//! Fields of the profile from the environment: `L10N_TESTKIT_BASE_URL`, `L10N_TESTKIT_RECEIVER__LISTEN`,
//! `L10N_TESTKIT_LANES__0__ID`. Two underscores lead into a table; a number is a place in a list.

use toml::{Table, Value};

const PREFIX: &str = "L10N_TESTKIT_";

/// Variables of the command line, which are no fields.
const OTHERS: &[&str] = &["L10N_TESTKIT_PROFILE"];

/// Sets what the environment has. Returns the names of the variables that it took.
pub(super) fn apply(
    table: &mut Table,
    variables: impl Iterator<Item = (String, String)>,
    secrets: &[String],
) -> Result<Vec<String>, String> {
    let mine = |name: &String| {
        name.starts_with(PREFIX) && !OTHERS.contains(&name.as_str()) && !secrets.iter().any(|secret| secret == name)
    };
    let mut taken = Vec::new();
    for (name, text) in variables.filter(|(name, _)| mine(name)) {
        let path = name[PREFIX.len()..].to_ascii_lowercase();
        let path: Vec<&str> = path.split("__").collect();
        set(table, &path, value(&path, &text)).map_err(|why| format!("the variable {name}: {why}"))?;
        taken.push(name);
    }
    taken.sort();
    Ok(taken)
}

/// Parses a text as a TOML value other than a string, if it is one; a list may be written as comma-separated values.
fn value(path: &[&str], text: &str) -> Value {
    let listed = path == ["claims"] && !text.trim_start().starts_with('[');
    if listed {
        let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
        return Value::Array(names.map(|name| Value::String(name.to_owned())).collect());
    }
    let parsed = toml::from_str::<Table>(&format!("value = {text}")).ok();
    let parsed = parsed.and_then(|mut table| table.remove("value").filter(|_| table.is_empty()));
    parsed.unwrap_or_else(|| Value::String(text.to_owned()))
}

fn set(table: &mut Table, path: &[&str], value: Value) -> Result<(), String> {
    match path {
        [] | [""] => Err("it does not name a field".to_owned()),
        [name] => {
            table.insert((*name).to_owned(), value);
            Ok(())
        }
        [name, place, rest @ ..] if place.parse::<usize>().is_ok() => {
            let place: usize = place.parse().map_err(|_| "not an index".to_owned())?;
            let list = table.entry(*name).or_insert_with(|| Value::Array(Vec::new()));
            let Value::Array(list) = list else { return Err(format!("`{name}` is not a list")) };
            let length = list.len();
            if place > length {
                return Err(format!("`{name}` has {length} entries, so the next index is {length}"));
            }
            if place == length {
                list.push(Value::Table(Table::new()));
            }
            match (&mut list[place], rest) {
                (entry, []) => {
                    *entry = value;
                    Ok(())
                }
                (Value::Table(inner), rest) => set(inner, rest, value),
                _ => Err(format!("`{name}` contains no tables")),
            }
        }
        [name, rest @ ..] => match table.entry(*name).or_insert_with(|| Value::Table(Table::new())) {
            Value::Table(inner) => set(inner, rest, value),
            _ => Err(format!("`{name}` is not a table")),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(text: &str, variables: &[(&str, &str)]) -> Result<(Table, Vec<String>), String> {
        let mut table = toml::from_str(text).unwrap();
        let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let taken = apply(&mut table, variables, &["L10N_TESTKIT_ADMIN".to_owned()])?;
        Ok((table, taken))
    }

    #[test]
    fn variables_reach_every_field() {
        let text = "base_url = \"a\"\n[receiver]\nlisten = \"b\"\n[[lanes]]\nid = \"1\"\n";
        let variables = [
            ("L10N_TESTKIT_BASE_URL", "https://x/v1"),
            ("L10N_TESTKIT_CLAIMS", "webhooks, publish"),
            ("L10N_TESTKIT_RECEIVER__PUBLIC_URL", "https://y"),
            ("L10N_TESTKIT_LANES__1__ID", "prj_2"),
            ("L10N_TESTKIT_TIME__LONGEST_WAIT", "90"),
            ("L10N_TESTKIT_TIME__CLOCK", "[\"http://z\"]"),
            ("L10N_TESTKIT_ADMIN", "a secret"),
            ("L10N_TESTKIT_PROFILE", "p.toml"),
            ("HOME", "/"),
        ];
        let (table, taken) = applied(text, &variables).unwrap();
        let wanted = toml::from_str::<Table>(
            "base_url = \"https://x/v1\"\nclaims = [\"webhooks\", \"publish\"]\n[receiver]\nlisten = \"b\"\n\
             public_url = \"https://y\"\n[time]\nlongest_wait = 90\nclock = [\"http://z\"]\n[[lanes]]\nid = \"1\"\n\
             [[lanes]]\nid = \"prj_2\"\n",
        );
        assert_eq!(table, wanted.unwrap());
        assert_eq!(taken.len(), 6);
    }

    #[test]
    fn a_variable_that_fits_nowhere_is_named() {
        for (name, says) in [
            ("L10N_TESTKIT_", "the variable L10N_TESTKIT_: it does not name a field"),
            ("L10N_TESTKIT_BASE_URL__X", "L10N_TESTKIT_BASE_URL__X: `base_url` is not a table"),
            ("L10N_TESTKIT_LANES__3__ID", "`lanes` has 1 entries, so the next index is 1"),
        ] {
            let error = applied("base_url = \"a\"\n[[lanes]]\nid = \"1\"\n", &[(name, "x")]).unwrap_err();
            assert!(error.contains(says), "{error}");
        }
    }
}
