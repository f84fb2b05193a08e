//! Pictures as a caller sees them: well-formed, deterministic, of the requested size, and errors for absurd
//! scenes. Not here: what the pieces look like (`examples/sheet.rs` is for eyes).

// The helpers below are tests too, though the lint does not know it.
#![allow(clippy::unwrap_used)]

use lozenge_picture::{
    BoardView, Cell, Glyph, Label, MAX_CELLS, PictureError, PlacedPiece, Scene, Shade, Side, Theme, check,
    glyph_names, has_glyph, png, scene, svg,
};
use lozenge_rules::library;
use lozenge_rules::position::AnyPosition;
use lozenge_rules::variant::Variant;
use resvg::{tiny_skia, usvg};

fn square(x: f64, y: f64) -> Cell {
    let corners = vec![(x - 0.5, y - 0.5), (x + 0.5, y - 0.5), (x + 0.5, y + 0.5), (x - 0.5, y + 0.5)];
    let shade = if (x + y) as i64 % 2 == 0 { Shade::Dark } else { Shade::Light };
    Cell { center: (x, y), corners, shade, ghost: false }
}

/// A board of `columns` x `rows` squares with nothing on it.
fn board(columns: usize, rows: usize) -> Scene {
    let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| square(column as f64, row as f64)));
    Scene { cells: cells.collect(), ..Scene::empty(Theme::Light) }
}

fn named(cell: usize, name: &str, side: Side) -> PlacedPiece {
    PlacedPiece { cell, glyph: Glyph::Named(name.to_owned()), side, ghost: false }
}

/// The compounds of a game in which two pieces can become one, those left out that have a drawing of their own.
const FUSED: [&str; 14] = [
    "rook+ferz",
    "rook+elephant",
    "wazir+bishop",
    "wazir+ferz",
    "wazir+elephant",
    "dabbaba+bishop",
    "dabbaba+ferz",
    "dabbaba+elephant",
    "knight+wazir",
    "knight+dabbaba",
    "wazir+dabbaba",
    "knight+ferz",
    "knight+elephant",
    "ferz+elephant",
];

/// A scene that uses everything a scene can have.
fn full_scene(theme: Theme) -> Scene {
    let names: Vec<&str> = glyph_names().iter().copied().chain(FUSED).collect();
    let columns = names.len() + 1;
    let mut scene = board(columns, 2);
    scene.theme = theme;
    for (index, name) in names.iter().enumerate() {
        scene.pieces.push(named(index, name, Side::First));
        scene.pieces.push(named(columns + index, name, Side::Second));
    }
    scene.cells[columns - 1].ghost = true;
    scene.pieces.push(PlacedPiece {
        cell: columns - 1,
        glyph: Glyph::Letter('X'),
        side: Side::First,
        ghost: true,
    });
    scene.labels.push(Label { at: (0.0, 5.0), text: "a1 <&> \u{e9}".to_owned(), size: 0.34 });
    scene.last_move = vec![3, 4];
    scene.check = vec![0];
    scene.dots = vec![1, 38];
    scene.title = Some("All pieces".to_owned());
    scene
}

