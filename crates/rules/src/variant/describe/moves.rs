//! How a man moves, in sentences made from its Betza text. Which steps a direction means comes from
//! [`Atom::steps`], so the words cannot say other squares than the tables hold.

use super::paths;
use super::words::{capital, is_diagonal, list, number, squares};
use crate::geometry::{Frame, Vector};
use crate::position::Role;
use crate::variant::betza::{self, Atom, Leg, Manner};
use crate::variant::lay::longest_path;
use crate::variant::{RoleInfo, Variant};

/// Whether some man's moves depend on which way is forward.
pub(super) fn uses_directions(variant: &Variant) -> bool {
    variant.men().iter().any(|(_, info)| {
        info.moves.iter().any(|(betza, condition)| {
            condition.contains("no square")
                || betza::parse(betza).is_ok_and(|atoms| atoms.iter().any(|atom| !atom.directions.is_empty()))
        })
    })
}

/// The moves of a man, a paragraph.
pub(super) fn moves(variant: &Variant, role: Role, info: &RoleInfo) -> String {
    let wall = match info.wall.as_str() {
        "" => String::new(),
        wall => format!(
            " Closed to it: {}. It neither ends there nor passes there; a leap is judged by where it ends.",
            area_in_words(variant, wall)
        ),
    };
    compound(variant, role, info).unwrap_or_else(|| sentences(variant, info) + &longest(variant, info))
        + &wall
}

/// Where moves that turn end on joined edges.
fn longest(variant: &Variant, info: &RoleInfo) -> String {
    let turns = |atom: &Atom| atom.crooked || !atom.then.is_empty();
    let turning = |betza: &str| betza::parse(betza).is_ok_and(|atoms| atoms.iter().any(turns));
    match longest_path(variant.shape()) {
        Some(steps) if info.moves.iter().any(|(betza, _)| turning(betza)) => format!(
            " A move that turns has at most {} steps in all and comes to no square twice.",
            number(steps)
        ),
        _ => String::new(),
    }
}

/// What a compound does that moves as its parts do.
fn compound(variant: &Variant, role: Role, info: &RoleInfo) -> Option<String> {
    let fusion = variant.fusions().iter().find(|fusion| fusion.into == role)?;
    let parts = fusion.parts.map(|part| variant.men().info(part));
    let moves: Vec<_> = parts.iter().flat_map(|part| part.moves.iter()).collect();
    let [one, other] = parts.map(|part| part.name.as_str());
    info.moves.iter().eq(moves).then(|| {
        format!(
            "{one} and {other} in one: moves and captures as both. Either part may leave the other behind."
        )
    })
}

fn sentences(variant: &Variant, info: &RoleInfo) -> String {
    let mut sentences: Vec<String> = Vec::new();
    let mut known = (false, false);
    for (betza, condition) in &info.moves {
        match betza::parse(betza) {
            Ok(atoms) => {
                // A first capture after moves without one is nothing additional.
                let also = atoms.iter().any(|atom| (atom.quiet && known.0) || (atom.capture && known.1));
                known.0 |= atoms.iter().any(|atom| atom.quiet);
                known.1 |= atoms.iter().any(|atom| atom.capture);
                let first = sentences.is_empty();
                sentences.extend(group(variant, &atoms, condition, first, also));
            }
            Err(_) => sentences.push(format!("Moves `{betza}`.")),
        }
    }
    if sentences.is_empty() {
        sentences.push("Cannot move.".into());
    }
    sentences.join(" ")
}

/// On what terms a step is taken: clauses on the same terms are joined.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Terms {
    quiet: bool,
    capture: bool,
    initial: bool,
}

/// One kind of step on some terms: `one square straight forward`.
struct Clause {
    terms: Terms,
    leap: (u8, u8),
    range: Option<u8>,
    manner: Manner,
    steps: Vec<Vector>,
    crooked: bool,
    then: Vec<Leg>,
}

impl Clause {
    fn adjacent(&self) -> bool {
        self.leap.0 == 1
    }
}

