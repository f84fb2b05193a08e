//! The notes at a move: comments, annotation glyphs, arrows and circles, the clock; and their form in comments of PGN and in
//! the API.

use super::MAX_COMMENT;
use lozenge_rules::geometry::{Shape as BoardShape, Square};
use lozenge_rules::notation::pgn::{Arrow, Comment, Mark, Paint, PgnCommand};
use lozenge_wire::analysis as wire;
use std::time::Duration;

/// Most arrows and circles at a move.
pub const MAX_SHAPES: usize = 32;

/// The color of an arrow or a circle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Brush {
    /// Green.
    Green,
    /// Red.
    Red,
    /// Blue.
    Blue,
    /// Yellow.
    Yellow,
}

/// An arrow; a circle if both squares are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DrawnShape {
    /// Its color.
    pub brush: Brush,
    /// Where it begins.
    pub from: Square,
    /// Where it ends.
    pub to: Square,
}

/// Why notes are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotesFault {
    /// There is no such square.
    #[error("expected a square of 0 to {last}, found {found}")]
    Square {
        /// The last square of the board.
        last: usize,
        /// The number that was sent.
        found: u16,
    },
    /// There are too many arrows and circles.
    #[error("expected at most {MAX_SHAPES} arrows and circles, found {0}")]
    TooManyShapes(usize),
    /// A comment is too long.
    #[error("expected comments of at most {MAX_COMMENT} bytes, found {0}")]
    LongComment(usize),
}

impl DrawnShape {
    /// A shape as it was sent.
    pub(super) fn of_wire(board: &BoardShape, sent: wire::DrawnShape) -> Result<Self, NotesFault> {
        let square = |number: u16| {
            let last = board.len().saturating_sub(1);
            board.squares().nth(usize::from(number)).ok_or(NotesFault::Square { last, found: number })
        };
        let brush = match sent.brush {
            wire::Brush::Green => Brush::Green,
            wire::Brush::Red => Brush::Red,
            wire::Brush::Blue => Brush::Blue,
            wire::Brush::Yellow => Brush::Yellow,
        };
        Ok(Self { brush, from: square(sent.from)?, to: square(sent.to)? })
    }

    fn to_wire(self) -> wire::DrawnShape {
        wire::DrawnShape {
            from: self.from.index() as u16,
            to: self.to.index() as u16,
            brush: match self.brush {
                Brush::Green => wire::Brush::Green,
                Brush::Red => wire::Brush::Red,
                Brush::Blue => wire::Brush::Blue,
                Brush::Yellow => wire::Brush::Yellow,
            },
        }
    }
}

/// The notes at a move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// Comments before the move, such as those at the beginning of a variation.
    pub before: Vec<String>,
    /// Comments after it. Commands (`[%…]`) that have no field here stay in the text.
    pub comments: Vec<String>,
    /// Numeric annotation glyphs.
    pub nags: Vec<u8>,
    /// Arrows and circles.
    pub shapes: Vec<DrawnShape>,
    /// Time left after the move to the side that made it.
    pub clock: Option<Duration>,
}

impl Notes {
    /// The notes as they are sent.
    #[must_use]
    pub fn to_wire(&self) -> wire::Notes {
        wire::Notes {
            before: self.before.clone(),
            comments: self.comments.clone(),
            nags: self.nags.clone(),
            shapes: self.shapes.iter().map(|shape| shape.to_wire()).collect(),
            clock_ms: self.clock.map(|clock| u64::try_from(clock.as_millis()).unwrap_or(u64::MAX)),
        }
    }

    /// Notes from the stored or sent form.
    ///
    /// # Errors
    /// If a square is not on the board.
    pub fn of_wire(board: &BoardShape, sent: &wire::Notes) -> Result<Self, NotesFault> {
        let wire::Notes { before, comments, nags, shapes, clock_ms } = sent;
        if shapes.len() > MAX_SHAPES {
            return Err(NotesFault::TooManyShapes(shapes.len()));
        }
        Ok(Self {
            before: before.clone(),
            comments: comments.clone(),
            nags: nags.clone(),
            shapes: shapes
                .iter()
                .map(|&shape| DrawnShape::of_wire(board, shape))
                .collect::<Result<_, _>>()?,
            clock: clock_ms.map(Duration::from_millis),
        })
    }

    /// Takes a comment of PGN in.
    pub(super) fn take(&mut self, board: &BoardShape, comment: &Comment) {
        let mut text = comment.prose();
        for command in comment.commands() {
            let taken = match &command {
                PgnCommand::Clock(time) => {
                    self.clock = Some(*time);
                    true
                }
                PgnCommand::Squares(marks) => self.take_shapes(
                    marks.iter().map(|mark| shape(board, mark.paint, &mark.square, &mark.square)).collect(),
                ),
                PgnCommand::Arrows(arrows) => self.take_shapes(
                    arrows.iter().map(|arrow| shape(board, arrow.paint, &arrow.from, &arrow.to)).collect(),
                ),
                _ => false,
            };
            if !taken {
                let space = if text.is_empty() { "" } else { " " };
                text = format!("{text}{space}{command}");
            }
        }
        if !text.is_empty() {
            self.comments.push(text);
        }
    }

    /// Takes shapes that all lie on the board; whether it did.
    fn take_shapes(&mut self, shapes: Option<Vec<DrawnShape>>) -> bool {
        let Some(shapes) = shapes.filter(|shapes| self.shapes.len() + shapes.len() <= MAX_SHAPES) else {
            return false;
        };
        self.shapes.extend(shapes);
        true
    }

    /// The comments of PGN: the texts, then one with the commands.
    pub(super) fn comments(&self, board: &BoardShape) -> Vec<Comment> {
        let mut comments: Vec<Comment> = self.comments.iter().map(Comment::new).collect();
        let mut commands = Comment::default();
        let (circles, arrows): (Vec<&DrawnShape>, Vec<&DrawnShape>) =
            self.shapes.iter().partition(|shape| shape.from == shape.to);
        let paint = |brush| match brush {
            Brush::Green => Paint::Green,
            Brush::Red => Paint::Red,
            Brush::Blue => Paint::Blue,
            Brush::Yellow => Paint::Yellow,
        };
        if !circles.is_empty() {
            let mark =
                |shape: &&DrawnShape| Mark { paint: paint(shape.brush), square: board.name(shape.from) };
            commands.push(&PgnCommand::Squares(circles.iter().map(mark).collect()));
        }
        if !arrows.is_empty() {
            let arrow = |shape: &&DrawnShape| {
                let (from, to) = (board.name(shape.from), board.name(shape.to));
                Arrow { paint: paint(shape.brush), from, to }
            };
            commands.push(&PgnCommand::Arrows(arrows.iter().map(arrow).collect()));
        }
        if let Some(clock) = self.clock {
            commands.push(&PgnCommand::Clock(clock));
        }
        if !commands.is_empty() {
            comments.push(commands);
        }
        comments
    }
}

fn shape(board: &BoardShape, paint: Paint, from: &str, to: &str) -> Option<DrawnShape> {
    let brush = match paint {
        Paint::Green => Brush::Green,
        Paint::Red => Brush::Red,
        Paint::Blue => Brush::Blue,
        Paint::Yellow => Brush::Yellow,
    };
    Some(DrawnShape { brush, from: board.named(from)?, to: board.named(to)? })
}
