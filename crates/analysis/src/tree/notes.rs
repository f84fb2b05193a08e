//! What is noted at a move: comments, annotation glyphs, arrows and circles, the clock; and how comments of PGN say it.

use lozenge_rules::geometry::{Shape as BoardShape, Square};
use lozenge_rules::notation::pgn::{Arrow, Command, Comment, Mark, Paint};
use std::time::Duration;

/// Most arrows and circles at a move.
pub const MOST_SHAPES: usize = 32;

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
pub struct Shape {
    /// Its color.
    pub brush: Brush,
    /// Where it begins.
    pub from: Square,
    /// Where it ends.
    pub to: Square,
}

/// What is noted at a move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// Comments before the move, such as those at the beginning of a variation.
    pub before: Vec<String>,
    /// Comments after it. Commands (`[%…]`) that have no field here stay in the text.
    pub comments: Vec<String>,
    /// Numeric annotation glyphs.
    pub nags: Vec<u8>,
    /// Arrows and circles.
    pub shapes: Vec<Shape>,
    /// Time left after the move to the side that made it.
    pub clock: Option<Duration>,
}

impl Notes {
    /// Takes a comment of PGN in.
    pub(super) fn take(&mut self, board: &BoardShape, comment: &Comment) {
        let mut text = comment.prose();
        for command in comment.commands() {
            let taken = match &command {
                Command::Clock(time) => {
                    self.clock = Some(*time);
                    true
                }
                Command::Squares(marks) => self.take_shapes(
                    marks.iter().map(|mark| shape(board, mark.paint, &mark.square, &mark.square)).collect(),
                ),
                Command::Arrows(arrows) => self.take_shapes(
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
    fn take_shapes(&mut self, shapes: Option<Vec<Shape>>) -> bool {
        let Some(shapes) = shapes.filter(|shapes| self.shapes.len() + shapes.len() <= MOST_SHAPES) else {
            return false;
        };
        self.shapes.extend(shapes);
        true
    }

    /// The comments of PGN: the texts, then one with the commands.
    pub(super) fn comments(&self, board: &BoardShape) -> Vec<Comment> {
        let mut comments: Vec<Comment> = self.comments.iter().map(Comment::new).collect();
        let mut commands = Comment::default();
        let (circles, arrows): (Vec<&Shape>, Vec<&Shape>) =
            self.shapes.iter().partition(|shape| shape.from == shape.to);
        let paint = |brush| match brush {
            Brush::Green => Paint::Green,
            Brush::Red => Paint::Red,
            Brush::Blue => Paint::Blue,
            Brush::Yellow => Paint::Yellow,
        };
        if !circles.is_empty() {
            let mark = |shape: &&Shape| Mark { paint: paint(shape.brush), square: board.name(shape.from) };
            commands.push(&Command::Squares(circles.iter().map(mark).collect()));
        }
        if !arrows.is_empty() {
            let arrow = |shape: &&Shape| {
                let (from, to) = (board.name(shape.from), board.name(shape.to));
                Arrow { paint: paint(shape.brush), from, to }
            };
            commands.push(&Command::Arrows(arrows.iter().map(arrow).collect()));
        }
        if let Some(clock) = self.clock {
            commands.push(&Command::Clock(clock));
        }
        if !commands.is_empty() {
            comments.push(commands);
        }
        comments
    }
}

fn shape(board: &BoardShape, paint: Paint, from: &str, to: &str) -> Option<Shape> {
    let brush = match paint {
        Paint::Green => Brush::Green,
        Paint::Red => Brush::Red,
        Paint::Blue => Brush::Blue,
        Paint::Yellow => Brush::Yellow,
    };
    Some(Shape { brush, from: board.named(from)?, to: board.named(to)? })
}
