//! From a position to a scene: where each cell, piece and coordinate goes, by the one geometry that the
//! rules have ([`Layout`]). Not here: the style of the scene (`svg`, `theme`).

use crate::start_view::{Offset, StartView};
use crate::{Cell, Drawings, Glyph, Label, PlacedPiece, Scene, Side, Theme};
use lozenge_rules::geometry::layout::Layout;
use lozenge_rules::geometry::{Coord, Square, Vector};
use lozenge_rules::library::AnyGame;
use lozenge_rules::position::{AnyMultiPosition, AnyPosition, Color, GamePosition, Piece, Role};
use lozenge_rules::seat::Seat;
use lozenge_rules::variant::Variant;
use std::sync::Arc;

/// How a position is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardView {
    /// Turned by 45 degrees, White's corner at the bottom.
    pub diamond: bool,
    /// Turned by 180 degrees.
    pub flipped: bool,
    /// The colors of the page.
    pub theme: Theme,
    /// Whether files and ranks are named along the lower edges.
    pub coordinates: bool,
    /// Whether the neighbors across joined edges are repeated around the board, faded.
    pub ghosts: bool,
    /// Squares that the last move left and reached.
    pub last_move: Vec<Square>,
    /// Whether occupied squares have the color of their side instead of pieces, for small pictures.
    pub thumbnail: bool,
    /// The pictures that users have drawn, by the names that the game's file has.
    pub drawings: Drawings,
}

impl BoardView {
    /// The game's own view, from White's side, with coordinates and ghosts.
    #[must_use]
    pub fn of(variant: &Variant) -> Self {
        Self {
            diamond: is_diamond(variant),
            flipped: false,
            theme: Theme::Light,
            coordinates: true,
            ghosts: true,
            last_move: Vec::new(),
            thumbnail: false,
            drawings: Drawings::default(),
        }
    }

    /// As [`BoardView::of`], for a game of any number of players: with four, from Red's side.
    #[must_use]
    pub fn of_game(game: &AnyGame) -> Self {
        Self::of(game.first_pair())
    }
}

/// Whether a game's board is turned by 45 degrees unless a player turns it. Its file decides; a board with all edges joined
/// is always turned, because its camps face each other at a corner. All pictures and pages use this.
#[must_use]
pub fn is_diamond(variant: &Variant) -> bool {
    let wrap = variant.shape().wrap();
    variant.view().is_turned() || (wrap.files && wrap.ranks)
}

/// Height of the coordinates' letters, in cell sides.
const LABEL_SIZE: f64 = 0.36;
/// From the middle of an outer cell to its coordinate, in cell sides.
const LABEL_DISTANCE: f64 = 0.8;

/// The scene of a position of a game of any number of players.
#[must_use]
pub fn any_scene(position: &GamePosition, view: &BoardView) -> Scene {
    match position {
        GamePosition::Two(position) => scene(position, view),
        GamePosition::Four(position) => multi_scene(position, view),
    }
}

/// The scene of a position.
#[must_use]
pub fn scene(position: &AnyPosition, view: &BoardView) -> Scene {
    let variant = position.variant();
    let page = Page::new(variant, view, start_view(variant));
    let piece = |square| position.piece_at(square).map(|piece| (piece.role(), side(piece)));
    let mut scene = page.scene(variant, view, &piece);
    scene.title = Some(format!("{}: {}", variant.name(), position.fen()));
    if position.is_check() {
        scene.check = vec![position.king(position.turn()).index()];
    }
    scene
}

/// The scene of a position of four, Red's side at the bottom.
#[must_use]
pub fn multi_scene(position: &AnyMultiPosition, view: &BoardView) -> Scene {
    let game = position.variant();
    let (variant, _) = game.pair(Seat::Red);
    let page = Page::new(variant, view, plain_view(variant));
    let side = |owner: Option<Seat>| match owner {
        Some(Seat::Red) => Side::Red,
        Some(Seat::Blue) => Side::Blue,
        Some(Seat::Yellow) => Side::Yellow,
        Some(Seat::Green) => Side::Green,
        None => Side::Dead,
    };
    let piece = |square| position.piece_at(square).map(|piece| (piece.role, side(piece.owner)));
    let mut scene = page.scene(variant, view, &piece);
    scene.title = Some(format!("{}: {}", game.name(), position.fen()));
    let king = position.king(position.turn()).filter(|_| position.is_check());
    scene.check = king.into_iter().map(Square::index).collect();
    scene
}

