//! From the text of a variant file to a [`Variant`] whose starting positions are validated, and the built-in games.

use crate::position::{canonical_fen, canonical_multi_fen};
pub use crate::variant::builtin::{OWN_GAMES, ids, multi_ids, text};

use crate::geometry::Shape;
use crate::seat::SEATS;
use crate::variant::compile::multi::CompiledMulti;
use crate::variant::compile::{self, Compiled, compile};
use crate::variant::read::{Keys, sort};
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
        check_starts(compile(source, text, lookup, Keys::Current)?)
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
        parse_as(id, text, lookup, Keys::Legacy)
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
        let next = Cell::new(0);
        Self::parse_stored(id, own, &|_| extended.get(next.replace(next.get() + 1)).cloned())
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
        parse_as(id, text, lookup, Keys::Current)
    }
}

fn parse_as(
    id: &str,
    text: &str,
    lookup: &dyn Fn(&str) -> Option<String>,
    keys: Keys,
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
    /// Reads and compiles a variant file with `players = 4`. The arguments are those of [`Variant::parse`].
    ///
    /// # Errors
    /// Every fault of the file, each with line, column, the expected value and the value found.
    pub fn parse(
        source: &str,
        text: &str,
        lookup: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Arc<Self>, VariantError> {
        let CompiledMulti { mut variant, start, start_at, documents } =
            compile::multi::compile(source, text, lookup)?;
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
}

/// A game for any number of players.
#[derive(Clone, Debug)]
pub enum AnyGame {
    /// For two players.
    Two(Arc<Variant>),
    /// For four players.
    Four(Arc<MultiVariant>),
}

impl AnyGame {
    /// Its short name.
    ///
    /// ```
    /// use lozenge_rules::library;
    /// assert_eq!(library::any_game("diamondring-four").unwrap().id(), "diamondring-four");
    /// ```
    #[must_use]
    pub fn id(&self) -> &str {
        match self {
            Self::Two(game) => game.id(),
            Self::Four(game) => game.id(),
        }
    }

    /// Its full name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Two(game) => game.name(),
            Self::Four(game) => game.name(),
        }
    }

    /// The board.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        match self {
            Self::Two(game) => game.shape(),
            Self::Four(game) => game.shape(),
        }
    }

    /// The text of its file, followed by the texts of the files it extends.
    #[must_use]
    pub fn texts(&self) -> &[String] {
        match self {
            Self::Two(game) => game.texts(),
            Self::Four(game) => game.texts(),
        }
    }

    /// The game, if it is one of two players.
    ///
    /// ```
    /// use lozenge_rules::library;
    /// assert!(library::any_game("diamond").unwrap().two().is_some());
    /// assert!(library::any_game("diamondring-teams").unwrap().two().is_none());
    /// ```
    #[must_use]
    pub const fn two(&self) -> Option<&Arc<Variant>> {
        match self {
            Self::Two(game) => Some(game),
            Self::Four(_) => None,
        }
    }

    /// The game, if it is one of four players.
    #[must_use]
    pub const fn four(&self) -> Option<&Arc<MultiVariant>> {
        match self {
            Self::Two(_) => None,
            Self::Four(game) => Some(game),
        }
    }

    /// Reads the stored texts of a game, as [`Variant::parse_texts`].
    ///
    /// # Errors
    /// Every fault of the texts.
    pub fn parse_texts(id: &str, texts: &[String]) -> Result<Self, VariantError> {
        match Variant::parse_texts(id, texts) {
            Ok(game) => Ok(Self::Two(game)),
            Err(error) if is_for_four(&error) => {
                let (own, extended) =
                    texts.split_first().map_or(("", texts), |(own, rest)| (own.as_str(), rest));
                let next = Cell::new(0);
                let lookup = |_: &str| extended.get(next.replace(next.get() + 1)).cloned();
                Ok(Self::Four(MultiVariant::parse(id, own, &lookup)?))
            }
            Err(error) => Err(error),
        }
    }

    /// Reads a variant file of a game for two or four players. The arguments are those of [`Variant::parse`].
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
        match Variant::parse(source, text, lookup) {
            Ok(game) => Ok(Self::Two(game)),
            Err(error) if is_for_four(&error) => Ok(Self::Four(MultiVariant::parse(source, text, lookup)?)),
            Err(error) => Err(error),
        }
    }
}

impl From<&Arc<Variant>> for AnyGame {
    fn from(game: &Arc<Variant>) -> Self {
        Self::Two(Arc::clone(game))
    }
}

impl From<&Arc<MultiVariant>> for AnyGame {
    fn from(game: &Arc<MultiVariant>) -> Self {
        Self::Four(Arc::clone(game))
    }
}

/// Whether a file was refused as a game of two because it is one of four.
fn is_for_four(error: &VariantError) -> bool {
    let found = |kind: &FaultKind| matches!(kind, FaultKind::Players { found, .. } if *found == SEATS as i64);
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
