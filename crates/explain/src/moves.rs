//! How a piece moves, from its atoms. Which steps a direction means comes from [`Atom::steps`], so the
//! words and the tables cannot differ.

use crate::motion::{Aim, Angle, Directions, Gained, Moves, Stretch, Toward, Turn, TurnSide, Verb, Way};
use crate::names::{self, name};
use crate::text::Text;
use lozenge_rules::geometry::{Frame, Vector};
use lozenge_rules::position::{Color, Role};
use lozenge_rules::variant::betza::{Atom, Leap, Leg, Manner};
use lozenge_rules::variant::{Condition, Gain, MoveGroup, RoleInfo, Variant};

/// Whether some piece's moves depend on which way is forward.
pub(super) fn uses_directions(variant: &Variant) -> bool {
    let directed = |moves: &MoveGroup| {
        moves.condition.edge.is_some() || moves.atoms.iter().any(|atom| !atom.directions.is_empty())
    };
    variant.roles().iter().any(|(_, info)| info.moves.iter().any(directed))
}

/// The moves of a piece, in sentences.
pub(super) fn moves(variant: &Variant, role: Role, info: &RoleInfo) -> Vec<Text> {
    let mut texts = match compound(variant, role, info) {
        Some(compound) => vec![compound],
        None => sentences(variant, info).into_iter().chain(longest(variant, info)).collect(),
    };
    texts.extend(info.wall.as_ref().map(|wall| Text::Closed(names::area(variant, wall))));
    texts
}

/// Where moves that turn end on joined edges.
fn longest(variant: &Variant, info: &RoleInfo) -> Option<Text> {
    let turns = |atom: &Atom| atom.crooked || !atom.then.is_empty();
    variant
        .longest_path()
        .filter(|_| info.moves.iter().any(|moves| moves.atoms.iter().any(turns)))
        .map(Text::Longest)
}

/// The sentence on a compound that moves as both its parts do; `None` for any other piece.
fn compound(variant: &Variant, role: Role, info: &RoleInfo) -> Option<Text> {
    let fusion = variant.fusions().iter().find(|fusion| fusion.into == role)?;
    let moves: Vec<_> =
        fusion.parts.iter().flat_map(|&part| variant.roles().info(part).moves.iter()).collect();
    info.moves.iter().eq(moves).then(|| Text::Fused(fusion.parts.map(|part| name(variant, part))))
}

fn sentences(variant: &Variant, info: &RoleInfo) -> Vec<Text> {
    let mut sentences: Vec<Text> = Vec::new();
    let mut known = (false, false);
    for MoveGroup { atoms, condition, .. } in &info.moves {
        // A first capture after moves without one is nothing additional.
        let also = atoms.iter().any(|atom| (atom.quiet && known.0) || (atom.capture && known.1));
        known.0 |= atoms.iter().any(|atom| atom.quiet);
        known.1 |= atoms.iter().any(|atom| atom.capture);
        let opening = sentences.is_empty();
        sentences.extend(group(variant, atoms, condition, opening, also));
    }
    if sentences.is_empty() {
        sentences.push(Text::Immobile);
    }
    sentences
}

/// The conditions of a step; clauses with the same conditions are joined.
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
fn group(variant: &Variant, atoms: &[Atom], condition: &Condition, opening: bool, also: bool) -> Vec<Text> {
    let frame = variant.frames()[Color::White];
    let clauses = clauses(atoms, frame);
    let mut sentences = Vec::new();
    for initial in [false, true] {
        let mut terms: Vec<(Verb, Vec<Way>)> = Vec::new();
        for clause in clauses.iter().filter(|clause| clause.terms.initial == initial) {
            let (verb, way) = (verb(clause.terms), way(variant, clause, frame));
            match terms.iter_mut().find(|(other, _)| *other == verb) {
                Some((_, ways)) => ways.push(way),
                None => terms.push((verb, vec![way])),
            }
        }
        if !terms.is_empty() {
            sentences.push(Text::Moves(Moves {
                from: condition.on.as_ref().map(|on| names::area(variant, on)),
                edge: condition.edge,
                initial,
                opening,
                also,
                terms,
                gain: gained(condition),
            }));
        }
    }
    sentences
}