fn parse(text: &str) -> usvg::Tree {
    usvg::Tree::from_str(text, &usvg::Options::default()).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The width and height in the header of a PNG.
fn png_size(bytes: &[u8]) -> (u32, u32) {
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[test]
fn a_full_scene_is_well_formed_and_always_the_same() {
    for theme in [Theme::Light, Theme::Dark] {
        let scene = full_scene(theme);
        check(&scene).unwrap();
        let text = svg(&scene);
        parse(&text);
        assert_eq!(text, svg(&scene.clone()));
        assert_eq!(png(&scene, 300).unwrap(), png(&scene, 300).unwrap());
    }
}

#[test]
fn every_piece_is_defined_once_and_drawn_where_it_stands() {
    let mut scene = board(3, 1);
    scene.pieces = (0..3).map(|cell| named(cell, "pawn", Side::First)).collect();
    let text = svg(&scene);
    assert_eq!(text.matches("id=\"w-pawn").count(), 1);
    assert_eq!(text.matches("href=\"#w-pawn").count(), 3);
}

#[test]
fn every_glyph_parses_and_is_visible() {
    let empty = png(&board(1, 1), 64).unwrap();
    for name in glyph_names().iter().copied().chain(FUSED) {
        let mut scene = board(1, 1);
        scene.pieces = vec![named(0, name, Side::First)];
        let white = png(&scene, 64).unwrap();
        scene.pieces = vec![named(0, name, Side::Second)];
        let black = png(&scene, 64).unwrap();
        assert!(white != empty && black != empty && white != black, "{name}");
    }
}

#[test]
fn an_unknown_name_is_a_lettered_disc() {
    let with = |glyph: Glyph| {
        let mut scene = board(1, 1);
        scene.pieces = vec![PlacedPiece { cell: 0, glyph, side: Side::First, ghost: false }];
        png(&scene, 64).unwrap()
    };
    assert_eq!(with(Glyph::Named("zebra".to_owned())), with(Glyph::Letter('Z')));
    assert_eq!(with(Glyph::Named(String::new())), with(Glyph::Letter('?')));
    assert_ne!(with(Glyph::Letter('Z')), with(Glyph::Letter('Y')));
    assert_ne!(with(Glyph::Named("king".to_owned())), with(Glyph::Letter('K')));
}

#[test]
fn a_compound_is_drawn_only_if_both_pieces_are() {
    for name in ["rook+ferz", "ferz+rook", "rook+rook", "griffon+chancellor"] {
        assert!(has_glyph(name), "{name}");
    }
    let unknown =
        ["rook+zebra", "zebra+rook", "rook+", "+rook", "+", "rook+ferz+king", "rook ferz", "rook+Ferz"];
    let letters = ['R', 'Z', 'R', '+', '+', 'R', 'R', 'R'];
    for (name, letter) in unknown.into_iter().zip(letters) {
        assert!(!has_glyph(name), "{name}");
        assert_eq!(
            pixels(&Glyph::Named(name.to_owned()), Side::First, 64),
            pixels(&Glyph::Letter(letter), Side::First, 64),
            "{name}"
        );
    }
}

#[test]
fn a_game_can_name_a_compound() {
    let with = |picture: &str| {
        let text = library::text("diamond").unwrap().replace("\"archbishop\"", &format!("\"{picture}\""));
        let variant = Variant::parse("diamond.toml", &text, &library::text).unwrap();
        let scene = scene(&AnyPosition::start(&variant), &BoardView::of(&variant));
        scene.pieces.into_iter().map(|piece| piece.glyph).collect::<Vec<_>>()
    };
    assert!(with("bishop+wazir").contains(&Glyph::Named("bishop+wazir".to_owned())));
    for unknown in ["bishop+zebra", "zebra", "bishop+"] {
        let glyphs = with(unknown);
        assert!(glyphs.contains(&Glyph::Letter('A')), "{unknown}: {glyphs:?}");
        assert!(!glyphs.contains(&Glyph::Named(unknown.to_owned())));
    }
}

#[test]
fn compound_differs_from_its_pieces_and_from_the_reversed_compound() {
    let drawn = ["rook+ferz", "ferz+rook", "rook", "ferz"];
    for (index, one) in drawn.iter().enumerate() {
        for other in &drawn[..index] {
            assert!(difference(one, other, 64) > 0.0, "{one} and {other}");
        }
    }
}

#[test]
fn compounds_have_unique_valid_ids() {
    let mut scene = board(8, 1);
    for (cell, name) in ["rook+ferz", "ferz+rook", "rook", "rook+zebra", "rook+ferz"].into_iter().enumerate()
    {
        scene.pieces.push(named(cell, name, Side::First));
    }
    let text = svg(&scene);
    parse(&text);
    let ids: Vec<&str> = text.split("<g id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let starts = ["w-_R-", "w-ferz-rook-", "w-rook-ferz-", "w-rook-"];
    assert_eq!(ids.len(), starts.len(), "{ids:?}");
    for start in starts {
        assert!(ids.iter().any(|id| id.starts_with(start)), "{start} among {ids:?}");
    }
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    assert!(ids.iter().all(|id| id.chars().all(is_name)), "{ids:?}");
}

/// A piece alone, as the pixels of a square board.
fn pixels(glyph: &Glyph, side: Side, cell_px: u32) -> Vec<u8> {
    let mut scene = board(1, 1);
    scene.pieces = vec![PlacedPiece { cell: 0, glyph: glyph.clone(), side, ghost: false }];
    // One cell and the margin on both sides of it.
    let width = (f64::from(cell_px) * 1.56).round() as u32;
    tiny_skia::Pixmap::decode_png(&png(&scene, width).unwrap()).unwrap().take()
}

/// How many pixels' worth of black against white two pieces differ in, the color in which it is less.
fn difference(one: &str, other: &str, cell_px: u32) -> f64 {
    let differences = [Side::First, Side::Second].map(|side| {
        let [one, other] = [one, other].map(|name| pixels(&Glyph::Named(name.to_owned()), side, cell_px));
        let sum: u64 = one.iter().zip(&other).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
        sum as f64 / (3.0 * 255.0)
    });
    differences[0].min(differences[1])
}

/// The two of the names that look most alike, and how much they differ.
fn most_alike<'a>(names: &[&'a str], cell_px: u32) -> (f64, &'a str, &'a str) {
    let pairs =
        names.iter().enumerate().flat_map(|(index, one)| names[..index].iter().map(move |two| (*one, *two)));
    let differences = pairs.map(|(one, two)| (difference(one, two, cell_px), one, two));
    differences.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap()
}

#[test]
fn all_pieces_are_distinct_when_small() {
    let names: Vec<&str> = glyph_names().iter().copied().filter(|name| *name != "chancellor").collect();
    let (least, one, other) = most_alike(&names, 20);
    assert!(least > 13.0, "{one} and {other} differ in {least:.1} pixels");
}

#[test]
fn all_pieces_of_a_game_with_compounds_are_distinct_when_small() {
    let simple =
        ["king", "queen", "rook", "bishop", "knight", "pawn", "ferz", "wazir", "elephant", "dabbaba"];
    let names: Vec<&str> = simple.into_iter().chain(["marshall", "cardinal"]).chain(FUSED).collect();
    let (least, one, other) = most_alike(&names, 32);
    assert!(least > 22.0, "{one} and {other} differ in {least:.1} pixels");
}

#[test]
fn letters_of_every_kind_make_valid_ids() {
    let mut scene = board(8, 1);
    let letters = ['"', '<', '&', ' ', '\u{0}', '\u{e9}', '\u{1f451}', '\u{ffff}'];
    for (cell, letter) in letters.into_iter().enumerate() {
        scene.pieces.push(PlacedPiece {
            cell,
            glyph: Glyph::Letter(letter),
            side: Side::Second,
            ghost: false,
        });
    }
    parse(&svg(&scene));
}

#[test]
fn thumbnails_of_the_five_games_differ_and_show_colors_instead_of_pieces() {
    let mut seen = std::collections::HashSet::new();
    for id in library::ids().take(library::OWN_GAMES) {
        let game = library::game(id).unwrap();
        let view = BoardView { thumbnail: true, coordinates: false, ghosts: false, ..BoardView::of(&game) };
        let drawn = scene(&AnyPosition::start(&game), &view);
        assert!(drawn.pieces.is_empty() && !drawn.color_cells.is_empty(), "{id}");
        let text = svg(&drawn);
        parse(&text);
        assert!(!text.contains("<use href=\"#w-"), "{id}");
        assert!(seen.insert(text.split("</desc>").nth(1).unwrap().to_owned()), "{id}");
    }
    let mut beyond = board(1, 1);
    beyond.color_cells = vec![(1, Side::First)];
    assert!(matches!(check(&beyond), Err(PictureError::UnknownCell { what: "color cell", .. })));
}

/// The centers of the cells with pieces of one side, without ghosts.
fn army(drawn: &Scene, side: Side) -> Vec<(f64, f64)> {
    let own = drawn.pieces.iter().filter(|piece| piece.side == side && !piece.ghost);
    own.map(|piece| drawn.cells[piece.cell].center).collect()
}

#[test]
fn diamond_ring_starts_with_both_armies_whole() {
    let game = library::game("diamondring").unwrap();
    for (ghosts, flipped) in [(false, false), (true, false), (false, true), (true, true)] {
        let view = BoardView { diamond: false, ghosts, flipped, ..BoardView::of(&game) };
        let drawn = scene(&AnyPosition::start(&game), &view);
        let mut heights = Vec::new();
        for side in [Side::First, Side::Second] {
            let army = army(&drawn, side);
            for axis in [|at: &(f64, f64)| at.0, |at: &(f64, f64)| at.1] {
                let least = army.iter().map(axis).fold(f64::INFINITY, f64::min);
                let most = army.iter().map(axis).fold(f64::NEG_INFINITY, f64::max);
                assert_eq!(
                    (most - least).round() as i32,
                    7,
                    "{side:?}, ghosts: {ghosts}, flipped: {flipped}"
                );
            }
            heights.push(army.iter().map(|at| at.1).sum::<f64>() / army.len() as f64);
        }
        assert_eq!(heights[0] > heights[1] + 3.0, !flipped, "White is below unless flipped: {heights:?}");
        // Every square once, and with ghosts every place of the ring.
        let own = drawn.cells.iter().filter(|cell| !cell.ghost).count();
        let places: std::collections::HashSet<_> = drawn
            .cells
            .iter()
            .map(|cell| (cell.center.0.round() as i32, cell.center.1.round() as i32))
            .collect();
        assert_eq!((own, drawn.cells.len()), (144, if ghosts { 196 } else { 144 }));
        assert_eq!(places.len(), drawn.cells.len());
    }
}

#[test]
fn a_cylinder_with_armies_all_around_starts_at_its_first_square() {
    let game = library::game("cylinder").unwrap();
    let view = BoardView { ghosts: false, ..BoardView::of(&game) };
    let drawn = scene(&AnyPosition::start(&game), &view);
    let centers: Vec<_> = drawn.cells.iter().map(|cell| cell.center).collect();
    let least = centers.iter().map(|at| at.0).fold(f64::INFINITY, f64::min);
    let most = centers.iter().map(|at| at.0).fold(f64::NEG_INFINITY, f64::max);
    assert_eq!((most - least).round() as i32, 7);
    assert!((centers[0].0 - least).abs() < 1e-9, "a1 is at the left");
}

#[test]
fn titles_are_escaped() {
    let mut scene = board(1, 1);
    scene.title = Some("</title><script>\"&'\u{1}\u{ffff}".to_owned());
    scene.pieces = vec![named(0, "<b>&", Side::First)];
    let text = svg(&scene);
    assert!(
        text.contains("<title>&lt;/title&gt;&lt;script&gt;&quot;&amp;'\u{fffd}\u{fffd}</title>"),
        "{text}"
    );
    assert!(text.contains("White: 1 &lt;b&gt;&amp;."), "{text}");
    parse(&text);
}

#[test]
fn the_description_counts_pieces_but_not_ghosts() {
    let mut scene = board(4, 1);
    scene.cells[3].ghost = true;
    scene.pieces =
        vec![named(0, "pawn", Side::First), named(1, "pawn", Side::First), named(2, "king", Side::Second)];
    scene.pieces.push(PlacedPiece { ghost: true, ..named(3, "pawn", Side::First) });
    let expected = "<desc>A board of 3 cells. White: 2 pawns. Black: 1 king.</desc>";
    assert!(svg(&scene).contains(expected), "{}", svg(&scene));
}

#[test]
fn png_has_the_requested_width_and_the_shape_of_the_board() {
    for width in [1, 20, 333, 1000] {
        assert_eq!(png_size(&png(&board(8, 8), width).unwrap()), (width, width));
    }
    let (width, height) = png_size(&png(&board(8, 2), 800).unwrap());
    assert_eq!(width, 800);
    assert!((200..300).contains(&height), "{height}");
}

#[test]
fn pieces_are_larger_in_squares_than_in_small_triangles() {
    let size = |scene: &Scene| {
        let text = svg(scene);
        let (_, rest) = text.split_once(")scale(").unwrap();
        rest.split_once(')').unwrap().0.parse::<f64>().unwrap()
    };
    let mut scene = board(1, 1);
    scene.pieces = vec![named(0, "king", Side::First)];
    let in_square = size(&scene);
    scene.cells[0].corners = vec![(-0.5, 0.3), (0.0, -0.6), (0.5, 0.3)];
    assert!(size(&scene) < in_square);
}

#[test]
fn absurd_widths_are_errors() {
    for width in [0, 8193, 100_000, u32::MAX] {
        assert!(matches!(png(&board(8, 8), width), Err(PictureError::Width { .. })), "{width}");
    }
    assert!(matches!(png(&board(2, 60), 8192), Err(PictureError::Area { .. })));
}

/// Every fault has its error from `check` and `png`, and `svg` still gives well-formed text.
fn assert_refused(scene: &Scene, is_expected: impl Fn(&PictureError) -> bool) {
    let error = png(scene, 64).unwrap_err();
    assert!(is_expected(&error), "{error:?}");
    assert!(svg(scene).contains("<desc>"));
    parse(&svg(scene));
}

#[test]
fn absurd_scenes_are_errors() {
    assert_refused(&Scene::empty(Theme::Dark), |error| *error == PictureError::NoCells);
    assert_refused(&board(100, 100), |error| {
        *error == PictureError::TooMany { what: "cells", count: 10_000, limit: MAX_CELLS }
    });
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1001.0] {
        let mut scene = board(2, 2);
        scene.cells[1].corners[2].1 = value;
        assert_refused(&scene, |error| {
            matches!(error, PictureError::Coordinate { what: "cell", index: 1, .. })
        });
        let mut scene = board(2, 2);
        scene.cells[1].center.0 = value;
        assert_refused(&scene, |error| matches!(error, PictureError::Coordinate { .. }));
        let mut scene = board(2, 2);
        scene.labels.push(Label { at: (0.0, value), text: "a".to_owned(), size: 0.3 });
        assert_refused(&scene, |error| matches!(error, PictureError::Coordinate { what: "label", .. }));
    }
    for size in [f64::NAN, 0.0, -1.0, 1e9] {
        let mut scene = board(2, 2);
        scene.labels.push(Label { at: (0.0, 0.0), text: "a".to_owned(), size });
        assert_refused(&scene, |error| matches!(error, PictureError::LabelSize { .. }));
    }
}

