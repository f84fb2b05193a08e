//! `VariantDef`: a variant file as data, as written, not yet validated. `compile` turns it into a
//! [`Variant`](super::Variant) or lists everything that is wrong with it.

use super::document::{At, Documents};
use crate::geometry::layout::View;
use crate::geometry::{Symmetry, Wrap};
use crate::piece::ByColor;
use crate::seat::Seat;

/// A value from the file and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Located<T> {
    pub(crate) at: At,
    pub(crate) value: T,
}

/// A text from the file.
pub(crate) type Text = Located<String>;

impl Text {
    /// The lines of a drawn board, each with its location; blank lines do not count.
    pub(crate) fn rows(&self) -> Vec<Self> {
        let mut byte = self.at.byte;
        let mut rows = Vec::new();
        for line in self.value.split('\n') {
            let indent = line.len() - line.trim_start().len();
            if !line.trim().is_empty() {
                let at = At { byte: byte + indent, ..self.at };
                rows.push(Self { at, value: line.trim().to_owned() });
            }
            byte += line.len() + 1;
        }
        rows
    }
}

/// A variant file as read: every value still as written in the file.
#[derive(Clone, Debug)]
pub(crate) struct VariantDef {
    pub(crate) documents: Documents,
    pub(crate) at: At,
    pub(crate) id: Text,
    pub(crate) name: Text,
    pub(crate) author: String,
    pub(crate) year: Option<i64>,
    pub(crate) source: String,
    pub(crate) about: String,
    pub(crate) readings: Vec<String>,
    pub(crate) aliases: Vec<Text>,
    pub(crate) seats: SeatsDef,
    pub(crate) board: BoardDef,
    pub(crate) regions: Vec<(Text, AreaDef)>,
    pub(crate) distance: Option<DistanceDef>,
    pub(crate) roles: Vec<RoleDef>,
    pub(crate) fusions: Vec<FusionDef>,
    pub(crate) starts: Vec<StartDef>,
    pub(crate) shuffle: Option<ShuffleDef>,
    pub(crate) promotions: Vec<PromotionDef>,
    pub(crate) goals: Vec<GoalDef>,
    pub(crate) castlings: Vec<CastlingDef>,
    pub(crate) draws: DrawsDef,
    pub(crate) readable: Readable,
}

/// Which parts of the file could be read in full. References to the others are not reported: they may be right.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Readable {
    /// Every piece's letter is known.
    pub(crate) letters: bool,
    /// Which pieces are kings is known.
    pub(crate) kings: bool,
    /// Every region's name is known.
    pub(crate) regions: bool,
    pub(crate) distance: bool,
    pub(crate) castlings: bool,
}

/// The players of a game.
#[derive(Clone, Debug)]
pub(crate) struct SeatsDef {
    pub(crate) players: Located<i64>,
    /// Names of seats with spaces between them.
    pub(crate) teams: Vec<Text>,
    /// By seat, how it follows from the first one.
    pub(crate) symmetries: Vec<(Seat, Located<Symmetry>)>,
    /// Where the table of these symmetries stands.
    pub(crate) at: Option<At>,
}

/// The board as drawn, and how the two sides lie on it.
#[derive(Clone, Debug)]
pub(crate) struct BoardDef {
    /// Rows from the top: `.` a square, `*` a hole.
    pub(crate) rows: Vec<Text>,
    pub(crate) wrap: Wrap,
    pub(crate) view: View,
    pub(crate) symmetry: Located<Symmetry>,
    /// Whether the file's word for it is one. Otherwise it is only there so that the rest can be validated.
    pub(crate) symmetry_readable: bool,
    /// The symmetries that lay White's side onto those of its opponents: `symmetry`, or several with more than two players.
    pub(crate) enemies: Vec<Symmetry>,
    /// With more than two players, those of Black's opponents; `None` is White itself.
    pub(crate) second_enemies: Option<Vec<Option<Symmetry>>>,
    pub(crate) forward: ByColor<Located<(i64, i64)>>,
}

/// Squares by name, or by distance.
#[derive(Clone, Debug)]
pub(crate) enum AreaDef {
    /// A list such as `a4 b3 file-a rank-2 c9..i9 camp enemy:camp`.
    Listed(Text),
    /// It could not be read.
    Unreadable,
    /// All squares at most `within` steps (files plus ranks, the short way round) from `around`.
    Around { around: Text, within: Located<i64> },
}

