//! The texts of an explanation before they are put into words: each states one fact, and holds the facts and names in
//! it. A new kind of fact is a variant here and a message in every language.

use crate::document::Subject;
use crate::motion::{Area, Moves, Spot};
use lozenge_rules::geometry::Vector;
use lozenge_rules::position::{ByColor, Color};
use lozenge_rules::seat::Seat;
use lozenge_rules::variant::{Condition, Limit, Stalemate};

/// The name of a piece as its game gives it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name(pub String);

/// A heading, a sentence or two, a caption, a label.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Text {
    /// The heading of a chapter.
    Heading(Subject),
    /// The inventor of the game, and the year.
    InventedBy {
        /// The inventor.
        author: String,
        /// The year.
        year: Option<i64>,
    },
    /// When a game without a known inventor was published.
    PublishedIn(i64),
    /// Where it was published.
    Source(String),
    /// The description in the game's file.
    About(String),
    /// How an ambiguity of the published rules is read, in the game's own words.
    Reading {
        /// Which one, from 1.
        number: usize,
        /// The words.
        text: String,
    },
    /// How large the board is.
    Size {
        /// How many squares it has.
        squares: usize,
        /// How many files.
        files: u8,
        /// How many ranks.
        ranks: u8,
        /// Whether some places of files and ranks have no square.
        gaps: bool,
    },
    /// Squares that are missing inside the board, at least one.
    Holes(Vec<String>),
    /// Which edges are joined: the last file to the first, the last rank to the first, or both.
    Joined {
        /// The last file, if it is next to file a.
        files: Option<char>,
        /// The last rank, if it is next to rank 1.
        ranks: Option<u8>,
    },
    /// Which way is forward for White.
    Forward(Forward),
    /// How Black's side follows from White's.
    BlackSide(BlackSide),
    /// That a starting position is drawn, and which.
    Start(Option<StartName>),
    /// That capitals are White's pieces and small letters Black's.
    Capitals,
    /// That there are several starting positions, which, and how one is chosen.
    Starts(Vec<StartName>),
    /// Where the players of a game of three or four sit.
    SeatsAround {
        /// How many there are.
        players: usize,
    },
    /// How the pieces of three or four players are written in a drawing of the board.
    OwnersOfFour,
    /// That the pieces of a game of four are described as Red's.
    AsRed,
    /// The order of the turns of three or four players.
    Turns {
        /// How many there are.
        players: usize,
    },
    /// Whether players play in teams or everyone alone, and how a game is won.
    Alliances {
        /// How many there are.
        players: usize,
        /// Whether they play in teams.
        teams: bool,
    },
    /// Check with four players.
    CheckOfFour,
    /// How a player of four goes out, and what remains.
    GoingOut {
        /// Whether that decides the game of teams.
        teams: bool,
    },
    /// Red's pieces that are promoted where they arrive.
    PromotionOfRed {
        /// The pieces.
        pieces: Vec<Name>,
        /// Where they are.
        on: Vec<Spot>,
        /// The pieces that they may become.
        to: Vec<Name>,
    },
    /// A player of four who has no legal move and is not in check: they pass, or the game is drawn.
    Passing {
        /// Whether they play in teams.
        teams: bool,
    },
    /// The draws of a game of four.
    DrawsOfFour {
        /// Whether they play in teams.
        teams: bool,
        /// The moves of each living player without capture, pawn move or exit that end it.
        moves: usize,
        /// The occurrences of a position that end it.
        occurrences: usize,
    },
    /// How many starting positions a rule makes, and the number of the one drawn.
    Shuffled {
        /// How many there are.
        count: usize,
        /// The one drawn.
        usual: usize,
    },
    /// That distances from White's camp are drawn.
    Distances,
    /// How the pieces are drawn, and the marks that are used.
    Legend {
        /// The marks.
        marks: Vec<Mark>,
        /// Whether the pieces are drawn as Red's, in a game of three or four, and not as White's.
        of_red: bool,
    },
    /// The name of a piece as a heading.
    Piece(Name),
    /// Some moves of a piece.
    Moves(Moves),
    /// That a piece cannot move.
    Immobile,
    /// That a piece moves as both its parts do.
    Fused([Name; 2]),
    /// How long a move may be that turns.
    Longest(usize),
    /// Where a piece may not go.
    Closed(Area),
    /// Moves in the notation of the file, and when they apply.
    Notation(Vec<(String, Condition)>),
    /// From where a piece is drawn.
    DrawnFrom(String),
    /// Whose piece is drawn, of three or four players, and from where.
    DrawnOfSeat(Seat, String),
    /// That a piece is drawn with pieces in its way.
    DrawnAmongPieces,
    /// That moves from other squares follow from those that are drawn.
    OtherSquares,
    /// The side that begins, check and checkmate.
    Aim,
    /// Pieces that win where they arrive.
    Goal {
        /// The pieces.
        pieces: Vec<Name>,
        /// Where White's and Black's win.
        on: ByColor<Vec<Spot>>,
    },
    /// The same for one side alone.
    GoalOf {
        /// The side.
        color: Color,
        /// The pieces.
        pieces: Vec<Name>,
        /// Where they win.
        on: Vec<Spot>,
    },
    /// Pieces that are promoted where they arrive.
    Promotion {
        /// The pieces.
        pieces: Vec<Name>,
        /// Where White's and Black's are.
        on: ByColor<Vec<Spot>>,
        /// The pieces that they may become.
        to: Vec<Name>,
    },
    /// The same for one side alone.
    PromotionOf {
        /// The side.
        color: Color,
        /// The pieces.
        pieces: Vec<Name>,
        /// Where they are promoted.
        on: Vec<Spot>,
        /// The pieces that they may become.
        to: Vec<Name>,
    },
    /// Pieces that are promoted, to different ones by the square.
    Promotions {
        /// The pieces.
        pieces: Vec<Name>,
        /// White's squares, and the pieces to choose from there.
        to: Vec<(Vec<Spot>, Vec<Name>)>,
        /// Whether Black's squares are White's turned by 180 degrees; mirrored otherwise.
        turned: bool,
    },
    /// That the game has no promotion.
    NoPromotion,
    /// How pieces fuse: two parts and their compound.
    Fusing(Vec<([Name; 2], Name)>),
    /// How a compound comes apart.
    Splitting,
    /// Which pieces take each other in passing.
    EnPassant(Vec<Name>),
    /// En passant with more than two players.
    EnPassantOfFour(Vec<Name>),
    /// That the game has no castling.
    NoCastling,
    /// The castlings of one side.
    Castling(Color, Vec<CastlingWay>),
    /// The castlings of a player of three or four.
    CastlingOfSeat(Seat, Vec<CastlingWay>),
    /// The conditions of castling.
    CastlingTerms {
        /// The King.
        king: Name,
        /// The condition on earlier moves.
        history: History,
        /// The condition on the enemy's attacks.
        attacks: Attacks,
    },
    /// The result of stalemate.
    Stalemate(Stalemate),
    /// When repetition draws.
    Repetition(Limit),
    /// When many moves without progress draw.
    MoveCount {
        /// How many by each side.
        limit: Limit,
        /// The pieces whose moves are progress, as captures are.
        pawns: Vec<Name>,
    },
    /// Material that cannot win, side against side.
    Dead(Vec<[Vec<Name>; 2]>),
    /// The label of the game's id, for programs.
    Id,
    /// A position to start from, by number if there are several.
    StartLabel(Option<usize>),
}