/// A group of moves under one condition: a sentence for moves at any time, one for first moves.
fn group(variant: &Variant, atoms: &[Atom], condition: &str, first: bool, also: bool) -> Vec<String> {
    let frame = variant.frames()[0];
    let clauses = clauses(atoms, frame);
    let condition = Condition::read(variant, condition);
    let mut sentences = Vec::new();
    for initial in [false, true] {
        let mut parts: Vec<(Terms, Vec<String>)> = Vec::new();
        for clause in clauses.iter().filter(|clause| clause.terms.initial == initial) {
            let words = phrase(variant, clause, frame);
            match parts.iter_mut().find(|(terms, _)| *terms == clause.terms) {
                Some((_, phrases)) => phrases.push(words),
                None => parts.push((clause.terms, vec![words])),
            }
        }
        if parts.is_empty() {
            continue;
        }
        let verbs: Vec<String> = parts
            .iter()
            .map(|(terms, phrases)| {
                // A comma where the alternatives have alternatives themselves.
                let comma = phrases.iter().any(|phrase| phrase.contains(" or "));
                format!(
                    "{} {}",
                    verb(*terms),
                    if comma { phrases.join(", or ") } else { list(phrases, "or") }
                )
            })
            .collect();
        let said = verbs.join("; ");
        let again = match (first, also) {
            (true, _) => "",
            (false, true) => "it also ",
            (false, false) => "it ",
        };
        sentences.push(match (&condition.place, initial) {
            (Some(place), false) => {
                format!("{place} it {}{said}{}.", if also { "also " } else { "" }, condition.limit)
            }
            (Some(place), true) => format!("{place} as its first move it also {said}{}.", condition.limit),
            (None, false) => format!("{}{}.", capital(&format!("{again}{said}")), condition.limit),
            (None, true) => format!("As its first move it also {said}{}.", condition.limit),
        });
    }
    sentences
}

fn verb(terms: Terms) -> &'static str {
    match (terms.quiet, terms.capture) {
        (true, true) => "moves or captures",
        (true, false) => "moves without capturing",
        _ => "captures",
    }
}

/// The condition of a group as the game gives it, turned into the words around a sentence.
struct Condition {
    place: Option<String>,
    limit: &'static str,
}

impl Condition {
    fn read(variant: &Variant, text: &str) -> Self {
        let mut condition = Self { place: None, limit: "" };
        for part in text.split(", ") {
            if let Some(area) = part.strip_prefix("from ") {
                condition.place = Some(format!("From {}", area_in_words(variant, area)));
            } else if part.starts_with("where ") {
                let place = condition.place.take();
                condition.place = Some(match place {
                    Some(place) => format!("{place}, {part},"),
                    None => format!("{},", capital(part)),
                });
            } else if let Some(limit) = limit(part) {
                condition.limit = limit;
            }
        }
        condition
    }
}

/// What a gain of distance leaves of the moves.
fn limit(part: &str) -> Option<&'static str> {
    let center = part.contains("the center of");
    if part.starts_with("only farther") {
        Some(if center {
            ", but only with steps that take it farther from the center of its own camp"
        } else {
            ", but only to a square farther from its own camp"
        })
    } else if part.starts_with("only to the square farthest") {
        Some(
            ", but only to the one of these squares that is farthest from its own camp, and only if that takes it \
             farther away",
        )
    } else if part.starts_with("only to a square as far") {
        Some(", but only to a square just as far from its own camp")
    } else {
        None
    }
}

/// An area of the file in words; a list of plain squares and runs is set as squares.
fn area_in_words(variant: &Variant, area: &str) -> String {
    let shape = variant.shape();
    let mut plain = Vec::new();
    let mut items = Vec::new();
    for item in area.split_ascii_whitespace() {
        if let Some(square) = shape.named(item) {
            plain.push(square);
        } else if let Some(file) = item.strip_prefix("file-") {
            items.push(format!("file {file}"));
        } else if let Some(rank) = item.strip_prefix("rank-") {
            items.push(format!("rank {rank}"));
        } else if let Some((from, to)) = item.split_once("..") {
            match run(variant, from, to) {
                Some(run) if run.len() <= 4 => plain.extend(run),
                _ => items.push(format!("{from} to {to}")),
            }
        } else if let Some(region) = item.strip_prefix("enemy:") {
            items.push(format!("the enemy's {region}"));
        } else {
            items.push(format!("the own {item}"));
        }
    }
    if !plain.is_empty() {
        items.push(squares(shape, &plain, "and"));
    }
    list(&items, "and")
}

