//! From a position to a scene: where each cell, piece and coordinate goes, by the one geometry that the
//! rules have ([`Layout`]). What the scene looks like is not here (`svg`, `theme`).

use crate::{Cell, Glyph, Label, PlacedPiece, Scene, Shade, Side, Theme};
use lozenge_rules::geometry::layout::Layout;
use lozenge_rules::geometry::{Coord, Square};
use lozenge_rules::position::{AnyPosition, Color, Piece};
use lozenge_rules::variant::Variant;

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
}

impl BoardView {
    /// The game's own view, from White's side, with coordinates and ghosts.
    #[must_use]
    pub fn of(variant: &Variant) -> Self {
        Self {
            diamond: variant.view() == lozenge_rules::variant::View::Diamond,
            flipped: false,
            theme: Theme::Light,
            coordinates: true,
            ghosts: true,
            last_move: Vec::new(),
            thumbnail: false,
        }
    }
}

/// Height of the coordinates' letters, in cell sides.
const LABEL_SIZE: f64 = 0.36;
/// From the middle of an outer cell to its coordinate, in cell sides.
const LABEL_DISTANCE: f64 = 0.8;

/// The scene of a position.
#[must_use]
pub fn scene(position: &AnyPosition, view: &BoardView) -> Scene {
    let variant = position.variant();
    let page = Page::new(variant, view);
    let mut scene = Scene::empty(view.theme);
    scene.title = Some(format!("{}: {}", variant.name(), position.fen()));
    let shape = variant.shape();
    for square in shape.squares() {
        let at = shape.coord(square);
        page.add_cell(&mut scene, position, square, (i32::from(at.file), i32::from(at.rank)), false);
    }
    for (square, at) in page.ghosts(variant, view) {
        page.add_cell(&mut scene, position, square, at, true);
    }
    let real = |square: &Square| square.index();
    scene.last_move = view.last_move.iter().map(real).collect();
    if position.is_check() {
        scene.check = vec![position.king(position.turn()).index()];
    }
    if view.coordinates {
        scene.labels = page.labels(variant, view);
    }
    scene
}

/// Places on the page: a straight map from files and ranks.
struct Page {
    diamond: bool,
    thumbnail: bool,
    origin: (f64, f64),
    /// What one file to the right, and one rank up, are on the page.
    file: (f64, f64),
    rank: (f64, f64),
    bottom: f64,
}

impl Page {
    fn new(variant: &Variant, view: &BoardView) -> Self {
        let shape = variant.shape();
        let layout = Layout::new(shape, view.diamond, variant.frames()[0].forward, view.flipped);
        let unit = if layout.diamond { core::f64::consts::FRAC_1_SQRT_2 } else { 1.0 };
        let step = |dx: i8, dy: i8| {
            let (right, up) = layout.frame.seen(lozenge_rules::geometry::Vector::new(dx, dy));
            (f64::from(right) * unit, -f64::from(up) * unit)
        };
        let (file, rank) = (step(1, 0), step(0, 1));
        // A compiled board has squares.
        let first = &layout.cells[0];
        let Coord { file: f, rank: r } = shape.coord(first.square);
        let (f, r) = (f64::from(f), f64::from(r));
        let origin = (first.center.0 - f * file.0 - r * rank.0, first.center.1 - f * file.1 - r * rank.1);
        Self { diamond: layout.diamond, thumbnail: view.thumbnail, origin, file, rank, bottom: layout.height }
    }

    fn center(&self, (file, rank): (i32, i32)) -> (f64, f64) {
        let (file, rank) = (f64::from(file), f64::from(rank));
        (
            self.origin.0 + file * self.file.0 + rank * self.rank.0,
            self.origin.1 + file * self.file.1 + rank * self.rank.1,
        )
    }

