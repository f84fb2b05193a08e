//! Studies: chapters with a tree of moves each, which several people edit at the same time.

use crate::Problem;
use crate::analysis::{DrawnShape, Step, Tree};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The visibility of a study.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StudyVisibility {
    /// Visible to its owner and its members.
    Private,
    /// Visible to everyone who has its address.
    #[default]
    Unlisted,
    /// Visible to everyone, and listed.
    Public,
}

/// A study in lists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StudySummary {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Name of its owner; none for the studies of the site itself.
    pub owner: Option<String>,
    /// Visibility of the study.
    pub visibility: StudyVisibility,
    /// Its topics, in single words.
    pub tags: Vec<String>,
    /// Its language by ISO 639, if it comes with the program.
    pub language: Option<String>,
    /// Ids of the games of its chapters.
    pub variants: Vec<String>,
    /// Number of its chapters.
    pub chapters: u32,
    /// Number of users who like it.
    pub likes: u32,
    /// When it was last changed, in Unix milliseconds.
    pub updated_at: i64,
}

/// A study without the moves of its chapters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Study {
    /// Its entry in lists.
    #[serde(flatten)]
    pub summary: StudySummary,
    /// A text about it.
    pub about: String,
    /// The same study in other languages.
    pub translations: Vec<StudyTranslation>,
    /// The owner's friends in it.
    pub members: Vec<StudyMember>,
    /// Its chapters, in order.
    pub list: Vec<ChapterSummary>,
    /// Number of its last edit.
    pub seq: u64,
    /// Whether the reader may edit it.
    pub writable: bool,
    /// Whether it is the reader's own.
    pub own: bool,
    /// Whether the reader likes it.
    pub liked: bool,
    /// The reader's name among the members, if it is there.
    pub member: Option<String>,
    /// Whether the host of the site has taken it out of all lists.
    pub hidden: bool,
}

/// A study in another language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StudyTranslation {
    /// The language by ISO 639.
    pub language: String,
    /// The study's id.
    pub id: String,
}

/// A member of a study.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StudyMember {
    /// The name.
    pub name: String,
    /// Whether the member may edit the chapters.
    pub writes: bool,
}

/// A report of a study to the host of the site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StudyReport {
    /// Up to 500 characters.
    pub reason: String,
}

/// The rights of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewMember {
    /// Whether the member may edit the chapters.
    pub writes: bool,
}

/// A chapter in the list of its study.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChapterSummary {
    /// Its id, unique in its study.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Id of the rules.
    pub variant: String,
    /// Identity of the rules' text.
    pub digest: String,
}

/// A chapter with its moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Chapter {
    /// Its id, unique in its study.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Number of the last edit that is in it.
    pub seq: u64,
    /// The moves.
    pub tree: Tree,
}

/// A study to be made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewStudy {
    /// Its name: one line of at most 100 characters.
    pub name: String,
    /// A text about it, of at most 4,000 characters.
    #[serde(default)]
    pub about: String,
    /// Visibility of the study.
    #[serde(default)]
    pub visibility: StudyVisibility,
    /// Its topics: at most 8 words.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Its first chapter; without one it begins empty.
    #[serde(default)]
    pub chapter: Option<NewChapter>,
}

/// A change of a study; fields left out keep their values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StudyChange {
    /// Its name: one line of at most 100 characters.
    #[serde(default)]
    pub name: Option<String>,
    /// A text about it, of at most 4,000 characters.
    #[serde(default)]
    pub about: Option<String>,
    /// Visibility of the study.
    #[serde(default)]
    pub visibility: Option<StudyVisibility>,
    /// Its topics: at most 8 words.
    #[serde(default)]
    pub tags: Option<Vec<String>>,
}

/// A chapter to be made: from a game of this site, from PGN, or from a position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewChapter {
    /// Its name: one line of at most 100 characters. Left out, it is called after its game or its number.
    #[serde(default)]
    pub name: Option<String>,
    /// Id of a game that was played or imported here.
    #[serde(default)]
    pub game: Option<String>,
    /// PGN of one game.
    #[serde(default)]
    pub pgn: Option<String>,
    /// Id or digest of the rules, unless game or PGN says it.
    #[serde(default)]
    pub variant: Option<String>,
    /// The position that it begins with; the game's own start if left out.
    #[serde(default)]
    pub fen: Option<String>,
}

/// A change of a chapter; fields left out keep their values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChapterChange {
    /// Its name: one line of at most 100 characters.
    #[serde(default)]
    pub name: Option<String>,
    /// Its index in the study, from 0.
    #[serde(default)]
    pub place: Option<u32>,
}

/// PGN to be read into a study: one chapter for each game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StudyPgn {
    /// The text: at most 1,000,000 bytes.
    pub pgn: String,
    /// Id or digest of the rules of games that have no tag `Variant`.
    #[serde(default)]
    pub variant: Option<String>,
}

/// A new study, or the result of an import into a study.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StudyImport {
    /// Id of the study.
    pub id: String,
    /// The new chapters.
    pub chapters: Vec<ChapterSummary>,
    /// All parts of the PGN that could not be read as intended; the rest was read.
    pub faults: Vec<StudyPgnFault>,
}