fn run(variant: &Variant, from: &str, to: &str) -> Option<Vec<crate::geometry::Square>> {
    let shape = variant.shape();
    let (from, to) = (shape.named(from)?, shape.named(to)?);
    let (a, b) = (shape.coord(from), shape.coord(to));
    let (dx, dy) = (b.file as i8 - a.file as i8, b.rank as i8 - a.rank as i8);
    let step = Vector::new(dx.signum(), dy.signum());
    (0..=dx.abs().max(dy.abs()))
        .map(|times| if times == 0 { Some(from) } else { shape.step(from, step.times(times)) })
        .collect()
}

/// Atoms as clauses: king-like pairs joined, steps that a slide contains left out.
fn clauses(atoms: &[Atom], frame: Frame) -> Vec<Clause> {
    let mut clauses: Vec<Clause> = Vec::new();
    for atom in atoms {
        let terms = Terms { quiet: atom.quiet, capture: atom.capture, initial: atom.initial };
        let steps = atom.steps(frame);
        let same = clauses.iter_mut().find(|other| {
            other.terms == terms
                && other.range == atom.range
                && other.manner == atom.manner
                && (other.crooked, &other.then) == (atom.crooked, &atom.then)
                && (other.leap == atom.leap || (other.leap.0 == 1 && atom.leap.0 == 1))
        });
        match same {
            Some(same) => same
                .steps
                .extend(steps.iter().filter(|step| !same.steps.contains(step)).copied().collect::<Vec<_>>()),
            None => {
                let (range, manner, crooked) = (atom.range, atom.manner, atom.crooked);
                let then = atom.then.clone();
                clauses.push(Clause { terms, leap: atom.leap, range, manner, steps, crooked, then });
            }
        }
    }
    let slides: Vec<(Terms, Vec<Vector>)> = clauses
        .iter()
        .filter(|clause| clause.adjacent() && clause.manner == Manner::Free && clause.range != Some(1))
        .filter(|clause| !clause.crooked && clause.then.is_empty())
        .map(|clause| (clause.terms, clause.steps.clone()))
        .collect();
    let step = |clause: &&mut Clause| clause.adjacent() && clause.range == Some(1) && clause.then.is_empty();
    for clause in clauses.iter_mut().filter(step) {
        clause.steps.retain(|step| {
            !slides.iter().any(|(terms, steps)| *terms == clause.terms && steps.contains(step))
        });
    }
    clauses.retain(|clause| !clause.steps.is_empty());
    clauses
}

/// How far and where: `any number of squares diagonally`.
fn phrase(variant: &Variant, clause: &Clause, frame: Frame) -> String {
    let (m, n) = clause.leap;
    let straight = n == 0 || n == m;
    if !clause.then.is_empty() {
        return paths::path(frame, &clause.steps, (clause.leap, clause.range), &clause.then);
    }
    let wrap = variant.shape().wrap();
    let far = match clause.range {
        Some(1) => None,
        Some(limit) => Some(format!("up to {}", number(limit.into()))),
        None => Some("any number of".to_owned()),
    };
    let steps = if straight {
        directions(
            &clause.steps.iter().map(|v| Vector::new(v.dx.signum(), v.dy.signum())).collect::<Vec<_>>(),
            frame,
        )
    } else {
        String::new()
    };
    let round = if clause.range.is_none() && (wrap.files || wrap.ranks) && straight && !clause.crooked {
        ", also across the joined edges but never back to its own square"
    } else {
        ""
    };
    match (&far, straight) {
        (None, true) if m == 1 => format!("one square {steps}"),
        (None, true) => {
            let way = match clause.manner {
                Manner::Lame if m == 2 => "if the square between is empty",
                Manner::Lame => "if the squares between are empty",
                Manner::Jump => "by jumping over a man of either color, which must be there",
                _ => "leaping over whatever is between",
            };
            format!("exactly {} squares {steps}, {way}", number(m.into()))
        }
        (Some(far), true) if m == 1 => {
            let way = match clause.manner {
                Manner::HopOne => ", hopping over exactly one man on the way and going on behind it",
                Manner::HopBehind => ", hopping over the first man in the way and ending right behind it",
                Manner::Jump => ", passing over whatever stands on the first of them",
                _ => "",
            };
            let way = if clause.crooked { format!("{}{way}", paths::ZIGZAG) } else { way.to_owned() };
            format!("{far} squares {steps}{way}{round}")
        }
        (Some(far), true) => format!(
            "{far} leaps of {} squares {steps}{}, one after the other over empty squares{round}",
            number(m.into()),
            if clause.crooked { paths::ZIGZAG } else { "" }
        ),
        (None, false) => {
            let lame = match clause.manner {
                Manner::Lame => ", if the square beside it on its way is empty",
                _ => ", over whatever is between",
            };
            format!("{}{}{lame}", oblique(m, n), oblique_directions(clause, frame))
        }
        (Some(far), false) => format!(
            "by {far} leaps in one direction, each {}{}, while the squares they touch are empty",
            oblique(m, n),
            oblique_directions(clause, frame)
        ),
    }
}