/// One of the positions to start from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StartName {
    /// Its number, from 0.
    pub number: usize,
    /// Its name in the game's own words, which distinguishes it from the others.
    pub name: String,
}

/// Which way is forward for White.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Forward {
    /// Along a file or rank, toward the last file or rank named.
    Straight(LineDirection),
    /// Along diagonals of the board.
    Corner {
        /// The corner behind White.
        from: String,
        /// The corner ahead.
        to: String,
        /// Where half left forward is.
        left: LineDirection,
        /// Where half right forward is.
        right: LineDirection,
        /// The corners to White's left and right.
        sides: [String; 2],
    },
}

/// A way along a file or rank, and where it ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineDirection {
    /// Up a file to the last rank, which is this.
    Up(u8),
    /// Down a file to rank 1.
    Down,
    /// Along a rank to the last file, which is this.
    Right(char),
    /// Along a rank to file a.
    Left,
}

impl LineDirection {
    /// The direction of a step along a file or rank of a board of `width` files and `height` ranks.
    pub(super) fn of(Vector { dx, dy }: Vector, (width, height): (u8, u8)) -> Self {
        match (dx, dy) {
            (0, 1) => Self::Up(height),
            (0, _) => Self::Down,
            (1, _) => Self::Right(file_letter(width - 1)),
            _ => Self::Left,
        }
    }
}

/// The letter of a file.
pub(super) fn file_letter(file: u8) -> char {
    char::from(b'a' + file)
}

/// How Black's side follows from White's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BlackSide {
    /// Turned by 180 degrees, with two squares that become one another.
    Turned(Option<[String; 2]>),
    /// Rank 1 becomes the last rank, which is this.
    MirroredRanks(u8),
    /// File a becomes the last file, which is this.
    MirroredFiles(char),
    /// Mirrored in a diagonal.
    MirroredDiagonal {
        /// Where the diagonal ends.
        diagonal: [String; 2],
        /// Two squares that become one another.
        example: Option<[String; 2]>,
    },
}

/// A mark in the drawings of pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// The piece moves or captures there.
    Either,
    /// It only moves there.
    Quiet,
    /// It only captures there.
    Capture,
    /// It moves there as its first move.
    First,
    /// It goes there across one piece.
    Over,
    /// A piece in the way.
    Blocker,
    /// A piece in the way that is captured if it is an enemy.
    Victim,
}

impl Mark {
    /// All marks in the order in which they are explained.
    pub const ALL: [Self; 7] =
        [Self::Either, Self::Quiet, Self::Capture, Self::First, Self::Over, Self::Blocker, Self::Victim];

    /// How it is drawn.
    #[must_use]
    pub const fn sign(self) -> char {
        match self {
            Self::Either => 'o',
            Self::Quiet => 'm',
            Self::Capture => 'x',
            Self::First => 'i',
            Self::Over => 'h',
            Self::Blocker => '#',
            Self::Victim => 'X',
        }
    }
}

/// One way to castle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CastlingWay {
    /// Whether it is the short one.
    pub short: bool,
    /// The King, from where and to where it goes.
    pub king: (Name, [String; 2]),
    /// The piece that stands for the rook, likewise.
    pub rook: (Name, [String; 2]),
}

impl CastlingWay {
    /// Whether the two swap squares.
    #[must_use]
    pub fn trades(&self) -> bool {
        let ([king_from, king_to], [rook_from, rook_to]) = (&self.king.1, &self.rook.1);
        king_to == rook_from && king_from == rook_to
    }
}

/// The condition of castling on earlier moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum History {
    /// Both pieces must not have moved.
    Unmoved,
    /// Nothing.
    Forgotten,
    /// It depends on the castling.
    Mixed,
}

/// The condition of castling on the enemy's attacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attacks {
    /// Only the square where the King ends must be safe, and the game states this.
    Free,
    /// The King must not be in check, nor cross an attacked square, nor end on one.
    Strict,
    /// The King must not end in check; the rest depends on the castling.
    Ends,
}
