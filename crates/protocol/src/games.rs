//! The games of a session: the built-in ones and those of files, which the host loads.

use lozenge_rules::library::{self, AnyGame};
use lozenge_rules::variant::{MultiVariant, NotForTwo, Variant, VariantError};
use std::fmt;
use std::sync::Arc;

/// The game that is set at the start of a conversation.
pub(crate) const DEFAULT_VARIANT: &str = "chess";

/// XBoard's name for [`DEFAULT_VARIANT`], which it knows without our description.
pub(crate) const NORMAL: &str = "normal";

/// Separates the files of `VariantPath`.
pub const PATH_SEPARATOR: char = if cfg!(windows) { ';' } else { ':' };

/// The files of a `VariantPath`.
pub(crate) fn paths(text: &str) -> impl Iterator<Item = &str> {
    text.split(PATH_SEPARATOR).filter(|path| !path.is_empty())
}

/// Loads the games of a file by path. The host provides it, because this crate reads no files.
pub type Loader = Box<dyn Fn(&str) -> Result<Loaded, LoadError> + Send>;

/// The games of a file: one of a variant file, any number of a `variants.ini`.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// The games.
    pub games: Vec<AnyGame>,
    /// The rules of the file that the games lack, one line each.
    pub remarks: Vec<String>,
}

impl From<AnyGame> for Loaded {
    fn from(game: AnyGame) -> Self {
        Self { games: vec![game], remarks: Vec::new() }
    }
}

/// Why a variant file was not loaded.
#[derive(Clone, Debug, thiserror::Error)]
pub enum LoadError {
    /// The file cannot be read as text, or is too large. The message names it.
    #[error("{0}")]
    File(String),
    /// The text is not a valid game. The message has the first fault and the number of others.
    #[error("{}", summary(.0))]
    Variant(#[from] VariantError),
}

/// The first fault of a variant file and how many more there are, on one line.
#[must_use]
pub fn summary(error: &VariantError) -> String {
    let first = error.faults.first().map_or_else(String::new, ToString::to_string);
    match error.faults.len() {
        0 | 1 => first,
        2 => format!("{first} (and 1 more fault)"),
        faults => format!("{first} (and {} more faults)", faults - 1),
    }
}

/// The games by id.
pub struct Games {
    loader: Loader,
    loaded: Vec<AnyGame>,
}

impl Games {
    /// The built-in games, and `loader` for files.
    #[must_use]
    pub fn new(loader: Loader) -> Self {
        Self { loader, loaded: Vec::new() }
    }

    /// The ids of all games of two: the built-in ones first.
    #[must_use]
    pub fn ids(&self) -> Vec<String> {
        let loaded = self.of_two().map(|game| game.id().to_owned());
        library::ids().map(str::to_owned).chain(loaded).collect()
    }

    /// The ids of all games for any number of players: the built-in ones first.
    #[must_use]
    pub fn all_ids(&self) -> Vec<String> {
        let loaded = self.loaded.iter().map(|game| game.id().to_owned());
        library::ids().chain(library::multi_ids()).map(str::to_owned).chain(loaded).collect()
    }

    /// The loaded games of two.
    fn of_two(&self) -> impl Iterator<Item = &Arc<Variant>> {
        self.loaded.iter().filter_map(AnyGame::two)
    }

    /// The game with this id, or else with this name or alias.
    #[must_use]
    pub fn game(&self, name: &str) -> Option<Arc<Variant>> {
        let loaded = self.of_two().find(|game| game.id() == name).cloned();
        library::game(name).or(loaded).or_else(|| match name {
            // Without compiling all games to read their aliases.
            NORMAL => library::game(DEFAULT_VARIANT),
            _ => named(name, &self.of_two().cloned().collect::<Vec<_>>()),
        })
    }

    /// The game of four with this id.
    #[must_use]
    pub fn multi_game(&self, id: &str) -> Option<Arc<MultiVariant>> {
        let mut loaded = self.loaded.iter().filter_map(AnyGame::four);
        library::multi_game(id).or_else(|| loaded.find(|game| game.id() == id).cloned())
    }

