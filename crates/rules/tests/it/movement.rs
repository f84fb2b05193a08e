//! Movement that the five games do not have, on every kind of surface: riders, lame and jumping
//! leaps, hoppers, ranges, initial moves. Also the King's safety against pieces that capture along
//! trails.

use lozenge_rules::notation::uci;
use lozenge_rules::position::{AnyPosition, Status};
use lozenge_rules::variant::Variant;
use std::sync::Arc;

/// A game with King, orthodox rook, and one piece X with these moves, on a board of dots and stars.
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

/// Where the piece on `from` may legally go.
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
    // Nightrider from a1, blocked on c5 by an own piece: b3 only; and d... along the other arm.
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
    // A jump needs a piece in the middle; a skipping rider does not care for its first square.
    check("jD", "7k/8/8/8/8/8/r7/X6K w - - 0 1", "a1", "a3");
    check("jR", "7k/8/8/8/8/8/r7/X6K w - - 0 1", "a1", "a3 a4 a5 a6 a7 a8 c1 d1 e1 f1 g1");
}

#[test]
fn hoppers() {
    // The cannon: moves like a rook, captures over one piece.
    check("mRcpR", "r6k/8/8/8/r7/8/8/X6K w - - 0 1", "a1", "a2 a3 a8 b1 c1 d1 e1 f1 g1");
    check("pR", "7k/8/8/8/R7/8/8/X6K w - - 0 1", "a1", "a5 a6 a7 a8");
    // The grasshopper lands right behind its hurdle, or captures there.
    check("gQ", "7k/8/8/r7/R7/8/8/X6K w - - 0 1", "a1", "a5");
    check("gQ", "7k/8/8/R7/R7/8/8/X6K w - - 0 1", "a1", "");
    check("gQ", "7k/8/8/8/8/8/1r6/X6K w - - 0 1", "a1", "c3");
}

#[test]
fn kings_and_pieces_that_capture_along_trails() {
    let cannon = game("mRcpR", EIGHT, "none");
    let status = |game: &Arc<Variant>, fen: &str| AnyPosition::from_fen(game, fen).unwrap().status();
    // No screen: no check. With a screen: check; the screen may not be the piece that gives it.
    assert_eq!(status(&cannon, "k7/8/8/8/x7/8/8/K7 w - - 0 1"), Status::Ongoing);
    assert_eq!(status(&cannon, "1k6/8/8/8/x7/8/x7/K7 w - - 0 1"), Status::Check);
    // A piece that steps between King and cannon would become the screen.
    assert_eq!(
        targets(&cannon, "7k/8/8/x7/8/1R6/8/K7 w - - 0 1", "b3"),
        "b1 b2 b4 b5 b6 b7 b8 c3 d3 e3 f3 g3 h3"
    );
    // A second piece between takes the check away: so may the rook.
    assert_eq!(targets(&cannon, "7k/8/8/x7/8/1R6/x7/K7 w - - 0 1", "b3"), "a3");
    // A piece pinned in front of a screen: leaving, or taking the screen's place, would leave one between.
    assert_eq!(targets(&cannon, "7k/8/8/x7/8/R7/x7/K7 w - - 0 1", "a3"), "a4 a5");
    // The nightrider's check is met on its path.
    let rider = game("NN", EIGHT, "none");
    assert_eq!(status(&rider, "7k/8/8/8/6x1/8/8/K7 w - - 0 1"), Status::Check);
    assert_eq!(targets(&rider, "7k/8/8/8/6x1/8/2R5/K7 w - - 0 1", "c2"), "");
    assert_eq!(targets(&rider, "7k/8/8/8/6x1/4R3/8/K7 w - - 0 1", "e3"), "");
    assert_eq!(targets(&rider, "7k/8/8/8/6x1/R7/8/K7 w - - 0 1", "a3"), "e3");
}

/// The griffon, the anchorite, and what their legs may contain.
#[test]
fn bent_riders() {
    check(
        "[F?fR]",
        "7k/8/8/8/3X4/8/8/K7 w - - 0 1",
        "d4",
        "a3 a5 b3 b5 c1 c2 c3 c5 c6 c7 c8 e1 e2 e3 e5 e6 e7 e8 f3 f5 g3 g5 h3 h5",
    );
    // A piece on the first step bars both turns; one on a turn bars that turn from there on.
    check("[F?fR]", "7k/8/8/2R1R3/3X4/2R1r3/8/K7 w - - 0 1", "d4", "e3");
    check("[F?fR]", "7k/8/2R5/4R3/3X4/2R1R3/8/K7 w - - 0 1", "d4", "a5 b5 c5");
    check("[F?fR]", "7k/8/2r5/1r2R3/3X4/2R1R3/8/K7 w - - 0 1", "d4", "b5 c5 c6");
    check("[W?fB]", "7k/8/8/8/8/8/1R6/XR5K w - - 0 1", "a1", "a2 b3 c4 d5 e6 f7 g8");
    // Without the first stop; with a shorter slide; with the last step back at a right angle.
    check("[F-fR2]", "7k/8/8/8/8/8/8/X6K w - - 0 1", "a1", "b3 b4 c2 d2");
    check("[W-sW]", "7k/8/8/8/8/8/8/X6K w - - 0 1", "a1", "b2");
    check("[W-bW]", "7k/8/8/8/8/8/8/X6K w - - 0 1", "a1", "");
    check("m[F?fW]c[W?fF]", "7k/8/8/8/8/r7/8/X6K w - - 0 1", "a1", "b2 b3 c2");
    check("m[W?fF]c[W-fF]", "7k/8/8/8/8/8/1r6/X6K w - - 0 1", "a1", "a2 b1 b3 c2");
}

