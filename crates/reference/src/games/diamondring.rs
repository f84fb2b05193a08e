//! Diamond Ring Chess (Charles Gilman, 2007): a 12x12 torus with two camps, and the distances from the camps
//! that tell its pawns which way is forward. The family of the game borrows from here.

use crate::board::{Board, Color, Offset, Piece, Shape, Square, sq};
use crate::movement::{DIAGONAL, Move, ORTHOGONAL, king_steps, leaps, oblique, slides};
use crate::pawn::{captures, quiet};
use crate::variant::Rules;
use crate::walker::Walker;

/// Twelve by twelve, file l next to file a and rank 12 next to rank 1.
pub(crate) static TORUS: Shape =
    Shape { files: 12, ranks: 12, files_wrap: true, ranks_wrap: true, is_hole: |_| false };

/// Diamond Ring Chess.
#[derive(Debug)]
pub(crate) struct DiamondRing;

/// The start position, which some of the family share.
pub(crate) const START: &str = "2PREFWERP2/3PNBBNP3/p3PDDP3p/rp3PP3pr/enp6pne/kbdp4pdbw/fbdp4pdbf/enp6pne/rp3PP3pr/p3PDDP3p/3PNBBNP3/2PREFKERP2 w - - 0 1";

impl Rules for DiamondRing {
    fn id(&self) -> &'static str {
        "diamondring"
    }

    fn shape(&self) -> &'static Shape {
        &TORUS
    }

    fn letters(&self) -> &'static str {
        "KFWEDNRBP"
    }

    fn start_fens(&self) -> Vec<String> {
        vec![START.into()]
    }

    fn destinations(&self, board: &Board, from: Square, piece: Piece) -> Vec<Square> {
        ring_destinations(board, from, piece)
    }

    fn pawn_moves(&self, walker: &Walker, from: Square, piece: Piece) -> Vec<Move> {
        ring_pawn_moves(walker, from, piece)
    }

    /// The enemy's four centre squares, where a pawn could go no further.
    fn promotions(&self, piece: Piece, to: Square) -> &'static str {
        if piece.letter == 'P' && is_enemy_centre(piece.color, to) { "RBNEDFW" } else { "" }
    }
}

/// King one step, ferz one step diagonally, wazir one step along file or rank; elephant leaps (2,2), dabbaba
/// (2,0), knight (2,1); rook and bishop slide, around the torus but never back to their own square.
pub(crate) fn ring_destinations(board: &Board, from: Square, piece: Piece) -> Vec<Square> {
    match piece.letter {
        'K' => king_steps(board, from, piece),
        'F' => leaps(board, from, piece, &DIAGONAL),
        'W' => leaps(board, from, piece, &ORTHOGONAL),
        'E' => leaps(board, from, piece, &DIAGONAL.map(|(dx, dy)| (2 * dx, 2 * dy))),
        'D' => leaps(board, from, piece, &ORTHOGONAL.map(|(dx, dy)| (2 * dx, 2 * dy))),
        'N' => leaps(board, from, piece, &oblique(2, 1)),
        'R' => slides(board, from, piece, &ORTHOGONAL),
        'B' => slides(board, from, piece, &DIAGONAL),
        _ => Vec::new(),
    }
}

/// The pawn's steps on the torus: forward along file or rank without capture, and one diagonal capture. No
/// double step, no en passant.
pub(crate) fn ring_pawn_moves(walker: &Walker, from: Square, piece: Piece) -> Vec<Move> {
    let quiet_steps = forward_steps(&TORUS, piece.color, from);
    let capture_steps: Vec<Offset> = forward_capture(piece.color, from).into_iter().collect();
    [quiet(walker, piece, from, &quiet_steps), captures(walker, piece, from, &capture_steps)].concat()
}

/// A color's four centre squares.
fn centre(color: Color) -> [Square; 4] {
    match color {
        Color::White => const { [sq("f1"), sq("g1"), sq("f12"), sq("g12")] },
        Color::Black => const { [sq("a6"), sq("a7"), sq("l6"), sq("l7")] },
    }
}

/// The steps from one coordinate to another the shorter way round a circle of twelve.
fn around(from: i32, to: i32) -> i32 {
    let difference = (from - to).abs();
    difference.min(12 - difference)
}

