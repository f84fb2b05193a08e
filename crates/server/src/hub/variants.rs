//! The games that can be played here, and the rules of games that were: by id as they are now, by digest as they
//! were.

use crate::shown;
use crate::store::{RulesRow, Store, StoreError};
use lozenge_rules::position::AnyPosition;
use lozenge_rules::variant::{Variant, library};
use rand::RngExt as _;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// One of a game's own starts, drawn at random, as a new game begins from it unless told otherwise.
pub(crate) fn draw_start(variant: &Arc<Variant>) -> AnyPosition {
    let drawn = rand::rng().random_range(0..variant.starts().len().max(1));
    AnyPosition::start_number(variant, drawn).unwrap_or_else(|| AnyPosition::start(variant))
}

/// The start of a game once more: drawn anew, if it was one of the variant's own.
pub(crate) fn start_again(start: &AnyPosition) -> AnyPosition {
    let (variant, fen) = (start.variant(), start.fen());
    let mut own = (0..variant.starts().len()).filter_map(|number| AnyPosition::start_number(variant, number));
    if own.any(|own| own.fen() == fen) { draw_start(variant) } else { start.clone() }
}

/// Games by id and rules by digest. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Variants {
    by_digest: Arc<Mutex<HashMap<String, Arc<Variant>>>>,
    digests: Arc<Mutex<HashMap<String, String>>>,
}

impl Variants {
    /// The ids of the games that can be played here.
    pub(crate) fn ids() -> impl Iterator<Item = &'static str> {
        library::ids()
    }

    /// A game as it is played now.
    pub(crate) fn game(&self, id: &str) -> Option<Arc<Variant>> {
        library::game(id)
    }

    /// The digest of a game's rules; computed once.
    pub(crate) fn digest(&self, variant: &Variant) -> String {
        let mut digests = self.digests.lock().unwrap_or_else(PoisonError::into_inner);
        digests.entry(variant.id().into()).or_insert_with(|| shown::digest(variant)).clone()
    }

    /// Keeps a game's texts in the store, so that its games can be replayed whatever becomes of its file.
    pub(crate) async fn keep(&self, store: &Store, variant: &Variant) -> Result<String, StoreError> {
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

    /// The rules with a digest: those of today if they are the same, otherwise from the store.
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

/// Compiles kept texts: the game's own extends the others, and nothing that is built in today.
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
    fn kept_texts_compile_to_the_same_rules() {
        for id in library::ids() {
            let variant = library::game(id).expect("built in");
            let digest = shown::digest(&variant);
            let row = RulesRow {
                digest: digest.clone(),
                variant: id.into(),
                name: variant.name().into(),
                texts: variant.texts().to_vec(),
            };
            let again = compile(&row).expect("it was compiled before");
            assert_eq!(shown::digest(&again), digest, "{id}");
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
