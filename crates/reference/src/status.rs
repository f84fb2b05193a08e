//! What a position is: won by goal, mate, stalemate, dead, check, or none of these. Draws by claim, count or
//! repetition are not the walker's business.

use crate::legal::Walker;

impl Walker {
    /// One of `goal`, `checkmate`, `stalemate`, `dead`, `check`, `ongoing`: the first that holds, in this
    /// order. A dead position still lists its legal moves.
    pub fn status(&self) -> &'static str {
        if self.is_won_by_goal() {
            return "goal";
        }
        match (self.legal().is_empty(), self.in_check()) {
            (true, true) => "checkmate",
            (true, false) => "stalemate",
            (false, _) if self.is_dead() => "dead",
            (false, true) => "check",
            (false, false) => "ongoing",
        }
    }

    /// Whether the side that has just moved has a piece on a square where that piece wins.
    pub(crate) fn is_won_by_goal(&self) -> bool {
        let winner = self.to_move.enemy();
        self.board
            .pieces()
            .into_iter()
            .any(|(square, piece)| piece.color == winner && self.rules.is_goal(piece, square))
    }

    /// Bare kings are a dead position in every game in which a bare king cannot win.
    fn is_dead(&self) -> bool {
        self.rules.bare_kings_are_dead() && self.board.pieces().iter().all(|(_, piece)| piece.letter == 'K')
    }
}
