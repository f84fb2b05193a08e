//! An explanation set as plain text: lines of at most [`WIDTH`] columns, no color.

use crate::document::{Chapter, Diagram, Document, Part, PieceEntry};

/// Most columns of a line.
pub const WIDTH: usize = 100;

/// Columns before a drawing, or before text set like one.
const INDENT: usize = 4;

/// Columns between a diagram and the text beside it.
const GUTTER: usize = 4;

/// The document as a text of some pages.
#[must_use]
pub fn text(document: &Document<String>) -> String {
    let mut page = Page::default();
    page.title(&document.title);
    page.paragraph(&document.origin.join(" "));
    page.paragraph(document.about.as_deref().unwrap_or_default());
    for chapter in &document.chapters {
        page.chapter(chapter);
    }
    page.text
}

/// Text being written, line by line.
#[derive(Default)]
struct Page {
    text: String,
}

impl Page {
    fn title(&mut self, title: &str) {
        let lines = wrap(title, WIDTH);
        let widest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        self.verbatim(&lines);
        self.verbatim(&["═".repeat(widest)]);
    }

    fn chapter(&mut self, chapter: &Chapter<String>) {
        self.gap();
        self.verbatim(&[chapter.heading.clone(), "─".repeat(chapter.heading.chars().count())]);
        for part in &chapter.parts {
            match part {
                Part::Paragraph(sentences) => self.paragraph(&sentences.join(" ")),
                Part::Points(points) => points.iter().for_each(|point| self.point(point)),
                Part::Drawing(drawing) => self.drawing(&drawing.lines),
                Part::Piece(piece) => self.piece(piece),
                Part::Values(values) => {
                    for (label, value) in values {
                        self.verbatim(&[format!("{label:<8} {value}")]);
                    }
                }
            }
        }
    }

    /// A paragraph, after an empty line unless it follows a heading.
    fn paragraph(&mut self, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        if !self.text.ends_with("─\n") && !self.text.ends_with("═\n") {
            self.gap();
        }
        self.verbatim(&wrap(text, WIDTH));
    }

    /// One point of a list.
    fn point(&mut self, text: &str) {
        for (number, line) in wrap(text, WIDTH - 2).into_iter().enumerate() {
            self.verbatim(&[format!("{}{line}", if number == 0 { "• " } else { "  " })]);
        }
    }

    /// A drawing with room around it.
    fn drawing(&mut self, lines: &[String]) {
        self.gap();
        self.indented(lines.iter().map(String::as_str));
        self.gap();
    }

    /// A piece: its texts beside its one diagram, or above several ones.
    fn piece(&mut self, piece: &PieceEntry<String>) {
        self.gap();
        self.verbatim(&[format!("{}  {}", piece.letter, piece.name)]);
        self.gap();
        let moves = piece.moves.join(" ");
        if let [diagram] = &piece.diagrams[..] {
            let wide = width(diagram);
            let room = WIDTH - INDENT - wide - GUTTER;
            let mut words = wrap(&moves, room);
            words.push(String::new());
            words.extend(wrap(&piece.notation, room));
            self.verbatim(&beside(&[(diagram.lines.clone(), wide), (words, 0)]));
        } else {
            for words in [&moves, &piece.notation] {
                self.indented(wrap(words, WIDTH - INDENT).iter().map(String::as_str));
            }
            self.gap();
            self.rows(&piece.diagrams);
            self.indented(piece.rest.as_deref());
        }
    }

    /// Diagrams side by side with their captions below, as many in a row as there is room for.
    fn rows(&mut self, diagrams: &[Diagram<String>]) {
        let mut left = diagrams;
        while !left.is_empty() {
            let mut used = INDENT;
            let fits = left.iter().take_while(|diagram| {
                used += width(diagram) + GUTTER;
                used <= WIDTH + GUTTER
            });
            let (row, rest) = left.split_at(fits.count().max(1));
            let tallest = row.iter().map(|diagram| diagram.lines.len()).max().unwrap_or(0);
            let columns: Vec<(Vec<String>, usize)> = row
                .iter()
                .map(|diagram| {
                    let mut lines = diagram.lines.clone();
                    lines.resize(tallest, String::new());
                    lines.push(diagram.caption.clone());
                    (lines, width(diagram))
                })
                .collect();
            self.verbatim(&beside(&columns));
            self.gap();
            left = rest;
        }
    }

    fn indented<'a>(&mut self, lines: impl IntoIterator<Item = &'a str>) {
        for line in lines {
            self.verbatim(&[format!("{}{line}", " ".repeat(INDENT))]);
        }
    }

    fn verbatim(&mut self, lines: &[String]) {
        for line in lines {
            self.text += line.trim_end();
            self.text.push('\n');
        }
    }

    fn gap(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }
}

fn width(diagram: &Diagram<String>) -> usize {
    let lines = diagram.lines.iter().chain([&diagram.caption]);
    lines.map(|line| line.chars().count()).max().unwrap_or(0)
}

/// Blocks of lines side by side, each with its width.
fn beside(blocks: &[(Vec<String>, usize)]) -> Vec<String> {
    let height = blocks.iter().map(|(lines, _)| lines.len()).max().unwrap_or(0);
    (0..height)
        .map(|row| {
            let mut line = " ".repeat(INDENT);
            for (lines, wide) in blocks {
                let text = lines.get(row).map_or("", String::as_str);
                line += text;
                line += &" ".repeat((wide + GUTTER).saturating_sub(text.chars().count()));
            }
            line.trim_end().to_owned()
        })
        .collect()
}

/// Breaks a text at spaces; words longer than a line are cut.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    let mut length = 0;
    for word in text.split_whitespace() {
        let mut word: Vec<char> = word.chars().collect();
        if length > 0 && length + 1 + word.len() > width {
            lines.push(core::mem::take(&mut line));
            length = 0;
        }
        while word.len() > width {
            let rest = word.split_off(width);
            lines.push(word.into_iter().collect());
            word = rest;
        }
        if length > 0 {
            line.push(' ');
            length += 1;
        }
        length += word.len();
        line.extend(word);
    }
    if length > 0 {
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_spaces() {
        assert_eq!(wrap("one two  three", 8), ["one two", "three"]);
        assert_eq!(wrap("abcdefghij k", 4), ["abcd", "efgh", "ij k"]);
        assert_eq!(wrap("", 4), [""; 0]);
    }
}
