//! Squares, pieces, the shapes of the boards (edges, holes, wraparound) and which piece stands where. No rules of
//! movement.

/// A number of files to the right and of ranks up; both may be negative.
pub(crate) type Offset = (i32, i32);

/// One cell in the bounding box of a board, counted from zero: `a1` is file 0, rank 0.
///
/// The order is by file, then by rank, which is also the order of Double Diamond's seventh FEN field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Square {
    /// Counted from the left, file `a` being 0.
    pub(crate) file: i32,
    /// Counted from the bottom, rank 1 being 0.
    pub(crate) rank: i32,
}

impl Square {
    /// The name that players use, such as `a1` or `l12`.
    pub(crate) fn name(self) -> String {
        let letter = char::from(b'a' + self.file as u8);
        format!("{letter}{}", self.rank + 1)
    }
}

/// The square of a name that is written in this crate's own tables. Names from outside go through
/// [`Shape::parse`].
pub(crate) const fn sq(name: &str) -> Square {
    let bytes = name.as_bytes();
    let mut number = 0;
    let mut at = 1;
    while at < bytes.len() {
        number = number * 10 + (bytes[at] - b'0') as i32;
        at += 1;
    }
    Square { file: (bytes[0] - b'a') as i32, rank: number - 1 }
}

/// Whether `square` is one of the squares of a list of names with single spaces between them.
pub(crate) fn is_one_of(square: Square, names: &str) -> bool {
    names.split(' ').any(|name| sq(name) == square)
}

/// The two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Color {
    White,
    Black,
}

impl Color {
    /// The other side.
    pub(crate) fn enemy(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }

    /// A step written from White's point of view, as this side makes it: Black's is White's turned by 180
    /// degrees.
    pub(crate) fn turn(self, (dx, dy): Offset) -> Offset {
        match self {
            Color::White => (dx, dy),
            Color::Black => (-dx, -dy),
        }
    }
}

/// A piece: its color, and the capital letter of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Piece {
    pub(crate) color: Color,
    pub(crate) letter: char,
}

/// The board without the pieces.
#[derive(Debug)]
pub(crate) struct Shape {
    /// How many files the bounding box has.
    pub(crate) files: i32,
    /// How many ranks the bounding box has.
    pub(crate) ranks: i32,
    /// Whether the last file lies next to the first.
    pub(crate) files_wrap: bool,
    /// Whether the last rank lies next to the first.
    pub(crate) ranks_wrap: bool,
    /// The cells in the bounding box that are no squares.
    pub(crate) is_hole: fn(Square) -> bool,
}

impl Shape {
    /// A full rectangle with edges all round.
    pub(crate) const fn rectangle(files: i32, ranks: i32) -> Shape {
        Shape { files, ranks, files_wrap: false, ranks_wrap: false, is_hole: |_| false }
    }

    /// The square that lies a step away, or nothing where the step leaves the board or meets a hole.
    pub(crate) fn step(&self, from: Square, (dx, dy): Offset) -> Option<Square> {
        let mut file = from.file + dx;
        let mut rank = from.rank + dy;
        if self.files_wrap {
            file = file.rem_euclid(self.files);
        }
        if self.ranks_wrap {
            rank = rank.rem_euclid(self.ranks);
        }
        let square = Square { file, rank };
        if self.contains(square) { Some(square) } else { None }
    }

    /// Whether this is a square of the board.
    pub(crate) fn contains(&self, square: Square) -> bool {
        (0..self.files).contains(&square.file)
            && (0..self.ranks).contains(&square.rank)
            && !(self.is_hole)(square)
    }

    /// Every square of the board, holes left out.
    pub(crate) fn squares(&self) -> Vec<Square> {
        let mut squares = Vec::new();
        for rank in 0..self.ranks {
            for file in 0..self.files {
                let square = Square { file, rank };
                if self.contains(square) {
                    squares.push(square);
                }
            }
        }
        squares
    }

    /// The square turned by 180 degrees about the middle of the bounding box.
    pub(crate) fn turned(&self, square: Square) -> Square {
        Square { file: self.files - 1 - square.file, rank: self.ranks - 1 - square.rank }
    }

    /// Reads the name of a square of this board.
    pub(crate) fn parse(&self, name: &str) -> Result<Square, String> {
        let error = || format!("`{name}` is not a square of this board");
        let mut characters = name.chars();
        let letter = characters.next().ok_or_else(error)?;
        let number = characters.as_str();
        let plain = number.chars().all(|c| c.is_ascii_digit()) && !number.starts_with('0');
        if !letter.is_ascii_lowercase() || !plain {
            return Err(error());
        }
        let number: i32 = number.parse().map_err(|_| error())?;
        let square = Square { file: letter as i32 - 'a' as i32, rank: number - 1 };
        if self.contains(square) { Ok(square) } else { Err(error()) }
    }
}

/// Which piece stands where.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    shape: &'static Shape,
    pieces: Vec<Option<Piece>>,
}

impl Board {
    /// A board without pieces.
    pub(crate) fn empty(shape: &'static Shape) -> Board {
        Board { shape, pieces: vec![None; (shape.files * shape.ranks) as usize] }
    }

    /// The board without its pieces.
    pub(crate) fn shape(&self) -> &'static Shape {
        self.shape
    }

    fn index(&self, square: Square) -> usize {
        (square.rank * self.shape.files + square.file) as usize
    }

    /// The piece on a square, if any.
    pub(crate) fn get(&self, square: Square) -> Option<Piece> {
        self.pieces[self.index(square)]
    }

    /// Puts a piece on a square, or empties it.
    pub(crate) fn set(&mut self, square: Square, piece: Option<Piece>) {
        let index = self.index(square);
        self.pieces[index] = piece;
    }

    /// Whether no piece stands there.
    pub(crate) fn is_empty(&self, square: Square) -> bool {
        self.get(square).is_none()
    }

    /// Whether a piece of this color stands there.
    pub(crate) fn has(&self, square: Square, color: Color) -> bool {
        self.get(square).is_some_and(|piece| piece.color == color)
    }

    /// Whether exactly this piece stands there.
    pub(crate) fn has_piece(&self, square: Square, color: Color, letter: char) -> bool {
        self.get(square) == Some(Piece { color, letter })
    }

    /// Every piece with its square.
    pub(crate) fn pieces(&self) -> Vec<(Square, Piece)> {
        let mut pieces = Vec::new();
        for rank in 0..self.shape.ranks {
            for file in 0..self.shape.files {
                let square = Square { file, rank };
                if let Some(piece) = self.get(square) {
                    pieces.push((square, piece));
                }
            }
        }
        pieces
    }

    /// The square of the king of a color.
    pub(crate) fn king(&self, color: Color) -> Option<Square> {
        self.pieces()
            .into_iter()
            .find(|(_, piece)| *piece == Piece { color, letter: 'K' })
            .map(|(square, _)| square)
    }
}