pub(super) fn oblique(m: u8, n: u8) -> String {
    let along =
        format!("{} squares along a file or rank and {} to the side", number(m.into()), number(n.into()));
    match (m, n) {
        (2, 1) => format!("like the knight of chess ({along})"),
        (3, 1) => format!("by a long knight's leap ({along})"),
        _ => format!("by a leap of {along}"),
    }
}

/// Which of the eight oblique leaps, if not all.
fn oblique_directions(clause: &Clause, frame: Frame) -> String {
    if clause.steps.len() == 8 {
        return String::new();
    }
    let seen: Vec<(i32, i32)> = clause.steps.iter().map(|&step| frame.seen(step)).collect();
    let all = |test: fn(&(i32, i32)) -> bool| seen.iter().all(test);
    let words = if all(|s| s.1 > 0) && seen.len() == 4 {
        "forward"
    } else if all(|s| s.1 < 0) && seen.len() == 4 {
        "backward"
    } else if all(|s| s.1 > s.0.abs()) && seen.len() == 2 {
        "its two farthest ways forward"
    } else if all(|s| -s.1 > s.0.abs()) && seen.len() == 2 {
        "its two farthest ways backward"
    } else {
        let steps: Vec<String> =
            clause.steps.iter().map(|step| format!("({},{})", step.dx, step.dy)).collect();
        return format!(", for White only by {} in files and ranks", list(&steps, "and"));
    };
    format!(", only {words}")
}

/// Steps to adjacent squares in words of the player.
fn directions(steps: &[Vector], frame: Frame) -> String {
    let orthogonal = |step: &Vector| step.dx == 0 || step.dy == 0;
    let (mut left, mut names): (Vec<Vector>, Vec<String>) = (steps.to_vec(), Vec::new());
    if left.len() == 8 {
        return "in any direction".into();
    }
    for (complete, name) in [(true, "along files and ranks"), (false, "diagonally")] {
        if left.iter().filter(|step| orthogonal(step) == complete).count() == 4 {
            left.retain(|step| orthogonal(step) != complete);
            names.push(name.into());
        }
    }
    let seen: Vec<(i32, i32)> =
        left.iter().map(|&step| frame.seen(step)).map(|(r, f)| (r.signum(), f.signum())).collect();
    let half = is_diagonal(frame);
    // Pairs that have a name, then single steps; what a pair names is not named again.
    type Way = (i32, i32);
    type Words = [&'static str; 2];
    let pairs: [([Way; 2], Words); 4] = [
        ([(0, 1), (0, -1)], ["straight forward or backward"; 2]),
        ([(-1, 0), (1, 0)], ["sideways"; 2]),
        ([(-1, 1), (1, 1)], ["diagonally forward", "half left or half right forward"]),
        ([(-1, -1), (1, -1)], ["diagonally backward", "half left or half right backward"]),
    ];
    let singles: [(Way, Words); 8] = [
        ((0, 1), ["straight forward"; 2]),
        ((0, -1), ["straight backward"; 2]),
        ((-1, 0), ["to the left", "sideways to the left"]),
        ((1, 0), ["to the right", "sideways to the right"]),
        ((-1, 1), ["diagonally forward to the left", "half left forward"]),
        ((1, 1), ["diagonally forward to the right", "half right forward"]),
        ((-1, -1), ["diagonally backward to the left", "half left backward"]),
        ((1, -1), ["diagonally backward to the right", "half right backward"]),
    ];
    let mut named: Vec<(i32, i32)> = Vec::new();
    for (pair, words) in pairs {
        if pair.iter().all(|step| seen.contains(step)) {
            names.push(words[usize::from(half)].into());
            named.extend(pair);
        }
    }
    for (step, words) in singles {
        if seen.contains(&step) && !named.contains(&step) {
            names.push(words[usize::from(half)].into());
        }
    }
    list(&names, "or")
}
