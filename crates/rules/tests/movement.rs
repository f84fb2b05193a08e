//! Movement that the five games do not have: riders, lame and jumping leaps, hoppers, ranges, initial
//! moves; on every kind of surface; and the King's safety against men that capture along trails.
#![allow(clippy::unwrap_used, reason = "a test may stop where it is")]

use lozenge_rules::notation::uci;
use lozenge_rules::position::{AnyPosition, Status};
use lozenge_rules::variant::Variant;
use std::sync::Arc;

/// A game with King, orthodox rook, and one man X with these moves, on a board of dots and stars.
fn game(moves: &str, rows: &str, wrap: &str) -> Arc<Variant> {
    let height = rows.split_whitespace().count();
    let empty = |row: &str| row.replace('.', "1");
    let mut start: Vec<String> = rows.split_whitespace().map(empty).collect();
    // Kings half a board apart, on any surface.
    for (row, king) in [(height - 1, "K"), (height / 2 - usize::from(height > 4), "k")] {
        let at = start[row].find('1').unwrap();
        start[row].replace_range(at..=at, king);
    }
    let start: Vec<String> = start.iter().map(|row| join_runs(row)).collect();
    let text = format!(
        "id = \"t\"\nname = \"T\"\n[board]\nsquares = \"\"\"\n{}\n\"\"\"\nwrap = \"{wrap}\"\n\
         [roles.K]\nname = \"King\"\nroyal = true\nmoves = \"K\"\n\
         [roles.R]\nname = \"Rook\"\nmoves = \"R\"\n\
         [roles.X]\nname = \"X\"\nmoves = \"{moves}\"\n\
         [start]\nfen = \"{} w - - 0 1\"\n",
        rows.split_whitespace().collect::<Vec<_>>().join("\n"),
        start.join("/"),
    );
    Variant::parse("test", &text, &|_| None).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// `11111` to `5`.
fn join_runs(row: &str) -> String {
    let mut joined = String::new();
    let mut run = 0;
    for letter in row.chars().chain(['/']) {
        if letter == '1' {
            run += 1;
            continue;
        }
        if run > 0 {
            joined += &run.to_string();
            run = 0;
        }
        joined.push(letter);
    }
    joined.trim_end_matches('/').to_owned()
}

const EIGHT: &str = "........ ........ ........ ........ ........ ........ ........ ........";

/// Where the man on `from` may legally go.
fn targets(game: &Arc<Variant>, fen: &str, from: &str) -> String {
    let position = AnyPosition::from_fen(game, fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    position.assert_consistent();
    let square = game.shape().named(from).unwrap();
    let mut names: Vec<String> = (position.legal_moves().iter())
        .filter(|legal| legal.from == square)
        .map(|legal| game.shape().name(legal.to))
        .collect();
    names.sort();
    names.join(" ")
}

fn check(moves: &str, fen: &str, from: &str, expected: &str) {
    assert_eq!(targets(&game(moves, EIGHT, "none"), fen, from), expected, "{moves}: {fen}");
}

#[test]
fn riders_and_ranges() {
    // Nightrider from a1, blocked on c5 by an own man: b3 only; and d... along the other arm.
    check("NN", "7k/8/8/2R5/8/8/8/X6K w - - 0 1", "a1", "b3 c2 e3 g4");
    check("R2", "7k/8/8/8/8/8/8/X6K w - - 0 1", "a1", "a2 a3 b1 c1");
    check("fR", "7k/8/8/8/X7/8/8/7K w - - 0 1", "a4", "a5 a6 a7 a8");
    check("(4,1)", "7k/8/8/8/8/8/8/X6K w - - 0 1", "a1", "b5 e2");
    check("mF2", "7k/8/8/8/8/2r5/8/X6K w - - 0 1", "a1", "b2");
    check("DD", "7k/8/8/8/8/8/8/X6K w - - 0 1", "a1", "a3 a5 a7 c1 e1 g1");
}

#[test]
fn lame_and_jumping_leaps() {
    // The horse of xiangqi: b1 bars the two moves to the right, not those up.
    check("nN", "7k/8/8/8/8/8/8/XR5K w - - 0 1", "a1", "b3");
    check("nD", "7k/8/8/8/8/8/r7/X6K w - - 0 1", "a1", "c1");
    check("nA", "7k/8/8/8/8/8/8/X6K w - - 0 1", "a1", "c3");
    check("nA", "7k/8/8/8/8/8/1r6/X6K w - - 0 1", "a1", "");
    // A jump needs a man in the middle; a skipping rider does not care for its first square.
    check("jD", "7k/8/8/8/8/8/r7/X6K w - - 0 1", "a1", "a3");
    check("jR", "7k/8/8/8/8/8/r7/X6K w - - 0 1", "a1", "a3 a4 a5 a6 a7 a8 c1 d1 e1 f1 g1");
}

#[test]
fn hoppers() {
    // The cannon: moves like a rook, captures over one man.
    check("mRcpR", "r6k/8/8/8/r7/8/8/X6K w - - 0 1", "a1", "a2 a3 a8 b1 c1 d1 e1 f1 g1");
    check("pR", "7k/8/8/8/R7/8/8/X6K w - - 0 1", "a1", "a5 a6 a7 a8");
    // The grasshopper lands right behind its hurdle, or captures there.
    check("gQ", "7k/8/8/r7/R7/8/8/X6K w - - 0 1", "a1", "a5");
    check("gQ", "7k/8/8/R7/R7/8/8/X6K w - - 0 1", "a1", "");
    check("gQ", "7k/8/8/8/8/8/1r6/X6K w - - 0 1", "a1", "c3");
}

#[test]
fn kings_and_men_that_capture_along_trails() {
    let cannon = game("mRcpR", EIGHT, "none");
    let status = |game: &Arc<Variant>, fen: &str| AnyPosition::from_fen(game, fen).unwrap().status();
    // No screen: no check. With a screen: check; the screen may not be the man that gives it.
    assert_eq!(status(&cannon, "k7/8/8/8/x7/8/8/K7 w - - 0 1"), Status::Ongoing);
    assert_eq!(status(&cannon, "1k6/8/8/8/x7/8/x7/K7 w - - 0 1"), Status::Check);
    // A man that steps between King and cannon would become the screen.
    assert_eq!(
        targets(&cannon, "7k/8/8/x7/8/1R6/8/K7 w - - 0 1", "b3"),
        "b1 b2 b4 b5 b6 b7 b8 c3 d3 e3 f3 g3 h3"
    );
    // A second man between takes the check away: so may the rook.
    assert_eq!(targets(&cannon, "7k/8/8/x7/8/1R6/x7/K7 w - - 0 1", "b3"), "a3");
    // A man pinned in front of a screen: leaving, or taking the screen's place, would leave one between.
    assert_eq!(targets(&cannon, "7k/8/8/x7/8/R7/x7/K7 w - - 0 1", "a3"), "a4 a5");
    // The nightrider's check is met on its path.
    let rider = game("NN", EIGHT, "none");
    assert_eq!(status(&rider, "7k/8/8/8/6x1/8/8/K7 w - - 0 1"), Status::Check);
    assert_eq!(targets(&rider, "7k/8/8/8/6x1/8/2R5/K7 w - - 0 1", "c2"), "");
    assert_eq!(targets(&rider, "7k/8/8/8/6x1/4R3/8/K7 w - - 0 1", "e3"), "");
    assert_eq!(targets(&rider, "7k/8/8/8/6x1/R7/8/K7 w - - 0 1", "a3"), "e3");
}

#[test]
fn surfaces() {
    // A cylinder: the rook sees round the edge, and the same square both ways once.
    let cylinder = game("R", EIGHT, "files");
    assert_eq!(
        targets(&cylinder, "4k3/8/8/X7/8/8/8/4K3 w - - 0 1", "a5"),
        "a1 a2 a3 a4 a6 a7 a8 b5 c5 d5 e5 f5 g5 h5"
    );
    // Joined ranks: up from rank 8 is rank 1.
    let rolled = game("fR2", EIGHT, "ranks");
    assert_eq!(targets(&rolled, "8/4X3/8/8/k7/8/7K/8 w - - 0 1", "e7"), "e1 e8");
    // A hole stops a rider and not a leaper.
    let lake = "..... ..... ..*.. ..... .....";
    assert_eq!(targets(&game("R", lake, "none"), "4k/5/X1*2/5/K4 w - - 0 1", "a3"), "a2 a4 a5 b3");
    assert_eq!(targets(&game("H", lake, "none"), "4k/5/X1*2/5/K4 w - - 0 1", "a3"), "d3");
    // A torus as narrow as two files: a step left and a step right are one move, two steps none.
    let narrow = game("WD", ".. .. .. .. .. .. ..", "both");
    assert_eq!(targets(&narrow, "2/1k/2/X1/2/1K/2 w - - 0 1", "a4"), "a2 a3 a5 a6 b4");
    // One file, joined: sideways there is nothing.
    let pole = game("W", ". . . . . . .", "files");
    assert_eq!(targets(&pole, "k/1/1/X/1/1/K w - - 0 1", "a4"), "a3 a5");
}

/// Sixteen by sixteen in every kind of joining, with and without holes: loads, plays, and stays
/// consistent; what is counted is what is listed.
#[test]
fn the_largest_boards() {
    let full = vec!["."; 16].concat();
    let holed = "*.............**";
    for rows in
        [vec![full.as_str(); 16], [vec![full.as_str(); 7], vec![holed; 2], vec![full.as_str(); 7]].concat()]
    {
        for wrap in ["none", "files", "ranks", "both"] {
            let game = game("BNNgQmD", &rows.join(" "), wrap);
            // Away from the corners, which are neighbors on a torus.
            let row = |men: &str| format!("{men}{}", 16 - 8);
            let fen = (0..16)
                .map(|number| match number {
                    3 => row("4k2r"),
                    5 => row("2xR3x"),
                    10 => row("2X2r1X"),
                    13 => row("R3K3"),
                    7 | 8 if rows[7] == holed => "*13**".to_owned(),
                    _ => "16".to_owned(),
                })
                .map(|row| if row.ends_with("38") { row.replace("38", "11") } else { row })
                .collect::<Vec<_>>()
                .join("/");
            // On some surfaces White's men give check there: then it is Black's move.
            let read = |turn| AnyPosition::from_fen(&game, &format!("{fen} {turn} - - 0 1"));
            let mut position = read('w').or_else(|_| read('b')).unwrap();
            for ply in 0..60usize {
                position.assert_consistent();
                let moves = position.legal_moves();
                assert_eq!(moves.len() as u64, position.perft(1));
                let read = AnyPosition::from_fen(&game, &position.fen()).unwrap();
                assert_eq!(read, position);
                let Some(&next) = moves.get((ply * 29 + 7) % moves.len().max(1)) else { break };
                assert_eq!(uci::parse(&position, &uci::write(&game, next)), Ok(next));
                position = position.play(next).unwrap();
            }
        }
    }
}