    /// The game that extends this one by a shuffle, or this one if it is shuffled itself.
    #[must_use]
    pub fn shuffled(&self, game: &Arc<Variant>) -> Option<Arc<Variant>> {
        let extends =
            |other: &Arc<Variant>| other.is_shuffled() && other.texts().get(1..) == Some(game.texts());
        if game.is_shuffled() {
            return Some(Arc::clone(game));
        }
        self.of_two().find(|other| extends(other)).cloned().or_else(|| {
            // Only games with a shuffle are compiled.
            let texts =
                library::ids().filter(|id| library::text(id).is_some_and(|text| text.contains("[shuffle]")));
            texts.filter_map(library::game).find(extends)
        })
    }

    /// The game that this one extends by a shuffle.
    #[must_use]
    pub fn unshuffled(&self, game: &Arc<Variant>) -> Option<Arc<Variant>> {
        let texts = game.texts().get(1..).filter(|_| game.is_shuffled())?;
        let is_base = |other: &Arc<Variant>| other.texts() == texts;
        // Only a game with the same text is compiled.
        let same = library::ids().filter(|id| library::text(id).as_ref() == texts.first());
        let built_in = same.filter_map(library::game).find(is_base);
        built_in.or_else(|| self.of_two().find(|other| is_base(other)).cloned())
    }

    /// Adds the games of a file and returns them. A game of an earlier file with the same id is
    /// replaced, a built-in one is not.
    ///
    /// # Errors
    /// If the file is invalid, or the id of a game is that of a different built-in game.
    pub fn load(&mut self, path: &str) -> Result<Loaded, LoadError> {
        let loaded = (self.loader)(path)?;
        let is_taken =
            |game: &&AnyGame| library::any_game(game.id()).is_some_and(|known| known.texts() != game.texts());
        if let Some(game) = loaded.games.iter().find(is_taken) {
            return Err(LoadError::File(format!(
                "{path}: expected an id of its own, found `{}`, which is a built-in game",
                game.id()
            )));
        }
        for game in loaded.games.iter().filter(|game| library::any_game(game.id()).is_none()) {
            match self.loaded.iter_mut().find(|known| known.id() == game.id()) {
                Some(known) => *known = game.clone(),
                None => self.loaded.push(game.clone()),
            }
        }
        Ok(loaded)
    }
}

impl fmt::Debug for Games {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Games").field("ids", &self.ids()).finish_non_exhaustive()
    }
}

/// As [`named`], for games of any number of players.
#[must_use]
pub fn any_named(name: &str, own: &[AnyGame]) -> Option<AnyGame> {
    own.iter().find(|game| game.is_called(name)).cloned().or_else(|| library::any_named(name))
}

/// The game with this id, name or alias, as the tag `Variant` of PGN has it: one of `own`, or a built-in one.
#[must_use]
pub fn named(name: &str, own: &[Arc<Variant>]) -> Option<Arc<Variant>> {
    own.iter().find(|game| game.is_called(name)).cloned().or_else(|| library::named(name))
}

/// The ids most similar to a misspelled one by edit distance, at most three.
///
/// ```
/// use lozenge_protocol::games::nearest;
/// let ids = ["diagonal", "diamond", "diamondring"].map(String::from);
/// assert_eq!(nearest("dimond", &ids), ["diamond"]);
/// assert!(nearest("backgammon", &ids).is_empty());
/// ```
#[must_use]
pub fn nearest(name: &str, ids: &[String]) -> Vec<String> {
    let name: String = name.chars().take(64).flat_map(char::to_lowercase).collect();
    let mut near: Vec<(usize, &String)> = ids.iter().map(|id| (strsim::levenshtein(&name, id), id)).collect();
    near.sort();
    let least = near.first().map_or(0, |&(edits, _)| edits);
    let most = (name.chars().count() / 2).clamp(1, 4);
    let close = near.into_iter().filter(|&(edits, _)| edits <= most && edits <= least + 1);
    close.take(3).map(|(_, id)| id.clone()).collect()
}

/// The error for an unknown id: suggests similar ids, or lists all.
#[must_use]
pub fn unknown(name: &str, ids: &[String]) -> String {
    let quoted_name: String = name.chars().take(60).collect();
    if let Some(game) = library::multi_game(name) {
        return format!("variant `{quoted_name}`: {}", NotForTwo(game.seats().len() as u8));
    }
    let quoted = |ids: &[String]| ids.iter().map(|id| format!("`{id}`")).collect::<Vec<_>>().join(" or ");
    match nearest(name, ids) {
        near if near.is_empty() => {
            format!("unknown variant `{quoted_name}`: expected one of {}", ids.join(", "))
        }
        near => format!("unknown variant `{quoted_name}`: did you mean {}?", quoted(&near)),
    }
}