/// Places on the page: a straight map from files and ranks.
struct Page {
    layout: Layout,
    /// The corners of a cell around its center.
    corners: Vec<(f64, f64)>,
    thumbnail: bool,
    drawings: Drawings,
    origin: (f64, f64),
    /// The vectors of one file to the right and one rank up.
    file: (f64, f64),
    rank: (f64, f64),
    start: StartView,
}

impl Page {
    fn new(variant: &Variant, view: &BoardView, start: StartView) -> Self {
        let shape = variant.shape();
        let layout = variant.layout(view.diamond, view.flipped);
        let (file, rank) = (layout.step(Vector::new(1, 0)), layout.step(Vector::new(0, 1)));
        // A compiled board has squares.
        let first = &layout.cells[0];
        let Coord { file: f, rank: r } = shape.coord(first.square);
        let (f, r) = (f64::from(f), f64::from(r));
        let origin = (first.center.0 - f * file.0 - r * rank.0, first.center.1 - f * file.1 - r * rank.1);
        Self {
            corners: layout.corners(),
            thumbnail: view.thumbnail,
            drawings: view.drawings.clone(),
            origin,
            file,
            rank,
            start,
            layout,
        }
    }

    /// The scene of a position with these pieces, without a title.
    fn scene(
        &self,
        variant: &Variant,
        view: &BoardView,
        piece: &dyn Fn(Square) -> Option<(Role, Side)>,
    ) -> Scene {
        let mut scene = Scene::empty(view.theme);
        let shape = variant.shape();
        let mut add = |square, at, ghost| {
            let piece = piece(square).map(|(role, side)| (glyph(variant, role, &self.drawings), side));
            self.add_cell(&mut scene, piece, at, ghost);
        };
        for square in shape.squares() {
            add(square, self.start.place(step_to(shape.coord(square))), false);
        }
        for (square, at) in self.ghosts(variant, view) {
            add(square, at, true);
        }
        scene.last_move = view.last_move.iter().map(|square| square.index()).collect();
        if view.coordinates {
            scene.labels = self.labels(variant, view);
        }
        scene
    }

    fn center(&self, (file, rank): Offset) -> (f64, f64) {
        let (file, rank) = (f64::from(file), f64::from(rank));
        (
            self.origin.0 + file * self.file.0 + rank * self.rank.0,
            self.origin.1 + file * self.file.1 + rank * self.rank.1,
        )
    }

    fn add_cell(&self, scene: &mut Scene, piece: Option<(Glyph, Side)>, at: Offset, ghost: bool) {
        let center = self.center(at);
        let (dx, dy) = self.start.origin();
        let cell = scene.cells.len();
        scene.cells.push(Cell {
            center,
            corners: self.corners.iter().map(|(dx, dy)| (center.0 + dx, center.1 + dy)).collect(),
            shade: self.layout.shade(at.0 + dx, at.1 + dy),
            ghost,
        });
        let Some((glyph, side)) = piece else { return };
        if self.thumbnail {
            // A color on faded squares, too, would look like a third camp.
            if !ghost {
                scene.color_cells.push((cell, side));
            }
        } else {
            scene.pieces.push(PlacedPiece { cell, glyph, side, ghost });
        }
    }

    /// The square at a place of the page.
    fn square_at(&self, variant: &Variant, place: Offset) -> Option<Square> {
        let (file, rank) = self.start.square_at(place);
        variant.shape().at(Coord { file: file as u8, rank: rank as u8 })
    }

    /// The repeated cells: one row beyond each joined edge, and the places of squares that moved there.
    fn ghosts(&self, variant: &Variant, view: &BoardView) -> Vec<(Square, Offset)> {
        let (shape, wrap) = (variant.shape(), variant.shape().wrap());
        if !view.ghosts {
            return Vec::new();
        }
        let (width, height) = (i32::from(shape.width()), i32::from(shape.height()));
        let mut ghosts = Vec::new();
        for rank in -1..=height {
            for file in -1..=width {
                let beyond_file = file < 0 || file == width;
                let beyond_rank = rank < 0 || rank == height;
                if (beyond_file && !wrap.files) || (beyond_rank && !wrap.ranks) {
                    continue;
                }
                let Some(square) = self.square_at(variant, (file, rank)) else { continue };
                if self.start.place(step_to(shape.coord(square))) != (file, rank) {
                    ghosts.push((square, (file, rank)));
                }
            }
        }
        ghosts
    }