fn verb(terms: Terms) -> Verb {
    match (terms.quiet, terms.capture) {
        (true, true) => Verb::Either,
        (true, false) => Verb::Move,
        _ => Verb::Capture,
    }
}

/// How a condition on the distance from the camp restricts the moves, if there is one.
fn gained(condition: &Condition) -> Option<Gained> {
    condition.gain.map(|gain| match gain {
        Gain::Any if condition.center => Gained::Center,
        Gain::Any => Gained::Farther,
        Gain::Most => Gained::Farthest,
        Gain::Level => Gained::Level,
    })
}

/// Atoms as clauses: king-like pairs joined unless they turn later, steps that a slide contains left out.
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
                && (other.leap == atom.leap
                    || (other.leap.0 == 1 && atom.leap.0 == 1 && atom.then.is_empty()))
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

/// How far and where a clause leads.
fn way(variant: &Variant, clause: &Clause, frame: Frame) -> Way {
    let (leap, most, manner, zigzag) = (clause.leap, clause.range, clause.manner, clause.crooked);
    let (squares, side) = leap;
    if !clause.then.is_empty() {
        return Way::Path(path(frame, &clause.steps, (leap, most), &clause.then));
    }
    let single = most == Some(1);
    if side != 0 && side != squares {
        let aim = aim(clause, frame);
        return if single {
            Way::Oblique { leap, aim, lame: manner == Manner::Lame }
        } else {
            Way::Obliques { most, leap, aim }
        };
    }
    let directions = directions(&clause.steps, frame);
    let wrap = variant.shape().wrap();
    let round = most.is_none() && (wrap.files || wrap.ranks) && !zigzag;
    match (single, clause.adjacent()) {
        (true, true) => Way::Step(directions),
        (true, false) => Way::Leap { squares, directions, manner },
        (false, true) => Way::Slide { most, directions, manner, zigzag, round },
        (false, false) => Way::Leaps { most, squares, directions, zigzag, round },
    }
}

/// Which of the eight oblique leaps.
fn aim(clause: &Clause, frame: Frame) -> Aim {
    let seen: Vec<(i32, i32)> = clause.steps.iter().map(|&step| frame.relative(step)).collect();
    let all = |test: fn(&(i32, i32)) -> bool| seen.iter().all(test);
    match seen.len() {
        8 => Aim::All,
        4 if all(|s| s.1 > 0) => Aim::Forward,
        4 if all(|s| s.1 < 0) => Aim::Backward,
        2 if all(|s| s.1 > s.0.abs()) => Aim::FarForward,
        2 if all(|s| -s.1 > s.0.abs()) => Aim::FarBackward,
        _ => Aim::Only(clause.steps.iter().map(|step| (step.dx, step.dy)).collect()),
    }
}

