//! The tables of keys in `docs/variants/reference.md`, from the table that the editor of the studio completes from. Not here:
//! whether the rules read the same keys, which a test of `crates/explain` compares.

use crate::process::{Failure, Outcome, root};
use serde_json::Value;
use std::fmt::Write;

/// The table of all keys, and the page.
const KEYS: &str = "web/src/studio/keys.json";
const PAGE: &str = "docs/variants/reference.md";

/// A table stands between these lines; the first one names it.
const BEGIN: &str = "<!-- keys ";
const END: &str = "<!-- end -->";

/// Writes the tables of the page anew.
pub(crate) fn write() -> Outcome {
    let page = read(PAGE)?;
    let written = with_tables(&page, &read(KEYS)?)?;
    std::fs::write(root().join(PAGE), written).map_err(|error| Failure::new(format!("{PAGE}: {error}")))
}

fn read(name: &str) -> Result<String, Failure> {
    std::fs::read_to_string(root().join(name)).map_err(|error| Failure::new(format!("{name}: {error}")))
}

/// The page with its tables as the keys have them.
fn with_tables(page: &str, keys: &str) -> Result<String, Failure> {
    let keys: Value = serde_json::from_str(keys).map_err(|error| Failure::new(format!("{KEYS}: {error}")))?;
    let mut parts = page.split(BEGIN);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let fault = || Failure::new(format!("{PAGE}: expected `{END}` after `{BEGIN}`"));
        let (name, rest) = part.split_once(" -->\n").ok_or_else(fault)?;
        let (_, rest) = rest.split_once(END).ok_or_else(fault)?;
        write!(text, "{BEGIN}{name} -->\n{}{END}{rest}", table(&keys, name)?).ok();
    }
    Ok(text)
}

/// One table: keys, the types of their values, the values of keys that are left out, and meanings.
fn table(keys: &Value, name: &str) -> Result<String, Failure> {
    let rows = keys["tables"][name].as_array();
    let rows = rows.ok_or_else(|| Failure::new(format!("{KEYS}: expected a table `{name}`, found none")))?;
    let mut text = "| key | type | default | meaning |\n|---|---|---|---|\n".to_owned();
    for row in rows {
        let of = |field: &str| row[field].as_str().unwrap_or_default();
        let key = of("key");
        let meaning = keys["meanings"][name][key].as_str();
        let meaning = meaning.ok_or_else(|| Failure::new(format!("{KEYS}: {name}.{key} has no meaning")))?;
        let values = keys["values"][key].as_array().filter(|_| of("type") == "text");
        let values = values.into_iter().flatten().filter_map(|value| value[0].as_str());
        let values: Vec<String> = values.map(|value| format!("`\"{value}\"`")).collect();
        let kind = if values.is_empty() { of("type").to_owned() } else { values.join(", ") };
        writeln!(text, "| `{key}` | {kind} | {} | {meaning} |", of("default")).ok();
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reference_has_the_keys_of_the_editor() {
        let page = read(PAGE).unwrap();
        let written = with_tables(&page, &read(KEYS).unwrap()).unwrap();
        assert!(page == written, "run `cargo xtask reference`");
    }

    #[test]
    fn every_table_of_keys_is_on_the_page() {
        let keys: Value = serde_json::from_str(&read(KEYS).unwrap()).unwrap();
        let page = read(PAGE).unwrap();
        for name in keys["tables"].as_object().unwrap().keys() {
            assert_eq!(page.matches(&format!("{BEGIN}{name} -->")).count(), 1, "{name}");
        }
    }
}