/// A part of a PGN that could not be read as intended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StudyPgnFault {
    /// Number of the game in the text, from 1.
    pub game: u32,
    /// Its line, from 1.
    pub line: u64,
    /// Its column, in characters from 1.
    pub column: u64,
    /// Description of the fault.
    pub message: String,
}

/// An edit of a chapter's tree. A path is the moves from the start to a node, in long algebraic form. An edit of a node that
/// is not there makes it, with those before it; removing and promoting what is not there changes nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum TreeEdit {
    /// Adds moves: those of the path that are not there.
    Add {
        /// The moves, at most 600.
        path: Vec<String>,
    },
    /// Removes a node and what follows it, except for what others have added after the edit `base`.
    Remove {
        /// Its moves.
        path: Vec<String>,
        /// Number of the last edit that its author had seen.
        base: u64,
    },
    /// Makes the line of a node the continuation at the last fork where it is not, or at all forks.
    Promote {
        /// Its moves.
        path: Vec<String>,
        /// At all forks.
        to_main: bool,
    },
    /// Replaces a comment by another. If that is gone, the comment stands beside the others.
    SetComment {
        /// Moves of the node.
        path: Vec<String>,
        /// The comment before; empty for a new one.
        was: String,
        /// The comment, of at most 4,000 bytes; empty to remove the one before.
        text: String,
    },
    /// Draws an arrow or a circle.
    AddShape {
        /// Moves of the node.
        path: Vec<String>,
        /// The arrow or circle to draw.
        shape: DrawnShape,
    },
    /// Removes an arrow or a circle.
    RemoveShape {
        /// Moves of the node.
        path: Vec<String>,
        /// The arrow or circle to remove.
        shape: DrawnShape,
    },
    /// Adds a numeric annotation glyph.
    SetNag {
        /// Moves of the node.
        path: Vec<String>,
        /// The glyph.
        nag: u8,
    },
    /// Takes a glyph away.
    UnsetNag {
        /// Moves of the node.
        path: Vec<String>,
        /// The glyph.
        nag: u8,
    },
    /// Sets a tag of PGN.
    SetTag {
        /// Its name.
        name: String,
        /// Its value; empty to remove it.
        value: String,
    },
}

/// An edit as its author sends it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StudyEdit {
    /// Number of the edit among those of its client, ascending. One that was applied is not applied again.
    pub number: u64,
    /// Id of the chapter.
    pub chapter: String,
    /// The edit.
    pub edit: TreeEdit,
}

/// Edits in the order in which they were made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StudyEdits {
    /// The client that made them: a random number below 2^53.
    pub client: u64,
    /// The edits, at most 50.
    pub edits: Vec<StudyEdit>,
}

/// The result of edits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EditsDone {
    /// The edits up to this number are done, or refused.
    pub number: u64,
    /// Number of the last edit of the study: the client's are among those up to it.
    pub seq: u64,
    /// The edits that cannot be applied, and why.
    pub refused: Vec<RefusedEdit>,
}

/// An edit that cannot be applied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RefusedEdit {
    /// Its number.
    pub number: u64,
    /// Why not.
    pub problem: Problem,
}

/// A message of a client on the socket of a study.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum StudyCommand {
    /// Edits to be applied; answered with `done` or `error`.
    Edit(StudyEdits),
    /// Where the client is, for the other members; not answered. Places of readers who are not members are ignored.
    At(StudyPlace),
    /// Asks for `pong`.
    Ping {},
}

/// A position of a study.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StudyPlace {
    /// Id of the chapter.
    pub chapter: String,
    /// The moves from its start, in long algebraic form, at most 600.
    pub path: Vec<String>,
}

/// A message of the server on the socket of a study.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum StudyEvent {
    /// The study without its moves: at the beginning, and when more than its moves has changed.
    Study {
        /// The study.
        study: Box<Study>,
    },
    /// An edit was applied.
    Edited(Box<Edited>),
    /// Too many edits are missing: the chapter has to be read again.
    Reload {},
    /// The result of the client's own edits.
    Done(EditsDone),
    /// The client's edits could not be applied now: to be sent again.
    Error {
        /// Why not.
        problem: Problem,
    },
    /// A member is at another position: for members, about all who have the study open, at the beginning and later.
    Where {
        /// Their name.
        name: String,
        /// The position; none if they have left.
        place: Option<StudyPlace>,
    },
    /// The answer to `ping`.
    Pong {},
}

/// An edit that was applied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Edited {
    /// Its number in the study.
    pub seq: u64,
    /// Id of the chapter.
    pub chapter: String,
    /// Name of its author.
    pub author: String,
    /// The client that made it.
    pub client: u64,
    /// Its number among those of its client.
    pub number: u64,
    /// The edit.
    pub edit: TreeEdit,
    /// The moves that it has added: the last ones of its path.
    pub steps: Vec<Step>,
    /// Paths of the nodes that it has removed, with what followed them.
    pub removed: Vec<Vec<String>>,
}

/// The initial data of a chapter's page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StudyStart {
    /// The study.
    pub study: Study,
    /// The chapter; none if the study has none yet.
    pub chapter: Option<Chapter>,
    /// Name of the chapter's rules.
    pub variant_name: String,
    /// Whether the reader has an account.
    pub account: bool,
    /// Whether the reader is playing a game. Their engine is that of the server, which knows the positions of that game.
    pub playing: bool,
}
