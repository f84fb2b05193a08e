//! The tags of a game: names with values, the seven tag roster first. Not here: brackets and quotation marks.

use super::syntax::is_tag_name_char;
use super::{MAX_TAG, ResultTag};
use crate::seat::SEATS;

/// The seven tag roster in its order, each with the value that stands for nothing known.
pub const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// The tags of a game in the order in which they are written: the roster's in its order, then the others as
/// they came.
///
/// Names are compared without regard to letter case (files have `[Setup]` and `[Fen]`), and stay as they
/// were spelled.
///
/// ```
/// # use lozenge_rules::notation::pgn::Tags;
/// let mut tags = Tags::default();
/// tags.set("Variant", "Diamond Chess")?;
/// tags.set("White", "Ada")?;
/// tags.set("Event", "Club")?;
/// let names: Vec<&str> = tags.iter().map(|(name, _)| name).collect();
/// assert_eq!(names, ["Event", "White", "Variant"]);
/// assert_eq!(tags.get("variant"), Some("Diamond Chess"));
/// # Ok::<(), lozenge_rules::notation::pgn::TagError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags {
    pairs: Vec<(String, String)>,
}

/// Why a tag cannot be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TagError {
    /// The name is empty or has other characters than letters, digits and `_+#=:-`.
    #[error("the name of a tag is made of letters, digits and `_+#=:-`")]
    Name,
    /// The value has a line break.
    #[error("the value of a tag has no line break")]
    LineBreak,
    /// Name and value together are longer than [`MAX_TAG`].
    #[error("a tag is longer than {MAX_TAG} bytes")]
    TooLong,
}

impl Tags {
    /// The value of the tag called `name`.
    ///
    /// ```
    /// use lozenge_rules::notation::pgn::Tags;
    /// let mut tags = Tags::default();
    /// tags.set("White", "Ann").unwrap();
    /// assert_eq!(tags.get("white"), Some("Ann"));
    /// ```
    pub fn get(&self, name: &str) -> Option<&str> {
        self.pairs.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// Sets a tag; one that is there keeps its position and its spelling.
    ///
    /// ```
    /// use lozenge_rules::notation::pgn::Tags;
    /// let mut tags = Tags::default();
    /// assert!(tags.set("Event", "Casual").is_ok());
    /// assert!(tags.set("No spaces", "please").is_err());
    /// ```
    pub fn set(&mut self, name: &str, value: impl Into<String>) -> Result<(), TagError> {
        let value = value.into();
        if name.is_empty() || !name.chars().all(is_tag_name_char) {
            return Err(TagError::Name);
        }
        if value.contains(['\n', '\r']) {
            return Err(TagError::LineBreak);
        }
        if name.len() + value.len() > MAX_TAG {
            return Err(TagError::TooLong);
        }
        self.put(name, value);
        Ok(())
    }

    /// Takes a tag away and returns its value.
    ///
    /// ```
    /// use lozenge_rules::notation::pgn::Tags;
    /// let mut tags = Tags::default();
    /// tags.set("Round", "1").unwrap();
    /// assert_eq!(tags.remove("Round").as_deref(), Some("1"));
    /// assert!(tags.is_empty());
    /// ```
    pub fn remove(&mut self, name: &str) -> Option<String> {
        let at = self.pairs.iter().position(|(known, _)| known.eq_ignore_ascii_case(name))?;
        Some(self.pairs.remove(at).1)
    }

    /// Names and values in the order of writing.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.pairs.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// How many tags there are.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether the game has no tags.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Adds the tags of the roster that are missing, with the values for "unknown", as the export format
    /// asks.
    ///
    /// ```
    /// use lozenge_rules::notation::pgn::Tags;
    /// let mut tags = Tags::default();
    /// tags.fill_roster();
    /// assert_eq!(tags.len(), 7);
    /// assert_eq!(tags.get("Result"), Some("*"));
    /// ```
    pub fn fill_roster(&mut self) {
        for (name, unknown) in ROSTER {
            if self.get(name).is_none() {
                self.put(name, unknown.to_owned());
            }
        }
    }

    /// As [`Tags::fill_roster`], for a game of this many players with seats: with their tags instead of White and Black.
    ///
    /// ```
    /// use lozenge_rules::notation::pgn::Tags;
    /// let mut tags = Tags::default();
    /// tags.fill_roster_of_seats(4);
    /// let names: Vec<&str> = tags.iter().map(|(name, _)| name).collect();
    /// assert_eq!(names, ["Event", "Site", "Date", "Round", "Red", "Blue", "Yellow", "Green", "Result"]);
    /// ```
    pub fn fill_roster_of_seats(&mut self, players: usize) {
        let others = ROSTER.into_iter().filter(|(name, _)| !PLAYERS.contains(name));
        for (name, unknown) in others.chain(SEAT_TAGS.into_iter().take(players).map(|name| (name, "?"))) {
            if self.get(name).is_none() {
                self.put(name, unknown.to_owned());
            }
        }
    }

    /// The Result tag, where it is a result.
    pub fn result(&self) -> Option<ResultTag> {
        self.get("Result")?.trim().parse().ok()
    }

    /// The Variant tag: the name or id of the game that was played.
    pub fn variant(&self) -> Option<&str> {
        self.get("Variant").map(str::trim)
    }

    /// The FEN tag: the start of the game, as text.
    pub fn fen(&self) -> Option<&str> {
        self.get("FEN").map(str::trim)
    }

    /// Whether the SetUp tag is `1`: the game starts from the position in the FEN tag.
    ///
    /// ```
    /// use lozenge_rules::notation::pgn::Tags;
    /// let mut tags = Tags::default();
    /// tags.set("SetUp", "1").unwrap();
    /// assert!(tags.is_set_up());
    /// ```
    pub fn is_set_up(&self) -> bool {
        self.get("SetUp").is_some_and(|value| value.trim() == "1")
    }

    /// Sets the Result tag.
    pub(super) fn put_result(&mut self, result: ResultTag) {
        self.put("Result", result.to_string());
    }

    /// Sets a tag whose name and value are known to be good.
    pub(super) fn put(&mut self, name: &str, value: String) {
        if let Some(pair) = self.pairs.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
            pair.1 = value;
            return;
        }
        let at = self.pairs.partition_point(|(known, _)| rank(known) <= rank(name));
        self.pairs.insert(at, (name.to_owned(), value));
    }
}

/// Players in the roster, and those of games of four, which have their place.
const PLAYERS: [&str; 2] = ["White", "Black"];
const SEAT_TAGS: [&str; SEATS] = ["Red", "Blue", "Yellow", "Green"];

/// The place of a name in the order of writing: the roster first, all others after it.
fn rank(name: &str) -> usize {
    let is = |known: &&str| known.eq_ignore_ascii_case(name);
    let players = ROSTER.len() - 2;
    match (ROSTER.iter().position(|(known, _)| is(known)), SEAT_TAGS.iter().position(is)) {
        (Some(at), _) if at > players => at + SEATS,
        (Some(at), _) => at,
        (None, Some(seat)) => players + 1 + seat,
        (None, None) => ROSTER.len() + SEATS,
    }
}