/// The distance from a camp that moves may have to gain.
#[derive(Clone, Debug)]
pub(crate) struct DistanceDef {
    pub(crate) from: Text,
    /// Steps that still count as distance 0.
    pub(crate) free: Located<i64>,
}

/// One kind of piece.
#[derive(Clone, Debug)]
pub(crate) struct RoleDef {
    pub(crate) letter: Text,
    pub(crate) name: Text,
    pub(crate) picture: String,
    pub(crate) royal: bool,
    pub(crate) pawn: bool,
    pub(crate) en_passant: Located<bool>,
    /// Squares that it neither ends on nor passes.
    pub(crate) wall: Option<Text>,
    /// `None` for a compound, which moves as its parts do.
    pub(crate) moves: Option<Vec<MovesDef>>,
    /// Whether name and moves could be read.
    pub(crate) is_readable: bool,
}

impl RoleDef {
    /// A piece of which only the letter could be read: that there is one is known.
    pub(crate) fn unreadable(letter: Text) -> Self {
        Self {
            picture: String::new(),
            royal: false,
            pawn: false,
            en_passant: Located { at: letter.at, value: false },
            wall: None,
            name: Self::unnamed(letter.at),
            letter,
            moves: Some(Vec::new()),
            is_readable: false,
        }
    }

    /// Stands for a name that could not be read.
    pub(crate) fn unnamed(at: At) -> Text {
        Text { at, value: "?".into() }
    }
}

/// Two pieces that become one: `Q = "RB"`.
#[derive(Clone, Debug)]
pub(crate) struct FusionDef {
    pub(crate) into: Text,
    pub(crate) parts: Text,
}

/// Some moves of a piece, and where or how they apply.
#[derive(Clone, Debug)]
pub(crate) struct MovesDef {
    pub(crate) betza: Text,
    /// Only from these squares.
    pub(crate) on: Option<Text>,
    /// Only where there is no square in this direction of the player's frame.
    pub(crate) edge: Option<Text>,
    /// Only moves that gain (or keep) distance from the own camp.
    pub(crate) gain: Option<Gain>,
    /// Steps that still count as distance 0, where these moves count otherwise than the game.
    pub(crate) free: Option<Located<i64>>,
}

/// Which gains of distance count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gain {
    /// Every move that ends farther from the camp than it began.
    Any,
    /// Of these only the ones that end farthest.
    Most,
    /// Every move that ends exactly as far from the camp as it began.
    Level,
}

/// A position to start from.
#[derive(Clone, Debug)]
pub(crate) struct StartDef {
    pub(crate) name: String,
    pub(crate) fen: Text,
}

/// Pieces that are promoted, where, and to what.
#[derive(Clone, Debug)]
pub(crate) struct PromotionDef {
    pub(crate) pieces: Text,
    pub(crate) on: Text,
    pub(crate) to: Text,
    /// The side that it is for; `None`: both.
    pub(crate) color: Option<Text>,
}

/// Pieces that win by arriving.
#[derive(Clone, Debug)]
pub(crate) struct GoalDef {
    pub(crate) pieces: Text,
    pub(crate) on: Text,
    /// The side that it is for; `None`: both.
    pub(crate) color: Option<Text>,
}

/// The rule that makes starting positions.
#[derive(Clone, Debug)]
pub(crate) struct ShuffleDef {
    pub(crate) on: Text,
    pub(crate) place: Vec<Text>,
    /// The King's targets in short and long castling.
    pub(crate) king: Option<Text>,
    /// The rook's.
    pub(crate) rook: Option<Text>,
}

/// One castling.
#[derive(Clone, Debug)]
pub(crate) struct CastlingDef {
    pub(crate) at: At,
    pub(crate) color: Text,
    pub(crate) name: Text,
    pub(crate) king: Text,
    pub(crate) rook: Text,
    pub(crate) piece: Text,
    pub(crate) right: Option<Text>,
    pub(crate) out_of_check: bool,
    pub(crate) through_check: bool,
}

/// When a game is drawn or decided without a mate.
#[derive(Clone, Debug)]
pub(crate) struct DrawsDef {
    pub(crate) repetition: [Located<i64>; 2],
    pub(crate) moves: [Located<i64>; 2],
    pub(crate) stalemate: Stalemate,
    pub(crate) dead: Vec<Text>,
}

/// The result of stalemate for the player who cannot move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stalemate {
    /// The game is drawn.
    Draw,
    /// The player who cannot move loses.
    Loss,
    /// The player who cannot move wins.
    Win,
}
