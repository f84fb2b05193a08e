//! Courses, stages, levels and goals as data.

use crate::text::Sentence;
use lozenge_explain::Language;
use lozenge_explain::text::{Name, Text};
use lozenge_rules::geometry::Square;
use lozenge_rules::library::AnyGame;
use lozenge_rules::position::{GamePosition, Move, Role};

/// The lessons of a game, in the order in which they are meant to be taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Course {
    /// Stages, each with at least one level.
    pub stages: Vec<Stage>,
}

/// Levels on one subject.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stage {
    /// Its subject.
    pub kind: StageKind,
    /// Its levels, the easiest first.
    pub levels: Vec<Level>,
}

/// The subject of a stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StageKind {
    /// The board where it differs from the usual one: joined edges.
    Board,
    /// The moves of a kind of piece.
    Piece(Role),
    /// Captures.
    Captures,
    /// Games of three and four: dead pieces, or a partner.
    Players,
    /// The oddities of this game: moves that depend on where a piece stands, promotion, castling, fusion …
    Oddities,
    /// Check, and how to get out of it.
    Check,
    /// Mate and goals.
    Winning,
    /// A short game.
    Game,
}

/// A position with a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Level {
    /// The position, with the learner to move: White, or Red.
    pub fen: String,
    /// The task.
    pub sentence: Sentence,
    /// When the level is done.
    pub goal: Goal,
    /// The fewest moves of the learner that reach the goal.
    pub par: u32,
    /// Squares to be visited, or whose pieces are to be captured.
    pub stars: Vec<Square>,
    /// One way to the goal, in `par` moves. A game has none.
    pub solution: Vec<Move>,
}

impl Level {
    /// A level that is solved by these moves, and by no fewer.
    pub(crate) fn new(
        position: &GamePosition,
        sentence: Sentence,
        goal: Goal,
        stars: &[Square],
        way: &[Move],
    ) -> Self {
        Self {
            fen: position.fen(),
            sentence,
            goal,
            par: way.len() as u32,
            stars: stars.to_vec(),
            solution: way.to_vec(),
        }
    }

    /// Where the piece stands that has to visit all stars; `None` in levels without stars.
    #[must_use]
    pub fn hero(&self) -> Option<Square> {
        self.solution.first().filter(|_| !self.stars.is_empty()).map(|played| played.from)
    }
}

/// When a level is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// All stars have been visited by one piece. Only the learner moves.
    Stars,
    /// All pieces on stars have been captured by one piece. Only the learner moves.
    Capture,
    /// A piece has been promoted.
    Promote,
    /// The learner has castled.
    Castle,
    /// A pawn has been captured en passant.
    EnPassant,
    /// Two pieces have become one.
    Fuse,
    /// An enemy King is in check.
    Check,
    /// The learner was in check and is no longer.
    Escape,
    /// No own piece can be captured at once.
    Keep,
    /// The enemy is checkmated: in a game of more players the one whose turn is next.
    Mate,
    /// The learner has won by reaching a goal square.
    Reach,
    /// The enemy cannot win at once by reaching a goal square; in a game of more players no enemy can mate at once.
    Stop,
    /// The learner has made the required number of moves of a game against the engine, or won it.
    Play {
        /// The engine's level.
        level: u8,
        /// Moves of the learner.
        moves: u32,
    },
}

impl Course {
    /// All levels with their ids.
    pub fn levels<'c>(&'c self, game: &'c AnyGame) -> impl Iterator<Item = (String, &'c Level)> {
        self.stages.iter().flat_map(|stage| stage.with_ids(game))
    }
}

impl Stage {
    /// Its levels with their ids, such as `piece-r-2`: unique in the course, the same as long as the game is.
    pub fn with_ids(&self, game: &AnyGame) -> impl Iterator<Item = (String, &Level)> {
        let id = self.kind.id(game);
        (1..).zip(&self.levels).map(move |(number, level)| (format!("{id}-{number}"), level))
    }
}

impl StageKind {
    /// Its id, such as `check` or `piece-r`.
    #[must_use]
    pub fn id(self, game: &AnyGame) -> String {
        match self {
            Self::Board => "board".into(),
            Self::Piece(role) => {
                format!("piece-{}", game.roles().info(role).letter.to_lowercase())
            }
            Self::Captures => "captures".into(),
            Self::Players => "players".into(),
            Self::Oddities => "oddities".into(),
            Self::Check => "check".into(),
            Self::Winning => "winning".into(),
            Self::Game => "game".into(),
        }
    }

    /// Its title in a language: the name of the piece, or the subject.
    #[must_use]
    pub fn title(self, game: &AnyGame, language: Language) -> String {
        match self {
            Self::Piece(role) => {
                let name = Name(game.roles().info(role).name.clone());
                language.text(game.id(), &Text::Piece(name))
            }
            other => crate::text::message(language, &format!("stage-{}", other.id(game)), &[]),
        }
    }
}
