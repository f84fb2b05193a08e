//! Pictures of board positions: a [`Scene`] of cells and pieces goes in, SVG text or PNG bytes come out.
//!
//! This crate has the input types, our own drawn pieces, a stroke alphabet, the colors, and the two
//! renderers. Only `board` goes from a position to a scene. The crate has no rules, notation or
//! files. Nothing in a picture depends on the fonts of the machine.
//!
//! ```
//! use lozenge_picture::{Cell, Glyph, PlacedPiece, Scene, Shade, Side, Theme};
//!
//! let cell = Cell {
//!     center: (0.5, 0.5),
//!     corners: vec![(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)],
//!     shade: Shade::Light,
//!     ghost: false,
//! };
//! let king = PlacedPiece { cell: 0, glyph: Glyph::Named("king".into()), side: Side::First, ghost: false };
//! let scene = Scene { cells: vec![cell], pieces: vec![king], ..Scene::empty(Theme::Light) };
//!
//! assert!(lozenge_picture::svg(&scene).starts_with("<svg "));
//! let png = lozenge_picture::png(&scene, 64)?;
//! assert_eq!(&png[1..4], b"PNG");
//! # Ok::<(), lozenge_picture::PictureError>(())
//! ```

mod alphabet;
mod board;
mod check;
#[cfg(feature = "png")]
mod clean;
mod compound;
mod drawing;
mod glyphs;
mod layout;
#[cfg(feature = "png")]
mod outline;
#[cfg(feature = "png")]
mod png;
mod scene;
mod sprite;
mod start_view;
mod svg;
mod theme;
mod xml;

pub use board::{BoardView, any_scene, is_diamond, multi_scene, scene};
pub use check::{MAX_CELLS, MAX_PNG_PIXELS, MAX_PNG_WIDTH, PictureError, check};
#[cfg(feature = "png")]
pub use clean::{Cleaned, DrawingFault, MAX_SVG, clean};
pub use drawing::{Drawing, Drawings};
pub use glyphs::{glyph_names, has_glyph};
#[cfg(feature = "png")]
pub use png::png;
pub use scene::{Cell, Glyph, Label, PlacedPiece, Scene, Shade};
pub use sprite::{PieceSet, sprite, sprite_of, sprite_with, symbol_id};
pub use svg::svg;
pub use theme::{Side, Theme};