/// The directions of straight steps as the player sees them. Pairs with a name come first; a direction
/// in a pair is not named again.
fn directions(steps: &[Vector], frame: Frame) -> Directions {
    const PAIRS: [([(i32, i32); 2], Toward); 4] = [
        ([(0, 1), (0, -1)], Toward::ForwardOrBackward),
        ([(-1, 0), (1, 0)], Toward::Sideways),
        ([(-1, 1), (1, 1)], Toward::ForwardLeftOrRight),
        ([(-1, -1), (1, -1)], Toward::BackwardLeftOrRight),
    ];
    const SINGLES: [((i32, i32), Toward); 8] = [
        ((0, 1), Toward::Forward),
        ((0, -1), Toward::Backward),
        ((-1, 0), Toward::Left),
        ((1, 0), Toward::Right),
        ((-1, 1), Toward::ForwardLeft),
        ((1, 1), Toward::ForwardRight),
        ((-1, -1), Toward::BackwardLeft),
        ((1, -1), Toward::BackwardRight),
    ];
    let turned = frame.is_diagonal();
    let mut left: Vec<Vector> = steps.iter().map(|v| Vector::new(v.dx.signum(), v.dy.signum())).collect();
    if left.len() == 8 {
        return Directions { toward: vec![Toward::Any], turned };
    }
    let mut toward = Vec::new();
    let along_line = |step: &Vector| step.dx == 0 || step.dy == 0;
    for (lines, four) in [(true, Toward::Lines), (false, Toward::Diagonals)] {
        if left.iter().filter(|step| along_line(step) == lines).count() == 4 {
            left.retain(|step| along_line(step) != lines);
            toward.push(four);
        }
    }
    let seen: Vec<(i32, i32)> =
        left.iter().map(|&step| frame.relative(step)).map(|(r, f)| (r.signum(), f.signum())).collect();
    let mut named: Vec<(i32, i32)> = Vec::new();
    for (pair, both) in PAIRS {
        if pair.iter().all(|step| seen.contains(step)) {
            toward.push(both);
            named.extend(pair);
        }
    }
    for (step, one) in SINGLES {
        if seen.contains(&step) && !named.contains(&step) {
            toward.push(one);
        }
    }
    Directions { toward, turned }
}

/// Whether pieces in the way change more than where a straight line ends: worth a drawing of its own.
pub(super) fn turns_or_hops(atom: &Atom) -> bool {
    atom.crooked || !atom.then.is_empty() || matches!(atom.manner, Manner::HopOne | Manner::HopBehind)
}

/// All legs of a path.
fn path(frame: Frame, steps: &[Vector], (leap, most): (Leap, Option<u8>), then: &[Leg]) -> Vec<Stretch> {
    let toward = (steps.len() < 4).then(|| directions(steps, frame));
    let mut stretches = vec![Stretch { may_end_before: false, leap, most, toward, turns: Vec::new() }];
    let mut before = steps.first().copied();
    for leg in then {
        let next: Vec<Vector> = before.map_or_else(Vec::new, |before| leg.steps(frame, before));
        let turns = before.map_or_else(Vec::new, |before| turns(frame, before, &next));
        stretches.push(Stretch {
            may_end_before: leg.stop_before,
            leap: leg.leap,
            most: leg.range,
            toward: None,
            turns,
        });
        before = next.first().copied();
    }
    stretches
}

/// By which angles the steps turn from the step before; an angle that is open to both sides is named without a side.
fn turns(frame: Frame, before: Vector, steps: &[Vector]) -> Vec<Turn> {
    let handed = if frame.right == frame.forward.clockwise() { 1 } else { -1 };
    let mut turns: Vec<(Angle, i32)> = steps
        .iter()
        .map(|step| {
            let (ax, ay) = (i32::from(before.dx), i32::from(before.dy));
            let (bx, by) = (i32::from(step.dx), i32::from(step.dy));
            let (along, right) = (ax * bx + ay * by, (ay * bx - ax * by) * handed);
            let angle = match (along.signum(), right) {
                (1, 0) => Angle::Straight,
                (1, _) => Angle::Outward,
                (0, _) => Angle::Right,
                (_, 0) => Angle::Back,
                _ => Angle::Inward,
            };
            (angle, right.signum())
        })
        .collect();
    turns.sort_unstable();
    turns.dedup();
    let mut named: Vec<Turn> = Vec::new();
    for &(angle, _) in &turns {
        let sides: Vec<i32> = turns.iter().filter(|turn| turn.0 == angle).map(|turn| turn.1).collect();
        let side = match sides[..] {
            [-1] => Some(TurnSide::Left),
            [1] => Some(TurnSide::Right),
            _ => None,
        };
        named.push(Turn { angle, side });
    }
    named.dedup();
    named
}
