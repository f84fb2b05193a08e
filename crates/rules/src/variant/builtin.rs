//! The files of `variants/`, embedded in the program. Not here: the games in them, which `library` compiles.

macro_rules! files {
    ($name:ident: $($id:literal => $path:literal),* $(,)?) => {
        /// Ids, and the texts of their files.
        const $name: [(&str, &str); [$($id),*].len()] =
            [$(($id, include_str!(concat!("../../../../variants/", $path)))),*];
    };
}

files! { MULTI_FILES:
    "diamondring-four" => "family/diamondring-four.toml",
    "diamondring-teams" => "family/diamondring-teams.toml",
    "fourplayerchess" => "examples/fourplayerchess.toml",
    "threearmies" => "examples/threearmies.toml",
}

files! { FILES:
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
    "chess960" => "examples/chess960.toml",
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

/// The ids of the built-in games of two players: the five first, then the Diamond Ring family, then the examples.
///
/// ```
/// use lozenge_rules::library;
/// assert!(library::ids().any(|id| id == "diamondring-wolf"));
/// ```
pub fn ids() -> impl ExactSizeIterator<Item = &'static str> {
    FILES.iter().map(|(id, _)| *id)
}

/// The ids of the built-in games of three and four, which are not among [`ids`].
///
/// ```
/// use lozenge_rules::library;
/// assert!(library::multi_ids().any(|id| id == "diamondring-four"));
/// ```
pub fn multi_ids() -> impl ExactSizeIterator<Item = &'static str> {
    MULTI_FILES.iter().map(|(id, _)| *id)
}

/// The text of a built-in game's file.
///
/// ```
/// use lozenge_rules::library;
/// assert!(library::text("diamond").is_some());
/// assert!(library::text("checkers").is_none());
/// ```
#[must_use]
pub fn text(id: &str) -> Option<String> {
    FILES.iter().chain(&MULTI_FILES).find(|(known, _)| *known == id).map(|(_, text)| (*text).to_owned())
}