    /// Files and ranks along the lower edges of the drawing.
    fn labels(&self, variant: &Variant, view: &BoardView) -> Vec<Label> {
        let (shape, wrap) = (variant.shape(), variant.shape().wrap());
        let has_ring = view.ghosts || self.start.has_shifts();
        let margin = |joined: bool| if has_ring && joined { 1.0 } else { 0.0 };
        let (width, height) = (i32::from(shape.width()), i32::from(shape.height()));
        let mut labels = Vec::new();
        for file in 0..width {
            let places = (0..height).map(|rank| (file, rank));
            let text = char::from(b'a' + self.start.square_at((file, 0)).0 as u8).to_string();
            labels.extend(self.label(variant, places, self.rank, margin(wrap.ranks), text));
        }
        for rank in 0..height {
            let places = (0..width).map(|file| (file, rank));
            let text = (self.start.square_at((0, rank)).1 + 1).to_string();
            labels.extend(self.label(variant, places, self.file, margin(wrap.files), text));
        }
        labels
    }

    /// The label of a line of places, at its lower end; at its left end if it is horizontal.
    fn label(
        &self,
        variant: &Variant,
        places: impl Iterator<Item = Offset>,
        along: (f64, f64),
        margin: f64,
        text: String,
    ) -> Option<Label> {
        let outward = if along.1 > 1e-9 || (along.1.abs() < 1e-9 && along.0 < 0.0) {
            along
        } else {
            (-along.0, -along.1)
        };
        let distance = |&place: &Offset| {
            let center = self.center(place);
            center.0 * outward.0 + center.1 * outward.1
        };
        let end = places
            .filter(|&place| self.square_at(variant, place).is_some())
            .max_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        let center = self.center(end);
        let distance = margin + LABEL_DISTANCE;
        let at = if self.layout.view.is_turned() {
            (center.0 + outward.0 * distance, center.1 + outward.1 * distance)
        } else if outward.1 > 0.5 {
            (center.0, self.layout.height - 0.5 + distance)
        } else {
            (0.5 - distance, center.1)
        };
        Some(Label { at, text, size: LABEL_SIZE })
    }
}

fn step_to(at: Coord) -> Offset {
    (i32::from(at.file), i32::from(at.rank))
}

/// The board as it is numbered.
fn plain_view(variant: &Variant) -> StartView {
    let (shape, wrap) = (variant.shape(), variant.shape().wrap());
    let size = (i32::from(shape.width()), i32::from(shape.height()));
    let periods = (wrap.files.then_some(size.0), wrap.ranks.then_some(size.1));
    StartView::new(size, periods, &[], [&[], &[]])
}

/// The origin of the game's board: with joined edges, the one that keeps the armies of the first start together.
fn start_view(variant: &Arc<Variant>) -> StartView {
    let (shape, wrap) = (variant.shape(), variant.shape().wrap());
    let size = (i32::from(shape.width()), i32::from(shape.height()));
    let periods = (wrap.files.then_some(size.0), wrap.ranks.then_some(size.1));
    if periods == (None, None) {
        return plain_view(variant);
    }
    let start = AnyPosition::start(variant);
    let army = |color| -> Vec<Offset> {
        let is_own = |square: &Square| start.piece_at(*square).is_some_and(|piece| piece.color() == color);
        shape.squares().filter(is_own).map(|square| step_to(shape.coord(square))).collect()
    };
    let squares: Vec<Offset> = shape.squares().map(|square| step_to(shape.coord(square))).collect();
    StartView::new(size, periods, &squares, [&army(Color::White), &army(Color::Black)])
}

fn side(piece: Piece) -> Side {
    match piece.color() {
        Color::White => Side::First,
        Color::Black => Side::Second,
    }
}

/// The picture that the game's file names, or the piece's letter.
fn glyph(variant: &Variant, role: Role, drawings: &Drawings) -> Glyph {
    let info = variant.roles().info(role);
    if let Some(drawing) = drawings.get(&info.picture) {
        Glyph::Drawn(drawing.clone(), info.letter)
    } else if crate::has_glyph(&info.picture) {
        Glyph::Named(info.picture.clone())
    } else {
        Glyph::Letter(info.letter)
    }
}
