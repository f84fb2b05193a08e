//! A variant's board as the page draws it.

use lozenge_engine::Values;
use lozenge_rules::geometry::layout::{self, Layout};
use lozenge_rules::geometry::{Shape, Square, Vector};
use lozenge_rules::library::AnyGame;
use lozenge_rules::notation::drawing;
use lozenge_rules::position::{AnyMultiPosition, AnyPosition};
use lozenge_rules::seat::Seat;
use lozenge_rules::variant::{self, MultiVariant, Variant};
use lozenge_wire::{
    Board, BoardView, Color, Label, PlacedPiece, Promotion, Role, Shade, SquareInfo, View, Views, Wraps,
};
use quick_cache::sync::Cache;
use sha2::{Digest as _, Sha256};
use std::sync::{Arc, LazyLock};

/// The geometry of a game's board. The index of a square in it is [`lozenge_rules::geometry::Square::index`].
#[must_use]
pub fn board(variant: &Arc<Variant>) -> Board {
    let digest = digest(variant);
    let values = values(&digest, || {
        let derived = Values::new(variant);
        variant.roles().iter().map(|(role, _)| derived.material(role)).collect()
    });
    let board = drawn(variant, digest, &values);
    Board { start: start(variant), promotions: promotions(variant, Color::TWO), ..board }
}

/// The geometry of the board of a game for any number of players.
#[must_use]
pub fn any_board(game: &AnyGame) -> Board {
    match game {
        AnyGame::Two(variant) => board(variant),
        AnyGame::Four(game) => multi_board(game),
    }
}

/// The geometry of the board of a game of three or four.
fn multi_board(game: &Arc<MultiVariant>) -> Board {
    let start = AnyMultiPosition::start(game);
    let placed = |square: Square| {
        let piece = start.piece_at(square)?;
        let role = game.roles().info(piece.role).id.to_string();
        Some(PlacedPiece { square: square.index() as u16, role, color: super::seat_color(piece.owner?) })
    };
    let pieces = game.shape().squares().filter_map(placed).collect();
    // Red is White in every pair, so Red's promotions are taken from the first alone.
    let of_others = game.seats().iter().skip(1).flat_map(|seat| {
        let all = promotions(game.pair(seat).0, [Color::White, super::seat_color(seat)]);
        all.into_iter().filter(|promotion| promotion.color != Color::White)
    });
    let (first, _) = game.pair(Seat::Red);
    let of_red = promotions(first, [Color::Red, Color::Black]);
    let of_red = of_red.into_iter().filter(|promotion| promotion.color == Color::Red);
    let digest = digest_of(game.texts());
    let values = values(&digest, || lozenge_engine::multi_material(game));
    let board = drawn(first, digest, &values);
    Board {
        players: Some(game.seats().len() as u8),
        start: pieces,
        promotions: of_red.chain(of_others).collect(),
        ..board
    }
}

/// The board without pieces and promotions.
fn drawn(variant: &Variant, digest: String, values: &[u32]) -> Board {
    let shape = variant.shape();
    let squares = shape.squares().map(|square| {
        let at = shape.coord(square);
        let dark = (at.file + at.rank).is_multiple_of(2);
        SquareInfo { name: shape.name(square), file: at.file, rank: at.rank, dark }
    });
    let roles = variant.roles().iter().zip(values.iter()).map(|((_, info), &value)| Role {
        id: info.id.to_string(),
        name: info.name.clone(),
        letter: info.letter.to_string(),
        // A file with the digest of a picture is validated only where the picture is.
        glyph: (lozenge_picture::has_glyph(&info.picture) || is_digest(&info.picture))
            .then(|| info.picture.clone()),
        royal: info.royal,
        value,
    });
    Board {
        variant: variant.id().into(),
        digest,
        name: variant.name().into(),
        players: None,
        view: usual_view(variant),
        files: shape.width(),
        ranks: shape.height(),
        wraps: Wraps { files: shape.wrap().files, ranks: shape.wrap().ranks },
        squares: squares.collect(),
        views: Views { diamond: view(variant, true), square: view(variant, false) },
        roles: roles.collect(),
        start: Vec::new(),
        promotions: Vec::new(),
    }
}

/// How the board is shown at first, as in all pictures.
pub fn usual_view(variant: &Variant) -> BoardView {
    if lozenge_picture::is_diamond(variant) { BoardView::Diamond } else { BoardView::Square }
}

/// The pieces of the first start; none of a game without one.
fn start(variant: &Arc<Variant>) -> Vec<PlacedPiece> {
    let position = AnyPosition::start_number(variant, variant.usual_start());
    position.as_ref().map(placed_pieces).unwrap_or_default()
}

