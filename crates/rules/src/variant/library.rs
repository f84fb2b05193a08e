//! The games that are built in: the files of `variants/`, embedded in the program.

use super::{Variant, VariantError};
use std::sync::{Arc, OnceLock};

/// A built-in game: its id and the text of its file.
struct Entry {
    id: &'static str,
    text: &'static str,
    compiled: OnceLock<Result<Arc<Variant>, VariantError>>,
}

macro_rules! games {
    ($($id:literal => $path:literal),* $(,)?) => {
        static GAMES: [Entry; [$($id),*].len()] = [$(Entry {
            id: $id,
            text: include_str!(concat!("../../../../variants/", $path)),
            compiled: OnceLock::new(),
        }),*];
    };
}

games! {
    "diagonal" => "diagonal.toml",
    "diamondback" => "diamondback.toml",
    "diamond" => "diamond.toml",
    "doublediamond" => "doublediamond.toml",
    "diamondring" => "diamondring.toml",
    "diamondring-flat" => "family/diamondring-flat.toml",
    "diamondring-mitregi" => "family/diamondring-mitregi.toml",
    "diamondring-gryphon" => "family/diamondring-gryphon.toml",
    "diamondring-scout" => "family/diamondring-scout.toml",
    "diamondring-wolf" => "family/diamondring-wolf.toml",
    "diamondring-wildeurasian" => "family/diamondring-wildeurasian.toml",
    "diamondring-fusion" => "family/diamondring-fusion.toml",
    "chess" => "examples/chess.toml",
    "legan" => "examples/legan.toml",
    "capablanca" => "examples/capablanca.toml",
    "cylinder" => "examples/cylinder.toml",
    "losalamos" => "examples/losalamos.toml",
    "gardner" => "examples/gardner.toml",
    "brilliant" => "examples/brilliant.toml",
    "cannonlake" => "examples/cannonlake.toml",
    "gryphoncylinder" => "examples/gryphoncylinder.toml",
    "fusionchess" => "examples/fusionchess.toml",
}

/// How many of the built-in games are the project's own five; they come first.
pub const OWN_GAMES: usize = 5;

/// The ids of the built-in games: the five first, then the Diamond Ring family, then the examples.
pub fn ids() -> impl ExactSizeIterator<Item = &'static str> {
    GAMES.iter().map(|game| game.id)
}

/// The text of a built-in game's file.
#[must_use]
pub fn text(id: &str) -> Option<String> {
    GAMES.iter().find(|game| game.id == id).map(|game| game.text.to_owned())
}

/// The built-in game with this id, compiled when it is first asked for.
///
/// ```
/// use lozenge_rules::variant::library;
/// assert_eq!(library::game("diamondring").unwrap().shape().len(), 144);
/// assert!(library::game("go").is_none());
/// ```
#[must_use]
pub fn game(id: &str) -> Option<Arc<Variant>> {
    let game = GAMES.iter().find(|game| game.id == id)?;
    // A built-in file that does not compile is caught by the tests; here it is simply not known.
    game.compiled.get_or_init(|| Variant::parse(game.id, game.text, &text)).clone().ok()
}

/// Compiles a built-in game anew, which takes as long as loading it the first time.
///
/// # Errors
/// The faults of its file: none in a released program.
pub fn recompile(id: &str) -> Option<Result<Arc<Variant>, VariantError>> {
    text(id).map(|text| Variant::parse(id, &text, &self::text))
}
