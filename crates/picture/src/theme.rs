//! Sides and pages, and their colors: heather and linen, with amber, rose and teal for the marks.
//!
//! The marks differ from the board and from each other in lightness and along the blue-yellow axis. A
//! check and a destination differ also in shape, so that no mark depends on telling red from green. Not
//! here: where a color is used.

/// Whose piece it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// White, who moves first in a game of two: light pieces.
    First,
    /// Black: dark pieces.
    Second,
    /// A player of four: pieces in the player's color with its sign.
    Red,
    /// As Red.
    Blue,
    /// As Red.
    Yellow,
    /// As Red.
    Green,
    /// A player of four who is out: gray pieces without a sign.
    Dead,
}

impl Side {
    /// The players, and the dead, in the order of the turns.
    pub(crate) const ALL: [Self; 7] =
        [Self::First, Self::Second, Self::Red, Self::Blue, Self::Yellow, Self::Green, Self::Dead];

    /// The name for people.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::First => "White",
            Self::Second => "Black",
            Self::Red => "Red",
            Self::Blue => "Blue",
            Self::Yellow => "Yellow",
            Self::Green => "Green",
            Self::Dead => "Dead",
        }
    }

    /// Whether the pieces are drawn as Black's, with light lines around dark bodies.
    pub(crate) const fn is_dark(self) -> bool {
        matches!(self, Self::Second | Self::Red | Self::Blue)
    }
}

/// The page that the picture lies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Theme {
    /// A light page.
    Light,
    /// A dark page.
    Dark,
    /// Any page: the area around the board stays transparent.
    Clear,
}

/// The colors of a board on one kind of page, as SVG color values.
pub(crate) struct Palette {
    /// The page around the board.
    pub(crate) page: &'static str,
    /// The line around the board.
    pub(crate) frame: &'static str,
    /// The lighter cells.
    pub(crate) light: &'static str,
    /// The cells between, on boards of hexagons.
    pub(crate) middle: &'static str,
    /// The darker cells.
    pub(crate) dark: &'static str,
    /// Labels.
    pub(crate) text: &'static str,
    /// Laid over the cells of the last move.
    pub(crate) last_move: &'static str,
    /// The heart of the glow of a check.
    pub(crate) check: &'static str,
    /// The dots and rings of destinations.
    pub(crate) dot: &'static str,
}

/// The two colors of a piece.
pub(crate) struct Ink {
    /// The body.
    pub(crate) fill: &'static str,
    /// Outlines and details.
    pub(crate) line: &'static str,
}

const ON_LIGHT: Palette = Palette {
    page: "#fbf8f4",
    frame: "#5b4a68",
    light: "#ece5e1",
    middle: "#cbbecb",
    dark: "#a592b0",
    text: "#5b4a68",
    last_move: "#f0b429",
    check: "#dd1f48",
    dot: "#0f5e6b",
};

const ON_DARK: Palette = Palette {
    page: "#1b1820",
    frame: "#0f0d13",
    light: "#c9bfca",
    middle: "#a395ab",
    dark: "#7d6b8c",
    text: "#bcb0c2",
    last_move: "#eda91c",
    check: "#dd1f48",
    dot: "#083f4a",
};

const ON_ANY: Palette = Palette { page: "none", text: "#8a7a96", ..ON_LIGHT };

/// Colors of thumbnails: the lighter cells contrast with white pieces, and the frame is visible on any page.
pub(crate) static THUMBNAIL: Palette =
    Palette { frame: "#7d6f8c", light: "#c6b9ce", middle: "#b6a6bf", dark: "#a592b0", ..ON_ANY };

/// The colors for a page.
pub(crate) fn palette(theme: Theme) -> &'static Palette {
    match theme {
        Theme::Light => &ON_LIGHT,
        Theme::Dark => &ON_DARK,
        Theme::Clear => &ON_ANY,
    }
}

/// The sign at the foot of the pieces of a player of four, in a box of 20 by 20: the armies differ in shape, too, so that none is
/// known by its hue alone.
pub(crate) const fn sign(side: Side) -> Option<&'static str> {
    match side {
        Side::Red => Some("M2 10A8 8 0 1 0 18 10A8 8 0 1 0 2 10Z"),
        Side::Blue => Some("M3 3H17V17H3Z"),
        Side::Yellow => Some("M10 1.500L19 18H1Z"),
        Side::Green => Some("M7 1.500H13V7H18.500V13H13V18.500H7V13H1.500V7H7Z"),
        Side::First | Side::Second | Side::Dead => None,
    }
}

/// The colors of a side's pieces, the same on both pages.
pub(crate) fn ink(side: Side) -> Ink {
    match side {
        Side::First => Ink { fill: "#fffdf8", line: "#2a2033" },
        Side::Second => Ink { fill: "#33283e", line: "#f4ecf0" },
        Side::Red => Ink { fill: "#c22a3d", line: "#fff1ee" },
        Side::Blue => Ink { fill: "#1f3f94", line: "#eaf0ff" },
        Side::Yellow => Ink { fill: "#ffd64a", line: "#3b2a05" },
        Side::Green => Ink { fill: "#55b36b", line: "#0b2b17" },
        Side::Dead => Ink { fill: "#b3afb6", line: "#77727c" },
    }
}
