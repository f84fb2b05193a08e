//! The likely key after a move, predicted before it is played.

use lozenge_rules::library;
use lozenge_rules::position::{AnyPosition, MoveKind, Position, WidthVisitor};
use lozenge_rules::variant::Rules;

/// Plays moves and compares the predicted keys with the real ones.
struct Keys {
    /// A piece has moves that it makes from its starting square only.
    first_moves: bool,
}

impl WidthVisitor for Keys {
    type Output = ();
    fn visit<const N: usize>(self, start: &Position<N>, rules: &Rules<N>) {
        let (mut position, mut right, mut plies) = (*start, 0, 0);
        for ply in 0..80 {
            let moves = position.legal_moves(rules);
            let Some(&played) = moves.get(ply * 7 % moves.len().max(1)) else { break };
            let after = position.play(rules, played);
            let likely = position.likely_key_after(rules, played);
            right += u32::from(after.key() == likely);
            plies += 1;
            let special = !matches!(played.kind, MoveKind::Plain | MoveKind::Promotion(_));
            // Nothing but pieces moves in a game without rights, en passant and initial moves.
            let plain = position.rights() == after.rights() && !self.first_moves;
            assert!(special || !plain || after.key() == likely, "{played:?}");
            position = after;
        }
        assert!(right * 2 > plies, "{right} of {plies}");
    }
}

#[test]
fn likely_keys_are_right_where_only_pieces_move() {
    for id in ["diagonal", "diamondback", "diamond", "doublediamond", "diamondring"] {
        let game = library::game(id).unwrap();
        let start = AnyPosition::start(&game);
        let first_moves = start.setup().pieces().any(|(coord, piece)| {
            let square = game.shape().at(coord).unwrap();
            !game.reach(piece, square).first.is_empty()
        });
        start.visit(Keys { first_moves });
    }
}
