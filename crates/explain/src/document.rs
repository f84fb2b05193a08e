//! The form of an explanation: chapters of paragraphs, points, drawings and pieces. `T` is a
//! [`Text`](super::Text) before it is put into words, and a `String` in a language.

/// A game explained.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Document<T> {
    /// The game's name.
    pub title: String,
    /// The inventor, the year and the source, in sentences.
    pub origin: Vec<T>,
    /// The description in its file, if there is one.
    pub about: Option<T>,
    /// Everything else.
    pub chapters: Vec<Chapter<T>>,
}

/// A part with a heading.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chapter<T> {
    /// Its subject.
    pub subject: Subject,
    /// The same as a heading.
    pub heading: T,
    /// Its content, from top to bottom.
    pub parts: Vec<Part<T>>,
}

/// The subject of a chapter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// The squares, which of them are neighbors, the starting positions.
    Board,
    /// How each piece moves.
    Pieces,
    /// Everything else that decides games.
    Rules,
    /// How ambiguities of the published rules are read.
    Readings,
    /// Names and positions as programs want them.
    Programs,
}

/// Something that stands by itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part<T> {
    /// Sentences that belong together.
    Paragraph(Vec<T>),
    /// Points of a list.
    Points(Vec<T>),
    /// A board drawn in letters. Its caption also stands beside it as a sentence.
    Drawing(Diagram<T>),
    /// A piece.
    Piece(PieceEntry<T>),
    /// Words for people and the values that they stand for.
    Values(Vec<(T, String)>),
}

/// A piece explained.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PieceEntry<T> {
    /// Its capital letter.
    pub letter: char,
    /// Its name.
    pub name: T,
    /// How it moves, in sentences.
    pub moves: Vec<T>,
    /// The same in the notation of the game's file.
    pub notation: T,
    /// Its moves drawn: once, or once for each kind of square where they differ.
    pub diagrams: Vec<Diagram<T>>,
    /// A note that not everything is drawn.
    pub rest: Option<T>,
}

/// A drawing in letters: a board, or a piece on a square and where it can go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagram<T> {
    /// The drawing.
    pub lines: Vec<String>,
    /// Its caption.
    pub caption: T,
    /// The square of the piece that is drawn alone on the board.
    pub from: Option<String>,
}

impl<T> Document<T> {
    /// The same document with every text replaced.
    pub fn map<U>(&self, write: impl Fn(&T) -> U) -> Document<U> {
        let all = |texts: &[T]| -> Vec<U> { texts.iter().map(&write).collect() };
        let part = |part: &Part<T>| match part {
            Part::Paragraph(sentences) => Part::Paragraph(all(sentences)),
            Part::Points(points) => Part::Points(all(points)),
            Part::Drawing(drawing) => Part::Drawing(drawing.map(&write)),
            Part::Piece(piece) => Part::Piece(piece.map(&write)),
            Part::Values(values) => {
                Part::Values(values.iter().map(|(label, value)| (write(label), value.clone())).collect())
            }
        };
        let chapter = |chapter: &Chapter<T>| Chapter {
            subject: chapter.subject,
            heading: write(&chapter.heading),
            parts: chapter.parts.iter().map(part).collect(),
        };
        Document {
            title: self.title.clone(),
            origin: all(&self.origin),
            about: self.about.as_ref().map(&write),
            chapters: self.chapters.iter().map(chapter).collect(),
        }
    }
}

impl<T> Document<T> {
    /// All texts, from top to bottom.
    #[must_use]
    pub fn texts(&self) -> Vec<&T> {
        let mut texts: Vec<&T> = self.origin.iter().chain(&self.about).collect();
        for chapter in &self.chapters {
            texts.push(&chapter.heading);
            for part in &chapter.parts {
                match part {
                    Part::Paragraph(all) | Part::Points(all) => texts.extend(all),
                    Part::Drawing(_) => {}
                    Part::Piece(piece) => texts.extend(piece.texts()),
                    Part::Values(values) => texts.extend(values.iter().map(|(label, _)| label)),
                }
            }
        }
        texts
    }
}

impl<T> PieceEntry<T> {
    fn texts(&self) -> impl Iterator<Item = &T> {
        let words = core::iter::once(&self.name).chain(&self.moves).chain([&self.notation]);
        words.chain(self.diagrams.iter().map(|diagram| &diagram.caption)).chain(&self.rest)
    }

    fn map<U>(&self, write: impl Fn(&T) -> U) -> PieceEntry<U> {
        PieceEntry {
            letter: self.letter,
            name: write(&self.name),
            moves: self.moves.iter().map(&write).collect(),
            notation: write(&self.notation),
            diagrams: self.diagrams.iter().map(|diagram| diagram.map(&write)).collect(),
            rest: self.rest.as_ref().map(&write),
        }
    }
}

impl<T> Diagram<T> {
    fn map<U>(&self, write: impl Fn(&T) -> U) -> Diagram<U> {
        Diagram { lines: self.lines.clone(), caption: write(&self.caption), from: self.from.clone() }
    }
}
