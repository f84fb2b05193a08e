//! Words: numbers, lists, squares, directions, and the page that they are set on.

use super::WIDTH;
use crate::geometry::{Coord, Frame, Shape, Square, Symmetry, Vector};
use crate::position::{Role, RoleSet};
use crate::variant::Variant;

/// Text being written, line by line.
#[derive(Default)]
pub(super) struct Page {
    pub(super) text: String,
}

impl Page {
    pub(super) fn title(&mut self, title: &str) {
        let lines = wrap(title, WIDTH);
        let widest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        self.verbatim(&lines);
        self.verbatim(&["═".repeat(widest)]);
    }

    pub(super) fn heading(&mut self, heading: &str) {
        self.gap();
        self.verbatim(&[heading.to_owned(), "─".repeat(heading.chars().count())]);
    }

    /// A paragraph, after an empty line unless it follows a heading.
    pub(super) fn paragraph(&mut self, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        if !self.text.ends_with("─\n") && !self.text.ends_with("═\n") {
            self.gap();
        }
        self.verbatim(&wrap(text, WIDTH));
    }

    /// One point of a list.
    pub(super) fn item(&mut self, text: &str) {
        for (number, line) in wrap(text, WIDTH - 2).into_iter().enumerate() {
            self.verbatim(&[format!("{}{line}", if number == 0 { "• " } else { "  " })]);
        }
    }

    /// A drawing with room around it.
    pub(super) fn drawing(&mut self, drawing: &str) {
        self.gap();
        self.verbatim(&drawing.lines().map(|line| format!("    {line}")).collect::<Vec<_>>());
        self.gap();
    }

    pub(super) fn verbatim(&mut self, lines: &[String]) {
        for line in lines {
            self.text += line.trim_end();
            self.text.push('\n');
        }
    }

    pub(super) fn gap(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }
}

/// Breaks a text at spaces; words longer than a line are cut.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
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

/// `a, b and c`.
pub(super) fn list(items: &[String], joint: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} {joint} {last}", first.join(", ")),
    }
}

/// A number in words up to twelve.
pub(super) fn number(number: usize) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    WORDS.get(number).map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

/// `8 files`, `1 file`.
pub(super) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// The first letter as a capital.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// `a Rook`, `an Elephant`.
pub(super) fn article(name: &str) -> String {
    let vowel = name.chars().next().is_some_and(|first| "AEIOUaeiou".contains(first));
    format!("{} {name}", if vowel { "an" } else { "a" })
}

/// Squares in words: whole ranks and files by name, straight runs of many by their ends, the rest one
/// by one, joined by `joint` ("and" or "or").
pub(super) fn squares(shape: &Shape, squares: &[Square], joint: &str) -> String {
    let mut left: Vec<Square> = squares.to_vec();
    left.sort_unstable();
    left.dedup();
    let mut items = Vec::new();
    let on = |keep: &dyn Fn(Coord) -> bool| -> Vec<Square> {
        shape.squares().filter(|&square| keep(shape.coord(square))).collect()
    };
    let files = (0..shape.width())
        .map(|file| (format!("file {}", char::from(b'a' + file)), on(&|at: Coord| at.file == file)));
    let ranks =
        (0..shape.height()).map(|rank| (format!("rank {}", rank + 1), on(&|at: Coord| at.rank == rank)));
    let lines: Vec<(String, Vec<Square>)> = files.chain(ranks).collect();
    let all = left.clone();
    for (name, line) in lines {
        if line.len() > 3 && line.iter().all(|square| all.contains(square)) {
            left.retain(|square| !line.contains(square));
            items.push(name);
        }
    }
    while left.len() > 6 {
        let Some(run) = longest_run(shape, &left).filter(|run| run.len() > 3) else { break };
        left.retain(|square| !run.contains(square));
        items.push(format!("{} to {}", shape.name(run[0]), shape.name(run[run.len() - 1])));
    }
    left.sort_by_key(|&square| (shape.coord(square).file, shape.coord(square).rank));
    items.extend(left.iter().map(|&square| shape.name(square)));
    list(&items, joint)
}

fn longest_run(shape: &Shape, squares: &[Square]) -> Option<Vec<Square>> {
    let run = |start: Square, step: Vector| {
        let mut run = vec![start];
        while let Some(next) = shape.step(run[run.len() - 1], step) {
            if !squares.contains(&next) || run.contains(&next) {
                break;
            }
            run.push(next);
        }
        run
    };
    let steps = [Vector::new(1, 0), Vector::new(0, 1), Vector::new(1, 1), Vector::new(1, -1)];
    let runs = squares.iter().flat_map(|&start| steps.into_iter().map(move |step| run(start, step)));
    // The first of the longest, so that the wording never changes by chance.
    runs.fold(None, |best: Option<Vec<Square>>, run| match best {
        Some(best) if best.len() >= run.len() => Some(best),
        _ => Some(run),
    })
}

/// Names of roles, the farthest-reaching first, joined by `joint`.
pub(super) fn roles(variant: &Variant, roles: RoleSet, joint: &str) -> String {
    let mut list_of: Vec<_> = roles.iter().collect();
    list_of.sort_by_cached_key(|&role| core::cmp::Reverse(mobility(variant, role)));
    let names: Vec<String> = list_of.iter().map(|&role| variant.men().info(role).name.clone()).collect();
    list(&names, joint)
}