    fn add_cell(
        &self,
        scene: &mut Scene,
        position: &AnyPosition,
        square: Square,
        at: (i32, i32),
        ghost: bool,
    ) {
        let center = self.center(at);
        let half = if self.diamond { core::f64::consts::FRAC_1_SQRT_2 } else { 0.5 };
        let offsets = if self.diamond {
            [(0.0, -half), (half, 0.0), (0.0, half), (-half, 0.0)]
        } else {
            [(-half, -half), (half, -half), (half, half), (-half, half)]
        };
        let shade = if (at.0 + at.1).rem_euclid(2) == 0 { Shade::Dark } else { Shade::Light };
        let cell = scene.cells.len();
        scene.cells.push(Cell {
            center,
            corners: offsets.iter().map(|(dx, dy)| (center.0 + dx, center.1 + dy)).collect(),
            shade,
            ghost,
        });
        let Some(piece) = position.piece_at(square) else { return };
        if self.thumbnail {
            scene.color_cells.push((cell, side(piece)));
        } else {
            scene.pieces.push(PlacedPiece {
                cell,
                glyph: glyph(position.variant(), piece),
                side: side(piece),
                ghost,
            });
        }
    }

    /// One row of repeated cells beyond each joined edge.
    fn ghosts(&self, variant: &Variant, view: &BoardView) -> Vec<(Square, (i32, i32))> {
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
                if (!beyond_file && !beyond_rank)
                    || (beyond_file && !wrap.files)
                    || (beyond_rank && !wrap.ranks)
                {
                    continue;
                }
                let at = Coord { file: file.rem_euclid(width) as u8, rank: rank.rem_euclid(height) as u8 };
                ghosts.extend(shape.at(at).map(|square| (square, (file, rank))));
            }
        }
        ghosts
    }

    /// Files and ranks along the lower edges of the drawing.
    fn labels(&self, variant: &Variant, view: &BoardView) -> Vec<Label> {
        let (shape, wrap) = (variant.shape(), variant.shape().wrap());
        let margin = |joined: bool| if view.ghosts && joined { 1.0 } else { 0.0 };
        let mut labels = Vec::new();
        for file in 0..shape.width() {
            let cells = (0..shape.height()).map(|rank| Coord { file, rank });
            let text = char::from(b'a' + file).to_string();
            labels.extend(self.label(variant, cells, self.rank, margin(wrap.ranks), text));
        }
        for rank in 0..shape.height() {
            let cells = (0..shape.width()).map(|file| Coord { file, rank });
            labels.extend(self.label(variant, cells, self.file, margin(wrap.files), (rank + 1).to_string()));
        }
        labels
    }

    /// The label of a line of cells, at its lower end (its left end where it lies level).
    fn label(
        &self,
        variant: &Variant,
        cells: impl Iterator<Item = Coord>,
        along: (f64, f64),
        margin: f64,
        text: String,
    ) -> Option<Label> {
        let outward = if along.1 > 1e-9 || (along.1.abs() < 1e-9 && along.0 < 0.0) {
            along
        } else {
            (-along.0, -along.1)
        };
        let far = |at: &Coord| {
            let center = self.center((i32::from(at.file), i32::from(at.rank)));
            center.0 * outward.0 + center.1 * outward.1
        };
        let end =
            cells.filter(|&at| variant.shape().at(at).is_some()).max_by(|a, b| far(a).total_cmp(&far(b)))?;
        let center = self.center((i32::from(end.file), i32::from(end.rank)));
        let distance = margin + LABEL_DISTANCE;
        let at = if self.diamond {
            (center.0 + outward.0 * distance, center.1 + outward.1 * distance)
        } else if outward.1 > 0.5 {
            (center.0, self.bottom - 0.5 + distance)
        } else {
            (0.5 - distance, center.1)
        };
        Some(Label { at, text, size: LABEL_SIZE })
    }
}

fn side(piece: Piece) -> Side {
    match piece.color() {
        Color::White => Side::First,
        Color::Black => Side::Second,
    }
}

/// The picture that the game's file names, or the piece's letter.
fn glyph(variant: &Variant, piece: Piece) -> Glyph {
    let info = variant.roles().info(piece.role());
    if crate::has_glyph(&info.picture) {
        Glyph::Named(info.picture.clone())
    } else {
        Glyph::Letter(info.letter)
    }
}
