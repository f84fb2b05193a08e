//! Sentences on how a piece moves, and the squares in them, before they are put into words.

use lozenge_rules::variant::Edge;
use lozenge_rules::variant::betza::{Leap, Manner};

/// A sentence: moves on the same condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Moves {
    /// From where, if not from everywhere.
    pub from: Option<Area>,
    /// Which square must be missing.
    pub edge: Option<Edge>,
    /// Whether these are first moves only.
    pub initial: bool,
    /// Whether it is the first sentence on the piece.
    pub opening: bool,
    /// Whether an earlier sentence has moves of the same kind, so that these are additional.
    pub also: bool,
    /// Verbs, each with its ways of going; at least one of each.
    pub terms: Vec<(Verb, Vec<Way>)>,
    /// Which of these moves count.
    pub gain: Option<Gained>,
}

/// The verb of a sentence on moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verb {
    /// Moves or captures.
    Either,
    /// Only moves.
    Move,
    /// Only captures.
    Capture,
}

/// Moves that must gain or keep distance from the own camp.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gained {
    /// Every step farther from the center of the camp.
    Center,
    /// To squares farther from the camp.
    Farther,
    /// Only to the farthest, and only if it is farther.
    Farthest,
    /// Only to squares just as far.
    Level,
}

/// One way of going, on the empty board or among pieces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Way {
    /// One square.
    Step(Directions),
    /// One straight leap.
    Leap {
        /// How many squares far, at least two.
        squares: u8,
        /// Where to.
        directions: Directions,
        /// How pieces on the squares between affect it.
        manner: Manner,
    },
    /// Several squares in a line.
    Slide {
        /// How many at most.
        most: Option<u8>,
        /// Where to.
        directions: Directions,
        /// How pieces in the way affect it.
        manner: Manner,
        /// Whether it turns at every step.
        zigzag: bool,
        /// Whether it may cross joined edges.
        round: bool,
    },
    /// Several straight leaps in a line.
    Leaps {
        /// How many at most.
        most: Option<u8>,
        /// How many squares far each is.
        squares: u8,
        /// Where to.
        directions: Directions,
        /// Whether it turns at every leap.
        zigzag: bool,
        /// Whether it may cross joined edges.
        round: bool,
    },
    /// One oblique leap.
    Oblique {
        /// Its longer and its shorter side.
        leap: Leap,
        /// Where to.
        aim: Aim,
        /// Whether a piece beside it stops it.
        lame: bool,
    },
    /// Several oblique leaps in a line.
    Obliques {
        /// How many at most.
        most: Option<u8>,
        /// The sides of each.
        leap: Leap,
        /// Where to.
        aim: Aim,
    },
    /// Legs one after the other, at least two.
    Path(Vec<Stretch>),
}

/// A leg of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stretch {
    /// Whether the move may end before this leg; of no meaning for the first one.
    pub may_end_before: bool,
    /// The sides of its leap.
    pub leap: Leap,
    /// How many steps it has at most.
    pub most: Option<u8>,
    /// Where a straight first leg may lead, if not in all four directions of its kind.
    pub toward: Option<Directions>,
    /// How it may turn from the leg before; nothing for the first one.
    pub turns: Vec<Turn>,
}

/// A turn on the way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Turn {
    /// By how much.
    pub angle: Angle,
    /// To which side, if only to one.
    pub side: Option<TurnSide>,
}

/// By how much a move turns.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Angle {
    /// Not at all.
    Straight,
    /// By 45 degrees.
    Outward,
    /// By 90 degrees.
    Right,
    /// By 135 degrees.
    Inward,
    /// By 180 degrees.
    Back,
}

/// Left or right.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TurnSide {
    /// To the left.
    Left,
    /// To the right.
    Right,
}

/// Straight directions in the player's words, at least one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Directions {
    /// The directions.
    pub toward: Vec<Toward>,
    /// Whether forward is along a diagonal of the board, so that what is a diagonal elsewhere is half left or right.
    pub turned: bool,
}

/// A direction, or some that have one name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Toward {
    /// All eight.
    Any,
    /// The four along files and ranks.
    Lines,
    /// The four along diagonals.
    Diagonals,
    /// Straight forward and backward.
    ForwardOrBackward,
    /// To both sides.
    Sideways,
    /// Between forward and the sides.
    ForwardLeftOrRight,
    /// Between backward and the sides.
    BackwardLeftOrRight,
    /// Straight forward.
    Forward,
    /// Straight backward.
    Backward,
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// Between forward and left.
    ForwardLeft,
    /// Between forward and right.
    ForwardRight,
    /// Between backward and left.
    BackwardLeft,
    /// Between backward and right.
    BackwardRight,
}

/// Which of the eight oblique leaps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Aim {
    /// All.
    All,
    /// The four forward.
    Forward,
    /// The four backward.
    Backward,
    /// The two that gain most.
    FarForward,
    /// The two that lose most.
    FarBackward,
    /// These for White, in files and ranks.
    Only(Vec<(i8, i8)>),
}

/// Squares that are named together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Spot {
    /// A whole file.
    File(String),
    /// A whole rank.
    Rank(String),
    /// A straight run, by its ends.
    Run(String, String),
    /// One square.
    Square(String),
    /// A region of the game's file by its name.
    Region {
        /// Its name.
        name: String,
        /// Whether it is the opponent's.
        enemy: bool,
    },
}

/// An area of the game's file: files, ranks, regions and long runs, and the remaining squares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Area {
    /// Files, ranks, regions and long runs.
    pub named: Vec<Spot>,
    /// The rest.
    pub squares: Vec<Spot>,
}
