//! The proof behind every entry of `dead` in a game's file. With that material, and with all that
//! captures can leave of it, no placement is mate or goal, and no piece can be promoted. So no
//! sequence of legal moves wins for either side. `docs/dead-positions.md` states the results.

use lozenge_rules::geometry::Coord;
use lozenge_rules::library;
use lozenge_rules::position::{AnyPosition, Cell, Color, Piece, Role, Setup, Status};
use lozenge_rules::variant::{Stalemate, Variant};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The pieces besides the kings, sorted.
type Material = Vec<Piece>;

#[test]
fn dead_material_can_never_win() {
    for id in library::ids() {
        let game = library::game(id).unwrap();
        for text in game.dead() {
            let material = read(&game, text);
            for left in subsets(&material) {
                assert_eq!(winning_position(&game, &left), None, "{id}: {text}");
            }
        }
    }
}

/// Listed material is recognized as dead with either color as the stronger side; other material is not.
#[test]
fn dead_material_is_recognised() {
    let position = |id: &str, fen: &str| AnyPosition::from_fen(&library::game(id).unwrap(), fen).unwrap();
    for (id, fen, status) in [
        ("diagonal", "7k/8/8/8/8/8/8/K7 w - - 0 1", Status::Dead),
        ("diamondback", "7k/8/8/8/8/8/8/K7 w - - 0 1", Status::Ongoing),
        ("diamond", "****k****/***3***/**5**/*7*/4*4/*7*/**5**/***3***/****K**** w - - 0 1", Status::Dead),
        ("doublediamond", "**6k/**7/9/9/9/9/9/7**/K6** w - - 0 1", Status::Dead),
        ("chess", "7k/8/8/8/8/8/8/KN6 w - - 0 1", Status::Dead),
        ("chess", "n6k/8/8/8/8/8/8/K7 w - - 0 1", Status::Dead),
        ("chess", "7k/8/8/8/8/8/8/KR6 w - - 0 1", Status::Ongoing),
        ("chess", "7k/8/8/8/8/8/8/KNN5 w - - 0 1", Status::Ongoing),
        ("chess", "7k/8/8/8/8/8/P7/K7 w - - 0 1", Status::Ongoing),
    ] {
        assert_eq!(position(id, fen).status(), status, "{id}: {fen}");
    }
}

/// Any side could still win, except a bare King that has no goal, where stalemate is a draw and the King attacks the
/// other only from where it is attacked.
#[test]
fn bare_king_has_insufficient_material_unless_it_may_win() {
    let chess = library::text("chess").unwrap();
    let own = |from: &str, to: &str| {
        assert!(chess.contains(from), "{from}");
        Variant::parse("own.toml", &chess.replacen(from, to, 1), &library::text).unwrap()
    };
    let game = |id: &str| library::game(id).unwrap();
    let bare = "7k/8/8/8/8/8/8/KR6 w - - 0 1";
    for (game, fen, insufficient) in [
        (game("chess"), bare, [false, true]),
        (game("chess"), "7k/8/8/8/8/8/8/KRn5 w - - 0 1", [false, false]),
        (game("chess"), "7k/8/8/8/8/8/8/KN6 w - - 0 1", [true, true]),
        (game("diagonal"), bare, [false, true]),
        // Its King may walk into the other's corner.
        (game("diamondback"), bare, [false, false]),
        (own("[draws]", "[draws]\nstalemate = \"loss\""), bare, [false, false]),
        (own("[draws]", "[draws]\nstalemate = \"win\""), bare, [false, false]),
        // White's King captures to the right where Black's does, too: each may attack the other unattacked.
        (own("royal = true\nmoves = \"K\"", "royal = true\nmoves = \"KrD\""), bare, [false, false]),
        (own("royal = true\nmoves = \"K\"", "royal = true\nmoves = \"KfD\""), bare, [false, true]),
        (own("royal = true\nmoves = \"K\"", "royal = true\nmoves = \"KnD\""), bare, [false, false]),
    ] {
        let position = AnyPosition::from_fen(&game, fen).unwrap();
        assert_eq!(Color::BOTH.map(|color| position.has_insufficient_material(color)), insufficient, "{fen}");
    }
}