#[test]
fn doubly_bent_and_crooked_riders() {
    // First and last step cannot be left out, and the squares of both must be free.
    check("[F-fR-fF][F-fF][F-sF]", "7k/8/8/8/8/8/1R6/X6K w - - 0 1", "a1", "");
    check(
        "[F-fR-fF][F-fF][F-sF]",
        "7k/8/8/8/8/8/8/X6K w - - 0 1",
        "a1",
        "a3 a4 a5 a6 a7 a8 c1 c3 c4 c5 c6 c7 c8 d1 d3 e1 e3 f1 f3 g1 g3 h3",
    );
    check("zB", "7k/8/8/8/8/8/8/X6K w - - 0 1", "a1", "a3 a5 a7 b2 b4 b6 b8 c1 d2 e1 f2 g1 h2");
    check(
        "zR",
        "k7/8/8/8/8/8/8/X6K w - - 0 1",
        "a1",
        "a2 b1 b2 b3 c2 c3 c4 d3 d4 d5 e4 e5 e6 f5 f6 f7 g6 g7 g8 h7 h8",
    );
    check("zR", "7k/8/8/8/8/8/1r6/XR5K w - - 0 1", "a1", "a2 b2");
    check("zR3", "7k/8/8/8/8/8/8/X6K w - - 0 1", "a1", "a2 b1 b2 b3 c2");
}

/// On a torus two paths can end on one square: one move, and both must be barred to answer a check.
#[test]
fn bent_paths_on_a_torus() {
    let six = "...... ...... ...... ...... ...... ......";
    let game = game("[F?fR]", six, "both");
    let position = |fen: &str| AnyPosition::from_fen(&game, fen).unwrap();
    let alone = position("3K2/6/6/X2k2/6/6 w - - 0 1");
    let moves = alone.legal_moves();
    let from = game.shape().named("a3").unwrap();
    let mut ends: Vec<_> = moves.iter().filter(|legal| legal.from == from).map(|legal| legal.to).collect();
    let all = ends.len();
    ends.sort_unstable();
    ends.dedup();
    assert_eq!(ends.len(), all);
    // No path of more than five steps, none over its own start.
    assert!(!ends.contains(&from));
}