#[test]
fn faulty_indices_and_shapes_are_errors() {
    let refuses = |change: fn(&mut Scene)| {
        let mut scene = board(2, 2);
        change(&mut scene);
        assert_refused(&scene, |error| matches!(error, PictureError::UnknownCell { cell: 4, cells: 4, .. }));
    };
    refuses(|scene| scene.pieces.push(named(4, "king", Side::First)));
    refuses(|scene| scene.last_move.push(4));
    refuses(|scene| scene.check.push(4));
    refuses(|scene| scene.dots.push(4));

    let mut scene = board(1, 1);
    scene.cells[0].corners.truncate(2);
    assert_refused(&scene, |error| matches!(error, PictureError::Corners { count: 2, .. }));
    let mut scene = board(1, 1);
    scene.cells[0].corners = vec![(0.0, 0.0); 4];
    assert_refused(&scene, |error| *error == PictureError::Flat);
    let mut scene = board(1, 1);
    scene.labels.push(Label { at: (0.0, 0.0), text: "m".repeat(100_000), size: 0.3 });
    assert_refused(&scene, |error| {
        matches!(error, PictureError::TooMany { what: "characters in labels", .. })
    });
}

#[test]
fn the_manual_lists_all_names() {
    let manual = include_str!("../../../docs/variants/reference.md");
    let start = manual.find("**Pictures**:").expect("the list");
    let list = manual[start..].split_once(". A piece").expect("its end").0;
    let listed: Vec<&str> = list.split('`').skip(1).step_by(2).collect();
    assert_eq!(listed, lozenge_picture::glyph_names());
}

