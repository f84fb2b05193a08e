//! The identity of a match, by which its games can be resumed: players, variants, starting positions from
//! where, and by which limits. Not how many games, how many at once, or when a test ends it: those may
//! change when a match goes on.

use super::record::millis;
use super::settings::{EngineKind, EngineSettings, MatchSettings, OpeningSource};
use lozenge_rules::variant::Variant;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::path::Path;

/// The identity of a match: the data that define it.
pub(super) fn identity(settings: &MatchSettings) -> Value {
    let mut identity = json!({
        "engines": settings.engines.iter().map(engine).collect::<Vec<_>>(),
        "games": settings.variants.iter().map(|variant| game(variant)).collect::<Vec<_>>(),
        "openings": openings(settings),
        "adjudication": settings.adjudication,
        "margin_ms": millis(settings.margin),
        "patience_ms": millis(settings.move_timeout),
    });
    if !settings.tables.is_empty() {
        identity["tables"] = settings.tables.iter().map(|tables| tables.list().len()).collect();
    }
    identity
}

/// Sixteen hexadecimal digits for a text.
pub(super) fn digest(text: &[u8]) -> String {
    Sha256::digest(text).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// Where two identities differ first, as a path such as `engines/0/limit`.
pub(super) fn difference(a: &Value, b: &Value) -> Option<String> {
    match (a, b) {
        _ if a == b => None,
        (Value::Object(left), Value::Object(right)) => {
            let keys = left.keys().chain(right.keys().filter(|key| !left.contains_key(*key)));
            keys.map(|key| (key.clone(), left.get(key), right.get(key))).find_map(step)
        }
        (Value::Array(left), Value::Array(right)) => (0..left.len().max(right.len()))
            .map(|at| (at.to_string(), left.get(at), right.get(at)))
            .find_map(step),
        _ => Some(String::new()),
    }
}

fn step((key, left, right): (String, Option<&Value>, Option<&Value>)) -> Option<String> {
    let below = match (left, right) {
        (Some(left), Some(right)) => difference(left, right)?,
        _ => String::new(),
    };
    Some(if below.is_empty() { key } else { format!("{key}/{below}") })
}

fn engine(engine: &EngineSettings) -> Value {
    let kind = match &engine.kind {
        EngineKind::Random(seed) => json!({ "random": seed }),
        EngineKind::Greedy(seed) => json!({ "greedy": seed }),
        EngineKind::Plain => json!("plain"),
        EngineKind::Uci(uci) => json!({
            "program": uci.program.path.display().to_string(),
            "build": content(&uci.program.path),
            "arguments": uci.program.arguments,
            "options": uci.options,
            "variants": uci.variants,
            "variant_path": uci.variant_path,
            "variant_file": uci.variant_path.as_ref().and_then(|path| content(Path::new(path))),
            "forget_history": uci.forget_history,
        }),
    };
    json!({ "name": engine.name, "kind": kind, "limit": engine.limit })
}

/// A file rebuilt or rewritten under the same name is another one.
fn content(path: &Path) -> Option<String> {
    path.is_file().then(|| std::fs::read(path).ok()).flatten().map(|bytes| digest(&bytes))
}

fn game(variant: &Variant) -> Value {
    json!({ "id": variant.id(), "text": digest(variant.texts().concat().as_bytes()) })
}

fn openings(settings: &MatchSettings) -> Value {
    match &settings.openings {
        OpeningSource::Random(plan) => json!({ "random": plan }),
        OpeningSource::Lists(lists) => {
            let text: String = lists.iter().flatten().map(|opening| opening.fen() + "\n").collect();
            json!({ "list": digest(text.as_bytes()) })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_named() {
        let a = json!({ "engines": [{ "name": "a" }, { "name": "b" }], "margin_ms": 50 });
        for (b, expected) in [
            (json!({ "engines": [{ "name": "a" }, { "name": "c" }], "margin_ms": 50 }), "engines/1/name"),
            (json!({ "engines": [{ "name": "a" }, { "name": "b" }], "margin_ms": 51 }), "margin_ms"),
            (json!({ "engines": [{ "name": "a" }], "margin_ms": 50 }), "engines/1"),
            (json!({ "margin_ms": 50 }), "engines"),
        ] {
            assert_eq!(difference(&a, &b).as_deref(), Some(expected));
        }
        assert_eq!(difference(&a, &a), None);
        assert_eq!(digest(b"abc"), "ba7816bf8f01cfea");
    }
}
