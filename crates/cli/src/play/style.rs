//! Colors of the terminal: the palette, and whether there are colors at all.

use lozenge_rules::seat::Seat;

/// Foreground and background, as numbers of the 256-color palette.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ink {
    fore: Option<u8>,
    back: Option<u8>,
    bold: bool,
}

impl Ink {
    const fn on(back: u8) -> Self {
        Self { fore: None, back: Some(back), bold: false }
    }

    const fn of(fore: u8) -> Self {
        Self { fore: Some(fore), back: None, bold: false }
    }

    /// No color.
    pub(crate) const PLAIN: Self = Self { fore: None, back: None, bold: false };
    /// A light square.
    pub(crate) const LIGHT: Self = Self::on(67);
    /// A cell between the two, on a board of hexagons.
    pub(crate) const MIDDLE: Self = Self::on(61);
    /// A dark square.
    pub(crate) const DARK: Self = Self::on(60);
    /// A light square of the last move.
    pub(crate) const LAST_LIGHT: Self = Self::on(107);
    /// A cell between the two of the last move.
    pub(crate) const LAST_MIDDLE: Self = Self::on(71);
    /// A dark square of the last move.
    pub(crate) const LAST_DARK: Self = Self::on(64);
    /// The square of a King in check.
    pub(crate) const CHECK: Self = Self::on(160);
    /// Coordinates and other things that should not stand out.
    pub(crate) const FAINT: Self = Self::of(245);
    /// A light square of a game of four: bright, so that four colors stand out.
    pub(crate) const LIGHT_FOUR: Self = Self::on(255);
    /// A dark square of a game of four.
    pub(crate) const DARK_FOUR: Self = Self::on(252);
    /// A square of the last move in a game of four.
    pub(crate) const LAST_FOUR: Self = Self::on(229);
    /// Errors.
    pub(crate) const ERROR: Self = Self::of(203);
    /// Important text.
    pub(crate) const STRONG: Self = Self { fore: None, back: None, bold: true };

    /// Two colors that share a cell of the terminal.
    pub(crate) const fn two(fore: Option<u8>, back: Option<u8>) -> Self {
        Self { fore, back, bold: false }
    }

    /// The color of the ground.
    pub(crate) const fn ground(self) -> Option<u8> {
        self.back
    }

    /// White's piece on this ground.
    pub(crate) const fn white(self) -> Self {
        Self { fore: Some(231), bold: true, ..self }
    }

    /// Black's piece on this ground.
    pub(crate) const fn black(self) -> Self {
        Self { fore: Some(16), bold: true, ..self }
    }

    /// A seat's piece on this ground, or a dead one.
    pub(crate) const fn of_seat(self, owner: Option<Seat>) -> Self {
        let (fore, bold) = match owner {
            Some(Seat::Red) => (160, true),
            Some(Seat::Blue) => (20, true),
            Some(Seat::Yellow) => (94, true),
            Some(Seat::Green) => (22, true),
            None => (246, false),
        };
        Self { fore: Some(fore), bold, ..self }
    }

    /// The same square beyond a joined edge: a shadow of itself.
    pub(crate) const fn ghost(self) -> Self {
        Self {
            fore: match self.fore {
                Some(231) => Some(250),
                Some(_) => Some(243),
                None => None,
            },
            back: Some(if matches!(self.back, Some(67 | 107)) { 236 } else { 234 }),
            bold: false,
        }
    }
}

/// How text is dressed: with colors or without.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Style {
    color: bool,
}

impl Style {
    /// With colors.
    pub(crate) const fn colored() -> Self {
        Self { color: true }
    }

    /// Without colors.
    pub(crate) const fn plain() -> Self {
        Self { color: false }
    }

    /// Whether there are colors.
    pub(crate) const fn is_colored(self) -> bool {
        self.color
    }

    /// A text in this ink.
    pub(crate) fn paint(self, ink: Ink, text: &str) -> String {
        if !self.color || ink == Ink::PLAIN {
            return text.to_owned();
        }
        let mut codes = Vec::new();
        codes.extend(ink.bold.then(|| "1".to_owned()));
        codes.extend(ink.fore.map(|fore| format!("38;5;{fore}")));
        codes.extend(ink.back.map(|back| format!("48;5;{back}")));
        format!("\x1b[{}m{text}\x1b[0m", codes.join(";"))
    }
}