/// Every way in which a move can meddle with a way on which pieces are counted.
#[test]
fn kings_among_bent_paths_and_screens() {
    let gryphon = game("[F?fR]", EIGHT, "none");
    let status = |game: &Arc<Variant>, fen: &str| AnyPosition::from_fen(game, fen).unwrap().status();
    // The black X on c8 attacks by way of b7 down the file: a check from afar, met on each of its squares.
    assert_eq!(status(&gryphon, "2x4k/8/8/8/8/8/8/1K6 w - - 0 1"), Status::Check);
    assert_eq!(targets(&gryphon, "2x4k/8/8/8/R7/8/8/1K6 w - - 0 1", "a4"), "b4");
    assert_eq!(targets(&gryphon, "2x4k/R7/8/8/8/8/8/1K6 w - - 0 1", "a7"), "b7");
    assert_eq!(targets(&gryphon, "2x4k/8/8/2R5/8/8/8/1K6 w - - 0 1", "c5"), "b5 c8");
    // A piece on the corner of the path is pinned to it, and the path is not straight.
    assert_eq!(targets(&gryphon, "2x4k/1R6/8/8/8/8/8/1K6 w - - 0 1", "b7"), "b2 b3 b4 b5 b6");
    assert_eq!(targets(&gryphon, "2x4k/8/8/1R6/8/8/8/1K6 w - - 0 1", "b5"), "b2 b3 b4 b6 b7");
    // Two pieces on the path: neither is pinned.
    assert_eq!(targets(&gryphon, "2x4k/8/8/1R6/1R6/8/8/1K6 w - - 0 1", "b4"), "a4 b2 b3 c4 d4 e4 f4 g4 h4");

    let cannon = game("mRcpR", EIGHT, "none");
    // Two own pieces between: if either leaves the way, the other becomes the screen.
    assert_eq!(targets(&cannon, "7k/8/8/x7/R7/8/R7/K7 w - - 0 1", "a4"), "a3 a5");
    assert_eq!(targets(&cannon, "7k/8/8/x7/R7/8/R7/K7 w - - 0 1", "a2"), "a3");
    // Three: each of them may leave.
    assert_eq!(targets(&cannon, "7k/8/x7/R7/R7/8/R7/K7 w - - 0 1", "a2"), "a3 b2 c2 d2 e2 f2 g2 h2");
    // An enemy screen and an own piece before it. The own piece may not leave the way. It may not take
    // the screen's place either, but it may take the cannon.
    assert_eq!(targets(&cannon, "7k/8/8/x7/8/r7/R7/K7 w - - 0 1", "a2"), "");
    assert_eq!(targets(&cannon, "7k/8/8/8/8/x7/R7/K7 w - - 0 1", "a2"), "a3 b2 c2 d2 e2 f2 g2 h2");
    // The screen itself, an own piece, ends the check by leaving the way.
    assert_eq!(targets(&cannon, "7k/8/8/x7/8/R7/8/K7 w - - 0 1", "a3"), "a5 b3 c3 d3 e3 f3 g3 h3");
    // With one cannon behind another the nearer one is the screen of the farther one.
    assert_eq!(status(&cannon, "7k/8/8/x7/8/x7/8/K7 w - - 0 1"), Status::Check);

    let grasshopper = game("gQ", EIGHT, "none");
    // Its hurdle must stand right before the King: a piece that steps there is no legal move.
    assert_eq!(
        targets(&grasshopper, "7k/8/8/x7/8/2R5/8/K7 w - - 0 1", "c3"),
        "a3 b3 c1 c2 c4 c5 c6 c7 c8 d3 e3 f3 g3 h3"
    );
    assert_eq!(
        targets(&grasshopper, "7k/8/8/x7/8/8/2R5/K7 w - - 0 1", "c2"),
        "b2 c1 c3 c4 c5 c6 c7 c8 d2 e2 f2 g2 h2"
    );
    // Checked over its own hurdle the rook may go anywhere; a second piece on the line helps too.
    assert_eq!(status(&grasshopper, "7k/8/8/x7/8/8/r7/K7 w - - 0 1"), Status::Check);
    assert_eq!(targets(&grasshopper, "7k/8/8/x7/8/2R5/x7/K7 w - - 0 1", "c3"), "a3");
    // With a piece before it and one right before the King: the outer one may not leave the line.
    assert_eq!(targets(&grasshopper, "7k/8/8/x7/R7/8/R7/K7 w - - 0 1", "a4"), "a3 a5");
}

/// A piece that neither ends in nor passes an area.
#[test]
fn walls() {
    let walled = |moves: &str| {
        let text = format!(
            "id = \"t\"\nname = \"T\"\n[board]\nsquares = \"\"\"\n{}\n\"\"\"\n\
             [regions]\nyard = \"c5..f5 c6..f6\"\n\
             [roles.K]\nname = \"King\"\nroyal = true\nmoves = \"K\"\n\
             [roles.X]\nname = \"X\"\nwall = \"yard\"\nmoves = \"{moves}\"\n\
             [start]\nfen = \"k7/8/8/8/8/8/8/7K w - - 0 1\"\n",
            EIGHT.replace(' ', "\n")
        );
        Variant::parse("test", &text, &|_| None).unwrap_or_else(|error| panic!("{error}"))
    };
    assert_eq!(targets(&walled("R"), "k7/8/8/8/3X4/8/8/7K w - - 0 1", "d4"), "a4 b4 c4 d1 d2 d3 e4 f4 g4 h4");
    // Set up inside it leaves, but goes nowhere within.
    assert_eq!(targets(&walled("R"), "k7/8/8/3X4/8/8/8/7K w - - 0 1", "d5"), "d1 d2 d3 d4");
    assert_eq!(targets(&walled("N"), "k7/8/8/8/3X4/8/8/7K w - - 0 1", "d4"), "b3 b5 c2 e2 f3");
    assert_eq!(targets(&walled("pR"), "k7/8/3x4/8/3X4/3x4/8/7K w - - 0 1", "d4"), "d1 d2");
    // No King is attacked through it, and Black's wall is its image.
    let status = |fen: &str| AnyPosition::from_fen(&walled("R"), fen).unwrap().status();
    assert_eq!(status("3k4/8/8/8/8/8/8/3X3K b - - 0 1"), Status::Ongoing);
    assert_eq!(status("3x3k/8/8/8/8/8/8/3K4 w - - 0 1"), Status::Ongoing);
    assert_eq!(status("k7/8/8/8/8/8/8/X6K b - - 0 1"), Status::Check);
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
/// consistent; perft counts the listed moves.
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
            let row = |pieces: &str| format!("{pieces}{}", 16 - 8);
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
            // On some surfaces White's pieces give check there: then it is Black's move.
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
