//! From the text of a variant file to a [`Variant`] whose starting positions are validated, and the built-in games.

use crate::position::{canonical_fen, canonical_multi_fen};
pub use crate::variant::builtin::{OWN_GAMES, ids, multi_ids, text};
pub use crate::variant::{AnyGame, NotForTwo};

use crate::seat::SEATS;
use crate::variant::compile::multi::CompiledMulti;
use crate::variant::compile::{self, Compiled, compile};
use crate::variant::read::{KeySet, sort};
use crate::variant::{FaultKind, MultiVariant, Start, Variant, VariantError};
use std::cell::Cell;
use std::sync::{Arc, OnceLock};

impl Variant {
    /// Reads and compiles a variant file. `source` names the text in faults (a file name);
    /// `lookup` gives the text of the game named after `extends`, if any:
    /// [`library::text`](text) knows the built-in ones.
    ///
    /// # Errors
    /// Every fault of the file, each with line, column, the expected value and the value found.
    ///
    /// ```
    /// use lozenge_rules::{library, variant::Variant};
    /// let text = library::text("brilliant").unwrap();
    /// assert_eq!(Variant::parse("brilliant.toml", &text, &library::text).unwrap().shape().len(), 36);
    ///
    /// let misspelled = text.replace("\"FfsD\"", "\"FfxD\"");
    /// let error = Variant::parse("brilliant.toml", &misspelled, &library::text).unwrap_err();
    /// assert!(error.faults[0].to_string().contains("expected a modifier"));
    /// ```
    pub fn parse(
        source: &str,
        text: &str,
        lookup: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Arc<Self>, VariantError> {
        check_starts(compile(source, text, lookup, KeySet::Current)?)
    }

    /// Reads a text that [`Variant::texts`] once returned, perhaps in an older version of this program. It accepts the keys that
    /// have been renamed since (`men` and `man`, now `pieces` and `piece`). The game has the id under which it was stored, not
    /// the one in its text: several inventors may choose the same id.
    ///
    /// # Errors
    /// As for [`Variant::parse`].
    pub fn parse_stored(
        id: &str,
        text: &str,
        lookup: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Arc<Self>, VariantError> {
        parse_as(id, text, lookup, KeySet::Legacy)
    }

    /// Reads all texts that [`Variant::texts`] once returned, as [`Variant::parse_stored`] does: each extends the one after it,
    /// regardless of the names in them.
    ///
    /// # Errors
    /// As for [`Variant::parse`].
    ///
    /// ```
    /// use lozenge_rules::{library, variant::Variant};
    /// let flat = library::game("diamondring-flat").unwrap();
    /// assert_eq!(flat.texts().len(), 2, "its own text and that of Diamond Ring");
    /// let again = Variant::parse_texts("ring-2", flat.texts()).unwrap();
    /// assert_eq!((again.id(), again.name()), ("ring-2", flat.name()));
    /// ```
    pub fn parse_texts(id: &str, texts: &[String]) -> Result<Arc<Self>, VariantError> {
        let (own, extended) = texts.split_first().map_or(("", texts), |(own, rest)| (own.as_str(), rest));
        Self::parse_stored(id, own, &in_order(extended))
    }

    /// As [`Variant::parse`], for a text that extends these, the nearest first, regardless of the names in them.
    ///
    /// # Errors
    /// As for [`Variant::parse`].
    pub fn parse_extending(source: &str, text: &str, parents: &[String]) -> Result<Arc<Self>, VariantError> {
        Self::parse(source, text, &in_order(parents))
    }

    /// As [`Variant::parse`], for a game with another id than the one in its text, as in [`Variant::parse_stored`].
    ///
    /// # Errors
    /// As for [`Variant::parse`].
    pub fn parse_published(
        id: &str,
        text: &str,
        lookup: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Arc<Self>, VariantError> {
        parse_as(id, text, lookup, KeySet::Current)
    }
}

fn parse_as(
    id: &str,
    text: &str,
    lookup: &dyn Fn(&str) -> Option<String>,
    keys: KeySet,
) -> Result<Arc<Variant>, VariantError> {
    let mut compiled = compile(id, text, lookup, keys)?;
    id.clone_into(&mut compiled.variant.id);
    check_starts(compiled)
}

/// The commented file with which a new game begins.
///
/// ```
/// use lozenge_rules::library;
/// let text = library::template("mine", "My Game");
/// assert!(text.contains("id = \"mine\""));
/// ```
#[must_use]
pub fn template(id: &str, name: &str) -> String {
    include_str!("template.toml").replace("{id}", id).replace("{name}", name)
}

/// A game must be able to start: its tables check its starting positions before anything else can hold it.
fn check_starts(compiled: Compiled) -> Result<Arc<Variant>, VariantError> {
    let Compiled { mut variant, starts: drafts, documents, mut faults } = compiled;
    let mut starts = Vec::new();
    for draft in drafts {
        match canonical_fen(&variant, &draft.setup) {
            Ok(fen) => starts.push(Start { name: draft.name, fen }),
            Err(error) => faults.extend(
                error.faults.into_iter().map(|fault| documents.fault(draft.at, FaultKind::Start(fault))),
            ),
        }
    }
    if !faults.is_empty() {
        sort(&mut faults);
        return Err(VariantError { faults });
    }
    variant.starts = starts;
    Ok(Arc::new(variant))
}

impl MultiVariant {
    /// Reads and compiles a variant file with `players = 3` or `players = 4`. The arguments are those of [`Variant::parse`].
    ///
    /// # Errors
    /// Every fault of the file, each with line, column, the expected value and the value found.
    pub fn parse(
        source: &str,
        text: &str,
        lookup: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Arc<Self>, VariantError> {
        check_start(compile::multi::compile(source, text, lookup, KeySet::Current)?)
    }

    /// As [`MultiVariant::parse`], for a game with another id than the one in its text.
    fn parse_as(
        id: &str,
        text: &str,
        lookup: &dyn Fn(&str) -> Option<String>,
        keys: KeySet,
    ) -> Result<Arc<Self>, VariantError> {
        let mut compiled = compile::multi::compile(id, text, lookup, keys)?;
        compiled.variant.pairs.iter_mut().for_each(|pair| id.clone_into(&mut pair.id));
        check_start(compiled)
    }
}

/// As [`check_starts`], for the only start of a game of three or four.
fn check_start(compiled: CompiledMulti) -> Result<Arc<MultiVariant>, VariantError> {
    let CompiledMulti { mut variant, start, start_at, documents } = compiled;
    match canonical_multi_fen(&variant, &start) {
        Ok(fen) => {
            variant.start = fen;
            Ok(Arc::new(variant))
        }
        Err(error) => {
            let fault = |fault| documents.fault(start_at, FaultKind::MultiStart(fault));
            Err(VariantError { faults: error.faults.into_iter().map(fault).collect() })
        }
    }
}

impl AnyGame {
    /// Reads the stored texts of a game, as [`Variant::parse_texts`].
    ///
    /// # Errors
    /// Every fault of the texts.
    ///
    /// ```
    /// use lozenge_rules::library::{self, AnyGame};
    /// let four = library::any_game("diamondring-four").unwrap();
    /// let again = AnyGame::parse_texts("~ring", four.texts()).unwrap();
    /// assert_eq!((again.id(), again.name()), ("~ring", four.name()));
    /// ```
    pub fn parse_texts(id: &str, texts: &[String]) -> Result<Self, VariantError> {
        let (own, extended) = texts.split_first().map_or(("", texts), |(own, rest)| (own.as_str(), rest));
        Self::of_any(
            || Variant::parse_texts(id, texts),
            || MultiVariant::parse_as(id, own, &in_order(extended), KeySet::Legacy),
        )
    }

    /// As [`AnyGame::parse`], for a text that extends these, the nearest first, regardless of the names in them.
    ///
    /// # Errors
    /// Every fault of the texts.
    ///
    /// ```
    /// use lozenge_rules::library::{self, AnyGame};
    /// let parents = library::any_game("diamondring-teams").unwrap().texts().to_vec();
    /// let text = "extends = \"0123\"\nid = \"mine\"\nname = \"Mine\"\n";
    /// let mine = AnyGame::parse_extending("mine.toml", text, &parents).unwrap();
    /// assert!(mine.id() == "mine" && mine.four().is_some_and(|game| game.is_teams()));
    /// ```
    pub fn parse_extending(source: &str, text: &str, parents: &[String]) -> Result<Self, VariantError> {
        Self::of_any(
            || Variant::parse_extending(source, text, parents),
            || MultiVariant::parse(source, text, &in_order(parents)),
        )
    }

    /// As [`AnyGame::parse_extending`], for a game with another id than the one in its text.
    ///
    /// # Errors
    /// Every fault of the texts.
    ///
    /// ```
    /// use lozenge_rules::library::{self, AnyGame};
    /// let text = library::text("threearmies").unwrap();
    /// let published = AnyGame::parse_published("~armies", &text, &[]).unwrap();
    /// assert_eq!((published.id(), published.name()), ("~armies", "Three Armies"));
    /// ```
    pub fn parse_published(id: &str, text: &str, parents: &[String]) -> Result<Self, VariantError> {
        Self::of_any(
            || Variant::parse_published(id, text, &in_order(parents)),
            || MultiVariant::parse_as(id, text, &in_order(parents), KeySet::Current),
        )
    }

    /// Reads a variant file of a game for two to four players. The arguments are those of [`Variant::parse`].
    ///
    /// # Errors
    /// Every fault of the file, each with line, column, the expected value and the value found.
    ///
    /// ```
    /// use lozenge_rules::library::{self, AnyGame};
    /// use lozenge_rules::variant::{FaultKind, Variant};
    /// let text = library::text("diamondring-four").unwrap();
    /// let game = AnyGame::parse("four", &text, &library::text).unwrap();
    /// assert!(matches!(game, AnyGame::Four(_)));
    ///
    /// let error = Variant::parse("four", &text, &library::text).unwrap_err();
    /// assert_eq!(error.faults[0].kind, FaultKind::Players { expected: 2, found: 4 });
    /// ```
    pub fn parse(
        source: &str,
        text: &str,
        lookup: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, VariantError> {
        Self::of_any(|| Variant::parse(source, text, lookup), || MultiVariant::parse(source, text, lookup))
    }

    /// A file read as one of a game of two; if it is one of three or four, as that.
    fn of_any(
        two: impl FnOnce() -> Result<Arc<Variant>, VariantError>,
        four: impl FnOnce() -> Result<Arc<MultiVariant>, VariantError>,
    ) -> Result<Self, VariantError> {
        match two() {
            Err(error) if is_for_four(&error) => Ok(Self::Four(four()?)),
            read => read.map(Self::Two),
        }
    }
}

/// Gives texts one after another, whatever their names are.
fn in_order(texts: &[String]) -> impl Fn(&str) -> Option<String> {
    let next = Cell::new(0);
    move |_| texts.get(next.replace(next.get() + 1)).cloned()
}

/// Whether a file was refused as a game of two because it is one of three or four.
fn is_for_four(error: &VariantError) -> bool {
    let found = |kind: &FaultKind| matches!(kind, FaultKind::Players { found, .. } if (3..=SEATS as i64).contains(found));
    error.faults.iter().any(|fault| found(&fault.kind))
}

/// The built-in game with this id, for any number of players.
///
/// ```
/// use lozenge_rules::library;
/// let [two, four] = ["diamondring", "diamondring-four"].map(|id| library::any_game(id).unwrap());
/// assert!(two.two().is_some() && four.four().is_some());
/// assert!(library::any_game("go").is_none());
/// ```
#[must_use]
pub fn any_game(id: &str) -> Option<AnyGame> {
    game(id).map(AnyGame::Two).or_else(|| multi_game(id).map(AnyGame::Four))
}

/// The built-in game of four with this id, compiled at its first use.
///
/// ```
/// use lozenge_rules::library;
/// assert!(library::multi_game("diamondring-teams").unwrap().is_teams());
/// assert!(library::multi_game("diamondring").is_none());
/// assert!(library::game("diamondring-teams").is_none(), "not a game of two players");
/// ```
#[must_use]
pub fn multi_game(id: &str) -> Option<Arc<MultiVariant>> {
    type Cached = OnceLock<Option<Arc<MultiVariant>>>;
    static GAMES: OnceLock<Vec<(&str, Cached)>> = OnceLock::new();
    let games = GAMES.get_or_init(|| multi_ids().map(|id| (id, OnceLock::new())).collect());
    let (id, game) = games.iter().find(|(known, _)| *known == id)?;
    game.get_or_init(|| MultiVariant::parse(id, &text(id)?, &self::text).ok()).clone()
}

/// The built-in game with this id, compiled at its first use.
///
/// ```
/// use lozenge_rules::library;
/// assert_eq!(library::game("diamondring").unwrap().shape().len(), 144);
/// assert!(library::game("go").is_none());
/// ```
#[must_use]
pub fn game(id: &str) -> Option<Arc<Variant>> {
    type Cached = OnceLock<Option<Arc<Variant>>>;
    static GAMES: OnceLock<Vec<(&str, Cached)>> = OnceLock::new();
    let games = GAMES.get_or_init(|| ids().map(|id| (id, OnceLock::new())).collect());
    let (id, game) = games.iter().find(|(known, _)| *known == id)?;
    // A built-in file that does not compile is caught by the tests; here it is simply not known.
    game.get_or_init(|| recompile(id)?.ok()).clone()
}

/// The built-in game with this id, name or alias ([`Variant::is_called`]).
///
/// ```
/// use lozenge_rules::library;
/// assert_eq!(library::named("Capablanca").unwrap().id(), "capablanca");
/// ```
#[must_use]
pub fn named(name: &str) -> Option<Arc<Variant>> {
    game(name).or_else(|| ids().filter_map(game).find(|game| game.is_called(name)))
}

/// The built-in game with this id, name or alias, for any number of players.
///
/// ```
/// use lozenge_rules::library;
/// assert_eq!(library::any_named("Capablanca").unwrap().id(), "capablanca");
/// let four = library::any_game("diamondring-four").unwrap();
/// assert_eq!(library::any_named(four.name()).unwrap().id(), "diamondring-four");
/// ```
#[must_use]
pub fn any_named(name: &str) -> Option<AnyGame> {
    let of_four = || multi_ids().filter_map(multi_game).map(AnyGame::Four).find(|game| game.is_called(name));
    named(name).map(AnyGame::Two).or_else(of_four)
}

/// Compiles a built-in game again, which takes as long as loading it the first time.
///
/// # Errors
/// The faults of its file: none in a released program.
///
/// ```
/// use lozenge_rules::library;
/// let again = library::recompile("losalamos").unwrap().unwrap();
/// assert_eq!(again.shape().len(), 36);
/// assert!(library::recompile("go").is_none());
/// ```
pub fn recompile(id: &str) -> Option<Result<Arc<Variant>, VariantError>> {
    text(id).map(|text| Variant::parse(id, &text, &self::text))
}