/// Two cells that share a side have two corners in common; of a hexagon's six sides each is shared, and no neighbor has its color.
#[test]
fn hexagons_touch_six_others_of_another_color() {
    let text = include_str!("../../../variants/examples/glinski.toml");
    let game = Variant::parse("glinski.toml", text, &library::text).unwrap();
    let shape = game.shape();
    for flipped in [false, true] {
        let view = BoardView { flipped, ..BoardView::of(&game) };
        let cells = scene(&AnyPosition::start(&game), &view).cells;
        assert_eq!(cells.len(), 91);
        assert!(cells.iter().all(|cell| cell.corners.len() == 6));
        let is_same =
            |(x, y): (f64, f64), (other_x, other_y): (f64, f64)| (x - other_x).hypot(y - other_y) < 1e-4;
        let common = |one: &Cell, other: &Cell| {
            one.corners.iter().filter(|&&at| other.corners.iter().any(|&corner| is_same(at, corner))).count()
        };
        for (square, cell) in shape.squares().zip(&cells) {
            let at = shape.coord(square);
            let mut sides = 0;
            for (other, neighbor) in shape.squares().zip(&cells).filter(|(other, _)| *other != square) {
                let to = shape.coord(other);
                let step = (i32::from(to.file) - i32::from(at.file), i32::from(to.rank) - i32::from(at.rank));
                let touches = matches!(step, (0, 1 | -1) | (1 | -1, 0) | (1, 1) | (-1, -1));
                assert_eq!(common(cell, neighbor) == 2, touches, "{at} {to}");
                assert!(!touches || cell.shade != neighbor.shade, "{at} {to}");
                sides += usize::from(touches);
            }
            assert!((3..=6).contains(&sides), "{at}");
        }
    }
}

#[test]
fn board_has_one_shape_in_all_pictures() {
    for id in library::ids() {
        let game = library::game(id).unwrap();
        let usual = BoardView::of(&game);
        let wrap = game.shape().wrap();
        assert!(
            usual.diamond || !(wrap.files && wrap.ranks),
            "{id}: the camps of a torus face each other at a corner"
        );
        let cells = |view: BoardView| {
            let drawn = scene(&AnyPosition::start(&game), &view);
            drawn.cells.iter().map(|cell| (cell.center, cell.ghost)).collect::<Vec<_>>()
        };
        let card = BoardView { coordinates: false, ..usual.clone() };
        let small = BoardView { coordinates: false, thumbnail: true, ..usual.clone() };
        assert_eq!(cells(card), cells(usual.clone()), "{id}");
        assert_eq!(cells(small.clone()), cells(usual), "{id}");
        let colored = scene(&AnyPosition::start(&game), &small);
        let is_ghost = |(cell, _): &(usize, Side)| colored.cells[*cell].ghost;
        assert!(!colored.color_cells.iter().any(is_ghost), "{id}: faded squares have no color");
    }
}
