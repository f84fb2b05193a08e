//! Trees changed, written and read again.

use super::{Brush, DrawnShape, Path, Tree, TreeError, read, write};
use lozenge_rules::library;
use lozenge_rules::notation::pgn::{MoveNumber, Reader, write_game};
use lozenge_rules::notation::turn;
use lozenge_rules::position::{AnyPosition, GamePosition, MultiGame};

fn start(id: &str) -> AnyPosition {
    AnyPosition::start(&library::game(id).unwrap())
}

fn text(tree: &Tree) -> String {
    let mut text = String::new();
    write_game(&mut text, &write(tree), MoveNumber::default()).unwrap();
    text.split_once("\n\n").unwrap().1.trim().to_owned()
}

fn parse(id: &str, movetext: &str) -> (Tree, Vec<String>) {
    let game = Reader::new(movetext.as_bytes()).next().unwrap().unwrap();
    let (tree, faults) = read(&game, start(id));
    (tree, faults.iter().map(ToString::to_string).collect())
}

const VARIATIONS: &str = "1. a3 bxa3 (1... c3 {a fork} 2. dxc3 (2. bxc3 dxc3)) (1... axb3 2. cxb3) 2. bxa3 *";

#[test]
fn pgn_round_trips() {
    let written =
        "{before all} 1. a3 $1 {[%csl Ga3][%cal Ra3b4]} {[%clk 0:05:00]} 1... bxa3 {why [%eval 0.31]} *";
    for source in [VARIATIONS.replace("1... axb3 2. cxb3", "1... e3 2. dxe3"), written.to_owned()] {
        let (tree, faults) = parse("gardner", &source);
        assert_eq!(faults, [""; 0], "{source}");
        let once = text(&tree);
        assert_eq!(text(&parse("gardner", &once).0), once);
        for word in ["a fork", "before all", "[%eval 0.31]", "[%clk 0:05:00]", "[%cal Ra3b4]", "$1"] {
            assert_eq!(once.contains(word), source.contains(word), "{word}: {once}");
        }
    }
}

#[test]
fn shapes_and_clocks_have_fields_of_their_own() {
    let (tree, _) = parse("gardner", "1. a3 {look [%csl Ga3][%cal Ra3b4][%clk 0:05:00]} *");
    let notes = &tree.node(1).notes;
    assert_eq!(notes.comments, ["look"]);
    let board = library::game("gardner").unwrap().shape().clone();
    let square = |name: &str| board.named(name).unwrap();
    let shapes = [
        DrawnShape { brush: Brush::Green, from: square("a3"), to: square("a3") },
        DrawnShape { brush: Brush::Red, from: square("a3"), to: square("b4") },
    ];
    assert_eq!(notes.shapes, shapes);
    assert_eq!(notes.clock.map(|clock| clock.as_secs()), Some(300));
}

#[test]
fn comments_before_a_variation_stay_there() {
    let source = "{all} 1. a3 ({first} 1. b3 {after}) 1... bxa3 ({x} 1... c3) *";
    let (tree, _) = parse("gardner", source);
    assert_eq!(tree.node(0).notes.comments, ["all"]);
    assert!(text(&tree).contains("1. a3 ({first} 1. b3 {after}) 1... bxa3 ({x} 1... c3)"), "{}", text(&tree));
}

#[test]
fn illegal_line_is_reported_and_the_rest_is_kept() {
    let (tree, faults) = parse("gardner", "1. a3 (1. Qh9 Kxz1) bxa3 2. Qz5 {hope} Ke9 *");
    assert_eq!(faults.len(), 2);
    assert!(faults[0].contains("line 1, column 11") && faults[0].contains("Qh9"), "{faults:?}");
    assert_eq!(tree.len(), 2);
    assert_eq!(tree.node(0).notes.comments, ["Qh9 Kxz1"]);
    assert_eq!(tree.node(2).notes.comments, ["Qz5 (hope) Ke9"]);
}

#[test]
fn existing_move_is_not_added_twice() {
    let mut tree = Tree::new(start("gardner"));
    let once = tree.add_line(&Path::default(), &["a2a3", "b4a3"]).unwrap();
    assert_eq!(tree.add_line(&Path::from(["a2a3"]), &["b4a3"]), Ok(once));
    assert_eq!(tree.len(), 2);
    assert_eq!(tree.path(once), Path::from(["a2a3", "b4a3"]));
    assert!(matches!(tree.add_line(&Path::default(), &["a1a9"]), Err(TreeError::Move(_))));
    assert_eq!(tree.remove(&Path::from(["b2b3"])), Err(TreeError::Missing(Path::from(["b2b3"]))));
    assert!(tree.remove(&Path::default()).is_err());
}

#[test]
fn promoting_changes_one_fork_or_all() {
    let lines: [&[&str]; 4] =
        [&["a2a3", "b4a3"], &["b2b3", "a4b3"], &["b2b3", "c4b3", "a2b3"], &["b2b3", "c4b3", "c2b3"]];
    let grown = || {
        let mut tree = Tree::new(start("gardner"));
        lines.iter().for_each(|line| {
            tree.add_line(&Path::default(), line).unwrap();
        });
        tree
    };
    let leaf = Path::from(["b2b3", "c4b3", "c2b3"]);
    let main = |tree: &Tree| tree.path(*tree.main_line().last().unwrap());
    let mut tree = grown();
    tree.promote(&leaf, false).unwrap();
    assert_eq!(main(&tree), Path::from(["a2a3", "b4a3"]), "one fork only");
    for _ in 0..2 {
        tree.promote(&leaf, false).unwrap();
    }
    assert_eq!(main(&tree), leaf);
    let mut tree = grown();
    tree.promote(&leaf, true).unwrap();
    assert_eq!(main(&tree), leaf);
    assert_eq!(tree.len(), 7);
    tree.remove(&Path::from(["b2b3"])).unwrap();
    assert_eq!((tree.len(), main(&tree)), (2, Path::from(["a2a3", "b4a3"])));
}

#[test]
fn games_of_four_round_trip_without_comments_of_their_own() {
    let game = library::any_game("diamondring-four").unwrap();
    let source = "1. b1 {calm} 1... a2 $1 (1... T R {[%clk 0:05:00]}) 1... R T 2. R *";
    let read_again = |text: &str| {
        let parsed = Reader::new(text.as_bytes()).next().unwrap().unwrap();
        read(&parsed, GamePosition::start(&game))
    };
    let (tree, faults) = read_again(source);
    assert_eq!((faults.len(), tree.len(), tree.main_line().len()), (0, 7, 5));
    assert_eq!(text(&tree), source);
    let path = Path::from(["c1b1", "T"]);
    assert!(tree.find(&path).is_some());

    // Comments on mates and passes are written, and not read as those of a reader.
    let four = library::multi_game("diamondring-four").unwrap();
    let mut mate = MultiGame::new(&four);
    for text in ["c1b1", "R", "R"] {
        let turn = turn::parse_uci(&GamePosition::Four(mate.position().clone()), text).unwrap();
        assert!(mate.play_turn(turn));
    }
    let tree = Tree::of_game(&mate.into());
    let (again, _) = read_again(&text(&tree));
    assert_eq!(text(&again), text(&tree));
    assert!(again.depth_first().into_iter().all(|id| again.node(id).notes.comments.is_empty()));
}
