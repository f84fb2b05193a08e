//! Positions of games for any number of players as a learner plays in them: as White or Red. In a game of two White has the seat of
//! Red and Black that of Blue, so that levels are made alike. Not here: what a level asks for.

use lozenge_rules::geometry::Square;
use lozenge_rules::position::{
    AnyMultiPosition, AnyPosition, Color, GamePosition, Move, MultiStatus, Piece, Role,
};
use lozenge_rules::seat::{OwnedPiece, Seat};

/// The seat of the learner.
pub(crate) const LEARNER: Seat = Seat::Red;

/// The player whose turn follows the learner's: always an enemy.
pub(crate) const NEXT: Seat = Seat::Blue;

/// The partner of the learner, where teams play.
pub(crate) const PARTNER: Seat = Seat::Yellow;

/// The fields of a FEN of three or four with the player to move, and with the double steps that can be answered.
const MOVER_FIELD: usize = 1;
const OFFERS_FIELD: usize = 3;

/// The learner's piece of a kind.
pub(crate) fn own(role: Role) -> OwnedPiece {
    OwnedPiece { owner: Some(LEARNER), role }
}

/// The piece of the player whose turn is next.
pub(crate) fn next(role: Role) -> OwnedPiece {
    OwnedPiece { owner: Some(NEXT), role }
}

/// The color of a seat in a game of two.
pub(crate) const fn color(seat: Seat) -> Color {
    match seat {
        LEARNER => Color::White,
        _ => Color::Black,
    }
}

const fn seat(color: Color) -> Seat {
    match color {
        Color::White => LEARNER,
        Color::Black => NEXT,
    }
}

/// Questions about a position in which a learner plays.
pub(crate) trait Learned: Sized {
    /// The position after a legal move.
    fn after(&self, played: Move) -> Self;
    /// The player to move.
    fn mover(&self) -> Seat;
    /// The piece on a square.
    fn piece(&self, square: Square) -> Option<OwnedPiece>;
    /// Whether the player to move is in check.
    fn is_check(&self) -> bool;
    /// Whether a legal move captures.
    fn takes(&self, played: Move) -> bool;
    /// The learner's King.
    fn own_king(&self) -> Option<Square>;
    /// Whether the game is over, other than by a draw. In a game of two the player to move has lost then.
    fn is_lost(&self) -> bool;
    /// The living enemies of the learner.
    fn enemies(&self) -> Vec<Seat>;
    /// The same position with another player to move; `None` if the game does not allow it, or a player has no move there.
    fn with_mover(&self, mover: Seat) -> Option<Self>;
    /// Whether the game goes on, with the players who were living in the position before.
    fn goes_on(&self, before: &Self) -> bool;

    /// The position after a move of the learner with the learner to move again; `None` if a player has lost by it, or the game
    /// does not allow it.
    fn again(&self, played: Move) -> Option<Self> {
        let after = self.after(played);
        if !after.goes_on(self) {
            return None;
        }
        after.with_mover(LEARNER)
    }

    /// The same with this player to move, as it is if it is their turn.
    fn at_turn(&self, mover: Seat) -> Option<Self>;

    /// Whether the learner would be mated if it were their turn now.
    fn is_out_at_turn(&self) -> bool;

    /// Whether a move of the learner gives check to an enemy, without mate.
    fn checks(&self, played: Move) -> bool {
        let after = self.after(played);
        after.goes_on(self)
            && after
                .enemies()
                .into_iter()
                .any(|enemy| after.at_turn(enemy).is_some_and(|turn| turn.is_check()))
    }
}

impl Learned for GamePosition {
    fn after(&self, played: Move) -> Self {
        match self {
            Self::Two(position) => position.play_unchecked(played).into(),
            Self::Four(position) => position.play_unchecked(played).into(),
        }
    }

    fn mover(&self) -> Seat {
        match self {
            Self::Two(position) => seat(position.turn()),
            Self::Four(position) => position.turn(),
        }
    }

    fn piece(&self, square: Square) -> Option<OwnedPiece> {
        match self {
            Self::Two(position) => {
                let piece: Piece = position.piece_at(square)?;
                Some(OwnedPiece { owner: Some(seat(piece.color())), role: piece.role() })
            }
            Self::Four(position) => position.piece_at(square),
        }
    }

    fn is_check(&self) -> bool {
        match self {
            Self::Two(position) => position.is_check(),
            Self::Four(position) => position.is_check(),
        }
    }

    fn takes(&self, played: Move) -> bool {
        match self {
            Self::Two(position) => position.is_capture(played),
            Self::Four(position) => !position.captured(played).is_empty(),
        }
    }

    fn own_king(&self) -> Option<Square> {
        match self {
            Self::Two(position) => Some(position.king(color(LEARNER))),
            Self::Four(position) => position.king(LEARNER),
        }
    }

    fn is_lost(&self) -> bool {
        match self {
            Self::Two(position) => position.status().is_win(),
            Self::Four(position) => position.status() == MultiStatus::Decided,
        }
    }

    fn enemies(&self) -> Vec<Seat> {
        match self {
            Self::Two(_) => vec![NEXT],
            Self::Four(position) => {
                let partner = if position.variant().is_teams() { PARTNER } else { LEARNER };
                position.living().iter().filter(|&seat| seat != LEARNER && seat != partner).collect()
            }
        }
    }

    fn with_mover(&self, mover: Seat) -> Option<Self> {
        match self {
            Self::Two(position) => two_with_mover(position, color(mover)).map(Self::Two),
            Self::Four(position) => four_with_mover(position, mover).map(Self::Four),
        }
    }

    fn at_turn(&self, mover: Seat) -> Option<Self> {
        if self.mover() == mover { Some(self.clone()) } else { self.with_mover(mover) }
    }

    fn is_out_at_turn(&self) -> bool {
        match self {
            Self::Two(_) => false,
            Self::Four(position) => {
                // Where the learner's turn is next, the mate has been seen already.
                !position.living().contains(LEARNER)
                    || turned(position, LEARNER).is_some_and(|turned| !turned.living().contains(LEARNER))
            }
        }
    }

    fn goes_on(&self, before: &Self) -> bool {
        match (self, before) {
            (Self::Four(after), Self::Four(before)) => after.living() == before.living(),
            (Self::Two(after), _) => !after.status().is_win(),
            (Self::Four(_), Self::Two(_)) => false,
        }
    }
}

fn two_with_mover(position: &AnyPosition, mover: Color) -> Option<AnyPosition> {
    let mut setup = position.setup();
    setup.turn = mover;
    setup.en_passant = None;
    setup.en_passant_pawn = None;
    AnyPosition::from_setup(position.variant(), &setup).ok()
}

fn four_with_mover(position: &AnyMultiPosition, mover: Seat) -> Option<AnyMultiPosition> {
    let turned = turned(position, mover)?;
    // A player without a move there is mated, or the turn has passed.
    (turned.turn() == mover && turned.living() == position.living()).then_some(turned)
}

/// The same position with another player to move, resolved.
fn turned(position: &AnyMultiPosition, mover: Seat) -> Option<AnyMultiPosition> {
    let fen = position.fen();
    let letter = mover.letter().to_string();
    let field = |(number, field)| match number {
        MOVER_FIELD => letter.as_str(),
        OFFERS_FIELD => "-",
        _ => field,
    };
    let fields: Vec<&str> = fen.split(' ').enumerate().map(field).collect();
    AnyMultiPosition::from_fen(position.variant(), &fields.join(" ")).ok()
}
