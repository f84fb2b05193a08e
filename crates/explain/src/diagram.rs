//! The diagrams of a piece's moves: the piece alone on a square of the real board, and where it could go, marked by [`Mark`]s.

use crate::document::Diagram;
use crate::names::white;
use crate::text::{Mark, Text};
use lozenge_rules::geometry::{Coord, Frame, Square, Vector};
use lozenge_rules::notation::drawing::{Canvas, EMPTY};
use lozenge_rules::position::{Color, Piece, Role};
use lozenge_rules::seat::Seat;
use lozenge_rules::variant::{MoveGroup, RoleInfo, Variant};
use std::collections::BTreeMap;

/// Squares of a diagram to each side of the piece, at most.
const RADIUS: i8 = 6;

/// Most files and ranks of a board that is shown whole where a piece goes far.
const WHOLE: u8 = 11;

/// More patterns than this are not all drawn.
const MAX_PATTERNS: usize = 8;

/// Pieces set in the way, at most.
const BLOCKERS: usize = 3;

/// The mark of each square around a piece, by the step that leads there.
type Pattern = BTreeMap<Vector, char>;

/// The diagrams of a piece: one, or one for each pattern when its moves depend on the square. The flag
/// tells whether some were left out because there are too many.
pub(super) fn diagrams(variant: &Variant, role: Role, info: &RoleInfo) -> (Vec<Diagram<Text>>, bool) {
    let initial = |moves: &MoveGroup| moves.atoms.iter().any(|atom| atom.initial);
    let depends =
        info.moves.iter().any(|moves| !moves.condition.is_always() || initial(moves)) || info.wall.is_some();
    let mut squares: Vec<Square> = variant.shape().squares().collect();
    squares.sort_by_cached_key(|&square| suitability(variant, white(role), square));
    if !depends {
        return (squares.first().map(|&square| draw(variant, role, square)).into_iter().collect(), false);
    }
    let mut groups: Vec<(Pattern, Vec<Square>)> = Vec::new();
    for square in squares {
        let marks = seen_from(variant, role, square);
        match groups.iter_mut().find(|(known, _)| compatible(known, &marks)) {
            Some((known, members)) => {
                for (step, mark) in marks {
                    known
                        .entry(step)
                        .and_modify(|old| *old = if mark == Mark::First.sign() { mark } else { *old })
                        .or_insert(mark);
                }
                members.push(square);
            }
            None => groups.push((marks, vec![square])),
        }
    }
    groups.retain(|(pattern, _)| pattern.values().any(|&mark| mark != EMPTY));
    groups.sort_by_key(|(_, members)| core::cmp::Reverse(members.len()));
    let many = groups.len() > MAX_PATTERNS;
    if many {
        // One of each kind; patterns with equally many marks of each sort are of one kind.
        let mut kinds: Vec<Vec<char>> = Vec::new();
        groups.retain(|(pattern, _)| {
            let mut kind: Vec<char> = pattern.values().copied().collect();
            kind.sort_unstable();
            let new = !kinds.contains(&kind);
            kinds.extend(new.then_some(kind));
            new
        });
        groups.truncate(4);
    }
    let drawn = groups.iter().filter_map(|(_, members)| members.first());
    (drawn.map(|&square| draw(variant, role, square)).collect(), many)
}

/// Smaller is better: where the piece does most, with most squares around it, nearest to the center.
fn suitability(variant: &Variant, piece: Piece, square: Square) -> impl Ord + use<> {
    let around = Vector::EIGHT.iter().filter(|&&step| variant.shape().step(square, step).is_some()).count();
    let marks = marks(variant, piece, square).len();
    (core::cmp::Reverse((marks, around)), from_center(variant, square), square)
}

/// Whether two patterns agree on the steps that both have; first moves are extras.
fn compatible(known: &Pattern, marks: &Pattern) -> bool {
    marks.iter().all(|(step, &mark)| {
        known.get(step).is_none_or(|&other| {
            other == mark
                || (other == Mark::First.sign() && mark == EMPTY)
                || (other == EMPTY && mark == Mark::First.sign())
        })
    })
}

