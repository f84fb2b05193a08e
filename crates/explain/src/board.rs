//! The chapter of the board: its squares, its edges, how it lies to the players, the starting positions.

use crate::document::{Diagram, Part};
use crate::moves;
use crate::text::{BlackSide, Forward, LineDirection, StartName, Text, file_letter};
use lozenge_rules::geometry::{Coord, Square, Symmetry, Vector};
use lozenge_rules::notation::{drawing, fen};
use lozenge_rules::position::{Cell, Color};
use lozenge_rules::variant::{Start, Variant};

/// Size, holes, joined edges, which way is forward, how Black's side follows from White's; the starting positions.
pub(super) fn board(variant: &Variant) -> Vec<Part<Text>> {
    let shape = variant.shape();
    let (width, height) = (shape.width(), shape.height());
    let mut sentences = vec![Text::Size {
        squares: shape.len(),
        files: width,
        ranks: height,
        gaps: shape.len() < usize::from(width) * usize::from(height),
    }];
    let holes = holes(variant);
    if !holes.is_empty() {
        sentences.push(Text::Holes(holes));
    }
    let wrap = shape.wrap();
    if wrap.files || wrap.ranks {
        let files = wrap.files.then(|| file_letter(width - 1));
        sentences.push(Text::Joined { files, ranks: wrap.ranks.then_some(height) });
    }
    if moves::uses_directions(variant) {
        sentences.push(Text::Forward(forward(variant)));
    }
    sentences.push(Text::BlackSide(black_side(variant)));
    let mut parts = vec![Part::Paragraph(sentences)];
    starts(variant, &mut parts);
    distances(variant, &mut parts);
    parts
}

/// Places without a square that have squares on all four sides.
fn holes(variant: &Variant) -> Vec<String> {
    let shape = variant.shape();
    let (width, height) = (shape.width(), shape.height());
    let at = |file: u8, rank: u8| Coord { file, rank };
    (1..height.max(1) - 1)
        .flat_map(|rank| (1..width.max(1) - 1).map(move |file| at(file, rank)))
        .filter(|&hole| shape.at(hole).is_none())
        .filter(|&Coord { file, rank }| {
            [at(file - 1, rank), at(file + 1, rank), at(file, rank - 1), at(file, rank + 1)]
                .iter()
                .all(|&beside| shape.at(beside).is_some())
        })
        .map(|hole| hole.to_string())
        .collect()
}

/// The first starting position drawn, and the others by their differences from it.
fn starts(variant: &Variant, parts: &mut Vec<Part<Text>>) {
    let starts = variant.starts();
    let usual = variant.usual_start();
    let Some(first) = starts.get(usual) else { return };
    let Ok(setup) = fen::parse(variant.fen_context(), &first.fen) else { return };
    let shape = variant.shape();
    let named = |(number, start): (usize, &Start)| StartName { number, name: start.name.clone() };
    // The starts that a rule makes are not listed.
    let names: Vec<StartName> =
        if variant.is_shuffled() { Vec::new() } else { starts.iter().enumerate().map(named).collect() };
    let caption = Text::Start(names.first().filter(|first| !first.name.is_empty()).cloned());
    parts.push(drawn(variant, caption.clone(), |square| match setup.at(shape.coord(square)) {
        Some(Cell::Piece(piece)) => variant.roles().letter(piece),
        _ => drawing::EMPTY,
    }));
    let mut sentences = vec![caption, Text::Capitals];
    if names.len() > 1 {
        sentences.push(Text::Starts(names));
    }
    if variant.is_shuffled() {
        sentences.push(Text::Shuffled { count: starts.len(), usual });
    }
    parts.push(Part::Paragraph(sentences));
}

/// The distance from White's camp, drawn, in games where it matters.
fn distances(variant: &Variant, parts: &mut Vec<Part<Text>>) {
    let Some(distances) = variant.distances() else { return };
    let white = &distances[Color::White];
    parts.push(Part::Paragraph(vec![Text::Distances]));
    parts.push(drawn(variant, Text::Distances, |square| {
        let distance = u32::from(white[square.index()]);
        char::from_digit(distance, 36).unwrap_or('+')
    }));
}

/// The whole board with a sign on each square.
fn drawn(variant: &Variant, caption: Text, sign: impl Fn(Square) -> char) -> Part<Text> {
    let drawing = drawing::board(variant, variant.view().is_turned(), false, sign);
    Part::Drawing(Diagram { lines: drawing.lines().map(String::from).collect(), caption, from: None })
}

/// How Black's side follows from White's, with an example that is on the board.
fn black_side(variant: &Variant) -> BlackSide {
    let (shape, symmetry) = (variant.shape(), variant.symmetry());
    let (width, height) = (shape.width(), shape.height());
    let corner = |file: u8, rank: u8| Coord { file, rank }.to_string();
    let example = shape.squares().find_map(|square| {
        let image = symmetry.square(shape, square).filter(|&image| image != square)?;
        Some([shape.name(square), shape.name(image)])
    });
    match symmetry {
        Symmetry::Turn => BlackSide::Turned(example),
        Symmetry::MirrorRanks => BlackSide::MirroredRanks(height),
        Symmetry::MirrorFiles => BlackSide::MirroredFiles(file_letter(width - 1)),
        Symmetry::MirrorRising => {
            BlackSide::MirroredDiagonal { diagonal: [corner(0, 0), corner(width - 1, height - 1)], example }
        }
        Symmetry::MirrorFalling => {
            BlackSide::MirroredDiagonal { diagonal: [corner(0, height - 1), corner(width - 1, 0)], example }
        }
    }
}

/// Which way is forward, and in a diagonal frame the meaning of the other directions.
fn forward(variant: &Variant) -> Forward {
    let frame = variant.frames()[Color::White];
    let (width, height) = (variant.shape().width(), variant.shape().height());
    let line = |step: Vector| LineDirection::of(step, (width, height));
    if !frame.is_diagonal() {
        return Forward::Straight(line(frame.forward));
    }
    let corner = |Vector { dx, dy }: Vector| {
        let (file, rank) = (if dx < 0 { 0 } else { width - 1 }, if dy < 0 { 0 } else { height - 1 });
        Coord { file, rank }.to_string()
    };
    let Vector { dx, dy } = frame.forward;
    let halves = [Vector::new(dx, 0), Vector::new(0, dy)];
    let [left, right] = if frame.relative(halves[0]).0 < 0 { halves } else { [halves[1], halves[0]] };
    Forward::Corner {
        from: corner(frame.forward.times(-1)),
        to: corner(frame.forward),
        left: line(left),
        right: line(right),
        sides: [corner(frame.right.times(-1)), corner(frame.right)],
    }
}
