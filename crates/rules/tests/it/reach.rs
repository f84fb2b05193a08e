//! Where a piece may go on an empty board.

use lozenge_rules::library;
use lozenge_rules::piece::{Color, Piece};
use lozenge_rules::variant::Reach;

fn names(id: &str, letter: char, at: &str) -> [String; 4] {
    let game = library::game(id).unwrap();
    let piece = Piece::new(Color::White, game.roles().role(letter).unwrap());
    let Reach { quiet, capture, first, over } = game.reach(piece, game.shape().named(at).unwrap());
    [quiet, capture, first, over]
        .map(|squares| squares.iter().map(|&square| game.shape().name(square)).collect::<Vec<_>>().join(" "))
}

#[test]
fn pawns() {
    assert_eq!(names("chess", 'P', "e2"), ["e3", "d3 f3", "e4", ""]);
    assert_eq!(names("doublediamond", 'P', "d2"), ["e3", "e2 d3", "f4", ""]);
    assert_eq!(names("diamond", 'P', "e4"), ["d4 f4", "d5 f5", "", ""]);
    assert_eq!(names("diamondback", 'P', "a4"), ["b3 b4 a5 b5", "b3 b4 a5 b5", "", ""]);
    assert_eq!(names("diamondring", 'P', "g4"), ["h4 g5", "h5", "", ""]);
}

#[test]
fn sliders_stop_at_the_lake_and_go_round_the_ring() {
    assert_eq!(names("diamond", 'R', "e4")[0], "e1 e2 e3 b4 c4 d4 f4 g4 h4");
    assert_eq!(names("diamondring", 'R', "a1")[0].split(' ').count(), 22);
}
