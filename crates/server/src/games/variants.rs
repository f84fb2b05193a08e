//! The variants: today's rules by id, and the rules that older games were played by, by digest.

use crate::convert;
use crate::store::{RulesRow, Store, StoreError};
use lozenge_rules::library;
use lozenge_rules::position::AnyPosition;
use lozenge_rules::variant::Variant;
use rand::RngExt as _;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A random one of a variant's starts, from which a new game begins by default.
pub(crate) fn draw_start(variant: &Arc<Variant>) -> AnyPosition {
    let drawn = rand::rng().random_range(0..variant.starts().len().max(1));
    AnyPosition::start_number(variant, drawn).unwrap_or_else(|| AnyPosition::start(variant))
}

/// The start of a rematch: drawn again if the first game began from one of the variant's own starts.
pub(crate) fn start_again(start: &AnyPosition) -> AnyPosition {
    let (variant, fen) = (start.variant(), start.fen());
    let mut own = (0..variant.starts().len()).filter_map(|number| AnyPosition::start_number(variant, number));
    if own.any(|own| own.fen() == fen) { draw_start(variant) } else { start.clone() }
}

/// Variants by id and by digest. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Variants {
    by_digest: Arc<Mutex<HashMap<String, Arc<Variant>>>>,
    digests: Arc<Mutex<HashMap<String, String>>>,
}

impl Variants {
    /// The ids of the built-in variants.
    pub(crate) fn ids() -> impl Iterator<Item = &'static str> {
        library::ids()
    }

    /// A built-in variant.
    pub(crate) fn game(&self, id: &str) -> Option<Arc<Variant>> {
        library::game(id)
    }

    /// The digest of a variant's rules, computed once.
    pub(crate) fn digest(&self, variant: &Variant) -> String {
        let mut digests = self.digests.lock().unwrap_or_else(PoisonError::into_inner);
        digests.entry(variant.id().into()).or_insert_with(|| convert::digest(variant)).clone()
    }

    /// Saves the variant's texts, so that its games can be replayed even if its file changes.
    pub(crate) async fn save(&self, store: &Store, variant: &Variant) -> Result<String, StoreError> {
        let digest = self.digest(variant);
        let rules = RulesRow {
            digest: digest.clone(),
            variant: variant.id().into(),
            name: variant.name().into(),
            texts: variant.texts().to_vec(),
        };
        store.keep_rules(&rules).await?;
        Ok(digest)
    }

    /// The rules with a digest: the built-in ones if they are the same, otherwise those in the database.
    pub(crate) async fn rules(
        &self,
        store: &Store,
        id: &str,
        digest: &str,
    ) -> Result<Arc<Variant>, StoreError> {
        if let Some(variant) = library::game(id).filter(|variant| self.digest(variant) == digest) {
            return Ok(variant);
        }
        let known = self.by_digest.lock().unwrap_or_else(PoisonError::into_inner).get(digest).cloned();
        if let Some(variant) = known {
            return Ok(variant);
        }
        let unknown = || StoreError::Content { expected: "the rules of a game", found: digest.into() };
        let row = store.rules(digest).await?.ok_or_else(unknown)?;
        let variant = compile(&row).ok_or_else(unknown)?;
        let mut by_digest = self.by_digest.lock().unwrap_or_else(PoisonError::into_inner);
        by_digest.insert(digest.into(), Arc::clone(&variant));
        Ok(variant)
    }
}

/// Compiles saved texts: the first may extend the others, but no built-in variant.
fn compile(rules: &RulesRow) -> Option<Arc<Variant>> {
    let (own, others) = rules.texts.split_first()?;
    let lookup = |id: &str| {
        let line = format!("id = \"{id}\"");
        others.iter().find(|text| text.lines().any(|other| other.trim() == line)).cloned()
    };
    Variant::parse_stored(&rules.variant, own, &lookup).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saved_texts_compile_to_the_same_rules() {
        for id in library::ids() {
            let variant = library::game(id).expect("built in");
            let digest = convert::digest(&variant);
            let row = RulesRow {
                digest: digest.clone(),
                variant: id.into(),
                name: variant.name().into(),
                texts: variant.texts().to_vec(),
            };
            let again = compile(&row).expect("it was compiled before");
            assert_eq!(convert::digest(&again), digest, "{id}");
        }
    }

    #[test]
    fn texts_kept_before_men_became_pieces_still_compile() {
        let variant = library::game("capablanca").expect("built in");
        let texts = variant.texts().iter().map(|text| text.replace("pieces = ", "men = ")).collect();
        let row =
            RulesRow { digest: String::new(), variant: "capablanca".into(), name: String::new(), texts };
        let again = compile(&row).expect("the same rules");
        assert_eq!(again.promotions(), variant.promotions());
        assert!(again.texts()[0].contains("\nmen = "));
    }
}