/// The pieces of a position.
fn placed_pieces(position: &AnyPosition) -> Vec<PlacedPiece> {
    let variant = position.variant();
    let placed = |square: Square| {
        let piece = position.piece_at(square)?;
        Some(PlacedPiece {
            square: square.index() as u16,
            role: variant.roles().info(piece.role()).id.to_string(),
            color: super::color(piece.color()),
        })
    };
    variant.shape().squares().filter_map(placed).collect()
}

/// The engine's value of each role, in centipawns, in the order of the variant's roles. Deriving them takes some
/// milliseconds, so those of the last games are cached.
fn values(digest: &str, derive: impl FnOnce() -> Vec<i32>) -> Arc<[u32]> {
    static CACHE: LazyLock<Cache<String, Arc<[u32]>>> = LazyLock::new(|| Cache::new(1_000));
    if let Some(values) = CACHE.get(digest) {
        return values;
    }
    let values: Arc<[u32]> = derive().into_iter().map(|value| u32::try_from(value).unwrap_or(0)).collect();
    CACHE.insert(digest.to_owned(), Arc::clone(&values));
    values
}

/// The promotions, by role and color; `colors` are the words for White and Black.
fn promotions(variant: &Variant, colors: [Color; 2]) -> Vec<Promotion> {
    let roles = variant.roles();
    let mut all = Vec::new();
    for (promoted, squares, choices) in variant.promotions() {
        let letters = roles.iter().filter(|(role, _)| choices.contains(*role));
        let letters: Vec<String> = letters.map(|(_, info)| info.letter.to_lowercase().to_string()).collect();
        for (_, info) in roles.iter().filter(|(role, _)| promoted.contains(*role)) {
            for (color, squares) in colors.into_iter().zip(squares) {
                all.push(Promotion {
                    role: info.id.to_string(),
                    color,
                    squares: squares.iter().map(|square| square.index() as u16).collect(),
                    letters: letters.clone(),
                });
            }
        }
    }
    all
}

/// The identity of a game's rules: a digest of all texts that they were compiled from.
#[must_use]
pub fn digest(variant: &Variant) -> String {
    digest_of(variant.texts())
}