fn from_center(variant: &Variant, square: Square) -> u16 {
    let (at, shape) = (variant.shape().coord(square), variant.shape());
    let off = |at: u8, side: u8| (i16::from(at) * 2 - i16::from(side) + 1).unsigned_abs();
    let (x, y) = (off(at.file, shape.width()), off(at.rank, shape.height()));
    x * x + y * y
}

/// The marks on the board by square, the piece's own left out.
fn marks(variant: &Variant, piece: Piece, from: Square) -> BTreeMap<Square, char> {
    let reach = variant.reach(piece, from);
    let mut marks = BTreeMap::new();
    for &square in &reach.over {
        marks.insert(square, Mark::Over.sign());
    }
    for &square in &reach.first {
        marks.insert(square, Mark::First.sign());
    }
    for &square in &reach.capture {
        marks.insert(square, Mark::Capture.sign());
    }
    for &square in &reach.quiet {
        let mark = if reach.capture.contains(&square) { Mark::Either.sign() } else { Mark::Quiet.sign() };
        marks.insert(square, mark);
    }
    marks
}

/// The marks of the squares around a piece, by step. A square that it cannot reach has the mark `EMPTY`; steps off the board
/// have no entry.
fn seen_from(variant: &Variant, role: Role, from: Square) -> Pattern {
    let marks = marks(variant, white(role), from);
    let shape = variant.shape();
    let reach = RADIUS.min(3);
    let steps = (-reach..=reach).flat_map(|dy| (-reach..=reach).map(move |dx| Vector::new(dx, dy)));
    let known = steps.filter_map(|step| {
        let square = shape.step(from, step)?;
        Some((step, marks.get(&square).copied().unwrap_or(EMPTY)))
    });
    known.collect()
}

/// Draws the piece on a square, on an excerpt that shows where it goes.
fn draw(variant: &Variant, role: Role, from: Square) -> Diagram<Text> {
    let name = variant.shape().name(from);
    let caption = Text::DrawnFrom(name.clone());
    Diagram {
        from: Some(name),
        ..draw_marks(variant, role, from, &marks(variant, white(role), from), caption)
    }
}

/// The same kind of piece of a player of three or four, on the square where it does most. `variant` has the player's pieces in this
/// color.
pub(super) fn of_seat(variant: &Variant, piece: Piece, seat: Seat) -> Option<Diagram<Text>> {
    let from = variant.shape().squares().min_by_key(|&square| suitability(variant, piece, square))?;
    let caption = Text::DrawnOfSeat(seat, variant.shape().name(from));
    Some(draw_marks(variant, piece.role(), from, &marks(variant, piece, from), caption))
}