/// How far a man reaches on the empty board, from all squares together.
pub(super) fn mobility(variant: &Variant, role: Role) -> usize {
    let squares = variant.shape().squares();
    squares
        .map(|square| variant.reach(super::white(role), square))
        .map(|r| r.quiet.len() + r.capture.len())
        .sum()
}

/// How Black's side follows from White's, with an example that is on the board.
pub(super) fn symmetry(variant: &Variant) -> String {
    let (shape, symmetry) = (variant.shape(), variant.symmetry());
    let (width, height) = (shape.width(), shape.height());
    let corner = |file: u8, rank: u8| Coord { file, rank };
    let how = match symmetry {
        Symmetry::Turn => "is White's turned by 180 degrees".into(),
        Symmetry::MirrorRanks => return format!("mirrors White's: rank 1 becomes rank {height}"),
        Symmetry::MirrorFiles => {
            return format!("mirrors White's: file a becomes file {}", char::from(b'a' + width - 1));
        }
        Symmetry::MirrorRising => format!(
            "mirrors White's in the diagonal from {} to {}",
            corner(0, 0),
            corner(width - 1, height - 1)
        ),
        Symmetry::MirrorFalling => format!(
            "mirrors White's in the diagonal from {} to {}",
            corner(0, height - 1),
            corner(width - 1, 0)
        ),
    };
    let example = shape.squares().find_map(|square| {
        let image = symmetry.square(shape, square).filter(|&image| image != square)?;
        Some(format!(", so that {} becomes {}", shape.name(square), shape.name(image)))
    });
    how + &example.unwrap_or_default()
}

/// How Black's squares follow from White's, in a few words for use in a sentence.
pub(super) fn symmetry_shortly(variant: &Variant) -> &'static str {
    match variant.symmetry() {
        Symmetry::Turn => "turned by 180 degrees",
        _ => "mirrored",
    }
}

/// Whether forward goes along a diagonal of the board.
pub(super) fn is_diagonal(frame: Frame) -> bool {
    frame.forward.dx != 0 && frame.forward.dy != 0
}

/// Which way is forward, and in a diagonal frame what the other words mean.
pub(super) fn forward(variant: &Variant) -> String {
    let frame = variant.frames()[0];
    let side = |Vector { dx, dy }: Vector, width: u8, height: u8| match (dx, dy) {
        (0, 1) => format!("up the board, toward rank {height}"),
        (0, _) => "down the board, toward rank 1".into(),
        (1, _) => format!("to the right, toward file {}", char::from(b'a' + width - 1)),
        _ => "to the left, toward file a".into(),
    };
    let (width, height) = (variant.shape().width(), variant.shape().height());
    if !is_diagonal(frame) {
        return format!("For White forward is {}.", side(frame.forward, width, height));
    }
    let corner = |Vector { dx, dy }: Vector| Coord {
        file: if dx < 0 { 0 } else { width - 1 },
        rank: if dy < 0 { 0 } else { height - 1 },
    };
    let along = |Vector { dx, dy }: Vector| match (dx, dy) {
        (0, 1) => "up a file",
        (0, _) => "down a file",
        (1, _) => "to the right along a rank",
        _ => "to the left along a rank",
    };
    let Vector { dx, dy } = frame.forward;
    let halves = [Vector::new(dx, 0), Vector::new(0, dy)];
    let [left, right] = if frame.seen(halves[0]).0 < 0 { halves } else { [halves[1], halves[0]] };
    format!(
        "The game is played from corner to corner: for White straight forward is along the diagonals from {} \
         toward {}, half left forward is {}, half right forward is {}, and sideways is along the diagonals \
         that run from {} to {}.",
        corner(frame.forward.times(-1)),
        corner(frame.forward),
        along(left),
        along(right),
        corner(frame.right.times(-1)),
        corner(frame.right),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::library;

    #[test]
    fn squares_read_well() {
        for (id, names, expected) in [
            ("diagonal", "a8 g8 h1 h7", "a8, g8, h1 and h7"),
            ("doublediamond", "c9 d9 e9 f9 g9 h9 i9 i3 i4 i5 i6 i7 i8", "file i and rank 9"),
            ("chess", "a8 b8 c8 d8 e8 f8 g8 h8", "rank 8"),
            ("diamondback", "a4 b3 c2 d1", "a4, b3, c2 and d1"),
            ("diamondback", "e8 f8 g8 h7 h6 h5", "e8, f8, g8, h5, h6 and h7"),
        ] {
            let game = library::game(id).unwrap();
            let list: Vec<Square> = names.split(' ').map(|name| game.shape().named(name).unwrap()).collect();
            assert_eq!(squares(game.shape(), &list, "and"), expected);
        }
    }

    #[test]
    fn lines_break_at_spaces() {
        assert_eq!(wrap("one two  three", 8), ["one two", "three"]);
        assert_eq!(wrap("abcdefghij k", 4), ["abcd", "efgh", "ij k"]);
        assert_eq!(wrap("", 4), [""; 0]);
    }
}
