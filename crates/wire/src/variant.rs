//! The games that can be played here, and those that users make: files to be checked and published, drafts, comments, reports and pictures of pieces.

use crate::board::{Board, BoardView};
use crate::player::PlayerKind;
use crate::problem::Problem;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A game that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GameName {
    /// Id of the rules.
    pub id: String,
    /// Name of the rules.
    pub name: String,
}

/// A game that can be played here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VariantSummary {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its inventor.
    pub author: String,
    /// The year of its invention.
    pub year: Option<i64>,
    /// A description in a few sentences.
    pub about: String,
    /// How many play it, if not two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub players: Option<u8>,
    /// Number of squares.
    pub squares: u32,
    /// Number of its own starting positions.
    pub starts: u32,
    /// The names of the starting positions, by number; empty for a game with one, or without names.
    pub start_names: Vec<String>,
    /// The name of its only starting position, if it has one: `reconstruction`.
    pub array: Option<String>,
    /// Its usual view.
    pub view: BoardView,
    /// Whether it is one of the five games, rather than of a family or an example.
    pub main: bool,
    /// Publication data of a game that a user has made; absent for built-in games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub publication: Option<Publication>,
}

/// A variant file to be checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct VariantSource {
    /// The file, as TOML.
    pub source: String,
    /// Whether the answer has the board of a file without faults.
    #[serde(default)]
    pub board: bool,
}

/// The result of checking a variant file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct VariantCheck {
    /// Whether it is a game that can be played here.
    pub valid: bool,
    /// Identity of the rules: hexadecimal SHA-256. For some time the game can be shown, but not played, under this id.
    pub digest: Option<String>,
    /// All faults, in their order in the file.
    pub faults: Vec<VariantFault>,
    /// The board, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board: Option<Board>,
}

/// The answer to a file that cannot be published: a problem, and the result of checking the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct FaultyFile {
    /// The problem. Its `detail` is the first fault.
    #[serde(flatten)]
    pub problem: Problem,
    /// The result, with all faults.
    #[serde(flatten)]
    pub check: VariantCheck,
}

/// A fault in a variant file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VariantFault {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// The expected and the actual input.
    pub message: String,
    /// Where it begins, in UTF-16 code units from the start of the file.
    pub from: u32,
    /// Where it ends, likewise.
    pub to: u32,
    /// The word that was meant, where one is misspelled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
}

/// The visibility of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum VariantVisibility {
    /// Visible to its owner.
    Private,
    /// Visible to everyone who has its address.
    Unlisted,
    /// Visible to everyone; listed once its owner's account is old enough and the game has been played.
    Public,
}

/// A version to be published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewVariant {
    /// The file, as TOML.
    pub source: String,
    /// Visibility of the game.
    pub visibility: VariantVisibility,
    /// The draft that is published; without one, a new version of one's own game with the same `id` in its file, or a
    /// new game.
    #[serde(default)]
    pub draft: Option<String>,
}

/// A version that has been published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PublishedVariant {
    /// Id of the game, which stands for its latest version: `~` and a name.
    pub id: String,
    /// Identity of the version's rules; the version can be played under this id, too.
    pub digest: String,
    /// Number of the version, from 1.
    pub version: u32,
    /// Id of the draft in the studio.
    pub draft: String,
}

/// Publication data of a game that a user has made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Publication {
    /// Name of the owner; none once the account is deleted.
    pub owner: Option<String>,
    /// Number of the latest version.
    pub version: u32,
    /// Visibility of the game.
    pub visibility: VariantVisibility,
    /// Size of the board, joined edges, pieces, and what else it can be found by.
    pub tags: Vec<String>,
    /// Number of users who like it.
    pub likes: u32,
    /// Number of finished games of it.
    pub plays: u32,
    /// When its first version was published, in Unix milliseconds.
    pub published_at: i64,
}

/// A game with its file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct VariantDetail {
    /// As in lists.
    #[serde(flatten)]
    pub summary: VariantSummary,
    /// Identity of the rules: hexadecimal SHA-256.
    pub digest: String,
    /// The file. A published version names the game that it extends by digest.
    pub source: String,
    /// The files of the games that it extends, the nearest first.
    pub parents: Vec<String>,
    /// The versions that were published, the latest first; empty for games that are built in.
    pub versions: Vec<VariantVersion>,
    /// Whether the reader likes it.
    pub liked: bool,
    /// Id of the draft in the studio, for the owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draft: Option<String>,
}

/// A version of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VariantVersion {
    /// Its number, from 1.
    pub number: u32,
    /// Identity of its rules.
    pub digest: String,
    /// When it was published, in Unix milliseconds.
    pub at: i64,
}

/// The status of a game, as the host or the owner has set it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum VariantStatus {
    /// It is active.
    Active,
    /// Its owner has archived it; it can still be played by its address.
    Archived,
    /// The host has removed it from all lists.
    Hidden,
    /// The host has banned it: it cannot be opened.
    Banned,
}

/// A game in the studio of its owner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VariantDraft {
    /// Id of the draft.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The file as it was last saved; left out in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Id of the published game, if there is one.
    pub variant: Option<String>,
    /// Identity of the latest version's rules.
    pub digest: Option<String>,
    /// Number of the latest version; 0 before the first.
    pub version: u32,
    /// Visibility of the game.
    pub visibility: VariantVisibility,
    /// Its status: active, archived, hidden or banned.
    pub status: VariantStatus,
    /// When it was last changed, in Unix milliseconds.
    pub updated_at: i64,
}

/// A new draft.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewDraft {
    /// The file, with faults or without.
    pub source: String,
}

/// A change of a draft; fields left out keep their values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DraftChange {
    /// The file, with faults or without.
    #[serde(default)]
    pub source: Option<String>,
    /// Visibility of the game.
    #[serde(default)]
    pub visibility: Option<VariantVisibility>,
    /// Whether it is archived.
    #[serde(default)]
    pub archived: Option<bool>,
}

/// A comment on a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VariantComment {
    /// Its id.
    pub id: String,
    /// Name of its author.
    pub author: String,
    /// The author's kind of player.
    pub author_kind: PlayerKind,
    /// The text.
    pub text: String,
    /// When it was written, in Unix milliseconds.
    pub at: i64,
    /// Whether the reader may delete it.
    pub removable: bool,
}

/// A new comment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewComment {
    /// Up to 2,000 characters.
    pub text: String,
}

/// A report of a game, or of a comment on it, to the host of the site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct VariantReport {
    /// Up to 500 characters.
    pub reason: String,
    /// Id of a comment.
    #[serde(default)]
    pub comment: Option<String>,
}

/// A picture of a piece, to be cleaned and kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPiecePicture {
    /// An SVG of up to 32 KiB: paths and other shapes. Each side colors it: light parts as its pieces, dark parts as their lines.
    pub svg: String,
}

/// A picture that has been kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PiecePicture {
    /// Its name in variant files (`picture = "…"`): hexadecimal SHA-256 of the cleaned SVG.
    pub digest: String,
    /// Elements of the SVG that are not in the picture, such as `text`.
    pub left_out: Vec<String>,
}

/// A picture of one's own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OwnPiecePicture {
    /// Its name in variant files.
    pub digest: String,
    /// Whether a published version has it, which keeps it for ever.
    pub published: bool,
    /// When it was sent, in Unix milliseconds.
    pub at: i64,
}
