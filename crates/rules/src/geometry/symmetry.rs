//! The symmetry of a game: how Black's side of the board follows from White's.

use super::shape::{Coord, Shape};
use super::square::Square;
use super::vector::Vector;

/// A way to lay the board onto itself that exchanges the two sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Symmetry {
    /// Turned by 180 degrees.
    Turn,
    /// Ranks mirrored: a1 to a8. Orthodox chess.
    MirrorRanks,
    /// Files mirrored: a1 to h1.
    MirrorFiles,
    /// Mirrored in the diagonal that starts in a1: a8 to h1. Square boxes only.
    MirrorRising,
    /// Mirrored in the diagonal that ends in the last file's rank 1: a1 to h8. Square boxes only.
    MirrorFalling,
}

impl Symmetry {
    /// Every symmetry with its name in a variant file.
    pub const NAMED: [(&'static str, Self); 5] = [
        (Self::Turn.name(), Self::Turn),
        (Self::MirrorRanks.name(), Self::MirrorRanks),
        (Self::MirrorFiles.name(), Self::MirrorFiles),
        (Self::MirrorRising.name(), Self::MirrorRising),
        (Self::MirrorFalling.name(), Self::MirrorFalling),
    ];

    /// Its name in a variant file.
    ///
    /// ```
    /// use lozenge_rules::geometry::Symmetry;
    /// assert_eq!(Symmetry::MirrorRanks.name(), "mirror-ranks");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Turn => "turn",
            Self::MirrorRanks => "mirror-ranks",
            Self::MirrorFiles => "mirror-files",
            Self::MirrorRising => "mirror-rising",
            Self::MirrorFalling => "mirror-falling",
        }
    }

    /// Whether the symmetry exchanges files and ranks, which only a square box allows.
    ///
    /// ```
    /// use lozenge_rules::geometry::Symmetry;
    /// assert!(Symmetry::MirrorRising.needs_square_box());
    /// assert!(!Symmetry::Turn.needs_square_box());
    /// ```
    #[must_use]
    pub const fn needs_square_box(self) -> bool {
        matches!(self, Self::MirrorRising | Self::MirrorFalling)
    }

    /// Where a vector goes.
    ///
    /// ```
    /// use lozenge_rules::geometry::{Symmetry, Vector};
    /// assert_eq!(Symmetry::MirrorRising.vector(Vector::new(2, 1)), Vector::new(1, 2));
    /// ```
    #[must_use]
    pub const fn vector(self, Vector { dx, dy }: Vector) -> Vector {
        match self {
            Self::Turn => Vector::new(-dx, -dy),
            Self::MirrorRanks => Vector::new(dx, -dy),
            Self::MirrorFiles => Vector::new(-dx, dy),
            Self::MirrorRising => Vector::new(dy, dx),
            Self::MirrorFalling => Vector::new(-dy, -dx),
        }
    }

    /// Where a cell in a `width` by `height` box goes.
    ///
    /// ```
    /// use lozenge_rules::geometry::{Coord, Symmetry};
    /// let a1 = Coord { file: 0, rank: 0 };
    /// assert_eq!(Symmetry::Turn.coord(a1, 8, 8), Coord { file: 7, rank: 7 });
    /// ```
    #[must_use]
    pub const fn coord(self, Coord { file, rank }: Coord, width: u8, height: u8) -> Coord {
        let (far_file, far_rank) = (width - 1 - file, height - 1 - rank);
        match self {
            Self::Turn => Coord { file: far_file, rank: far_rank },
            Self::MirrorRanks => Coord { file, rank: far_rank },
            Self::MirrorFiles => Coord { file: far_file, rank },
            Self::MirrorRising => Coord { file: rank, rank: file },
            Self::MirrorFalling => Coord { file: far_rank, rank: far_file },
        }
    }

    /// Where a square goes; `None` when its image is a hole.
    ///
    /// ```
    /// use lozenge_rules::library;
    /// let game = library::game("chess").unwrap();
    /// let [e1, e8] = ["e1", "e8"].map(|name| game.shape().named(name).unwrap());
    /// assert_eq!(game.symmetry().square(game.shape(), e1), Some(e8));
    /// ```
    #[must_use]
    pub fn square(self, shape: &Shape, square: Square) -> Option<Square> {
        shape.at(self.coord(shape.coord(square), shape.width(), shape.height()))
    }

    /// Whether the board's squares are laid exactly onto squares.
    ///
    /// ```
    /// use lozenge_rules::{geometry::Symmetry, library};
    /// let capablanca = library::game("capablanca").unwrap();
    /// assert!(Symmetry::Turn.fits(capablanca.shape()));
    /// assert!(!Symmetry::MirrorRising.fits(capablanca.shape()), "ten files and eight ranks");
    /// ```
    #[must_use]
    pub fn fits(self, shape: &Shape) -> bool {
        (!self.needs_square_box() || shape.width() == shape.height())
            && shape.squares().all(|square| self.square(shape, square).is_some())
    }
}