/// The torus distance in files plus that in ranks from a square to the nearest of a color's centre squares:
/// `g` of the rules.
pub(crate) fn distance_from_centre(color: Color, square: Square) -> i32 {
    let [first, second, third, fourth] =
        centre(color).map(|centre| around(square.file, centre.file) + around(square.rank, centre.rank));
    first.min(second).min(third).min(fourth)
}

/// The distance from a color's camp, the table of the inventor's page: `d` of the rules.
pub(crate) fn distance_from_camp(color: Color, square: Square) -> i32 {
    (distance_from_centre(color, square) - 3).max(0)
}

/// Whether the square belongs to the camp of a color.
pub(crate) fn in_camp(color: Color, square: Square) -> bool {
    distance_from_camp(color, square) == 0
}

/// Whether this is one of the four centre squares of the enemy of a color.
pub(crate) fn is_enemy_centre(color: Color, square: Square) -> bool {
    centre(color.enemy()).contains(&square)
}

/// Without capture a pawn goes one step along file or rank to a square farther from its camp.
pub(crate) fn forward_steps(shape: &Shape, color: Color, from: Square) -> Vec<Offset> {
    let here = distance_from_camp(color, from);
    let farther =
        |step: &Offset| shape.step(from, *step).is_some_and(|to| distance_from_camp(color, to) > here);
    ORTHOGONAL.into_iter().filter(farther).collect()
}

/// A pawn captures on that one of its diagonal neighbors on the torus which lies farthest from its camp, if
/// that is farther than where it stands.
pub(crate) fn forward_capture(color: Color, from: Square) -> Option<Offset> {
    let distance = |step: &Offset| TORUS.step(from, *step).map_or(0, |to| distance_from_camp(color, to));
    let farthest = DIAGONAL.into_iter().max_by_key(distance)?;
    if distance(&farthest) > distance_from_camp(color, from) { Some(farthest) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of the inventor's page, from rank 12 down, `.` being the camp's blank and its zeros 0 too.
    const PAGE: [&str; 12] = [
        "210......012",
        "3210....0123",
        "43210..01234",
        "543210012345",
        "654321123456",
        "765432234567",
        "765432234567",
        "654321123456",
        "543210012345",
        "43210..01234",
        "3210....0123",
        "210......012",
    ];

    #[test]
    fn the_distances_are_those_of_the_page() {
        for (row, rank) in PAGE.iter().zip((0..12).rev()) {
            for (written, file) in row.chars().zip(0..) {
                let expected = written.to_digit(10).unwrap_or(0);
                let found = distance_from_camp(Color::White, Square { file, rank });
                assert_eq!(found, expected as i32, "{}", Square { file, rank }.name());
            }
        }
    }

    #[test]
    fn each_camp_has_forty_squares_and_black_s_is_the_mirror_image() {
        for color in [Color::White, Color::Black] {
            assert_eq!(TORUS.squares().into_iter().filter(|s| in_camp(color, *s)).count(), 40);
        }
        for square in TORUS.squares() {
            let mirrored = Square { file: 11 - square.rank, rank: 11 - square.file };
            assert_eq!(distance_from_camp(Color::White, square), distance_from_camp(Color::Black, mirrored));
        }
    }

    #[test]
    fn a_pawn_has_two_moves_and_a_capture_or_one_on_the_enemy_s_centre_lines() {
        for color in [Color::White, Color::Black] {
            for square in TORUS.squares() {
                let on_center_line = match color {
                    Color::White => [0, 11].contains(&square.file) || [5, 6].contains(&square.rank),
                    Color::Black => [0, 11].contains(&square.rank) || [5, 6].contains(&square.file),
                };
                let steps = forward_steps(&TORUS, color, square).len();
                let name = square.name();
                if is_enemy_centre(color, square) {
                    assert_eq!((steps, forward_capture(color, square)), (0, None), "{name}");
                } else if !in_camp(color, square) {
                    assert_eq!(steps, if on_center_line { 1 } else { 2 }, "{name}");
                    let here = distance_from_camp(color, square);
                    let reach = |step: &Offset| TORUS.step(square, *step).unwrap();
                    let capture = forward_capture(color, square).unwrap();
                    let farthest = distance_from_camp(color, reach(&capture));
                    assert!(farthest > here, "{name}");
                    let ties =
                        DIAGONAL.iter().filter(|step| distance_from_camp(color, reach(step)) == farthest);
                    assert_eq!(ties.count(), 1, "{name}");
                }
            }
        }
    }
}
