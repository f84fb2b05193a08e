//! Builds trails: from the moves of a piece, a square and a direction to forests of squares. Steps
//! that are barred for good (edges, holes, walls, steps that gain nothing) are left out.

use super::betza::{Atom, Leg, Manner};
use super::rules::Stride;
use super::trails::{Hop, Pass, Trail, TrailNode, Trails};
use crate::geometry::{Frame, Shape, Square, Vector};

/// Most nodes of one forest: sizes are counted in 16 bits.
const MAX_FOREST: usize = u16::MAX as usize;

/// The terms on which a forest's moves are made: quiet, capture, initial.
type Terms = (bool, bool, bool);

/// The surroundings of a trail: the board, the player's frame, the piece's square, and the steps allowed.
#[derive(Clone, Copy)]
pub(super) struct TrailContext<'g> {
    pub(super) shape: &'g Shape,
    pub(super) frame: Frame,
    pub(super) start: Square,
    /// Whether a step (of a slide, a path, or a single leap) from one square to another is open.
    pub(super) open: &'g dyn Fn(Square, Square) -> bool,
}

/// The trails of one piece from one square, while they are built.
#[derive(Default)]
pub(super) struct TrailBuilder {
    forests: Vec<(Terms, Forest)>,
    hops: Vec<(Terms, Hop, Vec<Square>)>,
    /// The initial moves of two squares that need no trail.
    pub(super) strides: [Option<Stride>; 2],
}

impl TrailBuilder {
    /// Lays the moves of an atom that begin with one of its steps.
    pub(super) fn add(&mut self, context: TrailContext<'_>, atom: &Atom, step: Vector) {
        let terms = (atom.quiet, atom.capture, atom.initial);
        if !atom.then.is_empty() {
            let mut path = vec![context.start];
            let leg = Slide { step, range: atom.range, then: &atom.then };
            self.forest(terms).slide(context, None, leg, &mut path);
            return;
        }
        let lines = match (atom.range, atom.manner) {
            (Some(1), Manner::Free) => vec![single(context, step)],
            (Some(1), _) => vec![on_the_way(context, step)],
            _ if atom.crooked => [step.clockwise(), step.clockwise().times(-1)]
                .map(|turned| crooked(context, atom.range, [step, turned]))
                .into(),
            (range, _) => vec![straight(context, range, step)],
        };
        for line in lines.into_iter().filter(|line| !line.is_empty()) {
            self.line(terms, atom, line);
        }
    }

    fn line(&mut self, terms: Terms, atom: &Atom, line: Vec<Square>) {
        let hop = match atom.manner {
            Manner::HopOne => Hop::One,
            Manner::HopBehind => Hop::Behind,
            Manner::Free | Manner::Lame | Manner::Jump => Hop::No,
        };
        if hop != Hop::No {
            self.hops.push((terms, hop, line));
            return;
        }
        if let &[crossed, to] = &line[..]
            && atom.initial
            && !atom.capture
            && atom.manner == Manner::Lame
            && self.add_stride(Stride { crossed, to })
        {
            return;
        }
        let single = atom.range == Some(1);
        let last = line.len() - 1;
        let forest = self.forest(terms);
        let mut parent = None;
        for (number, square) in line.into_iter().enumerate() {
            let jumped = atom.manner == Manner::Jump && number == 0 && (!single || number < last);
            let pass = match (jumped, single) {
                (true, true) => Pass::OCCUPIED,
                (true, false) => Pass::ANY,
                (false, _) => Pass::EMPTY,
            };
            let stop = if single { number == last } else { !jumped };
            parent = Some(forest.grow(parent, square, pass, stop));
        }
    }

    /// Notes an initial move of two squares; false where there is no room or another one ends there.
    fn add_stride(&mut self, stride: Stride) -> bool {
        let mut known = self.strides.iter().flatten();
        if let Some(same) = known.clone().find(|known| known.to == stride.to) {
            return *same == stride;
        }
        if known.nth(1).is_some() {
            return false;
        }
        let free = usize::from(self.strides[0].is_some());
        self.strides[free] = Some(stride);
        true
    }

    fn forest(&mut self, terms: Terms) -> &mut Forest {
        let at = self.forests.iter().position(|(known, _)| *known == terms).unwrap_or_else(|| {
            self.forests.push((terms, Forest::default()));
            self.forests.len() - 1
        });
        &mut self.forests[at].1
    }

    /// Appends everything to the trails of the game. False if there is more than they can hold.
    #[must_use]
    pub(super) fn close(self, trails: &mut Trails) -> bool {
        for ((quiet, capture, initial), forest) in &self.forests {
            if forest.nodes.len() > MAX_FOREST {
                return false;
            }
            let start = trails.nodes.len();
            for &root in &forest.roots {
                forest.write(root, &mut trails.nodes);
            }
            trails.push(start, (*quiet, *capture, *initial), Hop::No);
        }
        for (terms, hop, line) in self.hops {
            let start = trails.nodes.len();
            let size = line.len();
            trails.nodes.extend(line.into_iter().enumerate().map(|(number, square)| TrailNode {
                square,
                stop: true,
                pass: Pass::EMPTY,
                size: (size - number) as u16,
            }));
            trails.push(start, terms, hop);
        }
        trails.close();
        true
    }
}

impl Trails {
    fn push(&mut self, start: usize, (quiet, capture, initial): Terms, hop: Hop) {
        let (start, end) = (start as u32, self.nodes.len() as u32);
        if start < end {
            self.trails.push(Trail { start, end, quiet, capture, initial, hop });
        }
    }
}

/// Trees of squares being laid; paths that begin alike share their beginning.
#[derive(Default)]
struct Forest {
    nodes: Vec<Branch>,
    roots: Vec<usize>,
}