/// The identity of rules by their texts, the game's own first: 64 hexadecimal digits. Jobs name rules by it, too.
#[must_use]
pub fn digest_of(texts: &[String]) -> String {
    let mut sum = Sha256::new();
    for text in texts {
        sum.update((text.len() as u64).to_le_bytes());
        sum.update(text);
    }
    sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The digest of bytes.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether a text has the form of a digest.
pub fn is_digest(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn view(variant: &Variant, diamond: bool) -> View {
    let shape = variant.shape();
    let layout = variant.layout(diamond, false);
    let flipped = variant.layout(diamond, true);
    let rounded_pair = |(x, y)| [rounded(x), rounded(y)];
    let shades = if layout.view == variant::View::Hexagon { &layout.cells[..] } else { &[] };
    View {
        width: rounded(layout.width),
        height: rounded(layout.height),
        corners: layout.corners().into_iter().map(rounded_pair).collect(),
        centers: layout.cells.iter().map(|cell| rounded_pair(cell.center)).collect(),
        shades: shades.iter().map(|cell| shade(cell.shade)).collect(),
        file: rounded_pair(layout.step(Vector::new(1, 0))),
        rank: rounded_pair(layout.step(Vector::new(0, 1))),
        labels: labels(shape, &layout),
        labels_flipped: labels(shape, &flipped),
    }
}

const fn shade(shade: layout::Shade) -> Shade {
    match shade {
        layout::Shade::Light => Shade::Light,
        layout::Shade::Middle => Shade::Middle,
        layout::Shade::Dark => Shade::Dark,
    }
}

/// From the middle of an outer cell down to its coordinate in the diamond view, in rows of the grid.
const LABEL_DROP: f64 = 0.86;
/// From the edge of the board to a coordinate in the square view, in cell sides.
const LABEL_GAP: f64 = 0.32;

fn labels(shape: &Shape, layout: &Layout) -> Vec<Label> {
    let (unit, half) = (layout.view.unit(), layout.view.half());
    let place = |label: drawing::Label| {
        let (column, row) = (f64::from(label.column), f64::from(label.row));
        let at = if layout.view.is_turned() {
            [column * unit.0 + half.0, (row - 1.0 + LABEL_DROP) * unit.1 + half.1]
        } else if label.column < 0 {
            [-LABEL_GAP, row + half.1]
        } else {
            [column + half.0, layout.height + LABEL_GAP]
        };
        Label { text: label.text, at: at.map(rounded) }
    };
    drawing::labels(shape, layout).into_iter().map(place).collect()
}

/// To a thousandth of a cell: what a page can show.
fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_rules::library;

    #[test]
    fn squares_do_not_overlap_in_either_view() {
        for id in library::ids() {
            let variant = library::game(id).expect("built in");
            let board = board(&variant);
            assert_eq!(board.squares.len(), variant.shape().len());
            for view in [&board.views.diamond, &board.views.square] {
                assert_eq!(view.centers.len(), board.squares.len());
                assert_eq!(view.corners.len(), 4);
                for (index, info) in board.squares.iter().enumerate() {
                    // Centers follow from files and ranks by the two steps.
                    let (first, here) = (&board.squares[0], view.centers[index]);
                    let (df, dr) = (
                        f64::from(info.file) - f64::from(first.file),
                        f64::from(info.rank) - f64::from(first.rank),
                    );
                    for (axis, at) in here.iter().enumerate() {
                        let expected = view.centers[0][axis] + df * view.file[axis] + dr * view.rank[axis];
                        assert!((at - expected).abs() < 0.02, "{id} {}", info.name);
                    }
                }
            }
        }
    }

    #[test]
    fn promotions_are_listed_by_square() {
        let board = board(&library::game("diagonal").expect("built in"));
        let letters = |name: &str, color: Color| -> String {
            let square =
                board.squares.iter().position(|square| square.name == name).expect("a square") as u16;
            let here = |entry: &&Promotion| entry.color == color && entry.squares.contains(&square);
            board
                .promotions
                .iter()
                .filter(here)
                .flat_map(|entry| entry.letters.concat().into_bytes())
                .map(char::from)
                .collect()
        };
        for (name, expected) in [("g8", 4), ("b8", 3), ("c8", 2), ("d8", 1), ("h8", 0), ("d4", 0)] {
            assert_eq!(letters(name, Color::White).len(), expected, "{name}");
        }
        assert_eq!(letters("d8", Color::White), "n");
        assert_eq!(letters("d8", Color::Black), "");
    }

    /// The order of promotions and captured pieces.
    #[test]
    fn role_values_match_the_engine() {
        for id in ["diagonal", "diamondback", "diamond", "doublediamond", "chess"] {
            let board = board(&library::game(id).expect("built in"));
            let value = |id: &str| board.roles.iter().find(|role| role.id == id).map(|role| role.value);
            assert_eq!(value("king"), Some(0), "{id}");
            for (more, less) in [("queen", "rook"), ("rook", "knight"), ("knight", "pawn")] {
                if let (Some(one), Some(other)) = (value(more), value(less)) {
                    assert!(one > other, "{id}: {more} {one} and {less} {other}");
                }
            }
        }
    }

    #[test]
    fn torus_uses_the_diamond_view() {
        let torus = board(&library::game("diamondring").expect("built in"));
        assert_eq!((torus.view, torus.start.len()), (BoardView::Diamond, 80));
        let flat = board(&library::game("diamondring-flat").expect("built in"));
        assert_eq!(flat.view, BoardView::Square);
        let chess = board(&library::game("chess").expect("built in"));
        assert_eq!((chess.view, chess.start.len()), (BoardView::Square, 32));
    }

    #[test]
    fn hexagons_have_six_corners_and_three_shades() {
        let text = include_str!("../../../../variants/examples/glinski.toml");
        let board = board(&Variant::parse("glinski.toml", text, &library::text).expect("a game"));
        let View { corners, shades, centers, .. } = &board.views.diamond;
        assert_eq!((board.view, corners.len(), shades.len()), (BoardView::Diamond, 6, 91));
        let near = |at: &[f64; 2], to: &[f64; 2]| (at[0] - to[0]).hypot(at[1] - to[1]) < 1.1;
        for (number, (at, shade)) in centers.iter().zip(shades).enumerate() {
            let neighbors = (0..91).filter(|&other| other != number && near(at, &centers[other]));
            assert!(neighbors.clone().all(|other| shades[other] != *shade), "{number}");
            assert!((3..=6).contains(&neighbors.count()), "{number}");
        }
        assert_eq!((board.views.square.corners.len(), board.views.square.shades.len()), (4, 0));
    }

    #[test]
    fn different_texts_have_different_digests() {
        let of = |id| digest(&library::game(id).expect("built in"));
        assert_eq!(of("diamond").len(), 64);
        assert_ne!(of("diamond"), of("diagonal"));
    }
}