fn read(game: &Variant, text: &str) -> Material {
    let (white, black) = text.split_once(" v ").unwrap();
    let royal = game.roles().royal().unwrap();
    let pieces = |side: &str, color| -> Vec<Piece> {
        let roles = side.chars().map(|letter| game.roles().role(letter).unwrap());
        roles.filter(|&role| role != royal).map(|role| Piece::new(color, role)).collect()
    };
    [pieces(white, Color::White), pieces(black, Color::Black)].concat()
}

/// The material and all that captures can leave of it.
fn subsets(material: &Material) -> BTreeSet<Material> {
    (0..1u32 << material.len())
        .map(|chosen| {
            material
                .iter()
                .enumerate()
                .filter(|(bit, _)| chosen >> bit & 1 != 0)
                .map(|(_, &piece)| piece)
                .collect()
        })
        .collect()
}

/// A position with exactly these pieces and kings in which a side has won, or that leads out of the
/// material by promotion, as FEN; tried on every placement.
fn winning_position(game: &Arc<Variant>, material: &Material) -> Option<String> {
    let can_promote = |role: Role| game.promotions().iter().any(|(pieces, _, _)| pieces.contains(role));
    let can_arrive = |role: Role| game.goals().iter().any(|(pieces, _)| pieces.contains(role));
    let royal = game.roles().royal().unwrap();
    if material.iter().any(|piece| can_promote(piece.role()) || can_arrive(piece.role())) || can_arrive(royal)
    {
        return Some("a piece can be promoted or reach a goal".into());
    }
    assert_eq!(game.draws().stalemate, Stalemate::Draw);
    let shape = game.shape();
    let alike = |role: Role| {
        let info = game.roles().info(role);
        info.wall.is_none() && info.moves.iter().all(|moves| moves.condition.is_always())
    };
    let pieces: Vec<Piece> = [Piece::new(Color::White, royal), Piece::new(Color::Black, royal)]
        .into_iter()
        .chain(material.iter().copied())
        .collect();
    let coords: Vec<Coord> = shape.squares().map(|square| shape.coord(square)).collect();
    // On a torus without holes every placement can be shifted until White's king stands on a1:
    // the pieces here move alike everywhere.
    let torus = shape.wrap().files
        && shape.wrap().ranks
        && shape.len() == usize::from(shape.width()) * usize::from(shape.height());
    assert!(
        !torus || pieces.iter().all(|piece| alike(piece.role())),
        "some piece's moves depend on the square"
    );
    let mut setup = empty(game);
    let first = if torus { &coords[..1] } else { &coords[..] };
    for &at in first {
        setup.set(at, Cell::Piece(pieces[0]));
        if let Some(found) = place_rest(game, &mut setup, &coords, &pieces[1..]) {
            return Some(found);
        }
        setup.set(at, Cell::Empty);
    }
    None
}

fn place_rest(game: &Arc<Variant>, setup: &mut Setup, coords: &[Coord], pieces: &[Piece]) -> Option<String> {
    let Some((&piece, rest)) = pieces.split_first() else {
        return Color::BOTH.into_iter().find_map(|turn| {
            setup.turn = turn;
            let position = AnyPosition::from_setup(game, setup).ok()?;
            position.status().is_win().then(|| position.fen())
        });
    };
    for &at in coords {
        if setup.at(at) == Some(Cell::Empty) {
            setup.set(at, Cell::Piece(piece));
            let found = place_rest(game, setup, coords, rest);
            setup.set(at, Cell::Empty);
            if found.is_some() {
                return found;
            }
        }
    }
    None
}

fn empty(game: &Arc<Variant>) -> Setup {
    let mut setup = AnyPosition::start(game).setup();
    for cell in &mut setup.cells {
        if let Cell::Piece(_) = cell {
            *cell = Cell::Empty;
        }
    }
    Setup { rights: 0, en_passant: None, moved: Vec::new(), ..setup }
}