struct Branch {
    square: Square,
    pass: Pass,
    stop: bool,
    next: Vec<usize>,
}

/// A leg that is being laid, and the legs after it.
#[derive(Clone, Copy)]
struct Slide<'a> {
    step: Vector,
    range: Option<u8>,
    then: &'a [Leg],
}

impl Forest {
    /// The branch that goes on from another (or begins) with a square.
    fn grow(&mut self, parent: Option<usize>, square: Square, pass: Pass, stop: bool) -> usize {
        let next = parent.map_or(&self.roots, |parent| &self.nodes[parent].next);
        let known =
            next.iter().copied().find(|&at| (self.nodes[at].square, self.nodes[at].pass) == (square, pass));
        let at = known.unwrap_or(self.nodes.len());
        if known.is_none() {
            self.nodes.push(Branch { square, pass, stop: false, next: Vec::new() });
            match parent {
                Some(parent) => self.nodes[parent].next.push(at),
                None => self.roots.push(at),
            }
        }
        self.nodes[at].stop |= stop;
        at
    }

    /// Lays a leg and the legs after it. `path` is where the move has been, its start included: it
    /// never comes to one of these squares again, and ends with the longest path of the board.
    fn slide(
        &mut self,
        context: TrailContext<'_>,
        mut parent: Option<usize>,
        leg: Slide<'_>,
        path: &mut Vec<Square>,
    ) {
        let begun = path.len();
        let stop = leg.then.first().is_none_or(|next| next.stop_before);
        while leg.range.is_none_or(|range| path.len() - begun < usize::from(range))
            && longest_path(context.shape).is_none_or(|longest| path.len() <= longest)
            && self.nodes.len() <= MAX_FOREST
        {
            let here = path[path.len() - 1];
            let Some(next) = context.shape.step(here, leg.step) else { break };
            if path.contains(&next) || !(context.open)(here, next) {
                break;
            }
            let node = self.grow(parent, next, Pass::EMPTY, stop);
            path.push(next);
            if let Some((turn, then)) = leg.then.split_first() {
                for step in turn.steps(context.frame, leg.step) {
                    self.slide(context, Some(node), Slide { step, range: turn.range, then }, path);
                }
            }
            parent = Some(node);
        }
        path.truncate(begun);
    }

    /// Writes a tree in preorder, without branches on which nothing can end; returns its size.
    fn write(&self, root: usize, nodes: &mut Vec<TrailNode>) -> usize {
        let branch = &self.nodes[root];
        let at = nodes.len();
        nodes.push(TrailNode { square: branch.square, stop: branch.stop, pass: branch.pass, size: 0 });
        let size = 1 + branch.next.iter().map(|&next| self.write(next, nodes)).sum::<usize>();
        if size == 1 && !branch.stop {
            nodes.truncate(at);
            return 0;
        }
        nodes[at].size = size as u16;
        size
    }
}

/// Most steps of a path that turns. On joined edges it is one less than the longest way round, so
/// that the path ends as a straight slide would; elsewhere the edges end it.
pub(super) fn longest_path(shape: &Shape) -> Option<usize> {
    let wrap = shape.wrap();
    let round = |joined: bool, side: u8| joined.then(|| usize::from(side) - 1);
    round(wrap.files, shape.width()).max(round(wrap.ranks, shape.height()))
}

/// A single leap, treated as one step.
fn single(context: TrailContext<'_>, step: Vector) -> Vec<Square> {
    let to = context.shape.step(context.start, step);
    to.filter(|&to| (context.open)(context.start, to)).into_iter().collect()
}

/// The squares of a single leap that does not fly: those on its way, then where it ends. A leap
/// without squares between is its end alone. Empty when there is no such end.
fn on_the_way(context: TrailContext<'_>, leap: Vector) -> Vec<Square> {
    let (m, n) = (leap.dx.abs().max(leap.dy.abs()), leap.dx.abs().min(leap.dy.abs()));
    let vectors: Vec<Vector> = if n == 0 || n == m {
        let step = Vector::new(leap.dx.signum(), leap.dy.signum());
        (1..=m).map(|times| step.times(times)).collect()
    } else {
        // The horse: one step along its longer side, then on.
        let first = if leap.dx.abs() > leap.dy.abs() {
            Vector::new(leap.dx.signum(), 0)
        } else {
            Vector::new(0, leap.dy.signum())
        };
        vec![first, leap]
    };
    let way: Option<Vec<Square>> =
        vectors.into_iter().map(|vector| context.shape.step(context.start, vector)).collect();
    let way = way.unwrap_or_default();
    // Only the end of a leap counts: a wall on its way does not stop it.
    let open = way.last().is_some_and(|&to| (context.open)(context.start, to));
    if open { way } else { Vec::new() }
}

/// A straight rider's squares.
fn straight(context: TrailContext<'_>, range: Option<u8>, step: Vector) -> Vec<Square> {
    let mut here = context.start;
    (context.shape.ray(context.start, step).into_iter())
        .take(range.map_or(usize::MAX, usize::from))
        .take_while(|&next| (context.open)(core::mem::replace(&mut here, next), next))
        .collect()
}

/// A crooked rider's squares: two steps by turns.
fn crooked(context: TrailContext<'_>, range: Option<u8>, steps: [Vector; 2]) -> Vec<Square> {
    let most = range.map_or(usize::MAX, usize::from).min(longest_path(context.shape).unwrap_or(usize::MAX));
    let mut path = vec![context.start];
    for step in steps.into_iter().cycle().take(most) {
        let here = path[path.len() - 1];
        match context.shape.step(here, step) {
            Some(next) if !path.contains(&next) && (context.open)(here, next) => path.push(next),
            _ => break,
        }
    }
    path.remove(0);
    path
}
