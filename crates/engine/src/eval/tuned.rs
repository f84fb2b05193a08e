//! Tuned weights: data beside a game's file, made by `lozenge lab tune`, read here. They hold for
//! exactly the rules they were made for: a fingerprint ensures that. Any other game, also one of the
//! same name, has the weights that follow from its geometry.

use super::fingerprint::fingerprint;
use super::taper::Taper;
use super::values::Values;
use lozenge_rules::variant::Variant;
use std::sync::Arc;

/// The data of the built-in games.
const TUNED: &[(&str, &str)] = &[
    ("diagonal", include_str!("../../../../variants/tuned/diagonal.toml")),
    ("diamondback", include_str!("../../../../variants/tuned/diamondback.toml")),
    ("diamond", include_str!("../../../../variants/tuned/diamond.toml")),
    ("doublediamond", include_str!("../../../../variants/tuned/doublediamond.toml")),
    ("diamondring", include_str!("../../../../variants/tuned/diamondring.toml")),
];

/// Why a text of weights is invalid.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TunedError {
    /// It is not TOML.
    #[error("{0}")]
    Toml(String),
    /// It is for other rules.
    #[error("expected weights for the rules {expected:016x}, found `{found}`")]
    OtherRules {
        /// The fingerprint of the game.
        expected: u64,
        /// The value in the text.
        found: String,
    },
    /// A group of weights is missing or has another size.
    #[error("expected {expected} whole numbers for {part} of `{group}`, found {found}")]
    Group {
        /// Which.
        group: String,
        /// `middle` or `end`.
        part: &'static str,
        /// How many there should be.
        expected: usize,
        /// The actual value.
        found: String,
    },
}

impl Values {
    /// The values of a game: tuned if it is known and unchanged, else derived. A few milliseconds, also
    /// for the largest boards.
    #[must_use]
    pub fn new(variant: &Arc<Variant>) -> Self {
        let mut values = Self::derived(variant);
        if let Some(weights) = weights(variant, &values) {
            values.set_weights(weights);
        }
        values
    }
}

/// The weights of a game, if it was tuned and its rules are still the same.
fn weights(variant: &Variant, values: &Values) -> Option<Vec<Taper>> {
    let (_, text) = TUNED.iter().find(|(id, _)| *id == variant.id())?;
    // Ignore data that do not fit; a test makes sure that the built-in data do.
    read_weights(text, variant, values).ok()
}

/// Reads weights for a game.
///
/// # Errors
/// When the text is not TOML, is for other rules, or lacks something.
pub fn read_weights(text: &str, variant: &Variant, values: &Values) -> Result<Vec<Taper>, TunedError> {
    let table: toml::Table =
        text.parse().map_err(|error: toml::de::Error| TunedError::Toml(error.to_string()))?;
    let expected = fingerprint(variant);
    let found = table.get("rules").and_then(toml::Value::as_str).unwrap_or_default();
    if found != format!("{expected:016x}") {
        return Err(TunedError::OtherRules { expected, found: found.into() });
    }
    let mut weights = values.derived_weights().to_vec();
    for group in values.groups() {
        let here = table.get("weights").and_then(|all| all.get(&group.name));
        let part = |part: &'static str| {
            let numbers = here.and_then(|here| here.get(part)).and_then(toml::Value::as_array);
            let numbers: Option<Vec<i32>> = numbers.map(|numbers| {
                let number = |value: &toml::Value| value.as_integer().and_then(|n| i32::try_from(n).ok());
                numbers.iter().filter_map(number).filter(|n| n.abs() <= MAX_WEIGHT).collect()
            });
            numbers.filter(|numbers| numbers.len() == group.len).ok_or_else(|| TunedError::Group {
                group: group.name.clone(),
                part,
                expected: group.len,
                found: here.map_or("nothing".into(), |here| format!("{:?}", here.get(part))),
            })
        };
        let (middle, end) = (part("middle")?, part("end")?);
        for (at, (middle, end)) in middle.into_iter().zip(end).enumerate() {
            weights[group.first + at] = Taper::new(middle, end);
        }
    }
    Ok(weights)
}

/// Largest weight, in sixteenths of a centipawn: 256 such pieces on a board still fit 32 bits.
const MAX_WEIGHT: i32 = 60_000;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Term;
    use lozenge_rules::library;

    #[test]
    fn tuned_weights_match_their_variants() {
        let mut faults = Vec::new();
        for (id, text) in TUNED {
            let variant = library::game(id).unwrap();
            let values = Values::derived(&variant);
            match read_weights(text, &variant, &values) {
                Ok(weights) => {
                    assert_eq!(Values::new(&variant).weights(), weights);
                    assert_ne!(values.weights(), weights, "{id}");
                    // A lone King is driven from the center, and the other King comes near.
                    for group in values.groups().iter().filter(|group| group.term == Term::Mating) {
                        let [tuned, derived] =
                            [&weights, values.derived_weights()].map(|all| all[group.first]);
                        let holds = tuned.middle() >= derived.middle() && tuned.end() >= derived.end();
                        assert!(holds, "{id}: {} {tuned:?}", group.name);
                    }
                }
                Err(error) => faults.push(format!("{id}: {error}")),
            }
        }
        assert!(faults.is_empty(), "{faults:#?}");
    }

    #[test]
    fn changed_variant_falls_back_to_derived_weights() {
        let text = library::text("diamond").unwrap();
        let parse = |text: &str| Variant::parse("diamond", text, &|_| None).unwrap();
        let same = parse(&text);
        let is_tuned = |game: &Arc<Variant>| Values::new(game).weights() != Values::derived(game).weights();
        assert!(is_tuned(&same));
        // Prose does not count, a piece that moves otherwise does.
        let prose = parse(&text.replace("name = \"Knight\"", "name = \"Horse\""));
        assert!(is_tuned(&prose));
        let changed = parse(&text.replace("moves = \"N\"", "moves = \"NW\""));
        assert!(!is_tuned(&changed));
    }
}