/// The piece among some pieces that change where it can go, if there are any that do.
pub(super) fn blocked(variant: &Variant, role: Role) -> Option<Diagram<Text>> {
    let shape = variant.shape();
    let from = shape.squares().min_by_key(|&square| suitability(variant, white(role), square))?;
    let at = shape.coord(from);
    let near = |square: &Square| {
        let to = shape.coord(*square);
        to.file.abs_diff(at.file).max(to.rank.abs_diff(at.rank)) < RADIUS.unsigned_abs()
    };
    // After the first one farther off, so that pieces bar both first steps and later ones; the last one
    // can be captured.
    let mut pieces: Vec<Square> = Vec::new();
    let mut best = variant.reach_among(white(role), from, &pieces);
    for number in 0..BLOCKERS {
        let far = |square: &Square| {
            let to = shape.coord(*square);
            number == 0 || to.file.abs_diff(at.file).max(to.rank.abs_diff(at.rank)) > 1
        };
        let change = |square: Square| {
            let with: Vec<Square> = pieces.iter().copied().chain([square]).collect();
            let (quiet, captures) = variant.reach_among(white(role), from, &with);
            let lost = best.0.iter().filter(|old| !quiet.contains(old)).count();
            // A capture across a piece is worth showing most.
            let captured = captures.contains(&square);
            let hopped = captured && !best.0.contains(&square);
            (hopped, captured && number + 1 == BLOCKERS, lost)
        };
        let candidates = shape.squares().filter(|square| *square != from && !pieces.contains(square));
        let chosen = candidates.filter(near).filter(far).max_by_key(|&square| change(square))?;
        if change(chosen) == (false, false, 0) {
            break;
        }
        pieces.push(chosen);
        best = variant.reach_among(white(role), from, &pieces);
    }
    let (quiet, captures) = best;
    let mut marks: BTreeMap<Square, char> =
        quiet.into_iter().map(|square| (square, Mark::Quiet.sign())).collect();
    if variant.reach(white(role), from).capture.iter().any(|square| marks.contains_key(square)) {
        let all = variant.reach(white(role), from).capture;
        marks.iter_mut().for_each(|(square, mark)| {
            *mark = if all.contains(square) { Mark::Either.sign() } else { Mark::Quiet.sign() }
        });
    }
    for &piece in &pieces {
        let mark = if captures.contains(&piece) { Mark::Victim } else { Mark::Blocker };
        marks.insert(piece, mark.sign());
    }
    Some(draw_marks(variant, role, from, &marks, Text::DrawnAmongPieces))
}

fn draw_marks(
    variant: &Variant,
    role: Role,
    from: Square,
    marks: &BTreeMap<Square, char>,
    caption: Text,
) -> Diagram<Text> {
    let shape = variant.shape();
    let at = shape.coord(from);
    let (wrap, width, height) = (shape.wrap(), shape.width() as i8, shape.height() as i8);
    let gap = |a: u8, b: u8, side: i8, joined: bool| {
        let straight = (a as i8 - b as i8).abs();
        if joined { straight.min(side - straight) } else { straight }
    };
    let farthest = marks.keys().map(|&square| {
        let to = shape.coord(square);
        gap(at.file, to.file, width, wrap.files).max(gap(at.rank, to.rank, height, wrap.ranks))
    });
    let radius = farthest.max().unwrap_or(1) + 1;
    let whole = radius > 3 && shape.width() <= WHOLE && shape.height() <= WHOLE && !wrap.files && !wrap.ranks;
    let radius = if whole { i8::MAX } else { radius.clamp(2, RADIUS) };
    let diamond = variant.view().is_turned();
    let frame = if diamond { variant.frames()[Color::White] } else { Frame::first(Vector::new(0, 1)) };
    let range = |here: u8, side: i8, joined: bool| {
        let here = here as i8;
        if joined {
            (-radius.min((side - 1) / 2), radius.min(side / 2))
        } else {
            (-radius.min(here), radius.min(side - 1 - here))
        }
    };
    let (left, right) = range(at.file, width, wrap.files);
    let (down, up) = range(at.rank, height, wrap.ranks);
    let mut cells = Vec::new();
    for dy in down..=up {
        for dx in left..=right {
            let to = Coord {
                file: (at.file as i8 + dx).rem_euclid(width) as u8,
                rank: (at.rank as i8 + dy).rem_euclid(height) as u8,
            };
            let Some(square) = shape.at(to) else { continue };
            let sign = if square == from {
                variant.roles().info(role).letter
            } else {
                marks.get(&square).copied().unwrap_or(EMPTY)
            };
            let (x, y) = frame.relative(Vector::new(dx, dy));
            cells.push((x, -y, sign));
        }
    }
    let (least_x, least_y) = (
        cells.iter().map(|cell| cell.0).min().unwrap_or(0),
        cells.iter().map(|cell| cell.1).min().unwrap_or(0),
    );
    let mut canvas = Canvas::default();
    for (x, y, sign) in cells {
        canvas.put((x - least_x) * 2, y - least_y, &sign.to_string());
    }
    Diagram { lines: canvas.lines(), caption, from: None }
}
